#include "test.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
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
    (void)unlink(path);
    assert_int_equal(spawn_last_line(fd, text, room), line != NULL);
    if (line != NULL)
        assert_string_equal(text, line);
    (void)close(fd);
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
    assert_false(spawn_last_line(-1, text, sizeof text));
}

/* The number that a program wrote to `fd`, when it has; 0 until then. */
static pid_t number_written(int fd)
{
    char text[32] = "";

    return pread(fd, text, sizeof text - 1, 0) > 0 && strchr(text, '\n') != NULL
               ? (pid_t)strtol(text, NULL, 10)
               : 0;
}

static pid_t wait_for_number(int fd)
{
    const struct timespec pause = {0, 1000000};
    pid_t number;

    while ((number = number_written(fd)) == 0)
        (void)nanosleep(&pause, NULL);
    return number;
}

/* One without a waiting parent is gone, too. */
static bool is_there(pid_t pid)
{
    char path[64], text[512] = "";
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY);
    if (fd < 0)
        return false;
    if (read(fd, text, sizeof text - 1) < 0)
        text[0] = '\0';
    (void)close(fd);
    return text[0] != '\0' && strstr(text, ") Z") == NULL;
}

static void wait_until_gone(pid_t pid)
{
    const struct timespec pause = {0, 1000000};

    while (is_there(pid))
        (void)nanosleep(&pause, NULL);
}

static int open_output(void)
{
    char path[] = "/tmp/stint-group-XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    (void)unlink(path);
    return fd;
}

static void test_a_group_ends_with_all_that_it_started(void **state)
{
    const char *const argv[] = {"sh", "-c", "sleep 1000 & echo $!; wait", NULL};
    const char *const three[] = {"sh", "-c", "sleep 1000 & echo $!; exit 3", NULL};
    const char *const none[] = {"stint-no-such-program", NULL};
    struct error err = {0};
    struct spawn_group group;
    int fd = open_output(), status = -1;
    pid_t inner;

    (void)state;
    assert_true(spawn_group_start(argv, fd, (span){SECOND}, &group, &err));
    inner = wait_for_number(fd);
    assert_false(spawn_group_ended(&group, &status));
    spawn_group_end(&group);
    wait_until_gone(inner);
    (void)close(fd);

    /* What it left behind when it ended by itself, too. */
    fd = open_output();
    assert_true(spawn_group_start(three, fd, (span){SECOND}, &group, &err));
    inner = wait_for_number(fd);
    while (!spawn_group_ended(&group, &status))
        continue;
    assert_int_equal(status, 3);
    assert_true(is_there(inner));
    spawn_group_end(&group);
    wait_until_gone(inner);
    (void)close(fd);

    assert_false(spawn_group_start(none, STDERR_FILENO, (span){SECOND}, &group, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    spawn_group_end(&group); /* there is none */
}

/* Whoever started it is killed at once. */
static void test_a_group_does_not_outlive_us(void **state)
{
    const char *const argv[] = {"sh", "-c", "sleep 1000 & echo $!; wait", NULL};
    int fd = open_output();
    pid_t child = fork(), inner;

    (void)state;
    if (child == 0) {
        struct spawn_group group;
        struct error err;

        if (!spawn_group_start(argv, fd, (span){SECOND / 10}, &group, &err))
            _exit(1);
        (void)pause();
        _exit(0);
    }
    inner = wait_for_number(fd);
    (void)kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    wait_until_gone(inner);
    (void)close(fd);
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
        cmocka_unit_test(test_a_group_ends_with_all_that_it_started),
        cmocka_unit_test(test_a_group_does_not_outlive_us),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
