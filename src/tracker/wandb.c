/* Weights & Biases: runs as JSON, and the files that it leaves in wandb/run-*. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/num.h"
#include "doc/node.h"
#include "tracker/tracker.h"

#define MAX_TOKEN ((size_t)16 << 20) /* a configuration may be one text */
#define MAX_PATH 1000                /* bytes of a nested parameter's name */
#define MAX_WRAPS 16                 /* objects and lists around a run */
#define HISTORY_VALUES 64            /* of one row of a history */

struct export
{
    struct json *json;
    struct arena arena; /* of the run that is read */
    const struct tracker_sink *sink;
    const struct alloc *alloc;
    struct tracker_run run;
    struct str display;  /* "displayName": then "name" is the id */
    struct arena around; /* of what is around the runs */
    struct str project;  /* that they are listed under */
};

/* A scalar that was read, as text. */
static bool scalar_of(const struct json_token *t, struct str *out)
{
    *out = t->kind == JSON_TRUE ? STR("true") : t->kind == JSON_FALSE ? STR("false") : t->text;
    return t->kind == JSON_TRUE || t->kind == JSON_FALSE || t->kind == JSON_STRING ||
           t->kind == JSON_NUMBER;
}

static bool is_container_token(const struct json_token *t)
{
    return t->kind == JSON_OBJECT || t->kind == JSON_ARRAY;
}

static bool json_skip_token(struct json *json, const struct json_token *t, struct error *err)
{
    return !is_container_token(t) || json_leave(json, t->depth, err);
}

/* ---- configuration ---- */

/* "optimizer.lr" of {"optimizer": {"value": {"lr": 1}}}. */
static bool put_param(struct tracker_run *run, struct str path, struct str value,
                      struct arena *arena, struct error *err)
{
    if (str_starts(path, STR("_wandb")) || str_starts(path, STR("wandb_version")))
        return true;
    return tracker_add_param(run, path, value, arena, err);
}

/* W&B wraps what was given: {"value": ..., "desc": null}. */
static void extend_path(struct buf *path, struct str key)
{
    if (str_eq(key, STR("value")))
        return;
    if (path->len > 0)
        buf_char(path, '.');
    buf_add(path, key);
}

static bool read_wandb_config(struct json *json, const struct json_token *first,
                              struct tracker_run *run, struct buf *path, struct arena *arena,
                              struct error *err)
{
    struct json_token t;
    struct str value;
    size_t before = path->len;

    if (scalar_of(first, &value))
        return path->len == 0 || put_param(run, buf_text(path), value, arena, err);
    if (first->kind != JSON_OBJECT)
        return json_skip_token(json, first, err);
    while (json_next(json, &t, err)) {
        if (t.kind == JSON_OBJECT_END)
            return true;
        if (str_eq(t.text, STR("desc")) || path->len + t.text.len > MAX_PATH) {
            if (!json_skip(json, err))
                return false;
            continue;
        }
        extend_path(path, t.text);
        if (!json_next(json, &t, err) || !read_wandb_config(json, &t, run, path, arena, err))
            return false;
        path->len = before;
    }
    return false;
}

static bool read_config_of(struct json *json, const struct json_token *first,
                           struct tracker_run *run, struct arena *arena, struct error *err)
{
    struct buf path = buf_new(arena->alloc, (size_t)4 * MAX_PATH);
    bool ok = read_wandb_config(json, first, run, &path, arena, err);

    buf_free(&path);
    return ok;
}

/* ---- summary: the last value of each metric ---- */

static int64_t ms_of(struct str seconds)
{
    double s;

    return num_read(seconds, &s) && s >= 0 && s < 1e11 ? (int64_t)(s * 1000) : -1;
}

static bool put_summary(struct tracker_run *run, struct str key, const struct json_token *t,
                        struct arena *arena, struct error *err)
{
    struct tracker_metric m = {.name = key, .step = NAN, .at_ms = -1};
    struct str value;

    if (!scalar_of(t, &value))
        return true;
    if (str_eq(key, STR("_runtime")) || str_eq(key, STR("runtime")))
        run->runtime_ms = ms_of(value);
    else if (str_eq(key, STR("_timestamp")))
        run->heard_ms = tracker_time(value);
    else if (t->kind == JSON_STRING && str_starts(key, STR("stint")))
        return tracker_add_param(run, key, value, arena, err);
    else if (key.len > 0 && key.at[0] != '_' && tracker_number(value, &m.value))
        return tracker_add_metric(run, &m, arena, err);
    return true;
}

/* Values of `_wandb` itself are one level deeper; other objects are pictures and the like. */
static bool read_summary_members(struct json *json, struct tracker_run *run, bool own,
                                 struct arena *arena, struct error *err)
{
    struct json_token t;
    struct str key;

    while (json_next(json, &t, err)) {
        bool ok;

        if (t.kind == JSON_OBJECT_END)
            return true;
        if (!str_keep(t.text, arena, &key, err) || !json_next(json, &t, err))
            return false;
        if (!own && t.kind == JSON_OBJECT && str_eq(key, STR("_wandb")))
            ok = read_summary_members(json, run, true, arena, err);
        else if (own && !str_eq(key, STR("runtime")))
            ok = json_skip_token(json, &t, err);
        else
            ok = put_summary(run, key, &t, arena, err) && json_skip_token(json, &t, err);
        if (!ok)
            return false;
    }
    return false;
}

static bool read_summary_of(struct json *json, const struct json_token *first,
                            struct tracker_run *run, struct arena *arena, struct error *err)
{
    return first->kind == JSON_OBJECT ? read_summary_members(json, run, false, arena, err)
                                      : json_skip_token(json, first, err);
}

/* ---- metadata: the machine ---- */

/* A text of the run by the key that it has in a file. */
struct named_text {
    const char *key;
    size_t to;
};

/* The first value of a text counts. */
static bool put_named(const struct named_text *texts, size_t count, struct str key,
                      struct str value, struct tracker_run *run, struct arena *arena,
                      struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        struct str *to = (struct str *)((char *)run + texts[i].to);

        if (str_eq(key, str_from(texts[i].key)) && to->len == 0)
            return tracker_text(value, arena, to, err);
    }
    return true;
}

static bool put_metadata(struct tracker_run *run, struct str key, struct str value,
                         struct arena *arena, struct error *err)
{
    static const struct named_text texts[] = {
        {"host", offsetof(struct tracker_run, host)},
        {"username", offsetof(struct tracker_run, user)},
        {"email", offsetof(struct tracker_run, user)},
        {"program", offsetof(struct tracker_run, command)},
        {"commit", offsetof(struct tracker_run, commit)},
        {"gpu", offsetof(struct tracker_run, gpu)},
        {"gpuType", offsetof(struct tracker_run, gpu)},
        {"project", offsetof(struct tracker_run, project)},
    };
    int64_t count;

    if (str_eq(key, STR("startedAt")) && run->started_ms < 0)
        run->started_ms = tracker_time(value);
    else if (str_eq(key, STR("heartbeatAt")))
        run->heard_ms = tracker_time(value);
    else if (str_eq(key, STR("gpu_count")) || str_eq(key, STR("gpuCount")))
        run->gpus = num_int(value, &count) && count >= 0 ? count : -1;
    return put_named(texts, ARRAY_LEN(texts), key, value, run, arena, err);
}

/* [{"name": "NVIDIA A100-SXM4-80GB", ...}, ...]: one for each device. */
static bool read_devices(struct json *json, const struct json_token *first,
                         struct tracker_run *run, struct arena *arena, struct error *err)
{
    struct json_token t;
    int64_t devices = 0;

    if (first->kind != JSON_ARRAY)
        return json_skip_token(json, first, err);
    while (json_next(json, &t, err)) {
        if (t.kind == JSON_ARRAY_END && t.depth == first->depth) {
            run->gpus = run->gpus < 0 ? devices : run->gpus;
            return true;
        }
        devices += t.kind == JSON_OBJECT && t.depth == first->depth + 1;
        if (t.kind != JSON_KEY || !str_eq(t.text, STR("name")) || run->gpu.len > 0)
            continue;
        if (!json_next(json, &t, err) ||
            (t.kind == JSON_STRING && !tracker_text(t.text, arena, &run->gpu, err)))
            return false;
    }
    return false;
}

static bool is_device_list(struct str key)
{
    static const char *const lists[] = {"gpu_nvidia", "gpu_amd", "gpu_devices",
                                        "gpuNvidia",  "gpuAmd",  NULL};

    return str_is_one_of(key, lists);
}

static bool read_metadata_of(struct json *json, const struct json_token *first,
                             struct tracker_run *run, struct arena *arena, struct error *err)
{
    struct json_token t;
    struct str key, value;

    if (first->kind != JSON_OBJECT)
        return json_skip_token(json, first, err);
    while (json_next(json, &t, err)) {
        bool ok;

        if (t.kind == JSON_OBJECT_END)
            return true;
        if (!str_keep(t.text, arena, &key, err) || !json_next(json, &t, err))
            return false;
        if (str_eq(key, STR("git")))
            ok = read_metadata_of(json, &t, run, arena, err);
        else if (is_device_list(key))
            ok = read_devices(json, &t, run, arena, err);
        else if (scalar_of(&t, &value))
            ok = put_metadata(run, key, value, arena, err);
        else
            ok = json_skip_token(json, &t, err);
        if (!ok)
            return false;
    }
    return false;
}

/* ---- history ---- */

struct row {
    struct tracker_metric at[HISTORY_VALUES];
    size_t count;
    double step;
    int64_t at_ms;
};

static bool read_wandb_row(struct export *x, struct arena *arena, struct row *row,
                           struct error *err)
{
    struct json_token t;
    struct str key, value;

    *row = (struct row){.step = NAN, .at_ms = -1};
    while (json_next(x->json, &t, err)) {
        struct tracker_metric *m = &row->at[row->count];

        if (t.kind == JSON_OBJECT_END)
            return true;
        if (!str_keep(t.text, arena, &key, err) || !json_next(x->json, &t, err) ||
            !json_skip_token(x->json, &t, err))
            return false;
        if (!scalar_of(&t, &value))
            continue;
        if (str_eq(key, STR("_step"))) {
            if (!num_read(value, &row->step))
                row->step = NAN;
        } else if (str_eq(key, STR("_timestamp"))) {
            row->at_ms = tracker_time(value);
        } else if (key.len > 0 && key.at[0] != '_' && row->count < HISTORY_VALUES) {
            m->name = key;
            row->count += tracker_number(value, &m->value);
        }
    }
    return false;
}

static bool read_wandb_history(struct export *x, const struct json_token *first,
                               struct error *err)
{
    struct arena arena = {.alloc = x->alloc, .block_size = 4096};
    struct json_token t;
    bool ok;
    struct row row;

    if (first->kind != JSON_ARRAY)
        return json_skip_token(x->json, first, err);
    while ((ok = json_next(x->json, &t, err)) && t.kind != JSON_ARRAY_END) {
        if (t.kind != JSON_OBJECT) {
            ok = json_skip_token(x->json, &t, err);
            if (!ok)
                break;
            continue;
        }
        ok = read_wandb_row(x, &arena, &row, err);
        for (size_t i = 0; ok && i < row.count && x->sink->point != NULL; i++) {
            row.at[i].step = row.step;
            row.at[i].at_ms = row.at_ms;
            x->sink->point(x->sink->ctx, &row.at[i]);
        }
        arena_free(&arena);
        if (!ok)
            break;
    }
    arena_free(&arena);
    return ok;
}

/* ---- a run ---- */

typedef bool part_reader(struct json *json, const struct json_token *first,
                         struct tracker_run *run, struct arena *arena, struct error *err);

/* An object, or the same as a text: GraphQL has configurations and summaries in texts. A text
 * that is no JSON (a dictionary as Python prints it) says nothing. */
static bool read_part(struct export *x, const struct json_token *first, part_reader *read,
                      struct error *err)
{
    struct json_options options = {
        .alloc = x->alloc, .max_token = MAX_TOKEN, .not_finite = true};
    struct error why = {0};
    struct json_token t;
    struct json *inner;
    struct str text;

    if (first->kind != JSON_STRING)
        return read(x->json, first, &x->run, &x->arena, err);
    if (!str_keep(first->text, &x->arena, &text, err))
        return false;
    inner = json_open_text(text, &options, err);
    if (inner == NULL)
        return false;
    if (json_next(inner, &t, &why))
        (void)read(inner, &t, &x->run, &x->arena, &why);
    json_close(inner);
    return why.kind != ERROR_MEMORY || error_memory(err);
}

/* ["baseline", "debug"]: labels without a value. */
static bool read_labels(struct export *x, const struct json_token *first, struct error *err)
{
    struct json_token t;

    if (first->kind != JSON_ARRAY)
        return json_skip_token(x->json, first, err);
    while (json_next(x->json, &t, err)) {
        if (t.kind == JSON_ARRAY_END)
            return true;
        if ((t.kind == JSON_STRING &&
             !tracker_add_tag(&x->run, t.text, STR("yes"), &x->arena, err)) ||
            !json_skip_token(x->json, &t, err))
            return false;
    }
    return false;
}

static bool put_wandb_text(struct tracker_run *run, struct str key, struct str value,
                           struct arena *arena, struct error *err)
{
    static const struct named_text texts[] = {
        {"id", offsetof(struct tracker_run, id)},
        {"run_id", offsetof(struct tracker_run, id)},
        {"name", offsetof(struct tracker_run, name)},
        {"user", offsetof(struct tracker_run, user)},
        {"username", offsetof(struct tracker_run, user)},
        {"host", offsetof(struct tracker_run, host)},
        {"project", offsetof(struct tracker_run, project)},
        {"commit", offsetof(struct tracker_run, commit)},
        {"gpu", offsetof(struct tracker_run, gpu)},
    };

    return put_named(texts, ARRAY_LEN(texts), key, value, run, arena, err);
}

static bool put_field(struct export *x, struct str key, struct str value, struct error *err)
{
    static const char *const starts[] = {"createdAt", "created_at", "startedAt", NULL};
    static const char *const heard[] = {"heartbeatAt", "heartbeat_at", NULL};
    static const char *const shown[] = {"displayName", "display_name", NULL};
    struct tracker_run *run = &x->run;

    if (str_is_one_of(key, shown))
        return tracker_text(value, &x->arena, &x->display, err);
    if (str_eq(key, STR("state")))
        run->state = tracker_state_of(value);
    else if (str_is_one_of(key, starts))
        run->started_ms = tracker_time(value);
    else if (str_is_one_of(key, heard))
        run->heard_ms = tracker_time(value);
    else if (str_eq(key, STR("runtime")) || str_eq(key, STR("duration")))
        run->runtime_ms = ms_of(value);
    return put_wandb_text(run, key, value, &x->arena, err);
}

/* {"username": "ada", "name": "Ada"} */
static bool read_user(struct export *x, const struct json_token *first, struct error *err)
{
    struct json_token t;
    struct str value;

    if (first->kind != JSON_OBJECT)
        return scalar_of(first, &value) ? put_field(x, STR("user"), value, err)
                                        : json_skip_token(x->json, first, err);
    while (json_next(x->json, &t, err)) {
        bool named;

        if (t.kind == JSON_OBJECT_END)
            return true;
        named = str_eq(t.text, STR("username"));
        if (!json_next(x->json, &t, err) ||
            (named && scalar_of(&t, &value) && !put_field(x, STR("user"), value, err)) ||
            !json_skip_token(x->json, &t, err))
            return false;
    }
    return false;
}

static bool finish_wandb_run(struct export *x, struct error *err)
{
    struct tracker_run *run = &x->run;
    bool ok = true;

    if (x->display.len > 0) { /* the API's "name" is what the page calls the id */
        run->id = run->name.len > 0 ? run->name : run->id;
        run->name = x->display;
    }
    if (run->project.len == 0)
        run->project = x->project;
    if (run->started_ms >= 0 || run->state != TRACKER_UNKNOWN)
        ok = x->sink->run(x->sink->ctx, run, err);
    tracker_run_clear(run);
    x->display = (struct str){0};
    arena_free(&x->arena);
    return ok;
}

static bool read_wandb_members(struct export *x, unsigned wraps, struct error *err);
static bool read_project(struct export *x, const struct json_token *first, unsigned wraps,
                         struct error *err);

/* Runs, and what is around them. */
static bool read_wandb_runs(struct export *x, const struct json_token *first, unsigned wraps,
                            struct error *err)
{
    struct json_token t;

    if (wraps >= MAX_WRAPS || !is_container_token(first))
        return json_skip_token(x->json, first, err);
    if (first->kind == JSON_OBJECT) {
        tracker_run_clear(&x->run);
        return read_wandb_members(x, wraps + 1, err);
    }
    while (json_next(x->json, &t, err)) {
        if (t.kind == JSON_ARRAY_END)
            return true;
        if (!read_wandb_runs(x, &t, wraps + 1, err))
            return false;
    }
    return false;
}

static bool read_wandb_member(struct export *x, struct str key, const struct json_token *t,
                              unsigned wraps, struct error *err)
{
    static const char *const around[] = {"data", "runs", "edges", "node", NULL};
    static const char *const summaries[] = {"summary", "summaryMetrics", "summary_metrics",
                                            NULL};
    struct str value;

    if (str_eq(key, STR("config")))
        return read_part(x, t, read_config_of, err);
    if (str_is_one_of(key, summaries))
        return read_part(x, t, read_summary_of, err);
    if (str_eq(key, STR("metadata")) || str_eq(key, STR("runInfo")))
        return read_part(x, t, read_metadata_of, err);
    if (str_eq(key, STR("user")))
        return read_user(x, t, err);
    if (str_eq(key, STR("tags")))
        return read_labels(x, t, err);
    if (str_eq(key, STR("history")))
        return read_wandb_history(x, t, err);
    if (scalar_of(t, &value))
        return put_field(x, key, value, err);
    if (str_eq(key, STR("project")) || str_eq(key, STR("entity")))
        return read_project(x, t, wraps, err);
    return str_is_one_of(key, around) ? read_wandb_runs(x, t, wraps, err)
                                      : json_skip_token(x->json, t, err);
}

/* {"name": "bert", "runs": {...}}: around runs, or in one. */
static bool read_project(struct export *x, const struct json_token *first, unsigned wraps,
                         struct error *err)
{
    struct json_token t;

    if (first->kind != JSON_OBJECT || wraps >= MAX_WRAPS)
        return json_skip_token(x->json, first, err);
    while (json_next(x->json, &t, err)) {
        bool name, runs, project;

        if (t.kind == JSON_OBJECT_END)
            return true;
        name = str_eq(t.text, STR("name"));
        runs = str_eq(t.text, STR("runs"));
        project = str_eq(t.text, STR("project"));
        if (!json_next(x->json, &t, err))
            return false;
        if (name && t.kind == JSON_STRING &&
            !tracker_text(t.text, &x->around, &x->project, err))
            return false;
        if (runs      ? !read_wandb_runs(x, &t, wraps + 1, err)
            : project ? !read_project(x, &t, wraps + 1, err)
                      : !json_skip_token(x->json, &t, err))
            return false;
    }
    return false;
}

/* The members of an object: a run, or what is around runs. */
static bool read_wandb_members(struct export *x, unsigned wraps, struct error *err)
{
    struct json_token t;
    struct str key;

    while (json_next(x->json, &t, err)) {
        if (t.kind == JSON_OBJECT_END)
            return finish_wandb_run(x, err);
        if (!str_keep(t.text, &x->arena, &key, err) || !json_next(x->json, &t, err) ||
            !read_wandb_member(x, key, &t, wraps, err))
            return false;
    }
    return false;
}

bool wandb_read_runs(struct source source, const struct alloc *alloc,
                     const struct tracker_sink *sink, struct error *err)
{
    struct json_options options = {
        .alloc = alloc, .max_token = MAX_TOKEN, .not_finite = true, .many = true};
    struct export x = {.sink = sink,
                       .alloc = alloc,
                       .around = {.alloc = alloc, .block_size = 1024},
                       .arena = {.alloc = alloc, .block_size = 16384}};
    struct json_token t;
    bool ok;

    tracker_run_clear(&x.run);
    x.json = json_open(source, &options, err);
    ok = x.json != NULL;
    while (ok && (ok = json_next(x.json, &t, err)) && t.kind != JSON_END)
        ok = read_wandb_runs(&x, &t, 0, err);
    json_close(x.json);
    arena_free(&x.arena);
    arena_free(&x.around);
    return ok;
}

/* ---- files of a folder ---- */

static bool read_wandb_file(struct str text, const char *name, part_reader *read,
                            struct tracker_run *run, struct arena *arena, struct error *err)
{
    struct json_options options = {
        .alloc = arena->alloc, .max_token = MAX_TOKEN, .not_finite = true};
    struct json *json = json_open_text(text, &options, err);
    struct json_token t;
    bool ok = json != NULL && json_next(json, &t, err) && read(json, &t, run, arena, err);

    json_close(json);
    if (!ok)
        error_place(err, name);
    return ok;
}

bool wandb_read_metadata(struct str text, const char *name, struct tracker_run *run,
                         struct arena *arena, struct error *err)
{
    return read_wandb_file(text, name, read_metadata_of, run, arena, err);
}

bool wandb_read_summary(struct str text, const char *name, struct tracker_run *run,
                        struct arena *arena, struct error *err)
{
    return read_wandb_file(text, name, read_summary_of, run, arena, err);
}

static bool read_config_node(const struct node *node, struct tracker_run *run, struct buf *path,
                             struct arena *arena, struct error *err)
{
    size_t before = path->len;

    if (node->kind == NODE_SCALAR)
        return path->len == 0 || put_param(run, buf_text(path), node->text, arena, err);
    for (const struct node *n = node->kind == NODE_MAP ? node->first : NULL; n != NULL;
         n = n->next) {
        if (str_eq(n->key, STR("desc")) || path->len + n->key.len > MAX_PATH)
            continue;
        extend_path(path, n->key);
        if (!read_config_node(n, run, path, arena, err))
            return false;
        path->len = before;
    }
    return true;
}

/* What YAML cannot say here (aliases of Python's dumps), or damage, costs the parameters, not
 * the run. */
bool wandb_read_config(struct str text, const char *name, struct tracker_run *run,
                       struct arena *arena, struct error *err)
{
    struct error why = {0};
    const struct node *config = yaml_read(text, name, arena, &why);
    struct buf path = buf_new(arena->alloc, (size_t)4 * MAX_PATH);
    bool ok = config != NULL ? read_config_node(config, run, &path, arena, err)
                             : why.kind != ERROR_MEMORY || error_memory(err);

    buf_free(&path);
    return ok;
}
