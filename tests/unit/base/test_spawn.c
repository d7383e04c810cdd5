#include "test.h"

#include <limits.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spawn.h"

static void test_output_and_status(void **state)
{
    const char *const argv[] = {"sh", "-c", "cat; echo out; echo lost >/dev/null; exit 3",
                                NULL};
    const char *const killed[] = {"sh", "-c", "kill -9 $$", NULL};
    struct arena arena = test_arena();
    struct error err = {0};
    struct str out;
    int status;

    (void)state;
    assert_true(spawn_run(argv, 100, &arena, &out, &status, &err));
    assert_str_equal(out, "out\n");
    assert_int_equal(status, 3);
    assert_true(spawn_run(killed, 100, &arena, &out, &status, &err));
    assert_int_equal(status, 128 + 9);
    arena_free(&arena);
}

static void test_output_over_the_limit_is_dropped(void **state)
{
    const char *const argv[] = {"sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x", NULL};
    struct arena arena = test_arena();
    struct error err = {0};
    struct str out;
    int status;

    (void)state;
    assert_true(spawn_run(argv, 10, &arena, &out, &status, &err));
    assert_str_equal(out, "xxxxxxxxxx");
    assert_int_equal(status, 0);
    arena_free(&arena);
}

static void test_a_program_that_is_not_there(void **state)
{
    const char *const argv[] = {"/nonexistent/sbatch", NULL};
    struct arena arena = test_arena();
    struct error err = {0};
    struct str out;
    char self[4096];
    int status;

    (void)state;
    assert_false(spawn_run(argv, 10, &arena, &out, &status, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.text, "/nonexistent/sbatch"));
    assert_false(spawn_self(self, sizeof self)); /* this program is a test */
    arena_free(&arena);
}

static bool always_stopped(void)
{
    return true;
}

static void test_attached_programs(void **state)
{
    static const struct watch watch = {0}, stopping = {.stopped = always_stopped};
    const char *const three[] = {"sh", "-c", "exit 3", NULL};
    const char *const killed[] = {"sh", "-c", "kill -9 $$", NULL};
    const char *const endless[] = {"sleep", "1000", NULL};
    const char *const none[] = {"stint-no-such-program", NULL};
    struct error err = {0};
    int status = -1;

    (void)state;
    assert_true(spawn_attached(three, &watch, &status, &err));
    assert_int_equal(status, 3);
    assert_true(spawn_attached(killed, &watch, &status, &err));
    assert_int_equal(status, 128 + 9);
    assert_true(spawn_attached(endless, &stopping, &status, &err));
    assert_int_equal(status, 128 + 15);
    assert_false(spawn_attached(none, &watch, &status, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

static void test_a_program_is_found(void **state)
{
    char path[PATH_MAX];

    (void)state;
    assert_true(spawn_find("sh", path));
    assert_int_equal(path[0], '/');
    assert_true(spawn_find("/bin/sh", path));
    assert_string_equal(path, "/bin/sh");
    assert_false(spawn_find("stint-no-such-program", path));
}

static void expect_last_line(const char *output, size_t room, const char *line)
{
    char path[] = "/tmp/stint-last-line-XXXXXX", text[64];
    int fd = mkstemp(path);

    assert_true(fd >= 0 && room <= sizeof text);
    assert_int_equal(write(fd, output, strlen(output)), (ssize_t)strlen(output));
    (void)close(fd);
    assert_int_equal(spawn_last_line(path, text, room), line != NULL);
    if (line != NULL)
        assert_string_equal(text, line);
    (void)unlink(path);
}

static void test_the_last_line_of_an_output(void **state)
{
    char text[8];

    (void)state;
    expect_last_line("loading\nno GPU\n\n", 64, "no GPU");
    expect_last_line("no newline", 64, "no newline");
    expect_last_line("loading\na longer line\n", 8, "r line");
    expect_last_line("\n\n", 64, NULL);
    expect_last_line("", 64, NULL);
    assert_false(spawn_last_line("/nonexistent/log", text, sizeof text));
}

int group_spawn(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_and_status),
        cmocka_unit_test(test_output_over_the_limit_is_dropped),
        cmocka_unit_test(test_a_program_that_is_not_there),
        cmocka_unit_test(test_attached_programs),
        cmocka_unit_test(test_a_program_is_found),
        cmocka_unit_test(test_the_last_line_of_an_output),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
