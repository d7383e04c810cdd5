/* Does an estimate keep to the limits of its job, and does the job fit? If not, what to
 * change. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "estimate/job_estimate.h"
#include "estimate/model/settings.h"

void estimate_check_limits(const struct estimate_input *in, const struct estimate *e,
                           struct arena *arena)
{
    const struct job_limits *l = &in->job->limits;
    const struct accelerator *gpu = in->place->hardware.gpu;
    struct buf money = buf_new(arena->alloc, 64);

    if (l->budget.nano != MONEY_UNKNOWN && e->total.nano != MONEY_UNKNOWN &&
        e->total.nano > l->budget.nano) {
        usd_write(l->budget, &money);
        message_warn(in->messages, "it costs more than the budget of %.*s",
                     STR_ARG(buf_text(&money)));
    }
    buf_free(&money);
    if (l->deadline.ns > 0 && e->wall_hours > span_in_hours(l->deadline))
        message_warn(in->messages, "it takes longer than the deadline of %s hours",
                     num_about(span_in_hours(l->deadline)).text);
    if (l->max_carbon_kg > 0 && e->carbon_kg.value > l->max_carbon_kg)
        message_warn(in->messages, "it emits more than the limit of %s kg CO2e",
                     num_about(l->max_carbon_kg).text);
    if (!strs_match(l->gpus, gpu->name) && !strs_match(l->gpus, gpu->family))
        message_warn(in->messages, "the job does not allow %.*s", STR_ARG(gpu->name));
}

/* ---- what to change, when it does not fit ---- */

#define MOST_HINTED_GPUS 1024
#define MOST_HINTED_CONTEXT 16
#define LEAST_HINTED_SEQUENCE 512

struct tries {
    char text[160];
    size_t len;
};

static void add_try(struct tries *tries, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void add_try(struct tries *tries, const char *fmt, ...)
{
    const char *between = tries->len > 0 ? ", or " : "try ";
    char one[64];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(one, sizeof one, fmt, args);
    va_end(args);
    (void)snprintf(tries->text + tries->len, sizeof tries->text - tries->len, "%s%s", between,
                   one);
    tries->len = strlen(tries->text);
}

/* Does this job fit so many of the GPUs, with the rest as it would be chosen? */
static bool would_fit(const struct estimate_input *in, const struct job *job, int64_t gpus)
{
    struct hardware hw = in->place->hardware;
    struct job plain = *job;
    struct setup s;
    struct error ignored = {0};

    plain.train.parallel.offload = STR("none"); /* which is slow */
    hw.gpus = gpus;
    return choose_training(&plain, &hw, in->constants, &s, NULL, &ignored) &&
           setup_fits(&s, &hw, in->constants);
}

/* GPUs that share each sequence, of those that are given; 0: no number does. */
static int64_t enough_context(const struct estimate_input *in)
{
    struct job job = *in->job;
    int64_t gpus = in->place->hardware.gpus;

    if (job.train.parallel.context > 0)
        return 0;
    for (int64_t n = 2; n <= MOST_HINTED_CONTEXT && n <= gpus; n *= 2) {
        job.train.parallel.context = n;
        if (gpus % n == 0 && would_fit(in, &job, gpus))
            return n;
    }
    return 0;
}

static int64_t enough_gpus(const struct estimate_input *in)
{
    for (int64_t n = 2 * in->place->hardware.gpus; n <= MOST_HINTED_GPUS; n *= 2)
        if (would_fit(in, in->job, n))
            return n;
    return 0;
}

static int64_t enough_sequence(const struct estimate_input *in, int64_t sequence)
{
    struct job job = *in->job;

    for (int64_t n = sequence / 2; n >= LEAST_HINTED_SEQUENCE; n /= 2) {
        job.train.sequence = n;
        if (would_fit(in, &job, in->place->hardware.gpus))
            return n;
    }
    return 0;
}

/* Sequences at a time, fewer than the job sets. */
static int64_t enough_batch(const struct estimate_input *in)
{
    struct job job = *in->job;

    for (int64_t n = job.train.micro_batch / 2; n >= 1; n /= 2) {
        job.train.micro_batch = n;
        if (would_fit(in, &job, in->place->hardware.gpus))
            return n;
    }
    return 0;
}

/* The methods that train less, in turn. */
static const char *enough_method(const struct estimate_input *in, enum method method)
{
    struct job job = *in->job;

    for (int next = (int)method + 1; next < METHOD_COUNT; next++) {
        job.train.method = str_from(method_names[next]);
        if (would_fit(in, &job, in->place->hardware.gpus))
            return method_names[next];
    }
    return NULL;
}

/* Only what was tried and fits is suggested. */
static void try_training_changes(const struct estimate_input *in, const struct estimate *e,
                                 struct tries *out)
{
    const struct hardware *hw = &in->place->hardware;
    int64_t context = enough_context(in), gpus = enough_gpus(in);
    const char *method = enough_method(in, e->method);
    int64_t batch = enough_batch(in), sequence;

    if (batch > 0)
        add_try(out, "--batch %lld", (long long)batch);
    if (context > 0)
        add_try(out, "--set parallel.context=%lld", (long long)context);
    if (gpus > 0)
        add_try(out, "--on %.*sx%lld", STR_ARG(hw->gpu->family), (long long)gpus);
    if (method != NULL)
        add_try(out, "--method %s", method);
    sequence = out->len > 0 ? 0 : enough_sequence(in, e->sequence);
    if (sequence > 0)
        add_try(out, "--sequence %lld", (long long)sequence);
}

static void try_serving_changes(const struct estimate_input *in, const struct estimate *e,
                                struct tries *out)
{
    const struct hardware *hw = &in->place->hardware;
    double wanted = (double)hw->gpus * e->memory_gb / e->usable_gb;
    int64_t n = 2 * hw->gpus;

    while ((double)n < wanted && n < MOST_HINTED_GPUS)
        n *= 2;
    add_try(out, "--on %.*sx%lld", STR_ARG(hw->gpu->family), (long long)n);
    if (!str_eq(e->precision, STR("int4")))
        add_try(out, "--set weights=int4");
}

static void hint_fit(const struct estimate_input *in, const struct estimate *e,
                     struct str job_name, struct error *err)
{
    struct tries tries = {.len = 0};
    /* What `stint gpu fit` takes: the model's name, or the size that was given for it. */
    struct str model = in->job->arch.assumed ? job_name : e->model;

    if (in->job->kind == JOB_INFER)
        try_serving_changes(in, e, &tries);
    else
        try_training_changes(in, e, &tries);
    error_hint(err, "%s%s'stint gpu fit %.*s' shows what holds it", tries.text,
               tries.len > 0 ? "; " : "", STR_ARG(model));
}

/* Of GPUs that hold different models, those that are too small. NULL: they are the trained
 * model's, or there are no such groups. */
static const struct estimate_group *fullest_group(const struct estimate *e)
{
    const struct estimate_group *groups = e->groups.at, *fullest = NULL;

    for (size_t i = 0; i < e->groups.len; i++)
        if (fullest == NULL || groups[i].memory_gb > fullest->memory_gb)
            fullest = &groups[i];
    return fullest == groups ? NULL : fullest;
}

static bool refuse_group(const struct estimate *e, const struct estimate_group *g,
                         const struct accelerator *gpu, struct error *err)
{
    char each[40] = "its one";

    if (g->gpus > 1)
        (void)snprintf(each, sizeof each, "each of its %lld", (long long)g->gpus);
    error_set(err, ERROR_UNFIT, "the %.*s needs %.1f GB on %s %.*s, which has %.1f GB",
              STR_ARG(g->models), g->memory_gb, each, STR_ARG(gpu->name), e->usable_gb);
    error_hint(err, "give it more GPUs of its own, or a smaller model");
    return false;
}

bool estimate_check_fit(const struct estimate_input *in, const struct estimate *e,
                        struct str job_name, struct error *err)
{
    const struct accelerator *gpu = in->place->hardware.gpu;
    struct str model = e->model.len > 0 ? e->model : STR("the job");
    const struct estimate_group *group = fullest_group(e);

    if (e->fits || e->tight)
        return true;
    if (group != NULL && e->memory_high_gb > e->usable_gb)
        return refuse_group(e, group, gpu, err);
    if (e->memory_high_gb > e->usable_gb) {
        error_set(err, ERROR_UNFIT, "%.*s needs %.1f GB on each %.*s, which has %.1f GB",
                  STR_ARG(model), e->memory_gb, STR_ARG(gpu->name), e->usable_gb);
        if (e->model.len > 0)
            hint_fit(in, e, job_name, err);
        return false;
    }
    error_set(err, ERROR_UNFIT,
              "offloading or paging needs %.0f GB of the machine's memory, which has %.0f GB",
              e->host_gb, e->host_usable_gb);
    error_hint(err, "try a higher ZeRO stage, more machines, or --on without --offer");
    return false;
}
