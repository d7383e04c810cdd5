/* Samples: a limited number, with exact sums. */
#include "ledgers.h"

static const struct ledger_sample *samples_of(struct ledger *l,
                                              const struct ledger_start *start, size_t *count)
{
    const struct ledger_sample *samples = NULL;
    struct error err = {0};

    if (!ledger_samples(l, start->id, 1, &ledger_arena, &samples, count, &err))
        fail_msg("%s", err.text);
    return samples;
}

/* Many ticks without syncing: the disk is not tested here. */
static void hurry(struct ledger *l)
{
    if (test_server == NULL)
        assert_int_equal(sqlite3_exec(sqlite_of(l), "PRAGMA synchronous=OFF", NULL, NULL, NULL),
                         SQLITE_OK);
}

static void few_samples_are_kept_as_they_are(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    const struct ledger_sample *got;
    size_t count;

    (void)state;
    (void)begin_run(l, &start);
    for (int i = 1; i <= 3; i++) {
        struct ledger_sample s = {i,  i * 2, i * 3, .5, 5, 6, 7, i * 8, i == 2 ? NAN : 9,
                                  10, 11};

        tick_run(l, &start, 1, i, &s);
    }
    got = samples_of(l, &start, &count);
    assert_int_equal(count, 3);
    assert_near(got[2].at_s, 3, 0);
    assert_near(got[2].cost, 6, 0);
    assert_near(got[2].watts, 9, 0);
    assert_near(got[2].gpu_busy, .5, 0);
    assert_near(got[2].gpu_memory, 5, 0);
    assert_near(got[2].cpu_cores, 6, 0);
    assert_near(got[2].memory, 7, 0);
    assert_near(got[2].step, 24, 0);
    assert_near(got[2].loss, 9, 0);
    assert_near(got[2].rate, 10, 0);
    assert_true(isnan(got[1].loss));
    ledger_close(l);
}

/* Recorded by one program, or by one that reopens the ledger now and then. */
static void a_long_run_has_an_even_picture(bool reopened)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    const struct ledger_sample *got;
    size_t count;
    double energy = 0, before = 0, least = 1e9, most = 0;

    hurry(l);
    (void)begin_run(l, &start);
    for (int i = 1; i <= 5000; i++) {
        struct ledger_sample s = sample_at(i);

        s.watts = i;
        s.step = 10 * i;
        if (reopened && i % 700 == 0) {
            ledger_close(l);
            l = open_ledger(LEDGER_WRITE);
            hurry(l);
        }
        tick_run(l, &start, 1, i, &s);
    }
    got = samples_of(l, &start, &count);
    assert_in_range(count, LEDGER_SAMPLES / 2, LEDGER_SAMPLES);
    assert_near(got[0].at_s, 1, 0);
    assert_near(got[0].watts, 1, 0);
    assert_near(got[count - 1].at_s, 5000, 0);
    assert_near(got[count - 1].step, 50000, 0);
    assert_near(got[count - 1].cost, 5000, 0);
    for (size_t i = 0; i < count; i++) {
        double apart = got[i].at_s - before;

        energy += got[i].watts * apart;
        before = got[i].at_s;
        assert_near(got[i].cost, got[i].at_s, 1e-9); /* what counts up is of its moment */
        if (i > 0 && i + 1 < count) {
            least = fmin(least, apart);
            most = fmax(most, apart);
        }
    }
    assert_near(energy, 5000.0 * 5001 / 2, 1e-3); /* a mean over time keeps the sum */
    assert_true(most <= 2 * least);
    ledger_close(l);
}

static void a_long_run_keeps_few(void **state)
{
    (void)state;
    a_long_run_has_an_even_picture(false);
}

static void another_program_goes_on_where_one_stopped(void **state)
{
    (void)state;
    a_long_run_has_an_even_picture(true);
}

static void stopped_clock_makes_no_new_sample(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_sample s = sample_at(1);
    const struct ledger_sample *got;
    struct error err = {0};
    struct ledger_totals t = totals_after(&start, 1);
    size_t count;

    (void)state;
    (void)begin_run(l, &start);
    tick_run(l, &start, 1, 1, &s);
    s.step = 7;
    tick_run(l, &start, 1, 1, &s);
    s = sample_at(0.5);
    s.cost = 2;
    tick_run(l, &start, 1, 1, &s);
    got = samples_of(l, &start, &count);
    assert_int_equal(count, 1);
    assert_near(got[0].at_s, 1, 0);
    assert_near(got[0].step, 7, 0);
    assert_near(got[0].cost, 2, 0);
    s.at_s = NAN;
    assert_false(ledger_tick(l, start.id, 1, &t, &s, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_int_equal(read_run(l, "last").totals.cost.nano, DOLLAR);
    ledger_close(l);
}

/* The newest minute, and the sample before it. */
static void what_goes_on_now(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    const struct ledger_sample *got = NULL;
    struct error err = {0};
    size_t count;

    (void)state;
    hurry(l);
    (void)begin_run(l, &start);
    assert_true(ledger_samples_recent(l, start.id, 1, 60, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 0);
    for (int i = 1; i <= 20; i++) {
        struct ledger_sample s = sample_at(25.0 * i);

        tick_run(l, &start, 1, 25 * i, &s);
        assert_true(
            ledger_samples_recent(l, start.id, 1, 60, &ledger_arena, &got, &count, &err));
        /* 75 seconds before is the last that is 60 old */
        assert_int_equal(count, i < 4 ? i : 4);
        assert_near(got[count - 1].at_s, 25.0 * i, 0);
        assert_near(got[0].at_s, i < 4 ? 25.0 : 25.0 * (i - 3), 0);
    }
    assert_true(ledger_samples_recent(l, start.id, 1, 1e9, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 20);
    ledger_close(l);
}

int group_samples(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(few_samples_are_kept_as_they_are),
        ledger_test(a_long_run_keeps_few),
        ledger_test(another_program_goes_on_where_one_stopped),
        ledger_test(stopped_clock_makes_no_new_sample),
        ledger_test(what_goes_on_now),
    };

    return run_on_engines(tests);
}
