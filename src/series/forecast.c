/* What the days to come will cost: a level that walks and grows, times the weekday, learned
 * from every day that was not out of the ordinary; fees where the months before had them. The
 * range is that of the noise and of what is not known of level and growth; it does not know of
 * events that are to come. docs/guide/forecast.md has what was measured. */
#include <math.h>

#include "series/daily_internal.h"

#define WEEKS 56      /* days that the week's pattern and the noise are taken of */
#define RANGE 112     /* that the noise of the range is taken of */
#define PATTERN 14    /* days from which on there is a pattern */
#define DRIFT 0.004   /* how far the level walks in a day, as a share of it */
#define GROWTH 0.0015 /* a day: how large growth is thought to be before anything is seen */
#define GROWS 0.02    /* a day, at most */
#define FADES 180.0   /* days in which growth goes on as it is */
#define TURNS 5e-5    /* how far growth itself walks in a day */
#define ANEW 1.0      /* how little is known of the level when it begins, as a share of it */
#define CLIPPED 2.0   /* standard deviations that a day may move them by, at most */
#define SURE 2.0      /* standard errors from which on growth is spoken of */
#define STAYS 3.0     /* days after which an event is as likely to stay as to go */
#define PASSES 50.0   /* days in which it goes in any case */
#define FARTHEST 4.0  /* times the ordinary that an event is believed to go on at */
#define NORMAL_80 1.2816
#define LOWER 0.8 /* unexpected changes raise costs more often than they lower them */
#define MONTH_LEAST 28
#define MONTHS_BACK 92

/* A level that walks and a growth, each with what is not known of it: a Kalman filter. */
struct trend {
    double level, growth; /* growth is the share that a day adds */
    double level_var, both_var, growth_var;
};

struct outlook {
    struct watch w;
    double *plain; /* amounts to learn from: NaN where an event came and went */
    double *anew;  /* 1 on days from which on an event has stayed */
    size_t since;  /* the last of these days */
    double mean;   /* of a day: everything below is a share of it */
    double week[WEEK];
    double noise; /* variance of an average day */
    struct trend trend;
    double known; /* days with an amount */
    double went;  /* by what an event that goes on multiplies; 1: none does */
    double event_days;
    bool fees;
};

static size_t outlook_start(const struct outlook *o, size_t days)
{
    return o->w.in->len > days ? o->w.in->len - days : 0;
}

/* What to learn from: events that passed are left out, those that stayed begin a new level. */
static bool learn_plain(struct outlook *o, struct arena *arena, struct error *err)
{
    size_t len = o->w.in->len;

    o->plain = arena_array(arena, double, len + 1, err);
    o->anew = arena_array(arena, double, len + 1, err);
    if (o->plain == NULL || o->anew == NULL)
        return false;
    for (size_t i = 0; i < len; i++) {
        o->plain[i] = o->w.clean[i];
        o->anew[i] = 0;
        o->known += !isnan(o->plain[i]);
    }
    for (size_t k = 0; k < o->w.count; k++) {
        const struct anomaly *e = &o->w.events[k];

        o->anew[e->first] = e->stayed;
        o->since = e->stayed ? e->first : o->since;
        for (size_t i = e->first; i <= e->last && !e->stayed; i++)
            o->plain[i] = NAN;
    }
    return true;
}

/* What each day of the week is of the mean, from eight weeks. The weekdays are drawn together
 * as far as noise alone would set them apart (James and Stein). */
static void learn_outlook_week(struct outlook *o)
{
    double sum[WEEK] = {0}, n[WEEK] = {0}, days = 0, all = 0, apart = 0, noise = 0, keep;

    for (size_t i = outlook_start(o, WEEKS); i < o->w.in->len; i++)
        if (!isnan(o->w.clean[i])) {
            sum[i % WEEK] += o->w.clean[i];
            n[i % WEEK]++;
            o->mean += o->w.clean[i];
            days++;
        }
    o->mean = fabs(o->mean) > 0 ? o->mean / days : 1;
    for (size_t d = 0; d < WEEK; d++) {
        o->week[d] = days >= PATTERN && n[d] > 0 ? fmax(0, sum[d] / (n[d] * o->mean)) : 1;
        all += o->week[d] / (double)WEEK;
    }
    for (size_t d = 0; d < WEEK; d++) {
        o->week[d] /= all > 0 ? all : 1;
        apart += (o->week[d] - 1) * (o->week[d] - 1) / (double)(WEEK - 1);
    }
    for (size_t i = outlook_start(o, WEEKS); i < o->w.in->len; i++) {
        double r = o->w.clean[i] / o->mean - o->week[i % WEEK];

        noise += isnan(r) ? 0 : r * r;
    }
    noise *= (double)WEEK / days / fmax(1, days - (double)WEEK); /* of the mean of a weekday */
    keep = apart > noise ? 1 - noise / apart : 0;
    for (size_t d = 0; d < WEEK; d++)
        o->week[d] = 1 + keep * (o->week[d] - 1);
}

/* Nothing grows for ever: days far ahead count for fewer. */
static double days_grown(double ahead)
{
    return ahead > 0 ? FADES * -expm1(-ahead / FADES) : ahead;
}

static double line_at(const struct trend *t, double ahead)
{
    return fmax(0, t->level) * exp(days_grown(ahead) * log1p(t->growth));
}

/* What a day came to that was not out of the ordinary, the month's fees left out. */
static double ordinary_day(const struct outlook *o, size_t i)
{
    struct month_place at = month_place((day){o->w.in->first.n + (int32_t)i});

    if (isnan(o->plain[i]) || (o->w.excess[i] > 0 && (at.of <= 3 || at.of == at.length)))
        return o->plain[i];
    return o->w.in->amount[i];
}

/* The variance of an average day around the line, by its days and by complete weeks: these say
 * more when a day follows the one before. */
struct noise {
    double days, weeks;
};

static struct noise noise_around(const struct outlook *o, size_t most,
                                 double (*amount)(const struct outlook *, size_t))
{
    double n = 0, weeks = 0, sum = 0, of = 0;
    struct noise out = {0, 0};

    for (size_t back = 1; back <= o->w.in->len - o->since && back <= most; back++) {
        size_t i = o->w.in->len - back;
        double week = o->week[i % WEEK], is = line_at(&o->trend, 1 - (double)back) * week;
        double r = amount(o, i) / o->mean - is;

        if (!isnan(r) && week > 0) {
            out.days += fmin(r * r / week, 4);
            n++;
            sum += r;
            of += week;
        }
        if (back % WEEK == 0 && of > 0) {
            out.weeks += sum * sum / of;
            weeks++;
            sum = of = 0;
        }
    }
    out.days /= fmax(1, n - 1);
    out.weeks = weeks >= 4 ? out.weeks / weeks : out.days;
    return out;
}

static double plain_at(const struct outlook *o, size_t i)
{
    return o->plain[i];
}

/* A day as it was seen: level and growth move by what they are not sure of. A weekday counts
 * for what is spent on it. */
static void see_day(struct trend *t, double amount, double week, double noise)
{
    double off = amount - week * t->level, var = week * week * t->level_var + week * noise;
    double level = week * t->level_var / var, growth = week * t->both_var / var;
    double most = CLIPPED * sqrt(var);

    off = fmax(-most, fmin(most, off));
    t->level += level * off;
    t->growth = fmax(-GROWS, fmin(GROWS, t->growth + growth * off));
    t->growth_var -= growth * week * t->both_var;
    t->both_var -= level * week * t->both_var;
    t->level_var -= level * week * t->level_var;
}

/* A night: the level grows, and is known a little less. */
static void pass_day(struct trend *t)
{
    double by = 1 + t->growth;

    t->level_var = by * by * t->level_var + 2 * by * t->level * t->both_var +
                   t->level * t->level * (t->growth_var + DRIFT * DRIFT);
    t->both_var = by * t->both_var + t->level * t->growth_var;
    t->growth_var += TURNS * TURNS;
    t->level *= by;
}

static struct trend filter_days(const struct outlook *o)
{
    struct trend t = {1, 0, ANEW * ANEW, 0, GROWTH * GROWTH};
    bool begun = false;

    for (size_t i = 0; i < o->w.in->len; i++) {
        double week = o->week[i % WEEK];

        if (begun)
            pass_day(&t);
        if (o->anew[i] > 0)
            t.level_var += ANEW * ANEW;
        if (!isnan(o->plain[i]) && week > 0) {
            see_day(&t, o->plain[i] / o->mean, week, o->noise);
            begun = true;
        }
    }
    return t;
}

/* The filter needs the noise, which is seen around the line that it finds: twice is enough. Of
 * the range the noise is what days were, the odd ones too, and that of level and growth is the
 * more for it. */
static void learn_trend(struct outlook *o)
{
    struct noise noise;
    double more;

    o->trend = (struct trend){.level = 1};
    for (int again = 0; again < 2; again++) {
        noise = noise_around(o, WEEKS, plain_at);
        o->noise = fmax((noise.days + noise.weeks) / 2, 1e-6);
        o->trend = filter_days(o);
    }
    noise = noise_around(o, RANGE, ordinary_day);
    more = fmax(1, fmax(noise.days, noise.weeks) * (1 + 6 / o->known) / o->noise);
    o->noise *= more;
    o->trend.level_var *= more;
    o->trend.both_var *= more;
    o->trend.growth_var *= more;
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
    double sum;   /* with fees */
    double noise; /* variance of the days one by one; like what follows a share of the mean */
    double level, growth; /* how much of each is in it */
    double event;         /* what is not sure since an event may pass */
    double ahead;         /* days until the last of them */
    size_t days;
};

static void add_outlook_day(struct outlook *o, day d, struct rest *rest)
{
    int64_t i = (int64_t)d.n - o->w.in->first.n;
    double ahead = (double)(i - (int64_t)o->w.in->len + 1), fee = fee_of(o, d), f;
    double p = o->event_days / (o->event_days + STAYS) * exp(-fmax(0, ahead) / PASSES);
    double week = o->week[((i % (int64_t)WEEK) + (int64_t)WEEK) % (int64_t)WEEK];
    double event = 1 + (o->went - 1) * p;
    struct trend grows = {.level = 1, .growth = o->trend.growth};

    f = week * line_at(&o->trend, ahead);
    rest->event += f * fabs(o->went - 1) * sqrt(p * (1 - p));
    rest->noise += o->noise * week * event * event;
    rest->level += week * event * line_at(&grows, ahead);
    rest->growth += f * event * days_grown(ahead);
    rest->days++;
    rest->sum += f * event * o->mean + fee;
    rest->ahead = fmax(rest->ahead, ahead);
    o->fees = o->fees || fee > 0;
}

static const char *outlook_method(const struct outlook *o)
{
    static const char *const names[] = {"weekday means", "weekday means with growth",
                                        "weekday means, with monthly fees",
                                        "weekday means with growth and monthly fees"};
    bool grows = fabs(o->trend.growth) > SURE * sqrt(o->trend.growth_var);

    if (o->known < PATTERN)
        return o->fees ? "run rate, with monthly fees" : "run rate";
    return names[grows + 2 * o->fees];
}

static double variance_of(const struct outlook *o, const struct rest *rest)
{
    const struct trend *t = &o->trend;
    /* A walk's mean varies by a third of what its end does. */
    double level = t->level_var + t->level * t->level * DRIFT * DRIFT * rest->ahead / 3;

    return rest->noise + rest->level * rest->level * level +
           2 * rest->level * rest->growth * t->both_var +
           rest->growth * rest->growth * t->growth_var + rest->event * rest->event;
}

static void finish_forecast(const struct outlook *o, const struct rest *rest,
                            struct forecast *out)
{
    double away = NORMAL_80 * sqrt(variance_of(o, rest)) * fabs(o->mean);

    out->rest = rest->sum;
    out->low = rest->sum - LOWER * away;
    /* What can only be spent is not less than nothing. */
    if (rest->sum >= 0 && out->low < 0)
        out->low = 0;
    out->high = rest->sum + away;
    out->total = out->spent + out->rest;
    out->total_low = out->spent + out->low;
    out->total_high = out->spent + out->high;
    out->method = rest->days > 0 ? outlook_method(o) : "all days are known";
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
    if (!watch_run(&o.w, series, &options, arena, err) || !learn_plain(&o, arena, err))
        return false;
    if (o.known < FORECAST_MIN_DAYS)
        return error_fail(err, ERROR_ABSENT,
                          "%.0f day%s of spending known: not enough for a forecast", o.known,
                          o.known > 1 || o.known < 1 ? "s" : "");
    learn_outlook_week(&o);
    learn_trend(&o);
    learn_event(&o);
    for (day d = from; d.n < until.n; d.n++) {
        int64_t i = (int64_t)d.n - series->first.n;

        if (i >= 0 && d.n < end && isfinite(series->amount[i]))
            out->spent += series->amount[i];
        else
            add_outlook_day(&o, d, &rest);
    }
    finish_forecast(&o, &rest, out);
    return true;
}
