/* Measured rows as ways to do their work. */
#include "truth/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/kernels/kernels.h"
#include "estimate/model/settings.h"
#include "estimate/step/step.h"

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

static void add_served_point(struct served *t, const struct measured_value *p, double value)
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

static bool read_held_serving(const struct held *held, size_t count, struct measured_way *way)
{
    struct served measured = {NAN, NAN, NAN, NAN}, predicted = measured;
    const struct serving *s = &held[0].point->serve;

    for (size_t i = 0; i < count; i++) {
        if (held[i].point->reason != NULL)
            return false;
        add_served_point(&measured, held[i].point, held[i].point->measured);
        add_served_point(&predicted, held[i].point, held[i].guess.value);
    }
    way->gpu = s->gpu;
    way->gpus = s->gpus;
    way->stated = held[0].point->stated.gpus;
    way->per_node = s->gpus < NODE ? s->gpus : NODE;
    way->measured = requests(&measured, s);
    way->predicted = requests(&predicted, s);
    return way->measured > 0;
}

static bool read_training(const struct held *held, struct measured_way *way)
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

bool ways_read(const struct held *held, size_t count, struct measured_way **out, size_t *len,
               struct arena *arena, struct error *err)
{
    struct measured_way *ways = arena_array(arena, struct measured_way, count + 1, err);
    size_t n = 0;

    if (ways == NULL)
        return false;
    for (size_t i = 0, end; i < count; i = end) {
        bool training = held[i].point->metric == METRIC_TRAINING;

        for (end = i + 1; end < count && !held[end].point->first;)
            end++;
        ways[n] = (struct measured_way){.point = held[i].point, .own = NAN, .price = NAN};
        n += training ? read_training(&held[i], &ways[n])
                      : read_held_serving(&held[i], end - i, &ways[n]);
    }
    *out = ways;
    *len = n;
    return true;
}

bool way_own(const struct measured_way *way, const struct constants *c, double *out,
             struct arena *arena, struct error *err)
{
    const struct setup *row = &way->point->setup;
    struct hardware hw = {
        .gpu = way->gpu, .gpus = way->gpus, .per_node = row->per_node, .host_bytes = NAN};
    struct error why = {0};
    struct setup s;
    struct step step;
    struct job job;

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
    job.train.parallel.offload = str_from(offload_names[row->offload]);
    job.train.rank = row->rank;
    job.train.sequence = row->sequence;
    job.train.resolution = row->resolution > 0 ? row->resolution : -1;
    if (!choose_training(&job, &hw, c, &s, NULL, &why) || !setup_fits(&s, &hw, c))
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

/* ---- how good each picker is, over choices ---- */

/* Which choices count. Both empty: all. */
struct scope {
    struct str set, without;
};

static struct str choice_source(const struct choice *c)
{
    return c->best->point->source;
}

static int compare_choice_numbers(double a, double b)
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
        order = compare_choice_numbers(pairs[i][0], pairs[i][1]);
    return order;
}

/* Which model is first by name and shape; 0 for the same, whatever is done with it. */
static int choice_model_cmp(const struct choice *a, const struct choice *b)
{
    return compare_model(&a->best->point->arch, &b->best->point->arch);
}

/* Those of a model stay in their order: sums of rounded numbers depend on it. */
static int by_choice_model(const void *a, const void *b)
{
    const struct choice *x = *(const struct choice *const *)a;
    const struct choice *y = *(const struct choice *const *)b;
    int order = choice_model_cmp(x, y);

    return order != 0 ? order : (x > y) - (x < y);
}

static int by_choice_source(const void *a, const void *b)
{
    return str_cmp(choice_source(*(const struct choice *const *)a),
                   choice_source(*(const struct choice *const *)b));
}

static bool choice_counts(const struct choice *c, const struct scope *scope, enum picker p)
{
    return !isnan(c->over[p]) && (scope->set.len == 0 || str_eq(c->set, scope->set)) &&
           (scope->without.len == 0 || !str_eq(choice_source(c), scope->without));
}

const char *const picker_names[] = {
    "predicted cost",
    "predicted, setting too",
    "predicted, own setting",
    "price per GPU-hour",
    "peak FLOP/s per dollar",
    "bandwidth per dollar",
    NULL,
};

/* `cases` are adjacent as their models are: a model is one, in whichever sets it is. */
static struct choice_score score(const struct choice *const *cases, size_t count,
                                 const struct scope *scope, enum picker p)
{
    struct choice_score s = {
        .set = scope->set, .picker = str_from(picker_names[p]), .without = scope->without};
    double models = 0, hits = 0; /* the sum of shares, and the hits of the model at hand */
    int64_t of_model = 0;
    const struct choice *last = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct choice *c = cases[i];
        bool near = c->over[p] <= CHOICE_NEAR;

        if (!choice_counts(c, scope, p))
            continue;
        if (last == NULL || choice_model_cmp(last, c) != 0) {
            models += of_model > 0 ? hits / (double)of_model : 0;
            hits = 0;
            of_model = 0;
            s.models++;
        }
        last = c;
        of_model++;
        s.cases++;
        hits += near;
        s.within += near;
        s.regret += c->over[p] - 1;
        s.worst = fmax(s.worst, c->over[p] - 1);
    }
    if (s.cases == 0)
        return s;
    models += hits / (double)of_model;
    s.within /= (double)s.cases;
    s.regret /= (double)s.cases;
    s.within_models = models / (double)s.models;
    return s;
}

/* The source of most cases, which it sorts; of several the first by name. */
static struct str largest_source(const struct choice **cases, size_t count)
{
    struct str largest = {0};
    size_t most = 0;

    qsort(cases, count, sizeof(const struct choice *), by_choice_source);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_choice_source(&cases[i], &cases[end]) == 0;)
            end++;
        if (end - i > most) {
            most = end - i;
            largest = choice_source(cases[i]);
        }
    }
    return largest;
}

bool choices_score(const struct choices *choices, struct rows *out, struct arena *arena,
                   struct error *err)
{
    size_t len = choices->len, n = 0;
    struct choice_score *scores =
        arena_array(arena, struct choice_score, (len + 2) * PICK_COUNT, err);
    const struct choice **cases = arena_array(arena, const struct choice *, len + 1, err);
    struct str largest;

    if (scores == NULL || cases == NULL)
        return false;
    for (size_t i = 0; i < len; i++)
        cases[i] = &choices->at[i];
    largest = largest_source(cases, len);
    qsort(cases, len, sizeof(const struct choice *), by_choice_model);
    for (size_t i = 0; i < len + 2; i++) {
        struct scope scope = {.set = i < len ? choices->at[i].set : (struct str){0},
                              .without = i == len ? largest : (struct str){0}};

        if ((i > 0 && i < len && str_eq(scope.set, choices->at[i - 1].set)) ||
            (i == len && largest.len == 0))
            continue;
        for (int p = 0; p < PICK_COUNT; p++) {
            scores[n] = score(cases, len, &scope, (enum picker)p);
            if (i >= len)
                scores[n].set = i == len ? STR(CHOICE_LESS) : STR(CHOICE_ALL);
            n += scores[n].cases > 0;
        }
    }
    *out = (struct rows){scores, n};
    return true;
}

/* All numbers of 16 bits are one width: which of them is a matter of the card. */
static enum precision measured_width(const struct measured_value *p)
{
    enum precision given = p->setup.precision;

    if (p->metric != METRIC_TRAINING) {
        enum weights w = p->serve.weights;

        return w == WEIGHTS_FP8     ? PRECISION_FP8
               : weights_are_fp4(w) ? PRECISION_FP4
               : w == WEIGHTS_FP32  ? PRECISION_FP32
                                    : PRECISION_BF16;
    }
    if (given == PRECISION_FP32 || given == PRECISION_TF32)
        return PRECISION_TF32;
    if (given == PRECISION_FP8 || given == PRECISION_MXFP8)
        return PRECISION_FP8;
    return given == PRECISION_FP4 ? PRECISION_FP4 : PRECISION_BF16;
}

static struct str set_of(const struct measured_value *p)
{
    if (p->metric == METRIC_TRAINING)
        return p->set.len > 0 ? p->set : STR("training");
    return p->arch.experts > 0 ? STR("serving moe") : STR("serving");
}

double way_cost(const struct measured_way *way)
{
    return way->price / way->measured;
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
        order = compare_choice_numbers(pairs[i][0], pairs[i][1]);
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
        order = compare_choice_numbers(pairs[i][0], pairs[i][1]);
    return order;
}

/* Is it the same work? */
static int compare_work(const struct measured_way *x, const struct measured_way *y,
                        bool any_count)
{
    const struct measured_value *a = x->point, *b = y->point;
    bool training = a->metric == METRIC_TRAINING;
    int order = compare_choice_numbers(training, b->metric == METRIC_TRAINING);

    if (order == 0)
        order = str_cmp(set_of(a), set_of(b));
    if (order == 0)
        order = compare_model(&a->arch, &b->arch);
    if (order == 0)
        order = compare_choice_numbers(measured_width(a), measured_width(b));
    if (order == 0)
        order = training ? compare_training(&a->setup, &b->setup)
                         : compare_serving(&a->serve, &b->serve);
    return order != 0 || any_count ? order
                                   : compare_choice_numbers((double)x->gpus, (double)y->gpus);
}

/* What has no price goes last; the ways of a kind are adjacent, the cheapest first. */
static int by_work(const void *a, const void *b, void *any_count)
{
    const struct measured_way *x = a, *y = b;
    int order = compare_choice_numbers(!(x->price > 0), !(y->price > 0));

    if (order == 0)
        order = compare_work(x, y, *(const bool *)any_count);
    if (order == 0)
        order = str_cmp(x->gpu->name, y->gpu->name);
    if (order == 0)
        order = compare_choice_numbers(way_cost(x), way_cost(y));
    return order != 0 ? order : str_cmp(x->point->id, y->point->id);
}

/* What the picker takes the least of. */
static double rank_of(const struct measured_way *way, enum picker picker)
{
    double each = way->price / (double)way->gpus;

    switch (picker) {
    case PICK_PREDICTED:
    case PICK_SETTING:
        return way->price / way->predicted;
    case PICK_OWN:
        return way->price / way->own;
    case PICK_PEAK:
        return each / peak_flops(way->gpu, measured_width(way->point));
    case PICK_BANDWIDTH:
        return each / way->gpu->bandwidth_gb_s;
    case PICK_PRICE:
    case PICK_COUNT:
        break;
    }
    return each;
}

/* Ways of one work, by kind and cost: the first of each kind is its best. */
static struct choice choice_of_ways(const struct measured_way *ways, size_t len)
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

bool choices_find(struct measured_way *ways, size_t count, bool any_count, struct choices *out,
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
        c = choice_of_ways(&ways[i], end - i);
        if (c.kinds >= CHOICE_KINDS)
            out->at[out->len++] = c;
        else
            out->alone += (int64_t)c.len;
    }
    return true;
}

void choice_words(const struct choice *choice, struct buf *out)
{
    const struct measured_value *p = choice->best->point;
    enum precision width = measured_width(p);

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
