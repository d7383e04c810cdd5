/* What of a plan goes into a configuration, and which jobs a format is for. */
#include <math.h>

#include "generate/config.h"
#include "plan/plan.h"

#define DIFFUSION_SIDE 512 /* pixels of a picture, at least */

/* Where every GPU has another part of the model there is nothing to share, and a stage that the
 * file has must go: pipelines refuse it. One GPU does not mind, and offload needs one. */
static int zero_of(const struct setup *s)
{
    if (s->data * s->context > 1 || s->offload != OFFLOAD_NONE)
        return s->zero;
    return s->gpus > 1 ? 0 : -1;
}

/* Steps of the whole job; NaN when the amount of data is not known. */
static double steps_of_job(const struct job *job, const struct setup *s)
{
    return job->train.steps > 0 ? job->train.steps
                                : ceil(job_samples(job) / setup_global_batch(s));
}

/* Experts have names of their own; so have families that join several modules in one. */
static enum module_naming naming_of(const struct arch *a)
{
    static const char *const others[] = {
        "baichuan", "chatglm",   "dbrx",   "exaone",  "glm-4-",  "grok",    "internlm2",
        "internvl", "minicpm-v", "molmo",  "olmo-1b", "olmo-7b", "openelm", "phi",
        "qwen-",    "maxtext",   "falcon", "decilm",  "hunyuan", "ernie"};

    if (a->kind != ARCH_DECODER || !a->gated || a->kv_rank > 0 || a->mixer_layers > 0)
        return NAMING_OTHER;
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (str_starts(a->name, str_from(others[i])))
            return NAMING_OTHER;
    return a->experts > 0 ? NAMING_ATTENTION : NAMING_USUAL;
}

struct config_choice config_choice_of(const struct job *job, const struct plan *best)
{
    const struct setup *s = &best->way.setup;
    const struct job_train *t = &job->train;

    return (struct config_choice){
        .gpus = s->gpus,
        .machines = best->way.machines,
        .data = s->data,
        .tensor = s->tensor,
        .pipeline = s->pipeline,
        .micro_batch = s->micro_batch,
        .accumulation = s->accumulation,
        .global_batch = (int64_t)setup_global_batch(s),
        .sequence = arch_counts_samples(s->arch) || t->sequence < 1 ? -1 : s->sequence,
        .resolution = t->resolution > 0 ? t->resolution : -1,
        .rank = s->method == METHOD_FULL ? NAN : t->rank,
        .precision = s->precision,
        .optimizer = t->optimizer.len > 0 ? s->optimizer : OPTIMIZER_COUNT,
        .recompute = s->recompute,
        .offload = s->offload,
        .zero = zero_of(s),
        .compiled = s->compiled,
        .model = t->model,
        .targets = t->targets,
        .naming = naming_of(&job->arch),
        .method = s->method,
        .base = s->base,
        .usual_rank = s->method == METHOD_FULL ? 0 : s->rank,
        .usual_sequence = arch_counts_samples(s->arch) ? -1 : s->sequence,
        .epochs = t->steps > 0       ? 0
                  : isnan(t->epochs) ? 1
                                     : t->epochs,
        .steps = steps_of_job(job, s),
        .alignment = s->alignment,
        .reward = str_eq(t->reward, STR("none")) ? STR("") : t->reward,
    };
}

/* The catalog does not say what an image model is for. Those that make pictures have attention
 * and work on large ones; those that sort pictures lack one or the other. */
static bool is_diffusion(const struct arch *a)
{
    return a->kind == ARCH_IMAGE && a->layered && a->resolution >= DIFFUSION_SIDE;
}

/* kohya's scripts train diffusion models and nothing else, which Hugging Face's trainer does
 * not do; kohya's file has all that one of accelerate would. */
static bool check_model(enum config_format format, const struct job *job, struct error *err)
{
    bool diffusion = is_diffusion(&job->arch);

    if (format == CONFIG_KOHYA && !diffusion) {
        error_set(err, ERROR_USAGE, "--write-config kohya: %.*s is not a diffusion model",
                  STR_ARG(job->arch.name.len > 0 ? job->arch.name : STR("the model")));
        error_hint(err, "use --write-config deepspeed, accelerate or hf-trainer");
        return false;
    }
    if ((format == CONFIG_HF || format == CONFIG_ACCELERATE) && diffusion) {
        error_set(err, ERROR_USAGE, "--write-config %s: %.*s is a diffusion model",
                  config_format_names[format], STR_ARG(job->arch.name));
        error_hint(err, "use --write-config kohya");
        return false;
    }
    return true;
}

/* Software whose configuration that of the format can be, or be a part of. */
static bool check_software(enum config_format format, const struct job *job, struct error *err)
{
    static const unsigned plain = 1U << STACK_EAGER | 1U << STACK_COMPILED;
    static const unsigned drives[] = {
        [CONFIG_DEEPSPEED] = 1U << STACK_DEEPSPEED | 1U << STACK_HF,
        [CONFIG_ACCELERATE] =
            1U << STACK_HF | 1U << STACK_DEEPSPEED | 1U << STACK_FSDP | 1U << STACK_MEGATRON,
        [CONFIG_KOHYA] = 0,
        [CONFIG_HF] = 1U << STACK_HF | 1U << STACK_DEEPSPEED | 1U << STACK_FSDP,
    };
    struct str given = job->train.framework;
    enum stack stack;

    if (str_has_nocase(given, str_from(config_format_names[format])) ||
        !stack_of(given, &stack))
        return true;
    if (((plain | drives[format]) >> stack & 1U) != 0 && !str_has_nocase(given, STR("kohya")))
        return true;
    error_set(err, ERROR_USAGE, "--write-config %s: the job is for %.*s",
              config_format_names[format], STR_ARG(given));
    error_hint(err, "take 'framework: %.*s' out of the job, or use --set framework=%s",
               STR_ARG(given), config_format_names[format]);
    return false;
}

bool config_check_job(enum config_format format, const struct job *job, struct error *err)
{
    if (job->kind != JOB_TRAIN || !job->arch_known)
        return error_fail(err, ERROR_USAGE,
                          "--write-config needs a training job with a known model");
    return check_model(format, job, err) && check_software(format, job, err);
}
