#include "jobs.h"

static void finds_a_model_by_name_or_by_size(void **state)
{
    struct job job = resolved("train: {model: meta-llama/Llama-2-7b-hf}");
    double params;

    (void)state;
    assert_true(job.arch_known && !job.arch.assumed && job.arch.hidden == 4096);
    job = resolved("infer: {params: 7B}");
    params = arch_count(&job.arch).total;
    assert_true(job.arch.assumed && params > 6.5e9 && params < 7.5e9);
    job = resolved("train: {model: lstm-h512-l2}");
    assert_int_equal(job.arch.kind, ARCH_LSTM);
}

static void a_measured_job_needs_no_model(void **state)
{
    struct job job =
        resolved("train: {measured: {gpu: A100, samples_s: 410, batch: 64, memory: 21GB}, "
                 "data: {examples: 1.2M}}");

    (void)state;
    assert_false(job.arch_known);
    assert_true(job_samples(&job) == 1.2e6);
    check_unresolved("train: {measured: {samples_s: 410}}",
                     "job.yaml: measured: 'gpu' is missing",
                     "write measured: {gpu: A100, samples_s: 410, batch: 64, memory: 21GB}");
    check_unresolved("train: {measured: {gpu: A100}}",
                     "job.yaml: measured: samples_s or tokens_s is missing",
                     "write measured: {gpu: A100, samples_s: 410, batch: 64, memory: 21GB}");
    check_unresolved("train: {measured: {gpu: A100, samples_s: 1, tokens_s: 2}}",
                     "job.yaml: measured: samples_s or tokens_s, not both",
                     "write measured: {gpu: A100, samples_s: 410, batch: 64, memory: 21GB}");
}

static void a_job_has_one_model(void **state)
{
    static const char hint[] =
        "keep one of model: llama-2-7b, params: 7B, config: config.json or "
        "measured: {...}";
    struct job job = job_of("train: {model: lama-2-7b}");
    struct error err = {0};

    (void)state;
    check_unresolved("train: {epochs: 3}", "job.yaml: the job does not say which model", hint);
    check_unresolved("train: {model: gpt2, params: 7B}",
                     "job.yaml: the job names its model in more than one way", hint);
    check_unresolved("train: {model: gpt2, measured: {gpu: A100, samples_s: 5}}",
                     "job.yaml: the job names its model in more than one way", hint);
    assert_false(job_resolve(&job, &catalog, (struct str){0}, &arena, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.text, "there is no model 'lama-2-7b'");
    check_unresolved("train: {params: 7}",
                     "job.yaml: a model of 7 parameters is outside 1M to 5T", "");
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    check_unresolved("train: {model: gpt2, epochs: 3, steps: 100}",
                     "job.yaml: the job has epochs and steps", "keep one of them");
    check_unresolved("train: {model: gpt2, rank: 8}",
                     "job.yaml: rank and targets belong to "
                     "LoRA",
                     "add method: lora, or drop them");
    check_unresolved("train: {model: gpt2, method: lora, base: nf4}",
                     "job.yaml: base belongs to QLoRA", "add method: qlora, or drop it");
    check_unresolved("train: {model: gpt2, method: lora, rank: 1000}",
                     "job.yaml: rank 1000 is above the model's width of 768", "");
    check_unresolved("train: {model: gpt2, precision: int8}",
                     "job.yaml: training in 4 or 8 bits is for a frozen base only",
                     "write method: qlora and base: nf4, or another precision");
    check_unresolved("train: {model: gpt2, data: {examples: 5, tokens: 1T}}",
                     "job.yaml: data: with examples, tokens means tokens per example",
                     "drop examples to give the tokens of the complete set");
    check_unresolved("train: {model: gpt2, data: {examples: 5, tokens: 5, example_tokens: 5}}",
                     "job.yaml: data: examples with tokens and example_tokens",
                     "with examples, tokens means tokens per example: keep one of the two");
    check_unresolved("train: {model: gpt2, parallel: {data: 8, shard: 3}}",
                     "job.yaml: parallel: shard does not divide data", "");
    check_unresolved("train: {model: gpt2, checkpoint: {every: 1min, save: 2min}}",
                     "job.yaml: checkpoint: saving takes longer than the time between two", "");
}

static void batches_must_add_up(void **state)
{
    (void)state;
    (void)resolved("train: {model: gpt2, global_batch: 64, micro_batch: 4}");
    (void)resolved("train: {model: gpt2, global_batch: 64, micro_batch: 4, accumulation: 2, "
                   "parallel: {data: 8}}");
    check_unresolved(
        "train: {model: gpt2, global_batch: 64, micro_batch: 5}",
        "job.yaml: global_batch 64 is not micro_batch 5 x accumulation 1 x a number "
        "of GPUs, such as 1",
        "drop one of them: it follows from the others");
    check_unresolved("train: {model: gpt2, global_batch: 64, micro_batch: 4, accumulation: 2, "
                     "parallel: {data: 4}}",
                     "job.yaml: global_batch 64 is not micro_batch 4 x accumulation 2 x "
                     "parallel.data 4",
                     "drop one of them: it follows from the others");
    check_unresolved(
        "train: {model: gpt2, global_batch: 1, micro_batch: 1048576, "
        "accumulation: 1048576, parallel: {data: 100000000}}",
        "job.yaml: global_batch 1 is not micro_batch 1048576 x accumulation 1048576 "
        "x parallel.data 100000000",
        "drop one of them: it follows from the others");
}

static void resolving_twice_changes_nothing(void **state)
{
    struct job job = resolved("train: {model: gpt2, data: {examples: 10, tokens: 7}}");
    struct error err = {0};

    (void)state;
    assert_true(job_resolve(&job, &catalog, (struct str){0}, &arena, &err));
    assert_true(job.train.data.example_tokens == 7 && job_tokens(&job) == 70);
}

static void qlora_takes_a_narrow_base(void **state)
{
    struct job job = resolved("train: {model: gpt2, method: qlora, base: int8, rank: 8, "
                              "targets: 'q,v', precision: nf4+bf16}");

    (void)state;
    assert_str_equal(job.train.base, "int8");
    check_refused("train: {base: bf16}",
                  "job.yaml:1:15: base: 'bf16' is not a format of frozen weights",
                  "write nf4, int8, int4, fp8 or fp4");
}

int group_resolve(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_model_by_name_or_by_size),
        cmocka_unit_test(a_measured_job_needs_no_model),
        cmocka_unit_test(a_job_has_one_model),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(batches_must_add_up),
        cmocka_unit_test(resolving_twice_changes_nothing),
        cmocka_unit_test(qlora_takes_a_narrow_base),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
