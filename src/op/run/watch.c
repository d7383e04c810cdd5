/* `watch`: act when a machine is idle or has cost too much. */
#include "op/run/watch.h"

#include "meter/host.h"
#include "op/context.h"
#include "op/op.h"
#include "op/run/meters.h"
#include "op/run/run_alert.h"
#include "op/run/run_charge.h"
#include "unit/energy.h"

#define LEAST_EVERY INT64_C(100000000)

static const struct field request_fields[] = {
    FIELD(SPAN, watch_request, idle, .value = "TIME", .positive = true,
          .help = "act when the machine has been idle for this time"),
    FIELD(SHARE, watch_request, idle_below, .value = "SHARE", .fallback = "5%",
          .help = "use below which the GPUs, or all cores, count as idle"),
    FIELD(USD, watch_request, budget, .value = "AMOUNT", .positive = true,
          .help = "act before the machine has cost more since it was started (electricity: "
                  "since watching began)"),
    FIELD(SPAN, watch_request, deadline, .value = "TIME", .positive = true,
          .help = "act when the machine has been up for this time"),
    FIELD_AS("do", TEXT, watch_request, then, .value = "COMMAND",
             .help = "command to run: 'sudo poweroff' (default: only a message)"),
    FIELD(SPAN, watch_request, grace, .value = "TIME", .fallback = "1min",
          .help = "warn this long before; new work cancels the action"),
    RUN_ALERT_OPTIONS(watch_request, "0%"),
    FIELD(FLAG, watch_request, once, .help = "exit after the first action"),
    FIELD(SPAN, watch_request, every, .value = "TIME", .fallback = "10s", .positive = true,
          .help = "interval between measurements"),
    FIELD(SPAN, watch_request, heartbeat, .value = "TIME", .positive = true,
          .help = "interval between status lines"),
    RUN_MACHINE_OPTIONS(watch_request, "saved plan with the machine"),
};

#define SEEN(label, kind, member, ...) \
    FIELD_AS(label, kind, watch_answer, seen.member, __VA_ARGS__)

static const struct field answer_fields[] = {
    SEEN("reason", ENUM, reason, FIELD_NAMES(stop_reason_names),
         .help = "guard that acted last; user: none"),
    FIELD(TEXT, watch_answer, detail, .help = "details in one sentence"),
    SEEN("watched", SPAN, watched, .help = "time watched"),
    SEEN("cost", USD, cost,
         .help = "cost of the machine; for electricity: while it was watched"),
    SEEN("since_start", FLAG, since_start, .help = "cost counts from the start of the machine"),
    SEEN("idle_cost", USD, idle_cost, .help = "cost of idle time while it was watched"),
    SEEN("rate", RATE, rate, .help = "price of the machine"),
    FIELD(TEXT, watch_answer, price_source, .help = "source of the price"),
    SEEN("busy", NUMBER, busy, .help = "mean use of the busiest GPU or the cores"),
    SEEN("idle_h", NUMBER, idle_s, .divisor = 3600, .help = "hours with nothing busy"),
    SEEN("energy_kwh", NUMBER, joules, .divisor = JOULES_PER_KWH,
         .help = "energy while it was watched, kWh"),
    SEEN("acted", COUNT, acted, .help = "number of times a guard acted"),
    SEEN("command_status", COUNT, command_status,
         .help = "exit status of the last command; null: none ran"),
};

static bool check_watch_request(const struct watch_request *request, struct error *err)
{
    if (request->every.ns < LEAST_EVERY) {
        error_set(err, ERROR_USAGE, "--every: at most ten measurements a second");
        error_hint(err, "10s is often enough");
        return false;
    }
    if (request->idle.ns >= 0 || request->budget.nano != MONEY_UNKNOWN ||
        request->deadline.ns >= 0)
        return true;
    error_set(err, ERROR_USAGE, "watch needs --idle, --budget or --deadline");
    error_hint(err, "stint watch --idle 30min --do 'sudo poweroff'");
    return false;
}

static bool set_commands(struct op_context *ctx, const struct watch_request *request,
                         struct watch_options *out, struct error *err)
{
    if (request->then.len > 0 &&
        (out->command = str_dup(request->then, ctx->arena, err)) == NULL)
        return false;
    out->low_use = request->low_use;
    if (!run_alert_command(ctx, request->alert, request->alert_on, &out->alerts, err))
        return false;
    return request->on_event.len == 0 ||
           (out->on_event = str_dup(request->on_event, ctx->arena, err)) != NULL;
}

static bool run_watch(struct op_context *ctx, const void *request_in, void *result_out,
                      struct error *err)
{
    const struct watch_request *request = request_in;
    struct watch_answer *answer = result_out;
    struct watch_options options = {
        .budget = request->budget,
        .deadline = request->deadline,
        .idle = {.below = request->idle_below, .after = request->idle},
        .grace = request->grace,
        .every = request->every,
        .heartbeat = request->heartbeat,
        .once = request->once,
        .meters = op_meter_options(0),
        .alloc = ctx->arena->alloc,
        .clock = ctx->clock,
        .messages = &ctx->messages,
        .stopped = ctx->watch.stopped,
    };
    struct run_price_request given = run_price_blank();
    struct plan_prediction predicted;
    struct run_price price;

    given.price = request->price;
    given.offer = request->offer;
    given.plan = request->plan;
    given.electricity = request->electricity;
    if (!check_watch_request(request, err) || !set_commands(ctx, request, &options, err) ||
        !run_charge_find(ctx, &given, request->budget.nano != MONEY_UNKNOWN, &price, &predicted,
                         &options.cloud, err))
        return false;
    options.up = host_uptime(options.meters.root);
    options.charge = run_charge_of(&price, &predicted, USD_UNKNOWN);
    answer->price_source = price.source;
    if (!watch_machine(&options, &answer->seen, err))
        return false;
    answer->detail = str_from(answer->seen.why);
    if (answer->seen.acted > 0)
        ctx->status = error_exit_status(ERROR_GUARD);
    return true;
}

const struct op op_watch = {
    .name = "watch",
    .schema = "stint.watch/1",
    .summary = "run a command when this machine is idle or over budget",
    .request = &(const struct field_set)FIELD_SET(struct watch_request, request_fields),
    .result = &(const struct field_set)FIELD_SET(struct watch_answer, answer_fields),
    .changes = true,
    .own_process = true,
    .run = run_watch,
};
