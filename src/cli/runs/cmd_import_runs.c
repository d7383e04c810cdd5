/* stint import mlflow, stint import wandb */
#include "cli/commands.h"
#include "cli/runs_view.h"
#include "op/runs/import_runs.h"
#include "unit/shown.h"

#define ROWS_SHOWN 20

static bool write_imported_run(const struct column *column, const void *row, struct buf *out)
{
    const struct import_run_row *run = row;

    (void)column;
    if (run->run.len == LEDGER_ID - 1)
        buf_add(out, ledger_short(run->run.at));
    return true;
}

static enum term_style style_of_import(const void *row)
{
    const struct import_run_row *run = row;

    return run->action == IMPORT_SKIPPED ? STYLE_WARN : STYLE_PLAIN;
}

static const struct column run_columns[] = {
    COLUMN_CELL("run", write_imported_run),
    COLUMN("name", name, .shrink = true, .unknown = ""),
    COLUMN("started (UTC)", started, .optional = true),
    COLUMN("took", duration),
    COLUMN("GPU", gpu, .times = "gpus", .shrink = true, .unknown = "?"),
    COLUMN("cost", cost, .form = COLUMN_FINE, .unknown = "?"),
    COLUMN("result", action),
    COLUMN("why", reason, .shrink = true, .unknown = "-"),
};

/* What is the same as before is not worth a line: the first others. */
static size_t gather_rows(const struct import_runs_result *res, struct import_run_row *shown)
{
    const struct import_run_row *rows = res->runs.at;
    size_t count = 0;

    for (size_t i = 0; i < res->runs.len && count < ROWS_SHOWN; i++)
        if (rows[i].action != IMPORT_UNCHANGED)
            shown[count++] = rows[i];
    return count;
}

static void print_imported_sums(const struct view *view, const struct import_runs_result *res)
{
    struct buf *out = view->out;
    int64_t changed = res->added + res->updated;

    buf_addf(out, "%s%lld added, %lld updated, %lld unchanged, %lld skipped",
             res->dry_run ? "would be: " : "runs: ", (long long)res->added,
             (long long)res->updated, (long long)res->unchanged, (long long)res->skipped);
    if (changed > 0) {
        buf_adds(out, "; ");
        value_number(res->gpu_hours, out);
        buf_adds(out, " GPU-hours");
        if (res->gpu_unknown > 0)
            buf_addf(out, " without %lld of unknown GPUs", (long long)res->gpu_unknown);
        buf_adds(out, "; cost ");
        if (res->cost.nano == MONEY_UNKNOWN)
            buf_adds(out, "not known");
        else
            value_dollars(usd_double(res->cost), out);
        if (res->cost_unknown > 0 && res->cost.nano != MONEY_UNKNOWN)
            buf_addf(out, ", without %lld of unknown cost", (long long)res->cost_unknown);
    }
    buf_char(out, '\n');
    if (res->nested > 0)
        buf_addf(out, "%lld nested run%s no time and cost: the outer run has %s\n",
                 (long long)res->nested, res->nested == 1 ? " adds" : "s add",
                 res->nested == 1 ? "it" : "them");
    if (res->cost_unknown > 0)
        buf_adds(
            out,
            "a cost needs a price: import again with --price, --offer or --gpu-price (and\n"
            "--gpus, where a run does not name its GPUs)\n");
    if (res->dry_run)
        buf_adds(out, "nothing was written\n");
    else if (changed > 0) {
        buf_adds(out, "ledger: ");
        buf_add_safe(out, res->ledger);
        buf_char(out, '\n');
    }
}

static void print_import_runs(const struct view *view, const void *result)
{
    struct import_runs_result res = *(const struct import_runs_result *)result;
    struct import_run_row shown[ROWS_SHOWN];
    int64_t others = res.added + res.updated + res.skipped;

    res.runs = (struct rows){shown, gather_rows(&res, shown)};
    if (res.runs.len > 0) {
        view_rows(view, &op_import_mlflow, &res, "runs",
                  COLUMNS(run_columns, .style = style_of_import));
        if (others > (int64_t)res.runs.len)
            buf_addf(view->out, "... and %lld more (--json lists them)\n",
                     (long long)(others - (int64_t)res.runs.len));
        buf_char(view->out, '\n');
    }
    print_imported_sums(view, &res);
}

const struct command cmd_import_mlflow = {
    .name = "import mlflow",
    .op = &op_import_mlflow,
    .about = "Imports past runs from MLflow: from a tracking server (REST API), from a folder "
             "mlruns, or from an export (CSV of 'mlflow experiments csv', or a saved answer of "
             "runs/search). Start, end, status, user, tags, parameters and metrics are "
             "recorded; the GPUs if parameters, tags or system metrics name them.\n\n"
             "Runs are identified by their id: importing again adds no duplicates and updates "
             "changed runs. Runs that are still running are skipped. A nested run counts no "
             "time of its own while the outer one is running. The cost is unknown unless "
             "--price, --gpu-price or --offer gives a price. A server's key is read from "
             "MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD.",
    .examples = "stint import mlflow http://localhost:5000 --gpu-price 1.99usd/hr\n"
                "stint import mlflow mlruns/ --experiment 'bert*' --tag team=nlp\n"
                "stint import mlflow runs.csv --dry-run",
    .print = print_import_runs,
};

const struct command cmd_import_wandb = {
    .name = "import wandb",
    .op = &op_import_wandb,
    .about = "Imports past runs from Weights & Biases: from an export of runs (the CSV of a "
             "project's page, JSON as wandb's own package writes it, or an answer of its "
             "GraphQL API), or from the folder wandb/ that it leaves beside a program, which "
             "also has the GPUs of the machine.\n\n"
             "Runs are identified by their id: importing again adds no duplicates and updates "
             "changed runs. Runs that are still running are skipped. The cost is unknown "
             "unless --price, --gpu-price or --offer gives a price.",
    .examples = "stint import wandb wandb_export.csv --gpu-price 1.99usd/hr\n"
                "stint import wandb wandb/ --tag team=vision\n"
                "stint import wandb runs.json --offer lambda/us-east-1/gpu_1x_a100 --dry-run",
    .print = print_import_runs,
};
