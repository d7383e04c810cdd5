/* estimate - memory, time, energy, carbon and cost of a job on one set of machines. */
#include "op/estimate/estimate.h"
#include "op/context.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD_AS("job", TEXT, estimate_request, source.job, .value = "JOB", .operand = true,
             .required = true, .help = "job file, model name, or number of parameters: 7B"),
    FIELD_AS("on", TEXT, estimate_request, place.on, .value = "GPU[xN]",
             .also = accelerator_options, .help = "GPUs to run on: H100x8"),
    FIELD_AS("offer", TEXT, estimate_request, place.offer, .value = "OFFER",
             .help = "machine: aws/p5.48xlarge, aws/us-east-1/p5.48xlarge:spot"),
    FIELD_AS("market", CHOICE, estimate_request, place.market, .value = "MARKET",
             .choices = market_names, .only = MARKETS_HOURLY,
             .help = "market of the price: on-demand (default) or spot"),
    FIELD_AS("price", RATE, estimate_request, place.price, .value = "PRICE",
             .help = "price of one machine, instead of the catalog's: 12usd/hr"),
    FIELD_AS("supply", TEXTS, estimate_request, place.supply, .value = "OFFER=N",
             .help = "machines you can get, instead of the limit assumed: vast=4"),
    FIELD(TEXT, estimate_request, sweep, .value = "KEY=A..B",
          .help = "vary a key and print a table: batch=1..64, zero=0..3, gpus=1..64"),
    FIELD(FLAG, estimate_request, explain,
          .help = "show each formula with its numbers, even if the job does not fit"),
    FIELD_AS("raw", FLAG, estimate_request, source.raw,
             .help = "ignore corrections from your runs (calibrate)"),
    JOB_SOURCE_OPTIONS(estimate_request),
};

/* What a sweep over GPUs needs to find machines. */
struct sweep_place {
    struct op_context *ctx;
    const struct job_input *job;
    const struct place_request *ask;
};

/* With a named offer, more of those machines, if they can be joined; else another number may be
 * cheaper elsewhere. */
static bool place_with_gpus(void *ctx, int64_t gpus, struct estimate_place *out,
                            struct error *err)
{
    const struct sweep_place *s = ctx;
    struct job_place found;

    if (!op_place(s->ctx, s->job, s->ask, gpus, &found, err))
        return false;
    *out = found.place;
    return true;
}

static bool sweep_job(struct op_context *ctx, const struct estimate_request *req,
                      const struct job_input *job, const struct estimate_input *in,
                      struct estimate *out, struct error *err)
{
    struct sweep_place place = {ctx, job, &req->place};
    struct estimate_sweep sweep = {.values = req->sweep,
                                   .given = &job->given,
                                   .config = job->config,
                                   .place = place_with_gpus,
                                   .ctx = &place};
    struct error ignored = {0};

    /* The job without changes may be impossible; some of its variants may not. */
    if (!estimate_job(in, ctx->arena, out, &ignored)) {
        if (ignored.kind == ERROR_MEMORY)
            return error_memory(err);
        if (!fields_reset(&estimate_fields, out, ctx->arena, err))
            return false;
    }
    return estimate_sweep(in, &sweep, ctx->arena, out, err);
}

static bool estimate_run(struct op_context *ctx, const void *request_record, void *result,
                         struct error *err)
{
    const struct estimate_request *req = request_record;
    struct estimate *out = result;
    struct job_input job;
    struct job_place place;
    struct estimate_input in = {.job = &job.job,
                                .place = &place.place,
                                .constants = &job.constants,
                                .catalog = &ctx->catalog,
                                .messages = &ctx->messages,
                                .explain = req->explain};

    if (!op_job_read(ctx, &req->source, &job, err) ||
        !op_place(ctx, &job, &req->place, 0, &place, err))
        return false;
    if (req->sweep.len > 0) {
        if (!sweep_job(ctx, req, &job, &in, out, err))
            return false;
        out->not_used = job.job.tool_unused;
        return true;
    }
    if (!estimate_job(&in, ctx->arena, out, err))
        return false;
    out->not_used = job.job.tool_unused;
    place_warn(&place.place, &ctx->messages);
    estimate_check_limits(&in, out, ctx->arena);
    return req->explain || estimate_check_fit(&in, out, job_shown(req->source.job), err);
}

const struct op op_estimate = {
    .name = "estimate",
    .schema = "stint.estimate/1",
    .summary = "estimate memory, time, energy and cost of a job",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct estimate_request, request),
    .result = &estimate_fields,
    .run = estimate_run,
};
