/* Feed every file of the folders named on the command line to the fuzz target, without a
 * fuzzer: the saved inputs are tests. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
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
    (void)LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

static int replay_folder(const char *folder, unsigned *count)
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
        failed |= replay_file(path);
        ++*count;
    }
    (void)closedir(dir);
    return failed;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    int failed = 0;

    for (int i = 1; i < argc; i++)
        failed |= replay_folder(argv[i], &count);
    if (count == 0) {
        (void)fprintf(stderr, "no saved inputs\n");
        failed = 1;
    }
    (void)printf("%u inputs\n", count);
    return failed;
}
