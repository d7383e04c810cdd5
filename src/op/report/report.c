/* report - what a run, an experiment or a plan cost, as files to show and to send. */
#include "op/report/report.h"

#include "op/context.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD(TEXTS, report_request, runs, .value = "RUN", .operand = true,
          .help = "end or start of its id, its name, or 'last' (default: the newest)"),
    FIELD(TEXT, report_request, output, .value = "DIR", .also = output_names,
          .help = "folder to write to, also as -o (default: cost_analysis)"),
    FIELD(FLAG, report_request, replace,
          .help = "replace files of the same names that Stint did not write"),
    FIELD(BYTES, report_request, model_size, .value = "SIZE",
          .help = "of the model's files: 3.2MB"),
    FIELD(NUMBER, report_request, parameters, .value = "N", .help = "of the model: 215041"),
    FIELD(SPAN, report_request, inference_time, .value = "TIME",
          .help = "of one prediction: 0.15ms"),
};

static const struct field result[] = {
    FIELD(TEXT, report_result, kind, .help = "what it is a report of"),
    FIELD(TEXT, report_result, title, .help = "what it is about"),
    FIELD(TEXT, report_result, folder, .help = "that it was written to"),
    FIELD(LIST, report_result, files, .row = &report_written_fields,
          .help = "that were written"),
    FIELD(TEXTS, report_result, summary, .help = "its main points"),
};

static bool make_report(struct op_context *ctx, const struct report_request *req,
                        struct report *report, struct error *err)
{
    return report_run(ctx, req, report, err);
}

static bool report_make(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct report_request *req = in;
    struct report_result *res = out;
    struct report *report = arena_array(ctx->arena, struct report, 1, err);
    char *folder;

    if (report == NULL)
        return false;
    report->result = res;
    report->folder = STR("cost_analysis");
    if (!make_report(ctx, req, report, err))
        return false;
    res->folder = req->output.len > 0 ? req->output : report->folder;
    folder = str_dup(res->folder, ctx->arena, err);
    return folder != NULL &&
           report_files_put(&report->files, folder, req->replace, ctx->arena, &res->files, err);
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
