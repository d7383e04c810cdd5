/* Hugging Face TrainingArguments, and beside them the keys of LoRA and of lengths that the
 * trainers on top (TRL, PEFT scripts, LLaMA-Factory, axolotl) put into the same file. */
#include <math.h>

#include "generate/edit.h"

static bool set_hf_precision(const struct target *t, struct settings *out, struct error *err)
{
    enum precision p = t->choice->precision;
    bool bf16 = p == PRECISION_AMP_BF16 || p == PRECISION_BF16 || p == PRECISION_BF16_PURE;
    bool fp16 = p == PRECISION_AMP_FP16 || p == PRECISION_FP16;

    if (!choice_has_precision(t->choice))
        return true;
    if (p > PRECISION_BF16_PURE) {
        error_set(err, ERROR_INPUT, "%s: training arguments cannot set %s", t->name,
                  precision_names[p]);
        error_hint(err, "plan with --set precision=bf16");
        return false;
    }
    if (bf16 || target_has(t, "bf16"))
        set_flag(out, "bf16", bf16);
    if (fp16 || target_has(t, "fp16"))
        set_flag(out, "fp16", fp16);
    if (p == PRECISION_TF32 || (p == PRECISION_FP32 && target_has(t, "tf32")))
        set_flag(out, "tf32", p == PRECISION_TF32);
    return true;
}

static bool set_hf_optimizer(const struct target *t, struct settings *out, struct error *err)
{
    static const char *const names[OPTIMIZER_COUNT] = {
        [OPTIMIZER_ADAMW] = "adamw_torch",
        [OPTIMIZER_ADAMW_BF16] = "adamw_anyprecision",
        [OPTIMIZER_ADAMW_8BIT] = "adamw_bnb_8bit",
        [OPTIMIZER_ADAFACTOR] = "adafactor",
        [OPTIMIZER_SGD] = "sgd",
        [OPTIMIZER_LION] = "lion_32bit",
        [OPTIMIZER_ADAMW_PAGED] = "paged_adamw_32bit",
        [OPTIMIZER_ADAMW_8BIT_PAGED] = "paged_adamw_8bit",
    };
    const struct node *optim = find_value(t->root, "optim");
    enum optimizer wanted = t->choice->optimizer, there;

    if (wanted >= OPTIMIZER_COUNT)
        return true;
    if (optim != NULL && optimizer_of(optim->text, &there) && there == wanted)
        return true;
    if (optim == NULL && wanted == OPTIMIZER_ADAMW) /* what the Trainer takes by itself */
        return true;
    if (names[wanted] == NULL) {
        error_set(err, ERROR_INPUT, "%s: training arguments have no optimizer '%s'", t->name,
                  optimizer_names[wanted]);
        error_hint(err, "plan with --set optimizer=adamw");
        return false;
    }
    set_word(out, "optim", names[wanted]);
    return true;
}

/* Keys that are not of TrainingArguments are changed where the file has them. */
static void set_where_present(const struct target *t, const char *const *paths, int64_t value,
                              struct settings *out)
{
    for (; *paths != NULL; paths++)
        if (target_has(t, *paths))
            set_number(out, *paths, value);
}

bool hf_settings(const struct target *t, struct settings *out, struct error *err)
{
    static const char *const ranks[] = {"lora_r",        "lora_rank",          "r",
                                        "lora.r",        "lora.rank",          "lora_config.r",
                                        "peft_config.r", "peft_config.lora_r", NULL};
    static const char *const lengths[] = {"max_seq_length", "max_length",   "model_max_length",
                                          "cutoff_len",     "sequence_len", NULL};
    const struct config_choice *c = t->choice;

    if (c->micro_batch > 0)
        set_number(out, "per_device_train_batch_size", c->micro_batch);
    if (c->accumulation > 0)
        set_number(out, "gradient_accumulation_steps", c->accumulation);
    if (!set_hf_precision(t, out, err))
        return false;
    if (choice_has_recompute(c)) /* there is no selective one: it saves more than was asked */
        set_flag(out, "gradient_checkpointing", c->recompute != RECOMPUTE_NONE);
    if (!set_hf_optimizer(t, out, err))
        return false;
    if (c->compiled)
        set_flag(out, "torch_compile", true);
    if (c->rank > 0 && c->rank <= 1 << 20) {
        set_where_present(t, ranks, llround(c->rank), out);
        if (t->fresh)
            set_number(out, "lora_r", llround(c->rank));
    }
    if (c->sequence > 0)
        set_where_present(t, lengths, c->sequence, out);
    return true;
}
