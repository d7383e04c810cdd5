/* show - everything recorded about a run. */
#include "op/runs/show.h"

#include <math.h>

#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/remote.h"

static const struct field request[] = {
    FIELD(TEXT, show_request, run, .value = "RUN", .operand = true, .required = true,
          .help = "run: end or start of its ID, its name, or 'last'"),
};

#define SHOW(label, kind, member, ...) FIELD_AS(label, kind, show_result, member, __VA_ARGS__)

static const struct field result[] = {
    FIELD(RECORD, show_result, run, .row = &ledger_run_fields,
          .help = "run, as in 'stint runs'"),
    SHOW("last_update", TIME, run.heard, .help = "time of the last update, in UTC"),
    FIELD(TEXT, show_result, ledger, .help = "ledger that holds the run"),
    SHOW("costs", LIST, review.costs, .row = &run_part_fields, .help = "parts of the cost"),
    SHOW("phases", LIST, review.phases, .row = &run_part_fields,
         .help = "compute cost by phase"),
    SHOW("gpu_kwh", NUMBER, run.totals.gpu_joules, .divisor = JOULES_PER_KWH,
         .help = "energy of the GPUs"),
    SHOW("cpu_kwh", NUMBER, run.totals.cpu_joules, .divisor = JOULES_PER_KWH,
         .help = "energy of the CPU"),
    SHOW("mean_watts", NUMBER, review.mean_watts, .help = "mean power"),
    SHOW("cpu_s", NUMBER, run.totals.cpu_s, .help = "CPU seconds"),
    SHOW("cpu_cores", NUMBER, review.cpu_cores, .help = "mean number of busy cores"),
    SHOW("memory_peak_bytes", NUMBER, run.totals.memory_peak, .help = "peak memory"),
    SHOW("read_bytes", NUMBER, run.totals.read, .help = "bytes read from storage"),
    SHOW("written_bytes", NUMBER, run.totals.written, .help = "bytes written to storage"),
    SHOW("received_bytes", NUMBER, run.totals.received,
         .help = "bytes received from the network"),
    SHOW("sent_bytes", NUMBER, run.totals.sent, .help = "bytes sent to the network"),
    SHOW("gpu_memory_peak_bytes", NUMBER, run.totals.gpu_memory_peak,
         .help = "peak memory of the fullest GPU"),
    SHOW("gpu_memory_total_bytes", NUMBER, run.totals.gpu_memory_total,
         .help = "memory of that GPU"),
    SHOW("gpu_memory_run_bytes", NUMBER, run.totals.gpu_memory_run,
         .help = "peak memory of the run's own processes on one GPU"),
    SHOW("pays", TEXT, run.totals.pays, .empty_unknown = true,
         .help = "pricing: machine (all of its price, or a share of it), fixed (--share), "
                 "inside (another run pays)"),
    SHOW("share", NUMBER, review.share,
         .help = "share of the machine's price: mean; current while it runs"),
    SHOW("sharers", COUNT, review.sharers,
         .help = "runs that share the price: highest number; current while it runs"),
    SHOW("seed_score", NUMBER, run.totals.seed_score,
         .help = "weighted score: 0.7 utilization + 0.3 memory"),
    SHOW("cost_per_step", USD, review.cost_per_step, .help = "cost per step that counts"),
    SHOW("checkpoint_bytes", NUMBER, run.totals.checkpoint_bytes,
         .help = "size of the checkpoints kept at the last update"),
    SHOW("checkpoint_month", USD, review.checkpoint_month,
         .help =
             "monthly cost of storing them in the provider's object store; not in the cost"),
    SHOW("cost_over_estimate", NUMBER, review.cost_over_estimate,
         .help = "difference from the estimated cost, as a share; below 0: it cost less"),
    SHOW("time_over_estimate", NUMBER, review.time_over_estimate,
         .help = "difference from the estimated time, as a share; below 0: it took less"),
    SHOW("attempts", LIST, details.attempts, .row = &ledger_attempt_fields,
         .help = "attempts, in order"),
    SHOW("prices", LIST, details.prices, .row = &ledger_price_fields,
         .help = "prices paid, in order"),
    SHOW("events", LIST, details.events, .row = &ledger_event_fields,
         .help = "events, in order"),
    SHOW("checkpoints", LIST, details.checkpoints, .row = &ledger_checkpoint_fields,
         .help = "checkpoints, in order"),
    FIELD(LIST, show_result, devices, .row = &device_use_fields,
          .help = "GPUs that the run could use, by attempt, and how each was used"),
    SHOW("idle_gpus", COUNT, idle.idle,
         .help = "GPUs without work for most of the time in which others worked"),
    SHOW("idle_gpu_cost_usd", NUMBER, idle.waste,
         .help = "their part of the cost of that time, if the price is that of all GPUs"),
    SHOW("samples", LIST, details.samples, .row = &ledger_moment_fields,
         .help = "samples, evenly over the time of each attempt"),
    SHOW("metrics", LIST, details.metrics, .row = &ledger_metric_fields,
         .help = "every metric printed, by attempt and name: at most 64 per attempt"),
    SHOW("verdict", TEXTS, review.verdict, .help = "verdict"),
};

/* Nothing is known of a run whose GPUs were not seen. */
static void find_show_idle(struct show_result *res)
{
    if (!idle_devices_find(&res->run, res->devices.at, res->devices.len, &res->idle) &&
        res->devices.len == 0) {
        res->idle.idle = -1;
        res->idle.waste = NAN;
    }
}

static bool show_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct show_request *req = in;
    struct show_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok = ledger != NULL && op_ledger_name(ctx, &res->ledger, err) &&
              op_find_run(ctx, ledger, req->run, ctx->arena, &res->run, err) &&
              run_review_make(&res->run, ctx->arena, &res->review, err) &&
              ledger_details(ledger, &res->run, ctx->arena, &res->details, err) &&
              device_uses_read(ledger, &res->run, ctx->arena, &res->devices, err);

    ledger_close(ledger);
    if (ok)
        find_show_idle(res);
    return ok;
}

const struct op op_show = {
    .name = "show",
    .schema = "stint.show/1",
    .summary = "show everything recorded about a run",
    .remote = OP_READ,
    .team = OP_TEAM_RUN,
    .request = &(const struct field_set)FIELD_SET(struct show_request, request),
    .result = &(const struct field_set)FIELD_SET(struct show_result, result),
    .run = show_run,
};
