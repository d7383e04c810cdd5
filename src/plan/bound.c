/* What no setting on a card can beat: one GPU that has all the memory there is, without others
 * to talk to. Cutting the work into parts makes its products smaller and its weights no fewer,
 * and adds talk; so that GPU-hours only go up. What models beside the trained one add is left
 * out: several GPUs may write answers in less of their time than one. A test tries to find a
 * setting that does better. */
#include <math.h>

#include "estimate/model/space.h"
#include "estimate/money/energy.h"
#include "estimate/step/step.h"
#include "plan/ways.h"

#define SECONDS_PER_HOUR 3600.0
#define MOST_MICRO 64
#define MANY_GPUS (INT64_C(1) << 20) /* enough for any models beside the trained one */

/* The software that several GPUs may be given, where the job sets none. */
static size_t stacks_of(const struct space *s, enum stack out[static 3])
{
    size_t count = 0;

    out[count++] = s->base.stack;
    if (s->job->train.framework.len > 0 || arch_is_other(s->base.arch))
        return count;
    if (s->base.stack != STACK_FSDP)
        out[count++] = STACK_FSDP;
    out[count++] = STACK_MEGATRON;
    return count;
}

/* Several GPUs that share experts bring each more tokens than one has. */
static int64_t most_micro(const struct space *s)
{
    int64_t given = s->job->train.micro_batch, most = given > 0 ? given : MOST_MICRO;

    return s->base.arch->experts > 0 ? most * MOST_MICRO : most;
}

/* A fraction of the last step is enough for a bound. */
static double batch_units(const struct setup *setup)
{
    return arch_counts_samples(setup->arch) ? setup_global_batch(setup)
                                            : setup_tokens_per_step(setup);
}

static void try_setup(const struct space *s, struct setup *setup, struct bound *best)
{
    const struct constants *c = s->constants;
    struct step step = estimate_step_alone(setup, c), away;
    double optimizer = step.optimizer, joules, hours;

    if (!arch_is_other(setup->arch) && s->job->train.parallel.offload.len == 0) {
        struct setup moved = *setup;

        moved.offload = OFFLOAD_OPTIMIZER; /* the machine may do it instead */
        away = estimate_step_alone(&moved, c);
        optimizer = fmin(optimizer, away.optimizer + away.offload);
    }
    if (setup->offload != OFFLOAD_NONE)
        optimizer = 0; /* shards are moved by as many machines as there are */
    step.total += optimizer - step.optimizer - step.offload - step.data;
    step.optimizer = optimizer;
    step.offload = step.data = 0;
    hours = s->total / batch_units(setup) * step.total / SECONDS_PER_HOUR;
    joules = step_watts(&step, setup->gpu, c) * hours * SECONDS_PER_HOUR;
    best->gpu_hours = fmin(best->gpu_hours, hours);
    best->joules = fmin(best->joules, isnan(joules) ? 0 : joules);
}

/* One GPU is trained with autocast, several and those that offload are not: what these may have
 * counts too. */
static void add_precision(struct space *s)
{
    enum precision base = s->base.precision;
    enum precision other = base == PRECISION_AMP_FP16 ? PRECISION_FP16 : PRECISION_BF16;

    if (s->job->train.precision.len > 0 || !precision_autocast(base))
        return;
    for (size_t i = 0; i < s->precision_count; i++)
        if (s->precisions[i] == other)
            return;
    s->precisions[s->precision_count++] = other;
}

struct bound bound_train(const struct job *job, const struct constants *c,
                         const struct accelerator *gpu, int64_t per_node)
{
    struct bound best = {INFINITY, INFINITY};
    struct hardware hw = {
        .gpu = gpu, .gpus = MANY_GPUS, .per_node = per_node, .host_bytes = (double)NAN};
    struct error ignored = {0};
    struct job alone = *job;
    struct space s;
    enum stack stacks[3];
    enum recompute recomputes[SPACE_WAYS];
    int64_t micro;
    size_t count;

    alone.train.rollout.policy_gpus = 0; /* one, whatever the job says */
    if (!space_open(&alone, c, &hw, false, &s, &ignored))
        return best;
    hw.gpus = 1 + alignment_own_gpus(&s.base.alignment);
    if (!space_open(&alone, c, &hw, false, &s, &ignored))
        return best;
    add_precision(&s);
    count = stacks_of(&s, stacks);
    (void)space_recomputes(&s, s.base.stack, recomputes);
    micro = job->train.micro_batch > 0 ? job->train.micro_batch : 1;
    for (; micro <= most_micro(&s); micro *= 2) {
        struct shape shape = {.tensor = 1,
                              .pipeline = 1,
                              .virtual_pipeline = 1,
                              .context = 1,
                              .expert = 1,
                              .data = 1};
        int64_t batch = s.batch > 0 ? s.batch : s.most > micro ? s.most : micro;
        struct micro each = {micro, batch > micro ? (batch + micro - 1) / micro : 1};

        for (size_t i = 0; i < s.precision_count; i++)
            for (size_t k = 0; k < count; k++) {
                struct setup setup;

                shape.precision = i;
                shape.stack = stacks[k];
                setup = space_setup(&s, &shape, each, (struct zero){0, 1});
                setup.recompute = recomputes[0];
                try_setup(&s, &setup, &best);
                if (!precision_autocast(setup.precision))
                    continue;
                setup.zero = 3; /* under which autocast keeps its casts */
                try_setup(&s, &setup, &best);
            }
    }
    return best;
}
