/* From the options of `stint run` to those of the supervisor. */
#include "op/run/run_options.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/context.h"
#include "op/run/run_alert.h"
#include "run/supervise/machine_share.h"

#define IDLE_BELOW 0.05

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

/* 'labels=$12': the amount. */
static bool take_extra(struct str text, usd *out, struct error *err)
{
    struct str amount = text, name = str_cut(&amount, '=');

    if (name.len == 0 || amount.len == 0) {
        error_set(err, ERROR_USAGE, "--extra: '%.*s' is no name and amount", STR_ARG(text));
        error_hint(err, "write it as --extra 'labels=$12'");
        return false;
    }
    if (!usd_parse(amount, out, err)) {
        err->kind = ERROR_USAGE;
        error_context(err, "--extra %.*s", STR_ARG(name));
        return false;
    }
    if (out->nano < 0)
        return error_fail(err, ERROR_USAGE, "--extra %.*s: less than nothing", STR_ARG(name));
    return true;
}

/* The amounts added up. */
bool run_take_extras(struct strs extras, usd *out, struct error *err)
{
    *out = USD_UNKNOWN;
    for (size_t i = 0; i < extras.len; i++) {
        usd one;

        if (!take_extra(extras.at[i], &one, err))
            return false;
        *out = out->nano == MONEY_UNKNOWN ? one : usd_add(*out, one);
    }
    return true;
}

bool run_extra_names(struct op_context *ctx, struct strs extras, struct run_result *out,
                     struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    bool ok;

    for (size_t i = 0; i < extras.len; i++) {
        struct str name = extras.at[i];

        buf_adds(&text, i > 0 ? ", " : "");
        buf_add_safe(&text, str_cut(&name, '='));
    }
    out->extra_names = (struct str){NULL, text.len};
    ok = buf_ok(&text, err) &&
         (out->extra_names.at = str_dup(buf_text(&text), ctx->arena, err)) != NULL;
    buf_free(&text);
    return ok;
}

/* ---- options that need another ---- */

bool run_check_options(struct op_context *ctx, const struct run_request *request,
                       struct error *err)
{
    const struct {
        bool lone;
        const char *option, *needs;
    } partners[] = {
        {request->idle_do.len > 0 && request->idle.ns < 0, "--idle-do", "--idle TIME"},
        {!isnan(request->idle_below) && request->idle.ns < 0, "--idle-below", "--idle TIME"},
        {request->keep > 0 && request->checkpoints.len == 0, "--keep", "--checkpoints DIR"},
        {request->best.len > 0 && request->checkpoints.len == 0, "--best", "--checkpoints DIR"},
        {request->prune_all && request->keep <= 0, "--prune-all", "--keep N"},
        {request->resume.len > 0 && request->no_ledger, "--resume",
         "the ledger: leave out --no-ledger"},
        {request->month_budget.nano != MONEY_UNKNOWN && request->no_ledger, "--month-budget",
         "the ledger: leave out --no-ledger"},
    };

    for (size_t i = 0; i < ARRAY_LEN(partners); i++)
        if (partners[i].lone)
            return error_fail(err, ERROR_USAGE, "%s needs %s", partners[i].option,
                              partners[i].needs);
    if (request->low_score > 100)
        return error_fail(err, ERROR_USAGE, "--low-score: scores go from 0 to 100");
    if (request->deadline.ns >= 0 && request->grace.ns >= request->deadline.ns)
        message_warn(&ctx->messages,
                     "--grace is not shorter than --deadline: it is told to save at once");
    return true;
}

/* A pattern that is wrong is known before anything runs. */
static bool check_metrics(struct op_context *ctx, struct strs patterns, struct error *err)
{
    struct arena arena = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct metric_reader *reader;

    if (patterns.len == 0)
        return true;
    reader = metric_open(patterns, &arena, err);
    metric_close(reader);
    arena_free(&arena);
    if (reader != NULL)
        return true;
    if (err->kind == ERROR_INPUT)
        err->kind = ERROR_USAGE;
    error_context(err, "--metrics");
    return false;
}

/* A text for C's functions; NULL when it is empty. */
bool run_c_text(struct op_context *ctx, struct str text, const char **out, struct error *err)
{
    *out = NULL;
    return text.len == 0 || (*out = str_dup(text, ctx->arena, err)) != NULL;
}

/* Would a shell find it? */
static bool is_program(struct str name)
{
    const char *path = env_get("PATH");
    struct str rest = str_from(path);
    char file[PATH_MAX];

    while (rest.len > 0) {
        struct str folder = str_cut(&rest, ':');
        int len = snprintf(file, sizeof file, "%.*s/%.*s", (int)folder.len, folder.at,
                           (int)name.len, name.at);

        if (len > 0 && (size_t)len < sizeof file && access(file, X_OK) == 0)
            return true;
    }
    return false;
}

/* A slip in the name of an action would otherwise be a command that fails when it matters. */
static bool check_action(struct str words, struct error *err)
{
    struct suggestion s = {.wanted = words};

    suggestion_try(&s, STR("warn"));
    suggestion_try(&s, STR("checkpoint"));
    suggestion_try(&s, STR("stop"));
    if (s.best.len == 0 || is_program(words))
        return true;
    error_set(err, ERROR_USAGE, "--idle-do: '%.*s' is no action, and no command in PATH",
              STR_ARG(words));
    (void)suggestion_hint(&s, err);
    return false;
}

static bool idle_action(struct op_context *ctx, struct str words, struct supervise_options *out,
                        struct error *err)
{
    out->idle_command = NULL;
    out->idle_action = IDLE_ACT_COMMAND;
    if (words.len == 0)
        words = STR("stop");
    if (str_eq(words, STR("warn")))
        out->idle_action = IDLE_ACT_WARN;
    else if (str_eq(words, STR("checkpoint")))
        out->idle_action = IDLE_ACT_CHECKPOINT;
    else if (str_eq(words, STR("stop")))
        out->idle_action = IDLE_ACT_STOP;
    else
        return check_action(words, err) && run_c_text(ctx, words, &out->idle_command, err);
    return true;
}

/* A number of percent, or one over another. */
static bool parse_part(struct str share, double *out)
{
    struct str rest = share, above = str_cut(&rest, '/');
    double n, of;

    if (above.len < share.len)
        return num_double(above, &n) && num_double(rest, &of) && of > 0 &&
               isfinite(*out = n / of);
    if (share.len < 2 || share.at[share.len - 1] != '%')
        return false;
    share.len--;
    return num_double(str_trim(share), &n) && isfinite(*out = n / 100);
}

bool run_take_share(struct str share, int64_t *out, struct error *err)
{
    double part = NAN;

    *out = -1;
    share = str_trim(share);
    if (share.len == 0)
        return true;
    if (str_eq(share, STR("all")))
        part = 1;
    else if (!parse_part(share, &part) || part < 0 || part > 1) {
        error_set(err, ERROR_USAGE, "--share %.*s is no part of a machine", STR_ARG(share));
        error_hint(err, "a fraction (1/8), percent (12.5%%) or all");
        return false;
    }
    *out = (int64_t)(part * (double)SHARE_ONE + 0.5);
    return true;
}

bool run_take_guards(struct op_context *ctx, const struct run_request *request,
                     struct supervise_options *out, struct error *err)
{
    out->budget = request->budget;
    out->deadline = request->deadline;
    out->grace = request->grace;
    out->idle = (struct idle_options){.below = isnan(request->idle_below) ? IDLE_BELOW
                                                                          : request->idle_below,
                                      .after = request->idle};
    out->leftovers = str_eq(request->leftovers, STR("stop"))    ? LEFTOVERS_STOP
                     : str_eq(request->leftovers, STR("leave")) ? LEFTOVERS_LEAVE
                                                                : LEFTOVERS_WAIT;
    out->keeper = str_eq(request->if_killed, STR("stop"));
    out->stops_early = request->early_stop.len > 0;
    out->low_score = request->low_score;
    out->low_use = request->low_use;
    return run_take_share(request->share, &out->share, err) &&
           idle_action(ctx, request->idle_do, out, err) &&
           take_signal(request->checkpoint_signal, &out->checkpoint_signal, err) &&
           (!out->stops_early || stop_parse(request->early_stop, &out->early_stop, err)) &&
           run_c_text(ctx, request->checkpoint_command, &out->checkpoint_command, err) &&
           run_c_text(ctx, request->on_event, &out->on_event, err) &&
           run_alert_command(ctx,
                             &(struct run_alert_request){request->alert, request->alert_on},
                             &out->alerts, err);
}

bool run_take_watching(struct op_context *ctx, const struct run_request *request,
                       struct supervise_options *out, struct error *err)
{
    out->every = request->every;
    out->gpus = !request->no_gpu;
    out->metrics = request->metrics;
    out->read_output = request->progress || request->status || request->metrics.len > 0 ||
                       request->early_stop.len > 0 || request->best.len > 0;
    out->stops_divergence = !request->keep_diverging && out->read_output;
    /* A line now and then must know where a row of the program's ends. */
    out->read_output = out->read_output || request->heartbeat.ns > 0;
    out->status = request->status;
    out->quiet = request->quiet;
    out->heartbeat = request->heartbeat;
    if (request->status && request->heartbeat.ns < 0)
        out->heartbeat = (span){600 * INT64_C(1000000000)};
    out->checkpoint_rules =
        (struct checkpoint_rules){.keep = request->keep > 0 ? (int)request->keep : 3,
                                  .ours_only = !request->prune_all,
                                  .settle_s = 10};
    out->prune = request->keep > 0;
    return check_metrics(ctx, request->metrics, err) &&
           (request->best.len == 0 ||
            checkpoint_best_parse(request->best, &out->checkpoint_rules, err)) &&
           run_c_text(ctx, request->checkpoints, &out->checkpoints, err) &&
           run_c_text(ctx, request->metrics_file, &out->metrics_file, err);
}

/* The month's budget: what was said, else the configured one when it is in dollars. */
void run_take_month(struct op_context *ctx, const struct run_request *request,
                    struct supervise_options *out)
{
    const struct money *configured = &ctx->settings->budget;

    out->month_budget = request->month_budget;
    if (out->month_budget.nano == MONEY_UNKNOWN && strcmp(configured->currency, "USD") == 0 &&
        !decimal_fixed(configured->amount, 9, &out->month_budget.nano))
        out->month_budget = USD_UNKNOWN;
    if (request->month_budget.nano == MONEY_UNKNOWN && configured->currency[0] != '\0' &&
        out->month_budget.nano == MONEY_UNKNOWN)
        message_warn(&ctx->messages, "the configured budget is in %s: runs are not held to it",
                     configured->currency);
    out->month_began = stamp_month(ctx->clock->today(ctx->clock->ctx));
}
