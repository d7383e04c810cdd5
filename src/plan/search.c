/* What there is to search: machines by kind, and what they can do, worked out as it is
 * asked. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "estimate/model/space.h"
#include "plan/search_internal.h"
#include "plan/trials.h"

/* The questions: the best plan, the front, different ones. Each goes through the hardware in
 * the order of the least that it could cost, and stops where that is more than what was
 * found. */

/* Rounding of money and hours may make a plan this much better than its bound. */
#define ROUNDING (1 - 1e-6)

static bool passes_search_filter(const struct plan_problem *p, const struct search_filter *f,
                                 const struct plan_place *place)
{
    if ((place->bars & ~p->limits.lifted) != 0 || place->price.nano == MONEY_UNKNOWN)
        return false;
    if (f == NULL)
        return true;
    if (f->markets != 0 && (f->markets & 1u << place->market) == 0)
        return false;
    for (size_t i = 0; i < f->without_count; i++)
        if (f->without[i] == place->machine->gpu)
            return false;
    if (f->provider.len > 0 && !str_eq(f->provider, place->machine->provider))
        return false;
    return f->only == NULL || f->only == place;
}

/* USD an hour below which a machine of this place is never paid. */
static double least_place_price(const struct plan_problem *p, const struct plan_place *place)
{
    double price = usd_per_hour_double(place->price);

    if (place->market == MARKET_SPOT && place->machine->on_demand.nano != MONEY_UNKNOWN)
        price = fmin(price, usd_per_hour_double(place->machine->on_demand));
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

/* Of the places of an entry: the least of everything, each in the place where it is least. */
struct least {
    double usd_h, kg_kwh;
    bool any;
};

static struct least least_of_entry(const struct search *s, const struct plan_problem *p,
                                   const struct search_filter *f, const struct entry *e)
{
    struct least least = {INFINITY, INFINITY, false};

    for (size_t i = 0; i < e->place_count; i++) {
        const struct plan_place *place = &s->places[e->places[i]];

        if (!passes_search_filter(p, f, place))
            continue;
        least.any = true;
        least.usd_h = fmin(least.usd_h, least_place_price(p, place));
        least.kg_kwh = fmin(least.kg_kwh, least_carbon(p, place));
    }
    return least;
}

static double score_for_aim(const struct plan_aim *a, double usd_total, double time, double kg)
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
static struct candidate search_bound(const struct search *s, const struct plan_problem *p,
                                     const struct entry *e, const struct least *least,
                                     double hours)
{
    double machine_h = hours * s->runs * (double)e->key.machines;
    double kwh = e->class->bound.joules / JOULES_PER_KWH; /* the least, whatever the hours */
    struct candidate c = {.entry = e,
                          .hours = hours,
                          .time = hours * s->soonest,
                          .usd = machine_h * least->usd_h};

    c.score = score_for_aim(&p->aim, c.usd, c.time, kwh * s->runs * least->kg_kwh) +
              p->aim.value_of_time * c.time * ROUNDING;
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

static int by_search_score(const void *a, const void *b)
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
    const struct entry *last = NULL;
    struct least least = {0};
    size_t count = 0;

    for (size_t i = 0; i < s->entry_count; i++) {
        const struct entry *e = &s->entries[i];
        double hours = s->job->kind == JOB_TRAIN && s->job->arch_known
                           ? e->class->bound.gpu_hours / (double)e->key.gpus
                           : 0;

        if (last == NULL || e->places != last->places || e->place_count != last->place_count) {
            last = e;
            least = least_of_entry(s, p, f, e);
        }
        if (!least.any || !isfinite(hours) || !wanted(s, p, f, e))
            continue;
        if (p->limits.deadline_h > 0 && hours * s->soonest * ROUNDING > p->limits.deadline_h)
            continue;
        s->order[count] = search_bound(s, p, e, &least, hours);
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
        (p->aim.time * more / p->aim.time_unit + p->aim.value_of_time * more) * ROUNDING;
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
        s->counts.lacking += plan_lacks_supply(place, &spread);
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
                                      const struct least *least)
{
    double hours = (double)way->machines * plan_serving_hours(s->job, way);
    struct candidate c = {
        .entry = e,
        .time = way->latency_s,
        .usd = least->usd_h * hours,
    };

    c.score = score_for_aim(&p->aim, c.usd, c.time, 0);
    return c;
}

/* How many serve, only the way says. */
static bool right_size(const struct search_filter *f, const struct way *way)
{
    return f == NULL || ((f->machines == 0 || f->machines == way->machines) &&
                         (f->gpus == 0 || f->gpus == way->gpus));
}

/* What these machines can do, worked out when it is first asked for. */
static bool search_ways(struct search *s, const struct entry *entry, enum ways_aim aim,
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
            ways_train(s->job, s->constants, e->key, aim, found, &counts);
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

static bool visit_entry(struct search *s, const struct plan_problem *p,
                        const struct search_filter *f, const struct entry *e, struct visitor *v,
                        struct error *err)
{
    const struct way *ways;
    size_t count;

    if (!search_ways(s, e, ways_aim_of(p), &ways, &count, err))
        return false;
    for (size_t w = 0; w < count; w++)
        for (size_t i = 0; i < e->place_count; i++) {
            const struct plan_place *place = &s->places[e->places[i]];
            double price = least_place_price(p, place);
            struct least least = {price, 0, true};
            struct candidate bound;

            if (!stop_check(err))
                return false;
            if (!passes_search_filter(p, f, place) ||
                (ways[w].serves && !right_size(f, &ways[w])))
                continue;
            bound = ways[w].serves ? serving_bound(s, p, e, &ways[w], &least)
                                   : search_bound(s, p, e, &least, ways[w].hours);
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
        if (!stop_check(err))
            return false;
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

    if (!visit_all(s, p, filter, &v, candidates(s, p, filter, by_search_score), err))
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
    v->front = arena_grow(v->arena, v->front, v->len, sizeof *v->front, &v->room, err);
    if (v->front == NULL)
        return false;
    v->front[v->len++] = *plan;
    return true;
}

static int by_search_total(const void *a, const void *b)
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
        qsort(v.front, v.len, sizeof *v.front, by_search_total);
    *out = v.front;
    *count = v.len;
    return true;
}

bool search_different(struct search *s, const struct plan_problem *p, size_t most,
                      struct plan *out, size_t *count, struct error *err)
{
    const struct accelerator *without[64];
    struct search_filter filter = {.without = without};
    bool found = true;

    for (*count = 0; *count < most && *count < ARRAY_LEN(without); (*count)++) {
        if (!search_best(s, p, &filter, &out[*count], &found, err))
            return false;
        if (!found)
            break;
        without[filter.without_count++] = out[*count].place->machine->gpu;
    }
    return true;
}

/* ---- the search ---- */

struct search_counts search_count(const struct search *s)
{
    return s->counts;
}

/* A place to be sorted. */
struct ref {
    const struct plan_place *place;
};

static int compare_search_numbers(double a, double b)
{
    return a < b ? -1 : a > b ? 1 : isnan(b) - isnan(a);
}

/* Single machines first; then by the network that joins them, and the numbers they come in. */
static int compare_joining(const struct joining *a, const struct joining *b)
{
    int order = a->joins - b->joins;

    if (order != 0 || !a->joins)
        return order;
    order = compare_search_numbers(a->gb_s, b->gb_s);
    order = order != 0 ? order : compare_search_numbers(a->doubt, b->doubt);
    order = order != 0 ? order : a->sockets - b->sockets;
    order = order != 0 ? order : compare_search_numbers((double)a->step, (double)b->step);
    return order != 0 ? order : compare_search_numbers((double)a->least, (double)b->least);
}

static int compare_plan_places(const void *a, const void *b)
{
    const struct plan_place *x = ((const struct ref *)a)->place;
    const struct plan_place *y = ((const struct ref *)b)->place;
    int order = str_cmp(x->machine->gpu->name, y->machine->gpu->name);

    if (order == 0)
        order =
            x->machine->count < y->machine->count ? -1 : x->machine->count > y->machine->count;
    if (order == 0)
        order = compare_joining(&x->join, &y->join);
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
    qsort(sorted, count, sizeof *sorted, compare_plan_places);
    for (size_t i = 0; i < count; i++) {
        struct class *last = s->class_count > 0 ? &s->classes[s->class_count - 1] : NULL;
        const struct plan_place *place = sorted[i].place;

        index[i] = (uint32_t)(place - s->places);
        if (last == NULL || last->gpu != place->machine->gpu ||
            last->count != place->machine->count) {
            last = &s->classes[s->class_count++];
            *last = (struct class){.gpu = place->machine->gpu,
                                   .count = place->machine->count,
                                   .places = &index[i]};
        }
        last->place_count++;
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

/* Places of a class whose machines are joined by the same network. */
struct group {
    const uint32_t *places;
    size_t place_count;
    struct joining join; /* its supply: the most of any of them */
};

static struct group next_group(const struct search *s, const struct class *c, size_t from)
{
    struct group g = {.places = &c->places[from], .join = s->places[c->places[from]].join};

    for (size_t i = from; i < c->place_count; i++) {
        const struct joining *join = &s->places[c->places[i]].join;

        if (compare_joining(join, &g.join) != 0)
            break;
        g.place_count++;
        if (join->supply > g.join.supply)
            g.join.supply = join->supply;
    }
    return g;
}

/* Put one in, unless they are only counted. */
static size_t add_search_entry(struct search *s, const struct class *c, const struct group *g,
                               int64_t machines, int64_t gpus, bool count_only)
{
    if (!count_only)
        s->entries[s->entry_count++] = (struct entry){.class = c,
                                                      .places = g->places,
                                                      .place_count = g->place_count,
                                                      .key = {.gpu = c->gpu,
                                                              .count = c->count,
                                                              .machines = machines,
                                                              .gpus = gpus,
                                                              .join = g->join}};
    return 1;
}

/* Several machines of one group. */
static size_t entries_of_group(struct search *s, const struct class *c, const struct group *g,
                               int64_t most, bool count_only)
{
    int64_t step = g->join.step;
    size_t n = 0;

    if (!g->join.joins)
        return 0;
    for (int64_t m = step > 1 ? 1 : 2;
         m * step <= g->join.supply && m * step * c->count <= most; m = next_machines(m))
        if (m * step >= g->join.least)
            n += add_search_entry(s, c, g, m * step, m * step * c->count, count_only);
    return n;
}

/* A job that says how many GPUs it has: in the fewest machines. */
static size_t entries_of_fixed(struct search *s, const struct class *c, const struct group *all,
                               int64_t gpus, bool count_only)
{
    int64_t machines = (gpus + c->count - 1) / c->count;
    size_t n = 0;

    if (machines == 1)
        return add_search_entry(s, c, all, 1, gpus, count_only);
    for (size_t from = 0; from < c->place_count;) {
        struct group g = next_group(s, c, from);
        int64_t rented = joining_rented(&g.join, machines);

        if (g.join.joins && rented <= g.join.supply)
            n += add_search_entry(s, c, &g, rented, gpus, count_only);
        from += g.place_count;
    }
    return n;
}

static size_t entries_of(struct search *s, const struct class *c, int64_t most, bool count_only)
{
    bool serves = s->job->kind == JOB_INFER && s->job->arch_known;
    struct group all = {c->places, c->place_count, {.least = 1, .step = 1, .supply = 1}};
    int64_t fixed = space_fixed_gpus(s->job, c->gpu);
    size_t n = 0;

    if (fixed > 0)
        return entries_of_fixed(s, c, &all, fixed, count_only);
    for (int64_t used = 1; !serves && used < c->count; used *= 2)
        n += add_search_entry(s, c, &all, 1, used, count_only);
    if (!serves)
        n += add_search_entry(s, c, &all, 1, c->count, count_only);
    for (size_t from = 0; from < c->place_count;) {
        struct group g = next_group(s, c, from);

        /* How many serve, the rate says. */
        n += serves ? add_search_entry(s, c, &g, 1, c->count, count_only)
                    : entries_of_group(s, c, &g, most, count_only);
        from += g.place_count;
    }
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
    int64_t given = s->job->train.search.parallel;

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
    for (int64_t n = 1; given < 1 && n < trials.count; n *= 2)
        add_parallel(s, &trials, n);
    add_parallel(s, &trials, given > 0 ? given : trials.count);
    return true;
}

/* A job that no card could do: an unknown word, or nothing to do. */
static bool check_plan_job(const struct plan_problem *p, struct error *err)
{
    struct notes *none = NULL;
    struct setup base;

    if (p->job->kind == JOB_INFER || p->place_count == 0)
        return true;
    if (p->job->arch_known) {
        struct hardware hw = {.gpu = p->places[0].machine->gpu, .gpus = 1, .per_node = 1};
        struct error why = {0};

        for (size_t i = 0; i < p->place_count; i++) {
            hw.gpu = p->places[i].machine->gpu;
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
    error_set(err, ERROR_INPUT, "the job has no amount of data to train on");
    error_hint(err, "add data: {tokens: 25M}, or --tokens 25M (--examples 5000)");
    return false;
}

struct search *search_new(const struct plan_problem *p, const struct accelerator *measured,
                          struct arena *arena, struct error *err)
{
    struct search *s = arena_array(arena, struct search, 1, err);

    if (s == NULL || !check_plan_job(p, err))
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
