#include "run/supervise/options.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "run/output/metric.h"
#include "run/supervise/machine_share.h"

#define IDLE_BELOW 0.05
#define LOW_SCORE 30 /* of 100: an efficiency worth a warning when it lasts */

/* "USR1", "SIGUSR1", "none" (0): how a program is asked for a checkpoint. */
static bool checkpoint_signal_parse(struct str text, int *out, struct error *err)
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
static bool extra_parse(struct str text, usd *out, struct error *err)
{
    struct str amount = text, name = str_cut(&amount, '=');

    if (name.len == 0 || amount.len == 0) {
        error_set(err, ERROR_USAGE, "--extra: '%.*s' is not a name and an amount",
                  STR_ARG(text));
        error_hint(err, "write it as --extra 'labels=$12'");
        return false;
    }
    if (!usd_parse(amount, out, err)) {
        err->kind = ERROR_USAGE;
        error_context(err, "--extra %.*s", STR_ARG(name));
        return false;
    }
    if (out->nano < 0)
        return error_fail(err, ERROR_USAGE, "--extra %.*s: below zero", STR_ARG(name));
    return true;
}

bool run_extras_sum(struct strs extras, usd *out, struct error *err)
{
    *out = USD_UNKNOWN;
    for (size_t i = 0; i < extras.len; i++) {
        usd one;

        if (!extra_parse(extras.at[i], &one, err))
            return false;
        *out = out->nano == MONEY_UNKNOWN ? one : usd_add(*out, one);
    }
    return true;
}

bool run_extras_names(struct strs extras, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < extras.len; i++) {
        struct str name = extras.at[i];

        buf_adds(&text, i > 0 ? ", " : "");
        buf_add_safe(&text, str_cut(&name, '='));
    }
    return buf_keep(&text, arena, out, err);
}

/* Are all patterns valid? Checked before anything runs. */
static bool metric_patterns_check(struct strs patterns, const struct alloc *alloc,
                                  struct error *err)
{
    struct arena arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
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

/* A typo in the name of an action would otherwise be a command that fails when it matters. */
static bool check_action(struct str words, struct error *err)
{
    struct suggestion s = {.wanted = words};

    suggestion_try(&s, STR("warn"));
    suggestion_try(&s, STR("checkpoint"));
    suggestion_try(&s, STR("stop"));
    if (s.best.len == 0 || is_program(words))
        return true;
    error_set(err, ERROR_USAGE, "--idle-do: '%.*s' is neither an action nor a command in PATH",
              STR_ARG(words));
    (void)suggestion_hint(&s, err);
    return false;
}

/* "warn", "checkpoint", "stop" (also when empty), or a command. */
static bool idle_action_parse(struct str words, struct arena *arena, enum idle_action *action,
                              const char **command, struct error *err)
{
    *command = NULL;
    *action = IDLE_ACT_COMMAND;
    if (words.len == 0)
        words = STR("stop");
    if (str_eq(words, STR("warn")))
        *action = IDLE_ACT_WARN;
    else if (str_eq(words, STR("checkpoint")))
        *action = IDLE_ACT_CHECKPOINT;
    else if (str_eq(words, STR("stop")))
        *action = IDLE_ACT_STOP;
    else
        return check_action(words, err) && (*command = str_dup(words, arena, err)) != NULL;
    return true;
}

/* "12.5%", or "1/8". */
static bool part_parse(struct str share, double *out)
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

/* "1/8", "12.5%", "all" as billionths (machine_share.h); -1 when it is empty. */
static bool run_share_parse(struct str share, int64_t *out, struct error *err)
{
    double part = NAN;

    *out = -1;
    share = str_trim(share);
    if (share.len == 0)
        return true;
    if (str_eq(share, STR("all")))
        part = 1;
    else if (!part_parse(share, &part) || part < 0 || part > 1) {
        error_set(err, ERROR_USAGE, "--share %.*s is not a part of a machine", STR_ARG(share));
        error_hint(err, "a fraction (1/8), percent (12.5%%) or all");
        return false;
    }
    *out = (int64_t)(part * (double)SHARE_ONE + 0.5);
    return true;
}

/* ---- the request ---- */

/* Options that need another one. */
static bool check_partners(const struct run_request *request, struct error *err)
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
    if (request->keep_diverging && request->stop_diverging)
        return error_fail(err, ERROR_USAGE,
                          "--keep-diverging and --stop-diverging contradict each other");
    return true;
}

/* A text for C's functions; NULL when it is empty. */
static bool copy_option_text(struct str text, struct arena *arena, const char **out,
                             struct error *err)
{
    *out = NULL;
    return text.len == 0 || (*out = str_dup(text, arena, err)) != NULL;
}

static bool set_guards(const struct run_request *request, struct arena *arena,
                       struct supervise_options *out, struct error *err)
{
    out->budget = request->budget;
    out->deadline = request->deadline;
    out->grace = request->grace;
    out->idle.below = isnan(request->idle_below) ? IDLE_BELOW : request->idle_below;
    out->idle.after = request->idle;
    out->leftovers = request->leftovers;
    out->keeper = str_eq(request->if_killed, STR("stop"));
    out->notice_status = request->notice_status > 0 ? (int)request->notice_status : 0;
    out->no_kill = request->no_kill;
    out->keeper = out->keeper && !request->no_kill; /* which would kill it at the limit */
    out->stops_early = request->early_stop.len > 0;
    out->low_score = LOW_SCORE;
    out->low_use = request->low_use;
    return run_share_parse(request->share, &out->share, err) &&
           idle_action_parse(request->idle_do, arena, &out->idle_action, &out->idle_command,
                             err) &&
           checkpoint_signal_parse(request->checkpoint_signal, &out->checkpoint_signal, err) &&
           (!out->stops_early || stop_parse(request->early_stop, &out->early_stop, err)) &&
           copy_option_text(request->checkpoint_command, arena, &out->checkpoint_command,
                            err) &&
           copy_option_text(request->on_event, arena, &out->on_event, err);
}

static bool set_watching(const struct run_request *request, struct arena *arena,
                         struct supervise_options *out, struct error *err)
{
    out->every = request->every;
    out->meters.gpus = !request->no_gpu;
    out->metrics = request->metrics;
    out->read_output = request->progress || request->status || request->metrics.len > 0 ||
                       request->early_stop.len > 0 || request->best.len > 0;
    out->stops_divergence = !request->keep_diverging;
    out->stops_growth = request->stop_diverging;
    /* A heartbeat must know where a row of the program's ends; and what was predicted by a plan
     * or a job is compared with the steps that the program prints. */
    out->read_output = out->read_output || request->heartbeat.ns > 0 || request->plan.len > 0 ||
                       request->job.len > 0;
    if (request->pid > 0) /* what others' processes print is not ours to read */
        out->read_output = false;
    out->status = request->status;
    out->quiet = request->quiet;
    out->heartbeat = request->heartbeat;
    if (request->status && request->heartbeat.ns < 0)
        out->heartbeat = (span){600 * INT64_C(1000000000)};
    out->checkpoint_rules = (struct checkpoint_rules){
        .keep = request->keep > 0 ? (int)request->keep : CHECKPOINT_KEEP,
        .ours_only = !request->prune_all,
        .settle_s = CHECKPOINT_SETTLE_S};
    out->prune = request->keep > 0;
    return metric_patterns_check(request->metrics, arena->alloc, err) &&
           (request->best.len == 0 ||
            checkpoint_best_parse(request->best, &out->checkpoint_rules, err)) &&
           copy_option_text(request->checkpoints, arena, &out->checkpoints, err) &&
           copy_option_text(request->metrics_file, arena, &out->metrics_file, err);
}

static const char *const *copy_command_words(struct strs command, struct arena *arena,
                                             struct error *err)
{
    const char **words = arena_array(arena, const char *, command.len + 1, err);

    for (size_t i = 0; words != NULL && i < command.len; i++)
        if ((words[i] = str_dup(command.at[i], arena, err)) == NULL)
            return NULL;
    return words;
}

bool run_options_make(const struct run_request *request, struct arena *arena,
                      const struct messages *to, struct supervise_options *out,
                      struct error *err)
{
    out->argv = copy_command_words(request->command, arena, err);
    if (out->argv == NULL || !check_partners(request, err))
        return false;
    if (request->deadline.ns >= 0 && request->grace.ns >= request->deadline.ns)
        message_warn(
            to, "--grace is not shorter than --deadline: the run is asked to save at once");
    return set_guards(request, arena, out, err) && set_watching(request, arena, out, err);
}
