/* A job from its file: work, start, prices and checkpoints as they are estimated. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "op/estimate/estimate_work.h"
#include "op/spot/simulate_sweep.h"
#include "op/spot/spot_source.h"

#define MODEL_GAP 600   /* seconds of a tick of a made-up trace */
#define MODEL_COPIES 20 /* of them, unless --synthetic says otherwise */
#define MODEL_HOURS 24  /* that a machine is needed: chooses the zone, as spot.risk does */

/* Hours of one line of the costs. */
static double hours_of(const struct estimate_result *res, enum cost_line_id line)
{
    const struct estimate_line *lines = res->cost.at;

    for (size_t i = 0; i < res->cost.len; i++)
        if (str_eq(lines[i].name, str_from(cost_line_names[line])))
            return lines[i].hours;
    return 0;
}

/* A list of one length of time. */
static bool one_span(struct op_context *ctx, double hours, struct strs *out, struct error *err)
{
    struct str *at = arena_array(ctx->arena, struct str, 1, err);
    char text[40];

    if (at == NULL)
        return false;
    (void)snprintf(text, sizeof text, "%.0fs", hours * 3600);
    at->at = str_dup(str_from(text), ctx->arena, err);
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
        message_note(&s->ctx->messages,
                     "the job cannot resume: with a machine all its work is lost");
        return;
    }
    if (c->every.ns > 0) {
        req->checkpoint_every = c->every;
        if (req->checkpoint_time.ns < 0)
            req->checkpoint_time = c->save;
        return;
    }
    message_note(&s->ctx->messages,
                 "no work is lost with a machine: the job does not say checkpoint.every");
}

static bool take_times(struct sweep *s, const struct estimate_work *w,
                       const struct estimate_result *res, struct simulate_request *req,
                       struct error *err)
{
    const struct job_checkpoint *c = &w->job.train.checkpoint;
    double setup = hours_of(res, COST_SETUP);
    double restart = c->restart.ns > 0 ? span_in_hours(c->restart) : 0;

    if (req->work.ns <= 0) {
        /* Starts and saves are simulated: they are no part of the work. */
        double hours = res->wall_hours - setup - hours_of(res, COST_CHECKPOINTS);

        if (!(hours > 0)) {
            error_set(err, ERROR_INPUT, "how long '%.*s' runs is not known", STR_ARG(req->job));
            error_hint(err, "say how much data it has (--set data.tokens=1B), or --work 48h");
            return false;
        }
        req->work = span_hours(hours);
    }
    if (req->delays.len == 0 && !one_span(s->ctx, setup + restart, &req->delays, err))
        return false;
    if (req->deadlines.len == 0 && w->job.limits.deadline.ns > 0 &&
        !one_span(s->ctx, span_in_hours(w->job.limits.deadline), &req->deadlines, err))
        return false;
    take_checkpoint(s, c, req);
    return true;
}

static bool take_prices(const struct estimate_work *w, struct simulate_request *req,
                        struct error *err)
{
    const struct offer_view *offer = &w->place.offer;

    if (req->on_demand.nano == MONEY_UNKNOWN)
        req->on_demand = offer->on_demand;
    if (req->spot.nano == MONEY_UNKNOWN)
        req->spot = offer->spot;
    if (req->on_demand.nano != MONEY_UNKNOWN && req->spot.nano != MONEY_UNKNOWN)
        return true;
    error_set(err, ERROR_INPUT, "%.*s has no %s price", STR_ARG(offer->offer),
              req->spot.nano == MONEY_UNKNOWN ? "spot" : "on-demand");
    error_hint(err, "give --on-demand and --spot, or name another --offer");
    return false;
}

/* The lifetimes of the offer, as the other questions about spot have them. One that no feed
 * tells has no history of its own. */
static bool model_lives(struct sweep *s, const struct estimate_work *w,
                        const struct simulate_request *req, struct lifetimes *out,
                        struct error *err)
{
    const struct offer_view *offer = &w->place.offer;
    struct spot_source source = {.offer = offer->offer,
                                 .gang = req->gang,
                                 .spot = s->asked->spot,
                                 .on_demand = s->asked->on_demand};
    struct spot_wish wish = {.hours = MODEL_HOURS};
    struct spot_offer row = {.offer = offer->offer, .provider = offer->provider};
    struct spot_place place = {.spot = usd_per_hour_double(req->spot),
                               .on_demand = usd_per_hour_double(req->on_demand)};

    if (!offer_place(s->ctx, &source, &wish, &place, err)) {
        if (err->kind != ERROR_ABSENT)
            return false;
        *err = (struct error){0};
        if (!offer_lifetimes(s->ctx, &row, &place, err))
            return false;
        offer_gang_warn(s->ctx, req->gang);
    }
    *out = place.life;
    return true;
}

/* Traces that nobody watched: made up from what was seen of others. */
static bool make_model(struct sweep *s, const struct estimate_work *w,
                       struct simulate_request *req, struct error *err)
{
    struct sweep_zone *zone = &s->model;

    if (req->traces.len > 0)
        return true;
    if (!model_lives(s, w, req, &zone->life, err))
        return false;
    zone->trace = (struct trace){.id = w->place.offer.offer,
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

bool sweep_job(struct sweep *s, struct simulate_request *req, struct error *err)
{
    struct estimate_request asked;
    struct estimate_result res;
    struct estimate_work w = {.ctx = s->ctx, .request = &asked};

    if (req->on.len == 0 && req->offer.len == 0) {
        error_set(err, ERROR_USAGE, "simulate needs to know on what '%.*s' runs",
                  STR_ARG(req->job));
        error_hint(err, "say --offer aws/p5.48xlarge, or --on H100x8");
        return false;
    }
    if (!fields_reset(op_estimate.request, &asked, s->ctx->arena, err))
        return false;
    asked.job = req->job;
    asked.on = req->on;
    asked.offer = req->offer;
    asked.set = req->set;
    asked.market = STR("on-demand");
    if (!estimate_one(&w, &res, err))
        return false;
    if (w.job.kind != JOB_TRAIN) {
        error_set(err, ERROR_INPUT, "'%.*s' serves: there is no end that it could be late for",
                  STR_ARG(req->job));
        return false;
    }
    if (req->gang <= 1 && w.place.machines > 1)
        req->gang = w.place.machines;
    return take_times(s, &w, &res, req, err) && take_prices(&w, req, err) &&
           make_model(s, &w, req, err);
}
