/* Rules of thumb, each held against what is computed. */
#include "plan/rules.h"

#include <math.h>
#include <stdarg.h>

#include "plan/rules_internal.h"
#include "plan/search_internal.h"

void thumb_name(struct rule_side *side, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(side->name, sizeof side->name, fmt, args);
    va_end(args);
}

struct plan_problem thumb_free(const struct plan_problem *p)
{
    struct plan_problem q = *p;

    q.limits.budget = USD_UNKNOWN;
    q.limits.deadline_h = q.limits.max_risk = q.limits.max_carbon_kg = NAN;
    q.limits.least_gpus = 0;
    return q;
}

bool thumb_find(const struct thumb *t, struct search *s, const struct plan_problem *p,
                const struct search_filter *filter, struct rule_side *out, struct plan *plan)
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

static bool rule_short(const struct thumb *t, struct rule *rule)
{
    struct plan_problem p = *t->p;
    struct search_filter filter = {.markets = 1u << PLAN_SPOT};
    struct rule_side on_spot, other;
    struct plan plan, spot;
    bool is_short, stays;

    p.limits.lifted |= BAR_MARKET;
    if (!thumb_find(t, t->search, &p, &filter, &on_spot, &spot))
        return false;
    filter.markets = 1u << PLAN_ON_DEMAND;
    if (!thumb_find(t, t->search, &p, &filter, &other, &plan))
        return false;
    thumb_name(&on_spot, "spot");
    thumb_name(&other, "on demand");
    if (!on_spot.possible || !other.possible) {
        rule->why_not = on_spot.possible ? "nothing can be had on demand"
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

        if (key->gpu == best->place->gpu && key->count == best->place->count &&
            key->machines > best->way.machines && key->machines <= best->place->capacity &&
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
    struct search_filter filter = {.markets = 1u << PLAN_OWN};
    struct rule_side own, cloud;
    struct plan plan, ignored;

    if (!thumb_find(t, t->search, t->p, &filter, &own, &plan))
        return false;
    filter.markets = ~(1u << PLAN_OWN);
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
    rule->agrees = (t->best->place->market == PLAN_OWN) == (plan.work_h < RULE_SHORT_H);
    if (!rule->applies)
        rule->why_not = "between one hour and ten it says nothing";
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
