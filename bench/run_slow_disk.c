/* A simulated slow disk: loaded into a program with LD_PRELOAD, it makes each write() to a file
 * below BENCH_DISK take as long as a disk of BENCH_DISK_RATE bytes a second would. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_slow(int fd)
{
    const char *folder = getenv("BENCH_DISK");
    char name[64], path[4096];
    ssize_t len;

    if (folder == NULL)
        return 0;
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    len = readlink(name, path, sizeof path - 1);
    if (len <= 0)
        return 0;
    path[len] = '\0';
    return strncmp(path, folder, strlen(folder)) == 0 && strstr(path, ".log") == NULL;
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *from, size_t len)
{
    static ssize_t (*real)(int, const void *, size_t);
    const char *rate = getenv("BENCH_DISK_RATE");
    ssize_t got;

    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "write");
    got = real(fd, from, len);
    if (got > 0 && rate != NULL && is_slow(fd)) {
        double seconds = (double)got / strtod(rate, NULL);
        struct timespec left = {.tv_sec = (time_t)seconds};

        left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
        while (nanosleep(&left, &left) != 0 && errno == EINTR)
            continue;
        errno = 0;
    }
    return got;
}
