/* Preloaded into the program: makes the Nth call of one kind fail, as a full disk or exhausted
 * memory would. FAULT_KIND is memory, write, sync, rename, open or read, or "boundary": write,
 * sync or rename; FAULT_AT is N, from 1. With FAULT_KILL the program is killed there instead.
 * When the fault happens, the file FAULT_MARK is created, so that the driver knows when N is
 * past the last call. */
#undef _FILE_OFFSET_BITS /* which would make open() an alias of open64() */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static unsigned long calls;

static bool due(const char *kind)
{
    const char *wanted = getenv("FAULT_KIND"), *at = getenv("FAULT_AT"), *mark;
    unsigned long n = 0;

    if (wanted == NULL || at == NULL)
        return false;
    if (strcmp(wanted, "boundary") == 0
            ? strcmp(kind, "write") != 0 && strcmp(kind, "sync") != 0 &&
                  strcmp(kind, "rename") != 0
            : strcmp(wanted, kind) != 0)
        return false;
    for (; *at >= '0' && *at <= '9'; at++)
        n = n * 10 + (unsigned long)(*at - '0');
    if (++calls != n)
        return false;
    mark = getenv("FAULT_MARK");
    if (mark != NULL)
        (void)syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600);
    if (getenv("FAULT_KILL") != NULL)
        (void)kill(getpid(), SIGKILL);
    return true;
}

void *malloc(size_t size)
{
    if (!due("memory"))
        return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size)
{
    if (!due("memory"))
        return __libc_calloc(count, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *old, size_t size)
{
    if (!due("memory"))
        return __libc_realloc(old, size);
    errno = ENOMEM;
    return NULL;
}

ssize_t write(int fd, const void *data, size_t size)
{
    if (fd == STDERR_FILENO || !due("write"))
        return syscall(SYS_write, fd, data, size);
    errno = ENOSPC;
    return -1;
}

ssize_t read(int fd, void *data, size_t size)
{
    if (!due("read"))
        return syscall(SYS_read, fd, data, size);
    errno = EIO;
    return -1;
}

/* As SQLite reads and writes: under both names. */
static ssize_t pread_any(int fd, void *data, size_t size, off64_t at)
{
    if (!due("read"))
        return syscall(SYS_pread64, fd, data, size, at);
    errno = EIO;
    return -1;
}

ssize_t pread(int fd, void *data, size_t size, off_t at)
{
    return pread_any(fd, data, size, at);
}

ssize_t pread64(int fd, void *data, size_t size, off64_t at)
{
    return pread_any(fd, data, size, at);
}

static ssize_t pwrite_any(int fd, const void *data, size_t size, off64_t at)
{
    if (!due("write"))
        return syscall(SYS_pwrite64, fd, data, size, at);
    errno = ENOSPC;
    return -1;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at)
{
    return pwrite_any(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    return pwrite_any(fd, data, size, at);
}

int fdatasync(int fd)
{
    if (!due("sync"))
        return (int)syscall(SYS_fdatasync, fd);
    errno = EIO;
    return -1;
}

int fsync(int fd)
{
    if (!due("sync"))
        return (int)syscall(SYS_fsync, fd);
    errno = EIO;
    return -1;
}

int rename(const char *from, const char *to)
{
    if (!due("rename"))
        return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
    errno = EACCES;
    return -1;
}

static int open_any(const char *path, int flags, va_list args)
{
    mode_t mode = (flags & O_CREAT) != 0 ? (mode_t)va_arg(args, int) : 0;

    if (!due("open"))
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    errno = EMFILE;
    return -1;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    int fd;

    va_start(args, flags);
    fd = open_any(path, flags, args);
    va_end(args);
    return fd;
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    int fd;

    va_start(args, flags);
    fd = open_any(path, flags, args);
    va_end(args);
    return fd;
}
