/* `stint watch`: guards of a machine, what they see and what they do. */
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
#include "run/supervise/hooks.h"
#include "unit/time.h"

/* The guards, the one that counts first when several are due. */
enum watch_guard {
    WATCH_NOTICE,
    WATCH_BUDGET,
    WATCH_DEADLINE,
    WATCH_IDLE,
    WATCH_GUARDS,
};

struct pending {
    instant at;     /* it acts then; MOMENT_NEVER: it has not warned */
    instant warned; /* when it did */
    bool over;      /* it has acted, and does so once */
    char why[200];
};

struct watcher {
    const struct watch_options *options;
    struct watch_result *out;
    struct meters *meters;
    struct meter_sample sample;
    struct account account;
    struct idle_watch idle;
    struct use_watch use;
    bool alerted;
    struct hooks hooks;
    struct pending pending[WATCH_GUARDS];
    instant began, up_since, last, last_beat;
    double busy_s, known_s; /* busy time, and that of which it is known */
    struct use_now in_use;
    double cpu_s, moved; /* of all cores, and over the network, until `cpu_at` */
    instant cpu_at;
    double joules;      /* known last */
    double joules_then; /* when power was last known: at `powered` */
    instant powered;
    double watts;
    int warned, notice;
    pid_t notice_pid;
};

static const enum stop_reason reasons[WATCH_GUARDS] = {STOP_NOTICE, STOP_BUDGET, STOP_DEADLINE,
                                                       STOP_IDLE};

static void watch_print(struct watcher *w, const char *event, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* ---- what guards do ---- */

static bool guard_waits(const struct watcher *w, enum watch_guard guard)
{
    return w->pending[guard].at.ns != MOMENT_NEVER.ns;
}

/* A guard says so: warn. It acts at `at`. */
static void begin_stop(struct watcher *w, enum watch_guard guard, instant now, instant at,
                       const char *why)
{
    struct pending *p = &w->pending[guard];
    struct buf left = buf_new(w->options->alloc, 64);
    int64_t seconds = (at.ns - now.ns + SECOND / 2) / SECOND;

    p->at = at;
    p->warned = now;
    (void)snprintf(p->why, sizeof p->why, "%s", why);
    span_write((span){seconds * SECOND}, &left);
    if (w->options->command == NULL)
        watch_print(w, stop_reason_names[reasons[guard]], "%s", why);
    else if (seconds <= 0)
        watch_print(w, stop_reason_names[reasons[guard]], "%s: running the command", why);
    else
        watch_print(w, stop_reason_names[reasons[guard]], "%s: running the command in %.*s",
                    why, (int)left.len, left.at);
    buf_free(&left);
}

static void act_on(struct watcher *w, enum watch_guard guard)
{
    struct watch_result *out = w->out;
    char cost[40] = "";
    struct hook_facts facts = {.event = stop_reason_names[reasons[guard]],
                               .text = out->why,
                               .id = "",
                               .name = "watch",
                               .cost = cost,
                               .budget = ""};
    usd spent = account_cost(&w->account);

    out->reason = reasons[guard];
    _Static_assert(sizeof out->why == sizeof w->pending[0].why, "copied unchanged");
    memcpy(out->why, w->pending[guard].why, sizeof out->why);
    out->acted++;
    if (w->options->command == NULL)
        return;
    if (spent.nano != MONEY_UNKNOWN)
        (void)snprintf(cost, sizeof cost, "%.9f", usd_double(spent));
    out->command_status = hook_wait(w->options->command, &facts);
    if (out->command_status != 0)
        watch_print(w, "command-failed", "the command ended with status %d",
                    out->command_status);
}

/* What is due. Several guards at the same look are one reason to run the command. */
static void watch_act(struct watcher *w, instant now)
{
    bool acted = false;

    for (size_t i = 0; i < WATCH_GUARDS; i++) {
        struct pending *p = &w->pending[i];

        if (now.ns < p->at.ns)
            continue;
        p->at = MOMENT_NEVER;
        p->over = i == WATCH_BUDGET || i == WATCH_DEADLINE;
        if (i == WATCH_IDLE) /* it begins anew */
            w->idle = (struct idle_watch){.since = MOMENT_NEVER};
        if (!acted)
            act_on(w, (enum watch_guard)i);
        acted = true;
    }
}

/* ---- what guards see ---- */

/* A limit to keep: warned of a grace before, at the look after which the next would
 * be too late. While it waits, the moment follows what is known of it: power goes up and
 * down. */
static void see_limit(struct watcher *w, enum watch_guard guard, instant limit, instant now,
                      const char *why)
{
    const struct watch_options *o = w->options;
    struct pending *p = &w->pending[guard];
    instant warned = guard_waits(w, guard) ? p->warned : now;
    instant at = limit;

    if (p->over || limit.ns == MOMENT_NEVER.ns)
        return;
    if (at.ns < warned.ns + o->grace.ns)
        at = (instant){warned.ns + o->grace.ns};
    if (guard_waits(w, guard) && now.ns >= limit.ns - 2 * (o->grace.ns + o->every.ns))
        p->at = at;
    else if (guard_waits(w, guard)) /* it is far away again: there will be another warning */
        p->at = MOMENT_NEVER;
    else if (now.ns >= limit.ns - o->grace.ns - o->every.ns)
        begin_stop(w, guard, now, at, why);
}

/* One look before the money is gone. */
static instant spent_at(const struct watcher *w, usd left, instant now)
{
    instant at = guard_spent_at(now, left, w->account.rate);

    return at.ns == MOMENT_NEVER.ns ? at : (instant){at.ns - w->options->every.ns};
}

static void watch_see_limits(struct watcher *w, instant now)
{
    const struct watch_options *o = w->options;
    usd cost = account_cost(&w->account);
    int passed = guard_warning(cost, o->budget, &w->warned);
    char kind[32];

    if (passed > 0) {
        (void)snprintf(kind, sizeof kind, "budget-%d", passed);
        watch_print(w, kind, "%d %% of the budget is spent", passed);
    }
    if (o->budget.nano != MONEY_UNKNOWN && cost.nano != MONEY_UNKNOWN)
        see_limit(w, WATCH_BUDGET, spent_at(w, (usd){o->budget.nano - cost.nano}, now), now,
                  cost.nano < o->budget.nano ? "the budget is almost spent"
                                             : "the budget is spent");
    if (o->deadline.ns >= 0)
        see_limit(w, WATCH_DEADLINE, (instant){w->up_since.ns + o->deadline.ns}, now,
                  "the machine has reached its deadline");
}

static void watch_see_notices(struct watcher *w, instant now)
{
    struct notice notice;
    int got = w->notice >= 0 ? notice_read(w->notice, &notice) : 0;

    if (got < 0) {
        (void)close(w->notice);
        w->notice = -1;
    }
    if (got <= 0)
        return;
    if (notice.kind == NOTICE_TAKEN)
        begin_stop(w, WATCH_NOTICE, now, now, notice.text);
    else
        watch_print(w, notice_kind_name((enum notice_kind)notice.kind), "%s", notice.text);
}

/* Devices that are paid for and hardly used. */
static void see_use(struct watcher *w, instant now)
{
    double busiest = NAN, mean;

    for (size_t i = 0; i < w->sample.gpus; i++)
        busiest = fmax(busiest, w->sample.gpu[i].busy);
    if (use_see(&w->use, busiest, w->options->low_use, now, &mean))
        watch_print(w, "low-utilization",
                    "low utilization: the busiest GPU was busy %.0f %% of the last 30 min",
                    mean * 100);
}

static void watch_see_idleness(struct watcher *w, double busy, instant now)
{
    const struct idle_options *idle = &w->options->idle;
    char why[160];

    see_use(w, now);
    /* Work that comes back in the grace saves the machine. */
    if (guard_waits(w, WATCH_IDLE) && !(busy < idle->below)) {
        w->pending[WATCH_IDLE].at = MOMENT_NEVER;
        watch_print(w, "busy-again", "%s: continuing",
                    isnan(busy) ? "utilization can no longer be measured" : "busy again");
    }
    switch (idle_see(&w->idle, idle, busy, now)) {
    case IDLE_NO:
        break;
    case IDLE_WARN:
        idle_describe(idle, "acts", why, sizeof why);
        watch_print(w, "idle-warning", "%s", why);
        break;
    case IDLE_OVER:
        if (guard_waits(w, WATCH_IDLE))
            break;
        (void)snprintf(why, sizeof why, "nothing was more than %.3g %% busy for %.3g min",
                       idle->below * 100, (double)idle->after.ns / 60e9);
        begin_stop(w, WATCH_IDLE, now, (instant){now.ns + w->options->grace.ns}, why);
        break;
    }
}

#define LONGEST_WAIT (3600 * SECOND)

/* To the user, and to the hook. */
PRINTF_LIKE(3, 4)
static void watch_print(struct watcher *w, const char *event, const char *fmt, ...)
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
        message_note(w->options->messages, "%s", text);
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

/* Cores in use since the last useful look. Two looks close together show nothing: the
 * kernel counts in hundredths of a second. */
static const struct use_now *use_since_then(struct watcher *w, instant now)
{
    double cpu_s = w->sample.host.cpu_busy_s, before = w->cpu_s;
    double moved = w->sample.host.received + w->sample.host.sent;
    double seconds = (double)(now.ns - w->cpu_at.ns) / 1e9;

    if (seconds < (double)w->options->every.ns / 2e9)
        return &w->in_use;
    w->in_use.cores = (cpu_s - before) / seconds;
    w->in_use.bytes = (moved - w->moved) / seconds; /* over the network; the disk is not seen */
    w->moved = moved;
    if (!isnan(cpu_s)) {
        w->cpu_s = cpu_s;
        w->cpu_at = now;
    }
    return &w->in_use;
}

/* A device whose power is looked at says nothing just now: its energy seems not to change. */
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

/* Energy, and power since the last useful look: while a meter has no value, its last one
 * holds. */
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
static double watch_measure(struct watcher *w, instant now)
{
    double seconds = (double)(now.ns - w->last.ns) / 1e9, busy;
    bool is_idle;

    meters_read(w->meters, now, &w->sample);
    busy = busy_of_machine(&w->sample, use_since_then(w, now));
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

/* Helpers that ended: their numbers may soon be those of other processes. Only our own are
 * waited for. */
static void watch_reap(struct watcher *w)
{
    for (size_t i = 0; i < HOOKS_MOST; i++) {
        pid_t pid = w->hooks.at[i].pid;

        if (pid > 0 && waitpid(pid, NULL, WNOHANG) != 0)
            (void)hooks_reaped(&w->hooks, pid);
    }
    if (w->notice_pid > 0 && waitpid(w->notice_pid, NULL, WNOHANG) != 0)
        w->notice_pid = 0;
}

static void watch_look(struct watcher *w, instant now)
{
    double busy = watch_measure(w, now);

    watch_reap(w);
    hooks_look(&w->hooks, now);
    watch_see_notices(w, now);
    watch_see_limits(w, now);
    watch_see_idleness(w, busy, now);
    watch_act(w, now);
    if (w->options->heartbeat.ns > 0 && now.ns - w->last_beat.ns >= w->options->heartbeat.ns) {
        w->last_beat = now;
        if (isnan(busy))
            watch_print(w, "heartbeat", "utilization unknown, %zu devices", w->sample.gpus);
        else
            watch_print(w, "heartbeat", "%.0f %% busy, %zu devices", busy * 100,
                        w->sample.gpus);
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
                                     .log = w->options->messages->log,
                                     .clock = w->options->clock};
    struct error err = {0};

    if (options.cloud == CLOUD_NONE)
        return;
    w->notice = notice_watch(&options, &w->notice_pid, &err);
    if (w->notice < 0 && err.kind != ERROR_ABSENT)
        watch_print(w, "warning", "warning: %s: interruption notices are not received",
                    err.text);
}

static void watch_start(struct watcher *w)
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

static void watch_finish(struct watcher *w)
{
    struct watch_result *out = w->out;

    meters_exact(w->meters);
    (void)watch_measure(w, clock_paid());
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
    watch_reap(w);
    if (w->notice_pid > 0) {
        (void)kill(w->notice_pid, SIGKILL);
        (void)waitpid(w->notice_pid, NULL, 0);
    }
    hooks_finish(&w->hooks, (instant){clock_paid().ns + 5 * SECOND});
    watch_print(w, "ended",
                "The machine is not watched any more."); /* after all that it ends */
    hooks_finish(&w->hooks, (instant){clock_paid().ns + 5 * SECOND});
    if (w->hooks.skipped > 0)
        log_write(w->options->messages->log, LOG_WARN,
                  "%d commands of --on-event were left out", w->hooks.skipped);
    meters_close(w->meters);
}

bool watch_machine(const struct watch_options *options, struct watch_result *out,
                   struct error *err)
{
    struct watcher w = {.options = options,
                        .out = out,
                        .notice = -1,
                        .in_use = {NAN, NAN},
                        .moved = NAN,
                        .joules = NAN,
                        .joules_then = NAN,
                        .watts = NAN};

    *out = (struct watch_result){.command_status = -1, .joules = NAN};
    w.meters = meters_open(&options->meters, options->alloc, err);
    if (w.meters == NULL)
        return false;
    watch_start(&w);
    while (!(options->once && out->acted > 0)) {
        if (options->stopped != NULL && options->stopped())
            break;
        wait_for_next(&w);
        watch_look(&w, clock_paid());
    }
    watch_finish(&w);
    return true;
}
