/* What was spent: bills, and what runs cost that no bill covers, made into one account.
 *
 * Each amount takes the same way: past the conditions, into the currency that was asked for,
 * into the sums. Where a policy splits costs, they are summed by all that it looks at first,
 * and that of whole months: what someone's share of a day is depends on the month, never on
 * which days are asked for.
 */
#include "op/account/spending.h"

#include <string.h>

#include "account/policy/ledger_policy.h"
#include "op/account/spending_work.h"

struct spending_work {
    struct op_context *ctx;
    struct ledger *ledger;
    const struct spending_query *query;
    struct spending_where *where;
    uint64_t needed;         /* dimensions: asked for, or in a condition */
    enum ledger_grain grain; /* that amounts come in */
    day since, until;        /* that are read */
    struct converter converter;
    const struct ledger_bill *bills;
    size_t bill_count;
    struct coverage coverage;
    struct run_dimensions runs;
    const struct policy *policy;
    bool splits;                    /* it does: amounts are recorded first, then split */
    struct spending_table recorded; /* by all that the policy looks at */
    struct spending_table sums;
    bool any;                       /* amount at all, wanted or not */
    int64_t unpriced, unpriced_run; /* and the last run that was counted */
};

/* Is there anything to convert? Amounts of a day need the day's rate. */
static bool converts(const struct spending_work *w)
{
    struct str to = w->query->currency;

    if (to.len == 0)
        return false;
    if (w->query->from != SPENDING_BILLS && !str_eq_nocase(to, STR("USD")))
        return true;
    for (size_t i = 0; i < w->bill_count; i++)
        if (!str_eq_nocase(to, w->bills[i].currency))
            return true;
    for (size_t i = 0; w->splits && i < policy_recurring_count(w->policy); i++)
        if (!str_eq_nocase(to, str_from(policy_recurring_at(w->policy, i).cost.currency)))
            return true;
    return false;
}

static bool in_range(const struct spending_query *q, day on)
{
    return (q->since.n == DAY_UNKNOWN.n || on.n >= q->since.n) &&
           (q->until.n == DAY_UNKNOWN.n || on.n < q->until.n);
}

static bool is_credit(const struct spending_entry *e)
{
    struct str charge = e->of->of[DIMENSION_charge];

    return str_eq_nocase(charge, STR("Credit")) || str_eq_nocase(charge, STR("Adjustment"));
}

/* Into the sums, when it is wanted: what is not needs no rate. */
static bool take_wanted(void *ctx, struct spending_entry *e, struct error *err)
{
    struct spending_work *w = ctx;

    if (w->grain == GRAIN_DAY && !in_range(w->query, e->from))
        return true;
    w->any = true;
    if (!spending_wanted(w->where, w->query->where.len, e->of) ||
        (w->query->credits != CREDITS_IN &&
         is_credit(e) != (w->query->credits == CREDITS_ONLY)))
        return true;
    if (w->query->currency.len > 0) {
        if (!convert(&w->converter, e->from, e->currency, &e->amount, err) ||
            !convert(&w->converter, e->from, e->currency, &e->metered, err))
            return false;
        memcpy(e->currency, w->converter.to, sizeof e->currency);
    }
    return spending_put(&w->sums, e, err);
}

static bool take(struct spending_work *w, struct spending_entry *e, struct error *err)
{
    return w->splits ? spending_put(&w->recorded, e, err) : take_wanted(w, e, err);
}

/* ---- bills ---- */

static struct decimal amount_of(const struct ledger_cost *cost, enum spending_cost which)
{
    switch (which) {
    case COST_BILLED:
        return cost->billed;
    case COST_LIST:
        return cost->list;
    case COST_CONTRACTED:
        return cost->contracted;
    case COST_EFFECTIVE:
    default:
        return cost->effective;
    }
}

static bool take_cost(void *ctx, const struct ledger_cost *cost, struct error *err)
{
    struct spending_work *w = ctx;
    struct spending_entry e = {.from = cost->from,
                               .of = &cost->of,
                               .amount = amount_of(cost, w->query->cost),
                               .lines = cost->lines,
                               .run = -1};

    memcpy(e.currency, cost->currency, sizeof e.currency);
    return take(w, &e, err);
}

static bool take_bills(struct spending_work *w, struct error *err)
{
    static const unsigned amounts[] = {[COST_EFFECTIVE] = 1u << AMOUNT_EFFECTIVE,
                                       [COST_BILLED] = 1u << AMOUNT_BILLED,
                                       [COST_LIST] = 1u << AMOUNT_LIST,
                                       [COST_CONTRACTED] = 1u << AMOUNT_CONTRACTED};
    struct ledger_cost_query query = {.since = w->since,
                                      .until = w->until,
                                      .grain = w->grain,
                                      .by = w->needed,
                                      .amounts = amounts[w->query->cost]};

    return w->query->from == SPENDING_RUNS ||
           ledger_costs(w->ledger, &query, take_cost, w, err);
}

/* ---- runs ---- */

static void count_unpriced(struct spending_work *w, const struct ledger_charge *charge,
                           const struct dimensions *of, day on)
{
    /* One that has just begun has nothing to tell yet. */
    bool begun = str_eq(charge->state, STR("running")) && charge->elapsed.ns < 0;

    if (begun || w->unpriced_run == charge->run || !in_range(w->query, on) ||
        !spending_wanted(w->where, w->query->where.len, of))
        return;
    w->unpriced_run = charge->run;
    w->unpriced++;
}

static bool is_read(const struct spending_work *w, day on)
{
    return (w->since.n == DAY_UNKNOWN.n || on.n >= w->since.n) &&
           (w->until.n == DAY_UNKNOWN.n || on.n < w->until.n);
}

/* Runs that are split are recorded by the day, and a run of many days is one: it is counted as
 * it is read. What a rule shares out is of no run any more. */
static bool count_run(struct spending_work *w, const struct spending_entry *e,
                      struct error *err)
{
    struct spending_entry counted = {.from = e->from, .of = e->of, .run = e->run};

    for (size_t i = 0; !w->query->unsplit && i < policy_shared_count(w->policy); i++)
        if (policy_shared_matches(w->policy, i, e->of))
            return true;
    memcpy(counted.currency, e->currency, sizeof counted.currency);
    return take_wanted(w, &counted, err);
}

static bool take_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct spending_work *w = ctx;
    struct charge_days days = charge_days_of(charge);
    struct dimensions of;
    int64_t nano;
    day on;

    if (!run_dimensions_of(&w->runs, charge, &of, err))
        return false;
    while (charge_days_next(&days, &on, &nano)) {
        bool billed;
        struct spending_entry e = {
            .from = on, .of = &of, .currency = "USD", .run = charge->run};

        if (!is_read(w, on))
            continue;
        billed = covered(&w->coverage, of.of[DIMENSION_provider], on);
        if (billed && w->query->from != SPENDING_RUNS)
            continue;
        if (nano == MONEY_UNKNOWN) {
            count_unpriced(w, charge, &of, on);
            continue;
        }
        e.amount = (struct decimal){nano, 9};
        if (!billed)
            e.metered = e.amount;
        if ((w->splits && !count_run(w, &e, err)) || !take(w, &e, err))
            return false;
    }
    return true;
}

static stamp moment_of(day on)
{
    return (stamp){on.n == DAY_UNKNOWN.n ? -1 : on.n * SECONDS_PER_DAY};
}

static bool take_runs(struct spending_work *w, struct error *err)
{
    bool ok;

    if (w->query->from == SPENDING_BILLS)
        return true;
    run_dimensions_open(&w->runs, w->ctx, &w->coverage, w->policy, w->needed);
    ok = ledger_charges(w->ledger, moment_of(w->since), moment_of(w->until), take_charge, w,
                        err);
    run_dimensions_close(&w->runs);
    return ok;
}

/* ---- all of it ---- */

static day billed_until(const struct coverage *c)
{
    day newest = DAY_UNKNOWN;

    for (size_t i = 0; i < c->count; i++)
        if (c->at[i].last.n > newest.n)
            newest = c->at[i].last;
    return newest;
}

bool spending_billed_until(struct op_context *ctx, struct ledger *ledger, day *out,
                           struct error *err)
{
    const struct ledger_bill *bills;
    struct coverage coverage;
    size_t count;

    if (!ledger_bills(ledger, ctx->arena, &bills, &count, err) ||
        !coverage_make(bills, count, ctx->arena, &coverage, err))
        return false;
    *out = billed_until(&coverage);
    return true;
}

/* Whole months, where costs are shared. */
static void widen(struct spending_work *w)
{
    if (w->since.n != DAY_UNKNOWN.n)
        w->since = day_month_add(w->since, 0);
    if (w->until.n != DAY_UNKNOWN.n)
        w->until = day_month_add((day){w->until.n - 1}, 1);
}

/* The policy is applied here and nowhere else: its rules to runs as they are read (bills have
 * them since their import), its splits and recurring costs to all that was recorded. Who asks
 * for bills alone, or for runs alone, is told what they have. */
static bool prepare_policy(struct spending_work *w, struct error *err)
{
    const struct spending_query *q = w->query;

    if (!ledger_policy_read(w->ledger, w->ctx->arena, &w->policy, err))
        return false;
    w->splits = (q->how || (!q->raw && q->from == SPENDING_ALL)) && w->policy != NULL &&
                policy_splits(w->policy);
    if (!w->splits)
        return true;
    if (q->unsplit)
        return true;
    w->needed |= policy_split_by(w->policy);
    if (policy_shared_count(w->policy) > 0)
        widen(w);
    return true;
}

/* Amounts of days where days matter: for a rate, or because some of a month are not asked for.
 * Shares are of months else: a month's do not change with the next. */
static enum ledger_grain grain_of(const struct spending_work *w)
{
    const struct spending_query *q = w->query;

    if (q->grain == GRAIN_DAY || converts(w) ||
        (w->splits && (w->since.n != q->since.n || w->until.n != q->until.n)))
        return GRAIN_DAY;
    return w->splits ? GRAIN_MONTH : q->grain;
}

static bool prepare(struct spending_work *w, struct error *err)
{
    const struct spending_query *q = w->query;

    if (!spending_conditions(q->where, w->ctx->arena, &w->where, err) ||
        !ledger_bills(w->ledger, w->ctx->arena, &w->bills, &w->bill_count, err) ||
        !coverage_make(w->bills, w->bill_count, w->ctx->arena, &w->coverage, err) ||
        !converter_open(w->ctx, w->ledger, q, &w->converter, err))
        return false;
    w->needed = q->by;
    for (size_t i = 0; i < q->where.len; i++)
        w->needed |= UINT64_C(1) << w->where[i].of;
    if (q->credits != CREDITS_IN)
        w->needed |= UINT64_C(1) << DIMENSION_charge;
    w->since = q->since;
    w->until = q->until;
    if (!prepare_policy(w, err))
        return false;
    w->grain = grain_of(w);
    w->recorded =
        (struct spending_table){.arena = w->ctx->arena, .by = w->needed, .grain = w->grain};
    w->sums = (struct spending_table){.arena = w->ctx->arena,
                                      .by = q->by,
                                      .how = q->how,
                                      .grain = q->grain,
                                      .period = q->period};
    w->unpriced_run = -1;
    return true;
}

static bool split(struct spending_work *w, struct error *err)
{
    struct spending_splits s = {.policy = w->policy,
                                .recorded = &w->recorded,
                                .since = w->since,
                                .until = w->until,
                                .today = op_today(w->ctx),
                                .unsplit = w->query->unsplit,
                                .take = take_wanted,
                                .ctx = w};

    return !w->splits || spending_split(&s, err);
}

bool op_spending(struct op_context *ctx, struct ledger *ledger,
                 const struct spending_query *query, struct spending_answer *out,
                 struct error *err)
{
    struct spending_work w = {.ctx = ctx, .ledger = ledger, .query = query};
    bool ok;

    *out = (struct spending_answer){.billed_until = DAY_UNKNOWN,
                                    .rates = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN}};
    if (ledger == NULL)
        return spending_conditions(query->where, ctx->arena, &w.where, err);
    /* Of one moment: a bill that comes between the two would count as well as its runs, or its
     * runs would be gone before it is there. */
    if (!ledger_hold(ledger, err))
        return false;
    ok = prepare(&w, err) && take_bills(&w, err) && take_runs(&w, err);
    ledger_release(ledger);
    if (!ok || !split(&w, err))
        return false;
    spending_sort(&w.sums);
    if (w.any && !query->quiet)
        spending_say_unmatched(ctx, query, w.where);
    if (!query->quiet) {
        spending_say_rates(ctx, &w.converter.used);
        spending_say_spellings(ctx, &w.sums);
    }
    *out = (struct spending_answer){.at = w.sums.at,
                                    .count = w.sums.count,
                                    .unpriced = w.unpriced,
                                    .billed_until = billed_until(&w.coverage),
                                    .rates = w.converter.used};
    return true;
}
