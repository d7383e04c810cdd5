/* costs.gpus - what GPUs were used for: hours, how busy they were, what idle ones cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "account/query/condition.h"
#include "base/num.h"
#include "op/account/costs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"

#define DAYS 30

static const struct field request[] = {
    FIELD(TEXTS, costs_gpus_request, by, .value = "LIST",
          .help = "dimensions; team when nothing is said"),
    FIELD(TEXT, costs_gpus_request, since, .value = "WHEN",
          .help = "from this day: 30d (the last 30 days) or 2026-11-01 (default: 30d)"),
    FIELD(TEXT, costs_gpus_request, until, .value = "DAY",
          .help = "the last day: 2026-11-30, or 1d for yesterday"),
    FIELD(TEXT, costs_gpus_request, month, .value = "MONTH",
          .help = "this month instead: 2026-10"),
    FIELD(TEXTS, costs_gpus_request, where, .value = "CONDITION", .whole = true,
          .help = "only what matches: gpu=H100, 'team=nlp*'; may be repeated, all must match"),
    FIELD(TEXT, costs_gpus_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
};

#define ROW(kind, member, text) FIELD(kind, costs_gpus_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(COUNT, runs, "on GPUs"),
    ROW(NUMBER, gpu_hours, "devices x hours"),
    ROW(SHARE, busy, "of the measured hours"),
    ROW(NUMBER, busy_hours, "of them"),
    ROW(NUMBER, unknown_hours, "whose use was not measured"),
    ROW(USD, cost, "of machine time; null when none is known"),
    ROW(USD, idle, "of it, paid while GPUs were idle"),
    ROW(COUNT, unpriced, "runs whose cost is not known"),
};

static const struct field_set row_set = FIELD_SET(struct costs_gpus_row, row_fields);

static const struct field result[] = {
    FIELD(TEXTS, costs_gpus_result, by, .help = "dimensions"),
    FIELD(TABLE, costs_gpus_result, rows, .help = "the most idle money first"),
    FIELD(RECORD, costs_gpus_result, total, .row = &row_set, .help = "of all"),
    FIELD(COUNT, costs_gpus_result, without, .help = "runs that used no GPU: not in it"),
    FIELD(RECORD, costs_gpus_result, basis, .row = &costs_basis_fields,
          .help = "what it is made of"),
    FIELD(TEXT, costs_gpus_result, csv, .help = "the file they were written to"),
};

/* A group; the run that was counted last, with and without a price. */
struct group {
    struct costs_gpus_row row;
    int64_t run, unpriced;
};

struct work {
    struct op_context *ctx;
    const struct costs_gpus_request *request;
    struct costs_by by;
    struct spending_query query;
    struct condition *where;
    struct coverage coverage;
    struct run_dimensions dimensions;
    struct group *groups, total;
    size_t count, room;
    int64_t without, without_run;
    struct costs_gpus_result *result;
};

static bool same(const struct work *w, const struct group *g, const struct dimensions *of)
{
    for (size_t i = 0; i < w->by.count; i++)
        if (!str_eq_nocase(g->row.value[i], of->of[w->by.at[i]]))
            return false;
    return true;
}

static const struct group nobody = {
    .row = {.cost = {MONEY_UNKNOWN}, .idle = {MONEY_UNKNOWN}}, .run = -1, .unpriced = -1};

/* Teams are few: they are looked through. */
static struct group *group_of(struct work *w, const struct dimensions *of, struct error *err)
{
    struct group *g;

    for (size_t i = 0; i < w->count; i++)
        if (same(w, &w->groups[i], of))
            return &w->groups[i];
    w->groups =
        arena_grow(w->ctx->arena, w->groups, w->count, sizeof *w->groups, &w->room, err);
    if (w->groups == NULL)
        return NULL;
    g = &w->groups[w->count];
    *g = nobody;
    for (size_t i = 0; i < w->by.count; i++) {
        struct str value = of->of[w->by.at[i]];

        if (value.len == 0)
            continue;
        g->row.value[i] = (struct str){str_dup(value, w->ctx->arena, err), value.len};
        if (g->row.value[i].at == NULL)
            return NULL;
    }
    w->count++;
    return g;
}

/* The part of an attempt that is in the days that were asked for. */
static double part_of(const struct work *w, const struct ledger_charge *c)
{
    int64_t since = w->query.since.n * SECONDS_PER_DAY;
    int64_t until = w->query.until.n * SECONDS_PER_DAY;
    int64_t from = c->started.s > since ? c->started.s : since;
    int64_t to = c->until.s < until ? c->until.s : until;

    if (c->until.s <= c->started.s)
        return 1;
    return to > from ? (double)(to - from) / (double)(c->until.s - c->started.s) : 0;
}

static void add_money(usd *sum, usd amount)
{
    *sum = sum->nano == MONEY_UNKNOWN ? amount : usd_add(*sum, amount);
}

static void count(struct group *g, const struct ledger_charge *c, double part)
{
    double hours = span_in_hours(c->elapsed) * part * c->gpus;
    usd cost = c->compute.nano != MONEY_UNKNOWN ? c->compute : c->cost;

    if (g->run != c->run)
        g->row.runs++;
    g->run = c->run;
    g->row.gpu_hours += hours;
    if (isnan(c->gpu_busy))
        g->row.unknown_hours += hours;
    else
        g->row.busy_hours += hours * c->gpu_busy;
    if (cost.nano == MONEY_UNKNOWN) {
        g->row.unpriced += g->unpriced != c->run;
        g->unpriced = c->run;
        return;
    }
    cost.nano = (int64_t)llround((double)cost.nano * part);
    add_money(&g->row.cost, cost);
    if (!isnan(c->gpu_busy))
        add_money(&g->row.idle, (usd){(int64_t)llround((double)cost.nano * (1 - c->gpu_busy))});
}

static bool take(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct work *w = ctx;
    struct dimensions of;
    struct group *g;

    if (!run_dimensions_of(&w->dimensions, c, &of, err))
        return false;
    if (!conditions_hold(w->where, w->request->where.len, &of))
        return true;
    if (c->gpus <= 0 || c->elapsed.ns < 0) {
        w->without += w->without_run != c->run;
        w->without_run = c->run;
        return true;
    }
    g = group_of(w, &of, err);
    if (g == NULL)
        return false;
    count(g, c, part_of(w, c));
    count(&w->total, c, part_of(w, c));
    return true;
}

static void finish(struct costs_gpus_row *row)
{
    double known = row->gpu_hours - row->unknown_hours;

    row->busy = known > 0 ? row->busy_hours / known : NAN;
}

static int more_idle(const void *a, const void *b)
{
    const struct costs_gpus_row *x = a, *y = b;
    int order = num_compare(-usd_double(x->idle), -usd_double(y->idle));

    order = order != 0 ? order : num_compare(-x->gpu_hours, -y->gpu_hours);
    for (size_t i = 0; i < COSTS_BY_MAX && order == 0; i++)
        order = str_cmp(x->value[i], y->value[i]);
    return order;
}

static bool answer(struct work *w, struct error *err)
{
    struct costs_gpus_result *res = w->result;
    struct costs_gpus_row *rows =
        arena_array(w->ctx->arena, struct costs_gpus_row, w->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++) {
        rows[i] = w->groups[i].row;
        finish(&rows[i]);
    }
    if (w->count > 1)
        qsort(rows, w->count, sizeof *rows, more_idle);
    res->total = w->total.row;
    finish(&res->total);
    res->without = w->without;
    res->rows.at = rows;
    res->rows.len = w->count;
    res->csv = w->request->csv;
    return costs_by_names(&w->by, w->ctx->arena, &res->by, err) &&
           costs_row_fields(&w->by, offsetof(struct costs_gpus_row, value), &row_set,
                            w->ctx->arena, &res->rows.row, err) &&
           (res->csv.len == 0 ||
            costs_csv(w->ctx, res->csv, res->rows.row, &(struct rows){rows, w->count}, err));
}

static bool read_runs(struct work *w, struct ledger *ledger, struct error *err)
{
    uint64_t wanted = w->by.bits;
    struct account_source account = op_account(w->ctx, ledger);
    const struct policy *policy;
    bool ok;

    if (ledger == NULL)
        return true;
    for (size_t i = 0; i < w->request->where.len; i++)
        wanted |= UINT64_C(1) << w->where[i].of;
    if (!ledger_policy_read(ledger, w->ctx->arena, &policy, err))
        return false;
    run_dimensions_open(&w->dimensions, &account, &w->coverage, policy, wanted);
    ok = ledger_charges(ledger, (stamp){w->query.since.n * SECONDS_PER_DAY},
                        (stamp){w->query.until.n * SECONDS_PER_DAY}, take, w, err);
    run_dimensions_close(&w->dimensions);
    return ok;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    static const struct str team = {"team", 4};
    struct work w = {
        .ctx = ctx, .request = in, .result = out, .total = nobody, .without_run = -1};
    struct costs_ask ask = {.since = w.request->since,
                            .until = w.request->until,
                            .month = w.request->month,
                            .where = w.request->where};
    struct spending_answer nothing = {.billed_until = DAY_UNKNOWN,
                                      .rates = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN}};
    struct strs by = w.request->by.len > 0 ? w.request->by : (struct strs){&team, 1};
    struct ledger *ledger = NULL;
    bool ok;

    if (!costs_by(by, &w.by, err) || !costs_query(ctx, &ask, DAYS, &w.query, err) ||
        !conditions_parse(w.request->where, ctx->arena, &w.where, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    if (w.by.grain != COSTS_WHOLE) {
        ledger_close(ledger);
        return error_fail(err, ERROR_USAGE, "--by: only dimensions, no length of time");
    }
    costs_basis_of(ctx, &w.query, &ask, &nothing, &w.result->basis);
    w.result->basis.none_yet = ledger == NULL;
    ok = read_runs(&w, ledger, err) && answer(&w, err);
    if (ok && w.count + (size_t)w.without > 0)
        conditions_warn(w.where, w.request->where.len, false, &ctx->messages);
    ledger_close(ledger);
    return ok;
}

const struct op op_costs_gpus = {
    .name = "costs.gpus",
    .schema = "stint.costs.gpus/1",
    .summary = "show GPU utilization and the cost of idle GPUs",
    .request = &(const struct field_set)FIELD_SET(struct costs_gpus_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_gpus_result, result),
    .run = run,
};
