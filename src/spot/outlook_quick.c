/* The outlook in closed form.
 *
 * Up and down alternate; the time up within the deadline has a mean and a variance that follow
 * from the mean and variance of lives and outages, and lies between none and all of it: a beta
 * distribution. Spot does what it can within that time, on-demand the rest.
 */
#include <math.h>

#include "spot/hazard.h"
#include "spot/outlook.h"
#include "spot/work.h"

#define HOUR 3600.0
#define POINTS 64 /* of the distribution */

/* Time up within some hours, as a share of them: all of it, none of it, or between. */
struct up_time {
    double all, none;
    double a, b; /* the beta distribution of what is between */
};

static struct up_time up_within(const struct lifetimes *life, double hours)
{
    struct hazard lose = hazard_of(life->lose), gain = hazard_of(life->gain);
    double on = hazard_mean(&lose, INFINITY), off = hazard_mean(&gain, INFINITY), u = life->up;
    double rate = (hazard_variance(&lose) * off * off + hazard_variance(&gain) * on * on) /
                  ((on + off) * (on + off) * (on + off));
    double spread = fmax(u * (1 - u), 1e-6), x = 2 * spread * hours / rate, between, mean;
    double square, variance, size;
    struct up_time up = {.all = u * hazard_goes_on(&lose, hours),
                         .none = (1 - u) * hazard_goes_on(&gain, hours)};

    /* An indicator that forgets at one rate, chosen to give the long run its variance. */
    square = u * u + spread * fmin(2 * (x + expm1(-x)) / (x * x), 1);
    between = fmax(1 - up.all - up.none, 1e-9);
    mean = fmin(fmax((u - up.all) / between, 0.01), 0.99);
    variance = fmax((square - up.all) / between - mean * mean, 1e-4);
    size = fmax(mean * (1 - mean) / variance - 1, 0.5 / fmin(mean, 1 - mean));
    up.a = mean * size;
    up.b = (1 - mean) * size;
    return up;
}

/* What the job needs of the time up, as shares of the deadline. */
struct need {
    double most;   /* with the losses that there are in the mean */
    double least;  /* without any */
    double spread; /* of `most`, as a share of it: losses come at random */
};

/* How much of `most` is there in the mean, and the chance that all of it is. */
static void expect(struct up_time up, struct need need, double *mean, double *reach)
{
    /* Gauss-Hermite with three points: a normal's mean, and sqrt(3) deviations either side. */
    double far = sqrt(3) * need.spread, thresholds[] = {1 - far, 1, 1 + far};
    const double weights[] = {1 / 6.0, 2 / 3.0, 1 / 6.0};
    double sum = 0, total = 0, above = 0, between = 1 - up.all - up.none;

    /* Even steps of x = sin^2: smooth at both ends when neither a nor b is below a half. */
    for (int i = 0; i < POINTS; i++) {
        double angle = (i + 0.5) / POINTS * acos(0), s = sin(angle), c = cos(angle);
        double x = s * s, weight = exp((2 * up.a - 1) * log(s) + (2 * up.b - 1) * log(c));

        total += weight;
        sum += weight * fmin(x, need.most);
        for (size_t k = 0; k < ARRAY_LEN(thresholds); k++)
            above += x >= need.most * thresholds[k] ? weight * weights[k] : 0;
    }
    *mean = up.all * (need.least <= 1 ? need.most : 1) + between * sum / total;
    *reach = (need.least <= 1 ? up.all : 0) + between * above / total;
}

/* What saving and restarts add on spot. Daly's interval is near enough: the optimum is flat. */
static struct interval_overhead on_spot(const struct outlook_ask *ask, double mean_life,
                                        double *every)
{
    struct interval_costs costs = {.save = ask->job.save_takes / HOUR,
                                   .restart = ask->job.delay / HOUR,
                                   .notice = ask->job.notice / HOUR};

    *every = ask->job.save_every / HOUR;
    if (costs.save <= 0 || (*every <= 0 && work_notice_saves(&ask->job)))
        *every = INFINITY;
    else if (*every <= 0)
        *every =
            outlook_interval(&ask->job, interval_daly(costs.save, mean_life) * HOUR) / HOUR;
    return interval_cost(ask->life, &costs, *every);
}

/* The numbers of the question, in hours. */
struct quick {
    double work, deadline, delay, every, save;
    double life; /* mean */
    struct interval_overhead over;
};

/* Of the work: what saving takes. */
static double pauses(const struct quick *k)
{
    return k->save > 0 && isfinite(k->every) ? k->save / k->every : 0;
}

static struct need need_of(const struct quick *k)
{
    double losses = fmax(k->work * (1 + k->over.sum) / k->life, 1);
    double random = k->over.lost + k->over.restart;

    return (struct need){
        .most = k->work * (1 + k->over.sum) / k->deadline,
        .least = (k->work * (1 + pauses(k)) + k->delay) / k->deadline,
        .spread = random / (1 + k->over.sum) / sqrt(losses),
    };
}

/* Work done on spot, at most: what time there is, and what the slack allows. Each hour of work
 * on spot takes as much slack as its overhead, and a start on demand after some of the losses;
 * what the guard keeps back (two starts, and the work at risk) is not there to be used. */
static double spot_work(const struct outlook_ask *ask, const struct quick *k, double up)
{
    double could = up * k->deadline / (1 + k->over.sum), slack, waste;
    double out = fmax(k->deadline * (1 - ask->life->up), 1e-9);
    double filled = fmin(fmax(k->work - could, 0) / out, 1);

    slack = k->deadline - k->work - 2 * k->delay - (isfinite(k->every) ? k->every : 0) / 2;
    waste = k->over.sum + (1 + k->over.sum) / k->life * k->delay * filled;
    return fmin(fmin(could, k->work), fmax(slack, 0) / fmax(waste, 1e-9));
}

static double with_fallback(const struct outlook_ask *ask, const struct quick *k, double up,
                            double *done)
{
    double left, starts, out = fmax(k->deadline * (1 - ask->life->up), 1e-9);
    double alone = k->work * (1 + pauses(k)) + k->delay;

    *done = spot_work(ask, k, up);
    left = fmax(k->work - *done, 0);
    starts = *done * (1 + k->over.sum) / k->life * fmin(left / out, 1);
    starts = left > 0 ? starts + 1 : 0;
    return fmin(ask->spot * *done * (1 + k->over.sum) +
                    ask->on_demand * (left * (1 + pauses(k)) + k->delay * starts),
                ask->on_demand * alone);
}

/* Nothing gets done on spot: on-demand alone, or never. */
static struct outlook_quick hopeless(const struct outlook_ask *ask, struct outlook_quick q)
{
    bool falls_back = ask->policy != NULL && ask->job.deadline > 0;

    q.usd = falls_back ? q.on_demand_usd : INFINITY;
    q.on_time = falls_back ? 1 : 0;
    q.losses = falls_back ? 0 : INFINITY;
    q.saving = 1 - q.usd / q.on_demand_usd;
    return q;
}

struct outlook_quick outlook_quick(const struct outlook_ask *ask)
{
    struct hazard lose = hazard_of(ask->life->lose);
    struct quick k = {.work = ask->job.work / HOUR,
                      .deadline = ask->job.deadline / HOUR,
                      .delay = ask->job.delay / HOUR,
                      .save = ask->job.save_takes / HOUR,
                      .life = hazard_mean(&lose, INFINITY)};
    double gang = ask->job.gang, done = k.work, up, reach;
    struct outlook_quick q = {.on_time = 1};

    k.over = on_spot(ask, k.life, &k.every);
    q.on_demand_usd = ask->on_demand * gang * (k.work + k.delay);
    q.overhead = k.over.sum;
    q.save_every = k.save > 0 ? k.every * HOUR : 0;
    if (isinf(k.over.sum))
        return hopeless(ask, q);
    q.usd = ask->spot * k.work * (1 + k.over.sum);
    if (k.deadline > 0) {
        expect(up_within(ask->life, k.deadline), need_of(&k), &up, &reach);
        if (ask->policy == NULL)
            q.on_time = reach;
        else
            q.usd = with_fallback(ask, &k, up, &done);
    }
    q.losses = done * (1 + k.over.sum) / k.life;
    q.usd *= gang;
    q.saving = 1 - q.usd / q.on_demand_usd;
    return q;
}
