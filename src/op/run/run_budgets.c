/* What is left of the budgets that hold for a run, asked while it runs.
 *
 * The supervisor knows one budget besides the run's own: the month's. It is given the limit of
 * the tightest budget, and an amount spent that leaves as much as the budget that ends first
 * has left.
 */
#include "op/run/run_budgets.h"

#include <math.h>

#include "account/policy/ledger_policy.h"
#include "account/query/charge.h"
#include "account/query/condition.h"
#include "budget/budget.h"
#include "op/context.h"
#include "op/spending.h"

struct budget_guard {
    struct op_context *ctx;
    struct budget_stops stops; /* that apply to the run */
    usd month;                 /* the month's budget; unknown: none */
    stamp month_began;
    usd limit; /* that the supervisor was given */
    /* The ledger could not be read at the start: what the rest is found with, as soon as it can
     * be. The run's tags are among it, and `arena` has what was found. */
    bool later;
    struct ledger_charge run;
    struct arena arena;
};

/* ---- while it runs ---- */

/* What a look at all budgets goes by. */
struct looking {
    const struct budget_guard *g;
    struct str id; /* of this run */
    stamp now;
    struct run_dimensions dims;
    struct condition **where;
    struct shared_look *of; /* each budget: what others spend from it */
};

static bool add_other(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct looking *l = ctx;
    struct dimensions of;

    if (!run_dimensions_of(&l->dims, charge, &of, err))
        return false;
    for (size_t i = 0; i < l->g->stops.count; i++)
        if (conditions_hold(l->where[i], l->g->stops.at[i].scope.len, &of))
            shared_add(&l->of[i], charge, l->now, str_eq(charge->id, l->id));
    return true;
}

/* Who else spends from each of them now. */
static bool find_others(struct looking *l, struct op_context *ctx, struct ledger *ledger,
                        struct error *err)
{
    const struct budget_guard *g = l->g;
    struct account_source account = op_account(ctx, ledger);
    struct coverage coverage = {0};
    const struct allocation_policy *policy;
    bool ok;

    l->where = arena_array(ctx->arena, struct condition *, g->stops.count, err);
    l->of = arena_array(ctx->arena, struct shared_look, g->stops.count, err);
    if (l->where == NULL || l->of == NULL ||
        !ledger_policy_read(ledger, ctx->arena, &policy, err))
        return false;
    for (size_t i = 0; i < g->stops.count; i++)
        if (!conditions_parse(g->stops.at[i].scope, ctx->arena, &l->where[i], err))
            return false;
    run_dimensions_open(&l->dims, &account, &coverage, policy, UINT64_MAX);
    ok = ledger_charges_open(ledger, add_other, l, err);
    run_dimensions_close(&l->dims);
    return ok;
}

/* How long `left` lasts: in what order budgets end, not when. */
static double time_left(usd left, usd_per_hour rate, const struct shared_look *others)
{
    double own = rate.nano != MONEY_UNKNOWN ? (double)rate.nano : 0;

    return left.nano <= 0 ? (double)left.nano
                          : (double)left.nano / fmax(own + (double)others->others.nano, 1);
}

/* Of the one that ends first: what is left, and who spends from it. */
static bool first_to_end(struct looking *l, struct op_context *ctx, struct ledger *ledger,
                         usd_per_hour rate, struct shared_look *out, struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    const struct budget_guard *g = l->g;
    struct shared_look month;
    double soonest = INFINITY;

    for (size_t i = 0; i < g->stops.count; i++) {
        struct budget_state s = {.budget = &g->stops.at[i]};
        usd left;

        if (!budget_spent(&account, l->now, &s, err) ||
            !budget_left(&account, &s, &left, err)) {
            error_context(err, "the budget '%.*s'", STR_ARG(g->stops.at[i].name));
            return false;
        }
        left.nano -= l->of[i].spent.nano;
        out->unknown = s.unpriced > out->unknown ? s.unpriced : out->unknown;
        if (time_left(left, rate, &l->of[i]) >= soonest)
            continue;
        soonest = time_left(left, rate, &l->of[i]);
        out->spent.nano = g->limit.nano - left.nano;
        out->others = l->of[i].others;
    }
    if (g->month.nano == MONEY_UNKNOWN)
        return true;
    if (!shared_month(ledger, g->month_began, l->id.at, l->now, &month, err))
        return false;
    out->unknown = month.unknown > out->unknown ? month.unknown : out->unknown;
    if (time_left((usd){g->month.nano - month.spent.nano}, rate, &month) < soonest) {
        out->spent.nano = g->limit.nano - (g->month.nano - month.spent.nano);
        out->others = month.others;
    }
    return true;
}

static bool spent_so_far(void *guard, struct ledger *ledger, const char *id, usd_per_hour rate,
                         struct shared_look *out, struct error *err)
{
    struct budget_guard *g = guard;
    struct arena arena = {.alloc = g->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct op_context ctx = op_apart(g->ctx, &arena, true); /* another thread asks, for weeks */
    struct looking l = {.g = g, .id = str_from(id), .now = ctx.clock->today(ctx.clock->ctx)};
    bool ok;

    *out = (struct shared_look){.limit = g->limit, .name = g->stops.name};
    ok = (g->stops.count == 0 || find_others(&l, &ctx, ledger, err)) &&
         first_to_end(&l, &ctx, ledger, rate, out, err);
    op_done(&ctx);
    arena_free(&arena);
    return ok;
}

/* ---- before it begins ---- */

/* Which of the ledger's budgets apply to the run, and the limit of the tightest. */
static bool find_budgets(struct op_context *ctx, struct ledger *ledger, struct budget_guard *g,
                         struct error *err)
{
    struct account_source account = op_account(ctx, ledger);

    if (!budget_stops_find(&account, ctx->clock->today(ctx->clock->ctx), &g->run, g->later,
                           &g->stops, err))
        return false;
    g->limit = g->stops.count > 0 ? g->stops.limit : g->month;
    return true;
}

/* ---- when the ledger could not be read ---- */

/* What was found stays until the process ends: the thread that asks may outlive the run. */
static bool find_later(struct budget_guard *g, struct ledger *ledger, struct error *err)
{
    struct op_context ctx;
    bool ok;

    g->arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    ctx = op_apart(g->ctx, &g->arena, true);
    ok = find_budgets(&ctx, ledger, g, err);
    op_done(&ctx);
    if (!ok)
        arena_free(&g->arena);
    g->later = !ok;
    return ok;
}

static bool spent_later(void *guard, struct ledger *ledger, const char *id, usd_per_hour rate,
                        struct shared_look *out, struct error *err)
{
    struct budget_guard *g = guard;

    if (g->later && !find_later(g, ledger, err))
        return false;
    *out = (struct shared_look){.limit = USD_UNKNOWN};
    return (g->stops.count == 0 && g->month.nano == MONEY_UNKNOWN) ||
           spent_so_far(g, ledger, id, rate, out, err);
}

static void enforce_later(struct op_context *ctx, struct budget_guard *g,
                          const struct error *problem, struct supervise_options *options)
{
    g->later = options->month_later = true;
    options->month_spent = spent_later;
    options->month_ctx = g;
    message_warn(
        &ctx->messages,
        "%s: what is left of budgets is unknown; they stop this run as soon as the ledger can "
        "be read, until then only --budget AMOUNT does",
        problem->text);
}

/* ---- together ---- */

static struct budget_guard *guard_of(struct op_context *ctx,
                                     const struct supervise_options *options, struct error *err)
{
    struct budget_guard *g = arena_array(ctx->arena, struct budget_guard, 1, err);
    struct ledger_charge run;

    if (g == NULL || !ledger_charge_of_start(options->start, ctx->arena, &run, err))
        return NULL;
    *g = (struct budget_guard){.ctx = ctx,
                               .month = options->month_budget,
                               .month_began = options->month_began,
                               .run = run};
    return g;
}

bool budget_guard_run(struct op_context *ctx, struct ledger *ledger, const struct error *why,
                      struct supervise_options *options, struct error *err)
{
    struct budget_guard *g = options->ledger != NULL ? guard_of(ctx, options, err) : NULL;
    struct error problem = ledger == NULL ? *why : (struct error){0};

    if (g == NULL)
        return options->ledger == NULL;
    if (ledger != NULL && find_budgets(ctx, ledger, g, &problem)) {
        if (g->stops.count == 0)
            return true;
        options->month_budget = g->limit;
        options->month_spent = spent_so_far;
        options->month_ctx = g;
        options->month_name = g->stops.name;
        return true;
    }
    if (problem.kind == ERROR_ABSENT)
        return true;
    if (problem.kind == ERROR_GUARD || problem.kind == ERROR_MEMORY) {
        *err = problem;
        return false;
    }
    enforce_later(ctx, g, &problem, options);
    return true;
}
