#include "run/supervise/stop.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/process.h"
#include "run/supervise/inbox.h"

/* By its socket, so that the supervisor takes the guards' steps: a checkpoint, SIGTERM,
 * SIGKILL. One without a socket passes SIGTERM on. The signal goes to the process of the
 * handle: its number may belong to another one by then. */
bool run_stop(const struct live_run *run, struct error *err)
{
    const struct ledger_start *start = &run->run.start;
    struct error ignored;
    bool ours;
    int handle;

    if (run->pid <= 0)
        return error_fail(err, ERROR_FAILED, "'%.*s' runs on %.*s: stop it there",
                          STR_ARG(start->name), STR_ARG(run->host));
    handle = (int)syscall(SYS_pidfd_open, (pid_t)run->pid, 0);
    ours = handle >= 0 && run->pid_started >= 0 && process_start(run->pid) == run->pid_started;
    if (!ours) {
        error_set(err, ERROR_ABSENT, "'%.*s' has ended", STR_ARG(start->name));
    } else if (!inbox_ask_stop(str_from(start->id), &ignored) &&
               syscall(SYS_pidfd_send_signal, handle, SIGTERM, NULL, 0) != 0) {
        error_system(err, errno, "cannot stop '%.*s'", STR_ARG(start->name));
        ours = false;
    }
    if (handle >= 0)
        (void)close(handle);
    return ours;
}
