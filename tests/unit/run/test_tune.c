/* Batch sizes: which are tried, when that ends, which is taken; and rates from lines. */
#include "test.h"

#include <string.h>

#include "run/tune/tune.h"

#define S INT64_C(1000000000)

/* A machine: rates that level off, and memory for so much. */
struct machine {
    double half;                  /* the batch at which it does half of what it can */
    int64_t memory;               /* the largest batch that fits; 0: any */
    int64_t fails, silent, stops; /* at this batch */
    int64_t tried[TUNE_POINTS];
    int count;
};

static bool measure(void *ctx, struct tune_point *p, struct error *err)
{
    struct machine *m = ctx;

    (void)err;
    m->tried[m->count++] = p->batch;
    p->outcome = m->memory > 0 && p->batch > m->memory ? TUNE_MEMORY
                 : p->batch == m->fails                ? TUNE_FAILED
                 : p->batch == m->silent               ? TUNE_SILENT
                 : p->batch == m->stops                ? TUNE_STOPPED
                                                       : TUNE_MEASURED;
    if (p->outcome == TUNE_MEASURED)
        p->rate = 1000 * (double)p->batch / ((double)p->batch + m->half);
    return true;
}

static void search(struct machine *m, const char *sizes, bool fine, struct tune_table *t)
{
    struct tune_sizes s = {.fine = fine, .knee = 0.03};
    struct error err;

    assert_true(tune_sizes_parse(str_from(sizes), &s, &err));
    assert_true(tune_search(&s, measure, m, t, &err));
}

static void expect_tried(const struct machine *m, const int64_t *batches, int count)
{
    assert_int_equal(m->count, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(m->tried[i], batches[i]);
}

static void test_sizes(void **state)
{
    static const char *const bad[] = {"", "8..", "..8", "0..8", "16..8", "a..b", "8-16", "-4"};
    struct tune_sizes s;
    struct error err = {0};

    (void)state;
    assert_true(tune_sizes_parse(STR("8..512"), &s, &err));
    assert_int_equal(s.low, 8);
    assert_int_equal(s.high, 512);
    assert_true(tune_sizes_parse(STR("64"), &s, &err));
    assert_int_equal(s.low, 64);
    assert_int_equal(s.high, 64);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(tune_sizes_parse(str_from(bad[i]), &s, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_true(err.hint[0] != '\0');
    }
}

static void test_doubles_to_the_end(void **state)
{
    struct machine m = {.half = 1e6};
    struct tune_table t;

    (void)state;
    search(&m, "8..100", false, &t);
    expect_tried(&m, (const int64_t[]){8, 16, 32, 64, 100}, 5);
    assert_string_equal(t.ended, "all were tried");
}

static void test_knee(void **state)
{
    struct machine m = {.half = 4};
    struct tune_table t;

    (void)state;
    search(&m, "8..4096", false, &t);
    /* Gains: 8>16 20 %, 32 11 %, 64 6 %, 128 3.03 %, 256 1.5 %, 512 0.8 %. */
    expect_tried(&m, (const int64_t[]){8, 16, 32, 64, 128, 256, 512}, 7);
    assert_string_equal(t.ended, "more does not help any more");
    tune_judge(&t, (usd_per_hour){INT64_C(3600000000)}, 0.02);
    assert_true(t.point[6].best);
    assert_true(t.point[5].recommended); /* 256 does 0.9846, 512 0.9922 */
    assert_false(t.point[4].recommended || t.point[6].recommended);
    /* 3.60 dollars an hour are a thousandth of one a second; 992 samples take it: */
    assert_near(usd_double(t.point[6].million), 1.01, 0.0051);
}

static void test_memory_ends_it(void **state)
{
    struct machine m = {.half = 1e6, .memory = 50};
    struct tune_table t;

    (void)state;
    search(&m, "8..512", false, &t);
    expect_tried(&m, (const int64_t[]){8, 16, 32, 64}, 4);
    assert_string_equal(t.ended, "memory ran out");
    assert_int_equal(t.point[3].outcome, TUNE_MEMORY);
    tune_judge(&t, (usd_per_hour){MONEY_UNKNOWN}, 0.02);
    assert_true(t.point[2].best && t.point[2].recommended);
    assert_int_equal(t.point[2].million.nano, MONEY_UNKNOWN);
    m = (struct machine){.half = 1e6, .memory = 50};
    search(&m, "8..512", true, &t);
    /* 48 fits, 56 does not, and no multiple of 8 is between them. */
    expect_tried(&m, (const int64_t[]){8, 16, 32, 64, 48, 56}, 6);
    tune_judge(&t, (usd_per_hour){MONEY_UNKNOWN}, 0.02);
    assert_int_equal(t.point[0].batch, 8);
    assert_int_equal(t.point[5].batch, 64);
    assert_true(t.point[3].best);
    assert_int_equal(t.point[3].batch, 48);
}

static void test_failures(void **state)
{
    struct machine m = {.half = 100, .fails = 16};
    struct tune_table t;

    (void)state;
    search(&m, "8..64", false, &t); /* one is shown and passed over */
    assert_int_equal(t.count, 4);
    assert_int_equal(t.point[1].outcome, TUNE_FAILED);
    m = (struct machine){.half = 100, .fails = 8, .silent = 16};
    search(&m, "8..64", true, &t);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.ended, "it failed twice in a row");
    tune_judge(&t, (usd_per_hour){S}, 0.02);
    assert_false(t.point[0].best || t.point[1].best || t.point[0].recommended);
    m = (struct machine){.half = 100, .stops = 16};
    search(&m, "8..64", true, &t);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.ended, "stopped");
    m = (struct machine){.memory = 4};
    search(&m, "8..64", true, &t);
    assert_int_equal(t.count, 1);
}

static void test_fine(void **state)
{
    /* Best in the middle: the sizes around it are tried. */
    struct machine m = {.half = 1e6};
    struct tune_table t;

    (void)state;
    search(&m, "7..7", true, &t);
    expect_tried(&m, (const int64_t[]){7}, 1);
    m.count = 0;
    search(&m, "1..2", true, &t);
    expect_tried(&m, (const int64_t[]){1, 2}, 2);
    m.count = 0;
    search(&m, "8..64", true, &t); /* the last is the best: between it and the one below */
    expect_tried(&m, (const int64_t[]){8, 16, 32, 64, 48, 56}, 6); /* multiples of 8 alone */
    m.count = 0;
    search(&m, "8..32", true, &t);
    expect_tried(&m, (const int64_t[]){8, 16, 32, 24}, 4);
    m.count = 0;
    search(&m, "5..20", true, &t); /* they need not begin with one */
    expect_tried(&m, (const int64_t[]){5, 10, 20, 16}, 4);
    m.count = 0;
    m.memory = 14; /* below 16 there are too few of them: of 4 */
    search(&m, "8..32", true, &t);
    expect_tried(&m, (const int64_t[]){8, 16, 12}, 3);
    m.count = 0;
    m.memory = 5; /* and below 8 any */
    search(&m, "1..32", true, &t);
    expect_tried(&m, (const int64_t[]){1, 2, 4, 8, 6, 5}, 6);
}

/* Whatever a machine does, the search ends, tries no size twice and stays in its range. */
static void test_any_machine(void **state)
{
    uint64_t dice = 3;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct machine m = {0};
        struct tune_table t;
        struct tune_sizes s = {.knee = 0.03};
        struct error err;

        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        m.half = (double)(dice >> 40 & 1023);
        s.low = (int64_t)(dice >> 33 & 31) + 1;
        s.high = s.low + (int64_t)(dice >> 20 & 0xfff);
        s.fine = (dice >> 60 & 1) != 0;
        m.memory = (int64_t)(dice >> 45 & 0xfff);
        m.fails = s.low << (dice >> 55 & 7);
        assert_true(tune_search(&s, measure, &m, &t, &err));
        assert_non_null(t.ended);
        tune_judge(&t, (usd_per_hour){S}, 0.02);
        for (size_t i = 0; i < t.count; i++) {
            assert_true(t.point[i].batch >= s.low && t.point[i].batch <= s.high);
            assert_true(i == 0 || t.point[i].batch > t.point[i - 1].batch);
            assert_true(!t.point[i].best || t.point[i].outcome == TUNE_MEASURED);
        }
    }
}

/* ---- rates ---- */

static struct metric_update nothing(void)
{
    struct metric_update u = {.phase = -1};

    u.step = u.steps = u.epoch = u.epochs = u.loss = u.eval_loss = u.rate = NAN;
    u.samples_rate = u.tokens_rate = u.samples = u.tokens = u.left_s = NAN;
    return u;
}

static void test_rates_by_steps(void **state)
{
    struct tune_rates r;
    struct tune_point p = {.spread = NAN};

    (void)state;
    tune_rates_start(&r, 32, (span){5 * S}, (span){20 * S});
    for (int i = 0; i <= 20; i++) { /* slow at first; a step a second then, with a pause */
        struct metric_update u = nothing();

        u.step = i < 5 ? i * 0.1 : i;
        tune_rates_see(&r, &u, false, (instant){(i + (i > 12 ? 9 : 0)) * S});
    }
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 32, 1e-9);
    assert_string_equal(p.method.at, "steps x batch");
    assert_true(p.windows > 10);
    assert_near(p.spread, 0, 1e-9);
}

static void test_rates_new_epoch(void **state)
{
    struct tune_rates r;
    struct tune_point p = {.spread = NAN};

    (void)state;
    tune_rates_start(&r, 10, (span){0}, (span){20 * S});
    for (int i = 0; i < 40; i++) { /* the counter begins again after ten */
        struct metric_update u = nothing();

        u.step = i % 10;
        tune_rates_see(&r, &u, false, (instant){i * S});
    }
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 10, 1e-9);
}

static void test_rates_prefer(void **state)
{
    struct tune_rates r;
    struct tune_point p = {.spread = NAN};
    struct metric_update u = nothing();

    (void)state;
    tune_rates_start(&r, 8, (span){S}, (span){20 * S});
    assert_false(tune_rates_end(&r, &p));
    u.rate = 5;
    tune_rates_see(&r, &u, false, (instant){10 * S});
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 40, 0);
    u.samples_rate = 100; /* printed before it is warm: used until there is better */
    tune_rates_see(&r, &u, false, (instant){10 * S + 1});
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 100, 0);
    for (int i = 0; i < 5; i++) {
        u.samples_rate = 200 + i;
        tune_rates_see(&r, &u, false, (instant){(12 + i) * S});
    }
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 202, 0);
    assert_int_equal(p.windows, 5);
    assert_near(p.spread, 1.2533 * 1.4826 / sqrt(5) / 202, 1e-9);
    assert_string_equal(p.method.at, "its own samples/s");
    u = nothing();
    u.step = 4; /* a worse way changes nothing */
    tune_rates_see(&r, &u, false, (instant){99 * S});
    u.samples_rate = 1e9;
    u.evaluated = true; /* an evaluation is faster, and not what is measured */
    tune_rates_see(&r, &u, false, (instant){99 * S});
    u.samples_rate = -1;
    u.evaluated = false;
    tune_rates_see(&r, &u, false, (instant){99 * S});
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 202, 0);
}

static void test_rates_few_lines(void **state)
{
    struct tune_rates r;
    struct tune_point p = {.spread = NAN};
    struct metric_update u = nothing();

    (void)state;
    tune_rates_start(&r, 10, (span){60 * S}, (span){20 * S});
    u.samples = 100;
    tune_rates_see(&r, &u, false, (instant){5 * S});
    assert_false(tune_rates_end(&r, &p)); /* one is no rate */
    u.samples = 300;
    tune_rates_see(&r, &u, false, (instant){15 * S});
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 20, 0);
    assert_int_equal(p.windows, 1);
    assert_true(isnan(p.spread));
    for (int i = 0; i < 5000; i++) { /* more windows than are kept */
        u.samples += 20;
        tune_rates_see(&r, &u, false, (instant){(80 + i) * S});
    }
    assert_true(tune_rates_end(&r, &p));
    assert_near(p.rate, 20, 1e-9);
    assert_true(p.windows <= TUNE_WINDOWS);
}

static void test_memory_words(void **state)
{
    static const char *const yes[] = {
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "torch.cuda.OutOfMemoryError: HIP out of memory.",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying",
        "CUDA_ERROR_OUT_OF_MEMORY: out of memory",
        "RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory",
        "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 8 GiB",
        "MemoryError",
        "terminate called after throwing an instance of 'std::bad_alloc'",
        "OSError: [Errno 12] Cannot allocate memory",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        assert_true(tune_line_out_of_memory(str_from(yes[i])));
    assert_false(tune_line_out_of_memory(STR("memory: 12 GB")));
    assert_false(tune_line_out_of_memory(STR("")));
}

static void test_rate_words(void **state)
{
    static const struct {
        const char *line;
        double rate;
    } cases[] = {
        {"812.5 images/sec", 812.5},
        {"throughput: 1,234.5 img/s.", 1234.5},
        {"samples/s: 50", 50},
        {"samples_per_second=64", 64},
        {"{\"samples_per_second\": 12.25}", 12.25},
        {"speed 3 samples per second", 3},
        {"12 samples, 99 samples/s", 99},
        {"10 resamples/s", NAN},
        {"10 samples/step", NAN},
        {"samples/s", NAN},
        {"1.2.3 samples/s", NAN},
        {"", NAN},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        double rate = tune_line_rate(str_from(cases[i].line));

        if (isnan(cases[i].rate) ? !isnan(rate) : !(rate == cases[i].rate))
            fail_msg("'%s': %g", cases[i].line, rate);
    }
}

int group_tune(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_doubles_to_the_end),
        cmocka_unit_test(test_knee),
        cmocka_unit_test(test_memory_ends_it),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_fine),
        cmocka_unit_test(test_any_machine),
        cmocka_unit_test(test_rates_by_steps),
        cmocka_unit_test(test_rates_new_epoch),
        cmocka_unit_test(test_rates_prefer),
        cmocka_unit_test(test_rates_few_lines),
        cmocka_unit_test(test_memory_words),
        cmocka_unit_test(test_rate_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
