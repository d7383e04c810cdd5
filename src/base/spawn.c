#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/process.h"
#include "base/str.h"

extern char **environ;

/* Read it all, and keep the first `max` bytes: a program whose pipe is not emptied waits. */
static bool drain_output(int fd, char *to, size_t max, size_t *len)
{
    char more[4096];

    for (;;) {
        ssize_t got = read(fd, more, sizeof more);
        size_t keep;

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        keep = (size_t)got < max - *len ? (size_t)got : max - *len;
        memcpy(to + *len, more, keep);
        *len += keep;
    }
}

/* Signals that we wait for ourselves are none of the program's. */
static int spawn_unblocked(const char *program, const posix_spawn_file_actions_t *actions,
                           char *const *words, pid_t *child)
{
    posix_spawnattr_t attributes;
    sigset_t none;
    int reason = posix_spawnattr_init(&attributes);

    if (reason != 0)
        return reason;
    (void)sigemptyset(&none);
    (void)posix_spawnattr_setsigmask(&attributes, &none);
    (void)posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    reason = posix_spawnp(child, program, actions, &attributes, words, environ);
    (void)posix_spawnattr_destroy(&attributes);
    return reason;
}

static int spawn_program(const char *const *argv, int to, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    char *const *words;
    int reason = posix_spawn_file_actions_init(&actions);

    /* The arguments are only read, but the interface is older than const. */
    memcpy(&words, &argv, sizeof words);
    if (reason != 0)
        return reason;
    reason = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (reason == 0)
        reason = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (reason == 0)
        reason = spawn_unblocked(argv[0], &actions, words, child);
    (void)posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static int wait_for_child(pid_t child)
{
    int how = 0;

    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
}

static int file_refused(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return errno;
    return S_ISREG(st.st_mode) && access(path, X_OK) == 0 ? 0 : EACCES;
}

/* Why it cannot be executed; 0: it can, and `file` is its path. */
static int look_for_program(const char *name, char file[static PATH_MAX])
{
    const char *path = getenv("PATH"); /* an empty one is the current folder */
    struct str rest = str_from(path != NULL ? path : "/bin:/usr/bin");
    int reason = ENOENT;

    if (name[0] == '\0' || strchr(name, '/') != NULL) {
        (void)snprintf(file, PATH_MAX, "%s", name);
        return file_refused(name);
    }
    for (bool more = true; more;) {
        struct str folder;
        int len, why;

        more = memchr(rest.at, ':', rest.len) != NULL;
        folder = str_cut(&rest, ':');
        len = snprintf(file, PATH_MAX, "%.*s%s%s", STR_ARG(folder), folder.len > 0 ? "/" : "",
                       name);
        why = len < PATH_MAX ? file_refused(file) : ENAMETOOLONG;
        if (why == 0)
            return 0;
        if (why == EACCES) /* none that comes later may be executed either: this is why */
            reason = EACCES;
    }
    return reason;
}

int spawn_refused(const char *name)
{
    char file[PATH_MAX];

    return look_for_program(name, file);
}

bool spawn_find(const char *name, char *path)
{
    return look_for_program(name, path) == 0;
}

bool spawn_self(char *to, size_t room)
{
    ssize_t len = readlink("/proc/self/exe", to, room - 1);

    if (len <= 0 || (size_t)len >= room - 1)
        return false;
    to[len] = '\0';
    return str_ends(str_from(to), STR("/stint"));
}

/* Look again and again, since a signal may come between a look and a wait. */
static int wait_attached(pid_t child, const struct watch *watch)
{
    struct timespec pause = {0, 1000000};
    int64_t graceful_ns = 0; /* since the end was asked for */
    int how = 0;

    for (;;) {
        pid_t got = waitpid(child, &how, WNOHANG);

        if (got == child)
            return WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
        if (got < 0 && errno != EINTR)
            return -1;
        if (watch_stopped(watch))
            graceful_ns += pause.tv_nsec;
        if (graceful_ns > SPAWN_GRACE_S * SECOND) {
            (void)kill(child, SIGTERM);
            graceful_ns = 0;
        }
        (void)nanosleep(&pause, NULL);
        if (pause.tv_nsec < 50000000)
            pause.tv_nsec *= 2;
    }
}

static bool refuse_program(const char *name, int reason, struct error *err)
{
    error_system(err, reason, "cannot run '%s'", name);
    if (reason == ENOENT)
        err->kind = ERROR_ABSENT;
    return false;
}

bool spawn_attached(const char *const *argv, const struct watch *watch, int *status,
                    struct error *err)
{
    char *const *words;
    pid_t child = 0;
    int reason;

    memcpy(&words, &argv, sizeof words); /* they are only read */
    reason = spawn_unblocked(argv[0], NULL, words, &child);
    if (reason != 0)
        return refuse_program(argv[0], reason, err);
    *status = wait_attached(child, watch);
    return *status >= 0 || error_fail(err, ERROR_FAILED, "cannot wait for '%s'", argv[0]);
}

bool spawn_run(const char *const *argv, size_t max, struct arena *arena, struct str *out,
               int *status, struct error *err)
{
    char *text = arena_array(arena, char, max, err);
    size_t len = 0;
    pid_t child = 0;
    bool whole;
    int ends[2], reason;

    if (text == NULL)
        return false;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot run '%s'", argv[0]);
        return false;
    }
    reason = spawn_program(argv, ends[1], &child);
    (void)close(ends[1]);
    if (reason != 0) {
        (void)close(ends[0]);
        return refuse_program(argv[0], reason, err);
    }
    whole = drain_output(ends[0], text, max, &len);
    (void)close(ends[0]);
    *status = wait_for_child(child);
    *out = (struct str){text, len};
    if (!whole || *status < 0)
        return error_fail(err, ERROR_FAILED, "cannot wait for '%s'", argv[0]);
    return true;
}

/* ---- beside us ---- */

/* Lead the group until the other end of the pipe is closed, which nothing but our death does
 * first: spawn_group_end() ends the guard, too. All signals are blocked. */
static _Noreturn void guard_group(int lifeline, span grace)
{
    const struct timespec wait = {(time_t)(grace.ns / SECOND), (long)(grace.ns % SECOND)};
    char byte;

    (void)setpgid(0, 0);
    (void)prctl(PR_SET_NAME, "stint-guard");
    process_close_fds(0, lifeline);
    while (read(lifeline, &byte, 1) < 0 && errno == EINTR)
        continue;
    (void)kill(0, SIGTERM);
    (void)kill(0, SIGCONT); /* who is stopped hears nothing else */
    (void)nanosleep(&wait, NULL);
    (void)kill(0, SIGKILL);
    _exit(0);
}

static int start_guard(struct spawn_group *group)
{
    sigset_t all, before;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, &before);
    group->guard = fork();
    if (group->guard == 0) {
        (void)close(ends[1]);
        guard_group(ends[0], group->grace);
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    (void)close(ends[0]);
    if (group->guard < 0) {
        (void)close(ends[1]);
        return EAGAIN;
    }
    (void)setpgid(group->guard, group->guard); /* whoever of us is first */
    group->lifeline = ends[1];
    return 0;
}

static int spawn_into_group(const char *const *argv, int to, struct spawn_group *group)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *const *words;
    sigset_t none;
    int reason = posix_spawn_file_actions_init(&actions);

    memcpy(&words, &argv, sizeof words); /* they are only read */
    if (reason != 0)
        return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        (void)sigemptyset(&none);
        (void)posix_spawnattr_setsigmask(&attributes, &none);
        (void)posix_spawnattr_setpgroup(&attributes, group->guard);
        (void)posix_spawnattr_setflags(&attributes,
                                       POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        reason =
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (reason == 0)
            reason = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
        if (reason == 0)
            reason = posix_spawn_file_actions_adddup2(&actions, to, STDERR_FILENO);
        if (reason == 0)
            reason =
                posix_spawnp(&group->child, argv[0], &actions, &attributes, words, environ);
        (void)posix_spawnattr_destroy(&attributes);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return reason;
}

bool spawn_group_start(const char *const *argv, int to, span grace, struct spawn_group *out,
                       struct error *err)
{
    int reason;

    *out = (struct spawn_group){.lifeline = -1, .grace = grace};
    reason = start_guard(out);
    if (reason == 0)
        reason = spawn_into_group(argv, to, out);
    if (reason == 0)
        return true;
    out->child = 0;
    spawn_group_end(out);
    return refuse_program(argv[0], reason, err);
}

bool spawn_group_ended(struct spawn_group *group, int *status)
{
    int how = 0;

    if (group->child <= 0 || waitpid(group->child, &how, WNOHANG) != group->child)
        return false;
    group->child = 0;
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return true;
}

bool spawn_last_line(int fd, char *text, size_t room)
{
    struct stat st;
    off_t size = fstat(fd, &st) == 0 ? st.st_size : 0;
    size_t len = size < (off_t)room ? (size_t)size : room - 1;
    struct str last = {text, 0};

    if (size > 0 && fs_read_at(fd, (uint64_t)size - len, text, len))
        last.len = len;
    while (last.len > 0 && last.at[last.len - 1] == '\n')
        last.len--;
    last = str_after_last(last, '\n');
    memmove(text, last.at, last.len);
    text[last.len] = '\0';
    return last.len > 0;
}

void spawn_group_end(struct spawn_group *group)
{
    const struct timespec pause = {0, 20000000};
    int64_t left = group->grace.ns;
    int status;

    if (group->guard <= 0)
        return;
    if (group->child > 0) {
        (void)kill(-group->guard, SIGTERM);
        for (; left > 0 && !spawn_group_ended(group, &status); left -= pause.tv_nsec)
            (void)nanosleep(&pause, NULL);
    }
    (void)kill(-group->guard, SIGKILL); /* what it started and left, too, and the guard */
    if (group->child > 0)
        (void)wait_for_child(group->child);
    (void)wait_for_child(group->guard);
    (void)close(group->lifeline);
    *group = (struct spawn_group){.lifeline = -1};
}
