#include "op/advise/advise_recorded.h"

#include <math.h>

#include "doc/notes.h"
#include "op/advise/advise_job.h"
#include "op/context.h"
#include "op/job_source.h"

#define STEPS_USUAL 1000 /* of a job that does not say: only ratios of costs matter */

/* What the facts refer to. */
struct recorded {
    struct job_input job;
    struct job_place place;
    struct estimate_input input;
    struct estimate base;
    struct advise_job facts;
};

/* Steps that its runs made, at most. */
static double steps_made(const struct advise_work *w)
{
    const struct advise_run *const *runs = w->list.at;
    double most = NAN;

    for (size_t i = 0; i < w->list.len; i++)
        most = fmax(most, runs[i]->steps);
    return most;
}

/* A run is one training, however many trials its job is about; and it made steps, whether or
 * not the job says of how much data. */
static void take_as_run(const struct advise_work *w, struct job *job)
{
    struct job_train *t = &job->train;
    double made = steps_made(w);

    t->search.trials = t->search.parallel = -1;
    if (isnan(job_tokens(job)) && isnan(job_samples(job)) && isnan(t->steps))
        t->steps = made >= 1 && made < 1e15 ? floor(made) : STEPS_USUAL;
}

/* The offer that it ran on, at the price that it paid; where that is not known, its GPUs. */
static bool find_recorded_place(struct op_context *ctx, const struct advise_work *w,
                                struct recorded *r, struct error *err)
{
    struct place_request ask = {.offer = w->offer, .market = w->market, .price = w->rate};
    struct buf text;
    struct error why = {0};

    if (w->gpus > 0 && w->gpu.len == 0 && w->offer.len == 0)
        return error_fail(err, ERROR_INPUT, "the GPU is not known");
    if (w->offer.len > 0 &&
        op_place(ctx, &r->job, &ask, w->gpus > 0 ? w->gpus : 0, &r->place, &why))
        return true;
    if (why.kind == ERROR_MEMORY || w->gpus <= 0 || w->gpu.len == 0) {
        *err = why;
        return why.kind != ERROR_NONE ? false
                                      : error_fail(err, ERROR_INPUT, "the GPU is not known");
    }
    text = buf_new(ctx->arena->alloc, 256);
    buf_add(&text, w->gpu);
    buf_addf(&text, "x%lld", (long long)w->gpus);
    ask = (struct place_request){.price = w->rate};
    return buf_keep(&text, ctx->arena, &ask.on, err) &&
           op_place(ctx, &r->job, &ask, 0, &r->place, err);
}

static bool estimate_recorded(struct op_context *ctx, struct str text,
                              const struct advise_work *w, struct recorded *r,
                              struct error *err)
{
    if (!op_job_restore(ctx, text, &r->job, err))
        return false;
    if (r->job.job.kind != JOB_TRAIN)
        return error_fail(err, ERROR_INPUT, "it serves: 'stint advise JOB' has advice on that");
    take_as_run(w, &r->job.given);
    r->job.job = r->job.given;
    if (!job_resolve(&r->job.job, &ctx->catalog, r->job.config, ctx->arena, err) ||
        !find_recorded_place(ctx, w, r, err))
        return false;
    r->input = (struct estimate_input){.job = &r->job.job,
                                       .place = &r->place.place,
                                       .constants = &r->job.constants,
                                       .catalog = &ctx->catalog,
                                       .messages = &ctx->messages};
    if (!estimate_job(&r->input, ctx->arena, &r->base, err))
        return false;
    if (!r->base.fits)
        return error_fail(err, ERROR_UNFIT, "by the estimate it does not fit where it ran");
    if (!(usd_double(r->base.total) > 0))
        return error_fail(err, ERROR_INPUT, "its cost cannot be estimated");
    return true;
}

static const struct ledger_work_job *
recorded_job_of(const struct advise_work *w, const struct ledger_work_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (jobs[i].job.len > 0 && str_eq(jobs[i].name, w->name) &&
            str_eq(jobs[i].project, w->project))
            return &jobs[i];
    return NULL;
}

static bool give_job(struct op_context *ctx, struct str text, struct advise_work *w,
                     struct error *err)
{
    struct recorded *r = arena_array(ctx->arena, struct recorded, 1, err);

    if (r == NULL || !estimate_recorded(ctx, text, w, r, err))
        return false;
    r->facts = (struct advise_job){.input = &r->input,
                                   .given = &r->job.given,
                                   .config = r->job.config,
                                   .typed = w->name,
                                   .base = &r->base};
    if (!op_places_instead(ctx, &r->job.job, &r->place.place, PLACES_BY_GPU, &r->facts.places,
                           err))
        return false;
    w->job = &r->facts;
    advise_job_money(&r->base, &w->job_money);
    return true;
}

static bool give_jobs(struct op_context *ctx, const struct ledger_work_job *jobs, size_t count,
                      struct advise_facts *facts, struct strs *notes, struct error *err)
{
    struct advise_work *works =
        arena_array(ctx->arena, struct advise_work, facts->works.len, err);
    size_t given = 0;

    if (works == NULL)
        return false;
    for (size_t i = 0; i < facts->works.len; i++) {
        const struct ledger_work_job *job;
        struct error why = {0};

        works[i] = ((const struct advise_work *)facts->works.at)[i];
        job = given < ADVISE_JOBS_MOST ? recorded_job_of(&works[i], jobs, count) : NULL;
        if (job == NULL)
            continue;
        given++;
        if (give_job(ctx, job->job, &works[i], &why))
            continue;
        if (why.kind == ERROR_MEMORY)
            return error_memory(err);
        if (!note_add(notes, ctx->arena, err, "no advice on how %.*s is trained: %s",
                      STR_ARG(works[i].subject), why.text))
            return false;
    }
    facts->works.at = works;
    return true;
}

bool advise_recorded_jobs(struct op_context *ctx, const struct ledger_work_job *jobs,
                          size_t count, struct advise_facts *facts, struct strs *notes,
                          struct error *err)
{
    const struct messages loud = ctx->messages;
    bool ok;

    ctx->messages = (struct messages){0}; /* of each job they would be too many */
    ok = give_jobs(ctx, jobs, count, facts, notes, err);
    ctx->messages = loud;
    return ok;
}
