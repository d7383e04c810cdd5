/* `run`: from a request to a supervised command, and from its end to a result. */
#include "op/run.h"

#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/run_charge.h"
#include "op/run_start.h"
#include "run/hooks.h"
#include "run/score.h"
#include "run/supervise.h"

/* ---- options ---- */

static bool take_signal(struct str text, int *out, struct error *err)
{
    static const struct {
        const char *name;
        int number;
    } names[] = {{"none", 0},       {"USR1", SIGUSR1}, {"USR2", SIGUSR2},
                 {"HUP", SIGHUP},   {"INT", SIGINT},   {"QUIT", SIGQUIT},
                 {"ALRM", SIGALRM}, {"URG", SIGURG},   {"WINCH", SIGWINCH}};
    struct str name =
        str_starts(text, STR("SIG")) ? (struct str){text.at + 3, text.len - 3} : text;

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (!str_eq_nocase(name, str_from(names[i].name)))
            continue;
        *out = names[i].number;
        return true;
    }
    error_set(err, ERROR_USAGE, "--checkpoint-signal: there is no signal '%.*s' for this",
              STR_ARG(text));
    error_hint(err, "one of USR1, USR2, HUP, INT, QUIT, ALRM, URG, WINCH, or none");
    return false;
}

/* 'labels=$12': the amounts added up. */
static bool take_extras(struct strs extras, usd *out, struct error *err)
{
    *out = USD_UNKNOWN;
    for (size_t i = 0; i < extras.len; i++) {
        struct str amount = extras.at[i];
        struct str name = str_cut(&amount, '=');
        usd one;

        if (name.len == 0 || amount.len == 0) {
            error_set(err, ERROR_USAGE, "--extra: '%.*s' is no name and amount",
                      STR_ARG(extras.at[i]));
            error_hint(err, "write it as --extra 'labels=$12'");
            return false;
        }
        if (!usd_parse(amount, &one, err)) {
            err->kind = ERROR_USAGE;
            error_context(err, "--extra %.*s", STR_ARG(name));
            return false;
        }
        if (one.nano < 0)
            return error_fail(err, ERROR_USAGE, "--extra %.*s: less than nothing",
                              STR_ARG(name));
        *out = out->nano == MONEY_UNKNOWN ? one : usd_add(*out, one);
    }
    return true;
}

static bool take_tags(struct strs tags, struct error *err)
{
    for (size_t i = 0; i < tags.len; i++) {
        const char *sign = memchr(tags.at[i].at, '=', tags.at[i].len);

        if (sign != NULL && sign > tags.at[i].at)
            continue;
        error_set(err, ERROR_USAGE, "--tag: '%.*s' is no key and value", STR_ARG(tags.at[i]));
        error_hint(err, "write it as --tag team=nlp");
        return false;
    }
    return true;
}

/* A text for C's functions; NULL when it is empty. */
static bool c_text(struct op_context *ctx, struct str text, const char **out, struct error *err)
{
    *out = NULL;
    return text.len == 0 || (*out = str_dup(text, ctx->arena, err)) != NULL;
}

bool run_idle_action(struct op_context *ctx, struct str words, struct supervise_options *out,
                     struct error *err)
{
    out->idle_command = NULL;
    out->idle_action = IDLE_ACT_COMMAND;
    if (str_eq(words, STR("warn")))
        out->idle_action = IDLE_ACT_WARN;
    else if (str_eq(words, STR("checkpoint")))
        out->idle_action = IDLE_ACT_CHECKPOINT;
    else if (str_eq(words, STR("stop")))
        out->idle_action = IDLE_ACT_STOP;
    else
        return c_text(ctx, words, &out->idle_command, err);
    return true;
}

static bool take_guards(struct op_context *ctx, const struct run_request *request,
                        struct supervise_options *out, struct error *err)
{
    out->budget = request->budget;
    out->deadline = request->deadline;
    out->grace = request->grace;
    out->idle = (struct idle_options){.below = request->idle_below, .after = request->idle};
    out->leftovers = str_eq(request->leftovers, STR("stop"))    ? LEFTOVERS_STOP
                     : str_eq(request->leftovers, STR("leave")) ? LEFTOVERS_LEAVE
                                                                : LEFTOVERS_WAIT;
    out->keeper = str_eq(request->if_killed, STR("stop"));
    out->stops_early = request->early_stop.len > 0;
    out->low_score = request->low_score;
    return run_idle_action(ctx, request->idle_do, out, err) &&
           take_signal(request->checkpoint_signal, &out->checkpoint_signal, err) &&
           (!out->stops_early || stop_parse(request->early_stop, &out->early_stop, err)) &&
           c_text(ctx, request->checkpoint_command, &out->checkpoint_command, err) &&
           c_text(ctx, request->on_event, &out->on_event, err);
}

static bool take_watching(struct op_context *ctx, const struct run_request *request,
                          struct supervise_options *out, struct error *err)
{
    out->every = request->every;
    out->gpus = !request->no_gpu;
    out->metrics = request->metrics;
    out->read_output = request->progress || request->status || request->metrics.len > 0 ||
                       request->early_stop.len > 0;
    out->stops_divergence = !request->keep_diverging && out->read_output;
    out->status = request->status;
    out->heartbeat = request->heartbeat;
    if (request->status && request->heartbeat.ns < 0)
        out->heartbeat = (span){600 * INT64_C(1000000000)};
    if (request->keep > 0 && request->checkpoints.len == 0) {
        error_set(err, ERROR_USAGE, "--keep needs --checkpoints DIR");
        return false;
    }
    out->checkpoint_rules = (struct checkpoint_rules){
        .keep = request->keep > 0 ? (int)request->keep : 3, .settle_s = 10};
    out->prune = request->keep > 0;
    return (request->best.len == 0 ||
            checkpoint_best_parse(request->best, &out->checkpoint_rules, err)) &&
           c_text(ctx, request->checkpoints, &out->checkpoints, err) &&
           c_text(ctx, request->metrics_file, &out->metrics_file, err);
}

/* The month's budget: what was said, else the configured one when it is in dollars. */
static void take_month(struct op_context *ctx, const struct run_request *request,
                       struct supervise_options *out)
{
    const struct money *configured = &ctx->settings->budget;
    stamp now = ctx->clock->today(ctx->clock->ctx);
    struct buf text = buf_new(ctx->arena->alloc, 64);
    day first;

    out->month_budget = request->month_budget;
    if (out->month_budget.nano == MONEY_UNKNOWN && strcmp(configured->currency, "USD") == 0 &&
        !decimal_fixed(configured->amount, 9, &out->month_budget.nano))
        out->month_budget = USD_UNKNOWN;
    day_write(day_of(now), &text);
    if (text.failed == ERROR_NONE && text.len == 10) {
        memcpy(text.at + 8, "01", 2);
        if (day_parse(buf_text(&text), &first))
            out->month_began = (stamp){first.n * SECONDS_PER_DAY};
    }
    buf_free(&text);
}

/* ---- the price ---- */

static void take_price(const struct run_price *price, usd extra, struct supervise_options *out)
{
    struct ledger_start *start = out->start;

    out->charge = run_charge_of(price, extra);
    start->rate = price->rate;
    start->electricity = price->electricity;
    start->offer = price->offer;
    start->market = price->market;
    start->price_source = price->source;
    start->estimated_cost = price->estimate.cost;
    start->estimated_time = price->estimate.time;
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
    out->rate = from->account.rate;
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

    if (id == NULL || why == NULL || gpu == NULL)
        return false;
    *out = (struct run_result){
        .id = str_from(id),
        .name = options->start->name,
        .state = str_from(ledger_state_name(from->state)),
        .reason = str_from(stop_reason_name(from->reason)),
        .why = str_from(why),
        .attempt = from->attempt,
        .exit_status = from->status,
        .exit_signal = from->signal,
        .recorded = from->recorded,
        .elapsed = from->elapsed,
        .budget = options->budget,
        .price_source = price->source,
        .offer = price->offer,
        .energy_kwh = totals->joules / JOULES_PER_KWH,
        .energy_method = str_from(meter_method_name(from->energy_method)),
        .energy_error = totals->energy_error,
        .carbon_g = totals->grams,
        .carbon_source = price->carbon_source,
        .cpu_s = totals->cpu_s,
        .memory_peak = totals->memory_peak,
        .read = totals->read,
        .written = totals->written,
        .received = totals->received,
        .sent = totals->sent,
        .gpu = str_from(gpu),
        .gpus = totals->gpus,
        .gpu_busy = totals->gpu_busy,
        .gpu_memory_peak = totals->gpu_memory_peak,
        .gpu_memory_total = totals->gpu_memory_total,
        .score = totals->score,
        .seed_score = totals->seed_score,
        .verdict = str_from(verdict.word),
        .verdict_text = str_from(verdict.text),
        .step = totals->step,
        .steps = totals->steps,
        .loss = totals->loss,
        .estimated_cost = price->estimate.cost,
        .estimated_time = price->estimate.time,
        .hint = price->how == RUN_PRICE_UNKNOWN ? price->hint : (struct str){0},
        .on_exit_status = -1,
    };
    fill_cost(from, out);
    out->quiet = quiet;
    return true;
}

/* The last command: after the record is closed, since it may shut the machine down. */
static bool run_on_exit(struct op_context *ctx, const struct run_request *request,
                        struct run_result *out, struct error *err)
{
    const char *command;
    struct hook_facts facts = {
        .event = "exit", .text = "", .name = "", .cost = "", .budget = ""};
    char number[32];

    if (request->on_exit.len == 0)
        return true;
    if (!c_text(ctx, request->on_exit, &command, err))
        return false;
    facts.id = out->id.at;
    facts.name = out->name.at;
    facts.text = out->state.at;
    if (out->cost.nano != MONEY_UNKNOWN) {
        (void)snprintf(number, sizeof number, "%.9f", usd_double(out->cost));
        facts.cost = number;
    }
    out->on_exit_status = hook_wait(command, &facts);
    if (out->on_exit_status != 0)
        op_say(ctx, VOICE_WARN, "--on-exit ended with status %lld",
               (long long)out->on_exit_status);
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

/* Which run to go on with: the one that was named, or the newest of this name. */
static bool take_resume(struct op_context *ctx, const struct run_request *request,
                        const char *path, struct ledger_start *start, struct error *err)
{
    const char *variable = env_get("STINT_RESUME");
    struct str wanted = request->resume;
    struct ledger *ledger;
    struct ledger_run run;
    bool found;

    /* Without a name of the user's, two commands of one folder are two runs. */
    start->resume = request->name.len > 0;
    if (wanted.len == 0 && variable != NULL)
        wanted = str_from(variable);
    if (wanted.len == 0 || path == NULL)
        return true;
    ledger =
        ledger_open(path, LEDGER_READ, (span){5000000000}, ctx->clock, ctx->arena->alloc, err);
    found = ledger != NULL && ledger_find(ledger, wanted, ctx->arena, &run, err);
    ledger_close(ledger);
    if (!found) {
        error_context(err, "cannot go on with '%.*s'", STR_ARG(wanted));
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
        op_say(ctx, VOICE_WARN,
               "THIS RUN IS NOT BEING RECORDED: there is no home folder to "
               "keep the ledger in; name a file with --ledger FILE");
        return true;
    }
    return c_text(ctx, ctx->settings->ledger, out, err);
}

static bool run_command(struct op_context *ctx, const void *request_in, void *result_out,
                        struct error *err)
{
    const struct run_request *request = request_in;
    struct ledger_start start;
    struct supervise_options options = {
        .start = &start, .alloc = ctx->arena->alloc, .clock = ctx->clock, .log = ctx->log};
    struct run_wish wish = {.price = request->price,
                            .offer = request->offer,
                            .plan = request->plan,
                            .electricity = request->electricity,
                            .must = request->budget.nano != MONEY_UNKNOWN};
    struct supervise_result ended;
    struct run_price price;
    enum cloud cloud;
    usd extra;
    bool ok;

    options.argv = command_words(ctx, request->command, err);
    if (options.argv == NULL || !take_tags(request->tag, err) ||
        !take_extras(request->extra, &extra, err) ||
        !take_guards(ctx, request, &options, err) ||
        !take_watching(ctx, request, &options, err) ||
        !run_charge_find(ctx, &wish, &price, &cloud, err) ||
        !run_start_fill(ctx, request, &start, err))
        return false;
    if (!request->no_ledger && !find_ledger(ctx, &options.ledger, err))
        return false;
    if (!take_resume(ctx, request, options.ledger, &start, err))
        return false;
    take_month(ctx, request, &options);
    take_price(&price, extra, &options);
    if (!check_budget(request, &options.charge, err))
        return false;
    options.cloud = cloud;
    (void)malloc_trim(0); /* what prices took is not to be carried through days of running */
    ok = supervise(&options, &ended, err);
    ctx->status = ended.status;
    ctx->signal = ok ? ended.signal : 0;
    if (!ok)
        return false;
    return fill_result(ctx, &options, &ended, &price, request->quiet, result_out, err) &&
           run_on_exit(ctx, request, result_out, err);
}

const struct op op_run_command = {
    .name = "run",
    .schema = "stint.run/1",
    .summary = "run a command under a meter, inside its budget",
    .request = &run_request_fields,
    .result = &run_result_fields,
    .run = run_command,
};
