/* The service manager that may have started us: systemd's protocol, without its library. */
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "serve/internal.h"

void manager_notify(const char *state)
{
    const char *path = env_get("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t len = path != NULL ? strlen(path) : 0;
    int fd;

    if (len < 2 || len >= sizeof to.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(to.sun_path, path, len);
    if (path[0] == '@')
        to.sun_path[0] = '\0';
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    (void)sendto(fd, state, strlen(state), MSG_NOSIGNAL,
                 &(const union {
                      struct sockaddr_un un;
                      struct sockaddr any;
                  }){.un = to}
                      .any,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
    (void)close(fd);
}

struct timespec manager_pause(bool *watched)
{
    const char *text = env_get("WATCHDOG_USEC"), *pid = env_get("WATCHDOG_PID");
    int64_t us, number;

    *watched =
        text != NULL && num_int(str_from(text), &us) && us > 0 &&
        (pid == NULL || (num_int(str_from(pid), &number) && number == (int64_t)getpid()));
    if (!*watched)
        return (struct timespec){.tv_sec = 3600};
    us /= 2;
    return (struct timespec){.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000};
}

bool manager_keeps_prints(void)
{
    const char *stream = env_get("JOURNAL_STREAM");
    char mine[64];
    struct stat is;

    if (stream == NULL || fstat(STDERR_FILENO, &is) != 0)
        return false;
    (void)snprintf(mine, sizeof mine, "%llu:%llu", (unsigned long long)is.st_dev,
                   (unsigned long long)is.st_ino);
    return strcmp(mine, stream) == 0;
}
