/* Configurations of training tools as jobs. */
#include "jobs.h"

#include <math.h>

static void check_text(struct str text, const char *expected)
{
    if (!str_eq(text, str_from(expected)))
        fail_msg("'%.*s' is not '%s'", STR_ARG(text), expected);
}

static struct job job_of_toml(const char *text)
{
    struct error err = {0};
    struct job job;

    if (!read_job_named(text, "k.toml", &job, &err))
        fail_msg("'%s': %s", text, err.text);
    return job;
}

static void reads_axolotl(void **state)
{
    struct job job = job_of("base_model: NousResearch/Meta-Llama-3-8B\n"
                            "load_in_4bit: true\n"
                            "datasets: [{path: tatsu-lab/alpaca, type: alpaca}]\n"
                            "sequence_len: 4096\n"
                            "adapter: lora\n"
                            "lora_r: 32\n"
                            "lora_target_modules: [q_proj, v_proj, embed_tokens]\n"
                            "gradient_accumulation_steps: 4\n"
                            "micro_batch_size: 2\n"
                            "num_epochs: 3\n"
                            "optimizer: paged_adamw_8bit\n"
                            "bf16: auto\n"
                            "gradient_checkpointing: true\n"
                            "flash_attention: true\n"
                            "deepspeed: deepspeed_configs/zero3_bf16_cpuoffload_all.json\n"
                            "wandb_project: mine\n");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_AXOLOTL);
    check_text(job.train.model, "NousResearch/Meta-Llama-3-8B");
    check_text(job.train.method, "qlora"); /* adapters over 4 bits */
    check_text(job.train.targets, "q_proj,v_proj,embed_tokens");
    check_text(job.train.recompute, "full");
    check_text(job.train.attention, "flash");
    check_text(job.train.parallel.offload, "all");
    check_text(job.train.framework, "hf");
    assert_true(job.train.rank == 32 && job.train.epochs == 3);
    assert_int_equal(job.train.sequence, 4096);
    assert_int_equal(job.train.micro_batch, 2);
    assert_int_equal(job.train.accumulation, 4);
    assert_int_equal(job.train.parallel.zero, 3);
}

/* All that was not used, with commas. */
static void check_unused(const struct job *job, const char *expected)
{
    char text[1000] = "";
    size_t used = 0;

    for (size_t i = 0; i < job->tool_unused.len && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", i > 0 ? ", " : "",
                                 STR_ARG(job->tool_unused.at[i]));
    assert_string_equal(text, expected);
}

static void modules_trained_in_full_are_read_in_each_tools_words(void **state)
{
    static const char *const texts[] = {
        "{base_model: gpt2, adapter: lora, num_epochs: 1, lora_modules_to_save: [embed_tokens, "
        "lm_head]}",
        "{model_name_or_path: gpt2, finetuning_type: lora, additional_target: "
        "'embed_tokens,lm_head'}",
        "{model_name_or_path: gpt2, num_train_epochs: 1, use_peft: true, lora_modules_to_save: "
        "[embed_tokens, lm_head]}",
        "{peft_type: LORA, base_model_name_or_path: gpt2, r: 8, modules_to_save: "
        "[embed_tokens, "
        "lm_head]}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct job job = job_of(texts[i]);

        check_text(job.train.modules_to_save, "embed_tokens,lm_head");
        check_unused(&job, "");
    }
    check_text(job_of("{base_model: gpt2, num_epochs: 1, lora_modules_to_save: [lm_head]}")
                   .train.modules_to_save,
               ""); /* no adapters */
}

static void targets_may_be_patterns_and_paths(void **state)
{
    struct job job = job_of("{base_model: gpt2, adapter: lora, num_epochs: 1,"
                            " lora_target_modules: '.*mlp\\.(gate_proj|up_proj)$'}");

    (void)state;
    check_text(job.train.targets, "gate_proj,up_proj");
    check_text(job.tool_open, "");
    job = job_of("{base_model: gpt2, adapter: lora, num_epochs: 1,"
                 " lora_target_modules: [layers.3.self_attn.q_proj]}");
    check_text(job.train.targets, "q_proj");
    job = job_of("{base_model: gpt2, adapter: lora, num_epochs: 1,"
                 " lora_target_modules: all-linear}");
    check_text(job.train.targets, "all-linear");
    /* alternatives with what follows them; blocks count only where nothing else is named */
    job = job_of("{base_model: gpt2, adapter: lora, num_epochs: 1, lora_target_modules:"
                 " 'model.layers.[\\d]+.(mlp|self_attn).(up|down|gate|q|k|v|o)_proj'}");
    check_text(job.train.targets, "up_proj,down_proj,gate_proj,q_proj,k_proj,v_proj,o_proj");
    check_text(job.tool_open, "");
    job = job_of("{base_model: gpt2, adapter: lora, num_epochs: 1,"
                 " lora_target_modules: '^.*\\.[qv]_proj$'}");
    check_text(job.train.targets, "q_proj,v_proj");
    job = job_of("{base_model: gpt2, adapter: lora, num_epochs: 1,"
                 " lora_target_modules: '.*self_attn.*'}");
    check_text(job.train.targets, "attn");
    job = job_of("{model: {_component_: torchtune.models.llama3.lora_llama3_8b, lora_rank: 8,"
                 " lora_attn_modules: [q_proj, v_proj, output_proj], apply_lora_to_mlp: true,"
                 " apply_lora_to_output: true}, batch_size: 2}");
    check_text(job.train.targets,
               "q_proj,v_proj,output_proj,gate_proj,up_proj,down_proj,lm_head");
}

static void what_changes_the_cost_and_is_not_computed_is_named(void **state)
{
    struct job job = job_of("{base_model: gpt2, adapter: lora, num_epochs: 1, output_dir: x,"
                            " wandb_project: y, seed: 1, peft_use_dora: true, peft_use_rslora:"
                            " true, optimizer: galore_adamw, relora_steps: 150, learning_rate:"
                            " 1e-4, save_steps: 0.1, special_tokens: {pad_token: x},"
                            " new_thing: 7, new_switch: false}");

    (void)state;
    check_unused(&job, "relora_steps (150), new_thing (7)");
    check_text(job.train.optimizer, "adamw");
    check_text(job.train.dora, "yes");
    assert_true(isnan(job.train.galore_rank)); /* which is of full training */
    job = job_of("{model_name_or_path: gpt2, finetuning_type: lora, use_unsloth: true,"
                 " use_dora: true, use_rslora: true, report_to: wandb}");
    check_unused(&job, "use_unsloth");
    job = job_of("{model: {_component_: torchtune.models.qwen2.lora_qwen2_0_5b, lora_rank: 8,"
                 " lora_attn_modules: [q_proj], use_dora: true}, teacher_model: {_component_:"
                 " torchtune.models.qwen2.qwen2_1_5b}, batch_size: 2}");
    check_unused(&job, "teacher_model._component_ (torchtune.models.qwen2.qwen2_1_5b)");
    job = job_of("{base_model: gpt2, num_epochs: 1, micro_batch_size: 1}");
    check_unused(&job, "");
}

static void less_than_everything_is_trained(void **state)
{
    struct job job = job_of("{model_name_or_path: gpt2, finetuning_type: freeze,"
                            " freeze_trainable_modules: all, use_dora: true}");

    (void)state;
    check_unused(&job, "");
    check_text(job.train.method, "full");
    assert_int_equal(job.train.trained_layers, 2); /* LLaMA-Factory's own number */
    assert_int_equal(job.train.dora.len, 0);       /* of adapters */
    job = job_of("{model_name_or_path: gpt2, finetuning_type: freeze, freeze_trainable_layers:"
                 " -3, freeze_trainable_modules: mlp}");
    check_unused(&job, "freeze_trainable_modules (mlp), freeze_trainable_layers (-3)");
    assert_true(job.train.trained_layers < 1);
    job = job_of("{model_name_or_path: gpt2, finetuning_type: full, use_galore: true,"
                 " galore_target: q_proj, galore_layerwise: true}");
    check_unused(&job, "galore_target (q_proj)");
    assert_true(job.train.galore_rank == 16);
    check_text(job.train.fused_step, "yes");
    job = job_of("{base_model: gpt2, num_epochs: 1, optimizer: galore_adafactor_layerwise,"
                 " optim_args: {rank: 64}}");
    check_text(job.train.optimizer, "adafactor");
    assert_true(job.train.galore_rank == 64);
    job = job_of("{model_name_or_path: gpt2, num_train_epochs: 1, optim: galore_adamw,"
                 " optim_args: \"update_proj_gap=50, rank = 32\"}");
    assert_true(job.train.galore_rank == 32);
    job = job_of("{model: {_component_: torchtune.models.llama2.llama2_7b}, batch_size: 2,"
                 " optimizer: {_component_: galore_torch.GaLoreAdamW8bit, rank: 256}}");
    assert_true(job.train.galore_rank == 256);
    check_text(job.train.optimizer, "adamw-8bit");
    check_text(job.tool_open, "");
    job = job_of("{model: {_component_: torchtune.models.llama2.llama2_7b}, batch_size: 2,"
                 " optimizer: {_component_: galore_torch.GaLoreAdamW, lr: 1.0e-5}}");
    assert_true(job.train.galore_rank == 128);
    check_text(job.tool_open, "optimizer.rank (not in this file, computed as 128)");
    job = job_of("{checkpoint_dir: checkpoints/openlm/open_llama_3b, train: {max_tokens:"
                 " 1000000, micro_batch_size: 1}, optimizer: {class_path: galore_torch."
                 "GaLoreAdamW, init_args: {rank: 64}}}");
    assert_true(job.train.galore_rank == 64);
    job =
        job_of("{base_model: gpt2, num_epochs: 1, optimizer: galore_adamw, optim_args: rank}");
    assert_true(job.train.galore_rank == 128); /* transformers' own */
}

static void files_of_other_tools_are_named(void **state)
{
    static const char *const texts[] = {
        "{base_model: gpt2, adapter: {type: lora}, input_features: []}",
        "{model: gpt2, train: true, iters: 10}",
        "{model: {model_name: gpt2}, training: {}}",
        "{names: [a], train: x, val: y}",
        "{apiVersion: v1, kind: Pod}",
    };
    struct error err = {0};
    struct job job;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        assert_false(job_read(str_from(texts[i]), "a.yaml", &job, &arena, &err));
        if (strstr(err.text, "which is not read") == NULL || err.hint[0] == '\0')
            fail_msg("%s: %s", texts[i], err.text);
    }
    /* Ours may use such words, too. */
    if (!job_read(STR("{name: run, train: {model: gpt2, data: {tokens: 1M}}}"), "a.yaml", &job,
                  &arena, &err))
        fail_msg("%s", err.text);
    assert_false(
        job_read(STR("x = llm.llama3_8b.finetune_recipe()"), "a.py", &job, &arena, &err));
    assert_non_null(strstr(err.hint, "llama-3-8b"));
    assert_false(job_read(STR("llm.llm.llm."), "a.sh", &job, &arena, &err));
}

static void attention_and_loss_are_read(void **state)
{
    struct job job = job_of("{model_name_or_path: gpt2, num_train_epochs: 1,"
                            " attn_implementation: eager, use_liger_kernel: true}");

    (void)state;
    check_text(job.train.attention, "plain");
    check_text(job.train.loss, "fused");
    job = job_of("{base_model: gpt2, num_epochs: 1, sdp_attention: true, fp8: true, plugins:"
                 " [axolotl.integrations.cut_cross_entropy.CutCrossEntropyPlugin]}");
    check_text(job.train.attention, "flash");
    check_text(job.train.loss, "fused");
    check_text(job.train.precision, "fp8");
}

static void sections_are_named_by_what_is_inside(void **state)
{
    struct job job = job_of("{base_model: gpt2, num_epochs: 1,"
                            " mine: {freeze_embeddings: true}, other: {x: 1}}");

    (void)state;
    check_unused(&job, "mine.freeze_embeddings, other");
    job = job_of("{base_model: gpt2, num_epochs: [2], adapter: lora, lora_r: {a: 4},"
                 " sequence_len: []}");
    check_unused(&job, "lora_r, num_epochs"); /* where one value is expected */
}

static void adapters_have_their_tools_defaults(void **state)
{
    struct job job = job_of("{model_name_or_path: gpt2, finetuning_type: lora, stage: sft}");

    (void)state;
    assert_true(job.train.rank == 8);
    job = job_of("{model_name_or_path: gpt2, num_train_epochs: 1, use_peft: true}");
    check_text(job.train.targets, "q_proj,v_proj"); /* PEFT's */
    job = job_of("{model: {_component_: torchtune.models.llama3.qlora_llama3_8b,"
                 " lora_attn_modules: [q_proj]}, batch_size: 2}");
    assert_true(job.train.rank == 8);
    job = job_of("{checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf, lora_r: 4,"
                 " train: {micro_batch_size: 1}}");
    check_text(job.train.targets, "q_proj,v_proj");
    job = job_of("{checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf, lora_r: 4,"
                 " lora_query: false, lora_mlp: true, train: {micro_batch_size: 1}}");
    check_text(job.train.targets, "gate_proj,up_proj,down_proj,v_proj");
    job = job_of_toml("pretrained_model_name_or_path = 'sd_xl.safetensors'\n"
                      "network_module = 'networks.lora'\n"
                      "network_args = ['conv_dim=16', \"conv_alpha=8\",\n 'algo=lokr']\n");
    assert_true(job.train.rank == 4);
    check_unused(&job, "network_args (conv_dim=16), network_args (algo=lokr)");
}

static void new_words_are_left_open(void **state)
{
    struct job job = job_of("{base_model: gpt2, num_epochs: 1, attn_implementation: sage}");

    (void)state;
    check_text(job.tool_open, "attn_implementation (sage)");
    job = job_of("{base_model: gpt2, num_epochs: 1, attn_implementation: flex_attention}");
    check_text(job.tool_open, "");
    check_text(job.train.attention, "flash");
    job = job_of("{checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf, precision: 16-true,"
                 " train: {micro_batch_size: 1}}");
    check_text(job.tool_open, "precision (16-true)");
    job = job_of("{distributed_type: MULTI_GPU, num_processes: 2, mixed_precision: bf16}");
    check_text(job.tool_open, "");
}

static void axolotl_trains_in_the_precision_it_loads(void **state)
{
    struct job job = job_of("{base_model: gpt2, num_epochs: 1, bf16: auto}");

    (void)state;
    check_text(job.train.precision, "bf16-pure");
    job = job_of("{base_model: gpt2, num_epochs: 1, bf16: true, adapter: lora}");
    check_text(job.train.precision, "");
    job = job_of("{base_model: gpt2, num_epochs: 1, bf16: true, deepspeed: ds/zero2.json}");
    check_text(job.train.precision, ""); /* which keeps a copy in 32 bits */
}

static void recomputation_is_switched_on_in_several_places(void **state)
{
    struct job job = job_of("{model_name_or_path: gpt2, num_train_epochs: 1, fsdp: full_shard,"
                            " fsdp_config: {fsdp_activation_checkpointing: true}}");

    (void)state;
    check_text(job.train.recompute, "full");
    check_unused(&job, "");
    job = job_of("{base_model: gpt2, num_epochs: 1, gradient_checkpointing: true,"
                 " fsdp_config: {activation_checkpointing: false}}");
    check_text(job.train.recompute, "full");
}

static void a_share_of_the_data_that_is_evaluated_takes_time(void **state)
{
    struct job job = job_of("{base_model: gpt2, num_epochs: 1, val_set_size: 0.1,"
                            " evals_per_epoch: 3}");

    (void)state;
    /* 3 x 0.1 / 0.9 x 1/3 of the training beside it */
    assert_true(fabs(job.train.evaluation - 0.1) < 1e-3);
    check_unused(&job, "");
    job = job_of("{base_model: gpt2, num_epochs: 1, val_set_size: 2000}");
    assert_true(isnan(job.train.evaluation));
    check_unused(&job, "val_set_size (2000)");
    assert_true(
        isnan(job_of("{base_model: gpt2, num_epochs: 1, val_set_size: 0}").train.evaluation));
    /* LLaMA-Factory evaluates only when the file says when; the share is held back anyway */
    job = job_of("{model_name_or_path: gpt2, stage: sft, dataset: 'a,b', max_samples: 1000,"
                 " val_size: 0.1}");
    assert_true(isnan(job.train.evaluation) && job.train.data.examples == 1800);
    check_unused(&job, "");
    job = job_of("{model_name_or_path: gpt2, stage: sft, dataset: a, max_samples: 1000,"
                 " val_size: 0.1, eval_strategy: epoch}");
    assert_true(fabs(job.train.evaluation - 0.0357) < 1e-3);
    check_unused(&job, "");
    job = job_of("{model_name_or_path: gpt2, stage: sft, dataset: a, eval_strategy: epoch,"
                 " eval_dataset: b}");
    check_unused(&job, "eval_strategy (epoch)");
}

/* The objective, and of what is written: answers to a prompt, longest prompt and answer,
 * passes, GPUs of their own. */
static void reads_preferences_and_rewards(void **state)
{
    static const struct {
        const char *text, *objective;
        int64_t generations, prompt, completion, passes, engine_gpus;
    } cases[] = {
        {"{model_name_or_path: gpt2, max_steps: 450, per_device_train_batch_size: 8,"
         " num_generations: 8, max_prompt_length: 256, max_completion_length: 1024,"
         " num_iterations: 2, use_vllm: true}",
         "grpo", 8, 256, 1024, 2, 1},
        {"{model_name_or_path: gpt2, num_train_epochs: 1, num_generations: 8, use_vllm: true,"
         " vllm_mode: colocate}",
         "grpo", 8, -1, -1, -1, -1},
        {"{model_name_or_path: gpt2, num_train_epochs: 1, num_ppo_epochs: 3,"
         " response_length: 53}",
         "ppo", -1, -1, 53, 3, -1},
        {"{model_name_or_path: gpt2, num_train_epochs: 1, rloo_k: 4}", "rloo", 4, -1, -1, -1,
         -1},
        {"{model_name_or_path: gpt2, num_train_epochs: 1, beta: 0.1, max_prompt_length: 5}",
         "dpo", -1, -1, -1, -1, -1},
        {"{model_name_or_path: gpt2, num_train_epochs: 1, desirable_weight: 1.0}", "kto", -1,
         -1, -1, -1, -1},
        {"{base_model: gpt2, num_epochs: 1, rl: orpo}", "orpo", -1, -1, -1, -1, -1},
        {"{base_model: gpt2, num_epochs: 1, rl: grpo, trl: {num_generations: 4,"
         " max_completion_length: 99, use_vllm: true, vllm_mode: server},"
         " vllm: {tensor_parallel_size: 2}}",
         "grpo", 4, -1, 99, -1, 2},
        {"{model_name_or_path: gpt2, stage: dpo, finetuning_type: lora}", "dpo", -1, -1, -1, -1,
         -1},
        {"{model_name_or_path: gpt2, stage: dpo, pref_loss: simpo, finetuning_type: lora}",
         "orpo", -1, -1, -1, -1, -1},
        {"{model_name_or_path: gpt2, stage: rm, finetuning_type: lora}", "rm", -1, -1, -1, -1,
         -1},
        {"{model_name_or_path: gpt2, stage: ppo, cutoff_len: 300, max_new_tokens: 77,"
         " ppo_epochs: 2}",
         "ppo", -1, 300, 77, 2, -1},
        {"{model: {_component_: torchtune.models.llama3.llama3_8b}, batch_size: 1, loss:"
         " {_component_: torchtune.rlhf.loss.DPOLoss}}",
         "dpo", -1, -1, -1, -1, -1},
        {"{pretrain: gpt2, zero_stage: 3, rollout_batch_size: 512, train_batch_size: 64,"
         " n_samples_per_prompt: 8, advantage_estimator: rloo, prompt_max_len: 99,"
         " generate_max_len: 199, max_epochs: 1, vllm_num_engines: 2,"
         " vllm_tensor_parallel_size: 2}",
         "rloo", 8, 99, 199, 1, 4},
        {"{pretrain: gpt2, micro_train_batch_size: 2, train_batch_size: 64, beta: 0.1,"
         " ref_pretrain: gpt2}",
         "dpo", -1, -1, -1, -1, -1},
        {"{actor_rollout_ref: {model: {path: gpt2}, actor: {ppo_epochs: 2, use_kl_loss: true},"
         " rollout: {name: vllm, n: 5}}, data: {train_batch_size: 64, max_prompt_length: 10,"
         " max_response_length: 20}, algorithm: {adv_estimator: grpo}, trainer:"
         " {total_epochs: 3}}",
         "grpo", 5, 10, 20, 2, -1},
        {"{model_name_or_path: gpt2, stage: sft, finetuning_type: lora}", "sft", -1, -1, -1, -1,
         -1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct job job = job_of(cases[i].text);
        const struct job_rollout *r = &job.train.rollout;

        if (!str_eq(job.train.objective, str_from(cases[i].objective)))
            fail_msg("%s: '%.*s'", cases[i].text, STR_ARG(job.train.objective));
        if (r->generations != cases[i].generations || r->prompt != cases[i].prompt ||
            r->completion != cases[i].completion || r->passes != cases[i].passes ||
            r->engine_gpus != cases[i].engine_gpus)
            fail_msg("%s: %lld %lld %lld %lld %lld", cases[i].text, (long long)r->generations,
                     (long long)r->prompt, (long long)r->completion, (long long)r->passes,
                     (long long)r->engine_gpus);
    }
    assert_true(job_of(cases[15].text).train.global_batch == 320);
}

/* Each model has GPUs of its own, 8 where nothing is said, unless it shares another's. */
static void reads_gpus_of_single_models(void **state)
{
#define OPENRLHF "pretrain: gpt2, zero_stage: 3, train_batch_size: 64, reward_pretrain: gpt2, "
#define VERL "actor_rollout_ref: {model: {path: gpt2}}, data: {train_batch_size: 64}, "
    static const struct {
        const char *text;
        int64_t policy, engine, reference, reward, critic;
        const char *beside, *async;
    } cases[] = {
        {"{" OPENRLHF "vllm_num_engines: 2, vllm_tensor_parallel_size: 2}", 8, 4, 8, 8, 8, "",
         ""},
        {"{" OPENRLHF "actor_num_nodes: 2, actor_num_gpus_per_node: 4, ref_num_nodes: 1,"
         " ref_num_gpus_per_node: 2, reward_num_gpus_per_node: 1, critic_num_gpus_per_node: 4,"
         " vllm_num_engines: 4}",
         8, 4, 2, 1, 4, "", ""},
        {"{" OPENRLHF "actor_num_gpus_per_node: 4, critic_num_gpus_per_node: 4,"
         " colocate_actor_ref: true, colocate_critic_reward: true, vllm_num_engines: 8}",
         4, 8, -1, -1, 4, "critic", ""},
        {"{" OPENRLHF "advantage_estimator: rloo, colocate_critic_reward: true,"
         " reward_num_gpus_per_node: 2, vllm_num_engines: 8}",
         8, 8, 8, 2, 8, "", ""},
        {"{" OPENRLHF "colocate_all_models: true, vllm_num_engines: 8}", -1, -1, -1, -1, -1, "",
         ""},
        {"{" OPENRLHF "colocate_all_models: true, async_train: true, vllm_num_engines: 8}", -1,
         8, -1, -1, -1, "", "yes"},
        {"{" VERL "reward_model: {enable: true, enable_resource_pool: true, n_gpus_per_node: 2,"
         " nnodes: 2}}",
         -1, -1, -1, 4, -1, "", ""},
        {"{" VERL "trainer: {nnodes: 2, n_gpus_per_node: 6}, rollout: {nnodes: 2,"
         " n_gpus_per_node: 2}}",
         12, 4, -1, -1, -1, "", "yes"},
    };
#undef OPENRLHF
#undef VERL

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct job job = job_of(cases[i].text);
        const struct job_rollout *r = &job.train.rollout;

        if (r->policy_gpus != cases[i].policy || r->engine_gpus != cases[i].engine ||
            r->reference_gpus != cases[i].reference || r->reward_gpus != cases[i].reward ||
            r->critic_gpus != cases[i].critic)
            fail_msg("%s: %lld %lld %lld %lld %lld", cases[i].text, (long long)r->policy_gpus,
                     (long long)r->engine_gpus, (long long)r->reference_gpus,
                     (long long)r->reward_gpus, (long long)r->critic_gpus);
        check_text(r->reward_beside, cases[i].beside);
        check_text(r->async, cases[i].async);
        assert_int_equal(job.tool_open.len, 0);
    }
}

static void what_may_multiply_the_work_is_warned_of_by_name(void **state)
{
    static const struct {
        const char *text, *warned;
    } cases[] = {
        {"{base_model: gpt2, num_epochs: 1, rl: xpo}", "rl (xpo, computed as plain"},
        {"{base_model: gpt2, num_epochs: 1, best_of: 4}", "best_of (4, computed as 1: "},
        {"{model_name_or_path: gpt2, num_train_epochs: 1, num_iterations: 3}",
         "num_iterations (3, computed as 1: "},
        {"{model_name_or_path: gpt2, stage: sft, ppo_epochs: 3}",
         "ppo_epochs (3, computed as 1: "},
        {"{model_name_or_path: gpt2, stage: sft, n_samples_per_prompt: 3}",
         "n_samples_per_prompt (3, computed as 1: "},
        {"{base_model: gpt2, num_epochs: 1, x: {num_return_sequences: 3}}",
         "x.num_return_sequences (3, computed as 1: "},
        {"{model_name_or_path: gpt2, num_train_epochs: 1, beta: 0.1}",
         "beta (0.1, computed as dpo; --set objective=O changes it)"},
        {"{model_name_or_path: gpt2, max_steps: 450, per_device_train_batch_size: 1,"
         " num_generations: 8, use_vllm: true}",
         "per_device_train_batch_size (1, computed as 8 answers: TRL before 0.15"},
    };
    struct job plain = job_of("{base_model: gpt2, num_epochs: 1, best_of: 1}");

    (void)state;
    assert_int_equal(plain.tool_open.len, 0);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct job job = job_of(cases[i].text);

        if (!str_starts(job.tool_open, str_from(cases[i].warned)))
            fail_msg("%s: '%.*s'", cases[i].text, STR_ARG(job.tool_open));
    }
}

static void reads_litgpt(void **state)
{
    struct job job = job_of("checkpoint_dir: checkpoints/meta-llama/Llama-2-7b-hf/\n"
                            "precision: bf16-true\n"
                            "quantize: bnb.nf4-dq\n"
                            "lora_r: 32\n"
                            "lora_query: true\n"
                            "lora_key: false\n"
                            "lora_value: true\n"
                            "lora_head: true\n"
                            "data: {class_path: litgpt.data.Alpaca2k}\n"
                            "train: {global_batch_size: 8, micro_batch_size: 2, epochs: 4,"
                            " max_seq_length: 512, max_steps: null}\n"
                            "optimizer: {class_path: torch.optim.AdamW}\n"
                            "seed: 1\n");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_LITGPT);
    check_text(job.train.model, "Llama-2-7b-hf");
    check_text(job.train.method, "qlora");
    check_text(job.train.base, "nf4-dq");
    check_text(job.train.targets, "q_proj,v_proj,lm_head");
    check_text(job.train.precision, "bf16-pure");
    check_text(job.train.framework, "litgpt");
    assert_int_equal(job.train.global_batch, 8);
    assert_int_equal(job.train.micro_batch, 2);
    assert_int_equal(job.train.sequence, 512);
    assert_true(job.train.epochs == 4 && job.train.rank == 32);
    check_unused(&job, "");
    job = job_of("{model_name: pythia-1b, out_dir: x, train: {max_tokens: 3000000000,"
                 " max_seq_length: 2048, global_batch_size: 512}}");
    assert_int_equal(job.tool, JOB_TOOL_LITGPT);
    assert_true(job.train.data.tokens == 3e9 && job.train.method.len == 0);
}

static void reads_nemo(void **state)
{
    struct job job = job_of("trainer: {devices: 8, precision: bf16-mixed, max_steps: 1000,"
                            " max_epochs: -1}\n"
                            "exp_manager: {name: x}\n"
                            "model: {micro_batch_size: 1, global_batch_size: 128,"
                            " tensor_model_parallel_size: 4, pipeline_model_parallel_size: 2,"
                            " encoder_seq_length: 4096, num_layers: 32, hidden_size: 4096,"
                            " num_attention_heads: 32, ffn_hidden_size: 11008, activation:"
                            " fast-swiglu, share_embeddings_and_output_weights: false,"
                            " activations_checkpoint_granularity: full, fp8: true,"
                            " optim: {name: distributed_fused_adam}}\n");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_NEMO);
    assert_int_equal(job.train.shape.layers, 32);
    assert_int_equal(job.train.shape.vocab, 51200);
    check_text(job.train.shape.gated, "yes");
    check_text(job.train.shape.tied, "no");
    check_text(job.train.recompute, "full");
    check_text(job.train.precision, "fp8");
    assert_int_equal(job.train.parallel.tensor, 4);
    assert_int_equal(job.train.parallel.pipeline, 2);
    assert_int_equal(job.train.parallel.zero, 1);
    assert_int_equal(job.train.global_batch, 128);
    assert_true(job.train.steps == 1000);
    job = job_of("{trainer: {max_steps: 10}, model: {encoder_seq_length: 512, micro_batch_size:"
                 " '${.global_batch_size}', global_batch_size: 8, data: {seq_length:"
                 " '${model.encoder_seq_length}'}, num_layers: 2, hidden_size: 64,"
                 " num_attention_heads: 2}}");
    assert_int_equal(job.train.sequence, 512);
    assert_int_equal(job.train.micro_batch, 8);
    job =
        job_of("{trainer: {max_epochs: 2, precision: bf16}, model: {restore_from_path:"
               " /models/llama2-7b.nemo, peft: {peft_scheme: lora, lora_tuning: {adapter_dim:"
               " 32, target_modules: [attention_qkv]}}, data: {train_ds: {micro_batch_size: 1,"
               " global_batch_size: 8, max_seq_length: 2048}}}}");
    check_text(job.train.model, "llama2-7b");
    check_text(job.train.method, "lora");
    assert_true(job.train.rank == 32 && job.train.epochs == 2);
    assert_int_equal(job.train.sequence, 2048);
    job = job_of("{trainer: {max_steps: 50, strategy: {tensor_model_parallel_size: 2}}, data:"
                 " {seq_length: 8192, micro_batch_size: 1, global_batch_size: 64}, model:"
                 " {config: {_target_: nemo.collections.llm.gpt.model.llama.Llama31Config8B}},"
                 " peft: {_target_: nemo.collections.llm.peft.LoRA, dim: 16}}");
    assert_int_equal(job.tool, JOB_TOOL_NEMO_2);
    check_text(job.train.model, "llama-3.1-8b");
    check_text(job.train.method, "lora");
    assert_int_equal(job.train.sequence, 8192);
}

static void reads_ultralytics(void **state)
{
    struct job job = job_of("{task: detect, mode: train, model: weights/yolov8m-seg.pt, data:"
                            " coco.yaml, epochs: 50, batch: 32, imgsz: [640, 480], optimizer:"
                            " auto, amp: false, lr0: 0.01, mosaic: 1.0, freeze: 10}");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_ULTRALYTICS);
    check_text(job.train.model, "yolov8m");
    check_text(job.train.precision, "fp32");
    assert_int_equal(job.train.global_batch, 32);
    assert_int_equal(job.train.resolution, 640);
    assert_true(job.train.epochs == 50);
    check_unused(&job, "freeze (10)");
    job = job_of("{model: yolo11n.yaml, imgsz: 320, batch: -1}");
    assert_int_equal(job.train.global_batch, 16);
    check_text(job.tool_open, "batch (-1)");
}

static void steps_come_before_epochs(void **state)
{
    struct job job = job_of("{base_model: gpt2, num_epochs: 3, max_steps: 100}");

    (void)state;
    assert_true(job.train.steps == 100 && isnan(job.train.epochs));
    job = job_of("{base_model: gpt2, num_epochs: 3, max_steps: -1}");
    assert_true(job.train.epochs == 3 && isnan(job.train.steps));
}

static void keys_of_adapters_are_left_out_of_full_training(void **state)
{
    struct job job = job_of("{base_model: gpt2, adapter: null, lora_r: 8, num_epochs: 1}");

    (void)state;
    assert_true(isnan(job.train.rank));
}

static void reads_llama_factory(void **state)
{
    struct job job = job_of("model_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct\n"
                            "stage: sft\n"
                            "finetuning_type: lora\n"
                            "quantization_bit: 4\n"
                            "lora_rank: 8\n"
                            "lora_target: all\n"
                            "cutoff_len: 2048\n"
                            "max_samples: 1000\n"
                            "per_device_train_batch_size: 1\n"
                            "gradient_accumulation_steps: 8\n"
                            "num_train_epochs: 3.0\n"
                            "bf16: true\n");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_LLAMA_FACTORY);
    check_text(job.train.method, "qlora");
    check_text(job.train.recompute, "full"); /* its default */
    assert_true(job.train.data.examples == 1000 && job.train.epochs == 3);
    job =
        job_of("{model_name_or_path: gpt2, stage: sft, disable_gradient_checkpointing: true}");
    check_text(job.train.recompute, "none");
}

static void reads_torchtune(void **state)
{
    static const struct {
        const char *component, *model, *method;
    } models[] = {
        {"torchtune.models.llama3_1.qlora_llama3_1_8b", "llama-3.1-8b", "qlora"},
        {"torchtune.models.llama2.lora_llama2_7b", "llama-2-7b", "lora"},
        {"torchtune.models.llama3.llama3_70b", "llama-3-70b", NULL},
        {"torchtune.models.qwen2_5.lora_qwen2_5_7b_instruct", "qwen2.5-7b", "lora"},
        {"torchtune.models.gemma2.gemma2_9b", "gemma-2-9b", NULL},
        {"torchtune.models.phi3.phi3_mini", "phi-3-mini", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(models); i++) {
        char text[400];
        struct job job;

        (void)snprintf(text, sizeof text,
                       "model: {_component_: %s, lora_attn_modules: [q_proj, v_proj], "
                       "apply_lora_to_mlp: True, lora_rank: 8}\n"
                       "tokenizer: {max_seq_len: null}\nbatch_size: 2\nepochs: 1\n"
                       "optimizer: {_component_: torch.optim.AdamW, lr: 3e-4}\n"
                       "enable_activation_checkpointing: True\ncompile: False\n",
                       models[i].component);
        job = job_of(text);
        assert_int_equal(job.tool, JOB_TOOL_TORCHTUNE);
        check_text(job.train.model, models[i].model);
        check_text(job.train.framework, "torchtune");
        check_text(job.train.recompute, "full");
        assert_int_equal(job.train.micro_batch, 2);
        if (models[i].method != NULL) {
            check_text(job.train.method, models[i].method);
            check_text(job.train.targets, "q_proj,v_proj,gate_proj,up_proj,down_proj");
        }
    }
}

static void reads_training_arguments_and_state(void **state)
{
    struct job job = job_of("{\"output_dir\": \"out\", \"per_device_train_batch_size\": 8,"
                            "\"num_train_epochs\": 3.0, \"max_steps\": -1, \"fp16\": true,"
                            "\"gradient_checkpointing\": false, \"optim\": \"adamw_torch\"}");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_TRAINER);
    assert_int_equal(job.train.micro_batch, 8);
    check_text(job.train.precision, "amp-fp16");
    check_text(job.train.recompute, "none");
    job = job_of("{\"log_history\": [], \"global_step\": 5, \"max_steps\": 1500,"
                 "\"train_batch_size\": 4, \"num_train_epochs\": 3}");
    assert_int_equal(job.tool, JOB_TOOL_STATE);
    assert_true(job.train.steps == 1500);
}

static void reads_accelerate(void **state)
{
    struct job job = job_of("{compute_environment: LOCAL_MACHINE, distributed_type: DEEPSPEED,"
                            "mixed_precision: fp16, deepspeed_config: {zero_stage: 2,"
                            "offload_optimizer_device: cpu, offload_param_device: none}}");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_ACCELERATE);
    assert_int_equal(job.train.parallel.zero, 2);
    check_text(job.train.parallel.offload, "optimizer");
    check_text(job.train.precision, "fp16-master"); /* DeepSpeed has no autocast */
    job = job_of("{distributed_type: FSDP, num_processes: 8, fsdp_config: {fsdp_version: 2}}");
    assert_int_equal(job.train.parallel.zero, 3);
}

static void reads_frozen_weights_of_eight_bits(void **state)
{
    struct job job = job_of("{base_model: gpt2, adapter: lora, load_in_8bit: true}");

    (void)state;
    check_text(job.train.method, "qlora");
    check_text(job.train.base, "int8");
    job = job_of("{base_model: gpt2, adapter: lora, load_in_8bit: false, load_in_4bit: true}");
    check_text(job.train.method, "qlora");
    assert_int_equal(job.train.base.len, 0);
    job = job_of("{model_name_or_path: gpt2, finetuning_type: lora, quantization_bit: 8}");
    check_text(job.train.base, "int8");
    job = job_of("{model_name_or_path: gpt2, finetuning_type: lora, quantization_bit: 3}");
    check_text(job.train.method, "lora");
    check_text(job.tool_open, "quantization_bit (3)");
    job = job_of_toml("pretrained_model_name_or_path = 'flux1-dev'\nnetwork_dim = 4\n"
                      "fp8_base = true\n");
    check_text(job.train.base, "fp8");
}

static void reads_adapters_of_scripts_around_the_trainer(void **state)
{
    struct job job = job_of("{model_name_or_path: gpt2, per_device_train_batch_size: 4,"
                            "output_dir: x, use_peft: true, lora_r: 16, load_in_4bit: true,"
                            "lora_target_modules: [q_proj, v_proj], max_seq_length: 2048}");

    (void)state;
    check_text(job.train.method, "qlora");
    check_text(job.train.targets, "q_proj,v_proj");
    assert_true(job.train.rank == 16);
    assert_int_equal(job.train.sequence, 2048);
    job = job_of("{model_name_or_path: gpt2, num_train_epochs: 1, lora_r: 8}");
    check_text(job.train.method, "lora");
    assert_int_equal(job.train.micro_batch, 8); /* the Trainer's own */
    job = job_of("{model_name_or_path: gpt2, num_train_epochs: 1, lora_r: 8, use_peft: false}");
    check_text(job.train.method, "full");
    assert_true(isnan(job.train.rank));
    job = job_of("{model_name_or_path: gpt2, num_train_epochs: 1, block_size: 512,"
                 "max_train_samples: 9000}");
    assert_int_equal(job.train.sequence, 512);
    assert_true(job.train.data.examples == 9000);
}

static void reads_precisions_that_are_switched_off(void **state)
{
    static const struct {
        const char *keys, *precision;
    } cases[] = {
        {"bf16: true", ""}, /* where the card has it */
        {"bf16: false, fp16: false", "fp32"},
        {"bf16: false, fp16: false, tf32: true", "tf32"},
        {"bf16: false, fp16: true", "amp-fp16"},
        {"fp16: false", "fp32"},
        {"tf32: true", ""},
    };
    char text[200];
    struct job job;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        (void)snprintf(text, sizeof text, "{output_dir: x, per_device_train_batch_size: 4, %s}",
                       cases[i].keys);
        check_text(job_of(text).train.precision, cases[i].precision);
    }
    job = job_of("{base_model: gpt2, num_epochs: 1, adapter: lora, bf16: auto, fp16: false}");
    assert_int_equal(job.train.precision.len, 0); /* axolotl chooses by the card */
    job = job_of("{base_model: gpt2, num_epochs: 1, bf16: full}");
    check_text(job.train.precision, "bf16-pure");
}

static void reads_how_fsdp_shards(void **state)
{
    static const struct {
        const char *keys;
        int64_t zero;
        const char *offload;
    } cases[] = {
        {"fsdp: full_shard auto_wrap offload", 3, "all"},
        {"fsdp: [shard_grad_op, auto_wrap]", 2, ""},
        {"fsdp: no_shard", 0, ""},
        {"fsdp: []", -1, ""},
        {"fsdp: ''", -1, ""},
        {"fsdp: false", -1, ""},
        {"fsdp: true", 3, ""},
    };
    char text[200];
    struct job job;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        (void)snprintf(text, sizeof text, "{output_dir: x, per_device_train_batch_size: 4, %s}",
                       cases[i].keys);
        job = job_of(text);
        assert_int_equal(job.train.parallel.zero, cases[i].zero);
        check_text(job.train.parallel.offload, cases[i].offload);
    }
    job = job_of("{distributed_type: FSDP, num_processes: 8, fsdp_config: {"
                 "fsdp_sharding_strategy: SHARD_GRAD_OP, fsdp_offload_params: true}}");
    assert_int_equal(job.train.parallel.zero, 2);
    check_text(job.train.parallel.offload, "all");
    job = job_of("{distributed_type: FSDP, num_processes: 8, fsdp_config: {fsdp_version: 2,"
                 "fsdp_reshard_after_forward: false}}");
    assert_int_equal(job.train.parallel.zero, 2);
}

static void reads_deepspeed_inside_and_names_its_file(void **state)
{
    struct job job = job_of("{output_dir: x, per_device_train_batch_size: 1, fp16: true,"
                            "deepspeed: {zero_optimization: {stage: 2, offload_optimizer: "
                            "{device: cpu}}, fp16: {enabled: auto}}}");

    (void)state;
    assert_int_equal(job.train.parallel.zero, 2);
    check_text(job.train.parallel.offload, "optimizer");
    check_text(job.train.precision, "fp16-master");
    check_text(job.train.framework, "hf");
    job = job_of("{base_model: gpt2, num_epochs: 1, deepspeed: ds/mine.json}");
    check_text(job.tool_deepspeed, "ds/mine.json");
    assert_int_equal(job.train.parallel.zero, -1);
    job = job_of("{base_model: gpt2, num_epochs: 1, deepspeed: zero3_cpuoffload_all.json,"
                 "optimizer: paged_adamw_8bit}");
    check_text(job.train.optimizer, "adamw-8bit"); /* offloaded, not paged as well */
}

static void reads_amounts_that_depend_on_other_keys(void **state)
{
    struct job job = job_of("{model_name_or_path: gpt2, stage: sft, max_samples: 1000,"
                            "dataset: 'identity, alpaca_en'}");

    (void)state;
    assert_true(job.train.data.examples == 2000); /* of each data set */
    job = job_of("{model: {_component_: x.gpt2}, batch_size: 2, epochs: 3,"
                 "max_steps_per_epoch: 200}");
    assert_true(job.train.steps == 600 && isnan(job.train.epochs));
    job = job_of("{model: {_component_: x.gpt2}, batch_size: 2, epochs: 3, dtype: bf16,"
                 "max_steps_per_epoch: null}");
    assert_true(job.train.epochs == 3);
    check_text(job.train.precision, "bf16-pure");
    job = job_of("{\"pretrained_model_name_or_path\": \"sdxl\", \"network_dim\": 4,"
                 "\"epoch\": 10, \"max_train_steps\": 0}");
    assert_true(job.train.epochs == 10 && isnan(job.train.steps));
    job = job_of("{\"pretrained_model_name_or_path\": \"sdxl\", \"network_dim\": 4,"
                 "\"epoch\": 10, \"max_train_steps\": 900}");
    assert_true(job.train.steps == 900 && isnan(job.train.epochs));
}

static void says_what_is_computed_as_something_else(void **state)
{
    struct job job = job_of("{model_name_or_path: gpt2, stage: dpo, finetuning_type: oft,"
                            "use_apollo: true}");

    (void)state;
    check_text(job.tool_open, "finetuning_type (oft, computed as full)");
    check_unused(&job, "use_apollo");
    job =
        job_of("{base_model: gpt2, num_epochs: 1, gradient_checkpointing: unsloth, rl: null}");
    check_text(job.train.recompute, "full");
    assert_int_equal(job.tool_open.len, 0);
}

static void says_what_other_files_have(void **state)
{
    struct job job = job_of_toml("pretrained_model_name_or_path = 'sdxl'\nnetwork_dim = 4\n"
                                 "dataset_config = 'faces.toml'\n");

    (void)state;
    check_text(job.tool_open,
               "dataset_config (faces.toml, computed as batches of one picture)");
    job = job_of("{\"log_history\": [], \"global_step\": 5, \"max_steps\": 1500}");
    check_text(job.tool_open, "gradient_accumulation_steps (not in this file, computed as 1)");
}

static void templates_and_auto_are_left_open(void **state)
{
    struct job job = job_of("{base_model: \"{{ model }}\", sequence_len: \"${LEN}\","
                            "micro_batch_size: auto, num_epochs: 2}");

    (void)state;
    assert_true(job.train.model.at == NULL);
    assert_int_equal(job.train.sequence, -1);
    assert_int_equal(job.train.micro_batch, -1);
    assert_true(job.train.epochs == 2);
    check_text(job.tool_open, "base_model ({{ model }}), sequence_len (${LEN})");
    job = job_of("{base_model: gpt2, num_epochs: 2, optimizer: new_kind}");
    assert_true(job.train.optimizer.at == NULL);
    check_text(job.tool_open, "optimizer (new_kind)");
}

/* As OmegaConf reads them: other keys of the file, references of references, lists, parts of
 * texts. What is not in the file stays open. */
static void references_mean_other_keys_of_the_file(void **state)
{
    struct job job = job_of("{bs: 4, org: meta-llama, base: {name: '${.family}-2-7b', family:"
                            " Llama, targets: [q_proj, v_proj]}, base_model:"
                            " '${org}/${base.name}-hf', adapter: lora, lora_r: 16,"
                            " sequence_len: '${oc.select:length,1024}', micro_batch_size:"
                            " '${bs}', gradient_accumulation_steps: '${oc.env:STEPS,2}',"
                            " lora_target_modules: '${base.targets}', num_epochs:"
                            " '${passes}'}");

    (void)state;
    check_text(job.train.model, "meta-llama/Llama-2-7b-hf");
    check_text(job.train.targets, "q_proj,v_proj");
    assert_int_equal(job.train.micro_batch, 4);
    assert_int_equal(job.train.accumulation, 2);
    assert_int_equal(job.train.sequence, 1024);
    check_text(job.tool_open, "gradient_accumulation_steps (${oc.env:STEPS,2}, computed as its "
                              "default), num_epochs (${passes})");
    check_unused(&job, "");
    /* to each other, to a section, without an end */
    job = job_of("{base_model: gpt2, a: '${b}', b: '${a}', num_epochs: '${a}', sequence_len:"
                 " '${s}', s: {t: 1}, micro_batch_size: '${s.t', max_steps: 5}");
    assert_true(isnan(job.train.epochs) || job.train.epochs == 1);
    assert_int_equal(job.train.sequence, -1);
    assert_int_equal(job.train.micro_batch, -1);
}

/* Each key has ten references to the next: ten to the power of the keys. */
static void references_are_bounded(void **state)
{
    struct buf text = buf_new(arena.alloc, JOB_MAX);
    struct job job;

    (void)state;
    buf_adds(&text, "base_model: gpt2\nmicro_batch_size: \"${k0}\"\nmax_steps: 5\n");
    for (int i = 0; i < 20; i++) {
        buf_addf(&text, "k%d: \"", i);
        for (int j = 0; j < 10; j++)
            buf_addf(&text, "${k%d}", i + 1);
        buf_adds(&text, "\"\n");
    }
    buf_char(&text, '\0');
    job = job_of(buf_text(&text).at);
    assert_int_equal(job.train.micro_batch, -1);
    buf_free(&text);
}

static void wrong_values_have_a_place(void **state)
{
    struct error err = {0};
    struct job job;

    (void)state;
    assert_false(
        job_read(STR("base_model: gpt2\nnum_epochs: many\n"), "a.yml", &job, &arena, &err));
    assert_non_null(strstr(err.text, "a.yml:2:13"));
    assert_non_null(strstr(err.text, "many"));
}

static void our_own_jobs_and_models_are_not_tools(void **state)
{
    (void)state;
    assert_int_equal(job_of("train: {model: gpt2}").tool, JOB_TOOL_NONE);
    assert_false(
        job_is_tool(STR("{\"model_type\": \"llama\", \"hidden_size\": 64}"), "c.json", &arena));
    assert_false(job_is_tool(STR("[1, 2]"), "c.json", &arena));
    assert_false(job_is_tool(STR("{"), "c.json", &arena));
    assert_true(
        job_is_tool(STR("{\"base_model\": \"gpt2\", \"datasets\": []}"), "c.json", &arena));
}

static void reads_kohya(void **state)
{
    struct job job =
        job_of_toml("pretrained_model_name_or_path = 'x/sd_xl_base_1.0.safetensors'\n"
                    "[network]\n"
                    "network_module = \"networks.lora\"\n"
                    "network_dim = 32\n"
                    "[training]\n"
                    "resolution = \"1024,768\" # buckets\n"
                    "train_batch_size = 4\n"
                    "max_train_steps = 2000\n"
                    "max_train_epochs = 10\n"
                    "mixed_precision = \"bf16\"\n"
                    "optimizer_type = \"AdamW8bit\"\n"
                    "gradient_checkpointing = true\n"
                    "cache_latents = true\n"
                    "optimizer_args = [\"weight_decay=0.1\"]\n"
                    "[empty]\n");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_KOHYA);
    check_text(job.train.model, "sdxl");
    check_text(job.train.method, "lora");
    check_text(job.train.precision, "amp-bf16");
    check_text(job.train.optimizer, "AdamW8bit");
    check_text(job.train.recompute, "full");
    check_text(job.train.latents, "cached");
    check_text(job.train.framework, "kohya");
    assert_true(job.train.rank == 32);
    assert_int_equal(job.train.resolution, 887); /* the square root of 1024 x 768 */
    assert_int_equal(job.train.micro_batch, 4);
    assert_int_equal(job.train.accumulation, 1);
    assert_true(job.train.epochs == 10 && isnan(job.train.steps)); /* as sd-scripts has it */
}

static void kohya_has_its_own_defaults(void **state)
{
    struct job job = job_of_toml("pretrained_model_name_or_path = \"mine\"\n"
                                 "train_data_dir = \"pictures\"\n");

    (void)state;
    check_text(job.train.recompute, "none");
    check_text(job.tool_open, "pretrained_model_name_or_path (mine)");
    assert_true(job.train.model.len == 0 && job.train.method.len == 0);
    assert_true(job.train.steps == 1600);
    assert_int_equal(job.train.micro_batch, 1);
}

static void reads_what_the_window_of_kohya_saves(void **state)
{
    struct job job = job_of("{\"pretrained_model_name_or_path\": \"C:\\\\m\\\\mine.ckpt\", "
                            "\"LoRA_type\": \"Standard\", \"sdxl\": true, "
                            "\"max_resolution\": \"512\", \"max_train_steps\": 0}");

    (void)state;
    assert_int_equal(job.tool, JOB_TOOL_KOHYA);
    check_text(job.train.model, "sdxl");
    check_text(job.train.method, "lora");
    assert_int_equal(job.train.resolution, 512);
    assert_true(job.train.steps == 1600);
}

static void models_of_pictures_are_known_by_parts_of_their_names(void **state)
{
    static const struct {
        const char *name, *model;
    } cases[] = {
        {"stabilityai/stable-diffusion-xl-base-1.0", "sdxl"},
        {"runwayml/stable-diffusion-v1-5", "sd-1.5"},
        {"models/v1-5-pruned-emaonly.safetensors", "sd-1.5"},
        {"black-forest-labs/FLUX.1-dev", "flux.1-dev"},
        {"stabilityai/stable-diffusion-3.5-large", "sd3.5-large"},
        {"sd3.5_medium.safetensors", "sd3.5-medium"},
        {"stabilityai/stable-diffusion-3-medium", "sd3-medium"},
        {"stabilityai/stable-diffusion-2-1", "sd-2.1"},
        {"xl/v1-mine/ponyDiffusionV6.safetensors", "sdxl"}, /* folders do not count */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[200];
        struct job job;

        (void)snprintf(text, sizeof text,
                       "pretrained_model_name_or_path = \"%s\"\nnetwork_dim = 4\n",
                       cases[i].name);
        job = job_of_toml(text);
        check_text(job.train.model, cases[i].model);
    }
}

static void other_toml_is_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"[[datasets]]\nresolution = 512\n",
         "k.toml: a TOML file, but not a configuration of kohya's training"},
        {"", "k.toml: a TOML file, but not a configuration of kohya's training"},
        {"pretrained_model_name_or_path = \"sdxl\"\nnetwork_dim = \"many\"\n",
         "k.toml:2:15: rank: 'many' is not a number from 0 to 1e18"},
        {"pretrained_model_name_or_path = \"sdxl\"\nnetwork_dim = 4\nresolution = \"0,5\"\n",
         "k.toml:3:14: resolution: '0,5' is not a whole number"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        struct job job;

        assert_false(read_job_named(cases[i].text, "k.toml", &job, &err));
        assert_string_equal(err.text, cases[i].message);
    }
}

static void tools_have_their_own_defaults(void **state)
{
    struct job job = job_of("{base_model: gpt2, datasets: []}");

    (void)state;
    assert_true(job.train.epochs == 1);
    assert_int_equal(job.train.micro_batch, 1);
    assert_int_equal(job.train.accumulation, 1);
    job = job_of("{model_name_or_path: gpt2, stage: sft}");
    assert_true(job.train.epochs == 3);
    assert_int_equal(job.train.micro_batch, 8);
    assert_int_equal(job.train.sequence, 2048);
    job = job_of("{output_dir: x, per_device_train_batch_size: 4, max_steps: 50}");
    assert_true(job.train.steps == 50 && isnan(job.train.epochs));
    assert_int_equal(job.train.accumulation, 1);
}

int group_tool(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_axolotl),
        cmocka_unit_test(steps_come_before_epochs),
        cmocka_unit_test(keys_of_adapters_are_left_out_of_full_training),
        cmocka_unit_test(reads_llama_factory),
        cmocka_unit_test(reads_torchtune),
        cmocka_unit_test(reads_training_arguments_and_state),
        cmocka_unit_test(reads_accelerate),
        cmocka_unit_test(reads_frozen_weights_of_eight_bits),
        cmocka_unit_test(reads_adapters_of_scripts_around_the_trainer),
        cmocka_unit_test(reads_precisions_that_are_switched_off),
        cmocka_unit_test(reads_how_fsdp_shards),
        cmocka_unit_test(reads_deepspeed_inside_and_names_its_file),
        cmocka_unit_test(reads_amounts_that_depend_on_other_keys),
        cmocka_unit_test(says_what_is_computed_as_something_else),
        cmocka_unit_test(says_what_other_files_have),
        cmocka_unit_test(templates_and_auto_are_left_open),
        cmocka_unit_test(references_mean_other_keys_of_the_file),
        cmocka_unit_test(references_are_bounded),
        cmocka_unit_test(wrong_values_have_a_place),
        cmocka_unit_test(reads_kohya),
        cmocka_unit_test(kohya_has_its_own_defaults),
        cmocka_unit_test(reads_what_the_window_of_kohya_saves),
        cmocka_unit_test(models_of_pictures_are_known_by_parts_of_their_names),
        cmocka_unit_test(other_toml_is_refused),
        cmocka_unit_test(modules_trained_in_full_are_read_in_each_tools_words),
        cmocka_unit_test(targets_may_be_patterns_and_paths),
        cmocka_unit_test(what_changes_the_cost_and_is_not_computed_is_named),
        cmocka_unit_test(less_than_everything_is_trained),
        cmocka_unit_test(files_of_other_tools_are_named),
        cmocka_unit_test(attention_and_loss_are_read),
        cmocka_unit_test(sections_are_named_by_what_is_inside),
        cmocka_unit_test(adapters_have_their_tools_defaults),
        cmocka_unit_test(new_words_are_left_open),
        cmocka_unit_test(axolotl_trains_in_the_precision_it_loads),
        cmocka_unit_test(recomputation_is_switched_on_in_several_places),
        cmocka_unit_test(a_share_of_the_data_that_is_evaluated_takes_time),
        cmocka_unit_test(reads_preferences_and_rewards),
        cmocka_unit_test(reads_gpus_of_single_models),
        cmocka_unit_test(what_may_multiply_the_work_is_warned_of_by_name),
        cmocka_unit_test(reads_litgpt),
        cmocka_unit_test(reads_nemo),
        cmocka_unit_test(reads_ultralytics),
        cmocka_unit_test(tools_have_their_own_defaults),
        cmocka_unit_test(our_own_jobs_and_models_are_not_tools),
    };

    return cmocka_run_group_tests(tests, load_models, free_catalog);
}
