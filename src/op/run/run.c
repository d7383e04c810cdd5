/* `run`: from a request to a supervised command, and from its end to a result. */
#include "op/run/run.h"

#include <unistd.h>

#include "account/policy/required.h"
#include "account/run/review.h"
#include "base/fs.h"
#include "base/spawn.h"
#include "bill/dimension.h"
#include "ledger/runs/run_journal.h"
#include "op/context.h"
#include "op/op.h"
#include "op/run/meters.h"
#include "op/run/run_alert.h"
#include "op/run/run_budgets.h"
#include "op/run/run_charge.h"
#include "op/run/run_estimate.h"
#include "op/run/run_report.h"
#include "op/run/run_summary.h"
#include "op/run/run_to.h"
#include "op/spending.h"
#include "op/step.h"
#include "run/supervise/hooks.h"
#include "run/supervise/recorder.h"
#include "run/supervise/score.h"
#include "run/supervise/start.h"

/* ---- the price ---- */

static void set_start_price(const struct run_price *price, struct ledger_start *start)
{
    start->rate = price->rate;
    start->electricity = price->electricity;
    start->storage_month = price->storage_month;
    start->offer = price->offer;
    start->market = price->market;
    start->price_source = price->source;
}

static void set_start_prediction(const struct plan_prediction *p, struct ledger_start *start)
{
    start->estimated_cost = p->cost;
    start->estimated_time = p->time;
    start->features = p->features;
    start->constants = p->constants;
    start->job = p->job;
}

/* The month's budget: the one given, else the configured one when it is in dollars. */
static void set_month(struct op_context *ctx, const struct run_request *request,
                      struct supervise_options *out)
{
    const struct money *configured = &ctx->settings->budget;

    out->month_budget = request->month_budget;
    if (out->month_budget.nano == MONEY_UNKNOWN &&
        currency_is(configured->currency, currency_usd) &&
        !decimal_fixed(configured->amount, 9, &out->month_budget.nano))
        out->month_budget = USD_UNKNOWN;
    if (request->month_budget.nano == MONEY_UNKNOWN && !currency_unset(configured->currency) &&
        out->month_budget.nano == MONEY_UNKNOWN)
        message_warn(&ctx->messages, "the configured budget is in %s: it does not limit runs",
                     configured->currency.code);
    out->month_began = stamp_month(op_now(ctx));
}

/* ---- the result ---- */

/* The names are lines. */
static bool list_removed(struct str lines, struct arena *arena, struct strs *out,
                         struct error *err)
{
    size_t count = 0;
    struct str *names;

    for (size_t i = 0; i < lines.len; i++)
        count += lines.at[i] == '\n';
    names = arena_array(arena, struct str, count, err);
    for (size_t i = 0; names != NULL && i < count; i++)
        names[i] = str_cut(&lines, '\n');
    *out = (struct strs){names, count};
    return names != NULL;
}

static bool fill_run_result(struct op_context *ctx, const struct run_request *request,
                            const struct attach_target *target, const struct run_price *price,
                            struct str name, struct run_result *out, struct error *err)
{
    const struct ledger_totals *t = &out->ended.totals;
    span elapsed = out->ended.elapsed;
    struct verdict verdict = score_verdict(
        t->gpu_busy, t->gpu_memory_peak / t->gpu_memory_total, (double)elapsed.ns / 1e9);

    out->name = name;
    out->price = *price;
    out->rate = account_rate_full(&out->ended.account);
    out->share =
        t->paid.ns >= 0 && elapsed.ns > 0 ? (double)t->paid.ns / (double)elapsed.ns : t->share;
    out->verdict = str_from(verdict.word);
    out->verdict_text = str_from(verdict.text);
    out->checkpoint_month = kept_month(t->checkpoint_bytes, price->storage_month);
    if (out->predicted.features.len == 0) {
        out->predicted.cost = out->ended.expected_cost;
        out->predicted.time = out->ended.expected_time;
    }
    out->hint = price->how == RUN_PRICE_UNKNOWN ? price->hint : (struct str){0};
    out->quiet = request->quiet;
    out->attached_pid = target != NULL ? target->pid : -1;
    out->ran_before = target != NULL ? target->before : SPAN_UNKNOWN;
    return run_extras_names(request->extra, ctx->arena, &out->extra_names, err) &&
           list_removed(str_from(out->ended.removed_names), ctx->arena, &out->removed_names,
                        err);
}

/* The last command: after everything is recorded and printed, since it may shut the machine
 * down. */
struct last_command {
    const char *command;
    struct hook_facts facts;
};

static void run_last(struct op_context *ctx)
{
    const struct last_command *last = ctx->then_ctx;
    int status = hook_wait(last->command, &last->facts);

    if (status != 0)
        message_warn(&ctx->messages, "--on-exit ended with status %d", status);
}

/* Also for a command that could not be started: the machine must not stay on. */
static bool prepare_last(struct op_context *ctx, const struct run_request *request,
                         const struct supervise_result *ended, const char *name,
                         struct error *err)
{
    struct last_command *last = arena_array(ctx->arena, struct last_command, 1, err);
    struct buf cost = buf_new(ctx->arena->alloc, 64);
    usd all = usd_add(account_cost(&ended->account), ended->before);
    char *amount, *id;

    if (all.nano != MONEY_UNKNOWN)
        nano_write(all.nano, &cost);
    amount = str_dup(buf_text(&cost), ctx->arena, err);
    buf_free(&cost);
    id = str_dup(str_from(ended->id), ctx->arena, err);
    if (last == NULL || amount == NULL || id == NULL ||
        (last->command = str_dup(request->on_exit, ctx->arena, err)) == NULL)
        return false;
    last->facts = (struct hook_facts){.event = "exit",
                                      .text = ledger_state_name(ended->state),
                                      .id = id,
                                      .name = name,
                                      .cost = amount,
                                      .budget = ""};
    ctx->then_ctx = last;
    ctx->then = run_last;
    return true;
}

/* ---- together ---- */

static struct run_to run_to_of(const struct run_request *request)
{
    return (struct run_to){.to = request->to,
                           .token = request->to_token,
                           .certificates = request->to_certificates,
                           .unencrypted = request->to_unencrypted};
}

/* Alerts are sent from this machine, by the channels of its ledger. */
static bool make_alerts(struct op_context *ctx, const struct run_request *request,
                        struct alert_events *out, struct error *err)
{
    struct run_to to = run_to_of(request);
    const char *address;

    if (!run_to_address(ctx, &to, &address, err))
        return false;
    if (address != NULL && request->alert.len > 0) {
        error_set(err, ERROR_USAGE, "--alert needs a ledger on this machine, not --to");
        error_hint(err, "budgets of the server's ledger alert for runs of every machine");
        return false;
    }
    return run_alert_command(ctx, request->alert, request->alert_on, out, err);
}

/* Where it is recorded. Without a place it runs all the same, with a warning. */
static bool find_ledger(struct op_context *ctx, const struct run_to *to, const char **out,
                        struct error *err)
{
    if (!run_to_address(ctx, to, out, err))
        return false;
    if (*out != NULL)
        return true;
    if (ctx->settings->ledger.len == 0) {
        message_warn(&ctx->messages, "THIS RUN IS NOT BEING RECORDED: no home folder for the "
                                     "ledger; name a file with --ledger FILE");
        return true;
    }
    return (*out = str_dup(ctx->settings->ledger, ctx->arena, err)) != NULL;
}

/* A command that cannot be started is no reason for a new ledger. */
static void spare_ledger(struct supervise_options *options)
{
    const char *path = options->ledger;

    if (path != NULL && options->target == NULL && !run_journal_is_sent(path) &&
        !ledger_is_server(path) && !fs_exists(path) && spawn_refused(options->argv[0]) != 0)
        options->ledger = NULL;
}

/* What the ledger knows about the run that is about to start. */
static bool ask_run_ledger(struct op_context *ctx, const struct run_request *request,
                           struct str resume, const struct run_ledger *of,
                           struct supervise_options *options, struct error *err)
{
    struct account_source account = op_account(ctx, of->ledger);
    struct ledger_start *start = options->start;

    /* Without a name given by the user, two commands in one folder are two runs. */
    start->resume = request->name.len > 0 && !request->new_run;
    if (resume.len > 0 && options->ledger != NULL &&
        !run_ledger_resume(of, resume, ctx->arena, start, err))
        return false;
    if (!account_check_start(&account, start, err))
        return false;
    if (of->ledger != NULL && !request->quiet && !start->resume &&
        start->resume_id[0] == '\0' && start->digest.len > 0)
        run_start_repeated(of->ledger, start, ctx->arena, &ctx->messages);
    return budget_guard_run(ctx, of->ledger, &of->why, options, err);
}

/* Before the ledger is opened: SQLite's state does not survive a fork. */
static void start_run_keeper(struct supervise_options *options, struct keeper *keeper)
{
    struct error problem = {0};

    if (options->keeper && keeper_start(keeper, options->ledger, &problem))
        options->keeper_started = keeper;
}

/* Likewise of a server that receives runs. */
static bool ask_receiver(struct op_context *ctx, const struct run_request *request,
                         struct str resume, struct supervise_options *options,
                         struct error *err)
{
    struct run_to to = run_to_of(request);

    options->start->resume = request->name.len > 0 && !request->new_run;
    return run_to_open(ctx, &to, options->month_budget, &options->receiver, err) &&
           run_to_begin(ctx, resume, options, err);
}

static bool supervise_recorded(struct op_context *ctx, const struct run_request *request,
                               const struct run_price *price, struct supervise_options *options,
                               struct supervise_result *ended, bool *ran, struct error *err)
{
    struct str resume =
        request->resume.len > 0 ? request->resume : str_from(env_get("STINT_RESUME"));
    bool sent = options->ledger != NULL && run_journal_is_sent(options->ledger);
    struct run_ledger of = {0};

    *ran = false;
    if (!sent)
        run_ledger_open(options, resume.len > 0, &of);
    if (!(sent ? ask_receiver(ctx, request, resume, options, err)
               : ask_run_ledger(ctx, request, resume, &of, options, err)) ||
        !account_leaves_budget(&options->charge, request->budget, err)) {
        ledger_close(of.ledger);
        ledger_opening_leave(options->ledger_opening);
        receiver_close(options->receiver);
        if (options->keeper_started != NULL)
            keeper_end(options->keeper_started);
        return false;
    }
    if (options->month_budget.nano != MONEY_UNKNOWN && price->how == RUN_PRICE_UNKNOWN)
        message_warn(
            &ctx->messages,
            "%s cannot stop this run: its price is not known; give --price '$2.49/hr', "
            "--offer NAME or, on a machine of your own, --electricity '0.30usd/kWh'",
            options->month_name != NULL ? options->month_name : "the month's budget");
    run_ledger_close_reader(&of);
    *ran = true;
    return supervise(options, ended, err);
}

/* Of a process that runs already, itself counts too. */
static struct meter_options meters_of(const struct attach_target *target)
{
    struct meter_options meters = op_meter_options(target != NULL ? target->pid : getpid());

    meters.with_top = target != NULL;
    meters.root = NULL; /* the command's processes are this machine's */
    return meters;
}

/* Which price counts, and what stops the run. */
static void log_run_limits(const struct op_context *ctx, const struct run_request *request,
                           const struct supervise_options *options,
                           const struct run_price *price)
{
    struct buf text;

    if (!op_logs(ctx))
        return;
    text = buf_new(ctx->arena->alloc, 1024);
    usd_per_hour_write(price->rate, &text);
    op_log(ctx, "price chosen: %.*s; %.*s", (int)text.len, text.at != NULL ? text.at : "",
           STR_ARG(price->source.len > 0 ? price->source : price->hint));
    text.len = 0;
    if (request->budget.nano != MONEY_UNKNOWN) {
        buf_adds(&text, " budget ");
        usd_write(request->budget, &text);
    }
    if (request->deadline.ns > 0) {
        buf_adds(&text, " deadline ");
        span_write(request->deadline, &text);
    }
    if (request->idle.ns > 0) {
        buf_adds(&text, " idle ");
        span_write(request->idle, &text);
    }
    if (request->early_stop.len > 0) {
        buf_adds(&text, " early stop ");
        buf_add(&text, request->early_stop);
    }
    op_log(ctx, "limits:%.*s; estimate by %s", text.len > 0 ? (int)text.len : 5,
           text.len > 0 ? text.at : " none",
           options->start->features.len > 0 ? "its plan"
           : options->job.len > 0           ? "its job"
                                            : "what its program reports");
    buf_free(&text);
}

bool run_supervised(struct op_context *ctx, const struct run_request *request,
                    struct attach_target *target, struct run_result *res, struct error *err)
{
    struct ledger_start start;
    struct supervise_options options = {.start = &start,
                                        .target = target,
                                        .ready_fd = -1,
                                        .meters = meters_of(target),
                                        .alloc = ctx->arena->alloc,
                                        .clock = ctx->clock,
                                        .log = ctx->messages.log};
    struct run_price_request given = run_price_blank();
    struct supervise_result *ended = &res->ended;
    struct plan_prediction *predicted = &res->predicted;
    struct run_price price;
    struct run_to to = run_to_of(request);
    struct run_estimator estimator = {ctx, &price};
    struct keeper keeper;
    struct error ignored;
    const char *summary;
    usd extra;
    bool ok, ran;

    supervise_hold_standard(); /* before the ledger is asked: SQLite would take their numbers */
    given.price = request->price;
    given.offer = request->offer;
    given.plan = request->plan;
    given.job = request->job;
    given.electricity = request->electricity;
    if (!tags_check(request->tag, err) || !run_extras_sum(request->extra, &extra, err) ||
        !run_summary_check(ctx, request->summary, &summary, err) ||
        !run_options_make(request, ctx->arena, &ctx->messages, &options, err) ||
        !make_alerts(ctx, request, &options.alerts, err) ||
        !run_charge_find(ctx, &given,
                         request->budget.nano != MONEY_UNKNOWN ||
                             request->month_budget.nano != MONEY_UNKNOWN,
                         &price, predicted, &options.cloud, err) ||
        !run_start_make(request, target, op_now(ctx), ctx->arena, &start, err) ||
        (price.machine.len > 0 &&
         !run_start_fact(&start, "machine", price.machine, ctx->arena, err)))
        return false;
    if ((!request->no_ledger && !find_ledger(ctx, &to, &options.ledger, err)) ||
        (target != NULL && !attach_claim(target, start.name, err)))
        return false;
    if (target != NULL && request->ready_fd > STDERR_FILENO)
        options.ready_fd = (int)request->ready_fd;
    spare_ledger(&options);
    set_month(ctx, request, &options);
    options.charge = run_charge_of(&price, predicted, extra);
    set_start_price(&price, &start);
    set_start_prediction(predicted, &start);
    if (predicted->features.len == 0 && predicted->machines == 0) { /* no plan has one */
        options.job = predicted->job;
        options.estimate = run_estimate;
        options.estimate_ctx = &estimator;
    }
    log_run_limits(ctx, request, &options, &price);
    start_run_keeper(&options, &keeper);
    ok = supervise_recorded(ctx, request, &price, &options, ended, &ran, err);
    if (!ran)
        return false;
    ctx->status = ended->status;
    ctx->signal = ok ? ended->signal : 0;
    if (request->on_exit.len > 0 &&
        !prepare_last(ctx, request, ended, start.name.at, ok ? err : &ignored))
        return false;
    if (!ok || !fill_run_result(ctx, request, target, &price, start.name, res, err))
        return false;
    if (options.receiver != NULL)
        res->sent_to = str_from(options.ledger);
    if (summary != NULL)
        run_summary_write(ctx, summary, res);
    if (ctx->settings->reports.len > 0 && options.ledger != NULL && options.receiver == NULL)
        run_report_write(ctx, ended->id, start.name.at, request->quiet);
    return true;
}

static bool run_op_command(struct op_context *ctx, const void *request, void *result,
                           struct error *err)
{
    return run_supervised(ctx, request, NULL, result, err);
}

const struct op op_run_command = {
    .name = "run",
    .schema = "stint.run/1",
    .summary = "run a command with a meter and a budget",
    .request = &run_request_fields,
    .result = &run_result_fields,
    .changes = true,
    .own_process = true,
    .run = run_op_command,
};
