#include "truth/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "doc/node.h"
#include "series/values.h"

/* What was recorded of the prediction, as its JSON has it. */
struct outcome_features {
    struct str gpu, framework, model, setting;
    double accumulation, step_s, memory_gb, board_w;
    double correction, memory_correction, power_correction;
};

static bool read_features(struct str json, struct arena *arena, struct outcome_features *out)
{
    static const struct field fields[] = {
        FIELD(TEXT, outcome_features, gpu, .help = ""),
        FIELD(TEXT, outcome_features, framework, .help = ""),
        FIELD(TEXT, outcome_features, model, .help = ""),
        FIELD(TEXT, outcome_features, setting, .help = ""),
        FIELD(NUMBER, outcome_features, accumulation, .help = ""),
        FIELD(NUMBER, outcome_features, step_s, .help = ""),
        FIELD(NUMBER, outcome_features, memory_gb, .help = ""),
        FIELD(NUMBER, outcome_features, board_w, .help = ""),
        FIELD(NUMBER, outcome_features, correction, .help = ""),
        FIELD(NUMBER, outcome_features, memory_correction, .help = ""),
        FIELD(NUMBER, outcome_features, power_correction, .help = ""),
    };
    struct error ignored = {0};
    const struct node *root = json_read(json, "features", arena, &ignored);

    *out = (struct outcome_features){.step_s = NAN, .memory_gb = NAN, .board_w = NAN};
    for (size_t i = 0; root != NULL && i < ARRAY_LEN(fields); i++) {
        const struct node *value = node_get(root, str_from(fields[i].name));

        if (value == NULL || value->kind == NODE_NULL)
            continue;
        if (!field_parse(&fields[i], FIELD_PLAIN, value->text, out, arena, &ignored))
            return false;
    }
    return out->gpu.len > 0;
}

/* Some programs count micro-batches as steps: their step is one of `accumulation` parts of the
 * one that was predicted. No estimate is so far off that the two could be confused. */
static double complete_step(double measured, const struct outcome_features *f)
{
    double ratio = measured / f->step_s;

    return f->accumulation > 1 && fabs(log(ratio * f->accumulation)) < fabs(log(ratio)) / 2
               ? measured * f->accumulation
               : measured;
}

bool outcome_read(struct str features, const struct outcome_measured *measured,
                  struct arena *arena, struct outcome *out)
{
    struct outcome_features f;

    if (!read_features(features, arena, &f))
        return false;
    *out = (struct outcome){
        .run = {.key = {f.gpu, f.framework, f.model, f.setting},
                .predicted = {f.step_s, f.memory_gb, f.board_w},
                .measured = {complete_step(measured->step_s, &f), measured->memory / 1e9,
                             measured->watts},
                .startup_s = measured->startup_s},
        .corrections = {f.correction, f.memory_correction, f.power_correction}};
    out->has_step =
        out->run.predicted[CORRECTION_STEP] > 0 && out->run.measured[CORRECTION_STEP] > 0;
    return true;
}

/* Drivers call some cards by the name of their family ("NVIDIA H200"). */
bool outcome_has_planned_gpu(const struct outcome *outcome, struct str metered,
                             const struct catalog *catalog)
{
    enum name_match match;
    const struct accelerator *plan = accelerator_search(catalog, outcome->run.key.gpu, &match);
    const struct accelerator *ran =
        metered.len > 0 ? accelerator_search(catalog, metered, &match) : NULL;

    return plan == NULL || ran == NULL || plan == ran ||
           (match == NAME_FAMILY && str_eq(plan->family, ran->family));
}

struct correction_run outcome_uncorrected(const struct outcome *o)
{
    struct correction_run run = o->run;

    for (int i = 0; i < CORRECTION_FACTORS; i++)
        if (o->corrections[i] > 0)
            run.predicted[i] /= o->corrections[i];
    return run;
}

static const struct field row_fields[] = {
    FIELD(TEXT, accuracy_row, of, .help = "group: month, GPU or framework"),
    FIELD(COUNT, accuracy_row, runs, .help = "predicted runs that completed"),
    FIELD(NUMBER, accuracy_row, bias,
          .help = "median of measured over predicted step time, less 1"),
    FIELD(NUMBER, accuracy_row, error, .help = "mean absolute error of the step time"),
    FIELD(NUMBER, accuracy_row, worst, .help = "largest error of the step time"),
    FIELD(NUMBER, accuracy_row, memory_bias,
          .help = "median of measured over predicted peak GPU memory, less 1"),
    FIELD(NUMBER, accuracy_row, memory_error,
          .help = "mean absolute error of the peak GPU memory"),
    FIELD(NUMBER, accuracy_row, cost_bias,
          .help = "median of measured over predicted cost, less 1"),
    FIELD(NUMBER, accuracy_row, cost_error, .help = "mean absolute error of the cost"),
};

static const struct field_set row_set = FIELD_SET(struct accuracy_row, row_fields);

static const struct field run_fields[] = {
    FIELD(TEXT, accuracy_run, id, .help = "run ID"),
    FIELD(TEXT, accuracy_run, name, .help = "run name"),
    FIELD(TIME, accuracy_run, started, .help = "start in UTC"),
    FIELD_AS("gpu", TEXT, accuracy_run, run.key.gpu, .help = "GPU of the estimate"),
    FIELD_AS("framework", TEXT, accuracy_run, run.key.framework, .empty_unknown = true,
             .help = "framework of the estimate"),
    FIELD_AS("model", TEXT, accuracy_run, run.key.model, .empty_unknown = true,
             .help = "model of the estimate"),
    FIELD_AS("predicted_step_s", NUMBER, accuracy_run, run.predicted[CORRECTION_STEP],
             .help = "predicted step time, s"),
    FIELD_AS("step_s", NUMBER, accuracy_run, run.measured[CORRECTION_STEP],
             .help = "measured step time once warm, s"),
    FIELD(NUMBER, accuracy_run, error,
          .help = "error of the step time: measured over predicted, less 1"),
    FIELD_AS("predicted_memory_gb", NUMBER, accuracy_run, run.predicted[CORRECTION_MEMORY],
             .help = "predicted peak memory of one GPU"),
    FIELD_AS("memory_gb", NUMBER, accuracy_run, run.measured[CORRECTION_MEMORY],
             .help = "metered peak memory of one GPU"),
    FIELD(NUMBER, accuracy_run, memory_error,
          .help = "error of the memory: metered over predicted, less 1"),
    FIELD_AS("predicted_watts", NUMBER, accuracy_run, run.predicted[CORRECTION_POWER],
             .help = "predicted power of one GPU during training, W"),
    FIELD_AS("watts", NUMBER, accuracy_run, run.measured[CORRECTION_POWER],
             .help = "metered power of one GPU during training, W"),
    FIELD_AS("startup_s", NUMBER, accuracy_run, run.startup_s,
             .help = "seconds from the start to the first step"),
    FIELD(USD, accuracy_run, predicted_cost, .help = "estimated cost"),
    FIELD(USD, accuracy_run, actual_cost, .help = "metered cost"),
    FIELD(NUMBER, accuracy_run, cost_error,
          .help = "error of the cost: metered over estimated, less 1"),
};

static const struct field_set run_set = FIELD_SET(struct accuracy_run, run_fields);

static const struct field result_fields[] = {
    FIELD(LIST, accuracy_result, rows, .row = &row_set, .help = "groups in order"),
    FIELD(LIST, accuracy_result, runs, .row = &run_set, .help = "runs, newest first"),
    FIELD(COUNT, accuracy_result, count, .help = "number of runs"),
    FIELD(COUNT, accuracy_result, without_steps,
          .help = "estimated runs that recorded no step time: left out"),
    FIELD(COUNT, accuracy_result, other_gpu,
          .help = "runs on another GPU than estimated: left out"),
    FIELD(RECORD, accuracy_result, all, .row = &row_set, .help = "all runs together"),
};

const struct field_set accuracy_result_fields =
    FIELD_SET(struct accuracy_result, result_fields);

static double median_of(double *values, size_t count)
{
    values_sort(values, count);
    return count > 0 ? values_quantile(values, count, 0.5) : NAN;
}

/* Median and mean size of one kind of error, of the runs that have it. */
static void summarize_accuracy(const struct accuracy_run *const *runs, size_t count,
                               size_t offset, double *room, double *bias, double *error)
{
    double sum = 0;
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        double value = *(const double *)(const void *)((const unsigned char *)runs[i] + offset);

        if (isnan(value))
            continue;
        room[known++] = value;
        sum += fabs(value);
    }
    *bias = median_of(room, known);
    *error = known > 0 ? sum / (double)known : NAN;
}

static double error_of(double measured, double predicted)
{
    return measured > 0 && predicted > 0 ? measured / predicted - 1 : NAN;
}

void accuracy_compare(struct accuracy_run *run)
{
    const double *predicted = run->run.predicted, *measured = run->run.measured;

    run->error = error_of(measured[CORRECTION_STEP], predicted[CORRECTION_STEP]);
    run->memory_error = error_of(measured[CORRECTION_MEMORY], predicted[CORRECTION_MEMORY]);
    run->cost_error =
        run->predicted_cost.nano > 0 && run->actual_cost.nano != MONEY_UNKNOWN
            ? error_of(usd_double(run->actual_cost), usd_double(run->predicted_cost))
            : (double)NAN;
}

/* Runs of one kind; `room` holds a number for each. */
static struct accuracy_row accuracy_of(struct str of, const struct accuracy_run *const *runs,
                                       size_t count, double *room)
{
    struct accuracy_row row = {
        .of = of, .runs = (int64_t)count, .worst = count > 0 ? 0 : (double)NAN};

    for (size_t i = 0; i < count; i++)
        if (fabs(runs[i]->error) > fabs(row.worst))
            row.worst = runs[i]->error;
    summarize_accuracy(runs, count, offsetof(struct accuracy_run, error), room, &row.bias,
                       &row.error);
    summarize_accuracy(runs, count, offsetof(struct accuracy_run, memory_error), room,
                       &row.memory_bias, &row.memory_error);
    summarize_accuracy(runs, count, offsetof(struct accuracy_run, cost_error), room,
                       &row.cost_bias, &row.cost_error);
    return row;
}

/* What the run is counted under: a month is "2026-11". */
static bool accuracy_key(const struct accuracy_run *run, struct str by, struct arena *arena,
                         struct str *out, struct error *err)
{
    int year, month, date;
    char text[32];

    if (str_eq(by, STR("gpu"))) {
        *out = run->run.key.gpu;
        return true;
    }
    if (str_eq(by, STR("framework"))) {
        *out = run->run.key.framework.len > 0 ? run->run.key.framework : STR("(none)");
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
