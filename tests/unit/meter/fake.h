/* fake.h - what tests of GPU meters share: a scripted library, and a process tree that the test
 * lists.
 *
 * Their program has its own functions of tree.h: fake_tree.c. */
#ifndef TESTS_METER_FAKE_H
#define TESTS_METER_FAKE_H

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "meter/gpu.h"
#include "test.h"

struct tree {
    pid_t pid[32];
    size_t count;
};

/* A folder for /proc and the script, of this test only. */
struct stage {
    char folder[128], script[192], library[512];
    struct arena arena;
    struct meter_options options;
    struct tree tree;
    bool exact; /* looks are to be */
    char why[GPU_WHY];
};

/* What a timed call costs, in milliseconds: the processor's clock advances by this much each
 * time that it is read. */
static double call_ms;

static span stage_work(void)
{
    static span so_far;

    so_far.ns += (int64_t)(call_ms * 1e6);
    return so_far;
}

static void stage_put(const char *path, const void *text, size_t len)
{
    FILE *file = fopen(path, "we");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

/* The library is next to the test program. */
static void stage_library(struct stage *stage, const char *name)
{
    ssize_t len = readlink("/proc/self/exe", stage->library, 300);

    assert_true(len > 0);
    stage->library[len] = '\0';
    *(strrchr(stage->library, '/') + 1) = '\0';
    (void)strncat(stage->library, name, 64);
}

static inline void stage_open(struct stage *stage, const char *variable, const char *library)
{
    memset(stage, 0, sizeof *stage);
    (void)snprintf(stage->folder, sizeof stage->folder, "/tmp/stint-gpu-XXXXXX");
    assert_non_null(mkdtemp(stage->folder));
    (void)snprintf(stage->script, sizeof stage->script, "%s/script", stage->folder);
    stage_library(stage, library);
    stage->arena = test_arena();
    stage->options = (struct meter_options){.tree = 1,
                                            .root = stage->folder,
                                            .nvml = stage->library,
                                            .rocm = stage->library,
                                            .work = stage_work};
    call_ms = 0;
    assert_int_equal(setenv(variable, stage->script, 1), 0);
}

static inline void stage_script(const struct stage *stage, const char *text)
{
    stage_put(stage->script, text, strlen(text));
}

/* A file of a process in the stage's /proc. */
static void stage_proc(const struct stage *stage, const char *process, const char *name,
                       struct str text)
{
    char path[256];

    (void)snprintf(path, sizeof path, "%s/proc", stage->folder);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof path, "%s/proc/%s", stage->folder, process);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof path, "%s/proc/%s/%s", stage->folder, process, name);
    stage_put(path, text.at, text.len);
}

/* A link of a process, such as "ns/pid" or "fd/3"; `folder` is made for it. */
static inline void stage_link(const struct stage *stage, const char *process,
                              const char *folder, const char *name, const char *to)
{
    char path[256];

    stage_proc(stage, process, "comm", STR("x\n"));
    (void)snprintf(path, sizeof path, "%s/proc/%s/%s", stage->folder, process, folder);
    (void)mkdir(path, 0700);
    (void)snprintf(path, sizeof path, "%s/proc/%s/%s/%s", stage->folder, process, folder, name);
    assert_int_equal(symlink(to, path), 0);
}

static inline void stage_close(struct stage *stage)
{
    char command[256];

    arena_free(&stage->arena);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", stage->folder);
    assert_int_equal(system(command), 0);
}

/* How often this function of the library was called since it was opened. It must be open. */
static inline unsigned stage_calls(const struct stage *stage, const char *function)
{
    void *handle = dlopen(stage->library, RTLD_NOW | RTLD_NOLOAD), *symbol;
    unsigned (*calls)(const char *, bool);
    unsigned count;

    assert_non_null(handle);
    symbol = dlsym(handle, "script_calls");
    assert_non_null(symbol);
    memcpy(&calls, &symbol, sizeof symbol);
    count = calls(function, false);
    assert_int_equal(dlclose(handle), 0);
    return count;
}

/* One look, `seconds` after the beginning. */
static inline size_t stage_read(struct stage *stage, const struct gpu_vendor *vendor,
                                void *state, double seconds, struct gpu_sample *out)
{
    size_t count = 0;

    vendor->read(state, &stage->tree, (instant){(int64_t)(seconds * 1e9)}, stage->exact, out,
                 &count);
    return count;
}

#endif
