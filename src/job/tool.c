#include "job/tool.h"

#include <math.h>
#include <string.h>

#include "doc/toml.h"
#include "job/keys.h"
#include "job/tool_lean.h"
#include "job/tool_modules.h"
#include "job/tool_objective.h"
#include "job/tool_other.h"
#include "job/tool_refs.h"

const char *const job_tool_names[] = {
    "a job file",
    "axolotl's configuration",
    "LLaMA-Factory's configuration",
    "torchtune's configuration",
    "accelerate's configuration",
    "Hugging Face's TrainingArguments",
    "the state of Hugging Face's Trainer",
    "kohya's configuration",
    "arguments of diffusers' scripts",
    "LitGPT's configuration",
    "NeMo's configuration",
    "NeMo's configuration",
    "NeMo AutoModel's configuration",
    "ultralytics' configuration",
    "a PEFT adapter",
    "OpenRLHF's arguments",
    "verl's configuration",
    NULL,
};

static const struct tool_key axolotl_keys[] = {
    {"base_model", "model", AS_IT_IS},
    {"adapter", "method", METHOD},
    {"load_in_4bit", "method", FOUR_BITS},
    {"load_in_8bit", "method", EIGHT_BITS},
    {"gptq", "method", FOUR_INTS},
    {"lora_r", "rank", AS_IT_IS},
    {"lora_target_modules", "targets", MODULES},
    {"lora_target_linear", "targets", ALL_MODULES},
    {"lora_modules_to_save", "modules_to_save", SAVED},
    {"peft_use_dora", "dora", YES},
    {"unfrozen_parameters", "method", UNREAD},
    {"kd_trainer", "method", UNREAD},
    {"activation_offloading", "recompute", UNREAD},
    {"sequence_len", "sequence", AS_IT_IS},
    {"micro_batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"num_epochs", "epochs", AS_IT_IS},
    {"max_steps", "steps", ABOVE_ZERO},
    {"optimizer", "optimizer", IF_KNOWN},
    {"bf16", "precision", BF16},
    {"fp16", "precision", FP16},
    {"gradient_checkpointing", "recompute", RECOMPUTE},
    {"fp8", "precision", FLOAT_8_PRODUCTS},
    {"flash_attention", "attention", FLASH},
    {"sdp_attention", "attention", FLASH},
    {"xformers_attention", "attention", FLASH},
    {"flex_attention", "attention", FLASH},
    {"eager_attention", "attention", PLAIN},
    {"attn_implementation", "attention", FLASH},
    {"plugins", "loss", PLUGINS},
    {"liger_fused_linear_cross_entropy", "loss", FUSED_LOSS},
    {"liger_rms_norm", "loss", UNREAD},
    {"liger_glu_activation", "loss", UNREAD},
    {"liger_swiglu", "loss", UNREAD},
    {"liger_rope", "loss", UNREAD},
    {"cut_cross_entropy", "loss", FUSED_LOSS},
    {"unsloth_cross_entropy_loss", "loss", UNREAD},
    {"unsloth_lora_mlp", "loss", UNREAD},
    {"unsloth_lora_qkv", "loss", UNREAD},
    {"unsloth_lora_o", "loss", UNREAD},
    {"val_set_size", "evaluation", VALIDATION},
    {"torch_compile", "compile", YES},
    {"deepspeed", "parallel.zero", DEEPSPEED},
    {"fsdp_config", "parallel.zero", SHARDED},
    {"fsdp", "parallel.zero", SHARDED},
    {"fsdp_config.fsdp_sharding_strategy", "parallel.zero", STRATEGY},
    {"fsdp_config.sharding_strategy", "parallel.zero", STRATEGY},
    {"fsdp_config.reshard_after_forward", "parallel.zero", STRATEGY},
    {"fsdp_config.fsdp_offload_params", "parallel.offload", OFFLOADED},
    {"fsdp_config.offload_params", "parallel.offload", OFFLOADED},
    {"fsdp_config.activation_checkpointing", "recompute", RECOMPUTE_TOO},
    {"fsdp_config.fsdp_activation_checkpointing", "recompute", RECOMPUTE_TOO},
    {"tensor_parallel_size", "parallel.tensor", ABOVE_ZERO},
    {"context_parallel_size", "parallel.context", ABOVE_ZERO},
    {"sequence_parallel_degree", "parallel.context", ABOVE_ZERO},
};

/* What TrainingArguments and the tools around them share. */
static const struct tool_key trainer_keys[] = {
    {"model_name_or_path", "model", AS_IT_IS},
    {"per_device_train_batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"num_train_epochs", "epochs", AS_IT_IS},
    {"max_steps", "steps", ABOVE_ZERO},
    {"optim", "optimizer", IF_KNOWN},
    {"bf16", "precision", BF16},
    {"fp16", "precision", FP16},
    {"gradient_checkpointing", "recompute", RECOMPUTE},
    {"torch_compile", "compile", YES},
    {"use_liger_kernel", "loss", FUSED_LOSS},
    {"use_liger", "loss", FUSED_LOSS},
    {"deepspeed", "parallel.zero", DEEPSPEED},
    {"fsdp", "parallel.zero", SHARDED},
    {"fsdp_config.fsdp_sharding_strategy", "parallel.zero", STRATEGY},
    {"fsdp_config.sharding_strategy", "parallel.zero", STRATEGY},
    {"fsdp_config.fsdp_reshard_after_forward", "parallel.zero", STRATEGY},
    {"fsdp_config.reshard_after_forward", "parallel.zero", STRATEGY},
    {"fsdp_config.fsdp_offload_params", "parallel.offload", OFFLOADED},
    {"fsdp_config.offload_params", "parallel.offload", OFFLOADED},
    {"fsdp_config.activation_checkpointing", "recompute", RECOMPUTE_TOO},
    {"fsdp_config.fsdp_activation_checkpointing", "recompute", RECOMPUTE_TOO},
    {"activation_offloading", "recompute", UNREAD},
    {"use_dora", "dora", YES},
    {"use_unsloth", "framework", UNREAD},
    {"teacher_model_name_or_path", "method", UNREAD},
    {"teacher_model", "method", UNREAD},
};

/* What scripts around the Trainer have beside its arguments: those of transformers' examples
 * and of TRL. */
static const struct tool_key script_keys[] = {
    {"model_id", "model", AS_IT_IS},
    {"model_name", "model", AS_IT_IS},
    {"model_max_length", "sequence", ABOVE_ZERO},
    {"max_source_length", "sequence", ABOVE_ZERO},
    {"block_size", "sequence", ABOVE_ZERO},
    {"max_seq_len", "sequence", ABOVE_ZERO},
    {"max_length", "sequence", ABOVE_ZERO},
    {"max_seq_length", "sequence", ABOVE_ZERO},
    {"max_train_samples", "data.examples", ABOVE_ZERO},
    {"attn_implementation", "attention", FLASH},
    {"load_in_4bit", "method", FOUR_BITS},
    {"load_in_8bit", "method", EIGHT_BITS},
    {"quantization_config.load_in_4bit", "method", FOUR_BITS},
    {"quantization_config.load_in_8bit", "method", EIGHT_BITS},
    {"bnb_config.load_in_4bit", "method", FOUR_BITS},
    {"bnb_config.load_in_8bit", "method", EIGHT_BITS},
    {"lora_modules_to_save", "modules_to_save", SAVED},
    {"modules_to_save", "modules_to_save", SAVED},
    {"peft_config.modules_to_save", "modules_to_save", SAVED},
    {"lora_config.modules_to_save", "modules_to_save", SAVED},
    {"peft_config.r", "rank", AS_IT_IS},
    {"lora_config.r", "rank", AS_IT_IS},
    {"peft_config.target_modules", "targets", MODULES},
    {"lora_config.target_modules", "targets", MODULES},
    {"use_peft", "method", ADAPTERS},
    {"use_lora", "method", ADAPTERS},
    {"lora_rank", "rank", AS_IT_IS},
    {"lora_r", "rank", AS_IT_IS},
    {"lora_target_modules", "targets", MODULES},
    {"use_flash_attention_2", "attention", FLASH},
    /* as in calls of Unsloth */
    {"r", "rank", AS_IT_IS},
    {"target_modules", "targets", MODULES},
    {"use_gradient_checkpointing", "recompute", RECOMPUTE},
    {"peft_config.use_dora", "dora", YES},
    {"lora_config.use_dora", "dora", YES},
};

static const struct tool_key factory_keys[] = {
    {"finetuning_type", "method", METHOD},
    {"quantization_bit", "method", BITS},
    {"lora_rank", "rank", AS_IT_IS},
    {"lora_target", "targets", MODULES},
    {"cutoff_len", "sequence", AS_IT_IS},
    {"max_samples", "data.examples", SAMPLES},
    {"pure_bf16", "precision", PURE_BF16},
    {"disable_gradient_checkpointing", "recompute", NO_RECOMPUTE},
    {"flash_attn", "attention", FLASH},
    {"enable_liger_kernel", "loss", FUSED_LOSS},
    {"fp8", "precision", FLOAT_8_PRODUCTS},
    {"additional_target", "modules_to_save", SAVED},
    {"freeze_trainable_layers", "trained_layers", ELSEWHERE},
    {"freeze_trainable_modules", "trained_layers", ELSEWHERE},
    {"freeze_extra_modules", "method", UNREAD},
    {"val_size", "evaluation", VALIDATION},
    {"eval_strategy", "evaluation", EVALUATED},
    {"evaluation_strategy", "evaluation", EVALUATED},
    {"use_galore", "galore_rank", ELSEWHERE},
    {"galore_rank", "galore_rank", ELSEWHERE},
    {"galore_layerwise", "fused_step", ELSEWHERE},
    {"galore_target", "galore_rank", ELSEWHERE},
    {"use_apollo", "optimizer", UNREAD},
    {"use_badam", "optimizer", UNREAD},
};

static const struct tool_key torchtune_keys[] = {
    {"model._component_", "model", COMPONENT},
    {"model.lora_rank", "rank", AS_IT_IS},
    {"model.lora_attn_modules", "targets", MODULES},
    {"model.apply_lora_to_mlp", "targets", MLP_MODULES},
    {"model.apply_lora_to_output", "targets", HEAD_MODULE},
    {"model.use_dora", "dora", YES},
    {"teacher_model._component_", "method", UNREAD},
    {"loss._component_", "loss", FUSED_LOSS},
    {"custom_sharded_layers", "parallel.zero", UNREAD},
    {"optimizer_in_bwd", "fused_step", YES},
    {"enable_activation_offloading", "recompute", UNREAD},
    {"model.quantize_base", "method", FOUR_BITS},
    {"tokenizer.max_seq_len", "sequence", ABOVE_ZERO},
    {"batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"epochs", "epochs", AS_IT_IS},
    {"max_steps_per_epoch", "steps", EPOCH_STEPS},
    {"optimizer._component_", "optimizer", IF_KNOWN},
    {"dtype", "precision", WEIGHTS},
    {"enable_activation_checkpointing", "recompute", RECOMPUTE},
    {"fsdp_cpu_offload", "parallel.offload", OFFLOADED},
    {"compile", "compile", YES},
    {"tensor_parallel_dim", "parallel.tensor", ABOVE_ZERO},
};

static const struct tool_key accelerate_keys[] = {
    {"mixed_precision", "precision", PRECISION},
    {"deepspeed_config.deepspeed_config_file", "parallel.zero", DEEPSPEED},
    {"deepspeed_config.zero_stage", "parallel.zero", AS_IT_IS},
    {"deepspeed_config.gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"deepspeed_config.offload_optimizer_device", "parallel.offload", OFFLOAD_STATE},
    {"deepspeed_config.offload_param_device", "parallel.offload", OFFLOAD_PARAM},
    {"fsdp_config", "parallel.zero", SHARDED},
    {"fsdp_config.fsdp_sharding_strategy", "parallel.zero", STRATEGY},
    {"fsdp_config.fsdp_reshard_after_forward", "parallel.zero", STRATEGY},
    {"fsdp_config.fsdp_offload_params", "parallel.offload", OFFLOADED},
    {"fsdp_config.fsdp_activation_checkpointing", "recompute", RECOMPUTE},
    {"megatron_lm_config.megatron_lm_tp_degree", "parallel.tensor", ABOVE_ZERO},
    {"megatron_lm_config.megatron_lm_pp_degree", "parallel.pipeline", ABOVE_ZERO},
};

static const struct tool_key state_keys[] = {
    {"train_batch_size", "micro_batch", ABOVE_ZERO},
    {"num_train_epochs", "epochs", AS_IT_IS},
    {"max_steps", "steps", ABOVE_ZERO},
};

static const struct tool_key kohya_keys[] = {
    {"pretrained_model_name_or_path", "model", CHECKPOINT},
    {"network_module", "method", NETWORK},
    {"LoRA_type", "method", NETWORK}, /* of the window */
    {"network_dim", "rank", AS_IT_IS},
    {"fused_backward_pass", "fused_step", YES},
    {"resolution", "resolution", SIDES},
    {"max_resolution", "resolution", SIDES}, /* of the window */
    {"train_batch_size", "micro_batch", AS_IT_IS},
    {"gradient_accumulation_steps", "accumulation", AS_IT_IS},
    {"epoch", "epochs", ABOVE_ZERO}, /* of the window */
    {"max_train_steps", "steps", ABOVE_ZERO},
    {"max_train_epochs", "epochs", ABOVE_ZERO}, /* replaces the steps */
    {"use_8bit_adam", "optimizer", ADAM_8BIT},
    {"optimizer_type", "optimizer", IF_KNOWN},
    {"optimizer", "optimizer", IF_KNOWN}, /* of the window */
    {"mixed_precision", "precision", AUTOCAST},
    {"full_bf16", "precision", PURE_BF16},
    {"fp8_base", "method", FLOAT_8},
    {"gradient_checkpointing", "recompute", RECOMPUTE},
    {"cache_latents", "latents", CACHED},
    {"cache_latents_to_disk", "latents", CACHED},
    {"xformers", "attention", FLASH},
    {"sdpa", "attention", FLASH},
    {"torch_compile", "compile", YES},
};

/* Arguments of diffusers' example scripts; the rest is as in kohya's. */
static const struct tool_key diffusers_keys[] = {
    {"rank", "rank", ABOVE_ZERO},
    {"lora_rank", "rank", ABOVE_ZERO},
    {"num_train_epochs", "epochs", ABOVE_ZERO}, /* max_train_steps replaces them */
    {"use_dora", "dora", YES},
    {"enable_xformers_memory_efficient_attention", "attention", FLASH},
};

static const struct tool_key litgpt_keys[] = {
    {"checkpoint_dir", "model", FOLDER},
    {"initial_checkpoint_dir", "model", FOLDER},
    {"model_name", "model", FOLDER},
    {"model_config.name", "model", FOLDER},
    {"precision", "precision", PRECISION_TRUE},
    {"quantize", "method", QUANTIZE},
    {"lora_r", "rank", AS_IT_IS},
    {"lora_query", "targets", QUERY_MODULE},
    {"lora_key", "targets", KEY_MODULE},
    {"lora_value", "targets", VALUE_MODULE},
    {"lora_projection", "targets", OUT_MODULE},
    {"lora_mlp", "targets", FFN_MODULE},
    {"lora_head", "targets", HEAD_MODULE},
    {"adapter_start_layer", "method", UNREAD},
    {"train.micro_batch_size", "micro_batch", ABOVE_ZERO},
    {"train.global_batch_size", "global_batch", ABOVE_ZERO},
    {"train.max_seq_length", "sequence", ABOVE_ZERO},
    {"train.max_tokens", "data.tokens", ABOVE_ZERO},
    {"train.epochs", "epochs", ABOVE_ZERO},
    {"train.max_steps", "steps", ABOVE_ZERO},
    {"optimizer", "optimizer", CLASS},
};

/* Before the model's file, which replaces the shape. */
static const struct tool_key nemo_keys[] = {
    {"model.num_layers", "shape.layers", ABOVE_ZERO},
    {"model.hidden_size", "shape.hidden", ABOVE_ZERO},
    {"model.num_attention_heads", "shape.heads", ABOVE_ZERO},
    {"model.num_query_groups", "shape.kv_heads", ABOVE_ZERO},
    {"model.kv_channels", "shape.head_dim", ABOVE_ZERO},
    {"model.ffn_hidden_size", "shape.ffn", ABOVE_ZERO},
    {"model.override_vocab_size", "shape.vocab", ABOVE_ZERO},
    {"model.restore_from_path", "model", WEIGHTS_FILE},
    {"model.micro_batch_size", "micro_batch", ABOVE_ZERO},
    {"model.data.train_ds.micro_batch_size", "micro_batch", ABOVE_ZERO},
    {"model.global_batch_size", "global_batch", ABOVE_ZERO},
    {"model.data.train_ds.global_batch_size", "global_batch", ABOVE_ZERO},
    {"model.encoder_seq_length", "sequence", ABOVE_ZERO},
    {"model.data.seq_length", "sequence", ABOVE_ZERO},
    {"model.data.train_ds.max_seq_length", "sequence", ABOVE_ZERO},
    {"model.tensor_model_parallel_size", "parallel.tensor", ABOVE_ZERO},
    {"model.pipeline_model_parallel_size", "parallel.pipeline", ABOVE_ZERO},
    {"model.virtual_pipeline_model_parallel_size", "parallel.virtual_pipeline", ABOVE_ZERO},
    {"model.context_parallel_size", "parallel.context", ABOVE_ZERO},
    {"model.expert_model_parallel_size", "parallel.expert", ABOVE_ZERO},
    {"model.activations_checkpoint_granularity", "recompute", GRANULARITY},
    {"model.optim.name", "optimizer", IF_KNOWN},
    {"model.peft.peft_scheme", "method", SCHEME},
    {"model.peft.lora_tuning.adapter_dim", "rank", ABOVE_ZERO},
    {"model.peft.lora_tuning.target_modules", "targets", MODULES},
    {"trainer.precision", "precision", PRECISION_TRUE},
    {"model.precision", "precision", PRECISION_TRUE},
    {"model.fp8", "precision", FLOAT_8_PRODUCTS},
    {"trainer.max_epochs", "epochs", ABOVE_ZERO},
    {"trainer.max_steps", "steps", ABOVE_ZERO},
};

static const struct tool_key nemo_2_keys[] = {
    {"model.config._target_", "model", CONFIG_CLASS},
    {"resume.restore_config.path", "model", WEIGHTS_FILE},
    {"data.micro_batch_size", "micro_batch", ABOVE_ZERO},
    {"data.global_batch_size", "global_batch", ABOVE_ZERO},
    {"model.config.seq_length", "sequence", ABOVE_ZERO},
    {"data.seq_length", "sequence", ABOVE_ZERO},
    {"trainer.strategy.tensor_model_parallel_size", "parallel.tensor", ABOVE_ZERO},
    {"trainer.strategy.pipeline_model_parallel_size", "parallel.pipeline", ABOVE_ZERO},
    {"trainer.strategy.virtual_pipeline_model_parallel_size", "parallel.virtual_pipeline",
     ABOVE_ZERO},
    {"trainer.strategy.context_parallel_size", "parallel.context", ABOVE_ZERO},
    {"trainer.strategy.expert_model_parallel_size", "parallel.expert", ABOVE_ZERO},
    {"model.config.recompute_granularity", "recompute", GRANULARITY},
    {"peft.dim", "rank", ABOVE_ZERO},
    {"peft.target_modules", "targets", MODULES},
    {"trainer.plugins.precision", "precision", PRECISION_TRUE},
    {"trainer.plugins.fp8", "precision", FLOAT_8_PRODUCTS},
    {"trainer.max_epochs", "epochs", ABOVE_ZERO},
    {"trainer.max_steps", "steps", ABOVE_ZERO},
};

static const struct tool_key nemo_auto_keys[] = {
    {"model.pretrained_model_name_or_path", "model", AS_IT_IS},
    {"model.torch_dtype", "precision", WEIGHTS},
    {"model.attn_implementation", "attention", FLASH},
    {"step_scheduler.local_batch_size", "micro_batch", ABOVE_ZERO},
    {"step_scheduler.global_batch_size", "global_batch", ABOVE_ZERO},
    {"step_scheduler.num_epochs", "epochs", ABOVE_ZERO},
    {"step_scheduler.max_steps", "steps", ABOVE_ZERO},
    {"packed_sequence.packed_sequence_size", "sequence", ABOVE_ZERO},
    {"dataset.seq_length", "sequence", ABOVE_ZERO},
    {"peft.dim", "rank", ABOVE_ZERO},
    {"peft.target_modules", "targets", MODULES},
    {"peft.match_all_linear", "targets", ALL_MODULES},
    {"peft.use_dora", "dora", YES},
    {"quantization.load_in_4bit", "method", FOUR_BITS},
    {"quantization.load_in_8bit", "method", EIGHT_BITS},
    {"optimizer._target_", "optimizer", CLASS},
    {"loss_fn._target_", "loss", FUSED_LOSS},
    {"fp8", "precision", UNREAD},
    {"teacher_model", "method", UNREAD},
    {"distributed.tp_size", "parallel.tensor", ABOVE_ZERO},
    {"distributed.cp_size", "parallel.context", ABOVE_ZERO},
    {"distributed.activation_checkpointing", "recompute", RECOMPUTE},
};

/* `batch` is of all GPUs together; -1 and shares of the memory are found at the start. */
static const struct tool_key ultralytics_keys[] = {
    {"model", "model", WEIGHTS_FILE},      {"imgsz", "resolution", SIDES},
    {"batch", "global_batch", IF_KNOWN},   {"epochs", "epochs", ABOVE_ZERO},
    {"optimizer", "optimizer", IF_KNOWN},  {"amp", "precision", AMP},
    {"compile", "compile", YES},           {"freeze", "method", UNREAD},
    {"multi_scale", "resolution", UNREAD}, {"time", "epochs", UNREAD},
};

/* Arguments of its command-line programs, in a file; flags are true. */
static const struct tool_key openrlhf_keys[] = {
    {"pretrain", "model", AS_IT_IS},
    {"micro_train_batch_size", "micro_batch", ABOVE_ZERO},
    {"train_batch_size", "global_batch", ABOVE_ZERO},
    {"max_samples", "data.examples", ABOVE_ZERO},
    {"max_len", "sequence", ABOVE_ZERO},
    {"zero_stage", "parallel.zero", AS_IT_IS},
    {"bf16", "precision", BF16},
    {"adam_offload", "parallel.offload", OFFLOADED_STATES},
    {"gradient_checkpointing", "recompute", RECOMPUTE},
    {"lora_rank", "rank", ABOVE_ZERO},
    {"target_modules", "targets", MODULES},
    {"load_in_4bit", "method", FOUR_BITS},
    {"flash_attn", "attention", FLASH},
    {"attn_implementation", "attention", FLASH},
    {"ds_tensor_parallel_size", "parallel.tensor", ABOVE_ZERO},
    {"ring_attn_size", "parallel.context", ABOVE_ZERO},
};

static const struct tool_key verl_keys[] = {
    {"actor_rollout_ref.model.path", "model", AS_IT_IS},
    {"actor_rollout_ref.model.enable_gradient_checkpointing", "recompute", RECOMPUTE},
    {"actor_rollout_ref.model.lora_rank", "rank", ABOVE_ZERO},
    {"actor_rollout_ref.model.target_modules", "targets", MODULES},
    {"actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu", "micro_batch", ABOVE_ZERO},
    {"actor_rollout_ref.actor.ulysses_sequence_parallel_size", "parallel.context", ABOVE_ZERO},
    {"actor_rollout_ref.actor.fsdp_config.optimizer_offload", "parallel.offload",
     OFFLOADED_STATES},
    {"actor_rollout_ref.actor.fsdp_config.param_offload", "parallel.offload", OFFLOADED},
    {"actor_rollout_ref.actor.megatron.tensor_model_parallel_size", "parallel.tensor",
     ABOVE_ZERO},
    {"actor_rollout_ref.actor.megatron.pipeline_model_parallel_size", "parallel.pipeline",
     ABOVE_ZERO},
    {"trainer.total_epochs", "epochs", ABOVE_ZERO},
    {"trainer.total_training_steps", "steps", ABOVE_ZERO},
};

static const struct tool_key peft_keys[] = {
    {"base_model_name_or_path", "model", AS_IT_IS},
    {"r", "rank", AS_IT_IS},
    {"target_modules", "targets", MODULES},
    {"modules_to_save", "modules_to_save", SAVED},
    {"use_dora", "dora", YES},
    {"rank_pattern", "rank", UNREAD},
};

/* The keys of each tool, in the order in which they count. */
static const struct {
    enum job_tool tool;
    const struct tool_key *keys;
    size_t count;
} tables[] = {
    {JOB_TOOL_AXOLOTL, axolotl_keys, ARRAY_LEN(axolotl_keys)},
    {JOB_TOOL_LLAMA_FACTORY, trainer_keys, ARRAY_LEN(trainer_keys)},
    {JOB_TOOL_LLAMA_FACTORY, factory_keys, ARRAY_LEN(factory_keys)},
    {JOB_TOOL_TORCHTUNE, torchtune_keys, ARRAY_LEN(torchtune_keys)},
    {JOB_TOOL_TRAINER, trainer_keys, ARRAY_LEN(trainer_keys)},
    {JOB_TOOL_TRAINER, script_keys, ARRAY_LEN(script_keys)},
    {JOB_TOOL_STATE, state_keys, ARRAY_LEN(state_keys)},
    {JOB_TOOL_ACCELERATE, accelerate_keys, ARRAY_LEN(accelerate_keys)},
    {JOB_TOOL_KOHYA, kohya_keys, ARRAY_LEN(kohya_keys)},
    {JOB_TOOL_DIFFUSERS, diffusers_keys, ARRAY_LEN(diffusers_keys)},
    {JOB_TOOL_DIFFUSERS, kohya_keys, ARRAY_LEN(kohya_keys)},
    {JOB_TOOL_LITGPT, litgpt_keys, ARRAY_LEN(litgpt_keys)},
    {JOB_TOOL_NEMO, nemo_keys, ARRAY_LEN(nemo_keys)},
    {JOB_TOOL_NEMO_2, nemo_2_keys, ARRAY_LEN(nemo_2_keys)},
    {JOB_TOOL_NEMO_AUTO, nemo_auto_keys, ARRAY_LEN(nemo_auto_keys)},
    {JOB_TOOL_ULTRALYTICS, ultralytics_keys, ARRAY_LEN(ultralytics_keys)},
    {JOB_TOOL_PEFT, peft_keys, ARRAY_LEN(peft_keys)},
    {JOB_TOOL_OPENRLHF, openrlhf_keys, ARRAY_LEN(openrlhf_keys)},
    {JOB_TOOL_VERL, verl_keys, ARRAY_LEN(verl_keys)},
};

/* ---- whose it is ---- */

/* Documents that have the first key and one of the others; the first row that fits counts. */
static const struct {
    enum job_tool tool;
    const char *key, *beside[9];
} signs[] = {
    {JOB_TOOL_PEFT, "peft_type", {"base_model_name_or_path"}},
    {JOB_TOOL_VERL,
     "actor_rollout_ref",
     {"actor_rollout_ref.model", "data", "trainer", "algorithm"}},
    {JOB_TOOL_OPENRLHF,
     "pretrain",
     {"micro_train_batch_size", "zero_stage", "train_batch_size", "rollout_batch_size"}},
    {JOB_TOOL_LITGPT,
     "train",
     {"checkpoint_dir", "initial_checkpoint_dir", "lora_query", "train.micro_batch_size",
      "train.global_batch_size", "train.max_seq_length", "train.max_tokens"}},
    {JOB_TOOL_NEMO_2,
     "trainer",
     {"trainer.strategy.tensor_model_parallel_size", "model.config._target_"}},
    {JOB_TOOL_NEMO,
     "trainer",
     {"model.tensor_model_parallel_size", "model.micro_batch_size", "model.restore_from_path",
      "model.encoder_seq_length", "model.peft.peft_scheme", "model.data.train_ds"}},
    {JOB_TOOL_NEMO_AUTO,
     "step_scheduler",
     {"model.pretrained_model_name_or_path", "model._target_"}},
    {JOB_TOOL_ULTRALYTICS, "imgsz", {"model", "epochs", "batch", "data"}},
    {JOB_TOOL_AXOLOTL,
     "base_model",
     {"datasets", "adapter", "micro_batch_size", "sequence_len", "num_epochs",
      "pretraining_dataset"}},
    {JOB_TOOL_TORCHTUNE,
     "model._component_",
     {"batch_size", "tokenizer", "optimizer", "dataset"}},
    {JOB_TOOL_LLAMA_FACTORY,
     "model_name_or_path",
     {"finetuning_type", "stage", "cutoff_len", "lora_target"}},
    {JOB_TOOL_STATE, "log_history", {"global_step", "max_steps", "num_train_epochs"}},
    {JOB_TOOL_TRAINER,
     "per_device_train_batch_size",
     {"output_dir", "num_train_epochs", "gradient_accumulation_steps", "learning_rate",
      "max_steps", "model_name_or_path"}},
    {JOB_TOOL_TRAINER,
     "model_name_or_path",
     {"num_train_epochs", "gradient_accumulation_steps", "per_device_eval_batch_size",
      "max_steps", "learning_rate"}},
    {JOB_TOOL_DIFFUSERS,
     "pretrained_model_name_or_path",
     {"instance_data_dir", "instance_prompt", "validation_prompt", "num_validation_images",
      "center_crop", "rank", "checkpoints_total_limit",
      "enable_xformers_memory_efficient_attention"}},
    {JOB_TOOL_KOHYA,
     "pretrained_model_name_or_path",
     {"network_module", "network_dim", "max_train_steps", "max_train_epochs", "train_data_dir",
      "LoRA_type", "dataset_config", "train_batch_size"}},
    {JOB_TOOL_ACCELERATE,
     "distributed_type",
     {"compute_environment", "num_processes", "mixed_precision"}},
};

static bool names_model(const struct node *root)
{
    return node_at(root, "train.model") != NULL || node_at(root, "train.params") != NULL ||
           node_at(root, "train.config") != NULL;
}

enum job_tool job_tool_of(const struct node *root)
{
    bool ours;

    if (root->kind != NODE_MAP)
        return JOB_TOOL_NONE;
    ours = node_get(root, STR("train")) != NULL || node_get(root, STR("infer")) != NULL;
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        if (node_at(root, signs[i].key) == NULL ||
            (ours && (signs[i].tool != JOB_TOOL_LITGPT || names_model(root))))
            continue; /* LitGPT has such a section too, without a model */
        for (size_t j = 0; j < ARRAY_LEN(signs[i].beside) && signs[i].beside[j] != NULL; j++)
            if (node_at(root, signs[i].beside[j]) != NULL)
                return signs[i].tool;
    }
    return JOB_TOOL_NONE;
}

static bool apply_keys(struct tool_reading *r, const struct node *root, enum job_tool tool,
                       struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        for (size_t j = 0; tables[i].tool == tool && j < tables[i].count; j++) {
            const struct node *node = node_at(root, tables[i].keys[j].path);

            if (node != NULL && !tool_apply(r, root, &tables[i].keys[j], node, err))
                return false;
        }
    return true;
}

/* Is the key, or one in its section, in a table of the tool? */
static bool is_tool_key_read(enum job_tool tool, struct str key)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        for (size_t j = 0; tables[i].tool == tool && j < tables[i].count; j++) {
            struct str path = str_from(tables[i].keys[j].path);

            if (str_starts(path, key) && (path.len == key.len || path.at[key.len] == '.'))
                return true;
        }
    return tool_is_objective_key(tool, key);
}

/* ---- what the tools do by themselves ---- */

/* What they do where the file says nothing. */
static const struct {
    enum job_tool tool;
    const char *key, *value;
} defaults[] = {
    {JOB_TOOL_AXOLOTL, "micro_batch", "1"},
    {JOB_TOOL_AXOLOTL, "accumulation", "1"},
    {JOB_TOOL_AXOLOTL, "epochs", "1"},
    {JOB_TOOL_LLAMA_FACTORY, "recompute", "full"},
    {JOB_TOOL_LLAMA_FACTORY, "micro_batch", "8"},
    {JOB_TOOL_LLAMA_FACTORY, "accumulation", "1"},
    {JOB_TOOL_LLAMA_FACTORY, "epochs", "3"},
    {JOB_TOOL_LLAMA_FACTORY, "sequence", "2048"},
    {JOB_TOOL_TORCHTUNE, "framework", "torchtune"},
    {JOB_TOOL_TRAINER, "micro_batch", "8"},
    {JOB_TOOL_TRAINER, "accumulation", "1"},
    {JOB_TOOL_TRAINER, "epochs", "3"},
    {JOB_TOOL_KOHYA, "framework", "kohya"},
    {JOB_TOOL_KOHYA, "recompute", "none"},
    {JOB_TOOL_KOHYA, "micro_batch", "1"},
    {JOB_TOOL_KOHYA, "accumulation", "1"},
    {JOB_TOOL_KOHYA, "steps", "1600"},
    {JOB_TOOL_DIFFUSERS, "recompute", "none"},
    {JOB_TOOL_DIFFUSERS, "accumulation", "1"},
    {JOB_TOOL_LITGPT, "framework", "litgpt"},
    {JOB_TOOL_LITGPT, "micro_batch", "1"},
    {JOB_TOOL_NEMO, "framework", "nemo"},
    {JOB_TOOL_NEMO_2, "framework", "nemo"},
    {JOB_TOOL_NEMO_AUTO, "precision", "bf16-pure"},
    {JOB_TOOL_NEMO_AUTO, "parallel.zero", "3"},
    {JOB_TOOL_ULTRALYTICS, "framework", "pytorch"},
    {JOB_TOOL_ULTRALYTICS, "global_batch", "16"},
    {JOB_TOOL_ULTRALYTICS, "epochs", "100"},
    {JOB_TOOL_ULTRALYTICS, "resolution", "640"},
    {JOB_TOOL_ULTRALYTICS, "precision", "amp-fp16"},
    {JOB_TOOL_PEFT, "method", "lora"},
    {JOB_TOOL_OPENRLHF, "framework", "deepspeed"},
    {JOB_TOOL_OPENRLHF, "recompute", "none"},
    {JOB_TOOL_OPENRLHF, "global_batch", "128"},
    {JOB_TOOL_OPENRLHF, "parallel.zero", "2"},
    {JOB_TOOL_OPENRLHF, "parallel.tensor", "1"}, /* what the file does not split is not split */
    {JOB_TOOL_OPENRLHF, "parallel.pipeline", "1"},
    {JOB_TOOL_OPENRLHF, "parallel.context", "1"},
    {JOB_TOOL_OPENRLHF, "parallel.expert", "1"},
    {JOB_TOOL_VERL, "framework", "fsdp"},
    {JOB_TOOL_VERL, "parallel.zero", "3"},
};

/* Does the file leave the key to the tool's own start? */
static bool is_tool_key_open(const struct node *root, enum job_tool tool, const char *key)
{
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        for (size_t j = 0; tables[i].tool == tool && j < tables[i].count; j++) {
            const struct node *node = strcmp(tables[i].keys[j].key, key) == 0
                                          ? node_at(root, tables[i].keys[j].path)
                                          : NULL;

            if (node != NULL && node->kind == NODE_SCALAR && tool_is_template(node->text))
                return true;
        }
    return false;
}

static bool apply_defaults(struct tool_reading *r, const struct node *root, enum job_tool tool,
                           struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(defaults); i++)
        if (defaults[i].tool == tool && !is_tool_key_open(root, tool, defaults[i].key) &&
            !tool_set(r, root, defaults[i].key, defaults[i].value, err))
            return false;
    return true;
}

/* Adapters over weights in 4 or 8 bits are QLoRA, whatever the tool calls it; full training has
 * no adapters, even if the file still has their keys. */
static bool settle_method(struct tool_reading *r, const struct node *root, struct error *err)
{
    struct job_train *t = &r->job->train;

    if (t->method.len == 0 && r->base != NULL && !tool_set(r, root, "method", "lora", err))
        return false; /* such weights are not trained */
    if (r->base != NULL && str_eq_nocase(t->method, STR("lora")) &&
        !tool_set(r, root, "method", "qlora", err))
        return false;
    if (r->base != NULL && str_eq_nocase(t->method, STR("qlora")) &&
        strcmp(r->base, "nf4") != 0 && !tool_set(r, root, "base", r->base, err))
        return false;
    if (t->method.len == 0 || str_eq_nocase(t->method, STR("full"))) {
        t->rank = NAN;
        t->targets = t->modules_to_save = (struct str){0};
    }
    return true;
}

/* Scripts around the Trainer and diffusers, LitGPT: a rank is of adapters, unless they are
 * switched off. */
static bool settle_adapters(struct tool_reading *r, const struct node *root, struct error *err)
{
    struct job_train *t = &r->job->train;

    return isnan(t->rank) || t->method.len > 0 || tool_set(r, root, "method", "lora", err);
}

/* The Trainer trains the weights as they are loaded: in bf16 all is, but DeepSpeed keeps a copy
 * in 32 bits, and adapters are in 32 anyway. */
static bool settle_loaded(struct tool_reading *r, const struct node *root, struct error *err)
{
    const struct node *type = node_at(root, "torch_dtype");
    bool full = str_eq(r->job->train.method, STR("full")) || r->job->train.method.len == 0;

    if (type == NULL)
        type = node_at(root, "dtype");
    if (type == NULL || !full || !str_has_nocase(type->text, STR("bfloat16")) ||
        node_at(root, "deepspeed") != NULL || r->job->train.precision.len > 0)
        return true;
    return tool_set(r, type, "precision", "bf16-pure", err);
}

/* Neither bf16 nor fp16: 32 bits. */
static bool settle_precision(struct tool_reading *r, const struct node *root,
                             enum job_tool tool, struct error *err)
{
    const struct node *bf16 = node_at(root, "bf16"), *fp16 = node_at(root, "fp16");
    const struct node *tf32 = node_at(root, "tf32");
    bool full = str_eq(r->job->train.method, STR("full")) || r->job->train.method.len == 0;
    bool off = bf16 != NULL
                   ? tool_is_false(bf16->text)
                   : tool == JOB_TOOL_TRAINER && fp16 != NULL && tool_is_false(fp16->text);

    /* axolotl loads all weights in bf16; DeepSpeed and FSDP keep a copy in fp32 */
    if (tool == JOB_TOOL_AXOLOTL && full && bf16 != NULL && !tool_is_off(bf16) &&
        r->job->train.precision.len == 0 && node_at(root, "deepspeed") == NULL &&
        node_at(root, "fsdp") == NULL && node_at(root, "fsdp_config") == NULL)
        return tool_set(r, root, "precision", "bf16-pure", err);
    if (!off || r->job->train.precision.len > 0 ||
        (fp16 != NULL && tool_is_template(fp16->text)))
        return true;
    return tool_set(r, root, "precision",
                    tf32 != NULL && tool_is_true(tf32->text) ? "tf32" : "fp32", err);
}

/* DeepSpeed has no autocast: it keeps weights in fp16, and a copy of them in fp32. */
static bool settle_deepspeed(struct tool_reading *r, const struct node *root, struct error *err)
{
    bool used = r->job->tool_deepspeed.len > 0 ||
                node_at(root, "deepspeed.zero_optimization") ||
                node_at(root, "deepspeed_config.zero_stage");

    return !used || !str_eq(r->job->train.precision, STR("amp-fp16")) ||
           tool_set(r, root, "precision", "fp16-master", err);
}

/* States that are offloaded are not paged as well. */
static bool settle_paging(struct tool_reading *r, const struct node *root, struct error *err)
{
    struct str offload = r->job->train.parallel.offload;
    enum optimizer o;

    if (offload.len == 0 || str_eq(offload, STR("none")) ||
        !optimizer_of(r->job->train.optimizer, &o))
        return true;
    return tool_set(r, root, "optimizer",
                    o == OPTIMIZER_ADAMW_PAGED        ? "adamw"
                    : o == OPTIMIZER_ADAMW_8BIT_PAGED ? "adamw-8bit"
                                                      : NULL,
                    err);
}

/* "conv_dim=16", "algo=lokr": adapters of other layers and of other shapes. */
static bool note_network_arg(struct tool_reading *r, struct str arg, struct error *err)
{
    static const char *const harmless[] = {"dropout", "alpha", "loraplus", NULL};
    struct node node = {.kind = NODE_SCALAR, .text = arg};

    if (str_has_any(arg, harmless))
        return true;
    return arg.len == 0 || tool_add_unused(r, "network_args", &node, err);
}

/* A list; of TOML its text: ["conv_dim=16", "conv_alpha=8"]. */
static bool settle_network_args(struct tool_reading *r, const struct node *args,
                                struct error *err)
{
    struct str rest = args != NULL ? args->text : (struct str){0};

    for (const struct node *item = args != NULL ? args->first : NULL; item != NULL;
         item = item->next)
        if (item->kind == NODE_SCALAR && !note_network_arg(r, item->text, err))
            return false;
    while (rest.len > 0) {
        struct str arg = str_cut(&rest, ',');

        while (arg.len > 0 && strchr("[]\"' \t\r\n", arg.at[0]) != NULL)
            arg = (struct str){arg.at + 1, arg.len - 1};
        while (arg.len > 0 && strchr("[]\"' \t\r\n", arg.at[arg.len - 1]) != NULL)
            arg.len--;
        if (!note_network_arg(r, arg, err))
            return false;
    }
    return true;
}

/* kohya: another key may tell the model, and a rank is of adapters. */
static bool settle_kohya(struct tool_reading *r, const struct node *root, struct error *err)
{
    const struct node *sdxl = node_get(root, STR("sdxl")), *v2 = node_get(root, STR("v2"));
    const struct node *sets =
        node_get(root, STR("dataset_config")); /* which may have a batch */
    struct job_train *t = &r->job->train;

    if (t->model.len == 0 && sdxl != NULL && tool_is_true(sdxl->text) &&
        !tool_set(r, sdxl, "model", "sdxl", err))
        return false;
    if (t->model.len == 0 && v2 != NULL && tool_is_true(v2->text) &&
        !tool_set(r, v2, "model", "sd-2.1", err))
        return false;
    if (sets != NULL && node_get(root, STR("train_batch_size")) == NULL)
        tool_open_as(r, "dataset_config", sets->text, "batches of one picture");
    return settle_network_args(r, node_get(root, STR("network_args")), err) &&
           (isnan(t->rank) || tool_set(r, root, "method", "lora", err));
}

/* NeMo's mixed precision keeps weights in 16 bits and a copy in 32, as Megatron does; its
 * distributed optimizer shards the states. A shape has no vocabulary: the tokenizer has. */
static bool settle_nemo(struct tool_reading *r, const struct node *root, enum job_tool tool,
                        struct error *err)
{
    const struct node *optimizer = node_at(root, "model.optim.name");
    const struct node *activation = node_at(root, "model.activation");
    const struct node *shared = node_at(root, "model.share_embeddings_and_output_weights");
    struct job_train *t = &r->job->train;

    if (str_eq(t->precision, STR("amp-bf16")) && !tool_set(r, root, "precision", "bf16", err))
        return false;
    if (optimizer != NULL && str_has_nocase(optimizer->text, STR("distributed")) &&
        !tool_set(r, optimizer, "parallel.zero", "1", err))
        return false;
    if (tool == JOB_TOOL_NEMO_2) /* adapters are a section of their own */
        return node_at(root, "peft") == NULL || tool_is_off(node_at(root, "peft")) ||
               tool_set(r, root, "method", "lora", err);
    if (t->shape.layers < 1 || t->model.len > 0)
        return true;
    if (t->shape.vocab < 1) {
        tool_open_as(r, "model.tokenizer", STR("its vocabulary"), "51,200 words");
        if (!tool_set(r, root, "shape.vocab", "51200", err))
            return false;
    }
    return tool_set(r, root, "shape.gated",
                    activation != NULL && str_has_nocase(activation->text, STR("glu")) ? "yes"
                                                                                       : "no",
                    err) &&
           tool_set(r, root, "shape.tied",
                    shared != NULL && tool_is_false(shared->text) ? "no" : "yes", err);
}

/* What the tools adapt where the file does not say. */
static bool settle_targets(struct tool_reading *r, const struct node *root, enum job_tool tool,
                           struct error *err)
{
    const struct node *peft = node_at(root, "use_peft");
    bool query = node_at(root, "lora_query") == NULL,
         value = node_at(root, "lora_value") == NULL;

    if (tool == JOB_TOOL_LITGPT && query && !tool_add_target(r, root, "q_proj", err))
        return false;
    if (tool == JOB_TOOL_LITGPT && value && !tool_add_target(r, root, "v_proj", err))
        return false;
    /* PEFT's own choice, for most models */
    return tool != JOB_TOOL_TRAINER || peft == NULL || !tool_is_true(peft->text) ||
           r->job->train.targets.len > 0 || tool_set(r, root, "targets", "q_proj,v_proj", err);
}

/* The rank of adapters, and what they are of, where the file does not say: as the tool has
 * them. */
static bool settle_default_adapters(struct tool_reading *r, const struct node *root,
                                    enum job_tool tool, struct error *err)
{
    static const struct {
        enum job_tool tool;
        const char *rank;
    } ranks[] = {
        {JOB_TOOL_LLAMA_FACTORY, "8"}, {JOB_TOOL_TORCHTUNE, "8"}, {JOB_TOOL_LITGPT, "8"},
        {JOB_TOOL_NEMO, "32"},         {JOB_TOOL_NEMO_2, "32"},   {JOB_TOOL_NEMO_AUTO, "8"},
        {JOB_TOOL_KOHYA, "4"},         {JOB_TOOL_DIFFUSERS, "4"}, {JOB_TOOL_PEFT, "8"},
    };
    struct job_train *t = &r->job->train;

    if (t->method.len == 0 || str_eq_nocase(t->method, STR("full")))
        return true;
    for (size_t i = 0; isnan(t->rank) && i < ARRAY_LEN(ranks); i++)
        if (ranks[i].tool == tool && !tool_set(r, root, "rank", ranks[i].rank, err))
            return false;
    return settle_targets(r, root, tool, err);
}

static bool settle_tool_keys(struct tool_reading *r, const struct node *root,
                             enum job_tool tool, struct error *err)
{
    bool halves = tool == JOB_TOOL_AXOLOTL || tool == JOB_TOOL_TRAINER;

    if (tool == JOB_TOOL_STATE)
        tool_open_as(r, "gradient_accumulation_steps", STR("not in this file"), "1");
    return (tool != JOB_TOOL_KOHYA || settle_kohya(r, root, err)) &&
           ((tool != JOB_TOOL_TRAINER && tool != JOB_TOOL_LITGPT &&
             tool != JOB_TOOL_DIFFUSERS && tool != JOB_TOOL_NEMO_AUTO &&
             tool != JOB_TOOL_OPENRLHF && tool != JOB_TOOL_VERL) ||
            settle_adapters(r, root, err)) &&
           ((tool != JOB_TOOL_NEMO && tool != JOB_TOOL_NEMO_2) ||
            settle_nemo(r, root, tool, err)) &&
           settle_method(r, root, err) && settle_default_adapters(r, root, tool, err) &&
           tool_settle_lean(r, root, err) &&
           (tool != JOB_TOOL_TRAINER || settle_loaded(r, root, err)) &&
           (!halves || settle_precision(r, root, tool, err)) &&
           settle_deepspeed(r, root, err) && settle_paging(r, root, err) &&
           tool_settle_objective(r, root, tool, err);
}

struct node *job_tool_toml(struct str text, const char *name, struct arena *arena,
                           struct error *err)
{
    struct str kept = {str_dup(text, arena, err), text.len};
    struct node *flat = node_new(NODE_MAP, arena, err), *last = NULL, *next;
    const struct node *root =
        kept.at != NULL && flat != NULL ? toml_read(kept, name, arena, err) : NULL;

    if (root == NULL)
        return NULL;
    for (struct node *child = root->first; child != NULL; child = next) {
        next = child->next;
        for (struct node *inside = toml_is_table(child) ? child->first : NULL, *after;
             inside != NULL; inside = after) {
            after = inside->next;
            inside->next = NULL;
            node_append(flat, &last, inside);
        }
        child->next = NULL;
        if (!toml_is_table(child))
            node_append(flat, &last, child);
    }
    if (job_tool_of(flat) != JOB_TOOL_NONE)
        return flat;
    if (!tool_refuse_other(flat, name, err))
        return NULL;
    error_set(err, ERROR_INPUT, "%s: a TOML file, but not a configuration of kohya's training",
              name);
    error_hint(err, "give the file of --config_file; job files are YAML: train: {model: sdxl}");
    return NULL;
}

bool job_from_tool(struct node *root, enum job_tool tool, const char *name, struct job *job,
                   struct arena *arena, struct error *err)
{
    struct tool_reading r = {
        .name = name, .job = job, .arena = arena, .open = buf_new(arena->alloc, JOB_MAX)};
    bool ok = (r.unused = arena_array(arena, struct str, TOOL_UNUSED_MAX, err)) != NULL &&
              tool_resolve_references(&r, root, err) && apply_defaults(&r, root, tool, err) &&
              (job->train.framework.len > 0 || tool_set(&r, root, "framework", "hf", err)) &&
              apply_keys(&r, root, tool, err) && settle_tool_keys(&r, root, tool, err) &&
              tool_note_unused(&r, root, is_tool_key_read, tool, err);

    job->tool = tool;
    job->tool_unused = (struct strs){r.unused, r.unused_count};
    ok = ok && buf_keep(&r.open, arena, &job->tool_open, err);
    buf_free(&r.open);
    return ok;
}
