/* Is a supervisor still alive? Only the machine it runs on knows; others wait for its
 * word. */
#include "ledger/internal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"

#define SILENCE 120       /* s without a word, on another machine: lost */
#define SILENCE_REBOOT 15 /* s, on a machine of this name that has booted since */

int64_t ledger_namespace(void)
{
    struct stat st;

    return stat("/proc/self/ns/pid", &st) == 0 ? (int64_t)st.st_ino : -1;
}

/* A small file of /proc; empty when it is not there. */
static struct str read_small(const char *path, char *room, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, room, size) : 0;

    if (fd >= 0)
        (void)close(fd);
    return (struct str){room, len > 0 ? (size_t)len : 0};
}

struct ledger_supervisor column_supervisor(struct query *q, int at)
{
    return (struct ledger_supervisor){.heard = {column_int(q, at)},
                                      .host = column_view(q, at + 1),
                                      .boot = column_view(q, at + 2),
                                      .pid = column_count(q, at + 3),
                                      .pid_started = column_count(q, at + 4),
                                      .namespace = column_count(q, at + 5)};
}

bool ledger_alive(const struct ledger_supervisor *who, stamp now)
{
    char boot[64], host[256];
    struct str here =
        str_trim(read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot));
    int64_t silent = now.s - who->heard.s;

    while (here.len > 0 && here.at[here.len - 1] == '\n')
        here.len--;
    if (here.len > 0 && str_eq(here, who->boot) && who->namespace == ledger_namespace() &&
        who->namespace >= 0)
        return process_start(who->pid) == who->pid_started && who->pid_started >= 0;
    if (here.len > 0 && who->boot.len > 0 && !str_eq(here, who->boot) &&
        gethostname(host, sizeof host) == 0 && str_eq(str_from(host), who->host))
        return silent <= SILENCE_REBOOT;
    return silent <= SILENCE;
}
