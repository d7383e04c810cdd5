#include "jobs.h"

static void set(struct job *job, const char *key, const char *value)
{
    struct error err = {0};

    if (!job_set(job, str_from(key), str_from(value), &arena, &err))
        fail_msg("%s=%s: %s", key, value, err.text);
}

static void check_set_refused(struct job *job, const char *key, const char *value,
                              const char *text, const char *hint)
{
    struct job before = *job;
    struct error err = {0};

    if (job_set(job, str_from(key), str_from(value), &arena, &err))
        fail_msg("%s=%s was not refused", key, value);
    assert_int_equal(err.kind, ERROR_INPUT);
    check_error(&err, text, hint);
    assert_memory_equal(job, &before, sizeof before);
}

static void sets_a_key_by_its_path_or_by_its_last_part(void **state)
{
    struct job job = job_of("train: {model: gpt2}");

    (void)state;
    set(&job, "train.sequence", "4096");
    assert_int_equal(job.train.sequence, 4096);
    set(&job, "sequence", "2048");
    assert_int_equal(job.train.sequence, 2048);
    set(&job, "data.tokens", "25M");
    assert_true(job.train.data.tokens == 25e6);
    set(&job, "tokens", "1.5T");
    assert_true(job.train.data.tokens == 1.5e12);
    set(&job, "train.parallel.zero", "3");
    assert_int_equal(job.train.parallel.zero, 3);
    set(&job, "zero", "1");
    assert_int_equal(job.train.parallel.zero, 1);
    set(&job, "limits.budget", "$100");
    set(&job, "budget", "5usd");
    assert_true(job.limits.budget.nano == 5 * INT64_C(1000000000));
    set(&job, "name", "another");
    assert_str_equal(job.name, "another");
    set(&job, "offload", "optimizer");
    assert_str_equal(job.train.parallel.offload, "optimizer");
}

static void knows_the_short_words(void **state)
{
    struct job job = job_of("train: {model: gpt2}");

    (void)state;
    set(&job, "batch", "8");
    set(&job, "seq", "512");
    set(&job, "checkpointing", "yes");
    set(&job, "dp", "2");
    set(&job, "tp", "3");
    set(&job, "pp", "4");
    set(&job, "vpp", "5");
    set(&job, "cp", "6");
    set(&job, "train.ep", "7");
    set(&job, "sp", "true");
    set(&job, "images", "30");
    assert_int_equal(job.train.micro_batch, 8);
    assert_int_equal(job.train.sequence, 512);
    assert_str_equal(job.train.recompute, "yes");
    assert_int_equal(job.train.parallel.data, 2);
    assert_int_equal(job.train.parallel.tensor, 3);
    assert_int_equal(job.train.parallel.pipeline, 4);
    assert_int_equal(job.train.parallel.virtual_pipeline, 5);
    assert_int_equal(job.train.parallel.context, 6);
    assert_int_equal(job.train.parallel.expert, 7);
    assert_str_equal(job.train.parallel.sequence, "yes");
    assert_true(job.train.data.examples == 30);
}

static void in_an_inference_job_they_mean_its_own_keys(void **state)
{
    struct job job = job_of("infer: {model: gpt2}");

    (void)state;
    set(&job, "batch", "8");
    set(&job, "tp", "2");
    set(&job, "p95", "200ms");
    set(&job, "infer.rate", "20/s");
    assert_int_equal(job.infer.batch, 8);
    assert_int_equal(job.infer.tensor, 2);
    assert_true(job.infer.slo.p95.ns == 200000000 && job.infer.rate == 20);
    check_set_refused(&job, "train.sequence", "5",
                      "there is no key 'train.sequence' in an inference job", "");
}

static void last_model_given_is_used(void **state)
{
    struct job job = job_of("train: {params: 7B, epochs: 3}");

    (void)state;
    set(&job, "model", "gpt2");
    assert_null(job.train.params.at);
    assert_str_equal(job.train.model, "gpt2");
    set(&job, "params", "13B");
    assert_null(job.train.model.at);
    set(&job, "steps", "1000");
    assert_true(isnan(job.train.epochs) && job.train.steps == 1000);
    job = job_of("train: {model: {layers: 2, hidden: 64, heads: 2, vocab: 100}}");
    set(&job, "shape.layers", "4");
    assert_int_equal(job.train.shape.layers, 4);
    set(&job, "model", "gpt2");
    assert_int_equal(job.train.shape.layers, -1);
}

static void lists_are_replaced(void **state)
{
    struct job job = job_of("train: {model: gpt2}\nlimits: {gpus: [A100, H100]}");

    (void)state;
    set(&job, "limits.gpus", "L4, T4,L40S");
    assert_int_equal(job.limits.gpus.len, 3);
    assert_str_equal(job.limits.gpus.at[1], "T4");
}

static void the_value_is_kept_by_the_job(void **state)
{
    struct job job = job_of("train: {model: gpt2}");
    struct error err = {0};
    char value[] = "llama-2-7b";

    (void)state;
    assert_true(job_set(&job, STR("model"), str_from(value), &arena, &err));
    memset(value, 'x', sizeof value - 1);
    assert_str_equal(job.train.model, "llama-2-7b");
}

static void refuses_what_it_does_not_know(void **state)
{
    struct job job = job_of("train: {model: gpt2, sequence: 7}");

    (void)state;
    check_set_refused(&job, "sequenze", "5", "there is no key 'sequenze' in a training job",
                      "did you mean 'sequence'?");
    check_set_refused(&job, "learning_rate", "5",
                      "there is no key 'learning_rate' in a training job", "");
    check_set_refused(&job, "parallel.zerro", "5",
                      "there is no key 'parallel.zerro' in a training job",
                      "did you mean 'zero'?");
    check_set_refused(&job, "sequence.x", "5", "there is no key 'sequence.x' in a training job",
                      "");
    check_set_refused(&job, "", "5", "there is no key '' in a training job", "");
    check_set_refused(&job, "...", "5", "there is no key '...' in a training job", "");
    check_set_refused(&job, "size", "5GB", "'size' is a key of more than one group",
                      "write one of data.size, checkpoint.size, storage.size");
    check_set_refused(&job, "parallel", "5", "'parallel' is a group of keys",
                      "name one of them, such as parallel.data");
    check_set_refused(&job, "gpus", "8", "'gpus' is not a key that can be set",
                      "number: --on H100x8; allowed GPUs: limits.gpus=A100,H100");
    check_set_refused(&job, "sequence", "", "sequence: the value is empty", "");
    check_set_refused(&job, "sequence", "0", "sequence: '0' is not 1 or more", "");
    check_set_refused(&job, "sequence", "99999999",
                      "sequence: 99999999 is not from 1 to 16777216", "");
    check_set_refused(&job, "zero", "3.5", "zero: '3.5' is not a whole number",
                      "write digits only, without a unit");
    check_set_refused(&job, "precision", "fp7", "precision: 'fp7' is not a precision",
                      "did you mean 'fp8'?");
}

static void survives_any_failed_allocation(void **state)
{
    struct job job = job_of("train: {model: gpt2}");

    (void)state;
    for (size_t allow = 0;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena own = {.alloc = &alloc};
        struct error err = {0};
        struct job copy = job;
        bool ok = job_set(&copy, STR("tokens"), STR("25M"), &own, &err) &&
                  job_set(&copy, STR("limits.gpus"), STR("a,b"), &own, &err);

        arena_free(&own);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        assert_int_equal(err.kind, ERROR_MEMORY);
    }
}

int group_set(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_a_key_by_its_path_or_by_its_last_part),
        cmocka_unit_test(knows_the_short_words),
        cmocka_unit_test(in_an_inference_job_they_mean_its_own_keys),
        cmocka_unit_test(last_model_given_is_used),
        cmocka_unit_test(lists_are_replaced),
        cmocka_unit_test(the_value_is_kept_by_the_job),
        cmocka_unit_test(refuses_what_it_does_not_know),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
