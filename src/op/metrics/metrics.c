/* metrics, metrics.list, metrics.rules, metrics.dashboard. */
#include "op/metrics/metrics.h"

#include "op/context.h"
#include "op/op.h"

#define TEXT_MAX ((size_t)64 << 20)

static const struct field request[] = {
    FIELD(CHOICE, metrics_request, format, .value = "FORMAT", .choices = metric_format_names,
          .fallback = "prometheus",
          .help = "format: prometheus (text format 0.0.4) or openmetrics"),
    FIELD(TEXT, metrics_request, team, .value = "NAME",
          .help = "team whose runs, spending and budgets to print"),
};

static const struct field result[] = {
    FIELD(LIST, metrics_result, samples, .row = &metric_sample_fields,
          .help = "values, by metric"),
};

static const struct field list_result[] = {
    FIELD(LIST, metrics_list_result, metrics, .row = &metric_row_fields, .help = "metrics"),
};

static const struct field rules_result[] = {
    FIELD_AS("rules", TEXT, metrics_text_result, text, .help = "Prometheus rules, in YAML"),
};

static const struct field dashboard_result[] = {
    FIELD_AS("dashboard", JSON, metrics_text_result, text,
             .help = "Grafana dashboard, in JSON"),
};

static const struct field_set no_set = {.size = 1};

void op_metrics_build(struct metric_samples *out)
{
    metric_add(out, METRIC_BUILD, STR("version=\"" STINT_VERSION "\""), 1);
}

static bool metrics_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct metrics_request *req = in;
    struct metrics_result *res = out;
    struct metric_samples samples = {.arena = ctx->arena};
    struct buf text = buf_new(ctx->arena->alloc, TEXT_MAX);
    bool open = str_eq(req->format, str_from(metric_format_names[METRICS_OPENMETRICS]));

    if (!op_metrics_collect(ctx, req->team, &samples, err))
        return false;
    op_metrics_build(&samples);
    metrics_write(&samples, open ? METRICS_OPENMETRICS : METRICS_PROMETHEUS, &text);
    res->samples = (struct rows){samples.at, samples.len};
    return buf_keep(&text, ctx->arena, &res->text, err);
}

static bool list_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct metrics_list_result *res = out;

    (void)in;
    return metrics_list(ctx->arena, &res->metrics, err);
}

static bool write_metrics_text(struct op_context *ctx, void (*write)(struct buf *out),
                               void *result_out, struct error *err)
{
    struct metrics_text_result *res = result_out;
    struct buf text = buf_new(ctx->arena->alloc, TEXT_MAX);

    write(&text);
    return buf_keep(&text, ctx->arena, &res->text, err);
}

static bool metrics_rules_run(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    (void)in;
    return write_metrics_text(ctx, metrics_write_rules, out, err);
}

static bool dashboard_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    (void)in;
    return write_metrics_text(ctx, metrics_write_dashboard, out, err);
}

const struct op op_metrics = {
    .name = "metrics",
    .schema = "stint.metrics/1",
    .summary = "print metrics of running runs, spending and budgets",
    .request = &(const struct field_set)FIELD_SET(struct metrics_request, request),
    .result = &(const struct field_set)FIELD_SET(struct metrics_result, result),
    .run = metrics_run,
};

const struct op op_metrics_list = {
    .name = "metrics.list",
    .schema = "stint.metrics.list/1",
    .summary = "list every metric with its unit and labels",
    .request = &no_set,
    .result = &(const struct field_set)FIELD_SET(struct metrics_list_result, list_result),
    .run = list_run,
};

const struct op op_metrics_rules = {
    .name = "metrics.rules",
    .schema = "stint.metrics.rules/1",
    .summary = "write recording and alert rules for Prometheus",
    .request = &no_set,
    .result = &(const struct field_set)FIELD_SET(struct metrics_text_result, rules_result),
    .run = metrics_rules_run,
};

const struct op op_metrics_dashboard = {
    .name = "metrics.dashboard",
    .schema = "stint.metrics.dashboard/1",
    .summary = "write a dashboard for Grafana",
    .request = &no_set,
    .result = &(const struct field_set)FIELD_SET(struct metrics_text_result, dashboard_result),
    .run = dashboard_run,
};
