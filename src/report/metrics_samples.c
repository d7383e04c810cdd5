#include "report/metrics_samples.h"

#include <math.h>
#include <string.h>

#include "unit/severity.h"

#define DOLLARS "USD" /* runs are metered in dollars */

struct sampling {
    struct metric_samples *to;
    struct buf labels; /* of the sample that is being written */
};

static struct sampling begin_sampling(struct metric_samples *to)
{
    return (struct sampling){to, buf_new(to->arena->alloc, 16 * METRIC_LABEL)};
}

static bool end_sampling(struct sampling *c, struct error *err)
{
    bool ok = buf_ok(&c->labels, err);

    buf_free(&c->labels);
    return ok;
}

struct str metrics_run_tag(const struct ledger_run *run, enum dimension wanted)
{
    for (size_t i = 0; i < run->start.tags.len; i++) {
        struct str value = run->start.tags.at[i];
        struct str key = str_cut(&value, '=');

        if (dimension_of_tag(key) == wanted)
            return value;
    }
    return (struct str){0};
}

static void begin_run(struct sampling *c, struct str id, struct str name, struct str team,
                      struct str project)
{
    buf_clear(&c->labels);
    metric_label(&c->labels, "run_id", id);
    metric_label(&c->labels, "run", name);
    metric_label(&c->labels, "team", team);
    metric_label(&c->labels, "project", project);
}

static void add_info(struct sampling *c, const struct live_run *r)
{
    size_t before = c->labels.len;

    metric_label(&c->labels, "user", r->run.start.user);
    metric_label(&c->labels, "host", r->host);
    metric_label(&c->labels, "gpu", r->run.totals.gpu);
    metric_label(&c->labels, "offer", r->run.start.offer);
    metric_add(c->to, METRIC_RUN_INFO, buf_text(&c->labels), 1);
    c->labels.len = before;
}

/* Each value of a running run; those that add up are summed over runs without a series. */
#define RUN_VALUE(id, kind, member, times) \
    { \
        METRIC_RUN_##id, times, FIELD_AS("", kind, live_run, member, .help = "") \
    }

static const struct run_value {
    enum metric_id metric;
    double scale;
    struct field field;
} run_values[] = {
    RUN_VALUE(COST, USD, run.totals.cost, 1),
    RUN_VALUE(COST_RATE, RATE, rate, 1.0 / 3600),
    RUN_VALUE(PROJECTED, USD, projected, 1),
    RUN_VALUE(BUDGET, USD, run.start.budget, 1),
    RUN_VALUE(TIME, SPAN, run.totals.elapsed, 1),
    RUN_VALUE(UPDATED, TIME, run.heard, 1),
    RUN_VALUE(ENERGY, NUMBER, run.totals.joules, 1),
    RUN_VALUE(POWER, NUMBER, now.watts, 1),
    RUN_VALUE(GPUS, COUNT, run.totals.gpus, 1),
    RUN_VALUE(GPU_USE, NUMBER, now.gpu_busy, 1),
    RUN_VALUE(GPU_MEMORY, NUMBER, now.gpu_memory, 1),
    RUN_VALUE(STEP, NUMBER, run.totals.step, 1),
    RUN_VALUE(STEP_RATE, NUMBER, steps_rate, 1),
    RUN_VALUE(SCORE, NUMBER, run.totals.score, 0.01),
};

static double read_run_value(const struct run_value *v, const struct live_run *run)
{
    return field_double(&v->field, run) * v->scale;
}

static void add_metric_value(struct sampling *c, enum metric_id metric, double value)
{
    size_t before = c->labels.len;

    if (strstr(metrics_table[metric].labels, "currency") != NULL)
        metric_label(&c->labels, "currency", STR(DOLLARS));
    metric_add(c->to, metric, buf_text(&c->labels), value);
    c->labels.len = before;
}

static void add_run_metrics(struct sampling *c, const struct live_run *r)
{
    begin_run(c, ledger_short(r->run.start.id), r->run.start.name,
              metrics_run_tag(&r->run, DIMENSION_team),
              metrics_run_tag(&r->run, DIMENSION_project));
    add_info(c, r);
    for (size_t i = 0; i < ARRAY_LEN(run_values); i++)
        add_metric_value(c, run_values[i].metric, read_run_value(&run_values[i], r));
}

/* Unknown when it is so of each. */
static double sum_run_value(const struct run_value *v, const struct live_run *runs,
                            size_t count)
{
    double sum = NAN;

    for (size_t i = 0; i < count; i++) {
        double value = read_run_value(v, &runs[i]);

        if (!isnan(value))
            sum = (isnan(sum) ? 0 : sum) + value;
    }
    return sum;
}

/* Gauges of those that have no series. A counter would fall when one of them ends. */
static void add_other_runs(struct sampling *c, const struct live_run *runs, size_t count)
{
    begin_run(c, STR("other"), STR("other"), STR("other"), STR("other"));
    for (size_t i = 0; count > 0 && i < ARRAY_LEN(run_values); i++)
        if (metrics_table[run_values[i].metric].adds_up)
            add_metric_value(c, run_values[i].metric,
                             sum_run_value(&run_values[i], runs, count));
}

static void add_left_out(struct sampling *c, const char *of, size_t count)
{
    buf_clear(&c->labels);
    metric_label(&c->labels, "of", str_from(of));
    metric_add(c->to, METRIC_LEFT_OUT, buf_text(&c->labels), (double)count);
}

static void add_run_counts(struct sampling *c, const struct live_run *runs, size_t count)
{
    static const char *const states[] = {"running", "silent"};
    size_t counts[2] = {0};

    for (size_t i = 0; i < count; i++)
        counts[runs[i].silent]++;
    for (size_t i = 0; i < 2; i++) {
        buf_clear(&c->labels);
        metric_label(&c->labels, "state", str_from(states[i]));
        metric_add(c->to, METRIC_RUNS, buf_text(&c->labels), (double)counts[i]);
    }
}

bool metrics_add_runs(const struct live_run *runs, size_t count, struct metric_samples *to,
                      struct error *err)
{
    struct sampling c = begin_sampling(to);
    size_t shown = count < METRICS_RUNS ? count : METRICS_RUNS;

    for (size_t i = 0; i < shown; i++)
        add_run_metrics(&c, &runs[i]);
    add_other_runs(&c, runs + shown, count - shown);
    add_left_out(&c, "runs", count - shown);
    add_run_counts(&c, runs, count);
    return end_sampling(&c, err);
}

/* ---- groups of costs ---- */

static void add_group_metrics(struct sampling *c, const struct costs_group *g)
{
    struct str other = STR("other");

    buf_clear(&c->labels);
    metric_label(&c->labels, "team", g->others > 0 ? other : g->of.of[DIMENSION_team]);
    metric_label(&c->labels, "project", g->others > 0 ? other : g->of.of[DIMENSION_project]);
    metric_label(&c->labels, "currency", currency_text(&g->currency));
    metric_add(c->to, METRIC_MONTH_COST, buf_text(&c->labels), decimal_double(g->amount));
}

bool metrics_add_groups(struct costs_groups *groups, struct metric_samples *to,
                        struct error *err)
{
    struct sampling c;
    size_t left_out = 0;

    costs_groups_sort(groups, SORT_COST);
    if (!costs_groups_limit(groups, METRICS_GROUPS, err))
        return false;
    c = begin_sampling(to);
    for (size_t i = 0; i < groups->count; i++) {
        add_group_metrics(&c, &groups->at[i]);
        left_out += groups->at[i].others;
    }
    add_left_out(&c, "groups", left_out);
    return end_sampling(&c, err);
}

/* ---- budgets and alerts ---- */

static bool is_of_team(struct str team, const struct ledger_budget *b)
{
    bool ours = team.len == 0;

    for (size_t i = 0; i < b->scope.len && !ours; i++) {
        struct str value = b->scope.at[i];
        struct str key = str_cut(&value, '=');

        ours = dimension_find(key) == DIMENSION_team && str_eq(value, team);
    }
    return ours;
}

static void add_budget_metrics(struct sampling *c, const struct budget_state *s)
{
    buf_clear(&c->labels);
    metric_label(&c->labels, "budget", s->budget->name);
    if (s->period.after.n != DAY_UNKNOWN.n)
        metric_add(c->to, METRIC_BUDGET_END, buf_text(&c->labels),
                   (double)s->period.after.n * (double)SECONDS_PER_DAY);
    metric_label(&c->labels, "currency", currency_text(&s->budget->amount.currency));
    metric_add(c->to, METRIC_BUDGET_LIMIT, buf_text(&c->labels), decimal_double(s->limit));
    metric_add(c->to, METRIC_BUDGET_SPENT, buf_text(&c->labels), decimal_double(s->spent));
    metric_add(c->to, METRIC_BUDGET_FORECAST, buf_text(&c->labels), s->forecast);
}

/* Of any team, or of a budget of this one. */
static bool is_shown_alert(struct str team, const struct ledger_alert *alert,
                           const struct budget_state *states, size_t count)
{
    bool ours = team.len == 0;

    for (size_t i = 0; i < count && !ours; i++)
        ours = is_of_team(team, states[i].budget) &&
               budget_alert_is_of(alert, states[i].budget->name);
    return ours;
}

static void add_alert_metrics(struct sampling *c, const char *severity, size_t firing)
{
    buf_clear(&c->labels);
    metric_label(&c->labels, "severity", str_from(severity));
    metric_add(c->to, METRIC_ALERTS, buf_text(&c->labels), (double)firing);
}

bool metrics_add_budgets(const struct budget_state *states, size_t count, struct str team,
                         const struct ledger_alert *alerts, size_t alert_count,
                         struct metric_samples *to, struct error *err)
{
    struct sampling c = begin_sampling(to);
    size_t shown = 0, left_out = 0;

    for (size_t i = 0; i < count; i++) {
        if (!is_of_team(team, states[i].budget) || states[i].problem.kind != ERROR_NONE)
            continue;
        if (shown++ < METRICS_BUDGETS)
            add_budget_metrics(&c, &states[i]);
        else
            left_out++;
    }
    add_left_out(&c, "budgets", left_out);
    for (size_t s = 0; severity_names[s] != NULL; s++) {
        size_t firing = 0;

        for (size_t i = 0; i < alert_count; i++)
            firing += str_eq(alerts[i].severity, str_from(severity_names[s])) &&
                      is_shown_alert(team, &alerts[i], states, count);
        add_alert_metrics(&c, severity_names[s], firing);
    }
    return end_sampling(&c, err);
}
