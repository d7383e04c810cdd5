/* Serving: how many copies, on how many GPUs each, keep up with the rate and the promises. */
#include <math.h>
#include <string.h>

#include "estimate/energy.h"
#include "estimate/infer.h"
#include "estimate/memory.h"
#include "plan/ways.h"

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

static void keep(struct ways *ways, const struct way *way)
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

/* How many copies of this spread keep up: the same whatever machine they stand in. */
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
    keep(out, &way);
}

/* Without a rate: batches of every size that fits, one after the other. */
static void try_batches(struct spread *s, struct ways *out)
{
    int64_t said = s->job->infer.batch;

    for (int64_t batch = said > 0 ? said : 1; batch <= (said > 0 ? said : MOST_BATCH);
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
        keep(out, &way);
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
            /* Stages are for what a whole machine cannot hold. */
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
