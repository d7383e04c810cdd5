/* Rules of thumb, each compared with what is computed. */
#include "plan/rules.h"

#include <math.h>
#include <stdarg.h>

#include "base/num.h"
#include "estimate/model/space.h"
#include "plan/search_internal.h"
#include "unit/money.h"

/* The question. */
struct thumb {
    struct search *search;
    const struct plan_problem *p;
    const struct plan *best;
    const struct alloc *alloc;
    struct error *err;
};

/* A job that is changed, on the best plan's own place: a small search of its own. */
struct bench {
    struct arena arena;
    struct job job;
    struct plan_problem problem;
    struct search *search; /* NULL: no card can do such a job */
};

/* ---- offload against more GPUs: where it takes fewer of them, is it the better way? ---- */

/* The problem without limits that are numbers, but for GPUs. */
static struct plan_problem thumb_free(const struct plan_problem *p)
{
    struct plan_problem q = *p;

    q.limits.budget = USD_UNKNOWN;
    q.limits.deadline_h = q.limits.max_risk = q.limits.max_carbon_kg = NAN;
    q.limits.least_gpus = 0;
    return q;
}

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

/* The best plan of such, first within the limits, then without those that are numbers. */
static bool thumb_find(const struct thumb *t, struct search *s, const struct plan_problem *p,
                       const struct search_filter *filter, struct rule_side *out,
                       struct plan *plan)
{
    struct plan_problem loose = thumb_free(p);

    loose.limits.least_gpus = p->limits.least_gpus;
    *out = (struct rule_side){.usd = NAN, .hours = NAN};
    if (!search_best(s, p, filter, plan, &out->allowed, t->err))
        return false;
    out->possible = out->allowed;
    if (!out->allowed && !search_best(s, &loose, filter, plan, &out->possible, t->err))
        return false;
    if (out->possible) {
        out->usd = usd_double(plan->total.expected);
        out->hours = plan->hours;
        out->gpus = plan->way.gpus;
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

/* The job as it is, or as `job` says; close it in any case. */
static bool bench_open(const struct thumb *t, const struct job *job, struct bench *out)
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

static void bench_close(struct bench *b)
{
    arena_free(&b->arena);
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

PRINTF_LIKE(2, 3) static void thumb_name(struct rule_side *side, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(side->name, sizeof side->name, fmt, args);
    va_end(args);
}

static bool rule_offload(const struct thumb *t, struct rule *rule)
{
    const struct setup *s = &t->best->way.setup;
    int64_t fewest;
    struct plan plan;

    if (t->p->job->train.parallel.offload.len > 0)
        rule->why_not = "the job sets it";
    else if (arch_is_other(s->arch))
        rule->why_not = "such models are not offloaded";
    else if (optimizer_is_paged(s->optimizer))
        rule->why_not = "the optimizer pages its states";
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

/* Rules about settings: the job with one of them fixed, on the best plan's own machines. */

#define MOST_MICRO 64
#define MOST_ZERO 3

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

/* Those that change the setting. `rule` has its id and words; it does not apply yet. */
static bool rule_precision(const struct thumb *t, struct rule *rule)
{
    const struct plan *best = t->best;
    enum precision narrow, wider;
    struct job job = *t->p->job;
    struct hardware hw = {.gpu = best->place->machine->gpu,
                          .gpus = best->way.gpus,
                          .per_node = best->place->machine->count,
                          .host_bytes = (double)NAN};
    struct error ignored = {0};
    struct space space;
    struct plan plan;

    if (job.train.precision.len > 0) {
        rule->why_not = "the job sets the precision";
        return true;
    }
    if (!space_open(&job, t->p->constants, &hw, false, &space, &ignored))
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

static bool rule_zero(const struct thumb *t, struct rule *rule)
{
    const struct setup *s = &t->best->way.setup;
    struct job job = with_degrees(t);
    bool chosen = false;
    int lowest = -1;

    if (t->p->job->train.parallel.zero >= 0)
        rule->why_not = "the job sets the stage";
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

static bool rule_recompute(const struct thumb *t, struct rule *rule)
{
    const struct setup *s = &t->best->way.setup;
    struct job job = with_degrees(t);
    struct plan plan, other;
    int least = -1;

    if (t->p->job->train.recompute.len > 0) {
        rule->why_not = "the job sets recomputation";
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
static bool find_micro(const struct thumb *t, int64_t micro, struct rule_side *out)
{
    const struct setup *s = &t->best->way.setup;
    struct job job = with_degrees(t);
    struct plan plan;

    fix_zero(s, &job);
    job.train.parallel.offload = str_from(offload_names[s->offload]);
    job.train.recompute = str_from(recompute_names[s->recompute]);
    job.train.micro_batch = micro;
    job.train.global_batch = (int64_t)setup_global_batch(s);
    if (!find_changed(t, &job, out, &plan))
        return false;
    if (out->possible &&
        guess_chance(plan.way.need, memory_doubt(&plan.way.setup, t->p->constants), 1) <
            FITS_CHANCE)
        *out = (struct rule_side){.usd = NAN, .hours = NAN};
    thumb_name(out, "a micro-batch of %lld", (long long)micro);
    return true;
}

static bool rule_batch(const struct thumb *t, struct rule *rule)
{
    const struct plan *best = t->best;
    int64_t largest = 0, other;

    if (t->p->job->train.micro_batch > 0) {
        rule->why_not = "the job sets it";
        return true;
    }
    for (int64_t micro = MOST_MICRO; micro >= 1 && largest == 0; micro /= 2) {
        if (!find_micro(t, micro, &rule->with))
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
    return other < 1 || find_micro(t, other, &rule->without);
}

/* ---- a rule's effect in words ---- */

#define CENT 0.01
#define MINUTE (1 / 60.0)

static void write_rule_hours(double hours, struct buf *out)
{
    if (hours < 1)
        buf_addf(out, "%.0f min", hours * 60);
    else {
        num_write_fixed(hours, hours < 100 ? 1 : 0, out);
        buf_adds(out, " h");
    }
}

static void write_rule_cost(double more, double of, struct buf *out)
{
    if (fabs(more) < fmin(CENT, 0.001 * of)) {
        buf_adds(out, "costs as much as ");
        return;
    }
    buf_adds(out, "costs ");
    usd_write_estimate(usd_from(fabs(more)), out);
    buf_adds(out, more > 0 ? " more than " : " less than ");
}

static void write_rule_time(double later, struct buf *out)
{
    if (isnan(later))
        return;
    if (fabs(later) < MINUTE) {
        buf_adds(out, " and takes as long");
        return;
    }
    buf_adds(out, " and is done ");
    write_rule_hours(fabs(later), out);
    buf_adds(out, later > 0 ? " later" : " sooner");
}

void rule_effect(const struct rule *rule, struct buf *out)
{
    const struct rule_side *with = &rule->with, *without = &rule->without;

    if (!rule->applies) {
        buf_adds(out, rule->why_not != NULL ? rule->why_not : "it does not cover this");
        return;
    }
    if (!with->possible || !without->possible) {
        buf_addf(out, "only %s is possible", with->possible ? with->name : without->name);
        return;
    }
    buf_addf(out, "%s ", without->name);
    write_rule_cost(without->usd - with->usd, with->usd, out);
    buf_adds(out, with->name);
    write_rule_time(without->hours - with->hours, out);
    if (!without->allowed)
        buf_adds(out, ", but does not meet the limits");
    else if (!with->allowed)
        buf_addf(out, "; %s would not meet the limits", with->name);
}

/* ---- the rules, one after the other ---- */

static bool rule_short(const struct thumb *t, struct rule *rule)
{
    struct plan_problem p = *t->p;
    struct search_filter filter = {.markets = 1u << MARKET_SPOT};
    struct rule_side on_spot, other;
    struct plan plan, spot;
    bool is_short, stays;

    p.limits.lifted |= BAR_MARKET;
    if (!thumb_find(t, t->search, &p, &filter, &on_spot, &spot))
        return false;
    filter.markets = 1u << MARKET_ON_DEMAND;
    if (!thumb_find(t, t->search, &p, &filter, &other, &plan))
        return false;
    thumb_name(&on_spot, "spot");
    thumb_name(&other, "on demand");
    if (!on_spot.possible || !other.possible) {
        rule->why_not = on_spot.possible ? "nothing is available on demand"
                                         : "no spot that would do is known";
        return true;
    }
    is_short = plan.work_h < RULE_SHORT_H;
    rule->says = is_short ? "below an hour: not worth spot" : "an hour or more: spot";
    rule->applies = true;
    /* A plan that may not be on spot says nothing about it: what would be chosen counts. */
    stays = other.allowed != on_spot.allowed ? other.allowed : plan_better(&plan, &spot);
    rule->agrees = is_short == stays;
    rule->with = is_short ? other : on_spot;
    rule->without = is_short ? on_spot : other;
    return true;
}

/* The best on more than one GPU. Trials side by side count as GPUs to the limits: for a search,
 * each number that is usual is looked at alone. */
static bool find_several(const struct thumb *t, struct rule_side *out, struct plan *best)
{
    struct plan_problem p = *t->p;

    if (t->p->job->train.search.trials < 1) {
        if (p.limits.least_gpus < 2)
            p.limits.least_gpus = 2;
        return thumb_find(t, t->search, &p, NULL, out, best);
    }
    *out = (struct rule_side){.usd = NAN, .hours = NAN};
    for (int64_t gpus = 2; gpus <= 8; gpus *= 2) {
        struct search_filter filter = {.gpus = gpus};
        struct rule_side side;
        struct plan plan;

        if (!thumb_find(t, t->search, &p, &filter, &side, &plan))
            return false;
        if (side.possible && (!out->possible || (side.allowed && !out->allowed) ||
                              (side.allowed == out->allowed && plan_better(&plan, best)))) {
            *out = side;
            *best = plan;
        }
    }
    return true;
}

static bool rule_one_gpu(const struct thumb *t, struct rule *rule)
{
    struct search_filter one = {.gpus = 1};
    struct plan plan;

    if (!thumb_find(t, t->search, t->p, &one, &rule->with, &plan) ||
        !find_several(t, &rule->without, &plan))
        return false;
    thumb_name(&rule->with, "one GPU");
    thumb_name(&rule->without, "sharding over %lld GPUs", (long long)rule->without.gpus);
    if (!rule->with.possible) {
        rule->why_not = "it does not fit one GPU";
        return true;
    }
    rule->applies = true;
    rule->agrees = t->best->way.gpus == 1;
    return true;
}

/* The next number of machines after the best plan's that its place can have; 0: none. */
static int64_t more_machines(const struct thumb *t)
{
    const struct plan *best = t->best;
    int64_t next = 0;

    for (size_t i = 0; i < t->search->entry_count; i++) {
        const struct hardware_key *key = &t->search->entries[i].key;

        if (key->gpu == best->place->machine->gpu &&
            key->count == best->place->machine->count && key->machines > best->way.machines &&
            joining_allows(&best->place->join, key->machines) &&
            key->gpus <= t->p->limits.most_gpus && (next == 0 || key->machines < next))
            next = key->machines;
    }
    return next;
}

static bool rule_nodes(const struct thumb *t, struct rule *rule)
{
    struct search_filter filter = {.only = t->best->place, .machines = 1};
    struct plan plan;
    int64_t more = t->best->way.machines > 1 ? t->best->way.machines : more_machines(t);

    if (more == 0) {
        rule->why_not = "machines of this offer cannot be joined";
        return true;
    }
    if (!thumb_find(t, t->search, t->p, &filter, &rule->with, &plan))
        return false;
    filter.machines = more;
    if (!thumb_find(t, t->search, t->p, &filter, &rule->without, &plan))
        return false;
    thumb_name(&rule->with, "one machine");
    thumb_name(&rule->without, "taking %lld machines", (long long)more);
    if (!rule->with.possible) {
        rule->why_not = "it does not fit one machine";
        return true;
    }
    rule->applies = true;
    rule->agrees = t->best->way.machines == 1;
    return true;
}

static bool rule_local(const struct thumb *t, struct rule *rule)
{
    struct search_filter filter = {.markets = 1u << MARKET_OWN};
    struct rule_side own, cloud;
    struct plan plan, ignored;

    if (!thumb_find(t, t->search, t->p, &filter, &own, &plan))
        return false;
    filter.markets = ~(1u << MARKET_OWN);
    if (!thumb_find(t, t->search, t->p, &filter, &cloud, &ignored))
        return false;
    thumb_name(&own, "your own machine");
    thumb_name(&cloud, "the cloud");
    if (!own.possible) {
        rule->why_not = "no machine of your own would do";
        return true;
    }
    rule->applies = plan.work_h < RULE_SHORT_H || plan.work_h > RULE_LONG_H;
    rule->with = plan.work_h < RULE_SHORT_H ? own : cloud;
    rule->without = plan.work_h < RULE_SHORT_H ? cloud : own;
    rule->agrees = (t->best->place->market == MARKET_OWN) == (plan.work_h < RULE_SHORT_H);
    if (!rule->applies)
        rule->why_not = "between one hour and ten it does not apply";
    return true;
}

static bool rule_any(const struct thumb *t, struct rule *rule)
{
    static bool (*const each[RULE_COUNT])(const struct thumb *, struct rule *) = {
        rule_short, rule_one_gpu,   rule_offload, rule_nodes, rule_precision,
        rule_zero,  rule_recompute, rule_batch,   rule_local,
    };
    bool setting = rule->id == RULE_OFFLOAD || rule->id == RULE_PRECISION ||
                   rule->id == RULE_ZERO || rule->id == RULE_RECOMPUTE ||
                   rule->id == RULE_BATCH;

    if (t->best->way.serves || t->p->job->kind != JOB_TRAIN)
        rule->why_not = "it is a rule for training";
    else if (setting && !t->p->job->arch_known)
        rule->why_not = "of the model only a rate is known";
    else
        return each[rule->id](t, rule);
    return true;
}

bool plan_rules(struct search *s, const struct plan_problem *p, const struct plan *best,
                struct arena *arena, struct rule out[static RULE_COUNT], struct error *err)
{
    static const char *const says[RULE_COUNT] = {
        "below an hour: not worth spot",
        "fits one GPU: do not shard",
        "offload rather than more GPUs",
        "one machine where it fits: more only cost more",
        "the narrowest precision that is tolerated",
        "the lowest ZeRO stage that fits",
        "recompute only what does not fit",
        "the largest micro-batch that fits",
        "local below an hour, cloud above ten",
    };
    struct thumb t = {s, p, best, arena->alloc, err};

    for (int i = 0; i < RULE_COUNT; i++) {
        out[i] = (struct rule){.id = (enum rule_id)i,
                               .says = says[i],
                               .with = {.usd = NAN, .hours = NAN},
                               .without = {.usd = NAN, .hours = NAN}};
        if (!rule_any(&t, &out[i]))
            return false;
    }
    return true;
}
