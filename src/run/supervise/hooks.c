#include "run/supervise/hooks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOOK_NS INT64_C(60000000000) /* the longest one may take beside the job */

static void set_facts(const struct hook_facts *facts)
{
    (void)setenv("STINT_EVENT", facts->event, 1);
    (void)setenv("STINT_EVENT_TEXT", facts->text, 1);
    (void)setenv("STINT_RUN_ID", facts->id, 1);
    (void)setenv("STINT_RUN_NAME", facts->name, 1);
    (void)setenv("STINT_RUN_COST", facts->cost, 1);
    (void)setenv("STINT_RUN_BUDGET", facts->budget, 1);
    if (facts->ledger != NULL)
        (void)setenv("STINT_LEDGER", facts->ledger, 1);
}

/* The supervisor has one thread, so that the copy may do what it likes before it becomes sh. */
static pid_t start_hook_process(const char *command, const struct hook_facts *facts, bool apart)
{
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    sigset_t none;
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (apart) {
        (void)setpgid(0, 0);
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    }
    (void)signal(SIGPIPE, SIG_DFL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    set_facts(facts);
    (void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

pid_t hooks_run(struct hooks *hooks, const char *command, const struct hook_facts *facts,
                instant now)
{
    for (size_t i = 0; i < HOOKS_MOST; i++) {
        if (hooks->at[i].pid != 0)
            continue;
        hooks->at[i].pid = start_hook_process(command, facts, true);
        hooks->at[i].until = (instant){now.ns + HOOK_NS};
        if (hooks->at[i].pid > 0)
            return hooks->at[i].pid;
        hooks->at[i].pid = 0;
        break;
    }
    hooks->skipped++;
    return 0;
}

bool hooks_reaped(struct hooks *hooks, pid_t pid)
{
    for (size_t i = 0; i < HOOKS_MOST; i++) {
        if (hooks->at[i].pid != pid)
            continue;
        hooks->at[i].pid = 0;
        return true;
    }
    return false;
}

void hooks_look(struct hooks *hooks, instant now)
{
    for (size_t i = 0; i < HOOKS_MOST; i++)
        if (hooks->at[i].pid != 0 && now.ns > hooks->at[i].until.ns)
            (void)kill(-hooks->at[i].pid, SIGKILL);
}

/* How many still run, after those that ended were waited for. */
static int reap_hook(struct hooks *hooks)
{
    int left = 0;

    for (size_t i = 0; i < HOOKS_MOST; i++) {
        if (hooks->at[i].pid == 0)
            continue;
        if (waitpid(hooks->at[i].pid, NULL, WNOHANG) != 0)
            hooks->at[i].pid = 0;
        else
            left++;
    }
    return left;
}

void hooks_finish(struct hooks *hooks, instant until)
{
    while (reap_hook(hooks) > 0) {
        if (clock_paid().ns > until.ns)
            hooks_look(hooks, (instant){INT64_MAX});
        (void)poll(NULL, 0, 20);
    }
}

int hook_wait(const char *command, const struct hook_facts *facts)
{
    pid_t pid = start_hook_process(command, facts, false);
    int how = 0;

    if (pid < 0)
        return -1;
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}
