/* Daily spending, judged evening by evening. What is out is out by one of two measures: a day
 * alone, far from its weekday's level, or the mean of some days against the level before them,
 * which sees what grows. An event then holds the model still until it has passed, or has become
 * ordinary. docs/guide/forecast.md has the method and what it was measured to find. */
#include <math.h>

#include "series/daily_internal.h"
#include "series/values.h"

/* What a day ordinarily comes to: a level, the week's pattern and the size of the noise, all
 * from middles, so that what was out of the ordinary moves none of them. */

#define FLOOR_SHARE 0.2  /* of an ordinary day */
#define SCALE_LEAST 0.09 /* quieter than this no spending is, in the long run */
#define FEWEST_RESIDUALS 7
#define CLIP_RESIDUAL 3
#define FOLLOWS_DOUBT 20.0 /* pairs of days that count as if one did not follow the other */
#define FOLLOWS_MOST 0.8
#define IDLE_LEAST 0.08   /* share of days without spending, from which they say nothing */
#define IDLE_MOST 0.75    /* and up to which enough others are left */
#define IDLE_WEEKDAY 0.75 /* of the days of one name: then it is a day off */
#define IDLE_DOUBT 4.0    /* pairs of days that count as if they were independent */

/* The middle of the values, which are put in order; NaN without any. */
static double values_median(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    values_sort(values, count);
    return values_quantile(values, count, 0.5);
}

static double watch_log(const struct watch *w, double amount)
{
    return log(fmax(amount, 0) + w->floor);
}

static double watch_amount(const struct watch *w, double logarithm)
{
    return exp(logarithm) - w->floor;
}

static double watch_week(const struct watch *w, size_t t)
{
    return w->week[t % WEEK];
}

/* Is it a day without spending that says nothing? */
static bool watch_idle(const struct watch *w, size_t t)
{
    return w->intermittent && w->in->amount[t] <= 0;
}

/* What is learned of a day: NaN when it is not known, or says nothing. */
static double learnt_of(const struct watch *w, size_t t)
{
    return watch_idle(w, t) ? NAN : w->clean[t];
}

/* How often another day without spending follows one: jobs that last for days leave pauses of
 * days. Weekdays that are off every week say nothing, nor does the pause that is not over. No
 * less than if days were independent. */
static void learn_idle_again(struct watch *w, size_t from, size_t end)
{
    size_t pairs = 0, again = 0;
    bool before = false, known = false;

    while (end > from && w->in->amount[end - 1] <= 0)
        end--;
    for (size_t i = from; i < end; i++) {
        if (w->day_off[i % WEEK])
            continue;
        if (isnan(w->clean[i])) {
            known = false;
            continue;
        }
        if (known && before) {
            pairs++;
            again += w->in->amount[i] <= 0;
        }
        before = w->in->amount[i] <= 0;
        known = true;
    }
    w->idle_again =
        fmax(w->idle, ((double)again + IDLE_DOUBT * w->idle) / ((double)pairs + IDLE_DOUBT));
}

/* Days without spending that no day of the week explains. */
static void learn_idle(struct watch *w, size_t from, size_t end)
{
    size_t known = 0, idle = 0, days = 0;

    for (size_t d = 0; d < WEEK && from + d < end; d++) {
        size_t all = 0, off = 0;

        for (size_t i = from + d; i < end; i += WEEK) {
            bool known_day = !isnan(w->clean[i]);

            all += known_day;
            off += known_day && w->in->amount[i] <= 0;
        }
        days += all;
        w->day_off[(from + d) % WEEK] = (double)off >= IDLE_WEEKDAY * (double)all;
        if (w->day_off[(from + d) % WEEK])
            continue; /* it is off each week, or is not known */
        known += all;
        idle += off;
    }
    w->idle = known > 0 ? (double)idle / (double)known : 0;
    learn_idle_again(w, from, end);
    /* A charge a month is no spending with pauses. */
    w->intermittent =
        w->idle >= IDLE_LEAST && (double)(known - idle) >= (1 - IDLE_MOST) * (double)days;
}

/* With a share of an ordinary day added, a day without spending has a logarithm, and is no
 * further out than it means. */
static void learn_floor(struct watch *w, size_t from, size_t end)
{
    size_t n = 0;

    for (size_t i = from; i < end; i++)
        if (w->clean[i] > 0)
            w->scratch[n++] = w->clean[i];
    w->floor = n > 0 ? FLOOR_SHARE * values_median(w->scratch, n) : 0;
    if (!(w->floor > 0))
        w->floor = fmax(FLOOR_SHARE * w->options.least, 1e-6);
}

/* How far the days of one name lie from the mean of the week around each of them. */
static double learn_weekday(struct watch *w, size_t from, size_t first, size_t end)
{
    size_t half = WEEK / 2, n = 0;

    for (size_t i = first; i < end; i += WEEK) {
        size_t a = i >= from + half ? i - half : from, b;
        double known;

        if (a + WEEK > end)
            a = end >= from + WEEK ? end - WEEK : from;
        b = a + WEEK < end ? a + WEEK : end;
        known = w->seen[b - from] - w->seen[a - from];
        if (!isnan(learnt_of(w, i)))
            w->scratch[n++] =
                watch_log(w, w->clean[i]) - (w->sum[b - from] - w->sum[a - from]) / known;
    }
    return n > 0 ? values_median(w->scratch, n) : 0;
}

static void learn_watch_week(struct watch *w, size_t from, size_t end)
{
    double mean = 0;

    w->sum[0] = w->seen[0] = 0;
    for (size_t i = from; i < end; i++) {
        bool known = !isnan(learnt_of(w, i));

        w->sum[i - from + 1] = w->sum[i - from] + (known ? watch_log(w, w->clean[i]) : 0);
        w->seen[i - from + 1] = w->seen[i - from] + known;
    }
    for (size_t d = 0; d < WEEK; d++) {
        w->week[(from + d) % WEEK] = learn_weekday(w, from, from + d, end);
        mean += w->week[(from + d) % WEEK] / (double)WEEK;
    }
    for (size_t d = 0; d < WEEK; d++)
        w->week[d] -= mean;
}

/* The middle of the values before `end`, as logarithms, without the week. NaN: none. */
static double level_before(struct watch *w, size_t end)
{
    size_t n = 0, from = end > WATCH_MEMORY ? end - WATCH_MEMORY : 0;

    if (from < w->regime && w->regime < end)
        from = w->regime;
    for (size_t i = end; i-- > from && n < WATCH_LEVEL_SPAN;)
        if (i + WATCH_LEVEL_SPAN >= end || w->intermittent) {
            if (!isnan(learnt_of(w, i)))
                w->scratch[n++] = watch_log(w, w->clean[i]) - watch_week(w, i);
        } else {
            break;
        }
    return values_median(w->scratch, n);
}

/* What the residuals were, without their signs, in scratch. Days without spending are not
 * noise: they are either of the week's pattern, or far from it. */
static size_t residuals_before(struct watch *w, size_t from, size_t end, bool spent)
{
    size_t n = 0;

    for (size_t i = from; i < end; i++)
        if (!isnan(w->residual[i]) && (!(spent || w->intermittent) || w->in->amount[i] > 0))
            w->scratch[n++] = fabs(w->residual[i]);
    return n;
}

/* How much of a day's residual is in that of the next one, careful with few: means of days that
 * follow each other are wilder than those of days that do not. */
static void learn_follows(struct watch *w, size_t from, size_t end)
{
    double most = CLIP_RESIDUAL * w->scale, product = 0, square = 0, n = 0;

    for (size_t i = from; i + 1 < end; i++) {
        double a = fmax(-most, fmin(most, w->residual[i]));
        double b = fmax(-most, fmin(most, w->residual[i + 1]));

        if (isnan(w->residual[i]) || isnan(w->residual[i + 1]) || watch_idle(w, i) ||
            watch_idle(w, i + 1))
            continue;
        product += a * b;
        square += (a * a + b * b) / 2;
        n++;
    }
    w->follows = square > 0 ? product / square * n / (n + FOLLOWS_DOUBT) : 0;
    w->follows = fmax(0, fmin(FOLLOWS_MOST, w->follows));
}

/* What a normal distribution would have to be for the wilder residuals, which are sorted. Where
 * days are without spending there are fewer of them, and their ninth tenth is chance. */
static double wild_scale(const struct watch *w, size_t n)
{
    return w->intermittent ? values_quantile(w->scratch, n, 0.85) / 1.44
                           : values_quantile(w->scratch, n, 0.9) / 1.645;
}

/* The largest residual but two: one or two far ones are events that were too small, three are a
 * long tail. */
static double third_residual(const struct watch *w, size_t end)
{
    size_t from = end > WATCH_BEFORE ? end - WATCH_BEFORE : 0;
    double most[3] = {0};

    for (size_t i = from < w->regime ? w->regime : from; i < end; i++) {
        double r = w->residual[i];

        if (!(r > most[2]) || watch_idle(w, i))
            continue;
        most[2] = fmin(most[1], fmax(r, most[2]));
        most[1] = fmin(most[0], fmax(r, most[1]));
        most[0] = fmax(most[0], r);
    }
    return most[2];
}

/* The middle and the ninth tenth of what the residuals were, each as a normal distribution has
 * them, whichever is larger: spending has long tails. */
static void learn_scale(struct watch *w, size_t end)
{
    size_t from = end > WATCH_MEMORY ? end - WATCH_MEMORY : 0, n;

    if (from < w->regime)
        from = w->regime;
    n = residuals_before(w, from, end, true);

    if (n < FEWEST_RESIDUALS)
        n = residuals_before(w, from, end, false);
    w->scale = 1;
    if (n >= FEWEST_RESIDUALS) {
        values_sort(w->scratch, n);
        w->scale = fmax(values_quantile(w->scratch, n, 0.5) * 1.4826, wild_scale(w, n));
        w->scale = fmax(w->scale, SCALE_LEAST);
    }
    learn_follows(w, from, end > WATCH_REST ? end - WATCH_REST : 0); /* before any stretch */
    w->most_up = w->most_down = w->off = 0;
    w->third_up = third_residual(w, end);
    for (size_t i = end > WATCH_BEFORE ? end - WATCH_BEFORE : 0; i < end; i++) {
        if (i < w->regime || watch_idle(w, i))
            continue;
        w->most_up = fmax(w->most_up, w->residual[i]); /* NaN is passed over */
        w->most_down = fmax(w->most_down, -w->residual[i]);
        if (i + watch_windows[WATCH_WINDOWS - 1] <= end) /* before any stretch */
            w->off = w->most_down;
    }
}

/* Learn the model from the days before `t`. */
static void watch_learn(struct watch *w, size_t t)
{
    size_t from = t > WATCH_MEMORY ? t - WATCH_MEMORY : 0;

    if (from < w->regime)
        from = w->regime;
    learn_idle(w, from, t);
    learn_floor(w, from, t);
    learn_watch_week(w, from, t);
    learn_scale(w, t);
    w->level = level_before(w, t);
    for (size_t k = 0; k < WATCH_WINDOWS; k++)
        w->past[k] = t >= watch_windows[k] ? level_before(w, t + 1 - watch_windows[k]) : NAN;
    w->learnt = !isnan(w->level);
}

/* ---- judging days ---- */

#define DEFAULT_THRESHOLD 5.8
#define DEFAULT_SETTLE 28
#define FIRST_WEEK 7 /* nothing is learned of fewer */
#define MONTHS_BACK 92
#define MONTH_LEAST 28

#define BEYOND 1.2   /* times what was ordinary before, to be out */
#define ORDINARY 0.2 /* of the threshold: nearer than this an event is over */
#define RISEN 0.35   /* of the threshold: a day before an event that is farther is in it */
#define ALIKE 0.3    /* of the threshold: as far as the same weekdays of one habit are apart */
#define CLIPPED 3    /* scales that a day may move the model by */
#define NEW_REGIME 2.5 /* times as much, or as little */
#define FEE_AGAIN 1.3
#define IDLE_REACH 3     /* times as many days back, to find some with spending */
#define IDLE_FARTHEST 12 /* days back at most: what is spread over more is no event */
#define IDLE_CHANCE 1e-4 /* of a row of days without spending, to be an event */
#define PAUSE_BEYOND 1.5 /* times the longest one before */
#define PAUSE_FAR \
    3 /* times the longest: pauses of a regular length are rarer than chance has it */

#define SPIKY_SCALE 0.3        /* noise of which ordinary days are half, or twice, as much */
#define SPIKY_LEAST 0.2        /* less is smooth, whatever a few days were */
#define HEAVY 3.3              /* scales: three days above it are a long tail */
#define HEAVY_INTERMITTENT 2.4 /* the same with idle days: there are fewer others */
#define REPEATED 2
#define REPEATED_WITHIN 60 /* days */
#define MISSING 0.05       /* of what was expected: so little may be data that is missing */

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
    double high; /* what would have been ordinary at most; 0: as the model of the day has it */
    double inside; /* spiky spending: days of the event exceed it; 0: judged by logarithms */
    double beside; /* spiky spending: its first and last days exceed it */
};

static double amount_at(const struct watch *w, size_t t)
{
    double x = w->in->amount[t];

    return isfinite(x) ? x : NAN;
}

/* What came above the ordinary on this day of the months before; NaN when none was seen. */
static double find_fee(const struct watch *w, size_t t)
{
    double most = NAN;

    for (size_t back = MONTH_LEAST; back <= MONTHS_BACK && back <= t; back++)
        if (!isnan(w->excess[t - back]) && month_alike(w->place[t], w->place[t - back]))
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
    fee = x < ordinary ? NAN : w->fee[t];
    if (fee > 0)
        return fmax(0, x - log(exp(ordinary) + FEE_AGAIN * fee));
    return x - ordinary;
}

static bool costs_enough(const struct watch *w, double apart, double expected)
{
    double least = fmax(w->options.least, w->options.share * fabs(expected));

    return fabs(apart) > 0 && fabs(apart) >= least;
}

static double level_bound(const struct watch *w, bool down)
{
    return fmax(w->options.threshold * w->scale, BEYOND * (down ? w->most_down : w->most_up));
}

/* The first days of a month are not judged alone before one was seen: there may be fees. */
static bool may_be_fee(const struct watch *w, size_t t)
{
    struct month_place at = w->place[t];

    return (at.of <= 3 || at.of == at.length) && isnan(w->fee[t]);
}

static bool day_is_out(const struct watch *w, size_t t, double r, struct verdict *v)
{
    double expected = w->expected[t];

    if (!(fabs(r) > level_bound(w, r < 0)) ||
        !costs_enough(w, amount_at(w, t) - expected, expected) || (r > 0 && may_be_fee(w, t)))
        return false;
    *v = (struct verdict){
        .out = true, .down = r < 0, .from = t, .level = w->level, .score = fabs(r) / w->scale};
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
    *v = (struct verdict){.out = true,
                          .down = sum < 0,
                          .from = from,
                          .level = w->past[k],
                          .score = fabs(sum / n) / error};
    return true;
}

/* The longest row of days without spending before `end`. */
static size_t longest_pause(const struct watch *w, size_t end)
{
    size_t most = 0, row = 0, from = end > WATCH_BEFORE ? end - WATCH_BEFORE : 0;

    for (size_t i = from < w->regime ? w->regime : from; i < end; i++) {
        row = w->in->amount[i] <= 0 ? row + 1 : 0;
        most = row > most ? row : most;
    }
    return most;
}

/* The chance of a pause with so many days that are not off every week: as days follow each
 * other, or as if they did not. */
static double pause_chance(const struct watch *w, size_t working, bool alone)
{
    return working == 0 ? 1
                        : w->idle * pow(alone ? w->idle : w->idle_again, (double)working - 1);
}

/* So many days without spending in a row as chance brings once in ten thousand days, and more
 * than there were before: pauses of some days come together. */
static bool pause_is_out(const struct watch *w, size_t t, struct verdict *v)
{
    size_t days = 0, working = 0;
    double longest, chance;

    while (days <= t && watch_idle(w, t - days) && t - days >= w->regime) {
        working += !w->day_off[(t - days) % WEEK];
        days++;
    }
    if (!w->intermittent || days == 0)
        return false;
    longest = (double)longest_pause(w, t + 1 - days);
    chance = pause_chance(w, working, (double)days >= PAUSE_FAR * longest);
    if (!(chance < IDLE_CHANCE) || (double)days < PAUSE_BEYOND * longest ||
        !costs_enough(w, -w->expected[t], w->expected[t]))
        return false;
    *v = (struct verdict){.out = true,
                          .down = true,
                          .from = t + 1 - days,
                          .level = w->level,
                          .score = -log10(chance)};
    return true;
}

/* Its days up to `t` are in it. */
static void extend_event(struct watch *w, struct anomaly *e, size_t from, size_t t)
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

/* How far a day is from the event's level, in the event's direction; NaN: it is not known, or
 * of another event, or says nothing. */
static double out_of_level(const struct watch *w, const struct verdict *v, size_t i)
{
    double r = watch_idle(w, i) || isnan(amount_at(w, i)) ? NAN : residual_of(w, i, v->level);

    return v->down ? -r : r;
}

/* The first day of an event that was seen on day `t`. A mean of several days is out some days
 * after the level changed, or has days from before that in it. */
static size_t event_start(const struct watch *w, const struct verdict *v, size_t t)
{
    double risen = RISEN * w->options.threshold * w->scale;
    double ordinary = ORDINARY * w->options.threshold * w->scale;
    size_t first = v->from, back;

    /* A pause has its first day, and so has a tail; idle days hide where the level changed. */
    if (v->inside > 0 || w->intermittent || watch_idle(w, t))
        return first;
    while (first < t && !(out_of_level(w, v, first) > ordinary))
        first++;
    back = first > WATCH_HOLD ? first - WATCH_HOLD : 0;
    while (first > back && first > w->regime && !isnan(w->residual[first - 1]) &&
           out_of_level(w, v, first - 1) > risen)
        first--;
    return first;
}

/* Spiky spending: a day beside the event may be a usual one, and is compared with as those
 * are. */
static double usual_in_event(const struct watch *w, size_t i, double inside)
{
    double x = amount_at(w, i);

    return inside > 0 && x <= inside ? x : (double)NAN;
}

static void begin_anomaly_event(struct watch *w, const struct verdict *v, size_t t)
{
    struct anomaly *e = &w->events[w->count++];
    size_t first = event_start(w, v, t);
    double ordinary = v->level + watch_week(w, first);

    *e = (struct anomaly){
        .first = first,
        .seen = t,
        .direction = v->down ? ANOMALY_DOWN : ANOMALY_UP,
        .low = fmax(0, watch_amount(w, ordinary - level_bound(w, true))),
        .high = v->high > 0 ? v->high : watch_amount(w, ordinary + level_bound(w, false)),
        .score = v->score,
    };
    for (size_t i = first; i <= t; i++) {
        w->expected[i] = watch_amount(w, v->level + watch_week(w, i));
        w->clean[i] = isnan(amount_at(w, i)) ? NAN : w->expected[i];
        w->residual[i] = NAN;
        w->usual[i] = usual_in_event(w, i, v->inside);
    }
    extend_event(w, e, first, t);
    w->open = true;
    w->calm_days = 0;
    w->event_level = v->level;
    w->event_inside = v->inside;
    w->event_beside = v->beside;
}

/* It has passed, or it is what is ordinary now. */
static void end_event(struct watch *w, size_t t, size_t keep_from)
{
    w->open = false;
    w->quiet_until = w->event_inside > 0 ? t : t + WATCH_REST;
    for (size_t i = keep_from; i <= t; i++)
        w->clean[i] = w->usual[i] = amount_at(w, i);
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

static bool is_day_alone(const struct anomaly *e)
{
    return e->direction == ANOMALY_UP && e->first == e->last;
}

/* A large job of a day that was reported twice within two months is known from then on. */
static void admit_repeated(struct watch *w, size_t t)
{
    size_t alike = 0;

    for (size_t i = 0; i < w->count; i++)
        alike += is_day_alone(&w->events[i]) && w->events[i].first + REPEATED_WITHIN > t;
    for (size_t i = 0; i < w->count && alike >= REPEATED; i++)
        if (is_day_alone(&w->events[i]))
            w->usual[w->events[i].first] = amount_at(w, w->events[i].first);
}

static void follow_event(struct watch *w, size_t t)
{
    struct anomaly *e = &w->events[w->count - 1];
    double x = amount_at(w, t), ordinary = w->event_level + watch_week(w, t), out;

    if (!isnan(x)) {
        w->expected[t] = w->clean[t] = watch_amount(w, ordinary);
        out = (watch_log(w, x) - ordinary) * (e->direction == ANOMALY_DOWN ? -1 : 1);
        if (w->event_inside > 0 ? x > (w->calm_days == 0 ? w->event_beside : w->event_inside)
                                : out > ORDINARY * w->options.threshold * w->scale) {
            extend_event(w, e, e->last + 1, t);
            w->usual[t] = usual_in_event(w, t, w->event_inside);
            w->calm_days = 0;
        } else if (++w->calm_days >= WATCH_CALM) {
            end_event(w, t, e->last + 1);
            /* An unusual day is reported once; the next one like it is known. */
            if (e->direction == ANOMALY_DOWN && e->last == e->first)
                w->residual[e->first] = -e->score * w->scale;
            if (is_day_alone(e))
                admit_repeated(w, t);
            return;
        }
    }
    e->stayed = t - e->first + 1 >= WATCH_HOLD;
    if (e->stayed) {
        end_event(w, t, e->first);
        begin_regime(w, e, t);
    }
}

/* What the model is to remember of an ordinary day. */
static void remember_day(struct watch *w, size_t t, double r)
{
    double x = amount_at(w, t), ordinary = w->level + watch_week(w, t);
    double plain = watch_log(w, x) - ordinary, most = CLIPPED * w->scale;

    w->residual[t] = r;
    w->usual[t] = x;
    if (w->known > 2 * FIRST_WEEK) /* before, what is much is not known yet */
        w->excess[t] = plain > most ? x - w->expected[t] : 0;
    w->clean[t] = x;
    if (fabs(plain) > most) /* a fee is left out, anything else moves it a little */
        w->clean[t] = watch_amount(w, ordinary + fmax(-most, fmin(most, r)));
}

/* Do its ordinary days differ so much, or so far at times, that a logarithmic scale hides
 * what is out? */
static bool watch_is_spiky(const struct watch *w)
{
    double heavy = w->intermittent ? HEAVY_INTERMITTENT : HEAVY;

    return w->scale > SPIKY_SCALE || (w->scale > SPIKY_LEAST && w->third_up > heavy * w->scale);
}

/* Spiky spending: far above all that was, or nothing for days. */
static bool spiky_is_out(const struct watch *w, size_t t, struct verdict *v)
{
    double fee = w->fee[t], spent = 0, expected = 0;
    struct tail_event e;

    if (v->out && v->down) { /* by the mean of some days: out only if they are missing */
        for (size_t i = v->from; i <= t; i++) {
            spent += fmax(0, amount_at(w, i));
            expected += watch_amount(w, v->level + watch_week(w, i));
        }
        return spent <= MISSING * expected;
    }
    if (!tail_is_out(w, t, fee > 0 ? FEE_AGAIN * fee : 0, !may_be_fee(w, t), &e) ||
        !costs_enough(w, amount_at(w, t) - e.level, e.level))
        return false;
    *v = (struct verdict){.out = true,
                          .from = e.first,
                          .level = log(e.level + w->floor),
                          .score = e.score,
                          .high = e.bound,
                          .inside = e.inside,
                          .beside = e.beside};
    return true;
}

static void judge_day(struct watch *w, size_t t)
{
    struct verdict v = {0};
    double r = residual_of(w, t, w->level);
    bool out;

    w->expected[t] = watch_amount(w, w->level + watch_week(w, t));
    out = watch_idle(w, t) ? pause_is_out(w, t, &v) : day_is_out(w, t, r, &v);
    for (size_t k = 0; k < WATCH_WINDOWS && !out; k++)
        out = stretch_is_out(w, t, k, &v);
    if (watch_is_spiky(w) && !watch_idle(w, t))
        out = spiky_is_out(w, t, &v);
    remember_day(w, t, r);
    if (out && w->known > w->options.settle && t >= w->quiet_until)
        begin_anomaly_event(w, &v, t);
}

static void watch_step(struct watch *w, size_t t)
{
    w->usual[t] = w->clean[t] = w->residual[t] = w->excess[t] = w->expected[t] = NAN;
    w->place[t] = month_place(daily_at(w->in, t));
    w->fee[t] = find_fee(w, t); /* no later day changes it */
    if (w->open) {
        follow_event(w, t);
        return;
    }
    if (isnan(amount_at(w, t)))
        return;
    w->known++;
    w->usual[t] = w->clean[t] = amount_at(w, t);
    if (w->known <= FIRST_WEEK)
        return;
    watch_learn(w, t);
    if (w->learnt)
        judge_day(w, t);
}

static bool watch_prepare(struct watch *w, struct arena *arena, struct error *err)
{
    size_t n = w->in->len + 1;
    double **each[] = {&w->clean, &w->usual, &w->residual, &w->excess, &w->expected,
                       &w->fee,   &w->sum,   &w->seen,     &w->scratch};

    for (size_t i = 0; i < ARRAY_LEN(each); i++)
        if ((*each[i] = arena_array(arena, double, n, err)) == NULL)
            return false;
    w->place = arena_array(arena, struct month_place, n, err);
    w->events = arena_array(arena, struct anomaly, n / 2 + 1, err);
    return w->place != NULL && w->events != NULL;
}

bool watch_run(struct watch *w, const struct daily *series,
               const struct anomaly_options *options, struct arena *arena, struct error *err)
{
    *w = (struct watch){.in = series, .options = *options};
    if (!(w->options.threshold > 0))
        w->options.threshold = DEFAULT_THRESHOLD;
    if (w->options.settle == 0)
        w->options.settle = DEFAULT_SETTLE;
    w->tail_times = w->options.threshold / DEFAULT_THRESHOLD;
    if (!watch_prepare(w, arena, err))
        return false;
    for (size_t t = 0; t < series->len; t++)
        watch_step(w, t);
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
