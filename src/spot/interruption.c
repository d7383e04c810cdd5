#include "spot/interruption.h"

#include <math.h>

#define FEWEST_PRICED 3  /* rows with a price to draw a line through */
#define LEAST_SPREAD 0.7 /* of ln H: no few rows make us surer than a factor of two */
#define PAST 0.15        /* how far past the shares watched the line is trusted */

/* Sums of a straight line y = a + b x. */
struct line {
    double n, x, y, xx, xy, yy;
};

static void line_add(struct line *l, double x, double y)
{
    l->n++;
    l->x += x;
    l->y += y;
    l->xx += x * x;
    l->xy += x * y;
    l->yy += y * y;
}

static double slope_of(const struct line *l)
{
    double spread = l->n * l->xx - l->x * l->x;

    return spread > 0 ? (l->n * l->xy - l->x * l->y) / spread : 0;
}

/* Of y about its mean. */
static double deviation(const struct line *l)
{
    double variance = l->n > 1 ? (l->yy - l->y * l->y / l->n) / (l->n - 1) : 0;

    return variance > 0 ? sqrt(variance) : 0;
}

/* -ln(1 - lost): the hazard so far; NaN when all or none were lost, which gives no rate. */
static double hazard(double lost)
{
    return lost > 0 && lost < 1 ? -log1p(-lost) : NAN;
}

/* How the hazard grows with time in one row: the slope of its logarithm. */
static void add_growth(struct line *growth, const struct interruption *row)
{
    const double hours[] = {0.5, 1, 2, 4, 8, 24};
    const double lost[] = {row->lost_30min, row->lost_1h, row->lost_2h,
                           row->lost_4h,    row->lost_8h, row->lost_24h};
    struct line l = {0};

    for (size_t i = 0; i < ARRAY_LEN(hours); i++)
        if (!isnan(hazard(lost[i])))
            line_add(&l, log(hours[i]), log(hazard(lost[i])));
    if (l.n >= 2)
        line_add(growth, 0, slope_of(&l));
}

struct sums {
    struct line levels, priced, growth;
    double least, most;
};

static void sum_rows(const struct catalog *catalog, struct str provider, struct sums *out)
{
    *out = (struct sums){.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < catalog->tables[TABLE_INTERRUPTIONS].len; i++) {
        const struct interruption *row =
            CATALOG_ROW(catalog, TABLE_INTERRUPTIONS, interruption, i);
        double level = log(hazard(row->lost_1h));

        if (isnan(level) || (provider.len > 0 && !str_eq(row->provider, provider)))
            continue;
        line_add(&out->levels, 0, level);
        add_growth(&out->growth, row);
        if (isnan(row->spot_share))
            continue;
        line_add(&out->priced, row->spot_share, level);
        out->least = fmin(out->least, row->spot_share);
        out->most = fmax(out->most, row->spot_share);
    }
}

struct interruption_model interruption_model(const struct catalog *catalog, struct str provider)
{
    struct interruption_model m = {.basis = BASIS_PROVIDER};
    struct sums s;

    sum_rows(catalog, provider, &s);
    if (s.levels.n < 1) {
        m.basis = BASIS_ALL;
        sum_rows(catalog, (struct str){0}, &s);
    }
    if (s.levels.n < 1 || s.growth.n < 1)
        return (struct interruption_model){.basis = BASIS_NONE};
    m.shape = s.growth.y / s.growth.n;
    m.level = m.mean = s.levels.y / s.levels.n;
    m.spread = m.around = fmax(deviation(&s.levels), LEAST_SPREAD);
    m.rows = (size_t)s.levels.n;
    /* A line that falls says that scarce machines last: chance, not knowledge. */
    if (m.basis == BASIS_PROVIDER && s.priced.n >= FEWEST_PRICED && slope_of(&s.priced) > 0) {
        m.basis = BASIS_PRICE;
        m.slope = slope_of(&s.priced);
        m.level = (s.priced.y - m.slope * s.priced.x) / s.priced.n;
        m.least = s.least - PAST;
        m.most = s.most + PAST;
        m.spread = LEAST_SPREAD;
    }
    return m;
}

double interruption_hazard(const struct interruption_model *model, double share, double hours,
                           double sigma)
{
    double level = model->level, spread = model->spread;

    if (model->basis == BASIS_NONE)
        return NAN;
    if (model->basis == BASIS_PRICE && isnan(share)) {
        level = model->mean;
        spread = model->around;
    } else if (model->basis == BASIS_PRICE) {
        level += model->slope * fmin(fmax(share, model->least), model->most);
    }
    return exp(level + sigma * spread) * pow(hours, model->shape);
}

double interruption_up(const struct catalog *catalog, struct str provider)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_INTERRUPTIONS].len; i++) {
        const struct interruption *row =
            CATALOG_ROW(catalog, TABLE_INTERRUPTIONS, interruption, i);

        if (!str_eq(row->provider, provider) || isnan(row->availability))
            continue;
        sum += row->availability;
        count++;
    }
    return count > 0 ? sum / count : NAN;
}
