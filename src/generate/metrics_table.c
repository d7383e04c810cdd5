/* Every metric, with its graph, its recording rule and its alert. */
#include "generate/metrics.h"

#define OF_RUN "run_id, run, team, project"
#define RUN_COST OF_RUN ", currency"

/* Conditions on the dashboard's variables. */
#define CHOSEN "run=~\"$run\",team=~\"$team\",project=~\"$project\""
#define CHOSEN_MONEY CHOSEN ",currency=\"$currency\""

/* Grafana does not put variables into units, but into titles. */
#define MONEY "none"
#define IN " ($currency)"

#define NOW_S \
    "time" \
    "()" /* of PromQL, not of C: tools/check_banned.sh */

#define NOW "Now"
#define BUDGETS "Month and budgets"
#define RUNS "Runs"
#define SERVER "Server"

const struct metric_entry metrics_table[METRIC_IDS] = {
    [METRIC_RUN_INFO] =
        {
            .name = "stint_run_info",
            .type = METRIC_INFO,
            .help = "A running run: who started it, where, and on which GPU",
            .labels = OF_RUN ", user, host, gpu, offer",
        },
    [METRIC_RUN_COST] =
        {
            .name = "stint_run_cost_total",
            .type = METRIC_COUNTER,
            .help = "Cost of a running run so far, over all attempts",
            .labels = RUN_COST,
            .panel = {RUNS, "Cost of running runs" IN, "stint_run_cost_total{" CHOSEN_MONEY "}",
                      "{{run}} {{run_id}}", MONEY, "timeseries"},
        },
    [METRIC_RUN_COST_RATE] =
        {
            .name = "stint_run_cost_per_second",
            .type = METRIC_GAUGE,
            .help = "Cost of a running run per second at its current price",
            .labels = RUN_COST,
            .adds_up = true,
            .panel = {NOW, "Cost per hour by team" IN,
                      "sum by (team) (stint_run_cost_per_second{" CHOSEN_MONEY "}) * 3600",
                      "{{team}}", MONEY, "timeseries"},
            .record = {"currency:stint_run_cost_per_hour:sum",
                       "sum by (currency) (stint_run_cost_per_second) * 3600"},
            .alert = {"StintCostRateJump",
                      "currency:stint_run_cost_per_hour:sum"
                      " / avg_over_time(currency:stint_run_cost_per_hour:sum[1d] offset 15m)",
                      "> 2 and currency:stint_run_cost_per_hour:sum > 1", "15m", "warning",
                      "Running runs cost {{ $value | humanize }} times as much per hour as the "
                      "average of the last day ({{ $labels.currency }})",
                      "stint top --sort rate"},
        },
    [METRIC_RUN_PROJECTED] =
        {
            .name = "stint_run_projected_cost",
            .type = METRIC_GAUGE,
            .help = "Total cost of a running run at its current pace",
            .labels = RUN_COST,
            .panel = {RUNS, "Projected cost" IN, "stint_run_projected_cost{" CHOSEN_MONEY "}",
                      "{{run}} {{run_id}}", MONEY, "bargauge"},
        },
    [METRIC_RUN_BUDGET] =
        {
            .name = "stint_run_budget",
            .type = METRIC_GAUGE,
            .help = "Budget of a running run (stint run --budget)",
            .labels = RUN_COST,
            .panel = {RUNS, "Share of the run's budget spent",
                      "stint_run_cost_total{" CHOSEN_MONEY "} / stint_run_budget{" CHOSEN_MONEY
                      "}",
                      "{{run}} {{run_id}}", "percentunit", "bargauge"},
            .alert = {"StintRunNearBudget", "stint_run_cost_total / stint_run_budget", "> 0.9",
                      "0m", "warning",
                      "Run {{ $labels.run }} ({{ $labels.run_id }}) has spent "
                      "{{ $value | humanizePercentage }} of its budget",
                      "stint show {{ $labels.run_id }}"},
        },
    [METRIC_RUN_TIME] =
        {
            .name = "stint_run_time_seconds_total",
            .type = METRIC_COUNTER,
            .unit = "seconds",
            .help = "Time that a running run has run, over all attempts",
            .labels = OF_RUN,
        },
    [METRIC_RUN_UPDATED] =
        {
            .name = "stint_run_updated_timestamp_seconds",
            .type = METRIC_GAUGE,
            .unit = "seconds",
            .help = "Unix time of the last update from a running run",
            .labels = OF_RUN,
            .panel = {RUNS, "Time since the last update",
                      NOW_S " - stint_run_updated_timestamp_seconds{" CHOSEN "}",
                      "{{run}} {{run_id}}", "s", "timeseries"},
            .alert = {"StintRunNoData", NOW_S " - stint_run_updated_timestamp_seconds", "> 300",
                      "2m", "warning",
                      "Run {{ $labels.run }} ({{ $labels.run_id }}) has sent no update for "
                      "{{ $value | humanizeDuration }}",
                      "stint show {{ $labels.run_id }}"},
        },
    [METRIC_RUN_ENERGY] =
        {
            .name = "stint_run_energy_joules_total",
            .type = METRIC_COUNTER,
            .unit = "joules",
            .help = "Energy that a running run has used, over all attempts",
            .labels = OF_RUN,
            .panel = {RUNS, "Energy", "stint_run_energy_joules_total{" CHOSEN "}",
                      "{{run}} {{run_id}}", "joule", "timeseries"},
        },
    [METRIC_RUN_POWER] =
        {
            .name = "stint_run_power_watts",
            .type = METRIC_GAUGE,
            .unit = "watts",
            .help = "Power that a running run draws now",
            .labels = OF_RUN,
            .adds_up = true,
            .panel = {RUNS, "Power", "stint_run_power_watts{" CHOSEN "}", "{{run}} {{run_id}}",
                      "watt", "timeseries"},
        },
    [METRIC_RUN_GPUS] =
        {
            .name = "stint_run_gpus",
            .type = METRIC_GAUGE,
            .help = "GPUs that a running run uses",
            .labels = OF_RUN,
            .adds_up = true,
            .panel = {NOW, "GPUs in use", "sum(stint_run_gpus{" CHOSEN "})", "GPUs", "short",
                      "stat"},
        },
    [METRIC_RUN_GPU_USE] =
        {
            .name = "stint_run_gpu_utilization_ratio",
            .type = METRIC_GAUGE,
            .unit = "ratio",
            .help = "Share of time that the GPUs of a running run are busy now (0 to 1)",
            .labels = OF_RUN,
            .panel = {RUNS, "GPU utilization", "stint_run_gpu_utilization_ratio{" CHOSEN "}",
                      "{{run}} {{run_id}}", "percentunit", "timeseries"},
            .record = {"team:stint_run_gpu_utilization_ratio:avg",
                       "avg by (team) (stint_run_gpu_utilization_ratio)"},
            .alert = {"StintRunIdle", "stint_run_gpu_utilization_ratio", "< 0.05", "15m",
                      "warning",
                      "The GPUs of run {{ $labels.run }} ({{ $labels.run_id }}) are idle: "
                      "{{ $value | humanizePercentage }} busy",
                      "stint stop {{ $labels.run_id }}"},
        },
    [METRIC_RUN_GPU_MEMORY] =
        {
            .name = "stint_run_gpu_memory_bytes",
            .type = METRIC_GAUGE,
            .unit = "bytes",
            .help = "Memory in use on the fullest GPU of a running run",
            .labels = OF_RUN,
            .panel = {RUNS, "GPU memory", "stint_run_gpu_memory_bytes{" CHOSEN "}",
                      "{{run}} {{run_id}}", "bytes", "timeseries"},
        },
    [METRIC_RUN_STEP] =
        {
            .name = "stint_run_step",
            .type = METRIC_GAUGE,
            .help = "Last training step that a running run reached; lower after a restart",
            .labels = OF_RUN,
        },
    [METRIC_RUN_STEP_RATE] =
        {
            .name = "stint_run_steps_per_second",
            .type = METRIC_GAUGE,
            .help = "Throughput of a running run: training steps per second now",
            .labels = OF_RUN,
            .panel = {RUNS, "Throughput", "stint_run_steps_per_second{" CHOSEN "}",
                      "{{run}} {{run_id}}", "ops", "timeseries"},
        },
    [METRIC_RUN_SCORE] =
        {
            .name = "stint_run_efficiency_score_ratio",
            .type = METRIC_GAUGE,
            .unit = "ratio",
            .help = "Efficiency score of a running run (1 is 100/100)",
            .labels = OF_RUN,
            .panel = {RUNS, "Efficiency score", "stint_run_efficiency_score_ratio{" CHOSEN "}",
                      "{{run}} {{run_id}}", "percentunit", "bargauge"},
        },
    [METRIC_RUNS] =
        {
            .name = "stint_runs",
            .type = METRIC_GAUGE,
            .help = "Runs that are running, or silent: without an update for a while",
            .labels = "state",
            .panel = {NOW, "Runs", "sum by (state) (stint_runs)", "{{state}}", "short", "stat"},
        },
    [METRIC_MONTH_COST] =
        {
            .name = "stint_month_cost",
            .type = METRIC_GAUGE,
            .help = "Spending since the first of the month, from bills and runs (UTC)",
            .labels = "team, project, currency",
            .panel = {BUDGETS, "Spending of this month by team and project" IN,
                      "sum by (team, project) (stint_month_cost{team=~\"$team\","
                      "project=~\"$project\",currency=\"$currency\"})",
                      "{{team}} {{project}}", MONEY, "bargauge"},
            .record = {"team:stint_month_cost:sum",
                       "sum by (team, currency) (stint_month_cost)"},
        },
    [METRIC_BUDGET_LIMIT] =
        {
            .name = "stint_budget_limit",
            .type = METRIC_GAUGE,
            .help = "Limit of a budget in its current period",
            .labels = "budget, currency",
            .panel = {BUDGETS, "Left of each budget" IN,
                      "stint_budget_limit{currency=\"$currency\"} - "
                      "stint_budget_spent{currency=\"$currency\"}",
                      "{{budget}}", MONEY, "stat"},
        },
    [METRIC_BUDGET_SPENT] =
        {
            .name = "stint_budget_spent",
            .type = METRIC_GAUGE,
            .help = "Spending that counts against a budget in its current period",
            .labels = "budget, currency",
            .panel = {BUDGETS, "Share of each budget spent",
                      "stint_budget_spent{currency=\"$currency\"} / "
                      "stint_budget_limit{currency=\"$currency\"}",
                      "{{budget}}", "percentunit", "bargauge"},
            .record = {"budget:stint_budget_spent:ratio",
                       "stint_budget_spent / stint_budget_limit"},
            .alert = {"StintBudgetExceeded", "budget:stint_budget_spent:ratio", "> 1", "5m",
                      "critical",
                      "Budget {{ $labels.budget }} is exceeded: "
                      "{{ $value | humanizePercentage }} of its limit is spent",
                      "stint budget show {{ $labels.budget }}"},
        },
    [METRIC_BUDGET_FORECAST] =
        {
            .name = "stint_budget_forecast",
            .type = METRIC_GAUGE,
            .help = "Expected spending against a budget by the end of its period",
            .labels = "budget, currency",
            .panel = {BUDGETS, "Forecast as a share of each budget",
                      "stint_budget_forecast{currency=\"$currency\"} / "
                      "stint_budget_limit{currency=\"$currency\"}",
                      "{{budget}}", "percentunit", "bargauge"},
            .record = {"budget:stint_budget_forecast:ratio",
                       "stint_budget_forecast / stint_budget_limit"},
            .alert = {"StintBudgetForecastExceeded", "budget:stint_budget_forecast:ratio",
                      "> 1", "1h", "warning",
                      "Budget {{ $labels.budget }} is forecast to reach "
                      "{{ $value | humanizePercentage }} of its limit",
                      "stint forecast; stint budget show {{ $labels.budget }}"},
        },
    [METRIC_BUDGET_END] =
        {
            .name = "stint_budget_end_timestamp_seconds",
            .type = METRIC_GAUGE,
            .unit = "seconds",
            .help = "Unix time at which the current period of a budget ends (UTC)",
            .labels = "budget",
        },
    [METRIC_ALERTS] =
        {
            .name = "stint_alerts_firing",
            .type = METRIC_GAUGE,
            .help = "Stint's own alerts that are firing (stint alert list --firing)",
            .labels = "severity",
            .panel = {NOW, "Alerts of Stint", "sum by (severity) (stint_alerts_firing)",
                      "{{severity}}", "short", "stat"},
        },
    [METRIC_LEFT_OUT] =
        {
            .name = "stint_metrics_left_out",
            .type = METRIC_GAUGE,
            .help = "Runs, groups and budgets without series of their own: over the limit",
            .labels = "of",
            .alert = {"StintMetricsLeftOut", "stint_metrics_left_out", "> 0", "1h", "info",
                      "{{ $value }} {{ $labels.of }} have no series of their own",
                      "scrape with the token of a team: stint token add --team NAME"},
        },
    [METRIC_LEDGER_UP] =
        {
            .name = "stint_ledger_up",
            .type = METRIC_GAUGE,
            .help = "Whether the ledger can be read (1) or not (0)",
            .labels = "",
            .panel = {SERVER, "Ledger", "stint_ledger_up", "up", "bool_yes_no", "stat"},
            .alert = {"StintLedgerUnreadable", "stint_ledger_up", "== 0", "5m", "critical",
                      "The server cannot read the ledger", "stint ledger doctor"},
        },
    [METRIC_BUILD] =
        {
            .name = "stint_build_info",
            .type = METRIC_INFO,
            .help = "Version of the program",
            .labels = "version",
            .alert = {"StintNoMetrics", "(count(stint_build_info) or vector(0))", "== 0", "5m",
                      "critical", "No Stint server is being scraped", "systemctl status stint"},
        },
    [METRIC_REQUESTS] =
        {
            .name = "stint_server_requests_total",
            .type = METRIC_COUNTER,
            .help = "Requests to this server: answered, refused, or failed",
            .labels = "result",
            .panel = {SERVER, "Requests",
                      "sum by (result) (rate(stint_server_requests_total[5m]))", "{{result}}",
                      "reqps", "timeseries"},
            .alert = {"StintServerErrors",
                      "rate(stint_server_requests_total{result=\"failed\"}[5m])",
                      "> 0.1", "10m", "warning",
                      "{{ $value | humanize }} requests per second fail on {{ $labels.instance "
                      "}}",
                      "journalctl -u stint"},
        },
    [METRIC_CONNECTIONS] =
        {
            .name = "stint_server_connections",
            .type = METRIC_GAUGE,
            .help = "Open connections to this server",
            .labels = "",
            .panel = {SERVER, "Connections", "stint_server_connections", "{{instance}}",
                      "short", "timeseries"},
        },
    [METRIC_STARTED] =
        {
            .name = "stint_server_start_timestamp_seconds",
            .type = METRIC_GAUGE,
            .unit = "seconds",
            .help = "Unix time at which this server started",
            .labels = "",
        },
};
