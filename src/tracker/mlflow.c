/* MLflow: answers of its REST API, and files of its folder `mlruns`. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/num.h"
#include "doc/node.h"
#include "tracker/tracker.h"

#define MAX_TOKEN ((size_t)4 << 20) /* of one value in an answer */

/* One answer being read. */
struct answer {
    struct json *json;
    struct arena arena; /* of the run that is read */
    const struct tracker_sink *sink;
    struct buf *next;
    struct tracker_run run;
};

/* The value after a key, as text; empty when it is null or no scalar. */
static bool read_scalar(struct json *json, struct arena *arena, struct str *out,
                        struct error *err)
{
    struct json_token t;

    *out = (struct str){0};
    if (!json_next(json, &t, err))
        return false;
    if (t.kind == JSON_STRING || t.kind == JSON_NUMBER)
        return str_keep(t.text, arena, out, err);
    if (t.kind == JSON_OBJECT || t.kind == JSON_ARRAY)
        return json_leave(json, t.depth, err);
    if (t.kind == JSON_TRUE || t.kind == JSON_FALSE)
        *out = t.kind == JSON_TRUE ? STR("true") : STR("false");
    return true;
}

/* {"key": ..., "value": ..., "timestamp": ..., "step": ...}: what a list of MLflow has. */
struct entry {
    struct str key, value, timestamp, step;
};

static bool read_mlflow_entry(struct json *json, struct arena *arena, struct entry *out,
                              struct error *err)
{
    struct json_token t;

    *out = (struct entry){0};
    while (json_next(json, &t, err)) {
        struct str *to = NULL;

        if (t.kind == JSON_OBJECT_END)
            return true;
        if (str_eq(t.text, STR("key")))
            to = &out->key;
        else if (str_eq(t.text, STR("value")))
            to = &out->value;
        else if (str_eq(t.text, STR("timestamp")))
            to = &out->timestamp;
        else if (str_eq(t.text, STR("step")))
            to = &out->step;
        if (to != NULL ? !read_scalar(json, arena, to, err) : !json_skip(json, err))
            return false;
    }
    return false;
}

static struct tracker_metric mlflow_metric_of(const struct entry *e)
{
    struct tracker_metric m = {.name = e->key, .value = NAN, .step = NAN, .at_ms = -1};

    if (!tracker_number(e->value, &m.value))
        m.value = NAN;
    if (!num_read(e->step, &m.step))
        m.step = NAN;
    m.at_ms = tracker_time(e->timestamp);
    return m;
}

/* The next object of the list: 1, 0 at its end, -1. What is no object is skipped. */
static int next_mlflow_object(struct json *json, struct error *err)
{
    struct json_token t;

    while (json_next(json, &t, err)) {
        if (t.kind == JSON_OBJECT)
            return 1;
        if (t.kind == JSON_ARRAY_END)
            return 0;
        if (t.kind == JSON_ARRAY && !json_leave(json, t.depth, err))
            return -1;
    }
    return -1;
}

/* Read what is after a key: each object of a list by `object`, after its first token; what is
 * no list is skipped. */
typedef bool object_reader(struct answer *a, struct error *err);

static bool read_list(struct answer *a, object_reader *object, struct error *err)
{
    struct json_token t;
    int more;

    if (!json_next(a->json, &t, err))
        return false;
    if (t.kind != JSON_ARRAY)
        return t.kind != JSON_OBJECT || json_leave(a->json, t.depth, err);
    while ((more = next_mlflow_object(a->json, err)) > 0)
        if (!object(a, err))
            return false;
    return more == 0;
}

bool mlflow_add_tag(struct tracker_run *run, struct str key, struct str value,
                    struct arena *arena, struct error *err)
{
    static const char head[] = "mlflow.";
    struct str *to = NULL;

    if (!str_starts(key, str_from(head)))
        return tracker_add_tag(run, key, value, arena, err);
    key = (struct str){key.at + strlen(head), key.len - strlen(head)};
    if (str_eq(key, STR("user")))
        to = &run->user;
    else if (str_eq(key, STR("runName")))
        to = &run->name;
    else if (str_eq(key, STR("parentRunId")))
        to = &run->parent;
    else if (str_eq(key, STR("source.name")))
        to = &run->command;
    else if (str_eq(key, STR("source.git.commit")))
        to = &run->commit;
    return to == NULL || tracker_text(value, arena, to, err);
}

/* ---- runs/search ---- */

static bool set_info(struct tracker_run *run, struct str key, struct str value,
                     struct arena *arena, struct error *err)
{
    struct str *to = NULL;

    if (str_eq(key, STR("status")))
        run->state = tracker_state_of(value);
    else if (str_eq(key, STR("start_time")))
        run->started_ms = tracker_time(value);
    else if (str_eq(key, STR("end_time")))
        run->ended_ms = tracker_time(value);
    else if (str_eq(key, STR("lifecycle_stage")))
        run->deleted = str_eq(value, STR("deleted"));
    else if (str_eq(key, STR("run_id")) || str_eq(key, STR("run_uuid")))
        to = &run->id;
    else if (str_eq(key, STR("run_name")) || str_eq(key, STR("name")))
        to = &run->name;
    else if (str_eq(key, STR("user_id")))
        to = &run->user;
    else if (str_eq(key, STR("experiment_id")))
        to = &run->experiment;
    if (to == NULL || value.len == 0)
        return true;
    return tracker_text(value, arena, to, err);
}

static bool read_info(struct answer *a, struct error *err)
{
    struct json_token t;
    struct str key, value;

    if (!json_next(a->json, &t, err))
        return false;
    if (t.kind != JSON_OBJECT)
        return t.kind != JSON_ARRAY || json_leave(a->json, t.depth, err);
    while (json_next(a->json, &t, err)) {
        if (t.kind == JSON_OBJECT_END)
            return true;
        if (!str_keep(t.text, &a->arena, &key, err) ||
            !read_scalar(a->json, &a->arena, &value, err) ||
            !set_info(&a->run, key, value, &a->arena, err))
            return false;
    }
    return false;
}

static bool read_mlflow_metric(struct answer *a, struct error *err)
{
    struct tracker_metric m;
    struct entry e;

    if (!read_mlflow_entry(a->json, &a->arena, &e, err))
        return false;
    m = mlflow_metric_of(&e);
    return tracker_add_metric(&a->run, &m, &a->arena, err);
}

static bool read_param(struct answer *a, struct error *err)
{
    struct entry e;

    return read_mlflow_entry(a->json, &a->arena, &e, err) &&
           tracker_add_param(&a->run, e.key, e.value, &a->arena, err);
}

static bool read_mlflow_tag(struct answer *a, struct error *err)
{
    struct entry e;

    return read_mlflow_entry(a->json, &a->arena, &e, err) &&
           mlflow_add_tag(&a->run, e.key, e.value, &a->arena, err);
}

static bool read_data(struct answer *a, struct error *err)
{
    struct json_token t;

    if (!json_next(a->json, &t, err))
        return false;
    if (t.kind != JSON_OBJECT)
        return t.kind != JSON_ARRAY || json_leave(a->json, t.depth, err);
    while (json_next(a->json, &t, err)) {
        if (t.kind == JSON_OBJECT_END)
            return true;
        if (str_eq(t.text, STR("metrics"))  ? !read_list(a, read_mlflow_metric, err)
            : str_eq(t.text, STR("params")) ? !read_list(a, read_param, err)
            : str_eq(t.text, STR("tags"))   ? !read_list(a, read_mlflow_tag, err)
                                            : !json_skip(a->json, err))
            return false;
    }
    return false;
}

/* An object of "runs", after its first token. */
static bool read_mlflow_run(struct answer *a, struct error *err)
{
    struct json_token t;
    bool ok = false;

    tracker_run_clear(&a->run);
    while (json_next(a->json, &t, err)) {
        if (t.kind == JSON_OBJECT_END) {
            ok = a->sink->run(a->sink->ctx, &a->run, err);
            break;
        }
        if (str_eq(t.text, STR("info"))   ? !read_info(a, err)
            : str_eq(t.text, STR("data")) ? !read_data(a, err)
                                          : !json_skip(a->json, err))
            break;
    }
    arena_free(&a->arena);
    return ok;
}

static bool read_page_token(struct answer *a, struct error *err)
{
    struct str token;

    if (!read_scalar(a->json, &a->arena, &token, err))
        return false;
    buf_add(a->next, token);
    return buf_ok(a->next, err);
}

static bool read_point(struct answer *a, struct error *err)
{
    struct tracker_metric m;
    struct entry e;

    if (!read_mlflow_entry(a->json, &a->arena, &e, err))
        return false;
    m = mlflow_metric_of(&e);
    a->sink->point(a->sink->ctx, &m);
    arena_free(&a->arena);
    return true;
}

/* An answer: an object with a list `name`, whose objects are read by `object`. Errors of MLflow
 * have a status of their own; an object without the list is an empty answer. */
static bool read_mlflow_answer(struct source source, const struct alloc *alloc,
                               struct answer *a, const char *name, object_reader *object,
                               struct error *err)
{
    struct json_options options = {.alloc = alloc, .max_token = MAX_TOKEN, .not_finite = true};
    struct json_token t;
    bool ok;

    a->arena = (struct arena){.alloc = alloc, .block_size = 16384};
    buf_clear(a->next);
    a->json = json_open(source, &options, err);
    ok = a->json != NULL && json_next(a->json, &t, err);
    if (ok && t.kind != JSON_OBJECT)
        ok = error_fail(err, ERROR_INPUT, "line 1: this is not an answer of MLflow");
    while (ok && (ok = json_next(a->json, &t, err)) && t.kind != JSON_OBJECT_END)
        ok = str_eq(t.text, str_from(name))           ? read_list(a, object, err)
             : str_eq(t.text, STR("next_page_token")) ? read_page_token(a, err)
                                                      : json_skip(a->json, err);
    json_close(a->json);
    arena_free(&a->arena);
    return ok;
}

bool mlflow_read_runs(struct source source, const struct alloc *alloc,
                      const struct tracker_sink *sink, struct buf *next, struct error *err)
{
    struct answer a = {.sink = sink, .next = next};

    return read_mlflow_answer(source, alloc, &a, "runs", read_mlflow_run, err);
}

bool mlflow_read_history(struct source source, const struct alloc *alloc,
                         const struct tracker_sink *sink, struct buf *next, struct error *err)
{
    struct answer a = {.sink = sink, .next = next};

    return read_mlflow_answer(source, alloc, &a, "metrics", read_point, err);
}

/* ---- experiments/search ---- */

struct experiments_answer {
    struct answer answer; /* the first member: read_mlflow_answer() passes its address on */
    const struct mlflow_experiments *each;
};

static bool read_experiment(struct answer *a, struct error *err)
{
    const struct mlflow_experiments *each = ((struct experiments_answer *)a)->each;
    struct str id = {0}, name = {0};
    struct json_token t;

    while (json_next(a->json, &t, err)) {
        if (t.kind == JSON_OBJECT_END) {
            if (id.len > 0)
                each->each(each->ctx, id, name);
            return true;
        }
        if (str_eq(t.text, STR("experiment_id")) ? !read_scalar(a->json, &a->arena, &id, err)
            : str_eq(t.text, STR("name"))        ? !read_scalar(a->json, &a->arena, &name, err)
                                                 : !json_skip(a->json, err))
            return false;
    }
    return false;
}

bool mlflow_read_experiments(struct source source, const struct alloc *alloc,
                             const struct mlflow_experiments *each, struct buf *next,
                             struct error *err)
{
    struct experiments_answer a = {.answer = {.next = next}, .each = each};

    return read_mlflow_answer(source, alloc, &a.answer, "experiments", read_experiment, err);
}

/* ---- the folder mlruns ---- */

bool mlflow_read_meta(struct str text, const char *name, struct tracker_run *run,
                      struct arena *arena, struct error *err)
{
    const struct node *meta = yaml_read(text, name, arena, err);

    if (meta == NULL)
        return false;
    if (meta->kind != NODE_MAP)
        return error_fail(err, ERROR_INPUT, "%s: this is not the meta.yaml of a run", name);
    for (const struct node *n = meta->first; n != NULL; n = n->next)
        if (n->kind == NODE_SCALAR && !set_info(run, n->key, n->text, arena, err))
            return false;
    return true;
}

bool mlflow_metric_line(struct str line, struct tracker_metric *out)
{
    struct str rest = str_trim(line), at = str_cut(&rest, ' '), value = str_cut(&rest, ' ');

    out->at_ms = tracker_time(at);
    out->step = NAN;
    if (rest.len > 0 && !num_read(str_cut(&rest, ' '), &out->step))
        return false;
    return out->at_ms >= 0 && tracker_number(value, &out->value);
}
