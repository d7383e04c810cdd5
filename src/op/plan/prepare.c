#include "op/plan/prepare.h"

#include "base/num.h"
#include "op/context.h"
#include "op/market.h"
#include "op/plan/offer_history.h"
#include "plan/cpu_way.h"

static bool read_plan_job(struct op_context *ctx, const struct plan_request *r, struct str job,
                          struct job_input *out, struct error *err)
{
    struct job_source source = r->source;

    source.job = job;
    return op_job_read(ctx, &source, out, err);
}

static void note_machine(void *ctx, const struct machine *m)
{
    struct currency_notes *notes = ctx;

    if (m->on_demand.nano == MONEY_UNKNOWN && m->spot.nano == MONEY_UNKNOWN) {
        currency_notes_missing(notes, m->foreign);
        return;
    }
    currency_notes_rate(notes, m->rate);
    notes->discounted += m->list_on_demand.nano > 0 || m->list_spot.nano > 0;
}

/* All machines, with the limits that they break. */
static bool select_plan_machines(struct op_context *ctx, struct plan_gather_ask *ask,
                                 struct error *err)
{
    const struct job_limits *job = &ask->places.job->limits;
    const struct machine_limits limits = {
        .providers = {ask->providers, job->providers},
        .regions = {ask->regions, job->regions},
        .gpus = {ask->gpus, job->gpus},
        .min_reliability = num_known_or(ask->min_reliability, job->min_reliability)};
    struct machine_query query = machine_query_all();
    struct machine *machines;

    query.kind = STR("any");
    query.limits = &limits;
    if (!op_machines(ctx, &query, &machines, &ask->places.machine_count, err))
        return false;
    ask->places.machines = machines;
    return true;
}

bool plan_gather(struct op_context *ctx, struct plan_gather_ask *ask, struct plan_gathered *out,
                 struct error *err)
{
    struct plan_places_ask *places = &ask->places;

    *out = (struct plan_gathered){
        .age = {.newest = DAY_UNKNOWN, .oldest = DAY_UNKNOWN, .newest_days = -1}};
    if (!op_catalog(ctx, PLAN_PLACE_TABLES, err) ||
        !op_supply(ctx, places->supply, &places->supply, err) ||
        !select_plan_machines(ctx, ask, err))
        return false;
    places->catalog = &ctx->catalog;
    places->today = op_today(ctx);
    places->country = ctx->settings->country;
    places->owned_setting = ctx->settings->owned;
    places->seen = note_machine;
    places->seen_ctx = &out->notes;
    if (!plan_places(places, ctx->arena, &out->places, &out->count, &out->facts, err))
        return false;
    currency_notes_say(&out->notes, &ctx->messages);
    for (size_t i = 0; i < out->count; i++)
        op_price_age(ctx, out->places[i].date, &out->age);
    return true;
}

static bool find_places(struct op_context *ctx, struct plan_work *w,
                        const struct plan_work *like, struct error *err)
{
    struct planning *p = &w->planning;
    const struct plan_request *r = p->request;
    struct plan_gather_ask ask = {.places = {.job = p->job,
                                             .market = r->market,
                                             .max_age = r->max_age,
                                             .platform = r->platform,
                                             .owned = r->owned,
                                             .supply = r->supply,
                                             .weeks = r->within.ns > 0},
                                  .providers = r->providers,
                                  .regions = r->regions,
                                  .gpus = r->gpus,
                                  .min_reliability = r->min_reliability};
    const struct strs *notes = &w->gathered.facts.notes;

    if (like != NULL) {
        ask.places.ages = &like->gathered.facts.ages;
        ask.places.spot_ages = &like->gathered.facts.spot_ages;
    }
    if (!plan_gather(ctx, &ask, &w->gathered, err))
        return false;
    p->places = w->gathered.places;
    p->place_count = w->gathered.count;
    p->ages = w->gathered.facts.ages;
    p->spot_ages = w->gathered.facts.spot_ages;
    for (size_t i = 0; i < notes->len; i++)
        if (!plan_note(p, err, "%.*s", (int)notes->at[i].len, notes->at[i].at))
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
    struct week_offer offer = {place->machine->provider, place->machine->region,
                               place->machine->instance, place->market};

    return op_offer_week(ctx, &offer, out, err);
}

bool plan_prepare(struct op_context *ctx, const struct plan_request *request, struct str job,
                  struct plan_work *out, struct error *err)
{
    return plan_prepare_like(ctx, request, job, NULL, out, err);
}

bool plan_prepare_like(struct op_context *ctx, const struct plan_request *request,
                       struct str job, const struct plan_work *like, struct plan_work *out,
                       struct error *err)
{
    struct plan_request *expanded = arena_array(ctx->arena, struct plan_request, 1, err);
    struct planning *p = &out->planning;

    *out = (struct plan_work){0};
    if (expanded == NULL || !read_plan_job(ctx, request, job, &out->job, err))
        return false;
    *expanded = *request;
    if (!op_regions(ctx, request->regions, &expanded->regions, err) ||
        !op_regions(ctx, out->job.job.limits.regions, &out->job.job.limits.regions, err))
        return false;
    *p = (struct planning){
        .arena = ctx->arena,
        .messages = &ctx->messages,
        .now = op_now(ctx),
        .accounts = ctx->settings->providers.len > 0,
        .request = expanded,
        .job = &out->job.job,
        .constants = &out->job.constants,
        .catalog = &ctx->catalog,
        .week = week_of_place,
        .week_ctx = ctx,
    };
    return planning_limits(p, err) && find_places(ctx, out, like, err) &&
           find_measured(ctx, p, err) && planning_search(p, err);
}

bool plan_add_deployments_of(struct op_context *ctx, struct planning *p,
                             const struct plan *best, struct deploy_facts *facts,
                             struct plan_result *res, struct error *err)
{
    facts->catalog = &ctx->catalog;
    facts->accounts = ctx->settings->providers;
    return !plan_has_deployments(p) || (op_catalog(ctx, PLAN_DEPLOY_TABLES, err) &&
                                        plan_deployments(p, facts, best, res, err));
}

bool plan_add_cpu(struct op_context *ctx, struct planning *p, const struct plan *best,
                  struct plan_result *res, struct error *err)
{
    struct deploy_facts facts = {.catalog = &ctx->catalog,
                                 .accounts = ctx->settings->providers};

    return !plan_may_be_on_cpu(p, best) || (op_catalog(ctx, PLAN_CPU_TABLES, err) &&
                                            plan_add_cpu_way(p, &facts, best, res, err));
}

bool plan_add_deployments(struct op_context *ctx, struct planning *p, const struct plan *best,
                          struct plan_result *res, struct error *err)
{
    struct deploy_facts facts = {0};

    return plan_add_deployments_of(ctx, p, best, &facts, res, err);
}
