/* Offload against more GPUs: where it takes fewer of them, is it the better way? */
#include <math.h>

#include "plan/rules_internal.h"
#include "plan/search_internal.h"

/* The fewest GPUs of the place that hold the job as it is on the bench; INT64_MAX: none do. */
static bool fewest_gpus(const struct thumb *t, struct bench *b, int64_t *out)
{
    struct plan_problem loose = thumb_free(&b->problem);

    *out = INT64_MAX;
    for (size_t i = 0; b->search != NULL && i < b->search->entry_count; i++) {
        const struct hardware_key *key = &b->search->entries[i].key;
        struct search_filter filter = {.machines = key->machines, .gpus = key->gpus};
        struct plan plan;
        bool found;

        if (key->gpus > t->p->limits.most_gpus || key->gpus >= *out)
            continue;
        if (!search_best(b->search, &loose, &filter, &plan, &found, t->err))
            return false;
        if (found)
            *out = key->gpus;
    }
    return true;
}

/* The best with less than `most` GPUs. */
static bool best_below(const struct thumb *t, struct bench *b, int64_t most,
                       struct rule_side *out, struct plan *best)
{
    for (size_t i = 0; b->search != NULL && i < b->search->entry_count; i++) {
        const struct hardware_key *key = &b->search->entries[i].key;
        struct search_filter filter = {.machines = key->machines, .gpus = key->gpus};
        struct rule_side side;
        struct plan plan;

        if (key->gpus >= most || key->gpus > t->p->limits.most_gpus)
            continue;
        if (!thumb_find(t, b->search, &b->problem, &filter, &side, &plan))
            return false;
        if (side.possible && (!out->possible || (side.allowed && !out->allowed) ||
                              (side.allowed == out->allowed && plan_better(&plan, best)))) {
            *out = side;
            *best = plan;
        }
    }
    return true;
}

static bool without_offload(const struct thumb *t, struct rule *rule, int64_t *fewest)
{
    struct job job = *t->p->job;
    struct bench b;
    struct plan plan;
    bool ok;

    job.train.parallel.offload = str_from(offload_names[OFFLOAD_NONE]);
    if (!bench_open(t, &job, &b))
        return false;
    ok = fewest_gpus(t, &b, fewest) &&
         (b.search == NULL || thumb_find(t, b.search, &b.problem, NULL, &rule->without, &plan));
    bench_close(&b);
    return ok;
}

static bool with_offload(const struct thumb *t, enum offload offload, int64_t below,
                         struct rule *rule, struct plan *plan)
{
    struct job job = *t->p->job;
    struct bench b;
    bool ok;

    job.train.parallel.offload = str_from(offload_names[offload]);
    if (!bench_open(t, &job, &b))
        return false;
    ok = best_below(t, &b, below, &rule->with, plan);
    bench_close(&b);
    return ok;
}

bool rule_offload(const struct thumb *t, struct rule *rule)
{
    const struct setup *s = &t->best->way.setup;
    int64_t fewest;
    struct plan plan;

    if (t->p->job->train.parallel.offload.len > 0)
        rule->why_not = "the job says whether";
    else if (arch_is_other(s->arch))
        rule->why_not = "such models are not offloaded";
    if (rule->why_not != NULL)
        return true;
    if (!without_offload(t, rule, &fewest))
        return false;
    if (fewest == 1) {
        rule->why_not = "it fits one GPU";
        return true;
    }
    if (!with_offload(t, OFFLOAD_OPTIMIZER, fewest, rule, &plan) ||
        !with_offload(t, OFFLOAD_ALL, fewest, rule, &plan))
        return false;
    thumb_name(&rule->with, "offload on %lld %s", (long long)rule->with.gpus,
               rule->with.gpus == 1 ? "GPU" : "GPUs");
    thumb_name(&rule->without, "taking %lld GPUs without offload",
               (long long)rule->without.gpus);
    rule->applies = rule->with.possible;
    rule->why_not = rule->applies ? NULL : "it would not save a GPU";
    rule->agrees = s->offload != OFFLOAD_NONE;
    return true;
}
