/* plan - where, on what, how and when to run a job. */
#include "op/plan/plan.h"

#include "op/context.h"
#include "op/op.h"
#include "op/plan/plan_write.h"
#include "op/plan/prepare.h"
#include "plan/several.h"

#define NS_PER_MS 1e6

/* By which a run of this plan is known to have been predicted. */
static bool keep_version(const struct constants *constants, struct arena *arena,
                         struct plan_result *res, struct error *err)
{
    char version[CONSTANTS_VERSION];

    constants_version(constants, version);
    return str_keep(str_from(version), arena, &res->constants, err);
}

static void add_price_dates(const struct plan_work *w, struct plan_result *res)
{
    res->prices_from = w->gathered.age.oldest;
    res->prices_to = w->gathered.age.newest;
}

static bool plan_one_job(struct op_context *ctx, const struct plan_request *request,
                         struct plan_result *res, struct error *err)
{
    instant began = ctx->clock->now(ctx->clock->ctx);
    struct plan_work w;
    struct plan best;

    if (!plan_prepare(ctx, request, request->jobs.at[0], &w, err) ||
        !plan_best(&w.planning, &best, err) || !plan_answer(&w.planning, &best, res, err) ||
        !keep_version(w.planning.constants, ctx->arena, res, err))
        return false;
    add_price_dates(&w, res);
    res->offers = (int64_t)w.gathered.facts.offers;
    res->search_ms =
        (double)span_between(began, ctx->clock->now(ctx->clock->ctx)).ns / NS_PER_MS;
    if (!plan_write(ctx, &w.planning, &best, res, err))
        return false;
    op_price_age_warn(ctx, &w.gathered.age);
    return true;
}

static bool plan_several_jobs(struct op_context *ctx, const struct plan_request *request,
                              struct plan_result *res, struct error *err)
{
    struct several s = {.arena = ctx->arena,
                        .messages = &ctx->messages,
                        .request = request,
                        .count = request->jobs.len};
    struct plan_request each = *request;
    struct plan_work *works;

    if (!several_check(request, &ctx->messages, err))
        return false;
    works = arena_array(ctx->arena, struct plan_work, s.count, err);
    s.works = arena_array(ctx->arena, struct planning *, s.count, err);
    s.bests = arena_array(ctx->arena, struct plan, s.count, err);
    if (works == NULL || s.works == NULL || s.bests == NULL)
        return false;
    each.budget = USD_UNKNOWN; /* it is for all jobs together */
    for (size_t i = 0; i < s.count; i++) {
        s.works[i] = &works[i].planning;
        if (!plan_prepare(ctx, &each, request->jobs.at[i], &works[i], err)) {
            plan_name_job(err, request->jobs.at[i]);
            return false;
        }
        if (!several_add(&s, i, err))
            return false;
    }
    add_price_dates(&works[0], res);
    if (!several_plan(&s, res, err))
        return false;
    op_price_age_warn(ctx, &works[0].gathered.age);
    return true;
}

static bool plan_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct plan_request request = *(const struct plan_request *)in;
    struct plan_result *res = out;

    /* "stint plan JOB --write-config deepspeed BASE" */
    if (request.write_config.len > 0 && request.base.len == 0 && request.jobs.len == 2)
        request.base = request.jobs.at[--request.jobs.len];
    res->asked = request;
    /* A recheck writes nothing; but it plans for the software of a configuration. */
    res->asked.save = res->asked.csv = res->asked.base = (struct str){0};
    if (request.jobs.len > 1 || request.queue)
        return plan_several_jobs(ctx, &request, res, err);
    return plan_one_job(ctx, &request, res, err);
}

const struct op op_plan = {
    .name = "plan",
    .schema = PLAN_SCHEMA,
    .summary = "find the cheapest way to run a job, and explain it",
    .request = &plan_request_fields,
    .result = &plan_result_fields,
    .run = plan_run,
};
