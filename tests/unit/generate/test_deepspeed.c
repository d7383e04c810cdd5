#include "merging.h"

static void changes_values_in_place(void **state)
{
    (void)state;
    check_merge(CONFIG_DEEPSPEED, &sharded,
                "{\n"
                "  \"zero_optimization\": {\n"
                "    \"overlap_comm\": true,\n"
                "    \"stage\": 2,\n"
                "    \"offload_optimizer\": {\"device\": \"none\", \"pin_memory\": true},\n"
                "    \"stage3_max_live_parameters\": 1e9\n"
                "  },\n"
                "\n"
                "  \"gradient_clipping\": \"auto\",\n"
                "  \"bf16\": { \"enabled\": \"auto\" },\n"
                "  \"fp16\": {\"enabled\":\"auto\", \"loss_scale\": 0},\n"
                "  \"train_batch_size\": \"auto\",\n"
                "  \"gradient_accumulation_steps\": \"auto\",\n"
                "  \"train_micro_batch_size_per_gpu\": \"auto\",\n"
                "  \"activation_checkpointing\": {\"cpu_checkpointing\": false},\n"
                "  \"optimizer\": {\"type\": \"Adam\", \"params\": {\"lr\": \"auto\"}},\n"
                "  \"my_own\": [1, {\"stage\": 7}]\n"
                "}\n",
                "{\n"
                "  \"zero_optimization\": {\n"
                "    \"overlap_comm\": true,\n"
                "    \"stage\": 3,\n"
                "    \"offload_optimizer\": {\"device\": \"cpu\", \"pin_memory\": true},\n"
                "    \"stage3_max_live_parameters\": 1e9\n"
                "  },\n"
                "\n"
                "  \"gradient_clipping\": \"auto\",\n"
                "  \"bf16\": { \"enabled\": true },\n"
                "  \"fp16\": {\"enabled\":false, \"loss_scale\": 0},\n"
                "  \"train_batch_size\": 64,\n"
                "  \"gradient_accumulation_steps\": 2,\n"
                "  \"train_micro_batch_size_per_gpu\": 4,\n"
                "  \"activation_checkpointing\": {\"cpu_checkpointing\": false},\n"
                "  \"optimizer\": {\"type\": \"Adam\", \"params\": {\"lr\": \"auto\"}},\n"
                "  \"my_own\": [1, {\"stage\": 7}]\n"
                "}\n");
}

static void adds_what_is_missing_as_the_file_is_laid_out(void **state)
{
    (void)state;
    /* Tabs, CR LF, no line end at the end of the file. */
    check_merge(
        CONFIG_DEEPSPEED, &sharded,
        "{\r\n\t\"steps_per_print\" : 10,\r\n"
        "\t\"train_micro_batch_size_per_gpu\" : 1,\r\n"
        "\t\"zero_optimization\" : {},\r\n\t\"x\" : null\r\n}",
        "{\r\n\t\"steps_per_print\" : 10,\r\n"
        "\t\"train_micro_batch_size_per_gpu\" : 4,\r\n"
        "\t\"gradient_accumulation_steps\" : 2,\r\n"
        "\t\"train_batch_size\" : 64,\r\n"
        "\t\"bf16\" : {\r\n\t\t\"enabled\" : true\r\n\t},\r\n"
        "\t\"zero_optimization\" : {\r\n\t\t\"stage\" : 3,\r\n"
        "\t\t\"offload_optimizer\" : {\r\n\t\t\t\"device\" : \"cpu\"\r\n\t\t}\r\n\t},\r\n"
        "\t\"activation_checkpointing\" : {\r\n"
        "\t\t\"partition_activations\" : false\r\n\t},\r\n"
        "\t\"x\" : null\r\n}");
    check_merge(CONFIG_DEEPSPEED, &sharded,
                "{\"bf16\":{\"enabled\":false},\"zero_optimization\":null}",
                "{\"bf16\":{\"enabled\":true},\"zero_optimization\":{\"stage\":3,"
                " \"offload_optimizer\":{\"device\":\"cpu\"}},"
                "\"activation_checkpointing\":{\"partition_activations\":false},"
                "\"train_micro_batch_size_per_gpu\":4,"
                "\"gradient_accumulation_steps\":2,\"train_batch_size\":64}");
    check_merge(CONFIG_DEEPSPEED, &picture, "{}",
                "{\n"
                "    \"train_micro_batch_size_per_gpu\": 2,\n"
                "    \"gradient_accumulation_steps\": 4,\n"
                "    \"train_batch_size\": 8,\n"
                "    \"bf16\": {\n"
                "        \"enabled\": true\n"
                "    },\n"
                "    \"zero_optimization\": {\n"
                "        \"stage\": 0\n"
                "    },\n"
                "    \"activation_checkpointing\": {\n"
                "        \"partition_activations\": false\n"
                "    }\n"
                "}");
}

static void writes_a_complete_file_when_there_is_none(void **state)
{
    struct config_choice disk = sharded;

    (void)state;
    disk.offload = OFFLOAD_NVME;
    disk.recompute = RECOMPUTE_NONE;
    check_merge(CONFIG_DEEPSPEED, &disk, "",
                "{\n"
                "    \"train_micro_batch_size_per_gpu\": 4,\n"
                "    \"gradient_accumulation_steps\": 2,\n"
                "    \"train_batch_size\": 64,\n"
                "    \"bf16\": {\n"
                "        \"enabled\": true\n"
                "    },\n"
                "    \"zero_optimization\": {\n"
                "        \"stage\": 3,\n"
                "        \"offload_optimizer\": {\n"
                "            \"device\": \"nvme\",\n"
                "            \"nvme_path\": \"/local_nvme\"\n"
                "        },\n"
                "        \"offload_param\": {\n"
                "            \"device\": \"nvme\",\n"
                "            \"nvme_path\": \"/local_nvme\"\n"
                "        }\n"
                "    }\n"
                "}\n");
}

static void keeps_the_batch_consistent(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    /* The accumulation is the file's; the batch follows. */
    choice.micro_batch = 8;
    choice.gpus = 16;
    choice.tensor = 2;
    choice.pipeline = 2;
    check_merge(CONFIG_DEEPSPEED, &choice,
                "{\"train_batch_size\": 32, \"gradient_accumulation_steps\": 3,"
                " \"tensor_parallel\": {\"autotp_size\": 1}, \"pipeline\": {\"stages\": 1}}",
                "{\"train_batch_size\": 96, \"gradient_accumulation_steps\": 3,"
                " \"tensor_parallel\": {\"autotp_size\": 2}, \"pipeline\": {\"stages\": 2},"
                " \"train_micro_batch_size_per_gpu\": 8}");
    choice.global_batch = 100;
    choice.accumulation = 3;
    check_refused(CONFIG_DEEPSPEED, &choice, "{}",
                  "base.cfg: a batch of 100 is not 8 x 3 accumulated x 4 GPUs",
                  "leave one of them");
    choice.micro_batch = choice.accumulation = INT64_MAX / 2;
    check_refused(CONFIG_DEEPSPEED, &choice, "{}",
                  "base.cfg: a batch as large as this has no number", "");
}

static void switches_precisions_over(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    choice.precision = PRECISION_AMP_FP16;
    check_merge(CONFIG_DEEPSPEED, &choice,
                "{\"bfloat16\": {\"enabled\": true}, \"amp\": {\"enabled\": true}}",
                "{\"bfloat16\": {\"enabled\": false}, \"fp16\": {\"enabled\": true}, "
                "\"amp\": {\"enabled\": false}}");
    choice.precision = PRECISION_FP32;
    check_merge(CONFIG_DEEPSPEED, &choice, "{\"fp16\": {\"enabled\": true}}",
                "{\"fp16\": {\"enabled\": false}}");
    choice.precision = PRECISION_BF16_PURE;
    choice.zero = 2;
    check_merge(CONFIG_DEEPSPEED, &choice,
                "{\"bf16\": {\"enabled\": true}, \"zero_optimization\": {\"stage\": 2}}",
                "{\"bf16\": {\"enabled\": true, \"bf16_master_weights_and_grads\": true, "
                "\"bf16_optimizer_states\": true}, \"zero_optimization\": {\"stage\": 2}}");
    choice.zero = 0;
    check_refused(CONFIG_DEEPSPEED, &choice, "{}",
                  "base.cfg: DeepSpeed cannot train in bf16-pure without ZeRO",
                  "precision=bf16");
    choice.precision = PRECISION_FP8;
    check_refused(CONFIG_DEEPSPEED, &choice, "{}", "base.cfg: DeepSpeed cannot train in fp8",
                  "precision=bf16");
}

static void takes_offloading_back(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    choice.offload = OFFLOAD_NONE;
    check_merge(CONFIG_DEEPSPEED, &choice,
                "{\"zero_optimization\": {\"offload_param\": {\"device\": \"cpu\"},"
                " \"cpu_offload\": true}}",
                "{\"zero_optimization\": {\"offload_param\": {\"device\": \"none\"},"
                " \"cpu_offload\": false}}");
    choice.offload = OFFLOAD_ALL;
    check_merge(CONFIG_DEEPSPEED, &choice,
                "{\"zero_optimization\": {\"offload_param\": {\"device\": \"none\"}}}",
                "{\"zero_optimization\": {\"offload_param\": {\"device\": \"cpu\"},"
                " \"offload_optimizer\": {\"device\": \"cpu\"}}}");
}

static void names_an_optimizer_only_where_one_is(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    choice.optimizer = OPTIMIZER_LION;
    check_merge(CONFIG_DEEPSPEED, &choice, "{\"a\": 1}", "{\"a\": 1}");
    check_merge(CONFIG_DEEPSPEED, &choice, "{\"optimizer\": {\"type\": \"AdamW\"}}",
                "{\"optimizer\": {\"type\": \"Lion\"}}");
    choice.optimizer = OPTIMIZER_ADAMW_1BIT; /* another of the same kind stays */
    check_merge(CONFIG_DEEPSPEED, &choice, "{\"optimizer\": {\"type\": \"OneBitLamb\"}}",
                "{\"optimizer\": {\"type\": \"OneBitLamb\"}}");
    choice.optimizer = OPTIMIZER_ADAMW_8BIT;
    check_refused(CONFIG_DEEPSPEED, &choice, "{\"optimizer\": {\"type\": \"AdamW\"}}",
                  "base.cfg: DeepSpeed has no optimizer 'adamw-8bit'", "'optimizer'");
}

static void keeps_numbers_in_quotes(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    choice.micro_batch = 4;
    check_merge(CONFIG_DEEPSPEED, &choice, "{\"train_micro_batch_size_per_gpu\": \"16\"}",
                "{\"train_micro_batch_size_per_gpu\": \"4\"}");
    check_merge(CONFIG_DEEPSPEED, &choice,
                "{\"a\\\"b}\": \"]}\\\\\", \"train_micro_batch_size_per_gpu\": null}",
                "{\"a\\\"b}\": \"]}\\\\\", \"train_micro_batch_size_per_gpu\": 4}");
}

static void refuses_other_files(void **state)
{
    (void)state;
    check_refused(CONFIG_DEEPSPEED, &sharded, "bf16: true\n",
                  "base.cfg:1:1: unknown word 'bf16'", "is JSON");
    check_refused(CONFIG_DEEPSPEED, &sharded, "[1]", "base.cfg: expected keys and values",
                  "is JSON");
    check_refused(CONFIG_DEEPSPEED, &sharded, "{\"a\": 1, \"a\": 2}",
                  "base.cfg:1: the second key 'a'", "keep one of them");
    check_refused(CONFIG_DEEPSPEED, &sharded, "{\"zero_optimization\": true}",
                  "base.cfg: 'stage' cannot be set: its section holds one value", "{");
    check_refused(CONFIG_DEEPSPEED, &sharded, "{\"train_batch_size\": [1]}",
                  "base.cfg: 'train_batch_size' cannot be set: it holds several values",
                  "one value");
    /* A key that is spelled with an escape is not seen, so it would be there twice. */
    check_refused(CONFIG_DEEPSPEED, &sharded, "{\"train_batch\\u005fsize\": 1}",
                  "base.cfg: a file of this form cannot be edited", "a line of their own");
}

static void refuses_a_file_that_is_too_large(void **state)
{
    enum { SIZE = 300 * 1024 };
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf base = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    buf_adds(&base, "{}");
    buf_pad(&base, ' ', SIZE);
    assert_false(merged(CONFIG_DEEPSPEED, &sharded, buf_text(&base), "x", &out, &err));
    assert_string_equal(err.text, "x: larger than 256 KB: not a configuration");
    buf_free(&base);
    buf_free(&out);
}

int group_deepspeed(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_values_in_place),
        cmocka_unit_test(adds_what_is_missing_as_the_file_is_laid_out),
        cmocka_unit_test(writes_a_complete_file_when_there_is_none),
        cmocka_unit_test(keeps_the_batch_consistent),
        cmocka_unit_test(switches_precisions_over),
        cmocka_unit_test(takes_offloading_back),
        cmocka_unit_test(names_an_optimizer_only_where_one_is),
        cmocka_unit_test(keeps_numbers_in_quotes),
        cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(refuses_a_file_that_is_too_large),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
