/* Threads that wait until something is on the disk. */
#include "run/checkpoint/save_watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

static bool waits(long call, const char *rest, int *fd)
{
    char line[200];

    (void)snprintf(line, sizeof line, "%ld %s", call, rest);
    return sync_call(str_from(line), fd);
}

static void calls_that_wait_for_a_disk(void **state)
{
    static const char rest[] = "0x5 0x0 0x0 0x0 0x0 0x0 0xffffe0b0 0xffff8a1c";
    int fd;

    (void)state;
    assert_true(waits(SYS_fsync, rest, &fd));
    assert_int_equal(fd, 5);
    assert_true(waits(SYS_fdatasync, "0x1f 0x0", &fd));
    assert_int_equal(fd, 31);
    assert_true(waits(SYS_msync, "0xffff80000000 0x1000", &fd));
    assert_int_equal(fd, -1);
    assert_true(waits(SYS_fsync, "0xffffffffffffffff 0x0", &fd)); /* a descriptor of -1 */
    assert_int_equal(fd, -1);
    assert_false(waits(SYS_read, rest, &fd));
    assert_false(waits(-1, rest, &fd));
}

static void other_calls_are_ignored(void **state)
{
    static const char *const lines[] = {"running", "",       "74",
                                        "74 ",     "x 0x5",  "74 5",
                                        "74 0x",   "74 0xg", "74 0x12345678123456781"};
    int fd;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_false(sync_call(str_from(lines[i]), &fd));
}

int group_sync_watch(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_wait_for_a_disk),
        cmocka_unit_test(other_calls_are_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
