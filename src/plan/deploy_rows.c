/* The cheapest of each kind as rows of the record, and the rates at which another is
 * cheaper. */
#include <math.h>

#include "plan/deploy_internal.h"

#define P90 1.2815515655446004 /* standard deviations up to the 90th percentile */
#define FAR 1e4                /* times the rate: as far as break-even volumes are looked for */
#define MOST_RATE 1e5
#define WORTH_NOTING 0.8 /* of the cost: int8 is noted where it costs less */
#define ABSURD 100.0     /* times the cost of the best: not worth showing */
#define NO_SHARE 1e-9    /* of requests: less is none */
#define CONDITIONAL 1e15 /* USD or seconds: more than all others cost or take */

static bool by_latency(const struct choosing *c)
{
    return c->w->problem.aim.time > 0 && !(c->w->problem.aim.cost > 0);
}

/* At a rate at which it never stops, it is a machine like others. */
static bool never_stops(const struct choosing *c, enum deployment kind)
{
    const struct deploy_cost *cost = &c->cost[kind];

    return kind == DEPLOY_TO_ZERO && cost->instances > SELDOM_OFF * cost->up_always;
}

/* Depends on more than the job: it comes after the others, and is never the best. */
static bool is_conditional(const struct choosing *c, enum deployment kind)
{
    return c->at[kind].condition.len > 0;
}

static double merit_of(const struct choosing *c, enum deployment kind)
{
    double merit = by_latency(c) ? deploy_p95(&c->at[kind], &c->cost[kind])
                                 : c->cost[kind].usd * (1 + c->at[kind].premium);

    if (never_stops(c, kind) || isnan(merit))
        return INFINITY;
    return is_conditional(c, kind) ? CONDITIONAL + merit : merit;
}

/* A price that is too old is worth checking: its way is not the best, where another will do. */
static bool set_old_aside(struct choosing *c)
{
    bool other = false;

    for (int kind = 0; kind < DEPLOYMENTS; kind++)
        other |= c->have[kind] && !(c->at[kind].premium > 0) &&
                 isfinite(merit_of(c, (enum deployment)kind)) &&
                 !is_conditional(c, (enum deployment)kind);
    for (int kind = 0; kind < DEPLOYMENTS && other; kind++) {
        struct deploy *d = &c->at[kind];

        if (!c->have[kind] || !(d->premium > 0) || d->condition.len > 0)
            continue;
        d->condition = plan_words(c->w, c->err, "if its price still holds: it is %lld days old",
                                  (long long)(day_of(c->w->now).n - d->date.n));
        if (d->condition.at == NULL)
            return false;
    }
    return true;
}

/* The kinds that there are, the best first; as many as the result says. */
static size_t sort_kinds(const struct choosing *c, enum deployment order[DEPLOYMENTS])
{
    size_t count = 0;

    for (int kind = 0; kind < DEPLOYMENTS; kind++) {
        size_t at = count;

        if (!c->have[kind])
            continue;
        for (; at > 0 && merit_of(c, (enum deployment)kind) < merit_of(c, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = (enum deployment)kind;
        count++;
    }
    return count;
}

/* At one end of the range of times. */
static usd deploy_cost_at(const struct choosing *c, enum deployment kind, double deviations)
{
    const struct deploy *d = &c->at[kind];
    struct deploy other = deploy_slowed(d, exp(deviations * d->spread));
    struct deploy_cost cost;

    return deploy_month(&other, &c->demand, c->rate, &cost) ? usd_from(cost.usd) : USD_UNKNOWN;
}

/* With the range of the price. */
static struct usd_range range_of(const struct choosing *c, enum deployment kind)
{
    struct usd_range total = {deploy_cost_at(c, kind, -P90), usd_from(c->cost[kind].usd),
                              deploy_cost_at(c, kind, P90)};

    if (kind == DEPLOY_GPU && !c->gpu_replaced)
        return c->gpu_total;
    return cost_widen(total, (usd){0}, c->at[kind].price_width);
}

/* Likewise of the latency; NaN where it could not keep up. */
static double p95_at(const struct choosing *c, enum deployment kind, double deviations)
{
    const struct deploy *d = &c->at[kind];
    const struct deploy_cost *cost = &c->cost[kind];
    double slower = exp(deviations * d->spread);
    bool queues = d->kind == DEPLOY_MEASURED ||
                  (d->accelerator.len == 0 && !d->functions && d->tokens == NULL);
    double late = d->warm.request_p95 * slower;

    if (!isnan(d->cold_s) && cost->delayed > 0.05)
        return d->cold_s + d->service_s * slower;
    if (queues)
        late = deploy_queue(d, slower, c->rate / fmax(1, cost->machines)).request_p95;
    return isfinite(late) ? late : (double)NAN;
}

/* Requests of a month. */
static double month_of(const struct choosing *c, double rate)
{
    double mean = c->demand.traffic != NULL ? deploy_mean_share(c->demand.traffic) : 1;

    return rate * mean * 30 * 3600 * c->hours_per_day;
}

/* Each of the two at any rate by the cheapest of its kind: what is said of two ways is what
 * the volumes say, whatever rate was asked for. */
static bool find_break_even(const struct choosing *c, enum deployment kind,
                            enum deployment best, struct plan_deployment *row)
{
    double low = fmax(DEPLOY_LEAST_RATE, c->rate / FAR), high = fmin(MOST_RATE, c->rate * FAR);
    struct deploy *pair;
    struct deploy_change change;
    size_t count;

    if (kind == best)
        return true;
    pair = arena_array(c->w->arena, struct deploy, 2 + c->other_count, c->err);
    if (pair == NULL)
        return false;
    count = deploy_pair(&c->at[best], &c->at[kind], c->others, c->other_count, pair);
    change = deploy_change_of(pair, count, kind, &c->demand, c->rate, low, high);
    row->cheaper_below = change.below;
    row->cheaper_above = change.above;
    return true;
}

static bool fill_deploy_row(const struct choosing *c, enum deployment kind,
                            enum deployment best, struct plan_deployment *row)
{
    const struct deploy *d = &c->at[kind];
    const struct deploy_cost *cost = &c->cost[kind];
    struct usd_range range = range_of(c, kind);
    bool stopping = !isnan(d->cold_s);

    if (!fields_reset(&plan_deployment_fields, row, c->w->arena, c->err))
        return false;
    row->deployment = str_from(deployment_names[kind]);
    row->best = kind == best && !is_conditional(c, kind);
    row->condition = d->condition;
    row->offer = d->offer;
    row->provider = d->provider;
    row->region = d->region;
    row->product = d->product;
    row->accelerator = d->accelerator;
    row->setting = d->setting;
    row->cost = usd_about(cost->usd);
    row->cost_low = usd_about(usd_double(range.low));
    row->cost_high = usd_about(usd_double(range.high));
    row->per_million_requests = usd_about(cost->usd / month_of(c, c->rate) * 1e6);
    if (d->paid != NULL && cost->bill.free_usd > 0)
        row->free_saves = usd_about(cost->bill.free_usd);
    if (d->paid != NULL) {
        row->billed_s = cost->bill.billed_s;
        row->requests_usd = usd_about(cost->bill.requests_usd);
        row->memory_usd = usd_about(cost->bill.memory_usd);
        row->vcpu_usd = usd_about(cost->bill.vcpu_usd);
        row->gpu_usd = usd_about(cost->bill.gpu_usd);
    }
    row->p95_s = deploy_p95(d, cost);
    row->p95_low_s = p95_at(c, kind, -P90);
    row->p95_high_s = p95_at(c, kind, P90);
    row->request_s = d->service_s;
    row->cold_start_s = d->cold_s;
    if (stopping) {
        row->idle_timeout_s = d->idle_s;
        row->cold_share = cost->cold > NO_SHARE ? cost->cold : 0;
        row->delayed_share = cost->delayed > NO_SHARE ? cost->delayed : 0;
    }
    row->instances = d->tokens == NULL ? cost->instances : NAN;
    if (d->paid == NULL && d->tokens == NULL)
        row->machines = (int64_t)cost->machines;
    row->busy = cost->busy;
    row->vcpus = d->vcpus;
    row->memory_gb = d->memory_gb;
    row->price = d->price;
    if (d->markup > 0)
        row->markup = d->markup;
    row->price_date = d->date;
    if (d->date.n != DAY_UNKNOWN.n)
        row->price_age_days = day_of(c->w->now).n - d->date.n;
    row->source = d->source;
    row->basis = d->basis;
    row->more_usd = cost->usd - c->cost[best].usd;
    return find_break_even(c, kind, best, row);
}

/* The choices of the rows, for callers that have more questions. */
static bool set_begin(struct choosing *c)
{
    struct deploy_set *set = c->facts->set;

    if (set == NULL)
        return true;
    *set = (struct deploy_set){.slo = c->job->infer.slo, .rate = c->rate};
    c->set_at = arena_array(c->w->arena, struct deploy, DEPLOYMENTS, c->err);
    c->set_cost = arena_array(c->w->arena, struct deploy_cost, DEPLOYMENTS, c->err);
    set->at = c->set_at;
    set->cost = c->set_cost;
    set->demand = c->demand;
    set->demand.slo = &set->slo;
    return c->set_at != NULL && c->set_cost != NULL;
}

static void set_add(struct choosing *c, enum deployment kind)
{
    struct deploy_set *set = c->facts->set;

    if (set == NULL)
        return;
    c->set_at[set->count] = c->at[kind];
    c->set_cost[set->count++] = c->cost[kind];
}

static bool fill_deploy_rows(struct choosing *c, const enum deployment *order, size_t count,
                             struct plan_result *res)
{
    struct plan_deployment *rows =
        arena_array(c->w->arena, struct plan_deployment, DEPLOYMENTS, c->err);
    size_t shown = 0;

    if (rows == NULL || !set_begin(c))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct deploy *d = &c->at[order[i]];
        double times = c->cost[order[i]].usd / c->cost[order[0]].usd;
        char why[DEPLOY_REASON];

        deploy_why(why, "costs %.0f times as much as the best", times);
        if (never_stops(c, order[i])) {
            if (!deploy_exclude(c, order[i], d->offer, "would never stop at this rate"))
                return false;
        } else if (times > ABSURD && !by_latency(c) && order[i] != DEPLOY_GPU) {
            if (!deploy_exclude(c, order[i], d->offer, why))
                return false;
        } else {
            set_add(c, order[i]);
            if (!fill_deploy_row(c, order[i], order[0], &rows[shown++]))
                return false;
        }
    }
    res->deployments = (struct rows){rows, shown};
    res->excluded = (struct rows){c->excluded, c->excluded_count};
    return true;
}

/* What is in the table, and what could be at another rate. */
static struct deploy *all_choices(struct choosing *c, const enum deployment *order,
                                  size_t *count)
{
    struct deploy *choices =
        arena_array(c->w->arena, struct deploy, *count + c->other_count, c->err);
    size_t kept = 0;

    if (choices == NULL)
        return NULL;
    for (size_t i = 0; i < *count; i++)
        if (!is_conditional(c, order[i]))
            choices[kept++] = c->at[order[i]];
    for (size_t i = 0; i < c->other_count; i++)
        choices[kept++] = c->others[i];
    *count = kept;
    return choices;
}

static bool fill_deploy_volumes(struct choosing *c, const enum deployment *order, size_t count,
                                struct plan_result *res)
{
    struct deploy *choices = all_choices(c, order, &count);
    struct deploy_span *spans =
        arena_array(c->w->arena, struct deploy_span, DEPLOY_SPANS, c->err);
    struct plan_volume *rows =
        arena_array(c->w->arena, struct plan_volume, DEPLOY_SPANS, c->err);
    double from = fmax(DEPLOY_LEAST_RATE, c->rate / FAR), to = fmin(MOST_RATE, c->rate * FAR);
    size_t found;

    if (choices == NULL || spans == NULL || rows == NULL)
        return false;
    if (c->facts->set != NULL) {
        c->facts->set->choices = choices;
        c->facts->set->choice_count = count;
    }
    to = deploy_reach(choices, count, c->rate, to);
    if (!(from < to))
        return true;
    found = deploy_cheapest(choices, count, &c->demand, from, to, spans, DEPLOY_SPANS);
    found = deploy_join_spans(choices, spans, found);
    for (size_t i = 0; i < found; i++) {
        const struct deploy *d = &choices[spans[i].choice];
        bool first = !(spans[i].from > from), last = i + 1 == found;

        rows[i] = (struct plan_volume){
            .deployment = str_from(deployment_names[d->kind]),
            .offer = d->offer,
            .from_rate = first ? NAN : spans[i].from,
            .to_rate = last ? NAN : spans[i].to,
            .from_month = first ? NAN : month_of(c, spans[i].from),
            .to_month = last ? NAN : month_of(c, spans[i].to),
        };
    }
    res->volumes = (struct rows){rows, found};
    return true;
}

/* ---- what a narrower precision would change ---- */

static bool note_int8(const struct choosing *c)
{
    static const enum deployment kinds[] = {DEPLOY_CPU, DEPLOY_SERVERLESS};
    struct job job = *c->job;
    struct choosing narrow = {.w = c->w,
                              .facts = c->facts,
                              .job = &job,
                              .rate = c->rate,
                              .hours_per_day = c->hours_per_day,
                              .demand = c->demand,
                              .drift = c->drift,
                              .product_ages = c->product_ages,
                              .worth_checking_usd = INFINITY,
                              .quiet = true,
                              .err = c->err};

    job.infer.weights = STR("int8");
    if (c->job->infer.weights.len > 0 || deploy_only_gpus(c))
        return true;
    if (!deploy_add_cpus(&narrow) || !deploy_add_products(&narrow, false))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        enum deployment kind = kinds[i];
        char less[32], more[32];

        deploy_dollar_words(c, narrow.cost[kind].usd, less);
        deploy_dollar_words(c, c->cost[kind].usd, more);
        if (narrow.have[kind] && c->have[kind] &&
            narrow.cost[kind].usd < WORTH_NOTING * c->cost[kind].usd &&
            !plan_note(c->w, c->err,
                       "with int8 weights (--set weights=int8), %s%s costs %s a month instead "
                       "of %s",
                       kind == DEPLOY_CPU ? "a " : "", deployment_names[kind], less, more))
            return false;
    }
    return true;
}

/* How rough the best is, where it runs on vCPUs. */
static bool note_rough(const struct choosing *c, enum deployment best)
{
    const struct deploy *d = &c->at[best];
    double promised = span_in_seconds(c->w->job->infer.slo.p95), late = p95_at(c, best, P90);
    const char *then = isnan(late)                           ? "one machine more is needed"
                       : promised > 0 && !(late <= promised) ? "it misses the latency target"
                                                             : NULL;

    if (d->accelerator.len > 0 || d->tokens != NULL || d->kind == DEPLOY_MEASURED)
        return true;
    return plan_note(c->w, c->err,
                     "speed on vCPUs is a rough estimate: 8 of 10 are between half and "
                     "twice%s%s; measure before you rely on it",
                     then != NULL ? ", and at half " : "", then != NULL ? then : "");
}

/* The best has an old price because most of its kind have. */
static bool note_mostly_old(const struct choosing *c, enum deployment best)
{
    const struct deploy *d = &c->at[best];
    bool by_use = d->kind == DEPLOY_SERVERLESS || d->kind == DEPLOY_SERVERLESS_GPU;

    return !d->old || d->premium > 0 || d->kind == DEPLOY_GPU ||
           plan_note(c->w, c->err,
                     "most prices of %s are too old to rely on, so all are compared as they "
                     "are: check the provider's price list",
                     d->kind == DEPLOY_API ? "hosted APIs"
                     : by_use              ? "serverless products"
                                           : "machines");
}

/* What would be the cheapest, were it not for the age of its price: in the table a newer one of
 * its kind may be instead. */
static bool note_worth_checking(const struct choosing *c, enum deployment best)
{
    const struct deploy *d = &c->worth_checking;
    char dollars[32];
    struct buf date;
    bool ok;

    if (!(c->worth_checking_usd < 0.995 * c->cost[best].usd) || by_latency(c) ||
        str_eq(d->offer, c->at[d->kind].offer))
        return true;
    deploy_dollar_words(c, c->worth_checking_usd, dollars);
    date = buf_new(c->w->arena->alloc, 16);
    day_write(d->date, &date);
    ok =
        plan_note(c->w, c->err,
                  "worth checking: %s, %.*s, would cost %s a month, were its price still that "
                  "of %.*s (%lld days old)",
                  deployment_names[d->kind], STR_ARG(d->offer), dollars, (int)date.len,
                  date.at != NULL ? date.at : "", (long long)(day_of(c->w->now).n - d->date.n));
    buf_free(&date);
    return ok;
}

bool deploy_fill_record(struct choosing *c, struct plan_result *res)
{
    enum deployment order[DEPLOYMENTS];
    size_t count;

    if (!set_old_aside(c))
        return false;
    count = sort_kinds(c, order);
    return fill_deploy_rows(c, order, count, res) &&
           fill_deploy_volumes(c, order, count, res) &&
           (count == 0 || (note_rough(c, order[0]) && note_mostly_old(c, order[0]) &&
                           note_worth_checking(c, order[0]))) &&
           note_int8(c);
}
