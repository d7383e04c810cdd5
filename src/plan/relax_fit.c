/* What comes nearest, when nothing holds the job. */
#include <math.h>

#include "estimate/infer.h"
#include "estimate/memory.h"
#include "plan/relax.h"
#include "plan/search_internal.h"

#define MOST_PIPELINE 4 /* machines that share one copy of a model that serves */
#define NEARLY 1.01

/* The most memory of any machine of a kind; NaN: of none it is known. */
static double most_host(const struct search *s, const struct class *c)
{
    double most = NAN;

    for (size_t i = 0; i < c->place_count; i++)
        most = fmax(most, s->places[c->places[i]].host_bytes);
    return most;
}

static bool nearer(const struct nearest_fit *a, const struct nearest_fit *b)
{
    return a->need != b->need ? a->need < b->need : a->gpus < b->gpus;
}

static void offer(const struct nearest_fit *one, struct nearest_fit *best, bool *found)
{
    if (one->need > 0 && (!*found || nearer(one, best))) {
        *best = *one;
        *found = true;
    }
}

static struct nearest_fit fit_on(const struct search *s, const struct entry *e)
{
    return (struct nearest_fit){.place = &s->places[e->class->places[0]],
                                .gpus = e->key.gpus,
                                .machines = e->key.machines};
}

/* A setting, as a share of what the GPU and the machine may give. */
static void try_setup(const struct search *s, const struct entry *e, const struct space *space,
                      const struct setup *setup, struct nearest_fit *best, bool *found)
{
    struct memory m = estimate_memory(setup, s->constants);
    int64_t boards = e->key.gpus < e->key.count ? e->key.gpus : e->key.count;
    struct nearest_fit one = fit_on(s, e);
    double device = m.device / (space->margin * usable_memory(setup->gpu));
    double host =
        m.host > 0 ? m.host * (double)boards / (HOST_SHARE * most_host(s, e->class)) : 0;

    if (isnan(host))
        return;
    one.need = fmax(device, host);
    one.host = host > device;
    one.setup = *setup;
    offer(&one, best, found);
}

/* The smallest micro-batch takes least, but for a step of a single one: that keeps no gradients
 * from the one before. */
static size_t small_micros(const struct space *space, const struct shape *shape,
                           struct micro out[static 2])
{
    struct micro all[SPACE_MICROS];
    size_t count = space_micros(space, shape, all), kept = 0;

    for (size_t i = 0; i < count && kept < 2; i++)
        if (i == 0 || (all[i].accumulation == 1 && out[0].accumulation > 1))
            out[kept++] = all[i];
    return kept;
}

static void try_shape(const struct search *s, const struct entry *e, const struct space *space,
                      const struct shape *shape, struct nearest_fit *best, bool *found)
{
    struct micro micros[2];
    struct zero zeros[SPACE_ZEROS];
    enum recompute recomputes[SPACE_WAYS];
    enum offload offloads[SPACE_WAYS];
    size_t micro_count = small_micros(space, shape, micros);
    size_t zero_count = space_zeros(space, shape, zeros);
    size_t ways = space_recomputes(space, recomputes);

    for (size_t m = 0; m < micro_count; m++)
        for (size_t z = 0; z < zero_count; z++) {
            struct setup setup = space_setup(space, shape, micros[m], zeros[z]);
            size_t loads = space_offloads(space, shape, zeros[z], offloads);

            setup.recompute = recomputes[ways - 1];
            for (size_t o = 0; o < loads; o++) {
                setup.offload = offloads[o];
                try_setup(s, e, space, &setup, best, found);
            }
        }
}

/* Is there a setting at all on so many? */
static bool try_training(struct search *s, const struct entry *e, struct nearest_fit *best,
                         bool *found)
{
    struct error ignored = {0};
    struct space space;
    bool any = false;
    size_t shapes;

    if (!space_open(s->job, s->constants, e->key.gpu, e->key.gpus, e->key.count, &space,
                    &ignored))
        return false;
    shapes = space_shapes(&space, s->scratch->shapes);
    for (size_t i = 0; i < shapes; i++) {
        struct micro micros[2];

        any |= small_micros(&space, &s->scratch->shapes[i], micros) > 0;
        try_shape(s, e, &space, &s->scratch->shapes[i], best, found);
    }
    return any;
}

/* One copy over as many GPUs as it may have, one request at a time. */
static void try_serving(const struct search *s, const struct entry *e, struct nearest_fit *best,
                        bool *found)
{
    const struct job_infer *t = &s->job->infer;
    struct job asked = *s->job;
    struct error ignored = {0};

    asked.infer.batch = 1;
    asked.infer.rate = NAN;
    for (int64_t tensor = t->tensor > 0 ? t->tensor : 1;
         tensor <= (t->tensor > 0 ? t->tensor : e->key.count); tensor *= 2)
        for (int64_t pipeline = t->pipeline > 0 ? t->pipeline : 1;
             pipeline <= (t->pipeline > 0 ? t->pipeline : MOST_PIPELINE); pipeline *= 2) {
            struct nearest_fit one = fit_on(s, e);
            struct hardware hw = {.gpu = e->key.gpu,
                                  .gpus = tensor * pipeline,
                                  .per_node = e->key.count,
                                  .host_bytes = (double)NAN};

            asked.infer.tensor = tensor;
            asked.infer.pipeline = pipeline;
            if (!choose_serving(&asked, &hw, s->constants, &one.serving, NULL, &ignored))
                continue;
            one.gpus = hw.gpus;
            one.machines = (hw.gpus + e->key.count - 1) / e->key.count;
            one.need = estimate_serving_memory(&one.serving, s->constants).device /
                       usable_memory(e->key.gpu);
            if (serving_holds(&one.serving, s->constants) < 1) /* servers leave some free */
                one.need = fmax(one.need, NEARLY);
            offer(&one, best, found);
        }
}

static void try_measured(const struct search *s, const struct entry *e,
                         struct nearest_fit *best, bool *found)
{
    const struct job_measured *m =
        s->job->kind == JOB_TRAIN ? &s->job->train.measured : &s->job->infer.measured;
    struct nearest_fit one = fit_on(s, e);

    if (m->memory.n == UINT64_MAX || e->key.machines > 1)
        return;
    one.need = (double)m->memory.n / usable_memory(e->key.gpu);
    offer(&one, best, found);
}

static void try_entry(struct search *s, const struct entry *e, const struct class **done,
                      struct nearest_fit *best, bool *found)
{
    if (!s->job->arch_known)
        try_measured(s, e, best, found);
    else if (s->job->kind == JOB_INFER)
        try_serving(s, e, best, found);
    else if (e->class != *done && try_training(s, e, best, found))
        *done = e->class;
}

/* As many GPUs as can be take least, but often by very little. */
static void fewer_gpus(struct search *s, struct nearest_fit *best)
{
    for (size_t i = 0; i < s->entry_count; i++) {
        const struct entry *e = &s->entries[i];
        const struct class *none = NULL;
        struct nearest_fit one;
        bool found = false;

        if (e->key.gpu != best->place->gpu || e->key.gpus >= best->gpus)
            continue;
        try_entry(s, e, &none, &one, &found);
        if (found && one.need <= NEARLY * best->need && one.gpus < best->gpus)
            *best = one;
    }
}

bool plan_nearest_fit(struct search *s, struct nearest_fit *out)
{
    const struct class *done = NULL;
    bool found = false;

    /* The entries of a class stand together, those with the most GPUs last. */
    for (size_t i = s->entry_count; i-- > 0;)
        try_entry(s, &s->entries[i], &done, out, &found);
    if (found)
        fewer_gpus(s, out);
    return found;
}
