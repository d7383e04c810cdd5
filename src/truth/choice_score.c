/* How good each picker is, over choices. */
#include <math.h>
#include <stdlib.h>

#include "truth/choices.h"

/* Which choices count. Both empty: all. */
struct scope {
    struct str set, without;
};

static struct str source_of(const struct choice *c)
{
    return c->best->point->source;
}

/* Those of a model stay in their order: sums of rounded numbers depend on it. */
static int by_model(const void *a, const void *b)
{
    const struct choice *x = *(const struct choice *const *)a;
    const struct choice *y = *(const struct choice *const *)b;
    int order = choice_model_cmp(x, y);

    return order != 0 ? order : (x > y) - (x < y);
}

static int by_source(const void *a, const void *b)
{
    return str_cmp(source_of(*(const struct choice *const *)a),
                   source_of(*(const struct choice *const *)b));
}

static bool counts(const struct choice *c, const struct scope *scope, enum picker p)
{
    return !isnan(c->over[p]) && (scope->set.len == 0 || str_eq(c->set, scope->set)) &&
           (scope->without.len == 0 || !str_eq(source_of(c), scope->without));
}

/* `cases` stand together as their models do: a model is one, in whichever sets it is. */
static struct choice_score score(const struct choice *const *cases, size_t count,
                                 const struct scope *scope, enum picker p)
{
    struct choice_score s = {
        .set = scope->set, .picker = str_from(picker_names[p]), .without = scope->without};
    double models = 0, hits = 0; /* the sum of shares, and the hits of the model at hand */
    int64_t of_model = 0;
    const struct choice *last = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct choice *c = cases[i];
        bool near = c->over[p] <= CHOICE_NEAR;

        if (!counts(c, scope, p))
            continue;
        if (last == NULL || choice_model_cmp(last, c) != 0) {
            models += of_model > 0 ? hits / (double)of_model : 0;
            hits = 0;
            of_model = 0;
            s.models++;
        }
        last = c;
        of_model++;
        s.cases++;
        hits += near;
        s.within += near;
        s.regret += c->over[p] - 1;
        s.worst = fmax(s.worst, c->over[p] - 1);
    }
    if (s.cases == 0)
        return s;
    models += hits / (double)of_model;
    s.within /= (double)s.cases;
    s.regret /= (double)s.cases;
    s.within_models = models / (double)s.models;
    return s;
}

/* The source of most cases, which it sorts; of several the first by name. */
static struct str largest_source(const struct choice **cases, size_t count)
{
    struct str largest = {0};
    size_t most = 0;

    qsort(cases, count, sizeof(const struct choice *), by_source);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && by_source(&cases[i], &cases[end]) == 0;)
            end++;
        if (end - i > most) {
            most = end - i;
            largest = source_of(cases[i]);
        }
    }
    return largest;
}

bool choices_score(const struct choices *choices, struct rows *out, struct arena *arena,
                   struct error *err)
{
    size_t len = choices->len, n = 0;
    struct choice_score *scores =
        arena_array(arena, struct choice_score, (len + 2) * PICK_COUNT, err);
    const struct choice **cases = arena_array(arena, const struct choice *, len + 1, err);
    struct str largest;

    if (scores == NULL || cases == NULL)
        return false;
    for (size_t i = 0; i < len; i++)
        cases[i] = &choices->at[i];
    largest = largest_source(cases, len);
    qsort(cases, len, sizeof(const struct choice *), by_model);
    for (size_t i = 0; i < len + 2; i++) {
        struct scope scope = {.set = i < len ? choices->at[i].set : (struct str){0},
                              .without = i == len ? largest : (struct str){0}};

        if ((i > 0 && i < len && str_eq(scope.set, choices->at[i - 1].set)) ||
            (i == len && largest.len == 0))
            continue;
        for (int p = 0; p < PICK_COUNT; p++) {
            scores[n] = score(cases, len, &scope, (enum picker)p);
            if (i >= len)
                scores[n].set = i == len ? STR(CHOICE_LESS) : STR(CHOICE_ALL);
            n += scores[n].cases > 0;
        }
    }
    *out = (struct rows){scores, n};
    return true;
}
