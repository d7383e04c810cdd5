#include "truth/learning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/draw.h"
#include "series/values.h"

static const struct field score_fields[] = {
    FIELD(TEXT, learning_score, name, .help = "name of the source"),
    FIELD(COUNT, learning_score, rows, .help = "rows of the source"),
    FIELD(NUMBER, learning_score, before, .help = "median error of rows not learned from"),
    FIELD(NUMBER, learning_score, after,
          .help = "median error of those rows with the corrections learned"),
    FIELD(NUMBER, learning_score, change, .help = "difference: after less before"),
};

static const struct field_set score_set = FIELD_SET(struct learning_score, score_fields);

static const struct field fields[] = {
    FIELD(COUNT, learning_scores, learned_from, .help = "rows of each source"),
    FIELD(LIST, learning_scores, sources, .row = &score_set,
          .help = "sources with 10 rows or more; means over 200 random choices of the rows"),
    FIELD(NUMBER, learning_scores, before,
          .help = "median error over the sources, without the corrections"),
    FIELD(NUMBER, learning_scores, after,
          .help = "median error over the sources, with the corrections"),
    FIELD(NUMBER, learning_scores, worst, .help = "largest change of a source"),
};

const struct field_set learning_fields = FIELD_SET(struct learning_scores, fields);

struct learning_row {
    const struct held *held;
    struct correction_key key;
};

/* The rows of one source, and room for the work on them. */
struct learning {
    struct learning_row *rows;
    size_t count, learned_from;
    struct correction_run *runs;
    double *errors;
    uint64_t random;
};

static bool is_memory(const struct held *h)
{
    return h->point->metric == METRIC_MEMORY;
}

static bool counts_for_learning(const struct held *h)
{
    return h->point->reason == NULL && h->point->measured > 0 && h->guess.value > 0 &&
           (h->point->metric == METRIC_TRAINING || (is_memory(h) && !h->point->serving));
}

/* A rate is turned into the time that it takes. */
static struct correction_run learning_run_of(const struct learning_row *row)
{
    const struct held *h = row->held;
    enum correction_of of = is_memory(h) ? CORRECTION_MEMORY : CORRECTION_STEP;
    struct correction_run run = {.key = row->key,
                                 .predicted = {NAN, NAN, NAN},
                                 .measured = {NAN, NAN, NAN},
                                 .startup_s = NAN};

    run.predicted[of] = is_memory(h) ? h->guess.value : 1 / h->guess.value;
    run.measured[of] = is_memory(h) ? h->point->measured : 1 / h->point->measured;
    return run;
}

static double corrected(const struct learning_row *row, const struct correction_result *learned)
{
    const struct held *h = row->held;
    double factor =
        correction_factor(learned->at, learned->len,
                          is_memory(h) ? CORRECTION_MEMORY : CORRECTION_STEP, &row->key);

    return is_memory(h) ? h->guess.value * factor : h->guess.value / factor;
}

/* Median error of the rows after the first `learned_from`; `learned` NULL: as predicted. */
static double median_error(struct learning *w, const struct correction_result *learned)
{
    size_t n = 0;

    for (size_t i = w->learned_from; i < w->count; i++) {
        double value =
            learned != NULL ? corrected(&w->rows[i], learned) : w->rows[i].held->guess.value;

        w->errors[n++] = fabs(value / w->rows[i].held->point->measured - 1);
    }
    values_sort(w->errors, n);
    return values_quantile(w->errors, n, 0.5);
}

/* Bring rows at random to the front, to learn from. */
static void draw_rows(struct learning *w)
{
    for (size_t i = 0; i < w->learned_from; i++) {
        struct learning_row row = w->rows[i];
        size_t other = i + draw_below(&w->random, w->count - i);

        w->rows[i] = w->rows[other];
        w->rows[other] = row;
        w->runs[i] = learning_run_of(&w->rows[i]);
    }
}

static bool score_source(struct learning *w, const struct alloc *alloc,
                         struct learning_score *out, struct error *err)
{
    w->random = 1;
    for (int draw = 0; draw < LEARNING_DRAWS; draw++) {
        struct arena arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
        struct correction_result learned;
        bool ok;

        draw_rows(w);
        ok = correction_learn(w->runs, w->learned_from, &arena, &learned, err);
        if (ok) {
            out->before += median_error(w, NULL) / LEARNING_DRAWS;
            out->after += median_error(w, &learned) / LEARNING_DRAWS;
        }
        arena_free(&arena);
        if (!ok)
            return false;
    }
    out->change = out->after - out->before;
    return true;
}

static int by_learning_source(const void *a, const void *b)
{
    const struct learning_row *x = a, *y = b;
    int order = str_cmp(x->held->point->source, y->held->point->source);

    return order != 0 ? order : (x->held > y->held) - (x->held < y->held);
}

/* The medians over the sources. */
static void summarize_learning(struct learning_scores *out, double *room)
{
    const struct learning_score *scores = out->sources.at;

    out->before = out->after = out->worst = NAN;
    if (out->sources.len == 0)
        return;
    for (size_t i = 0; i < out->sources.len; i++) {
        room[i] = scores[i].before;
        out->worst = fmax(out->worst, scores[i].change);
    }
    values_sort(room, out->sources.len);
    out->before = values_quantile(room, out->sources.len, 0.5);
    for (size_t i = 0; i < out->sources.len; i++)
        room[i] = scores[i].after;
    values_sort(room, out->sources.len);
    out->after = values_quantile(room, out->sources.len, 0.5);
}

/* The rows that count, by source. A model that only its shapes describe is named by them. */
static bool collect_rows(const struct held *held, size_t count, struct arena *arena,
                         struct learning_row *out, size_t *len, struct error *err)
{
    *len = 0;
    for (size_t i = 0; i < count; i++) {
        const struct arch *a = &held[i].point->arch;
        struct learning_row *row = &out[*len];
        char setting[SETUP_SETTING], name[128];

        if (!counts_for_learning(&held[i]))
            continue;
        *row = (struct learning_row){&held[i],
                                     setup_correction_key(&held[i].point->setup, setting)};
        (void)snprintf(name, sizeof name, "%.*s %lldx%lld",
                       (int)(a->name.len < 80 ? a->name.len : 80), a->name.at,
                       (long long)a->layers, (long long)a->hidden);
        if (!str_keep(str_from(name), arena, &row->key.model, err) ||
            !str_keep(str_from(setting), arena, &row->key.setting, err))
            return false;
        ++*len;
    }
    qsort(out, *len, sizeof *out, by_learning_source);
    return true;
}

bool learning_score(const struct held *held, size_t count, int64_t learned_from,
                    struct arena *arena, struct learning_scores *out, struct error *err)
{
    struct learning_row *rows = arena_array(arena, struct learning_row, count + 1, err);
    struct learning_score *scores = arena_array(arena, struct learning_score, count + 1, err);
    struct learning w = {
        .learned_from = (size_t)learned_from,
        .runs = arena_array(arena, struct correction_run, (size_t)learned_from, err),
        .errors = arena_array(arena, double, count + 1, err)};
    size_t len = 0, n = 0, end;

    if (rows == NULL || scores == NULL || w.runs == NULL || w.errors == NULL ||
        !collect_rows(held, count, arena, rows, &len, err))
        return false;
    for (size_t i = 0; i < len; i = end) {
        struct str source = rows[i].held->point->source;

        for (end = i; end < len && str_eq(rows[end].held->point->source, source);)
            end++;
        w.rows = rows + i;
        w.count = end - i;
        if (w.count < LEARNING_LEAST_ROWS || w.count <= w.learned_from)
            continue;
        scores[n] = (struct learning_score){.name = source, .rows = (int64_t)w.count};
        if (!score_source(&w, arena->alloc, &scores[n++], err))
            return false;
    }
    out->learned_from = learned_from;
    out->sources = (struct rows){scores, n};
    summarize_learning(out, w.errors);
    return true;
}
