#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu_seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct measured measure_here(bool (*work)(const char *, void *), const char *path,
                                    int runs, void *result, size_t size)
{
    struct measured m = {.seconds = 1e9, .ok = true};

    for (int i = 0; i < runs && m.ok; i++) {
        double start = cpu_seconds(), took;

        memset(result, 0, size);
        m.ok = work(path, result);
        took = cpu_seconds() - start;
        m.seconds = took < m.seconds ? took : m.seconds;
    }
    return m;
}

struct measured measure(bool (*work)(const char *path, void *result), const char *path,
                        int runs, void *result, size_t size)
{
    struct measured m = {0};
    struct rusage usage = {0};
    int status = 0, ends[2];
    pid_t child;

    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("fork");
        exit(1);
    }
    if (child == 0) {
        m = measure_here(work, path, runs, result, size);
        _exit(write(ends[1], &m, sizeof m) != sizeof m ||
              write(ends[1], result, size) != (ssize_t)size);
    }
    (void)close(ends[1]);
    m.ok = read(ends[0], &m, sizeof m) == sizeof m &&
           read(ends[0], result, size) == (ssize_t)size && m.ok;
    (void)close(ends[0]);
    if (wait4(child, &status, 0, &usage) != child || status != 0)
        m.ok = false;
    m.megabytes = (double)usage.ru_maxrss / 1024;
    return m;
}
