/* Serving: no more copies than the latency limits need, on machines that hold them. */
#include "../estimate/known.h"

#include "estimate/memory/memory.h"
#include "estimate/serving/infer.h"
#include "plan/ways.h"

#define BUSIEST 0.8 /* as in ways.c: above it, queues get long */

static struct ways_scratch scratch;
static struct ways ways;
static struct job job;

static void set(const char *key, const char *value)
{
    struct error err = {0};

    if (!job_set(&job, str_from(key), str_from(value), &known_arena, &err))
        fail_msg("%s=%s: %s", key, value, err.text);
}

static void new_job(const char *model)
{
    struct error err = {0};

    assert_true(job_reset(&job, &known_arena, &err));
    job.kind = JOB_INFER;
    set("model", model);
    set("input", "1024");
    set("output", "256");
    set("framework", "vllm");
    scratch = (struct ways_scratch){0};
}

static void find(const char *gpu, int64_t count)
{
    struct error err = {0};
    struct ways_counts counts = {0};
    struct hardware_key key = {.gpu = known_gpu(gpu),
                               .count = count,
                               .join = {.joins = true, .gb_s = NAN, .least = 1, .step = 1}};

    if (!job_resolve(&job, &known_catalog, (struct str){0}, &known_arena, &err))
        fail_msg("%s", err.text);
    ways_serve(&job, &known_constants, key, &scratch, &ways, &counts);
    for (size_t i = 0; i < ways.len; i++)
        assert_ptr_equal(ways.at[i].serving.arch, &job.arch); /* not of a job that is gone */
}

static bool within(double seconds, span promised)
{
    return promised.ns <= 0 || seconds <= span_in_seconds(promised);
}

/* Would this many copies be enough? Computed without the search. */
static bool enough(const struct way *way, int64_t copies)
{
    const struct job_slo *slo = &job.infer.slo;
    struct serving s = way->serving;
    struct serving_load load;

    load = estimate_load(&s, job.infer.rate / (double)copies, &known_constants);
    return load.utilization <= BUSIEST && within(load.request_p50, slo->p50) &&
           within(load.request_p95, slo->p95) && within(load.request_p99, slo->p99) &&
           within(load.first_p95, slo->first_token);
}

static void check_copies(void)
{
    assert_true(ways.len > 0);
    for (size_t i = 0; i < ways.len; i++) {
        const struct way *way = &ways.at[i];

        assert_true(way->copies >= 1);
        assert_true(enough(way, way->copies));
        if (way->copies > 1 && enough(way, way->copies - 1))
            fail_msg("%lld copies where one fewer does", (long long)way->copies);
    }
}

static void fewest_copies_that_keep_the_promises(void **state)
{
    static const char *const rates[] = {"0.5/s", "3/s", "20/s", "170/s"};
    static const char *const promises[] = {"60s", "12s", "6s"};

    (void)state;
    for (size_t r = 0; r < ARRAY_LEN(rates); r++)
        for (size_t p = 0; p < ARRAY_LEN(promises); p++) {
            new_job("llama-3.1-8b");
            set("rate", rates[r]);
            set("slo.p95", promises[p]);
            find("A100-80GB", 8);
            check_copies();
        }
}

/* Each promise alone can be the one that takes more copies. */
static void every_promise_counts(void **state)
{
    static const char *const keys[] = {"slo.p50", "slo.p95", "slo.p99", "slo.first_token"};

    (void)state;
    for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
        int64_t loose = 0;

        new_job("llama-3.1-8b");
        set("rate", "60/s");
        set("tensor", "1");
        find("A100-80GB", 1);
        check_copies();
        loose = ways.at[0].copies;
        new_job("llama-3.1-8b");
        set("rate", "60/s");
        set("tensor", "1");
        set(keys[k], k == 3 ? "100ms" : "4.5s");
        find("A100-80GB", 1);
        check_copies();
        assert_true(ways.at[0].copies > loose);
    }
}

static void a_promise_that_cannot_be_kept_has_no_way(void **state)
{
    (void)state;
    new_job("llama-3.1-8b");
    set("rate", "1/s");
    set("slo.p95", "20ms");
    find("A100-80GB", 8);
    assert_int_equal(ways.len, 0);
}

/* Copies that fit a machine share it; one that does not takes several. */
static void machines_hold_the_copies(void **state)
{
    static const struct {
        const char *model, *gpu;
        int64_t count;
    } cases[] = {{"llama-3.1-8b", "A100-80GB", 1}, {"llama-3.1-8b", "L4", 8},
                 {"llama-3.1-70b", "H100", 8},     {"llama-3.1-70b", "A100-80GB", 2},
                 {"llama-3.1-70b", "H100", 4},     {"llama-3.1-70b", "L4", 4}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        new_job(cases[i].model);
        set("rate", "9/s");
        find(cases[i].gpu, cases[i].count);
        for (size_t k = 0; k < ways.len; k++) {
            const struct way *way = &ways.at[k];
            int64_t each = way->serving.gpus, count = cases[i].count;
            int64_t a_machine = count / each; /* copies that it holds */

            assert_int_equal(way->gpus, way->copies * each);
            assert_int_equal(each, way->serving.tensor * way->serving.pipeline);
            if (a_machine > 0) {
                assert_true(way->machines * a_machine >= way->copies);
                assert_true((way->machines - 1) * a_machine < way->copies);
            } else {
                assert_int_equal(way->machines, way->copies * ((each + count - 1) / count));
            }
            assert_true(way->need > 0 && way->need <= 1);
        }
    }
}

/* 70B in 16 bits is 141 GB: on two cards of 80 GB, not on one. */
static void what_does_not_fit_has_no_way(void **state)
{
    (void)state;
    new_job("llama-3.1-70b");
    set("rate", "1/s");
    set("tensor", "1");
    set("pipeline", "1");
    set("weights", "bf16");
    find("A100-80GB", 8);
    assert_int_equal(ways.len, 0);
    new_job("llama-3.1-70b");
    set("rate", "1/s");
    set("tensor", "4");
    set("pipeline", "1");
    set("weights", "bf16");
    find("A100-80GB", 8);
    assert_int_equal(ways.len, 1);
    assert_int_equal(ways.at[0].serving.tensor, 4);
}

/* Without a rate: batches of every size that fits; larger ones make more and answer later. */
static void batches_without_a_rate(void **state)
{
    const struct way *small = &ways.at[0], *large = &ways.at[0];

    (void)state;
    new_job("llama-3.1-8b");
    set("tensor", "1");
    find("A100-80GB", 4);
    assert_true(ways.len > 3);
    for (size_t i = 0; i < ways.len; i++) {
        const struct way *way = &ways.at[i];

        assert_int_equal(way->copies, 4); /* the machine is paid for */
        assert_int_equal(way->gpus, 4);
        assert_int_equal(way->machines, 1);
        assert_true(way->serving.batch <= serving_holds(&way->serving, &known_constants));
        assert_near(way->rate, way->serving.batch * 4 * 256 / way->latency_s, way->rate * 1e-9);
        if (way->serving.batch < small->serving.batch)
            small = way;
        if (way->serving.batch > large->serving.batch)
            large = way;
    }
    assert_true(large->rate > 4 * small->rate);
    assert_true(large->latency_s > small->latency_s);
}

static void given_batch_is_the_only_one(void **state)
{
    (void)state;
    new_job("llama-3.1-8b");
    set("tensor", "2");
    set("batch", "24");
    find("A100-80GB", 8);
    assert_int_equal(ways.len, 1);
    assert_near(ways.at[0].serving.batch, 24, 0);
    assert_int_equal(ways.at[0].copies, 4);
}

/* Machines with the same card share what was found; those with another do not. */
static void the_memory_of_one_card_is_not_anothers(void **state)
{
    int64_t copies;

    (void)state;
    new_job("llama-3.1-8b");
    set("rate", "40/s");
    find("L4", 8);
    find("H100", 8);
    check_copies();
    copies = ways.at[0].copies;
    scratch = (struct ways_scratch){0};
    find("H100", 8);
    assert_int_equal(ways.at[0].copies, copies);
}

int group_serve(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fewest_copies_that_keep_the_promises),
        cmocka_unit_test(every_promise_counts),
        cmocka_unit_test(a_promise_that_cannot_be_kept_has_no_way),
        cmocka_unit_test(machines_hold_the_copies),
        cmocka_unit_test(what_does_not_fit_has_no_way),
        cmocka_unit_test(batches_without_a_rate),
        cmocka_unit_test(given_batch_is_the_only_one),
        cmocka_unit_test(the_memory_of_one_card_is_not_anothers),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
