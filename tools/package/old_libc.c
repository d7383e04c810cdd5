/* What is newer than glibc 2.27, in terms of what is older: programs of wheels and tarballs
 * run on systems that have no newer one (Ubuntu 18.04). Part of libc.so and libm.so in the
 * sysroot that tools/package/sysroot.sh makes: with -DMATH the functions of libm, else those
 * of libc. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

#ifdef __aarch64__
#define OLDEST "GLIBC_2.17"
#else
#define OLDEST "GLIBC_2.2.5"
#endif

#ifdef MATH
/* The same functions with the same results; since 2.29 they have a version that leaves out the
 * error handling of System V. */
#define OLD_MATH_1(name) \
    double old_##name(double x); \
    __asm__(".symver old_" #name "," #name "@" OLDEST); \
    double name(double x) HIDDEN; \
    double name(double x) \
    { \
        return old_##name(x); \
    }

OLD_MATH_1(exp)
OLD_MATH_1(exp2)
OLD_MATH_1(log)
OLD_MATH_1(log2)

double old_pow(double x, double y);
__asm__(".symver old_pow,pow@" OLDEST);
double pow(double x, double y) HIDDEN;
double pow(double x, double y)
{
    return old_pow(x, y);
}
#else
HIDDEN int fcntl64(int fd, int command, ...);
HIDDEN int fcntl64(int fd, int command, ...)
{
    va_list rest;
    void *value;

    va_start(rest, command);
    value = va_arg(rest, void *);
    va_end(rest);
    return (int)syscall(SYS_fcntl, fd, command, value);
}

HIDDEN pid_t gettid(void)
{
    return (pid_t)syscall(SYS_gettid);
}

HIDDEN int renameat2(int from_folder, const char *from, int to_folder, const char *to,
                     unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

struct statx;
HIDDEN int statx(int folder, const char *path, int flags, unsigned mask, struct statx *to)
{
    return (int)syscall(SYS_statx, folder, path, flags, mask, to);
}

/* For expat, which salts its tables with it. As in glibc, it cannot fail. */
HIDDEN void arc4random_buf(void *to, size_t room);
HIDDEN void arc4random_buf(void *to, size_t room)
{
    unsigned char *at = to;

    while (room > 0) {
        ssize_t got = getrandom(at, room, 0);

        if (got < 0 && errno != EINTR)
            abort();
        at += got > 0 ? got : 0;
        room -= got > 0 ? (size_t)got : 0;
    }
}
#endif
