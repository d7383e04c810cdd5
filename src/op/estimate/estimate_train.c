/* Memory and time of a training job in one setting. */
#include <math.h>

#include "estimate/energy.h"
#include "estimate/kernels.h"
#include "estimate/measured.h"
#include "estimate/memory.h"
#include "estimate/step.h"
#include "op/estimate/estimate_work.h"
#include "op/estimate/explain.h"
#include "op/estimate/learning.h"

static bool add_memory(struct estimate_work *w, const struct memory *m, bool fits,
                       struct estimate_result *res, struct error *err)
{
    const struct hardware *hw = &w->place.hardware;
    struct guess size = guess_of(m->device / 1e9, w->constants.at[C_spread_memory]);
    const struct estimate_part parts[] = {
        PART("weights", m->weights, "as the products read them"),
        PART("master weights", m->master, "the fp32 copy"),
        PART("gradients", m->gradients, "of what is trained"),
        PART("optimizer", m->optimizer, "its states"),
        PART("adapters", m->lora, "LoRA with gradients and states"),
        PART("activations", m->activations, "kept for the backward pass"),
        PART("working set", m->working, "of the layer being computed"),
        PART("logits", m->logits, "with the loss"),
        PART("gathered", m->gathered, "shards of ZeRO put together"),
        PART("workspace", m->workspace, "of libraries"),
        PART("fragmentation", m->fragmentation, "reserved and not used"),
        PART("buffers", m->buffers, "of collectives"),
        PART("context", m->context, "the driver and its kernels"),
    };

    res->usable_gb = usable_memory(hw->gpu) / 1e9;
    res->memory_gb = size.value;
    res->memory_low_gb = size.low;
    res->memory_high_gb = size.high;
    res->fits = fits;
    res->tight = fits && res->memory_high_gb > res->usable_gb;
    if (m->host > 0) {
        double boards = (double)(hw->gpus < hw->per_node ? hw->gpus : hw->per_node);

        res->host_gb = m->host * boards / 1e9;
        res->host_usable_gb = hw->host_bytes / 1e9;
        if (isnan(hw->host_bytes))
            note(&w->notes, "the machine has the %.0f GB of memory that offloading takes",
                 res->host_gb);
    }
    return add_parts(w, parts, ARRAY_LEN(parts), m->device, 1e-9, &res->memory, err);
}

static bool add_step(struct estimate_work *w, const struct setup *s, const struct step *t,
                     struct estimate_result *res, struct error *err)
{
    const struct estimate_part parts[] = {
        PART("products", t->products, "matrix products of the layers"),
        PART("attention", t->attention, "scores and values"),
        PART("elementwise", t->elementwise, "norms, activations, residuals"),
        PART("head and loss", t->loss, "with the embedding"),
        PART("recompute", t->recompute, "activations done again"),
        PART("dequantise", t->dequantise, "the frozen weights"),
        PART("optimizer", t->optimizer, "the step itself"),
        PART("offload", t->offload, "to the machine's memory and back"),
        PART("tensor parallel", t->tensor, "its collectives"),
        PART("context parallel", t->context, "keys and values in a ring"),
        PART("experts", t->expert, "tokens sent to them and back"),
        PART("pipeline", t->pipeline, "bubble and sends"),
        PART("data parallel", t->data, "gradients and gathers that stick out"),
        PART("host", t->host, "launches the GPU waits for"),
    };
    double spread = step_spread(s, &w->constants), per_gpu = step_rate(t, s);

    res->step_s = guess_of(t->total, spread);
    res->rate = guess_of(per_gpu * (double)s->gpus, spread);
    res->mfu = t->model_flop / t->total / peak_flops(s->gpu, PRECISION_BF16);
    return add_parts(w, parts, ARRAY_LEN(parts), t->total, 1, &res->step, err);
}

/* How much there is to do, and how long that takes. */
static void add_hours(struct estimate_work *w, const struct setup *s,
                      struct estimate_result *res)
{
    const struct job *job = &w->job;
    bool samples = arch_counts_samples(s->arch);
    double per_step = samples ? setup_global_batch(s) : setup_tokens_per_step(s), factor = 1;
    double total = choose_total(job, s);

    if (s->gpus > 256 && !(job->train.failures > 0))
        note(&w->notes, "nothing fails: say failures: 5%% for what is done again");
    res->rate_unit = samples ? STR("samples/s") : STR("tokens/s");
    res->tokens = total;
    res->steps = ceil(total / per_step);
    res->epochs = job_epochs(job, &factor);
    if (factor != 1)
        note(&w->notes, "%.3g epochs: x%.2f for the quality of the data", res->epochs, factor);
    res->hours = guess_of(res->steps * res->step_s.value / 3600, step_spread(s, &w->constants));
}

static void describe(const struct estimate_work *w, const struct setup *s,
                     struct estimate_result *res)
{
    struct arch_params p = arch_count(s->arch);

    res->kind = STR("train");
    res->name = w->job.name;
    res->model = s->arch->name;
    res->assumed = s->arch->assumed;
    res->params = p.total;
    res->active_params = p.active;
    res->trained_params = setup_trained(s);
    res->method = str_from(method_names[s->method]);
    res->precision = str_from(precision_names[s->precision]);
    res->optimizer = str_from(optimizer_names[s->optimizer]);
    res->recompute = str_from(recompute_names[s->recompute]);
    res->framework = s->compiled ? STR("compiled") : str_from(stack_names[s->stack]);
    res->offload = str_from(offload_names[s->offload]);
    res->accelerator = s->gpu->name;
    res->gpus = s->gpus;
    res->nodes = (s->gpus + s->per_node - 1) / s->per_node;
    res->data = s->data;
    res->tensor = s->tensor;
    res->pipeline = s->pipeline;
    res->context = s->context;
    res->expert = s->expert;
    res->zero = s->zero;
    res->sequence = s->sequence;
    res->micro_batch = s->micro_batch;
    res->accumulation = s->accumulation;
    res->global_batch = setup_global_batch(s);
}

bool estimate_training_job(struct estimate_work *w, struct estimate_result *res,
                           struct error *err)
{
    struct setup s;
    struct memory m;
    struct step t;
    struct str learnt;
    double need;
    bool fits;

    if (!choose_training(&w->job, &w->place.hardware, &w->constants, &s, &w->notes, err))
        return false;
    m = estimate_memory(&s, &w->constants);
    t = estimate_step(&s, &w->constants);
    fits = setup_fits(&s, &w->place.hardware, &w->constants, &need);
    describe(w, &s, res);
    if (!add_memory(w, &m, fits, res, err) || !add_step(w, &s, &t, res, err))
        return false;
    add_hours(w, &s, res);
    if (!learning_words(&w->constants, s.gpu->name, str_from(setup_framework(&s)),
                        w->ctx->arena, &learnt, err))
        return false;
    if (learnt.len > 0)
        note(&w->notes, "%.*s; --raw leaves it out", (int)learnt.len, learnt.at);
    if (w->request->explain &&
        !explain_training(&s, &m, &t, &w->constants, w->ctx, &res->formulas, err))
        return false;
    return add_energy_and_cost(w, step_watts(&t, s.gpu, &w->constants), res, err) &&
           (!w->request->explain || explain_totals(w->ctx, res, err));
}

/* Only a rate is known: carry it to this card, and spread it over the GPUs as they are. */
bool estimate_measured_job(struct estimate_work *w, struct estimate_result *res,
                           struct error *err)
{
    const struct job_measured *m =
        w->job.kind == JOB_TRAIN ? &w->job.train.measured : &w->job.infer.measured;
    const struct hardware *hw = &w->place.hardware;
    const struct accelerator *from = op_accelerator(w->ctx, m->gpu, false, err);
    double compute = isnan(m->compute) ? USUAL_COMPUTE : m->compute, speed, rate, total;
    bool samples = m->samples_s > 0;

    if (from == NULL)
        return false;
    speed = carried_speed(from, hw->gpu, compute);
    if (!(speed > 0))
        return error_fail(err, ERROR_INPUT, "the speed of %.*s or %.*s is not known",
                          STR_ARG(from->name), STR_ARG(hw->gpu->name));
    if (isnan(m->compute))
        note(&w->notes, "%.0f %% of the time is bound by arithmetic, the rest by memory",
             100 * USUAL_COMPUTE);
    if (hw->gpus > 1)
        note(&w->notes, "%lld GPUs are that many times as fast as one", (long long)hw->gpus);
    rate = (samples ? m->samples_s : m->tokens_s) * speed * (double)hw->gpus;
    total = samples ? job_samples(&w->job) : job_tokens(&w->job);
    res->kind = w->job.kind == JOB_TRAIN ? STR("train") : STR("infer");
    res->name = w->job.name;
    res->accelerator = hw->gpu->name;
    res->gpus = hw->gpus;
    res->nodes = (hw->gpus + hw->per_node - 1) / hw->per_node;
    res->usable_gb = usable_memory(hw->gpu) / 1e9;
    res->fits = m->memory.n == UINT64_MAX || (double)m->memory.n <= usable_memory(hw->gpu);
    if (m->memory.n != UINT64_MAX)
        res->memory_gb = (double)m->memory.n / 1e9;
    res->rate = guess_of(rate, measured_spread(from, hw->gpu));
    res->rate_unit = samples ? STR("samples/s") : STR("tokens/s");
    res->tokens = total;
    res->hours = guess_of(total / rate / 3600, measured_spread(from, hw->gpu));
    return add_energy_and_cost(w, board_watts(hw->gpu, compute, 1 - compute, &w->constants),
                               res, err);
}
