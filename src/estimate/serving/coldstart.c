#include "estimate/serving/coldstart.h"

#include <math.h>
#include <stddef.h>

/* Requests in work at once are a Poisson number, for which it does not matter how long each
 * takes. Since the instance used last takes the next, the n-th is up as long as n requests were
 * in work at once within the idle time. While there are fewer, the n-th is needed at the rate
 * of requests times the chance that n - 1 are in work. Compared with simulations, the instances
 * that are up are off by 8 % and the starts by a quarter, where the idle time is ten times that
 * of a request or more; where it is shorter, both are too high, up to half as much again. */

#define MANY_BUSY 500.0    /* requests in work, from which on they are nearly normal */
#define DEVIATIONS 8.0     /* around the mean, of the numbers that are looked at */
#define NEVER_IDLE 40.0    /* times needed, from which on the chance of none is nothing */
#define MOST_LEVELS 1000.0 /* more than MANY_BUSY with its deviations needs */
#define ROUNDS 60

/* When each request keeps an instance busy for `busy_s`. */
static struct warm sum_levels(const struct warm_ask *a, double busy_s)
{
    double mean = a->rate * busy_s, wide = DEVIATIONS * sqrt(mean);
    double below = floor(fmax(0, mean - wide)); /* these are always up */
    /* Of so many in work; the logarithm of a mean of 0 is none. */
    double chance = below > 0 ? exp(below * log(mean) - mean - lgamma(below + 1)) : exp(-mean);
    size_t levels = (size_t)fmin(mean + wide + 20 - below, MOST_LEVELS);
    double fewer = chance; /* the chance of at most so many */
    struct warm w = {.up = below};

    for (size_t i = 1; i < levels; i++) {
        double needed = a->rate * chance / fewer * a->idle_s; /* within the idle time */
        double idle = needed < NEVER_IDLE ? exp(-needed) : 0; /* the chance that it is not */

        w.up += 1 - fewer * idle;
        w.cold += chance * idle;
        chance *= mean / (below + (double)i);
        fewer = fmin(1, fewer + chance);
    }
    w.delayed = w.cold;
    return w;
}

/* The most at once within the idle time, of a normal number; starts are too few to count. */
static struct warm many_busy(const struct warm_ask *a)
{
    double mean = a->rate * a->service_s;

    return (struct warm){.up = mean + sqrt(2 * mean * log1p(a->idle_s / a->service_s))};
}

struct warm warm_functions(const struct warm_ask *ask)
{
    struct warm w = {0};
    double busy_s = ask->service_s;

    if (!(ask->rate > 0))
        return w;
    if (ask->rate * ask->service_s > MANY_BUSY)
        return many_busy(ask);
    /* A cold start keeps its instance busy, too. */
    for (int i = 0; i < ROUNDS; i++) {
        double next;

        w = sum_levels(ask, busy_s);
        next = ask->service_s + w.cold * ask->cold_s;
        if (ask->rate * next > MANY_BUSY)
            next = MANY_BUSY / ask->rate;
        if (fabs(next - busy_s) < 1e-4 * busy_s)
            break;
        busy_s = (busy_s + next) / 2;
    }
    return w;
}

/* It goes on as long as each request comes before `service + idle` after the one before: on
 * average (exp(rate (service + idle)) - 1) / rate from the first. Then nothing comes for
 * 1 / rate. */
struct warm warm_machine(const struct warm_ask *ask)
{
    struct warm w = {.up = 1};
    double stays = ask->rate * (ask->service_s + ask->idle_s), lit, each;

    if (!(ask->rate > 0))
        return (struct warm){0};
    if (stays > 700) /* it never stops */
        return w;
    lit = ask->cold_s + expm1(stays) / ask->rate;
    each = lit + 1 / ask->rate; /* from start to start */
    w.up = lit / each;
    w.cold = 1 / (ask->rate * each);
    w.delayed = fmin(1, w.cold * (1 + ask->rate * ask->cold_s));
    return w;
}
