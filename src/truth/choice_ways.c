/* Measured rows as ways to do their work. */
#include <math.h>

#include "estimate/choose.h"
#include "estimate/step.h"
#include "truth/choices.h"

#define NODE 8 /* GPUs of a machine, where a row of serving does not say */

/* Requests a second, by what a row measured. The time to the first token and from token to
 * token are a request together; so many are always in flight. */
struct served {
    double throughput, latency, first, token;
};

static double requests(const struct served *t, const struct serving *s)
{
    double whole = t->first + t->token * (s->output - 1);

    if (t->throughput > 0)
        return t->throughput;
    if (t->latency > 0)
        return s->batch / t->latency * 1e3;
    return whole > 0 && s->output >= 1 ? s->batch / whole * 1e3 : NAN;
}

static void take(struct served *t, const struct point *p, double value)
{
    if (p->metric == METRIC_THROUGHPUT)
        t->throughput = value / p->tokens_per_request;
    else if (p->metric == METRIC_LATENCY)
        t->latency = value;
    else if (p->metric == METRIC_PREFILL)
        t->first = value;
    else if (p->metric == METRIC_DECODE)
        t->token = value;
}

static bool read_serving(const struct held *held, size_t count, struct way *way)
{
    struct served measured = {NAN, NAN, NAN, NAN}, predicted = measured;
    const struct serving *s = &held[0].point->serve;

    for (size_t i = 0; i < count; i++) {
        if (held[i].point->reason != NULL)
            return false;
        take(&measured, held[i].point, held[i].point->measured);
        take(&predicted, held[i].point, held[i].guess.value);
    }
    way->gpu = s->gpu;
    way->gpus = s->gpus;
    way->stated = held[0].point->stated_gpus;
    way->per_node = s->gpus < NODE ? s->gpus : NODE;
    way->measured = requests(&measured, s);
    way->predicted = requests(&predicted, s);
    return way->measured > 0;
}

static bool read_training(const struct held *held, struct way *way)
{
    const struct setup *s = &held->point->setup;

    if (held->point->reason != NULL)
        return false;
    way->gpu = s->gpu;
    way->gpus = s->gpus;
    way->per_node = s->gpus < s->per_node ? s->gpus : s->per_node;
    way->measured = held->point->measured * (double)s->gpus;
    way->predicted = held->guess.value * (double)s->gpus;
    return way->measured > 0;
}

bool ways_read(const struct held *held, size_t count, struct way **out, size_t *len,
               struct arena *arena, struct error *err)
{
    struct way *ways = arena_array(arena, struct way, count + 1, err);
    size_t n = 0;

    if (ways == NULL)
        return false;
    for (size_t i = 0, end; i < count; i = end) {
        bool training = held[i].point->metric == METRIC_TRAINING;

        for (end = i + 1; end < count && !held[end].point->first;)
            end++;
        ways[n] = (struct way){.point = held[i].point, .own = NAN, .price = NAN};
        n += training ? read_training(&held[i], &ways[n])
                      : read_serving(&held[i], end - i, &ways[n]);
    }
    *out = ways;
    *len = n;
    return true;
}

bool way_own(const struct way *way, const struct constants *c, double *out, struct arena *arena,
             struct error *err)
{
    const struct setup *row = &way->point->setup;
    struct hardware hw = {
        .gpu = way->gpu, .gpus = way->gpus, .per_node = row->per_node, .host_bytes = NAN};
    struct error why = {0};
    struct setup s;
    struct step step;
    struct job job;
    double need;

    *out = NAN;
    if (way->point->metric != METRIC_TRAINING)
        return true;
    if (!job_reset(&job, arena, err))
        return false;
    job.arch = *row->arch;
    job.arch_known = true;
    job.train.method = str_from(method_names[row->method]);
    job.train.precision = str_from(precision_names[row->precision]);
    job.train.optimizer = str_from(optimizer_names[row->optimizer]);
    job.train.framework = str_from(stack_names[row->stack]);
    job.train.compile = row->compiled ? STR("yes") : STR("no");
    job.train.rank = row->rank;
    job.train.sequence = row->sequence;
    job.train.resolution = row->resolution > 0 ? row->resolution : -1;
    if (!choose_training(&job, &hw, c, &s, NULL, &why) || !setup_fits(&s, &hw, c, &need))
        return true;
    /* What the work is, and the wires, are not ours to choose. */
    s.targets = row->targets;
    s.base = row->base;
    s.head_share = row->head_share;
    s.padding = row->padding;
    s.network_gb_s = row->network_gb_s;
    step = estimate_step(&s, c);
    *out = step_rate(&step, &s) * (double)s.gpus;
    return true;
}
