/* One side of a comparison, from records and from the files that they are written to. */
#include <math.h>
#include <string.h>

#include "advise/explain/change.h"
#include "base/num.h"
#include "doc/json_restore.h"
#include "estimate/job_estimate.h"
#include "job/choices.h"
#include "plan/file.h"

#define BASIS_MAX BUF_MAX_OUTPUT /* names of models may be long */
#define SECONDS_PER_HOUR 3600.0
#define ESTIMATE_SCHEMA "stint.estimate/1"

static struct guess scale_guess(struct guess g, double by)
{
    return (struct guess){g.value * by, g.low * by, g.high * by};
}

/* Another value with the relative range of a guess. */
static struct guess ranged(double value, struct guess like)
{
    return like.value > 0 ? scale_guess(like, value / like.value)
                          : (struct guess){value, NAN, NAN};
}

static struct guess guess_dollars(usd value, usd low, usd high)
{
    return (struct guess){usd_double(value), usd_double(low), usd_double(high)};
}

static struct change_side unknown_side(enum change_source source)
{
    struct change_side side = {.source = source,
                               .cost = USD_UNKNOWN,
                               .price = USD_PER_HOUR_UNKNOWN,
                               .price_width = NAN,
                               .price_date = DAY_UNKNOWN,
                               .variation = NAN};

    for (int m = 0; m < CHANGE_MEASURES; m++)
        side.amount[m] = (struct guess){NAN, NAN, NAN};
    return side;
}

/* From a price to its 90th percentile. */
static double relative_price_width(usd_per_hour price, usd_per_hour high)
{
    return price.nano > 0 && high.nano >= price.nano
               ? log((double)high.nano / (double)price.nano)
               : NAN;
}

/* What the error of a prediction depends on, as one text. */
static bool keep_basis(const struct str *parts, size_t count, int64_t gpus, int64_t machines,
                       struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BASIS_MAX);

    for (size_t i = 0; i < count; i++) {
        buf_add(&text, parts[i]);
        buf_char(&text, '|');
    }
    buf_addf(&text, "%lld|%lld", (long long)gpus, (long long)machines);
    return buf_keep(&text, arena, out, err);
}

/* "provider/region/instance:market". */
static bool keep_offer(struct str offer, struct str market, struct arena *arena,
                       struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BASIS_MAX);

    if (offer.len == 0)
        return true;
    buf_add(&text, offer);
    if (market.len > 0 && memchr(offer.at, ':', offer.len) == NULL) {
        buf_char(&text, ':');
        buf_add(&text, market);
    }
    return buf_keep(&text, arena, out, err);
}

bool change_from_estimate(const struct estimate *e, struct arena *arena,
                          struct change_side *out, struct error *err)
{
    bool serves = e->kind == JOB_INFER;
    struct str method =
        (int)e->method >= 0 ? str_from(method_names[e->method]) : (struct str){0};
    const struct str parts[] = {e->model, method, e->precision, e->framework, e->accelerator};

    *out = unknown_side(CHANGE_ESTIMATE);
    out->name = e->name;
    out->unit = STR("job");
    out->cost = e->total;
    out->price = e->price;
    out->price_width = relative_price_width(e->price, e->price_high);
    out->price_date = e->price_date;
    out->amount[CHANGE_COST] = guess_dollars(e->total, e->total_low, e->total_high);
    out->amount[CHANGE_TIME] = serves ? ranged(e->p95_s, e->request_s)
                                      : ranged(e->wall_hours * SECONDS_PER_HOUR, e->hours);
    out->amount[CHANGE_ENERGY] = e->energy_kwh;
    out->amount[CHANGE_THOUSAND] = e->usd_per_thousand;
    return keep_basis(parts, ARRAY_LEN(parts), e->gpus, e->nodes, arena, &out->basis, err) &&
           keep_offer(e->offer, e->market, arena, &out->offer, err);
}

/* Serving: the best way to deploy, for a month. */
static bool from_deployment(const struct plan_result *plan, struct arena *arena,
                            struct change_side *out, struct error *err)
{
    const struct plan_deployment *best = plan->deployments.at;
    const struct str parts[] = {plan->model, best->deployment, best->accelerator,
                                best->setting};
    struct guess cost = guess_dollars(best->cost, best->cost_low, best->cost_high);

    out->cost = best->cost;
    out->price = best->price;
    out->price_date = best->price_date;
    out->amount[CHANGE_COST] = cost;
    out->amount[CHANGE_TIME] = (struct guess){best->p95_s, best->p95_low_s, best->p95_high_s};
    out->amount[CHANGE_THOUSAND] = ranged(usd_double(best->per_million_requests) / 1e3, cost);
    return keep_basis(parts, ARRAY_LEN(parts), 0, best->machines, arena, &out->basis, err) &&
           keep_offer(best->offer, (struct str){0}, arena, &out->offer, err);
}

static bool from_plan_row(const struct plan_result *plan, struct arena *arena,
                          struct change_side *out, struct error *err)
{
    const struct plan_row *best = plan->plans.at;
    const struct str parts[] = {plan->model, best->method, best->precision, best->framework,
                                best->accelerator};

    out->cost = best->cost;
    out->price = best->price;
    out->price_width = relative_price_width(best->price, best->price_high);
    out->price_date = best->price_date;
    out->amount[CHANGE_COST] = guess_dollars(best->cost, best->cost_low, best->cost_high);
    out->amount[CHANGE_TIME] = scale_guess(best->hours, SECONDS_PER_HOUR);
    /* Power is steadier than time: energy is as uncertain as the time is. */
    out->amount[CHANGE_ENERGY] = ranged(best->kwh, best->hours);
    return keep_basis(parts, ARRAY_LEN(parts), best->gpus, best->machines, arena, &out->basis,
                      err) &&
           keep_offer(best->offer, plan_row_market(best), arena, &out->offer, err);
}

bool change_from_plan(const struct plan_result *plan, struct arena *arena,
                      struct change_side *out, struct error *err)
{
    *out = unknown_side(CHANGE_PLAN);
    out->name = plan->name;
    out->unit = plan->unit;
    if (plan->deployments.len > 0)
        return from_deployment(plan, arena, out, err);
    if (plan->plans.len > 0)
        return from_plan_row(plan, arena, out, err);
    if (plan->together.nano != MONEY_UNKNOWN && plan->slots.len > 0) { /* several jobs */
        out->cost = plan->together;
        out->amount[CHANGE_COST] = (struct guess){usd_double(plan->together), NAN, NAN};
        return true;
    }
    error_set(err, ERROR_INPUT, "it holds no plan");
    error_hint(err, "none was possible when it was written: plan again");
    return false;
}

/* ---- files ---- */

static const struct node *find_side_member(const struct node *map, const char *key)
{
    return map != NULL && map->kind == NODE_MAP ? node_get(map, str_from(key)) : NULL;
}

/* A number below `map`: NaN when there is none; false when it is something else, or
 * negative. */
static bool side_number(const struct node *map, const char *key, double *out, struct error *err)
{
    const struct node *node = find_side_member(map, key);

    *out = NAN;
    if (node == NULL || node->kind == NODE_NULL)
        return true;
    if (node->kind == NODE_SCALAR && num_read(node->text, out) && *out >= 0)
        return true;
    *out = NAN;
    return error_fail(err, ERROR_INPUT, "%s: expected a number that is not negative", key);
}

/* The first of these keys that has a number. */
static bool first_side_number(const struct node *map, const char *const *keys, double *out,
                              struct error *err)
{
    *out = NAN;
    for (; *keys != NULL && isnan(*out); keys++)
        if (!side_number(map, *keys, out, err))
            return false;
    return true;
}

/* cost_analysis.json: what the work cost where it ran, which other tools that write this file
 * call the local cost. */
static bool from_report(const struct node *root, struct change_side *out, struct error *err)
{
    static const char *const cost_keys[] = {"cost_usd", "cost_local_usd", NULL};
    static const char *const thousand_keys[] = {"cost_per_1k_usd", "cost_per_1k", NULL};
    const struct node *parts = find_side_member(root, "cost_breakdown"),
                      *training = find_side_member(parts, "training"),
                      *inference = find_side_member(parts, "inference");
    double cost, hours, kwh, error, thousand;

    *out = unknown_side(CHANGE_REPORT);
    out->unit = STR("job");
    if (!first_side_number(training, cost_keys, &cost, err) ||
        !side_number(training, "time_hours", &hours, err) ||
        !side_number(training, "energy_kwh", &kwh, err) ||
        !side_number(training, "energy_error", &error, err) ||
        !first_side_number(inference, thousand_keys, &thousand, err))
        return false;
    out->cost = usd_from(cost);
    out->amount[CHANGE_COST].value = usd_double(out->cost); /* unknown when too large */
    out->amount[CHANGE_TIME].value = hours * SECONDS_PER_HOUR;
    out->amount[CHANGE_ENERGY] = change_range(kwh, log1p(error));
    out->amount[CHANGE_THOUSAND].value = thousand;
    return true;
}

static bool from_estimate_file(const struct node *root, const char *name, struct arena *arena,
                               struct change_side *out, struct error *err)
{
    struct estimate *estimate = arena_array(arena, struct estimate, 1, err);

    return estimate != NULL &&
           json_restore(&estimate_fields, root, name, estimate, arena, err) &&
           change_from_estimate(estimate, arena, out, err);
}

static bool from_plan_file(struct str text, const char *name, struct arena *arena,
                           struct change_side *out, struct error *err)
{
    struct plan_result *plan = arena_array(arena, struct plan_result, 1, err);

    if (plan == NULL || !plan_file_parse(text, name, arena, plan, err))
        return false;
    if (change_from_plan(plan, arena, out, err))
        return true;
    error_place(err, name);
    return false;
}

bool change_side_parse(struct str text, const char *name, struct arena *arena,
                       struct change_side *out, struct error *err)
{
    const struct node *root = json_read(text, name, arena, err), *schema;

    if (root == NULL)
        return false;
    if (find_side_member(root, "cost_breakdown") != NULL) {
        if (from_report(root, out, err))
            return true;
        error_place(err, name);
        return false;
    }
    schema = find_side_member(root, "schema");
    if (schema != NULL && schema->kind == NODE_SCALAR) {
        if (str_eq(schema->text, STR(ESTIMATE_SCHEMA)))
            return from_estimate_file(root, name, arena, out, err);
        if (str_starts(schema->text, STR("stint.plan/")))
            return from_plan_file(text, name, arena, out, err);
        error_set(err, ERROR_INPUT, "%s: '%.*s' has no cost to compare", name,
                  STR_ARG(schema->text));
    } else {
        error_set(err, ERROR_INPUT,
                  "%s: not a saved plan, an estimate or a cost analysis: it has no schema",
                  name);
    }
    error_hint(err, "give a file of 'stint plan --save', 'stint estimate --json' or "
                    "'stint report', a job file, or a run");
    return false;
}
