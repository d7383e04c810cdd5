/* costs.spot - how machines are paid: on spot, by commitments, on demand; and what that
 * saved. */
#include <math.h>
#include <string.h>

#include "op/account/costs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DAYS 30

static const struct field request[] = {
    FIELD(TEXTS, costs_spot_request, by, .value = "LIST",
          .help = "dimensions: the shares of each of their values"),
    COSTS_ASK(costs_spot_request, "30d"),
    FIELD(TEXT, costs_spot_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
};

#define ROW(kind, member, text) FIELD(kind, costs_spot_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(TEXT, currency, "of the amounts"),
    ROW(MONEY, amount, "for machines"),
    ROW(SHARE, spot, "of it"),
    ROW(SHARE, committed, "of it: reserved, savings plans, committed use"),
    ROW(SHARE, on_demand, "of it"),
    ROW(SHARE, other, "of it: own machines, and what bills do not say"),
    ROW(MONEY, saved, "by spot, against list prices; null: no bill has them"),
    ROW(MONEY, saved_by_commitments, "likewise"),
    ROW(MONEY, unknown, "paid for spot without a list price: what it saved is not known"),
    ROW(MONEY, unknown_committed, "likewise by commitments"),
};

static const struct field_set row_set = FIELD_SET(struct costs_spot_row, row_fields);

static const struct field result[] = {
    FIELD(TEXTS, costs_spot_result, by, .help = "dimensions"),
    FIELD(TABLE, costs_spot_result, rows, .help = "the most money first"),
    FIELD(LIST, costs_spot_result, totals, .row = &row_set, .help = "one for each currency"),
    FIELD(LIST, costs_spot_result, credits, .row = &costs_apart_fields,
          .help = "for machines, which are not in it"),
    FIELD(RECORD, costs_spot_result, basis, .row = &costs_basis_fields,
          .help = "what it is made of"),
    FIELD(TEXT, costs_spot_result, csv, .help = "the file they were written to"),
};

struct work {
    struct op_context *ctx;
    const struct costs_spot_request *request;
    struct costs_by by;
    struct costs_ask ask;
    struct spending_query query;
    struct spending_answer paid; /* bills and runs */
    /* The same lines of bills: what they really cost, what was invoiced, at list prices. */
    struct spending_answer cost, invoiced, list;
    struct costs_spot_result *result;
};

/* What one way of paying saved: on lines with a list price, and what was paid for those
 * without. */
struct saving {
    struct decimal amount, unknown;
    bool known, any;
};

/* Of a group: the amount by pricing, and what two of them saved. */
struct parts {
    struct decimal all, spot, committed, on_demand, other;
    struct saving by_spot, by_commitments;
};

static bool is(const struct spending *s, const char *pricing)
{
    return str_eq_nocase(s->of.of[DIMENSION_pricing], str_from(pricing));
}

static bool of_group(const struct work *w, const struct costs_group *g,
                     const struct spending *s)
{
    if (memcmp(g->currency, s->currency, 4) != 0)
        return false;
    for (size_t i = 0; i < w->by.count; i++)
        if (!str_eq_nocase(g->of.of[w->by.at[i]], s->of.of[w->by.at[i]]))
            return false;
    return true;
}

static bool add_paid(const struct work *w, const struct costs_group *g, struct parts *p,
                     struct error *err)
{
    for (size_t i = 0; i < w->paid.count; i++) {
        const struct spending *s = &w->paid.at[i];
        struct decimal *part = is(s, "spot")        ? &p->spot
                               : is(s, "committed") ? &p->committed
                               : is(s, "on-demand") ? &p->on_demand
                                                    : &p->other;

        if (!of_group(w, g, s))
            continue;
        if (!costs_plus(&p->all, s->amount, err) || !costs_plus(part, s->amount, err))
            return false;
        if (part != &p->spot || s->metered.coefficient == 0)
            continue;
        p->by_spot.any = true;
        if (!costs_plus(&p->by_spot.unknown, s->metered, err))
            return false;
    }
    return true;
}

static bool same_lines(const struct spending *a, const struct spending *b)
{
    if (memcmp(a->currency, b->currency, 4) != 0)
        return false;
    for (size_t d = 0; d < DIMENSION_COUNT; d++)
        if (!str_eq_nocase(a->of.of[d], b->of.of[d]))
            return false;
    return true;
}

/* What the same lines come to in another answer: as a rule in the same place of it. */
static struct decimal amount_in(const struct spending_answer *answer, size_t place,
                                const struct spending *of)
{
    if (place < answer->count && same_lines(&answer->at[place], of))
        return answer->at[place].amount;
    for (size_t i = 0; i < answer->count; i++)
        if (same_lines(&answer->at[i], of))
            return answer->at[i].amount;
    return (struct decimal){0};
}

/* List prices less what was paid. A line without a list price is kept at what was invoiced:
 * neither spot nor a commitment ever costs just that. */
static bool add_saved(const struct work *w, const struct costs_group *g, struct parts *p,
                      struct error *err)
{
    for (size_t i = 0; i < w->list.count; i++) {
        const struct spending *list = &w->list.at[i];
        struct saving *to = is(list, "spot")        ? &p->by_spot
                            : is(list, "committed") ? &p->by_commitments
                                                    : NULL;
        struct decimal cost, saved;

        if (to == NULL || !of_group(w, g, list))
            continue;
        to->any = true;
        cost = amount_in(&w->cost, i, list);
        if (decimal_cmp(list->amount, amount_in(&w->invoiced, i, list)) == 0) {
            if (!costs_plus(&to->unknown, cost, err))
                return false;
            continue;
        }
        to->known = true;
        if (!costs_minus(list->amount, cost, &saved, err) ||
            !costs_plus(&to->amount, saved, err))
            return false;
    }
    return true;
}

/* Unknown when there is something, and nothing is known of it. */
static struct money saved_money(const struct saving *s, const char currency[static 4])
{
    return s->any && !s->known ? (struct money){.currency = ""}
                               : costs_money(s->amount, currency);
}

/* What is above zero of it, by which shares go. */
static bool used_of(const struct parts *p, struct decimal *out, struct error *err)
{
    const struct decimal *const parts[] = {&p->spot, &p->committed, &p->on_demand, &p->other};

    *out = (struct decimal){0};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (parts[i]->coefficient > 0 && !costs_plus(out, *parts[i], err))
            return false;
    return true;
}

static bool make_row(const struct work *w, const struct costs_group *g,
                     struct costs_spot_row *out, struct error *err)
{
    struct parts p = {0};
    struct decimal used;

    if (!add_paid(w, g, &p, err) || !add_saved(w, g, &p, err) || !used_of(&p, &used, err))
        return false;
    *out = (struct costs_spot_row){
        .amount = costs_money(p.all, g->currency),
        .spot = costs_share(p.spot, used),
        .committed = costs_share(p.committed, used),
        .on_demand = costs_share(p.on_demand, used),
        .other = costs_share(p.other, used),
        .saved = saved_money(&p.by_spot, g->currency),
        .saved_by_commitments = saved_money(&p.by_commitments, g->currency),
        .unknown = costs_money(p.by_spot.unknown, g->currency),
        .unknown_committed = costs_money(p.by_commitments.unknown, g->currency)};
    out->currency = str_from(g->currency);
    costs_values(&w->by, &g->of, out->value);
    return true;
}

static bool make_rows(const struct work *w, const struct costs_by *by, struct rows *out,
                      struct error *err)
{
    struct costs_groups groups = {.arena = w->ctx->arena, .by = by};
    struct costs_spot_row *rows;
    struct work asked = *w;

    asked.by = *by;
    if (!costs_groups_make(&w->paid, NULL, &groups, err))
        return false;
    costs_groups_sort(&groups, SORT_COST);
    rows = arena_array(w->ctx->arena, struct costs_spot_row, groups.count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < groups.count; i++)
        if (!make_row(&asked, &groups.at[i], &rows[i], err))
            return false;
    *out = (struct rows){rows, groups.count};
    return true;
}

/* What was paid for the same lines in three ways: as they were recorded, since shares that a
 * policy moves have no list price, and finely, since some bills have no list prices. */
static bool ask_all(struct work *w, struct ledger *ledger, struct error *err)
{
    static const enum dimension fine[] = {DIMENSION_provider,    DIMENSION_account,
                                          DIMENSION_sub_account, DIMENSION_service,
                                          DIMENSION_instance,    DIMENSION_region};
    struct account_source account = op_account(w->ctx, ledger);
    struct spending_query bills = w->query;

    bills.from = SPENDING_BILLS;
    bills.raw = true;
    for (size_t i = 0; i < ARRAY_LEN(fine); i++)
        bills.by |= UINT64_C(1) << fine[i];
    if (!account_spending(&account, &w->query, &w->paid, err) ||
        !account_spending(&account, &bills, &w->cost, err))
        return false;
    bills.quiet = true; /* of the same lines everything is said */
    bills.cost = COST_BILLED;
    if (!account_spending(&account, &bills, &w->invoiced, err))
        return false;
    bills.cost = COST_LIST;
    if (!account_spending(&account, &bills, &w->list, err))
        return false;
    if (!account_credits(&account, &w->query, &w->result->credits, err))
        return false;
    costs_basis_of(w->ctx, &w->query, &w->ask, &w->paid, &w->result->basis);
    w->result->basis.none_yet = ledger == NULL;
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    static const struct costs_by nothing;
    struct work w = {.ctx = ctx, .request = in, .result = out};
    struct costs_spot_result *res = out;
    struct ledger *ledger = NULL;
    struct rows rows = {0};
    bool ok;

    w.ask = w.request->ask;
    if (!costs_by(w.request->by, &w.by, err) ||
        !costs_where_also(w.ask.where, STR("category=Compute"), ctx->arena, &w.ask.where,
                          err) ||
        !costs_query(ctx, &w.ask, DAYS, &w.query, err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    if (w.by.grain != COSTS_WHOLE) {
        ledger_close(ledger);
        return error_fail(err, ERROR_USAGE, "--by: only dimensions, no length of time");
    }
    w.query.by = w.by.bits | UINT64_C(1) << DIMENSION_pricing;
    w.query.raw = true;
    w.query.credits = CREDITS_OUT; /* shares are of what was used */
    ok = ask_all(&w, ledger, err) && make_rows(&w, &w.by, &rows, err) &&
         make_rows(&w, &nothing, &res->totals, err) &&
         costs_by_names(&w.by, ctx->arena, &res->by, err) &&
         costs_row_fields(&w.by, offsetof(struct costs_spot_row, value), &row_set, ctx->arena,
                          &res->rows.row, err);
    ledger_close(ledger);
    if (!ok)
        return false;
    res->rows.at = rows.at;
    res->rows.len = rows.len;
    res->csv = w.request->csv;
    return res->csv.len == 0 || costs_csv(ctx, res->csv, res->rows.row, &rows, err);
}

const struct op op_costs_spot = {
    .name = "costs.spot",
    .schema = "stint.costs.spot/1",
    .summary = "show the shares of spot, committed and on-demand use",
    .request = &(const struct field_set)FIELD_SET(struct costs_spot_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_spot_result, result),
    .run = run,
};
