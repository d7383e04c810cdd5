/* Rules about settings: the job with one of them fixed, on the best plan's own machines. */
#include <math.h>

#include "plan/rules_internal.h"
#include "plan/search_internal.h"

#define MOST_MICRO 64
#define MOST_ZERO 3

bool bench_open(const struct thumb *t, const struct job *job, struct bench *out)
{
    struct error why = {0};

    out->arena = (struct arena){.alloc = t->alloc, .block_size = ARENA_BLOCK_SIZE};
    out->job = *job;
    out->problem = *t->p;
    out->problem.job = &out->job;
    out->problem.places = t->best->place;
    out->problem.place_count = 1;
    out->search = search_new(&out->problem, NULL, &out->arena, &why);
    if (out->search == NULL && why.kind != ERROR_INPUT) {
        *t->err = why;
        arena_free(&out->arena);
        return false;
    }
    return true;
}

void bench_close(struct bench *b)
{
    arena_free(&b->arena);
}

static struct search_filter own_machines(const struct plan *best)
{
    return (struct search_filter){.machines = best->way.machines, .gpus = best->way.gpus};
}

/* The best plan of a job that is changed, on the machines of the best one. `plan` may point
 * into nothing afterwards but for its numbers. */
static bool find_changed(const struct thumb *t, const struct job *job, struct rule_side *out,
                         struct plan *plan)
{
    struct search_filter filter = own_machines(t->best);
    struct bench b;
    bool ok = true;

    *out = (struct rule_side){.usd = NAN, .hours = NAN};
    if (!bench_open(t, job, &b))
        return false;
    if (b.search != NULL)
        ok = thumb_find(t, b.search, &b.problem, &filter, out, plan);
    bench_close(&b);
    return ok;
}

/* The job with what the best plan has: how the GPUs share the work, and the precision. */
static struct job with_degrees(const struct thumb *t)
{
    const struct setup *s = &t->best->way.setup;
    struct job job = *t->p->job;
    struct job_parallel *p = &job.train.parallel;

    p->data = s->data;
    p->tensor = s->tensor;
    p->pipeline = s->pipeline;
    p->context = s->context;
    p->expert = s->expert;
    job.train.precision = str_from(precision_names[s->precision]);
    if (s->offload == OFFLOAD_NONE)
        p->offload = str_from(offload_names[OFFLOAD_NONE]);
    return job;
}

static void fix_zero(const struct setup *s, struct job *job)
{
    job->train.parallel.zero = s->zero;
    if (s->data * s->context > 1)
        job->train.parallel.shard = s->shard;
}

bool rule_precision(const struct thumb *t, struct rule *rule)
{
    const struct plan *best = t->best;
    enum precision narrow, wider;
    struct error ignored = {0};
    struct job job = *t->p->job;
    struct space space;
    struct plan plan;

    if (job.train.precision.len > 0) {
        rule->why_not = "the job says which precision";
        return true;
    }
    if (!space_open(&job, t->p->constants, best->place->gpu, best->way.gpus, best->place->count,
                    &space, &ignored))
        return true;
    narrow = space.precisions[space.precision_count - 1];
    wider = space.precision_count > 1 ? space.precisions[space.precision_count - 2]
                                      : PRECISION_FP32;
    if (narrow == wider) {
        rule->why_not = "the card has no narrower one";
        return true;
    }
    job.train.precision = str_from(precision_names[narrow]);
    if (!find_changed(t, &job, &rule->with, &plan))
        return false;
    job.train.precision = str_from(precision_names[wider]);
    if (!find_changed(t, &job, &rule->without, &plan))
        return false;
    thumb_name(&rule->with, "%s", precision_names[narrow]);
    thumb_name(&rule->without, "%s", precision_names[wider]);
    rule->applies = rule->with.possible;
    rule->why_not = rule->applies ? NULL : "the narrowest does not fit";
    rule->agrees = best->way.setup.precision == narrow;
    return true;
}

bool rule_zero(const struct thumb *t, struct rule *rule)
{
    const struct setup *s = &t->best->way.setup;
    struct job job = with_degrees(t);
    bool chosen = false;
    int lowest = -1;

    if (t->p->job->train.parallel.zero >= 0)
        rule->why_not = "the job says which stage";
    else if (s->data * s->context == 1)
        rule->why_not = "no two GPUs hold the same, so there is nothing to share";
    else if (arch_is_other(s->arch))
        rule->why_not = "such models are not sharded";
    if (rule->why_not != NULL)
        return true;
    for (int stage = 0; stage <= MOST_ZERO; stage++) {
        struct rule_side side;
        struct plan plan;

        job.train.parallel.zero = stage;
        if (!find_changed(t, &job, &side, &plan))
            return false;
        if (!side.possible)
            continue;
        thumb_name(&side, "ZeRO %d", stage);
        if (lowest < 0)
            rule->with = side;
        else if (!chosen)
            rule->without = side;
        if (lowest < 0)
            lowest = stage;
        else
            chosen |= stage == s->zero; /* what the plan does says more than any other */
    }
    rule->applies = lowest >= 0;
    rule->why_not = rule->applies ? NULL : "no stage alone would do";
    rule->agrees = s->zero == lowest;
    return true;
}

bool rule_recompute(const struct thumb *t, struct rule *rule)
{
    const struct setup *s = &t->best->way.setup;
    struct job job = with_degrees(t);
    struct plan plan, other;
    int least = -1;

    if (t->p->job->train.recompute.len > 0) {
        rule->why_not = "the job says what is computed again";
        return true;
    }
    fix_zero(s, &job);
    for (int way = 0; way < RECOMPUTE_COUNT; way++) {
        struct rule_side side;

        job.train.recompute = str_from(recompute_names[way]);
        if (!find_changed(t, &job, &side, &plan))
            return false;
        if (!side.possible)
            continue;
        thumb_name(&side, "%s recompute", way == RECOMPUTE_NONE ? "no" : recompute_names[way]);
        if (least < 0) {
            least = way;
            rule->with = side;
        } else if (!rule->without.possible || plan_better(&plan, &other)) {
            rule->without = side;
            other = plan;
        }
    }
    rule->applies = least >= 0;
    rule->why_not = rule->applies ? NULL : "no way alone would do";
    rule->agrees = (int)s->recompute == least;
    return true;
}

/* The same setting with another micro-batch and the same batch; not possible when it would take
 * more memory than a setting of our choice may. */
static bool find_micro(const struct thumb *t, const struct space *space, int64_t micro,
                       struct rule_side *out)
{
    const struct setup *s = &t->best->way.setup;
    struct job job = with_degrees(t);
    struct plan plan;

    fix_zero(s, &job);
    job.train.parallel.offload = str_from(offload_names[s->offload]);
    job.train.recompute = str_from(recompute_names[s->recompute]);
    job.train.micro_batch = micro;
    job.train.global_batch = space->batch;
    if (!find_changed(t, &job, out, &plan))
        return false;
    if (out->possible && plan.way.need > space->margin)
        *out = (struct rule_side){.usd = NAN, .hours = NAN};
    thumb_name(out, "a micro-batch of %lld", (long long)micro);
    return true;
}

bool rule_batch(const struct thumb *t, struct rule *rule)
{
    const struct plan *best = t->best;
    int64_t largest = 0, other;
    struct error ignored = {0};
    struct space space;

    if (t->p->job->train.micro_batch > 0) {
        rule->why_not = "the job says which";
        return true;
    }
    if (!space_open(t->p->job, t->p->constants, best->place->gpu, best->way.gpus,
                    best->place->count, &space, &ignored))
        return true;
    for (int64_t micro = MOST_MICRO; micro >= 1 && largest == 0; micro /= 2) {
        if (!find_micro(t, &space, micro, &rule->with))
            return false;
        if (rule->with.possible)
            largest = micro;
    }
    if (largest == 0) {
        rule->why_not = "no other would do";
        return true;
    }
    other = best->way.setup.micro_batch < largest ? best->way.setup.micro_batch : largest / 2;
    rule->applies = true;
    rule->agrees = best->way.setup.micro_batch == largest;
    return other < 1 || find_micro(t, &space, other, &rule->without);
}
