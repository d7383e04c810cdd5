/* The program of a module's unit tests: a group for each of its files.
 *
 *     test_base              all groups, one after another
 *     test_base arena csv    these
 */
#include <stdio.h>
#include <string.h>

#define GROUP(name) int group_##name(void);
GROUPS
#undef GROUP

static const struct group {
    const char *name;
    int (*run)(void);
} groups[] = {
#define GROUP(name) {#name, group_##name},
    GROUPS
#undef GROUP
};

static int run_named(const char *name)
{
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strcmp(groups[i].name, name) == 0)
            return groups[i].run();
    fprintf(stderr, "there is no group %s\n", name);
    return 1;
}

int main(int argc, char **argv)
{
    int failed = 0;

    for (int i = 1; i < argc; i++)
        failed |= run_named(argv[i]) != 0;
    for (size_t i = 0; argc == 1 && i < sizeof groups / sizeof groups[0]; i++)
        failed |= groups[i].run() != 0;
    return failed;
}
