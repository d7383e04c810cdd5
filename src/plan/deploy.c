#include "plan/deploy.h"

#include <math.h>

#include "estimate/serving/coldstart.h"
#include "estimate/serving/cpu.h"

#define SECONDS_PER_HOUR 3600.0
#define MONTH_DAYS 30.0
#define DAY_HOURS 24
#define STEPS_PER_TEN 24 /* rates that are tried for each factor of ten */
#define HALVINGS 50

const char *const deployment_names[DEPLOYMENTS + 1] = {
    "GPU machine",    "spot GPUs",        "CPU machine",      "serverless",
    "serverless GPU", "managed endpoint", "scale to zero",    "hosted API",
    "shared GPU",     "edge device",      "measured machine", NULL,
};

struct deploy deploy_none(enum deployment kind)
{
    return (struct deploy){.kind = kind,
                           .at_once = 1,
                           .cold_s = NAN,
                           .vcpus = NAN,
                           .memory_gb = NAN,
                           .price = USD_PER_HOUR_UNKNOWN,
                           .copies_each = 1,
                           .machines_each = 1,
                           .most_machines = NAN,
                           .start_s = NAN,
                           .usd_request = NAN,
                           .wear_usd = NAN,
                           .input_share = NAN};
}

struct serving_load deploy_queue(const struct deploy *d, double slower, double rate)
{
    /* A server that is as many times as fast, with the rest of the time on top. */
    double service = slower * d->service_s / d->at_once, rest = slower * d->service_s - service;
    struct serving_load load = queue_load(service, slower * d->first_s - rest, rate);
    double *times[] = {&load.first_p50,   &load.first_p95,   &load.first_p99,
                       &load.request_p50, &load.request_p95, &load.request_p99};

    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        *times[i] += rest;
    load.batch = rate * slower * d->service_s;
    return load;
}

/* ---- a month at a rate ---- */

static bool deploy_stops(const struct deploy *d)
{
    return !isnan(d->cold_s);
}

/* Requests a second with which a copy is busy all the time: within the latency target it may
 * take fewer, and at the rate that was asked for be set for fewer. */
static double full_rate(const struct deploy *d)
{
    return fmax(d->warm.max_rate, d->most_rate);
}

/* Of so many instances, each with its copies, that share the requests. */
static struct warm warm_of(const struct deploy *d, double rate, double instances)
{
    struct warm_ask ask = {.rate = rate / instances,
                           .service_s = d->service_s,
                           .idle_s = d->idle_s,
                           .cold_s = d->cold_s};
    struct warm warm = {.up = 1};

    if (deploy_stops(d))
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

static double copies_at(const struct deploy *d, double rate)
{
    return d->functions ? 1 : fmax(1, ceil(rate / d->most_rate - 1e-9));
}

/* So many instances, and at least one to spare where some are taken away: as many as it takes
 * that more are away at once for no more than the share of the time that is allowed. Each is
 * lost by itself. */
static double with_spares(const struct deploy *d, double instances)
{
    double mean = instances * d->machines_each * d->away, chance = exp(-mean);
    double left = 1 - chance - mean * chance, spares = 1;

    if (!(d->away > 0))
        return instances;
    chance *= mean;
    while (left > d->short_share && spares < instances) {
        spares++;
        chance *= mean / spares;
        left -= chance;
    }
    return instances + spares;
}

double deploy_machines(const struct deploy *d, double rate)
{
    if (d->paid != NULL || d->tokens != NULL)
        return 0;
    return with_spares(d, ceil(copies_at(d, rate) / d->copies_each)) * d->machines_each;
}

/* By tokens: nothing is up, and nothing starts. */
static bool price_tokens(const struct deploy *d, double requests, struct deploy_cost *out)
{
    *out = (struct deploy_cost){.usd = requests * d->usd_request, .busy = NAN};
    out->fixed_usd = out->usd;
    return !isnan(out->usd);
}

/* Wear whether it serves or not; electricity by how busy it is. */
static double owned_usd(const struct deploy *d, const struct deploy_cost *c, double served_h)
{
    double month_h = MONTH_DAYS * 24;
    double kwh = (d->idle_w * month_h + c->busy * (d->load_w - d->idle_w) * served_h) / 1000;

    return c->machines * (d->wear_usd + kwh * d->usd_kwh);
}

bool deploy_price(const struct deploy *d, double rate, double hours_per_day,
                  struct deploy_cost *out)
{
    double seconds = MONTH_DAYS * hours_per_day * SECONDS_PER_HOUR;
    double copies = copies_at(d, rate);
    double instances = with_spares(d, ceil(copies / d->copies_each));
    struct warm warm = warm_of(d, rate, instances);
    struct serverless_use use = {.requests = rate * seconds,
                                 .request_s = d->service_s,
                                 .starts = rate * seconds * warm.cold,
                                 .start_s = d->cold_s,
                                 .up_s = warm.up * seconds};

    if (d->tokens != NULL)
        return price_tokens(d, use.requests, out);
    *out = (struct deploy_cost){
        .cold = warm.cold, .delayed = warm.delayed, .up_always = instances};
    if (deploy_stops(d) && hours_per_day < 24 && use.starts < MONTH_DAYS) {
        /* The first request of each day. */
        use.starts = fmin(MONTH_DAYS, use.requests);
        out->cold = fmax(out->cold, use.starts / use.requests);
        out->delayed = fmax(out->delayed, out->cold);
    }
    out->instances = warm.up;
    out->busy = warm.up > 0 ? fmin(1, rate * d->service_s / warm.up) : 0;
    if (d->paid != NULL) {
        out->bill = serverless_bill(d->paid, d->terms, d->size, &use);
        out->usd = out->fixed_usd = out->bill.usd;
        return !isnan(out->usd);
    }
    if (!d->functions)
        out->busy = fmin(1, rate / copies / full_rate(d));
    out->machines = instances * d->machines_each;
    if (!isnan(d->wear_usd)) {
        out->usd = out->fixed_usd = owned_usd(d, out, seconds / SECONDS_PER_HOUR);
        return !isnan(out->usd);
    }
    out->usd = usd_per_hour_double(d->price) * (1 + d->markup) * d->machines_each *
               machine_seconds(d, use.up_s, use.starts) / SECONDS_PER_HOUR;
    out->fixed_usd = out->usd;
    return !isnan(out->usd);
}

/* ---- a month in which the rate changes ---- */

double deploy_mean_share(const struct deploy_traffic *t)
{
    double sum = 0;

    for (size_t i = 0; i < t->hours; i++)
        sum += t->share[i];
    return sum / (double)t->hours;
}

/* Without requests: what stops costs nothing, one of the others stays up. */
static bool price_quiet(const struct deploy *d, struct deploy_cost *out)
{
    *out = (struct deploy_cost){.up_always = 1};
    if (d->tokens != NULL || deploy_stops(d))
        return true;
    return deploy_price(d, 0, 24, out);
}

bool deploy_hour(const struct deploy *d, double rate, struct deploy_cost *out)
{
    return rate > 0 ? deploy_price(d, rate, 24, out) : price_quiet(d, out);
}

/* Is it a machine that is rented by the hour, so that the number of them can change? */
static bool is_rented_deploy(const struct deploy *d)
{
    return d->paid == NULL && d->tokens == NULL && isnan(d->wear_usd);
}

static double machine_hours_usd(const struct deploy *d, double hours)
{
    return usd_per_hour_double(d->price) * (1 + d->markup) * hours;
}

/* Then it costs the same: most days of a week are alike. */
static bool is_as_the_day_before(const struct deploy_traffic *t, size_t hour)
{
    return hour >= DAY_HOURS && !(fabs(t->share[hour] - t->share[hour - DAY_HOURS]) > 0);
}

/* Machines that are added from one hour to the next, as the day or week repeats, in a month. */
static double added_machines(const struct deploy *d, const struct deploy_traffic *t,
                             double rate)
{
    double machines[DEPLOY_HOURS], added = 0;

    for (size_t i = 0; i < t->hours; i++)
        machines[i] = is_as_the_day_before(t, i) ? machines[i - DAY_HOURS]
                                                 : deploy_machines(d, rate * t->share[i]);
    for (size_t i = 0; i < t->hours; i++)
        added += fmax(0, machines[i] - machines[(i + t->hours - 1) % t->hours]);
    return added * MONTH_DAYS * 24 / (double)t->hours;
}

/* What is added is paid while it starts. */
static void add_starts(const struct deploy *d, const struct deploy_traffic *t, double rate,
                       struct deploy_cost *sum)
{
    sum->fixed_usd = machine_hours_usd(d, deploy_machines(d, rate) * MONTH_DAYS * 24);
    sum->starts = added_machines(d, t, rate);
    if (d->start_s > 0)
        sum->usd += machine_hours_usd(d, sum->starts * d->start_s / SECONDS_PER_HOUR);
}

/* A device serves all day, with as many as the peak needs, less busy in other hours. */
static void take_owned(const struct deploy *d, const struct deploy_traffic *t, double rate,
                       struct deploy_cost *sum)
{
    double copies = sum->machines / d->machines_each * d->copies_each;

    sum->instances = sum->up_always = sum->machines / d->machines_each;
    sum->busy = fmin(1, rate * deploy_mean_share(t) / copies / full_rate(d));
    sum->usd = sum->fixed_usd = owned_usd(d, sum, MONTH_DAYS * 24);
}

/* One hour of the day or week: `weight` of the time, `share` of the requests. */
static void add_hour(struct deploy_cost *sum, const struct deploy_cost *hour, double weight,
                     double share)
{
    sum->usd += weight * hour->usd;
    sum->machines = fmax(sum->machines, hour->machines);
    sum->instances += weight * hour->instances;
    sum->up_always += weight * hour->up_always;
    sum->busy += weight * hour->instances * hour->busy;
    sum->cold += share * hour->cold;
    sum->delayed += share * hour->delayed;
    sum->bill.usd += weight * hour->bill.usd;
    sum->bill.billed_s += weight * hour->bill.billed_s;
    sum->bill.requests_usd += weight * hour->bill.requests_usd;
    sum->bill.memory_usd += weight * hour->bill.memory_usd;
    sum->bill.vcpu_usd += weight * hour->bill.vcpu_usd;
    sum->bill.gpu_usd += weight * hour->bill.gpu_usd;
}

bool deploy_month(const struct deploy *d, const struct deploy_demand *of, double rate,
                  struct deploy_cost *out)
{
    const struct deploy_traffic *t = of->traffic;
    struct deploy_cost sum = {0}, hour, hours[DEPLOY_HOURS];
    double mean, weight;

    if (t == NULL)
        return deploy_price(d, rate, of->hours_per_day, out);
    mean = deploy_mean_share(t);
    weight = 1 / (double)t->hours;
    for (size_t i = 0; i < t->hours; i++) {
        if (i > 0 && !(fabs(t->share[i] - t->share[i - 1]) > 0))
            hours[i] = hours[i - 1];
        else if (is_as_the_day_before(t, i))
            hours[i] = hours[i - DAY_HOURS];
        else if (!deploy_hour(d, rate * t->share[i], &hours[i]))
            return false;
        add_hour(&sum, &hours[i], weight, t->share[i] / mean * weight);
    }
    sum.busy = d->tokens != NULL   ? (double)NAN
               : sum.instances > 0 ? sum.busy / sum.instances
                                   : 0;
    sum.fixed_usd = sum.usd;
    if (d->paid != NULL && deploy_price(d, rate * mean, 24, &hour))
        sum.bill.free_usd = fmin(hour.bill.free_usd, sum.usd);
    if (is_rented_deploy(d))
        add_starts(d, t, rate, &sum);
    if (!isnan(d->wear_usd))
        take_owned(d, t, rate, &sum);
    *out = sum;
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
    return (d->terms == NULL || !(c->instances > d->terms->instances_high)) &&
           !(c->machines > d->most_machines);
}

bool deploy_keeps(const struct deploy *d, const struct deploy_cost *c,
                  const struct job_slo *slo)
{
    return !deploy_stops(d) || (keeps(d, c, slo->p50, 0.5, d->service_s) &&
                                keeps(d, c, slo->p95, 0.05, d->service_s) &&
                                keeps(d, c, slo->p99, 0.01, d->service_s) &&
                                keeps(d, c, slo->first_token, 0.05, d->first_s));
}

double deploy_p95(const struct deploy *d, const struct deploy_cost *c)
{
    return deploy_stops(d) && c->delayed > 0.05 ? d->cold_s + d->service_s
                                                : d->warm.request_p95;
}

/* ---- volumes at which another choice is cheaper ---- */

double deploy_usd(const struct deploy *d, const struct deploy_demand *of, double rate)
{
    struct deploy_cost c;

    if (!deploy_month(d, of, rate, &c) || !deploy_holds(d, &c) || !deploy_keeps(d, &c, of->slo))
        return INFINITY;
    c.usd *= 1 + d->premium;
    /* A machine that is hardly ever stopped is no other than one that never is. */
    return deploy_stops(d) && d->paid == NULL ? c.usd / SELDOM_OFF : c.usd;
}

static void add_to_pair(const struct deploy *d, bool as_shown, struct deploy *out)
{
    *out = *d;
    if (as_shown)
        out->premium = 0;
}

size_t deploy_pair(const struct deploy *a, const struct deploy *b, const struct deploy *choices,
                   size_t choice_count, struct deploy *out)
{
    size_t count = 0;

    add_to_pair(a, a->premium > 0, &out[count++]);
    add_to_pair(b, b->premium > 0, &out[count++]);
    for (size_t i = 0; i < choice_count; i++) {
        const struct deploy *of = choices[i].kind == a->kind   ? a
                                  : choices[i].kind == b->kind ? b
                                                               : NULL;

        if (of != NULL)
            add_to_pair(&choices[i], of->premium > 0, &out[count++]);
    }
    return count;
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

/* `count`: there is none. Where one gives way to another of its kind is not searched for. */
static bool is_same_kind(const struct deploy *at, size_t count, size_t a, size_t b)
{
    return a == b || (a < count && b < count && at[a].kind == at[b].kind);
}

/* Between two rates with choices of different kinds, where the first kind ends. */
static double find_change(const struct deploy *at, size_t count, const struct deploy_demand *of,
                          double low, double high)
{
    size_t first = cheapest_at(at, count, of, low);

    for (int i = 0; i < HALVINGS; i++) {
        double middle = sqrt(low * high);

        *(is_same_kind(at, count, cheapest_at(at, count, of, middle), first) ? &low : &high) =
            middle;
    }
    return high;
}

size_t deploy_cheapest(const struct deploy *at, size_t count, const struct deploy_demand *of,
                       double from, double to, struct deploy_span *out, size_t most)
{
    size_t spans = 0, last = cheapest_at(at, count, of, from);
    double before = from, began = from;

    /* Steps are the same from wherever they start, and so is what is found between two. */
    for (int step = (int)floor(STEPS_PER_TEN * log10(from)) + 1; before < to && spans < most;
         step++) {
        double rate = fmin(pow(10, step / (double)STEPS_PER_TEN), to);
        size_t now = cheapest_at(at, count, of, rate);

        if (now != last) {
            double change = is_same_kind(at, count, now, last)
                                ? rate
                                : find_change(at, count, of, before, rate);

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

#define NARROW 1.5 /* a span of rates that ends before so many times its start is left out */

/* Take out `drop` spans behind `at`, which ends where the last of them did. */
static size_t swallow_spans(struct deploy_span *spans, size_t count, size_t at, size_t drop)
{
    spans[at].to = spans[at + drop].to;
    for (size_t i = at + drop + 1; i < count; i++)
        spans[i - drop] = spans[i];
    return count - drop;
}

static size_t narrowest_span(const struct deploy_span *spans, size_t count)
{
    size_t narrowest = count;
    double least = NARROW;

    for (size_t i = 1; i + 1 < count; i++) {
        double width = spans[i].to / spans[i].from;

        if (width < least) {
            least = width;
            narrowest = i;
        }
    }
    return narrowest;
}

/* Machines come in whole numbers, so that two ways may take turns many times before one of them
 * stays the cheaper: the shortest turn is left out first, and what is around it joined. */
size_t deploy_join_spans(const struct deploy *at, struct deploy_span *spans, size_t count)
{
    size_t narrow;

    for (size_t i = 0; i + 1 < count;) {
        if (at[spans[i].choice].kind == at[spans[i + 1].choice].kind)
            count = swallow_spans(spans, count, i, 1);
        else
            i++;
    }
    while ((narrow = narrowest_span(spans, count)) < count) {
        bool same = at[spans[narrow - 1].choice].kind == at[spans[narrow + 1].choice].kind;

        count = swallow_spans(spans, count, narrow - 1, same ? 2 : 1);
    }
    return count;
}

double deploy_reach(const struct deploy *at, size_t count, double rate, double to)
{
    double most[DEPLOYMENTS] = {0};

    for (size_t i = 0; i < count; i++) {
        const struct deploy *d = &at[i];
        double reach = isnan(d->most_machines) ? INFINITY
                                               : floor(d->most_machines / d->machines_each) *
                                                     d->copies_each * d->most_rate;

        most[d->kind] = fmax(most[d->kind], reach);
    }
    for (int kind = 0; kind < DEPLOYMENTS; kind++)
        if (most[kind] > 0)
            to = fmin(to, fmax(most[kind], rate));
    return to;
}

struct deploy_change deploy_change_of(const struct deploy *at, size_t count,
                                      enum deployment other, const struct deploy_demand *of,
                                      double rate, double from, double to)
{
    struct deploy_change change = {NAN, NAN};
    struct deploy_span spans[DEPLOY_SPANS];
    size_t found;

    to = deploy_reach(at, count, rate, to);
    if (!(from < to))
        return change;
    found = deploy_cheapest(at, count, of, from, to, spans, DEPLOY_SPANS);
    found = deploy_join_spans(at, spans, found);
    for (size_t i = 0; i < found; i++) {
        if (at[spans[i].choice].kind != other)
            continue;
        if (spans[i].to <= rate)
            change.below = spans[i].to;
        else if (spans[i].from >= rate && isnan(change.above))
            change.above = spans[i].from;
    }
    return change;
}
