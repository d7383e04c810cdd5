/* Does a supervisor still live? Only the machine it runs on can tell; others wait for its word. */
#include "ledger/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"

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

/* Its start in ticks since the boot, the 22nd field; -1 when there is no such process, or only
 * what is left of it. The name before may hold blanks and brackets. */
static int64_t started_at(int64_t pid)
{
    char path[64], room[1024];
    struct str rest, field = {0};
    int64_t ticks;
    const char *bracket;

    (void)snprintf(path, sizeof path, "/proc/%lld/stat", (long long)pid);
    rest = read_small(path, room, sizeof room);
    bracket = rest.len > 0 ? memrchr(rest.at, ')', rest.len) : NULL;
    if (bracket == NULL || bracket + 2 >= rest.at + rest.len || bracket[2] == 'Z')
        return -1;
    rest = (struct str){bracket + 2, (size_t)(rest.at + rest.len - bracket - 2)};
    for (int i = 3; i <= 22; i++)
        field = str_cut(&rest, ' ');
    return num_int(field, &ticks) ? ticks : -1;
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
        return started_at(who->pid) == who->pid_started && who->pid_started >= 0;
    if (here.len > 0 && who->boot.len > 0 && !str_eq(here, who->boot) &&
        gethostname(host, sizeof host) == 0 && str_eq(str_from(host), who->host))
        return silent <= SILENCE_REBOOT;
    return silent <= SILENCE;
}
