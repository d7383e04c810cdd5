/* Published GPU-hours of whole runs: what was trained, on what, how long it took. */
#include <math.h>

#include "estimate/kernels/kernels.h"
#include "estimate/model/settings.h"
#include "estimate/step/goodput.h"
#include "truth/rows.h"

#define SECONDS_PER_HOUR 3600.0
#define BILLION 1e9

/* Machines of such runs, and how many where the row does not say: what trains it in a month at
 * a usual share of the peak, as a power of two. */
#define RUN_PER_NODE 8
#define RUN_SECONDS (30 * 24 * SECONDS_PER_HOUR)
#define RUN_MFU 0.4
#define RUN_MOST_GPUS 16384

static int64_t usual_gpus(const struct arch *arch, double tokens, const struct accelerator *gpu)
{
    double flop = 6 * arch_count(arch).active * tokens;
    double gpus = flop / (RUN_MFU * peak_flops(gpu, PRECISION_BF16) * RUN_SECONDS);

    if (!(gpus > RUN_PER_NODE))
        return RUN_PER_NODE;
    return (int64_t)fmin(RUN_MOST_GPUS, exp2(round(log2(gpus))));
}

/* "llama-13b (Megatron-LLaMA)" is a llama-13b; the column `arch` names another. */
static bool read_arch(const struct rows_reader *r, struct arch *out)
{
    struct str model = row_text(r, row_has(r, "arch") ? "arch" : "model");
    struct error ignored = {0};

    return arch_named(r->catalog, str_trim(str_cut(&model, '(')), out, &ignored);
}

/* What the row says of the setting, in the columns of training rows. */
static bool read_settings(const struct rows_reader *r, struct job_train *t, struct error *err)
{
    t->sequence = row_count(r, "seq_len", -1);
    t->global_batch = row_count(r, "global_batch", -1);
    t->micro_batch = row_count(r, "micro_batch", -1);
    t->parallel.tensor = row_count(r, "tensor_parallel", -1);
    t->parallel.pipeline = row_count(r, "pipeline_parallel", -1);
    if (str_eq_nocase(row_text(r, "flash_attention"), STR("no")))
        t->attention = str_from(attention_names[ATTENTION_PLAIN]);
    return str_keep(row_text(r, "precision"), r->arena, &t->precision, err) &&
           str_keep(row_text(r, "activation_checkpointing"), r->arena, &t->recompute, err) &&
           str_keep(row_text(r, "framework"), r->arena, &t->framework, err);
}

bool read_run_row(const struct rows_reader *r, struct point_list *list, struct error *err)
{
    struct measured_value *p = point_add(list, err);
    struct job *job = arena_array(r->arena, struct job, 1, err);
    double tokens = row_number(r, "tokens_b") * BILLION;
    struct hardware *hw;

    if (p == NULL || job == NULL || !row_begin(r, p, &p->run.hardware.gpu, err) ||
        !job_reset(job, r->arena, err))
        return false;
    hw = &p->run.hardware;
    p->run.job = job;
    p->metric = METRIC_GPU_HOURS;
    p->measured = row_number(r, "gpu_hours");
    if (p->id.len == 0 && !str_keep(row_text(r, "model"), r->arena, &p->id, err))
        return false;
    if (p->reason == NULL && !(p->measured > 0))
        p->reason = "no GPU-hours";
    else if (p->reason == NULL && !(tokens > 0))
        p->reason = "the number of tokens is not given";
    else if (p->reason == NULL && !read_arch(r, &p->arch))
        p->reason = "the model is not in the catalog";
    if (p->reason != NULL)
        return true;
    job->arch = p->arch;
    job->arch_known = true;
    job->train.data.tokens = tokens;
    p->run.steady = str_eq(p->set, STR("throughput"));
    *hw = (struct hardware){
        .gpu = hw->gpu,
        .gpus = row_count(r, "gpu_count", usual_gpus(&p->arch, tokens, hw->gpu)),
        .per_node = RUN_PER_NODE,
        .host_bytes = NAN};
    return read_settings(r, &job->train, err);
}

struct guess predict_run(const struct run_row *row, const struct constants *c)
{
    double gpus = (double)row->hardware.gpus, hours;
    struct error ignored = {0};
    struct goodput g;
    struct guess run;
    struct setup s;
    struct step step;

    if (!choose_training(row->job, &row->hardware, c, &s, NULL, &ignored))
        return guess_of(NAN, 0);
    step = estimate_step(&s, c);
    hours = choose_total(row->job, &s) / (step_rate(&step, &s) * gpus) / SECONDS_PER_HOUR;
    g = goodput_of(row->job, row->hardware.gpus, hours,
                   row->steady ? GOODPUT_SETTING : GOODPUT_ALL, c);
    run = goodput_hours(&g, hours, step_doubt(&s, &step, c));
    return (struct guess){run.value * gpus, run.low * gpus, run.high * gpus};
}
