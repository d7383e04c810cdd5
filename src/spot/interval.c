#include "spot/interval.h"

#include <math.h>

#include "spot/hazard.h"

#define GRID 240     /* intervals tried before the best is refined */
#define REFINE 40    /* golden sections */
#define ROUNDS 8     /* over the ages */
#define AGE_TRIES 12 /* either side, for each age */

double interval_young(double save, double mtbf)
{
    return sqrt(2 * save * mtbf);
}

double interval_daly(double save, double mtbf)
{
    double part = save / (2 * mtbf);

    if (save >= 2 * mtbf)
        return mtbf;
    return sqrt(2 * save * mtbf) * (1 + sqrt(part) / 3 + part / 9) - save;
}

double interval_saving(double spot, double on_demand, double overhead)
{
    return 1 - spot * (1 + overhead) / on_demand;
}

/* Of one life, in the mean. */
struct life {
    double work, saves;
};

/* Saves that end within the bin, and one that ends past it: each keeps the work before it. */
static struct life live(const struct hazard *h, const struct interval_costs *costs,
                        const double every[static AGE_BINS])
{
    double age = costs->restart;
    size_t b = age_bin(age);
    struct life l = {0};

    for (;;) {
        double step = every[b] + costs->save, lose = -expm1(-h->rate[b] * step);
        double alive = hazard_survive(h, age), saves = alive * (1 - lose) / lose;

        if (b + 1 < AGE_BINS) {
            double fit = floor((age_edges[b + 1] - age) / step);

            saves *= -expm1(-h->rate[b] * step * fit);
            age += fit * step;
            if (age < age_edges[b + 1]) {
                age += step;
                saves += hazard_survive(h, age);
            }
        }
        l.work += saves * every[b];
        l.saves += saves;
        if (b + 1 == AGE_BINS)
            return l;
        b = age_bin(age) > b ? age_bin(age) : b + 1; /* rounding may leave it just below */
    }
}

static struct interval_overhead shares(double mean, double restart, double save, double work)
{
    struct interval_overhead o = {INFINITY, INFINITY, INFINITY, INFINITY};

    if (!(work > mean * 1e-9))
        return o;
    o.save = save / work;
    o.restart = restart / work;
    o.sum = mean / work - 1;
    o.lost = fmax(o.sum - o.save - o.restart, 0);
    return o;
}

/* What a life's last minutes are used for: the save takes them, and keeps all work before. */
static struct interval_overhead on_notice(const struct hazard *h,
                                          const struct interval_costs *costs)
{
    double mean = hazard_mean(h, INFINITY), restart = hazard_mean(h, costs->restart);
    double saved = hazard_mean(h, costs->restart + costs->save);

    return shares(mean, restart, saved - restart, mean - saved);
}

static struct interval_overhead cost(const struct hazard *h, const struct interval_costs *costs,
                                     const double every[static AGE_BINS])
{
    struct life l = live(h, costs, every);

    return shares(hazard_mean(h, INFINITY), hazard_mean(h, costs->restart),
                  l.saves * costs->save, l.work);
}

static struct interval_overhead cost_even(const struct hazard *h,
                                          const struct interval_costs *costs, double every)
{
    double all[AGE_BINS];

    for (size_t b = 0; b < AGE_BINS; b++)
        all[b] = every;
    return cost(h, costs, all);
}

struct interval_overhead interval_cost(const struct lifetimes *life,
                                       const struct interval_costs *costs, double every)
{
    struct hazard h = hazard_of(life->lose);

    return isinf(every) ? on_notice(&h, costs) : cost_even(&h, costs, every);
}

/* On a grid of logarithms first, because with several hazards there may be several minima. */
static double best_even(const struct hazard *h, const struct interval_costs *costs)
{
    const double golden = (sqrt(5) - 1) / 2;
    double low = log(costs->save / 20);
    double high = log(fmax(20 * hazard_mean(h, INFINITY), costs->save));
    double step = (high - low) / GRID, best = low, least = INFINITY, from, to;

    for (int i = 0; i <= GRID; i++) {
        double sum = cost_even(h, costs, exp(low + i * step)).sum;

        if (sum < least) {
            least = sum;
            best = low + i * step;
        }
    }
    from = best - step;
    to = best + step;
    for (int i = 0; i < REFINE; i++) {
        double a = to - golden * (to - from), b = from + golden * (to - from);

        if (cost_even(h, costs, exp(a)).sum <= cost_even(h, costs, exp(b)).sum)
            to = b;
        else
            from = a;
    }
    return exp((from + to) / 2);
}

/* Does no age have a shorter interval than a younger one? An interval that begins young reaches
 * into older ages, so that the very best would jump back and forth: more of it than there is
 * knowledge in the rates. */
static bool grows(const double every[static AGE_BINS], size_t from)
{
    for (size_t b = from; b + 1 < AGE_BINS; b++)
        if (every[b] > every[b + 1])
            return false;
    return true;
}

/* Make the intervals of the ages `from` to `to` longer or shorter by one factor, by what gains
 * most. */
static void adjust(const struct hazard *h, const struct interval_costs *costs, size_t from,
                   size_t to, double step, double every[static AGE_BINS])
{
    double tried[AGE_BINS], least = cost(h, costs, every).sum * (1 - 1e-9), best = 1;

    for (int i = -AGE_TRIES; i <= AGE_TRIES; i++) {
        double sum;

        for (size_t b = 0; b < AGE_BINS; b++)
            tried[b] = every[b] * (b >= from && b <= to ? exp(i * step) : 1);
        if (!grows(tried, age_bin(costs->restart)))
            continue;
        sum = cost(h, costs, tried).sum;
        if (sum < least) {
            least = sum;
            best = exp(i * step);
        }
    }
    for (size_t b = from; b <= to; b++)
        every[b] *= best;
}

/* Each age alone, and all from an age on (neighbours with like hazards only gain together), in
 * ever smaller steps. */
static void by_age(const struct hazard *h, const struct interval_costs *costs,
                   double every[static AGE_BINS])
{
    double step = log(8) / AGE_TRIES;

    for (int i = 0; i < ROUNDS; i++) {
        for (size_t b = AGE_BINS; b-- > age_bin(costs->restart);) {
            adjust(h, costs, b, AGE_BINS - 1, step, every);
            adjust(h, costs, b, b, step, every);
        }
        step *= 0.6;
    }
}

/* Whole seconds: the optimum is flat, so that more digits would be those of the arithmetic. */
static double whole(double hours)
{
    return hours * 60 > 1 ? round(hours * 3600) / 3600 : hours;
}

/* Saving that costs nothing is done all the time; with notice, when it comes. */
static double fixed_interval(const struct interval_costs *costs)
{
    if (costs->save <= 0)
        return 0;
    return costs->notice > 0 && costs->notice >= costs->save ? INFINITY : NAN;
}

double interval_even(const struct lifetimes *life, const struct interval_costs *costs)
{
    struct hazard h = hazard_of(life->lose);
    double every = fixed_interval(costs);

    return isnan(every) ? whole(best_even(&h, costs)) : every;
}

struct interval_best interval_best(const struct lifetimes *life,
                                   const struct interval_costs *costs)
{
    struct hazard h = hazard_of(life->lose);
    struct interval_best best = {.every = interval_even(life, costs),
                                 .mean_life = hazard_mean(&h, INFINITY)};

    best.young = interval_young(costs->save, best.mean_life);
    best.daly = interval_daly(costs->save, best.mean_life);
    if (isfinite(best.every) && best.every > 0)
        best.overhead = cost_even(&h, costs, best.every);
    else
        best.overhead = on_notice(&h, costs);
    for (size_t b = 0; b < AGE_BINS; b++)
        best.by_age[b] = best.every;
    best.aged = best.overhead;
    if (isfinite(best.overhead.sum) && isfinite(best.every) && best.every > 0) {
        by_age(&h, costs, best.by_age);
        for (size_t b = 0; b < AGE_BINS; b++)
            best.by_age[b] = whole(best.by_age[b]);
        best.aged = cost(&h, costs, best.by_age);
        best.gain = fmax(1 - (1 + best.aged.sum) / (1 + best.overhead.sum), 0);
    }
    return best;
}
