/* import wandb - past runs from an export of Weights & Biases, or from its folder wandb/. */
#include "op/runs/import_runs.h"

#include "op/context.h"
#include "op/op.h"
#include "tracker/tracker.h"

static const struct field request_fields[] = {
    FIELD(TEXTS, import_runs_request, from, .value = "FROM", .operand = true, .required = true,
          .help = "source: an export of runs (CSV, JSON), or a folder wandb"),
    IMPORT_RUNS_OPTIONS,
    IMPORT_RUNS_DRY_RUN,
};

static bool import_wandb(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct import_runs_request *req = in;
    struct wandb_sources w = {.from = req->from, .arena = ctx->arena, .watch = ctx->watch};
    const struct import_tracker tracker = {.id = "wandb", .title = "W&B"};

    for (size_t i = 0; i < req->from.len; i++)
        if (str_starts(req->from.at[i], STR("http"))) {
            error_set(err, ERROR_USAGE, "Weights & Biases is not asked over the network");
            error_hint(err, "export the table of runs as CSV on the project's page, or with "
                            "wandb's own package: docs/guide/import.md");
            return false;
        }
    return import_check_sources(req->from, err) &&
           import_runs(ctx, req, &tracker,
                       &(const struct import_source){.read = wandb_sources_read, .ctx = &w},
                       out, err);
}

const struct op op_import_wandb = {
    .name = "import.wandb",
    .schema = "stint.import.wandb/1",
    .changes = true,
    .summary = "import past runs from Weights & Biases into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct import_runs_request, request_fields),
    .result = &import_runs_result_fields,
    .run = import_wandb,
};
