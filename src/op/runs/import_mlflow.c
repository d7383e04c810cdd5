/* import mlflow - past runs from a tracking server, a folder mlruns, or an export. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/map.h"
#include "doc/json_write.h"
#include "net/credentials.h"
#include "net/http.h"
#include "op/context.h"
#include "op/import_files.h"
#include "op/op.h"
#include "op/runs/import_options.h"
#include "op/runs/import_runs.h"
#include "tracker/tracker.h"

#define PAGE_RUNS 200     /* of one answer: runs with their parameters may be long */
#define PAGE_POINTS 25000 /* the most that Databricks gives */
#define MAX_ANSWER ((uint64_t)256 << 20)
#define MAX_PAGES 100000
#define MAX_EXPERIMENTS 10000
#define MAX_TOKEN 4096 /* bytes of a page's token */
#define MAX_ADDRESS 4096
#define MAX_VALUE 65536 /* bytes of a parameter's or tag's file that are read */
#define MAX_META ((size_t)1 << 20)
#define MAX_DEPTH 4 /* folders of metrics: "system/gpu_0_power_usage_watts" */
#define READ_ROOM 65536

static const struct field request_fields[] = {
    FIELD(TEXTS, import_runs_request, from, .value = "FROM", .operand = true,
          .help = "address of a tracking server, folder mlruns, or export (CSV, JSON); "
                  "default: MLFLOW_TRACKING_URI"),
    FIELD(TEXTS, import_runs_request, experiment, .value = "LIST",
          .help = "only experiments with these names: 'bert*'"),
    IMPORT_RUNS_OPTIONS,
    FIELD(FLAG, import_runs_request, latest,
          .help = "only the last value of each metric: far fewer requests"),
    FIELD(FLAG, import_runs_request, active,
          .help = "leave out runs that were deleted in MLflow (default: they cost money, too)"),
    FIELD(FLAG, import_runs_request, separate,
          .help = "nested runs had machines of their own: count their time, too"),
    IMPORT_RUNS_DRY_RUN,
};

/* What is read, from where. */
struct mlflow {
    struct op_context *ctx;
    const struct import_runs_request *req;
    struct strs from;
    struct http_client client;
    struct credentials credentials;
    struct map names;   /* of experiments, by id; the value is a struct str */
    const char *base;   /* of the server that is asked */
    const char *folder; /* of the run that is read; NULL: a server's */
    int64_t since_ms;
    const struct tracker_sink *sink;
};

/* ---- the server ---- */

static bool keep_going(void *ctx, uint64_t done, uint64_t total)
{
    const struct op_context *op = ctx;

    (void)done;
    (void)total;
    return op->stopped == NULL || !op->stopped();
}

static const char *address_of(struct mlflow *m, const char *call, struct arena *arena,
                              struct error *err)
{
    struct buf text = buf_new(arena->alloc, MAX_ADDRESS);
    struct str base = str_from(m->base), kept;

    while (base.len > 0 && base.at[base.len - 1] == '/')
        base.len--;
    buf_add(&text, base);
    buf_adds(&text, "/api/2.0/mlflow/");
    buf_adds(&text, call);
    buf_char(&text, '\0');
    return buf_keep(&text, arena, &kept, err) ? kept.at : NULL;
}

/* Send it, and give the answer to `read`. */
typedef bool answer_reader(struct mlflow *m, struct source source, struct buf *next,
                           struct error *err);

static bool ask_server(struct mlflow *m, struct http_request request, answer_reader *read,
                       struct buf *next, struct error *err)
{
    const struct http_header headers[] = {{"Authorization", m->credentials.secret, true}};
    struct http_response response = {.fd = -1};
    struct fs_stream stream;
    bool ok;

    request.headers = headers;
    request.header_count = m->credentials.secret[0] != '\0';
    request.content_type = "application/json";
    request.max_body = MAX_ANSWER;
    request.refused = "set MLFLOW_TRACKING_TOKEN, or MLFLOW_TRACKING_USERNAME and "
                      "MLFLOW_TRACKING_PASSWORD";
    if (!http_get(&m->client, &request, &response, err)) {
        if (response.status == 404)
            error_hint(err, "is it the address of an MLflow tracking server, as in "
                            "http://localhost:5000?");
        return false;
    }
    stream = (struct fs_stream){response.fd, request.url};
    ok = response.fd >= 0 ? read(m, fs_source(&stream), next, err)
                          : error_fail(err, ERROR_FAILED, "%s: the answer is empty", m->base);
    if (!ok && err->kind == ERROR_INPUT) {
        error_place(err, request.url);
        error_hint(err, "is it the address of an MLflow tracking server, as in "
                        "http://localhost:5000?");
    }
    http_response_close(&response);
    return ok;
}

/* Page by page, until there is no next one. `begin` writes the request's members. */
static bool ask_pages(struct mlflow *m, const char *call, struct str members,
                      answer_reader *read, struct error *err)
{
    struct arena arena = {.alloc = m->ctx->arena->alloc, .block_size = 8192};
    struct buf next = buf_new(arena.alloc, MAX_TOKEN), body = buf_new(arena.alloc, 1 << 20);
    const char *url = address_of(m, call, &arena, err);
    bool ok = url != NULL;

    for (int page = 0; ok && (page == 0 || next.len > 0); page++) {
        buf_clear(&body);
        buf_char(&body, '{');
        buf_add(&body, members);
        if (next.len > 0) {
            buf_adds(&body, ",\"page_token\":");
            json_write_text(buf_text(&next), &body);
        }
        buf_char(&body, '}');
        ok = page < MAX_PAGES
                 ? buf_ok(&body, err) &&
                       ask_server(m, (struct http_request){.url = url, .body = buf_text(&body)},
                                  read, &next, err)
                 : error_fail(err, ERROR_FAILED, "%s: the answer has no last page", m->base);
    }
    buf_free(&body);
    buf_free(&next);
    arena_free(&arena);
    return ok;
}

/* ---- experiments ---- */

static bool add_experiment(struct mlflow *m, struct str id, struct str name, struct error *err)
{
    struct arena *arena = m->ctx->arena;
    struct map_entry *entry;
    struct str key, *kept = arena_array(arena, struct str, 1, err);

    if (kept == NULL || !str_keep(id, arena, &key, err) ||
        !tracker_text(name, arena, kept, err))
        return false;
    if (m->req->experiment.len > 0 && !strs_match(m->req->experiment, *kept))
        return true;
    if (m->names.count == MAX_EXPERIMENTS)
        return error_fail(err, ERROR_INPUT,
                          "there are more than %d experiments: --experiment "
                          "chooses",
                          MAX_EXPERIMENTS);
    entry = map_add(&m->names, key, NULL, err);
    if (entry != NULL)
        entry->value = kept;
    return entry != NULL;
}

struct collected {
    struct mlflow *m;
    struct error *err;
    bool ok;
};

static void collect_experiment(void *ctx, struct str id, struct str name)
{
    struct collected *c = ctx;

    c->ok = c->ok && add_experiment(c->m, id, name, c->err);
}

static bool take_experiments(struct mlflow *m, struct source source, struct buf *next,
                             struct error *err)
{
    struct collected c = {.m = m, .err = err, .ok = true};
    struct mlflow_experiments each = {collect_experiment, &c};

    return mlflow_read_experiments(source, m->ctx->arena->alloc, &each, next, err) && c.ok;
}

static bool no_experiment(struct mlflow *m, struct error *err)
{
    error_set(err, ERROR_ABSENT, "%s has no experiment '%.*s'", m->base,
              STR_ARG(m->req->experiment.at[0]));
    error_hint(err, "--experiment takes names or patterns: 'bert*'");
    return false;
}

/* ---- runs ---- */

/* Runs of a server and of a table have the id of their experiment; its name is the project. */
static bool take_run(void *ctx, const struct tracker_run *run, struct error *err)
{
    struct mlflow *m = ctx;
    const struct map_entry *entry = map_find(&m->names, run->experiment);
    struct tracker_run named = *run;

    if (entry != NULL)
        named.project = *(const struct str *)entry->value;
    else if (m->req->experiment.len > 0 &&
             (run->project.len == 0 || !strs_match(m->req->experiment, run->project)))
        return true;
    return m->sink->run(m->sink->ctx, &named, err);
}

static bool take_runs(struct mlflow *m, struct source source, struct buf *next,
                      struct error *err)
{
    struct tracker_sink sink = {.run = take_run, .point = m->sink->point, .ctx = m};

    return mlflow_read_runs(source, m->ctx->arena->alloc, &sink, next, err);
}

/* Of one experiment, the oldest first: a run comes before those nested in it. */
static bool ask_runs(struct mlflow *m, struct str experiment, struct error *err)
{
    struct buf members = buf_new(m->ctx->arena->alloc, 65536);
    bool ok;

    buf_adds(&members, "\"experiment_ids\":[");
    json_write_text(experiment, &members);
    buf_addf(&members,
             "],\"run_view_type\":\"%s\",\"max_results\":%d,"
             "\"order_by\":[\"attributes.start_time ASC\"]",
             m->req->active ? "ACTIVE_ONLY" : "ALL", PAGE_RUNS);
    if (m->since_ms >= 0)
        buf_addf(&members, ",\"filter\":\"attributes.start_time >= %lld\"",
                 (long long)m->since_ms);
    ok = buf_ok(&members, err) &&
         ask_pages(m, "runs/search", buf_text(&members), take_runs, err);
    buf_free(&members);
    return ok;
}

static bool read_server(struct mlflow *m, const char *base, struct error *err)
{
    m->base = base;
    m->folder = NULL;
    m->names = map_in_arena(m->ctx->arena);
    if (!ask_pages(m, "experiments/search",
                   m->req->active ? STR("\"max_results\":1000,\"view_type\":\"ACTIVE_ONLY\"")
                                  : STR("\"max_results\":1000,\"view_type\":\"ALL\""),
                   take_experiments, err))
        return false;
    if (m->names.count == 0 && m->req->experiment.len > 0)
        return no_experiment(m, err);
    for (size_t i = 0; i < m->names.count; i++)
        if (!ask_runs(m, m->names.at[i].key, err))
            return false;
    return true;
}

/* ---- values of a metric ---- */

static bool take_points(struct mlflow *m, struct source source, struct buf *next,
                        struct error *err)
{
    return mlflow_read_history(source, m->ctx->arena->alloc, m->sink, next, err);
}

static bool ask_metric(struct mlflow *m, struct str run, struct str metric, struct error *err)
{
    struct arena arena = {.alloc = m->ctx->arena->alloc, .block_size = 8192};
    const char *url = address_of(m, "metrics/get-history", &arena, err);
    struct buf next = buf_new(arena.alloc, MAX_TOKEN), most = buf_new(arena.alloc, 32);
    bool ok = url != NULL;

    buf_addf(&most, "%d", PAGE_POINTS);
    for (int page = 0; ok && page < MAX_PAGES && (page == 0 || next.len > 0); page++) {
        struct str token = {0};
        struct http_parameter parameters[] = {{STR("run_id"), run},
                                              {STR("metric_key"), metric},
                                              {STR("max_results"), buf_text(&most)},
                                              {STR("page_token"), token}};

        ok = str_keep(buf_text(&next), &arena, &parameters[3].value, err) &&
             ask_server(m,
                        (struct http_request){.url = url,
                                              .parameters = parameters,
                                              .parameter_count = page == 0 ? 3 : 4},
                        take_points, &next, err);
    }
    buf_free(&most);
    buf_free(&next);
    arena_free(&arena);
    return ok;
}

/* A file of a metric, line by line. */
static bool read_metric_file(const char *path, struct str name, const struct tracker_sink *sink,
                             struct error *err)
{
    struct tracker_metric point = {.name = name};
    char room[READ_ROOM];
    size_t have = 0;
    ssize_t got = 1;
    int fd = fs_open(path, err);

    if (fd < 0)
        return false;
    while (got > 0) {
        struct str text;

        got = read(fd, room + have, sizeof room - have);
        have += got > 0 ? (size_t)got : 0;
        text = (struct str){room, have};
        while (text.len > 0 && (got <= 0 || memchr(text.at, '\n', text.len) != NULL))
            if (mlflow_metric_line(str_cut(&text, '\n'), &point))
                sink->point(sink->ctx, &point);
        if (text.len == sizeof room) /* no line of a metric is so long */
            text.len = 0;
        if (text.len > 0)
            memmove(room, text.at, text.len);
        have = text.len;
    }
    (void)close(fd);
    return true;
}

/* Values of a run's metrics: by a request each, or from their files. */
static bool read_history(void *ctx, const struct tracker_run *run,
                         const struct tracker_sink *sink, struct error *err)
{
    struct mlflow *m = ctx;
    const struct tracker_sink *outer = m->sink;
    struct arena arena = {.alloc = m->ctx->arena->alloc, .block_size = 8192};
    bool ok = true;

    if (m->base == NULL && m->folder == NULL)
        return true; /* an export has none */
    m->sink = sink;
    for (size_t i = 0; ok && i < run->metric_count; i++) {
        struct str name = run->metrics[i].name;
        const char *path;

        if (m->folder == NULL) {
            ok = ask_metric(m, run->id, name, err);
            continue;
        }
        path = str_dup(name, &arena, err);
        path = path == NULL ? NULL : fs_join(m->folder, path, &arena, err);
        ok = path != NULL && read_metric_file(path, name, sink, err);
    }
    m->sink = outer;
    arena_free(&arena);
    return ok;
}

/* ---- the folder mlruns ---- */

enum pair_kind { PAIR_PARAM, PAIR_TAG };

/* A file for each: its name is the key. Long values are cut. */
static bool read_pairs(struct mlflow *m, const char *folder, enum pair_kind kind,
                       struct tracker_run *run, struct arena *arena, struct error *err)
{
    char **names;
    size_t count;

    (void)m;
    if (!fs_exists(folder))
        return true;
    if (!import_names(folder, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str value, key = str_from(names[i]);
        bool there;

        if (!import_text(folder, names[i], MAX_VALUE, arena, &value, &there, err)) {
            if (err->kind == ERROR_MEMORY)
                return false;
            *err = (struct error){0}; /* a folder, or a value that is too long to be one */
            continue;
        }
        if (kind == PAIR_PARAM ? !tracker_add_param(run, key, value, arena, err)
                               : !mlflow_add_tag(run, key, value, arena, err))
            return false;
    }
    return true;
}

/* The last line of a metric's file. */
static void keep_last(void *ctx, const struct tracker_metric *point)
{
    *(struct tracker_metric *)ctx = *point;
}

static bool read_metrics(const char *folder, const char *within, unsigned depth,
                         struct tracker_run *run, struct arena *arena, struct error *err)
{
    const char *path = within[0] == '\0' ? folder : fs_join(folder, within, arena, err);
    char **names;
    size_t count;

    if (path == NULL || !fs_exists(path))
        return path != NULL;
    if (!import_names(path, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = within[0] == '\0' ? names[i] : fs_join(within, names[i], arena, err);
        const char *file = name == NULL ? NULL : fs_join(folder, name, arena, err);
        struct tracker_metric last = {.at_ms = -1};
        struct tracker_sink sink = {.point = keep_last, .ctx = &last};
        struct stat st;

        if (file == NULL)
            return false;
        if (stat(file, &st) == 0 && S_ISDIR(st.st_mode)) {
            if (depth < MAX_DEPTH && !read_metrics(folder, name, depth + 1, run, arena, err))
                return false;
            continue;
        }
        if (!read_metric_file(file, str_from(name), &sink, err))
            return false;
        if (last.name.len > 0 && !tracker_add_metric(run, &last, arena, err))
            return false;
    }
    return true;
}

/* A run of the folder, before it is read: its start decides the order. */
struct found_run {
    const char *folder;
    struct str experiment; /* name */
    int64_t started_ms;
};

struct found_runs {
    struct found_run *at;
    size_t count, room;
};

static bool read_meta(const char *folder, struct tracker_run *run, bool *there,
                      struct arena *arena, struct error *err)
{
    const char *path = fs_join(folder, "meta.yaml", arena, err);
    struct str text;

    tracker_run_clear(run);
    return path != NULL &&
           import_text(folder, "meta.yaml", MAX_META, arena, &text, there, err) &&
           (!*there || mlflow_read_meta(text, path, run, arena, err));
}

static bool read_found(struct mlflow *m, const struct found_run *found, struct error *err)
{
    struct arena arena = {.alloc = m->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct tracker_run *run = arena_array(&arena, struct tracker_run, 1, err);
    const char *params = NULL, *tags = NULL, *metrics = NULL;
    bool there, ok = run != NULL && read_meta(found->folder, run, &there, &arena, err);

    if (ok) {
        params = fs_join(found->folder, "params", &arena, err);
        tags = fs_join(found->folder, "tags", &arena, err);
        metrics = fs_join(found->folder, "metrics", &arena, err);
        run->project = found->experiment;
        ok = params != NULL && tags != NULL && metrics != NULL &&
             read_pairs(m, params, PAIR_PARAM, run, &arena, err) &&
             read_pairs(m, tags, PAIR_TAG, run, &arena, err) &&
             read_metrics(metrics, "", 0, run, &arena, err);
    }
    m->folder = metrics;
    ok = ok && m->sink->run(m->sink->ctx, run, err);
    m->folder = NULL;
    arena_free(&arena);
    return ok;
}

static bool add_found(struct mlflow *m, const char *folder, struct str experiment,
                      int64_t started_ms, struct found_runs *out, struct error *err)
{
    out->at = arena_grow(m->ctx->arena, out->at, out->count, sizeof *out->at, &out->room, err);
    if (out->at == NULL)
        return false;
    out->at[out->count++] = (struct found_run){folder, experiment, started_ms};
    return true;
}

/* A folder of runs, of experiments, or a run itself. */
static bool find_runs(struct mlflow *m, const char *folder, struct str experiment,
                      unsigned depth, struct found_runs *out, struct error *err)
{
    struct arena *arena = m->ctx->arena;
    struct tracker_run *run = arena_array(arena, struct tracker_run, 1, err);
    bool there = false;
    char **names;
    size_t count;

    if (run == NULL || !read_meta(folder, run, &there, arena, err))
        return false;
    if (there && run->id.len > 0)
        return add_found(m, folder, experiment, run->started_ms, out, err);
    if (there) { /* an experiment: its name is where a run's would be */
        experiment = run->name;
        if (m->req->experiment.len > 0 && !strs_match(m->req->experiment, experiment))
            return true;
    }
    if (depth == 0)
        return true;
    if (!import_names(folder, arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *path = fs_join(folder, names[i], arena, err);
        struct stat st;

        if (path == NULL)
            return false;
        if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
            !find_runs(m, path, experiment, depth - 1, out, err))
            return false;
    }
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct found_run *x = a, *y = b;

    if (x->started_ms != y->started_ms)
        return x->started_ms < y->started_ms ? -1 : 1;
    return strcmp(x->folder, y->folder);
}

static bool read_folder(struct mlflow *m, const char *folder, struct error *err)
{
    struct found_runs found = {0};

    m->base = NULL;
    if (!find_runs(m, folder, (struct str){0}, 2, &found, err))
        return false;
    if (found.count == 0) {
        error_set(err, ERROR_INPUT, "'%s' has no runs of MLflow", folder);
        error_hint(err, "name the folder mlruns, or an experiment or a run in it");
        return false;
    }
    qsort(found.at, found.count, sizeof found.at[0], by_start);
    for (size_t i = 0; i < found.count; i++)
        if (!read_found(m, &found.at[i], err))
            return false;
    return true;
}

/* ---- all of it ---- */

static bool is_address(struct str from)
{
    return str_starts(from, STR("http://")) || str_starts(from, STR("https://"));
}

static bool read_export(struct mlflow *m, const char *path, struct error *err)
{
    struct tracker_sink sink = {.run = take_run, .point = m->sink->point, .ctx = m};

    m->base = m->folder = NULL;
    m->names = map_in_arena(m->ctx->arena);
    return import_runs_file(m->ctx, path, true, &sink, err);
}

static bool read_all(void *ctx, const struct tracker_sink *sink, struct error *err)
{
    struct mlflow *m = ctx;

    m->sink = sink;
    for (size_t i = 0; i < m->from.len; i++) {
        const char *from = str_dup(m->from.at[i], m->ctx->arena, err);
        struct stat st;

        if (from == NULL)
            return false;
        if (is_address(m->from.at[i])                     ? !read_server(m, from, err)
            : stat(from, &st) == 0 && S_ISDIR(st.st_mode) ? !read_folder(m, from, err)
                                                          : !read_export(m, from, err))
            return false;
    }
    return true;
}

/* Is each of them the oldest first? Then reading once is enough. */
static bool is_ordered(struct strs from)
{
    struct stat st;
    char path[4096];

    for (size_t i = 0; i < from.len; i++) {
        str_copy(from.at[i], path, sizeof path);
        if (!is_address(from.at[i]) && !(stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
            return false;
    }
    return true;
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
    static const struct http_manners manners = {.tries = 4,
                                                .wait = {SECOND / 2},
                                                .patience = {60 * SECOND},
                                                .connect = {10 * SECOND},
                                                .stall = {60 * SECOND},
                                                .attempt = {600 * SECOND}};
    struct mlflow m = {.ctx = ctx, .req = in};
    const struct import_tracker tracker = {
        .id = "mlflow", .title = "MLflow", .history = read_history, .history_ctx = &m};
    struct str own;
    bool ok;

    m.client = (struct http_client){.alloc = ctx->arena->alloc,
                                    .log = ctx->messages.log,
                                    .manners = &manners,
                                    .progress = keep_going,
                                    .progress_ctx = ctx};
    m.names = map_in_arena(ctx->arena);
    if (!find_sources(&m, &own, err) || !import_since(m.req, &m.since_ms, err))
        return false;
    for (size_t i = 0; i < m.from.len && m.client.session == NULL; i++)
        if (is_address(m.from.at[i])) {
            m.client.session = http_session_open(err);
            if (m.client.session == NULL || !credentials_mlflow(&m.credentials, err))
                return false;
        }
    ok = import_runs(ctx, m.req, &tracker,
                     &(const struct import_source){
                         .read = read_all, .ctx = &m, .twice = !is_ordered(m.from)},
                     out, err);
    http_session_close(m.client.session);
    credentials_wipe(&m.credentials);
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
