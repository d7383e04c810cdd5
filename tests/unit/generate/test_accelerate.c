#include "merging.h"

static void keeps_the_file_and_its_way_of_distribution(void **state)
{
    (void)state;
    check_merge(CONFIG_ACCELERATE, &sharded,
                "# my machine\n"
                "compute_environment: LOCAL_MACHINE\n"
                "debug: false\n"
                "deepspeed_config:            # tuned in May\n"
                "    gradient_accumulation_steps: 1   # see the notes\n"
                "    # the host has 512 GB\n"
                "    offload_optimizer_device: none\n"
                "    zero3_init_flag: true\n"
                "    zero_stage: \"2\"\n"
                "# below is what accelerate wrote\n"
                "distributed_type: DEEPSPEED\n"
                "downcast_bf16: 'no'\n"
                "mixed_precision: 'fp16'\n"
                "num_machines: 1\n"
                "num_processes: 2\n"
                "tpu_env: []\n"
                "use_cpu: false\n",
                "# my machine\n"
                "compute_environment: LOCAL_MACHINE\n"
                "debug: false\n"
                "deepspeed_config:            # tuned in May\n"
                "    gradient_accumulation_steps: 2   # see the notes\n"
                "    # the host has 512 GB\n"
                "    offload_optimizer_device: cpu\n"
                "    zero3_init_flag: true\n"
                "    zero_stage: \"3\"\n"
                "# below is what accelerate wrote\n"
                "distributed_type: DEEPSPEED\n"
                "downcast_bf16: 'no'\n"
                "mixed_precision: 'bf16'\n"
                "num_machines: 1\n"
                "num_processes: 8\n"
                "tpu_env: []\n"
                "use_cpu: false\n");
}

static void sets_fsdp_by_its_own_keys(void **state)
{
    struct config_choice choice = sharded;

    (void)state;
    check_merge(CONFIG_ACCELERATE, &choice,
                "distributed_type: FSDP\r\n"
                "fsdp_config:\r\n"
                "  fsdp_sharding_strategy: SHARD_GRAD_OP\r\n"
                "  fsdp_offload_params: False\r\n"
                "\r\n"
                "mixed_precision: bf16\r\n"
                "num_machines: 1\r\n"
                "num_processes: 8",
                "distributed_type: FSDP\r\n"
                "fsdp_config:\r\n"
                "  fsdp_sharding_strategy: FULL_SHARD\r\n"
                "  fsdp_offload_params: True\r\n"
                "  fsdp_activation_checkpointing: true\r\n"
                "\r\n"
                "mixed_precision: bf16\r\n"
                "num_machines: 1\r\n"
                "num_processes: 8");
    choice = undecided;
    choice.zero = 3;
    check_merge(CONFIG_ACCELERATE, &choice,
                "distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: 2",
                "distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: 1");
    check_merge(
        CONFIG_ACCELERATE, &choice,
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: HYBRID_SHARD\n",
        "distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: HYBRID_SHARD\n");
    check_merge(CONFIG_ACCELERATE, &choice,
                "fsdp_config:\n  fsdp_version: 2\ndistributed_type: FSDP\n",
                "fsdp_config:\n  fsdp_version: 2\n  fsdp_reshard_after_forward: true\n"
                "distributed_type: FSDP\n");
    choice.zero = 0;
    check_refused(CONFIG_ACCELERATE, &choice,
                  "distributed_type: FSDP\nfsdp_config: {fsdp_version: 2}\n",
                  "base.cfg: FSDP cannot do what the plan needs: whole copies", "DEEPSPEED");
    check_merge(CONFIG_ACCELERATE, &choice, "distributed_type: FSDP\n",
                "distributed_type: FSDP\nfsdp_config:\n  fsdp_sharding_strategy: NO_SHARD\n");
}

static void changes_the_way_of_distribution_when_it_cannot_do_it(void **state)
{
    (void)state;
    check_merge(CONFIG_ACCELERATE, &sharded,
                "distributed_type: MULTI_GPU\n"
                "deepspeed_config: {}\n"
                "mixed_precision: 'no'\n",
                "distributed_type: DEEPSPEED\n"
                "num_machines: 1\n"
                "num_processes: 8\n"
                "deepspeed_config:\n"
                "  zero_stage: 3\n"
                "  gradient_accumulation_steps: 2\n"
                "  offload_optimizer_device: cpu\n"
                "mixed_precision: 'bf16'\n");
    /* accelerate refuses MULTI_GPU on one. */
    check_merge(CONFIG_ACCELERATE, &picture,
                "distributed_type: MULTI_GPU # two cards\nnum_processes: 2\nnum_machines: 1\n"
                "mixed_precision: fp16\ngradient_accumulation_steps: 1\n",
                "distributed_type: 'NO' # two cards\nnum_processes: 1\nnum_machines: 1\n"
                "mixed_precision: bf16\ngradient_accumulation_steps: 4\n");
}

static void leaves_the_rest_to_a_deepspeed_file(void **state)
{
    (void)state;
    check_merge(CONFIG_ACCELERATE, &sharded,
                "deepspeed_config:\n"
                "  deepspeed_config_file: ds.json\n"
                "distributed_type: DEEPSPEED\n"
                "num_machines: 2\n"
                "num_processes: 2\n",
                "deepspeed_config:\n"
                "  deepspeed_config_file: ds.json\n"
                "distributed_type: DEEPSPEED\n"
                "num_machines: 1\n"
                "num_processes: 8\n");
}

static void knows_megatron_and_dynamo(void **state)
{
    struct config_choice choice = undecided;

    (void)state;
    choice.tensor = 4;
    choice.pipeline = 2;
    choice.accumulation = 8;
    choice.recompute = RECOMPUTE_SELECTIVE;
    choice.zero = 1;
    choice.compiled = true;
    check_merge(CONFIG_ACCELERATE, &choice,
                "distributed_type: MEGATRON_LM\n"
                "megatron_lm_config:\n"
                "  megatron_lm_gradient_clipping: 1.0\n"
                "  megatron_lm_pp_degree: 1\n"
                "  megatron_lm_tp_degree: 1\n",
                "distributed_type: MEGATRON_LM\n"
                "megatron_lm_config:\n"
                "  megatron_lm_gradient_clipping: 1.0\n"
                "  megatron_lm_pp_degree: 2\n"
                "  megatron_lm_num_micro_batches: 8\n"
                "  megatron_lm_recompute_activations: true\n"
                "  megatron_lm_use_distributed_optimizer: true\n"
                "  megatron_lm_tp_degree: 4\n"
                "dynamo_config:\n"
                "  dynamo_backend: INDUCTOR\n");
}

static void writes_a_complete_file_when_there_is_none(void **state)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    check_merge(CONFIG_ACCELERATE, &sharded, "",
                "compute_environment: LOCAL_MACHINE\n"
                "machine_rank: 0\n"
                "main_training_function: main\n"
                "distributed_type: DEEPSPEED\n"
                "num_machines: 1\n"
                "num_processes: 8\n"
                "mixed_precision: bf16\n"
                "deepspeed_config:\n"
                "  zero_stage: 3\n"
                "  gradient_accumulation_steps: 2\n"
                "  offload_optimizer_device: cpu\n");
    assert_true(merged(CONFIG_ACCELERATE, &picture, STR(""), "x.json", &out, &err));
    assert_str_equal(buf_text(&out), "{\n"
                                     "  \"compute_environment\": \"LOCAL_MACHINE\",\n"
                                     "  \"machine_rank\": 0,\n"
                                     "  \"main_training_function\": \"main\",\n"
                                     "  \"distributed_type\": \"NO\",\n"
                                     "  \"num_machines\": 1,\n"
                                     "  \"num_processes\": 1,\n"
                                     "  \"mixed_precision\": \"bf16\"\n"
                                     "}\n");
    buf_free(&out);
}

int group_accelerate(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_file_and_its_way_of_distribution),
        cmocka_unit_test(sets_fsdp_by_its_own_keys),
        cmocka_unit_test(changes_the_way_of_distribution_when_it_cannot_do_it),
        cmocka_unit_test(leaves_the_rest_to_a_deepspeed_file),
        cmocka_unit_test(knows_megatron_and_dynamo),
        cmocka_unit_test(writes_a_complete_file_when_there_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
