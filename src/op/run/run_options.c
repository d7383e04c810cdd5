/* From the options of `stint run` to those of the supervisor. */
#include "op/run/run_options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "doc/json_write.h"
#include "op/context.h"
#include "op/op.h"
#include "op/run/run_alert.h"
#include "run/supervise/options.h"

#define IDLE_BELOW 0.05
#define LOW_SCORE 30 /* of 100: an efficiency worth a warning when it lasts */

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
    if (request->deadline.ns >= 0 && request->grace.ns >= request->deadline.ns)
        message_warn(
            &ctx->messages,
            "--grace is not shorter than --deadline: the run is asked to save at once");
    return true;
}

/* A text for C's functions; NULL when it is empty. */
bool run_c_text(struct op_context *ctx, struct str text, const char **out, struct error *err)
{
    *out = NULL;
    return text.len == 0 || (*out = str_dup(text, ctx->arena, err)) != NULL;
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
    out->low_score = LOW_SCORE;
    out->low_use = request->low_use;
    return run_share_parse(request->share, &out->share, err) &&
           idle_action_parse(request->idle_do, ctx->arena, &out->idle_action,
                             &out->idle_command, err) &&
           checkpoint_signal_parse(request->checkpoint_signal, &out->checkpoint_signal, err) &&
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
    /* A heartbeat must know where a row of the program's ends. */
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
    return metric_patterns_check(request->metrics, ctx->arena->alloc, err) &&
           (request->best.len == 0 ||
            checkpoint_best_parse(request->best, &out->checkpoint_rules, err)) &&
           run_c_text(ctx, request->checkpoints, &out->checkpoints, err) &&
           run_c_text(ctx, request->metrics_file, &out->metrics_file, err);
}

/* The month's budget: the one given, else the configured one when it is in dollars. */
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
        message_warn(&ctx->messages, "the configured budget is in %s: it does not limit runs",
                     configured->currency);
    out->month_began = stamp_month(ctx->clock->today(ctx->clock->ctx));
}

/* ---- --summary: the result as JSON in a file, since standard output is the command's ---- */

/* Opening these anew would write over what a log has, or fail where they are sockets. */
static int stream_of(const char *path)
{
    return strcmp(path, "/dev/stdout") == 0   ? STDOUT_FILENO
           : strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO
                                              : -1;
}

bool run_summary_check(struct op_context *ctx, struct str file, const char **out,
                       struct error *err)
{
    char folder[PATH_MAX] = ".";
    const char *slash;

    if (!run_c_text(ctx, file, out, err))
        return false;
    if (*out == NULL || stream_of(*out) >= 0)
        return true;
    slash = strrchr(*out, '/');
    if (slash != NULL)
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash == *out ? 1 : slash - *out),
                       *out);
    if (access(folder, W_OK | X_OK) == 0 || access(*out, W_OK) == 0)
        return true;
    error_system(err, errno, "--summary: cannot write '%.200s'", *out);
    err->kind = ERROR_USAGE;
    error_hint(err, "name a file in an existing folder");
    return false;
}

void run_summary_write(struct op_context *ctx, const char *path,
                       const struct run_result *result)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct error why;
    bool ok;

    json_write_record(op_run_command.result, result, op_run_command.schema, &text);
    buf_char(&text, '\n');
    ok = buf_ok(&text, &why);
    if (ok && stream_of(path) >= 0)
        ok = fs_write_all(stream_of(path), buf_text(&text), &why);
    else if (ok)
        ok = fs_put(path, buf_text(&text), &why);
    if (!ok)
        message_warn(&ctx->messages, "the summary was not written: %s", why.text);
    buf_free(&text);
}
