/* spot.interval - how often to save, what that costs, and what spot saves all the same. */
#include "op/spot/spot_interval.h"

#include "op/op.h"

#define HOURS 24 /* that a machine is needed: chooses the offer, as spot.risk does */

static const struct field request[] = {
    SPOT_SOURCE_FIELDS(spot_interval_request),
    SPOT_RATE_FIELDS(spot_interval_request),
    FIELD(SPAN, spot_interval_request, checkpoint, .value = "TIME", .positive = true,
          .required = true, .help = "time to save a checkpoint: 2min"),
    FIELD(SPAN, spot_interval_request, delay, .value = "TIME", .fallback = "6min",
          .also = (const char *const[]){"restart", NULL},
          .help = "time from getting a machine until work continues"),
    FIELD(SPAN, spot_interval_request, notice, .value = "TIME",
          .help = "warning before an interruption: 2min; long enough to save loses no work"),
    FIELD(SPAN, spot_interval_request, work, .value = "TIME", .positive = true, .hours = true,
          .help = "hours of work of a job: adds its cost"),
};

static double interval_span_hours(span s)
{
    return span_in_seconds(s) / 3600;
}

static bool spot_interval_run(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    const struct spot_interval_request *req = in;
    struct interval_answer *res = out;
    struct spot_wish wish = {.hours = HOURS};
    struct interval_ask ask;
    struct spot_place *p;
    size_t count;

    if (!spot_places(ctx, &req->source, &wish, &p, &count, err))
        return false;
    if (count != 1) {
        error_set(err, ERROR_USAGE, "the traces have %zu zones: an interval is for one", count);
        error_hint(err, "choose it: --zones %.*s", STR_ARG(p->name));
        return false;
    }
    ask = (struct interval_ask){.life = &p->life,
                                .costs = {.save = interval_span_hours(req->checkpoint),
                                          .restart = interval_span_hours(req->delay),
                                          .notice = interval_span_hours(req->notice)},
                                .spot = p->spot,
                                .on_demand = p->on_demand,
                                .work = interval_span_hours(req->work),
                                .gang = req->source.gang};
    res->place = p->name;
    res->method = p->method;
    return interval_answer(&ask, ctx->arena, res, err);
}

const struct op op_spot_interval = {
    .name = "spot.interval",
    .schema = "stint.spot.interval/1",
    .summary = "compute how often to save a checkpoint",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct spot_interval_request, request),
    .result = &interval_answer_fields,
    .run = spot_interval_run,
};
