/* costs.movers - what changed most between two periods, and in which dimension. */
#include "op/account/costs.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DAYS 30

static const struct field request[] = {
    FIELD(TEXTS, costs_movers_request, by, .value = "LIST",
          .help =
              "these dimensions, each by itself (default: those that show where money went)"),
    COSTS_ASK(costs_movers_request, "30d"),
    FIELD(COUNT, costs_movers_request, limit, .value = "N", .fallback = "10",
          .help = "the largest N of each currency; 0: all"),
    FIELD(TEXT, costs_movers_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
};

static const struct field result[] = {
    FIELD_AS("movers", LIST, costs_movers_result, found.movers, .row = &costs_mover_fields,
             .help = "the largest first"),
    FIELD_AS("totals", LIST, costs_movers_result, found.totals, .row = &costs_mover_fields,
             .help = "of everything"),
    FIELD_AS("credits", LIST, costs_movers_result, found.credits, .row = &costs_apart_fields,
             .help = "of these days, which are not in it"),
    FIELD_AS("credits_before", LIST, costs_movers_result, found.credits_before,
             .row = &costs_apart_fields, .help = "of the days before"),
    FIELD_AS("before", RECORD, costs_movers_result, found.before, .row = &costs_compared_fields,
             .help = "the days before"),
    FIELD(RECORD, costs_movers_result, basis, .row = &costs_basis_fields,
          .help = "what it is made of"),
    FIELD(TEXT, costs_movers_result, csv, .help = "the file they were written to"),
};

static bool costs_movers_run(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct costs_movers_request *req = in;
    struct costs_movers_result *res = out;
    struct account_source account;
    struct ledger *ledger = NULL;
    struct spending_query query;
    struct costs_by by;
    bool ok;

    if (!costs_by(req->by, &by, err) || !costs_query(ctx, &req->ask, DAYS, &query, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    account = op_account(ctx, ledger);
    query.by = by.bits;
    ok = account_movers(&account, &query, req->ask.month.len > 0, req->limit, &res->found, err);
    ledger_close(ledger);
    if (!ok)
        return false;
    costs_basis_of(ctx, &query, &req->ask, &res->found.spent, &res->basis);
    res->basis.none_yet = ledger == NULL;
    res->csv = req->csv;
    return req->csv.len == 0 ||
           costs_csv(ctx, req->csv, &costs_mover_fields, &res->found.movers, err);
}

const struct op op_costs_movers = {
    .name = "costs.movers",
    .schema = "stint.costs.movers/1",
    .summary = "show the largest changes between two periods",
    .request = &(const struct field_set)FIELD_SET(struct costs_movers_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_movers_result, result),
    .run = costs_movers_run,
};
