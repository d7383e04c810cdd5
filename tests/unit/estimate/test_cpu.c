/* Serving on vCPUs: what bounds it, and how it waits. */
#include "known.h"

#include "estimate/serving/cpu.h"

static struct job job;

static const struct cpu_kind plain = {.fp32_gflops_vcpu = 96,
                                      .bf16_gflops_vcpu = NAN,
                                      .int8_gops_vcpu = 384,
                                      .bandwidth_gb_s_vcpu = 3.2};
static const struct cpu_kind matrix = {.fp32_gflops_vcpu = 93,
                                       .bf16_gflops_vcpu = 1331,
                                       .int8_gops_vcpu = 2662,
                                       .bandwidth_gb_s_vcpu = 3.2};

static struct cpu_serving serve(const char *model, const char *input, const char *weights,
                                const struct cpu_kind *cpu, double vcpus)
{
    struct error err = {0};
    struct cpu_serving s;

    assert_true(job_reset(&job, &known_arena, &err));
    job.kind = JOB_INFER;
    assert_true(job_set(&job, STR("model"), str_from(model), &known_arena, &err));
    assert_true(job_set(&job, STR("input"), str_from(input), &known_arena, &err));
    if (weights != NULL)
        assert_true(job_set(&job, STR("weights"), str_from(weights), &known_arena, &err));
    assert_true(job_resolve(&job, &known_catalog, (struct str){0}, &known_arena, &err));
    assert_true(choose_cpu_serving(&job, cpu, vcpus, &s, &err));
    return s;
}

static double seconds(const char *model, const char *input, const char *weights,
                      const struct cpu_kind *cpu, double vcpus)
{
    struct cpu_serving s = serve(model, input, weights, cpu, vcpus);

    return estimate_cpu_serving(&s).request;
}

/* p95 of PyTorch in fp32 on a c6i.2xlarge, ms (github.com/philschmid/aws-neuron-samples,
 * benchmark/results_encoder.md): of 8 to 512 tokens. */
static void test_published_latencies_of_encoders(void **state)
{
    static const char *const tokens[] = {"8", "16", "32", "64", "128", "256", "512"};
    static const struct {
        const char *model;
        double ms[7];
    } rows[] = {{"bert-base", {19.9, 23.1, 27.7, 36.2, 54.3, 108.6, 226.1}},
                {"roberta-base", {19.9, 23.1, 27.7, 39.3, 57.1, 102.9, 225.1}},
                {"distilbert", {10, 11, 14.4, 18.9, 27.4, 52.3, 108.1}}};
    double off = 0;

    (void)state;
    for (size_t r = 0; r < ARRAY_LEN(rows); r++)
        for (size_t i = 0; i < ARRAY_LEN(tokens); i++) {
            double share =
                1000 * seconds(rows[r].model, tokens[i], "fp32", &plain, 8) / rows[r].ms[i] - 1;

            off += fabs(share) / (double)(ARRAY_LEN(rows) * ARRAY_LEN(tokens));
            if (!(fabs(share) < 0.25))
                fail_msg("%s, %s tokens: %.0f %% off", rows[r].model, tokens[i], 100 * share);
        }
    assert_true(off < 0.12);
}

static void test_narrower_weights_and_more_vcpus_are_faster(void **state)
{
    (void)state;
    assert_true(seconds("bert-base", "512", "int8", &plain, 4) <
                seconds("bert-base", "512", "fp32", &plain, 4));
    assert_true(seconds("bert-base", "512", NULL, &plain, 8) <
                seconds("bert-base", "512", NULL, &plain, 4));
    assert_true(seconds("bert-base", "512", NULL, &plain, 0.5) >
                1.9 * seconds("bert-base", "512", NULL, &plain, 1));
}

/* A token of a decoder reads all weights. */
static void test_decoding_is_bound_by_memory(void **state)
{
    struct cpu_serving s = serve("llama-3-8b", "64", "int4", &plain, 16);
    double least = 0.5 * 7.5e9 / (16 * 3.2e9); /* without the look-up of embeddings */

    (void)state;
    assert_true(estimate_cpu_serving(&s).decode >= least);
    assert_true(estimate_cpu_serving(&s).decode < 1.3 * least);
    assert_true(cpu_serving_bytes(&s) > 4e9 && cpu_serving_bytes(&s) < 6e9);
}

static void test_what_is_left_open_loses_no_accuracy(void **state)
{
    struct cpu_serving encoder = serve("bert-base", "512", NULL, &plain, 4);
    struct cpu_serving native = serve("bert-base", "512", NULL, &matrix, 4);
    struct cpu_serving decoder = serve("llama-3-8b", "512", NULL, &plain, 4);

    (void)state;
    assert_string_equal(cpu_precision_name(&encoder), "fp32");
    assert_string_equal(cpu_precision_name(&native), "bf16");
    assert_string_equal(cpu_precision_name(&decoder), "fp16");
    assert_int_equal(decoder.weights, WEIGHTS_FP16);
}

/* The same kind of queue by brute force: one server, the same time for each. */
static void test_a_queue_waits_as_a_simulated_one_does(void **state)
{
    static double waits[400000];
    uint64_t draws = 7;

    (void)state;
    for (double busy = 0.2; busy < 0.85; busy += 0.2) {
        struct serving_load load = queue_load(1, 1, busy);
        double free_at = 0, now = 0;
        size_t over = 0;

        for (size_t i = 0; i < ARRAY_LEN(waits); i++) {
            draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            now += -log(((double)(draws >> 11) + 0.5) / 9007199254740992.0) / busy;
            waits[i] = fmax(0, free_at - now);
            free_at = now + waits[i] + 1;
        }
        for (size_t i = 0; i < ARRAY_LEN(waits); i++)
            over += waits[i] + 1 > load.request_p95;
        /* An approximation: 2 to 10 of 100 instead of 5. */
        assert_true((double)over / (double)ARRAY_LEN(waits) > 0.02);
        assert_true((double)over / (double)ARRAY_LEN(waits) < 0.10);
    }
    assert_true(isinf(queue_load(1, 1, 1).request_p95));
}

int group_cpu(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_latencies_of_encoders),
        cmocka_unit_test(test_narrower_weights_and_more_vcpus_are_faster),
        cmocka_unit_test(test_decoding_is_bound_by_memory),
        cmocka_unit_test(test_what_is_left_open_loses_no_accuracy),
        cmocka_unit_test(test_a_queue_waits_as_a_simulated_one_does),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
