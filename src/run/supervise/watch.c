#include "run/supervise/watch.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/cloud/notice.h"
#include "run/supervise/busy.h"
#include "run/supervise/watch_internal.h"

#define SECOND INT64_C(1000000000)
#define LONGEST_WAIT (3600 * SECOND)

void watch_say(struct watcher *w, const char *event, const char *fmt, ...)
{
    char text[512];
    char cost[40] = "", budget[40] = "";
    struct hook_facts facts = {.event = event,
                               .text = text,
                               .id = "",
                               .name = "watch",
                               .cost = cost,
                               .budget = budget};
    usd spent = account_cost(&w->account);
    va_list arguments;

    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    if (strcmp(event, "ended") != 0)
        w->options->say(w->options->ctx, text);
    if (spent.nano != MONEY_UNKNOWN)
        (void)snprintf(cost, sizeof cost, "%.9f", usd_double(spent));
    if (w->options->budget.nano != MONEY_UNKNOWN)
        (void)snprintf(budget, sizeof budget, "%.9f", usd_double(w->options->budget));
    if (w->options->on_event != NULL && strcmp(event, "ended") != 0)
        (void)hooks_run(&w->hooks, w->options->on_event, &facts, clock_paid());
    if (w->options->alerts.command == NULL ||
        (strcmp(event, "ended") == 0 ? !w->alerted
                                     : (alert_on_event(event) & w->options->alerts.on) == 0))
        return;
    facts.ledger = w->options->alerts.ledger;
    (void)hooks_run(&w->hooks, w->options->alerts.command, &facts, clock_paid());
    w->alerted = true;
}

/* ---- what is measured ---- */

/* Cores in use since the last look that could tell. Two looks close together tell nothing: the
 * kernel counts in hundredths of a second. */
static double cores_in_use(struct watcher *w, instant now)
{
    double cpu_s = w->sample.host.cpu_busy_s, before = w->cpu_s;
    double seconds = (double)(now.ns - w->cpu_at.ns) / 1e9;

    if (seconds < (double)w->options->every.ns / 2e9)
        return w->cores;
    w->cores = (cpu_s - before) / seconds;
    if (!isnan(cpu_s)) {
        w->cpu_s = cpu_s;
        w->cpu_at = now;
    }
    return w->cores;
}

/* A device whose power is looked at says nothing just now: its energy seems to stand still. */
static bool falls_silent(const struct meter_sample *sample)
{
    for (size_t i = 0; i < sample->gpus; i++) {
        const struct gpu_sample *gpu = &sample->gpu[i];

        if (gpu->use != GPU_VISIBLE && gpu->joules_method != METHOD_COUNTER &&
            isnan(gpu->watts))
            return true;
    }
    return false;
}

/* Energy, and power since the last look that could tell: while a meter is silent, what it said
 * last holds. */
static void see_power(struct watcher *w, instant now)
{
    enum meter_method method;
    double error, joules = meter_tree_joules(&w->sample, &method, &error);
    double seconds = (double)(now.ns - w->powered.ns) / 1e9;

    if (isnan(joules))
        return;
    w->joules = joules;
    if (falls_silent(&w->sample))
        return;
    if (!isnan(w->joules_then) && seconds > 0)
        w->watts = (joules - w->joules_then) / seconds;
    w->joules_then = joules;
    w->powered = now;
}

/* Looks at the meters and accounts for the time since the last look; returns how busy it
 * was. */
static double measure(struct watcher *w, instant now)
{
    double seconds = (double)(now.ns - w->last.ns) / 1e9, busy;
    bool is_idle;

    meters_read(w->meters, now, &w->sample);
    busy = busy_of_machine(&w->sample, cores_in_use(w, now));
    is_idle = busy < w->options->idle.below;
    see_power(w, now);
    if (!isnan(busy)) {
        w->busy_s += busy * seconds;
        w->known_s += seconds;
    }
    if (is_idle)
        w->out->idle_s += seconds;
    account_see(&w->account, now, is_idle ? PHASE_IDLE : PHASE_TRAIN, w->joules, w->watts);
    w->last = now;
    return busy;
}

/* ---- the loop ---- */

/* Helpers that ended: their numbers may soon be somebody else's. Only our own are waited
 * for. */
static void reap(struct watcher *w)
{
    for (size_t i = 0; i < HOOKS_MOST; i++) {
        pid_t pid = w->hooks.at[i].pid;

        if (pid > 0 && waitpid(pid, NULL, WNOHANG) != 0)
            (void)hooks_reaped(&w->hooks, pid);
    }
    if (w->notice_pid > 0 && waitpid(w->notice_pid, NULL, WNOHANG) != 0)
        w->notice_pid = 0;
}

static void look(struct watcher *w, instant now)
{
    double busy = measure(w, now);

    reap(w);
    hooks_look(&w->hooks, now);
    watch_see_notices(w, now);
    watch_see_limits(w, now);
    watch_see_idleness(w, busy, now);
    watch_act(w, now);
    if (w->options->heartbeat.ns > 0 && now.ns - w->last_beat.ns >= w->options->heartbeat.ns) {
        w->last_beat = now;
        if (isnan(busy))
            watch_say(w, "heartbeat", "how busy is not known, %zu devices", w->sample.gpus);
        else
            watch_say(w, "heartbeat", "%.0f %% busy, %zu devices", busy * 100, w->sample.gpus);
    }
}

/* Until the next look is due, or a guard is; a notice wakes it. */
static void wait_for_next(struct watcher *w)
{
    struct pollfd notice = {.fd = w->notice, .events = POLLIN};
    instant now = clock_paid(), until = {w->last.ns + LONGEST_WAIT};

    if (w->options->every.ns < LONGEST_WAIT)
        until.ns = w->last.ns + w->options->every.ns;
    for (size_t i = 0; i < WATCH_GUARDS; i++)
        if (w->pending[i].at.ns < until.ns)
            until = w->pending[i].at;
    /* Rounded up, so that it is due when we wake. */
    if (until.ns > now.ns)
        (void)poll(&notice, w->notice >= 0 ? 1 : 0,
                   (int)((until.ns - now.ns + 999999) / 1000000));
}

static void start_notices(struct watcher *w)
{
    struct notice_options options = {.cloud = w->options->cloud,
                                     .alloc = w->options->alloc,
                                     .log = w->options->log,
                                     .clock = w->options->clock};
    struct error err = {0};

    if (options.cloud == CLOUD_NONE)
        return;
    w->notice = notice_watch(&options, &w->notice_pid, &err);
    if (w->notice < 0 && err.kind != ERROR_ABSENT)
        watch_say(w, "warning", "warning: %s: notices of the cloud are not heard", err.text);
}

static void start(struct watcher *w)
{
    const struct watch_options *o = w->options;

    w->began = w->last = w->last_beat = w->cpu_at = w->powered = clock_paid();
    w->up_since = (instant){w->began.ns - o->up.ns};
    w->idle.since = MOMENT_NEVER;
    for (size_t i = 0; i < WATCH_GUARDS; i++)
        w->pending[i].at = MOMENT_NEVER;
    account_start(&w->account, &o->charge, w->began);
    /* What it has cost since it was started, at the same price. Electricity of before is not
     * known. */
    w->out->since_start = o->charge.rate.nano != MONEY_UNKNOWN;
    if (w->out->since_start)
        w->account.began = w->account.share.at = w->up_since;
    account_see(&w->account, w->began, PHASE_TRAIN, NAN, NAN);
    start_notices(w);
    meters_exact(w->meters);
    meters_read(w->meters, w->began, &w->sample);
    w->cpu_s = w->sample.host.cpu_busy_s;
    see_power(w, w->began);
}

static void finish(struct watcher *w)
{
    struct watch_result *out = w->out;

    meters_exact(w->meters);
    (void)measure(w, clock_paid());
    if (out->acted == 0)
        out->reason = STOP_USER;
    out->watched = span_between(w->began, w->last);
    out->cost = account_cost(&w->account);
    out->rate = w->account.rate;
    out->joules = w->joules;
    out->busy = w->known_s > 0 ? w->busy_s / w->known_s : (double)NAN;
    out->idle_cost =
        out->cost.nano == MONEY_UNKNOWN ? USD_UNKNOWN : w->account.phase[PHASE_IDLE];
    if (w->notice >= 0)
        (void)close(w->notice);
    reap(w);
    if (w->notice_pid > 0) {
        (void)kill(w->notice_pid, SIGKILL);
        (void)waitpid(w->notice_pid, NULL, 0);
    }
    hooks_finish(&w->hooks, (instant){clock_paid().ns + 5 * SECOND});
    watch_say(w, "ended", "The machine is not watched any more."); /* after all that it ends */
    hooks_finish(&w->hooks, (instant){clock_paid().ns + 5 * SECOND});
    if (w->hooks.skipped > 0)
        log_write(w->options->log, LOG_WARN, "%d commands of --on-event were left out",
                  w->hooks.skipped);
    meters_close(w->meters);
}

bool watch_machine(const struct watch_options *options, struct watch_result *out,
                   struct error *err)
{
    struct watcher w = {.options = options,
                        .out = out,
                        .notice = -1,
                        .cores = NAN,
                        .joules = NAN,
                        .joules_then = NAN,
                        .watts = NAN};

    *out = (struct watch_result){.command_status = -1, .joules = NAN};
    w.meters = meters_open(&options->meters, options->alloc, err);
    if (w.meters == NULL)
        return false;
    start(&w);
    while (!(options->once && out->acted > 0)) {
        if (options->stopped != NULL && options->stopped())
            break;
        wait_for_next(&w);
        look(&w, clock_paid());
    }
    finish(&w);
    return true;
}
