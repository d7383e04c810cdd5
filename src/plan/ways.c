#include "plan/ways.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "estimate/energy.h"
#include "estimate/infer.h"
#include "estimate/measured.h"
#include "estimate/memory.h"
#include "estimate/step.h"

#define SECONDS_PER_HOUR 3600.0

/* Joules of the boards over the complete training. */
static double way_joules(const struct way *way)
{
    return way->board_w * (double)way->gpus * way->hours * SECONDS_PER_HOUR;
}

/* As good in everything that counts? A board whose watts are not known beats none in them. */
static bool way_covers(const struct way *a, const struct way *b, enum ways_aim aim)
{
    double mine = aim == WAYS_WEEK ? a->board_w : way_joules(a);
    double other = aim == WAYS_WEEK ? b->board_w : way_joules(b);

    if (a->hours > b->hours || a->host_bytes > b->host_bytes)
        return false;
    return aim == WAYS_FAST || mine <= other || isnan(other);
}

/* Put one in, unless one that is there is as good in everything; throw out what it beats. */
static void ways_add(struct ways *ways, const struct way *way, enum ways_aim aim)
{
    size_t kept = 0;

    for (size_t i = 0; i < ways->len; i++)
        if (way_covers(&ways->at[i], way, aim))
            return;
    for (size_t i = 0; i < ways->len; i++)
        if (!way_covers(way, &ways->at[i], aim))
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

static void keep_way(struct hunt *h, const struct setup *setup, const struct memory *memory)
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
        ways_add(h->ways, &way, h->aim);
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
                keep_way(h, &setup, &memory);
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
        if (way_covers(&h->ways->at[i], least, h->aim))
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

/* Serving: how many copies, on how many GPUs each, keep up with the rate and the promises. */

#define MOST_TENSOR 16  /* 2^(SERVED_TENSOR - 1) */
#define MOST_PIPELINE 4 /* 2^(SERVED_PIPELINE - 1) */
#define MOST_COPIES 16384
#define MOST_BATCH 256
#define BUSIEST 0.8 /* of what a copy can do: above, queues get long */

static bool within(double seconds, span promised)
{
    return promised.ns <= 0 || seconds <= span_in_seconds(promised);
}

static bool keeps_promises(const struct job_slo *slo, const struct serving_load *load)
{
    return load->utilisation <= BUSIEST && within(load->request_p50, slo->p50) &&
           within(load->request_p95, slo->p95) && within(load->request_p99, slo->p99) &&
           within(load->first_p95, slo->first_token);
}

/* One way to spread a copy. */
struct spread {
    const struct job *job;
    const struct constants *constants;
    struct hardware_key key;
    struct job asked; /* the same with degrees fixed */
    struct ways_counts *counts;
};

/* The serving of `copies` copies and its load; false when one does not fit. */
static bool with_copies(struct spread *s, int64_t copies, struct serving *serving,
                        struct serving_load *load)
{
    int64_t each = s->asked.infer.tensor * s->asked.infer.pipeline; /* both checked */
    struct hardware hw = {.gpu = s->key.gpu,
                          .gpus = each * copies,
                          .per_node = s->key.count,
                          .host_bytes = (double)NAN};
    struct error ignored = {0};

    s->counts->settings++;
    if (!choose_serving(&s->asked, &hw, s->constants, serving, NULL, &ignored) ||
        serving_holds(serving, s->constants) < 1)
        return false;
    serving->arch = &s->job->arch; /* which outlives the job that was asked for here */
    if (load != NULL)
        *load = estimate_load(serving, s->job->infer.rate / (double)copies, s->constants);
    return true;
}

/* The fewest copies that keep up; 0: no number does. More copies only make it easier. */
static int64_t fewest_copies(struct spread *s, struct serving *serving,
                             struct serving_load *load)
{
    int64_t low = 0, high = 1;

    for (;;) {
        if (!with_copies(s, high, serving, load))
            return 0;
        if (keeps_promises(&s->job->infer.slo, load))
            break;
        low = high;
        high *= 2;
        if (high > MOST_COPIES)
            return 0;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;

        if (with_copies(s, middle, serving, load) && keeps_promises(&s->job->infer.slo, load))
            high = middle;
        else
            low = middle;
    }
    return with_copies(s, high, serving, load) ? high : 0;
}

static void finish(const struct spread *s, const struct serving *serving, int64_t copies,
                   struct way *way)
{
    const struct constants *c = s->constants;
    int64_t each = serving->gpus;
    int64_t in_machine = s->key.count / each;
    struct serving_time time = estimate_serving(serving, c);

    way->serves = true;
    way->serving = *serving;
    way->copies = copies;
    way->gpus = copies * each;
    way->machines = in_machine > 0 ? (copies + in_machine - 1) / in_machine
                                   : copies * ((each + s->key.count - 1) / s->key.count);
    way->hours = NAN;
    way->spread = c->at[C_spread_serving];
    way->board_w = serving_watts(serving, &time, c);
    way->need = estimate_serving_memory(serving, c).device / usable_memory(serving->gpu);
    way->trials_parallel = 1;
}

/* Fewer machines, sooner answered, more made in an hour: what no other beats in all stays. */
static bool serves_as_well(const struct way *a, const struct way *b)
{
    return a->machines <= b->machines && a->latency_s <= b->latency_s && a->rate >= b->rate &&
           a->board_w * (double)a->gpus <= b->board_w * (double)b->gpus;
}

static void keep_serving(struct ways *ways, const struct way *way)
{
    size_t kept = 0;

    for (size_t i = 0; i < ways->len; i++)
        if (serves_as_well(&ways->at[i], way))
            return;
    for (size_t i = 0; i < ways->len; i++)
        if (!serves_as_well(way, &ways->at[i]))
            ways->at[kept++] = ways->at[i];
    ways->len = kept;
    if (kept < WAYS_MOST)
        ways->at[ways->len++] = *way;
}

/* How many copies of this spread keep up: the same whatever machine they are in. */
static void find_served(struct spread *s, struct served *out)
{
    struct serving_load load = {0};

    *out = (struct served){.known = true};
    out->copies = fewest_copies(s, &out->serving, &load);
    out->latency_s = load.request_p95;
}

static void try_rate(struct spread *s, struct served *served, struct ways *out)
{
    struct way way = {0};

    if (!served->known)
        find_served(s, served);
    if (served->copies < 1)
        return;
    finish(s, &served->serving, served->copies, &way);
    way.latency_s = served->latency_s;
    way.rate = s->job->infer.rate;
    keep_serving(out, &way);
}

/* Without a rate: batches of every size that fits, one after the other. */
static void try_batches(struct spread *s, struct ways *out)
{
    int64_t given = s->job->infer.batch;

    for (int64_t batch = given > 0 ? given : 1; batch <= (given > 0 ? given : MOST_BATCH);
         batch *= 2) {
        struct serving serving;
        struct serving_time time;
        struct way way = {0};

        s->asked.infer.batch = batch;
        if (!with_copies(s, 1, &serving, NULL) ||
            (double)batch > serving_holds(&serving, s->constants))
            return;
        time = estimate_serving(&serving, s->constants);
        finish(s, &serving, 1, &way);
        if (s->key.count >= 2 * serving.gpus) { /* copies fill the machine that is paid for */
            way.copies = s->key.count / serving.gpus;
            way.gpus = way.copies * serving.gpus;
        }
        way.latency_s = time.request;
        way.rate = (double)(batch * way.copies) *
                   (serving.output > 0 && time.decode > 0 ? serving.output : 1) / time.request;
        keep_serving(out, &way);
    }
}

void ways_serve(const struct job *job, const struct constants *c, struct hardware_key key,
                struct ways_scratch *scratch, struct ways *out, struct ways_counts *counts)
{
    const struct job_infer *t = &job->infer;
    struct spread s = {.job = job, .constants = c, .key = key, .asked = *job, .counts = counts};
    int64_t most = key.count < MOST_TENSOR ? key.count : MOST_TENSOR;
    int64_t tensor = t->tensor > 0 ? t->tensor : 1;

    out->len = 0;
    if (scratch->served_by != key.gpu)
        memset(scratch->served, 0, sizeof scratch->served);
    scratch->served_by = key.gpu;
    /* Layers are shared within a machine: links are faster than networks. */
    for (size_t i = 0; tensor <= (t->tensor > 0 ? t->tensor : most) && tensor <= key.count;
         i++, tensor *= 2) {
        int64_t pipeline = t->pipeline > 0 ? t->pipeline : 1;

        for (size_t k = 0; pipeline <= (t->pipeline > 0 ? t->pipeline : MOST_PIPELINE);
             k++, pipeline *= 2) {
            /* Stages are for what a complete machine cannot hold. */
            if (pipeline > 1 && t->pipeline < 1 && 2 * tensor <= key.count)
                continue;
            if (pipeline > job->arch.layers + 2)
                continue;
            s.asked.infer.tensor = tensor;
            s.asked.infer.pipeline = pipeline;
            if (t->rate > 0)
                try_rate(&s, &scratch->served[i][k], out);
            else
                try_batches(&s, out);
        }
    }
}
