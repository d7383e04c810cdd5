/* Runs of an MLflow tracking server, by its REST API. */
#include <string.h>

#include "base/fs.h"
#include "doc/json_write.h"
#include "tracker/mlflow_source.h"

#define PAGE_RUNS 200     /* of one answer: runs with their parameters may be long */
#define PAGE_POINTS 25000 /* the most that Databricks gives */
#define MAX_ANSWER ((uint64_t)256 << 20)
#define MAX_PAGES 100000
#define MAX_EXPERIMENTS 10000
#define MAX_TOKEN 4096 /* bytes of a page's token */
#define MAX_ADDRESS 4096

bool mlflow_is_address(struct str from)
{
    return str_starts(from, STR("http://")) || str_starts(from, STR("https://"));
}

bool mlflow_wants(const struct mlflow_choice *choice, struct str project)
{
    return choice->experiments.len == 0 ||
           (project.len > 0 && strs_match(choice->experiments, project));
}

/* ---- requests ---- */

static bool keep_asking_mlflow(void *ctx, uint64_t done, uint64_t total)
{
    const struct mlflow_server *m = ctx;

    (void)done;
    (void)total;
    return m->stopped == NULL || !m->stopped();
}

static const char *address_of(struct mlflow_server *m, const char *call, struct arena *arena,
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
typedef bool answer_reader(struct mlflow_server *m, struct source source, struct buf *next,
                           struct error *err);

static bool ask_server(struct mlflow_server *m, struct http_request request,
                       answer_reader *read, struct buf *next, struct error *err)
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

/* Page by page, until there is no next one. `members` are those of the request. */
static bool ask_pages(struct mlflow_server *m, const char *call, struct str members,
                      answer_reader *read, struct error *err)
{
    struct arena arena = {.alloc = m->arena->alloc, .block_size = 8192};
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

static bool add_experiment(struct mlflow_server *m, struct str id, struct str name,
                           struct error *err)
{
    struct arena *arena = m->arena;
    struct map_entry *entry;
    struct str key, *kept = arena_array(arena, struct str, 1, err);

    if (kept == NULL || !str_keep(id, arena, &key, err) ||
        !tracker_text(name, arena, kept, err))
        return false;
    if (m->choice->experiments.len > 0 && !strs_match(m->choice->experiments, *kept))
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
    struct mlflow_server *m;
    struct error *err;
    bool ok;
};

static void collect_experiment(void *ctx, struct str id, struct str name)
{
    struct collected *c = ctx;

    c->ok = c->ok && add_experiment(c->m, id, name, c->err);
}

static bool take_experiments(struct mlflow_server *m, struct source source, struct buf *next,
                             struct error *err)
{
    struct collected c = {.m = m, .err = err, .ok = true};
    struct mlflow_experiments each = {collect_experiment, &c};

    return mlflow_read_experiments(source, m->arena->alloc, &each, next, err) && c.ok;
}

static bool no_experiment(struct mlflow_server *m, struct error *err)
{
    error_set(err, ERROR_ABSENT, "%s has no experiment '%.*s'", m->base,
              STR_ARG(m->choice->experiments.at[0]));
    error_hint(err, "--experiment takes names or patterns: 'bert*'");
    return false;
}

/* ---- runs ---- */

/* A run has the id of its experiment; the name is the project. */
static bool take_mlflow_run(void *ctx, const struct tracker_run *run, struct error *err)
{
    const struct mlflow_server *m = ctx;
    const struct map_entry *entry = map_find(&m->names, run->experiment);
    struct tracker_run named = *run;

    if (entry != NULL)
        named.project = *(const struct str *)entry->value;
    return m->sink->run(m->sink->ctx, &named, err);
}

static bool take_runs(struct mlflow_server *m, struct source source, struct buf *next,
                      struct error *err)
{
    struct tracker_sink sink = {.run = take_mlflow_run, .point = m->sink->point, .ctx = m};

    return mlflow_read_runs(source, m->arena->alloc, &sink, next, err);
}

/* Of one experiment, the oldest first: a run comes before those nested in it. */
static bool ask_mlflow_runs(struct mlflow_server *m, struct str experiment, struct error *err)
{
    struct buf members = buf_new(m->arena->alloc, 65536);
    bool ok;

    buf_adds(&members, "\"experiment_ids\":[");
    json_write_text(experiment, &members);
    buf_addf(&members,
             "],\"run_view_type\":\"%s\",\"max_results\":%d,"
             "\"order_by\":[\"attributes.start_time ASC\"]",
             m->choice->active ? "ACTIVE_ONLY" : "ALL", PAGE_RUNS);
    if (m->choice->since_ms >= 0)
        buf_addf(&members, ",\"filter\":\"attributes.start_time >= %lld\"",
                 (long long)m->choice->since_ms);
    ok = buf_ok(&members, err) &&
         ask_pages(m, "runs/search", buf_text(&members), take_runs, err);
    buf_free(&members);
    return ok;
}

static bool read_experiments(struct mlflow_server *m, struct error *err)
{
    m->names = map_in_arena(m->arena);
    if (!ask_pages(m, "experiments/search",
                   m->choice->active ? STR("\"max_results\":1000,\"view_type\":\"ACTIVE_ONLY\"")
                                     : STR("\"max_results\":1000,\"view_type\":\"ALL\""),
                   take_experiments, err))
        return false;
    if (m->names.count == 0 && m->choice->experiments.len > 0)
        return no_experiment(m, err);
    for (size_t i = 0; i < m->names.count; i++)
        if (!ask_mlflow_runs(m, m->names.at[i].key, err))
            return false;
    return true;
}

bool mlflow_server_read(struct mlflow_server *server, const char *base,
                        const struct tracker_sink *sink, struct error *err)
{
    server->base = base;
    server->sink = sink;
    return read_experiments(server, err);
}

/* ---- values of a metric ---- */

static bool take_points(struct mlflow_server *m, struct source source, struct buf *next,
                        struct error *err)
{
    return mlflow_read_history(source, m->arena->alloc, m->sink, next, err);
}

static bool ask_metric(struct mlflow_server *m, struct str run, struct str metric,
                       struct error *err)
{
    struct arena arena = {.alloc = m->arena->alloc, .block_size = 8192};
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

bool mlflow_server_values(struct mlflow_server *server, const struct tracker_run *run,
                          const struct tracker_sink *sink, struct error *err)
{
    const struct tracker_sink *outer = server->sink;
    bool ok = true;

    server->sink = sink;
    for (size_t i = 0; ok && i < run->metric_count; i++)
        ok = ask_metric(server, run->id, run->metrics[i].name, err);
    server->sink = outer;
    return ok;
}

bool mlflow_server_open(struct mlflow_server *server, struct error *err)
{
    static const struct http_manners manners = {.tries = 4,
                                                .wait = {SECOND / 2},
                                                .patience = {60 * SECOND},
                                                .connect = {10 * SECOND},
                                                .stall = {60 * SECOND},
                                                .attempt = {600 * SECOND}};

    server->client = (struct http_client){.alloc = server->arena->alloc,
                                          .log = server->log,
                                          .manners = &manners,
                                          .progress = keep_asking_mlflow,
                                          .progress_ctx = server,
                                          .session = http_session_open(err)};
    return server->client.session != NULL && credentials_mlflow(&server->credentials, err);
}

void mlflow_server_close(struct mlflow_server *server)
{
    http_session_close(server->client.session);
    credentials_wipe(&server->credentials);
}
