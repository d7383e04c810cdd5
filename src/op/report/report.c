/* report - what a run, an experiment or a plan cost, as files to show and to send. */
#include "op/report/report.h"

#include "catalog/catalog.h"
#include "op/context.h"
#include "op/op.h"
#include "op/options.h"

static const char *const output_names[] = {"o", NULL};

static const char *const periods[] = {"month", NULL};

static const struct field request[] = {
    FIELD(TEXTS, report_request, runs, .value = "RUN", .operand = true,
          .help = "run: end or start of its ID, its name, or 'last' (default: the newest)"),
    FIELD(TEXT, report_request, experiment, .value = "DIR",
          .help = "report on the experiment in DIR; writes to DIR/cost_analysis"),
    FIELD(TEXT, report_request, plan, .value = "PLAN.json",
          .help = "report on a plan written by 'stint plan --save'"),
    FIELD(FLAG, report_request, compare,
          .help = "compare these runs; 'bert*' selects all whose names match"),
    FIELD(TEXT, report_request, metric, .value = "NAME",
          .help = "metric to judge by, with --compare (default: that of most runs)"),
    FIELD(TEXT, report_request, month, .value = "MONTH",
          .help = "report on a month's spending instead: 2026-10, or last"),
    OP_WHERE(report_request, where),
    OP_CURRENCY(report_request, currency),
    FIELD(TEXTS, report_request, send, .value = "CHANNELS",
          .help = "send the main points through these alert channels; by email, with the "
                  "page and pictures"),
    FIELD(TEXT, report_request, mail, .value = "ADDRESS",
          .help = "send by email, through the channel that sends to ADDRESS"),
    FIELD(
        CHOICE, report_request, every, .value = "month", .choices = periods,
        .help =
            "print a line for cron and a systemd timer that report every month; write nothing"),
    FIELD(TEXT, report_request, output, .value = "DIR", .also = output_names,
          .help = "folder to write to, also as -o (default: cost_analysis)"),
    FIELD(FLAG, report_request, replace,
          .help = "replace files of the same names that Stint did not write"),
    FIELD(SPAN, report_request, training_time, .value = "TIME", .positive = true,
          .seconds = true, .help = "training time of an experiment: 420s, 7min"),
    FIELD(TEXT, report_request, gpu, .value = "GPU[xN]", .also = accelerator_options,
          .help =
              "GPU of an experiment: RTX4090, A100x8 (default: that of the setting machine)"),
    FIELD(NUMBER, report_request, watts, .value = "W", .positive = true,
          .help = "mean power of an experiment's machine, W"),
    FIELD(RATE, report_request, price, .value = "PRICE",
          .help = "price of that machine: 0.50usd/hr (default: electricity only)"),
    FIELD(BYTES, report_request, model_size, .value = "SIZE",
          .help = "size of the model's files: 3.2MB"),
    FIELD(NUMBER, report_request, parameters, .value = "N",
          .help = "number of parameters of the model: 215041"),
    FIELD(SPAN, report_request, inference_time, .value = "TIME",
          .help = "time of one prediction: 0.15ms"),
};

static const struct field result[] = {
    FIELD(TEXT, report_result, kind, .help = "kind of report"),
    FIELD(TEXT, report_result, title, .help = "subject of the report"),
    FIELD(TEXT, report_result, folder, .help = "folder it was written to"),
    FIELD(LIST, report_result, files, .row = &report_written_fields,
          .help = "files that were written"),
    FIELD(TEXTS, report_result, summary, .help = "main points"),
    FIELD(TEXTS, report_result, sent, .sparse = true, .help = "channels it was sent to"),
    FIELD(TEXT, report_result, cron, .sparse = true, .help = "crontab line, with --every"),
    FIELD(TEXT, report_result, service, .sparse = true,
          .help = "systemd service, with --every"),
    FIELD(TEXT, report_result, timer, .sparse = true, .help = "systemd timer, with --every"),
};

static bool asks_experiment(const struct report_request *req)
{
    return req->experiment.len > 0;
}

static bool asks_plan(const struct report_request *req)
{
    return req->plan.len > 0;
}

static bool asks_month(const struct report_request *req)
{
    return req->month.len > 0;
}

static bool asks_comparison(const struct report_request *req)
{
    return req->compare;
}

/* The options that each ask for another report than that of a run. */
static const struct report_kind {
    const char *option;
    bool (*asks)(const struct report_request *req);
    bool (*make)(struct op_context *ctx, const struct report_request *req, struct report *out,
                 struct error *err);
    bool of_runs; /* that are named beside it */
} kinds[] = {
    {"--experiment", asks_experiment, op_report_experiment, false},
    {"--plan", asks_plan, op_report_plan, false},
    {"--month", asks_month, op_report_month, false},
    {"--compare", asks_comparison, op_report_compare, true},
};

/* ERROR_USAGE when two are asked for. `out` stays NULL for a run. */
static bool find_report_kind(const struct report_request *req, const struct report_kind **out,
                             struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        if (!kinds[i].asks(req))
            continue;
        if (*out != NULL)
            return error_fail(err, ERROR_USAGE, "%s and %s are two reports", (*out)->option,
                              kinds[i].option);
        *out = &kinds[i];
    }
    if (*out != NULL && !(*out)->of_runs && req->runs.len > 0)
        return error_fail(err, ERROR_USAGE, "%s and the run '%.*s' are two reports",
                          (*out)->option, STR_ARG(req->runs.at[0]));
    if (*out == NULL && req->runs.len > 1) {
        error_set(err, ERROR_USAGE, "a report covers one run, not %zu", req->runs.len);
        error_hint(err, "'stint report --compare %.*s %.*s' compares them",
                   STR_ARG(req->runs.at[0]), STR_ARG(req->runs.at[1]));
        return false;
    }
    return true;
}

static bool make_report(struct op_context *ctx, const struct report_request *req,
                        struct report *report, struct error *err)
{
    const struct report_kind *kind = NULL;

    if (!find_report_kind(req, &kind, err))
        return false;
    if (kind != NULL)
        return kind->make(ctx, req, report, err);
    return req->runs.len > 0 ? op_report_run(ctx, req, report, err)
                             : op_report_newest(ctx, req, report, err);
}

static bool report_make(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct report_request *req = in;
    struct report_result *res = out;
    struct report *report = arena_array(ctx->arena, struct report, 1, err);
    char *folder;

    if (report == NULL)
        return false;
    if (req->every.len > 0)
        return op_report_schedule(ctx, req, res, err);
    *report = (struct report){.arena = ctx->arena,
                              .messages = ctx->messages,
                              .now = op_now(ctx),
                              .folder = STR("cost_analysis")};
    if (!make_report(ctx, req, report, err))
        return false;
    res->kind = report->kind;
    res->title = report->title;
    res->summary = report->summary;
    res->folder = req->output.len > 0 ? req->output : report->folder;
    folder = str_dup(res->folder, ctx->arena, err);
    return folder != NULL &&
           report_files_put(&report->files, folder, req->replace, ctx->arena, &res->files,
                            err) &&
           op_report_send(ctx, req, report, res, err);
}

const struct op op_report = {
    .name = "report",
    .schema = "stint.report/1",
    .summary = "write a report to share: figures, tables, JSON",
    .request = &(const struct field_set)FIELD_SET(struct report_request, request),
    .result = &(const struct field_set)FIELD_SET(struct report_result, result),
    .changes = true,
    .run = report_make,
};
