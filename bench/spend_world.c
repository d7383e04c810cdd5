#include "spend_world.h"

#include <math.h>
#include <string.h>

#include "series/daily.h"
#include "series/values.h"

#define SETTLE 28
#define MONTHS 14 /* in a series, at most */

bool world_score(enum spend_world world, uint64_t first, size_t seeds,
                 struct spend_score *score)
{
    const struct anomaly_options options = {.least = world == WORLD_SMALL ? 1 : 20,
                                            .share = 0.2};
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
        daily = (struct daily){{s.first_day}, s.amount, s.days};
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

/* What became of one month. */
struct outcome {
    double error[FORECASTERS];
    bool within, below;
};

static bool forecast_month(const struct spend_series *s, const struct month *m,
                           struct outcome *out)
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
    forecast_others(s, m, total);
    total[FORECAST_STINT] = f.total;
    for (size_t k = 0; k < FORECASTERS; k++)
        out->error[k] = fabs(total[k] / truth - 1);
    out->below = truth < f.total_low;
    out->within = !out->below && truth <= f.total_high;
    return true;
}

static void add_outcome(const struct outcome *one, int noise, double *const *errors,
                        struct forecast_score *out)
{
    for (size_t k = 0; k < FORECASTERS; k++) {
        errors[k][out->count] = one->error[k];
        out->mean[k] += one->error[k];
        out->by_noise[k][noise] += one->error[k];
    }
    out->within += one->within;
    out->below += one->below;
    out->within_of[noise] += one->within;
    out->count++;
}

/* From sums to means. */
static void finish(double *const *errors, const double *of_noise, struct forecast_score *out)
{
    double n = fmax(1, (double)out->count);

    for (size_t k = 0; k < FORECASTERS && out->count > 0; k++) {
        out->mean[k] /= n;
        for (size_t i = 0; i < SPEND_NOISES; i++)
            out->by_noise[k][i] /= fmax(1, of_noise[i]);
        values_sort(errors[k], out->count);
        out->p95[k] = values_quantile(errors[k], out->count, 0.95);
    }
    out->within /= n;
    out->below /= n;
    for (size_t i = 0; i < SPEND_NOISES; i++)
        out->within_of[i] /= fmax(1, of_noise[i]);
}

struct forecast_score world_forecast(enum spend_world world, uint64_t first, size_t seeds,
                                     int made_on, bool events)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct forecast_score out = {0};
    double *errors[FORECASTERS], of_noise[SPEND_NOISES] = {0};
    struct error err;

    for (size_t k = 0; k < FORECASTERS; k++)
        if ((errors[k] = arena_array(&arena, double, seeds *SPEND_NOISES *MONTHS, &err)) ==
            NULL)
            return out;
    for (size_t i = 0; i < seeds * SPEND_NOISES; i++) {
        struct spend_series s;

        spend_make(world, first + i / SPEND_NOISES, (int)(i % SPEND_NOISES), events, &s);
        for (size_t t = SETTLE + 2; t + 31 <= s.days; t++) {
            int32_t n = s.first_day + (int32_t)t;
            struct month m = {t, t + month_length(n), t + (size_t)made_on - 1};
            struct outcome one;

            if (!month_begins(n) || !forecast_month(&s, &m, &one))
                continue;
            add_outcome(&one, s.noise, errors, &out);
            of_noise[s.noise]++;
        }
    }
    finish(errors, of_noise, &out);
    arena_free(&arena);
    return out;
}
