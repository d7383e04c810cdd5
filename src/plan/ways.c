#include "plan/ways.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "estimate/energy.h"
#include "estimate/measured.h"
#include "estimate/memory.h"
#include "estimate/step.h"

#define SECONDS_PER_HOUR 3600.0

double way_joules(const struct way *way)
{
    return way->board_w * (double)way->gpus * way->hours * SECONDS_PER_HOUR;
}

/* As good in everything that counts? A board whose watts are not known beats none in them. */
static bool covers(const struct way *a, const struct way *b, enum ways_aim aim)
{
    double mine = aim == WAYS_WEEK ? a->board_w : way_joules(a);
    double other = aim == WAYS_WEEK ? b->board_w : way_joules(b);

    if (a->hours > b->hours || a->host_bytes > b->host_bytes)
        return false;
    return aim == WAYS_FAST || mine <= other || isnan(other);
}

/* Put one in, unless one that is there is as good in everything; throw out what it beats. */
static void add(struct ways *ways, const struct way *way, enum ways_aim aim)
{
    size_t kept = 0;

    for (size_t i = 0; i < ways->len; i++)
        if (covers(&ways->at[i], way, aim))
            return;
    for (size_t i = 0; i < ways->len; i++)
        if (!covers(way, &ways->at[i], aim))
            ways->at[kept++] = ways->at[i];
    assert(kept < WAYS_MOST); /* hours, watts and memory of one kind of machine */
    ways->at[kept] = *way;
    ways->len = kept + 1;
}

/* The search on one set of machines. */
struct hunt {
    const struct space *space;
    struct hardware_key key;
    enum ways_aim aim;
    double usable; /* bytes of a GPU */
    struct ways *ways;
    struct ways_counts *counts;
};

static void keep(struct hunt *h, const struct setup *setup, const struct memory *memory)
{
    const struct constants *c = h->space->constants;
    struct step step = estimate_step(setup, c);
    int64_t boards = h->key.gpus < h->key.count ? h->key.gpus : h->key.count;
    struct way way = {
        .setup = *setup,
        .machines = h->key.machines,
        .gpus = h->key.gpus,
        .copies = 1,
        .hours = space_hours(h->space, setup, step.total),
        .latency_s = NAN,
        .rate = step_rate(&step, setup) * (double)setup->gpus,
        .spread = step_spread(setup, c),
        .step_s = step.total,
        .board_w = step_watts(&step, setup->gpu, c),
        .need = memory->device / h->usable,
        .host_bytes = memory->host * (double)boards,
        .trials_parallel = 1,
    };

    h->counts->settings++;
    if (way.hours >= 0 && isfinite(way.hours))
        add(h->ways, &way, h->aim);
}

/* What did not fit at some micro-batch does not fit at a larger one either. But a step of one
 * micro-batch keeps no gradients from the one before, and may fit where two do not; and virtual
 * stages hold less where there are fewer micro-batches than stages, so that nothing follows. */
struct unfit {
    bool several, one;
};

/* One way to shard: for each offload the least recompute that fits, since more only takes
 * longer. (Moving the optimizer's step to the machine mostly does too, but not on every
 * card.) */
static void try_savings(struct hunt *h, const struct shape *shape, struct setup setup,
                        struct zero zero, struct unfit unfit[static SPACE_WAYS * SPACE_WAYS])
{
    enum recompute recomputes[SPACE_WAYS];
    enum offload offloads[SPACE_WAYS];
    size_t ways = space_recomputes(h->space, recomputes);
    size_t loads = space_offloads(h->space, shape, zero, offloads);

    for (size_t load = 0; load < loads; load++)
        for (size_t way = 0; way < ways; way++) {
            struct unfit *known = &unfit[load * SPACE_WAYS + way];
            struct memory memory;

            if (setup.accumulation > 1 ? known->several : known->one) {
                h->counts->pruned++;
                continue;
            }
            setup.recompute = recomputes[way];
            setup.offload = offloads[load];
            memory = estimate_memory(&setup, h->space->constants);
            h->counts->settings++;
            if (memory.device <= h->space->margin * h->usable) {
                keep(h, &setup, &memory);
                h->counts->pruned += ways - way - 1;
                break;
            }
            if (setup.virtual_pipeline == 1)
                *(setup.accumulation > 1 ? &known->several : &known->one) = true;
        }
}

/* As good as any sharding, recompute and offload could make these: they only add to it, but for
 * stage 3 of ZeRO, under which autocast keeps its casts. */
static struct way least_way(const struct hunt *h, struct setup plain)
{
    struct way least = {.gpus = h->key.gpus, .hours = INFINITY, .board_w = INFINITY};
    int last = precision_autocast(plain.precision) ? 3 : 0;

    for (plain.zero = 0; plain.zero <= last; plain.zero += 3) {
        struct step step = estimate_step(&plain, h->space->constants);
        double hours, watts;

        h->counts->settings++;
        step.total -= step.data + step.optimizer + step.offload;
        step.data = step.optimizer = step.offload = 0;
        hours = space_hours(h->space, &plain, step.total);
        watts = step_watts(&step, plain.gpu, h->space->constants);
        /* The least energy and the least time, though not of the same setting. */
        least.board_w =
            fmin(least.board_w * least.hours, watts * hours) / fmin(least.hours, hours);
        least.hours = fmin(least.hours, hours);
    }
    return least;
}

static bool hopeless(const struct hunt *h, const struct way *least)
{
    if (h->aim == WAYS_WEEK)
        return false; /* what waits more draws fewer watts: there is no least of them */
    for (size_t i = 0; i < h->ways->len; i++)
        if (covers(&h->ways->at[i], least, h->aim))
            return true;
    return false;
}

static void try_shape(struct hunt *h, const struct shape *shape)
{
    struct micro micros[SPACE_MICROS];
    struct zero zeros[SPACE_ZEROS];
    enum recompute recomputes[SPACE_WAYS];
    struct unfit unfit[SPACE_ZEROS][SPACE_WAYS * SPACE_WAYS];
    size_t micro_count = space_micros(h->space, shape, micros);
    size_t zero_count = space_zeros(h->space, shape, zeros);

    memset(unfit, 0, sizeof unfit);
    (void)space_recomputes(h->space, recomputes);
    for (size_t i = 0; i < micro_count && zero_count > 0; i++) {
        struct setup plain = space_setup(h->space, shape, micros[i], zeros[0]);
        struct way least;

        plain.recompute = recomputes[0];
        least = least_way(h, plain);
        if (hopeless(h, &least)) {
            h->counts->pruned += zero_count * SPACE_WAYS;
            continue;
        }
        for (size_t z = 0; z < zero_count; z++)
            try_savings(h, shape, space_setup(h->space, shape, micros[i], zeros[z]), zeros[z],
                        unfit[z]);
    }
}

void ways_train(const struct job *job, const struct constants *c, struct hardware_key key,
                enum ways_aim aim, struct ways_scratch *scratch, struct ways *out,
                struct ways_counts *counts)
{
    struct space space;
    struct error ignored = {0};
    struct hunt hunt = {.space = &space,
                        .key = key,
                        .aim = aim,
                        .usable = usable_memory(key.gpu),
                        .ways = out,
                        .counts = counts};
    size_t shapes;

    out->len = 0;
    if (!space_open(job, c, key.gpu, key.gpus, key.count, &space, &ignored))
        return;
    shapes = space_shapes(&space, scratch->shapes);
    for (size_t i = 0; i < shapes; i++)
        try_shape(&hunt, &scratch->shapes[i]);
}

void ways_measured(const struct job *job, const struct constants *c,
                   const struct accelerator *from, struct hardware_key key, struct ways *out)
{
    const struct job_measured *m =
        job->kind == JOB_TRAIN ? &job->train.measured : &job->infer.measured;
    double compute = isnan(m->compute) ? USUAL_COMPUTE : m->compute;
    double speed = carried_speed(from, key.gpu, compute);
    bool samples = m->samples_s > 0;
    double rate = (samples ? m->samples_s : m->tokens_s) * speed * (double)key.gpus;
    double total = samples ? job_samples(job) : job_tokens(job);
    struct way way = {
        .machines = 1,
        .gpus = key.gpus,
        .copies = 1,
        .hours = total / rate / SECONDS_PER_HOUR,
        .latency_s = NAN,
        .rate = rate,
        .spread = measured_spread(from, key.gpu),
        .step_s = NAN,
        .board_w = board_watts(key.gpu, compute, 1 - compute, c),
        .need = m->memory.n == UINT64_MAX ? NAN : (double)m->memory.n / usable_memory(key.gpu),
        .trials_parallel = 1,
    };

    out->len = 0;
    if (key.machines == 1 && isfinite(way.hours) && way.hours >= 0 && !(way.need > 1))
        out->at[out->len++] = way;
}
