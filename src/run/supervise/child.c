#include "run/supervise/child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger/ledger.h"

extern char **environ;

/* What the new process needs. */
struct exec_request {
    const struct child_options *options;
    char *const *environment;
    int report;
};

/* Before exec, in our memory: only what is safe there. */
static void exec_command(void *ctx)
{
    const struct exec_request *request = ctx;
    const struct child_options *options = request->options;
    char *const *words;
    int reason;

    memcpy(&words, &options->argv, sizeof words); /* the interface is older than const */
    if (options->relay != NULL)
        relay_child(options->relay);
    keeper_child(options->keeper);
    if (!options->pipe_ignored)
        (void)signal(SIGPIPE, SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, options->mask, NULL);
    (void)execvpe(options->argv[0], words, request->environment);
    reason = errno;
    while (write(request->report, &reason, sizeof reason) < 0 && errno == EINTR)
        continue;
    _exit(CHILD_NOT_FOUND);
}

/* Is `entry` of the environment replaced by one of `set`? */
static bool replaced(const char *entry, const char *const *set)
{
    size_t name = strcspn(entry, "=") + 1;

    for (; *set != NULL; set++)
        if (strncmp(entry, *set, name) == 0)
            return true;
    return false;
}

/* What the command has of an entry: the address of the ledger, but not its password, which it
 * may write to a log. NULL with the error set. */
static char *handed_on(char *entry, struct arena *arena, struct error *err)
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
        if (!replaced(*entry, set) && strncmp(*entry, "STINT_RESUME=", 13) != 0 &&
            (out[at++] = handed_on(*entry, arena, err)) == NULL)
            return NULL;
    for (; *set != NULL; set++)
        memcpy(&out[at++], set, sizeof *set);
    return out;
}

/* Why exec() failed, as a shell has it. */
static pid_t fail_exec(int reason, const char *name, int *status, struct error *err)
{
    if (reason == ENOENT) {
        *status = CHILD_NOT_FOUND;
        error_set(err, ERROR_ABSENT, "command not found: '%.200s'", name);
        error_hint(err, strchr(name, '/') != NULL ? "is the path right?"
                                                  : "is it installed, and in PATH?");
    } else {
        *status = CHILD_NOT_EXECUTABLE;
        error_set(err, ERROR_FAILED, "'%.200s' cannot be executed: %s", name, strerror(reason));
        if (reason == EACCES || reason == ENOEXEC)
            error_hint(err,
                       "make it executable (chmod +x), or name its interpreter: python FILE");
    }
    return -1;
}

static pid_t start_with(const struct child_options *options, char *const *environment,
                        int *status, struct error *err)
{
    struct exec_request request = {.options = options, .environment = environment};
    int report[2], reason;
    ssize_t got;
    pid_t pid;

    if (pipe2(report, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot run '%.200s'", options->argv[0]);
        return -1;
    }
    request.report = report[1];
    pid = cgroup_start(options->cgroup, true, exec_command, &request);
    reason = errno;
    (void)close(report[1]);
    if (pid < 0) {
        error_system(err, reason, "cannot run '%.200s'", options->argv[0]);
        (void)close(report[0]);
        return -1;
    }
    /* The pipe closes when the command has taken the process's place; else it tells why not. */
    do
        got = read(report[0], &reason, sizeof reason);
    while (got < 0 && errno == EINTR);
    (void)close(report[0]);
    if (got != (ssize_t)sizeof reason)
        return pid;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return fail_exec(reason, options->argv[0], status, err);
}

void child_hold_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0) /* the lowest that is free is given out */
            (void)!open("/dev/null", O_RDWR | O_CLOEXEC | O_NOCTTY);
}

pid_t child_start(const struct child_options *options, int *status, struct error *err)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    char **environment = make_environment(options->set, &arena, err);
    pid_t pid = -1;

    *status = 1;
    if (environment != NULL)
        pid = start_with(options, environment, status, err);
    arena_free(&arena);
    return pid;
}
