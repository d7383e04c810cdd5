/* Writing without blocking to descriptors whose mode belongs to everybody who has them. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/output/relay_internal.h"

#define TERMINAL_MOST 256 /* a terminal that can be written to takes so many without waiting */

int relay_above_standard(int fd)
{
    int moved;

    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(fd);
    return moved;
}

void relay_sink_open(struct relay_sink *sink, int fd)
{
    char path[64];
    struct stat what;
    int own;

    *sink = (struct relay_sink){.fd = fd, .kind = SINK_FILE};
    if (fstat(fd, &what) != 0 || (!S_ISFIFO(what.st_mode) && !S_ISSOCK(what.st_mode) &&
                                  !(S_ISCHR(what.st_mode) && isatty(fd) == 1)))
        return;
    if (S_ISSOCK(what.st_mode)) {
        sink->kind = SINK_SOCKET;
        return;
    }
    sink->kind = SINK_SHARED;
    sink->most = S_ISFIFO(what.st_mode) ? PIPE_BUF : TERMINAL_MOST;
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    own = relay_above_standard(open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (own >= 0) {
        sink->fd = own;
        sink->kind = SINK_OWN;
    }
}

void relay_sink_close(struct relay_sink *sink)
{
    if (sink->kind == SINK_OWN)
        (void)close(sink->fd);
    sink->kind = SINK_FILE;
    sink->fd = -1;
}

/* One write of at most what may be written now. */
static ssize_t write_some(const struct relay_sink *sink, struct str bytes)
{
    struct pollfd wait = {.fd = sink->fd, .events = POLLOUT};

    if (sink->kind == SINK_SOCKET)
        return send(sink->fd, bytes.at, bytes.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sink->kind == SINK_SHARED) {
        if (poll(&wait, 1, 0) <= 0) {
            errno = EAGAIN;
            return -1;
        }
        bytes.len = bytes.len < sink->most ? bytes.len : sink->most;
    }
    return write(sink->fd, bytes.at, bytes.len);
}

ssize_t relay_sink_write(const struct relay_sink *sink, struct str bytes)
{
    size_t done = 0;

    while (done < bytes.len) {
        ssize_t n = write_some(sink, (struct str){bytes.at + done, bytes.len - done});

        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno == EAGAIN)
            break;
        else if (n == 0 || errno != EINTR)
            return -1;
    }
    return (ssize_t)done;
}

bool relay_mid_row(void)
{
    struct stat what;
    off_t end;
    char last = '\n';
    int fd;

    if (fstat(STDERR_FILENO, &what) != 0 || !S_ISREG(what.st_mode))
        return false;
    /* The next byte goes where the last writer stopped, or to the end of a file that is only
     * appended to. */
    end = lseek(STDERR_FILENO, 0, SEEK_CUR);
    if ((fcntl(STDERR_FILENO, F_GETFL) & O_APPEND) != 0)
        end = what.st_size;
    fd = end > 0 ? open("/proc/self/fd/2", O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    (void)!pread(fd, &last, 1, end - 1);
    (void)close(fd);
    return last != '\n';
}
