#include "op/advise/advise_job.h"

#include <math.h>

#include "advise/rules/cleaner.h"
#include "advise/rules/compression.h"
#include "advise/rules/job_facts.h"
#include "op/context.h"
#include "op/data_measure.h"
#include "op/job_source.h"
#include "op/op.h"
#include "op/place.h"
#include "plan/record.h"

#define PLANS_MOST 8

/* What the facts refer to. */
struct job_facts {
    struct job_input job;
    struct job_place place;
    struct estimate_input input;
    struct estimate base;
    struct advise_job facts;
    struct job_source source; /* for the planner: the data as it was measured */
    struct plan_data data;
};

/* `gpus`: this many, instead of those of the place; 0: as they are. */
static bool estimate_on(struct op_context *ctx, const struct place_request *place, int64_t gpus,
                        struct job_facts *f, struct error *err)
{
    f->input = (struct estimate_input){.job = &f->job.job,
                                       .place = &f->place.place,
                                       .constants = &f->job.constants,
                                       .catalog = &ctx->catalog,
                                       .messages = &ctx->messages};
    return op_place(ctx, &f->job, place, gpus, &f->place, err) &&
           estimate_job(&f->input, ctx->arena, &f->base, err);
}

/* What the planner would rent: its choices, the best first. The operation itself,
 * so that the numbers are those of 'stint plan'; none where it has no plan. */
static bool plan_options(struct op_context *ctx, const struct job_source *source,
                         struct rows *out, struct error *err)
{
    struct op_context quiet = *ctx;
    struct advise_option *options =
        arena_array(ctx->arena, struct advise_option, PLANS_MOST, err);
    struct plan_request ask;
    struct plan_result plan;
    struct error none = {0};
    size_t count = 0;

    *out = (struct rows){options, 0};
    quiet.messages = (struct messages){0};
    if (options == NULL || !fields_reset(&plan_request_fields, &ask, ctx->arena, err))
        return false;
    ask.jobs = (struct strs){&source->job, 1};
    ask.source = *source;
    ask.source.job = (struct str){0};
    if (!op_run(&quiet, op_find(STR("plan")), &ask, &plan, &none)) {
        if (none.kind == ERROR_MEMORY)
            *err = none;
        return none.kind != ERROR_MEMORY;
    }
    while (count < plan.plans.len && count < PLANS_MOST) {
        options[count] = advise_option_of_plan((const struct plan_row *)plan.plans.at + count);
        count++;
    }
    out->len = count;
    return true;
}

/* On the fewest A100 that hold it. */
static bool estimate_usual(struct op_context *ctx, struct job_facts *f, struct error *err)
{
    static const char *const usual[] = {"A100",   "A100x2",  "A100x4",
                                        "A100x8", "A100x16", "A100x32"};

    for (size_t i = 0; i < ARRAY_LEN(usual); i++) {
        const struct place_request place = {.on = str_from(usual[i]),
                                            .price = USD_PER_HOUR_UNKNOWN};
        struct error why = {0};

        if (estimate_on(ctx, &place, 0, f, &why) && f->base.fits) {
            message_note(&ctx->messages,
                         "advice is for %s: add --on GPU[xN] or --offer OFFER for where the "
                         "job runs",
                         usual[i]);
            return true;
        }
        if (why.kind != ERROR_NONE && why.kind != ERROR_UNFIT) {
            *err = why;
            return false;
        }
    }
    error_set(err, ERROR_UNFIT, "the job does not fit on 32 A100");
    error_hint(err, "add --on GPU[xN]; 'stint plan' finds where it fits");
    return false;
}

/* On the machines of a plan; where so many are not joined, on one of them. False with the error
 * unset: the job does not fit as it is. */
static bool estimate_plan(struct op_context *ctx, const struct advise_option *plan,
                          struct job_facts *f, struct error *err)
{
    const struct place_request place = {.offer = plan->offer, .price = USD_PER_HOUR_UNKNOWN};
    int64_t gpus = f->job.job.kind == JOB_TRAIN ? plan->gpus : 0;
    struct error none = {0};

    if (!estimate_on(ctx, &place, gpus, f, &none) && none.kind != ERROR_MEMORY && gpus > 0) {
        none = (struct error){0};
        (void)estimate_on(ctx, &place, 0, f, &none);
    }
    if (none.kind == ERROR_MEMORY)
        *err = none;
    if (none.kind != ERROR_NONE || !f->base.fits)
        return false;
    message_note(&ctx->messages,
                 "advice is for %lldx %.*s at %.*s, %s: --on GPU[xN] or --offer OFFER says "
                 "where the job runs",
                 (long long)(f->base.gpus > 0 && gpus > 0 ? f->base.gpus : plan->gpus),
                 STR_ARG(plan->gpu), STR_ARG(plan->offer),
                 plan == f->facts.options.at ? "the best plan" : "a plan on demand");
    return true;
}

/* Where the planner would run it without spot; where it has no plan, on A100. */
static bool estimate_planned(struct op_context *ctx, struct job_facts *f, struct error *err)
{
    const struct advise_option *plans = f->facts.options.at;

    for (size_t i = 0; i < f->facts.options.len; i++) {
        if (plans[i].market == MARKET_SPOT)
            continue;
        if (estimate_plan(ctx, &plans[i], f, err))
            return true;
        if (err->kind != ERROR_NONE)
            return false;
    }
    return estimate_usual(ctx, f, err);
}

/* Its folder is walked and measured once. */
static bool keep_job_data(struct op_context *ctx, const struct job_source *source,
                          struct job_facts *f, struct error *err)
{
    f->source = *source;
    f->source.data_known = true;
    return f->job.data == NULL || op_job_data_keep(ctx, &f->job, &f->source.set, err);
}

/* What moving it to where the job runs takes. */
static bool add_job_data(struct op_context *ctx, struct job_facts *f, struct error *err)
{
    const struct estimate_place *here = &f->place.place;
    struct data_case in = {.folder = f->job.job.train.data.path,
                           .at = f->job.job.train.data.at,
                           .provider = here->provider,
                           .region = here->region,
                           .price = usd_per_hour_times(here->price, here->machines),
                           .catalog = &ctx->catalog};

    return f->job.data == NULL ||
           (op_data_measure(ctx, f->job.data_folder, f->job.data, &in, err) &&
            data_ways(&in, ctx->arena, &f->data, err));
}

bool advise_job_facts(struct op_context *ctx, const struct job_source *source,
                      const struct place_request *place, struct advise_facts *out,
                      struct error *err)
{
    struct job_facts *f = arena_array(ctx->arena, struct job_facts, 1, err);
    bool named = place->on.len > 0 || place->offer.len > 0;
    struct estimate_place *here;
    struct rows options;

    if (f == NULL || !op_job_read(ctx, source, &f->job, err))
        return false;
    if (!keep_job_data(ctx, source, f, err) ||
        !plan_options(ctx, &f->source, &f->facts.options, err) ||
        !(named ? estimate_on(ctx, place, 0, f, err) : estimate_planned(ctx, f, err)))
        return false;
    options = f->facts.options;
    here = &f->place.place;
    place_warn(here, &ctx->messages);
    job_note_unused(&f->job.job.tool_unused, &ctx->messages);
    if (!estimate_check_fit(&f->input, &f->base, job_shown(source->job), err) ||
        !add_job_data(ctx, f, err))
        return false;
    if (f->base.kind == JOB_TRAIN && isnan(f->base.hours.value))
        message_warn(&ctx->messages, "the job does not say how much data there is: savings "
                                     "need --tokens N or --examples N");
    f->facts = (struct advise_job){.input = &f->input,
                                   .given = &f->job.given,
                                   .config = f->job.config,
                                   .typed = job_shown(source->job),
                                   .base = &f->base,
                                   .options = options,
                                   .monthly = f->base.kind == JOB_INFER};
    *out = (struct advise_facts){.per = f->facts.monthly ? STR("month") : STR("run"),
                                 .from = STAMP_UNKNOWN,
                                 .until = STAMP_UNKNOWN,
                                 .limit = USD_UNKNOWN,
                                 .job = &f->facts,
                                 .job_name = f->base.name.len > 0 ? f->base.name
                                                                  : job_shown(source->job),
                                 .data = f->job.data != NULL ? &f->data : NULL,
                                 .catalog = &ctx->catalog};
    if (f->facts.monthly)
        advise_serving_month(&f->job.job.infer, &f->base, here, &out->job_money);
    else
        advise_job_money(&f->base, &out->job_money);
    return op_catalog(ctx, TABLE_BIT(TABLE_COMPRESSION) | TABLE_BIT(TABLE_CARBON_HOURS), err) &&
           op_places_instead(ctx, &f->job.job, here, PLACES_BY_GPU, &f->facts.places, err) &&
           op_places_instead(ctx, &f->job.job, here, PLACES_BY_REGION, &f->facts.regions, err);
}

bool advise_job_compression(struct op_context *ctx, const struct advise_job *job,
                            struct rows *out, struct error *err)
{
    const struct compression_input in = {.job = job->input->job,
                                         .constants = job->input->constants,
                                         .catalog = &ctx->catalog,
                                         .places = job->places.at,
                                         .place_count = job->places.len};

    *out = (struct rows){NULL, 0};
    return job->given->kind != JOB_INFER || !job->input->job->arch_known ||
           compression_compare(&in, ctx->arena, out, err);
}

bool advise_job_cleaner(struct op_context *ctx, const struct advise_job *job, struct rows *out,
                        struct error *err)
{
    return cleaner_find(job, job->regions.at, job->regions.len, ctx->arena, out, err);
}
