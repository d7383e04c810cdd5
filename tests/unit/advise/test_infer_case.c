/* What is asked about serving: contradicting options, the source and rate of the job. */
#include "test.h"

#include <string.h>

#include "advise/economics/infer_case.h"

static const struct infer_request plain = {.job = {"llama", 5},
                                           .cache_hits = 0,
                                           .speedup = 2,
                                           .payback_months = 12,
                                           .price = {MONEY_UNKNOWN}};

static void options_that_contradict_are_refused(void **state)
{
    struct infer_request ask = plain;
    struct infer_case c = {.request = &ask, .varies = true, .traffic.peak = 30};
    struct error err = {0};

    (void)state;
    assert_true(infer_check(&c, &err));
    ask.source.rate = STR("20/s");
    assert_false(infer_check(&c, &err)); /* the file has rates */
    assert_int_equal(err.kind, ERROR_USAGE);
    ask = plain;
    ask.cache_hits = 1;
    assert_false(infer_check(&c, &err));
    ask = plain;
    ask.speedup = 1;
    assert_false(infer_check(&c, &err));
    ask = plain;
    ask.payback_months = 1201;
    assert_false(infer_check(&c, &err));
}

static void what_was_measured_has_a_time_and_a_machine(void **state)
{
    struct infer_request ask = plain;
    struct infer_case c = {.request = &ask};
    struct error err = {0};

    (void)state;
    ask.latency = span_hours(0.001);
    assert_false(infer_check(&c, &err));
    ask.offer = STR("aws/g5.xlarge");
    assert_true(infer_check(&c, &err));
    ask.offer = (struct str){0};
    ask.price = (usd_per_hour){1};
    assert_true(infer_check(&c, &err));
    ask.concurrency = 1000001;
    assert_false(infer_check(&c, &err));
    ask = plain;
    ask.batch = 8;
    assert_false(infer_check(&c, &err));
    assert_string_equal(err.text, "--batch needs the time of a request that was measured");
}

static void a_job_needs_requests_and_a_model(void **state)
{
    static struct job job;
    struct infer_request ask = plain;
    struct infer_case c = {.request = &ask};
    struct error err = {0};

    (void)state;
    job.kind = JOB_INFER;
    assert_false(infer_check_job(&c, &job, &err));
    assert_string_equal(err.text, "how many requests are there?");
    job.infer.rate = 5;
    assert_false(infer_check_job(&c, &job, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    job.arch_known = true;
    assert_true(infer_check_job(&c, &job, &err));
    c.varies = true;
    c.traffic.peak = 5;
    job.infer.hours_per_day = 8;
    assert_false(infer_check_job(&c, &job, &err));
}

/* A shape says how the rate changes, a file what it is; the cache answers its share. */
static void the_model_serves_the_peak_without_the_cache(void **state)
{
    static struct job job;
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct infer_request ask = plain;
    struct infer_case c = {.request = &ask};
    struct error err = {0};
    struct str rate;

    (void)state;
    job.infer.rate = 20;
    ask.cache_hits = 0.25;
    assert_true(infer_peak_rate(&c, &job, &arena, &rate, &err));
    assert_true(str_eq(rate, STR("15")));
    c.varies = true;
    c.traffic.peak = 40;
    assert_true(infer_peak_rate(&c, &job, &arena, &rate, &err));
    assert_true(str_eq(rate, STR("30")));
    arena_free(&arena);
}

static void latencies_and_sizes_are_settings_of_the_job(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct str slo = STR("p95=200ms"), set = STR("weights=int8");
    struct infer_request ask = plain;
    struct job_source source;
    struct error err = {0};

    (void)state;
    ask.slo = (struct strs){&slo, 1};
    ask.source.set = (struct strs){&set, 1};
    ask.output_size = STR("128");
    assert_true(infer_source(&ask, false, &arena, &source, &err));
    assert_true(source.serve);
    assert_int_equal(source.set.len, 3);
    assert_true(str_eq(source.set.at[0], STR("weights=int8")));
    assert_true(str_eq(source.set.at[1], STR("slo.p95=200ms")));
    assert_true(str_eq(source.set.at[2], STR("output=128")));
    slo = STR("p42=1s");
    assert_false(infer_source(&ask, true, &arena, &source, &err));
    assert_non_null(strstr(err.text, "--slo: 'p42=1s'"));
    arena_free(&arena);
}

int group_infer_case(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_contradict_are_refused),
        cmocka_unit_test(what_was_measured_has_a_time_and_a_machine),
        cmocka_unit_test(a_job_needs_requests_and_a_model),
        cmocka_unit_test(the_model_serves_the_peak_without_the_cache),
        cmocka_unit_test(latencies_and_sizes_are_settings_of_the_job),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
