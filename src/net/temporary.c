#include "net/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fs.h"

int temporary_file(struct error *err)
{
    const char *folder = env_get("TMPDIR");
    char path[PATH_MAX];
    int fd, len;

    if (folder == NULL)
        folder = "/tmp";
    fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    /* Not every file system has those: make one with a name, and take the name away. */
    len = snprintf(path, sizeof path, "%s/stint-XXXXXX", folder);
    if (len < 0 || (size_t)len >= sizeof path) {
        error_set(err, ERROR_INPUT, "the path '%.60s...' in TMPDIR is too long", folder);
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        error_system(err, errno, "cannot make a temporary file in '%s'", folder);
        error_hint(err, "set TMPDIR to a folder that can be written");
        return -1;
    }
    (void)unlink(path);
    return fd;
}

int temporary_memory(struct error *err)
{
    int fd = memfd_create("stint", MFD_CLOEXEC);

    if (fd < 0)
        error_system(err, errno, "cannot make a temporary file in memory");
    return fd;
}
