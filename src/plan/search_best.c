/* The questions: the best plan, the front, different ones. Each goes through the hardware in
 * the order of the least that it could cost, and stops where that is more than what was
 * found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/search_internal.h"

/* Rounding of money and hours may make a plan this much better than its bound. */
#define ROUNDING (1 - 1e-6)

static bool passes(const struct plan_problem *p, const struct search_filter *f,
                   const struct plan_place *place)
{
    if ((place->bars & ~p->limits.lifted) != 0 || place->price.nano == MONEY_UNKNOWN)
        return false;
    if (f == NULL)
        return true;
    if (f->markets != 0 && (f->markets & 1u << place->market) == 0)
        return false;
    for (size_t i = 0; i < f->without_count; i++)
        if (f->without[i] == place->gpu)
            return false;
    return f->only == NULL || f->only == place;
}

/* USD an hour below which a machine of this place is never paid. */
static double least_price(const struct plan_problem *p, const struct plan_place *place)
{
    double price = usd_per_hour_double(place->price);

    if (place->market == PLAN_SPOT && place->on_demand.nano != MONEY_UNKNOWN)
        price = fmin(price, usd_per_hour_double(place->on_demand));
    if (place->owned_hours > 0)
        return 0;
    return p->limits.within_h > 0 && place->prices != NULL ? price * place->prices->least
                                                           : price;
}

static double least_carbon(const struct plan_problem *p, const struct plan_place *place)
{
    double kg = place->carbon_g_kwh / 1000 * place->pue;

    return p->limits.within_h > 0 && place->carbon != NULL ? kg * place->carbon->least : kg;
}

/* Of a class: the least of everything, each in the place where it is least. */
struct least {
    double usd_h, kg_kwh;
    bool any;
};

static struct least least_of(const struct search *s, const struct plan_problem *p,
                             const struct search_filter *f, const struct class *c)
{
    struct least least = {INFINITY, INFINITY, false};

    for (size_t i = 0; i < c->place_count; i++) {
        const struct plan_place *place = &s->places[c->places[i]];

        if (!passes(p, f, place))
            continue;
        least.any = true;
        least.usd_h = fmin(least.usd_h, least_price(p, place));
        least.kg_kwh = fmin(least.kg_kwh, least_carbon(p, place));
    }
    return least;
}

static double score_of(const struct plan_aim *a, double usd_total, double time, double kg)
{
    double score = 0;

    if (a->cost > 0)
        score += a->cost * usd_total / a->cost_unit;
    if (a->time > 0)
        score += a->time * time / a->time_unit;
    if (a->carbon > 0)
        score += a->carbon * kg / a->carbon_unit;
    return score * ROUNDING;
}

/* The best that a plan on these machines could be, when the training takes `hours`. */
static struct candidate bound_of(const struct search *s, const struct plan_problem *p,
                                 const struct entry *e, const struct least *least, double hours)
{
    double machine_h = hours * s->runs * (double)e->key.machines;
    double kwh = e->class->bound.joules / JOULES_PER_KWH; /* the least, whatever the hours */
    struct candidate c = {.entry = e,
                          .hours = hours,
                          .time = hours * s->soonest,
                          .usd = machine_h * least->usd_h};

    c.score = score_of(&p->aim, c.usd, c.time, kwh * s->runs * least->kg_kwh) +
              p->aim.hour_worth * c.time * ROUNDING;
    return c;
}

static bool wanted(const struct search *s, const struct plan_problem *p,
                   const struct search_filter *f, const struct entry *e)
{
    if (s->job->kind == JOB_INFER)
        return true; /* how many, the rate says: right_size() looks */
    if (e->key.gpus > p->limits.most_gpus)
        return false;
    return f == NULL || ((f->machines == 0 || f->machines == e->key.machines) &&
                         (f->gpus == 0 || f->gpus == e->key.gpus));
}

static int by_score(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static int by_usd(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->usd != y->usd)
        return x->usd < y->usd ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Hardware that may hold a plan, in order. */
static size_t candidates(struct search *s, const struct plan_problem *p,
                         const struct search_filter *f,
                         int (*order)(const void *, const void *))
{
    const struct class *last = NULL;
    struct least least = {0};
    size_t count = 0;

    for (size_t i = 0; i < s->entry_count; i++) {
        const struct entry *e = &s->entries[i];
        double hours = s->job->kind == JOB_TRAIN && s->job->arch_known
                           ? e->class->bound.gpu_hours / (double)e->key.gpus
                           : 0;

        if (e->class != last) {
            last = e->class;
            least = least_of(s, p, f, last);
        }
        if (!least.any || !isfinite(hours) || !wanted(s, p, f, e))
            continue;
        if (p->limits.deadline_h > 0 && hours * s->soonest * ROUNDING > p->limits.deadline_h)
            continue;
        s->order[count] = bound_of(s, p, e, &least, hours);
        if (p->limits.budget.nano == MONEY_UNKNOWN ||
            s->order[count].usd * ROUNDING <= usd_double(p->limits.budget))
            count++;
    }
    qsort(s->order, count, sizeof *s->order, order);
    return count;
}

/* What is done with each plan that keeps to the limits. */
struct visitor {
    /* Could a plan with this bound be of use? */
    bool (*hope)(const struct visitor *v, const struct candidate *bound);
    bool (*take)(struct visitor *v, const struct plan *plan, struct error *err);
    struct plan *best; /* of search_best */
    bool found;
    struct plan *front; /* of search_front */
    size_t len, room;
    struct arena *arena;
};

/* With fewer trials at once it takes longer than the bound of all says. */
static struct candidate bound_with(const struct plan_problem *p, struct candidate bound,
                                   double spans)
{
    double more = fmax(0, bound.hours * spans - bound.time);

    bound.time += more;
    bound.score +=
        (p->aim.time * more / p->aim.time_unit + p->aim.hour_worth * more) * ROUNDING;
    return bound;
}

static bool visit_place(struct search *s, const struct plan_problem *p,
                        const struct plan_place *place, const struct way *way,
                        const struct candidate *bound, struct visitor *v, struct error *err)
{
    for (size_t i = 0; i < s->parallel_count; i++) {
        struct way spread = *way;
        struct candidate least = bound_with(p, *bound, way->serves ? 1 : s->spans[i]);
        struct plan plan;

        if (!v->hope(v, &least))
            continue;
        spread.trials_parallel = s->parallels[i];
        if (plan_price(p, place, &spread, &plan) && plan_allowed(p, &plan) &&
            !v->take(v, &plan, err))
            return false;
    }
    return true;
}

static enum ways_aim ways_aim_of(const struct plan_problem *p)
{
    if (!(p->aim.carbon > 0) && isnan(p->limits.max_carbon_kg))
        return WAYS_FAST;
    return p->limits.within_h > 0 ? WAYS_WEEK : WAYS_CLEAN;
}

/* Machines that serve are paid by the month, and answer as fast as they do. */
static struct candidate serving_bound(const struct search *s, const struct plan_problem *p,
                                      const struct entry *e, const struct way *way,
                                      double usd_h)
{
    struct candidate c = {
        .entry = e,
        .time = way->latency_s,
        .usd = usd_h * (double)way->machines * plan_serving_hours(s->job, way),
    };

    c.score = score_of(&p->aim, c.usd, c.time, 0);
    return c;
}

/* How many serve, only the way says. */
static bool right_size(const struct search_filter *f, const struct way *way)
{
    return f == NULL || ((f->machines == 0 || f->machines == way->machines) &&
                         (f->gpus == 0 || f->gpus == way->gpus));
}

static bool visit_entry(struct search *s, const struct plan_problem *p,
                        const struct search_filter *f, const struct entry *e, struct visitor *v,
                        struct error *err)
{
    const struct class *c = e->class;
    const struct way *ways;
    size_t count;

    if (!search_ways(s, e, ways_aim_of(p), &ways, &count, err))
        return false;
    for (size_t w = 0; w < count; w++)
        for (size_t i = 0; i < c->place_count; i++) {
            const struct plan_place *place = &s->places[c->places[i]];
            struct least least = {least_price(p, place), 0, true};
            struct candidate bound;

            if (!passes(p, f, place) || (ways[w].serves && !right_size(f, &ways[w])))
                continue;
            bound = ways[w].serves ? serving_bound(s, p, e, &ways[w], least.usd_h)
                                   : bound_of(s, p, e, &least, ways[w].hours);
            if (!v->hope(v, &bound))
                continue;
            if (!visit_place(s, p, place, &ways[w], &bound, v, err))
                return false;
        }
    return true;
}

static bool visit_all(struct search *s, const struct plan_problem *p,
                      const struct search_filter *f, struct visitor *v, size_t count,
                      struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (!v->hope(v, &s->order[i])) {
            s->counts.skipped++;
            continue;
        }
        if (!visit_entry(s, p, f, s->order[i].entry, v, err))
            return false;
    }
    return true;
}

static bool hope_best(const struct visitor *v, const struct candidate *bound)
{
    return !v->found || bound->score <= v->best->score;
}

static bool take_best(struct visitor *v, const struct plan *plan, struct error *err)
{
    (void)err;
    if (!v->found || plan_better(plan, v->best))
        *v->best = *plan;
    v->found = true;
    return true;
}

bool search_best(struct search *s, const struct plan_problem *p,
                 const struct search_filter *filter, struct plan *out, bool *found,
                 struct error *err)
{
    struct visitor v = {.hope = hope_best, .take = take_best, .best = out};

    if (!visit_all(s, p, filter, &v, candidates(s, p, filter, by_score), err))
        return false;
    *found = v.found;
    return true;
}

static bool hope_front(const struct visitor *v, const struct candidate *bound)
{
    for (size_t i = 0; i < v->len; i++)
        if (usd_double(v->front[i].total.expected) < bound->usd * ROUNDING &&
            v->front[i].time < bound->time * ROUNDING)
            return false;
    return true;
}

/* Does a leave no room for b: as good in cost and time, and not just as good but later in
 * order? */
static bool beats(const struct plan *a, const struct plan *b)
{
    int cost = usd_compare(a->total.expected, b->total.expected);

    if (cost > 0 || a->time > b->time)
        return false;
    return cost < 0 || a->time < b->time || !plan_better(b, a);
}

static bool take_front(struct visitor *v, const struct plan *plan, struct error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < v->len; i++)
        if (beats(&v->front[i], plan))
            return true;
    for (size_t i = 0; i < v->len; i++)
        if (!beats(plan, &v->front[i]))
            v->front[kept++] = v->front[i];
    v->len = kept;
    if (v->len == v->room) {
        size_t room = v->room > 0 ? 2 * v->room : 32;
        struct plan *more = arena_array(v->arena, struct plan, room, err);

        if (more == NULL)
            return false;
        if (v->len > 0)
            memcpy(more, v->front, v->len * sizeof *more);
        v->front = more;
        v->room = room;
    }
    v->front[v->len++] = *plan;
    return true;
}

static int by_total(const void *a, const void *b)
{
    const struct plan *x = a, *y = b;

    return usd_compare(x->total.expected, y->total.expected);
}

bool search_front(struct search *s, const struct plan_problem *p,
                  const struct search_filter *filter, struct plan **out, size_t *count,
                  struct error *err)
{
    struct visitor v = {.hope = hope_front, .take = take_front, .arena = s->arena};

    if (!visit_all(s, p, filter, &v, candidates(s, p, filter, by_usd), err))
        return false;
    if (v.len > 1)
        qsort(v.front, v.len, sizeof *v.front, by_total);
    *out = v.front;
    *count = v.len;
    return true;
}

bool search_different(struct search *s, const struct plan_problem *p, size_t most,
                      struct plan *out, size_t *count, struct error *err)
{
    const struct accelerator *without[32];
    struct search_filter filter = {.without = without};
    bool found = true;

    for (*count = 0; *count < most && *count < ARRAY_LEN(without); (*count)++) {
        if (!search_best(s, p, &filter, &out[*count], &found, err))
            return false;
        if (!found)
            break;
        without[filter.without_count++] = out[*count].place->gpu;
    }
    return true;
}
