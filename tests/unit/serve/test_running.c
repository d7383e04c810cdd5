/* What is being made: when it has to end, and what is said then. */
#include "test.h"

#include <sched.h>

#include "serve/internal.h"

#define MB ((size_t)1 << 20)

struct fixture {
    struct arena arena;
    struct server server;
    struct running running;
    struct error err;
};

static void prepare(struct fixture *f)
{
    *f = (struct fixture){.arena = {.alloc = &alloc_system}};
    f->server.ctx.arena = &f->arena;
    f->server.runnings = runnings_new(&f->server, &f->err);
    assert_non_null(f->server.runnings);
    running_prepare(&f->server, &f->running);
}

static void begin(struct fixture *f, const struct run_limits *limits)
{
    prepare(f);
    running_begin(&f->server, &f->running, limits);
}

static void end(struct fixture *f)
{
    runnings_end(f->server.runnings);
    runnings_free(f->server.runnings);
    arena_free(&f->arena);
}

static void *get(struct fixture *f, size_t size)
{
    return f->running.alloc.get(f->running.alloc.ctx, size);
}

static void put(struct fixture *f, void *block)
{
    f->running.alloc.put(f->running.alloc.ctx, block);
}

/* Until it is asked to end: the thread that looks after it does so within a moment. */
static void wait_for_the_end(void)
{
    while (!stop_asked())
        (void)sched_yield();
}

static void too_much_memory_is_one_line(void **state)
{
    const struct run_limits limits = {.time = {3600 * SECOND}, .bytes = 4 * MB};
    struct fixture f;
    void *first;

    (void)state;
    begin(&f, &limits);
    first = get(&f, 3 * MB);
    assert_non_null(first);
    assert_false(stop_asked());
    put(&f, first); /* what was given back counts no more */
    first = get(&f, 3 * MB);
    assert_non_null(first);
    assert_null(get(&f, 2 * MB));
    assert_true(stop_asked()); /* and whatever else it does ends, too */
    assert_int_equal(running_end(&f.server, &f.running), END_MEMORY);
    assert_true(running_problem(END_MEMORY, &limits, &f.err));
    assert_string_equal(f.err.text, "this takes more than 4 MB of memory, and was stopped");
    assert_string_equal(f.err.hint, "request less, or use the command line");
    assert_int_equal(f.err.kind, ERROR_UNFIT);
    put(&f, first);
    end(&f);
}

static void a_size_that_overflows_is_too_much(void **state)
{
    const struct run_limits limits = {.time = {3600 * SECOND}, .bytes = SIZE_MAX};
    struct fixture f;

    (void)state;
    begin(&f, &limits);
    assert_null(get(&f, SIZE_MAX));
    assert_int_equal(running_end(&f.server, &f.running), END_MEMORY);
    end(&f);
}

static void all_together_have_a_limit(void **state)
{
    const struct run_limits limits = {.time = {3600 * SECOND}, .bytes = SIZE_MAX - 1};
    struct fixture f;
    void *small;

    (void)state;
    begin(&f, &limits);
    small = get(&f, MB);
    assert_non_null(small);
    assert_null(get(&f, SIZE_MAX / 2)); /* more than half of any machine's memory */
    assert_int_equal(running_end(&f.server, &f.running), END_CROWDED);
    assert_true(running_problem(END_CROWDED, &limits, &f.err));
    assert_string_equal(f.err.text, "the server has no memory left for this now");
    assert_int_equal(f.err.kind, ERROR_AWAY);
    put(&f, small);
    end(&f);
}

static void time_ends(void **state)
{
    const struct run_limits limits = {.time = {SECOND / 1000}, .bytes = MB};
    struct fixture f;

    (void)state;
    begin(&f, &limits);
    wait_for_the_end();
    assert_int_equal(running_end(&f.server, &f.running), END_TIME);
    assert_true(running_problem(END_TIME, &limits, &f.err));
    assert_int_equal(f.err.kind, ERROR_STOPPED);
    end(&f);
}

static bool has_left(void *ctx)
{
    return *(const bool *)ctx;
}

static void who_has_left_needs_no_answer(void **state)
{
    const struct run_limits limits = {.time = {3600 * SECOND}, .bytes = MB};
    struct fixture f;
    bool left = true;

    (void)state;
    prepare(&f);
    f.running.left_ctx = &left;
    f.running.left = has_left;
    running_begin(&f.server, &f.running, &limits);
    wait_for_the_end();
    assert_int_equal(running_end(&f.server, &f.running), END_CLIENT);
    end(&f);
}

static void the_server_ends_all(void **state)
{
    const struct run_limits limits = {.time = {3600 * SECOND}, .bytes = MB};
    struct fixture f;

    (void)state;
    begin(&f, &limits);
    assert_false(stop_asked());
    runnings_end(f.server.runnings);
    assert_true(stop_asked());
    assert_int_equal(running_end(&f.server, &f.running), END_SERVER);
    running_prepare(&f.server, &f.running);
    running_begin(&f.server, &f.running, &limits); /* what begins now ends at once */
    assert_true(stop_asked());
    assert_int_equal(running_end(&f.server, &f.running), END_SERVER);
    runnings_free(f.server.runnings);
    arena_free(&f.arena);
}

int group_running(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_much_memory_is_one_line),
        cmocka_unit_test(a_size_that_overflows_is_too_much),
        cmocka_unit_test(all_together_have_a_limit),
        cmocka_unit_test(time_ends),
        cmocka_unit_test(who_has_left_needs_no_answer),
        cmocka_unit_test(the_server_ends_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
