/* spot.risk - the chance of an interruption within a time, and what a job would cost. */
#include "op/spot/spot_risk.h"

#include "op/op.h"

static const struct field request[] = {
    SPOT_SOURCE_FIELDS(spot_risk_request),
    SPOT_RATE_FIELDS(spot_risk_request),
    FIELD_AS("for", SPAN, spot_risk_request, length, .value = "TIME", .positive = true,
             .hours = true, .fallback = "24h", .help = "time for which the risk is computed"),
    FIELD(SPAN, spot_risk_request, work, .value = "TIME", .positive = true, .hours = true,
          .help = "hours of work of a job, such as 48h: simulates its cost"),
    FIELD(SPAN, spot_risk_request, deadline, .value = "TIME", .positive = true, .hours = true,
          .help = "time from now until the job must be done (default: it waits for spot)"),
    FIELD(SPAN, spot_risk_request, delay, .value = "TIME", .hours = true, .fallback = "6min",
          .help = "time from getting a machine until work continues"),
    FIELD(SPAN, spot_risk_request, checkpoint, .value = "TIME",
          .help = "time to save a checkpoint; without it no work is lost"),
    FIELD(SPAN, spot_risk_request, notice, .value = "TIME",
          .help = "warning before an interruption, such as 2min"),
    FIELD(TEXT, spot_risk_request, policy, .value = "NAME", .fallback = "stint",
          .help = "policy that decides between spot, on-demand and waiting ('stint simulate' "
                  "lists all)"),
    FIELD(FLAG, spot_risk_request, spot_only,
          .help = "never use on-demand, even if the job is late"),
    FIELD(COUNT, spot_risk_request, runs, .value = "N", .positive = true, .fallback = "200",
          .help = "number of simulated runs"),
    FIELD(COUNT, spot_risk_request, seed, .value = "N", .fallback = "1",
          .help = "seed of the simulated markets"),
};

static bool check_risk_options(const struct spot_risk_request *req, struct error *err)
{
    if (req->work.ns <= 0 && (req->deadline.ns > 0 || req->checkpoint.ns > 0)) {
        error_set(err, ERROR_USAGE, "--%s needs --work",
                  req->deadline.ns > 0 ? "deadline" : "checkpoint");
        error_hint(err, "add --work 48h");
        return false;
    }
    if (req->runs > OUTLOOK_RUNS_MAX)
        return error_fail(err, ERROR_USAGE, "--runs is at most %d", OUTLOOK_RUNS_MAX);
    return true;
}

/* The job of the request, as the simulation takes it. */
static struct outlook_ask risk_job_of(const struct spot_risk_request *req,
                                      const struct policy *policy)
{
    return (struct outlook_ask){.job = {.work = span_in_seconds(req->work),
                                        .deadline = span_in_seconds(req->deadline),
                                        .delay = span_in_seconds(req->delay),
                                        .gang = (int32_t)req->source.gang,
                                        .by_second = true,
                                        .save_takes = span_in_seconds(req->checkpoint),
                                        .notice = span_in_seconds(req->notice)},
                                .policy = req->spot_only ? NULL : policy,
                                .seed = (uint64_t)req->seed,
                                .runs = (size_t)req->runs};
}

static bool spot_risk_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct spot_risk_request *req = in;
    struct spot_risks *res = out;
    struct risk_ask ask = {.length = req->length, .gang = req->source.gang};
    struct spot_wish wish = {.hours = span_in_hours(req->length)};
    struct spot_place *places;
    struct policy policy;
    size_t count;

    if (!check_risk_options(req, err) || !policy_named(req->policy, &policy, err))
        return false;
    ask.job = risk_job_of(req, &policy);
    wish.job = req->work.ns > 0 ? &ask.job : NULL;
    if (!spot_places(ctx, &req->source, &wish, &places, &count, err) ||
        !spot_risks(&ask, places, count, &ctx->messages, ctx->arena, res, err))
        return false;
    if (req->work.ns <= 0)
        return true;
    res->runs = req->runs;
    res->work_h = span_in_hours(req->work);
    res->delay_h = span_in_seconds(req->delay) / 3600;
    if (req->deadline.ns > 0)
        res->deadline_h = span_in_hours(req->deadline);
    res->policy = req->spot_only || req->deadline.ns <= 0 ? STR("spot alone") : req->policy;
    return true;
}

const struct op op_spot_risk = {
    .name = "spot.risk",
    .schema = "stint.spot.risk/1",
    .summary = "show interruption risk and what it costs a job",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct spot_risk_request, request),
    .result = &spot_risks_fields,
    .run = spot_risk_run,
};
