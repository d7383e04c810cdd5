/* Names and contents of checkpoints: the first line is a name and what a benchmark prints, the
 * rest the content of files whose formats are looked into. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/checkpoint/checkpoints.h"
#include "run/tune/tune.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const files[] = {"step_1.safetensors", "step_2.pt",
                                    "checkpoint-3/x.index.json",
                                    "checkpoint-4/trainer_state.json", "latest"};

static void put(const char *folder, const char *name, struct str text)
{
    char path[PATH_MAX];
    int fd;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text.at, text.len) != (ssize_t)text.len)
        abort();
    (void)close(fd);
}

static void make_folder(char *folder)
{
    char path[PATH_MAX];

    if (mkdtemp(folder) == NULL)
        abort();
    for (int i = 3; i <= 4; i++) {
        (void)snprintf(path, sizeof path, "%s/checkpoint-%d", folder, i);
        if (mkdir(path, 0700) != 0)
            abort();
    }
}

static void remove_folder(const char *folder)
{
    char path[PATH_MAX];

    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        (void)unlink(path);
    }
    for (int i = 3; i <= 4; i++) {
        (void)snprintf(path, sizeof path, "%s/checkpoint-%d", folder, i);
        (void)rmdir(path);
    }
    (void)rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size}, line = str_cut(&rest, '\n');
    struct arena arena = {.alloc = &alloc_system};
    struct checkpoint_rules rules = {.keep = 1, .metric = STR("val_loss")};
    char folder[] = "/tmp/stint-fuzz-XXXXXX";
    struct checkpoint c, *list;
    struct error err;
    size_t count;

    for (int is_folder = 0; is_folder < 2; is_folder++)
        if (checkpoint_name(line, is_folder, STR("val_loss"), &c) &&
            (c.series != 0) != !isnan(c.step))
            abort();
    if (tune_line_rate(line) < 0)
        abort();
    (void)tune_line_out_of_memory(line);
    make_folder(folder);
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        put(folder, files[i], rest);
    if (!checkpoints_scan(folder, STR("val_loss"), &arena, &list, &count, &err))
        abort();
    checkpoints_decide(list, count, &rules, INT64_MAX);
    arena_free(&arena);
    remove_folder(folder);
    return 0;
}
