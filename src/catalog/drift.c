#include "catalog/drift.h"

#include <math.h>
#include <string.h>

/* The curve of a row; made when there is none. NULL when there is no room. */
static struct drift_curve *drift_curve_of(struct drift *drift, const struct price_drift *row)
{
    bool spot = str_eq(row->market, STR("spot"));
    struct drift_curve *curve;

    for (size_t i = 0; i < drift->len; i++) {
        curve = &drift->at[i];
        if (curve->spot == spot && str_eq(curve->providers, row->providers) &&
            str_eq(curve->gpus, row->gpus))
            return curve;
    }
    if (drift->len == DRIFT_CURVES)
        return NULL;
    curve = &drift->at[drift->len++];
    *curve = (struct drift_curve){.providers = row->providers, .gpus = row->gpus, .spot = spot};
    return curve;
}

static void add_age(struct drift_curve *curve, const struct price_drift *row)
{
    double age = (double)row->age_days;
    size_t at = 0;

    if (curve->len == DRIFT_AGES || !(age > 0) || !(row->width >= 0))
        return;
    while (at < curve->len && curve->ages[at] < age)
        at++;
    memmove(&curve->ages[at + 1], &curve->ages[at], (curve->len - at) * sizeof curve->ages[0]);
    memmove(&curve->widths[at + 1], &curve->widths[at],
            (curve->len - at) * sizeof curve->widths[0]);
    memmove(&curve->unchanged[at + 1], &curve->unchanged[at],
            (curve->len - at) * sizeof curve->unchanged[0]);
    curve->ages[at] = age;
    curve->widths[at] = row->width;
    curve->unchanged[at] = row->unchanged;
    curve->len++;
}

void drift_read(const struct catalog *catalog, struct drift *out)
{
    out->len = 0;
    for (size_t i = 0; i < catalog->tables[TABLE_PRICE_DRIFT].len; i++) {
        const struct price_drift *row = CATALOG_ROW(catalog, TABLE_PRICE_DRIFT, price_drift, i);
        struct drift_curve *curve = drift_curve_of(out, row);

        if (curve == NULL)
            return;
        add_age(curve, row);
        if (row->fact.layer > curve->layer)
            curve->layer = row->fact.layer;
    }
}

static bool matches_one(struct str patterns, struct str text)
{
    while (patterns.len > 0)
        if (str_glob(text, str_cut(&patterns, ' ')))
            return true;
    return false;
}

/* The more, the more it is about just these prices. */
static unsigned weight_of(const struct drift_curve *curve)
{
    return 4 * curve->layer + (str_eq(curve->providers, STR("*")) ? 0 : 2) +
           (str_eq(curve->gpus, STR("*")) ? 0 : 1);
}

const struct drift_curve *drift_find(const struct drift *drift, struct str provider,
                                     struct str gpu, bool spot)
{
    const struct drift_curve *best = NULL;

    for (size_t i = 0; i < drift->len; i++) {
        const struct drift_curve *curve = &drift->at[i];

        if (curve->spot == spot && (best == NULL || weight_of(curve) > weight_of(best)) &&
            matches_one(curve->providers, provider) && matches_one(curve->gpus, gpu))
            best = curve;
    }
    return best;
}

/* Linear in the square root of the age between two rows, from `value` at age 0. False behind
 * the last row, with its value. */
static bool drift_value_at(const struct drift_curve *curve, const double *values, double age,
                           double *value)
{
    double before = 0;

    for (size_t i = 0; i < curve->len; i++) {
        double at = curve->ages[i];

        if (age <= at) {
            *value +=
                (values[i] - *value) * (sqrt(age) - sqrt(before)) / (sqrt(at) - sqrt(before));
            return true;
        }
        before = at;
        *value = values[i];
    }
    return false;
}

double drift_width(const struct drift_curve *curve, int64_t age_days)
{
    double age = (double)age_days, width = 0;

    if (curve == NULL || curve->len == 0 || !(age > 0))
        return 0;
    if (drift_value_at(curve, curve->widths, age, &width))
        return width;
    return width * sqrt(age / curve->ages[curve->len - 1]);
}

double drift_unchanged(const struct drift_curve *curve, int64_t age_days)
{
    double share = 1;

    if (curve == NULL || curve->len == 0)
        return NAN;
    if (age_days > 0)
        (void)drift_value_at(curve, curve->unchanged, (double)age_days, &share);
    return share;
}
