/* What a day ordinarily comes to: a level, the week's pattern and the size of the noise, all
 * from middles, so that what was out of the ordinary moves none of them. */
#include <math.h>

#include "series/daily_internal.h"
#include "series/values.h"

#define FLOOR_SHARE 0.2  /* of an ordinary day */
#define SCALE_LEAST 0.09 /* quieter than this no spending is, in the long run */
#define FEWEST_RESIDUALS 7
#define CLIP_RESIDUAL 3
#define FOLLOWS_DOUBT 20.0 /* pairs of days that count as if one did not follow the other */
#define FOLLOWS_MOST 0.8
#define IDLE_LEAST 0.08   /* share of days without spending, from which they say nothing */
#define IDLE_MOST 0.75    /* and up to which enough others are left */
#define IDLE_WEEKDAY 0.75 /* of the days of one name: then it is a day off */

/* The middle of the values, which are put in order; NaN without any. */
static double values_median(double *values, size_t count)
{
    if (count == 0)
        return NAN;
    values_sort(values, count);
    return values_quantile(values, count, 0.5);
}

double watch_log(const struct watch *w, double amount)
{
    return log(fmax(amount, 0) + w->floor);
}

double watch_amount(const struct watch *w, double logarithm)
{
    return exp(logarithm) - w->floor;
}

double watch_week(const struct watch *w, size_t t)
{
    return w->week[t % WEEK];
}

bool watch_idle(const struct watch *w, size_t t)
{
    return w->intermittent && w->in->amount[t] <= 0;
}

/* What is learnt of a day: NaN when it is not known, or says nothing. */
static double learnt_of(const struct watch *w, size_t t)
{
    return watch_idle(w, t) ? NAN : w->clean[t];
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
        if ((double)off >= IDLE_WEEKDAY * (double)all)
            continue; /* it is off each week, or is not known */
        known += all;
        idle += off;
    }
    w->idle = known > 0 ? (double)idle / (double)known : 0;
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

static void learn_week(struct watch *w, size_t from, size_t end)
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
    for (size_t i = end > WATCH_BEFORE ? end - WATCH_BEFORE : 0; i < end; i++) {
        if (i < w->regime || watch_idle(w, i))
            continue;
        w->most_up = fmax(w->most_up, w->residual[i]); /* NaN is passed over */
        w->most_down = fmax(w->most_down, -w->residual[i]);
        if (i + watch_windows[WATCH_WINDOWS - 1] <= end) /* before any stretch */
            w->off = w->most_down;
    }
}

void watch_learn(struct watch *w, size_t t)
{
    size_t from = t > WATCH_MEMORY ? t - WATCH_MEMORY : 0;

    if (from < w->regime)
        from = w->regime;
    learn_idle(w, from, t);
    learn_floor(w, from, t);
    learn_week(w, from, t);
    learn_scale(w, t);
    w->level = level_before(w, t);
    for (size_t k = 0; k < WATCH_WINDOWS; k++)
        w->past[k] = t >= watch_windows[k] ? level_before(w, t + 1 - watch_windows[k]) : NAN;
    w->learnt = !isnan(w->level);
}
