/* What the days to come will cost: weekday means of the last four weeks without what was out of
 * the ordinary, fees where the months before had them, growth where it is sure. The range is
 * that of the noise and of a level that drifts; it does not know of events that are to come.
 * docs/forecast.md has what was measured. */
#include <math.h>

#include "series/daily_internal.h"

#define MEANS 28     /* days that the level is the mean of */
#define FADES 0.97   /* how much less each day before counts */
#define WEEKS 56     /* days that the week's pattern, the noise and the growth are taken of */
#define PATTERN 14   /* days from which on there is a pattern */
#define SHRINK 0.5   /* of a day: how little the pattern of few weeks is believed */
#define FEWEST 28    /* days that growth is seen in */
#define SURE 3.5     /* standard errors */
#define GROWS 0.01   /* a day, at most */
#define DRIFT 0.004  /* of the level, by the square root of days */
#define STAYS 3.0    /* days after which an event is as likely to stay as to go */
#define PASSES 50.0  /* days in which it goes in any case */
#define FARTHEST 4.0 /* times the ordinary that an event is believed to go on at */
#define NORMAL_80 1.2816
#define LOWER 0.8 /* what nobody foresaw costs more oftener than less */
#define MONTH_LEAST 28
#define MONTHS_BACK 92

struct outlook {
    struct watch w;
    double level, week[WEEK];
    double known; /* days with an amount, of those that the level is of */
    double noise; /* of a day, as a share of it */
    double slope; /* of the logarithm, a day */
    double went;  /* by what an event that goes on multiplies; 1: none does */
    double event_days;
    bool fees;
};

static size_t start_of(const struct outlook *o, size_t days)
{
    return o->w.in->len > days ? o->w.in->len - days : 0;
}

/* What each day of the week is of the mean, from eight weeks. */
static void learn_week(struct outlook *o)
{
    double sum[WEEK] = {0}, n[WEEK] = {0}, mean = 0, days = 0, all = 0;

    for (size_t i = start_of(o, WEEKS); i < o->w.in->len; i++)
        if (!isnan(o->w.clean[i])) {
            sum[i % WEEK] += o->w.clean[i];
            n[i % WEEK]++;
            mean += o->w.clean[i];
            days++;
        }
    mean = days > 0 ? mean / days : 0;
    for (size_t d = 0; d < WEEK; d++) {
        o->week[d] = days >= PATTERN && mean > 0
                         ? fmax(0, (sum[d] + SHRINK * mean) / ((n[d] + SHRINK) * mean))
                         : 1;
        all += o->week[d] / (double)WEEK;
    }
    for (size_t d = 0; d < WEEK; d++)
        o->week[d] /= all;
}

/* Of amounts, not of logarithms: it is money that is added up. The newest counts most. */
static void learn_level(struct outlook *o)
{
    double sum = 0, of = 0, weight = 1;

    for (size_t i = o->w.in->len; i-- > start_of(o, MEANS);) {
        if (!isnan(o->w.clean[i])) {
            sum += weight * o->w.clean[i];
            of += weight * o->week[i % WEEK];
            o->known++;
        }
        weight *= FADES;
    }
    o->level = of > 0 ? sum / of : 0;
}

/* How far whole weeks are from the level, as the noise of one of their days: more than the days
 * alone say, when a day follows the one before. Squared; NaN without weeks. */
static double noise_of_weeks(const struct outlook *o)
{
    double square = 0, weeks = 0;

    for (size_t end = o->w.in->len; end >= start_of(o, WEEKS) + WEEK; end -= WEEK) {
        double sum = 0, of = 0;

        for (size_t i = end - WEEK; i < end; i++)
            if (!isnan(o->w.clean[i])) {
                sum += o->w.clean[i];
                of += o->level * o->week[i % WEEK];
            }
        if (of > 0 || of < 0) {
            square += (double)WEEK * (sum / of - 1) * (sum / of - 1);
            weeks++;
        }
    }
    return weeks >= 4 ? square / weeks : NAN;
}

static void learn_noise(struct outlook *o)
{
    double square = 0, n = 0, weeks = noise_of_weeks(o);

    for (size_t i = start_of(o, WEEKS); i < o->w.in->len; i++) {
        double of = o->level * o->week[i % WEEK], r = o->w.clean[i] / of - 1;

        if (!isfinite(r))
            continue;
        r = fmax(-2, fmin(2, r));
        square += r * r;
        n++;
    }
    if (n < 2)
        return;
    square /= n - 1;
    if (!isnan(weeks))
        square = (square + weeks) / 2;
    o->noise = sqrt(square) * (1 + 3 / n); /* of few days it is not known well */
}

/* The straight line through logarithms, when it is steep beyond doubt. */
static void learn_growth(struct outlook *o)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, xx, xy, slope, rest;

    for (size_t i = start_of(o, WEEKS); i < o->w.in->len; i++) {
        double x = (double)i - (double)o->w.in->len, y;

        y = log(o->w.clean[i] / o->week[i % WEEK]);
        if (!(o->w.clean[i] > 0) || !isfinite(y))
            continue;
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        syy += y * y;
    }
    if (n < FEWEST)
        return;
    xx = sxx - sx * sx / n;
    xy = sxy - sx * sy / n;
    slope = xy / xx;
    rest = fmax(0, syy - sy * sy / n - slope * xy) / (n - 2);
    if (fabs(slope) > SURE * sqrt(rest / xx) && fabs(slope) > 1e-6)
        o->slope = fmax(-GROWS, fmin(GROWS, slope));
}

/* By what the last three days of an event differ from what was expected of them. */
static void learn_event(struct outlook *o)
{
    const struct anomaly *e;
    double actual = 0, expected = 0;

    o->went = 1;
    if (o->w.count == 0 || !o->w.events[o->w.count - 1].goes_on)
        return;
    e = &o->w.events[o->w.count - 1];
    for (size_t i = e->last > e->first + 2 ? e->last - 2 : e->first; i <= e->last; i++)
        if (!isnan(o->w.expected[i]) && isfinite(o->w.in->amount[i])) {
            actual += o->w.in->amount[i];
            expected += o->w.expected[i];
        }
    if (expected > 0 && actual >= 0)
        o->went = fmin(actual / expected, FARTHEST);
    o->event_days = (double)(o->w.in->len - e->first);
}

/* What comes on this day of each month: what two of them had, or the only one that is known,
 * when it is at its start or its end. */
static double fee_of(const struct outlook *o, day d)
{
    struct month_place here = month_place(d);
    int64_t first = o->w.in->first.n, len = (int64_t)o->w.in->len;
    double found[2];
    size_t n = 0;

    for (int32_t back = MONTH_LEAST; back <= MONTHS_BACK && n < 2; back++) {
        int64_t at = d.n - back - first;

        if (at < 0 || at >= len || isnan(o->w.excess[at]) ||
            !month_alike(here, month_place((day){d.n - back})))
            continue;
        found[n++] = fmax(0, o->w.excess[at]);
    }
    if (n == 2)
        return fmin(found[0], found[1]);
    return n == 1 && (here.of <= 3 || here.of == here.length) ? found[0] : 0;
}

/* Sums over the days that are not known. */
struct rest {
    double sum, plain; /* with fees, and without */
    double noise;      /* variance of the days one by one */
    double event;      /* what is not sure since an event may pass */
    double ahead;      /* days until the last of them */
    size_t days;
};

static void add_day(struct outlook *o, day d, struct rest *rest)
{
    int64_t i = (int64_t)d.n - o->w.in->first.n;
    double ahead = fmax(0, (double)(i - (int64_t)o->w.in->len + 1)), fee = fee_of(o, d), f;
    double p = o->event_days / (o->event_days + STAYS) * exp(-ahead / PASSES);
    double middle = ahead > 0 ? ahead + 12 : 0; /* from the middle of the days it is of */

    f = o->level * o->week[((i % (int64_t)WEEK) + (int64_t)WEEK) % (int64_t)WEEK];
    f *= exp(o->slope * middle);
    rest->event += f * fabs(o->went - 1) * sqrt(p * (1 - p));
    f *= 1 + (o->went - 1) * p;
    rest->noise += f * f * o->noise * o->noise;
    rest->plain += f;
    rest->days++;
    rest->sum += f + fee;
    rest->ahead = fmax(rest->ahead, ahead);
    o->fees = o->fees || fee > 0;
}

static const char *method_of(const struct outlook *o)
{
    static const char *const names[] = {
        "weekday means of 28 days", "weekday means of 28 days with growth",
        "weekday means of 28 days, with monthly fees",
        "weekday means of 28 days with growth and monthly fees"};

    if (o->known < PATTERN)
        return o->fees ? "run rate, with monthly fees" : "run rate";
    return names[(o->slope > 0 || o->slope < 0) + 2 * o->fees];
}

static void finish(const struct outlook *o, const struct rest *rest, struct forecast *out)
{
    double level =
        o->noise * o->noise / fmin(o->known, MEANS / 2.0) + DRIFT * DRIFT * rest->ahead;
    double variance =
        rest->noise + rest->plain * rest->plain * level + rest->event * rest->event;
    double away = NORMAL_80 * sqrt(variance);

    out->rest = rest->sum;
    out->low = rest->sum - LOWER * away;
    /* What can only be spent is not less than nothing. */
    if (rest->sum >= 0 && out->low < 0)
        out->low = 0;
    out->high = rest->sum + away;
    out->total = out->spent + out->rest;
    out->total_low = out->spent + out->low;
    out->total_high = out->spent + out->high;
    out->method = rest->days > 0 ? method_of(o) : "all days are known";
    out->days_used = (size_t)o->known;
}

bool daily_forecast(const struct daily *series, day from, day until, struct arena *arena,
                    struct forecast *out, struct error *err)
{
    struct outlook o = {0};
    struct anomaly_options options = {.share = 0.2};
    struct rest rest = {0};
    int64_t end = (int64_t)series->first.n + (int64_t)series->len;

    *out = (struct forecast){0};
    if (!watch_run(&o.w, series, &options, arena, err))
        return false;
    learn_week(&o);
    learn_level(&o);
    if (o.known < FORECAST_MIN_DAYS)
        return error_fail(err, ERROR_ABSENT,
                          "spending of %.0f day%s is known: too little to go by", o.known,
                          o.known > 1 || o.known < 1 ? "s" : "");
    learn_noise(&o);
    learn_growth(&o);
    learn_event(&o);
    for (day d = from; d.n < until.n; d.n++) {
        int64_t i = (int64_t)d.n - series->first.n;

        if (i >= 0 && d.n < end && isfinite(series->amount[i]))
            out->spent += series->amount[i];
        else
            add_day(&o, d, &rest);
    }
    finish(&o, &rest, out);
    return true;
}
