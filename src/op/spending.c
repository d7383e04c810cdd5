#include "op/spending.h"

#include "op/context.h"
#include "op/ledger_open.h"

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
