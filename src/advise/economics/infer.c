#include "advise/economics/infer.h"

#include <math.h>

#include "estimate/model/choose.h"
#include "estimate/serving/cpu.h"

#define MONTH_HOURS_SERVED (30 * 24.0)
#define FAR 1e4 /* times the rate: as far as break-even volumes are looked for */
#define HALVINGS 40
#define MOST_EVENS (DEPLOYMENTS * (DEPLOYMENTS - 1) / 2)
#define TINY 1e-9

static const struct field row_fields[] = {
    FIELD(RECORD, infer_row, at, .row = &plan_deployment_fields, .inlined = true,
          .help = "deployment, as in 'stint plan --serve'"),
    FIELD(SHARE, infer_row, utilization,
          .help = "utilization of what its machines can serve in time; null: paid by use"),
    FIELD(USD, infer_row, per_thousand, .help = "cost of 1,000 predictions"),
    FIELD(USD, infer_row, per_thousand_used,
          .help = "cost of 1,000 predictions at the capacity used"),
    FIELD(USD, infer_row, per_million_input, .help = "cost of a million input tokens"),
    FIELD(USD, infer_row, per_million_input_used,
          .help = "cost of a million input tokens at the capacity used"),
    FIELD(USD, infer_row, per_million_output, .help = "cost of a million output tokens"),
    FIELD(USD, infer_row, per_million_output_used,
          .help = "cost of a million output tokens at the capacity used"),
    FIELD(USD, infer_row, fixed_cost,
          .help = "monthly cost with the machines of the peak at all times"),
    FIELD(NUMBER, infer_row, starts, .help = "machine starts per month as traffic grows"),
    FIELD(NUMBER, infer_row, start_s, .help = "duration of a start, s"),
};
const struct field_set infer_row_fields = FIELD_SET(struct infer_row, row_fields);

static const struct field even_fields[] = {
    FIELD(TEXT, infer_even, cheaper, .help = "cheaper deployment at the given rate"),
    FIELD(TEXT, infer_even, other, .help = "deployment it is compared with"),
    FIELD(NUMBER, infer_even, below_rate,
          .help = "requests/s on average below which the other costs less; null: none"),
    FIELD(NUMBER, infer_even, above_rate,
          .help = "requests/s on average above which the other costs less; null: none"),
    FIELD(NUMBER, infer_even, below_month,
          .help = "requests/month below which the other costs less"),
    FIELD(NUMBER, infer_even, above_month,
          .help = "requests/month above which the other costs less"),
};
const struct field_set infer_even_fields = FIELD_SET(struct infer_even, even_fields);

static const struct field batching_fields[] = {
    FIELD(TEXT, infer_batching, deployment, .help = "first deployment on a GPU"),
    FIELD(TEXT, infer_batching, offer, .help = "provider/region/instance or product"),
    FIELD(NUMBER, infer_batching, batch, .help = "requests processed together, on average"),
    FIELD(NUMBER, infer_batching, p95_s, .help = "95th percentile of the latency, s"),
    FIELD(USD, infer_batching, cost, .help = "monthly cost"),
    FIELD(NUMBER, infer_batching, machines, .help = "machines at the peak"),
    FIELD(NUMBER, infer_batching, alone_p95_s,
          .help = "95th percentile of the latency with one request at a time, s"),
    FIELD(USD, infer_batching, alone_cost, .help = "monthly cost with one request at a time"),
    FIELD(NUMBER, infer_batching, alone_machines,
          .help = "machines with one request at a time"),
};
const struct field_set infer_batching_fields =
    FIELD_SET(struct infer_batching, batching_fields);

static const struct field decision_fields[] = {
    FIELD(TEXT, infer_decision, question, .help = "latency or traffic"),
    FIELD(TEXT, infer_decision, answer, .help = "answer: class of the job"),
    FIELD(TEXT, infer_decision, rule, .help = "choice of the rule of thumb"),
    FIELD(TEXT, infer_decision, choice, .empty_unknown = true,
          .help = "cheapest deployment that follows it"),
    FIELD(USD, infer_decision, cost, .help = "monthly cost of that deployment"),
    FIELD(NUMBER, infer_decision, more_usd, .help = "extra monthly cost over the best"),
    FIELD(TEXT, infer_decision, verdict, .help = "agrees, disagrees or cannot be followed"),
};
const struct field_set infer_decision_fields =
    FIELD_SET(struct infer_decision, decision_fields);

static const struct field payback_fields[] = {
    FIELD(TEXT, infer_payback, deployment, .help = "best deployment afterwards"),
    FIELD(NUMBER, infer_payback, speedup, .help = "speedup, times"),
    FIELD(NUMBER, infer_payback, months, .help = "months to pay it back"),
    FIELD(USD, infer_payback, cost, .help = "monthly cost afterwards"),
    FIELD_AS("savings", USD, infer_payback, saves, .help = "monthly savings"),
    FIELD(USD, infer_payback, max_cost, .help = "highest cost that is paid back in time"),
    FIELD(USD, infer_payback, per_thousand, .help = "cost of 1,000 predictions afterwards"),
};
const struct field_set infer_payback_fields = FIELD_SET(struct infer_payback, payback_fields);

static const struct field compression_fields[] = {
    FIELD(TEXT, infer_compression, kind, .help = "quantization, pruning or distillation"),
    FIELD(TEXT, infer_compression, method, .help = "method"),
    FIELD(TEXT, infer_compression, precision, .empty_unknown = true,
          .help = "formats of a quantization; of pruning, its risk in words"),
    FIELD(NUMBER, infer_compression, size_low, .help = "times smaller, at least"),
    FIELD(NUMBER, infer_compression, size_high, .help = "times smaller, at most"),
    FIELD(NUMBER, infer_compression, cpu_low, .help = "times faster on a CPU, at least"),
    FIELD(NUMBER, infer_compression, cpu_high, .help = "times faster on a CPU, at most"),
    FIELD(NUMBER, infer_compression, gpu_low, .help = "times faster on a GPU, at least"),
    FIELD(NUMBER, infer_compression, gpu_high, .help = "times faster on a GPU, at most"),
    FIELD(SHARE, infer_compression, loss_low, .help = "lowest loss of accuracy"),
    FIELD(SHARE, infer_compression, loss_high, .help = "highest loss of accuracy"),
    FIELD(TEXT, infer_compression, needs, .help = "requirements to make it"),
    FIELD(TEXT, infer_compression, deployment, .empty_unknown = true,
          .help = "cheapest deployment afterwards; null: none is known"),
    FIELD(USD, infer_compression, cost, .help = "monthly cost afterwards"),
    FIELD(USD, infer_compression, per_thousand, .help = "cost of 1,000 predictions afterwards"),
    FIELD(USD, infer_compression, per_thousand_low,
          .help = "cost of 1,000 predictions at the highest speed"),
    FIELD(USD, infer_compression, per_thousand_high,
          .help = "cost of 1,000 predictions at the lowest speed"),
    FIELD(USD, infer_compression, per_thousand_used,
          .help = "cost of 1,000 predictions at the capacity used, in the middle of the range"),
    FIELD_AS("savings", NUMBER, infer_compression, saving,
             .help = "savings as a share of the cheapest way of your own as it is; negative: "
                     "it costs more"),
    FIELD(TEXT, infer_compression, notes, .empty_unknown = true, .help = "use it is meant for"),
};
const struct field_set infer_compression_fields =
    FIELD_SET(struct infer_compression, compression_fields);

static const struct field hour_fields[] = {
    FIELD(COUNT, infer_hour, hour, .help = "hour of the day, or of the week from Monday"),
    FIELD(NUMBER, infer_hour, rate,
          .help = "requests/s in this hour, those from the cache included"),
    FIELD(NUMBER, infer_hour, machines, .help = "machines that serve; null: paid by use"),
    FIELD(USD, infer_hour, cost, .help = "cost of this hour"),
};
const struct field_set infer_hour_fields = FIELD_SET(struct infer_hour, hour_fields);

/* ---- what all parts need ---- */

struct answering {
    const struct infer_ask *ask;
    const struct deploy_set *set;
    const struct plan_deployment *plan; /* rows of the plan, as many as the set has */
    struct arena *arena;
    struct infer_answer *out;
};

static double mean_share(const struct infer_ask *ask)
{
    return ask->traffic != NULL ? deploy_mean_share(ask->traffic) : 1;
}

/* From the rate of the set (of the peak, without what the cache answers) to the mean rate
 * of all requests. */
static double to_mean(const struct infer_ask *ask)
{
    return mean_share(ask) / (1 - ask->cache_hits);
}

static double requests_of(const struct infer_ask *ask, double mean_rate)
{
    return mean_rate * 30 * 3600 * ask->hours_per_day;
}

/* The row's cost is the planner's; what is computed by deploy_month() is a factor on it. */
static double scaled_usd(const struct answering *a, size_t i, const struct deploy *other)
{
    const struct deploy *d = &a->set->at[i];
    double usd_row = usd_double(a->plan[i].cost);
    struct deploy_cost now, then;

    if (!deploy_month(d, &a->set->demand, a->set->rate, &now) ||
        !deploy_month(other, &a->set->demand, a->set->rate, &then))
        return (double)NAN;
    return now.usd > 0 ? usd_row * then.usd / now.usd : then.usd;
}

static size_t best_at(const struct answering *a)
{
    for (size_t i = 0; i < a->set->count; i++)
        if (a->plan[i].best)
            return i;
    return a->set->count;
}

/* ---- the rows ---- */

static double utilization_of(const struct answering *a, size_t i)
{
    const struct deploy *d = &a->set->at[i];
    const struct deploy_cost *c = &a->set->cost[i];
    double can = c->machines / d->machines_each * d->copies_each * d->most_rate;

    if (d->paid != NULL || d->tokens != NULL)
        return (double)NAN;
    if (a->ask->traffic != NULL || !isnan(d->cold_s))
        return c->busy;
    return can > 0 ? fmin(1, a->set->rate / can) : (double)NAN;
}

static usd per(double amount, double count, double of)
{
    return count > 0 && !isnan(amount) ? usd_from(amount / count * of) : USD_UNKNOWN;
}

static void fill_infer_row(const struct answering *a, size_t i, struct infer_row *row)
{
    const struct deploy *d = &a->set->at[i];
    const struct deploy_cost *c = &a->set->cost[i];
    double cost = usd_double(a->plan[i].cost), requests = a->out->requests_month;
    double factor = to_mean(a->ask);
    double used, in, out_tokens = requests * a->ask->output;

    *row = (struct infer_row){.at = a->plan[i], .starts = NAN, .start_s = NAN};
    row->at.cheaper_below *= factor;
    row->at.cheaper_above *= factor;
    row->at.per_million_requests = per(cost, requests, 1e6);
    row->utilization = utilization_of(a, i);
    used = cost * (isnan(row->utilization) ? 1 : row->utilization);
    in = d->input_share;
    row->per_thousand = per(cost, requests, 1e3);
    row->per_thousand_used = per(used, requests, 1e3);
    row->per_million_input = per(cost * in, requests * a->ask->input, 1e6);
    row->per_million_input_used = per(used * in, requests * a->ask->input, 1e6);
    row->per_million_output = per(cost * (1 - in), out_tokens, 1e6);
    row->per_million_output_used = per(used * (1 - in), out_tokens, 1e6);
    row->fixed_cost = usd_from(c->fixed_usd);
    if (a->ask->traffic != NULL && d->paid == NULL && d->tokens == NULL) {
        row->starts = c->starts;
        row->start_s = d->start_s;
    }
}

static bool fill_infer_rows(struct answering *a, struct error *err)
{
    struct infer_row *rows = arena_array(a->arena, struct infer_row, a->set->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < a->set->count; i++)
        fill_infer_row(a, i, &rows[i]);
    a->out->rows = (struct rows){rows, a->set->count};
    return true;
}

/* The planner's, in mean rates of all requests. */
static bool fill_infer_volumes(struct answering *a, struct error *err)
{
    const struct plan_volume *from = a->ask->plan->volumes.at;
    size_t count = a->ask->plan->volumes.len;
    struct plan_volume *rows = arena_array(a->arena, struct plan_volume, count, err);
    double rate = to_mean(a->ask), month = 1 / (1 - a->ask->cache_hits);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        rows[i] = from[i];
        rows[i].from_rate *= rate;
        rows[i].to_rate *= rate;
        rows[i].from_month *= month;
        rows[i].to_month *= month;
    }
    a->out->volumes = (struct rows){rows, count};
    return true;
}

/* ---- break-even of each pair ---- */

/* Each at any rate by the cheapest of its kind, as in the volumes. */
static bool even_of(const struct answering *a, size_t cheap, size_t dear,
                    struct infer_even *out, struct error *err)
{
    const struct deploy_set *set = a->set;
    double low = fmax(1e-7, set->rate / FAR), high = fmin(1e9, set->rate * FAR);
    double k = to_mean(a->ask);
    struct deploy *pair = arena_array(a->arena, struct deploy, 2 + set->choice_count, err);
    struct deploy_change change;
    size_t count;

    if (pair == NULL)
        return false;
    count = deploy_pair(&set->at[cheap], &set->at[dear], set->choices, set->choice_count, pair);
    change = deploy_change_of(pair, count, pair[1].kind, &set->demand, set->rate, low, high);
    *out = (struct infer_even){.cheaper = a->plan[cheap].deployment,
                               .other = a->plan[dear].deployment,
                               .below_rate = change.below * k,
                               .above_rate = change.above * k,
                               .below_month = requests_of(a->ask, change.below * k),
                               .above_month = requests_of(a->ask, change.above * k)};
    return true;
}

/* Of a month at the rate that was asked for, at the price that is shown. */
static double shown_usd(const struct deploy_set *set, size_t at)
{
    const struct deploy *d = &set->at[at];

    return deploy_usd(d, &set->demand, set->rate) / (1 + d->premium);
}

static bool fill_evens(struct answering *a, struct error *err)
{
    struct infer_even *rows = arena_array(a->arena, struct infer_even, MOST_EVENS, err);
    const struct deploy_set *set = a->set;
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < set->count; i++)
        for (size_t k = i + 1; k < set->count && count < MOST_EVENS; k++) {
            bool first = shown_usd(set, i) <= shown_usd(set, k);

            if (!even_of(a, first ? i : k, first ? k : i, &rows[count++], err))
                return false;
        }
    a->out->evens = (struct rows){rows, count};
    return true;
}

/* The cheapest of its kind at that rate, as in the break-even volumes. */
double infer_month_usd(const struct infer_ask *ask, size_t at, double rate)
{
    const struct deploy_set *set = ask->set;
    const struct deploy *way = &set->at[at];
    double least = deploy_usd(way, &set->demand, rate / to_mean(ask)) / (1 + way->premium);

    for (size_t i = 0; i < set->choice_count && way->condition.len == 0; i++) {
        const struct deploy *d = &set->choices[i];

        if (d->kind == way->kind)
            least = fmin(least,
                         deploy_usd(d, &set->demand, rate / to_mean(ask)) / (1 + d->premium));
    }
    return isfinite(least) ? least : (double)NAN;
}

/* The way of the table that is of this kind; the number of ways: none is. */
static size_t way_of_kind(const struct deploy_set *set, enum deployment kind)
{
    size_t i = 0;

    while (i < set->count && set->at[i].kind != kind)
        i++;
    return i;
}

size_t infer_changes(const struct infer_ask *ask, double from, double to,
                     struct infer_change *out, size_t most)
{
    const struct deploy_set *set = ask->set;
    struct deploy_span spans[DEPLOY_SPANS];
    double k = to_mean(ask);
    size_t found, count = 0;

    to = deploy_reach(set->choices, set->choice_count, set->rate, to / k);
    found = deploy_cheapest(set->choices, set->choice_count, &set->demand, from / k, to, spans,
                            DEPLOY_SPANS);
    found = deploy_join_spans(set->choices, spans, found);
    for (size_t i = 0; i + 1 < found && count < most; i++) {
        size_t way = way_of_kind(set, set->choices[spans[i].choice].kind);

        if (way < set->count)
            out[count++] = (struct infer_change){spans[i].to * k, way};
    }
    return count;
}

/* ---- batching ---- */

static bool alone_keeps(const struct answering *a, const struct deploy *d, double rate)
{
    struct serving_load load = queue_load(d->service_s, d->first_s, rate);

    return serving_keeps_up(a->set->demand.slo, &load);
}

/* The most requests a second of a copy that works on one at a time; 0: not even one alone. */
static double alone_rate(const struct answering *a, const struct deploy *d)
{
    double low = 0, high = 1 / d->service_s;

    if (!(high > 0) || !alone_keeps(a, d, high * TINY))
        return 0;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;

        *(alone_keeps(a, d, middle) ? &low : &high) = middle;
    }
    return low;
}

static bool batches(const struct deploy *d)
{
    return d->accelerator.len > 0 && d->paid == NULL && d->tokens == NULL && d->service_s > 0 &&
           isnan(d->cold_s);
}

static bool fill_batching(struct answering *a, struct error *err)
{
    struct infer_batching *row = arena_array(a->arena, struct infer_batching, 1, err);
    const struct deploy_set *set = a->set;
    size_t i = 0;
    struct deploy alone;
    double copies;

    if (row == NULL)
        return false;
    while (i < set->count && !batches(&set->at[i]))
        i++;
    if (i == set->count)
        return true;
    alone = set->at[i];
    alone.most_rate = alone_rate(a, &alone);
    *row = (struct infer_batching){.deployment = a->plan[i].deployment,
                                   .offer = a->plan[i].offer,
                                   .batch = set->at[i].warm.batch,
                                   .p95_s = a->plan[i].p95_s,
                                   .cost = a->plan[i].cost,
                                   .machines = deploy_machines(&set->at[i], set->rate),
                                   .alone_p95_s = NAN,
                                   .alone_cost = USD_UNKNOWN,
                                   .alone_machines = NAN};
    if (alone.most_rate > 0) {
        copies = fmax(1, ceil(set->rate / alone.most_rate - TINY));
        row->alone_p95_s =
            queue_load(alone.service_s, alone.first_s, set->rate / copies).request_p95;
        row->alone_cost = usd_from(scaled_usd(a, i, &alone));
        row->alone_machines = deploy_machines(&alone, set->rate);
    }
    a->out->batching = (struct rows){row, 1};
    return true;
}

/* ---- the same requests without a deadline for each ---- */

static void fill_batch(struct answering *a)
{
    a->out->batch_cost = USD_UNKNOWN;
    a->out->batch_hours = NAN;
    for (size_t i = 0; i < a->set->count; i++) {
        const struct deploy *d = &a->set->at[i];
        double served = a->out->requests_month * (1 - a->ask->cache_hits);
        double each = d->warm.max_rate * d->copies_each / d->machines_each;

        if (d->kind != DEPLOY_GPU || !(each > 0) || !isfinite(each))
            continue;
        a->out->batch_hours = served / each / 3600;
        a->out->batch_cost = usd_from(a->out->batch_hours * usd_per_hour_double(d->price));
    }
}

/* ---- the decision tree ---- */

/* Of the kinds with these bits, the cheapest way of the table; the set's count: none. */
static size_t cheapest_infer_row(const struct answering *a, unsigned kinds)
{
    for (size_t i = 0; i < a->set->count; i++)
        if ((kinds & 1u << a->set->at[i].kind) != 0 && a->set->at[i].condition.len == 0)
            return i;
    return a->set->count;
}

static struct infer_decision decide_infer(const struct answering *a, const char *question,
                                          const char *answer, const char *rule, unsigned kinds)
{
    size_t best = best_at(a), choice = cheapest_infer_row(a, kinds);
    struct infer_decision d = {.question = str_from(question),
                               .answer = str_from(answer),
                               .rule = str_from(rule),
                               .cost = USD_UNKNOWN,
                               .more_usd = NAN,
                               .verdict = STR("cannot be followed")};

    if (choice == a->set->count || best == a->set->count)
        return d;
    d.choice = a->plan[choice].deployment;
    d.cost = a->plan[choice].cost;
    d.more_usd = usd_double(d.cost) - usd_double(a->plan[best].cost);
    d.verdict = choice == best ? STR("agrees") : STR("disagrees");
    return d;
}

#define KIND(name) (1u << DEPLOY_##name)
#define MACHINES (KIND(GPU) | KIND(CPU) | KIND(MANAGED))
#define BY_USE (KIND(SERVERLESS) | KIND(SERVERLESS_GPU) | KIND(TO_ZERO) | KIND(API))

static struct infer_decision decide_latency(const struct answering *a)
{
    double p95 = span_in_seconds(a->ask->slo->p95);
    const char *question = "latency";

    if (!(a->ask->slo->p95.ns > 0))
        return decide_infer(a, question, "no target", "any way: the cheapest", ~0u);
    if (p95 < 0.01)
        return decide_infer(a, question, "real-time (under 10 ms)", "GPU, optimized model",
                            KIND(GPU));
    if (p95 < 0.1)
        return decide_infer(a, question, "real-time (10 to 100 ms)", "GPU, or an optimized CPU",
                            KIND(GPU) | KIND(CPU));
    if (p95 <= 1)
        return decide_infer(a, question, "near-real-time (100 ms to 1 s)",
                            "CPU, quantized model", KIND(CPU) | KIND(SERVERLESS));
    return decide_infer(a, question, "batch (over 1 s)",
                        "batch inference: any way, the cheapest", ~0u);
}

static struct infer_decision decide_traffic(const struct answering *a)
{
    size_t machine = cheapest_infer_row(a, MACHINES);
    double busy = machine < a->set->count ? utilization_of(a, machine) : NAN;
    enum traffic_pattern pattern = traffic_pattern(a->ask->traffic);
    const char *question = "traffic";

    if (pattern == TRAFFIC_BURSTY)
        return decide_infer(a, question, "bursty", "scale to zero, serverless", BY_USE);
    if (a->set->cost[machine < a->set->count ? machine : 0].machines <= 1 && busy < 0.1)
        return decide_infer(a, question, "low (one machine is under 10 % busy)",
                            "scale to zero, serverless", BY_USE);
    if (pattern == TRAFFIC_VARIABLE)
        return decide_infer(a, question, "variable", "autoscaling with a minimum of machines",
                            MACHINES);
    return decide_infer(a, question, "constant", "machines that are reserved", MACHINES);
}

static bool fill_decisions(struct answering *a, struct error *err)
{
    struct infer_decision *rows = arena_array(a->arena, struct infer_decision, 2, err);

    if (rows == NULL)
        return false;
    rows[0] = decide_latency(a);
    rows[1] = decide_traffic(a);
    a->out->decisions = (struct rows){rows, 2};
    return true;
}

/* ---- what an optimization may cost ---- */

static bool fill_paybacks(struct answering *a, struct error *err)
{
    struct infer_payback *row = arena_array(a->arena, struct infer_payback, 1, err);
    size_t best = best_at(a), after = best;
    double least = INFINITY, saves;

    if (row == NULL)
        return false;
    if (best == a->set->count)
        return true;
    for (size_t i = 0; i < a->set->count; i++) {
        struct deploy faster = deploy_slowed(&a->set->at[i], 1 / a->ask->speedup);
        double cost = scaled_usd(a, i, &faster);

        if (a->set->at[i].condition.len > 0 || !(cost < least))
            continue;
        least = cost;
        after = i;
    }
    saves = fmax(0, usd_double(a->plan[best].cost) - least);
    *row = (struct infer_payback){.deployment = a->plan[after].deployment,
                                  .speedup = a->ask->speedup,
                                  .months = a->ask->months,
                                  .cost = usd_from(least),
                                  .saves = usd_from(saves),
                                  .max_cost = usd_from(saves * a->ask->months),
                                  .per_thousand = per(least, a->out->requests_month, 1e3)};
    a->out->paybacks = (struct rows){row, 1};
    return true;
}

/* ---- smaller models ---- */

/* Where in the range of its speed: 0 its low end, 1 its high end. */
static double kind_speed(const struct answering *a, size_t i, const struct compression_kind *k,
                         double where)
{
    bool gpu = a->plan[i].accelerator.len > 0;
    double low = gpu ? k->gpu_low : k->cpu_low, high = gpu ? k->gpu_high : k->cpu_high;

    if (a->ask->half && str_starts(k->method, STR("fp16")))
        return 1;
    return low * pow(high / low, where);
}

/* Can a smaller model be served so? What is hosted by others has their model. */
static bool serves_smaller(const struct answering *a, size_t i)
{
    return a->set->at[i].kind != DEPLOY_API && a->set->at[i].condition.len == 0;
}

/* A month in the cheapest of these ways with the model as it is: what smaller ones save. */
static double plain_month(const struct answering *a)
{
    double least = INFINITY;

    for (size_t i = 0; i < a->set->count; i++)
        if (serves_smaller(a, i))
            least = fmin(least, usd_double(a->plan[i].cost));
    return least;
}

/* A month in the cheapest way to serve the smaller model; infinite: none is known. */
static double compressed_month(const struct answering *a, const struct compression_kind *k,
                               double where, size_t *way)
{
    double least = INFINITY;

    for (size_t i = 0; i < a->set->count; i++) {
        double speed = kind_speed(a, i, k, where), cost;
        struct deploy faster;

        if (isnan(speed) || !serves_smaller(a, i))
            continue;
        faster = deploy_slowed(&a->set->at[i], 1 / speed);
        cost = scaled_usd(a, i, &faster);
        if (!(cost < least))
            continue;
        least = cost;
        *way = i;
    }
    return least;
}

/* That month if only what is used of the way's capacity were paid: with traffic that fills the
 * machines, where a faster model may not run on fewer of them now. */
static double compressed_used(const struct answering *a, const struct compression_kind *k,
                              double month, size_t way)
{
    double used = isfinite(month) ? utilization_of(a, way) : (double)NAN;

    return isnan(used) ? month
                       : usd_double(a->plan[way].cost) * used / kind_speed(a, way, k, 0.5);
}

static usd month_per_thousand(const struct answering *a, double month)
{
    return isfinite(month) ? per(month, a->out->requests_month, 1e3) : USD_UNKNOWN;
}

static void fill_compression(const struct answering *a, const struct compression_kind *k,
                             struct infer_compression *out)
{
    size_t way = 0, ignored = 0;
    double month = compressed_month(a, k, 0.5, &way), plain = plain_month(a);

    *out = (struct infer_compression){
        .kind = k->kind,
        .method = k->method,
        .precision = k->precision,
        .needs = k->needs,
        .notes = k->fact.notes,
        .size_low = k->size_low,
        .size_high = k->size_high,
        .cpu_low = k->cpu_low,
        .cpu_high = k->cpu_high,
        .gpu_low = k->gpu_low,
        .gpu_high = k->gpu_high,
        .loss_low = k->loss_low,
        .loss_high = k->loss_high,
        .cost = USD_UNKNOWN,
        .per_thousand = month_per_thousand(a, month),
        .per_thousand_low = month_per_thousand(a, compressed_month(a, k, 1, &ignored)),
        .per_thousand_high = month_per_thousand(a, compressed_month(a, k, 0, &ignored)),
        .per_thousand_used = month_per_thousand(a, compressed_used(a, k, month, way)),
        .saving = NAN};
    if (!isfinite(month))
        return;
    out->deployment = a->plan[way].deployment;
    out->cost = usd_from(month);
    if (isfinite(plain) && plain > 0)
        out->saving = 1 - month / plain;
}

static bool fill_compressions(struct answering *a, struct error *err)
{
    const struct rows *kinds = a->ask->compressions;
    struct infer_compression *rows;

    if (kinds == NULL)
        return true;
    rows = arena_array(a->arena, struct infer_compression, kinds->len, err);
    for (size_t i = 0; rows != NULL && i < kinds->len; i++)
        fill_compression(a, (const struct compression_kind *)kinds->at + i, &rows[i]);
    a->out->compressions = (struct rows){rows, kinds->len};
    return rows != NULL;
}

/* ---- hour by hour ---- */

static bool fill_hours(struct answering *a, struct error *err)
{
    const struct deploy_traffic *t = a->ask->traffic;
    size_t best = best_at(a);
    struct infer_hour *rows;

    if (t == NULL || best == a->set->count)
        return true;
    rows = arena_array(a->arena, struct infer_hour, t->hours, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < t->hours; i++) {
        const struct deploy *d = &a->set->at[best];
        double rate = a->set->rate * t->share[i];
        bool by_use = d->paid != NULL || d->tokens != NULL;
        struct deploy_cost c;
        bool known = deploy_hour(d, rate, &c);

        rows[i] = (struct infer_hour){.hour = (int64_t)i,
                                      .rate = rate / (1 - a->ask->cache_hits),
                                      .machines = by_use || !known ? (double)NAN : c.machines,
                                      .cost = known ? usd_from(c.usd / MONTH_HOURS_SERVED)
                                                    : USD_UNKNOWN};
    }
    a->out->hours = (struct rows){rows, t->hours};
    return true;
}

bool infer_answer(const struct infer_ask *ask, struct arena *arena, struct infer_answer *out,
                  struct error *err)
{
    struct answering a = {.ask = ask,
                          .set = ask->set,
                          .plan = ask->plan->deployments.at,
                          .arena = arena,
                          .out = out};

    *out = (struct infer_answer){.peak_rate = ask->set->rate / (1 - ask->cache_hits)};
    out->rate = ask->set->rate * to_mean(ask);
    out->requests_month = requests_of(ask, out->rate);
    fill_batch(&a);
    return fill_infer_rows(&a, err) && fill_infer_volumes(&a, err) && fill_evens(&a, err) &&
           fill_batching(&a, err) && fill_decisions(&a, err) && fill_paybacks(&a, err) &&
           fill_compressions(&a, err) && fill_hours(&a, err) &&
           infer_scale(ask->set, arena, &out->scaling, err);
}
