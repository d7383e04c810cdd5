/* Samples: a limited number, with exact sums. */
#include "ledgers.h"

#include "ledger/runs/run_journal.h"

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
        struct ledger_sample s = sample_at(i);

        s.cost = i * 2;
        s.watts = i * 3;
        s.gpu_busy = .5;
        s.gpu_memory = 5;
        s.cpu_cores = 6;
        s.memory = 7;
        s.step = i * 8;
        s.loss = i == 2 ? NAN : 9;
        s.rate = 10;
        s.gpu_memory_run = 11;

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
    assert_near(got[2].gpu_memory_run, 11, 0);
    assert_int_equal(got[2].device_busy.len, 0);
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

/* Of the last run. */
static const struct ledger_sample *recent_samples(struct ledger *l, double seconds,
                                                  size_t *count)
{
    struct ledger_run run = read_run(l, "last");
    const struct ledger_sample *got = NULL;
    struct error err = {0};

    assert_true(ledger_samples_recent(l, &run, seconds, &ledger_arena, &got, count, &err));
    return got;
}

/* The newest minute, and the sample before it. */
static void what_goes_on_now(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    const struct ledger_sample *got = NULL;
    size_t count;

    (void)state;
    hurry(l);
    (void)begin_run(l, &start);
    got = recent_samples(l, 60, &count);
    assert_int_equal(count, 0);
    for (int i = 1; i <= 20; i++) {
        struct ledger_sample s = sample_at(25.0 * i);

        tick_run(l, &start, 1, 25 * i, &s);
        got = recent_samples(l, 60, &count);
        /* 75 seconds before is the last that is 60 old */
        assert_int_equal(count, i < 4 ? i : 4);
        assert_near(got[count - 1].at_s, 25.0 * i, 0);
        assert_near(got[0].at_s, i < 4 ? 25.0 : 25.0 * (i - 3), 0);
    }
    got = recent_samples(l, 1e9, &count);
    assert_int_equal(count, 20);
    ledger_close(l);
}

/* ---- each device ---- */

#define DEVICES 8
#define IDLE_ONE 3

/* The lists of a sample: one device is idle, one is not known at even moments. */
static void set_devices(int moment, double lists[3][DEVICES], struct ledger_sample *s)
{
    for (int i = 0; i < DEVICES; i++) {
        bool known = i != 5 || moment % 2 == 1;

        lists[0][i] = !known ? (double)NAN : i == IDLE_ONE ? 0 : 0.9;
        lists[1][i] = !known ? (double)NAN : i == IDLE_ONE ? 5e8 : 7.5e10;
        lists[2][i] = !known ? (double)NAN : i == IDLE_ONE ? 75.5 : 600;
    }
    s->device_busy = (struct numbers){lists[0], DEVICES};
    s->device_memory = (struct numbers){lists[1], DEVICES};
    s->device_watts = (struct numbers){lists[2], DEVICES};
}

static void assert_devices(const struct ledger_sample *s)
{
    assert_int_equal(s->device_busy.len, DEVICES);
    assert_int_equal(s->device_memory.len, DEVICES);
    assert_int_equal(s->device_watts.len, DEVICES);
    for (size_t i = 0; i < DEVICES; i++) {
        if (i == 5 && isnan(s->device_busy.at[i]))
            continue;
        assert_near(s->device_busy.at[i], i == IDLE_ONE ? 0 : 0.9, 1e-9);
        assert_near(s->device_memory.at[i], i == IDLE_ONE ? 5e8 : 7.5e10, 1);
        assert_near(s->device_watts.at[i], i == IDLE_ONE ? 75.5 : 600, 1e-9);
    }
}

/* As a supervisor reports it: records, through another machine's hands or a file. */
static void report_devices(struct ledger *l, struct ledger_start *start, int ticks)
{
    struct buf first = buf_new(&alloc_system, 1 << 16),
               records = buf_new(&alloc_system, 1 << 26);
    struct error err = {0};
    uint64_t number = 0;
    double lists[3][DEVICES];
    int attempt;

    memcpy(start->attempt_id, start->id, LEDGER_ID);
    run_journal_put_start(&first, start);
    for (int i = 0; i < DEVICES; i++) {
        char id[16];
        struct ledger_device device = {.device = i,
                                       .number = i,
                                       .id = {id, 5},
                                       .name = STR("NVIDIA H200"),
                                       .used = i != IDLE_ONE,
                                       .memory_total = 1.4e11,
                                       .memory_peak = i == IDLE_ONE ? 5e8 : 8e10};

        (void)snprintf(id, sizeof id, "GPU-%d", i);
        run_journal_put_device(&records, ++number, &device);
    }
    for (int i = 1; i <= ticks; i++) {
        struct ledger_totals totals = totals_after(start, i);
        struct ledger_sample s = sample_at(i);

        set_devices(i, lists, &s);
        run_journal_put_tick(&records, ++number, &totals, &s);
        if (i % 500 != 0 && i != ticks)
            continue;
        if (!ledger_apply(l, buf_text(&first), buf_text(&records), &attempt, &err))
            fail_msg("%s", err.text);
        buf_clear(&records);
    }
    buf_free(&first);
    buf_free(&records);
}

static void each_device_is_kept(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("eight");
    const struct ledger_sample *got;
    const struct ledger_device *devices = NULL;
    struct error err = {0};
    size_t count;

    (void)state;
    hurry(l);
    ledger_new_id(start.started, start.id);
    report_devices(l, &start, 3000);
    got = samples_of(l, &start, &count);
    assert_in_range(count, LEDGER_SAMPLES / 2, LEDGER_SAMPLES);
    for (size_t i = 0; i < count; i++)
        assert_devices(&got[i]);
    assert_true(got[count / 2].device_busy.at[5] > 0); /* of two moments, one was known */
    got = recent_samples(l, 60, &count);
    assert_int_equal(got[0].device_busy.len, 0); /* what is asked for each second is short */
    assert_true(ledger_devices(l, start.id, &ledger_arena, &devices, &count, &err));
    assert_int_equal(count, DEVICES);
    assert_int_equal(devices[IDLE_ONE].number, IDLE_ONE);
    assert_int_equal(devices[IDLE_ONE].attempt, 1);
    assert_true(str_eq(devices[IDLE_ONE].id, STR("GPU-3")));
    assert_true(str_eq(devices[IDLE_ONE].name, STR("NVIDIA H200")));
    assert_false(devices[IDLE_ONE].used);
    assert_true(devices[2].used);
    assert_near(devices[2].memory_peak, 8e10, 0);
    ledger_close(l);
}

/* Another program has not seen the lists of the newest sample, and joins its own with them. */
static void each_device_is_kept_when_another_goes_on(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("eight");
    const struct ledger_sample *got;
    double lists[3][DEVICES];
    size_t count;

    (void)state;
    hurry(l);
    ledger_new_id(start.started, start.id);
    report_devices(l, &start, 1100);
    for (int i = 1101; i <= 1110; i++) {
        struct ledger_sample s = sample_at(i);

        ledger_close(l);
        l = open_ledger(LEDGER_WRITE);
        set_devices(i, lists, &s);
        tick_run(l, &start, 1, i, &s);
    }
    got = samples_of(l, &start, &count);
    for (size_t i = 0; i < count; i++)
        assert_devices(&got[i]);
    ledger_close(l);
}

/* Any program may send records: what no machine has is left out. */
static void impossible_lists_are_left_out(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("odd");
    struct buf first = buf_new(&alloc_system, 1 << 16),
               records = buf_new(&alloc_system, 1 << 20);
    struct ledger_device device = {.device = LEDGER_DEVICES, .id = STR("GPU-64")};
    struct ledger_totals totals = totals_after(&start, 1);
    struct ledger_sample s = sample_at(1);
    static double many[LEDGER_DEVICES + 1];
    double wrong[] = {0.5, INFINITY}, below[] = {-1};
    const struct ledger_sample *got;
    const struct ledger_device *devices = NULL;
    struct error err = {0};
    size_t count;
    int attempt;

    (void)state;
    ledger_new_id(start.started, start.id);
    memcpy(start.attempt_id, start.id, LEDGER_ID);
    s.device_busy = (struct numbers){many, ARRAY_LEN(many)};
    s.device_memory = (struct numbers){wrong, ARRAY_LEN(wrong)};
    s.device_watts = (struct numbers){below, ARRAY_LEN(below)};
    run_journal_put_start(&first, &start);
    run_journal_put_device(&records, 1, &device);
    run_journal_put_tick(&records, 2, &totals, &s);
    if (!ledger_apply(l, buf_text(&first), buf_text(&records), &attempt, &err))
        fail_msg("%s", err.text);
    got = samples_of(l, &start, &count);
    assert_int_equal(count, 1);
    assert_int_equal(got[0].device_busy.len, 0);
    assert_int_equal(got[0].device_memory.len, 0);
    assert_int_equal(got[0].device_watts.len, 0);
    assert_true(ledger_devices(l, start.id, &ledger_arena, &devices, &count, &err));
    assert_int_equal(count, 0);
    buf_free(&first);
    buf_free(&records);
    ledger_close(l);
}

/* A journal that gets long keeps every other sample, with its devices, and each device. */
static void a_shorter_journal_keeps_devices(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("waits");
    struct buf first = buf_new(&alloc_system, 1 << 16),
               records = buf_new(&alloc_system, 1 << 26),
               more = buf_new(&alloc_system, 1 << 16);
    const struct ledger_sample *got;
    const struct ledger_device *devices = NULL;
    struct ledger_device device = {.device = 0, .id = STR("GPU-0"), .used = true};
    struct error err = {0};
    double lists[3][DEVICES];
    uint64_t number = 0;
    bool shorter = false;
    size_t count;
    int attempt;

    (void)state;
    hurry(l);
    ledger_new_id(start.started, start.id);
    memcpy(start.attempt_id, start.id, LEDGER_ID);
    run_journal_put_start(&first, &start);
    for (int i = 1; !shorter && i < 5000; i++) {
        struct ledger_totals totals = totals_after(&start, i);
        struct ledger_sample s = sample_at(i);

        set_devices(i, lists, &s);
        buf_clear(&more);
        device.memory_peak = i;
        if (i % 100 == 1)
            run_journal_put_device(&more, ++number, &device);
        run_journal_put_tick(&more, ++number, &totals, &s);
        shorter = run_journal_add(&records, buf_text(&more));
    }
    assert_true(shorter);
    if (!ledger_apply(l, buf_text(&first), buf_text(&records), &attempt, &err))
        fail_msg("%s", err.text);
    got = samples_of(l, &start, &count);
    assert_true(count > 100);
    for (size_t i = 0; i < count; i++)
        assert_devices(&got[i]);
    assert_true(ledger_devices(l, start.id, &ledger_arena, &devices, &count, &err));
    assert_int_equal(count, 1);
    assert_true(devices[0].memory_peak > 100); /* the last word on it */
    buf_free(&first);
    buf_free(&records);
    buf_free(&more);
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
        ledger_test(each_device_is_kept),
        ledger_test(each_device_is_kept_when_another_goes_on),
        ledger_test(impossible_lists_are_left_out),
        ledger_test(a_shorter_journal_keeps_devices),
    };

    return run_on_engines(tests);
}
