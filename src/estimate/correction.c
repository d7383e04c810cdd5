#include "estimate/correction.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"

/* Assumed before any run, on the scale of logarithms: how far the estimator is off on a
 * GPU, and a framework on that GPU beyond it (docs/accuracy.md measures both); how far runs of
 * the same kind are apart, worth so many runs. */
#define GPU_SPREAD 0.15
#define FRAMEWORK_SPREAD 0.08
#define RUN_SPREAD 0.20
#define RUN_WORTH 4.0
#define RUN_LEAST 0.05 /* machines are never more alike */

#define HOLDS_80 1.2816 /* standard deviations either side */

static const struct field fields[] = {
    FIELD(TEXT, correction, gpu, .help = "it applies to"),
    FIELD(TEXT, correction, framework, .empty_unknown = true,
          .help = "it applies to; null: any"),
    FIELD(NUMBER, correction, factor, .help = "on the time of a step"),
    FIELD(NUMBER, correction, low, .help = "10th percentile"),
    FIELD(NUMBER, correction, high, .help = "90th percentile"),
    FIELD(COUNT, correction, runs, .help = "it was learned from"),
};

const struct field_set correction_fields = FIELD_SET(struct correction, fields);

struct seen {
    struct str gpu, framework;
    double log_ratio;
};

static int by_kind(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    int order = str_cmp(x->gpu, y->gpu);

    if (order == 0)
        order = str_cmp(x->framework, y->framework);
    return order != 0 ? order : (x->log_ratio > y->log_ratio) - (x->log_ratio < y->log_ratio);
}

/* Runs of one kind: those from `from` up to `to`. */
struct kind {
    const struct seen *at;
    size_t len;
};

static double mean_of(struct kind k)
{
    double sum = 0;

    for (size_t i = 0; i < k.len; i++)
        sum += k.at[i].log_ratio;
    return sum / (double)k.len;
}

/* How far apart runs of the same GPU and framework are. */
static double spread_of(const struct seen *seen, size_t count)
{
    double squares = RUN_WORTH * RUN_SPREAD * RUN_SPREAD, freedom = RUN_WORTH;

    for (size_t from = 0, to; from < count; from = to) {
        struct kind k = {seen + from, 0};
        double mean;

        for (to = from; to < count && str_eq(seen[to].gpu, seen[from].gpu) &&
                        str_eq(seen[to].framework, seen[from].framework);)
            to++;
        k.len = to - from;
        mean = mean_of(k);
        for (size_t i = 0; i < k.len; i++)
            squares += (k.at[i].log_ratio - mean) * (k.at[i].log_ratio - mean);
        freedom += (double)(k.len - 1);
    }
    return fmax(RUN_LEAST, sqrt(squares / freedom));
}

/* Where the truth is, seen from `centre` with `before` as its spread, after `count` runs whose
 * mean is `mean`. */
static double moved(double centre, double before, double mean, double count, double spread,
                    double *after)
{
    double weight = count / (spread * spread), prior = 1 / (before * before);

    *after = 1 / sqrt(weight + prior);
    return (mean * weight + centre * prior) / (weight + prior);
}

static struct correction make_correction(struct str gpu, struct str framework, double centre,
                                         double sd, size_t runs)
{
    return (struct correction){.gpu = gpu,
                               .framework = framework,
                               .factor = exp(centre),
                               .low = exp(centre - HOLDS_80 * sd),
                               .high = exp(centre + HOLDS_80 * sd),
                               .runs = (int64_t)runs};
}

/* The GPU's own, then those of its frameworks. */
static size_t learn_gpu(struct kind gpu, double spread, struct correction *out)
{
    double sd, centre = moved(0, GPU_SPREAD, mean_of(gpu), (double)gpu.len, spread, &sd);
    size_t made = 0;

    out[made++] = make_correction(gpu.at[0].gpu, (struct str){0}, centre, sd, gpu.len);
    for (size_t from = 0, to; from < gpu.len; from = to) {
        struct kind k = {gpu.at + from, 0};
        double own_sd, own;

        for (to = from; to < gpu.len && str_eq(gpu.at[to].framework, gpu.at[from].framework);)
            to++;
        k.len = to - from;
        if (k.len < 2 || k.at[0].framework.len == 0)
            continue;
        own = moved(centre, FRAMEWORK_SPREAD, mean_of(k), (double)k.len, spread, &own_sd);
        out[made++] = make_correction(gpu.at[0].gpu, k.at[0].framework, own, own_sd, k.len);
    }
    return made;
}

bool correction_learn(const struct correction_run *runs, size_t count, struct arena *arena,
                      const struct correction **out, size_t *out_count, size_t *left_out,
                      struct error *err)
{
    struct seen *seen = arena_array(arena, struct seen, count, err);
    struct correction *made =
        seen != NULL ? arena_array(arena, struct correction, 2 * count, err) : NULL;
    size_t len = 0;
    double spread;

    if (made == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        double ratio = runs[i].actual / runs[i].predicted;

        if (!(ratio >= 1 / CORRECTION_FAR && ratio <= CORRECTION_FAR) || runs[i].gpu.len == 0)
            continue;
        seen[len++] = (struct seen){runs[i].gpu, runs[i].framework, log(ratio)};
    }
    *left_out = count - len;
    *out = made;
    *out_count = 0;
    if (len == 0)
        return true;
    qsort(seen, len, sizeof *seen, by_kind);
    spread = spread_of(seen, len);
    for (size_t from = 0, to; from < len; from = to) {
        for (to = from; to < len && str_eq(seen[to].gpu, seen[from].gpu);)
            to++;
        *out_count +=
            learn_gpu((struct kind){seen + from, to - from}, spread, made + *out_count);
    }
    return true;
}

const struct correction *correction_find(const struct correction *at, size_t count,
                                         struct str gpu, struct str framework)
{
    const struct correction *any = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!str_eq(at[i].gpu, gpu))
            continue;
        if (at[i].framework.len == 0)
            any = &at[i];
        else if (str_eq(at[i].framework, framework))
            return &at[i];
    }
    return any;
}

bool correction_describe(const struct correction *at, size_t count, struct str gpu,
                         struct str framework, struct arena *arena, struct str *out,
                         struct error *err)
{
    const struct correction *c = correction_find(at, count, gpu, framework);
    struct buf text = buf_new(arena->alloc, 512);

    *out = (struct str){0};
    if (c == NULL)
        return true;
    buf_addf(&text,
             "steps take %.2f times as long (%.2f to %.2f), learned from %lld run%s on %.*s",
             c->factor, c->low, c->high, (long long)c->runs, c->runs == 1 ? "" : "s",
             STR_ARG(c->gpu));
    if (c->framework.len > 0)
        buf_addf(&text, " with %.*s", STR_ARG(c->framework));
    return buf_keep(&text, arena, out, err);
}
