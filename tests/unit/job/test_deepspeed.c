#include "jobs.h"

#include "base/fs.h"

static struct job with(const char *json)
{
    struct job job = job_of("train: {model: llama-2-7b}");
    struct error err = {0};

    if (!job_deepspeed(str_from(json), "ds.json", &job, &arena, &err))
        fail_msg("'%s': %s", json, err.text);
    return job;
}

static void check_file_refused(const char *json, const char *text, const char *hint)
{
    struct job job = job_of("train: {model: llama-2-7b, sequence: 9}"), before = job;
    struct error err = {0};

    if (job_deepspeed(str_from(json), "ds.json", &job, &arena, &err))
        fail_msg("'%s' was not refused", json);
    assert_int_equal(err.kind, ERROR_INPUT);
    check_error(&err, text, hint);
    assert_memory_equal(&job, &before, sizeof job);
}

static void takes_what_decides_memory_and_speed(void **state)
{
    struct job job =
        with("{\"train_batch_size\": 256, \"train_micro_batch_size_per_gpu\": 2,"
             "\"gradient_accumulation_steps\": 8, \"fp16\": {\"enabled\": false},"
             "\"bf16\": {\"enabled\": true}, \"steps_per_print\": 10, \"wandb\": {\"x\": [1]},"
             "\"optimizer\": {\"type\": \"OneBitAdam\", \"params\": {\"lr\": 2e-5}},"
             "\"zero_optimization\": {\"stage\": 2, \"zero_hpz_partition_size\": 8,"
             "\"offload_optimizer\": {\"device\": \"cpu\"}},"
             "\"activation_checkpointing\": {\"partition_activations\": true}}");

    (void)state;
    assert_int_equal(job.train.global_batch, 256);
    assert_int_equal(job.train.micro_batch, 2);
    assert_int_equal(job.train.accumulation, 8);
    assert_str_equal(job.train.precision, "bf16");
    assert_str_equal(job.train.optimizer, "OneBitAdam");
    assert_int_equal(job.train.parallel.zero, 2);
    assert_int_equal(job.train.parallel.shard, 8);
    assert_str_equal(job.train.parallel.offload, "optimizer");
    assert_str_equal(job.train.recompute, "full");
    assert_str_equal(job.train.framework, "deepspeed");
}

static void auto_stays_unknown(void **state)
{
    struct job job = with("{\"train_batch_size\": \"auto\", \"bf16\": {\"enabled\": \"auto\"},"
                          "\"optimizer\": {\"type\": \"auto\"},"
                          "\"zero_optimization\": {\"stage\": 3, \"mics_shard_size\": -1}}");

    (void)state;
    assert_int_equal(job.train.global_batch, -1);
    assert_str_equal(job.train.framework, "hf"); /* whose word it is */
    assert_null(job.train.precision.at);
    assert_null(job.train.optimizer.at);
    assert_int_equal(job.train.parallel.zero, 3);
    assert_int_equal(job.train.parallel.shard, -1);
}

static void knows_old_files_and_every_offload(void **state)
{
    struct job job = with("{\"zero_optimization\": true}");

    (void)state;
    assert_int_equal(job.train.parallel.zero, 1);
    job = with("{\"zero_optimization\": {\"stage\": 2, \"cpu_offload\": true}}");
    assert_str_equal(job.train.parallel.offload, "optimizer");
    job = with("{\"zero_optimization\": {\"offload_param\": {\"device\": \"cpu\"}}}");
    assert_str_equal(job.train.parallel.offload, "all");
    job = with("{\"zero_optimization\": {\"offload_param\": {\"device\": \"none\"},"
               "\"offload_optimizer\": {\"device\": \"nvme\"}}}");
    assert_str_equal(job.train.parallel.offload, "nvme");
    job = with("{\"fp16\": {\"enabled\": true}, \"amp\": {\"enabled\": false}}");
    assert_str_equal(job.train.precision, "fp16-master");
    job = with("{}");
    assert_str_equal(job.train.parallel.offload, "none");
    assert_int_equal(job.train.parallel.pipeline, 1); /* nor are layers split */
    assert_null(job.train.recompute.at);
}

static void the_framework_of_the_job_stays(void **state)
{
    struct job job = job_of("train: {model: gpt2, framework: hf}");
    struct error err = {0};

    (void)state;
    assert_true(job_deepspeed(STR("{}"), "ds.json", &job, &arena, &err));
    assert_str_equal(job.train.framework, "hf");
}

static void refuses_what_cannot_be(void **state)
{
    (void)state;
    check_file_refused("{\"train_batch_size\": 0}",
                       "ds.json: train_batch_size: global_batch: '0' is not 1 or more", "");
    check_file_refused("{\"train_batch_size\": 1.5}",
                       "ds.json: train_batch_size: '1.5' is not a whole number", "");
    check_file_refused("{\"train_batch_size\": [1]}",
                       "ds.json: train_batch_size: '' is not a whole number", "");
    check_file_refused("{\"zero_optimization\": {\"stage\": 7}}",
                       "ds.json: zero_optimization.stage: zero: 7 is not from 0 to 3", "");
    check_file_refused("{\"fp16\": {\"enabled\": true}, \"bf16\": {\"enabled\": true}}",
                       "ds.json: more than one of fp16, bf16 and amp is enabled",
                       "DeepSpeed refuses this too: enable one of them");
    check_file_refused("{\"optimizer\": {\"type\": \"Adamm\"}}",
                       "ds.json: optimizer.type: optimizer: 'Adamm' is not an optimizer",
                       "did you mean 'adamw'?");
    check_file_refused("{\"zero_optimization\": {\"offload_param\": {\"device\": \"gpu\"}}}",
                       "ds.json: zero_optimization: 'gpu' is not a device to offload to: cpu, "
                       "nvme or none",
                       "");
    check_file_refused("[]", "ds.json: expected keys and values", "");
    check_file_refused("{", "ds.json:1:2: the text ends inside an object", "");
}

static void is_for_training_only(void **state)
{
    struct job job = job_of("infer: {model: gpt2}");
    struct error err = {0};

    (void)state;
    assert_false(job_deepspeed(STR("{}"), "ds.json", &job, &arena, &err));
    assert_string_equal(err.text, "ds.json: a DeepSpeed file is for training");
}

static void the_example_is_good(void **state)
{
    const char *root = env_get("STINT_SOURCE_ROOT");
    struct job job = job_of("train: {model: llama-2-7b}");
    struct error err = {0};
    char path[1024];
    struct str text;

    (void)state;
    assert_non_null(root);
    (void)snprintf(path, sizeof path, "%s/examples/deepspeed-zero3.json", root);
    if (!fs_read(path, JOB_MAX, &arena, &text, &err) ||
        !job_deepspeed(text, path, &job, &arena, &err) ||
        !job_resolve(&job, &catalog, (struct str){0}, &arena, &err))
        fail_msg("%s", err.text);
    assert_int_equal(job.train.parallel.zero, 3);
    assert_str_equal(job.train.parallel.offload, "optimizer");
    assert_int_equal(job.train.global_batch, -1);
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
        bool ok = job_deepspeed(STR("{\"bf16\": {\"enabled\": true}, \"train_batch_size\": 8,"
                                    "\"zero_optimization\": {\"stage\": 3}}"),
                                "ds.json", &copy, &own, &err);

        arena_free(&own);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
        assert_int_equal(err.kind, ERROR_MEMORY);
        assert_string_equal(err.text, "out of memory");
    }
}

int group_deepspeed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_what_decides_memory_and_speed),
        cmocka_unit_test(auto_stays_unknown),
        cmocka_unit_test(knows_old_files_and_every_offload),
        cmocka_unit_test(the_framework_of_the_job_stays),
        cmocka_unit_test(refuses_what_cannot_be),
        cmocka_unit_test(is_for_training_only),
        cmocka_unit_test(the_example_is_good),
        cmocka_unit_test(survives_any_failed_allocation),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
