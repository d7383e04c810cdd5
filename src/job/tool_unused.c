/* Keys of a training tool's configuration that nothing was made of. These tools have
 * hundreds, and most do not change what a job costs: where it writes, how it logs, learning
 * rates, prompts. Those are passed over in silence; the rest is named, so that nobody takes
 * it for counted. */
#include <string.h>

#include "base/num.h"
#include "job/tool_refs.h"

static const char *const harmless[] = {"name",
                                       "config",
                                       "strict",
                                       "debug",
                                       "device",
                                       "devices",
                                       "plots",
                                       "verbose",
                                       "project",
                                       "task",
                                       "mode",
                                       "pretrained",
                                       "workers",
                                       "val",
                                       "save",
                                       "cos_lr",
                                       "momentum",
                                       "lrf",
                                       "lr",
                                       "lr0",
                                       "loss",
                                       "metric_logger",
                                       "profiler",
                                       "checkpointer",
                                       "shuffle",
                                       "tokenizer",
                                       "tokens",
                                       "template",
                                       "special_tokens",
                                       "plot_loss",
                                       "do_train",
                                       "do_eval",
                                       "do_predict",
                                       "bias",
                                       "inference_mode",
                                       "peft_type",
                                       "auto_mapping",
                                       "fan_in_fan_out",
                                       "revision",
                                       "packing",
                                       "sample_packing",
                                       "neftune_alpha",
                                       "group_by_length",
                                       "dtype",
                                       "nproc_per_node",
                                       "num_machines",
                                       "machine_rank",
                                       "num_processes",
                                       "main_training_function",
                                       "same_network",
                                       "rdzv_backend",
                                       "use_cpu",
                                       "compute_environment",
                                       "distributed_type",
                                       "downcast_bf16",
                                       "tpu_env",
                                       "eval",
                                       "exp_manager",
                                       "exist_ok",
                                       "deterministic",
                                       "patience",
                                       "min_lr",
                                       "num_nodes",
                                       "steps_per_print",
                                       "model_type",
                                       "local_rank",
                                       "n_gpu",
                                       "report_to",
                                       "bf16_full_eval",
                                       "fp16_full_eval",
                                       "best_metric",
                                       "log_history",
                                       "is_world_process_zero",
                                       "is_local_process_zero",
                                       "global_step",
                                       "epoch",
                                       "trial_params",
                                       "trial_name",
                                       "total_flos",
                                       "stateful_callbacks",
                                       "max_grad_norm",
                                       "galore_scale",
                                       "galore_update_interval",
                                       "galore_proj_type",
                                       "dist_env",
                                       "xformers",
                                       "prefix",
                                       "tf32",
                                       "train_on_inputs",
                                       "batch_flattening",
                                       "is_llama_derived_model",
                                       "is_mistral_derived_model",
                                       "is_falcon_derived_model",
                                       "unfreeze",
                                       "flash_attn_cross_entropy",
                                       "flash_attn_rms_norm",
                                       "flash_attn_fuse_qkv",
                                       "flash_attn_fuse_mlp",
                                       "gradient_checkpointing_kwargs",
                                       "use_rslora",
                                       "evals_per_epoch",
                                       "per_device_eval_batch_size",
                                       "world_size",
                                       "parallel_mode",
                                       "full_determinism",
                                       "ray_scope",
                                       "adapter_name",
                                       "version",
                                       "recipe",
                                       "defaults",
                                       "run",
                                       "hydra",
                                       "text_column",
                                       "instruction_template",
                                       "response_template",
                                       "eos_token",
                                       "pad_token",
                                       "system_prompt",
                                       "completion_only_loss",
                                       "assistant_only_loss",
                                       "base_model",
                                       "bucket_reso_steps",
                                       "enable_bucket",
                                       "flip_aug",
                                       "color_aug",
                                       "v2",
                                       "sdxl",
                                       "vae",
                                       "clip_skip",
                                       "noise_offset",
                                       "min_snr_gamma",
                                       "keep_tokens",
                                       "v_parameterization",
                                       "unet_lr",
                                       "text_encoder_lr",
                                       "network_alpha",
                                       "stop_text_encoder_training",
                                       NULL};

static const char *const harmless_starts[] = {"output",
                                              "out_",
                                              "log",
                                              "wandb",
                                              "mlflow",
                                              "comet",
                                              "tensorboard",
                                              "swanlab",
                                              "trackio",
                                              "hub",
                                              "push_to_hub",
                                              "save",
                                              "learning_rate",
                                              "lr_",
                                              "warmup",
                                              "weight_decay",
                                              "adam",
                                              "beta",
                                              "scheduler",
                                              "cosine",
                                              "dataset",
                                              "data",
                                              "train_data",
                                              "chat_template",
                                              "prompt",
                                              "tokenizer",
                                              "special_token",
                                              "overwrite",
                                              "preprocess",
                                              "num_proc",
                                              "num_workers",
                                              "remove_unused",
                                              "ddp_",
                                              "load_best",
                                              "metric",
                                              "greater",
                                              "early_stopping",
                                              "resume",
                                              "trust_remote",
                                              "cache",
                                              "hf_",
                                              "use_fast",
                                              "padding",
                                              "resize_",
                                              "bnb_4bit",
                                              "seed",
                                              "label",
                                              "ignore",
                                              "disable_tqdm",
                                              "skip_",
                                              "prediction",
                                              "past_index",
                                              "jit",
                                              "use_ipex",
                                              "use_mps",
                                              "no_cuda",
                                              "include_",
                                              "auto_find",
                                              "torchdynamo",
                                              "torch_dtype",
                                              "restore",
                                              "sharded",
                                              "accelerator",
                                              "average_tokens",
                                              "eval_accumulation",
                                              "eval_delay",
                                              "eval_on_start",
                                              "eval_do_",
                                              "eval_use_",
                                              "eval_batch",
                                              "eval_table",
                                              "eval_max",
                                              "eval_sample",
                                              "eval_packing",
                                              "eval_dataset",
                                              "lora_alpha",
                                              "lora_dropout",
                                              "lora_bias",
                                              "lora_on_cpu",
                                              "lora_fan",
                                              "lora_task",
                                              "lora_init",
                                              "peft_init",
                                              "peft_use_rslora",
                                              "peft_layer",
                                              "loraplus",
                                              "pissa",
                                              "hsv_",
                                              "degrees",
                                              "translate",
                                              "scale",
                                              "shear",
                                              "perspective",
                                              "flip",
                                              "mosaic",
                                              "mixup",
                                              "copy_paste",
                                              "cutmix",
                                              "erasing",
                                              "auto_augment",
                                              "crop_fraction",
                                              "close_mosaic",
                                              "box",
                                              "cls",
                                              "dfl",
                                              "pose",
                                              "kobj",
                                              "nbs",
                                              "overlap_mask",
                                              "mask_ratio",
                                              "dropout",
                                              "conf",
                                              "iou",
                                              "max_det",
                                              "half",
                                              "dnn",
                                              "source",
                                              "vid_stride",
                                              "stream_buffer",
                                              "visualize",
                                              "augment",
                                              "agnostic",
                                              "classes",
                                              "retina",
                                              "embed",
                                              "show",
                                              "line_width",
                                              "format",
                                              "keras",
                                              "optimize",
                                              "int8",
                                              "dynamic",
                                              "simplify",
                                              "opset",
                                              "workspace",
                                              "nms",
                                              "tracker",
                                              "rect",
                                              "single_cls",
                                              "bgr",
                                              "label_smoothing",
                                              "max_num_seqs",
                                              "caption",
                                              "sample_every",
                                              "sample_prompts",
                                              "sample_sampler",
                                              "shuffle_",
                                              "persistent",
                                              "max_data_loader",
                                              "mem_eff",
                                              "no_half",
                                              "prior_loss",
                                              "reg_data",
                                              "random_",
                                              "network_args",
                                              "network_weights",
                                              "scale_weight",
                                              "huber",
                                              "multires",
                                              "adaptive_noise",
                                              "min_bucket",
                                              "max_bucket",
                                              "max_token",
                                              "additional_parameters",
                                              "training_comment",
                                              "gpu_ids",
                                              "num_cpu",
                                              "model_revision",
                                              "low_cpu",
                                              "attn_dropout",
                                              "checkpoint",
                                              "ckpt",
                                              "is_",
                                              "use_wandb",
                                              "use_tensorboard",
                                              "val_data",
                                              "test_",
                                              "train_file",
                                              "validation_file",
                                              "train_dataset",
                                              "streaming",
                                              "pretraining_dataset",
                                              "shuffle",
                                              "reward_weights",
                                              "rl_beta",
                                              "sequence_len_overflow",
                                              "excess_length",
                                              "pad_to",
                                              "curriculum",
                                              "dpo_",
                                              "gc_steps",
                                              "field_",
                                              "roles",
                                              "plot",
                                              "time_",
                                              "date",
                                              "comment",
                                              "description",
                                              "tags",
                                              "run_",
                                              "experiment",
                                              "trainer_",
                                              "gptq_",
                                              "gradient_clip",
                                              "max_norm",
                                              "clip_grad",
                                              "bf16_",
                                              "multi_line",
                                              "fused_",
                                              "enable_wandb",
                                              "neftune",
                                              "length_column",
                                              "split_batches",
                                              "dispatch",
                                              "mp_",
                                              "fsdp_",
                                              "torch_empty",
                                              "optim_args",
                                              "optim_target",
                                              "best_",
                                              "fp16_",
                                              "tpu_",
                                              "torch_compile_",
                                              "per_gpu_",
                                              "use_legacy",
                                              "parallelism_config",
                                              NULL};

static const char *const harmless_ends[] = {"_dir",  "_path",    "_seed",  "_file",   "_lr",
                                            "_name", "_token",   "_url",   "_prompt", "_column",
                                            "_key",  "_dropout", "_alpha", NULL};

/* In the middle of a name: what changes cost, whatever the name begins with, and in whichever
 * section it is. */
static const char *const costly[] = {"offload",
                                     "freeze",
                                     "frozen",
                                     "galore",
                                     "apollo",
                                     "badam",
                                     "lisa_",
                                     "relora",
                                     "dora",
                                     "unsloth",
                                     "teacher",
                                     "distill",
                                     "fp8",
                                     "float8",
                                     "_swap",
                                     "layers_to_",
                                     "layers_pattern",
                                     "rank_pattern",
                                     "llama_pro",
                                     "prun",
                                     "activation_checkpoint",
                                     "checkpoint_activation",
                                     "dynamic_sampl",
                                     "filter_groups",
                                     "resampl",
                                     "oversampl",
                                     "multi_turn",
                                     "mcts",
                                     "replay",
                                     NULL};

static bool is_costly(struct str key)
{
    return str_has_any(key, costly);
}

/* How often something is done: answers to a prompt, passes over a batch, trials. */
static const char *const multipliers[] = {"num_generations",
                                          "n_samples",
                                          "num_samples_per",
                                          "samples_per_prompt",
                                          "num_return_sequences",
                                          "num_iterations",
                                          "ppo_epochs",
                                          "best_of",
                                          "num_rollouts",
                                          "rollouts_per",
                                          "num_candidates",
                                          "group_size",
                                          "num_trials",
                                          "n_trials",
                                          "num_episodes",
                                          "repeat",
                                          "num_beams",
                                          "max_turns",
                                          "num_passes",
                                          "num_augment",
                                          "n_rollouts",
                                          "max_resampl",
                                          "oversampl",
                                          NULL};

bool tool_note_multiplier(struct tool_reading *r, const char *path, const struct node *node)
{
    double n;

    if (node->kind != NODE_SCALAR || !str_has_any(str_from(path), multipliers) ||
        !num_double(node->text, &n) || !(n > 1))
        return false;
    tool_open_as(r, path, node->text, "1: it may multiply the work");
    return true;
}

static bool is_harmless_tool_key(struct str key)
{
    if (str_is_one_of(key, harmless))
        return true;
    if (is_costly(key))
        return false;
    for (size_t i = 0; harmless_starts[i] != NULL; i++)
        if (str_starts(key, str_from(harmless_starts[i])))
            return true;
    for (size_t i = 0; harmless_ends[i] != NULL; i++)
        if (str_ends(key, str_from(harmless_ends[i])))
            return true;
    return false;
}

/* "a.b" of the section and its key; NULL: no memory. */
static const char *inner_path(struct tool_reading *r, struct str section, struct str key,
                              struct error *err)
{
    struct buf text = buf_new(r->arena->alloc, JOB_MAX);
    const char *path;

    buf_addf(&text, "%.*s.%.*s", STR_ARG(section), STR_ARG(key));
    path = str_dup(buf_text(&text), r->arena, err);
    buf_free(&text);
    return path;
}

/* A section that is named for something costly, and switched on. */
static bool is_costly_section(const struct node *section)
{
    const struct node *enable = node_get(section, STR("enable"));

    return is_costly(section->key) && (enable == NULL || !tool_is_off(enable));
}

#define SECTIONS_DEEP 8

/* A section that is read has other keys, too: those that surely change the cost. */
static bool note_inside(struct tool_reading *r, const struct node *section, struct str path,
                        int depth, bool (*is_read)(enum job_tool tool, struct str key),
                        enum job_tool tool, struct error *err)
{
    for (const struct node *child = section->first; child != NULL; child = child->next) {
        bool deeper = child->kind == NODE_MAP && depth < SECTIONS_DEEP &&
                      !str_starts(path, STR("deepspeed")); /* which has a reader of its own */
        bool named = child->kind != NODE_MAP ? is_costly(child->key) : is_costly_section(child);
        const char *inner;

        if (tool_is_off(child) || (!deeper && !named && !str_has_any(child->key, multipliers)))
            continue;
        inner = inner_path(r, path, child->key, err);
        if (inner == NULL ||
            (deeper && !note_inside(r, child, str_from(inner), depth + 1, is_read, tool, err)))
            return false;
        if (is_read(tool, str_from(inner)) || (child->kind == NODE_MAP && !named))
            continue;
        if (!tool_note_multiplier(r, inner, child) && !tool_add_unused(r, inner, child, err))
            return false;
    }
    return true;
}

bool tool_note_unused(struct tool_reading *r, const struct node *root,
                      bool (*is_read)(enum job_tool tool, struct str key), enum job_tool tool,
                      struct error *err)
{
    for (const struct node *child = root->first; child != NULL; child = child->next) {
        size_t before = r->unused_count;
        const char *key;

        if (child->repeated && child->kind == NODE_MAP && !is_read(tool, child->key))
            continue; /* it is where aliases repeat it */
        if (child->kind == NODE_MAP &&
            !note_inside(r, child, child->key, 1, is_read, tool, err))
            return false;
        if (r->unused_count > before) /* what is inside was named */
            continue;
        if (!is_read(tool, child->key) && str_has_any(child->key, multipliers)) {
            const char *path = str_dup(child->key, r->arena, err);

            if (path == NULL)
                return false;
            if (tool_note_multiplier(r, path, child))
                continue;
        }
        if (tool_is_off(child) || is_harmless_tool_key(child->key) ||
            is_read(tool, child->key) || tool_is_referred(r, child->key))
            continue;
        key = str_dup(child->key, r->arena, err);
        if (key == NULL || !tool_add_unused(r, key, child, err))
            return false;
    }
    return true;
}
