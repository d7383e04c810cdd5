#include "spend_forecast.h"

#include <math.h>

#define WEEK 7
#define GROWTH 0.0015 /* a day: the learner knows how much series grow, but not which */

const char *const forecaster_names[FORECASTERS] = {
    [FORECAST_STINT] = "stint",
    [FORECAST_RUN_RATE] = "run rate",
    [FORECAST_WEEK] = "mean of 7 days",
    [FORECAST_FOUR_WEEKS] = "mean of 28 days",
    [FORECAST_DRIFT] = "drift of weeks",
    [FORECAST_MONTH_BEFORE] = "month before",
    [FORECAST_SEASON_NAIVE] = "season naive",
    [FORECAST_WEEKDAY_MEANS] = "weekday means, 28 days",
    [FORECAST_HOLT_WINTERS] = "Holt-Winters",
    [FORECAST_LEARNER] = "oracle but level, growth",
    [FORECAST_ORACLE] = "oracle",
};

static double mean_of(const double *amount, size_t from, size_t end)
{
    double sum = 0;

    for (size_t i = from; i < end; i++)
        sum += amount[i];
    return sum / (double)(end - from);
}

/* The day of the week before that is known. */
static size_t week_before(size_t i, size_t known)
{
    while (i >= known)
        i -= WEEK;
    return i;
}

/* With the parameters of the detector in spend_peers.c. */
static double holt_winters(const struct spend_series *s, const struct month *m)
{
    const double alpha = 0.3, gamma = 0.15, beta = 0.01;
    double season[WEEK] = {0}, level = 0, slope = 0, sum = 0;

    for (size_t t = 0; t < 2 * WEEK; t++)
        level += log(s->amount[t] + 1) / (2 * WEEK);
    for (size_t t = 0; t < 2 * WEEK; t++)
        season[t % WEEK] += (log(s->amount[t] + 1) - level) / 2;
    for (size_t t = 2 * WEEK; t < m->known; t++) {
        double e = log(s->amount[t] + 1) - level - slope - season[t % WEEK], before = level;

        level += slope + alpha * e;
        slope += beta * (level - before - slope);
        season[t % WEEK] += gamma * (1 - alpha) * e;
    }
    for (size_t t = m->known; t < m->end; t++)
        sum += exp(level + slope * (double)(t - m->known + 1) + season[t % WEEK]) - 1;
    return sum;
}

/* A Kalman filter that knows the shape and the noise, and learns a level and its growth. */
static double learner(const struct spend_series *s, const struct month *m)
{
    double level = 1, growth = 0, ll = 1, lg = 0, gg = GROWTH * GROWTH, sum = 0, mean = 0;

    for (size_t t = 0; t < m->known; t++)
        mean += s->expected[t] / exp(s->trend * (double)t) / (double)m->known;
    for (size_t t = 0; t < m->end; t++) {
        double shape = s->expected[t] / exp(s->trend * (double)t) / mean, var, k, g;

        ll = (1 + growth) * (1 + growth) * ll + 2 * (1 + growth) * level * lg +
             level * level * gg;
        lg = (1 + growth) * lg + level * gg;
        level *= 1 + growth;
        if (t >= m->known)
            sum += shape * level * mean;
        if (t >= m->known || !(shape > 0))
            continue;
        var = shape * shape * ll + s->spread * shape * level * level;
        k = shape * ll / var;
        g = shape * lg / var;
        growth += g * (s->amount[t] / mean - shape * level);
        level += k * (s->amount[t] / mean - shape * level);
        gg -= g * shape * lg;
        lg -= k * shape * lg;
        ll -= k * shape * ll;
    }
    return sum;
}

void forecast_others(const struct spend_series *s, const struct month *m, double *total)
{
    double days = (double)(m->end - m->known), spent = 0;
    double week = mean_of(s->amount, m->known - WEEK, m->known);
    double before = mean_of(s->amount, m->known - 4 * WEEK, m->known - WEEK);

    for (size_t i = m->from; i < m->known; i++)
        spent += s->amount[i];
    for (int k = FORECAST_RUN_RATE; k < FORECASTERS; k++)
        total[k] = spent;
    total[FORECAST_RUN_RATE] += days * mean_of(s->amount, m->from, m->known);
    total[FORECAST_WEEK] += days * week;
    total[FORECAST_FOUR_WEEKS] += days * mean_of(s->amount, m->known - 4 * WEEK, m->known);
    /* The middles of the two are 14 days apart. */
    total[FORECAST_DRIFT] += days * (week + (week - before) / 14 * (days + WEEK) / 2);
    total[FORECAST_HOLT_WINTERS] += holt_winters(s, m);
    total[FORECAST_LEARNER] += learner(s, m);
    for (size_t i = m->known; i < m->end; i++) {
        size_t last = week_before(i, m->known);

        total[FORECAST_ORACLE] += s->expected[i];
        total[FORECAST_MONTH_BEFORE] += s->amount[i - 30];
        total[FORECAST_SEASON_NAIVE] += s->amount[last];
        for (size_t k = 0; k < 4; k++)
            total[FORECAST_WEEKDAY_MEANS] += s->amount[last - k * WEEK] / 4;
    }
}
