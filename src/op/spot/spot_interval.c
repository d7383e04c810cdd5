/* spot.interval - how often to save, what that costs, and what spot saves all the same. */
#include "op/spot/spot_interval.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>

#include "spot/interval.h"

#define HOURS 24           /* that a machine is needed: chooses the offer, as spot.risk does */
#define WORTH_SAYING 0.001 /* of the machine time: a smaller gain is none */

static const struct field request[] = {
    SPOT_SOURCE_FIELDS(spot_interval_request),
    SPOT_RATE_FIELDS(spot_interval_request),
    FIELD(SPAN, spot_interval_request, checkpoint, .value = "TIME", .positive = true,
          .required = true, .help = "what saving one takes, such as 2min"),
    FIELD(SPAN, spot_interval_request, restart, .value = "TIME", .fallback = "6min",
          .help = "from getting a machine until work goes on"),
    FIELD(SPAN, spot_interval_request, notice, .value = "TIME",
          .help = "warning before a loss, such as 2min: long enough to save loses no work"),
    FIELD(SPAN, spot_interval_request, work, .value = "TIME", .positive = true, .hours = true,
          .help = "a job's hours of work: gives what it costs"),
};

static const struct field view_fields[] = {
    FIELD(SPAN, interval_view, every, .help = "of work; null: only when there is notice"),
    FIELD(NUMBER, interval_view, overhead,
          .help = "machine time besides the work, as a share of the work"),
    FIELD(NUMBER, interval_view, save, .help = "of it: saving"),
    FIELD(NUMBER, interval_view, lost, .help = "of it: work done again"),
    FIELD(NUMBER, interval_view, restart, .help = "of it: restarts"),
    FIELD(FLAG, interval_view, best, .help = "no other costs less"),
};

static const struct field_set view_set = FIELD_SET(struct interval_view, view_fields);

static const struct field age_fields[] = {
    FIELD(SPAN, interval_age, from, .help = "the machine's age"),
    FIELD(SPAN, interval_age, every, .help = "of work, from that age on"),
};

static const struct field_set age_set = FIELD_SET(struct interval_age, age_fields);

static const struct field result[] = {
    FIELD(TEXT, spot_interval_result, place, .help = "the trace's zone, or the offer"),
    FIELD(TEXT, spot_interval_result, method, .help = "what the lifetimes rest on"),
    FIELD(NUMBER, spot_interval_result, mean_life_h, .help = "hours that a machine lasts"),
    FIELD(RECORD, spot_interval_result, best, .row = &view_set, .help = "the best interval"),
    FIELD(SPAN, spot_interval_result, young, .help = "Young's formula, for comparison"),
    FIELD(SPAN, spot_interval_result, daly, .help = "Daly's formula, for comparison"),
    FIELD(LIST, spot_interval_result, others, .row = &view_set,
          .help = "what other intervals cost"),
    FIELD(LIST, spot_interval_result, by_age, .row = &age_set,
          .help = "intervals by the machine's age, where that gains something"),
    FIELD(NUMBER, spot_interval_result, gain, .help = "machine time it saves, a share"),
    FIELD(RATE, spot_interval_result, spot, .help = "one machine for an hour"),
    FIELD(RATE, spot_interval_result, on_demand, .help = "likewise"),
    FIELD(NUMBER, spot_interval_result, saving,
          .help = "of on-demand, overhead included; negative: more expensive"),
    FIELD(NUMBER, spot_interval_result, break_even,
          .help = "overhead at which spot saves nothing; null: there is none"),
    FIELD(NUMBER, spot_interval_result, work_h, .help = "of the job"),
    FIELD(NUMBER, spot_interval_result, machine_h, .help = "hours of machine it takes"),
    FIELD(USD, spot_interval_result, spot_usd, .help = "the job on spot, expected"),
    FIELD(USD, spot_interval_result, on_demand_usd, .help = "the job on demand"),
};

static double hours(span s)
{
    return span_in_seconds(s) / 3600;
}

static struct interval_view view(double every, struct interval_overhead o, bool best)
{
    return (struct interval_view){
        .every = isfinite(every) ? span_hours(every) : SPAN_UNKNOWN,
        .overhead = o.sum,
        .save = o.save,
        .lost = o.lost,
        .restart = o.restart,
        .best = best,
    };
}

/* Around the best, to show how flat it is. */
static bool list_others(struct op_context *ctx, const struct spot_place *p,
                        const struct interval_costs *costs, const struct interval_best *best,
                        struct spot_interval_result *res, struct error *err)
{
    static const double times[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    double centre = isfinite(best->every) ? best->every : best->daly;
    struct interval_view *rows =
        arena_array(ctx->arena, struct interval_view, ARRAY_LEN(times) + 1, err);
    size_t count = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(times); i++)
        rows[count++] =
            view(centre * times[i], interval_cost(&p->life, costs, centre * times[i]),
                 isfinite(best->every) && times[i] == 1);
    if (isinf(best->every))
        rows[count++] = view(INFINITY, best->overhead, true);
    res->others = (struct rows){rows, count};
    return true;
}

/* One line for each age at which the interval changes by a tenth or more; work begins when the
 * restart is over. */
static bool list_ages(struct op_context *ctx, double restart, const struct interval_best *best,
                      struct spot_interval_result *res, struct error *err)
{
    struct interval_age *rows = arena_array(ctx->arena, struct interval_age, AGE_BINS, err);
    size_t count = 0;
    double last = 0;

    if (rows == NULL)
        return false;
    for (size_t b = age_bin(restart); b < AGE_BINS; b++) {
        if (count > 0 && fabs(best->by_age[b] / last - 1) < 0.1)
            continue;
        last = best->by_age[b];
        rows[count] =
            (struct interval_age){span_hours(count > 0 ? age_edges[b] : 0), span_hours(last)};
        count++;
    }
    res->by_age = (struct rows){rows, best->gain >= WORTH_SAYING ? count : 0};
    res->gain = best->gain;
    return true;
}

static void add_money(const struct spot_interval_request *req, const struct spot_place *p,
                      double overhead, struct spot_interval_result *res)
{
    double work = hours(req->work), gang = (double)req->source.gang;

    res->spot.nano = usd_from(p->spot).nano;
    res->on_demand.nano = usd_from(p->on_demand).nano;
    res->saving = interval_saving(p->spot, p->on_demand, overhead);
    if (p->spot > 0 && p->spot < p->on_demand)
        res->break_even = p->on_demand / p->spot - 1;
    if (work <= 0)
        return;
    res->work_h = work;
    res->machine_h = work * (1 + overhead);
    res->spot_usd = usd_about(p->spot * gang * work * (1 + overhead));
    res->on_demand_usd = usd_about(p->on_demand * gang * (work + hours(req->restart)));
}

static bool spot_interval_run(struct op_context *ctx, const void *in, void *out,
                              struct error *err)
{
    const struct spot_interval_request *req = in;
    struct spot_interval_result *res = out;
    struct interval_costs costs = {.save = hours(req->checkpoint),
                                   .restart = hours(req->restart),
                                   .notice = hours(req->notice)};
    struct spot_wish wish = {.hours = HOURS};
    struct interval_best best;
    struct spot_place *p;
    size_t count;

    if (!spot_places(ctx, &req->source, &wish, &p, &count, err))
        return false;
    if (count != 1) {
        error_set(err, ERROR_USAGE, "the traces have %zu zones: an interval is for one", count);
        error_hint(err, "choose it: --zones %.*s", STR_ARG(p->name));
        return false;
    }
    best = interval_best(&p->life, &costs);
    if (isinf(best.overhead.sum)) {
        error_set(err, ERROR_UNFIT,
                  "nothing gets done: machines are lost after %.3g h in the "
                  "mean, and a restart with a save takes %.3g h",
                  best.mean_life, costs.restart + costs.save);
        error_hint(err, "use on-demand, or make the restart shorter");
        return false;
    }
    res->place = p->name;
    res->method = p->method;
    res->mean_life_h = best.mean_life;
    res->best = view(best.every, best.overhead, true);
    res->young = span_hours(best.young);
    res->daly = span_hours(best.daly);
    add_money(req, p, best.overhead.sum, res);
    return list_others(ctx, p, &costs, &best, res, err) &&
           list_ages(ctx, costs.restart, &best, res, err);
}

const struct op op_spot_interval = {
    .name = "spot.interval",
    .schema = "stint.spot.interval/1",
    .summary = "compute how often to save a checkpoint",
    .request = &(const struct field_set)FIELD_SET(struct spot_interval_request, request),
    .result = &(const struct field_set)FIELD_SET(struct spot_interval_result, result),
    .run = spot_interval_run,
};
