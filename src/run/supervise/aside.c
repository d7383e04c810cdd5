#include "run/supervise/aside.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

_Static_assert(ASIDE_MOST <= PIPE_BUF, "an answer is written at once, or not at all");

static _Noreturn void be_the_child(void (*work)(void *ctx, void *answer), void *ctx,
                                   void *answer, size_t size, int to, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    work(ctx, answer);
    _exit(write(to, answer, size) == (ssize_t)size ? 0 : 1);
}

static bool take_answer(int from, void *answer, size_t size, span limit, struct error *err)
{
    struct pollfd ready = {.fd = from, .events = POLLIN};
    int64_t ms = limit.ns / 1000000;
    ssize_t got;
    int found;

    do
        found = poll(&ready, 1, ms > INT_MAX ? INT_MAX : (int)ms);
    while (found < 0 && errno == EINTR);
    if (found == 0)
        return error_fail(err, ERROR_FAILED, "no answer within %lld s",
                          (long long)(limit.ns / 1000000000));
    do
        got = read(from, answer, size);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)size)
        return error_fail(err, ERROR_FAILED, "the process that asks ended without an answer");
    return true;
}

bool aside_run(void (*work)(void *ctx, void *answer), void *ctx, void *answer, size_t size,
               span limit, struct error *err)
{
    pid_t self = getpid(), child;
    int ends[2];
    bool ok;

    assert(size <= ASIDE_MOST);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        error_system(err, errno, "cannot make a pipe");
        return false;
    }
    child = fork();
    if (child < 0) {
        error_system(err, errno, "cannot start a process");
        (void)close(ends[0]);
        (void)close(ends[1]);
        return false;
    }
    if (child == 0) {
        (void)close(ends[0]);
        be_the_child(work, ctx, answer, size, ends[1], self);
    }
    (void)close(ends[1]);
    ok = take_answer(ends[0], answer, size, limit, err);
    (void)close(ends[0]);
    if (!ok)
        (void)kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return ok;
}
