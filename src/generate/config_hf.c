/* Hugging Face TrainingArguments, and beside them the keys of LoRA and of lengths that the
 * trainers on top (TRL, PEFT scripts, LLaMA-Factory, axolotl) put into the same file. */
#include <math.h>
#include <stdio.h>

#include "generate/edit.h"

#define TRL_BETA 0.1 /* of DPO, ORPO and KTO: what their trainers take by themselves */
#define TRL_KL 0.04  /* of GRPO with a reference, in TRL's first releases */

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
    /* Weights themselves in 16 bits: as they are loaded. */
    if (p == PRECISION_BF16_PURE && t->choice->method == METHOD_FULL)
        set_word(out, "torch_dtype", "bfloat16");
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

/* Words of Stint's that are no module's name, and names that only Megatron's models have. */
static bool is_word_for_modules(struct str word)
{
    static const char *const words[] = {"q",
                                        "k",
                                        "v",
                                        "o",
                                        "qv",
                                        "qkv",
                                        "qkvo",
                                        "attn",
                                        "attention",
                                        "mlp",
                                        "ffn",
                                        "all",
                                        "linear",
                                        "all-linear",
                                        "head",
                                        "embedding",
                                        "proj",
                                        "attention-qkv",
                                        "attention-dense",
                                        "linear-qkv",
                                        "linear-proj",
                                        "linear-fc1",
                                        "linear-fc2",
                                        "mlp-fc1",
                                        "mlp-fc2",
                                        NULL};

    return choice_of(words, word) >= 0;
}

/* The names for all targets; words for several modules are taken apart. */
static bool usual_modules(const struct target *t, unsigned bits, struct buf *out,
                          struct error *err)
{
    static const struct {
        unsigned bit;
        const char *name;
    } modules[] = {{TARGET_Q, "q_proj"},
                   {TARGET_K, "k_proj"},
                   {TARGET_V, "v_proj"},
                   {TARGET_O, "o_proj"},
                   {TARGET_GATE, "gate_proj"},
                   {TARGET_UP, "up_proj"},
                   {TARGET_DOWN, "down_proj"},
                   {TARGET_HEAD, "lm_head"},
                   {TARGET_EMBEDDING, "embed_tokens"}};
    enum module_naming naming = t->choice->naming;

    if (naming == NAMING_OTHER ||
        (naming == NAMING_ATTENTION && (bits & (unsigned)TARGET_FFN) != 0)) {
        error_set(err, ERROR_INPUT,
                  "%s: the names of the model's modules for '%.*s' are unknown", t->name,
                  STR_ARG(t->choice->targets));
        error_hint(err, "name them as the model does: --set targets=query_key_value,dense");
        return false;
    }
    for (size_t i = 0; i < ARRAY_LEN(modules); i++)
        if ((bits & modules[i].bit) != 0)
            buf_addf(out, "%s%s", out->len > 0 ? "," : "", modules[i].name);
    return true;
}

/* The targets of a job as names of modules with commas between them. */
static bool write_modules(const struct target *t, struct buf *out, struct error *err)
{
    unsigned bits;
    bool words = false, apart = false;

    if (!targets_of(t->choice->targets, &bits)) {
        buf_adds(out, "all-linear");
        return true;
    }
    for (size_t i = 0; i < t->choice->targets.len; i++) {
        char c = t->choice->targets.at[i];
        bool between = is_one_of(STR(",+; /"), c);

        if (!between && apart && out->len > 0)
            buf_char(out, ',');
        if (!between)
            buf_char(out, c == '-' ? '_' : c);
        apart = between;
    }
    for (struct str rest = buf_text(out); rest.len > 0;)
        words |= is_word_for_modules(str_cut(&rest, ','));
    if (!words)
        return true;
    buf_clear(out);
    if (bits != TARGET_ALL)
        return usual_modules(t, bits, out, err);
    buf_adds(out, "all-linear");
    return true;
}

static bool set_hf_modules(const struct target *t, struct settings *out, struct error *err)
{
    struct buf modules = buf_new(t->arena->alloc, sizeof out->at[0].value);
    bool ok = write_modules(t, &modules, err) && buf_ok(&modules, err);

    if (ok)
        set_list(out, "lora_target_modules", buf_text(&modules));
    buf_free(&modules);
    return ok;
}

/* A new file has the keys of TRL's and PEFT's scripts, so that it is a training as it is. */
static bool set_fresh_model(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;
    double rank = c->rank > 0 ? c->rank : c->usual_rank;

    if (!t->fresh)
        return true;
    if (c->model.len > 0)
        set_text(out, "model_name_or_path", c->model);
    if (c->method == METHOD_FULL || !(rank > 0) || rank > 1 << 20)
        return true;
    set_flag(out, "use_peft", true);
    if (c->method == METHOD_QLORA)
        set_flag(out, c->base == WEIGHTS_INT8 ? "load_in_8bit" : "load_in_4bit", true);
    set_number(out, "lora_r", llround(rank));
    return set_hf_modules(t, out, err);
}

/* vLLM beside the training, or as a server with GPUs of its own. */
static void set_trl_engine(const struct alignment *a, struct settings *out)
{
    int64_t width = a->own[ROLE_ENGINE] > 0 ? a->own[ROLE_ENGINE] : a->engine_tensor;

    if (a->transformers)
        return;
    set_flag(out, "use_vllm", true);
    set_word(out, "vllm_mode", a->own[ROLE_ENGINE] > 0 ? "server" : "colocate");
    if (width > 1)
        set_number(out, "vllm_tensor_parallel_size", width);
    if (a->own[ROLE_ENGINE] > 0)
        return;
    if (a->engine_memory > 0)
        set_real(out, "vllm_gpu_memory_utilization", a->engine_memory);
    else
        set_flag(out, "vllm_enable_sleep_mode", true);
}

/* TRL gives only the engine GPUs of its own, and waits for it. */
static bool check_trl_gpus(const struct target *t, struct error *err)
{
    const struct alignment *a = &t->choice->alignment;

    if (alignment_own_gpus(a) == a->own[ROLE_ENGINE] && !a->async)
        return true;
    error_set(err, ERROR_INPUT, "%s: TRL %s", t->name,
              a->async
                  ? "does not write answers while it learns from others"
                  : "keeps reference, reward model and critic on the GPUs of the training");
    error_hint(err, a->async ? "plan with --set rollout.async=no"
                             : "plan with --set rollout.reference_gpus=0, "
                               "rollout.reward_gpus=0 and rollout.critic_gpus=0");
    return false;
}

static bool set_trl_answers(const struct target *t, struct settings *out, struct error *err)
{
    const struct config_choice *c = t->choice;
    const struct alignment *a = &c->alignment;

    if (!check_trl_gpus(t, err))
        return false;
    if (a->objective == OBJECTIVE_GRPO) {
        set_number(out, "num_generations", (int64_t)a->generations);
        set_number(out, "max_prompt_length", (int64_t)a->prompt);
        set_number(out, "max_completion_length", (int64_t)a->completion);
        set_number(out, "num_iterations", (int64_t)a->passes);
        if (a->together > 0)
            set_number(out, "generation_batch_size", (int64_t)a->together);
        set_real(out, "beta", a->reference ? TRL_KL : 0);
        set_trl_engine(a, out);
        return true;
    }
    if (!a->transformers) {
        error_set(err, ERROR_INPUT, "%s: TRL's %s has no vLLM to write answers", t->name,
                  objective_names[a->objective]);
        error_hint(err, "plan with --set rollout.engine=hf");
        return false;
    }
    if (a->objective == OBJECTIVE_RLOO)
        set_number(out, "rloo_k", (int64_t)a->generations);
    set_number(out, "response_length", (int64_t)a->completion);
    set_number(out, "num_ppo_epochs", (int64_t)a->passes);
    if (c->reward.len > 0)
        set_text(out, "reward_model_path", c->reward);
    return true;
}

/* What TRL's trainers take beside TrainingArguments, at their own values where the plan
 * decides nothing. Only some of the objectives have a key that no other has. */
static bool set_fresh_objective(const struct target *t, struct settings *out, struct error *err)
{
    enum objective objective = t->choice->alignment.objective;

    if (!t->fresh)
        return true;
    if (objective == OBJECTIVE_DPO || objective == OBJECTIVE_ORPO || objective == OBJECTIVE_KTO)
        set_real(out, "beta", TRL_BETA);
    if (objective == OBJECTIVE_KTO)
        set_real(out, "desirable_weight", 1);
    return !objective_writes(objective) || set_trl_answers(t, out, err);
}

/* The Trainer goes over the data three times by itself. */
static void set_fresh_length(const struct target *t, struct settings *out)
{
    const struct config_choice *c = t->choice;
    bool answers = objective_writes(c->alignment.objective); /* their lengths are apart */

    if (!t->fresh)
        return;
    if (!answers && (c->sequence > 0 || c->usual_sequence > 0))
        set_number(out, "max_length", c->sequence > 0 ? c->sequence : c->usual_sequence);
    if (c->epochs > 0)
        set_real(out, "num_train_epochs", c->epochs);
    else if (c->steps >= 1 && c->steps < 1e15)
        set_number(out, "max_steps", (int64_t)c->steps);
}

static void set_hf_device(const struct target *t, const char *path, bool moved,
                          struct settings *out)
{
    const char *device = t->choice->offload == OFFLOAD_NVME ? "nvme" : "cpu";

    if (moved || target_has(t, path))
        set_word(out, path, moved ? device : "none");
}

/* ZeRO and offload are DeepSpeed's: a section, with what the Trainer fills in. A file of the
 * user's own, and FSDP, stay. */
static void set_hf_deepspeed(const struct target *t, struct settings *out)
{
    static const char *const filled[] = {"deepspeed.train_micro_batch_size_per_gpu",
                                         "deepspeed.gradient_accumulation_steps",
                                         "deepspeed.train_batch_size"};
    const struct config_choice *c = t->choice;
    const struct node *there = find_value(t->root, "deepspeed");
    bool offloads = c->offload != OFFLOAD_NONE && c->offload < OFFLOAD_COUNT;
    bool section = there != NULL && there->kind == NODE_MAP;

    if ((c->zero <= 0 && !offloads && !section) || c->zero < 0 || target_has(t, "fsdp") ||
        (there != NULL && !section))
        return;
    for (size_t i = 0; i < ARRAY_LEN(filled); i++)
        set_word(out, filled[i], "auto");
    set_number(out, "deepspeed.zero_optimization.stage", c->zero);
    if (c->offload >= OFFLOAD_COUNT)
        return;
    set_hf_device(t, "deepspeed.zero_optimization.offload_optimizer.device", offloads, out);
    set_hf_device(t, "deepspeed.zero_optimization.offload_param.device",
                  offloads && c->offload != OFFLOAD_OPTIMIZER, out);
}

bool hf_settings(const struct target *t, struct settings *out, struct error *err)
{
    static const char *const ranks[] = {"lora_r",        "lora_rank",          "r",
                                        "lora.r",        "lora.rank",          "lora_config.r",
                                        "peft_config.r", "peft_config.lora_r", NULL};
    static const char *const lengths[] = {"max_seq_length", "max_length",   "model_max_length",
                                          "cutoff_len",     "sequence_len", NULL};
    const struct config_choice *c = t->choice;

    if (!set_fresh_model(t, out, err) || !set_fresh_objective(t, out, err))
        return false;
    set_fresh_length(t, out);
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
    if (c->rank > 0 && c->rank <= 1 << 20)
        set_where_present(t, ranks, llround(c->rank), out);
    if (c->sequence > 0)
        set_where_present(t, lengths, c->sequence, out);
    set_hf_deepspeed(t, out);
    return true;
}
