/* A job from its file: work, start, prices and checkpoints as they are estimated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "op/context.h"
#include "op/job_source.h"
#include "op/place.h"
#include "op/spot/simulate_sweep.h"
#include "op/spot/spot_source.h"

#define MODEL_GAP 600   /* seconds of a tick of a made-up trace */
#define MODEL_COPIES 20 /* of them, unless --synthetic says otherwise */
#define MODEL_HOURS 24  /* that a machine is needed: chooses the zone, as spot.risk does */

/* Hours of one line of the costs. */
static double hours_of(const struct estimate *res, enum cost_line_id line)
{
    const struct estimate_line *lines = res->cost.at;

    for (size_t i = 0; i < res->cost.len; i++)
        if (str_eq(lines[i].name, str_from(cost_line_names[line])))
            return lines[i].hours;
    return 0;
}

/* A list of one length of time. */
static bool one_span(struct arena *arena, double hours, struct strs *out, struct error *err)
{
    struct str *at = arena_array(arena, struct str, 1, err);
    char text[40];

    if (at == NULL)
        return false;
    (void)snprintf(text, sizeof text, "%.0fs", hours * 3600);
    at->at = str_dup(str_from(text), arena, err);
    at->len = strlen(text);
    *out = (struct strs){at, 1};
    return at->at != NULL;
}

static void take_checkpoint(const struct sweep *s, const struct job_checkpoint *c,
                            struct simulate_request *req)
{
    if (req->checkpoint_size.n == UINT64_MAX)
        req->checkpoint_size = c->size;
    if (req->checkpoint_every.ns > 0)
        return;
    if (str_eq(c->resume, STR("no"))) {
        /* Nothing is kept: what is lost is all of it. */
        req->checkpoint_every = req->work;
        req->checkpoint_time = (span){0};
        message_note(s->messages, "the job cannot resume: an interruption loses all its work");
        return;
    }
    if (c->every.ns > 0) {
        req->checkpoint_every = c->every;
        if (req->checkpoint_time.ns < 0)
            req->checkpoint_time = c->save;
        return;
    }
    message_note(s->messages,
                 "interruptions lose no work: the job does not set checkpoint.every");
}

static bool take_times(struct sweep *s, const struct job *job, const struct estimate *res,
                       struct simulate_request *req, struct error *err)
{
    const struct job_checkpoint *c = &job->train.checkpoint;
    double setup = hours_of(res, COST_SETUP);
    double restart = c->restart.ns > 0 ? span_in_hours(c->restart) : 0;

    if (req->work.ns <= 0) {
        /* Starts and saves are simulated: they are no part of the work. */
        double hours = res->wall_hours - setup - hours_of(res, COST_CHECKPOINTS);

        if (!(hours > 0)) {
            error_set(err, ERROR_INPUT, "the run time of '%.*s' is unknown", STR_ARG(req->job));
            error_hint(err, "set the amount of data (--set data.tokens=1B), or add --work 48h");
            return false;
        }
        req->work = span_hours(hours);
    }
    if (req->delays.len == 0 && !one_span(s->arena, setup + restart, &req->delays, err))
        return false;
    if (req->deadlines.len == 0 && job->limits.deadline.ns > 0 &&
        !one_span(s->arena, span_in_hours(job->limits.deadline), &req->deadlines, err))
        return false;
    take_checkpoint(s, c, req);
    return true;
}

static bool take_prices(const struct machine *offer, struct simulate_request *req,
                        struct error *err)
{
    if (req->on_demand.nano == MONEY_UNKNOWN)
        req->on_demand = offer->on_demand;
    if (req->spot.nano == MONEY_UNKNOWN)
        req->spot = offer->spot;
    if (req->on_demand.nano != MONEY_UNKNOWN && req->spot.nano != MONEY_UNKNOWN)
        return true;
    error_set(err, ERROR_INPUT, "%.*s has no %s price", STR_ARG(offer->name),
              req->spot.nano == MONEY_UNKNOWN ? "spot" : "on-demand");
    error_hint(err, "give --on-demand and --spot, or name another --offer");
    return false;
}

/* The lifetimes of the offer, as the other questions about spot have them. One that no feed
 * tells has no history of its own. */
static bool model_lives(struct op_context *ctx, const struct sweep *s,
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
        if (!offer_lifetimes(ctx, &row, &place, err))
            return false;
        offer_gang_warn(ctx, req->gang);
    }
    *out = place.life;
    return true;
}

/* Traces that nobody watched: made up from what was seen of others. */
static bool make_model(struct op_context *ctx, struct sweep *s, const struct machine *offer,
                       struct simulate_request *req, struct error *err)
{
    struct sweep_zone *zone = &s->model;

    if (req->traces.len > 0)
        return true;
    if (!model_lives(ctx, s, offer, req, &zone->life, err))
        return false;
    zone->trace = (struct trace){.id = offer->name,
                                 .gap = MODEL_GAP,
                                 .nodes = (int32_t)req->gang,
                                 .start = STAMP_UNKNOWN,
                                 .on_demand = NAN,
                                 .spot = NAN};
    s->modelled = true;
    if (req->synthetic <= 0)
        req->synthetic = MODEL_COPIES;
    return true;
}

bool sweep_job(struct op_context *ctx, struct sweep *s, struct simulate_request *req,
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
    struct estimate e;

    if (req->on.len == 0 && req->offer.len == 0) {
        error_set(err, ERROR_USAGE, "simulate needs GPUs or an offer for '%.*s'",
                  STR_ARG(req->job));
        error_hint(err, "add --offer aws/p5.48xlarge, or --on H100x8");
        return false;
    }
    if (!op_job_read(ctx, &source, &job, err) ||
        !op_place(ctx, &job.job, &where, 0, &place, err) ||
        !estimate_job(&in, ctx->arena, &e, err))
        return false;
    op_place_warn(&place.place, ctx);
    estimate_check_limits(&in, &e, ctx->arena);
    if (!estimate_check_fit(&in, &e, req->job, err))
        return false;
    if (job.job.kind != JOB_TRAIN)
        return error_fail(err, ERROR_INPUT,
                          "'%.*s' is a serving job: it has no end to simulate",
                          STR_ARG(req->job));
    if (req->gang <= 1 && place.place.machines > 1)
        req->gang = place.place.machines;
    return take_times(s, &job.job, &e, req, err) && take_prices(&place.offer, req, err) &&
           make_model(ctx, s, &place.offer, req, err);
}
