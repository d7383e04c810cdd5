/* The same job with one key changed: batch=1..64. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "estimate/job_estimate.h"

#define MAX_VALUES 64

struct sweep_values {
    struct str key;
    char values[MAX_VALUES][32];
    size_t count;
};

static bool refuse_values(struct str text, struct error *err)
{
    error_set(err, ERROR_USAGE, "--sweep: '%.*s' is not KEY=FROM..TO or KEY=A,B,C",
              STR_ARG(text));
    error_hint(err, "--sweep batch=1..64, --sweep zero=0..3, --sweep precision=bf16,fp8, "
                    "--sweep gpus=1..64");
    return false;
}

static bool add_value(struct sweep_values *s, const char *text, struct str whole,
                      struct error *err)
{
    if (s->count == MAX_VALUES)
        return error_fail(err, ERROR_USAGE, "--sweep: '%.*s' has more than %d values",
                          STR_ARG(whole), MAX_VALUES);
    (void)snprintf(s->values[s->count++], sizeof s->values[0], "%s", text);
    return true;
}

/* Small ranges go up by one, larger ones double: 1..64 is 1, 2, 4, ... 64. */
static bool add_range(struct sweep_values *s, int64_t from, int64_t to, struct str whole,
                      struct error *err)
{
    bool doubled = from >= 1 && to - from > 8;
    int64_t last = from;
    char end[32];

    if (to < from || from < 0)
        return refuse_values(whole, err);
    for (int64_t n = from; n <= to; n = doubled ? n * 2 : n + 1) {
        char text[32];

        (void)snprintf(text, sizeof text, "%lld", (long long)n);
        if (!add_value(s, text, whole, err))
            return false;
        if (n > INT64_MAX / 2)
            break;
        last = n;
    }
    if (last != to) {
        (void)snprintf(end, sizeof end, "%lld", (long long)to);
        return add_value(s, end, whole, err);
    }
    return true;
}

static bool parse_values(struct str text, struct sweep_values *s, struct error *err)
{
    struct str rest = text, values, from;
    int64_t a, b;

    s->key = str_trim(str_cut(&rest, '='));
    values = str_trim(rest);
    if (s->key.len == 0 || values.len == 0)
        return refuse_values(text, err);
    for (size_t i = 0; i + 1 < values.len; i++)
        if (values.at[i] == '.' && values.at[i + 1] == '.') {
            from = (struct str){values.at, i};
            values = (struct str){values.at + i + 2, values.len - i - 2};
            return num_int(from, &a) && num_int(values, &b) ? add_range(s, a, b, text, err)
                                                            : refuse_values(text, err);
        }
    while (values.len > 0) {
        struct str one = str_trim(str_cut(&values, ','));
        char value[32];

        if (one.len == 0 || one.len >= sizeof value)
            return refuse_values(text, err);
        (void)snprintf(value, sizeof value, "%.*s", STR_ARG(one));
        if (!add_value(s, value, text, err))
            return false;
    }
    return true;
}

/* The job and the place of one row. */
struct variant {
    struct job job;
    struct estimate_place place;
};

/* GPUs are a property of the place, everything else of the job. */
static bool set_value(const struct estimate_sweep *sweep, struct str key, const char *value,
                      struct arena *arena, struct variant *v, struct error *err)
{
    bool gpus = str_eq(key, STR("gpus")), nodes = str_eq(key, STR("nodes"));
    int64_t n;

    if (!gpus && !nodes)
        return job_set(&v->job, key, str_from(value), arena, err);
    if (!num_int(str_from(value), &n) || n < 1 || n > 100000)
        return error_fail(err, ERROR_USAGE, "--sweep: '%s' is not a number of %.*s", value,
                          STR_ARG(key));
    return sweep->place(sweep->ctx, gpus ? n : n * v->place.hardware.per_node, &v->place, err);
}

static bool describe_setting(const struct estimate *e, struct arena *arena, struct str *out,
                             struct error *err)
{
    char text[128];

    if (e->model.len == 0)
        return true; /* a measured rate: nothing was chosen */
    if (e->kind == JOB_INFER)
        (void)snprintf(text, sizeof text, "tensor %lld, batch %lld", (long long)e->tensor,
                       (long long)e->micro_batch);
    else
        (void)snprintf(text, sizeof text, "zero %lld, recompute %s, batch %lld x %lld",
                       (long long)e->zero, recompute_names[e->recompute],
                       (long long)e->micro_batch, (long long)e->accumulation);
    return str_keep(str_from(text), arena, out, err);
}

static bool fill_row(const struct estimate *e, struct arena *arena,
                     struct estimate_sweep_row *row, struct error *err)
{
    row->fits = e->fits;
    if (!e->fits && e->memory_gb <= e->usable_gb)
        row->why = STR("the machine's memory is too small");
    row->memory_gb = e->memory_gb;
    row->step_s = e->kind == JOB_INFER ? e->decode_s.value : e->step_s.value;
    row->rate = e->rate.value;
    if (e->fits) { /* what cannot run has neither time nor cost */
        row->hours = e->hours.value;
        row->cost = e->total;
    }
    return describe_setting(e, arena, &row->setting, err);
}

/* A value that is impossible is a row with the reason, not the end of the sweep. */
static bool estimate_row(const struct estimate_input *in, const struct estimate_sweep *sweep,
                         struct str key, const char *value, struct arena *arena,
                         struct estimate_sweep_row *row, struct error *err)
{
    struct variant v = {.job = *sweep->given, .place = *in->place};
    struct estimate_input one = *in;
    struct estimate e;
    struct error why = {0};

    *row = (struct estimate_sweep_row){
        .memory_gb = NAN, .step_s = NAN, .rate = NAN, .hours = NAN, .cost = USD_UNKNOWN};
    if (!str_keep(str_from(value), arena, &row->value, err) ||
        !set_value(sweep, key, value, arena, &v, err)) /* a wrong key is wrong for all */
        return false;
    one.job = &v.job;
    one.place = &v.place;
    if (job_resolve(&v.job, in->catalog, sweep->config, arena, &why) &&
        estimate_job(&one, arena, &e, &why))
        return fill_row(&e, arena, row, err);
    if (why.kind == ERROR_MEMORY)
        return error_memory(err);
    return str_keep(str_from(why.text), arena, &row->why, err);
}

bool estimate_sweep(const struct estimate_input *in, const struct estimate_sweep *sweep,
                    struct arena *arena, struct estimate *out, struct error *err)
{
    struct sweep_values s = {.count = 0};
    struct estimate_sweep_row *rows;

    if (!parse_values(sweep->values, &s, err))
        return false;
    rows = arena_array(arena, struct estimate_sweep_row, s.count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < s.count; i++)
        if (!estimate_row(in, sweep, s.key, s.values[i], arena, &rows[i], err))
            return false;
    out->sweep = (struct rows){rows, s.count};
    out->sweep_key = s.key;
    return true;
}
