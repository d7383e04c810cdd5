/* spot.risk - the chance of an interruption within a time, and what a job would cost. */
#include "op/spot/spot_risk.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>

#include "spot/hazard.h"
#include "spot/outlook.h"
#include "spot/watched.h"

#define NS INT64_C(1000000000)
#define SIGMA 1.6449 /* that many deviations either side hold SPOT_INTERVAL */

static const struct field request[] = {
    SPOT_SOURCE_FIELDS(spot_risk_request),
    SPOT_RATE_FIELDS(spot_risk_request),
    FIELD_AS("for", SPAN, spot_risk_request, length, .value = "TIME", .positive = true,
             .hours = true, .fallback = "24h", .help = "the risk within this time"),
    FIELD(SPAN, spot_risk_request, work, .value = "TIME", .positive = true, .hours = true,
          .help = "a job's hours of work, such as 48h: gives its cost by simulation"),
    FIELD(SPAN, spot_risk_request, deadline, .value = "TIME", .positive = true, .hours = true,
          .help = "when the job must be done, from now; without one it waits for spot"),
    FIELD(SPAN, spot_risk_request, delay, .value = "TIME", .hours = true, .fallback = "6min",
          .help = "from getting a machine until work goes on"),
    FIELD(SPAN, spot_risk_request, checkpoint, .value = "TIME",
          .help = "what saving takes; without it no work is lost"),
    FIELD(SPAN, spot_risk_request, notice, .value = "TIME",
          .help = "warning before a loss, such as 2min"),
    FIELD(TEXT, spot_risk_request, policy, .value = "NAME", .fallback = "stint",
          .help = "that decides between spot, on-demand and waiting: 'stint simulate' has all"),
    FIELD(FLAG, spot_risk_request, spot_only, .help = "never on demand, even if it gets late"),
    FIELD(COUNT, spot_risk_request, runs, .value = "N", .positive = true, .fallback = "200",
          .help = "simulated"),
    FIELD(COUNT, spot_risk_request, seed, .value = "N", .fallback = "1",
          .help = "of the simulated markets: the same gives the same"),
};

static const struct field place_fields[] = {
    FIELD(TEXT, spot_risk_row, place, .help = "the trace's zone, or the offer"),
    FIELD(TEXT, spot_risk_row, method, .help = "what the risk rests on"),
    FIELD(RATE, spot_risk_row, spot, .help = "one machine for an hour, on spot"),
    FIELD(RATE, spot_risk_row, on_demand, .help = "one machine for an hour, on demand"),
    FIELD(TEXT, spot_risk_row, seen, .help = "when the spot price was last confirmed"),
    FIELD(SHARE, spot_risk_row, risk, .help = "of a loss within the time asked"),
    FIELD(SHARE, spot_risk_row, risk_low, .help = "90 % interval"),
    FIELD(SHARE, spot_risk_row, risk_high, .help = "90 % interval"),
    FIELD(SHARE, spot_risk_row, risk_new,
          .help = "likewise, of a machine got as soon as there is one again"),
    FIELD(COUNT, spot_risk_row, spells, .help = "measured: times it could be had, in a row"),
    FIELD(COUNT, spot_risk_row, losses, .help = "measured: how many of them ended"),
    FIELD(NUMBER, spot_risk_row, watched_h, .help = "measured: hours watched"),
    FIELD(SHARE, spot_risk_row, up, .help = "share of the time that it can be had"),
    FIELD(USD, spot_risk_row, mean_usd, .help = "simulated: mean cost of the job"),
    FIELD(USD, spot_risk_row, error_usd, .help = "its standard error"),
    FIELD(USD, spot_risk_row, p10_usd, .help = "10 % of runs cost at most this"),
    FIELD(USD, spot_risk_row, p50_usd, .help = "half of them"),
    FIELD(USD, spot_risk_row, p90_usd, .help = "90 % of them"),
    FIELD(USD, spot_risk_row, on_demand_usd, .help = "the job on demand alone"),
    FIELD(NUMBER, spot_risk_row, saving,
          .help = "of that, as a share; negative: more expensive"),
    FIELD(SHARE, spot_risk_row, on_time,
          .help = "simulated: share done by the deadline; null: there is none"),
    FIELD(NUMBER, spot_risk_row, hours_p10, .help = "simulated: hours until done, 10 %"),
    FIELD(NUMBER, spot_risk_row, hours_p50, .help = "half of the runs"),
    FIELD(NUMBER, spot_risk_row, hours_p90, .help = "90 %; null: not within the simulation"),
    FIELD(NUMBER, spot_risk_row, expected_losses, .help = "simulated: of machines, mean"),
    FIELD(NUMBER, spot_risk_row, overhead, .help = "machine time besides the work, a share"),
    FIELD(SPAN, spot_risk_row, save_every, .help = "best checkpoint interval, of work"),
    FIELD(TEXT, spot_risk_row, worth,
          .help = "yes: spot saves more than chance, and gets done; no; null: not asked"),
};

static const struct field_set place_set = FIELD_SET(struct spot_risk_row, place_fields);

static const struct field result[] = {
    FIELD(LIST, spot_risk_result, places, .row = &place_set, .help = "as asked for"),
    FIELD(NUMBER, spot_risk_result, hours, .help = "within which the risk is"),
    FIELD(SHARE, spot_risk_result, interval, .help = "what risk_low to risk_high hold"),
    FIELD(COUNT, spot_risk_result, gang, .help = "machines at once"),
    FIELD(COUNT, spot_risk_result, runs, .help = "simulated for each place"),
    FIELD(NUMBER, spot_risk_result, work_h, .help = "hours of work of the job"),
    FIELD(NUMBER, spot_risk_result, deadline_h, .help = "hours until its deadline"),
    FIELD(NUMBER, spot_risk_result, delay_h, .help = "hours that a start takes"),
    FIELD(TEXT, spot_risk_result, policy, .help = "that was simulated"),
};

struct question {
    struct op_context *ctx;
    const struct spot_risk_request *req;
    struct policy policy;
    struct outlook_ask job; /* without prices and lifetimes */
};

static bool risk_of_trace(const struct question *q, const struct spot_place *p,
                          struct spot_risk_row *row, struct error *err)
{
    struct arena scratch = {.alloc = q->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    double hours = span_in_hours(q->req->length);
    struct watched w;
    bool ok = watched_risk(p->trace, (int32_t)q->req->source.gang, hours, SPOT_INTERVAL,
                           &scratch, &w, err);

    arena_free(&scratch);
    if (!ok)
        return false;
    row->risk = w.risk;
    row->risk_low = w.low;
    row->risk_high = w.high;
    row->spells = (int64_t)w.spells;
    row->losses = (int64_t)w.losses;
    row->watched_h = w.hours;
    row->up = w.up_hours / w.hours;
    if (w.losses < WATCHED_FEWEST)
        row->risk_new = NAN; /* that would be what is typical, not what was watched */
    if (q->req->length.ns < (int64_t)p->trace->gap * NS)
        message_warn(
            &q->ctx->messages,
            "'%.*s' was looked at every %d s only: its risk is within that time, not less",
            STR_ARG(p->name), p->trace->gap);
    if (isnan(w.risk) && w.up_hours > 0)
        message_note(&q->ctx->messages,
                     "'%.*s' was watched for %.4g h: too short for a risk within "
                     "%.4g h",
                     STR_ARG(p->name), w.hours, hours);
    else if (isnan(w.risk))
        message_note(&q->ctx->messages, "'%.*s' could never be had for a gang of %lld",
                     STR_ARG(p->name), (long long)q->req->source.gang);
    return true;
}

static void risk_of_model(const struct question *q, const struct spot_place *p,
                          struct spot_risk_row *row)
{
    double hours = span_in_hours(q->req->length);

    row->up = p->life.up;
    if (p->model.basis == BASIS_NONE) { /* a rate that was said */
        row->risk = row->risk_new;
        row->up = NAN;
        return;
    }
    row->risk = offer_risk(p, hours, 0);
    row->risk_low = offer_risk(p, hours, -SIGMA);
    row->risk_high = offer_risk(p, hours, SIGMA);
}

/* The job of the request, as the simulation takes it. */
static void ask_of(struct question *q)
{
    const struct spot_risk_request *req = q->req;

    q->job = (struct outlook_ask){.job = {.work = span_in_seconds(req->work),
                                          .deadline = span_in_seconds(req->deadline),
                                          .delay = span_in_seconds(req->delay),
                                          .gang = (int32_t)req->source.gang,
                                          .by_second = true,
                                          .save_takes = span_in_seconds(req->checkpoint),
                                          .notice = span_in_seconds(req->notice)},
                                  .policy = req->spot_only ? NULL : &q->policy,
                                  .seed = (uint64_t)req->seed,
                                  .runs = (size_t)req->runs};
}

static bool simulate(const struct question *q, const struct spot_place *p,
                     struct spot_risk_row *row, struct error *err)
{
    struct arena scratch = {.alloc = q->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct outlook_ask ask = q->job;
    struct outlook o;
    bool ok;

    ask.spot = p->spot;
    ask.on_demand = p->on_demand;
    ask.life = &p->life;
    ok = outlook_run(&ask, &scratch, &o, err);
    arena_free(&scratch);
    if (!ok)
        return false;
    row->mean_usd = usd_about(o.usd);
    row->error_usd = usd_about(o.usd_error);
    row->p10_usd = usd_about(o.usd_p10);
    row->p50_usd = usd_about(o.usd_p50);
    row->p90_usd = usd_about(o.usd_p90);
    row->on_demand_usd = usd_about(o.on_demand_usd);
    row->saving = o.saving;
    if (ask.job.deadline > 0)
        row->on_time = o.on_time;
    row->hours_p10 = o.hours_p10;
    row->hours_p50 = o.hours_p50;
    row->hours_p90 = o.hours_p90;
    row->expected_losses = o.losses;
    row->overhead = o.overhead;
    if (ask.policy == NULL || !str_eq(str_from(ask.policy->name), STR("on-demand")))
        row->worth = o.worth ? STR("yes") : STR("no");
    if (o.save_every > 0 && isfinite(o.save_every))
        row->save_every = span_hours(o.save_every / 3600);
    if (o.unfinished > 0)
        message_warn(&q->ctx->messages,
                     "%.0f %% of the runs on '%.*s' were not done when the "
                     "simulation ended: its cost is too low",
                     o.unfinished * 100, STR_ARG(p->name));
    return true;
}

static bool fill(const struct question *q, const struct spot_place *p,
                 struct spot_risk_row *row, struct error *err)
{
    struct hazard h = hazard_of(p->life.lose);
    double seen = p->trace != NULL ? p->trace->gap / 3600.0 : 0; /* no less was looked at */

    row->place = p->name;
    row->method = p->method;
    row->spot.nano = usd_from(p->spot).nano;
    row->on_demand.nano = usd_from(p->on_demand).nano;
    row->seen = p->seen;
    row->risk_new = 1 - hazard_survive(&h, fmax(span_in_hours(q->req->length), seen));
    if (p->trace == NULL)
        risk_of_model(q, p, row);
    else if (!risk_of_trace(q, p, row, err))
        return false;
    if (q->req->work.ns <= 0)
        return true;
    if (isnan(p->spot) || isnan(p->on_demand)) {
        error_set(err, ERROR_USAGE, "what a job costs needs both prices%s%.*s",
                  p->name.len > 0 ? " of " : "", STR_ARG(p->name));
        error_hint(err, "add --spot '$0.97/hr' --on-demand '$3.06/hr'");
        return false;
    }
    return simulate(q, p, row, err);
}

static bool check(const struct spot_risk_request *req, struct error *err)
{
    if (req->work.ns <= 0 && (req->deadline.ns > 0 || req->checkpoint.ns > 0)) {
        error_set(err, ERROR_USAGE, "--%s is of a job: how long is its work?",
                  req->deadline.ns > 0 ? "deadline" : "checkpoint");
        error_hint(err, "add --work 48h");
        return false;
    }
    if (req->runs > OUTLOOK_RUNS_MAX)
        return error_fail(err, ERROR_USAGE, "--runs is at most %d", OUTLOOK_RUNS_MAX);
    return true;
}

static bool spot_risk_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct spot_risk_request *req = in;
    struct spot_risk_result *res = out;
    struct question q = {.ctx = ctx, .req = req};
    struct spot_wish wish = {.hours = span_in_hours(req->length)};
    struct spot_place *places;
    struct spot_risk_row *rows;
    size_t count;

    if (!check(req, err) || !policy_named(req->policy, &q.policy, err))
        return false;
    ask_of(&q);
    wish.job = req->work.ns > 0 ? &q.job : NULL;
    if (!spot_places(ctx, &req->source, &wish, &places, &count, err))
        return false;
    rows = arena_array(ctx->arena, struct spot_risk_row, count, err);
    for (size_t i = 0; rows != NULL && i < count; i++)
        if (!fields_reset(&place_set, &rows[i], ctx->arena, err) ||
            !fill(&q, &places[i], &rows[i], err))
            return false;
    if (rows == NULL)
        return false;
    res->places = (struct rows){rows, count};
    res->hours = span_in_hours(req->length);
    res->interval = SPOT_INTERVAL;
    res->gang = req->source.gang;
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
    .request = &(const struct field_set)FIELD_SET(struct spot_risk_request, request),
    .result = &(const struct field_set)FIELD_SET(struct spot_risk_result, result),
    .run = spot_risk_run,
};
