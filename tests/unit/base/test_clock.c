#include "test.h"

#include <time.h>

#include "base/clock.h"

static void the_system_clock_never_goes_back(void **state)
{
    instant last = clock_system.now(clock_system.ctx), first = last;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        instant now = clock_system.now(clock_system.ctx);

        assert_true(span_between(last, now).ns >= 0);
        last = now;
    }
    assert_true(span_between(first, last).ns > 0);
}

static void the_system_clock_measures_time(void **state)
{
    struct timespec wait = {.tv_nsec = 20000000};
    instant start = clock_system.now(clock_system.ctx);
    span taken;

    (void)state;
    assert_int_equal(nanosleep(&wait, NULL), 0);
    taken = span_between(start, clock_system.now(clock_system.ctx));
    assert_in_range(taken.ns, 20000000, 60000000000);
}

static void today_is_the_date_of_the_system(void **state)
{
    int64_t before = time(NULL), today = clock_system.today(clock_system.ctx).s;

    (void)state;
    assert_in_range(today, before - 1, time(NULL) + 1);
}

static void fixed_clock_does_not_move(void **state)
{
    stamp at = {1763200800};
    struct clock clock = clock_fixed(&at);

    (void)state;
    assert_int_equal(clock.today(clock.ctx).s, 1763200800);
    assert_int_equal(clock.today(clock.ctx).s, 1763200800);
    assert_int_equal(span_between(clock.now(clock.ctx), clock.now(clock.ctx)).ns, 0);
    at.s += 60; /* its owner sets the time */
    assert_int_equal(clock.today(clock.ctx).s, 1763200860);
}

static void spans_have_a_direction(void **state)
{
    (void)state;
    assert_int_equal(span_between((instant){100}, (instant){350}).ns, 250);
    assert_int_equal(span_between((instant){350}, (instant){100}).ns, -250);
}

int group_clock(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_system_clock_never_goes_back),
        cmocka_unit_test(the_system_clock_measures_time),
        cmocka_unit_test(today_is_the_date_of_the_system),
        cmocka_unit_test(fixed_clock_does_not_move),
        cmocka_unit_test(spans_have_a_direction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
