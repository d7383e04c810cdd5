/* What there is to search: machines by kind, and what they can do, worked out as it is
 * asked. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/search_internal.h"
#include "plan/trials.h"

struct search_counts search_count(const struct search *s)
{
    return s->counts;
}

/* A place to be sorted. */
struct ref {
    const struct plan_place *place;
};

static int compare_places(const void *a, const void *b)
{
    const struct plan_place *x = ((const struct ref *)a)->place;
    const struct plan_place *y = ((const struct ref *)b)->place;
    int order = str_cmp(x->gpu->name, y->gpu->name);

    if (order == 0)
        order = x->count < y->count ? -1 : x->count > y->count;
    return order != 0 ? order : x < y ? -1 : x > y;
}

/* Places by GPU and how many a machine has. */
static bool make_classes(struct search *s, size_t count, struct error *err)
{
    struct ref *sorted = arena_array(s->arena, struct ref, count + 1, err);
    uint32_t *index = arena_array(s->arena, uint32_t, count + 1, err);

    s->classes = arena_array(s->arena, struct class, count + 1, err);
    if (sorted == NULL || index == NULL || s->classes == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i].place = &s->places[i];
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (size_t i = 0; i < count; i++) {
        struct class *last = s->class_count > 0 ? &s->classes[s->class_count - 1] : NULL;
        const struct plan_place *place = sorted[i].place;

        index[i] = (uint32_t)(place - s->places);
        if (last == NULL || last->gpu != place->gpu || last->count != place->count) {
            last = &s->classes[s->class_count++];
            *last =
                (struct class){.gpu = place->gpu, .count = place->count, .places = &index[i]};
        }
        last->place_count++;
        if (place->capacity > last->capacity)
            last->capacity = place->capacity;
    }
    return true;
}

/* What the card can do at best; the same for all sizes of machine. */
static void add_bounds(struct search *s)
{
    for (size_t i = 0; i < s->class_count; i++) {
        struct class *c = &s->classes[i];

        if (i > 0 && c[-1].gpu == c->gpu)
            c->bound = c[-1].bound;
        else if (s->job->kind == JOB_TRAIN && s->job->arch_known)
            c->bound = bound_train(s->job, s->constants, c->gpu, 1);
    }
}

/* 1, 2, 3, 4, 6, 8, 12, ...: after n. */
static int64_t next_machines(int64_t n)
{
    bool power = (n & (n - 1)) == 0;

    return n == 1 ? 2 : power ? n / 2 * 3 : n / 3 * 4;
}

static void add_entry(struct search *s, const struct class *c, int64_t machines, int64_t gpus)
{
    s->entries[s->entry_count++] = (struct entry){
        .class = c,
        .key = {.gpu = c->gpu, .count = c->count, .machines = machines, .gpus = gpus}};
}

static size_t entries_of(struct search *s, const struct class *c, int64_t most, bool count_only)
{
    size_t n = 0;

    if (s->job->kind == JOB_INFER && s->job->arch_known) { /* the rate says how many */
        if (!count_only)
            add_entry(s, c, 1, c->count);
        return 1;
    }
    for (int64_t used = 1; used < c->count; used *= 2, n++)
        if (!count_only)
            add_entry(s, c, 1, used);
    for (int64_t m = 1; m <= c->capacity && m * c->count <= most; m = next_machines(m), n++)
        if (!count_only)
            add_entry(s, c, m, m * c->count);
    return n;
}

#define MOST_GPUS 16384 /* whatever the limits say later */

static bool make_entries(struct search *s, struct error *err)
{
    size_t total = 0;

    for (size_t i = 0; i < s->class_count; i++)
        total += entries_of(s, &s->classes[i], MOST_GPUS, true);
    s->entries = arena_array(s->arena, struct entry, total + 1, err);
    s->order = arena_array(s->arena, struct candidate, total + 1, err);
    if (s->entries == NULL || s->order == NULL)
        return false;
    for (size_t i = 0; i < s->class_count; i++)
        (void)entries_of(s, &s->classes[i], MOST_GPUS, false);
    assert(s->entry_count == total);
    return true;
}

static void add_parallel(struct search *s, const struct trials *trials, int64_t sets)
{
    s->parallels[s->parallel_count] = sets;
    s->spans[s->parallel_count] = 1 + trials_need(trials, sets).span;
    s->soonest = s->spans[s->parallel_count++]; /* more at once only take less time */
}

static bool make_parallels(struct search *s, struct error *err)
{
    struct trials trials = trials_of(s->job);
    int64_t said = s->job->train.search.parallel;

    s->parallels = arena_array(s->arena, int64_t, 64, err);
    s->spans = arena_array(s->arena, double, 64, err);
    if (s->parallels == NULL || s->spans == NULL)
        return false;
    s->runs = 1;
    if (s->job->kind != JOB_TRAIN || trials.count < 1) {
        s->parallels[0] = 1;
        s->spans[0] = s->soonest = 1;
        s->parallel_count = 1;
        return true;
    }
    s->runs += trials_need(&trials, 1).work;
    for (int64_t n = 1; said < 1 && n < trials.count; n *= 2)
        add_parallel(s, &trials, n);
    add_parallel(s, &trials, said > 0 ? said : trials.count);
    return true;
}

/* A job that no card could do: a word that nobody knows, or nothing to do. */
static bool check_job(const struct plan_problem *p, struct error *err)
{
    struct notes *none = NULL;
    struct setup base;

    if (p->job->kind == JOB_INFER || p->place_count == 0)
        return true;
    if (p->job->arch_known) {
        struct hardware hw = {.gpu = p->places[0].gpu, .gpus = 1, .per_node = 1};
        struct error why = {0};

        for (size_t i = 0; i < p->place_count; i++) {
            hw.gpu = p->places[i].gpu;
            why = (struct error){0};
            if (choose_base(p->job, &hw, &base, none, &why))
                break;
        }
        if (why.kind != ERROR_NONE) {
            *err = why;
            return false;
        }
        base.data = base.micro_batch = base.accumulation = 1;
        if (choose_total(p->job, &base) > 0)
            return true;
    } else if (p->job->train.measured.samples_s > 0 ? job_samples(p->job) > 0
                                                    : job_tokens(p->job) > 0) {
        return true;
    }
    error_set(err, ERROR_INPUT, "the job does not say how much there is to train on");
    error_hint(err, "say data: {tokens: 25M}, or --tokens 25M (--examples 5000)");
    return false;
}

struct search *search_new(const struct plan_problem *p, const struct accelerator *measured,
                          struct arena *arena, struct error *err)
{
    struct search *s = arena_array(arena, struct search, 1, err);

    if (s == NULL || !check_job(p, err))
        return NULL;
    *s = (struct search){.job = p->job,
                         .constants = p->constants,
                         .places = p->places,
                         .measured = measured,
                         .arena = arena,
                         .counts = {.places = p->place_count}};
    s->scratch = arena_array(arena, struct ways_scratch, 1, err);
    if (s->scratch == NULL || !make_classes(s, p->place_count, err) || !make_entries(s, err) ||
        !make_parallels(s, err))
        return NULL;
    add_bounds(s);
    return s;
}

bool search_ways(struct search *s, const struct entry *entry, enum ways_aim aim,
                 const struct way **out, size_t *count, struct error *err)
{
    struct entry *e = &s->entries[entry - s->entries];
    struct ways *found = &s->scratch->ways;
    struct ways_counts counts = {0};
    struct way *kept;

    if (!e->known[aim]) {
        if (!s->job->arch_known)
            ways_measured(s->job, s->constants, s->measured, e->key, found);
        else if (s->job->kind == JOB_INFER)
            ways_serve(s->job, s->constants, e->key, s->scratch, found, &counts);
        else
            ways_train(s->job, s->constants, e->key, aim, s->scratch, found, &counts);
        s->counts.settings += counts.settings;
        s->counts.pruned += counts.pruned;
        s->counts.hardware++;
        kept = arena_array(s->arena, struct way, found->len + 1, err);
        if (kept == NULL)
            return false;
        memcpy(kept, found->at, found->len * sizeof *kept);
        e->ways[aim] = kept;
        e->way_count[aim] = found->len;
        e->known[aim] = true;
    }
    *out = e->ways[aim];
    *count = e->way_count[aim];
    return true;
}
