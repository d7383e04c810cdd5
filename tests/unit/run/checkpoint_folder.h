/* checkpoint_folder.h - a folder for each test, and files in it. */
#ifndef TESTS_RUN_CHECKPOINT_FOLDER_H
#define TESTS_RUN_CHECKPOINT_FOLDER_H

#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/checkpoint/checkpoints.h"

#define S INT64_C(1000000000)

static char folder[64];

#define UNPRIVILEGED 65534

/* Root may do everything: run the rest of the test as another user. clear_folder() switches
 * back. */
static inline void drop_root(void)
{
    if (geteuid() == 0)
        assert_int_equal(seteuid(UNPRIVILEGED), 0);
}

static inline int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/stint-test-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    return geteuid() == 0 && chown(folder, UNPRIVILEGED, UNPRIVILEGED) != 0;
}

static inline int clear_folder(void **state)
{
    char command[256];

    (void)state;
    if (getuid() == 0 && seteuid(0) != 0)
        return 1;
    (void)snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", folder, folder);
    return system(command);
}

static inline const char *path_of(const char *name)
{
    static char path[PATH_MAX];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A file, and the folders it is in. */
static inline void put(const char *name, const void *data, size_t len)
{
    char path[PATH_MAX];
    FILE *f;

    (void)snprintf(path, sizeof path, "%s", path_of(name));
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL;
         slash++) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static inline void put_text(const char *name, const char *text)
{
    put(name, text, strlen(text));
}

static inline void put_bytes(const char *name, size_t len)
{
    char *data = calloc(1, len > 0 ? len : 1);

    assert_non_null(data);
    put(name, data, len);
    free(data);
}

/* Written so many seconds ago, folders included; their change of status stays now. */
static inline void date(const char *name, int64_t at_s)
{
    struct timespec times[2] = {{.tv_sec = (time_t)at_s}, {.tv_sec = (time_t)at_s}};

    assert_int_equal(utimensat(AT_FDCWD, path_of(name), times, AT_SYMLINK_NOFOLLOW), 0);
}

static inline bool there(const char *name)
{
    struct stat st;

    return lstat(path_of(name), &st) == 0;
}

static inline int64_t now_ns(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * S + t.tv_nsec;
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, clear_folder)

#endif
