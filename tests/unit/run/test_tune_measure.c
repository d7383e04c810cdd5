/* One batch size measured: small shell scripts imitate programs that train. */
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/tune/tune.h"

#define MS INT64_C(1000000)

/* Run `script` with the batch size as {}, with little patience. */
static struct tune_point try_script(const char *script, struct tune_trial change)
{
    struct arena arena = test_arena();
    struct str words[] = {STR("sh"), STR("-c"), str_from(script)};
    struct tune_trial trial = change;
    struct tune_point point = {
        .batch = 16, .rate = NAN, .spread = NAN, .memory = NAN, .device_memory = NAN};
    struct error err = {0};

    trial.command = (struct strs){words, 3};
    trial.clock = &clock_system;
    trial.alloc = &alloc_system;
    trial.seconds = (span){300 * MS};
    trial.grace = (span){200 * MS};
    if (trial.patience.ns == 0)
        trial.patience = (span){60 * 1000 * MS};
    trial.reader = metric_open((struct strs){0}, &arena, &err);
    assert_non_null(trial.reader);
    if (!tune_measure(&trial, &point, &err))
        fail_msg("%s", err.text);
    metric_close(trial.reader);
    arena_free(&arena);
    return point;
}

static const struct tune_trial plain = {.samples = NAN};

static void test_reported_rate(void **state)
{
    struct tune_point p = try_script("for i in 1 2 3 4 5; do echo \"step $i samples/s: 100\"; "
                                     "done; echo 'samples/s: {}00'",
                                     plain);

    (void)state;
    assert_int_equal(p.outcome, TUNE_MEASURED);
    assert_near(p.rate, 100, 0);
    assert_string_equal(p.method.at, "its own samples/s");
    assert_true(p.seconds > 0);
    assert_true(p.memory > 0);
}

/* It would go on for ever, and what it has started too. */
static void test_is_ended(void **state)
{
    char file[] = "/tmp/stint-test-XXXXXX", script[256];
    struct tune_point p;
    FILE *f;
    int pid = 0;

    (void)state;
    assert_true(mkstemp(file) >= 0);
    (void)snprintf(script, sizeof script,
                   "sleep 1000 & echo $! >%s; trap '' TERM; i=0; while :; do i=$((i+1)); echo "
                   "\"samples/s: 50\"; sleep 0.05; done",
                   file);
    p = try_script(script, plain);
    assert_int_equal(p.outcome, TUNE_MEASURED);
    assert_near(p.rate, 50, 0);
    f = fopen(file, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%d", &pid), 1);
    (void)fclose(f);
    (void)unlink(file);
    for (int i = 0; i < 500 && kill(pid, 0) == 0; i++) {
        char path[64], state_of[256] = "";

        (void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
        f = fopen(path, "r");
        if (f != NULL) {
            (void)!fgets(state_of, sizeof state_of, f);
            (void)fclose(f);
        }
        if (strstr(state_of, ") Z ") != NULL)
            break; /* dead, and not reaped here */
        (void)usleep(10000);
        assert_true(i < 499);
    }
}

static void test_memory(void **state)
{
    struct tune_point p = try_script(
        "echo 'step 1'; echo 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 "
        "GiB'; echo 'see the documentation'; exit 1",
        plain);

    (void)state;
    assert_int_equal(p.outcome, TUNE_MEMORY);
    assert_non_null(strstr(p.note, "Tried to allocate 2 GiB"));
    p = try_script("echo 'step 1'; kill -9 $$", plain);
    assert_int_equal(p.outcome, TUNE_MEMORY);
    assert_non_null(strstr(p.note, "killed, most likely because memory ran out"));
    p = try_script("sh -c 'kill -9 $$'; exit $?", plain);
    assert_int_equal(p.outcome, TUNE_MEMORY);
}

static void test_failure(void **state)
{
    struct tune_point p =
        try_script("echo one >&2; echo 'ValueError: no batch of {}' >&2; exit 3", plain);

    (void)state;
    assert_int_equal(p.outcome, TUNE_FAILED);
    assert_string_equal(p.note, "exit status 3: ValueError: no batch of 16");
    p = try_script("kill -11 $$", plain);
    assert_int_equal(p.outcome, TUNE_FAILED);
    assert_string_equal(p.note, "exit status 139");
}

static void test_silence(void **state)
{
    struct tune_trial quick = plain;
    struct tune_point p = try_script("exit 0", plain);

    (void)state;
    assert_int_equal(p.outcome, TUNE_SILENT);
    assert_string_equal(p.note, "it printed nothing");
    quick.patience = (span){200 * MS};
    p = try_script("echo hello; sleep 1000", quick);
    assert_int_equal(p.outcome, TUNE_SILENT);
    assert_string_equal(p.note, "it prints neither steps nor samples/s, last: hello");
}

static void test_samples_of_a_run(void **state)
{
    struct tune_trial counted = {.samples = 1000};
    struct tune_point p = try_script("exit 0", counted);

    (void)state;
    assert_int_equal(p.outcome, TUNE_MEASURED);
    assert_near(p.rate, 1000 / p.seconds, 1e-6);
    assert_string_equal(p.method.at, "--samples over the entire time");
}

static bool always(void)
{
    return true;
}

static void test_stopped(void **state)
{
    struct tune_trial stop = plain;
    struct tune_point p;

    (void)state;
    stop.stopped = always;
    p = try_script("sleep 1000", stop);
    assert_int_equal(p.outcome, TUNE_STOPPED);
}

static void see_memory(void *ctx, pid_t pid, double *device, double *tree)
{
    (*(int *)ctx)++;
    assert_true(pid > 0);
    *device = *(int *)ctx == 1 ? 5e9 : 3e9;
    *tree = NAN;
}

static void test_memory_is_read(void **state)
{
    int looks = 0;
    struct tune_trial trial = plain;
    struct tune_point p;

    (void)state;
    trial.look = see_memory;
    trial.look_ctx = &looks;
    p = try_script("while :; do echo 'samples/s: 5'; sleep 0.02; done", trial);
    assert_true(looks > 0);
    assert_near(p.device_memory, 5e9, 0);
    assert_true(p.memory > 0);
}

/* More than can be read, lines without an end, and bytes of any kind. */
static void test_flood(void **state)
{
    struct tune_trial quick = plain;
    struct tune_point p;

    (void)state;
    quick.patience = (span){300 * MS};
    p = try_script("trap '' TERM; while :; do head -c 1000000 /dev/zero; done", quick);
    assert_int_equal(p.outcome, TUNE_SILENT);
}

static void test_not_found(void **state)
{
    struct arena arena = test_arena();
    struct str word = STR("/nonexistent/program");
    struct error err = {0};
    struct tune_trial trial = {.command = {&word, 1},
                               .clock = &clock_system,
                               .alloc = &alloc_system,
                               .patience = {MS}};
    struct tune_point point = {.batch = 1};

    (void)state;
    trial.reader = metric_open((struct strs){0}, &arena, &err);
    assert_non_null(trial.reader);
    assert_false(tune_measure(&trial, &point, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    word = STR("/tmp");
    assert_false(tune_measure(&trial, &point, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    metric_close(trial.reader);
    arena_free(&arena);
}

int group_tune_measure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reported_rate), cmocka_unit_test(test_is_ended),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_silence),       cmocka_unit_test(test_samples_of_a_run),
        cmocka_unit_test(test_stopped),       cmocka_unit_test(test_memory_is_read),
        cmocka_unit_test(test_flood),         cmocka_unit_test(test_not_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
