/* `run`: from a request to a supervised command, and from its end to a result. */
#include "op/run/run.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "account/policy/required.h"
#include "base/fs.h"
#include "base/num.h"
#include "bill/dimension.h"
#include "ledger/runs/review.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/run/meters.h"
#include "op/run/run_budgets.h"
#include "op/run/run_charge.h"
#include "op/run/run_options.h"
#include "op/run/run_repeat.h"
#include "op/run/run_start.h"
#include "op/spending.h"
#include "run/supervise/hooks.h"
#include "run/supervise/recorder.h"
#include "run/supervise/score.h"

/* For a server that knows which run to go on with. */
#define RESUME_SERVER_WAIT ((span){INT64_C(5000000000)})

/* ---- the price ---- */

static void take_price(const struct run_price *price, usd extra, struct supervise_options *out)
{
    struct ledger_start *start = out->start;

    out->charge = run_charge_of(price, extra);
    start->rate = price->rate;
    start->electricity = price->electricity;
    start->storage_month = price->storage_month;
    start->offer = price->offer;
    start->market = price->market;
    start->price_source = price->source;
    start->estimated_cost = price->estimate.cost;
    start->estimated_time = price->estimate.time;
    start->features = price->estimate.features;
    start->constants = price->estimate.constants;
}

/* What is paid before it begins must leave something to run on. */
static bool check_budget(const struct run_request *request, const struct run_charge *charge,
                         struct error *err)
{
    usd upfront = account_upfront(charge);
    struct buf text;
    char amount[32] = "?";

    if (request->budget.nano == MONEY_UNKNOWN || upfront.nano < request->budget.nano)
        return true;
    text = buf_new(&alloc_system, sizeof amount - 1);
    usd_write(upfront, &text);
    (void)snprintf(amount, sizeof amount, "%.*s", (int)text.len, text.at);
    buf_free(&text);
    error_set(err, ERROR_USAGE, "what is paid up front (%s) leaves nothing of the budget",
              amount);
    error_hint(err, "raise --budget, or leave out --extra");
    return false;
}

/* ---- the result ---- */

static void fill_cost(const struct supervise_result *from, struct run_result *out)
{
    const struct ledger_totals *totals = &from->totals;

    out->cost = totals->cost;
    out->before = from->before;
    out->rate = account_rate_whole(&from->account);
    out->pays = ledger_known(totals->pays);
    out->share = totals->paid.ns >= 0 && from->elapsed.ns > 0
                     ? (double)totals->paid.ns / (double)from->elapsed.ns
                     : totals->share;
    out->sharers = totals->sharers_most;
    out->compute = totals->compute;
    out->setup = totals->setup;
    out->storage = totals->storage;
    out->transfer = totals->transfer;
    out->extra = totals->extra;
    out->set_up_phase = totals->phase[PHASE_SETUP];
    out->data_phase = totals->phase[PHASE_DATA];
    out->train_phase = totals->phase[PHASE_TRAIN];
    out->evaluate_phase = totals->phase[PHASE_EVALUATE];
    out->checkpoint_phase = totals->phase[PHASE_CHECKPOINT];
    out->idle_phase = totals->phase[PHASE_IDLE];
}

/* The names are lines. */
static bool fill_removed(struct op_context *ctx, const struct supervise_result *from,
                         struct run_result *out, struct error *err)
{
    struct str rest = str_from(from->removed_names);
    size_t lines = 0;
    struct str *names;
    const char *copy;

    for (size_t i = 0; i < rest.len; i++)
        lines += rest.at[i] == '\n';
    names = arena_array(ctx->arena, struct str, lines, err);
    copy = names != NULL ? str_dup(rest, ctx->arena, err) : NULL;
    if (copy == NULL)
        return false;
    rest.at = copy;
    for (size_t i = 0; i < lines; i++)
        names[i] = str_cut(&rest, '\n');
    out->removed = from->removed;
    out->removed_bytes = from->removed_bytes;
    out->removed_names = (struct strs){names, lines};
    return true;
}

static bool fill_result(struct op_context *ctx, const struct supervise_options *options,
                        const struct supervise_result *from, const struct run_price *price,
                        bool quiet, struct run_result *out, struct error *err)
{
    const struct ledger_totals *totals = &from->totals;
    double seconds = (double)from->elapsed.ns / 1e9;
    struct verdict verdict = score_verdict(
        totals->gpu_busy, totals->gpu_memory_peak / totals->gpu_memory_total, seconds);
    char *id = str_dup(str_from(from->id), ctx->arena, err);
    char *why = str_dup(str_from(from->why), ctx->arena, err);
    char *gpu = str_dup(str_from(from->gpu), ctx->arena, err);
    char *reserve_why = str_dup(str_from(from->reserve_why), ctx->arena, err);
    char *energy_method = str_dup(str_from(from->energy_method), ctx->arena, err);

    if (id == NULL || why == NULL || gpu == NULL || reserve_why == NULL ||
        energy_method == NULL)
        return false;
    *out = (struct run_result){
        .id = str_from(id),
        .name = options->start->name,
        .state = str_from(ledger_state_name(from->state)),
        .reason = ledger_known(str_from(stop_reason_name(from->reason))),
        .why = ledger_known(str_from(why)),
        .attempt = from->attempt,
        .exit_status = from->status,
        .exit_signal = from->signal,
        .recorded = from->recorded,
        .elapsed = from->elapsed,
        .budget = from->budget,
        .reserve = from->reserve,
        .reserve_cost = from->reserve_cost,
        .reserve_why = ledger_known(str_from(reserve_why)),
        .price_source = price->source,
        .offer = price->offer,
        .energy_kwh = totals->joules / JOULES_PER_KWH,
        .energy_method = str_from(energy_method),
        .energy_error = totals->energy_error,
        .carbon_g = totals->grams,
        .carbon_source = price->carbon_source,
        .cpu_s = totals->cpu_s,
        .memory_peak = totals->memory_peak,
        .read = totals->read,
        .written = totals->written,
        .received = totals->received,
        .sent = totals->sent,
        .gpu = ledger_known(str_from(gpu)),
        .gpus = totals->gpus,
        .gpu_busy = totals->gpu_busy,
        .gpu_memory_peak = totals->gpu_memory_peak,
        .gpu_memory_total = totals->gpu_memory_total,
        .gpu_memory_run = totals->gpu_memory_run,
        .score = totals->score,
        .seed_score = totals->seed_score,
        .verdict = str_from(verdict.word),
        .verdict_text = ledger_known(str_from(verdict.text)),
        .step = totals->step,
        .steps = totals->steps,
        .loss = totals->loss,
        .checkpoint_bytes = totals->checkpoint_bytes,
        .checkpoint_month = kept_month(totals->checkpoint_bytes, price->storage_month),
        .estimated_cost = price->estimate.cost,
        .estimated_time = price->estimate.time,
        .hint = price->how == RUN_PRICE_UNKNOWN ? price->hint : (struct str){0},
    };
    fill_cost(from, out);
    out->quiet = quiet;
    out->mid_row = from->mid_row;
    return fill_removed(ctx, from, out, err);
}

/* The last command: when all is recorded and told, since it may shut the machine down. */
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

/* A command that could not even be started ends here too: the machine is not to be left on. */
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
        !run_c_text(ctx, request->on_exit, &last->command, err))
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

static const char *const *command_words(struct op_context *ctx, struct strs command,
                                        struct error *err)
{
    const char **words = arena_array(ctx->arena, const char *, command.len + 1, err);

    for (size_t i = 0; words != NULL && i < command.len; i++)
        if ((words[i] = str_dup(command.at[i], ctx->arena, err)) == NULL)
            return NULL;
    return words;
}

/* The ledger, opened once for all that is asked of it before the command starts and for the
 * record. Nothing waits for it; what cannot be written goes to a journal. */
struct run_ledger {
    struct ledger *ledger; /* to read; NULL: there is none, or it cannot be read */
    struct error why;      /* then; ERROR_ABSENT: there is none yet */
    bool reads_only;       /* and is closed before the command starts */
};

/* A server is given a moment to answer. If it does not, it is opened while the command runs. */
static void open_server(struct op_context *ctx, const struct run_request *request,
                        struct supervise_options *options, struct run_ledger *out)
{
    /* Which run to go on with must be known. */
    bool must = request->resume.len > 0 || env_get("STINT_RESUME") != NULL;
    struct ledger_opened opened = {0};

    options->ledger_opening =
        ledger_opening_start(options->ledger, RECORDER_PATIENCE_SERVER, ctx->clock,
                             ctx->arena->alloc, &options->ledger_why);
    if (options->ledger_opening != NULL &&
        ledger_opening_wait(options->ledger_opening,
                            must ? RESUME_SERVER_WAIT : RECORDER_SERVER_WAIT, &opened)) {
        options->ledger_opening = NULL;
        options->ledger_opened = opened.ledger;
        options->ledger_why = opened.why;
    } else if (options->ledger_opening != NULL) {
        (void)recorder_no_answer(options->ledger, &options->ledger_why);
    }
    *out = (struct run_ledger){.ledger = opened.ledger != NULL ? opened.ledger : opened.reader,
                               .why = options->ledger_why,
                               .reads_only = opened.ledger == NULL};
    if (out->ledger != NULL)
        ledger_patience(out->ledger, RECORDER_PATIENCE);
}

static void open_ledger(struct op_context *ctx, const struct run_request *request,
                        struct supervise_options *options, struct run_ledger *out)
{
    const char *path = options->ledger;

    *out = (struct run_ledger){.why = {.kind = ERROR_ABSENT}};
    if (path == NULL)
        return;
    if (ledger_is_server(path)) {
        open_server(ctx, request, options, out);
        return;
    }
    if (!fs_exists(path)) {
        out->ledger = ledger_open(path, LEDGER_READ, RECORDER_PATIENCE, ctx->clock,
                                  ctx->arena->alloc, &out->why); /* says that there is none */
        out->reads_only = true;
        return;
    }
    out->ledger = options->ledger_opened =
        ledger_open(path, LEDGER_WRITE, RECORDER_PATIENCE, ctx->clock, ctx->arena->alloc,
                    &options->ledger_why);
    out->why = options->ledger_why;
    if (out->ledger != NULL)
        return;
    out->ledger = ledger_open(path, LEDGER_READ, RECORDER_PATIENCE, ctx->clock,
                              ctx->arena->alloc, &out->why);
    out->reads_only = out->ledger != NULL;
}

static void close_reader(struct run_ledger *of)
{
    if (of->reads_only)
        ledger_close(of->ledger);
    of->ledger = NULL;
}

/* Which run to go on with: the one that was named, or the newest of this name. */
static bool take_resume(struct op_context *ctx, const struct run_request *request,
                        const char *path, const struct run_ledger *of,
                        struct ledger_start *start, struct error *err)
{
    const char *variable = env_get("STINT_RESUME");
    struct str wanted = request->resume;
    struct ledger_run run;
    bool found;

    /* Without a name of the user's, two commands of one folder are two runs. */
    start->resume = request->name.len > 0;
    if (wanted.len == 0 && variable != NULL)
        wanted = str_from(variable);
    if (wanted.len == 0 || path == NULL)
        return true;
    if (of->ledger == NULL)
        *err = of->why;
    found = of->ledger != NULL && ledger_find(of->ledger, wanted, ctx->arena, &run, err);
    if (!found) {
        error_context(err, "cannot go on with '%.*s'", STR_ARG(wanted));
        return false;
    }
    if (run.state == RUN_RUNNING) {
        error_set(err, ERROR_INPUT,
                  "cannot go on with '%.*s': it is still running (process %lld)",
                  STR_ARG(wanted), (long long)run.start.pid);
        return false;
    }
    memcpy(start->resume_id, run.start.id, sizeof start->resume_id);
    start->name = run.start.name;
    return true;
}

/* Where it is recorded. Nowhere to keep it is no reason not to run, but one to say so. */
static bool find_ledger(struct op_context *ctx, const char **out, struct error *err)
{
    if (ctx->settings->ledger.len == 0) {
        message_warn(&ctx->messages,
                     "THIS RUN IS NOT BEING RECORDED: there is no home folder to "
                     "keep the ledger in; name a file with --ledger FILE");
        return true;
    }
    return run_c_text(ctx, ctx->settings->ledger, out, err);
}

/* What the ledger says about the run that is about to start. */
static bool ask_ledger(struct op_context *ctx, const struct run_request *request,
                       const struct run_ledger *of, struct supervise_options *options,
                       struct error *err)
{
    struct account_source account = op_account(ctx, of->ledger);
    struct ledger_start *start = options->start;

    if (!take_resume(ctx, request, options->ledger, of, start, err) ||
        !account_check_start(&account, start, err))
        return false;
    if (of->ledger != NULL && !request->again && !start->resume && start->resume_id[0] == '\0')
        run_repeat_warn(ctx, of->ledger, start);
    return budget_guard_run(ctx, of->ledger, &of->why, options, err);
}

/* The keeper first: SQLite's state does not survive a fork. */
static bool supervise_recorded(struct op_context *ctx, const struct run_request *request,
                               const struct run_price *price, struct supervise_options *options,
                               struct supervise_result *ended, bool *ran, struct error *err)
{
    struct keeper keeper = {.fd = -1};
    struct error problem = {0};
    struct run_ledger of;

    *ran = false;
    if (options->keeper && keeper_start(&keeper, options->ledger, &problem))
        options->keeper_started = &keeper;
    open_ledger(ctx, request, options, &of);
    if (!ask_ledger(ctx, request, &of, options, err) ||
        !check_budget(request, &options->charge, err)) {
        ledger_close(of.ledger);
        ledger_opening_leave(options->ledger_opening);
        keeper_end(&keeper);
        return false;
    }
    if (options->month_budget.nano != MONEY_UNKNOWN && price->how == RUN_PRICE_UNKNOWN)
        message_warn(&ctx->messages, "%s cannot be kept: what this machine costs is not known",
                     options->month_name != NULL ? options->month_name : "the month's budget");
    close_reader(&of);
    *ran = true;
    return supervise(options, ended, err);
}

static bool run_command(struct op_context *ctx, const void *request_in, void *result_out,
                        struct error *err)
{
    const struct run_request *request = request_in;
    struct ledger_start start;
    struct meter_options meters = op_meter_options(0);
    struct supervise_options options = {.start = &start,
                                        .nvml = meters.nvml,
                                        .rocm = meters.rocm,
                                        .gaudi = meters.gaudi,
                                        .alloc = ctx->arena->alloc,
                                        .clock = ctx->clock,
                                        .log = ctx->messages.log};
    struct run_wish wish = {.price = request->price,
                            .offer = request->offer,
                            .plan = request->plan,
                            .electricity = request->electricity,
                            .must = request->budget.nano != MONEY_UNKNOWN};
    struct supervise_result ended;
    struct run_price price;
    enum cloud cloud;
    struct error ignored;
    const char *summary;
    usd extra;
    bool ok, ran;

    supervise_hold_standard(); /* before the ledger is asked: SQLite would fill them, for good */
    options.argv = command_words(ctx, request->command, err);
    if (options.argv == NULL || !tags_check(request->tag, err) ||
        !run_take_extras(request->extra, &extra, err) ||
        !run_check_options(ctx, request, err) ||
        !run_summary_check(ctx, request->summary, &summary, err) ||
        !run_take_guards(ctx, request, &options, err) ||
        !run_take_watching(ctx, request, &options, err) ||
        !run_charge_find(ctx, &wish, &price, &cloud, err) ||
        !run_start_fill(ctx, request, &start, err) ||
        (price.machine.len > 0 && !run_start_fact(ctx, &start, "machine", price.machine, err)))
        return false;
    if (!request->no_ledger && !find_ledger(ctx, &options.ledger, err))
        return false;
    run_take_month(ctx, request, &options);
    take_price(&price, extra, &options);
    options.cloud = cloud;
    options.notice_status = request->notice_status > 0 ? (int)request->notice_status : 0;
    ok = supervise_recorded(ctx, request, &price, &options, &ended, &ran, err);
    if (!ran)
        return false;
    ctx->status = ended.status;
    ctx->signal = ok ? ended.signal : 0;
    if (request->on_exit.len > 0 &&
        !prepare_last(ctx, request, &ended, start.name.at, ok ? err : &ignored))
        return false;
    if (!ok || !fill_result(ctx, &options, &ended, &price, request->quiet, result_out, err) ||
        !run_extra_names(ctx, request->extra, result_out, err))
        return false;
    if (summary != NULL)
        run_summary_write(ctx, summary, result_out);
    return true;
}

const struct op op_run_command = {
    .name = "run",
    .schema = "stint.run/1",
    .summary = "run a command with a meter and a budget",
    .request = &run_request_fields,
    .result = &run_result_fields,
    .run = run_command,
};
