#include "spend_peers.h"

#include <math.h>
#include <string.h>

#include "series/values.h"

#define WEEK 7
#define SETTLE 28
#define APART 7 /* days between two alarms of one direction */
#define LEAST 20.0
#define SHARE 0.2

/* The money gate and the suppression are the same for all. */
static size_t add_alarm(const struct spend_series *s, size_t t, double expected, double score,
                        double threshold, struct spend_alarm *alarms, size_t count)
{
    double apart = fabs(s->amount[t] - expected);
    bool down = s->amount[t] < expected;

    if (!(fabs(score) > threshold) || apart < fmax(LEAST, SHARE * expected))
        return count;
    for (size_t i = count; i-- > 0;)
        if (alarms[i].down == down && t - alarms[i].at <= APART)
            return count;
    alarms[count] = (struct spend_alarm){t, down};
    return count + 1;
}

static double log_of(double x)
{
    return log(x + 1);
}

static double median(double *v, size_t n)
{
    values_sort(v, n);
    return values_quantile(v, n, 0.5);
}

size_t peer_weekday_mad(const struct spend_series *s, double threshold,
                        struct spend_alarm *alarms)
{
    double residual[SPEND_DAYS], v[SPEND_DAYS];
    size_t count = 0;

    for (size_t t = 0; t < s->days; t++) {
        size_t n = 0, k = 0;
        double level, scale;

        for (size_t i = t; i >= WEEK && n < 8; i -= WEEK)
            v[n++] = log_of(s->amount[i - WEEK]);
        level = n > 0 ? median(v, n) : log_of(s->amount[t]);
        residual[t] = log_of(s->amount[t]) - level;
        for (size_t i = t > 56 ? t - 56 : WEEK; i < t; i++)
            v[k++] = fabs(residual[i]);
        if (t < SETTLE)
            continue;
        scale = fmax(1.4826 * median(v, k), 0.02);
        count = add_alarm(s, t, exp(level) - 1, residual[t] / scale, threshold, alarms, count);
    }
    return count;
}

size_t peer_holt_winters(const struct spend_series *s, double threshold,
                         struct spend_alarm *alarms)
{
    const double alpha = 0.3, gamma = 0.15, beta = 0.01;
    double season[WEEK] = {0}, level = 0, slope = 0, deviation = 0.1;
    size_t count = 0;

    for (size_t t = 0; t < 2 * WEEK; t++)
        level += log_of(s->amount[t]) / (2 * WEEK);
    for (size_t t = 0; t < 2 * WEEK; t++)
        season[t % WEEK] += (log_of(s->amount[t]) - level) / 2;
    for (size_t t = 2 * WEEK; t < s->days; t++) {
        double expected = level + slope + season[t % WEEK];
        double e = log_of(s->amount[t]) - expected;
        double clipped = fmax(-3 * deviation, fmin(3 * deviation, e)), before = level;

        if (t >= SETTLE)
            count = add_alarm(s, t, exp(expected) - 1, e / deviation, threshold, alarms, count);
        level += slope + alpha * clipped;
        slope += beta * (level - before - slope);
        season[t % WEEK] += gamma * (1 - alpha) * clipped;
        deviation = fmax(0.02, sqrt(0.95 * deviation * deviation + 0.05 * clipped * clipped));
    }
    return count;
}

size_t peer_z30(const struct spend_series *s, double threshold, struct spend_alarm *alarms)
{
    size_t count = 0;

    for (size_t t = 30; t < s->days; t++) {
        double mean = 0, square = 0;

        for (size_t i = t - 30; i < t; i++)
            mean += s->amount[i] / 30;
        for (size_t i = t - 30; i < t; i++)
            square += (s->amount[i] - mean) * (s->amount[i] - mean) / 29;
        count = add_alarm(s, t, mean,
                          (s->amount[t] - mean) / fmax(sqrt(square), 0.01 * mean + 1e-9),
                          threshold, alarms, count);
    }
    return count;
}
