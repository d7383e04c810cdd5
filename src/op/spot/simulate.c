/* simulate - what policies would have paid, and whether they were late, on traces of spot. */
#include "op/spot/simulate.h"

#include <string.h>

#include "op/context.h"
#include "op/job_source.h"
#include "op/op.h"
#include "op/place.h"
#include "op/spot/spot_source.h"
#include "plan/simulate_job.h"
#include "report/timeline.h"

#define SHARDS 8       /* jobs of an array, unless --shards is given */
#define MODEL_HOURS 24 /* that a machine is needed: chooses the zone, as spot.risk does */

/* The lifetimes of the offer, as for the other questions about spot. One that is in no feed has
 * no price history. */
static bool find_lifetimes(struct op_context *ctx, const struct sweep *s,
                           const struct machine *offer, const struct simulate_request *req,
                           struct lifetimes *out, struct error *err)
{
    struct spot_source source = {.offer = offer->name,
                                 .gang = req->gang,
                                 .spot = s->asked->spot,
                                 .on_demand = s->asked->on_demand};
    struct spot_wish wish = {.hours = MODEL_HOURS};
    struct spot_offer row = {.offer = offer->name, .provider = offer->provider};
    struct spot_place place = {.spot = usd_per_hour_double(req->spot),
                               .on_demand = usd_per_hour_double(req->on_demand)};

    if (!offer_place(ctx, &source, &wish, &place, err)) {
        if (err->kind != ERROR_ABSENT)
            return false;
        *err = (struct error){0};
        if (!op_catalog(ctx, TABLE_BIT(TABLE_INTERRUPTIONS), err) ||
            !spot_place_model(&row, &ctx->catalog, ctx->arena, &place, err))
            return false;
        spot_gang_warn(&ctx->messages, req->gang);
    }
    *out = place.life;
    return true;
}

/* Estimate the job of the request and complete the sweep with it; without traces, a model. */
static bool use_job(struct op_context *ctx, struct sweep *s, struct simulate_request *req,
                    struct error *err)
{
    struct job_source source = {.job = req->job, .set = req->set};
    struct place_request where = {.on = req->on,
                                  .offer = req->offer,
                                  .market = STR("on-demand"),
                                  .price = USD_PER_HOUR_UNKNOWN};
    struct job_input job;
    struct job_place place;
    struct estimate_input in = {.job = &job.job,
                                .place = &place.place,
                                .constants = &job.constants,
                                .catalog = &ctx->catalog,
                                .messages = &ctx->messages};
    struct lifetimes life;
    struct estimate e;

    if (req->on.len == 0 && req->offer.len == 0) {
        error_set(err, ERROR_USAGE, "simulate needs GPUs or an offer for '%.*s'",
                  STR_ARG(job_shown(req->job)));
        error_hint(err, "add --offer aws/p5.48xlarge, or --on H100x8");
        return false;
    }
    if (!op_job_read(ctx, &source, &job, err) || !op_place(ctx, &job, &where, 0, &place, err) ||
        !estimate_job(&in, ctx->arena, &e, err))
        return false;
    place_warn(&place.place, &ctx->messages);
    job_note_unused(&job.job.tool_unused, &ctx->messages);
    estimate_check_limits(&in, &e, ctx->arena);
    if (!estimate_check_fit(&in, &e, job_shown(req->job), err))
        return false;
    if (job.job.kind != JOB_TRAIN)
        return error_fail(err, ERROR_INPUT,
                          "'%.*s' is a serving job: it has no end to simulate",
                          STR_ARG(job_shown(req->job)));
    if (req->gang <= 1 && place.place.machines > 1)
        req->gang = place.place.machines;
    if (!simulate_job_fill(&job.job, &e, &place.offer, &ctx->messages, ctx->arena, req, err))
        return false;
    if (req->traces.len > 0)
        return true;
    if (!find_lifetimes(ctx, s, &place.offer, req, &life, err))
        return false;
    sweep_use_model(s, place.offer.name, &life, req);
    return true;
}

/* The settings of this command line, which parts of the sweep need too. */
static bool write_settings(const struct op_context *ctx, struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, (size_t)1 << 20);

    for (size_t i = 0; i < settings_fields.len; i++) {
        const char *origin = ctx->settings_origin->of[i];

        if (origin != NULL && strncmp(origin, "--", 2) == 0)
            sweep_write_option(&settings_fields.at[i], ctx->settings, ctx->arena->alloc, &text);
    }
    if (ctx->settings_origin->config_found) {
        static const struct field config =
            FIELD_AS("config", TEXT, settings_origin, config_path, .help = "");

        sweep_write_option(&config, ctx->settings_origin, ctx->arena->alloc, &text);
    }
    return buf_keep(&text, ctx->arena, out, err);
}

static bool simulate_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct simulate_request req = *(const struct simulate_request *)in;
    struct simulate_result *res = out;
    struct sweep_results results;
    struct sweep s = {.arena = ctx->arena,
                      .messages = &ctx->messages,
                      .catalog = &ctx->catalog,
                      .watch = ctx->watch,
                      .request = &req,
                      .asked = in};
    const char *folder = NULL;

    if (!sweep_check_options(&req, err))
        return false;
    if (req.shards <= 0 && (req.slurm || req.slurm_script))
        req.shards = SHARDS;
    if (req.sbatch.len == 0)
        req.sbatch = STR("sbatch");
    if ((req.job.len > 0 && !use_job(ctx, &s, &req, err)) ||
        (req.roam &&
         !op_catalog(ctx, TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_TRANSFER), err)) ||
        !sweep_plan(&s, err) ||
        (req.save_traces.len > 0 && !sweep_save_traces(&s, req.save_traces, err)))
        return false;
    if (req.timeline) {
        s.runs = 1;
    } else if (req.slurm || req.slurm_script) {
        if (!write_settings(ctx, &s.settings, err) || !sweep_slurm(&s, res, &folder, err))
            return false;
        if (folder == NULL)
            return true;
        req.gather = str_from(folder);
    }
    if (!sweep_simulate(&s, &results, err) || !sweep_sum_up(&s, &results, res, err))
        return false;
    if (req.per_run.len > 0 && !sweep_write_runs(&s, &results, req.per_run, err))
        return false;
    if (folder != NULL && req.resume.len == 0)
        sweep_slurm_clean(&s, folder);
    return !req.timeline || sweep_timeline(&s, res, err);
}

const struct op op_simulate = {
    .name = "simulate",
    .schema = "stint.simulate/1",
    .summary = "simulate the cost on spot, policy by policy",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &simulate_request_fields,
    .result = &simulate_result_fields,
    .run = simulate_run,
};
