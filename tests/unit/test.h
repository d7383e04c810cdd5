/* test.h - what every unit test needs: cmocka, tests that are skipped, an allocator that fails
 * on cue. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/str.h"

/* End the running test as skipped, with the reason (tap.c). Not from a group's setup. */
_Noreturn void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Data that is not the project's: a file or folder below the one that STINT_TEST_DATA names. */
struct test_path {
    char text[4096];
    char missing[1024]; /* why it is not there */
};

/* False when it is not there. */
bool test_data_there(const char *name, struct test_path *path);

/* Its path, path->text; the test is skipped when it is not there. */
const char *test_data(const char *name, struct test_path *path);

/* Allocates `allow` times, then fails, and counts the blocks in use. */
struct failing_alloc {
    size_t allow, held;
};

static inline void *failing_get(void *ctx, size_t size)
{
    struct failing_alloc *state = ctx;
    void *block;

    if (state->allow == 0)
        return NULL;
    state->allow--;
    block = malloc(size);
    if (block != NULL)
        state->held++;
    return block;
}

static inline void failing_put(void *ctx, void *block)
{
    struct failing_alloc *state = ctx;

    state->held--;
    free(block);
}

/* An arena in which every object is its own block, so that ASan sees each overrun. */
static inline struct arena test_arena(void)
{
    return (struct arena){.alloc = &alloc_system};
}

/* cmocka's own compares floats. */
static inline void test_near(double got, double expected, double within, int line)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("line %d: %.9g instead of %.9g", line, got, expected);
}

#define assert_near(got, expected, within) \
    test_near((double)(got), (double)(expected), (double)(within), __LINE__)

#define assert_str_equal(got, expected) \
    do { \
        struct str got_ = (got), expected_ = str_from(expected); \
        assert_int_equal(got_.len, expected_.len); \
        if (got_.len > 0) \
            assert_memory_equal(got_.at, expected_.at, got_.len); \
    } while (0)

#endif
