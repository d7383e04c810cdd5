#include "tracker/tracker.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/num.h"
#include "unit/time.h"

#define GPUS_MAX 100000

bool tracker_go_on(const struct tracker_sink *sink, const char *where, struct error *err)
{
    struct error why = *err;
    struct str name = str_from(where);

    if (sink->damaged == NULL || err->kind == ERROR_MEMORY || err->kind == ERROR_STOPPED)
        return false;
    *err = (struct error){0};
    while (name.len > 0 && name.at[name.len - 1] == '/')
        name.len--;
    return sink->damaged(sink->ctx, str_after_last(name, '/'), &why, err);
}

void tracker_run_clear(struct tracker_run *run)
{
    *run = (struct tracker_run){.state = TRACKER_UNKNOWN,
                                .started_ms = -1,
                                .ended_ms = -1,
                                .runtime_ms = -1,
                                .heard_ms = -1,
                                .gpus = -1};
}

bool tracker_text(struct str raw, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 4 * (size_t)TRACKER_TEXT);

    raw = str_trim(raw);
    while (raw.len > 0 && text.len < TRACKER_TEXT) {
        size_t len = str_character(raw);
        bool cut = len > raw.len; /* the text ends inside it */
        struct str one = {raw.at, len > 0 && !cut ? len : 1};

        if (text.len + one.len > TRACKER_TEXT)
            break;
        if (len == 0 || cut)
            buf_char(&text, '?');
        else if (len == 1 && (unsigned char)raw.at[0] < ' ')
            buf_char(&text, ' ');
        else
            buf_add(&text, one);
        raw = (struct str){raw.at + one.len, raw.len - one.len};
    }
    return buf_keep(&text, arena, out, err);
}

/* ---- which GPUs ---- */

/* What is after the last dot or slash, in the tracker's own namespaces ("env.gpu_name"). */
static struct str last_name(struct str key)
{
    return str_after_last(str_after_last(key, '.'), '/');
}

/* "A100-SXM4-80GB", but not "true", "cuda:0" or "auto". */
static bool names_gpu(struct str value)
{
    bool letter = false, digit = false;

    for (size_t i = 0; i < value.len; i++) {
        letter = letter || is_letter(value.at[i]);
        digit = digit || is_digit(value.at[i]);
    }
    return letter && digit && value.len >= 2 && !str_starts(value, STR("cuda")) &&
           memchr(value.at, ',', value.len) == NULL;
}

static void see_gpu(struct tracker_run *run, struct str key, struct str value)
{
    static const char *const names[] = {"gpu",         "gpu_name",  "gpu_type",    "gpu type",
                                        "device_name", "gpu_model", "accelerator", NULL};
    static const char *const counts[] = {"gpus",      "num_gpus", "gpu_count",
                                         "gpu count", "n_gpus",   "n_gpu",
                                         "ngpus",     "gpucount", NULL};
    struct str name = last_name(key);
    char lower[32];
    int64_t count;

    if (name.len >= sizeof lower)
        return;
    for (size_t i = 0; i < name.len; i++)
        lower[i] = to_lower(name.at[i]);
    name.at = lower;
    if (str_is_one_of(name, names) && names_gpu(value))
        run->gpu = value;
    else if (str_is_one_of(name, counts) && num_int(value, &count) && count >= 0 &&
             count <= GPUS_MAX)
        run->gpus = count;
}

/* "system/gpu_1_power_usage_watts": MLflow's own, of the device with that number. */
static void see_device(struct tracker_run *run, struct str metric)
{
    static const char head[] = "system/gpu_";
    int64_t number;

    if (!str_starts(metric, str_from(head)))
        return;
    metric = (struct str){metric.at + strlen(head), metric.len - strlen(head)};
    if (num_int(str_cut(&metric, '_'), &number) && number >= 0 && number < GPUS_MAX &&
        number + 1 > run->gpus)
        run->gpus = number + 1;
}

/* ---- what a run has ---- */

static bool keep_pair(struct str key, struct str value, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, 3 * (size_t)TRACKER_TEXT);
    struct str k, v;

    if (!tracker_text(key, arena, &k, err) || !tracker_text(value, arena, &v, err))
        return false;
    for (size_t i = 0; i < k.len; i++) /* the first '=' ends the key */
        buf_char(&text, k.at[i] == '=' ? '_' : k.at[i]);
    buf_char(&text, '=');
    buf_add(&text, v);
    return buf_keep(&text, arena, out, err);
}

static struct str pair_value(struct str pair)
{
    (void)str_cut(&pair, '=');
    return pair;
}

struct pairs {
    struct str *at;
    size_t *count, most;
};

static bool add_tracker_pair(const struct pairs *pairs, struct tracker_run *run, struct str key,
                             struct str value, struct arena *arena, struct error *err)
{
    struct str pair;

    if (str_eq(key, STR("stint.run")) || str_eq(key, STR("stint/run")))
        return tracker_text(value, arena, &run->stint_run, err);
    if (str_trim(key).len == 0 || str_trim(value).len == 0)
        return true;
    if (!keep_pair(key, value, arena, &pair, err))
        return false;
    see_gpu(run, str_trim(key), pair_value(pair));
    for (size_t i = 0; i < *pairs->count; i++) {
        struct str a = pairs->at[i], b = pair;

        if (str_eq(str_cut(&a, '='), str_cut(&b, '='))) {
            pairs->at[i] = pair; /* given twice: the last is what counts */
            return true;
        }
    }
    if (*pairs->count == pairs->most)
        run->left_out++;
    else
        pairs->at[(*pairs->count)++] = pair;
    return true;
}

bool tracker_add_param(struct tracker_run *run, struct str key, struct str value,
                       struct arena *arena, struct error *err)
{
    return add_tracker_pair(&(struct pairs){run->params, &run->param_count, TRACKER_PARAMS},
                            run, key, value, arena, err);
}

bool tracker_add_tag(struct tracker_run *run, struct str key, struct str value,
                     struct arena *arena, struct error *err)
{
    return add_tracker_pair(&(struct pairs){run->tags, &run->tag_count, TRACKER_TAGS}, run, key,
                            value, arena, err);
}

bool tracker_add_metric(struct tracker_run *run, const struct tracker_metric *metric,
                        struct arena *arena, struct error *err)
{
    struct tracker_metric kept = *metric;

    see_device(run, metric->name);
    if (metric->at_ms > run->heard_ms)
        run->heard_ms = metric->at_ms;
    if (run->metric_count == TRACKER_METRICS) {
        run->left_out++;
        return true;
    }
    if (!tracker_text(metric->name, arena, &kept.name, err))
        return false;
    if (kept.name.len > 0)
        run->metrics[run->metric_count++] = kept;
    return true;
}

/* ---- values ---- */

enum tracker_state tracker_state_of(struct str text)
{
    static const struct {
        const char *name;
        enum tracker_state state;
    } names[] = {
        {"running", TRACKER_RUNNING},
        {"scheduled", TRACKER_RUNNING},
        {"pending", TRACKER_RUNNING},
        {"finished", TRACKER_FINISHED},
        {"failed", TRACKER_FAILED},
        {"crashed", TRACKER_FAILED},
        {"killed", TRACKER_STOPPED},
        {"preempted", TRACKER_STOPPED},
        {"preempting", TRACKER_RUNNING},
        {"stopped", TRACKER_STOPPED},
        /* MLflow's file store has numbers. */
        {"1", TRACKER_RUNNING},
        {"2", TRACKER_RUNNING},
        {"3", TRACKER_FINISHED},
        {"4", TRACKER_FAILED},
        {"5", TRACKER_STOPPED},
    };

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq_nocase(text, str_from(names[i].name)))
            return names[i].state;
    return TRACKER_UNKNOWN;
}

bool tracker_number(struct str text, double *value)
{
    static const char *const no_number[] = {"NaN", "nan", NULL};
    bool minus = text.len > 0 && text.at[0] == '-';
    struct str rest = minus ? (struct str){text.at + 1, text.len - 1} : text;

    if (str_is_one_of(text, no_number)) {
        *value = NAN;
        return true;
    }
    if (str_eq_nocase(rest, STR("Infinity")) || str_eq_nocase(rest, STR("inf"))) {
        *value = minus ? -INFINITY : INFINITY;
        return true;
    }
    return num_read(text, value);
}

/* "2026-11-01 10:00:00.123456+00:00" and its like: what has no zone is UTC. */
static int64_t time_of_text(struct str text)
{
    char full[64];
    size_t dot = 19; /* "2026-11-01T10:00:00" */
    bool zone;
    stamp at;

    if (text.len < dot || text.len + 2 > sizeof full)
        return stamp_parse_typed(text, &at) && at.s >= 0 ? at.s * 1000 : -1;
    memcpy(full, text.at, text.len);
    if (full[10] == ' ')
        full[10] = 'T';
    zone = full[text.len - 1] == 'Z' || memchr(full + dot, '+', text.len - dot) != NULL ||
           memchr(full + dot, '-', text.len - dot) != NULL;
    if (!zone)
        full[text.len] = 'Z';
    return stamp_parse_offset((struct str){full, text.len + !zone}, &at) ? at.s * 1000 : -1;
}

int64_t tracker_time(struct str text)
{
    double number;

    text = str_trim(text);
    if (!num_read(text, &number))
        return time_of_text(text);
    /* Until the year 5138 in milliseconds. Below that of 1973 it is a number of seconds. */
    if (!(number > 0) || number > 1e14)
        return -1;
    return (int64_t)(number < 1e11 ? number * 1000 : number);
}
