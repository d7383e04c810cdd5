/* Records of the ledger for metrics: running runs, the month, budgets, alerts. */
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/metrics/metrics.h"
#include "op/spending.h"
#include "report/metrics_samples.h"

struct collection {
    struct op_context *ctx;
    struct ledger *ledger;
    struct str team; /* only of this; empty: all */
    struct metric_samples *to;
};

/* The first that started come first. */
static bool add_runs(struct collection *c, struct error *err)
{
    struct ledger_query query = {.state = STR("running"), .since = {-1}, .until = {-1}};
    const struct ledger_run *runs;
    struct ledger_run *ours;
    struct live_run *live = NULL;
    size_t count, kept = 0;

    if (!ledger_runs(c->ledger, &query, c->ctx->arena, &runs, &count, err))
        return false;
    ours = arena_array(c->ctx->arena, struct ledger_run, count, err);
    for (size_t i = count; ours != NULL && i-- > 0;)
        if (c->team.len == 0 || str_eq(metrics_run_tag(&runs[i], DIMENSION_team), c->team))
            ours[kept++] = runs[i];
    if (ours != NULL)
        live = live_runs_read(c->ledger, ours, kept, op_now(c->ctx), c->ctx->arena, err);
    return live != NULL && metrics_add_runs(live, kept, c->to, err);
}

static bool team_condition(const struct collection *c, struct strs *out, struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, c->team.len + 8);
    struct str *condition = arena_array(c->ctx->arena, struct str, 1, err);

    if (condition == NULL)
        return false;
    buf_adds(&text, "team=");
    buf_add(&text, c->team);
    *out = (struct strs){condition, c->team.len > 0 ? 1 : 0};
    return buf_keep(&text, c->ctx->arena, condition, err);
}

static bool add_month_metrics(struct collection *c, struct error *err)
{
    struct costs_by by = {.at = {DIMENSION_team, DIMENSION_project},
                          .count = 2,
                          .bits = DIMENSION_BIT(team) | DIMENSION_BIT(project)};
    struct spending_query query = {.since = day_month_start(op_today(c->ctx)),
                                   .until = DAY_UNKNOWN,
                                   .grain = GRAIN_ALL,
                                   .by = by.bits,
                                   .quiet = true};
    struct costs_groups groups = {.arena = c->ctx->arena, .by = &by};
    struct spending_answer answer;

    return team_condition(c, &query.where, err) &&
           op_spending(c->ctx, c->ledger, &query, &answer, err) &&
           costs_groups_make(&answer, NULL, &groups, err) &&
           metrics_add_groups(&groups, c->to, err);
}

static bool add_budgets_metrics(struct collection *c, struct error *err)
{
    struct account_source account = op_account(c->ctx, c->ledger);
    const struct ledger_alert *alerts;
    struct budget_state *states;
    size_t count, alert_count;

    return budgets_evaluate(&account, op_now(c->ctx), &states, &count, err) &&
           ledger_alerts(c->ledger, (stamp){-1}, ALERTS_FIRING, c->ctx->arena, &alerts,
                         &alert_count, err) &&
           metrics_add_budgets(states, count, c->team, alerts, alert_count, c->to, err);
}

bool op_metrics_collect(struct op_context *ctx, struct str team, struct metric_samples *out,
                        struct error *err)
{
    struct collection c = {.ctx = ctx, .team = team, .to = out};
    bool ok = op_ledger_there(ctx, &c.ledger, err);

    if (ok && c.ledger != NULL)
        ok = add_runs(&c, err) && add_month_metrics(&c, err) && add_budgets_metrics(&c, err);
    ledger_close(c.ledger);
    if (ok)
        metric_add(out, METRIC_LEDGER_UP, (struct str){0}, 1);
    return ok && (!out->failed || error_memory(err));
}
