#include "advise/rules/compression.h"

#include <math.h>
#include <stdlib.h>

#include "estimate/memory/memory.h"
#include "plan/ways.h"

#define MONTH_DAYS 30
#define SECONDS_PER_HOUR 3600.0
#define TENTH 1.2816           /* deviations from the middle to the 10th percentile */
#define SPARSE_BYTES (9 / 8.0) /* of a weight that is kept, with 2 bits for its place */

static const struct field row_fields[] = {
    FIELD(TEXT, compression_row, method, .help = "method in compression.csv"),
    FIELD(TEXT, compression_row, weights, .help = "storage format of the weights"),
    FIELD(NUMBER, compression_row, size_gb, .help = "size of the weights, GB"),
    FIELD(NUMBER, compression_row, memory_gb, .help = "memory of the fullest GPU, GB"),
    FIELD(TEXT, compression_row, offer, .help = "cheapest offer that serves it"),
    FIELD(TEXT, compression_row, accelerator, .help = "accelerator of the offer"),
    FIELD(COUNT, compression_row, gpus, .help = "GPUs needed"),
    FIELD(COUNT, compression_row, machines, .help = "machines needed"),
    FIELD(COUNT, compression_row, copies, .help = "copies of the model"),
    FIELD(NUMBER, compression_row, speed,
          .help = "speedup over the original model, on its machines and at its batch"),
    FIELD(NUMBER, compression_row, p95_s, .help = "95th percentile of the latency, s"),
    FIELD(USD, compression_row, cost, .help = "monthly cost, or per `unit`"),
    FIELD(USD, compression_row, cost_low, .help = "10th percentile of the cost"),
    FIELD(USD, compression_row, cost_high, .help = "90th percentile of the cost"),
    FIELD_AS("savings", NUMBER, compression_row, saving,
             .help = "savings as a share of the present cost"),
    FIELD(NUMBER, compression_row, loss_low,
          .help = "low end of the published loss, a share of the metric"),
    FIELD(NUMBER, compression_row, loss_high,
          .help = "high end of the published loss, a share of the metric"),
    FIELD(FLAG, compression_row, trained, .help = "retraining needed"),
    FIELD(FLAG, compression_row, other_framework, .help = "other engine needed to serve it"),
    FIELD(TEXT, compression_row, metric, .help = "metric of the loss"),
    FIELD(TEXT, compression_row, needs, .help = "requirements to make it"),
    FIELD(TEXT, compression_row, source, .help = "source of the loss"),
    FIELD(TEXT, compression_row, notes, .help = "notes"),
    FIELD(TEXT, compression_row, reason, .help = "reason why it has no cost"),
};
const struct field_set compression_fields = FIELD_SET(struct compression_row, row_fields);

/* ---- the model with a method ---- */

static const char *model_kind(const struct arch *arch)
{
    if (arch->kind == ARCH_ENCODER || arch->kind == ARCH_VIT)
        return "encoder";
    return arch_is_other(arch) ? "image" : "decoder";
}

static enum weights stored_as(const struct job *job)
{
    enum weights weights = WEIGHTS_FP16;

    if (job->infer.weights.len > 0)
        (void)weights_of(job->infer.weights, &weights);
    return weights;
}

static int64_t share_of_layers(int64_t layers, double kept)
{
    int64_t left = (int64_t)ceil((double)layers * kept);

    return layers < 1 ? layers : left < 1 ? 1 : left;
}

/* The job with the method applied. False: it would not be smaller. */
static bool apply_compression(const struct job *job, const struct model_compression *m,
                              struct job *out)
{
    enum weights weights = stored_as(job);
    bool smaller = m->layers_kept < 1 || m->weights_kept < 1;

    *out = *job;
    if (m->weights.len > 0) {
        if (!weights_of(m->weights, &weights))
            return false;
        smaller = smaller || weights_bytes(weights) < weights_bytes(stored_as(job));
        out->infer.weights = m->weights;
    }
    if (m->framework.len > 0)
        out->infer.framework = m->framework;
    out->arch.layers = share_of_layers(job->arch.layers, m->layers_kept);
    out->arch.decoder_layers = share_of_layers(job->arch.decoder_layers, m->layers_kept);
    out->arch.full_layers = share_of_layers(job->arch.full_layers, m->layers_kept);
    out->arch.dense_layers = share_of_layers(job->arch.dense_layers, m->layers_kept);
    out->arch.mixer_layers = share_of_layers(job->arch.mixer_layers, m->layers_kept);
    return smaller;
}

/* ---- what it costs ---- */

const char *compression_unit(const struct job *job)
{
    return job->infer.rate > 0        ? "month"
           : model_writes(&job->arch) ? "million tokens"
                                      : "1,000 requests";
}

/* Dollars of the unit. */
static double cost_of_way(const struct job *job, const struct estimate_place *place,
                          const struct way *way)
{
    double price = usd_double((usd){place->price.nano});
    double hours = job->infer.hours_per_day > 0 ? job->infer.hours_per_day : 24;

    if (job->infer.rate > 0)
        return (double)way->machines * price * hours * MONTH_DAYS;
    return (double)way->machines * price / (way->rate * SECONDS_PER_HOUR) *
           (model_writes(&job->arch) ? 1e6 : 1e3);
}

struct served_at {
    const struct estimate_place *place; /* NULL: nowhere */
    struct way way;
    double cost;
};

/* The cheapest of the places and of the ways to spread the model there. */
static void serve_cheapest(const struct compression_input *in, const struct job *job,
                           struct ways_scratch *scratch, struct served_at *out)
{
    out->place = NULL;
    for (size_t i = 0; i < in->place_count; i++) {
        const struct estimate_place *p = &in->places[i];
        struct hardware_key key = {.gpu = p->hardware.gpu,
                                   .count = p->hardware.per_node,
                                   .machines = 1,
                                   .gpus = p->hardware.per_node,
                                   .join = p->join};
        struct ways_counts counts = {0};

        if (p->price.nano == MONEY_UNKNOWN ||
            (stored_as(job) == WEIGHTS_FP8 && !(key.gpu->fp8_tflops > 0)))
            continue;
        scratch->served_by = NULL; /* of another job */
        ways_serve(job, in->constants, key, scratch, &scratch->ways, &counts);
        for (size_t w = 0; w < scratch->ways.len; w++) {
            double cost = cost_of_way(job, p, &scratch->ways.at[w]);

            if (cost > 0 && (out->place == NULL || cost < out->cost))
                *out = (struct served_at){p, scratch->ways.at[w], cost};
        }
    }
}

/* GPU-seconds of a request, when `batch` of them are answered together. */
static double gpu_seconds(const struct way *way, double batch, const struct constants *c)
{
    struct serving s = way->serving;

    s.batch = batch;
    return estimate_flow(&s, c).request / batch * (double)s.gpus;
}

/* On one of the places alone. */
static void serve_there(const struct compression_input *in, const struct job *job,
                        const struct estimate_place *place, struct ways_scratch *scratch,
                        struct served_at *out)
{
    struct compression_input one = *in;

    one.places = place;
    one.place_count = 1;
    serve_cheapest(&one, job, scratch, out);
}

/* The cost where machines do `times` what is estimated: where the rate is given, it may take
 * fewer or more of them. */
static double cost_if(const struct compression_input *in, const struct job *job,
                      const struct served_at *at, double times, struct ways_scratch *scratch)
{
    struct job asked = *job;
    struct served_at there;

    if (!(job->infer.rate > 0))
        return at->cost / times;
    asked.infer.rate /= times;
    serve_there(in, &asked, at->place, scratch, &there);
    return there.place != NULL ? there.cost : at->cost;
}

/* How far the cost of a method may be off when that of the model as it is is right, and its
 * price as far as prices are. */
static void add_compression_range(const struct compression_input *in, const struct job *job,
                                  const struct served_at *at, struct ways_scratch *scratch,
                                  struct compression_row *row)
{
    const struct constants *c = in->constants;
    double spread = hypot(c->at[C_spread_serving], c->at[C_spread_serving_narrow]);
    double times = exp(TENTH * spread), width = fmax(0, at->place->price_width);
    double low = fmin(at->cost, cost_if(in, job, at, times, scratch));
    double high = fmax(at->cost, cost_if(in, job, at, 1 / times, scratch));

    row->cost_low = usd_from(at->cost * exp(-hypot(log(at->cost / low), width)));
    row->cost_high = usd_from(at->cost * exp(hypot(log(high / at->cost), width)));
}

static void fill_served(const struct compression_input *in, const struct job *job,
                        const struct served_at *at, struct ways_scratch *scratch,
                        struct compression_row *row)
{
    row->offer = at->place->offer;
    row->accelerator = at->place->hardware.gpu->name;
    row->gpus = at->way.gpus;
    row->machines = at->way.machines;
    row->copies = at->way.copies;
    row->memory_gb = at->way.need * usable_memory(at->place->hardware.gpu) / 1e9;
    row->p95_s = at->way.latency_s;
    row->cost = usd_from(at->cost);
    add_compression_range(in, job, at, scratch, row);
}

static struct compression_row empty_row(const struct job *job, double weights_kept)
{
    enum weights weights = stored_as(job);
    double each = weights_bytes(weights) * (weights_kept < 1 ? weights_kept * SPARSE_BYTES : 1);

    return (struct compression_row){.weights = str_from(weights_names[weights]),
                                    .size_gb = arch_count(&job->arch).total * each / 1e9,
                                    .memory_gb = NAN,
                                    .gpus = -1,
                                    .machines = -1,
                                    .copies = -1,
                                    .speed = NAN,
                                    .p95_s = NAN,
                                    .cost = USD_UNKNOWN,
                                    .cost_low = USD_UNKNOWN,
                                    .cost_high = USD_UNKNOWN,
                                    .saving = NAN,
                                    .loss_low = NAN,
                                    .loss_high = NAN};
}

/* ---- all methods ---- */

struct comparing {
    const struct compression_input *in;
    struct ways_scratch *scratch;
    struct served_at base;
};

static bool add_compression_row(struct comparing *c, const struct model_compression *m,
                                struct compression_row *row)
{
    struct served_at at;
    struct job job;

    if (!str_eq(m->models, str_from(model_kind(&c->in->job->arch))) ||
        !apply_compression(c->in->job, m, &job))
        return false;
    *row = empty_row(&job, m->weights_kept);
    row->method = m->method;
    row->loss_low = m->loss_low;
    row->loss_high = m->loss_high;
    row->trained = m->trained;
    row->other_framework = m->framework.len > 0;
    row->metric = m->metric;
    row->needs = m->needs;
    row->source = m->fact.source;
    row->notes = m->fact.notes;
    if (m->weights_kept < 1) {
        row->reason = STR("the speed of sparse products is not estimated");
        return true;
    }
    if (arch_is_other(&job.arch)) {
        row->reason = STR("8-bit convolutions are not estimated");
        return true;
    }
    serve_cheapest(c->in, &job, c->scratch, &at);
    if (at.place == NULL) {
        row->reason = stored_as(&job) == WEIGHTS_FP8 ? STR("none of these GPUs has fp8")
                                                     : STR("none of these machines serves it");
        return true;
    }
    fill_served(c->in, &job, &at, c->scratch, row);
    if (c->base.place != NULL) {
        row->saving = 1 - at.cost / c->base.cost;
        serve_there(c->in, &job, c->base.place, c->scratch, &at);
        if (at.place != NULL)
            row->speed =
                gpu_seconds(&c->base.way, c->base.way.serving.batch, c->in->constants) /
                gpu_seconds(&at.way, c->base.way.serving.batch, c->in->constants);
    }
    return true;
}

static int by_compression_cost(const void *a, const void *b)
{
    const struct compression_row *x = a, *y = b;
    double first = usd_double(x->cost), second = usd_double(y->cost);

    if (isnan(first) || isnan(second))
        return isnan(first) - isnan(second);
    if (first != second)
        return first < second ? -1 : 1;
    return str_cmp(x->method, y->method);
}

bool compression_compare(const struct compression_input *in, struct arena *arena,
                         struct rows *out, struct error *err)
{
    const struct rows *table = &in->catalog->tables[TABLE_COMPRESSION];
    struct compression_row *rows =
        arena_array(arena, struct compression_row, table->len + 1, err);
    struct comparing c = {.in = in};
    size_t n = 1;

    c.scratch = rows != NULL ? arena_array(arena, struct ways_scratch, 1, err) : NULL;
    if (c.scratch == NULL)
        return false;
    rows[0] = empty_row(in->job, 1);
    rows[0].method = STR("as it is");
    serve_cheapest(in, in->job, c.scratch, &c.base);
    if (c.base.place != NULL) {
        fill_served(in, in->job, &c.base, c.scratch, &rows[0]);
        rows[0].speed = 1;
    } else {
        rows[0].reason = STR("none of these machines serves it");
    }
    for (size_t i = 0; i < table->len; i++)
        if (add_compression_row(
                &c, CATALOG_ROW(in->catalog, TABLE_COMPRESSION, model_compression, i),
                &rows[n]))
            n++;
    qsort(rows + 1, n - 1, sizeof *rows, by_compression_cost);
    *out = (struct rows){rows, n};
    return true;
}
