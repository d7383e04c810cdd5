#include "run/tune/tune_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "meter/tree.h"

/* Only what may be called between fork and exec. Tells why it cannot begin through the pipe. */
static _Noreturn void be_command(char **argv, int out, int report, pid_t parent)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC), reason;
    sigset_t none;

    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(null, 0) >= 0 && dup2(out, 1) >= 0 && dup2(out, 2) >= 0)
        (void)execvp(argv[0], argv);
    reason = errno;
    (void)!write(report, &reason, sizeof reason);
    _exit(127);
}

/* Wait until the command runs; false with the reason when it cannot. */
static bool begun(int report, const char *name, struct error *err)
{
    int reason = 0;
    ssize_t got;

    do
        got = read(report, &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof reason)
        return true;
    error_system(err, reason, "cannot run '%s'", name);
    if (reason == ENOENT)
        err->kind = ERROR_ABSENT;
    return false;
}

bool tune_child_start(struct tune_child *t, char **argv, struct error *err)
{
    int out[2] = {-1, -1}, report[2] = {-1, -1};
    pid_t parent = getpid();
    bool ok = pipe2(out, O_CLOEXEC) == 0 && pipe2(report, O_CLOEXEC) == 0;

    t->pid = ok ? fork() : -1;
    if (t->pid == 0)
        be_command(argv, out[1], report[1], parent);
    if (t->pid < 0)
        error_system(err, errno, "cannot run '%s'", argv[0]);
    (void)setpgid(t->pid, t->pid); /* whoever is first */
    if (out[1] >= 0)
        (void)close(out[1]);
    if (report[1] >= 0)
        (void)close(report[1]);
    ok = t->pid > 0 && begun(report[0], argv[0], err);
    if (t->pid > 0 && !ok)
        while (waitpid(t->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    if (report[0] >= 0)
        (void)close(report[0]);
    t->fd = out[0];
    if (ok && fcntl(t->fd, F_SETFL, O_NONBLOCK) == 0)
        return true;
    if (out[0] >= 0)
        (void)close(out[0]);
    return false;
}

bool tune_child_ended(struct tune_child *t)
{
    struct rusage use;
    pid_t got = wait4(t->pid, &t->status, WNOHANG, &use);

    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    if (got == t->pid)
        t->largest = (double)use.ru_maxrss * 1024;
    return true;
}

void tune_child_find(struct tune_child *t, const struct alloc *alloc)
{
    struct error ignored;
    struct tree *tree = tree_open(t->pid, NULL, NULL, alloc, &ignored);
    struct tree_sample sample;
    const pid_t *members;
    size_t count;

    if (tree == NULL)
        return;
    tree_read(tree, &sample);
    count = tree_members(tree, &members);
    for (size_t i = 0; i < count && t->member_count < TUNE_MEMBERS; i++)
        t->members[t->member_count++] = members[i];
    tree_close(tree);
}

void tune_child_signal(const struct tune_child *t, int number)
{
    (void)kill(-t->pid, number);
    for (size_t i = 0; i < t->member_count; i++)
        (void)kill(t->members[i], number);
}
