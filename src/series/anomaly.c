/* Daily spending, judged evening by evening. What is out is out by one of two measures: a day
 * alone, far from its weekday's level, or the mean of some days against the level before them,
 * which sees what grows. An event then holds the model still until it has passed, or has become
 * ordinary. docs/forecast.md has the method and what it was measured to find. */
#include <math.h>

#include "series/daily_internal.h"

#define DEFAULT_THRESHOLD 5.8
#define DEFAULT_SETTLE 28
#define HOLD 21      /* days after which what is new is ordinary */
#define CALM 2       /* ordinary days that end an event */
#define FIRST_WEEK 7 /* nothing is learnt of fewer */
#define MONTHS_BACK 92
#define MONTH_LEAST 28

#define BEYOND 1.2   /* times what was ordinary before, to be out */
#define ORDINARY 0.2 /* of the threshold: nearer than this an event is over */
#define ALIKE 0.3    /* of the threshold: as far as the same weekdays of one habit are apart */
#define CLIPPED 3    /* scales that a day may move the model by */
#define NEW_REGIME 2.5 /* times as much, or as little */
#define FEE_AGAIN 1.3
#define IDLE_REACH 3     /* times as many days back, to find some with spending */
#define IDLE_FARTHEST 12 /* days back at most: what is spread over more is no event */
#define IDLE_CHANCE 1e-4 /* of a row of days without spending, to be an event */

const size_t watch_windows[WATCH_WINDOWS] = {2, 3, 5, 7, 12};

/* Of the threshold, for the mean of so many days: two are soon out, as work that is done once
 * makes them; the more there are, the less wild is their mean. */
static const double many[WATCH_WINDOWS] = {1.2, 0.9, 0.65, 0.6, 0.55};

struct month_place month_place(day d)
{
    int year, month, date;

    day_split(d, &year, &month, &date);
    return (struct month_place){date, day_month_length(d)};
}

bool month_alike(struct month_place a, struct month_place b)
{
    return a.of == b.of || (a.of == a.length && b.of == b.length);
}

static day daily_at(const struct daily *series, size_t t)
{
    return (day){series->first.n + (int32_t)t};
}

/* How a day, or some, look. */
struct verdict {
    bool out, down;
    size_t from;
    double level; /* of the days before */
    double score;
};

static double amount_at(const struct watch *w, size_t t)
{
    double x = w->in->amount[t];

    return isfinite(x) ? x : NAN;
}

/* What came above the ordinary on this day of the months before; NaN when none was seen. */
static double fee_of(const struct watch *w, size_t t)
{
    struct month_place here = month_place(daily_at(w->in, t));
    double most = NAN;

    for (size_t back = MONTH_LEAST; back <= MONTHS_BACK && back <= t; back++)
        if (!isnan(w->excess[t - back]) &&
            month_alike(here, month_place(daily_at(w->in, t - back))))
            most = fmax(most, w->excess[t - back]);
    return most;
}

/* Was it just so on this day of the last two weeks? A new habit of Sundays is no event. */
static bool as_lately(const struct watch *w, size_t t)
{
    double within = ALIKE * w->options.threshold * w->scale;

    if (t < 2 * WEEK)
        return false;
    for (size_t back = WEEK; back <= 2 * WEEK; back += WEEK)
        if (!(fabs(watch_log(w, amount_at(w, t)) - watch_log(w, amount_at(w, t - back))) <
              within))
            return false;
    return true;
}

/* How far a day is from `level`. A fee that was there before is expected again; less of it, or
 * none, is as good. */
static double residual_of(const struct watch *w, size_t t, double level)
{
    double ordinary = level + watch_week(w, t), x = watch_log(w, amount_at(w, t)), fee;

    if (as_lately(w, t))
        return 0;
    fee = x < ordinary ? NAN : fee_of(w, t);
    if (fee > 0)
        return fmax(0, x - log(exp(ordinary) + FEE_AGAIN * fee));
    return x - ordinary;
}

static bool costs_enough(const struct watch *w, double apart, double expected)
{
    double least = fmax(w->options.least, w->options.share * fabs(expected));

    return fabs(apart) > 0 && fabs(apart) >= least;
}

static double bound(const struct watch *w, bool down)
{
    return fmax(w->options.threshold * w->scale, BEYOND * (down ? w->most_down : w->most_up));
}

/* The first days of a month are not judged alone before one was seen: there may be fees. */
static bool may_be_fee(const struct watch *w, size_t t)
{
    struct month_place at = month_place(daily_at(w->in, t));

    return (at.of <= 3 || at.of == at.length) && isnan(fee_of(w, t));
}

static bool day_is_out(const struct watch *w, size_t t, double r, struct verdict *v)
{
    double expected = w->expected[t];

    if (!(fabs(r) > bound(w, r < 0)) ||
        !costs_enough(w, amount_at(w, t) - expected, expected) || (r > 0 && may_be_fee(w, t)))
        return false;
    *v = (struct verdict){true, r < 0, t, w->level, fabs(r) / w->scale};
    return true;
}

/* What a day counts for among others: no more than would be out alone, and less when it is a
 * day off as there were some before. */
static double of_stretch(const struct watch *w, size_t t, double r)
{
    bool off = !(amount_at(w, t) > 0) && -r <= BEYOND * w->off;
    double most = (off ? CLIPPED : w->options.threshold) * w->scale;

    return fmax(-most, fmin(most, r));
}

/* The variance of the mean of n days, in that of one: 1 / n, and more when days follow each
 * other. */
static double spread_of_mean(const struct watch *w, size_t n)
{
    double sum = 1, part = 1;

    for (size_t i = 1; i < n; i++) {
        part *= w->follows;
        sum += 2 * part * (1 - (double)i / (double)n);
    }
    return sum / (double)n;
}

/* The mean of the last days against the level before them. */
static bool stretch_is_out(const struct watch *w, size_t t, size_t k, struct verdict *v)
{
    size_t days = watch_windows[k], from = t + 1, found = 0;
    size_t reach = IDLE_REACH * days < IDLE_FARTHEST ? IDLE_REACH * days : IDLE_FARTHEST;
    double n = (double)days, sum = 0, apart = 0, expected = 0, error;

    if (t + 1 < days + WATCH_LEVEL_SPAN || isnan(w->past[k]) || watch_idle(w, t))
        return false;
    while (found < days && from > w->regime && t + 1 - from < reach) {
        double ordinary = watch_amount(w, w->past[k] + watch_week(w, --from)), r;

        if (watch_idle(w, from))
            continue;
        r = residual_of(w, from, w->past[k]);
        if (isnan(r) || (from < t && isnan(w->residual[from])))
            return false; /* not known, or of an event */
        sum += of_stretch(w, from, r);
        apart += amount_at(w, from) - ordinary;
        expected += ordinary;
        found++;
    }
    if (found < days)
        return false;
    /* A middle of n values errs by 1.25 / sqrt(n) of their deviation. */
    error =
        w->scale * sqrt(spread_of_mean(w, days) + 1.57 * spread_of_mean(w, WATCH_LEVEL_SPAN));
    if (!(fabs(sum / n) > many[k] * w->options.threshold * error) || (sum > 0) != (apart > 0) ||
        !costs_enough(w, apart / n, expected / n))
        return false;
    *v = (struct verdict){true, sum < 0, from, w->past[k], fabs(sum / n) / error};
    return true;
}

/* So many days without spending in a row as chance brings once in ten thousand days. */
static bool pause_is_out(const struct watch *w, size_t t, struct verdict *v)
{
    size_t days = 0;

    while (days <= t && watch_idle(w, t - days) && t - days >= w->regime)
        days++;
    if (!w->intermittent || days == 0 || !(pow(w->idle, (double)days) < IDLE_CHANCE) ||
        !costs_enough(w, -w->expected[t], w->expected[t]))
        return false;
    *v = (struct verdict){true, true, t + 1 - days, w->level,
                          -log10(pow(w->idle, (double)days))};
    return true;
}

/* Its days up to `t` are in it. */
static void extend(struct watch *w, struct anomaly *e, size_t from, size_t t)
{
    e->last = t;
    for (size_t i = from; i <= t; i++) {
        if (isnan(amount_at(w, i)))
            continue;
        e->expected += w->expected[i];
        e->actual += amount_at(w, i);
        e->parts++;
    }
}

static void begin_event(struct watch *w, const struct verdict *v, size_t t)
{
    struct anomaly *e = &w->events[w->count++];
    double ordinary = v->level + watch_week(w, v->from);

    *e = (struct anomaly){
        .first = v->from,
        .seen = t,
        .direction = v->down ? ANOMALY_DOWN : ANOMALY_UP,
        .low = fmax(0, watch_amount(w, ordinary - bound(w, true))),
        .high = watch_amount(w, ordinary + bound(w, false)),
        .score = v->score,
    };
    for (size_t i = v->from; i <= t; i++) {
        w->expected[i] = watch_amount(w, v->level + watch_week(w, i));
        w->clean[i] = isnan(amount_at(w, i)) ? NAN : w->expected[i];
        w->residual[i] = NAN;
    }
    extend(w, e, v->from, t);
    w->open = true;
    w->calm_days = 0;
    w->event_level = v->level;
}

/* It has passed, or it is what is ordinary now. */
static void end_event(struct watch *w, size_t t, size_t keep_from)
{
    w->open = false;
    w->quiet_until = t + WATCH_REST;
    for (size_t i = keep_from; i <= t; i++)
        w->clean[i] = amount_at(w, i);
}

/* A level that came to stay, and is far from the one before: nothing from before says how much
 * is ordinary now. The noise is that around the middle of the new days. */
static void begin_regime(struct watch *w, const struct anomaly *e, size_t t)
{
    double before = fmax(e->expected, 1e-9), ratio = fmax(e->actual, 1e-9) / before;

    if (!(ratio > NEW_REGIME || ratio < 1 / NEW_REGIME))
        return;
    w->regime = e->first;
    watch_learn(w, t + 1);
    for (size_t i = e->first; i <= t; i++)
        if (!isnan(w->clean[i]) && !isnan(w->level))
            w->residual[i] = watch_log(w, w->clean[i]) - w->level - watch_week(w, i);
}

static void follow_event(struct watch *w, size_t t)
{
    struct anomaly *e = &w->events[w->count - 1];
    double x = amount_at(w, t), ordinary = w->event_level + watch_week(w, t), out;

    if (!isnan(x)) {
        w->expected[t] = w->clean[t] = watch_amount(w, ordinary);
        out = (watch_log(w, x) - ordinary) * (e->direction == ANOMALY_DOWN ? -1 : 1);
        if (out > ORDINARY * w->options.threshold * w->scale) {
            extend(w, e, e->last + 1, t);
            w->calm_days = 0;
        } else if (++w->calm_days >= CALM) {
            end_event(w, t, e->last + 1);
            /* A day off is told once; the next one like it is known. */
            if (e->direction == ANOMALY_DOWN && e->last == e->first)
                w->residual[e->first] = -e->score * w->scale;
            return;
        }
    }
    e->stayed = t - e->first + 1 >= HOLD;
    if (e->stayed) {
        end_event(w, t, e->first);
        begin_regime(w, e, t);
    }
}

/* What the model is to remember of an ordinary day. */
static void remember(struct watch *w, size_t t, double r)
{
    double x = amount_at(w, t), ordinary = w->level + watch_week(w, t);
    double plain = watch_log(w, x) - ordinary, most = CLIPPED * w->scale;

    w->residual[t] = r;
    if (w->known > 2 * FIRST_WEEK) /* before, what is much is not known yet */
        w->excess[t] = plain > most ? x - w->expected[t] : 0;
    w->clean[t] = x;
    if (fabs(plain) > most) /* a fee is left out, anything else moves it a little */
        w->clean[t] = watch_amount(w, ordinary + fmax(-most, fmin(most, r)));
}

static void judge(struct watch *w, size_t t)
{
    struct verdict v = {0};
    double r = residual_of(w, t, w->level);
    bool out;

    w->expected[t] = watch_amount(w, w->level + watch_week(w, t));
    out = watch_idle(w, t) ? pause_is_out(w, t, &v) : day_is_out(w, t, r, &v);
    for (size_t k = 0; k < WATCH_WINDOWS && !out; k++)
        out = stretch_is_out(w, t, k, &v);
    remember(w, t, r);
    if (out && w->known > w->options.settle && t >= w->quiet_until)
        begin_event(w, &v, t);
}

static void step(struct watch *w, size_t t)
{
    w->clean[t] = w->residual[t] = w->excess[t] = w->expected[t] = NAN;
    if (w->open) {
        follow_event(w, t);
        return;
    }
    if (isnan(amount_at(w, t)))
        return;
    w->known++;
    w->clean[t] = amount_at(w, t);
    if (w->known <= FIRST_WEEK)
        return;
    watch_learn(w, t);
    if (w->learnt)
        judge(w, t);
}

static bool prepare(struct watch *w, struct arena *arena, struct error *err)
{
    size_t n = w->in->len + 1;
    double **each[] = {&w->clean, &w->residual, &w->excess, &w->expected,
                       &w->sum,   &w->seen,     &w->scratch};

    for (size_t i = 0; i < ARRAY_LEN(each); i++)
        if ((*each[i] = arena_array(arena, double, n, err)) == NULL)
            return false;
    w->events = arena_array(arena, struct anomaly, n / 2 + 1, err);
    return w->events != NULL;
}

bool watch_run(struct watch *w, const struct daily *series,
               const struct anomaly_options *options, struct arena *arena, struct error *err)
{
    *w = (struct watch){.in = series, .options = *options};
    if (!(w->options.threshold > 0))
        w->options.threshold = DEFAULT_THRESHOLD;
    if (w->options.settle == 0)
        w->options.settle = DEFAULT_SETTLE;
    if (!prepare(w, arena, err))
        return false;
    for (size_t t = 0; t < series->len; t++)
        step(w, t);
    if (w->open && w->calm_days == 0)
        w->events[w->count - 1].goes_on = true;
    return true;
}

bool daily_anomalies(const struct daily *series, const struct anomaly_options *options,
                     struct arena *arena, const struct anomaly **out, size_t *count,
                     struct error *err)
{
    struct watch w;

    if (!watch_run(&w, series, options, arena, err))
        return false;
    *out = w.events;
    *count = w.count;
    return true;
}
