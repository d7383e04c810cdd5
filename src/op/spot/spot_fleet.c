/* spot.fleet - machines of several zones and types for a capacity, at the wanted risk; which
 * jobs on spot. */
#include "op/spot/spot_fleet.h"

#include "base/fs.h"
#include "op/context.h"
#include "op/op.h"

#define FILE_MAX ((size_t)1 << 20)

static const struct field request[] = {
    FIELD_AS("gpus", COUNT, spot_fleet_request, fleet.wish.capacity, .value = "N",
             .positive = true, .help = "number of GPUs needed at once, in total"),
    FIELD(TEXT, spot_fleet_request, gpu, .value = "GPU", .also = accelerator_options,
          .help = "accelerator to use, such as H100"),
    MACHINE_ANY_FORM(spot_fleet_request, any_form),
    FIELD(COUNT, spot_fleet_request, count, .value = "N", .positive = true,
          .help = "minimum number of GPUs per machine"),
    MACHINE_PLACES(spot_fleet_request, providers, regions),
    FIELD_AS("max_price", RATE, spot_fleet_request, fleet.max_price, .value = "PRICE",
             .help = "maximum price of one machine, on spot or on demand, such as 30usd/hr"),
    FIELD_AS("for", SPAN, spot_fleet_request, length, .value = "TIME", .positive = true,
             .hours = true, .fallback = "24h", .help = "time for which it is needed"),
    FIELD_AS("max_risk", SHARE, spot_fleet_request, fleet.wish.max_risk, .value = "SHARE",
             .help = "maximum risk of losing more than --lost-share, such as 5%"),
    FIELD_AS("lost_share", SHARE, spot_fleet_request, fleet.wish.lost_share, .value = "SHARE",
             .fallback = "50%", .help = "share of the GPUs that may be lost at once"),
    FIELD_AS("max_lost", SHARE, spot_fleet_request, fleet.wish.max_lost, .value = "SHARE",
             .help = "maximum share of the GPUs lost on average"),
    FIELD_AS("no_on_demand", FLAG, spot_fleet_request, fleet.no_on_demand,
             .help = "use no on-demand machines"),
    FIELD(TEXTS, spot_fleet_request, supply, .value = "OFFER=N",
          .help = "machines you can get, instead of the limit assumed: vast=4"),
    FIELD_AS(
        "job", TEXTS, spot_fleet_request, jobs, .value = "JOB",
        .help =
            "jobs to place: train:48h, optionally with :MACHINES, :critical, :once or :by=60h"),
    FIELD_AS("jobs", TEXT, spot_fleet_request, job_file, .local = true, .value = "FILE",
             .help = "file of such jobs, one per line; # starts a comment"),
    FIELD(SPAN, spot_fleet_request, delay, .value = "TIME", .fallback = "6min",
          .help = "jobs: time from getting a machine until work continues"),
    FIELD(SPAN, spot_fleet_request, checkpoint, .value = "TIME",
          .help = "jobs: time to save a checkpoint; without it no work is lost"),
};

static const struct field result[] = {
    FIELD(RECORD, spot_fleet_result, fleet, .row = &fleet_fields, .inlined = true),
    FIELD(RECORD, spot_fleet_result, age, .row = &price_age_fields,
          .help = "age of the prices"),
    FIELD(RECORD, spot_fleet_result, mix, .row = &mix_fields, .inlined = true),
};

static bool find_fleet_offers(struct op_context *ctx, const struct spot_fleet_request *req,
                              struct price_spot_result *res, struct error *err)
{
    struct price_spot_request ask;

    if (!fields_reset(op_price_spot.request, &ask, ctx->arena, err) ||
        !fields_reset(op_price_spot.result, res, ctx->arena, err))
        return false;
    ask.gpu = req->gpu;
    ask.any_form = req->any_form;
    ask.providers = req->providers;
    ask.regions = req->regions;
    ask.count = req->count;
    ask.length = req->length;
    ask.all_zones = true;
    ask.limit = INT32_MAX;
    return op_price_spot.run(ctx, &ask, res, err);
}

static bool mix_jobs(struct op_context *ctx, const struct spot_fleet_request *req,
                     struct strs supply, struct rows offers, struct mix *out, struct error *err)
{
    struct mix_ask ask = {.jobs = req->jobs,
                          .delay = req->delay,
                          .checkpoint = req->checkpoint,
                          .max_price = req->fleet.max_price,
                          .catalog = &ctx->catalog,
                          .supply = supply,
                          .messages = &ctx->messages,
                          .unknown_noted = req->fleet.wish.capacity > 0};

    if (req->job_file.len > 0) {
        ask.file = str_dup(req->job_file, ctx->arena, err);
        if (ask.file == NULL || !fs_read(ask.file, FILE_MAX, ctx->arena, &ask.text, err))
            return false;
    }
    return mix_offers(&ask, offers, ctx->arena, out, err);
}

static bool spot_fleet_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct spot_fleet_request *req = in;
    struct spot_fleet_result *res = out;
    bool jobs = req->jobs.len > 0 || req->job_file.len > 0;
    struct fleet_ask ask = req->fleet;
    struct price_spot_result market;

    if (req->fleet.wish.capacity < 1 && !jobs) {
        error_set(err, ERROR_USAGE, "how many GPUs, or which jobs?");
        error_hint(err, "stint spot fleet --gpus 64 --gpu H100 --max-risk 5%%, or --job "
                        "train:48h:by=60h");
        return false;
    }
    if (req->fleet.wish.capacity > FLEET_UNITS_MAX)
        return error_fail(err, ERROR_USAGE, "--gpus is at most %d", FLEET_UNITS_MAX);
    if (!find_fleet_offers(ctx, req, &market, err) ||
        !op_catalog(ctx, TABLE_BIT(TABLE_NETWORKS), err) ||
        !op_supply(ctx, req->supply, &ask.supply, err))
        return false;
    ask.catalog = &ctx->catalog;
    res->age = market.age;
    res->fleet.hours = span_in_hours(req->length);
    res->fleet.lost_share = req->fleet.wish.lost_share;
    return (req->fleet.wish.capacity < 1 ||
            fleet_offers(&ask, market.offers, &ctx->messages, ctx->arena, &res->fleet, err)) &&
           (!jobs || mix_jobs(ctx, req, ask.supply, market.offers, &res->mix, err));
}

const struct op op_spot_fleet = {
    .name = "spot.fleet",
    .schema = "stint.spot.fleet/1",
    .summary = "spread machines over zones and jobs over markets",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct spot_fleet_request, request),
    .result = &(const struct field_set)FIELD_SET(struct spot_fleet_result, result),
    .run = spot_fleet_run,
};
