/* costs.trend - month over month; the running one against the same days of the one before. */
#include <math.h>
#include <string.h>

#include "op/account/costs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define MONTHS_MOST 120

static const struct field request[] = {
    FIELD(TEXTS, costs_trend_request, by, .value = "LIST",
          .help = "dimensions: a trend for each of their values"),
    FIELD(COUNT, costs_trend_request, months, .value = "N", .fallback = "6", .positive = true,
          .help = "so many, the running one among them"),
    FIELD_AS(
        "where", TEXTS, costs_trend_request, ask.where, .value = "CONDITION", .whole = true,
        .help = "only what matches: gpu=H100, 'team=nlp*'; may be repeated, all must match"),
    FIELD_AS("cost", CHOICE, costs_trend_request, ask.cost, .value = "KIND",
             .choices = costs_kinds, .others = costs_kinds_others, .fallback = "effective",
             .help = "effective, billed, list or contracted"),
    FIELD_AS("from", CHOICE, costs_trend_request, ask.from, .value = "WHAT",
             .choices = costs_sources, .fallback = "all",
             .help = "all, bills, or runs as they were metered"),
    FIELD_AS("currency", TEXT, costs_trend_request, ask.currency, .value = "CODE",
             .help = "convert to this currency, at the rate of each day"),
    FIELD(COUNT, costs_trend_request, limit, .value = "N", .fallback = "10",
          .help = "the first N; the rest is summed up as others; 0: all"),
    FIELD(TEXT, costs_trend_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
};

static const struct field result[] = {
    FIELD(TEXTS, costs_trend_result, by, .help = "dimensions"),
    FIELD(TABLE, costs_trend_result, rows, .help = "a group and a month each, oldest first"),
    FIELD(DAY, costs_trend_result, running,
          .help = "the first day of the month that is not over"),
    FIELD(COUNT, costs_trend_result, running_days,
          .help = "of it, compared with as many of the month before"),
    FIELD(RECORD, costs_trend_result, before, .row = &costs_compared_fields,
          .help = "the days that the running month is compared with"),
    FIELD(RECORD, costs_trend_result, basis, .row = &costs_basis_fields,
          .help = "what it is made of"),
    FIELD(TEXT, costs_trend_result, csv, .help = "the file they were written to"),
};

#define ROW(kind, member, text) FIELD(kind, costs_trend_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(TEXT, month, ""),    ROW(TEXT, currency, ""), ROW(MONEY, amount, ""),
    ROW(MONEY, metered, ""), ROW(MONEY, change, ""),  ROW(NUMBER, percent, ""),
    ROW(COUNT, days, ""),    ROW(COUNT, others, ""),
};

static const struct field_set row_set = FIELD_SET(struct costs_trend_row, row_fields);

struct work {
    struct op_context *ctx;
    const struct costs_trend_request *request;
    struct costs_by by;
    struct spending_query query;
    struct costs_groups groups;
    struct spending_answer recorded; /* by month, everything */
    struct costs_trend_row *rows;
    size_t count;
    struct costs_trend_result *result;
};

/* Months of which anything is recorded, whatever is asked for: of the others nothing is
 * known. */
static bool ask_recorded(struct work *w, struct ledger *ledger, struct error *err)
{
    struct spending_query all = {.since = w->query.since,
                                 .until = w->query.until,
                                 .grain = GRAIN_MONTH,
                                 .from = w->query.from,
                                 .raw = true};

    return op_spending(w->ctx, ledger, &all, &w->recorded, err);
}

static bool is_recorded(const struct work *w, day month)
{
    for (size_t i = 0; i < w->recorded.count; i++)
        if (w->recorded.at[i].from.n == month.n)
            return true;
    return false;
}

/* The same days of the month before the running one go where `before` of a group is. */
static bool gather(struct work *w, struct ledger *ledger, struct error *err)
{
    struct spending_query same_days = w->query, running = w->query;
    struct spending_answer answer, before = {0};
    struct account_source account = op_account(w->ctx, ledger);
    struct costs_days days;

    running.since = w->result->running;
    running.until = day_month_add(running.since, 1);
    if (!account_days_before(&account, &running, true, &days, err))
        return false;
    w->result->before = costs_compared_of(&days);
    w->result->running_days = days.until.n - running.since.n;
    w->query.until = days.until;
    costs_set_grain(COSTS_MONTH, &w->query);
    costs_set_grain(COSTS_WHOLE, &same_days);
    same_days.since = days.before_since;
    same_days.until = days.before_until;
    if (!op_spending(w->ctx, ledger, &w->query, &answer, err) ||
        !ask_recorded(w, ledger, err) ||
        (days.known && !op_spending(w->ctx, ledger, &same_days, &before, err)))
        return false;
    costs_basis_of(w->ctx, &w->query, &w->request->ask, &answer, &w->result->basis);
    w->result->basis.none_yet = ledger == NULL;
    w->groups = (struct costs_groups){.arena = w->ctx->arena, .by = &w->by};
    if (!costs_groups_make(&answer, &before, &w->groups, err))
        return false;
    costs_groups_sort(&w->groups, SORT_COST);
    return costs_groups_limit(&w->groups, w->request->limit, err);
}

/* The amount of a month; nothing when the group was not there. */
static const struct spending *cell_of(const struct costs_group *g, day month)
{
    static const struct spending none;

    for (size_t i = 0; i < g->cell_count; i++)
        if (g->cells[i].from.n == month.n)
            return &g->cells[i];
    return &none;
}

static bool add_row(struct work *w, size_t group, day month, struct error *err)
{
    const struct costs_group *g = &w->groups.at[group];
    bool running = month.n == w->result->running.n, known = is_recorded(w, month);
    const struct spending *now = cell_of(g, month);
    day last = day_month_add(month, -1);
    struct decimal before = running ? g->before : cell_of(g, last)->amount, change;
    struct costs_trend_row *row = &w->rows[w->count++];

    *row = (struct costs_trend_row){.percent = NAN,
                                    .days = running ? w->result->running_days : -1,
                                    .others = (int64_t)g->others,
                                    .group = group};
    if (known || now->amount.coefficient != 0) { /* a lease is there without a bill */
        row->amount = costs_money(now->amount, g->currency);
        row->metered = costs_money(now->metered, g->currency);
    }
    row->currency = str_from(g->currency);
    if (g->others == 0)
        costs_values(&w->by, &g->of, row->value);
    if (known && (running ? w->result->before.known : is_recorded(w, last))) {
        if (!costs_minus(now->amount, before, &change, err))
            return false;
        row->change = costs_money(change, g->currency);
        row->percent = costs_percent(change, before);
    }
    return costs_period_name(COSTS_MONTH, month, w->ctx->arena, &row->month, err);
}

/* The first in which there was anything. One more month is asked for than is shown. */
static day first_month(const struct work *w)
{
    day first = w->result->running;

    for (size_t i = 0; i < w->groups.count; i++)
        if (w->groups.at[i].cell_count > 0 && w->groups.at[i].cells[0].from.n < first.n)
            first = w->groups.at[i].cells[0].from;
    return first;
}

static bool make_rows(struct work *w, struct error *err)
{
    struct costs_trend_result *res = w->result;
    day known = first_month(w), first = day_month_add(w->query.since, 1);

    w->rows = arena_array(w->ctx->arena, struct costs_trend_row,
                          w->groups.count * (size_t)w->request->months, err);
    if (w->rows == NULL)
        return false;
    res->basis.since = first;
    if (first.n < known.n)
        first = known;
    for (size_t i = 0; i < w->groups.count; i++)
        for (day month = first; month.n <= res->running.n; month = day_month_add(month, 1))
            if (!add_row(w, i, month, err))
                return false;
    res->rows.at = w->rows;
    res->rows.len = w->count;
    if (!costs_by_names(&w->by, w->ctx->arena, &res->by, err) ||
        !costs_row_fields(&w->by, offsetof(struct costs_trend_row, value), &row_set,
                          w->ctx->arena, &res->rows.row, err))
        return false;
    res->csv = w->request->csv;
    return res->csv.len == 0 || costs_csv(w->ctx, res->csv, res->rows.row,
                                          &(struct rows){res->rows.at, res->rows.len}, err);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct work w = {.ctx = ctx, .request = in, .result = out};
    day today = op_today(ctx);
    struct ledger *ledger = NULL;
    bool ok;

    if (w.request->months > MONTHS_MOST)
        return error_fail(err, ERROR_USAGE, "--months: at most %d", MONTHS_MOST);
    if (!costs_by(w.request->by, &w.by, err))
        return false;
    if (w.by.grain != COSTS_WHOLE)
        return error_fail(err, ERROR_USAGE,
                          "--by: a trend is by month; 'stint costs' takes "
                          "other lengths of time");
    if (!costs_query(ctx, &w.request->ask, 1, &w.query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    w.query.by = w.by.bits;
    w.query.since = day_month_add(today, -(int)w.request->months);
    w.result->running = day_month_start(today);
    ok = gather(&w, ledger, err) && make_rows(&w, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_costs_trend = {
    .name = "costs.trend",
    .schema = "stint.costs.trend/1",
    .summary = "show costs month by month",
    .request = &(const struct field_set)FIELD_SET(struct costs_trend_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_trend_result, result),
    .run = run,
};
