/* Fit the constants to measured points: Levenberg-Marquardt on the logarithms of both, with
 * robust weights and with each constant held near its prior by as much as the prior is sure. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "truth/truth.h"

#define ROUNDS 14
#define MOST_POINTS 100000 /* the matrix of differences has a row for each */
#define STEP 0.01          /* of a logarithm, for the differences */
#define OUTLIER 0.12       /* errors beyond this count linearly, not squared */
#define TRUST 1.0          /* the most that one round changes a logarithm */

struct weighed {
    const struct measured_value *point;
    double weight;
};

struct fit {
    struct weighed *rows; /* those that count */
    size_t count;
    enum constant_id ids[CONSTANT_COUNT];
    double prior[CONSTANT_COUNT], spread[CONSTANT_COUNT];
    size_t free;
    struct constants constants;
    double *errors, *shifted; /* log(predicted / measured) of each point */
    double *matrix, *vector, *jacobian;
};

static void residuals(const struct fit *f, const struct constants *c, double *out)
{
    struct last_load last = {NULL, {0}};

    for (size_t i = 0; i < f->count; i++) {
        const struct measured_value *p = f->rows[i].point;
        double e = log(point_predict_next(p, &last, c).value / p->measured);

        out[i] = isfinite(e) ? fmax(-3, fmin(3, e)) : 3;
    }
}

static double loss_of(const struct fit *f, const struct constants *c, const double *errors)
{
    double sum = 0;

    for (size_t i = 0; i < f->count; i++) {
        double e = fabs(errors[i]) / OUTLIER;

        sum += f->rows[i].weight * (e < 1 ? e * e : 2 * e - 1);
    }
    for (size_t j = 0; j < f->free; j++) {
        double d = (log(c->at[f->ids[j]]) - f->prior[j]) / f->spread[j];

        sum += d * d;
    }
    return sum;
}

/* The normal equations of this round. */
static void assemble(struct fit *f)
{
    size_t n = f->free;

    memset(f->matrix, 0, n * n * sizeof *f->matrix);
    memset(f->vector, 0, n * sizeof *f->vector);
    for (size_t j = 0; j < n; j++) {
        struct constants c = f->constants;

        c.at[f->ids[j]] *= exp(STEP);
        residuals(f, &c, f->shifted);
        for (size_t i = 0; i < f->count; i++)
            f->jacobian[i * n + j] = (f->shifted[i] - f->errors[i]) / STEP;
    }
    for (size_t i = 0; i < f->count; i++) {
        double e = f->errors[i], w = f->rows[i].weight / (OUTLIER * OUTLIER);
        const double *row = f->jacobian + i * n;

        if (fabs(e) > OUTLIER)
            w *= OUTLIER / fabs(e);
        for (size_t j = 0; j < n; j++) {
            if (row[j] == 0)
                continue;
            f->vector[j] -= w * e * row[j];
            for (size_t k = 0; k <= j; k++)
                f->matrix[j * n + k] += w * row[j] * row[k];
        }
    }
    for (size_t j = 0; j < n; j++) {
        double w = 1 / (f->spread[j] * f->spread[j]);

        f->matrix[j * n + j] += w;
        f->vector[j] -= w * (log(f->constants.at[f->ids[j]]) - f->prior[j]);
    }
}

/* Solve matrix x = vector by Cholesky, with `damping` added to the diagonal; x replaces `x`. */
static bool solve_fit(const struct fit *f, double damping, double *lower, double *x)
{
    size_t n = f->free;

    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k <= j; k++) {
            double sum = f->matrix[j * n + k] * (j == k ? 1 + damping : 1);

            for (size_t m = 0; m < k; m++)
                sum -= lower[j * n + m] * lower[k * n + m];
            if (j == k && !(sum > 0))
                return false;
            lower[j * n + k] = j == k ? sqrt(sum) : sum / lower[k * n + k];
        }
    for (size_t j = 0; j < n; j++) {
        x[j] = f->vector[j];
        for (size_t k = 0; k < j; k++)
            x[j] -= lower[j * n + k] * x[k];
        x[j] /= lower[j * n + j];
    }
    for (size_t j = n; j-- > 0;) {
        for (size_t k = j + 1; k < n; k++)
            x[j] -= lower[k * n + j] * x[k];
        x[j] /= lower[j * n + j];
    }
    return true;
}

static void descend(struct fit *f, double *lower, double *x)
{
    double damping = 0.01, loss;

    residuals(f, &f->constants, f->errors);
    loss = loss_of(f, &f->constants, f->errors);
    for (int round = 0; round < ROUNDS; round++) {
        bool better = false;

        assemble(f);
        for (int attempt = 0; attempt < 6 && !better; attempt++) {
            struct constants c = f->constants;
            double next = loss;

            if (solve_fit(f, damping, lower, x)) {
                for (size_t j = 0; j < f->free; j++)
                    c.at[f->ids[j]] *= exp(fmax(-TRUST, fmin(TRUST, x[j])));
                residuals(f, &c, f->shifted);
                next = loss_of(f, &c, f->shifted);
                better = next < loss;
            }
            damping *= 5; /* a shorter step, nearer to straight down */
            if (better) {
                double gain = loss - next;

                f->constants = c;
                memcpy(f->errors, f->shifted, f->count * sizeof *f->errors);
                loss = next;
                damping = fmax(1e-6, damping / 50);
                if (gain < 1e-4 * loss)
                    return;
            }
        }
        if (!better)
            return;
    }
}

/* The constants of this kind, where they start. */
static void free_constants(struct fit *f, const struct catalog *catalog,
                           const struct fit_options *options)
{
    struct str kind = str_from(options->kind);

    for (size_t i = 0; i < catalog->tables[TABLE_CONSTANTS].len; i++) {
        const struct constant *row = CATALOG_ROW(catalog, TABLE_CONSTANTS, constant, i);
        double center = options->from_values ? row->value : row->prior;

        if (!(row->spread > 0) || !(center > 0) || !str_eq(row->fitted_on, kind))
            continue;
        for (size_t id = 0; id < CONSTANT_COUNT; id++)
            if (str_eq(row->name, str_from(constant_names[id]))) {
                f->ids[f->free] = (enum constant_id)id;
                f->prior[f->free] = log(center);
                /* What many rows taught is surer than what was known before them. */
                f->spread[f->free++] = row->spread * (options->from_values ? 0.5 : 1);
                f->constants.at[id] = center;
            }
    }
}

static int by_fit_source(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    int order = str_cmp(x->point->source, y->point->source);

    return order != 0 ? order : (x->point > y->point) - (x->point < y->point);
}

/* A source with many rows counts more than one with few, but not in proportion: its rows share
 * the same habits. */
static void weigh_points(struct fit *f)
{
    qsort(f->rows, f->count, sizeof *f->rows, by_fit_source);
    for (size_t i = 0, end; i < f->count; i = end) {
        for (end = i;
             end < f->count && str_eq(f->rows[end].point->source, f->rows[i].point->source);)
            end++;
        for (size_t k = i; k < end; k++)
            f->rows[k].weight = 1 / sqrt((double)(end - i));
    }
}

bool constants_fit(const struct catalog *catalog, const struct measured_values *points,
                   const struct fit_options *options, struct constants *constants,
                   struct arena *arena, struct error *err)
{
    struct fit f = {.constants = *constants};
    size_t count = points->len;
    double *lower, *x;

    if (count > MOST_POINTS)
        return error_fail(err, ERROR_INPUT, "%zu rows are too many to fit (%d at most)", count,
                          MOST_POINTS);
    free_constants(&f, catalog, options);
    f.rows = arena_array(arena, struct weighed, count + 1, err);
    f.errors = arena_array(arena, double, count + 1, err);
    f.shifted = arena_array(arena, double, count + 1, err);
    f.jacobian = arena_array(arena, double, (count + 1) * (f.free + 1), err);
    f.matrix = arena_array(arena, double, (f.free + 1) * (f.free + 1), err);
    f.vector = arena_array(arena, double, f.free + 1, err);
    lower = arena_array(arena, double, (f.free + 1) * (f.free + 1), err);
    x = arena_array(arena, double, f.free + 1, err);
    if (f.rows == NULL || f.errors == NULL || f.shifted == NULL || f.jacobian == NULL ||
        f.matrix == NULL || f.vector == NULL || lower == NULL || x == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (points->at[i].reason == NULL && points->at[i].measured > 0 &&
            !(options->leave_out && str_eq(points->at[i].source, options->without)))
            f.rows[f.count++].point = &points->at[i];
    weigh_points(&f);
    descend(&f, lower, x);
    *constants = f.constants;
    return true;
}
