/* What is left of the budgets that hold for a run, asked while it runs.
 *
 * The supervisor knows one budget besides the run's own: that which ends first. Which of them
 * hold is read each time: one may be set, raised or removed while the run goes on. */
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
    usd month; /* the month's budget; unknown: none */
    stamp month_began;
    struct ledger_charge run; /* as it will be recorded: what budgets go by */
    char name[160];           /* of the budget that ends first: "the budget 'nlp'" */
};

/* ---- while it runs ---- */

/* What a look at all budgets goes by. */
struct looking {
    struct budget_guard *g;
    struct str id; /* of this run */
    stamp now;
    struct budget_stops stops; /* that apply to the run */
    struct run_dimensions dims;
    struct condition **where;
    struct shared_look *of; /* each budget: what others spend from it */
};

static bool add_other_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct looking *l = ctx;
    struct dimensions of;

    if (!run_dimensions_of(&l->dims, charge, &of, err))
        return false;
    for (size_t i = 0; i < l->stops.count; i++)
        if (conditions_hold(l->where[i], l->stops.at[i].scope.len, &of))
            shared_add(&l->of[i], charge, l->now, str_eq(charge->id, l->id));
    return true;
}

/* Who else spends from each of them now. */
static bool find_others(struct looking *l, struct op_context *ctx, struct ledger *ledger,
                        struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    struct coverage coverage = {0};
    const struct allocation_policy *policy;
    bool ok;

    l->where = arena_array(ctx->arena, struct condition *, l->stops.count, err);
    l->of = arena_array(ctx->arena, struct shared_look, l->stops.count, err);
    if (l->where == NULL || l->of == NULL ||
        !ledger_policy_read(ledger, ctx->arena, &policy, err))
        return false;
    for (size_t i = 0; i < l->stops.count; i++)
        if (!conditions_parse(l->stops.at[i].scope, ctx->arena, &l->where[i], err))
            return false;
    run_dimensions_open(&l->dims, &account, &coverage, policy, UINT64_MAX);
    ok = ledger_charges_open(ledger, add_other_charge, l, err);
    run_dimensions_close(&l->dims);
    return ok;
}

/* How long `left` lasts: in what order budgets end, not when. */
static double budget_time_left(usd left, usd_per_hour rate, const struct shared_look *others)
{
    double own = rate.nano != MONEY_UNKNOWN ? (double)rate.nano : 0;

    return left.nano <= 0 ? (double)left.nano
                          : (double)left.nano / fmax(own + (double)others->others.nano, 1);
}

static void set_guard_name(struct budget_guard *g, struct str budget)
{
    (void)snprintf(g->name, sizeof g->name, "the budget '%.*s'", STR_ARG(budget));
}

/* Of the one that ends first: its limit, what of it is spent, and who spends from it. */
static bool first_to_end(struct looking *l, struct op_context *ctx, struct ledger *ledger,
                         usd_per_hour rate, struct shared_look *out, struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    struct budget_guard *g = l->g;
    struct shared_look month;
    double soonest = INFINITY;

    for (size_t i = 0; i < l->stops.count; i++) {
        struct budget_state s = {.budget = &l->stops.at[i]};
        usd left;

        if (!budget_spent(&account, l->now, &s, err) ||
            !budget_left(&account, &s, &left, err)) {
            error_context(err, "the budget '%.*s'", STR_ARG(s.budget->name));
            return false;
        }
        left.nano -= l->of[i].spent.nano;
        out->unknown = s.unpriced > out->unknown ? s.unpriced : out->unknown;
        if (budget_time_left(left, rate, &l->of[i]) >= soonest)
            continue;
        soonest = budget_time_left(left, rate, &l->of[i]);
        out->limit = budget_limit(&s, (usd){left.nano + l->of[i].spent.nano});
        out->spent.nano = out->limit.nano - left.nano;
        out->others = l->of[i].others;
        set_guard_name(g, s.budget->name);
        out->name = g->name;
    }
    if (g->month.nano == MONEY_UNKNOWN)
        return true;
    if (!shared_month(ledger, g->month_began, l->id.at, l->now, &month, err))
        return false;
    out->unknown = month.unknown > out->unknown ? month.unknown : out->unknown;
    if (budget_time_left((usd){g->month.nano - month.spent.nano}, rate, &month) < soonest) {
        out->limit = g->month;
        out->spent = month.spent;
        out->others = month.others;
        out->name = NULL;
    }
    return true;
}

static bool spent_so_far(void *guard, struct ledger *ledger, const char *id, usd_per_hour rate,
                         struct shared_look *out, struct error *err)
{
    struct budget_guard *g = guard;
    struct arena arena = {.alloc = g->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct op_context ctx = op_apart(g->ctx, &arena, true); /* another thread asks, for weeks */
    struct account_source account = op_account(&ctx, ledger);
    struct looking l = {.g = g, .id = str_from(id), .now = op_now(&ctx)};
    bool ok;

    *out = (struct shared_look){.limit = USD_UNKNOWN};
    ok = budget_stops_apply(&account, &g->run, &l.stops, err) &&
         (l.stops.count == 0 || find_others(&l, &ctx, ledger, err)) &&
         first_to_end(&l, &ctx, ledger, rate, out, err);
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
    *g = (struct budget_guard){.ctx = ctx,
                               .month = options->month_budget,
                               .month_began = options->month_began,
                               .run = run};
    return g;
}

/* Which of the ledger's budgets apply to the run, and the limit of the tightest. */
static bool find_budgets(struct op_context *ctx, struct ledger *ledger,
                         const struct budget_guard *g, struct supervise_options *options,
                         struct error *err)
{
    struct account_source account = op_account(ctx, ledger);
    struct budget_stops stops;

    if (!budget_stops_find(&account, op_now(ctx), &g->run, &stops, err))
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
