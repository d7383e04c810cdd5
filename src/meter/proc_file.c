#include "meter/proc_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

struct str proc_file(const char *path, char *to, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t len = 0;

    if (fd < 0)
        return (struct str){to, 0};
    while (len < room) {
        ssize_t got = read(fd, to + len, room - len);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        len += (size_t)got;
    }
    (void)close(fd);
    return (struct str){to, len};
}

struct str proc_link(const char *path, char *to, size_t room)
{
    ssize_t len = readlink(path, to, room);

    return (struct str){to, len < 0 ? 0 : (size_t)len};
}
