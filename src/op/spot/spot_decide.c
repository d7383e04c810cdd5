/* spot.decide - what a running job should do now, by Stint's policy. */
#include "op/spot/spot_decide.h"

#include "op/context.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(SPAN, decide_ask, work, .value = "TIME", .positive = true, .required = true,
          .hours = true, .help = "hours of work of the job without interruptions"),
    FIELD(SPAN, decide_ask, done, .value = "TIME", .fallback = "0h", .hours = true,
          .help = "time of the work that is done by now"),
    FIELD(SPAN, decide_ask, unsaved, .value = "TIME", .fallback = "0h",
          .help = "time of that work that is not in a checkpoint"),
    FIELD(SPAN, decide_ask, left, .value = "TIME", .required = true, .hours = true,
          .help = "time to the deadline"),
    FIELD(SPAN, decide_ask, delay, .value = "TIME", .fallback = "6min",
          .help = "time from getting a machine until work continues"),
    FIELD(CHOICE, decide_ask, running, .value = "WHAT", .choices = decide_running,
          .fallback = "nothing", .help = "state now: nothing, spot or on-demand"),
    FIELD(TEXT, decide_ask, zone, .value = "ZONE",
          .help = "zone where it runs, or ran last (default: the first zone)"),
    FIELD(SPAN, decide_ask, starting, .value = "TIME",
          .help = "time until the machine that is starting works; 0s when it works"),
    FIELD(TEXTS, decide_ask, seen, .value = "ZONE=1101...",
          .help =
              "availability of spot machines: a digit for each observation, the last is now"),
    FIELD(SPAN, decide_ask, every, .value = "TIME", .positive = true,
          .help =
              "interval between observations, and until the next question (default: 10min)"),
    FIELD(TEXTS, decide_ask, traces, .local = true, .value = "FILE,...",
          .help = "trace files whose last tick is now, instead of --seen"),
    FIELD(TEXTS, decide_ask, zones, .value = "LIST",
          .help = "zones of the traces to use; 'us-*' matches"),
    FIELD_AS("ones_mean", CHOICE, decide_ask, ones, .value = "WORD", .choices = trace_ones,
             .help = TRACE_ONES_HELP),
    FIELD(TEXTS, decide_ask, spot, .value = "PRICE",
          .help = "spot price now: '$0.97/hr', or ZONE=PRICE,... (default: the trace's)"),
    FIELD(TEXTS, decide_ask, on_demand, .value = "PRICE",
          .help = "on-demand price, in the same form"),
    FIELD(COUNT, decide_ask, gang, .value = "N", .positive = true, .fallback = "1",
          .help = "machines needed at once, all or none"),
    FIELD(SPAN, decide_ask, checkpoint_every, .value = "TIME",
          .help = "work between two checkpoints; without it, no work is ever lost"),
    FIELD(SPAN, decide_ask, checkpoint_time, .value = "TIME",
          .help = "time that the job stops for a checkpoint"),
    FIELD(SPAN, decide_ask, notice, .value = "TIME",
          .help = "warning before an interruption; used to save when it is long enough"),
};

static bool spot_decide_run(struct op_context *ctx, const void *request_, void *result,
                            struct error *err)
{
    return decide_answer(request_, &ctx->messages, ctx->arena, result, err);
}

const struct op op_spot_decide = {
    .name = "spot.decide",
    .schema = "stint.spot.decide/1",
    .summary = "decide for a running job: spot, on-demand or wait",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct decide_ask, request),
    .result = &decide_answer_fields,
    .run = spot_decide_run,
};
