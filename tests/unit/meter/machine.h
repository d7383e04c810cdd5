/* machine.h - fake /proc and /sys folders for tests of meters, and processes to read. */
#ifndef TESTS_METER_MACHINE_H
#define TESTS_METER_MACHINE_H

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

/* A new folder, which the test removes at its end. */
struct machine {
    char root[64];
};

static inline struct machine machine_new(void)
{
    struct machine m = {"/tmp/stint-meter-XXXXXX"};

    assert_non_null(mkdtemp(m.root));
    return m;
}

/* Write ROOT/PATH; the folders above it are made. */
static inline void machine_put(const struct machine *m, const char *path, const char *text)
{
    char full[512];
    FILE *file;

    (void)snprintf(full, sizeof full, "%s%s", m->root, path);
    for (char *slash = full + strlen(m->root) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        (void)mkdir(full, 0755);
        *slash = '/';
    }
    file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline void machine_remove_folder(const char *path)
{
    char full[768];
    DIR *names = opendir(path);
    const struct dirent *entry;

    assert_non_null(names);
    while ((entry = readdir(names)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        assert_in_range(snprintf(full, sizeof full, "%s/%s", path, entry->d_name), 1,
                        sizeof full - 1);
        if (unlink(full) != 0)
            machine_remove_folder(full);
    }
    closedir(names);
    (void)rmdir(path);
}

static inline void machine_remove(const struct machine *m, const char *path)
{
    char full[512];

    (void)snprintf(full, sizeof full, "%s%s", m->root, path);
    if (unlink(full) != 0)
        machine_remove_folder(full);
}

static inline void machine_free(const struct machine *m)
{
    machine_remove_folder(m->root);
}

/* Use the processor for so long, whatever else runs. */
static inline void use_processor(double seconds)
{
    struct timespec t;
    double from, now;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    from = now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    while (now - from < seconds) {
        (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
    }
}

/* A pipe through which a process reports how far it is, or is asked to go on. */
struct gate {
    int fd[2];
};

static inline struct gate gate_new(void)
{
    struct gate g;

    assert_int_equal(pipe2(g.fd, O_CLOEXEC), 0);
    return g;
}

static inline void gate_open(const struct gate *g)
{
    assert_int_equal(write(g->fd[1], "x", 1), 1);
}

static inline void gate_wait(const struct gate *g)
{
    char c;

    assert_int_equal(read(g->fd[0], &c, 1), 1);
}

static inline void gate_free(const struct gate *g)
{
    close(g->fd[0]);
    close(g->fd[1]);
}

#endif
