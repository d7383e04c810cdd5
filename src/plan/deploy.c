#include "plan/deploy.h"

#include <math.h>

#include "estimate/coldstart.h"

#define SECONDS_PER_HOUR 3600.0
#define MONTH_DAYS 30.0
#define STEPS_PER_TEN 24 /* rates that are tried for each factor of ten */
#define HALVINGS 50

const char *const deployment_names[DEPLOYMENTS + 1] = {
    "GPU machine",      "CPU machine",   "serverless", "serverless GPU",
    "managed endpoint", "scale to zero", NULL,
};

/* ---- a month at a rate ---- */

static bool stops(const struct deploy *d)
{
    return !isnan(d->cold_s);
}

/* Of so many instances, each with its copies, that share the requests. */
static struct warm warm_of(const struct deploy *d, double rate, double instances)
{
    struct warm_ask ask = {.rate = rate / instances,
                           .service_s = d->service_s,
                           .idle_s = d->idle_s,
                           .cold_s = d->cold_s};
    struct warm warm = {.up = 1};

    if (stops(d))
        warm = d->functions ? warm_functions(&ask) : warm_machine(&ask);
    warm.up *= instances;
    return warm;
}

/* Machines that stop are billed from start to stop, each time rounded up: half a step more on
 * average. */
static double machine_seconds(const struct deploy *d, double up_s, double starts)
{
    return fmax(up_s + starts * d->billing_s / 2, starts * d->minimum_s);
}

bool deploy_price(const struct deploy *d, double rate, double hours_per_day,
                  struct deploy_cost *out)
{
    double seconds = MONTH_DAYS * hours_per_day * SECONDS_PER_HOUR;
    double copies = d->functions ? 1 : fmax(1, ceil(rate / d->most_rate - 1e-9));
    double instances = ceil(copies / d->copies_each);
    struct warm warm = warm_of(d, rate, instances);
    struct serverless_use use = {.requests = rate * seconds,
                                 .request_s = d->service_s,
                                 .starts = rate * seconds * warm.cold,
                                 .start_s = d->cold_s,
                                 .up_s = warm.up * seconds};

    *out = (struct deploy_cost){.cold = warm.cold, .delayed = warm.delayed};
    if (stops(d) && hours_per_day < 24 && use.starts < MONTH_DAYS) {
        /* The first request of each day. */
        use.starts = fmin(MONTH_DAYS, use.requests);
        out->cold = fmax(out->cold, use.starts / use.requests);
        out->delayed = fmax(out->delayed, out->cold);
    }
    out->instances = warm.up;
    out->busy = warm.up > 0 ? fmin(1, rate * d->service_s / warm.up) : 0;
    if (d->paid != NULL) {
        out->bill = serverless_bill(d->paid, d->terms, d->size, &use);
        out->usd = out->bill.usd;
        return !isnan(out->usd);
    }
    if (!d->functions)
        out->busy = fmin(1, rate / copies / d->most_rate);
    out->machines = instances * d->machines_each;
    out->usd = usd_per_hour_double(d->price) * (1 + d->markup) * d->machines_each *
               machine_seconds(d, use.up_s, use.starts) / SECONDS_PER_HOUR;
    return !isnan(out->usd);
}

struct deploy deploy_slowed(const struct deploy *d, double slower)
{
    struct deploy other = *d;

    other.service_s *= slower;
    other.first_s *= slower;
    other.most_rate /= slower;
    return other;
}

/* A promise for all but a share `over` of the requests. */
static bool keeps(const struct deploy *d, const struct deploy_cost *c, span promised,
                  double over, double seconds)
{
    return promised.ns <= 0 || !(c->delayed > over) ||
           d->cold_s + seconds <= span_in_seconds(promised);
}

bool deploy_holds(const struct deploy *d, const struct deploy_cost *c)
{
    return d->terms == NULL || !(c->instances > d->terms->instances_high);
}

bool deploy_keeps(const struct deploy *d, const struct deploy_cost *c,
                  const struct job_slo *slo)
{
    return !stops(d) || (keeps(d, c, slo->p50, 0.5, d->service_s) &&
                         keeps(d, c, slo->p95, 0.05, d->service_s) &&
                         keeps(d, c, slo->p99, 0.01, d->service_s) &&
                         keeps(d, c, slo->first_token, 0.05, d->first_s));
}

double deploy_p95(const struct deploy *d, const struct deploy_cost *c)
{
    return stops(d) && c->delayed > 0.05 ? d->cold_s + d->service_s : d->warm.request_p95;
}

/* ---- volumes at which another choice is cheaper ---- */

double deploy_usd(const struct deploy *d, const struct deploy_demand *of, double rate)
{
    struct deploy_cost c;

    if (!deploy_price(d, rate, of->hours_per_day, &c) || !deploy_holds(d, &c) ||
        !deploy_keeps(d, &c, of->slo))
        return INFINITY;
    c.usd *= 1 + d->premium;
    /* A machine that is hardly ever stopped is no other than one that never is. */
    return stops(d) && d->paid == NULL ? c.usd / SELDOM_OFF : c.usd;
}

/* Of choices that cost the same, the first. */
static size_t cheapest_at(const struct deploy *at, size_t count, const struct deploy_demand *of,
                          double rate)
{
    double least = INFINITY;
    size_t best = count;

    for (size_t i = 0; i < count; i++) {
        double usd_month = deploy_usd(&at[i], of, rate);

        if (usd_month < least * (1 - 1e-12)) {
            least = usd_month;
            best = i;
        }
    }
    return best;
}

/* Between two rates with different choices, where the first ends. */
static double find_change(const struct deploy *at, size_t count, const struct deploy_demand *of,
                          double low, double high)
{
    size_t first = cheapest_at(at, count, of, low);

    for (int i = 0; i < HALVINGS; i++) {
        double middle = sqrt(low * high);

        *(cheapest_at(at, count, of, middle) == first ? &low : &high) = middle;
    }
    return high;
}

size_t deploy_cheapest(const struct deploy *at, size_t count, const struct deploy_demand *of,
                       double from, double to, struct deploy_span *out, size_t most)
{
    size_t spans = 0, steps = (size_t)ceil(STEPS_PER_TEN * log10(to / from));
    size_t last = cheapest_at(at, count, of, from);
    double before = from, began = from;

    for (size_t i = 1; i <= steps && spans < most; i++) {
        double rate = from * pow(to / from, (double)i / (double)steps);
        size_t now = cheapest_at(at, count, of, rate);

        if (now != last) {
            double change = find_change(at, count, of, before, rate);

            if (last < count)
                out[spans++] = (struct deploy_span){last, began, change};
            began = change;
            last = cheapest_at(at, count, of, change);
        }
        before = rate;
    }
    if (spans < most && last < count)
        out[spans++] = (struct deploy_span){last, began, to};
    return spans;
}

double deploy_break_even(const struct deploy *a, const struct deploy *b,
                         const struct deploy_demand *of, double rate, double to)
{
    size_t steps = (size_t)ceil(STEPS_PER_TEN * fabs(log10(to / rate)));
    double before = rate;

    for (size_t i = 1; i <= steps; i++) {
        double next = rate * pow(to / rate, (double)i / (double)steps);

        if (deploy_usd(a, of, next) < deploy_usd(b, of, next)) {
            for (int n = 0; n < HALVINGS; n++) {
                double middle = sqrt(before * next);

                *(deploy_usd(a, of, middle) < deploy_usd(b, of, middle) ? &next : &before) =
                    middle;
            }
            return next;
        }
        before = next;
    }
    return (double)NAN;
}
