/* import mlflow - past runs from a tracking server, a folder mlruns, or an export. */
#include "op/runs/import_runs.h"

#include "op/context.h"
#include "op/op.h"
#include "tracker/mlflow_source.h"

static const struct field request_fields[] = {
    FIELD(TEXTS, import_runs_request, from, .value = "FROM", .operand = true,
          .help = "source: a tracking server, folder mlruns, or export (CSV, JSON); default: "
                  "MLFLOW_TRACKING_URI"),
    FIELD(TEXTS, import_runs_request, experiment, .value = "LIST",
          .help = "experiments to import, by name: 'bert*'"),
    IMPORT_RUNS_OPTIONS,
    FIELD(FLAG, import_runs_request, latest,
          .help = "import only the last value of each metric: far fewer requests"),
    FIELD(FLAG, import_runs_request, active,
          .help = "leave out runs deleted in MLflow (default: include them)"),
    FIELD(FLAG, import_runs_request, separate,
          .help = "count the time of nested runs, which had machines of their own"),
    IMPORT_RUNS_DRY_RUN,
};

static bool import_mlflow(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct import_runs_request *req = in;
    struct mlflow_sources from = {
        .from = req->from,
        .choice = {.experiments = req->experiment, .active = req->active},
        .arena = ctx->arena,
        .watch = ctx->watch};
    const struct import_tracker tracker = {.id = "mlflow",
                                           .title = "MLflow",
                                           .history = mlflow_sources_history,
                                           .history_ctx = &from};
    struct import_source source = {.read = mlflow_sources_read, .ctx = &from};
    bool ok;

    if (!import_check_sources(req->from, err) ||
        !import_since(req, &from.choice.since_ms, err) ||
        !mlflow_sources_open(&from, ctx->messages.log, err))
        return false;
    source.twice = from.exported;
    ok = import_runs(ctx, req, &tracker, &source, out, err);
    mlflow_sources_close(&from);
    return ok;
}

const struct op op_import_mlflow = {
    .name = "import.mlflow",
    .schema = "stint.import.mlflow/1",
    .changes = true,
    .summary = "import past runs from MLflow into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct import_runs_request, request_fields),
    .result = &import_runs_result_fields,
    .run = import_mlflow,
};
