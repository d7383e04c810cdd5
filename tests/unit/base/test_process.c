/* Which process it is: a number and its start. */
#include "test.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

static void takes_the_line_apart(void **state)
{
    struct str rest;
    char how;

    (void)state;
    assert_true(process_stat(STR("42 (a) b) S 7 1"), &how, &rest)); /* a name may hold it all */
    assert_int_equal(how, 'S');
    assert_true(str_eq(rest, STR(" 7 1")));
    assert_false(process_stat(STR(""), &how, &rest));
    assert_false(process_stat(STR("42 (a"), &how, &rest));
    assert_false(process_stat(STR("42 (a)"), &how, &rest));
    assert_false(process_stat(STR("42 (a) S"), &how, &rest));
}

static void knows_its_own_start(void **state)
{
    char line[1024], *at;
    FILE *f = fopen("/proc/self/stat", "r");

    (void)state;
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    (void)fclose(f);
    at = strrchr(line, ')');
    assert_non_null(at);
    for (int field = 2; field < 22; field++)
        at = strchr(at + 1, ' ');
    assert_int_equal(process_start(getpid()), strtoll(at, NULL, 10));
    assert_int_equal(process_parent(getpid()), getppid());
}

static void ended_process_has_no_start(void **state)
{
    pid_t pid = fork();
    siginfo_t info;

    (void)state;
    if (pid == 0)
        _exit(0);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(process_start(pid), -1); /* only what is left of it is there */
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(process_start(pid), -1);
    assert_int_equal(process_start(-1), -1);
    assert_int_equal(process_parent(pid), -1);
}

static void knows_its_user_and_boot(void **state)
{
    struct arena arena = test_arena();
    struct str boot;

    (void)state;
    assert_int_equal(setenv("LOGNAME", "bea", 1), 0);
    assert_int_equal(setenv("USER", "ann", 1), 0);
    assert_true(str_eq(process_user(&arena), STR("ann")));
    assert_int_equal(unsetenv("USER"), 0);
    assert_true(str_eq(process_user(&arena), STR("bea")));
    assert_int_equal(unsetenv("LOGNAME"), 0);
    /* Its name in the table of users; a number has none there. */
    assert_true(getpwuid(getuid()) != NULL
                    ? str_eq(process_user(&arena), str_from(getpwuid(getuid())->pw_name))
                    : str_starts(process_user(&arena), STR("uid ")));
    boot = process_boot(&arena);
    assert_int_equal(boot.len, 36); /* a UUID, without the end of its line */
    assert_true(str_eq(process_boot(&arena), boot));
    arena_free(&arena);
}

/* In a child: which of descriptors 3 to 9 are open after the call, as bits. */
static int open_after(int first, int keep)
{
    int status = -1;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        int open_fds = 0;

        for (int fd = 3; fd < 10; fd++)
            (void)dup2(0, fd);
        process_close_fds(first, keep);
        for (int fd = 3; fd < 10; fd++)
            open_fds |= fcntl(fd, F_GETFD) >= 0 ? 1 << (fd - 3) : 0;
        _exit(open_fds);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void closes_all_descriptors_but_one(void **state)
{
    (void)state;
    assert_int_equal(open_after(3, -1), 0);
    assert_int_equal(open_after(3, 3), 1);
    assert_int_equal(open_after(3, 5), 1 << 2);
    assert_int_equal(open_after(5, -1), 3);
    assert_int_equal(open_after(5, 3), 3);
    assert_int_equal(open_after(5, 9), 3 | 1 << 6);
}

int group_process(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_line_apart),
        cmocka_unit_test(knows_its_own_start),
        cmocka_unit_test(ended_process_has_no_start),
        cmocka_unit_test(knows_its_user_and_boot),
        cmocka_unit_test(closes_all_descriptors_but_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
