#include "advise/rules/billed.h"

#include <math.h>

#include "advise/rules/spot_place.h"
#include "base/characters.h"
#include "base/map.h"
#include "estimate/kernels/relative.h"

#define STEADY_SHARE 0.6 /* of the period's hours: such a machine is to be committed to */
#define NEWER_MOST 0.9   /* of the cost, at worst: less is not worth a change */
#define OLD_YEARS 8      /* of a GPU: clouds call what is older the previous generations */
#define NAMES_MAX 4096
#define NAMES_MOST 4
#define TYPES_MAX 256

/* What is known of a machine type in a region: many machines are of one. */
struct billed_type {
    struct str provider, region, instance;
    const struct machine *own; /* NULL: its prices are not known */
    const struct machine *region_best, *newer;
    double region_share;       /* of the price */
    struct relative_time time; /* with the newer GPU */
    struct interruption_model model;
};

struct billed {
    const struct billed_market *market;
    struct arena *arena;
    struct billed_type types[TYPES_MAX];
    size_t type_count;
    double hours; /* of the period */
    struct buf names[BILLED_WAYS];
};

/* ---- types ---- */

static const struct accelerator *billed_gpu(const struct billed *b, const struct machine *m)
{
    enum name_match match;

    return m->accelerator.len > 0
               ? accelerator_search(b->market->catalog, m->accelerator, &match)
               : NULL;
}

/* As many GPUs of a later year with as much memory, and a machine that is no less than half. */
static bool is_newer(const struct billed *b, const struct machine *from,
                     const struct accelerator *gpu, const struct machine *to,
                     struct relative_time *time)
{
    const struct accelerator *other = billed_gpu(b, to);

    return other != NULL && other->year > gpu->year && str_eq(other->vendor, gpu->vendor) &&
           other->memory_gb >= gpu->memory_gb && to->count == from->count &&
           str_eq(to->provider, from->provider) && str_eq(to->region, from->region) &&
           usd_per_hour_double(to->on_demand) > 0 && to->vcpus >= from->vcpus / 2 &&
           to->memory_gib >= from->memory_gib / 2 && relative_time(gpu, other, NAN, time);
}

static void find_newer(const struct billed *b, struct billed_type *t)
{
    const struct accelerator *gpu = billed_gpu(b, t->own);
    double least = NEWER_MOST;
    int year, month, date;

    day_split(b->market->today, &year, &month, &date);
    if (gpu == NULL || year - gpu->year <= OLD_YEARS)
        return;
    for (size_t i = 0; i < b->market->count; i++) {
        struct relative_time time;
        double worst;

        if (!is_newer(b, t->own, gpu, &b->market->machines[i], &time))
            continue;
        worst = usd_per_hour_double(b->market->machines[i].on_demand) * time.high /
                usd_per_hour_double(t->own->on_demand);
        if (worst < least) {
            least = worst;
            t->newer = &b->market->machines[i];
            t->time = time;
        }
    }
}

static const struct billed_type *billed_type_of(struct billed *b, const struct rented *r)
{
    struct billed_type *t;

    for (size_t i = 0; i < b->type_count; i++)
        if (str_eq_nocase(b->types[i].instance, r->instance) &&
            str_eq_nocase(b->types[i].region, r->region) &&
            str_eq_nocase(b->types[i].provider, r->provider))
            return &b->types[i];
    if (b->type_count == TYPES_MAX)
        return NULL;
    t = &b->types[b->type_count++];
    *t = (struct billed_type){r->provider, r->region, r->instance,
                              .own = rented_machine(r, b->market->machines, b->market->count)};
    t->region_best = cheaper_region(r, b->market->machines, b->market->count, b->market->today,
                                    &t->region_share);
    if (t->own == NULL)
        return t;
    t->model = interruption_model(b->market->catalog, t->own->provider);
    find_newer(b, t);
    return t;
}

/* ---- what a machine would cost ---- */

/* It is on for some hours or days: whatever it does begins and ends, and is worth saving.
 * In another region half of it at least, as region_saving(). */
static struct saving billed_spot_saving(const struct billed *b, const struct billed_type *t,
                                        const struct rented *rented,
                                        const struct reconcile_resource *r, double cost,
                                        const struct machine **elsewhere)
{
    double session = r->days > 0 ? fmin(24, r->hours / (double)r->days) : 0;
    struct spot_place at;
    struct saving s;

    if (t->own == NULL || r->hours >= STEADY_SHARE * b->hours)
        return (struct saving){0};
    at = cheapest_spot(rented, b->market->machines, b->market->count, b->market->today,
                       &t->model, session);
    if (at.machine == NULL)
        return (struct saving){0};
    s = (struct saving){
        cost * (1 - at.share * (1 + at.losses_high * SPOT_RESTART_HOURS / session)),
        cost * (1 - at.share * (1 + at.losses * SPOT_RESTART_HOURS / session)),
        cost * (1 - at.share * (1 + at.losses_low * SPOT_RESTART_HOURS / session))};
    if (at.elsewhere) {
        *elsewhere = at.machine;
        s.low = fmin(s.low, s.mid / 2);
    }
    return s.mid > 0 ? (struct saving){fmax(0, s.low), s.mid, s.high} : (struct saving){0};
}

static struct saving newer_saving(const struct billed_type *t, double cost)
{
    double price;

    if (t->newer == NULL)
        return (struct saving){0};
    price = usd_per_hour_double(t->newer->on_demand) / usd_per_hour_double(t->own->on_demand);
    return (struct saving){cost * (1 - price * t->time.high),
                           cost * (1 - price * t->time.expected),
                           cost * (1 - price * t->time.low)};
}

/* Half of it at least: data may have to be copied. */
static struct saving region_saving(const struct billed_type *t, double cost)
{
    double saved = t->region_best != NULL ? cost * (1 - t->region_share) : 0;

    return (struct saving){saved / 2, saved, saved};
}

/* 50 of 168 hours of a week, when it is on day and night. */
static struct saving nights_saving(const struct reconcile_resource *r, double cost)
{
    if (!advise_is_notebook(r) || r->days < 7 || r->hours < 23 * (double)r->days)
        return (struct saving){0};
    return (struct saving){cost / 2, cost * (1 - 50 / 168.0), cost};
}

static void name_billed_machine(const struct reconcile_resource *r, const struct machine *to,
                                double cost, struct buf *out)
{
    struct str name = r->machine.name.len > 0 ? r->machine.name : r->machine.resource;

    buf_adds(out, out->len > 0 ? ", " : "");
    buf_add(out, name);
    buf_addf(out, " (%.*s in %.*s, ", STR_ARG(r->machine.instance), STR_ARG(r->machine.region));
    usd_write(usd_about(cost), out);
    if (to != NULL)
        buf_addf(out, "; %.*s in %.*s", STR_ARG(to->instance), STR_ARG(to->region));
    buf_char(out, ')');
}

/* The way that saves most of it; BILLED_WAYS: none does. */
static int best_billed_way(struct billed *b, const struct reconcile_resource *r,
                           struct saving *saving, const struct machine **other)
{
    double cost = decimal_double(r->rest);
    struct rented rented = {r->machine.provider, r->machine.region, r->machine.instance,
                            cost / r->hours};
    const struct billed_type *t = billed_type_of(b, &rented);
    struct saving all[BILLED_WAYS];
    const struct machine *to[BILLED_WAYS] = {NULL};
    int best = 0;

    if (t == NULL)
        return BILLED_WAYS;
    all[BILLED_SPOT] = billed_spot_saving(b, t, &rented, r, cost, &to[BILLED_SPOT]);
    all[BILLED_REGION] = region_saving(t, cost);
    all[BILLED_NEWER] = newer_saving(t, cost);
    all[BILLED_NIGHTS] = nights_saving(r, cost);
    to[BILLED_REGION] = t->region_best;
    to[BILLED_NEWER] = t->newer;
    for (int i = 1; i < BILLED_WAYS; i++)
        best = all[i].mid > all[best].mid ? i : best;
    *saving = all[best];
    *other = to[best];
    return all[best].mid > 0.01 * cost ? best : BILLED_WAYS;
}

static void take_billed_machine(struct billed *b, const struct reconcile_resource *r,
                                struct advise_bills *out)
{
    double cost = decimal_double(r->rest);
    const struct machine *other;
    struct saving saving;
    int best = best_billed_way(b, r, &saving, &other);
    struct advise_billed *way = &out->billed[best];

    if (best == BILLED_WAYS)
        return;
    way->machines++;
    way->hours += r->hours;
    way->cost += cost;
    way->saving.low += saving.low;
    way->saving.mid += saving.mid;
    way->saving.high += saving.high;
    if (way->machines <= NAMES_MOST)
        name_billed_machine(r, other, cost, &b->names[best]);
}

/* ---- all of them ---- */

/* On demand, in dollars, and nothing is recorded in its account that says what it is for. */
static bool is_unrecorded(const struct reconcile_resource *r)
{
    return r->runs == 0 && !(r->watched > 0) && r->hours > 0 &&
           currency_is(r->currency, currency_usd) && decimal_double(r->rest) > 0 &&
           r->machine.market == RECONCILE_ON_DEMAND && !advise_is_service(r);
}

static bool keep_names(struct billed *b, struct advise_bills *out, struct error *err)
{
    bool ok = true;

    for (int i = 0; i < BILLED_WAYS; i++)
        if (ok)
            ok = buf_keep(&b->names[i], b->arena, &out->billed[i].names, err);
        else
            buf_free(&b->names[i]);
    return ok;
}

static void move_money(const struct advise_bills *from, struct advise_money *rest)
{
    static const enum advise_part parts[BILLED_WAYS] = {[BILLED_SPOT] = PART_FOR_SPOT,
                                                        [BILLED_REGION] = PART_FOR_REGION,
                                                        [BILLED_NEWER] = PART_FOR_NEWER,
                                                        [BILLED_NIGHTS] = PART_FOR_NIGHTS};

    for (int i = 0; i < BILLED_WAYS; i++) {
        double cost = fmin(from->billed[i].cost * from->scale, rest->part[PART_UNUSED]);

        rest->part[parts[i]] += cost;
        rest->part[PART_UNUSED] -= cost;
    }
}

bool advise_billed_any(const struct reconciliation *bills)
{
    const struct reconcile_resource *all = bills->resources.at;

    for (size_t i = 0; i < bills->resources.len; i++)
        if (is_unrecorded(&all[i]))
            return true;
    return false;
}

/* NULL with the error set. */
static struct billed *open_billed(const struct billed_market *market, double hours,
                                  struct arena *arena, struct error *err)
{
    struct billed *b = arena_array(arena, struct billed, 1, err);

    if (b == NULL)
        return NULL;
    b->market = market;
    b->arena = arena;
    b->hours = hours;
    for (int i = 0; i < BILLED_WAYS; i++)
        b->names[i] = buf_new(arena->alloc, NAMES_MAX);
    return b;
}

bool advise_billed_take(const struct reconciliation *bills, const struct billed_market *market,
                        double hours, struct arena *arena, struct advise_facts *facts,
                        struct error *err)
{
    const struct reconcile_resource *all = bills->resources.at;
    struct billed *b = open_billed(market, hours, arena, err);

    if (b == NULL)
        return false;
    for (size_t i = 0; i < bills->resources.len; i++)
        if (is_unrecorded(&all[i]))
            take_billed_machine(b, &all[i], &facts->bills);
    if (!keep_names(b, &facts->bills, err))
        return false;
    move_money(&facts->bills, &facts->rest);
    return true;
}

static bool add_id(struct arena *arena, struct str id, struct map *ids, struct error *err)
{
    struct buf text = buf_new(arena->alloc, NAMES_MAX);
    struct str key;

    for (size_t i = 0; i < id.len; i++)
        buf_char(&text, to_lower(id.at[i]));
    return buf_keep(&text, arena, &key, err) && map_add(ids, key, NULL, err) != NULL;
}

bool advise_billed_moves(const struct reconciliation *bills, const struct billed_market *market,
                         double hours, struct arena *arena, struct map *ids, struct error *err)
{
    const struct reconcile_resource *all = bills->resources.at;
    struct billed *b = open_billed(market, hours, arena, err);

    for (size_t i = 0; b != NULL && i < bills->resources.len; i++) {
        const struct machine *other;
        struct saving saving;

        if (is_unrecorded(&all[i]) &&
            best_billed_way(b, &all[i], &saving, &other) != BILLED_WAYS && saving.low > 0 &&
            !add_id(arena, all[i].machine.resource, ids, err))
            return false;
    }
    return b != NULL;
}
