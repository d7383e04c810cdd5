/* DeepSpeed's JSON. "auto" is the user's wish that the Trainer fills it in: the plan knows. */
#include "base/num.h"
#include "generate/edit.h"

static int64_t deepspeed_number(const struct target *t, const char *path)
{
    const struct node *node = find_value(t->root, path);
    int64_t n;

    return node != NULL && num_int(node->text, &n) && n > 0 && n <= INT32_MAX ? n : -1;
}

/* or -1 */
static int64_t data_parallel_of(const struct config_choice *choice)
{
    int64_t model = choice->tensor > 0 && choice->pipeline > 0 && choice->tensor <= 1 << 20 &&
                            choice->pipeline <= 1 << 20
                        ? choice->tensor * choice->pipeline
                        : -1;

    if (choice->data > 0)
        return choice->data;
    return choice->gpus > 0 && model > 0 && choice->gpus % model == 0 ? choice->gpus / model
                                                                      : -1;
}

/* DeepSpeed stops unless batch = micro-batch x accumulation x data-parallel copies. */
static bool set_batch(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;
    int64_t micro = c->micro_batch > 0 ? c->micro_batch
                                       : deepspeed_number(t, "train_micro_batch_size_per_gpu");
    int64_t steps = c->accumulation > 0 ? c->accumulation
                                        : deepspeed_number(t, "gradient_accumulation_steps");
    int64_t data = data_parallel_of(c), batch = c->global_batch;
    bool any = c->micro_batch > 0 || c->accumulation > 0 || c->global_batch > 0;

    if (c->micro_batch > 0)
        set_number(out, "train_micro_batch_size_per_gpu", c->micro_batch);
    if (c->accumulation > 0)
        set_number(out, "gradient_accumulation_steps", c->accumulation);
    if (any && micro > 0 && steps > 0 && data > 0) {
        if (micro > INT32_MAX || steps > INT32_MAX || data > INT32_MAX ||
            micro * steps > INT64_MAX / data)
            return error_fail(err, ERROR_INPUT, "%s: a batch as large as this has no number",
                              t->name);
        batch = micro * steps * data;
    }
    if (batch > 0 && c->global_batch > 0 && batch != c->global_batch) {
        error_set(err, ERROR_INPUT,
                  "%s: a batch of %lld is not %lld x %lld accumulated x %lld GPUs", t->name,
                  (long long)c->global_batch, (long long)micro, (long long)steps,
                  (long long)data);
        error_hint(err, "DeepSpeed refuses this too: leave one of them to the plan");
        return false;
    }
    if (batch > 0)
        set_number(out, "train_batch_size", batch);
    return true;
}

static bool set_deepspeed_precision(const struct target *t, struct settings *out,
                                    struct error *err)
{
    /* Older files call the section so. */
    bool old = target_has(t, "bfloat16");
    const char *section = old ? "bfloat16.enabled" : "bf16.enabled";
    enum precision p = t->choice->precision;
    bool pure = p == PRECISION_BF16_PURE;
    bool bf16 = p == PRECISION_BF16 || p == PRECISION_AMP_BF16 || pure;
    bool fp16 = p == PRECISION_FP16 || p == PRECISION_AMP_FP16;

    if (!choice_has_precision(t->choice))
        return true;
    if (p > PRECISION_BF16_PURE || (pure && t->choice->zero == 0)) {
        error_set(err, ERROR_INPUT, "%s: DeepSpeed cannot train in %s%s", t->name,
                  precision_names[p], pure ? " without ZeRO" : "");
        error_hint(err, "plan with --set precision=bf16");
        return false;
    }
    if (bf16 || target_has(t, section))
        set_flag(out, section, bf16);
    if (pure || target_has(t, "bf16.bf16_master_weights_and_grads"))
        set_flag(out, "bf16.bf16_master_weights_and_grads", pure);
    if (pure || target_has(t, "bf16.bf16_optimizer_states"))
        set_flag(out, "bf16.bf16_optimizer_states", pure);
    if (fp16 || target_has(t, "fp16.enabled"))
        set_flag(out, "fp16.enabled", fp16);
    if (target_has(t, "amp.enabled")) /* beside the others DeepSpeed refuses it */
        set_flag(out, "amp.enabled", false);
    return true;
}

static void set_deepspeed_device(const struct target *t, const char *device_at,
                                 const char *path_at, const char *device, struct settings *out)
{
    bool none = str_eq(str_from(device), STR("none"));

    if (!none || target_has(t, device_at))
        set_word(out, device_at, device);
    /* DeepSpeed wants one; this is what its own examples call the disk. */
    if (str_eq(str_from(device), STR("nvme")) && !target_has(t, path_at))
        set_word(out, path_at, "/local_nvme");
}

static void set_zero(const struct target *t, struct settings *out)
{
    static const char *const states[] = {"none", "cpu", "cpu", "nvme"};
    static const char *const weights[] = {"none", "none", "cpu", "nvme"};
    enum offload offload = t->choice->offload;

    if (t->choice->zero >= 0)
        set_number(out, "zero_optimization.stage", t->choice->zero);
    if (offload >= OFFLOAD_COUNT)
        return;
    set_deepspeed_device(t, "zero_optimization.offload_optimizer.device",
                         "zero_optimization.offload_optimizer.nvme_path", states[offload], out);
    set_deepspeed_device(t, "zero_optimization.offload_param.device",
                         "zero_optimization.offload_param.nvme_path", weights[offload], out);
    if (target_has(
            t, "zero_optimization.cpu_offload")) /* as older files say it; the newer decides */
        set_flag(out, "zero_optimization.cpu_offload", false);
}

static bool set_deepspeed_optimizer(const struct target *t, struct settings *out,
                                    struct error *err)
{
    static const char *const names[OPTIMIZER_COUNT] = {
        [OPTIMIZER_ADAMW] = "AdamW",
        [OPTIMIZER_ADAMW_BF16] = "AdamW",
        [OPTIMIZER_ADAMW_1BIT] = "OneBitAdam",
        [OPTIMIZER_ADAFACTOR] = "Adafactor",
        [OPTIMIZER_SGD] = "SGD",
        [OPTIMIZER_LION] = "Lion",
        [OPTIMIZER_MUON] = "Muon",
    };
    const struct node *type = find_value(t->root, "optimizer.type");
    enum optimizer wanted = t->choice->optimizer, there;

    /* Without the section the training program brings its own. */
    if (type == NULL || wanted >= OPTIMIZER_COUNT)
        return true;
    if (optimizer_of(type->text, &there) && there == wanted)
        return true;
    if (names[wanted] == NULL) {
        error_set(err, ERROR_INPUT, "%s: DeepSpeed has no optimizer '%s'", t->name,
                  optimizer_names[wanted]);
        error_hint(err, "take the section 'optimizer' out, and set it in the training program");
        return false;
    }
    set_word(out, "optimizer.type", names[wanted]);
    return true;
}

bool deepspeed_settings(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;

    if (!set_batch(t, out, err) || !set_deepspeed_precision(t, out, err))
        return false;
    set_zero(t, out);
    if (c->tensor > 1 || (c->tensor == 1 && target_has(t, "tensor_parallel.autotp_size")))
        set_number(out, "tensor_parallel.autotp_size", c->tensor);
    if (c->pipeline > 1 || (c->pipeline == 1 && target_has(t, "pipeline.stages")))
        set_number(out, "pipeline.stages", c->pipeline);
    /* The section only configures it; the model's code switches it on. An existing one
     * stays. */
    if (choice_has_recompute(c) && c->recompute != RECOMPUTE_NONE &&
        !target_has(t, "activation_checkpointing"))
        set_flag(out, "activation_checkpointing.partition_activations", c->tensor > 1);
    return set_deepspeed_optimizer(t, out, err);
}
