/* accelerate's default_config.yaml. The way of distribution that the file has is kept where it
 * can do what the plan needs. */
#include "generate/edit.h"

static struct str accelerate_text(const struct target *t, const char *path)
{
    const struct node *node = find_value(t->root, path);

    return node != NULL ? node->text : (struct str){0};
}

/* ZeRO and offloading take DeepSpeed; copies on several GPUs take MULTI_GPU, which accelerate
 * refuses on one. */
static struct str distribution(const struct target *t, struct settings *out)
{
    static const char key[] = "distributed_type";
    const struct config_choice *c = t->choice;
    struct str there = accelerate_text(t, key);
    bool plain = there.len == 0 || str_eq_nocase(there, STR("NO")) ||
                 str_eq_nocase(there, STR("false")) || str_eq_nocase(there, STR("MULTI_GPU"));
    bool shards = c->zero > 0 || (c->offload < OFFLOAD_COUNT && c->offload != OFFLOAD_NONE);

    if (!plain)
        return there;
    if (shards)
        set_word(out, key, "DEEPSPEED");
    else if (c->gpus > 1)
        set_word(out, key, "MULTI_GPU");
    else if (c->gpus == 1)
        set_word(out, key, "NO");
    return shards ? STR("DEEPSPEED") : (struct str){0};
}

static bool set_accelerate_precision(const struct target *t, struct settings *out,
                                     struct error *err)
{
    static const char *const words[PRECISION_COUNT] = {
        [PRECISION_FP32] = "no",        [PRECISION_TF32] = "no",
        [PRECISION_AMP_FP16] = "fp16",  [PRECISION_AMP_BF16] = "bf16",
        [PRECISION_FP16] = "fp16",      [PRECISION_BF16] = "bf16",
        [PRECISION_BF16_PURE] = "bf16", [PRECISION_FP8] = "fp8",
    };
    enum precision p = t->choice->precision;

    if (!choice_has_precision(t->choice))
        return true;
    if (words[p] == NULL) {
        error_set(err, ERROR_INPUT, "%s: accelerate cannot train in %s", t->name,
                  precision_names[p]);
        error_hint(err, "plan with --set precision=bf16");
        return false;
    }
    set_word(out, "mixed_precision", words[p]);
    return true;
}

static void set_accelerate_device(const struct target *t, const char *device_at,
                                  const char *path_at, const char *device, struct settings *out)
{
    if (!str_eq(str_from(device), STR("none")) || target_has(t, device_at))
        set_word(out, device_at, device);
    /* DeepSpeed wants one; this is what its own examples call the disk. */
    if (str_eq(str_from(device), STR("nvme")) && !target_has(t, path_at))
        set_word(out, path_at, "/local_nvme");
}

static void set_accelerate_deepspeed(const struct target *t, struct settings *out)
{
    static const char *const states[] = {"none", "cpu", "cpu", "nvme"};
    static const char *const weights[] = {"none", "none", "cpu", "nvme"};
    const struct config_choice *c = t->choice;

    if (c->zero >= 0)
        set_number(out, "deepspeed_config.zero_stage", c->zero);
    if (c->accumulation > 0)
        set_number(out, "deepspeed_config.gradient_accumulation_steps", c->accumulation);
    if (c->offload >= OFFLOAD_COUNT)
        return;
    set_accelerate_device(t, "deepspeed_config.offload_optimizer_device",
                          "deepspeed_config.offload_optimizer_nvme_path", states[c->offload],
                          out);
    set_accelerate_device(t, "deepspeed_config.offload_param_device",
                          "deepspeed_config.offload_param_nvme_path", weights[c->offload], out);
}

/* A strategy by its name or, in older files, its number. ZeRO 1 has none of its own: the next
 * one shards gradients too. Hybrid ones do the same within a machine. */
static void set_strategy(const struct target *t, struct settings *out)
{
    static const char *const names[] = {"NO_SHARD", "SHARD_GRAD_OP", "SHARD_GRAD_OP",
                                        "FULL_SHARD"};
    static const int numbers[] = {3, 2, 2, 1};
    static const struct {
        const char *text;
        int zero;
    } same[] = {{"HYBRID_SHARD", 3}, {"4", 3}, {"HYBRID_SHARD_ZERO2", 2}, {"5", 2}};
    static const char path[] = "fsdp_config.fsdp_sharding_strategy";
    struct str there = accelerate_text(t, path);
    int zero = t->choice->zero;

    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        if (str_eq(there, str_from(same[i].text)) && same[i].zero == zero)
            return;
    if (there.len == 1 && there.at[0] >= '1' && there.at[0] <= '5')
        set_number(out, path, numbers[zero]);
    else
        set_word(out, path, names[zero]);
}

static bool set_accelerate_fsdp(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;
    bool second = str_eq(accelerate_text(t, "fsdp_config.fsdp_version"), STR("2"));

    if ((second && c->zero == 0) || c->offload == OFFLOAD_NVME) {
        error_set(err, ERROR_INPUT, "%s: FSDP cannot do what the plan needs: %s", t->name,
                  c->offload == OFFLOAD_NVME ? "offload to a disk" : "whole copies");
        error_hint(err, "give a file with 'distributed_type: DEEPSPEED'");
        return false;
    }
    if (c->zero >= 0 && second)
        set_flag(out, "fsdp_config.fsdp_reshard_after_forward", c->zero == 3);
    else if (c->zero >= 0 && c->zero <= 3)
        set_strategy(t, out);
    if (c->offload < OFFLOAD_COUNT &&
        (c->offload != OFFLOAD_NONE || target_has(t, "fsdp_config.fsdp_offload_params")))
        set_flag(out, "fsdp_config.fsdp_offload_params", c->offload != OFFLOAD_NONE);
    if (choice_has_recompute(c))
        set_flag(out, "fsdp_config.fsdp_activation_checkpointing",
                 c->recompute != RECOMPUTE_NONE);
    return true;
}

static void set_megatron(const struct target *t, struct settings *out)
{
    const struct config_choice *c = t->choice;

    if (c->tensor > 0)
        set_number(out, "megatron_lm_config.megatron_lm_tp_degree", c->tensor);
    if (c->pipeline > 0)
        set_number(out, "megatron_lm_config.megatron_lm_pp_degree", c->pipeline);
    if (c->accumulation > 0)
        set_number(out, "megatron_lm_config.megatron_lm_num_micro_batches", c->accumulation);
    if (choice_has_recompute(c))
        set_flag(out, "megatron_lm_config.megatron_lm_recompute_activations",
                 c->recompute != RECOMPUTE_NONE);
    if (c->zero >= 0 && c->zero <= 1)
        set_flag(out, "megatron_lm_config.megatron_lm_use_distributed_optimizer", c->zero == 1);
}

bool accelerate_settings(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;
    bool own_file = target_has(t, "deepspeed_config.deepspeed_config_file");
    struct str kind = distribution(t, out);
    bool deepspeed = str_eq_nocase(kind, STR("DEEPSPEED"));
    bool fsdp = str_eq_nocase(kind, STR("FSDP"));
    bool megatron = str_eq_nocase(kind, STR("MEGATRON_LM"));

    if (c->machines > 0)
        set_number(out, "num_machines", c->machines);
    if (c->gpus > 0)
        set_number(out, "num_processes", c->gpus);
    /* A DeepSpeed file of the user's own has the rest, and accelerate refuses both at once. */
    if (deepspeed && own_file)
        return true;
    if (!set_accelerate_precision(t, out, err))
        return false;
    if (deepspeed)
        set_accelerate_deepspeed(t, out);
    if (fsdp && !set_accelerate_fsdp(t, out, err))
        return false;
    if (megatron)
        set_megatron(t, out);
    if (!deepspeed && c->accumulation > 0 && target_has(t, "gradient_accumulation_steps"))
        set_number(out, "gradient_accumulation_steps", c->accumulation);
    if (c->compiled &&
        (!target_has(t, "dynamo_config.dynamo_backend") ||
         str_eq_nocase(accelerate_text(t, "dynamo_config.dynamo_backend"), STR("NO"))))
        set_word(out, "dynamo_config.dynamo_backend", "INDUCTOR");
    return true;
}
