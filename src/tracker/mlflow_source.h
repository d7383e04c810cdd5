/* mlflow_source.h - where MLflow keeps its runs: a tracking server, and a folder `mlruns`.
 *
 * Both hand every run to a sink, the oldest first, with the name of its experiment as its
 * project. Values of its metrics are read on request, while the sink has the run.
 */
#ifndef TRACKER_MLFLOW_SOURCE_H
#define TRACKER_MLFLOW_SOURCE_H

#include "base/map.h"
#include "base/watch.h"
#include "net/credentials.h"
#include "net/http.h"
#include "tracker/tracker.h"

/* Which runs are wanted. */
struct mlflow_choice {
    struct strs experiments; /* names, as patterns; none: all */
    int64_t since_ms;        /* of their start; -1: any */
    bool active;             /* not those that were deleted */
};

/* Is a run with this project wanted? One of no project only when all are. */
bool mlflow_wants(const struct mlflow_choice *choice, struct str project);

/* Is it the address of a server? */
bool mlflow_is_address(struct str from);

/* ---- mlflow_server.c ---- */

struct mlflow_server {
    const struct mlflow_choice *choice;
    struct arena *arena;   /* names of experiments, for as long as it is read */
    const struct log *log; /* NULL: none */
    bool (*stopped)(void); /* should it end? NULL: never */
    /* its own */
    struct http_client client;
    struct credentials credentials;
    struct map names; /* of experiments, by id; the value is a struct str */
    const char *base; /* of the server that is read */
    const struct tracker_sink *sink;
};

/* Before the first is read: credentials are those of the environment. */
bool mlflow_server_open(struct mlflow_server *server, struct error *err) MUST_USE;
void mlflow_server_close(struct mlflow_server *server);

bool mlflow_server_read(struct mlflow_server *server, const char *base,
                        const struct tracker_sink *sink, struct error *err) MUST_USE;

/* Every value of a run's metrics: a request each. */
bool mlflow_server_values(struct mlflow_server *server, const struct tracker_run *run,
                          const struct tracker_sink *sink, struct error *err) MUST_USE;

/* ---- mlflow_folder.c ---- */

struct mlflow_folder {
    const struct mlflow_choice *choice;
    struct arena *arena; /* what was found, for as long as it is read */
    /* its own */
    const char *metrics; /* folder of the run that is read */
};

bool mlflow_folder_read(struct mlflow_folder *folder, const char *path,
                        const struct tracker_sink *sink, struct error *err) MUST_USE;

/* Every value of the metrics of the run that the sink has. */
bool mlflow_folder_values(const struct mlflow_folder *folder, const struct tracker_run *run,
                          const struct tracker_sink *sink, struct error *err) MUST_USE;

/* ---- mlflow_sources.c ---- */

enum mlflow_kind { MLFLOW_EXPORT, MLFLOW_SERVER, MLFLOW_FOLDER };

/* All that a user names: servers, folders and exports. */
struct mlflow_sources {
    struct strs from; /* none: that of MLFLOW_TRACKING_URI */
    struct mlflow_choice choice;
    struct arena *arena;
    struct watch watch;
    /* its own */
    struct mlflow_server server;
    struct mlflow_folder folder;
    struct str own;
    bool asked;           /* a server is among them */
    bool exported;        /* an export is: it may have a run after those nested in it */
    enum mlflow_kind now; /* that is being read */
    const struct tracker_sink *sink;
};

/* Find them; ERROR_USAGE when there are none. Close it only when this succeeded. */
bool mlflow_sources_open(struct mlflow_sources *sources, const struct log *log,
                         struct error *err) MUST_USE;
void mlflow_sources_close(struct mlflow_sources *sources);

/* All runs; the values of the run that the sink has (an export has none). */
bool mlflow_sources_read(void *sources, const struct tracker_sink *sink,
                         struct error *err) MUST_USE;
bool mlflow_sources_history(void *sources, const struct tracker_run *run,
                            const struct tracker_sink *sink, struct error *err) MUST_USE;

#endif
