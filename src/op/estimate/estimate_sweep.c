/* estimate --sweep batch=1..64: the same job with one key changed again and again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "op/estimate/estimate_work.h"

#define MAX_VALUES 64

struct sweep {
    struct str key;
    char values[MAX_VALUES][32];
    size_t count;
};

static bool refuse(struct str text, struct error *err)
{
    error_set(err, ERROR_USAGE, "--sweep: '%.*s' is not KEY=FROM..TO or KEY=A,B,C",
              STR_ARG(text));
    error_hint(err, "--sweep batch=1..64, --sweep zero=0..3, --sweep precision=bf16,fp8, "
                    "--sweep gpus=1..64");
    return false;
}

static bool add_value(struct sweep *s, const char *text, struct str whole, struct error *err)
{
    if (s->count == MAX_VALUES)
        return error_fail(err, ERROR_USAGE, "--sweep: '%.*s' has more than %d values",
                          STR_ARG(whole), MAX_VALUES);
    (void)snprintf(s->values[s->count++], sizeof s->values[0], "%s", text);
    return true;
}

/* Small ranges go up by one, larger ones double: 1..64 is 1, 2, 4, ... 64. */
static bool add_range(struct sweep *s, int64_t from, int64_t to, struct str whole,
                      struct error *err)
{
    bool doubled = from >= 1 && to - from > 8;
    int64_t last = from;
    char end[32];

    if (to < from || from < 0)
        return refuse(whole, err);
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

static bool parse(struct str text, struct sweep *s, struct error *err)
{
    struct str rest = text, values, from;
    int64_t a, b;

    s->key = str_trim(str_cut(&rest, '='));
    values = str_trim(rest);
    if (s->key.len == 0 || values.len == 0)
        return refuse(text, err);
    for (size_t i = 0; i + 1 < values.len; i++)
        if (values.at[i] == '.' && values.at[i + 1] == '.') {
            from = (struct str){values.at, i};
            values = (struct str){values.at + i + 2, values.len - i - 2};
            return num_int(from, &a) && num_int(values, &b) ? add_range(s, a, b, text, err)
                                                            : refuse(text, err);
        }
    while (values.len > 0) {
        struct str one = str_trim(str_cut(&values, ','));
        char value[32];

        if (one.len == 0 || one.len >= sizeof value)
            return refuse(text, err);
        (void)snprintf(value, sizeof value, "%.*s", STR_ARG(one));
        if (!add_value(s, value, text, err))
            return false;
    }
    return true;
}

/* GPUs are a matter of the place, everything else of the job. */
static bool set_gpus(struct estimate_work *w, int64_t gpus, struct error *err)
{
    struct hardware *hw = &w->place.hardware;

    if (w->request->offer.len == 0) { /* another number may be had elsewhere for less */
        w->gpus = gpus;
        return find_place(w, err);
    }
    hw->gpus = gpus;
    w->place.machines = (gpus + hw->per_node - 1) / hw->per_node;
    return true;
}

static bool set_value(struct estimate_work *w, const struct sweep *s, const char *value,
                      struct error *err)
{
    bool gpus = str_eq(s->key, STR("gpus")), nodes = str_eq(s->key, STR("nodes"));
    int64_t n;

    if (!gpus && !nodes)
        return job_set(&w->job, s->key, str_from(value), w->ctx->arena, err);
    if (!num_int(str_from(value), &n) || n < 1 || n > 100000)
        return error_fail(err, ERROR_USAGE, "--sweep: '%s' is no number of %.*s", value,
                          STR_ARG(s->key));
    return set_gpus(w, gpus ? n : n * w->place.hardware.per_node, err);
}

static bool describe(struct estimate_work *w, const struct estimate_result *r,
                     struct estimate_sweep *row, struct error *err)
{
    char text[128];

    if (r->model.len == 0)
        return true; /* a measured rate: nothing was chosen */
    if (str_eq(r->kind, STR("infer")))
        (void)snprintf(text, sizeof text, "tensor %lld, batch %lld", (long long)r->tensor,
                       (long long)r->micro_batch);
    else
        (void)snprintf(text, sizeof text, "zero %lld, recompute %.*s, batch %lld x %lld",
                       (long long)r->zero, STR_ARG(r->recompute), (long long)r->micro_batch,
                       (long long)r->accumulation);
    row->setting.at = str_dup(str_from(text), w->ctx->arena, err);
    if (row->setting.at == NULL)
        return false;
    row->setting = str_from(row->setting.at);
    return true;
}

/* A value that cannot be is a row that says why, not the end of the sweep. */
static bool one_row(const struct estimate_work *base, const struct sweep *s, const char *value,
                    struct estimate_sweep *row, struct error *err)
{
    struct estimate_work w = *base;
    struct estimate_result r;
    struct error why = {0};

    row->value.at = str_dup(str_from(value), w.ctx->arena, err);
    if (row->value.at == NULL)
        return false;
    row->value = str_from(row->value.at);
    row->memory_gb = row->step_s = row->rate = row->hours = NAN;
    row->cost = USD_UNKNOWN;
    w.job = w.said;
    if (!set_value(&w, s, value, err)) /* a wrong key or value is wrong for all */
        return false;
    if (!job_resolve(&w.job, &w.ctx->catalog, w.config, w.ctx->arena, &why) ||
        !estimate_once(&w, &r, &why)) {
        if (why.kind == ERROR_MEMORY)
            return error_memory(err);
        row->why.at = str_dup(str_from(why.text), w.ctx->arena, err);
        row->why = str_from(row->why.at);
        return row->why.at != NULL;
    }
    row->fits = r.fits;
    if (!r.fits && r.memory_gb <= r.usable_gb)
        row->why = STR("the machine's memory is too small");
    row->memory_gb = r.memory_gb;
    row->step_s = str_eq(r.kind, STR("infer")) ? r.decode_s.value : r.step_s.value;
    row->rate = r.rate.value;
    if (r.fits) { /* what cannot run costs nothing, and takes for ever */
        row->hours = r.hours.value;
        row->cost = r.total;
    }
    return describe(&w, &r, row, err);
}

bool estimate_sweep(struct estimate_work *w, struct estimate_result *res, struct error *err)
{
    struct sweep s = {.count = 0};
    struct estimate_sweep *rows;

    if (!parse(w->request->sweep, &s, err))
        return false;
    rows = arena_array(w->ctx->arena, struct estimate_sweep, s.count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < s.count; i++)
        if (!one_row(w, &s, s.values[i], &rows[i], err))
            return false;
    res->sweep = (struct rows){rows, s.count};
    res->sweep_key = s.key;
    return true;
}
