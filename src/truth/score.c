/* Statistics of predictions against measurements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "series/values.h"
#include "truth/truth.h"

static bool counts(const struct held *h, const struct score_filter *f)
{
    const struct point *p = h->point;

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
        most += counts(&held[i], filter) && scored(&held[i]);
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

        if (!counts(h, filter))
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

static struct str name_of(const struct point *p, enum score_by by)
{
    return by == SCORE_SOURCE ? p->source : by == SCORE_GPU ? p->gpu : p->set;
}

static int by_name(const void *a, const void *b, void *by)
{
    const struct held *x = a, *y = b;
    const enum score_by *key = by;

    return str_cmp(name_of(x->point, *key), name_of(y->point, *key));
}

/* Of a group that stands together. Its rows are those of the file, whatever they measured. */
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
    qsort_r(sorted, count, sizeof *sorted, by_name, &by);
    for (size_t i = 0, end; i < count; i = end) {
        struct score_filter f = {.name = name_of(sorted[i].point, by), .metrics = metrics};

        for (end = i + 1; end < count && str_eq(name_of(sorted[end].point, by), f.name);)
            end++;
        if (!score_group(&sorted[i], end - i, &f, &scores[n++], arena, err))
            return false;
    }
    *out = (struct rows){scores, n};
    return true;
}

struct fit_check check_fits(const struct held *held, size_t count, const struct constants *c)
{
    struct fit_check check = {0};

    for (size_t i = 0; i < count; i++) {
        const struct point *p = held[i].point;

        if (p->reason != NULL || p->metric != METRIC_MEMORY || p->serving)
            continue;
        if (p->out_of_memory) {
            check.out_of_memory++;
            check.wrongly_fits += point_fits(p, c);
        } else {
            check.ran++;
            check.wrongly_refused += !point_fits(p, c);
        }
    }
    return check;
}
