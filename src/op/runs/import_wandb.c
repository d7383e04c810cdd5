/* import wandb - past runs from an export of Weights & Biases, or from its folder wandb/. */
#include <sys/stat.h>

#include "op/context.h"
#include "op/op.h"
#include "op/runs/import_options.h"
#include "op/runs/import_runs.h"
#include "tracker/tracker.h"

static const struct field request_fields[] = {
    FIELD(TEXTS, import_runs_request, from, .value = "FROM", .operand = true, .required = true,
          .help = "source: an export of runs (CSV, JSON), or a folder wandb"),
    IMPORT_RUNS_OPTIONS,
    IMPORT_RUNS_DRY_RUN,
};

struct wandb {
    struct op_context *ctx;
    const struct import_runs_request *req;
};

static bool read_wandb(void *ctx, const struct tracker_sink *sink, struct error *err)
{
    struct wandb *w = ctx;

    for (size_t i = 0; i < w->req->from.len; i++) {
        const char *from = str_dup(w->req->from.at[i], w->ctx->arena, err);
        struct stat st;

        if (from == NULL)
            return false;
        if (stat(from, &st) == 0 && S_ISDIR(st.st_mode)
                ? !wandb_folder_read(from, w->ctx->arena, sink, err)
                : !import_runs_file(w->ctx, from, false, sink, err))
            return false;
    }
    return true;
}

static bool import_wandb(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct wandb w = {.ctx = ctx, .req = in};
    const struct import_tracker tracker = {.id = "wandb", .title = "W&B"};

    for (size_t i = 0; i < w.req->from.len; i++)
        if (str_starts(w.req->from.at[i], STR("http"))) {
            error_set(err, ERROR_USAGE, "Weights & Biases is not asked over the network");
            error_hint(err, "export the table of runs as CSV on the project's page, or with "
                            "wandb's own package: docs/import.md");
            return false;
        }
    return import_check_sources(w.req->from, err) &&
           import_runs(ctx, w.req, &tracker,
                       &(const struct import_source){.read = read_wandb, .ctx = &w}, out, err);
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
