#include "estimate/cpu_estimate.h"

#include <math.h>

#include "base/num.h"
#include "estimate/model/setup.h"
#include "estimate/serving/cpu.h"
#include "estimate/step/cpu_step.h"
#include "estimate/step/step.h"

#define BANDWIDTH_GB_S 3.0   /* of a processor's memory: what those of clouds have */
#define USUAL_BATCH 8        /* of Hugging Face's Trainer, where the job sets none */
#define STATE_BYTES_CPU 16.0 /* of a trained parameter in fp32, with gradient and states */
#define FROZEN_BYTES 4.0     /* of one that is not trained */
#define PROGRAM_BYTES 1e9    /* Python, PyTorch */
#define STEP_MOST_S 600.0    /* a job with longer steps is trained elsewhere */

struct cpu_estimating {
    const struct job *job;
    const struct cpu_host *host;
    const struct constants *constants;
    struct setup setup;
    struct cpu_step step;
};

/* One copy, in fp32, with the batch that the job has. The card is any: what a step computes
 * does not depend on it. */
static bool choose_cpu_training(struct cpu_estimating *e, const struct catalog *catalog,
                                struct error *err)
{
    const struct hardware any = {.gpu =
                                     CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, 0),
                                 .gpus = 1,
                                 .per_node = 1,
                                 .host_bytes = NAN,
                                 .network_gb_s = NAN};
    const struct job_train *t = &e->job->train;
    struct setup *s = &e->setup;

    if (e->job->kind != JOB_TRAIN || !e->job->arch_known)
        return error_fail(err, ERROR_INPUT, "the job does not say what model it trains");
    if (!choose_base(e->job, &any, s, NULL, err))
        return false;
    if (s->alignment.objective != OBJECTIVE_SFT || s->method == METHOD_QLORA)
        return error_fail(err, ERROR_INPUT,
                          "no GPU was found on this machine, and %s is not estimated without",
                          s->method == METHOD_QLORA ? method_names[s->method]
                                                    : objective_names[s->alignment.objective]);
    if (t->precision.len == 0)
        s->precision = PRECISION_FP32;
    s->gpus = s->per_node = s->data = s->tensor = s->pipeline = s->virtual_pipeline =
        s->context = s->expert = s->shard = 1;
    s->accumulation = choose_or_one(t->accumulation);
    s->micro_batch = t->micro_batch > 0 ? t->micro_batch : USUAL_BATCH;
    if (t->global_batch > 0 && t->micro_batch <= 0)
        s->micro_batch = (t->global_batch + s->accumulation - 1) / s->accumulation;
    else if (t->global_batch > t->micro_batch && t->accumulation <= 0)
        s->accumulation = t->global_batch / t->micro_batch;
    return true;
}

static double cpu_training_bytes(const struct cpu_estimating *e)
{
    double trained = setup_trained(&e->setup);

    return PROGRAM_BYTES + STATE_BYTES_CPU * trained +
           FROZEN_BYTES * fmax(0, arch_count(e->setup.arch).total - trained);
}

static double cpu_training_step_s(struct cpu_estimating *e)
{
    const struct cpu_kind cpu = {.fp32_gflops_vcpu = e->host->fp32_gflops,
                                 .bandwidth_gb_s_vcpu = BANDWIDTH_GB_S};
    struct step step = estimate_step(&e->setup, e->constants);

    e->step = cpu_step_of(&e->setup, step.model_flop);
    e->step.operations *= (double)e->setup.accumulation;
    e->step.params = setup_trained(&e->setup);
    return cpu_step_seconds(&e->step, &cpu, e->host->cores);
}

static bool describe_cpu_training(const struct cpu_estimating *e, struct arena *arena,
                                  struct estimate *out, struct error *err)
{
    const struct setup *s = &e->setup;
    char setting[SETUP_SETTING];

    out->kind = JOB_TRAIN;
    out->key = setup_correction_key(s, setting);
    out->method = s->method;
    out->precision = str_from(precision_names[s->precision]);
    out->framework = out->key.framework;
    out->gpus = out->machines = 1;
    out->sequence = s->sequence;
    out->micro_batch = s->micro_batch;
    out->accumulation = s->accumulation;
    out->global_batch = setup_global_batch(s);
    out->memory_gb = out->board_w = NAN;
    out->corrections[CORRECTION_MEMORY] = out->corrections[CORRECTION_POWER] = NAN;
    out->fits = true;
    if (!str_keep(e->host->name, arena, &out->accelerator, err) ||
        !str_keep(str_from(setting), arena, &out->key.setting, err))
        return false;
    out->key.gpu = out->accelerator;
    return true;
}

/* Steps, and what all of them take: only where the job says how much there is to do. */
static bool add_cpu_hours(const struct cpu_estimating *e, struct arena *arena,
                          struct estimate *out, struct error *err)
{
    const struct setup *s = &e->setup;
    bool samples = arch_counts_samples(s->arch);
    double per_step = samples ? setup_global_batch(s) : setup_tokens_per_step(s);
    struct estimate_line *line = arena_array(arena, struct estimate_line, 1, err);

    if (line == NULL)
        return false;
    out->rate_unit = samples ? STR("samples/s") : STR("tokens/s");
    out->rate = guess_of(per_step / out->step_s.value, CPU_SPREAD);
    out->tokens = choose_total(e->job, s);
    out->steps = ceil(out->tokens / per_step);
    out->hours = guess_of(out->steps * out->step_s.value / 3600, CPU_SPREAD);
    out->wall_hours = out->hours.value;
    if (!(out->steps > 0))
        return true;
    *line = (struct estimate_line){.name = str_from(cost_line_names[COST_COMPUTE]),
                                   .amount = USD_UNKNOWN,
                                   .hours = out->hours.value};
    out->cost = (struct rows){line, 1};
    out->energy_kwh =
        guess_of(e->host->watts * e->host->cores * out->hours.value / 1e3, CPU_SPREAD);
    return true;
}

bool estimate_on_cpu(const struct job *job, const struct cpu_host *host,
                     const struct catalog *catalog, const struct constants *constants,
                     struct arena *arena, struct estimate *out, struct error *err)
{
    struct cpu_estimating e = {.job = job, .host = host, .constants = constants};
    const struct correction *learned;
    double need, step_s;

    if (!fields_reset(&estimate_fields, out, arena, err) ||
        !choose_cpu_training(&e, catalog, err) || !describe_cpu_training(&e, arena, out, err))
        return false;
    need = cpu_training_bytes(&e);
    if (need > host->memory)
        return error_fail_hint(err, ERROR_INPUT,
                               "--offer NAME estimates it for a rented machine",
                               "no GPU was found on this machine, and training without one "
                               "takes some %.3g GB of its memory, which has %.3g",
                               need / 1e9, host->memory / 1e9);
    learned = correction_find(constants->learned, constants->learned_count, CORRECTION_STEP,
                              &out->key);
    step_s = cpu_training_step_s(&e);
    if (step_s > STEP_MOST_S)
        return error_fail_hint(err, ERROR_INPUT,
                               "--offer NAME estimates it for a rented machine",
                               "no GPU was found on this machine, and a step without one "
                               "would take some %s minutes",
                               num_about(step_s / 60).text);
    out->corrections[CORRECTION_STEP] = learned != NULL ? learned->factor : NAN;
    out->step_s = guess_of(step_s * (learned != NULL ? learned->factor : 1), CPU_SPREAD);
    return add_cpu_hours(&e, arena, out, err);
}
