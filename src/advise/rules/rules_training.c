/* Rules about how a job is trained: each changes one thing and asks the estimator. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advise/explain/change.h"
#include "advise/rules/job_change.h"
#include "estimate/step/latent.h"
#include "plan/trials.h"
#include "unit/shown.h"

/* What follows the time of the steps. */
#define PARTS_STEPS \
    (PARTS_MACHINE & ~(PART_BIT(PART_STARTUP) | PART_BIT(PART_SETUP) | PART_BIT(PART_IDLE)))

#define MICRO_MOST 64
#define SYNC_SHARE 0.1     /* of a step, that a larger batch is worth a thought for */
#define COMPRESS_SHARE 0.2 /* of a step, that gradients wait for the network */
#define STEPS_LEAST 1000   /* that a larger batch must leave */
#define PILOT_SHARE 0.1    /* of the data */
#define MEGATRON_GPUS 8    /* from which on it is a usual choice */

/* ---- changes of one job ---- */

enum { CHANGES_MOST = 16 };

/* Ways to change one thing, of which the cheapest is taken. */
struct changes {
    struct job_change at[CHANGES_MOST];
    size_t len;
    char now[80];   /* what the job has */
    char hint[200]; /* where trainers set it */
    double spread;  /* of the ratio of both times */
};

static struct job_change *add_job_change(struct changes *c)
{
    struct job_change *change = &c->at[c->len < CHANGES_MOST ? c->len++ : CHANGES_MOST - 1];

    change->keys = 0;
    change->place = NULL;
    change->anew = false;
    return change;
}

static void add_setting(struct changes *c, const char *key, const char *value)
{
    job_change_set(add_job_change(c), key, value);
}

static struct changes *begin_changes(struct advising *a, struct error *err)
{
    struct changes *c = arena_array(a->arena, struct changes, 1, err);

    if (c != NULL) {
        c->len = 0;
        c->now[0] = c->hint[0] = '\0';
        c->spread = a->facts->job->input->constants->at[C_spread_setting];
    }
    return c;
}

/* A training job with a known model that runs, and whose cost is known. */
static bool can_change(const struct advise_job *job)
{
    return job->given->kind == JOB_TRAIN && job->input->job->arch_known && job->base->fits &&
           usd_double(job->base->total) > 0;
}

static void write_training_amounts(const struct estimate *e, struct buf *out)
{
    change_write_amount(CHANGE_TIME, 3600 * e->hours.value, false, out);
    buf_adds(out, ", ");
    change_write_amount(CHANGE_COST, usd_double(e->total), false, out);
    buf_addf(out, ", %.3g GB on a GPU", e->memory_gb);
}

static bool add_training_finding(struct advising *a, const struct changes *c,
                                 const struct job_change *best, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct finding_draft d;

    if (best == NULL || !job_change_pays(best, job->base->total))
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%s: ", c->now);
    write_training_amounts(job->base, &d.evidence);
    buf_adds(&d.evidence, "; changed: ");
    write_training_amounts(&best->after, &d.evidence);
    job_change_write(best, &d.action);
    buf_addf(&d.action, "; %s", c->hint);
    buf_addf(&d.method, "estimated cost of both on %lldx %.*s, without the errors they share",
             (long long)job->base->gpus, STR_ARG(job->base->accelerator));
    d.saving = best->saving;
    d.change = best;
    return finding_end(a, &d, err);
}

/* Estimate all; the one that saves most, or NULL. False: no memory. */
static bool best_change(struct advising *a, struct changes *c, struct job_change **best,
                        struct error *err)
{
    *best = NULL;
    for (size_t i = 0; i < c->len; i++) {
        struct job_change *change = &c->at[i];

        if (!job_change_estimate(a->facts->job, c->spread, a->arena, change, err))
            return false;
        if (change->possible && (*best == NULL || change->saving.mid > (*best)->saving.mid))
            *best = change;
    }
    return true;
}

static bool try_changes(struct advising *a, struct changes *c, struct error *err)
{
    struct job_change *best;

    return best_change(a, c, &best, err) && add_training_finding(a, c, best, err);
}

#define SAY(text, ...) (void)snprintf(text, sizeof text, __VA_ARGS__)

/* The share of a step that a part of it takes. */
static double step_share(const struct estimate *e, const char *name)
{
    const struct estimate_part *parts = e->step.at;

    for (size_t i = 0; i < e->step.len; i++)
        if (str_eq(parts[i].name, str_from(name)))
            return parts[i].share;
    return 0;
}

static bool is_transformer(const struct advise_job *job)
{
    const struct arch *arch = &job->input->job->arch;

    return !arch_is_other(arch) && arch->kind != ARCH_VIT;
}

/* ---- numbers ---- */

static bool find_precision(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct accelerator *gpu = job->input->place->hardware.gpu;
    struct changes *c;
    enum precision p;

    if (!can_change(job) || !precision_of(job->base->precision, &p) ||
        (p != PRECISION_FP32 && p != PRECISION_TF32))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    SAY(c->now, "products in %s", precision_names[p]);
    if (gpu->bf16_tflops > 0) {
        add_setting(c, "precision", precision_names[PRECISION_AMP_BF16]);
        SAY(c->hint, "Hugging Face: bf16=True; PyTorch: torch.autocast(\"cuda\", "
                     "dtype=torch.bfloat16)");
    } else if (gpu->fp16_tflops > 0) {
        add_setting(c, "precision", precision_names[PRECISION_AMP_FP16]);
        SAY(c->hint, "Hugging Face: fp16=True; PyTorch: torch.autocast with a GradScaler");
    }
    return try_changes(a, c, err);
}

/* ---- memory ---- */

static bool find_micro_batch(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct job_train *t = &job->given->train;
    struct job_change *best;
    struct changes *c;

    if (!can_change(job) || (t->micro_batch < 1 && t->accumulation < 1))
        return true; /* the estimator has chosen the best already */
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    for (int64_t n = 1; n <= MICRO_MOST; n *= 2)
        if (n != job->base->micro_batch)
            job_change_set_count(add_job_change(c), "micro_batch", n);
    if (!best_change(a, c, &best, err))
        return false;
    SAY(c->now, "micro-batch %lld x %lld", (long long)job->base->micro_batch,
        (long long)job->base->accumulation);
    if (best != NULL)
        SAY(c->hint,
            "Hugging Face: per_device_train_batch_size=%lld, gradient_accumulation_steps=%lld",
            (long long)best->after.micro_batch, (long long)best->after.accumulation);
    return add_training_finding(a, c, best, err);
}

static bool find_recompute(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct estimate *base = job->base;
    struct changes *c;

    if (!can_change(job) || base->recompute == RECOMPUTE_NONE)
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    for (int64_t micro = base->micro_batch; micro >= 1 && c->len < 4; micro /= 2) {
        struct job_change *change = add_job_change(c);

        job_change_set(change, "recompute", recompute_names[RECOMPUTE_NONE]);
        if (micro != base->micro_batch)
            job_change_set_count(change, "micro_batch", micro);
    }
    if (base->recompute == RECOMPUTE_FULL)
        add_setting(c, "recompute", recompute_names[RECOMPUTE_SELECTIVE]);
    SAY(c->now, "activations are recomputed (%s)", recompute_names[base->recompute]);
    SAY(c->hint, "Hugging Face: gradient_checkpointing=False; Megatron: "
                 "--recompute-granularity");
    return try_changes(a, c, err);
}

/* Ratios of times on two GPUs are less sure than those of two settings on one. */
static double other_gpu_spread(const struct advise_job *job)
{
    const struct constants *c = job->input->constants;

    return hypot(c->at[C_spread_setting], c->at[C_spread_card]);
}

/* The job where it does not fit as it is. */
static bool try_smaller(struct advising *a, const struct estimate_place *place,
                        struct job_change *change, struct error *err)
{
    const struct advise_job *job = a->facts->job;

    *change = (struct job_change){.place = place};
    if (!job_change_estimate(job, other_gpu_spread(job), a->arena, change, err))
        return false;
    if (change->possible) { /* as it is: another machine alone will do */
        change->possible = false;
        return true;
    }
    job_change_set(change, "recompute", recompute_names[RECOMPUTE_FULL]);
    return job_change_estimate(job, other_gpu_spread(job), a->arena, change, err);
}

static bool find_smaller(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct estimate_place *places = job->places.at;
    struct job_change change, best = {.possible = false};
    struct finding_draft d;

    if (!can_change(job) || job->base->recompute != RECOMPUTE_NONE ||
        job->given->train.recompute.len == 0)
        return true; /* left open, it is recomputed wherever that helps */
    for (size_t i = 0; i < job->places.len; i++) {
        if (!try_smaller(a, &places[i], &change, err))
            return false;
        if (change.possible && (!best.possible || change.saving.mid > best.saving.mid))
            best = change;
    }
    if (!best.possible || !job_change_pays(&best, job->base->total))
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%lldx %.*s: ", (long long)job->base->gpus,
             STR_ARG(job->base->accelerator));
    write_training_amounts(job->base, &d.evidence);
    buf_addf(&d.evidence, "; recomputed on %lldx %.*s: ", (long long)best.after.gpus,
             STR_ARG(best.after.accelerator));
    write_training_amounts(&best.after, &d.evidence);
    buf_adds(&d.action, "--set recompute=full --offer ");
    advise_write_offer(best.place->offer, &d.action);
    buf_adds(&d.action, "; Hugging Face: gradient_checkpointing=True");
    buf_adds(&d.method,
             "estimated cost of both; without the change the job does not fit there");
    d.saving = best.saving;
    return finding_end(a, &d, err);
}

static bool find_zero(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct changes *c;

    if (!can_change(job) || job->base->gpus < 2 || job->given->train.parallel.zero < 0)
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    for (int64_t stage = 0; stage <= 3; stage++)
        if (stage != job->base->zero)
            job_change_set_count(add_job_change(c), "parallel.zero", stage);
    SAY(c->now, "ZeRO stage %lld", (long long)job->base->zero);
    SAY(c->hint, "DeepSpeed: zero_optimization.stage; FSDP: sharding_strategy");
    return try_changes(a, c, err);
}

static bool find_offload(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct changes *c;

    if (!can_change(job) || job->base->offload == OFFLOAD_NONE)
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    for (int way = 0; way < 4; way++) { /* what it takes instead: the least first */
        struct job_change *change = add_job_change(c);

        job_change_set(change, "parallel.offload", offload_names[OFFLOAD_NONE]);
        if ((way & 1) != 0)
            job_change_set(change, "recompute", recompute_names[RECOMPUTE_FULL]);
        if ((way & 2) != 0)
            job_change_set_count(change, "parallel.zero", 3);
    }
    SAY(c->now, "offload %s", offload_names[job->base->offload]);
    SAY(c->hint, "DeepSpeed: remove offload_optimizer and offload_param");
    return try_changes(a, c, err);
}

/* ---- kernels and software ---- */

static bool find_attention(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct arch *arch = &job->input->job->arch;
    struct changes *c;

    if (!can_change(job) || !str_eq(job->given->train.attention, STR("plain")) ||
        arch_is_other(arch) || arch->disentangled)
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    add_setting(c, "attention", attention_names[ATTENTION_FLASH]);
    SAY(c->now, "attention keeps its scores in memory");
    SAY(c->hint, "Hugging Face: attn_implementation=\"sdpa\" or \"flash_attention_2\"");
    return try_changes(a, c, err);
}

static bool find_compile(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct str stack = job->base->framework;
    struct changes *c;

    if (!can_change(job) || job->given->train.compile.len > 0 ||
        !(str_eq(stack, STR("eager")) || str_eq(stack, STR("hf")) ||
          str_eq(stack, STR("lightning")) || str_eq(stack, STR("fsdp"))))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    add_setting(c, "compile", "yes");
    SAY(c->now, "%.*s without torch.compile", STR_ARG(stack));
    SAY(c->hint, "model = torch.compile(model); Hugging Face: torch_compile=True");
    return try_changes(a, c, err);
}

static bool find_loss(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct changes *c;

    if (!can_change(job) || job->given->train.loss.len > 0 ||
        job->input->job->arch.kind != ARCH_DECODER)
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    add_setting(c, "loss", "fused");
    c->at[0].anew = true; /* it frees memory, which other settings use */
    SAY(c->now, "all logits in memory");
    SAY(c->hint, "Hugging Face: use_liger_kernel=True");
    return try_changes(a, c, err);
}

static bool find_layout(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct arch *arch = &job->input->job->arch;
    struct changes *c;

    if (!can_change(job) || arch->kind != ARCH_IMAGE || arch->layered ||
        str_eq(job->given->train.layout, STR("channels-last")))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    add_setting(c, "layout", "channels-last");
    SAY(c->now, "PyTorch's default layout of convolutions");
    SAY(c->hint, "model.to(memory_format=torch.channels_last), and the images too");
    return try_changes(a, c, err);
}

static bool find_latents(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct changes *c;

    if (!can_change(job) || !arch_is_latent(&job->input->job->arch) ||
        str_eq(job->given->train.latents, STR("cached")))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    add_setting(c, "latents", "cached");
    SAY(c->now, "latents and texts are encoded in each step");
    SAY(c->hint, "kohya: --cache_latents --cache_text_encoder_outputs");
    return try_changes(a, c, err);
}

static bool find_framework(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct changes *c;
    enum stack stack;

    if (!can_change(job) || !is_transformer(job) || !stack_of(job->base->framework, &stack) ||
        !(stack == STACK_HF || stack == STACK_LIGHTNING || stack == STACK_HF_2023 ||
          stack == STACK_DEEPSPEED))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    add_setting(c, "framework", "fsdp");
    if (job->base->gpus >= MEGATRON_GPUS && job->base->method == METHOD_FULL)
        add_setting(c, "framework", "megatron");
    SAY(c->now, "framework %.*s", STR_ARG(job->base->framework));
    SAY(c->hint, "fsdp means torchtitan or the like, megatron Megatron-LM or NeMo");
    return try_changes(a, c, err);
}

/* ---- the network ---- */

static bool find_larger_batch(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct estimate *base = job->base;
    double share = step_share(base, "data parallel");
    struct changes *c;

    if (!can_change(job) || !(share >= SYNC_SHARE) || !(base->global_batch < 1e9))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    for (int64_t times = 2; times <= 4; times *= 2)
        if (base->steps / (double)times >= STEPS_LEAST)
            job_change_set_count(add_job_change(c), "global_batch",
                                 times * (int64_t)base->global_batch);
    SAY(c->now, "gradients take %s of a step", percent_text(share).text);
    SAY(c->hint, "more accumulation; adapt the learning rate, and watch the loss");
    return try_changes(a, c, err);
}

static bool find_gradients(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    double share = step_share(job->base, "data parallel");
    struct job_change *change;
    struct changes *c;

    if (!can_change(job) || job->base->nodes < 2 || !(share >= COMPRESS_SHARE) ||
        job->base->optimizer != OPTIMIZER_ADAMW || job->base->method != METHOD_FULL)
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    change = add_job_change(c);
    job_change_set(change, "optimizer", optimizer_names[OPTIMIZER_ADAMW_1BIT]);
    job_change_set_count(change, "parallel.zero", 0);
    SAY(c->now, "gradients take %s of a step, over the network", percent_text(share).text);
    SAY(c->hint, "DeepSpeed: optimizer.type OneBitAdam, without ZeRO");
    return try_changes(a, c, err);
}

/* ---- less work ---- */

static bool find_lora(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    const struct estimate *base = job->base;
    const struct job *of = job->input->job;
    struct changes *c;

    if (!can_change(job) || base->method != METHOD_FULL ||
        choose_pretraining(of, METHOD_FULL, base->gpus) ||
        !(is_transformer(job) || of->arch.adapters > 0))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    c->spread = job->input->constants->at[C_spread_method];
    add_setting(c, "method", method_names[METHOD_LORA]);
    SAY(c->now, "all %.3g billion parameters are trained", base->trained_params / 1e9);
    SAY(c->hint, "PEFT: LoraConfig(r=16, target_modules=\"all-linear\"); compare the quality "
                 "on a small part first");
    return try_changes(a, c, err);
}

/* What the trials before the run that counts cost. */
static double search_cost(const struct estimate *e)
{
    const struct estimate_line *lines = e->cost.at;

    for (size_t i = 0; i < e->cost.len; i++)
        if (str_eq(lines[i].name, str_from(cost_line_names[COST_SEARCH])))
            return usd_double(lines[i].amount);
    return 0;
}

/* A share of an estimated amount: as sure as the estimate is. */
static struct saving share_of_cost(const struct estimate *e, double amount)
{
    double total = usd_double(e->total);

    return (struct saving){.low = amount * usd_double(e->total_low) / total,
                           .mid = amount,
                           .high = amount * usd_double(e->total_high) / total};
}

/* A search of `less` instead of `now`. */
static bool add_search(struct advising *a, const struct trials *now, const struct trials *less,
                       const char *action, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    double work = trials_need(now, 1).work, left = trials_need(less, 1).work;
    double cost = search_cost(job->base);
    struct finding_draft d;

    if (!(cost > 0) || !(work > 0))
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%lld trials (%s) are %.3g full runs: ", (long long)now->count,
             trials_scheme_names[now->scheme], work);
    change_write_amount(CHANGE_COST, cost, false, &d.evidence);
    buf_addf(&d.evidence, "; %lld trials (%s): %.3g", (long long)less->count,
             trials_scheme_names[less->scheme], left);
    buf_adds(&d.action, action);
    buf_addf(&d.method, "the search x (1 - %.3g / %.3g)", left, work);
    d.saving = share_of_cost(job->base, cost * (1 - left / work));
    return finding_end(a, &d, err);
}

static bool find_asha(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct trials now, less;

    if (!can_change(job))
        return true;
    now = less = trials_of(job->input->job);
    less.scheme = TRIALS_ASHA;
    if (now.count < 2 || now.scheme == TRIALS_ASHA)
        return true;
    return add_search(a, &now, &less,
                      "--set search.scheme=asha; Ray Tune: ASHAScheduler; Optuna: "
                      "SuccessiveHalvingPruner",
                      err);
}

/* Random trials of which one is among the best 5 % with a chance of 95 %: ln 0.05 / ln 0.95. */
#define ENOUGH_TRIALS 59

static bool find_fewer_trials(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    struct trials now, less;

    if (!can_change(job))
        return true;
    now = less = trials_of(job->input->job);
    if (now.scheme == TRIALS_ASHA || now.count <= ENOUGH_TRIALS)
        return true;
    less.scheme = TRIALS_RANDOM;
    less.count = ENOUGH_TRIALS;
    return add_search(a, &now, &less,
                      "--set search.trials=59; 59 random trials have a chance of 95 % to "
                      "find one of the best 5 %",
                      err);
}

/* The key that says how much data there is, and a tenth of it. False: none does. */
static bool part_of_data(const struct job_train *t, struct job_change *out)
{
    const struct {
        const char *key;
        double amount;
    } keys[] = {{"steps", t->steps},
                {"data.examples", t->data.examples},
                {"data.tokens", t->data.tokens}};
    char text[24];

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (keys[i].amount * PILOT_SHARE >= 1) {
            SAY(text, "%.0f", floor(keys[i].amount * PILOT_SHARE));
            job_change_set(out, keys[i].key, text);
            return true;
        }
    return false;
}

static bool find_pilot(struct advising *a, struct error *err)
{
    const struct advise_job *job = a->facts->job;
    double chance = job->given->experiment.chance, cost, pilot;
    struct job_change *change;
    struct finding_draft d;
    struct changes *c;

    if (!can_change(job) || !(chance >= 0 && chance < 1))
        return true;
    c = begin_changes(a, err);
    if (c == NULL)
        return false;
    change = add_job_change(c);
    if (!part_of_data(&job->given->train, change))
        return true;
    if (!job_change_estimate(job, c->spread, a->arena, change, err))
        return false;
    if (!change->possible)
        return true;
    cost = usd_double(job->base->total);
    pilot = usd_double(change->after.total);
    d = finding_begin(a);
    buf_addf(&d.evidence, "works with a probability of %s; a tenth of the data costs ",
             percent_text(chance).text);
    change_write_amount(CHANGE_COST, pilot, false, &d.evidence);
    buf_adds(&d.evidence, ", all of it ");
    change_write_amount(CHANGE_COST, cost, false, &d.evidence);
    job_change_write(change, &d.action);
    buf_adds(&d.action, " first; go on only if the loss falls as hoped");
    buf_addf(&d.method, "%.3g - (%.3g + %.2g x %.3g): on average, if the tenth shows it", cost,
             pilot, chance, cost);
    d.saving = share_of_cost(job->base, cost - pilot - chance * cost);
    return finding_end(a, &d, err);
}

/* ---- the table ---- */

/* Rules that compare two settings. */
#define CHANGE(id, words, how_much, danger, what, about, when, function) \
    { \
        .name = (id), .title = (words), .category = ADVISE_TRAINING, .effort = (how_much), \
        .risk = (danger), .lever = (what), .scope = SCOPE_JOB, .parts = PARTS_STEPS, \
        .uses = (about), .applies = (when), .find = (function), \
        .computed = "cost of the job with and without it, by the estimator", \
        .source = "the estimator: docs/accuracy.md" \
    }

static const struct advise_rule rules[] = {
    CHANGE("mixed-precision", "train in mixed precision", EFFORT_MINUTES, RISK_LOW,
           LEVER_PRECISION, "precision of products",
           "fp32 or tf32 on a card with 16-bit products", find_precision),
    CHANGE("micro-batch", "another micro-batch, the same batch", EFFORT_MINUTES, RISK_NONE,
           LEVER_MEMORY, "micro-batch and accumulation",
           "the job sets one, and another saves 3 %", find_micro_batch),
    CHANGE("recomputation", "recompute fewer activations", EFFORT_MINUTES, RISK_NONE,
           LEVER_MEMORY, "recomputation", "activations are recomputed, and less of it fits",
           find_recompute),
    CHANGE("recompute-smaller-gpu", "recompute activations on a cheaper GPU", EFFORT_MINUTES,
           RISK_LOW, LEVER_MACHINE, "recomputation, and machines with each GPU",
           "the job recomputes nothing, and fits on a cheaper machine if it does",
           find_smaller),
    CHANGE("zero-stage", "another ZeRO stage", EFFORT_MINUTES, RISK_NONE, LEVER_MEMORY,
           "ZeRO stage", "the job sets one, and another saves 3 %", find_zero),
    CHANGE("no-offload", "no offload to the machine's memory", EFFORT_MINUTES, RISK_NONE,
           LEVER_MEMORY, "offload", "states are offloaded, and fit without that", find_offload),
    CHANGE("flash-attention", "attention without scores in memory", EFFORT_MINUTES, RISK_NONE,
           LEVER_KERNELS, "attention", "the job sets plain attention", find_attention),
    CHANGE("compile", "compile the model", EFFORT_HOURS, RISK_LOW, LEVER_KERNELS,
           "torch.compile", "PyTorch's own code, not compiled", find_compile),
    CHANGE("fused-loss", "a loss without all logits", EFFORT_MINUTES, RISK_LOW, LEVER_KERNELS,
           "loss", "a decoder with the usual loss", find_loss),
    CHANGE("channels-last", "the layout that convolutions want", EFFORT_MINUTES, RISK_NONE,
           LEVER_KERNELS, "layout", "convolutions in PyTorch's default layout", find_layout),
    CHANGE("cached-latents", "encode pictures and texts once", EFFORT_HOURS, RISK_LOW,
           LEVER_DATA, "latents", "a diffusion model that encodes them in each step",
           find_latents),
    CHANGE("framework", "a leaner framework", EFFORT_DAYS, RISK_MEDIUM, LEVER_KERNELS,
           "framework", "Hugging Face's or DeepSpeed's trainer of a transformer",
           find_framework),
    CHANGE("larger-batch", "fewer exchanges of gradients", EFFORT_MINUTES, RISK_MEDIUM,
           LEVER_NETWORK, "gradients' share of a step",
           "10 % or more, and 1,000 steps remain with a larger batch", find_larger_batch),
    CHANGE("gradient-compression", "gradients of one bit", EFFORT_HOURS, RISK_MEDIUM,
           LEVER_NETWORK, "gradients' share of a step on several machines",
           "20 % or more, AdamW", find_gradients),
    CHANGE("lora", "LoRA instead of full fine-tuning", EFFORT_HOURS, RISK_MEDIUM, LEVER_METHOD,
           "method", "full fine-tuning (not training from scratch)", find_lora),
    {.name = "stop-trials",
     .title = "stop the worse trials early",
     .category = ADVISE_TRAINING,
     .effort = EFFORT_HOURS,
     .risk = RISK_LOW,
     .lever = LEVER_STEPS,
     .scope = SCOPE_JOB,
     .parts = PARTS_MACHINE,
     .uses = "search of hyper-parameters",
     .applies = "two trials or more that all run to their end",
     .computed = "work of successive halving over the work of all trials",
     .source = "arxiv.org/abs/1810.05934 (ASHA; estimate)",
     .find = find_asha},
    {.name = "fewer-trials",
     .title = "fewer trials",
     .category = ADVISE_TRAINING,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_STEPS,
     .scope = SCOPE_JOB,
     .parts = PARTS_MACHINE,
     .uses = "search of hyper-parameters",
     .applies = "more than 59 trials",
     .computed = "cost of the search x (1 - 59 / trials)",
     .source = "1 - 0.95^59 = 95 %: a chance of 95 % of one of the best 5 % (Bergstra and "
               "Bengio 2012; estimate)",
     .find = find_fewer_trials},
    {.name = "pilot",
     .title = "a tenth of the data first",
     .category = ADVISE_TRAINING,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_METHOD,
     .scope = SCOPE_JOB,
     .parts = PARTS_MACHINE,
     .uses = "experiment.chance of the job",
     .applies = "the job states the probability that it works",
     .computed = "cost - (cost of a tenth + chance x cost)",
     .source = "expected value",
     .find = find_pilot},
};

const struct advise_rules advise_training_rules = ADVISE_RULES(rules);
