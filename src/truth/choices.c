#include "truth/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "estimate/kernels.h"

const char *const picker_names[] = {
    "predicted cost",
    "predicted, setting too",
    "predicted, own setting",
    "price per GPU-hour",
    "peak FLOP/s per dollar",
    "bandwidth per dollar",
    NULL,
};

/* All numbers of 16 bits are one width: which of them is a matter of the card. */
static enum precision width_of(const struct point *p)
{
    enum precision given = p->setup.precision;

    if (p->metric != METRIC_TRAINING) {
        enum weights w = p->serve.weights;

        return w == WEIGHTS_FP8    ? PRECISION_FP8
               : w == WEIGHTS_FP4  ? PRECISION_FP4
               : w == WEIGHTS_FP32 ? PRECISION_FP32
                                   : PRECISION_BF16;
    }
    if (given == PRECISION_FP32 || given == PRECISION_TF32)
        return PRECISION_TF32;
    if (given == PRECISION_FP8 || given == PRECISION_MXFP8)
        return PRECISION_FP8;
    return given == PRECISION_FP4 ? PRECISION_FP4 : PRECISION_BF16;
}

static struct str set_of(const struct point *p)
{
    if (p->metric == METRIC_TRAINING)
        return p->set.len > 0 ? p->set : STR("training");
    return p->arch.experts > 0 ? STR("serving moe") : STR("serving");
}

double way_cost(const struct way *way)
{
    return way->price / way->measured;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_model(const struct arch *a, const struct arch *b)
{
    const double pairs[][2] = {
        {(double)a->layers, (double)b->layers},   {(double)a->hidden, (double)b->hidden},
        {(double)a->ffn, (double)b->ffn},         {(double)a->heads, (double)b->heads},
        {(double)a->experts, (double)b->experts}, {(double)a->input, (double)b->input},
    };
    int order = str_cmp(a->name, b->name);

    for (size_t i = 0; order == 0 && i < ARRAY_LEN(pairs); i++)
        order = compare(pairs[i][0], pairs[i][1]);
    return order;
}

static int compare_training(const struct setup *a, const struct setup *b)
{
    bool adapters = a->method != METHOD_FULL;
    const double pairs[][2] = {
        {a->method, b->method},
        {(double)a->sequence, (double)b->sequence},
        {(double)a->resolution, (double)b->resolution},
        {a->head_share, b->head_share},
        {a->padding, b->padding},
        {adapters ? a->rank : 0, adapters ? b->rank : 0},
        {adapters ? a->targets : 0, adapters ? b->targets : 0},
        {a->method == METHOD_QLORA ? (double)a->base : 0,
         a->method == METHOD_QLORA ? (double)b->base : 0},
    };
    int order = 0;

    for (size_t i = 0; order == 0 && i < ARRAY_LEN(pairs); i++)
        order = compare(pairs[i][0], pairs[i][1]);
    return order;
}

static int compare_serving(const struct serving *a, const struct serving *b)
{
    const double pairs[][2] = {
        {a->weights, b->weights}, {a->input, b->input}, {a->output, b->output},
        {a->rolling, b->rolling}, {a->batch, b->batch},
    };
    int order = 0;

    for (size_t i = 0; order == 0 && i < ARRAY_LEN(pairs); i++)
        order = compare(pairs[i][0], pairs[i][1]);
    return order;
}

int choice_model_cmp(const struct choice *a, const struct choice *b)
{
    return compare_model(&a->best->point->arch, &b->best->point->arch);
}

/* Is it the same work? */
static int compare_work(const struct way *x, const struct way *y, bool any_count)
{
    const struct point *a = x->point, *b = y->point;
    bool training = a->metric == METRIC_TRAINING;
    int order = compare(training, b->metric == METRIC_TRAINING);

    if (order == 0)
        order = str_cmp(set_of(a), set_of(b));
    if (order == 0)
        order = compare_model(&a->arch, &b->arch);
    if (order == 0)
        order = compare(width_of(a), width_of(b));
    if (order == 0)
        order = training ? compare_training(&a->setup, &b->setup)
                         : compare_serving(&a->serve, &b->serve);
    return order != 0 || any_count ? order : compare((double)x->gpus, (double)y->gpus);
}

/* What has no price goes last; the ways of a kind stand together, the cheapest first. */
static int by_work(const void *a, const void *b, void *any_count)
{
    const struct way *x = a, *y = b;
    int order = compare(!(x->price > 0), !(y->price > 0));

    if (order == 0)
        order = compare_work(x, y, *(const bool *)any_count);
    if (order == 0)
        order = str_cmp(x->gpu->name, y->gpu->name);
    if (order == 0)
        order = compare(way_cost(x), way_cost(y));
    return order != 0 ? order : str_cmp(x->point->id, y->point->id);
}

/* What the picker takes the least of. */
static double rank_of(const struct way *way, enum picker picker)
{
    double each = way->price / (double)way->gpus;

    switch (picker) {
    case PICK_PREDICTED:
    case PICK_SETTING:
        return way->price / way->predicted;
    case PICK_OWN:
        return way->price / way->own;
    case PICK_PEAK:
        return each / peak_flops(way->gpu, width_of(way->point));
    case PICK_BANDWIDTH:
        return each / way->gpu->bandwidth_gb_s;
    case PICK_PRICE:
    case PICK_COUNT:
        break;
    }
    return each;
}

/* Ways of one work, by kind and cost: the first of each kind is its best. */
static struct choice choose(const struct way *ways, size_t len)
{
    struct choice c = {
        .set = set_of(ways->point), .model = ways->point->arch.name, .ways = ways, .len = len};

    for (size_t i = 0; i < len; i++) {
        bool first = i == 0 || ways[i].gpu != ways[i - 1].gpu;

        c.kinds += first;
        if (c.best == NULL || way_cost(&ways[i]) < way_cost(c.best))
            c.best = &ways[i];
        for (int p = 0; p < PICK_COUNT; p++) {
            double rank = rank_of(&ways[i], (enum picker)p);

            if ((first || p == PICK_SETTING) && rank > 0 &&
                (c.pick[p] == NULL || rank < rank_of(c.pick[p], (enum picker)p)))
                c.pick[p] = &ways[i];
        }
    }
    for (int p = 0; p < PICK_COUNT; p++)
        c.over[p] = c.pick[p] != NULL ? way_cost(c.pick[p]) / way_cost(c.best) : NAN;
    return c;
}

bool choices_find(struct way *ways, size_t count, bool any_count, struct choices *out,
                  struct arena *arena, struct error *err)
{
    *out = (struct choices){.at = arena_array(arena, struct choice, count + 1, err)};
    if (out->at == NULL)
        return false;
    qsort_r(ways, count, sizeof *ways, by_work, &any_count);
    for (size_t i = 0, end; i < count && ways[i].price > 0; i = end) {
        struct choice c;

        for (end = i + 1; end < count && ways[end].price > 0 &&
                          compare_work(&ways[i], &ways[end], any_count) == 0;)
            end++;
        c = choose(&ways[i], end - i);
        if (c.kinds >= CHOICE_KINDS)
            out->at[out->len++] = c;
        else
            out->alone += (int64_t)c.len;
    }
    return true;
}

void choice_words(const struct choice *choice, struct buf *out)
{
    const struct point *p = choice->best->point;
    enum precision width = width_of(p);

    if (p->metric == METRIC_TRAINING) {
        buf_addf(out, "%s %s", width == PRECISION_BF16 ? "16-bit" : precision_names[width],
                 method_names[p->setup.method]);
        if (!p->samples)
            buf_addf(out, " of %lld tokens", (long long)p->setup.sequence);
        return;
    }
    buf_addf(out, "%s weights %.0f+%.0f tokens %.0f %s", weights_names[p->serve.weights],
             p->serve.input, p->serve.output, p->serve.batch,
             p->serve.rolling ? "in flight" : "at once");
}
