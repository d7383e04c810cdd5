/* Facts of a period: the questions of other commands are asked, advise/practice/facts.h makes
 * facts of their answers. */
#include "op/advise/practice_facts.h"

#include "account/policy/ledger_policy.h"
#include "advise/practice/facts.h"
#include "budget/budget.h"
#include "budget/forecast.h"
#include "ledger/runs/learning.h"
#include "op/context.h"
#include "op/spending.h"

struct practice_work {
    struct op_context *ctx;
    struct account_source account; /* quiet */
    struct ledger *ledger;
    struct str currency; /* to convert to; empty: all amounts are in one */
    struct practice_period to;
};

#define LEAVE_UNKNOWN(w, err, ...) \
    practices_leave_unknown(&(w)->to, (const enum practice_fact[]){__VA_ARGS__}, \
                            ARRAY_LEN(((const enum practice_fact[]){__VA_ARGS__})), (err))

static struct spending_query period_query(const struct practice_work *w)
{
    return (struct spending_query){
        .since = w->to.since, .until = w->to.until, .currency = w->currency, .quiet = true};
}

/* What was spent; with several currencies, everything is asked in dollars from here on. */
static bool spend_facts(struct practice_work *w, struct error *err)
{
    struct spending_query query = period_query(w);
    struct spending_answer answer;
    bool ok = account_spending(&w->account, &query, &answer, err);

    if (ok && answer.count > 1) {
        w->currency = STR("USD");
        query = period_query(w);
        ok = account_spending(&w->account, &query, &answer, err);
    }
    return ok ? practices_of_spending(&w->to, &answer, err)
              : LEAVE_UNKNOWN(w, err, PRACTICE_SPEND);
}

static bool tag_facts(struct practice_work *w, struct error *err)
{
    struct spending_query query = period_query(w);
    struct tag_costs tags;

    return account_tags(&w->account, &query, 1, &tags, err)
               ? practices_of_tags(&w->to, &tags, err)
               : LEAVE_UNKNOWN(w, err, PRACTICE_TAGGED);
}

static bool practice_gpu_facts(struct practice_work *w, struct error *err)
{
    const struct costs_by by = {0};
    struct spending_query query = period_query(w);
    struct gpu_costs gpus;

    return account_gpus(&w->account, &by, &query, &gpus, err)
               ? practices_of_gpus(&w->to, &gpus.total, err)
               : LEAVE_UNKNOWN(w, err, PRACTICE_GPU_BUSY, PRACTICE_MEASURED);
}

static bool spot_facts(struct practice_work *w, struct error *err)
{
    static const struct str compute[] = {{"category=Compute", 16}};
    const struct costs_by by = {0};
    struct spending_query query = period_query(w);
    struct spot_costs spot;

    query.where = (struct strs){compute, 1};
    return account_spot(&w->account, &by, &query, &spot, err)
               ? practices_of_spot(&w->to, &spot, err)
               : LEAVE_UNKNOWN(w, err, PRACTICE_SPOT, PRACTICE_COMMITTED, PRACTICE_DISCOUNTED);
}

static bool reconcile_facts(struct practice_work *w, struct error *err)
{
    struct reconciliation r;

    return account_reconcile(&w->account, w->to.since, w->to.until, 1, &r, err)
               ? practices_of_reconciliation(&w->to, &r, err)
               : LEAVE_UNKNOWN(w, err, PRACTICE_RECONCILED);
}

static bool practice_run_facts(struct practice_work *w, struct error *err)
{
    struct ledger_query query = {.since = {(int64_t)w->to.since.n * SECONDS_PER_DAY},
                                 .until = {(int64_t)w->to.until.n * SECONDS_PER_DAY}};
    const struct ledger_run *runs;
    struct repeat_costs repeats;
    size_t count;

    return ledger_runs(w->ledger, &query, w->ctx->arena, &runs, &count, err) &&
           practices_of_runs(&w->to, runs, count, err) &&
           account_repeats(&w->account, w->to.since, w->to.until, 1, &repeats, err) &&
           practices_of_repeats(&w->to, runs, count, &repeats, err);
}

static bool budget_facts(struct practice_work *w, struct error *err)
{
    const struct ledger_budget *budgets;
    struct practice_budgets n = {0};
    struct budget_history history = {0};

    if (!ledger_budgets(w->ledger, w->ctx->arena, &budgets, &n.budgets, err))
        return false;
    for (size_t i = 0; i < n.budgets; i++) {
        n.alerting += budget_alerts_in_time(&budgets[i]);
        if (!budget_history_add(&w->account, &budgets[i], w->to.since, w->to.until, &history,
                                err) &&
            !LEAVE_UNKNOWN(w, err, PRACTICE_BUDGET_KEPT, PRACTICE_BUDGET_USED))
            return false;
    }
    n.periods = history.periods;
    n.kept = history.kept;
    n.used = history.used;
    return practices_of_budgets(&w->to, &n, err);
}

static bool alert_facts(struct practice_work *w, struct error *err)
{
    stamp since = {(int64_t)w->to.since.n * SECONDS_PER_DAY};
    const struct ledger_alert *alerts;
    size_t count;

    return ledger_alerts(w->ledger, since, ALERTS_CHANGED_OR_FIRING, w->ctx->arena, &alerts,
                         &count, err) &&
           practices_of_alerts(&w->to, alerts, count, op_now(w->ctx), err);
}

static bool forecast_facts(struct practice_work *w, struct error *err)
{
    double errors[FORECAST_CHECKED];
    size_t count;

    return forecast_past_errors(&w->account, w->to.until, w->currency, errors, &count, err)
               ? practices_of_forecasts(&w->to, errors, count, FORECAST_MADE_ON, err)
               : LEAVE_UNKNOWN(w, err, PRACTICE_FORECAST_ERROR);
}

static bool prediction_facts(struct practice_work *w, struct error *err)
{
    struct unit_question question = {.kind = UNIT_PREDICTION, .query = period_query(w)};
    struct ledger_count_query query = {.since = {(int64_t)w->to.since.n * SECONDS_PER_DAY},
                                       .until = {(int64_t)w->to.until.n * SECONDS_PER_DAY}};
    const struct ledger_count *counts;
    struct unit_costs costs;
    size_t count;

    if (!ledger_counts(w->ledger, &query, w->ctx->arena, &counts, &count, err) ||
        !practice_set(&w->to, PRACTICE_COUNTS, (double)count, err, "in the period"))
        return false;
    if (count == 0)
        return true;
    return account_unit_costs(&w->account, &question, &costs, err)
               ? practices_of_unit_costs(&w->to, &costs, err)
               : LEAVE_UNKNOWN(w, err, PRACTICE_COST_PER_THOUSAND);
}

static bool setup_facts(struct practice_work *w, struct error *err)
{
    struct arena *arena = w->ctx->arena;
    const struct ledger_channel *channels;
    const struct ledger_correction *corrections;
    const struct ledger_bill *bills;
    size_t channel_count, correction_count, bill_count, covering = 0;
    struct str policy;
    stamp changed;

    if (!ledger_channels(w->ledger, arena, &channels, &channel_count, err) ||
        !ledger_corrections(w->ledger, arena, &corrections, &correction_count, err) ||
        !ledger_bills(w->ledger, arena, &bills, &bill_count, err) ||
        !ledger_document(w->ledger, LEDGER_POLICY_DOCUMENT, arena, &policy, &changed, err))
        return false;
    for (size_t i = 0; i < bill_count; i++)
        covering +=
            bills[i].covers_last.n >= w->to.since.n && bills[i].covers_first.n < w->to.until.n;
    return practice_set(&w->to, PRACTICE_CHANNELS, (double)channel_count, err,
                        "in the ledger") &&
           practice_set(&w->to, PRACTICE_CORRECTIONS, (double)correction_count, err,
                        "in the ledger") &&
           practice_set(&w->to, PRACTICE_BILLS, (double)covering, err,
                        "with days of the period") &&
           practice_set(&w->to, PRACTICE_POLICY, policy.len > 0 ? 1 : 0, err, "in the ledger");
}

bool op_practices(struct op_context *ctx, struct ledger *ledger, day since, day until,
                  struct practices *out, struct error *err)
{
    struct practice_work w = {.ctx = ctx,
                              .account = op_account(ctx, ledger),
                              .ledger = ledger,
                              .to = {since, until, out, ctx->arena}};

    practices_reset(out);
    w.account.messages = (struct messages){0};
    if (!practice_set(&w.to, PRACTICE_PROVIDERS, (double)ctx->settings->providers.len, err,
                      "in the configuration"))
        return false;
    if (ledger == NULL)
        return true;
    return spend_facts(&w, err) && tag_facts(&w, err) && practice_gpu_facts(&w, err) &&
           spot_facts(&w, err) && reconcile_facts(&w, err) && practice_run_facts(&w, err) &&
           budget_facts(&w, err) && alert_facts(&w, err) && forecast_facts(&w, err) &&
           prediction_facts(&w, err) && setup_facts(&w, err);
}
