/* costs.movers - what changed most between two periods, and in which dimension. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/account/costs_moved.h"
#include "op/ledger_open.h"

#define DAYS 30

static const struct field request[] = {
    FIELD(TEXTS, costs_movers_request, by, .value = "LIST",
          .help = "look at these dimensions, each by itself; at most of them when nothing is "
                  "said"),
    COSTS_ASK(costs_movers_request, "30d when nothing is said"),
    FIELD(COUNT, costs_movers_request, limit, .value = "N", .fallback = "10",
          .help = "the largest N of each currency; 0: all"),
    FIELD(TEXT, costs_movers_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
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
    FIELD(LIST, costs_movers_result, credits, .row = &costs_apart_fields,
          .help = "of these days, which are not in it"),
    FIELD(LIST, costs_movers_result, credits_before, .row = &costs_apart_fields,
          .help = "of the days before"),
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
    struct arena scratch; /* of the tables */
    struct moved_table of[DIMENSION_COUNT], all;
    struct costs_mover *movers;
    size_t count, room;
    struct costs_movers_result *result;
};

static const char *direction_of(const struct moved *m)
{
    if (m->before.coefficient == 0)
        return "new";
    if (m->amount.coefficient == 0)
        return "gone";
    return m->change.coefficient > 0 ? "up" : "down";
}

static bool make_mover(struct work *w, const struct moved *m, const char *dimension,
                       struct costs_mover *out, struct error *err)
{
    double percent = costs_percent(m->change, m->before);
    char *value = str_dup(m->value, w->ctx->arena, err);
    char *currency = str_dup(str_from(m->currency), w->ctx->arena, err);

    *out = (struct costs_mover){.dimension = str_from(dimension),
                                .value = ledger_known((struct str){value, m->value.len}),
                                .currency = str_from(currency),
                                .before = costs_money(m->before, m->currency),
                                .amount = costs_money(m->amount, m->currency),
                                .change = costs_money(m->change, m->currency),
                                .percent = isinf(percent) ? NAN : percent,
                                .direction = str_from(direction_of(m))};
    return value != NULL && currency != NULL;
}

static bool add(struct work *w, const struct moved *m, enum dimension d, struct error *err)
{
    w->movers =
        arena_grow(w->ctx->arena, w->movers, w->count, sizeof *w->movers, &w->room, err);
    if (w->movers == NULL)
        return false;
    return make_mover(w, m, dimension_name(d), &w->movers[w->count++], err);
}

/* Unless it was asked for: one value alone moved as everything did, and what has no value says
 * nothing of where to look. */
static bool tells(const struct work *w, const struct moved *m, size_t values)
{
    if (m->change.coefficient == 0)
        return false;
    return w->request->by.len > 0 || (m->value.len > 0 && values > 1);
}

/* Of each currency the largest: more than are asked for in all cannot be among these. */
static bool look_at(struct work *w, enum dimension d, struct error *err)
{
    struct moved_table *t = &w->of[d];
    int64_t limit = w->request->limit;

    if (!moved_sort(t, err))
        return false;
    for (size_t first = 0, after; first < t->count; first = after) {
        int64_t taken = 0;

        for (after = first;
             after < t->count && memcmp(t->at[after].currency, t->at[first].currency, 4) == 0;)
            after++;
        for (size_t i = first; i < after && (limit <= 0 || taken < limit); i++) {
            if (!tells(w, &t->at[i], after - first))
                continue;
            if (!add(w, &t->at[i], d, err))
                return false;
            taken++;
        }
    }
    return true;
}

static bool make_totals(struct work *w, struct error *err)
{
    struct costs_mover *totals;

    if (!moved_sort(&w->all, err))
        return false;
    totals = arena_array(w->ctx->arena, struct costs_mover, w->all.count, err);
    if (totals == NULL)
        return false;
    for (size_t i = 0; i < w->all.count; i++) {
        if (!make_mover(w, &w->all.at[i], NULL, &totals[i], err))
            return false;
        if (!w->result->before.known) {
            totals[i].before = totals[i].change = (struct money){.currency = ""};
            totals[i].percent = NAN;
            totals[i].direction = (struct str){0};
        }
    }
    w->result->totals = (struct rows){totals, w->all.count};
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

/* ---- what was spent ---- */

static bool fold(struct work *w, const struct spending_answer *answer, bool before,
                 struct error *err)
{
    for (size_t i = 0; i < answer->count; i++) {
        const struct spending *s = &answer->at[i];

        if (!moved_put(&w->all, (struct str){0}, s, before, err))
            return false;
        for (int d = 0; d < DIMENSION_COUNT; d++)
            if ((w->bits >> d & 1) != 0 && !moved_put(&w->of[d], s->of.of[d], s, before, err))
                return false;
    }
    return true;
}

/* What the answer says of itself outlives it. */
static bool tell_basis(struct work *w, const struct spending_answer *answer, struct error *err)
{
    struct costs_basis *basis = &w->result->basis;
    struct str *texts[] = {&basis->converted, &basis->rate_source};

    costs_basis_of(w->ctx, &w->query, &w->request->ask, answer, basis);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (texts[i]->len > 0 &&
            (texts[i]->at = str_dup(*texts[i], w->ctx->arena, err)) == NULL)
            return false;
    return true;
}

/* Answers may have a row for each line of a bill: the first is let go before the second is
 * asked for. */
static bool ask(struct work *w, struct ledger *ledger, const struct spending_query *query,
                bool before, struct error *err)
{
    struct arena arena = {.alloc = w->ctx->arena->alloc,
                          .block_size = w->ctx->arena->block_size};
    struct account_source account = op_account(w->ctx, ledger);
    struct spending_answer answer;
    bool ok;

    account.arena = &arena;
    ok = account_spending(&account, query, &answer, err) && fold(w, &answer, before, err) &&
         (before || tell_basis(w, &answer, err));
    arena_free(&arena);
    return ok;
}

static bool ask_both(struct work *w, struct ledger *ledger, struct error *err)
{
    struct spending_query before = w->query;
    struct account_source account = op_account(w->ctx, ledger);
    struct costs_days days;

    if (!account_days_before(&account, &w->query, w->request->ask.month.len > 0, &days, err))
        return false;
    w->result->before = costs_compared_of(&days);
    w->query.until = days.until;
    before.since = days.before_since;
    before.until = days.before_until;
    if (!ask(w, ledger, &w->query, false, err) ||
        !account_credits(&account, &w->query, &w->result->credits, err))
        return false;
    if (days.known && (!ask(w, ledger, &before, true, err) ||
                       !account_credits(&account, &before, &w->result->credits_before, err)))
        return false;
    w->result->basis.none_yet = ledger == NULL;
    return true;
}

static bool find(struct work *w, struct ledger *ledger, struct error *err)
{
    bool ok;

    w->all.arena = &w->scratch;
    for (int d = 0; d < DIMENSION_COUNT; d++)
        w->of[d].arena = &w->scratch;
    ok = ask_both(w, ledger, err) && make_totals(w, err);
    for (int d = 0; ok && w->result->before.known && d < DIMENSION_COUNT; d++)
        ok = look_at(w, (enum dimension)d, err);
    return ok;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct work w = {.ctx = ctx,
                     .request = in,
                     .result = out,
                     .scratch = {ctx->arena->alloc, ctx->arena->block_size, NULL}};
    struct ledger *ledger = NULL;
    struct costs_by by;
    bool ok;

    if (!costs_by(w.request->by, &by, err) ||
        !costs_query(ctx, &w.request->ask, DAYS, &w.query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    w.bits = by.count > 0 ? by.bits : usual;
    w.query.by = w.bits;
    w.query.credits = CREDITS_OUT; /* who got one did not spend less */
    ok = find(&w, ledger, err);
    ledger_close(ledger);
    arena_free(&w.scratch);
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
    .summary = "show the largest changes between two periods",
    .request = &(const struct field_set)FIELD_SET(struct costs_movers_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_movers_result, result),
    .run = run,
};
