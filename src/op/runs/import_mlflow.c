/* import mlflow - past runs from a tracking server, a folder mlruns, or an export. */
#include <sys/stat.h>

#include "base/fs.h"
#include "op/context.h"
#include "op/op.h"
#include "op/runs/import_options.h"
#include "op/runs/import_runs.h"
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

/* What is read, from where. */
struct mlflow {
    struct op_context *ctx;
    const struct import_runs_request *req;
    struct strs from;
    struct mlflow_choice choice;
    struct mlflow_server server;
    struct mlflow_folder folder;
    enum { FROM_EXPORT, FROM_SERVER, FROM_FOLDER } now; /* being read */
    const struct tracker_sink *sink;
};

static bool is_mlflow_folder(struct str from)
{
    char path[PATH_MAX];
    struct stat st;

    str_copy(from, path, sizeof path);
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool take_exported(void *ctx, const struct tracker_run *run, struct error *err)
{
    const struct mlflow *m = ctx;

    return !mlflow_wants(&m->choice, run->project) || m->sink->run(m->sink->ctx, run, err);
}

static bool read_mlflow_source(struct mlflow *m, struct str from, struct error *err)
{
    const struct tracker_sink exported = {
        .run = take_exported, .point = m->sink->point, .ctx = m};
    const char *path = str_dup(from, m->ctx->arena, err);

    m->now = mlflow_is_address(from)  ? FROM_SERVER
             : is_mlflow_folder(from) ? FROM_FOLDER
                                      : FROM_EXPORT;
    if (path == NULL)
        return false;
    return m->now == FROM_SERVER   ? mlflow_server_read(&m->server, path, m->sink, err)
           : m->now == FROM_FOLDER ? mlflow_folder_read(&m->folder, path, m->sink, err)
                                   : import_runs_file(m->ctx, path, true, &exported, err);
}

static bool read_mlflow(void *ctx, const struct tracker_sink *sink, struct error *err)
{
    struct mlflow *m = ctx;

    m->sink = sink;
    for (size_t i = 0; i < m->from.len; i++)
        if (!read_mlflow_source(m, m->from.at[i], err))
            return false;
    return true;
}

/* Values of a run's metrics: an export has none. */
static bool read_mlflow_history(void *ctx, const struct tracker_run *run,
                                const struct tracker_sink *sink, struct error *err)
{
    struct mlflow *m = ctx;

    return m->now == FROM_SERVER   ? mlflow_server_values(&m->server, run, sink, err)
           : m->now == FROM_FOLDER ? mlflow_folder_values(&m->folder, run, sink, err)
                                   : true;
}

static bool find_sources(struct mlflow *m, struct str *own, struct error *err)
{
    const char *uri = env_get("MLFLOW_TRACKING_URI");

    m->from = m->req->from;
    if (m->from.len == 0 && uri != NULL) {
        *own = str_from(uri);
        m->from = (struct strs){own, 1};
    }
    if (m->from.len > 0)
        return import_check_sources(m->from, err);
    error_set(err, ERROR_USAGE, "which runs? name a server, a folder mlruns or an export");
    error_hint(err,
               "stint import mlflow http://localhost:5000, stint import mlflow mlruns/, or "
               "set MLFLOW_TRACKING_URI");
    return false;
}

static bool import_mlflow(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct mlflow m = {.ctx = ctx,
                       .req = in,
                       .server = {.arena = ctx->arena,
                                  .log = ctx->messages.log,
                                  .stopped = ctx->watch.stopped},
                       .folder = {.arena = ctx->arena}};
    const struct import_tracker tracker = {
        .id = "mlflow", .title = "MLflow", .history = read_mlflow_history, .history_ctx = &m};
    struct import_source source = {.read = read_mlflow, .ctx = &m};
    bool ok = true, asked = false;
    struct str own;

    m.server.choice = m.folder.choice = &m.choice;
    m.choice =
        (struct mlflow_choice){.experiments = m.req->experiment, .active = m.req->active};
    if (!find_sources(&m, &own, err) || !import_since(m.req, &m.choice.since_ms, err))
        return false;
    for (size_t i = 0; i < m.from.len; i++) {
        asked = asked || mlflow_is_address(m.from.at[i]);
        /* An export may have a run after those nested in it: it is read twice. */
        source.twice = source.twice ||
                       (!mlflow_is_address(m.from.at[i]) && !is_mlflow_folder(m.from.at[i]));
    }
    if (asked)
        ok = mlflow_server_open(&m.server, err);
    ok = ok && import_runs(ctx, m.req, &tracker, &source, out, err);
    if (asked)
        mlflow_server_close(&m.server);
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
