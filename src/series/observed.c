#include "series/observed.h"

#include "unit/time.h"

/* Steps from one observed day to the next: all of one day within the runs, and one between each
 * two. */
static int64_t steps_in_runs(struct day_runs days)
{
    int64_t steps = 0;

    for (size_t i = 0; i < days.len; i++)
        steps += days.at[i].last - days.at[i].first;
    return steps;
}

/* How many steps are no longer than this. */
static int64_t steps_up_to(struct day_runs days, int64_t singles, int32_t most)
{
    int64_t count = most >= 1 ? singles : 0;

    for (size_t i = 1; i < days.len; i++)
        count += days.at[i].first - days.at[i - 1].last <= most;
    return count;
}

/* The median step; 0 without any. */
static int32_t usual_day_step(struct day_runs days)
{
    int64_t singles = steps_in_runs(days), steps;
    int32_t low = 1, high = 1;

    if (days.len == 0 || singles + (int64_t)days.len < 2)
        return 0;
    steps = singles + (int64_t)days.len - 1;
    for (size_t i = 1; i < days.len; i++)
        if (days.at[i].first - days.at[i - 1].last > high)
            high = days.at[i].first - days.at[i - 1].last;
    while (low < high) { /* the least that half of the steps do not exceed */
        int32_t middle = low + (high - low) / 2;

        if (steps_up_to(days, singles, middle) * 2 >= steps)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int32_t observed_reach(struct day_runs days)
{
    int64_t reach = 2 * (int64_t)usual_day_step(days);

    if (reach < OBSERVED_LEAST_DAYS)
        return OBSERVED_LEAST_DAYS;
    return reach < OBSERVED_MOST_DAYS ? (int32_t)reach : OBSERVED_MOST_DAYS;
}

/* ---- logs ---- */

void day_set_add(struct day_set *set, int32_t n)
{
    n = n < 0 ? 0 : n < DAY_SET_LAST ? n : DAY_SET_LAST;
    set->bits[n / 8] |= (unsigned char)(1u << (n % 8));
}

/* Runs of its days: those no more than `reach` days apart are one. Only counts them while `to`
 * is NULL. */
static size_t set_runs(const struct day_set *set, int32_t reach, struct day_run *to)
{
    int32_t last = -1;
    size_t count = 0;

    for (int32_t n = 0; n <= DAY_SET_LAST; n++) {
        bool starts = last < 0 || n - last > reach;

        if ((set->bits[n / 8] >> (n % 8) & 1) == 0)
            continue;
        count += starts;
        if (to != NULL && starts)
            to[count - 1].first = n;
        if (to != NULL)
            to[count - 1].last = n;
        last = n;
    }
    return count;
}

static int32_t log_reach(struct day_runs days)
{
    int64_t reach = 4 * (int64_t)usual_day_step(days);
    int64_t known = steps_in_runs(days) + (int64_t)days.len;

    if (known < OBSERVED_LOG_DAYS || reach <= OBSERVED_MOST_DAYS)
        return OBSERVED_MOST_DAYS;
    return reach < DAY_SET_LAST ? (int32_t)reach : DAY_SET_LAST;
}

bool observed_log_days(const struct day_set *set, struct arena *arena, struct day_runs *out,
                       struct error *err)
{
    size_t len = set_runs(set, 1, NULL);
    struct day_run *at = arena_array(arena, struct day_run, len + 1, err);

    if (at == NULL)
        return false;
    (void)set_runs(set, 1, at);
    len = set_runs(set, log_reach((struct day_runs){at, len}), at);
    *out = (struct day_runs){at, len};
    return true;
}

/* ---- gaps ---- */

/* The days without data between two runs. False when the second is near enough. */
static bool gap_after(const struct day_run *run, const struct day_run *next, int32_t reach,
                      struct window *out)
{
    if (next->first - run->last <= reach)
        return false;
    *out = (struct window){{(run->last + INT64_C(1)) * SECONDS_PER_DAY},
                           {next->first * SECONDS_PER_DAY}};
    return true;
}

/* Points up to, not including, that moment. */
static size_t copy_until(struct points from, size_t next, stamp until, struct point *to,
                         size_t *len)
{
    while (next < from.len && from.at[next].at.s < until.s)
        to[(*len)++] = from.at[next++];
    return next;
}

bool observed_points(struct points points, struct day_runs days, struct arena *arena,
                     struct points *out, struct error *err)
{
    int32_t reach = observed_reach(days);
    /* A gap adds where it begins, and where it ends when no point does. */
    struct point *at = arena_array(arena, struct point, points.len + 2 * days.len, err);
    size_t next = 0, len = 0;

    if (at == NULL)
        return false;
    for (size_t i = 0; i + 1 < days.len; i++) {
        struct window gap;
        int64_t held;

        if (!gap_after(&days.at[i], &days.at[i + 1], reach, &gap))
            continue;
        next = copy_until(points, next, gap.from, at, &len);
        if (len == 0) /* before the first point nothing is known anyway */
            continue;
        held = at[len - 1].value;
        at[len++] = (struct point){gap.from, SERIES_UNKNOWN};
        if (next == points.len || points.at[next].at.s >= gap.to.s + SECONDS_PER_DAY)
            at[len++] = (struct point){gap.to, held};
    }
    (void)copy_until(points, next, (stamp){INT64_MAX}, at, &len);
    *out = (struct points){at, len};
    return true;
}
