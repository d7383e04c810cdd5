#include "op/plan/prepare.h"

#include "op/estimate/learning.h"
#include "op/plan/plan_slots.h"

/* What estimate takes of the same request. */
static void take_job_options(struct op_context *ctx, const struct plan_request *r,
                             struct str job, struct plan_work *w)
{
    w->asked = (struct estimate_request){
        .job = job,
        .set = r->set,
        .deepspeed = r->deepspeed,
        .price = USD_PER_HOUR_UNKNOWN,
        .serve = r->serve,
        .method = r->method,
        .tokens = r->tokens,
        .examples = r->examples,
        .epochs = r->epochs,
        .sequence = r->sequence,
        .batch = r->batch,
        .precision = r->precision,
    };
    w->job = (struct estimate_work){.ctx = ctx, .request = &w->asked};
}

static bool find_places(struct op_context *ctx, struct plan_work *w, struct error *err)
{
    struct planning *p = &w->planning;
    const struct plan_request *r = p->request;
    struct plan_places_ask ask = {.providers = r->providers,
                                  .regions = r->regions,
                                  .gpus = r->gpus,
                                  .market = r->market,
                                  .min_reliability = r->min_reliability,
                                  .max_age = r->max_age,
                                  .platform = r->platform,
                                  .owned = r->owned,
                                  .weeks = r->within.ns > 0};

    if (!plan_places(ctx, p->job, &ask, &p->places, &p->place_count, &w->facts, err))
        return false;
    for (size_t i = 0; i < w->facts.notes.len; i++)
        if (!plan_note(p, err, "%.*s", (int)w->facts.notes.at[i].len, w->facts.notes.at[i].at))
            return false;
    return true;
}

static bool find_measured(struct op_context *ctx, struct planning *p, struct error *err)
{
    const struct job *job = p->job;

    if (job->arch_known)
        return true;
    p->measured = op_accelerator(
        ctx, job->kind == JOB_TRAIN ? job->train.measured.gpu : job->infer.measured.gpu, false,
        err);
    return p->measured != NULL;
}

static bool week_of_place(void *ctx, const struct plan_place *place, struct offer_week *out,
                          struct error *err)
{
    struct week_offer offer = {place->provider, place->region, place->instance,
                               str_from(plan_market_names[place->market])};

    return plan_week_of_offer(ctx, &offer, true, out, err);
}

bool plan_prepare(struct op_context *ctx, const struct plan_request *request, struct str job,
                  struct plan_work *out, struct error *err)
{
    const unsigned tables =
        TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) | TABLE_BIT(TABLE_CONSTANTS);
    struct planning *p = &out->planning;

    *out = (struct plan_work){0};
    take_job_options(ctx, request, job, out);
    if (!op_catalog(ctx, tables, err) || !op_constants(ctx, false, &out->job.constants, err) ||
        !read_job(&out->job, err))
        return false;
    *p = (struct planning){
        .arena = ctx->arena,
        .messages = &ctx->messages,
        .now = ctx->clock->today(ctx->clock->ctx),
        .accounts = ctx->settings->providers.len > 0,
        .request = request,
        .job = &out->job.job,
        .constants = &out->job.constants,
        .week = week_of_place,
        .week_ctx = ctx,
    };
    return planning_limits(p, err) && find_places(ctx, out, err) &&
           find_measured(ctx, p, err) && planning_search(p, err);
}
