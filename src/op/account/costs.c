/* costs - where the money went, by any dimension and length of time. */
#include "op/account/costs.h"

#include <math.h>
#include <string.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"

#define DAYS 30 /* by default */

static const char *const sorts[] = {"cost", "name", "change", NULL};

static const struct field request[] = {
    FIELD(
        TEXTS, costs_request, by, .value = "LIST",
        .help =
            "dimensions, and day, week, month, quarter or year (default: provider; of storage "
            "tier,provider)"),
    COSTS_ASK(costs_request, "30d"),
    FIELD(CHOICE, costs_request, sort, .value = "ORDER", .choices = sorts, .fallback = "cost",
          .help = "cost, name, or change from as many days before (a month: the one before)"),
    FIELD(COUNT, costs_request, limit, .value = "N", .fallback = "20",
          .help = "show N groups and sum up the others; 0: all"),
    FIELD(TEXT, costs_request, csv, .value = "FILE", .output = true,
          .help = "also write the rows to FILE, with all digits"),
};

static const struct field total_fields[] = {
    FIELD(TEXT, costs_total, currency, .help = "of the amounts"),
    FIELD(MONEY, costs_total, amount, .help = "of all groups, exactly"),
    FIELD(MONEY, costs_total, metered, .help = "of it: of runs that no bill covers yet"),
    FIELD(MONEY, costs_total, before, .help = "the same in the days before"),
    FIELD(MONEY, costs_total, change, .help = "since then"),
    FIELD(COUNT, costs_total, groups, .help = "that were there"),
    FIELD(COUNT, costs_total, lines, .help = "of bills"),
};

static const struct field_set total_set = FIELD_SET(struct costs_total, total_fields);

static const struct field result[] = {
    FIELD(TEXTS, costs_result, by, .help = "dimensions"),
    FIELD(TEXT, costs_result, grain, .help = "day, week, month, quarter or year"),
    FIELD(TABLE, costs_result, rows, .help = "a group and a period each, with all digits"),
    FIELD(LIST, costs_result, totals, .row = &total_set, .help = "one for each currency"),
    FIELD(FLAG, costs_result, compared, .help = "with the days before"),
    FIELD(RECORD, costs_result, before, .row = &costs_compared_fields,
          .help = "which those are"),
    FIELD(RECORD, costs_result, basis, .row = &costs_basis_fields,
          .help = "what it is made of"),
    FIELD(TEXT, costs_result, csv, .help = "the file they were written to"),
};

#define ROW(kind, member, text) FIELD(kind, costs_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(TEXT, period, "its name"),
    ROW(TEXT, currency, "of the amounts"),
    ROW(MONEY, amount, "exactly"),
    ROW(MONEY, metered, "that no bill covers yet"),
    ROW(SHARE, share, "of the total"),
    ROW(COUNT, lines, "of bills"),
    ROW(COUNT, runs, "that it is made of"),
    ROW(COUNT, others, "groups that were summed up"),
    ROW(MONEY, before, "the group in the days before"),
    ROW(MONEY, change, "since then"),
};

static const struct field_set row_set = FIELD_SET(struct costs_row, row_fields);

struct work {
    struct op_context *ctx;
    const struct costs_request *request;
    struct costs_by by;
    struct spending_query query;
    struct costs_groups groups;
    struct costs_result *result;
};

static bool make_by(struct work *w, struct error *err)
{
    static const struct str provider = {"provider", 8};
    struct strs names = w->request->by;

    if (names.len == 0)
        names = (struct strs){&provider, 1};
    if (!costs_by(names, &w->by, err) ||
        !costs_by_names(&w->by, w->ctx->arena, &w->result->by, err))
        return false;
    if (w->by.grain != COSTS_WHOLE)
        w->result->grain = str_from(costs_grain_name(w->by.grain));
    return true;
}

/* The same question of as many days before. What was asked for may end earlier then. */
static bool ask_before(struct work *w, struct ledger *ledger, struct spending_answer *out,
                       struct error *err)
{
    struct spending_query query = w->query;
    struct account_source account = op_account(w->ctx, ledger);
    struct costs_days days;

    if (!account_days_before(&account, &w->query, w->request->ask.month.len > 0, &days, err))
        return false;
    w->query.until = days.until;
    w->result->compared = true;
    w->result->before = costs_compared_of(&days);
    query.since = days.before_since;
    query.until = days.before_until;
    costs_set_grain(COSTS_WHOLE, &query);
    return !days.known || op_spending(w->ctx, ledger, &query, out, err);
}

static bool gather(struct work *w, struct ledger *ledger, struct error *err)
{
    bool compared = str_eq(w->request->sort, STR("change"));
    struct spending_answer answer, before = {0};

    if ((compared && !ask_before(w, ledger, &before, err)) ||
        !op_spending(w->ctx, ledger, &w->query, &answer, err))
        return false;
    costs_basis_of(w->ctx, &w->query, &w->request->ask, &answer, &w->result->basis);
    w->result->basis.none_yet = ledger == NULL;
    w->groups = (struct costs_groups){.arena = w->ctx->arena, .by = &w->by};
    return costs_groups_make(&answer, w->result->before.known ? &before : NULL, &w->groups,
                             err);
}

/* ---- the answer ---- */

static bool same_currency(const struct costs_total *t, const struct costs_group *g)
{
    return memcmp(t->amount.currency, g->currency, sizeof g->currency) == 0;
}

static bool add_total(struct costs_total *t, const struct costs_group *g, bool compared,
                      struct error *err)
{
    t->groups++;
    t->lines += g->lines;
    for (size_t i = 0; i < g->cell_count; i++)
        if (g->cells[i].amount.coefficient > 0 &&
            !costs_plus(&t->used, g->cells[i].amount, err))
            return false;
    return costs_plus(&t->amount.amount, g->amount, err) &&
           costs_plus(&t->metered.amount, g->metered, err) &&
           (!compared || (costs_plus(&t->before.amount, g->before, err) &&
                          costs_plus(&t->change.amount, g->change, err)));
}

/* One for each currency; groups stand by currency. */
static bool make_totals(struct work *w, struct error *err)
{
    const struct costs_groups *g = &w->groups;
    struct costs_total *totals = arena_array(w->ctx->arena, struct costs_total, g->count, err);
    size_t count = 0;

    if (totals == NULL)
        return false;
    for (size_t i = 0; i < g->count; i++) {
        struct costs_total *t = count > 0 ? &totals[count - 1] : NULL;

        if (t == NULL || !same_currency(t, &g->at[i])) {
            t = &totals[count++];
            *t = (struct costs_total){.amount =
                                          costs_money((struct decimal){0}, g->at[i].currency)};
            t->metered = t->amount;
            if (w->result->before.known)
                t->before = t->change = t->amount;
        }
        if (!add_total(t, &g->at[i], w->result->before.known, err))
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        totals[i].amount = costs_money(totals[i].amount.amount, totals[i].amount.currency);
        totals[i].metered = costs_money(totals[i].metered.amount, totals[i].metered.currency);
        totals[i].currency = str_from(totals[i].amount.currency);
    }
    w->result->totals = (struct rows){totals, count};
    return true;
}

static const struct costs_total *total_of(const struct work *w, const struct costs_group *g)
{
    const struct costs_total *totals = w->result->totals.at;
    size_t i = 0;

    while (!same_currency(&totals[i], g))
        i++;
    return &totals[i];
}

static bool make_row(const struct work *w, size_t group, const struct spending *cell,
                     struct costs_row *out, struct error *err)
{
    const struct costs_group *g = &w->groups.at[group];
    const struct costs_total *total = total_of(w, g);

    *out = (struct costs_row){.currency = total->currency,
                              .amount = costs_money(cell->amount, g->currency),
                              .metered = costs_money(cell->metered, g->currency),
                              .share = costs_share(cell->amount, total->used),
                              .lines = cell->lines,
                              .runs = cell->runs,
                              .others = (int64_t)g->others,
                              .from = cell->from,
                              .group = group};
    if (g->others == 0)
        costs_values(&w->by, &g->of, out->value);
    if (w->result->before.known) {
        out->before = costs_money(g->before, g->currency);
        out->change = costs_money(g->change, g->currency);
    }
    return cell->from.n == DAY_UNKNOWN.n ||
           costs_period_name(w->by.grain, cell->from, w->ctx->arena, &out->period, err);
}

static bool make_rows(struct work *w, struct error *err)
{
    static const struct spending nothing = {.from = {INT32_MIN}};
    struct costs_result *res = w->result;
    struct costs_row *rows;
    size_t count = 0;

    for (size_t i = 0; i < w->groups.count; i++)
        count += w->groups.at[i].cell_count + (w->groups.at[i].cell_count == 0);
    rows = arena_array(w->ctx->arena, struct costs_row, count, err);
    if (rows == NULL || !costs_row_fields(&w->by, offsetof(struct costs_row, value), &row_set,
                                          w->ctx->arena, &res->rows.row, err))
        return false;
    count = 0;
    for (size_t i = 0; i < w->groups.count; i++) {
        const struct costs_group *g = &w->groups.at[i];

        for (size_t k = 0; k < g->cell_count; k++)
            if (!make_row(w, i, &g->cells[k], &rows[count++], err))
                return false;
        if (g->cell_count == 0 && !make_row(w, i, &nothing, &rows[count++], err)) /* gone */
            return false;
    }
    res->rows.at = rows;
    res->rows.len = count;
    return true;
}

static bool answer(struct work *w, struct error *err)
{
    struct costs_result *res = w->result;
    struct str sort = w->request->sort;

    costs_groups_sort(&w->groups, str_eq(sort, STR("name")) ? SORT_NAME
                                  : res->before.known       ? SORT_CHANGE
                                                            : SORT_COST);
    if (!make_totals(w, err) || !costs_groups_limit(&w->groups, w->request->limit, err) ||
        !make_rows(w, err))
        return false;
    if (w->request->csv.len == 0)
        return true;
    res->csv = w->request->csv;
    return costs_csv(w->ctx, res->csv, res->rows.row,
                     &(struct rows){res->rows.at, res->rows.len}, err);
}

static bool costs_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct work w = {.ctx = ctx, .request = in, .result = out};
    struct ledger *ledger = NULL;
    bool ok;

    w.result->before = (struct costs_compared){
        .since = DAY_UNKNOWN, .until = DAY_UNKNOWN, .left_out_since = DAY_UNKNOWN};
    if (!make_by(&w, err) || !costs_query(ctx, &w.request->ask, DAYS, &w.query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    w.query.by = w.by.bits;
    costs_set_grain(w.by.grain, &w.query);
    ok = gather(&w, ledger, err) && answer(&w, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_costs = {
    .name = "costs",
    .schema = "stint.costs/1",
    .summary = "show where the money went, by any dimension and period",
    .request = &(const struct field_set)FIELD_SET(struct costs_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_result, result),
    .run = costs_run,
};

/* ---- by tier of storage ---- */

/* The same question, asked of storage. */
static bool costs_storage_run(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    static const struct str names[] = {{"tier", 4}, {"provider", 8}};
    struct costs_request asked = *(const struct costs_request *)in;

    if (asked.by.len == 0)
        asked.by = (struct strs){names, ARRAY_LEN(names)};
    return costs_where_also(asked.ask.where, STR("category=Storage"), ctx->arena,
                            &asked.ask.where, err) &&
           costs_run(ctx, &asked, out, err);
}

const struct op op_costs_storage = {
    .name = "costs.storage",
    .schema = "stint.costs.storage/1",
    .summary = "show storage costs by tier",
    .request = &(const struct field_set)FIELD_SET(struct costs_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_result, result),
    .run = costs_storage_run,
};
