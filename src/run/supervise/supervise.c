/* The loop: start the command, wait for what happens, act, pass its end on. */
#include "run/supervise/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "run/supervise/processes.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

/* ---- signals ---- */

/* Those that a shell or a person may send, passed on to the command. */
static const int passed_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                                     SIGUSR2, SIGTSTP, SIGCONT, SIGALRM};

static void block_signals(struct sup_processes *proc)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigset_t ours;

    (void)sigemptyset(&ours);
    for (size_t i = 0; i < ARRAY_LEN(passed_signals); i++)
        (void)sigaddset(&ours, passed_signals[i]);
    (void)sigaddset(&ours, SIGCHLD);
    (void)sigaddset(&ours, SIGWINCH);
    (void)sigprocmask(SIG_BLOCK, &ours, &proc->mask_before);
    proc->pipe_ignored =
        sigaction(SIGPIPE, &ignore, &before) == 0 && before.sa_handler == SIG_IGN;
    proc->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void unblock_signals(const struct sup_processes *proc)
{
    struct signalfd_siginfo late;

    /* Those that came too late to be passed on must not end us before the last words. */
    while (read(proc->signals, &late, sizeof late) == (ssize_t)sizeof late)
        continue;
    (void)close(proc->signals);
    if (!proc->pipe_ignored)
        (void)signal(SIGPIPE, SIG_DFL);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 0);
    (void)sigprocmask(SIG_SETMASK, &proc->mask_before, NULL);
}

/* ---- ends of processes ---- */

/* Is any process of the run left, besides the command? */
static bool anything_left(struct supervisor *s)
{
    bool grouped = s->proc.cgroup.v2[0] != '\0' || s->proc.cgroup.cpuacct[0] != '\0';
    struct tree_sample sample;

    if (s->options->target != NULL) { /* others wait for them: what is left of one is none */
        if (sup_tree(s) == NULL)
            return false;
        tree_find(sup_tree(s));
        tree_read(sup_tree(s), &sample);
        return sample.processes > 0;
    }
    if (grouped && !cgroup_empty(&s->proc.cgroup))
        return true;
    /* Some leave their group. A command that ended before the first look had no time for it. */
    if ((grouped && s->seen.meters == NULL) || sup_tree(s) == NULL)
        return false;
    tree_find(sup_tree(s));
    return processes_alive(sup_tree(s));
}

void sup_check_leftovers(struct supervisor *s)
{
    if (s->options->leftovers == LEFTOVERS_LEAVE || !anything_left(s)) {
        s->proc.over = true;
    } else if (s->end.term_passed) {
        sup_stop_leftovers(s);
    } else if (s->options->leftovers == LEFTOVERS_STOP && !s->end.begun) {
        char why[100];

        (void)snprintf(why, sizeof why, "%s has ended; stopping the processes it left behind",
                       s->what->noun);
        sup_stop_run(s, STOP_NONE, why);
    } else if (s->result->reason == STOP_USER && s->result->signal != 0 && !s->end.begun) {
        /* To stop a job means all of it: a shell that a signal ends leaves its own
         * behind. */
        sup_stop_run(s, STOP_USER,
                     "a signal ended the command; stopping the processes it left behind");
    } else if (!s->proc.waiting_reported && !s->end.begun) {
        s->proc.waiting_reported = true;
        sup_print(s, "%s", s->what->waits);
    }
}

/* Its end, as a shell would pass it on. */
void sup_ended(struct supervisor *s, int how)
{
    s->proc.child = 0;
    s->result->signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    s->result->status = WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
}

/* Are we the job that a shell waits for at its terminal? */
static bool in_foreground(void)
{
    int tty = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool ours = tty >= 0 && tcgetpgrp(tty) == getpgrp();

    if (tty >= 0)
        (void)close(tty);
    return ours;
}

/* Stop as the command was stopped, so that the shell has its terminal back, and go on when it
 * says so. The keeper guards meanwhile. */
void sup_stop_with(struct sup_told *told, int number)
{
    sigset_t one;

    if (told->relay != NULL)
        relay_suspend(told->relay);
    (void)sigemptyset(&one);
    (void)sigaddset(&one, number);
    (void)raise(number); /* one with that of the terminal, if we have not heard of that yet */
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    (void)sigprocmask(SIG_BLOCK, &one, NULL);
    if (told->relay != NULL)
        relay_resume(told->relay);
}

static void command_paused(struct supervisor *s, int how)
{
    sup_event(s, WIFSTOPPED(how) ? "stopped" : "continued", true, "the command was %s",
              WIFSTOPPED(how) ? "stopped" : "continued");
    if (WIFSTOPPED(how) && in_foreground())
        sup_stop_with(&s->told, WSTOPSIG(how));
}

static void reap_processes(struct supervisor *s)
{
    pid_t pid;
    int how;

    while ((pid = waitpid(-1, &how, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
        if (WIFSTOPPED(how) || WIFCONTINUED(how)) {
            if (pid == s->proc.child)
                command_paused(s, how);
        } else if (pid == s->proc.child) {
            sup_ended(s, how);
        } else if (pid == s->proc.keeper.pid) {
            keeper_gone(&s->proc.keeper);
            sup_event(
                s, "keeper-killed", false,
                "warning: the keeper was killed: if this process is killed, the job continues");
        } else if (pid == s->proc.notice_pid) {
            s->proc.notice_pid = 0;
        } else if (pid == s->save.probe.pid) {
            s->save.probe.pid = 0;
        } else {
            (void)hooks_reaped(&s->proc.hooks, pid);
        }
    }
    if (s->proc.child == 0)
        sup_check_leftovers(s);
}

static void pass_signal(struct supervisor *s, const struct signalfd_siginfo *info)
{
    int number = (int)info->ssi_signo;
    /* The terminal sends its signals to the entire process group: the command has it already.
     */
    bool by_terminal = info->ssi_code == SI_KERNEL;

    if (info->ssi_pid == (uint32_t)getpid()) /* what we passed on to all of the group */
        return;
    /* The kernel informs only the leader of the session that it went away; the others when
     * the leader is gone, but this one waits for them. */
    if (by_terminal && number == SIGHUP && getsid(0) == getpid())
        (void)kill(0, SIGHUP);
    if (!by_terminal && s->proc.child > 0)
        (void)kill(s->proc.child, number);
    else if (s->proc.child == 0 && (number == SIGINT || number == SIGTERM))
        sup_stop_run(s, STOP_USER,
                     "interrupted; stopping the processes the command left behind");
    if ((number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT) &&
        s->result->reason == STOP_NONE && !s->end.begun) {
        s->result->reason = STOP_USER;
        sup_event(s, "signal", true, "signal %d was passed on", number);
    }
    if (number == SIGTERM && s->proc.child > 0)
        sup_stop_after_term(s);
}

/* The command got the signal from the terminal, and may have asked the pseudo-terminal for its
 * size before that was changed: it is sent again. */
static void resize_terminal(struct sup_told *told, const struct sup_processes *proc)
{
    if (told->relay == NULL)
        return;
    relay_resized(told->relay);
    if (proc->child > 0)
        (void)kill(proc->child, SIGWINCH);
}

static void read_signals(struct supervisor *s)
{
    struct signalfd_siginfo info;

    while (read(s->proc.signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            reap_processes(s);
        else if (info.ssi_signo == SIGWINCH)
            resize_terminal(&s->told, &s->proc);
        else
            s->what->hear(s, &info);
    }
}

/* ---- starting the command ---- */

extern char **environ;

/* The statuses of a shell for what cannot be run. */
#define STATUS_NOT_FOUND 127
#define STATUS_NOT_EXECUTABLE 126

/* What the new process needs. */
struct exec_request {
    const struct supervisor *s;
    char *const *environment;
    int report;
};

/* Before exec, in our memory: only what is safe there. */
static void exec_command(void *ctx)
{
    const struct exec_request *request = ctx;
    const struct supervisor *s = request->s;
    char *const *words;
    int reason;

    memcpy(&words, &s->options->argv, sizeof words); /* the interface is older than const */
    if (s->told.relay != NULL)
        relay_child(s->told.relay);
    keeper_child(&s->proc.keeper);
    if (!s->proc.pipe_ignored)
        (void)signal(SIGPIPE, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &s->proc.mask_before, NULL);
    (void)execvpe(words[0], words, request->environment);
    reason = errno;
    while (write(request->report, &reason, sizeof reason) < 0 && errno == EINTR)
        continue;
    _exit(STATUS_NOT_FOUND);
}

/* Is `entry` of the environment replaced by one of `set`? */
static bool is_variable_replaced(const char *entry, const char *const *set)
{
    size_t name = strcspn(entry, "=") + 1;

    for (; *set != NULL; set++)
        if (strncmp(entry, *set, name) == 0)
            return true;
    return false;
}

/* What the command has of an entry: the address of the ledger, but not its password, which it
 * may write to a log. NULL with the error set. */
static char *public_entry(char *entry, struct arena *arena, struct error *err)
{
    static const char name[] = "STINT_LEDGER=";
    size_t len = sizeof name - 1;
    char *address, *copy;

    if (strncmp(entry, name, len) != 0)
        return entry;
    address = ledger_public(str_from(entry + len), arena, err);
    copy = address != NULL ? arena_array(arena, char, len + strlen(address) + 1, err) : NULL;
    if (copy != NULL) {
        memcpy(copy, name, len);
        memcpy(copy + len, address, strlen(address) + 1);
    }
    return copy;
}

/* Is it for us alone? The token of a server is not the command's to write to a log. */
static bool is_our_variable(const char *entry)
{
    return strncmp(entry, "STINT_RESUME=", 13) == 0 || strncmp(entry, "STINT_TOKEN=", 12) == 0;
}

/* Our environment with some variables set. */
static char **make_environment(const char *const *set, struct arena *arena, struct error *err)
{
    size_t count = 0, at = 0;
    char **out;

    for (char **entry = environ; *entry != NULL; entry++)
        count++;
    for (const char *const *entry = set; *entry != NULL; entry++)
        count++;
    out = arena_array(arena, char *, count + 1, err);
    if (out == NULL)
        return NULL;
    for (char **entry = environ; *entry != NULL; entry++)
        if (!is_variable_replaced(*entry, set) && !is_our_variable(*entry) &&
            (out[at++] = public_entry(*entry, arena, err)) == NULL)
            return NULL;
    for (; *set != NULL; set++)
        memcpy(&out[at++], set, sizeof *set);
    return out;
}

/* Why exec() failed, as a shell has it. */
static pid_t fail_exec(int reason, const char *name, int *status, struct error *err)
{
    if (reason == ENOENT) {
        *status = STATUS_NOT_FOUND;
        error_set(err, ERROR_ABSENT, "command not found: '%.200s'", name);
        if (strchr(name, ' ') != NULL)
            error_hint(err, "the command and its arguments are words of their own, without "
                            "quotes around all of them; of a shell's line: sh -c 'LINE'");
        else
            error_hint(err, strchr(name, '/') != NULL ? "is the path right?"
                                                      : "is it installed, and in PATH?");
    } else {
        *status = STATUS_NOT_EXECUTABLE;
        error_set(err, ERROR_FAILED, "'%.200s' cannot be executed: %s", name, strerror(reason));
        if (reason == EACCES || reason == ENOEXEC)
            error_hint(err,
                       "make it executable (chmod +x), or name its interpreter: python FILE");
    }
    return -1;
}

/* Its pid, or -1 with the error set, and the result's status that of a shell, or 1. */
static pid_t start_supervised(const struct supervisor *s, char *const *environment,
                              struct error *err)
{
    struct exec_request request = {.s = s, .environment = environment};
    const char *name = s->options->argv[0];
    int report[2], reason;
    ssize_t got;
    pid_t pid;

    if (pipe2(report, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot run '%.200s'", name);
        return -1;
    }
    request.report = report[1];
    pid = cgroup_start(&s->proc.cgroup, true, exec_command, &request);
    reason = errno;
    (void)close(report[1]);
    if (pid < 0) {
        error_system(err, reason, "cannot run '%.200s'", name);
        (void)close(report[0]);
        return -1;
    }
    /* The pipe closes when the command has taken the process's place; else the reason is in it.
     */
    do
        got = read(report[0], &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    (void)close(report[0]);
    if (got != (ssize_t)sizeof reason)
        return pid;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return fail_exec(reason, name, &s->result->status, err);
}

/* As a shell would: descriptors, terminal, process group and signals are those that this
 * program was given; `set` is added to the environment. */
static pid_t start_command(const struct supervisor *s, const char *const *set,
                           struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    char **environment = make_environment(set, &arena, err);
    pid_t pid = -1;

    s->result->status = 1;
    if (environment != NULL)
        pid = start_supervised(s, environment, err);
    arena_free(&arena);
    return pid;
}

void supervise_hold_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) /* the lowest that is free is given out */
            (void)!open("/dev/null", O_RDWR | O_CLOEXEC | O_NOCTTY);
}

/* ---- before and after ---- */

/* Opening the vendors' libraries takes tens of milliseconds: a command that ends at once is not
 * to wait for them. */
#define FIRST_LOOK (20 * SECOND / 1000)
#define WAKING (SECOND / 50)    /* how late we may wake up, besides waiting for a processor */
#define FLUSH (2 * SECOND)      /* for the rest of its output, when it has ended */
#define HOOKS_END (10 * SECOND) /* for hooks that still run then */

bool sup_watch_fd(const struct sup_processes *proc, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data = {.fd = fd}};

    return fd < 0 || epoll_ctl(proc->poll, EPOLL_CTL_ADD, fd, &event) == 0 || errno == EEXIST;
}

static bool open_loop(struct supervisor *s, struct error *err)
{
    s->proc.poll = epoll_create1(EPOLL_CLOEXEC);
    s->proc.timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    if (s->proc.signals >= 0 && s->proc.poll >= 0 && s->proc.timer >= 0 &&
        sup_watch_fd(&s->proc, s->proc.signals, EPOLLIN) &&
        sup_watch_fd(&s->proc, s->proc.timer, EPOLLIN) &&
        sup_watch_fd(&s->proc, inbox_fd(s->told.inbox), EPOLLIN) &&
        (s->record.recorder == NULL ||
         sup_watch_fd(&s->proc, recorder_fd(s->record.recorder), EPOLLIN)))
        return true;
    error_system(err, errno, "cannot watch the command");
    return false;
}

static void start_supervised_keeper(struct supervisor *s)
{
    struct error err = {0};

    if (s->options->keeper_started != NULL)
        s->proc.keeper = *s->options->keeper_started;
    else if (s->options->keeper && !keeper_start(&s->proc.keeper, s->options->ledger, &err))
        sup_print(s, "warning: %s: if this process is killed, the job continues", err.text);
}

static void send_command(const struct supervisor *s, int number)
{
    (void)kill(s->proc.child, number);
}

static bool start_child(struct supervisor *s, struct error *err)
{
    char id[64], name[1024], socket[192], attempt[48];
    const char *set[] = {id, name, attempt, NULL, NULL};

    (void)snprintf(id, sizeof id, "STINT_RUN_ID=%s", s->result->id);
    (void)snprintf(name, sizeof name, "STINT_RUN_NAME=%.*s", (int)s->options->start->name.len,
                   s->options->start->name.at);
    (void)snprintf(attempt, sizeof attempt, "STINT_ATTEMPT=%d", s->result->attempt);
    if (inbox_path(s->told.inbox) != NULL) {
        (void)snprintf(socket, sizeof socket, "STINT_SOCKET=%s", inbox_path(s->told.inbox));
        set[3] = socket;
    }
    sup_start_clock(s);
    s->proc.child = start_command(s, set, err);
    if (s->proc.child < 0) {
        s->proc.child = 0;
        return false;
    }
    keeper_command(&s->proc.keeper, s->proc.child);
    if (s->told.relay != NULL)
        relay_parent(s->told.relay);
    s->proc.next_look = (instant){clock_paid().ns + FIRST_LOOK};
    return true;
}

const struct supervised supervised_command = {
    .begin = start_child,
    .hear = pass_signal,
    .send = send_command,
    .noun = "the command",
    .waits = "the command has ended, processes that it started have not: waiting for them "
             "(--leftovers stop ends them, Ctrl-C too)",
};

static void listen_to_cloud(struct supervisor *s)
{
    struct notice_options options = {.cloud = s->options->cloud,
                                     .alloc = s->options->alloc,
                                     .log = s->options->log,
                                     .clock = s->options->clock};
    struct error err = {0};

    if (options.cloud == CLOUD_NONE)
        return;
    s->proc.notice = notice_watch(&options, &s->proc.notice_pid, &err);
    if (s->proc.notice >= 0)
        (void)sup_watch_fd(&s->proc, s->proc.notice, EPOLLIN);
    else if (err.kind != ERROR_ABSENT) /* some clouds give none */
        sup_print(s, "warning: %s: interruption notices are not received", err.text);
}

/* ---- the loop ---- */

static void arm_timer(const struct supervisor *s)
{
    instant step = sup_next_step(s);
    int64_t next = step.ns < s->proc.next_look.ns ? step.ns : s->proc.next_look.ns;
    int64_t at = next < s->month.next.ns ? next : s->month.next.ns;
    struct itimerspec when;

    if (s->end.begun && !s->end.killed && s->save.next_scan.ns < at)
        at = s->save.next_scan.ns;
    when = (struct itimerspec){
        .it_value = {.tv_sec = at / SECOND, .tv_nsec = at % SECOND == 0 ? 1 : at % SECOND}};
    (void)timerfd_settime(s->proc.timer, TFD_TIMER_ABSTIME, &when, NULL);
}

/* What the relay waits for changes with what it holds. */
static void arm_relay(const struct sup_processes *proc, const struct sup_told *told,
                      struct relay_wait was[static RELAY_FDS], size_t *count)
{
    struct relay_wait now[RELAY_FDS];
    size_t many = told->relay != NULL ? relay_waits(told->relay, now) : 0;

    if (many == *count && memcmp(now, was, many * sizeof *now) == 0)
        return;
    for (size_t i = 0; i < *count; i++)
        (void)epoll_ctl(proc->poll, EPOLL_CTL_DEL, was[i].fd, NULL);
    for (size_t i = 0; i < many; i++)
        (void)sup_watch_fd(proc, now[i].fd, now[i].events);
    memcpy(was, now, many * sizeof *now);
    *count = many;
}

static void read_recorder(struct supervisor *s)
{
    sup_record_news(s);
    sup_read_month(s);
}

static void handle_event(struct supervisor *s, int fd)
{
    uint64_t ignored;

    if (fd == s->proc.signals)
        read_signals(s);
    else if (fd == s->proc.timer)
        (void)!read(s->proc.timer, &ignored, sizeof ignored);
    else if (fd == inbox_fd(s->told.inbox))
        inbox_ready(s->told.inbox);
    else if (fd == s->proc.notice)
        sup_read_notice(s);
    else if (s->options->target != NULL && fd == s->options->target->handle)
        sup_target_ended(s);
    else if (s->record.recorder != NULL && fd == recorder_fd(s->record.recorder))
        read_recorder(s);
    else if (s->told.relay != NULL)
        relay_ready(s->told.relay, fd);
}

static void observe_run(struct supervisor *s, instant now)
{
    sup_observe(s, now);
    if (s->proc.child == 0)
        sup_check_leftovers(s);
    s->proc.next_look.ns += s->options->every.ns;
    if (s->proc.next_look.ns < now.ns) /* we slept: no need to catch up */
        s->proc.next_look = (instant){now.ns + s->options->every.ns};
}

/* What this thread waited for a processor so far. */
static int64_t delay_ns(const struct sup_processes *proc)
{
    char text[96];
    ssize_t len = pread(proc->delays, text, sizeof text - 1, 0);
    struct str rest = {text, len > 0 ? (size_t)len : 0};
    int64_t delay;

    (void)str_cut(&rest, ' '); /* the time that it ran */
    return num_int(str_cut(&rest, ' '), &delay) ? delay : 0;
}

/* Since when may what is read now have been printed? Who was asleep woke up for it, a little
 * late; who was not may have left it in the pipe since it woke up last. */
static void note_waking(struct sup_processes *proc, instant asleep, instant *awake)
{
    instant now = clock_paid();
    int64_t waited = proc->delays >= 0 ? delay_ns(proc) : 0,
            late = WAKING + waited - proc->delayed;

    if (now.ns - asleep.ns < SECOND / 1000)
        proc->heard_from = *awake;
    else if (now.ns - asleep.ns > late)
        proc->heard_from.ns = now.ns - late;
    else
        proc->heard_from = asleep;
    proc->delayed = waited;
    *awake = now;
}

static void supervise_loop(struct supervisor *s)
{
    struct relay_wait waits[RELAY_FDS];
    struct epoll_event events[8];
    size_t wait_count = 0;
    instant awake = s->began;

    /* It may have ended before we listened; but first by whose signal. */
    read_signals(s);
    reap_processes(s);
    while (!s->proc.over) {
        instant now, asleep;
        int count;

        arm_timer(s);
        arm_relay(&s->proc, &s->told, waits, &wait_count);
        asleep = clock_paid();
        count = epoll_wait(s->proc.poll, events, (int)ARRAY_LEN(events), -1);
        note_waking(&s->proc, asleep, &awake);
        for (int i = 0; i < count; i++)
            handle_event(s, events[i].data.fd);
        now = clock_paid();
        /* Others wait for the processes that it left: nothing reports their end to us. */
        if (!s->proc.over && s->end.begun && s->proc.child == 0 && s->options->target != NULL)
            sup_check_leftovers(s);
        if (!s->proc.over && now.ns >= s->proc.next_look.ns)
            observe_run(s, now); /* at the others, too: one limit, then the steps */
        else if (!s->proc.over && now.ns >= s->month.next.ns)
            sup_check_month(s, now);
        if (!s->proc.over)
            sup_take_steps(s, now);
    }
}

/* Of one whose status is not known, no success is claimed. */
static enum ledger_state state_by_status(int status)
{
    return status == 0 ? RUN_DONE : status < 0 ? RUN_STOPPED : RUN_FAILED;
}

static enum ledger_state end_state(const struct supervisor *s, int own_status)
{
    if (s->result->passed)
        return state_by_status(own_status);
    switch (s->result->reason) {
    case STOP_NONE:
        return state_by_status(s->result->status);
    case STOP_NOTICE:
        return RUN_PREEMPTED;
    case STOP_USER: /* a command that took no notice and ended well was not stopped */
        return s->result->status == 0 && !s->told.stop_asked ? RUN_DONE : RUN_STOPPED;
    case STOP_BUDGET:
    case STOP_MONTH:
    case STOP_DEADLINE:
    case STOP_IDLE:
    case STOP_EARLY:
    case STOP_DIVERGED:
    case STOP_DETACHED:
        break;
    }
    return RUN_STOPPED;
}

/* Was it the keeper that ended it, since we could not? */
static void judge_run_end(struct supervisor *s)
{
    if (s->end.begun || s->result->signal != SIGKILL || s->guard.limit_reason == STOP_NONE ||
        !keeper_reached_limit(&s->proc.keeper))
        return;
    s->end.begun = s->end.killed = true;
    s->result->reason = s->guard.limit_reason;
    (void)snprintf(s->result->why, sizeof s->result->why, "ended by the keeper at the limit");
    sup_event(s, stop_reason_names[s->guard.limit_reason], false, "%s", s->result->why);
}

/* What it comes to, and into the ledger with it. */
static void settle_command(struct supervisor *s)
{
    int own_status = s->result->status;

    /* One that ends after it was asked to save, ends because it was asked. */
    s->end.begun |= s->end.went_on;
    s->end.asked |= s->end.went_on;
    /* It ended by itself before the guard did anything: its own end counts. */
    if (s->end.begun && !s->end.asked && !s->end.termed && !s->end.killed &&
        s->result->reason != STOP_USER)
        s->result->reason = STOP_NONE;
    if (s->end.begun && s->result->reason != STOP_NONE && s->result->reason != STOP_USER &&
        s->result->reason != STOP_DETACHED) {
        s->result->status = s->result->reason == STOP_NOTICE && s->options->notice_status > 0
                                ? s->options->notice_status
                                : error_exit_status(ERROR_GUARD);
        s->result->signal = 0;
    }
    s->result->passed = s->guard.passed_limit && s->result->reason != STOP_DETACHED;
    if (s->result->passed)
        (void)snprintf(s->result->why, sizeof s->result->why,
                       "went on past its limit (%s, --no-kill)",
                       stop_reason_names[s->result->reason]);
    s->result->state = end_state(s, own_status);
    sup_record_end(s, s->result->state);
    sup_record_metrics(&s->record, &s->told, true);
}

static void finish_supervised_run(struct supervisor *s)
{
    instant ended = sup_share_end(s);

    keeper_dismiss(&s->proc.keeper);
    judge_run_end(s);
    sup_observe_end(s, ended);
    s->result->elapsed = span_between(s->began, ended);
    if (s->told.relay !=
        NULL) { /* its reader may take its time: what is known so far is kept */
        settle_command(s);
        if (s->record.recorder != NULL)
            recorder_flush(s->record.recorder);
    }
    s->result->mid_row = relay_finish(s->told.relay, (span){FLUSH});
    s->told.relay = NULL;
    sup_report_missing(s);
    hooks_finish(&s->proc.hooks, (instant){ended.ns + HOOKS_END});
    sup_send_alert(s, "ended", "The run ended."); /* after all that it ends */
    hooks_finish(&s->proc.hooks, (instant){clock_paid().ns + HOOKS_END / 2});
    if (s->proc.hooks.skipped > 0)
        sup_print(s, "warning: --on-event was skipped %d times: too many events at once",
                  s->proc.hooks.skipped);
    settle_command(s);
}

static void close_supervisor(struct supervisor *s)
{
    int fds[] = {s->proc.poll, s->proc.timer, s->proc.notice, s->proc.delays};

    if (s->told.relay != NULL)
        (void)relay_finish(s->told.relay, (span){0});
    s->told.relay = NULL;
    sup_record_finish(s);
    keeper_end(&s->proc.keeper);
    disk_probe_end(&s->save.probe); /* not waited for: its disk may not let it go */
    if (s->proc.notice_pid > 0) {
        (void)kill(s->proc.notice_pid, SIGKILL);
        (void)waitpid(s->proc.notice_pid, NULL, 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(fds); i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    machine_close(&s->money.seat);
    checkpoint_watch_close(s->save.checkpoints);
    inbox_close(s->told.inbox);
    metric_close(s->told.reader);
    meters_close(s->seen.meters);
    tree_close(s->seen.tree);
    cgroup_remove(&s->proc.cgroup);
    unblock_signals(&s->proc);
    arena_free(&s->arena);
}

bool supervise(const struct supervise_options *options, struct supervise_result *out,
               struct error *err)
{
    struct supervisor s = {.options = options,
                           .what = options->target != NULL ? &supervised_process
                                                           : &supervised_command,
                           .result = out,
                           .arena = {.alloc = options->alloc, .block_size = 4096},
                           .proc.poll = -1,
                           .proc.timer = -1,
                           .proc.notice = -1,
                           .proc.delays = -1,
                           .proc.keeper = {.fd = -1},
                           .money.seat = {.fd = -1},
                           .told.watched = NAN,
                           .told.watched_best = NAN,
                           .seen.cpu_cores = NAN,
                           .seen.watts = NAN,
                           .seen.previous_joules = NAN,
                           .seen.previous_waited_s = NAN,
                           .money.budget = options->budget,
                           .month.budget = options->month_budget,
                           .month.later = options->month_later,
                           .save.probe = DISK_PROBE_NONE,
                           .save.disk_rate = NAN,
                           .save.held = NAN,
                           .told.sight = {.reported = -1}};
    bool ok;

    *out = (struct supervise_result){.status = 1,
                                     .attempt = 1,
                                     .reserve = SPAN_UNKNOWN,
                                     .reserve_cost = USD_UNKNOWN,
                                     .expected_cost = USD_UNKNOWN,
                                     .expected_time = SPAN_UNKNOWN};
    (void)snprintf(out->energy_method, sizeof out->energy_method, "%s",
                   meter_method_names[METHOD_NONE]);
    block_signals(&s.proc);
    sup_init_guards(&s);
    start_supervised_keeper(&s);
    sup_record_start(&s);
    if (options->target == NULL) /* others' processes are not moved */
        (void)cgroup_make(&s.proc.cgroup, out->id, NULL, NULL);
    ok = sup_open_readers(&s, err);
    sup_reset_clock(&s);
    if (ok)
        ok = open_loop(&s, err);
    if (ok && !sup_may_start(&s)) {
        sup_record_end(&s, RUN_STOPPED);
    } else if (ok && s.what->begin(&s, err)) {
        sup_take_steps(&s, clock_paid());
        listen_to_cloud(&s);
        if (s.record.recorder != NULL &&
            !recorder_begun(s.record.recorder)) /* it goes to a journal now */
            recorder_flush(s.record.recorder);
        supervise_loop(&s);
        finish_supervised_run(&s);
    } else {
        ok = false;
        out->state = RUN_FAILED;
        account_nothing(&s.money.account);
        sup_record_end(&s, RUN_FAILED);
    }
    out->account = s.money.account;
    out->before = s.money.before;
    out->budget = s.money.budget;
    close_supervisor(&s);
    return ok;
}
