#include "run/watch.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "meter/meter.h"
#include "run/hooks.h"
#include "run/notice.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)

struct watcher {
    const struct watch_options *options;
    struct watch_result *out;
    struct meters *meters;
    struct meter_sample sample;
    struct account account;
    struct idle_watch idle;
    struct hooks hooks;
    instant began, last, last_beat;
    instant act_at; /* a guard has warned: its command runs then */
    double busy_s, cpu_before;
    int warned, notice;
    pid_t notice_pid;
};

static void say(struct watcher *w, const char *event, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void say(struct watcher *w, const char *event, const char *fmt, ...)
{
    char text[512];
    char cost[40] = "";
    struct hook_facts facts = {
        .event = event, .text = text, .id = "", .name = "watch", .cost = cost, .budget = ""};
    usd spent = account_cost(&w->account);
    va_list arguments;

    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    w->options->say(w->options->ctx, text);
    if (w->options->on_event == NULL)
        return;
    if (spent.nano != MONEY_UNKNOWN)
        (void)snprintf(cost, sizeof cost, "%.4f", usd_double(spent));
    (void)hooks_run(&w->hooks, w->options->on_event, &facts, clock_paid());
}

/* The busiest device, and the cores: whichever is busier. A machine whose devices are idle while
 * its cores work is at work. */
static double how_busy(struct watcher *w, double seconds)
{
    double cores = (w->sample.host.cpu_busy_s - w->cpu_before) / seconds;
    double busy = cores / w->sample.host.cores;

    w->cpu_before = w->sample.host.cpu_busy_s;
    for (size_t i = 0; i < w->sample.gpus; i++)
        if (w->sample.gpu[i].busy > busy || isnan(busy))
            busy = w->sample.gpu[i].busy;
    return busy;
}

/* A guard says so: warn, and act when the grace is over. */
static void begin(struct watcher *w, enum stop_reason reason, instant at, const char *why)
{
    if (w->act_at.ns != MOMENT_NEVER.ns)
        return;
    w->out->reason = reason;
    w->act_at = at;
    (void)snprintf(w->out->why, sizeof w->out->why, "%s", why);
    if (w->options->command != NULL)
        say(w, stop_reason_name(reason), "%s: running the command in %.0f s", why,
            (double)(at.ns - clock_paid().ns) / 1e9);
    else
        say(w, stop_reason_name(reason), "%s", why);
}

static void act(struct watcher *w)
{
    struct hook_facts facts = {.event = stop_reason_name(w->out->reason),
                               .text = w->out->why,
                               .id = "",
                               .name = "watch",
                               .cost = "",
                               .budget = ""};

    w->act_at = MOMENT_NEVER;
    w->idle = (struct idle_watch){.since = MOMENT_NEVER};
    w->out->acted++;
    if (w->options->command == NULL)
        return;
    w->out->command_status = hook_wait(w->options->command, &facts);
    if (w->out->command_status != 0)
        say(w, "command-failed", "the command ended with status %d", w->out->command_status);
}

/* What the limits say; the earliest counts. */
static void see_limits(struct watcher *w, instant now)
{
    const struct watch_options *o = w->options;
    usd cost = account_cost(&w->account);
    instant spent = MOMENT_NEVER, late = MOMENT_NEVER;
    int passed = guard_warning(cost, o->budget, &w->warned);

    if (passed > 0)
        say(w, "budget", "%d %% of the budget is spent", passed);
    if (o->budget.nano != MONEY_UNKNOWN && cost.nano != MONEY_UNKNOWN)
        spent = guard_spent_at(now, (usd){o->budget.nano - cost.nano}, w->account.rate);
    if (o->deadline.ns >= 0)
        late = (instant){w->account.began.ns + o->deadline.ns};
    if (spent.ns <= late.ns && spent.ns != MOMENT_NEVER.ns &&
        now.ns >= spent.ns - o->grace.ns - o->every.ns)
        begin(w, STOP_BUDGET, (instant){spent.ns - o->every.ns}, "the budget is nearly spent");
    else if (late.ns != MOMENT_NEVER.ns && now.ns >= late.ns - o->grace.ns)
        begin(w, STOP_DEADLINE, late, "the machine has been up as long as it may");
}

static void see_notices(struct watcher *w, instant now)
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
        begin(w, STOP_NOTICE, now, notice.text);
    else
        say(w, notice_kind_name((enum notice_kind)notice.kind), "%s", notice.text);
}

static void see_idleness(struct watcher *w, double busy, instant now)
{
    char why[160];

    /* Work that comes back in the grace saves the machine. */
    if (w->out->reason == STOP_IDLE && w->act_at.ns != MOMENT_NEVER.ns &&
        busy >= w->options->idle.below) {
        w->act_at = MOMENT_NEVER;
        say(w, "busy-again", "busy again: going on");
    }
    switch (idle_see(&w->idle, &w->options->idle, busy, now)) {
    case IDLE_NO:
        break;
    case IDLE_WARN:
        say(w, "idle-warning", "nothing has been busy for half of --idle");
        break;
    case IDLE_OVER:
        (void)snprintf(why, sizeof why, "nothing was more than %.3g %% busy for %.3g min",
                       w->options->idle.below * 100, (double)w->options->idle.after.ns / 60e9);
        begin(w, STOP_IDLE, (instant){now.ns + w->options->grace.ns}, why);
        break;
    }
}

/* Looks at the meters and accounts for the time since the last look; returns how busy it was. */
static double measure(struct watcher *w, instant now)
{
    double seconds = (double)(now.ns - w->last.ns) / 1e9, busy, joules, error;
    enum meter_method method;

    meters_read(w->meters, now, &w->sample);
    busy = how_busy(w, seconds > 0 ? seconds : 1);
    joules = meter_tree_joules(&w->sample, &method, &error);
    if (!isnan(busy)) {
        w->busy_s += busy * seconds;
        if (busy < w->options->idle.below)
            w->out->idle_s += seconds;
    }
    account_see(&w->account, now, busy < w->options->idle.below ? PHASE_IDLE : PHASE_TRAIN,
                joules, NAN);
    w->out->joules = joules;
    w->last = now;
    return busy;
}

static void look(struct watcher *w, instant now)
{
    double busy = measure(w, now);

    see_notices(w, now);
    see_limits(w, now);
    see_idleness(w, busy, now);
    if (now.ns >= w->act_at.ns)
        act(w);
    hooks_look(&w->hooks, now);
    while (waitpid(-1, NULL, WNOHANG) > 0) /* hooks that ended */
        continue;
    if (w->options->heartbeat.ns > 0 && now.ns - w->last_beat.ns >= w->options->heartbeat.ns) {
        w->last_beat = now;
        say(w, "heartbeat", "%.0f %% busy, %zu devices", busy * 100, w->sample.gpus);
    }
}

static void start_notices(struct watcher *w)
{
    struct notice_options options = {.cloud = w->options->cloud,
                                     .alloc = w->options->alloc,
                                     .log = w->options->log,
                                     .clock = w->options->clock};
    struct error err;

    w->notice = -1;
    if (options.cloud == CLOUD_NONE)
        return;
    w->notice = notice_watch(&options, &w->notice_pid, &err);
    if (w->notice < 0 && err.kind != ERROR_ABSENT)
        say(w, "warning", "warning: %s: notices of the cloud are not heard", err.text);
}

static void finish(struct watcher *w)
{
    struct watch_result *out = w->out;
    double seconds;

    meters_exact(w->meters);
    (void)measure(w, clock_paid());
    seconds = (double)(w->last.ns - w->began.ns) / 1e9;
    out->watched = span_between(w->began, w->last);
    out->cost = account_cost(&w->account);
    out->rate = w->account.rate;
    out->busy = seconds > 0 ? w->busy_s / seconds : NAN;
    out->idle_cost =
        out->cost.nano == MONEY_UNKNOWN ? USD_UNKNOWN : w->account.phase[PHASE_IDLE];
    if (w->notice_pid > 0) {
        (void)close(w->notice);
        (void)kill(w->notice_pid, SIGKILL);
        (void)waitpid(w->notice_pid, NULL, 0);
    }
    hooks_finish(&w->hooks, (instant){clock_paid().ns + 5 * SECOND});
    meters_close(w->meters);
}

bool watch_machine(const struct watch_options *options, struct watch_result *out,
                   struct error *err)
{
    struct meter_options meters = {.watts_a_core = NAN, .gpus = true, .root = options->root};
    struct watcher w = {.options = options, .out = out, .act_at = MOMENT_NEVER};

    *out = (struct watch_result){.command_status = -1, .joules = NAN};
    w.meters = meters_open(&meters, options->alloc, err);
    if (w.meters == NULL)
        return false;
    w.began = w.last = w.last_beat = clock_paid();
    w.idle.since = MOMENT_NEVER;
    account_start(&w.account, &options->charge, w.began);
    /* What it has cost since it was started, at the same price. */
    if (options->charge.rate.nano != MONEY_UNKNOWN && options->up.ns > 0)
        w.account.began.ns -= options->up.ns;
    account_see(&w.account, w.began, PHASE_TRAIN, 0, NAN);
    start_notices(&w);
    meters_read(w.meters, w.began, &w.sample);
    w.cpu_before = w.sample.host.cpu_busy_s;
    while (!(options->once && out->acted > 0)) {
        struct pollfd wait = {.fd = w.notice, .events = POLLIN};

        if (options->stopped != NULL && options->stopped())
            break;
        (void)poll(&wait, w.notice >= 0 ? 1 : 0, (int)(options->every.ns / 1000000));
        look(&w, clock_paid());
    }
    if (out->acted == 0)
        out->reason = STOP_USER;
    finish(&w);
    return true;
}
