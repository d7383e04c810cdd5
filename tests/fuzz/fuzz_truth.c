/* Any bytes are measured rows (the first byte chooses their kind) or refused with a text.
 * Whatever row has no reason against it can be predicted, with a number and a range around
 * it, and scored. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "truth/truth.h"

#include "known.h"

#define MOST_BYTES ((size_t)64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Unknown (NaN) is an answer only for the power of boards whose limit is unknown. */
static void check_guess(const struct measured_value *p, struct guess g)
{
    if (p->metric == METRIC_NODE_POWER && isnan(g.value))
        return;
    require(isfinite(g.value) && g.value >= 0);
    require(isfinite(g.low) && isfinite(g.high) && g.low <= g.value && g.value <= g.high);
}

static void check_score(const struct score *s)
{
    require(s->rows >= 0 && s->scored >= 0);
    if (s->scored == 0)
        return;
    require(s->median_ape >= 0 && s->median_ape <= s->p90_ape && s->median_ratio > 0);
    require(s->inside_range >= 0 && s->inside_range <= 1);
}

static void score(const struct held *held, const struct measured_values *points,
                  struct arena *arena)
{
    struct error err = {0};
    struct score all;
    struct rows groups;
    struct fit_check fits = check_fits(held, points->len, &constants);

    require(fits.wrongly_fits <= fits.out_of_memory && fits.wrongly_refused <= fits.ran);
    require(score_points(held, points->len, &(struct score_filter){0}, &all, arena, &err));
    check_score(&all);
    require(all.rows <= (int64_t)points->rows);
    for (int by = SCORE_SOURCE; by <= SCORE_SET; by++) {
        int64_t scored = 0;

        require(score_groups(held, points->len, (enum score_by)by, 0, &groups, arena, &err));
        for (size_t i = 0; i < groups.len; i++) {
            const struct score *s = &((const struct score *)groups.at)[i];

            check_score(s);
            scored += s->scored;
        }
        require(scored == all.scored);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    struct measured_values points;
    struct held *held;

    if (size == 0 || size > MOST_BYTES)
        return 0;
    load();
    if (!points_read((enum truth_kind)(data[0] % TRUTH_KINDS),
                     (struct str){(const char *)data + 1, size - 1}, "fuzz.csv", &catalog,
                     &points, &arena, &err)) {
        require(err.kind == ERROR_INPUT && strncmp(err.text, "fuzz.csv:", 9) == 0);
        arena_free(&arena);
        return 0;
    }
    held = arena_array(&arena, struct held, points.len + 1, &err);
    require(held != NULL);
    for (size_t i = 0; i < points.len; i++) {
        held[i].point = &points.at[i];
        if (points.at[i].reason != NULL)
            continue;
        held[i].guess = point_predict(&points.at[i], &constants);
        check_guess(&points.at[i], held[i].guess);
    }
    score(held, &points, &arena);
    arena_free(&arena);
    return 0;
}
