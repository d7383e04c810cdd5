/* The program of a module's unit tests: a group for each of its files.
 *
 *     test_base              all groups, one after another
 *     test_base arena csv    these
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"

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

/* Under nohup and some CI systems signals are ignored or blocked, and what tests start would
 * inherit that: each starts from the defaults. */
static void default_signals(void)
{
    struct sigaction now;
    sigset_t none;

    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
            (void)signal(number, SIG_DFL);
}

int main(int argc, char **argv)
{
    int failed = 0;

    default_signals();
    tap_begin();
    for (int i = 1; i < argc; i++)
        failed |= run_named(argv[i]) != 0;
    for (size_t i = 0; argc == 1 && i < sizeof groups / sizeof groups[0]; i++)
        failed |= groups[i].run() != 0;
    tap_end();
    return failed;
}
