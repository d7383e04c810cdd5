/* stint metrics: values, and files for Prometheus and Grafana */
#include "cli/commands.h"
#include "cli/view.h"
#include "op/metrics/metrics.h"
#include "op/op.h"

static void print_metric_values(const struct view *view, const void *result)
{
    buf_add(view->out, ((const struct metrics_result *)result)->text);
}

static void print_metrics_text(const struct view *view, const void *result)
{
    buf_add(view->out, ((const struct metrics_text_result *)result)->text);
}

static void print_metric_list(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("metric", name),
        COLUMN("type", type),
        COLUMN("unit", unit),
        COLUMN("labels", labels, .optional = true),
        COLUMN("what it measures", help, .shrink = true),
    };

    view_rows(view, &op_metrics_list, result, "metrics", COLUMNS(columns));
}

const struct command cmd_metrics = {
    .name = "metrics",
    .op = &op_metrics,
    .group = {"metrics, rules and a dashboard for Prometheus and Grafana", .stage = CLI_AFTER},
    .about = "Prints metrics of running runs, of this month's spending, and of budgets, as "
             "Prometheus reads them. 'stint serve' has the same at /metrics, with its own "
             "figures. Without a server, write them to a file for node_exporter.",
    .examples = "stint metrics\n"
                "stint metrics --team nlp\n"
                "stint metrics >/var/lib/node_exporter/stint.prom",
    .print = print_metric_values,
};

const struct command cmd_metrics_dashboard = {
    .name = "metrics dashboard",
    .op = &op_metrics_dashboard,
    .about = "Writes a dashboard for Grafana: spending now and this month, budgets, runs. "
             "Choose the currency, teams, projects and runs at its top. Import it in Grafana "
             "under Dashboards, New, Import.",
    .examples = "stint metrics dashboard >stint.json",
    .print = print_metrics_text,
};

const struct command cmd_metrics_list = {
    .name = "metrics list",
    .op = &op_metrics_list,
    .about = "Lists every metric that 'stint serve' and 'stint metrics' have.",
    .examples = "stint metrics list",
    .print = print_metric_list,
};

const struct command cmd_metrics_rules = {
    .name = "metrics rules",
    .op = &op_metrics_rules,
    .about = "Writes rules for Prometheus. They record cost per hour and shares of budgets, "
             "and alert when a budget is exceeded or forecast to be, when a run is idle or "
             "sends no data, and when the cost per hour jumps.",
    .examples = "stint metrics rules >/etc/prometheus/stint.rules.yml",
    .print = print_metrics_text,
};
