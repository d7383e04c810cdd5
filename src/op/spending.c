#include "op/spending.h"

#include <string.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "unit/moment.h"

static const struct catalog *load_catalog(void *ctx, uint64_t tables, struct error *err)
{
    struct op_context *op = ctx;

    return op_catalog(op, tables, err) ? &op->catalog : NULL;
}

static bool report_spending_progress(void *ctx, const char *what, uint64_t done)
{
    const struct op_context *op = ctx;

    watch_progress(&op->watch, what, done, 0);
    return !watch_stopped(&op->watch);
}

struct account_source op_account(struct op_context *ctx, struct ledger *ledger)
{
    return (struct account_source){.ledger = ledger,
                                   .arena = ctx->arena,
                                   .today = op_today(ctx),
                                   .messages = ctx->messages,
                                   .catalog = load_catalog,
                                   .catalog_ctx = ctx,
                                   .progress = report_spending_progress,
                                   .progress_ctx = ctx};
}

bool op_spending(struct op_context *ctx, struct ledger *ledger,
                 const struct spending_query *query, struct spending_answer *out,
                 struct error *err)
{
    struct account_source account = op_account(ctx, ledger);

    return account_spending(&account, query, out, err);
}

/* ---- requests ---- */

const char *const costs_kinds[] = {"effective", "billed", "list", "contracted", NULL};
const char *const costs_kinds_others[] = {"amortised",  "effective",  "amortized", "effective",
                                          "unblended",  "billed",     "invoiced",  "billed",
                                          "on-demand",  "list",       "public",    "list",
                                          "negotiated", "contracted", NULL};
const char *const costs_sources[] = {"all", "bills", "runs", NULL};

static int index_in_names(const char *const *names, struct str name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (str_eq(name, str_from(names[i])))
            return i;
    return 0;
}

bool costs_query(const struct op_context *ctx, const struct costs_ask *ask, int32_t days,
                 struct spending_query *out, struct error *err)
{
    *out = (struct spending_query){
        .where = ask->where,
        .currency = ask->currency,
        .from = (enum spending_from)index_in_names(costs_sources, ask->from),
        .cost = (enum spending_cost)index_in_names(costs_kinds, ask->cost)};
    return days_asked_parse(op_today(ctx), &ask->days, days, &out->since, &out->until, err);
}

bool costs_by_dimensions(const struct op_context *ctx, struct strs given,
                         const char *default_by, struct costs_by *out, struct strs *names,
                         struct error *err)
{
    struct str usual = str_from(default_by);

    if (given.len == 0 && default_by != NULL)
        given = (struct strs){&usual, 1};
    if (!costs_by(given, out, err))
        return false;
    if (out->grain != COSTS_WHOLE)
        return error_fail(err, ERROR_USAGE, "--by: only dimensions, no length of time");
    return costs_by_names(out, ctx->arena, names, err);
}

/* ---- below the answer ---- */

static const struct field basis[] = {
    FIELD(DAY, costs_basis, since, .help = "first day"),
    FIELD(DAY, costs_basis, until, .help = "last day, in UTC"),
    FIELD(TEXT, costs_basis, kind,
          .help = "kind of cost: effective, billed, list or contracted"),
    FIELD(COUNT, costs_basis, unpriced, .help = "runs without a known cost"),
    FIELD(DAY, costs_basis, billed_until, .help = "newest day that a bill covers"),
    FIELD_AS("converted", TEXT, costs_basis, rates.of, .help = "converted currencies"),
    FIELD_AS("rates_from", DAY, costs_basis, rates.from, .help = "oldest rate used"),
    FIELD_AS("rates_to", DAY, costs_basis, rates.to, .help = "newest rate used"),
    FIELD_AS("rate_source", TEXT, costs_basis, rates.source, .help = "source of the rates"),
    FIELD(TEXT, costs_basis, ledger, .help = "ledger file"),
    FIELD(FLAG, costs_basis, no_ledger, .help = "no ledger exists yet"),
};

const struct field_set costs_basis_fields = FIELD_SET(struct costs_basis, basis);

void costs_basis_of(const struct op_context *ctx, const struct ledger *ledger,
                    const struct spending_query *query, const struct costs_ask *ask,
                    const struct spending_answer *answer, struct costs_basis *out)
{
    *out = (struct costs_basis){.since = query->since,
                                .until = query->until,
                                .ledger = op_ledger_shown(ctx),
                                .no_ledger = ledger == NULL,
                                .filtered = query->where.len > 0,
                                .unpriced = answer->unpriced,
                                .billed_until = answer->billed_until,
                                .kind = ask->cost,
                                .rates = answer->rates};
    if (out->until.n != DAY_UNKNOWN.n)
        out->until.n--;
}
