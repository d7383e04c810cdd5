#include "test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "spot/trace_files.h"

static char folder[64], first[96], second[96];
static struct arena arena;
static const struct messages quiet;

static bool put(const char *path, const char *text)
{
    struct error err = {0};

    return fs_replace(path, str_from(text), &err);
}

static int make(void **state)
{
    (void)state;
    arena = test_arena();
    (void)snprintf(folder, sizeof folder, "/tmp/stint-traces-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    (void)snprintf(first, sizeof first, "%s/first.trc", folder);
    (void)snprintf(second, sizeof second, "%s/second.trc", folder);
    return !put(first, "trace us-a gap=60 n=3 nodes=1 start=- od=2 spot=1\na 101\n"
                       "trace us-b gap=60 n=3 nodes=1 start=- od=2 spot=1\na 111\n") ||
           !put(second, "trace eu-a gap=60 n=2 nodes=1 start=- od=- spot=-\na 01\n");
}

static int drop(void **state)
{
    char command[200];

    (void)state;
    arena_free(&arena);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

static bool pick(const char *one, const char *two, struct traces *out, struct error *err)
{
    struct str files[] = {str_from(first), str_from(second)};
    struct str wanted[] = {str_from(one), str_from(two)};
    struct traces all;
    size_t count = one == NULL ? 0 : two == NULL ? 1 : 2;

    *err = (struct error){0};
    assert_true(trace_files_read(&(struct trace_files){.files = {files, 2}}, &quiet, &arena,
                                 &all, NULL, err));
    assert_int_equal(all.len, 3);
    return traces_pick(&all, (struct strs){wanted, count}, &arena, out, err);
}

static void test_zones_are_picked(void **state)
{
    struct traces got;
    struct error err;

    (void)state;
    assert_true(pick(NULL, NULL, &got, &err));
    assert_int_equal(got.len, 3);
    assert_str_equal(got.at[2].id, "eu-a");
    /* In the order of the patterns, and each once. */
    assert_true(pick("eu-*", "*-a", &got, &err));
    assert_int_equal(got.len, 2);
    assert_str_equal(got.at[0].id, "eu-a");
    assert_str_equal(got.at[1].id, "us-a");
    assert_false(pick("us-a", "us-c", &got, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.hint, "us-"));
    assert_false(pick("nothing-like-it", NULL, &got, &err));
    assert_non_null(strstr(err.hint, "'us-a' and others"));
}

static void test_the_sum_follows_the_content(void **state)
{
    struct str files[] = {str_from(first), str_from(second)};
    struct traces all;
    struct error err = {0};
    uint32_t before, after;

    (void)state;
    assert_true(trace_files_read(&(struct trace_files){.files = {files, 2}}, &quiet, &arena,
                                 &all, &before, &err));
    assert_true(put(second, "trace eu-a gap=60 n=2 nodes=1 start=- od=- spot=-\na 11\n"));
    assert_true(trace_files_read(&(struct trace_files){.files = {files, 2}}, &quiet, &arena,
                                 &all, &after, &err));
    assert_true(before != after);
    /* How it is written does not matter. */
    assert_true(put(second, "# the same\ntrace eu-a gap=60 n=2\n\na 11\n"));
    assert_true(trace_files_read(&(struct trace_files){.files = {files, 2}}, &quiet, &arena,
                                 &all, &before, &err));
    assert_true(before == after);
}

/* In as many as a user may have: what compares each with each takes half a minute. */
static void test_many_zones(void **state)
{
    enum { MANY = 60000 };
    struct buf text = buf_new(&alloc_system, (size_t)16 << 20);
    struct str file = str_from(second), wanted = STR("z-*");
    struct traces all, picked;
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < MANY; i++)
        buf_addf(&text, "trace z-%zu gap=60 n=1\na 1\n", (i * 7919) % MANY);
    assert_true(fs_replace(second, buf_text(&text), &err));
    assert_true(trace_files_read(&(struct trace_files){.files = {&file, 1}}, &quiet, &arena,
                                 &all, NULL, &err));
    assert_int_equal(all.len, MANY);
    assert_true(traces_pick(&all, (struct strs){&wanted, 1}, &arena, &picked, &err));
    assert_int_equal(picked.len, MANY);
    assert_str_equal(picked.at[1].id, "z-7919");
    buf_free(&text);
}

static void test_a_zone_in_two_files(void **state)
{
    struct str files[] = {str_from(first), str_from(first)};
    struct traces all;
    struct error err = {0};

    (void)state;
    assert_false(trace_files_read(&(struct trace_files){.files = {files, 2}}, &quiet, &arena,
                                  &all, NULL, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, "us-a"));
}

static void test_windows(void **state)
{
    struct windows got;
    struct error err = {0};

    (void)state;
    assert_true(put(second, "# ticks\n3\n1\n"));
    assert_true(window_file_read(str_from(second), &arena, &got, &err));
    assert_int_equal(got.len, 2);
    assert_int_equal(got.at[0], 3);
    assert_false(window_file_read(STR("/nonexistent/windows"), &arena, &got, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

int group_trace_files(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_zones_are_picked, make, drop),
        cmocka_unit_test_setup_teardown(test_the_sum_follows_the_content, make, drop),
        cmocka_unit_test_setup_teardown(test_many_zones, make, drop),
        cmocka_unit_test_setup_teardown(test_a_zone_in_two_files, make, drop),
        cmocka_unit_test_setup_teardown(test_windows, make, drop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
