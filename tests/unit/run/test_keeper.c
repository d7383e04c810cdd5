/* The keeper ends a job whose supervisor is gone, with the grace that it was given last. */
#include "run/supervise/keeper.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#define JOB "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0123"
#define SECOND INT64_C(1000000000)
#define HANGS 120 /* s: what is still there then does not end */

/* A job that ignores SIGTERM; it is running when this returns. */
static pid_t start_job(void)
{
    int ready[2];
    char word;
    pid_t pid;

    assert_int_equal(pipe(ready), 0);
    pid = fork();
    if (pid == 0) {
        (void)signal(SIGTERM, SIG_IGN);
        (void)!write(ready[1], "x", 1);
        (void)alarm(HANGS + 60);
        for (;;)
            (void)pause();
    }
    assert_true(pid > 0);
    assert_int_equal(read(ready[0], &word, 1), 1);
    (void)close(ready[0]);
    (void)close(ready[1]);
    return pid;
}

static struct keeper_options job_with(span grace)
{
    struct keeper_options options = {.grace = grace};

    memcpy(options.id, JOB, sizeof options.id);
    return options;
}

/* The supervisor is gone: the keeper sees the end of its pipe. */
static void let_go(struct keeper *keeper)
{
    (void)close(keeper->fd);
    keeper->fd = -1;
}

static void latest_grace_is_used(void **state)
{
    struct keeper_options options = job_with((span){3600 * SECOND});
    struct error err = {0};
    struct keeper keeper;
    pid_t job = start_job();
    int status;

    (void)state;
    (void)alarm(HANGS);
    assert_true(keeper_start(&keeper, NULL, &err));
    keeper_job(&keeper, &options);
    keeper_command(&keeper, job);
    keeper_grace(&keeper, (span){SECOND / 10});
    let_go(&keeper);
    assert_int_equal(waitpid(job, &status, 0), job);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(waitpid(keeper.pid, &status, 0), keeper.pid);
    assert_int_equal(status, 0);
    (void)alarm(0);
}

static void longer_grace_is_used(void **state)
{
    struct keeper_options options = job_with((span){SECOND / 10});
    struct error err = {0};
    struct keeper keeper;
    pid_t job = start_job();
    int status;

    (void)state;
    (void)alarm(HANGS);
    assert_true(keeper_start(&keeper, NULL, &err));
    keeper_job(&keeper, &options);
    keeper_command(&keeper, job);
    keeper_grace(&keeper, (span){3600 * SECOND});
    let_go(&keeper);
    (void)usleep(1000000); /* ten times the first value */
    assert_int_equal(waitpid(job, &status, WNOHANG), 0);
    assert_int_equal(kill(job, SIGKILL), 0);
    assert_int_equal(waitpid(job, &status, 0), job);
    assert_int_equal(waitpid(keeper.pid, &status, 0), keeper.pid); /* nothing is left */
    (void)alarm(0);
}

/* The supervisor was kept from running, and the limit moves when it runs again. */
static void end_at_the_limit_is_known(void **state)
{
    struct keeper_options options = job_with((span){SECOND / 10});
    struct error err = {0};
    struct keeper keeper;
    pid_t job = start_job();
    int status;

    (void)state;
    (void)alarm(HANGS);
    assert_true(keeper_start(&keeper, NULL, &err));
    keeper_job(&keeper, &options);
    keeper_command(&keeper, job);
    assert_false(keeper_reached_limit(&keeper));
    keeper_limit(&keeper, (instant){clock_paid().ns + SECOND / 10});
    assert_int_equal(waitpid(job, &status, 0), job);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    keeper_limit(&keeper, (instant){clock_paid().ns + 3600 * SECOND});
    keeper_dismiss(&keeper);
    assert_true(keeper_reached_limit(&keeper));
    keeper_end(&keeper);
    assert_false(keeper_reached_limit(&keeper));
    (void)alarm(0);
}

int group_keeper(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latest_grace_is_used),
        cmocka_unit_test(longer_grace_is_used),
        cmocka_unit_test(end_at_the_limit_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
