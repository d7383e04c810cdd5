/* Facts of a period, from the questions that other commands ask: each number here is the one
 * that 'stint tags', 'costs gpus', 'costs spot', 'reconcile', 'budget list', 'alert list' or
 * 'unit-costs' shows. */
#include "op/advise/practices.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "account/costs/gpus.h"
#include "account/costs/repeats.h"
#include "account/costs/spot.h"
#include "account/policy/ledger_policy.h"
#include "account/query/tags.h"
#include "account/reconcile/reconciliation.h"
#include "account/unit/unit_costs.h"
#include "base/fs.h"
#include "budget/budget.h"
#include "budget/forecast.h"
#include "ledger/runs/learning.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/spending.h"
#include "report/report.h"
#include "series/daily.h"
#include "series/values.h"

#define EVIDENCE_MAX 200
#define MONTH_DAYS 30.0
#define FORECAST_MONTHS 3 /* complete months whose forecast is checked */
#define FORECAST_ON 15    /* day of the month on which it is made */
#define PERIODS_MAX 36    /* of a budget */

struct practice_work {
    struct op_context *ctx;
    struct account_source account; /* quiet */
    struct ledger *ledger;
    day since, until;
    double days;
    struct str currency; /* to convert to; empty: all amounts are in one */
    struct practices *out;
};

bool practice_set(struct practices *out, enum practice_fact fact, double value,
                  struct arena *arena, struct error *err, const char *fmt, ...)
{
    char text[EVIDENCE_MAX];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    out->at[fact].value = value;
    return str_keep(str_from(text), arena, &out->at[fact].evidence, err);
}

const char *practice_money(double amount, struct currency currency, struct arena *arena)
{
    struct money money = forecast_money(amount, currency);
    struct buf text = buf_new(arena->alloc, EVIDENCE_MAX);
    struct error ignored;
    struct str out;

    money_write_cents(&money, &text);
    buf_char(&text, '\0');
    return buf_keep(&text, arena, &out, &ignored) ? out.at : "?";
}

/* A question that cannot be answered leaves its facts unknown: the reason is their evidence.
 * What is wrong with the ledger or memory is passed on. */
static bool leave_unknown(struct practice_work *w, const enum practice_fact *facts,
                          size_t count, struct error *err)
{
    char text[EVIDENCE_MAX];
    struct str why;

    if (err->kind != ERROR_ABSENT && err->kind != ERROR_INPUT && err->kind != ERROR_USAGE)
        return false;
    (void)snprintf(text, sizeof text, "%.120s%s", err->text,
                   str_starts(str_from(err->text), STR("there is no rate"))
                       ? ": 'stint rates import FILE.csv'"
                       : "");
    if (!str_keep(str_from(text), w->ctx->arena, &why, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        w->out->at[facts[i]].value = NAN;
        w->out->at[facts[i]].evidence = why;
    }
    *err = (struct error){0};
    return true;
}

#define LEAVE_UNKNOWN(w, err, ...) \
    leave_unknown((w), (const enum practice_fact[]){__VA_ARGS__}, \
                  ARRAY_LEN(((const enum practice_fact[]){__VA_ARGS__})), (err))

static struct spending_query period_query(const struct practice_work *w)
{
    return (struct spending_query){
        .since = w->since, .until = w->until, .currency = w->currency, .quiet = true};
}

/* ---- money ---- */

/* What was spent; with several currencies, everything is asked in dollars from here on. */
static bool spend_facts(struct practice_work *w, struct error *err)
{
    struct spending_query query = period_query(w);
    struct spending_answer answer;
    double amount;

    if (!account_spending(&w->account, &query, &answer, err))
        return LEAVE_UNKNOWN(w, err, PRACTICE_SPEND);
    if (answer.count > 1) {
        w->currency = STR("USD");
        query = period_query(w);
        if (!account_spending(&w->account, &query, &answer, err))
            return LEAVE_UNKNOWN(w, err, PRACTICE_SPEND);
    }
    if (answer.count == 0)
        return true;
    if (!currency_is(answer.at[0].currency, currency_usd))
        return practice_set(w->out, PRACTICE_SPEND, NAN, w->ctx->arena, err,
                            "in %s, not in dollars", answer.at[0].currency.code);
    amount = decimal_double(answer.at[0].amount);
    return practice_set(w->out, PRACTICE_SPEND, amount * MONTH_DAYS / w->days, w->ctx->arena,
                        err, "%s in %.0f days",
                        practice_money(amount, currency_usd, w->ctx->arena), w->days);
}

/* The required tag that the least money has; without a policy, the team. */
static bool tag_facts(struct practice_work *w, struct error *err)
{
    struct spending_query query = period_query(w);
    struct tag_costs tags;
    const struct tags_row *rows, *least = NULL;

    if (!account_tags(&w->account, &query, 1, &tags, err))
        return LEAVE_UNKNOWN(w, err, PRACTICE_TAGGED);
    rows = tags.rows.at;
    for (size_t i = 0; i < tags.rows.len; i++) {
        bool counts = tags.policy ? rows[i].required : str_eq(rows[i].tag, STR("team"));

        if (counts && !isnan(rows[i].share) && (least == NULL || rows[i].share < least->share))
            least = &rows[i];
    }
    return least == NULL || practice_set(w->out, PRACTICE_TAGGED, least->share, w->ctx->arena,
                                         err, "%s of %s has the tag '%.*s'%s",
                                         practice_money(decimal_double(least->tagged.amount),
                                                        least->total.currency, w->ctx->arena),
                                         practice_money(decimal_double(least->total.amount),
                                                        least->total.currency, w->ctx->arena),
                                         STR_ARG(least->tag), tags.policy ? ", required" : "");
}

static bool practice_gpu_facts(struct practice_work *w, struct error *err)
{
    const struct costs_by by = {0};
    struct spending_query query = period_query(w);
    struct gpu_costs gpus;
    const struct costs_gpus_row *t = &gpus.total;
    struct arena *arena = w->ctx->arena;
    double cost, idle;

    if (!account_gpus(&w->account, &by, &query, &gpus, err))
        return LEAVE_UNKNOWN(w, err, PRACTICE_GPU_BUSY, PRACTICE_MEASURED);
    if (!(t->gpu_hours > 0))
        return true;
    if (!practice_set(w->out, PRACTICE_MEASURED, 1 - t->unknown_hours / t->gpu_hours, arena,
                      err, "%.0f of %.0f GPU-hours", t->gpu_hours - t->unknown_hours,
                      t->gpu_hours))
        return false;
    cost = usd_double(t->cost);
    if (cost > 0 && t->unpriced <= 0 &&
        !practice_set(w->out, PRACTICE_COST_PER_GPU_HOUR, cost / t->gpu_hours, arena, err,
                      "%s for %.0f GPU-hours", practice_money(cost, currency_usd, arena),
                      t->gpu_hours))
        return false;
    if (isnan(t->busy))
        return true;
    idle = usd_double(t->idle);
    if (!practice_set(w->out, PRACTICE_GPU_BUSY, t->busy, arena, err,
                      "%lld runs, %.0f GPU-hours, %s paid while idle", (long long)t->runs,
                      t->gpu_hours - t->unknown_hours,
                      practice_money(isnan(idle) ? 0 : idle, currency_usd, arena)))
        return false;
    if (idle > 0 && t->busy < 1)
        w->out->at[PRACTICE_GPU_BUSY].monthly = idle / (1 - t->busy) * MONTH_DAYS / w->days;
    return true;
}

static bool spot_facts(struct practice_work *w, struct error *err)
{
    static const struct str compute[] = {{"category=Compute", 16}};
    const struct costs_by by = {0};
    struct spending_query query = period_query(w);
    struct spot_costs spot;
    const struct costs_spot_row *t;
    const char *all;
    double amount;

    query.where = (struct strs){compute, 1};
    if (!account_spot(&w->account, &by, &query, &spot, err))
        return LEAVE_UNKNOWN(w, err, PRACTICE_SPOT, PRACTICE_COMMITTED, PRACTICE_DISCOUNTED);
    if (spot.totals.len != 1)
        return true;
    t = spot.totals.at;
    amount = decimal_double(t->amount.amount);
    if (!(amount > 0) || isnan(t->spot) || isnan(t->committed))
        return true;
    all = practice_money(amount, t->amount.currency, w->ctx->arena);
    return practice_set(w->out, PRACTICE_SPOT, t->spot, w->ctx->arena, err, "of %s for compute",
                        all) &&
           practice_set(w->out, PRACTICE_COMMITTED, t->committed, w->ctx->arena, err,
                        "of %s for compute", all) &&
           practice_set(w->out, PRACTICE_DISCOUNTED, t->spot + t->committed, w->ctx->arena, err,
                        "of %s for compute", all);
}

static bool reconcile_facts(struct practice_work *w, struct error *err)
{
    struct reconciliation r;
    const struct reconcile_sums *sums;
    double linked = 0, machines = 0;

    if (!account_reconcile(&w->account, w->since, w->until, 1, &r, err))
        return LEAVE_UNKNOWN(w, err, PRACTICE_RECONCILED);
    sums = r.sums.at;
    if (r.no_bills || r.sums.len == 0)
        return true;
    if (r.sums.len > 1)
        return practice_set(w->out, PRACTICE_RECONCILED, NAN, w->ctx->arena, err,
                            "the bills are in %zu currencies", r.sums.len);
    linked = decimal_double(sums->matched) + decimal_double(sums->idle);
    machines = linked + decimal_double(sums->untracked);
    return !(machines > 0) ||
           practice_set(w->out, PRACTICE_RECONCILED, linked / machines, w->ctx->arena, err,
                        "%s of %s billed for machines",
                        practice_money(linked, sums->currency, w->ctx->arena),
                        practice_money(machines, sums->currency, w->ctx->arena));
}

/* ---- runs ---- */

static bool practice_run_facts(struct practice_work *w, struct error *err)
{
    struct ledger_query query = {.since = {(int64_t)w->since.n * SECONDS_PER_DAY},
                                 .until = {(int64_t)w->until.n * SECONDS_PER_DAY}};
    const struct ledger_run *runs;
    struct repeat_costs repeats;
    double repeated, cost = 0;
    size_t count;

    if (!ledger_runs(w->ledger, &query, w->ctx->arena, &runs, &count, err) ||
        !practices_of_runs(runs, count, w->days, w->ctx->arena, w->out, err) ||
        !account_repeats(&w->account, w->since, w->until, 1, &repeats, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (runs[i].totals.cost.nano != MONEY_UNKNOWN)
            cost += usd_double(runs[i].totals.cost);
    repeated = repeats.again > 0 ? usd_double(repeats.repeated) : 0;
    if (!(cost > 0) || isnan(repeated))
        return true;
    w->out->at[PRACTICE_REPEATED].monthly = cost * MONTH_DAYS / w->days;
    return practice_set(w->out, PRACTICE_REPEATED, repeated < cost ? repeated / cost : 1,
                        w->ctx->arena, err,
                        "%s of %s for %lld run%s of a configuration that had completed",
                        practice_money(repeated, currency_usd, w->ctx->arena),
                        practice_money(cost, currency_usd, w->ctx->arena),
                        (long long)repeats.again, repeats.again == 1 ? "" : "s");
}

/* ---- budgets ---- */

struct budget_counts {
    size_t budgets, alerting, periods, kept;
    double used;
};

/* Does it alert before it is spent, and when it is? */
static bool alerts_in_time(const struct ledger_budget *b)
{
    bool before = false, spent = false;

    for (size_t i = 0; i < b->thresholds.len; i++) {
        before = before || (b->thresholds.at[i] > 0 && b->thresholds.at[i] < 1);
        spent = spent || b->thresholds.at[i] >= 1;
    }
    return before && spent && b->channels.len > 0;
}

/* Periods that ended within the days asked for, and since the budget was set. A running period
 * counts once it is overspent. */
static bool judge_practice_budget(struct practice_work *w, const struct ledger_budget *b,
                                  struct budget_counts *n, struct error *err)
{
    day at = {w->until.n - 1};

    for (int i = 0; i < PERIODS_MAX; i++) {
        struct budget_state state = {.budget = b};
        double spent, limit;
        bool over, ended;

        if (!budget_spent(&w->account, (stamp){(int64_t)at.n * SECONDS_PER_DAY + 43200}, &state,
                          err))
            return LEAVE_UNKNOWN(w, err, PRACTICE_BUDGET_KEPT, PRACTICE_BUDGET_USED);
        if (state.period.after.n == DAY_UNKNOWN.n || state.period.first.n == DAY_UNKNOWN.n)
            return true;
        if (at.n < state.period.first.n) /* a total has one period, whatever the day */
            return true;
        ended =
            state.period.after.n <= w->until.n && state.period.after.n <= w->account.today.n;
        if (state.period.after.n <= w->since.n || state.period.after.n <= day_of(b->made).n)
            return true;
        spent = decimal_double(state.spent);
        limit = decimal_double(state.limit);
        over = spent > limit;
        if ((ended || over) && limit > 0) {
            n->periods++;
            n->kept += !over;
            n->used += spent / limit;
        }
        at.n = state.period.first.n - 1;
    }
    return true;
}

static bool budget_facts(struct practice_work *w, struct error *err)
{
    const struct ledger_budget *budgets;
    struct budget_counts n = {0};
    struct arena *arena = w->ctx->arena;

    if (!ledger_budgets(w->ledger, arena, &budgets, &n.budgets, err))
        return false;
    for (size_t i = 0; i < n.budgets; i++) {
        n.alerting += alerts_in_time(&budgets[i]);
        if (!judge_practice_budget(w, &budgets[i], &n, err))
            return false;
    }
    if (!practice_set(w->out, PRACTICE_BUDGETS, (double)n.budgets, arena, err,
                      "in the ledger") ||
        !practice_set(w->out, PRACTICE_BUDGET_ALERTS,
                      n.budgets > 0 ? (double)n.alerting / (double)n.budgets : 0, arena, err,
                      n.budgets > 0 ? "%zu of %zu budgets send an alert before and at 100 %%"
                                    : "no budget is set",
                      n.alerting, n.budgets))
        return false;
    return n.periods == 0 ||
           (practice_set(w->out, PRACTICE_BUDGET_KEPT, (double)n.kept / (double)n.periods,
                         arena, err, "%zu of %zu budget periods", n.kept, n.periods) &&
            practice_set(w->out, PRACTICE_BUDGET_USED, n.used / (double)n.periods, arena, err,
                         "mean of %zu budget period%s", n.periods, n.periods == 1 ? "" : "s"));
}

/* ---- alerts ---- */

/* Hours until it was acknowledged; without that, until it ended, or now. */
static bool alert_facts(struct practice_work *w, struct error *err)
{
    stamp since = {(int64_t)w->since.n * SECONDS_PER_DAY};
    stamp until = {(int64_t)w->until.n * SECONDS_PER_DAY};
    stamp now = op_now(w->ctx);
    const struct ledger_alert *alerts;
    size_t count, n = 0, acknowledged = 0;
    double *hours;

    if (!ledger_alerts(w->ledger, since, ALERTS_CHANGED_OR_FIRING, w->ctx->arena, &alerts,
                       &count, err))
        return false;
    hours = arena_array(w->ctx->arena, double, count + 1, err);
    if (hours == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_alert *a = &alerts[i];
        stamp end = a->acknowledged ? a->acknowledged_at : a->ended.s >= 0 ? a->ended : now;

        if (!str_eq(a->kind, STR("anomaly")) || a->began.s < since.s || a->began.s >= until.s)
            continue;
        acknowledged += a->acknowledged;
        hours[n++] = (double)(end.s > a->began.s ? end.s - a->began.s : 0) / 3600;
    }
    if (n == 0)
        return true;
    values_sort(hours, n);
    return practice_set(w->out, PRACTICE_ANOMALY_HOURS, values_quantile(hours, n, 0.5),
                        w->ctx->arena, err, "median of %zu anomal%s, %zu acknowledged", n,
                        n == 1 ? "y" : "ies", acknowledged);
}

/* ---- forecasts, as they would have been made ---- */

/* Dollars of each day from `first` to before `end`. */
static bool daily_amounts(struct practice_work *w, day first, day end, double **out,
                          struct error *err)
{
    struct spending_query query = {.since = first,
                                   .until = end,
                                   .grain = GRAIN_DAY,
                                   .currency = w->currency,
                                   .quiet = true};
    struct spending_answer answer;
    double *days = arena_array(w->ctx->arena, double, (size_t)(end.n - first.n), err);

    *out = NULL;
    if (days == NULL || !account_spending(&w->account, &query, &answer, err))
        return false;
    for (size_t i = 0; i < answer.count; i++)
        if (answer.at[i].from.n >= first.n && answer.at[i].from.n < end.n)
            days[answer.at[i].from.n - first.n] += decimal_double(answer.at[i].amount);
    *out = days;
    return true;
}

/* How far the forecast of a month, made in the middle of it, was off; NaN: there was none. */
static bool month_error(struct practice_work *w, const double *days, day first, day month,
                        double *out, struct error *err)
{
    day after = day_month_add(month, 1), made = {month.n + FORECAST_ON - 1};
    size_t start = 0, known = (size_t)(made.n - first.n);
    struct error problem = {0};
    struct forecast f;
    double actual = 0;

    (void)err;
    *out = NAN;
    while (start < known && days[start] == 0)
        start++;
    for (int32_t d = month.n; d < after.n; d++)
        actual += days[d - first.n];
    if (known - start < FORECAST_ON || !(actual > 0))
        return true;
    if (daily_forecast(&(struct daily){.first = {first.n + (int32_t)start},
                                       .amount = days + start,
                                       .len = known - start},
                       month, after, w->ctx->arena, &f, &problem))
        *out = fabs(f.total / actual - 1);
    return problem.kind != ERROR_MEMORY || (*err = problem, false);
}

static bool forecast_facts(struct practice_work *w, struct error *err)
{
    day last = day_month_start(w->until.n > w->account.today.n ? w->account.today : w->until);
    day first = {day_month_add(last, -FORECAST_MONTHS).n - FORECAST_HISTORY};
    double *days, errors[FORECAST_MONTHS];
    size_t n = 0;

    if (!daily_amounts(w, first, last, &days, err))
        return LEAVE_UNKNOWN(w, err, PRACTICE_FORECAST_ERROR);
    for (int i = 1; i <= FORECAST_MONTHS; i++) {
        if (!month_error(w, days, first, day_month_add(last, -i), &errors[n], err))
            return false;
        if (!isnan(errors[n]))
            n++;
    }
    if (n == 0)
        return true;
    values_sort(errors, n);
    return practice_set(w->out, PRACTICE_FORECAST_ERROR, values_quantile(errors, n, 0.5),
                        w->ctx->arena, err,
                        "median of %zu complete month%s, forecast on day %d", n,
                        n == 1 ? "" : "s", FORECAST_ON);
}

/* ---- predictions, and what is set up ---- */

static bool prediction_facts(struct practice_work *w, struct error *err)
{
    struct unit_question question = {.kind = UNIT_PREDICTION, .query = period_query(w)};
    const struct ledger_count *counts;
    struct ledger_count_query query = {.since = {(int64_t)w->since.n * SECONDS_PER_DAY},
                                       .until = {(int64_t)w->until.n * SECONDS_PER_DAY}};
    struct unit_costs costs;
    const struct unit_costs_row *rows;
    double amount = 0, predictions = 0;
    size_t count;

    if (!ledger_counts(w->ledger, &query, w->ctx->arena, &counts, &count, err) ||
        !practice_set(w->out, PRACTICE_COUNTS, (double)count, w->ctx->arena, err,
                      "in the period"))
        return false;
    if (count == 0)
        return true;
    if (!account_unit_costs(&w->account, &question, &costs, err))
        return LEAVE_UNKNOWN(w, err, PRACTICE_COST_PER_THOUSAND);
    rows = costs.rows.at;
    for (size_t i = 0; i < costs.rows.len; i++)
        if (rows[i].count > 0) {
            amount += decimal_double(rows[i].amount.amount);
            predictions += rows[i].count;
        }
    return !(predictions > 0) || !(amount > 0) ||
           practice_set(w->out, PRACTICE_COST_PER_THOUSAND, amount / predictions * 1000,
                        w->ctx->arena, err, "%s for %.0f predictions",
                        practice_money(amount, currency_usd, w->ctx->arena), predictions);
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
            bills[i].covers_last.n >= w->since.n && bills[i].covers_first.n < w->until.n;
    return practice_set(w->out, PRACTICE_CHANNELS, (double)channel_count, arena, err,
                        "in the ledger") &&
           practice_set(w->out, PRACTICE_CORRECTIONS, (double)correction_count, arena, err,
                        "in the ledger") &&
           practice_set(w->out, PRACTICE_BILLS, (double)covering, arena, err,
                        "with days of the period") &&
           practice_set(w->out, PRACTICE_POLICY, policy.len > 0 ? 1 : 0, arena, err,
                        "in the ledger");
}

bool op_practices(struct op_context *ctx, struct ledger *ledger, day since, day until,
                  struct practices *out, struct error *err)
{
    struct practice_work w = {.ctx = ctx,
                              .account = op_account(ctx, ledger),
                              .ledger = ledger,
                              .since = since,
                              .until = until,
                              .days = until.n - since.n,
                              .out = out};

    practices_reset(out);
    w.account.messages = (struct messages){0};
    if (!practice_set(out, PRACTICE_PROVIDERS, (double)ctx->settings->providers.len, ctx->arena,
                      err, "in the configuration"))
        return false;
    if (ledger == NULL)
        return true;
    return spend_facts(&w, err) && tag_facts(&w, err) && practice_gpu_facts(&w, err) &&
           spot_facts(&w, err) && reconcile_facts(&w, err) && practice_run_facts(&w, err) &&
           budget_facts(&w, err) && alert_facts(&w, err) && forecast_facts(&w, err) &&
           prediction_facts(&w, err) && setup_facts(&w, err);
}

bool practices_draw(struct op_context *ctx, const struct figure *figure, day since, day until,
                    struct str path, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct str source;

    buf_adds(&text, "from the ledger, ");
    day_write(since, &text);
    buf_adds(&text, " to ");
    day_write(until, &text);
    if (!buf_keep(&text, ctx->arena, &source, err) ||
        !report_mark_footer(ctx->demo, ctx->arena, &source, err))
        return false;
    text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    figure_svg(&(struct figure_sheet){.figures = figure, .count = 1, .footer = source}, &text);
    return fs_put_buf(path, &text, err);
}
