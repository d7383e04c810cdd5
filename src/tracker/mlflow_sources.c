/* Servers, folders `mlruns` and exports of MLflow, one after the other. */
#include <limits.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "tracker/mlflow_source.h"

static bool is_mlflow_folder(struct str from)
{
    char path[PATH_MAX];
    struct stat st;

    str_copy(from, path, sizeof path);
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum mlflow_kind mlflow_kind_of(struct str from)
{
    return mlflow_is_address(from)  ? MLFLOW_SERVER
           : is_mlflow_folder(from) ? MLFLOW_FOLDER
                                    : MLFLOW_EXPORT;
}

static bool take_exported(void *ctx, const struct tracker_run *run, struct error *err)
{
    const struct mlflow_sources *m = ctx;

    return !mlflow_wants(&m->choice, run->project) || m->sink->run(m->sink->ctx, run, err);
}

static bool read_mlflow_source(struct mlflow_sources *m, struct str from, struct error *err)
{
    const struct tracker_sink exported = {
        .run = take_exported, .point = m->sink->point, .ctx = m};
    const char *path = str_dup(from, m->arena, err);

    m->now = mlflow_kind_of(from);
    if (path == NULL)
        return false;
    return m->now == MLFLOW_SERVER ? mlflow_server_read(&m->server, path, m->sink, err)
           : m->now == MLFLOW_FOLDER
               ? mlflow_folder_read(&m->folder, path, m->sink, err)
               : tracker_read_file(path, true, m->arena, &m->watch, &exported, err);
}

bool mlflow_sources_read(void *sources, const struct tracker_sink *sink, struct error *err)
{
    struct mlflow_sources *m = sources;

    m->sink = sink;
    for (size_t i = 0; i < m->from.len; i++)
        if (!read_mlflow_source(m, m->from.at[i], err))
            return false;
    return true;
}

bool mlflow_sources_history(void *sources, const struct tracker_run *run,
                            const struct tracker_sink *sink, struct error *err)
{
    struct mlflow_sources *m = sources;

    return m->now == MLFLOW_SERVER   ? mlflow_server_values(&m->server, run, sink, err)
           : m->now == MLFLOW_FOLDER ? mlflow_folder_values(&m->folder, run, sink, err)
                                     : true;
}

static bool find_mlflow_sources(struct mlflow_sources *m, struct error *err)
{
    const char *uri = env_get("MLFLOW_TRACKING_URI");

    if (m->from.len == 0 && uri != NULL) {
        m->own = str_from(uri);
        m->from = (struct strs){&m->own, 1};
    }
    if (m->from.len > 0)
        return true;
    error_set(err, ERROR_USAGE, "which runs? name a server, a folder mlruns or an export");
    error_hint(err,
               "stint import mlflow http://localhost:5000, stint import mlflow mlruns/, or "
               "set MLFLOW_TRACKING_URI");
    return false;
}

bool mlflow_sources_open(struct mlflow_sources *m, const struct log *log, struct error *err)
{
    m->server = (struct mlflow_server){
        .choice = &m->choice, .arena = m->arena, .log = log, .stopped = m->watch.stopped};
    m->folder = (struct mlflow_folder){.choice = &m->choice, .arena = m->arena};
    if (!find_mlflow_sources(m, err))
        return false;
    for (size_t i = 0; i < m->from.len; i++) {
        m->asked = m->asked || mlflow_kind_of(m->from.at[i]) == MLFLOW_SERVER;
        m->exported = m->exported || mlflow_kind_of(m->from.at[i]) == MLFLOW_EXPORT;
    }
    return !m->asked || mlflow_server_open(&m->server, err);
}

void mlflow_sources_close(struct mlflow_sources *m)
{
    if (m->asked)
        mlflow_server_close(&m->server);
}
