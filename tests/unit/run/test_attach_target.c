/* run/supervise/attach_target.h: real processes of this test. */
#include "test.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"
#include "run/supervise/attach_target.h"

static struct arena arena;

static int open_arena(void **state)
{
    (void)state;
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    return 0;
}

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* A child that waits to be killed, or ends at once with this status. */
static pid_t child_start(int status)
{
    pid_t pid = fork();

    if (pid == 0) {
        if (status >= 0)
            _exit(status);
        for (;;)
            (void)pause();
    }
    return pid;
}

static void child_end(pid_t pid)
{
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void wait_for_end(const struct attach_target *target)
{
    struct pollfd wait = {.fd = target->handle, .events = POLLIN};

    assert_int_equal(poll(&wait, 1, 60000), 1);
}

static void assert_refused(int64_t pid, bool ancestor, enum error_kind kind, const char *words)
{
    struct attach_target target;
    struct error err = {0};

    assert_false(attach_find(pid, ancestor, &arena, &target, &err));
    assert_int_equal(err.kind, kind);
    assert_non_null(strstr(err.text, words));
    assert_int_equal(target.handle, -1);
}

static void a_process_is_found_with_its_command_and_age(void **state)
{
    pid_t pid = child_start(-1);
    struct attach_target target;
    struct error err = {0};
    char here[4096];

    (void)state;
    assert_true(attach_find(pid, false, &arena, &target, &err));
    assert_int_equal(target.pid, pid);
    assert_int_equal(target.started, process_start(pid));
    assert_true(target.before.ns >= 0 && target.before.ns < 3600 * INT64_C(1000000000));
    assert_true(target.command.len >= 1);
    assert_true(str_ends(target.command.at[0], STR("test_run")));
    assert_non_null(getcwd(here, sizeof here));
    assert_string_equal(target.folder.at, here);
    assert_true(attach_signal(&target, SIGKILL));
    wait_for_end(&target);
    attach_release(&target);
    assert_int_equal(target.handle, -1);
    child_end(pid);
}

static void what_cannot_be_metered_is_refused_in_its_own_words(void **state)
{
    pid_t zombie = child_start(0);
    siginfo_t info;

    (void)state;
    assert_refused(0, false, ERROR_USAGE, "not the number of a process");
    assert_refused(INT64_C(1) << 40, false, ERROR_USAGE, "not the number of a process");
    assert_refused(1, true, ERROR_USAGE, "first process");
    assert_refused(getpid(), true, ERROR_USAGE, "stint itself");
    assert_refused(getppid(), false, ERROR_USAGE, "started this command");
    assert_refused(INT32_MAX, false, ERROR_ABSENT, "there is no process 2147483647");
    assert_int_equal(waitid(P_PID, (id_t)zombie, &info, WEXITED | WNOWAIT), 0);
    assert_refused(zombie, false, ERROR_ABSENT, "has already ended");
    child_end(zombie);
    assert_refused(zombie, false, ERROR_ABSENT, "there is no process");
}

static void a_process_is_claimed_once_and_a_dead_claim_is_none(void **state)
{
    pid_t pid = child_start(-1);
    struct attach_target first, second;
    struct error err = {0};
    char path[256];
    int fd;

    (void)state;
    assert_true(attach_find(pid, false, &arena, &first, &err));
    assert_true(attach_find(pid, false, &arena, &second, &err));
    assert_true(attach_claim(&first, STR("night"), &err));
    assert_false(attach_claim(&second, STR("day"), &err));
    assert_non_null(strstr(err.text, "already metered by the run 'night'"));
    assert_refused(pid, false, ERROR_FAILED, "already metered by the run 'night'");
    attach_release(&second);
    memcpy(path, first.claim_path, sizeof path);
    attach_release(&first);
    assert_int_not_equal(access(path, F_OK), 0);

    fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644); /* what a killed one left */
    assert_int_equal(write(fd, "old and longer", 14), 14);
    (void)close(fd);
    assert_true(attach_find(pid, false, &arena, &first, &err));
    assert_true(attach_claim(&first, STR("new"), &err));
    assert_refused(pid, false, ERROR_FAILED, "by the run 'new'");
    attach_release(&first);
    child_end(pid);
}

static void the_status_of_one_that_was_not_waited_for_is_known(void **state)
{
    struct attach_target target;
    struct error err = {0};
    int how = -1, wait;
    int gate[2];
    pid_t pid;

    (void)state;
    assert_int_equal(pipe(gate), 0);
    pid = fork();
    if (pid == 0) {
        char c;

        (void)close(gate[1]);
        _exit(read(gate[0], &c, 1) == 0 ? 7 : 8);
    }
    (void)close(gate[0]);
    assert_true(attach_find(pid, false, &arena, &target, &err));
    (void)close(gate[1]);
    wait_for_end(&target);
    assert_true(attach_status(&target, &how));
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 7);
    assert_int_equal(waitpid(pid, &wait, 0), pid);
    how = -1;
    if (attach_status(&target, &how)) /* newer kernels only; elsewhere it is not known */
        assert_int_equal(how, wait);
    else
        assert_int_equal(how, -1);
    attach_release(&target);
    assert_false(attach_status(&target, &how));
}

static void a_signal_never_reaches_the_next_process_of_that_number(void **state)
{
    pid_t pid = child_start(-1);
    struct attach_target target;
    struct error err = {0};

    (void)state;
    assert_true(attach_find(pid, false, &arena, &target, &err));
    child_end(pid);
    assert_false(attach_signal(&target, SIGKILL));
    attach_release(&target);
}

int group_attach_target(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_is_found_with_its_command_and_age),
        cmocka_unit_test(what_cannot_be_metered_is_refused_in_its_own_words),
        cmocka_unit_test(a_process_is_claimed_once_and_a_dead_claim_is_none),
        cmocka_unit_test(the_status_of_one_that_was_not_waited_for_is_known),
        cmocka_unit_test(a_signal_never_reaches_the_next_process_of_that_number),
    };

    return cmocka_run_group_tests(tests, open_arena, free_arena);
}
