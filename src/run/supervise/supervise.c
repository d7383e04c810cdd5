/* The loop: start the command, wait for what happens, act, pass its end on. */
#include "run/supervise/supervise.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/supervise/child.h"
#include "run/supervise/processes.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)
/* Opening the vendors' libraries takes tens of milliseconds: a command that ends at once is not
 * to wait for them. */
#define FIRST_LOOK (20 * SECOND / 1000)
#define WAKING (SECOND / 50)    /* how late we may wake up, besides waiting for a processor */
#define FLUSH (2 * SECOND)      /* for the rest of its output, when it has ended */
#define HOOKS_END (10 * SECOND) /* for hooks that still run then */

/* ---- before and after ---- */

static bool wait_on(const struct supervisor *s, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data = {.fd = fd}};

    return fd < 0 || epoll_ctl(s->poll, EPOLL_CTL_ADD, fd, &event) == 0 || errno == EEXIST;
}

static bool open_loop(struct supervisor *s, struct error *err)
{
    s->poll = epoll_create1(EPOLL_CLOEXEC);
    s->timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (s->signals >= 0 && s->poll >= 0 && s->timer >= 0 && wait_on(s, s->signals, EPOLLIN) &&
        wait_on(s, s->timer, EPOLLIN) && wait_on(s, inbox_fd(s->inbox), EPOLLIN) &&
        (s->recorder == NULL || wait_on(s, recorder_fd(s->recorder), EPOLLIN)))
        return true;
    error_system(err, errno, "cannot watch the command");
    return false;
}

static void start_keeper(struct supervisor *s)
{
    struct error err = {0};

    if (s->options->keeper_started != NULL)
        s->keeper = *s->options->keeper_started;
    else if (s->options->keeper && !keeper_start(&s->keeper, s->options->ledger, &err))
        sup_say(s, "warning: %s: if this process is killed, the job goes on", err.text);
}

static void tell_keeper(struct supervisor *s)
{
    struct keeper_options options = {
        .cgroup = s->cgroup, .recorded = s->recorder != NULL, .grace = sup_grace_at_once(s)};

    memcpy(options.id, s->result->id, sizeof options.id);
    memcpy(options.attempt_id, s->options->start->attempt_id, sizeof options.attempt_id);
    keeper_job(&s->keeper, &options);
    keeper_limit(&s->keeper, s->limit);
}

/* The user's patterns, and the metrics of early stopping and of checkpoints by their names. */
static bool wanted_metrics(struct supervisor *s, struct strs *out, struct error *err)
{
    const struct supervise_options *o = s->options;
    struct str *all = arena_array(&s->arena, struct str, o->metrics.len + 2, err);

    if (all == NULL)
        return false;
    if (o->metrics.len > 0)
        memcpy(all, o->metrics.at, o->metrics.len * sizeof *all);
    *out = (struct strs){all, o->metrics.len};
    if (o->stops_early)
        all[out->len++] = str_from(o->early_stop.metric);
    if (o->checkpoint_rules.metric.len > 0)
        all[out->len++] = o->checkpoint_rules.metric;
    return true;
}

static bool open_readers(struct supervisor *s, struct error *err)
{
    const struct supervise_options *o = s->options;
    struct strs wanted;
    struct inbox_options inbox = {.id = s->result->id,
                                  .file = o->metrics_file,
                                  .line = sup_told,
                                  .refused = sup_refused,
                                  .stop = sup_stop_asked,
                                  .ctx = s};
    struct relay_options relay = {
        .line = o->read_output ? sup_line : NULL, .ctx = s, .status = o->status};

    if (!wanted_metrics(s, &wanted, err) || !sup_metrics_start(s, wanted, err))
        return false;
    s->reader = metric_open(wanted, &s->arena, err);
    if (s->reader == NULL)
        return false;
    s->inbox = inbox_open(&inbox, o->alloc, err);
    if (s->inbox == NULL || !sup_watch_checkpoints(s, err))
        return false;
    if (inbox_path(s->inbox) == NULL) {
        sup_say(
            s,
            "warning: no socket for 'stint stop', 'stint top' and the program's progress: %s",
            inbox_trouble(s->inbox));
        sup_say(s, "  hint: set XDG_RUNTIME_DIR to a folder that only you can write to: "
                   "mkdir -m 700 ~/.stint-run && export XDG_RUNTIME_DIR=~/.stint-run");
    }
    if (!o->read_output && !o->status)
        return true;
    s->relay = relay_open(&relay, o->alloc, err);
    return s->relay != NULL;
}

static bool start_child(struct supervisor *s, struct error *err)
{
    char id[64], name[160], socket[192], attempt[48];
    const char *set[] = {id, name, attempt, NULL, NULL};
    struct child_options options = {.argv = s->options->argv,
                                    .set = set,
                                    .cgroup = &s->cgroup,
                                    .relay = s->relay,
                                    .keeper = &s->keeper,
                                    .mask = &s->mask_before,
                                    .pipe_ignored = s->pipe_ignored};

    (void)snprintf(id, sizeof id, "STINT_RUN_ID=%s", s->result->id);
    (void)snprintf(name, sizeof name, "STINT_RUN_NAME=%.*s", STR_ARG(s->options->start->name));
    (void)snprintf(attempt, sizeof attempt, "STINT_ATTEMPT=%d", s->result->attempt);
    if (inbox_path(s->inbox) != NULL) {
        (void)snprintf(socket, sizeof socket, "STINT_SOCKET=%s", inbox_path(s->inbox));
        set[3] = socket;
    }
    sup_start_clock(s);
    sup_limits(s, s->began);
    tell_keeper(s); /* only now: the limit counts from here */
    s->child = child_start(&options, &s->result->status, err);
    if (s->child < 0) {
        s->child = 0;
        return false;
    }
    keeper_command(&s->keeper, s->child);
    if (s->relay != NULL)
        relay_parent(s->relay);
    s->next_look = (instant){clock_paid().ns + FIRST_LOOK};
    return true;
}

static void listen_to_cloud(struct supervisor *s)
{
    struct notice_options options = {.cloud = s->options->cloud,
                                     .alloc = s->options->alloc,
                                     .log = s->options->log,
                                     .clock = s->options->clock};
    struct error err = {0};

    if (options.cloud == CLOUD_NONE)
        return;
    s->notice = notice_watch(&options, &s->notice_pid, &err);
    if (s->notice >= 0)
        (void)wait_on(s, s->notice, EPOLLIN);
    else if (err.kind != ERROR_ABSENT) /* some clouds give none */
        sup_say(s, "warning: %s: notices of the cloud are not heard", err.text);
}

/* ---- the loop ---- */

static void arm_timer(const struct supervisor *s)
{
    instant step = sup_next_step(s);
    int64_t next = step.ns < s->next_look.ns ? step.ns : s->next_look.ns;
    int64_t at = next < s->next_month.ns ? next : s->next_month.ns;
    struct itimerspec when;

    if (s->ending && !s->killed && s->next_scan.ns < at)
        at = s->next_scan.ns;
    when = (struct itimerspec){
        .it_value = {.tv_sec = at / SECOND, .tv_nsec = at % SECOND == 0 ? 1 : at % SECOND}};
    (void)timerfd_settime(s->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

/* What the relay waits for changes with what it holds. */
static void arm_relay(const struct supervisor *s, struct relay_wait was[static RELAY_FDS],
                      size_t *count)
{
    struct relay_wait now[RELAY_FDS];
    size_t many = s->relay != NULL ? relay_waits(s->relay, now) : 0;

    if (many == *count && memcmp(now, was, many * sizeof *now) == 0)
        return;
    for (size_t i = 0; i < *count; i++)
        (void)epoll_ctl(s->poll, EPOLL_CTL_DEL, was[i].fd, NULL);
    for (size_t i = 0; i < many; i++)
        (void)wait_on(s, now[i].fd, now[i].events);
    memcpy(was, now, many * sizeof *now);
    *count = many;
}

static void hear_recorder(struct supervisor *s)
{
    sup_record_news(s);
    if (sup_month_answer(s))
        sup_limits(s, clock_paid());
}

static void handle(struct supervisor *s, int fd)
{
    uint64_t ignored;

    if (fd == s->signals)
        sup_hear_signals(s);
    else if (fd == s->timer)
        (void)!read(s->timer, &ignored, sizeof ignored);
    else if (fd == inbox_fd(s->inbox))
        inbox_ready(s->inbox);
    else if (fd == s->notice)
        sup_notice(s);
    else if (s->recorder != NULL && fd == recorder_fd(s->recorder))
        hear_recorder(s);
    else if (s->relay != NULL)
        relay_ready(s->relay, fd);
}

static void look(struct supervisor *s, instant now)
{
    sup_look(s, now);
    sup_guard(s, now);
    sup_log_changes(s, now);
    if (s->child == 0)
        sup_after_command(s);
    s->next_look.ns += s->options->every.ns;
    if (s->next_look.ns < now.ns) /* we slept: no need to catch up */
        s->next_look = (instant){now.ns + s->options->every.ns};
}

/* Since when may what is read now have been printed? Who was asleep woke up for it, a little
 * late; who was not may have left it in the pipe since it woke up last. */
static void note_waking(struct supervisor *s, instant asleep, instant *awake)
{
    instant now = clock_paid();
    int64_t waited = s->delays >= 0 ? sup_delay_ns(s) : 0, late = WAKING + waited - s->delayed;

    s->heard_from = now.ns - asleep.ns < SECOND / 1000 ? *awake
                    : now.ns - asleep.ns > late        ? (instant){now.ns - late}
                                                       : asleep;
    s->delayed = waited;
    *awake = now;
}

static void loop(struct supervisor *s)
{
    struct relay_wait waits[RELAY_FDS];
    struct epoll_event events[8];
    size_t wait_count = 0;
    instant awake = s->began;

    /* It may have ended before we listened; but first by whose signal. */
    sup_hear_signals(s);
    sup_reap(s);
    while (!s->over) {
        instant now, asleep;
        int count;

        arm_timer(s);
        arm_relay(s, waits, &wait_count);
        asleep = clock_paid();
        count = epoll_wait(s->poll, events, (int)ARRAY_LEN(events), -1);
        note_waking(s, asleep, &awake);
        for (int i = 0; i < count; i++)
            handle(s, events[i].data.fd);
        now = clock_paid();
        if (!s->over && now.ns >= s->next_look.ns)
            look(s, now); /* at the others, too: one limit, then the steps */
        else if (!s->over && now.ns >= s->next_month.ns)
            sup_look_at_others(s, now);
        if (!s->over)
            sup_steps(s, now);
    }
}

static enum ledger_state end_state(const struct supervisor *s)
{
    switch (s->result->reason) {
    case STOP_NONE:
        return s->result->status == 0 ? RUN_DONE : RUN_FAILED;
    case STOP_NOTICE:
        return RUN_PREEMPTED;
    case STOP_USER: /* a command that took no notice and ended well was not stopped */
        return s->result->status == 0 && !s->stop_asked ? RUN_DONE : RUN_STOPPED;
    case STOP_BUDGET:
    case STOP_MONTH:
    case STOP_DEADLINE:
    case STOP_IDLE:
    case STOP_EARLY:
    case STOP_DIVERGED:
        break;
    }
    return RUN_STOPPED;
}

/* Was it the keeper that ended it, since we could not? */
static void judge_end(struct supervisor *s, instant ended)
{
    if (s->ending || s->result->signal != SIGKILL || s->limit.ns == MOMENT_NEVER.ns ||
        ended.ns < s->limit.ns - SECOND / 2)
        return;
    s->ending = s->killed = true;
    s->result->reason = s->limit_reason;
    (void)snprintf(s->result->why, sizeof s->result->why, "ended by the keeper at the limit");
    sup_event(s, stop_reason_name(s->limit_reason), false, "%s", s->result->why);
}

/* What it comes to, and into the ledger with it. */
static void settle(struct supervisor *s)
{
    /* One that ends after it was asked to save, ends because it was asked. */
    s->ending |= s->went_on;
    s->asked |= s->went_on;
    /* It ended by itself before the guard did anything: its own end counts. */
    if (s->ending && !s->asked && !s->termed && !s->killed && s->result->reason != STOP_USER)
        s->result->reason = STOP_NONE;
    if (s->ending && s->result->reason != STOP_NONE && s->result->reason != STOP_USER) {
        s->result->status = s->result->reason == STOP_NOTICE && s->options->notice_status > 0
                                ? s->options->notice_status
                                : error_exit_status(ERROR_GUARD);
        s->result->signal = 0;
    }
    s->result->state = end_state(s);
    sup_record_end(s, s->result->state);
    sup_record_metrics(s, true);
}

static void finish(struct supervisor *s)
{
    instant ended = sup_share_end(s);

    keeper_dismiss(&s->keeper);
    judge_end(s, ended);
    sup_last_look(s, ended);
    s->result->elapsed = span_between(s->began, ended);
    if (s->relay != NULL) { /* its reader may take its time: what is known so far is kept */
        settle(s);
        if (s->recorder != NULL)
            recorder_flush(s->recorder);
    }
    s->result->mid_row = relay_finish(s->relay, (span){FLUSH});
    s->relay = NULL;
    sup_missing_at_end(s);
    hooks_finish(&s->hooks, (instant){ended.ns + HOOKS_END});
    sup_alert(s, "ended", "The run ended."); /* after all that it ends */
    hooks_finish(&s->hooks, (instant){clock_paid().ns + HOOKS_END / 2});
    if (s->hooks.skipped > 0)
        sup_say(s, "warning: %d times --on-event was left out: too many at once",
                s->hooks.skipped);
    settle(s);
}

static void close_all(struct supervisor *s)
{
    int fds[] = {s->poll, s->timer, s->notice, s->delays};

    if (s->relay != NULL)
        (void)relay_finish(s->relay, (span){0});
    s->relay = NULL;
    sup_record_finish(s);
    keeper_end(&s->keeper);
    disk_probe_end(&s->probe); /* not waited for: its disk may not let it go */
    if (s->notice_pid > 0) {
        (void)kill(s->notice_pid, SIGKILL);
        (void)waitpid(s->notice_pid, NULL, 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    machine_close(&s->seat);
    checkpoint_watch_close(s->checkpoints);
    inbox_close(s->inbox);
    metric_close(s->reader);
    meters_close(s->meters);
    tree_close(s->tree);
    cgroup_remove(&s->cgroup);
    sup_give_signals_back(s);
    arena_free(&s->arena);
}

bool supervise(const struct supervise_options *options, struct supervise_result *out,
               struct error *err)
{
    struct supervisor s = {.options = options,
                           .result = out,
                           .arena = {.alloc = options->alloc, .block_size = 4096},
                           .poll = -1,
                           .timer = -1,
                           .notice = -1,
                           .delays = -1,
                           .keeper = {.fd = -1},
                           .seat = {.fd = -1},
                           .watched = NAN,
                           .watched_best = NAN,
                           .cpu_cores = NAN,
                           .watts = NAN,
                           .previous_joules = NAN,
                           .budget = options->budget,
                           .month_budget = options->month_budget,
                           .month_name = options->month_name,
                           .month_later = options->month_later,
                           .probe = DISK_PROBE_NONE,
                           .disk_rate = NAN,
                           .held = NAN,
                           .sight = {.told = -1}};
    bool ok;

    *out = (struct supervise_result){
        .status = 1, .attempt = 1, .reserve = SPAN_UNKNOWN, .reserve_cost = USD_UNKNOWN};
    (void)snprintf(out->energy_method, sizeof out->energy_method, "%s",
                   meter_method_name(METHOD_NONE));
    sup_take_signals(&s);
    sup_begin(&s);
    start_keeper(&s);
    sup_record_start(&s);
    (void)cgroup_make(&s.cgroup, out->id, NULL, NULL);
    ok = open_readers(&s, err);
    sup_reset_clock(&s);
    sup_limits(&s, s.began);
    if (ok)
        ok = open_loop(&s, err);
    if (ok && !sup_may_begin(&s)) {
        sup_refuse(&s);
    } else if (ok && start_child(&s, err)) {
        sup_steps(&s, clock_paid());
        listen_to_cloud(&s);
        if (s.recorder != NULL && !recorder_begun(s.recorder)) /* it goes to a journal now */
            recorder_flush(s.recorder);
        loop(&s);
        finish(&s);
    } else {
        ok = false;
        out->state = RUN_FAILED;
        account_nothing(&s.account);
        sup_record_end(&s, RUN_FAILED);
    }
    out->account = s.account;
    out->before = s.before;
    out->budget = s.budget;
    close_all(&s);
    return ok;
}
