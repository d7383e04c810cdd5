#include "spend_world.h"

#include <math.h>
#include <string.h>

#include "series/daily.h"
#include "series/values.h"

#define SETTLE 28
#define WEEK 7
#define MONTHS 8 /* in a series, at most */

bool world_score(enum spend_world world, uint64_t first, size_t seeds,
                 struct spend_score *score)
{
    const struct anomaly_options options = {.least = 20, .share = 0.2};
    bool ok = true;

    for (size_t i = 0; ok && i < seeds * SPEND_NOISES; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct spend_alarm alarms[SPEND_DAYS];
        const struct anomaly *found;
        struct spend_series s;
        struct daily daily;
        struct error err;
        size_t count;

        spend_make(world, first + i / SPEND_NOISES, (int)(i % SPEND_NOISES), true, &s);
        daily = (struct daily){{s.first_day}, s.amount, SPEND_DAYS};
        ok = daily_anomalies(&daily, &options, &arena, &found, &count, &err);
        for (size_t k = 0; ok && k < count; k++)
            alarms[k] = (struct spend_alarm){found[k].seen, found[k].direction == ANOMALY_DOWN};
        if (ok)
            spend_score(&s, alarms, count, SETTLE, score);
        arena_free(&arena);
    }
    return ok;
}

/* Is this the first day of a month? */
static bool month_begins(int32_t n)
{
    return stamp_month((stamp){n * SECONDS_PER_DAY}).s == n * SECONDS_PER_DAY;
}

static size_t month_length(int32_t n)
{
    stamp next = stamp_month((stamp){(n + 31) * SECONDS_PER_DAY});

    return (size_t)(next.s / SECONDS_PER_DAY - n);
}

struct month {
    size_t from, end, known; /* days of the series */
};

/* What others make of it, in the order of struct forecast_score. */
static void peers(const struct spend_series *s, const struct month *m, double *total)
{
    double spent = 0;

    for (size_t i = m->from; i < m->known; i++)
        spent += s->amount[i];
    total[1] = spent / (double)(m->known - m->from) * (double)(m->end - m->from);
    total[2] = total[3] = spent;
    for (size_t i = m->known; i < m->end; i++) {
        size_t last = i;

        while (last >= m->known)
            last -= WEEK;
        total[2] += s->amount[last];
        for (size_t k = 0; k < 4; k++)
            total[3] += s->amount[last - k * WEEK] / 4;
    }
}

static bool forecast_month(const struct spend_series *s, const struct month *m, double *error,
                           bool *within)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct daily daily = {{s->first_day}, s->amount, m->known};
    double total[FORECASTERS], truth = 0;
    struct forecast f;
    struct error err;
    bool ok = daily_forecast(&daily, (day){s->first_day + (int32_t)m->from},
                             (day){s->first_day + (int32_t)m->end}, &arena, &f, &err);

    arena_free(&arena);
    if (!ok)
        return false;
    for (size_t i = m->from; i < m->end; i++)
        truth += s->amount[i];
    total[0] = f.total;
    peers(s, m, total);
    for (size_t k = 0; k < FORECASTERS; k++)
        error[k] = fabs(total[k] / truth - 1);
    *within = truth >= f.total_low && truth <= f.total_high;
    return true;
}

struct forecast_score world_forecast(enum spend_world world, uint64_t first, size_t seeds,
                                     int made_on, bool events)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct forecast_score out = {0};
    double *errors[FORECASTERS], each[FORECASTERS];
    struct error err;

    for (size_t k = 0; k < FORECASTERS; k++)
        if ((errors[k] = arena_array(&arena, double, seeds *SPEND_NOISES *MONTHS, &err)) ==
            NULL)
            return out;
    for (size_t i = 0; i < seeds * SPEND_NOISES; i++) {
        struct spend_series s;

        spend_make(world, first + i / SPEND_NOISES, (int)(i % SPEND_NOISES), events, &s);
        for (size_t t = SETTLE + 2; t + 31 <= SPEND_DAYS; t++) {
            int32_t n = s.first_day + (int32_t)t;
            struct month m = {t, t + month_length(n), t + (size_t)made_on - 1};
            bool within;

            if (!month_begins(n) || !forecast_month(&s, &m, each, &within))
                continue;
            for (size_t k = 0; k < FORECASTERS; k++) {
                errors[k][out.count] = each[k];
                out.mean[k] += each[k];
            }
            out.within += within;
            out.count++;
        }
    }
    for (size_t k = 0; k < FORECASTERS && out.count > 0; k++) {
        out.mean[k] /= (double)out.count;
        values_sort(errors[k], out.count);
        out.p95[k] = values_quantile(errors[k], out.count, 0.95);
    }
    out.within /= out.count > 0 ? (double)out.count : 1;
    arena_free(&arena);
    return out;
}
