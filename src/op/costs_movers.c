/* costs.movers - what changed most between two periods, and in which dimension. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/costs_groups.h"
#include "op/ledger_open.h"

#define DAYS 30

static const struct field request[] = {
    FIELD(TEXTS, costs_movers_request, by, .value = "LIST",
          .help = "look at these dimensions, each by itself; at most of them when nothing is "
                  "said"),
    COSTS_ASK(costs_movers_request, "30d when nothing is said"),
    FIELD(COUNT, costs_movers_request, limit, .value = "N", .fallback = "10",
          .help = "the largest N of each currency; 0: all"),
    FIELD(TEXT, costs_movers_request, csv, .value = "FILE", .help = "write them to FILE, too"),
};

#define MOVER(kind, member, text) FIELD(kind, costs_mover, member, .help = (text))

static const struct field mover_fields[] = {
    MOVER(TEXT, dimension, "that it is a value of"),
    MOVER(TEXT, value, "null: what has none"),
    MOVER(TEXT, currency, "of the amounts"),
    MOVER(MONEY, before, "in the days before"),
    MOVER(MONEY, amount, "in the days that were asked for"),
    MOVER(MONEY, change, "of it"),
    MOVER(NUMBER, percent, "of what it was, a share; null when it was nothing"),
    MOVER(TEXT, direction, "up, down, new or gone"),
};

static const struct field_set mover_set = FIELD_SET(struct costs_mover, mover_fields);

static const struct field result[] = {
    FIELD(LIST, costs_movers_result, movers, .row = &mover_set, .help = "the largest first"),
    FIELD(LIST, costs_movers_result, totals, .row = &mover_set, .help = "of everything"),
    FIELD(RECORD, costs_movers_result, before, .row = &costs_compared_fields,
          .help = "the days before"),
    FIELD(RECORD, costs_movers_result, basis, .row = &costs_basis_fields,
          .help = "what it is made of"),
    FIELD(TEXT, costs_movers_result, csv, .help = "the file they were written to"),
};

/* Dimensions that say where money went. Accounts and charges say how it was asked for. */
static const uint64_t usual =
    UINT64_C(1) << DIMENSION_provider | UINT64_C(1) << DIMENSION_service |
    UINT64_C(1) << DIMENSION_sub_account | UINT64_C(1) << DIMENSION_region |
    UINT64_C(1) << DIMENSION_pricing | UINT64_C(1) << DIMENSION_instance |
    UINT64_C(1) << DIMENSION_gpu | UINT64_C(1) << DIMENSION_team |
    UINT64_C(1) << DIMENSION_project | UINT64_C(1) << DIMENSION_experiment |
    UINT64_C(1) << DIMENSION_model | UINT64_C(1) << DIMENSION_owner;

struct work {
    struct op_context *ctx;
    const struct costs_movers_request *request;
    struct spending_query query;
    uint64_t bits;
    struct spending_answer now, before;
    struct costs_mover *movers;
    size_t count, room;
    struct costs_movers_result *result;
};

static const char *direction_of(const struct costs_group *g)
{
    if (g->before.coefficient == 0)
        return "new";
    if (g->cell_count == 0 || g->amount.coefficient == 0)
        return "gone";
    return g->change.coefficient > 0 ? "up" : "down";
}

static struct costs_mover mover_of(const struct costs_group *g)
{
    double percent = costs_percent(g->change, g->before);

    return (struct costs_mover){.currency = str_from(g->currency),
                                .before = costs_money(g->before, g->currency),
                                .amount = costs_money(g->amount, g->currency),
                                .change = costs_money(g->change, g->currency),
                                .percent = isinf(percent) ? NAN : percent,
                                .direction = str_from(direction_of(g))};
}

static bool add(struct work *w, const struct costs_mover *m, struct error *err)
{
    if (w->count == w->room) {
        size_t room = w->room == 0 ? 64 : w->room * 2;
        struct costs_mover *grown = arena_array(w->ctx->arena, struct costs_mover, room, err);

        if (grown == NULL)
            return false;
        if (w->count > 0)
            memcpy(grown, w->movers, w->count * sizeof *grown);
        w->movers = grown;
        w->room = room;
    }
    w->movers[w->count++] = *m;
    return true;
}

/* Rows of the same value, whatever else they are, become one. */
static bool fold(struct work *w, const struct costs_by *by, struct costs_groups *out,
                 struct error *err)
{
    *out = (struct costs_groups){.arena = w->ctx->arena, .by = by};
    return costs_groups_make(&w->now, &w->before, out, err);
}

/* Of a currency: how many values there are. */
static size_t values_of(const struct costs_groups *groups, const char *currency)
{
    size_t count = 0;

    for (size_t i = 0; i < groups->count; i++)
        count += memcmp(groups->at[i].currency, currency, 4) == 0;
    return count;
}

/* Unless it was asked for: one value alone moved as everything did, and what has no value says
 * nothing of where to look. */
static bool tells(const struct work *w, const struct costs_groups *groups,
                  const struct costs_group *g, enum dimension d)
{
    if (g->change.coefficient == 0)
        return false;
    return w->request->by.len > 0 ||
           (g->of.of[d].len > 0 && values_of(groups, g->currency) > 1);
}

static bool look_at(struct work *w, enum dimension d, struct error *err)
{
    struct costs_by by = {.at = {d}, .count = 1, .bits = UINT64_C(1) << d};
    struct costs_groups groups;

    if (!fold(w, &by, &groups, err))
        return false;
    for (size_t i = 0; i < groups.count; i++) {
        struct costs_mover m = mover_of(&groups.at[i]);

        m.dimension = str_from(dimension_name(d));
        m.value = ledger_known(groups.at[i].of.of[d]);
        if (tells(w, &groups, &groups.at[i], d) && !add(w, &m, err))
            return false;
    }
    return true;
}

static bool make_totals(struct work *w, struct error *err)
{
    struct costs_by nothing = {.count = 0};
    struct costs_groups groups;
    struct costs_mover *totals;

    if (!fold(w, &nothing, &groups, err))
        return false;
    totals = arena_array(w->ctx->arena, struct costs_mover, groups.count, err);
    if (totals == NULL)
        return false;
    for (size_t i = 0; i < groups.count; i++) {
        totals[i] = mover_of(&groups.at[i]);
        if (!w->result->before.known) {
            totals[i].before = totals[i].change = (struct money){.currency = ""};
            totals[i].percent = NAN;
            totals[i].direction = (struct str){0};
        }
    }
    w->result->totals = (struct rows){totals, groups.count};
    return true;
}

static int larger(const void *a, const void *b)
{
    const struct costs_mover *x = a, *y = b;
    struct decimal m = x->change.amount, n = y->change.amount;
    int order = str_cmp(x->currency, y->currency);

    m.coefficient = m.coefficient < 0 ? -m.coefficient : m.coefficient;
    n.coefficient = n.coefficient < 0 ? -n.coefficient : n.coefficient;
    order = order != 0 ? order : decimal_cmp(n, m);
    order = order != 0 ? order : str_cmp(x->dimension, y->dimension);
    return order != 0 ? order : str_cmp(x->value, y->value);
}

/* Of each currency the first so many. */
static void keep_largest(struct work *w)
{
    int64_t limit = w->request->limit, kept_of = 0;
    size_t kept = 0;

    if (w->count > 1)
        qsort(w->movers, w->count, sizeof *w->movers, larger);
    for (size_t i = 0; i < w->count; i++) {
        if (kept > 0 && !str_eq(w->movers[i].currency, w->movers[kept - 1].currency))
            kept_of = 0;
        if (limit <= 0 || kept_of++ < limit)
            w->movers[kept++] = w->movers[i];
    }
    w->result->movers = (struct rows){w->movers, kept};
}

static bool ask(struct work *w, struct ledger *ledger, struct error *err)
{
    struct spending_query before = w->query;
    struct costs_days days;

    if (!costs_days_before(w->ctx, ledger, &w->query, w->request->ask.month.len > 0, &days,
                           err))
        return false;
    w->result->before = costs_compared_of(&days);
    w->query.until = days.until;
    before.since = days.before_since;
    before.until = days.before_until;
    if (!op_spending(w->ctx, ledger, &w->query, &w->now, err) ||
        (days.known && !op_spending(w->ctx, ledger, &before, &w->before, err)))
        return false;
    costs_basis_of(w->ctx, &w->query, &w->request->ask, &w->now, &w->result->basis);
    w->result->basis.none_yet = ledger == NULL;
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct work w = {.ctx = ctx, .request = in, .result = out};
    struct ledger *ledger = NULL;
    struct costs_by by;
    bool ok;

    if (!costs_by(w.request->by, &by, err) ||
        !costs_query(ctx, &w.request->ask, DAYS, &w.query, err) ||
        !costs_ledger(ctx, &ledger, err))
        return false;
    w.bits = by.count > 0 ? by.bits : usual;
    w.query.by = w.bits;
    ok = ask(&w, ledger, err) && make_totals(&w, err);
    ledger_close(ledger);
    for (int d = 0; ok && w.result->before.known && d < DIMENSION_COUNT; d++)
        ok = (w.bits >> d & 1) == 0 || look_at(&w, (enum dimension)d, err);
    if (!ok)
        return false;
    keep_largest(&w);
    w.result->csv = w.request->csv;
    return w.request->csv.len == 0 ||
           costs_csv(ctx, w.request->csv, &mover_set, &w.result->movers, err);
}

const struct op op_costs_movers = {
    .name = "costs.movers",
    .schema = "stint.costs.movers/1",
    .summary = "what changed most between two periods",
    .request = &(const struct field_set)FIELD_SET(struct costs_movers_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_movers_result, result),
    .run = run,
};
