/* Preloaded into the program: makes the Nth call of one kind fail, as a full disk or exhausted
 * memory would. FAULT_KIND is memory, write, sync, rename, open or read, or "boundary": write,
 * sync or rename; FAULT_AT is N, from 1. With FAULT_KILL the program is killed there instead.
 * When the fault happens, the file FAULT_MARK is created, so that the driver knows when N is
 * past the last call.
 *
 * FAULT_FORK=FOLDER tries every N in one go, for a program without threads that only prints: at
 * each call it forks, the call fails in the child, and the child's output goes to N.out and
 * N.err of the folder, after what was printed before. The program itself waits for it, appends
 * its wait status to FOLDER/statuses, and goes on without a fault. */
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
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static unsigned long calls;
static bool forked; /* this is a child, and its fault has happened */

static int open_file(const char *path, int flags)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

/* `fd` becomes a file of its own with what the parent printed so far. */
static void print_apart(int fd, const char *folder, const char *ending)
{
    static char piece[1 << 16];
    char path[600];
    int from, to;
    ssize_t len;

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    from = open_file(path, O_RDONLY);
    (void)snprintf(path, sizeof path, "%s/%lu.%s", folder, calls, ending);
    to = open_file(path, O_CREAT | O_WRONLY | O_TRUNC);
    if (from < 0 || to < 0)
        _exit(126);
    while ((len = syscall(SYS_read, from, piece, sizeof piece)) > 0)
        if (syscall(SYS_write, to, piece, len) != len)
            _exit(126);
    (void)close(from);
    (void)dup2(to, fd);
    (void)close(to);
}

/* Files that are being read have one position for parent and child: the child opens its own. */
static void read_apart(void)
{
    for (int fd = 3; fd < 64; fd++) {
        int flags = fcntl(fd, F_GETFL), own;
        struct stat what;
        char path[40];

        if (flags < 0 || fstat(fd, &what) != 0 ||
            (!S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode)))
            continue;
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        own = open_file(path, flags & (O_ACCMODE | O_APPEND | O_DIRECTORY));
        if (own < 0 || lseek(own, lseek(fd, 0, SEEK_CUR), SEEK_SET) < 0)
            _exit(126);
        (void)dup3(own, fd, (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
        (void)close(own);
    }
}

/* True in the child. */
static bool fork_here(const char *folder)
{
    char text[600];
    pid_t child;
    int status, len, to;

    if (forked)
        return false;
    calls++;
    child = fork();
    if (child == 0) {
        forked = true;
        print_apart(STDOUT_FILENO, folder, "out");
        print_apart(STDERR_FILENO, folder, "err");
        read_apart();
        return true;
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        _exit(126);
    (void)snprintf(text, sizeof text, "%s/statuses", folder);
    to = open_file(text, O_CREAT | O_WRONLY | O_APPEND);
    len = snprintf(text, sizeof text, "%d\n", status);
    if (to < 0 || syscall(SYS_write, to, text, len) != len)
        _exit(126);
    (void)close(to);
    return false;
}

static bool due(const char *kind)
{
    const char *wanted = getenv("FAULT_KIND"), *at = getenv("FAULT_AT"), *mark;
    const char *folder = getenv("FAULT_FORK");
    unsigned long n = 0;

    if (wanted == NULL || (at == NULL && folder == NULL))
        return false;
    if (strcmp(wanted, "boundary") == 0
            ? strcmp(kind, "write") != 0 && strcmp(kind, "sync") != 0 &&
                  strcmp(kind, "rename") != 0
            : strcmp(wanted, kind) != 0)
        return false;
    if (folder != NULL)
        return fork_here(folder);
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
