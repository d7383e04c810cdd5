/* Signals and ends of processes: what is passed on to the command, what is told of it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/supervise/processes.h"
#include "run/supervise/supervise_internal.h"

/* Those that a shell or a person may send, passed on to the command. */
static const int passed[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                             SIGUSR2, SIGTSTP, SIGCONT, SIGALRM};

void sup_take_signals(struct supervisor *s)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigset_t ours;

    (void)sigemptyset(&ours);
    for (size_t i = 0; i < ARRAY_LEN(passed); i++)
        (void)sigaddset(&ours, passed[i]);
    (void)sigaddset(&ours, SIGCHLD);
    (void)sigaddset(&ours, SIGWINCH);
    (void)sigprocmask(SIG_BLOCK, &ours, &s->mask_before);
    s->pipe_ignored = sigaction(SIGPIPE, &ignore, &before) == 0 && before.sa_handler == SIG_IGN;
    s->signals = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
}

void sup_give_signals_back(const struct supervisor *s)
{
    struct signalfd_siginfo late;

    /* Those that came too late to be passed on must not end us before the last words. */
    while (read(s->signals, &late, sizeof late) == (ssize_t)sizeof late)
        continue;
    (void)close(s->signals);
    if (!s->pipe_ignored)
        (void)signal(SIGPIPE, SIG_DFL);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 0);
    (void)sigprocmask(SIG_SETMASK, &s->mask_before, NULL);
}

/* ---- what happens ---- */

/* Is any process of the run left, besides the command? */
static bool anything_left(struct supervisor *s)
{
    bool grouped = s->cgroup.v2[0] != '\0' || s->cgroup.cpuacct[0] != '\0';

    if (grouped && !cgroup_empty(&s->cgroup))
        return true;
    /* Some leave their group. A command that ended before the first look had no time for it. */
    if ((grouped && s->meters == NULL) || sup_tree(s) == NULL)
        return false;
    tree_find(sup_tree(s));
    return processes_alive(sup_tree(s));
}

void sup_after_command(struct supervisor *s)
{
    if (s->options->leftovers == LEFTOVERS_LEAVE || !anything_left(s)) {
        s->over = true;
    } else if (s->told_to_end) {
        sup_end_left(s);
    } else if (s->options->leftovers == LEFTOVERS_STOP && !s->ending) {
        sup_end_now(s, STOP_NONE, "the command has ended: what it left behind is ended");
    } else if (s->result->reason == STOP_USER && s->result->signal != 0 && !s->ending) {
        /* Whoever ends a job means all of it: a shell that a signal ends leaves its own
         * behind. */
        sup_end_now(s, STOP_USER, "a signal ended the command: what it left behind is ended");
    } else if (!s->waiting_said && !s->ending) {
        s->waiting_said = true;
        sup_say(s, "the command has ended, processes that it started have not: waiting for "
                   "them (--leftovers stop ends them, Ctrl-C too)");
    }
}

/* The command's end, as a shell would pass it on. */
static void command_ended(struct supervisor *s, int how)
{
    s->child = 0;
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
static void stop_too(struct supervisor *s, int number)
{
    sigset_t one;

    if (s->relay != NULL)
        relay_suspend(s->relay);
    (void)sigemptyset(&one);
    (void)sigaddset(&one, number);
    (void)raise(number); /* one with that of the terminal, if we have not heard of that yet */
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    (void)sigprocmask(SIG_BLOCK, &one, NULL);
    if (s->relay != NULL)
        relay_resume(s->relay);
}

static void command_paused(struct supervisor *s, int how)
{
    sup_event(s, WIFSTOPPED(how) ? "stopped" : "continued", true, "the command was %s",
              WIFSTOPPED(how) ? "stopped" : "continued");
    if (WIFSTOPPED(how) && in_foreground())
        stop_too(s, WSTOPSIG(how));
}

void sup_reap(struct supervisor *s)
{
    pid_t pid;
    int how;

    while ((pid = waitpid(-1, &how, WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
        if (WIFSTOPPED(how) || WIFCONTINUED(how)) {
            if (pid == s->child)
                command_paused(s, how);
        } else if (pid == s->child) {
            command_ended(s, how);
        } else if (pid == s->keeper.pid) {
            keeper_gone(&s->keeper);
            sup_event(s, "keeper-killed", false,
                      "warning: the keeper was killed: nobody ends the job if this process is");
        } else if (pid == s->notice_pid) {
            s->notice_pid = 0;
        } else if (pid == s->probe.pid) {
            disk_probe_gone(&s->probe);
        } else {
            (void)hooks_reaped(&s->hooks, pid);
        }
    }
    if (s->child == 0)
        sup_after_command(s);
}

static void pass_signal(struct supervisor *s, const struct signalfd_siginfo *info)
{
    int number = (int)info->ssi_signo;
    /* The terminal sends its signals to the whole process group: the command has it already. */
    bool by_terminal = info->ssi_code == SI_KERNEL;

    if (info->ssi_pid == (uint32_t)getpid()) /* what we passed on to all of the group */
        return;
    /* That it went away is told to the leader of the session alone; the others hear of it when
     * the leader is gone, but this one waits for them. */
    if (by_terminal && number == SIGHUP && getsid(0) == getpid())
        (void)kill(0, SIGHUP);
    if (!by_terminal && s->child > 0)
        (void)kill(s->child, number);
    else if (s->child == 0 && (number == SIGINT || number == SIGTERM))
        sup_end_now(s, STOP_USER, "interrupted: what the command left behind is ended");
    if ((number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGQUIT) &&
        s->result->reason == STOP_NONE && !s->ending) {
        s->result->reason = STOP_USER;
        sup_event(s, "signal", true, "signal %d was passed on", number);
    }
    if (number == SIGTERM && s->child > 0)
        sup_told_to_end(s);
}

/* The command heard of it from the terminal, and may have looked at its stand-in before that
 * followed: it is told again. */
static void resize(struct supervisor *s)
{
    if (s->relay == NULL)
        return;
    relay_resized(s->relay);
    if (s->child > 0)
        (void)kill(s->child, SIGWINCH);
}

void sup_hear_signals(struct supervisor *s)
{
    struct signalfd_siginfo info;

    while (read(s->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD)
            sup_reap(s);
        else if (info.ssi_signo == SIGWINCH)
            resize(s);
        else
            pass_signal(s, &info);
    }
}
