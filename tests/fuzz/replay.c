/* Feed every file of a folder to a fuzz target, without a fuzzer: the saved inputs are tests.
 *
 *     replay csv tests/fuzz/corpus/csv
 *
 * All targets are in one program: linking one for each takes longer than their inputs. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int fuzz_target(const uint8_t *data, size_t size);

#define TARGET(name) fuzz_target fuzz_##name;
TARGETS
#undef TARGET

static const struct target {
    const char *name;
    fuzz_target *test;
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
    TARGETS
#undef TARGET
};

static fuzz_target *target_named(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(targets[i].name, name) == 0)
            return targets[i].test;
    return NULL;
}

static int replay_file(fuzz_target *test, const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    uint8_t *exact;
    size_t size;

    if (file == NULL) {
        perror(path);
        return 1;
    }
    size = fread(data, 1, sizeof data, file);
    (void)fclose(file);

    /* A block of just this size, so that ASan sees a read past the end. */
    exact = malloc(size > 0 ? size : 1);
    if (exact == NULL)
        return 1;
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    (void)test(exact, size);
    free(exact);
    return 0;
}

static int replay_folder(fuzz_target *test, const char *folder, unsigned *count)
{
    DIR *dir = opendir(folder);
    const struct dirent *entry;
    char path[4096];
    int failed = 0;

    if (dir == NULL) {
        perror(folder);
        return 1;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        failed |= replay_file(test, path);
        ++*count;
    }
    (void)closedir(dir);
    return failed;
}

int main(int argc, char **argv)
{
    fuzz_target *test = argc == 3 ? target_named(argv[1]) : NULL;
    unsigned count = 0;
    int failed;

    if (test == NULL) {
        (void)fprintf(stderr, "usage: replay TARGET FOLDER\n");
        return 2;
    }
    failed = replay_folder(test, argv[2], &count);
    if (count == 0) {
        (void)fprintf(stderr, "no saved inputs\n");
        failed = 1;
    }
    (void)printf("%u inputs\n", count);
    return failed;
}
