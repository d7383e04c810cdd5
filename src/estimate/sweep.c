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

static bool add_sweep_value(struct sweep_values *s, const char *text, struct str whole,
                            struct error *err)
{
    if (s->count == MAX_VALUES)
        return error_fail(err, ERROR_USAGE, "--sweep: '%.*s' has more than %d values",
                          STR_ARG(whole), MAX_VALUES);
    (void)snprintf(s->values[s->count++], sizeof s->values[0], "%s", text);
    return true;
}

/* Small ranges go up by one, larger ones double: 1..64 is 1, 2, 4, ... 64. */
static bool add_sweep_range(struct sweep_values *s, int64_t from, int64_t to, struct str whole,
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
        if (!add_sweep_value(s, text, whole, err))
            return false;
        if (n > INT64_MAX / 2)
            break;
        last = n;
    }
    if (last != to) {
        (void)snprintf(end, sizeof end, "%lld", (long long)to);
        return add_sweep_value(s, end, whole, err);
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
            return num_int(from, &a) && num_int(values, &b)
                       ? add_sweep_range(s, a, b, text, err)
                       : refuse_values(text, err);
        }
    while (values.len > 0) {
        struct str one = str_trim(str_cut(&values, ','));
        char value[32];

        if (one.len == 0 || one.len >= sizeof value)
            return refuse_values(text, err);
        (void)snprintf(value, sizeof value, "%.*s", STR_ARG(one));
        if (!add_sweep_value(s, value, text, err))
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
static bool set_sweep_value(const struct estimate_sweep *sweep, struct str key,
                            const char *value, struct arena *arena, struct variant *v,
                            struct error *err)
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

/* What was chosen for the rest: degrees of 1 go without saying. */
static bool describe_setting(const struct estimate *e, struct arena *arena, struct str *out,
                             struct error *err)
{
    const struct {
        const char *name;
        int64_t degree;
    } degrees[] = {{"tensor", e->tensor},
                   {"pipeline", e->pipeline},
                   {"context", e->context},
                   {"expert", e->expert}};
    struct buf text;
    bool ok;

    if (e->model.len == 0)
        return true; /* a measured rate: nothing was chosen */
    text = buf_new(arena->alloc, 128);
    for (size_t i = 0; i < ARRAY_LEN(degrees); i++)
        if (degrees[i].degree > 1)
            buf_addf(&text, "%s %lld, ", degrees[i].name, (long long)degrees[i].degree);
    if (e->kind == JOB_INFER)
        buf_addf(&text, "batch %lld", (long long)e->micro_batch);
    else
        buf_addf(&text, "zero %lld, recompute %s, batch %lld x %lld", (long long)e->zero,
                 recompute_names[e->recompute], (long long)e->micro_batch,
                 (long long)e->accumulation);
    if (e->kind == JOB_TRAIN && e->offload != OFFLOAD_NONE)
        buf_addf(&text, ", offload %s", offload_names[e->offload]);
    ok = buf_ok(&text, err) && str_keep(buf_text(&text), arena, out, err);
    buf_free(&text);
    return ok;
}

static bool fill_sweep_row(const struct estimate *e, struct arena *arena,
                           struct estimate_sweep_row *row, struct error *err)
{
    row->fits = e->fits;
    row->tight = e->tight;
    if (!e->fits && !e->tight && e->memory_high_gb <= e->usable_gb)
        row->reason = STR("the machine's memory is too small");
    row->memory_gb = e->memory_gb;
    row->step_s = e->kind == JOB_INFER ? e->decode_s.value : e->step_s.value;
    row->rate = e->rate.value;
    if (e->fits || e->tight) { /* what cannot run has neither time nor cost */
        row->hours = e->hours.value;
        row->cost = e->total;
    }
    return describe_setting(e, arena, &row->setting, err);
}

/* One thing at a time: what was chosen for the job as it is stays, the batch always, the rest
 * if that is possible. */
static void keep_batch(const struct estimate *base, struct job *job)
{
    struct job_train *t = &job->train;

    if (t->global_batch < 1 && t->accumulation < 1 && base->global_batch >= 1)
        t->global_batch = (int64_t)base->global_batch;
}

static void keep_sweep_setting(const struct estimate *base, struct job *job)
{
    struct job_train *t = &job->train;
    struct job_parallel *p = &t->parallel;
    const struct {
        int64_t *key, chosen;
    } keys[] = {{&p->tensor, base->tensor},
                {&p->pipeline, base->pipeline},
                {&p->virtual_pipeline, base->virtual_pipeline},
                {&p->context, base->context},
                {&p->expert, base->expert},
                {&t->micro_batch, base->micro_batch}};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (*keys[i].key < 1)
            *keys[i].key = keys[i].chosen;
    if (p->zero < 0)
        p->zero = base->zero;
    if (t->recompute.len == 0)
        t->recompute = str_from(recompute_names[base->recompute]);
    if (p->offload.len == 0)
        p->offload = str_from(offload_names[base->offload]);
    if (t->framework.len == 0 && t->compile.len == 0)
        t->framework = base->framework;
}

bool estimate_variant(const struct estimate_input *in, const struct estimate *base,
                      struct arena *arena, struct estimate *out, struct error *why)
{
    struct estimate_input one = *in;
    const struct job *job = in->job;
    struct error ignored = {0};
    struct job kept = *job;

    one.job = &kept;
    if (job->kind != JOB_TRAIN || !job->arch_known || !base->fits)
        return estimate_job(&one, arena, out, why);
    keep_batch(base, &kept);
    keep_sweep_setting(base, &kept);
    if (estimate_job(&one, arena, out, &ignored) && out->fits)
        return true;
    kept = *job;
    keep_batch(base, &kept);
    if (estimate_job(&one, arena, out, &ignored))
        return true;
    kept = *job; /* a micro-batch that is larger than the batch was */
    return estimate_job(&one, arena, out, why);
}

/* What all rows of a sweep have in common. */
struct sweeping {
    const struct estimate_input *in;
    const struct estimate_sweep *sweep;
    const struct estimate *base; /* of the job as it is */
    struct str key;
};

/* A value that is impossible is a row with the reason, not the end of the sweep. */
static bool estimate_row(const struct sweeping *w, const char *value, struct arena *arena,
                         struct estimate_sweep_row *row, struct error *err)
{
    struct variant v = {.job = *w->sweep->given, .place = *w->in->place};
    struct estimate_input one = *w->in;
    struct estimate e;
    struct error why = {0};

    *row = (struct estimate_sweep_row){
        .memory_gb = NAN, .step_s = NAN, .rate = NAN, .hours = NAN, .cost = USD_UNKNOWN};
    if (!str_keep(str_from(value), arena, &row->value, err))
        return false;
    if (!set_sweep_value(w->sweep, w->key, value, arena, &v, &why)) {
        if (why.kind == ERROR_UNFIT) /* so many cannot be rented */
            return str_keep(str_from(why.text), arena, &row->reason, err);
        *err = why; /* a wrong key is wrong for all */
        return false;
    }
    one.job = &v.job;
    one.place = &v.place;
    row->offer = v.place.offer;
    if (job_resolve(&v.job, one.catalog, w->sweep->config, arena, &why) &&
        estimate_variant(&one, w->base, arena, &e, &why))
        return fill_sweep_row(&e, arena, row, err);
    if (why.kind == ERROR_MEMORY)
        return error_memory(err);
    return str_keep(str_from(why.text), arena, &row->reason, err);
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
        if (!estimate_row(&(struct sweeping){in, sweep, out, s.key}, s.values[i], arena,
                          &rows[i], err))
            return false;
    out->sweep = (struct rows){rows, s.count};
    out->sweep_key = s.key;
    return true;
}
