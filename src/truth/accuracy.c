#include "truth/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "doc/node.h"
#include "series/values.h"

struct outcome_features {
    struct str gpu, framework;
    double correction, setup_s;
};

bool outcome_features(struct str features, span actual, struct arena *arena,
                      struct correction_run *out, span *predicted)
{
    static const struct field fields[] = {
        FIELD(TEXT, outcome_features, gpu, .help = ""),
        FIELD(TEXT, outcome_features, framework, .help = ""),
        FIELD(NUMBER, outcome_features, correction, .help = ""),
        FIELD(NUMBER, outcome_features, setup_s, .help = ""),
    };
    struct error ignored = {0};
    const struct node *root = json_read(features, "features", arena, &ignored);
    struct outcome_features f = {.correction = NAN, .setup_s = NAN};

    for (size_t i = 0; root != NULL && i < ARRAY_LEN(fields); i++) {
        const struct node *value = node_get(root, str_from(fields[i].name));

        if (value == NULL || value->kind == NODE_NULL)
            continue;
        if (!field_parse(&fields[i], FIELD_PLAIN, value->text, &f, arena, &ignored))
            return false;
    }
    out->gpu = f.gpu;
    out->framework = f.framework;
    if (f.setup_s > 0 && f.setup_s * 1e9 < (double)predicted->ns)
        predicted->ns -= (int64_t)(f.setup_s * 1e9);
    out->predicted = (double)predicted->ns / 1e9 / (f.correction > 0 ? f.correction : 1);
    out->actual = (double)actual.ns / 1e9;
    return f.gpu.len > 0 && out->predicted > 0 && out->actual > 0;
}

static const struct field row_fields[] = {
    FIELD(TEXT, accuracy_row, of, .help = "month, GPU or framework"),
    FIELD(COUNT, accuracy_row, runs, .help = "predicted runs that ended well"),
    FIELD(NUMBER, accuracy_row, bias, .help = "median of actual over predicted time, less 1"),
    FIELD(NUMBER, accuracy_row, error, .help = "mean size of that error"),
    FIELD(NUMBER, accuracy_row, worst, .help = "the largest"),
    FIELD(NUMBER, accuracy_row, cost_bias, .help = "the same for cost"),
    FIELD(NUMBER, accuracy_row, cost_error, .help = "the same for cost"),
};

static const struct field_set row_set = FIELD_SET(struct accuracy_row, row_fields);

static const struct field run_fields[] = {
    FIELD(TEXT, accuracy_run, id, .help = "of the run"),
    FIELD(TEXT, accuracy_run, name, .help = "of the run"),
    FIELD(TIME, accuracy_run, started, .help = "in UTC"),
    FIELD(TEXT, accuracy_run, gpu, .help = "of the plan"),
    FIELD(TEXT, accuracy_run, framework, .empty_unknown = true, .help = "of the plan"),
    FIELD(SPAN, accuracy_run, predicted, .help = "seconds"),
    FIELD(SPAN, accuracy_run, actual, .help = "seconds"),
    FIELD(NUMBER, accuracy_run, error, .help = "actual over predicted, less 1"),
    FIELD(USD, accuracy_run, predicted_cost, .help = "of the plan"),
    FIELD(USD, accuracy_run, actual_cost, .help = "as metered"),
    FIELD(NUMBER, accuracy_run, cost_error, .help = "the same for cost"),
};

static const struct field_set run_set = FIELD_SET(struct accuracy_run, run_fields);

static const struct field result_fields[] = {
    FIELD(LIST, accuracy_result, rows, .row = &row_set, .help = "in their order"),
    FIELD(LIST, accuracy_result, runs, .row = &run_set, .help = "the newest first"),
    FIELD(COUNT, accuracy_result, count, .help = "of runs"),
    FIELD(RECORD, accuracy_result, all, .row = &row_set, .help = "all runs together"),
};

const struct field_set accuracy_result_fields =
    FIELD_SET(struct accuracy_result, result_fields);

static double median_of(double *values, size_t count)
{
    values_sort(values, count);
    return count > 0 ? values_quantile(values, count, 0.5) : NAN;
}

/* Runs of one kind; `room` holds a number for each. */
static struct accuracy_row accuracy_of(struct str of, const struct accuracy_run *const *runs,
                                       size_t count, double *room)
{
    double start = count > 0 ? 0 : NAN;
    struct accuracy_row row = {
        .of = of, .runs = (int64_t)count, .error = start, .worst = start};
    double cost_error = 0;
    size_t costs = 0;

    for (size_t i = 0; i < count; i++) {
        room[i] = runs[i]->error;
        row.error += fabs(room[i]) / (double)count;
        if (fabs(room[i]) > fabs(row.worst))
            row.worst = room[i];
    }
    row.bias = median_of(room, count);
    for (size_t i = 0; i < count; i++)
        if (!isnan(runs[i]->cost_error)) {
            room[costs++] = runs[i]->cost_error;
            cost_error += fabs(runs[i]->cost_error);
        }
    row.cost_bias = median_of(room, costs);
    row.cost_error = costs > 0 ? cost_error / (double)costs : NAN;
    return row;
}

/* What the run is counted under: a month is "2026-11". */
static bool accuracy_key(const struct accuracy_run *run, struct str by, struct arena *arena,
                         struct str *out, struct error *err)
{
    int year, month, date;
    char text[32];

    if (str_eq(by, STR("gpu"))) {
        *out = run->gpu;
        return true;
    }
    if (str_eq(by, STR("framework"))) {
        *out = run->framework.len > 0 ? run->framework : STR("(none)");
        return true;
    }
    day_split(day_of(run->started), &year, &month, &date);
    (void)snprintf(text, sizeof text, "%04d-%02d", year, month);
    return str_keep(str_from(text), arena, out, err);
}

static int by_key(const void *a, const void *b)
{
    const struct accuracy_row *x = a, *y = b;

    return str_cmp(x->of, y->of);
}

bool accuracy_group(const struct accuracy_run *runs, size_t count, struct str by,
                    struct arena *arena, struct accuracy_result *res, struct error *err)
{
    struct accuracy_row *rows = arena_array(arena, struct accuracy_row, count, err);
    const struct accuracy_run **of =
        arena_array(arena, const struct accuracy_run *, count, err);
    double *room = arena_array(arena, double, count, err);
    struct str *keys = arena_array(arena, struct str, count, err);
    size_t made = 0;

    if (rows == NULL || of == NULL || room == NULL || keys == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!accuracy_key(&runs[i], by, arena, &keys[i], err))
            return false;
    for (size_t i = 0; i < count; i++) {
        size_t found = 0, known = 0;

        while (known < made && !str_eq(rows[known].of, keys[i]))
            known++;
        if (known < made)
            continue;
        for (size_t j = i; j < count; j++)
            if (str_eq(keys[j], keys[i]))
                of[found++] = &runs[j];
        rows[made++] = accuracy_of(keys[i], of, found, room);
    }
    qsort(rows, made, sizeof *rows, by_key);
    res->rows = (struct rows){rows, made};
    for (size_t i = 0; i < count; i++)
        of[i] = &runs[i];
    res->runs = (struct rows){runs, count};
    res->count = (int64_t)count;
    res->all = accuracy_of(STR("all"), of, count, room);
    return true;
}
