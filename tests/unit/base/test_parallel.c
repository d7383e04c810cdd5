#include "test.h"

#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"

#define ITEMS 500

struct work {
    size_t at[ITEMS];
    size_t fails_from, step; /* items that fail; step 0: none */
    atomic_size_t begun;
    size_t reported;
};

static bool square(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct work *w = ctx;
    size_t *own = arena_array(scratch, size_t, 1000, err);

    atomic_fetch_add(&w->begun, 1);
    if (own == NULL)
        return false;
    for (size_t i = 0; i < 1000; i++)
        own[i] = index;
    if (w->step > 0 && index >= w->fails_from && (index - w->fails_from) % w->step == 0)
        return error_fail(err, ERROR_INPUT, "item %zu", index);
    w->at[index] = own[999] * own[500];
    return true;
}

static void report(void *ctx, size_t done)
{
    struct work *w = ctx;

    assert_true(done > w->reported && done <= ITEMS);
    w->reported = done;
}

static void test_results_are_by_number(void **state)
{
    static const unsigned threads[] = {1, 2, 7, 0};

    (void)state;
    for (size_t t = 0; t < ARRAY_LEN(threads); t++) {
        struct work w = {0};
        struct parallel p = {.threads = threads[t],
                             .alloc = &alloc_system,
                             .item = square,
                             .report = report,
                             .ctx = &w};
        struct error err = {0};

        assert_true(parallel_run(&p, ITEMS, &err));
        assert_int_equal(w.begun, ITEMS);
        for (size_t i = 0; i < ITEMS; i++)
            assert_int_equal(w.at[i], i * i);
        if (threads[t] == 1)
            assert_int_equal(w.reported, ITEMS);
    }
}

static void test_the_lowest_failure_is_reported(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct work w = {.fails_from = 37, .step = 5};
        struct parallel p = {
            .threads = threads, .alloc = &alloc_system, .item = square, .ctx = &w};
        struct error err = {0};

        assert_false(parallel_run(&p, ITEMS, &err));
        assert_string_equal(err.text, "item 37");
        assert_true(w.begun < ITEMS); /* the rest was not started */
        assert_int_equal(w.at[36], 36 * 36);
    }
}

/* After this many were started. */
static bool stop(void *ctx)
{
    struct work *w = ctx;

    return atomic_load(&w->begun) >= 50;
}

static void test_stopping_finishes_started_work(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct work w = {0};
        struct parallel p = {.threads = threads,
                             .alloc = &alloc_system,
                             .item = square,
                             .stop = stop,
                             .ctx = &w};
        struct error err = {0};

        assert_false(parallel_run(&p, ITEMS, &err));
        assert_int_equal(err.kind, ERROR_STOPPED);
        assert_true(w.begun >= 50 && w.begun < 50 + threads);
        assert_int_equal(w.at[20], 20 * 20); /* started work is finished */
        assert_int_equal(w.at[ITEMS - 1], 0);
    }
}

static void test_nothing_to_do(void **state)
{
    struct work w = {0};
    struct parallel p = {.threads = 4, .alloc = &alloc_system, .item = square, .ctx = &w};
    struct error err = {0};

    (void)state;
    assert_true(parallel_run(&p, 0, &err));
    assert_int_equal(w.begun, 0);
    assert_true(parallel_cores() >= 1 && parallel_cores() <= PARALLEL_MOST);
}

/* The allocator of a test counts without a lock: it must not be entered twice at once. */
static void test_memory_may_run_out(void **state)
{
    (void)state;
    for (size_t allow = 0; allow < 20; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct work w = {0};
        struct parallel p = {.threads = 4, .alloc = &alloc, .item = square, .ctx = &w};
        struct error err = {0};

        assert_false(parallel_run(&p, ITEMS, &err));
        assert_int_equal(err.kind, ERROR_MEMORY);
        assert_int_equal(failing.held, 0);
    }
}

int group_parallel(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_are_by_number),
        cmocka_unit_test(test_the_lowest_failure_is_reported),
        cmocka_unit_test(test_stopping_finishes_started_work),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
