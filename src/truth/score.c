/* Predictions of points, and statistics of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/money/energy.h"
#include "estimate/step/step.h"
#include "series/values.h"
#include "truth/rows.h"

static struct guess predict_memory(const struct measured_value *p, const struct constants *c)
{
    struct memory m;

    if (p->serving) {
        struct serving_memory held = estimate_serving_memory(&p->serve, c);

        return guess_time((p->view == VIEW_ALLOCATED  ? held.allocated
                           : p->view == VIEW_RESERVED ? held.device - held.context
                                                      : held.device) /
                              1e9,
                          serving_memory_doubt(&held, c));
    }
    m = estimate_memory(&p->setup, c);
    return guess_time((p->view == VIEW_ALLOCATED  ? m.allocated
                       : p->view == VIEW_RESERVED ? m.reserved
                                                  : m.device) /
                          1e9,
                      memory_doubt(&p->setup, c));
}

/* Tokens/s of all copies: at the highest rate that keeps the row's limits, or kept busy. */
static double predict_throughput(const struct measured_value *p,
                                 const struct serving_load *load, const struct constants *c)
{
    const struct serving *s = &p->serve;
    double each = s->output > 0 ? p->tokens_per_request : 0;

    if (p->stated.rate > 0)
        return p->copies * each *
               estimate_rate_within(s, p->stated.first_limit, p->stated.token_limit, c);
    if (load != NULL)
        return p->copies * each / s->output * load->tokens_s;
    return p->copies * p->tokens_per_request * s->batch / estimate_serving(s, c).request;
}

bool metric_is_serving(enum metric metric)
{
    return (metric >= METRIC_PREFILL && metric <= METRIC_LATENCY) ||
           (metric >= METRIC_FIRST_P50 && metric <= METRIC_TOKEN_P99);
}

static double time_of_load(enum metric metric, const struct serving_load *load)
{
    return metric == METRIC_PREFILL     ? load->first_mean
           : metric == METRIC_DECODE    ? load->token_mean
           : metric == METRIC_FIRST_P50 ? load->first_p50
           : metric == METRIC_FIRST_P99 ? load->first_p99
           : metric == METRIC_TOKEN_P50 ? load->token_p50
           : metric == METRIC_TOKEN_P99 ? load->token_p99
                                        : load->request_mean;
}

/* A time in ms. `load` is that of the row, when it has one. */
static double predict_serving(const struct measured_value *p, const struct serving_load *load,
                              const struct constants *c)
{
    struct serving_time t;

    if (load != NULL)
        return time_of_load(p->metric, load) * 1e3;
    t = estimate_serving(&p->serve, c);
    if (p->metric == METRIC_PREFILL)
        return t.first_token * 1e3;
    return (p->metric == METRIC_DECODE ? t.decode : t.request) * 1e3;
}

/* Is it measured under a load, and not of one batch? */
static bool has_load(const struct measured_value *p)
{
    return metric_is_serving(p->metric) && p->reason == NULL && p->serve.output > 0 &&
           (p->stated.rate > 0 || p->serve.rolling);
}

static struct serving_load load_of_row(const struct measured_value *p,
                                       const struct constants *c)
{
    return p->stated.rate > 0 ? estimate_load(&p->serve, p->stated.rate / p->copies, c)
                              : estimate_busy(&p->serve, c);
}

static struct guess predict_rate(const struct measured_value *p, const struct constants *c)
{
    struct step step = estimate_step(&p->setup, c);

    return guess_rate(step_rate(&step, &p->setup), step_doubt(&p->setup, &step, c));
}

static double predict_board(const struct measured_value *p, const struct constants *c)
{
    struct step step;

    if (p->serving) {
        struct serving_time t = estimate_serving(&p->serve, c);

        return serving_watts(&p->serve, &t, c);
    }
    step = estimate_step(&p->setup, c);
    return step_watts(&step, p->setup.gpu, c);
}

/* Where more comes than is thought to be possible, all that is known of a first token is that
 * it is not sooner than of a request that is alone. */
static struct guess first_guess(const struct measured_value *p, double ms, double busy,
                                const struct constants *c)
{
    struct guess g = guess_time(ms, serving_load_doubt(&p->serve, C_spread_prefill, busy, c));
    struct serving alone = p->serve;

    alone.batch = 1;
    if (isinf(ms))
        g.low = 1e3 * estimate_flow(&alone, c).prefill;
    return g;
}

static struct guess predict_point(const struct measured_value *p,
                                  const struct serving_load *load, const struct constants *c)
{
    double busy = load != NULL && p->stated.rate > 0 ? load->utilization : 0;

    switch (p->metric) {
    case METRIC_TRAINING:
        return predict_rate(p, c);
    case METRIC_MEMORY:
        return predict_memory(p, c);
    case METRIC_NODE_POWER:
        return guess_of(energy_row_node_watts(&p->energy, c), c->at[C_spread_power]);
    case METRIC_BOARD_POWER:
        return guess_of(predict_board(p, c), c->at[C_spread_board]);
    case METRIC_GPU_HOURS:
        return predict_run(&p->run, c);
    case METRIC_PREFILL:
    case METRIC_FIRST_P50:
    case METRIC_FIRST_P99:
        return first_guess(p, predict_serving(p, load, c), busy, c);
    case METRIC_DECODE:
    case METRIC_TOKEN_P50:
    case METRIC_TOKEN_P99:
        return guess_time(predict_serving(p, load, c),
                          serving_load_doubt(&p->serve, C_spread_decode, busy, c));
    case METRIC_THROUGHPUT:
        return guess_rate(predict_throughput(p, load, c),
                          serving_doubt(&p->serve, C_spread_serving, c));
    case METRIC_LATENCY:
    case METRIC_COUNT:
        break;
    }
    return guess_time(predict_serving(p, load, c),
                      serving_doubt(&p->serve, C_spread_serving, c));
}

/* Points of one row have copies of the same setting. */
static bool is_same_load(const struct measured_value *a, const struct measured_value *b)
{
    struct serving x = a->serve, y = b->serve;

    x.arch = y.arch = NULL;
    /* NOLINTBEGIN(bugprone-suspicious-memory-comparison): where padding differs, it is computed
     * once more */
    return memcmp(&x, &y, sizeof x) == 0 && memcmp(&a->arch, &b->arch, sizeof a->arch) == 0 &&
           memcmp(&a->stated.rate, &b->stated.rate, sizeof a->stated.rate) == 0 &&
           memcmp(&a->copies, &b->copies, sizeof a->copies) == 0;
    /* NOLINTEND(bugprone-suspicious-memory-comparison) */
}

struct guess point_predict_next(const struct measured_value *p, struct last_load *last,
                                const struct constants *c)
{
    if (!has_load(p))
        return predict_point(p, NULL, c);
    if (last->of == NULL || !is_same_load(last->of, p))
        last->load = load_of_row(p, c);
    last->of = p;
    return predict_point(p, &last->load, c);
}

struct guess point_predict(const struct measured_value *p, const struct constants *c)
{
    struct last_load none = {NULL, {0}};

    return point_predict_next(p, &none, c);
}

/* The chance that the setting fits the card. */
static double point_fits(const struct measured_value *p, const struct constants *c)
{
    struct memory m = estimate_memory(&p->setup, c);

    return guess_chance(m.device, memory_doubt(&p->setup, c),
                        p->card_bytes > 0 ? p->card_bytes : usable_memory(p->setup.gpu));
}

/* ---- statistics ---- */

static bool counts_for_score(const struct held *h, const struct score_filter *f)
{
    const struct measured_value *p = h->point;

    if (f->metrics != 0 && !(f->metrics & 1u << p->metric))
        return false;
    switch (f->by) {
    case SCORE_SOURCE:
        return str_eq(p->source, f->name);
    case SCORE_GPU:
        return str_eq(p->gpu, f->name);
    case SCORE_SET:
        return str_eq(p->set, f->name);
    case SCORE_ALL:
        break;
    }
    return true;
}

static bool scored(const struct held *h)
{
    return h->point->reason == NULL && h->point->measured > 0 && h->guess.value > 0;
}

bool score_points(const struct held *held, size_t count, const struct score_filter *filter,
                  struct score *out, struct arena *arena, struct error *err)
{
    size_t n = 0, inside = 0, most = 0;
    double *errors, *ratios;

    for (size_t i = 0; i < count; i++)
        most += counts_for_score(&held[i], filter) && scored(&held[i]);
    errors = arena_array(arena, double, most + 1, err);
    ratios = arena_array(arena, double, most + 1, err);
    if (errors == NULL || ratios == NULL)
        return false;
    *out = (struct score){.name = filter->name,
                          .median_ape = NAN,
                          .p90_ape = NAN,
                          .median_ratio = NAN,
                          .inside_range = NAN};
    for (size_t i = 0; i < count; i++) {
        const struct held *h = &held[i];

        if (!counts_for_score(h, filter))
            continue;
        out->rows += h->point->first || filter->metrics != 0;
        if (!scored(h))
            continue;
        ratios[n] = h->guess.value / h->point->measured;
        errors[n] = fabs(ratios[n] - 1);
        inside += h->point->measured >= h->guess.low && h->point->measured <= h->guess.high;
        n++;
    }
    out->scored = (int64_t)n;
    if (n == 0)
        return true;
    values_sort(errors, n);
    values_sort(ratios, n);
    out->median_ape = values_quantile(errors, n, 0.5);
    out->p90_ape = values_quantile(errors, n, 0.9);
    out->median_ratio = values_quantile(ratios, n, 0.5);
    out->inside_range = (double)inside / (double)n;
    return true;
}

/* A point's range: how wide, and where the measured value lies in it. */
struct placed {
    double width;    /* of the logarithm */
    double quantile; /* predicted for what was measured */
    bool inside;
};

static struct placed score_place_of(const struct held *h)
{
    const struct guess *g = &h->guess;

    return (struct placed){.width = log(g->high / g->low),
                           .quantile = guess_chance_below(*g, h->point->measured),
                           .inside =
                               h->point->measured >= g->low && h->point->measured <= g->high};
}

static int by_width(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return (x->width > y->width) - (x->width < y->width);
}

static int by_quantile(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return (x->quantile > y->quantile) - (x->quantile < y->quantile);
}

static double inside_share(const struct placed *at, size_t begin, size_t end)
{
    size_t inside = 0;

    for (size_t i = begin; i < end; i++)
        inside += at[i].inside;
    return end > begin ? (double)inside / (double)(end - begin) : NAN;
}

/* How far the quantiles, in order, are from being spread evenly. */
static double even_distance(const struct placed *at, size_t count)
{
    double most = 0, n = (double)count;

    for (size_t i = 0; i < count; i++)
        most = fmax(most,
                    fmax((double)(i + 1) / n - at[i].quantile, at[i].quantile - (double)i / n));
    return most;
}

bool score_ranges(const struct held *held, size_t count, unsigned metrics,
                  struct range_score *out, struct arena *arena, struct error *err)
{
    struct score_filter all = {.metrics = metrics};
    struct placed *at = arena_array(arena, struct placed, count + 1, err);
    size_t n = 0;

    if (at == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (counts_for_score(&held[i], &all) && scored(&held[i]))
            at[n++] = score_place_of(&held[i]);
    qsort(at, n, sizeof *at, by_width);
    *out = (struct range_score){.scored = (int64_t)n,
                                .inside = inside_share(at, 0, n),
                                .inside_narrow = inside_share(at, 0, n / 3),
                                .inside_middle = inside_share(at, n / 3, 2 * n / 3),
                                .inside_wide = inside_share(at, 2 * n / 3, n),
                                .median_width = n > 0 ? exp(at[n / 2].width) : NAN};
    qsort(at, n, sizeof *at, by_quantile);
    out->distance = n > 0 ? even_distance(at, n) : NAN;
    return true;
}

static struct str score_group_name(const struct measured_value *p, enum score_by by)
{
    return by == SCORE_SOURCE ? p->source : by == SCORE_GPU ? p->gpu : p->set;
}

static int by_score_name(const void *a, const void *b, void *by)
{
    const struct held *x = a, *y = b;
    const enum score_by *key = by;

    return str_cmp(score_group_name(x->point, *key), score_group_name(y->point, *key));
}

/* Of an adjacent group. Its rows are those of the file, whatever they measured. */
static bool score_group(const struct held *held, size_t count,
                        const struct score_filter *filter, struct score *out,
                        struct arena *arena, struct error *err)
{
    if (!score_points(held, count, filter, out, arena, err))
        return false;
    out->rows = 0;
    for (size_t i = 0; i < count; i++)
        out->rows += held[i].point->first;
    return true;
}

bool score_groups(const struct held *held, size_t count, enum score_by by, unsigned metrics,
                  struct rows *out, struct arena *arena, struct error *err)
{
    struct held *sorted = arena_array(arena, struct held, count + 1, err);
    struct score *scores = arena_array(arena, struct score, count + 1, err);
    size_t n = 0;

    if (sorted == NULL || scores == NULL)
        return false;
    if (count > 0)
        memcpy(sorted, held, count * sizeof *sorted);
    qsort_r(sorted, count, sizeof *sorted, by_score_name, &by);
    for (size_t i = 0, end; i < count; i = end) {
        struct score_filter f = {.name = score_group_name(sorted[i].point, by),
                                 .metrics = metrics};

        for (end = i + 1;
             end < count && str_eq(score_group_name(sorted[end].point, by), f.name);)
            end++;
        if (!score_group(&sorted[i], end - i, &f, &scores[n++], arena, err))
            return false;
    }
    *out = (struct rows){scores, n};
    return true;
}

#define SURE_CHANCE 0.95

struct fit_check check_fits(const struct held *held, size_t count, const struct constants *c)
{
    struct fit_check check = {0};

    for (size_t i = 0; i < count; i++) {
        const struct measured_value *p = held[i].point;
        double chance;

        if (p->reason != NULL || p->metric != METRIC_MEMORY || p->serving)
            continue;
        chance = point_fits(p, c);
        if (p->out_of_memory) {
            check.out_of_memory++;
            check.wrongly_fits += chance >= FITS_CHANCE;
        } else {
            check.ran++;
            check.wrongly_refused += chance < MAY_FIT_CHANCE;
        }
        check.sure += chance >= SURE_CHANCE;
        check.sure_failed += chance >= SURE_CHANCE && p->out_of_memory;
        check.sure_not += chance < 1 - SURE_CHANCE;
        check.sure_not_failed += chance < 1 - SURE_CHANCE && !p->out_of_memory;
    }
    return check;
}
