/* Stopping a run that another process supervises. */
#include "run/supervise/inbox.h"

#include <unistd.h>

#include "test.h"

static void test_stop_refuses_what_is_not_ours(void **state)
{
    struct live_run row = {.run.start.name = STR("x"), .host = STR("there"), .pid = -1};
    struct error err = {0};

    (void)state;
    assert_false(run_stop(&row, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    row.pid = getpid();
    row.pid_started = 1; /* another that had the number before */
    assert_false(run_stop(&row, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

int group_stop(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop_refuses_what_is_not_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
