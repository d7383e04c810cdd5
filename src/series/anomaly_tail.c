/* Spending whose ordinary days differ by factors: idle days, jobs of many sizes, long tails.
 * On the logarithmic scale that suits smooth spending nothing is far out there: ten times
 * the usual is three deviations. Such days, and means of several of them, are compared with
 * what they came to in the months before: a runaway is far above all of it, or less far for
 * days on end.
 *
 * Means of several days are compared with means of as many days, so that jobs that last for
 * days need no model of their own. */
#include <math.h>

#include "series/daily_internal.h"
#include "series/values.h"

#define TAIL_MEMORY 120 /* days of which the tail is known */
#define FEWEST_MEANS 21
#define FEWEST_ACTIVE 7
#define FEW_MEANS 25.0  /* as many means raise the bound to twice that of very many */
#define FEW_ACTIVE 3.0  /* the same of days above the middle */
#define TAIL_SCALES 3.4 /* of the logarithms above their middle, for one day */
#define IN_EVENT 0.45   /* of what an event is above the mean: a day with more belongs to it */
#define BESIDE_EVENT 0.95 /* quantile of usual days: a day with more, next to an event, too */

/* How many deviations above the mean of such means, and how many times the largest of them. */
static const struct tail_window {
    size_t days;
    double deviations, beyond;
} tail_windows[] = {{1, 7, 1.9}, {2, 8, 1.8}, {3, 8, 1.7}, {5, 8, 1.6}, {7, 8, 1.6}};

struct tail_spread {
    double mean, deviation, most;
    size_t count;
};

static size_t tail_from(const struct watch *w, size_t end)
{
    size_t from = end > TAIL_MEMORY ? end - TAIL_MEMORY : 0;

    return from < w->regime ? w->regime : from;
}

/* Means of `days` days in a row before `end`; a credit is no less than nothing. */
static struct tail_spread tail_spread(const struct watch *w, size_t end, size_t days)
{
    struct tail_spread s = {0};
    double run = 0, sum = 0, squares = 0;
    size_t have = 0;

    for (size_t i = tail_from(w, end); i < end; i++) {
        if (isnan(w->usual[i])) { /* of an event, or not known */
            run = 0;
            have = 0;
            continue;
        }
        run += fmax(0, w->usual[i]);
        if (++have > days)
            run -= fmax(0, w->usual[i - days]);
        if (have < days)
            continue;
        sum += run / (double)days;
        squares += run * run / (double)(days * days);
        s.most = fmax(s.most, run / (double)days);
        s.count++;
    }
    if (s.count > 0) {
        s.mean = sum / (double)s.count;
        s.deviation = sqrt(fmax(0, squares / (double)s.count - s.mean * s.mean));
    }
    return s;
}

/* The longer the tail of the logarithms above their middle, the farther a day alone may be:
 * a deviation of so few days knows little of it. */
static double tail_reach(const struct watch *w, size_t end, double times)
{
    double middle, squares = 0, above = 0;
    size_t n = 0;

    for (size_t i = tail_from(w, end); i < end; i++)
        if (w->usual[i] > 0)
            w->scratch[n++] = log(w->usual[i]);
    if (n < FEWEST_ACTIVE)
        return 0;
    values_sort(w->scratch, n);
    middle = values_quantile(w->scratch, n, 0.5);
    for (size_t i = 0; i < n; i++)
        if (w->scratch[i] > middle) {
            squares += (w->scratch[i] - middle) * (w->scratch[i] - middle);
            above++;
        }
    if (!(above > 0))
        return exp(middle);
    return exp(middle + times * TAIL_SCALES * (1 + FEW_ACTIVE / above) * sqrt(squares / above));
}

/* The mean of the days up to `t`, the last one less a fee; NaN when one is not known, or of an
 * event. */
static double tail_mean(const struct watch *w, size_t t, size_t days, double fee)
{
    double sum = fmax(0, w->in->amount[t] - fee);

    if (t + 1 < days + w->regime)
        return NAN;
    for (size_t i = t + 1 - days; i < t; i++)
        sum += isnan(w->usual[i]) ? NAN : fmax(0, w->usual[i]);
    return sum / (double)days;
}

/* What only few of the days before `end` exceeded. */
static double tail_beside(const struct watch *w, size_t end)
{
    size_t n = 0;

    for (size_t i = tail_from(w, end); i < end; i++)
        if (!isnan(w->usual[i]))
            w->scratch[n++] = fmax(0, w->usual[i]);
    values_sort(w->scratch, n);
    return values_quantile(w->scratch, n, BESIDE_EVENT);
}

/* The event began when spending rose, which may be days before it was far enough out: the
 * first day of a machine that was left on is a part of a day. Looks back from `first`. */
static void find_start(const struct watch *w, size_t first, struct tail_event *e)
{
    size_t back = tail_from(w, first), calm = 0;

    if (back + WATCH_HOLD < first)
        back = first - WATCH_HOLD;
    if (w->count > 0 && back <= w->events[w->count - 1].last)
        back = w->events[w->count - 1].last + 1;
    e->beside = fmin(e->inside, tail_beside(w, first));
    e->first = first;
    for (size_t i = first; i-- > back && calm < WATCH_CALM && !isnan(w->usual[i]);) {
        if (w->usual[i] > (calm == 0 ? e->beside : e->inside)) {
            e->first = i;
            calm = 0;
        } else {
            calm++;
        }
    }
    if (e->first < first)
        e->level = tail_spread(w, e->first, 1).mean;
}

static bool window_is_out(const struct watch *w, size_t t, const struct tail_window *window,
                          double fee, struct tail_event *out)
{
    double mean = tail_mean(w, t, window->days, fee), few;
    size_t first = t + 1 - window->days;
    struct tail_spread s;

    if (!isfinite(mean))
        return false;
    s = tail_spread(w, first, window->days);
    if (s.count < FEWEST_MEANS)
        return false;
    few = 1 + FEW_MEANS / (double)s.count;
    out->bound = fmax(s.mean + w->tail_times * few * window->deviations * s.deviation,
                      (1 + w->tail_times * (window->beyond - 1)) * s.most);
    if (!(mean > out->bound))
        return false;
    if (window->days == 1)
        out->bound = fmax(out->bound, tail_reach(w, t, w->tail_times));
    if (!(mean > out->bound))
        return false;
    out->score = (mean - s.mean) / fmax(s.deviation, 1e-9 * mean);
    out->level = s.mean;
    out->inside = s.mean + IN_EVENT * (mean - s.mean);
    while (first < t && w->in->amount[first] < out->inside)
        first++;
    find_start(w, first, out);
    return true;
}

bool tail_is_out(const struct watch *w, size_t t, double fee, bool alone,
                 struct tail_event *out)
{
    struct tail_spread days = tail_spread(w, t, 1);

    if (!(w->in->amount[t] - fee >
          days.mean + days.deviation)) /* no event is seen on such a day */
        return false;
    for (size_t k = alone ? 0 : 1; k < ARRAY_LEN(tail_windows); k++)
        if (window_is_out(w, t, &tail_windows[k], fee, out))
            return true;
    return false;
}
