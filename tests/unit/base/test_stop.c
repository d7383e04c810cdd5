#include "test.h"

#include "base/arena.h"
#include "base/parallel.h"
#include "base/stop.h"

static void test_a_thread_without_one_goes_on(void **state)
{
    struct error err = {0};

    (void)state;
    assert_null(stop_current());
    assert_false(stop_asked());
    assert_true(stop_check(&err));
}

static void test_asked_once_for_the_first_reason(void **state)
{
    struct stop stop = {0}, inner = {0};
    struct error err = {0};

    (void)state;
    assert_null(stop_set(&stop));
    assert_false(stop_asked());
    stop_ask(&stop, 3);
    stop_ask(&stop, 4);
    assert_true(stop_asked());
    assert_int_equal(atomic_load(&stop.why), 3);
    assert_false(stop_check(&err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_ptr_equal(stop_set(&inner), &stop); /* within it, another */
    assert_false(stop_asked());
    assert_ptr_equal(stop_set(NULL), &inner);
}

static void test_memory_is_refused(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct stop stop = {0};
    struct error err = {0};

    (void)state;
    (void)stop_set(&stop);
    assert_non_null(arena_array(&arena, int, 4, &err));
    stop_ask(&stop, 1);
    assert_null(arena_array(&arena, int, 4, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    (void)stop_set(NULL);
    arena_free(&arena);
}

struct items {
    struct stop *stop;
    atomic_size_t begun, strangers;
};

static bool item(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct items *all = ctx;

    (void)scratch;
    (void)err;
    atomic_fetch_add(&all->begun, 1);
    if (stop_current() != all->stop)
        atomic_fetch_add(&all->strangers, 1);
    if (index == 10)
        stop_ask(all->stop, 1);
    return true;
}

static void test_threads_have_that_of_their_caller(void **state)
{
    struct stop stop = {.threads = 2};
    struct items all = {.stop = &stop};
    struct parallel p = {.threads = 4, .alloc = &alloc_system, .item = item, .ctx = &all};
    struct error err = {0};

    (void)state;
    (void)stop_set(&stop);
    assert_false(parallel_run(&p, 100000, &err));
    (void)stop_set(NULL);
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_int_equal(all.strangers, 0);
    assert_true(all.begun > 10 && all.begun < 100000);
}

int group_stop(void);

int group_stop(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thread_without_one_goes_on),
        cmocka_unit_test(test_asked_once_for_the_first_reason),
        cmocka_unit_test(test_memory_is_refused),
        cmocka_unit_test(test_threads_have_that_of_their_caller),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
