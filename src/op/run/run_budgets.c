/* What is left of the budgets that apply to a run, asked while it runs (budget/ends.h): the
 * supervisor knows one budget besides the run's own, that which ends first. */
#include "op/run/run_budgets.h"

#include "budget/ends.h"
#include "op/context.h"
#include "op/spending.h"

struct budget_guard {
    struct op_context *ctx;
    struct budget_run run;
};

static bool spent_so_far(void *guard, struct ledger *ledger, const char *id, usd_per_hour rate,
                         struct shared_look *out, struct error *err)
{
    struct budget_guard *g = guard;
    struct arena arena = {.alloc = g->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct op_context ctx = op_apart(g->ctx, &arena, true); /* another thread asks, for weeks */
    struct account_source account = op_account(&ctx, ledger);
    bool ok = budget_ends_first(&account, &g->run, op_now(&ctx), id, rate, out, err);

    op_done(&ctx);
    arena_free(&arena);
    return ok;
}

/* ---- before it begins ---- */

static struct budget_guard *guard_of(struct op_context *ctx,
                                     const struct supervise_options *options, struct error *err)
{
    struct budget_guard *g = arena_array(ctx->arena, struct budget_guard, 1, err);
    struct ledger_charge run;

    if (g == NULL || !ledger_charge_of_start(options->start, ctx->arena, &run, err))
        return NULL;
    *g = (struct budget_guard){
        ctx,
        {.charge = run, .month = options->month_budget, .month_began = options->month_began}};
    return g;
}

/* Which of the ledger's budgets apply to the run, and the limit of the tightest. */
static bool find_budgets(struct op_context *ctx, struct ledger *ledger,
                         const struct budget_guard *g, struct supervise_options *options,
                         struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    struct budget_stops stops;

    if (!budget_stops_find(&account, op_now(ctx), &g->run.charge, &stops, err))
        return false;
    if (stops.count > 0) {
        options->month_budget = stops.limit;
        options->month_name = stops.name;
    }
    return true;
}

bool budget_guard_run(struct op_context *ctx, struct ledger *ledger, const struct error *why,
                      struct supervise_options *options, struct error *err)
{
    struct budget_guard *g = options->ledger != NULL ? guard_of(ctx, options, err) : NULL;
    struct error problem = ledger == NULL ? *why : (struct error){0};

    if (g == NULL)
        return options->ledger == NULL;
    options->month_spent = spent_so_far;
    options->month_ctx = g;
    if ((ledger != NULL && find_budgets(ctx, ledger, g, options, &problem)) ||
        problem.kind == ERROR_ABSENT)
        return true;
    if (problem.kind == ERROR_GUARD || problem.kind == ERROR_MEMORY) {
        *err = problem;
        return false;
    }
    options->month_later = true;
    message_warn(&ctx->messages,
                 "%s: the remaining budgets are unknown; they stop this run once the ledger "
                 "can be read, until then only --budget AMOUNT does",
                 problem.text);
    return true;
}
