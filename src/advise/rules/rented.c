#include "advise/rules/rented.h"

#include "account/query/charge.h" /* provider_same */

#define LEAST_SHARE 0.95   /* of the price here: what costs more is not worth a move */
#define DISCOUNT_LEAST 0.5 /* a machine of a region that is not listed costs no more than */
#define SAME_PRICE 1.01    /* twice as much elsewhere; prices this near are the same */

bool rented_is_of_type(const struct rented *r, const struct machine *m)
{
    return str_eq_nocase(m->instance, r->instance) && provider_same(m->provider, r->provider) &&
           usd_per_hour_double(m->on_demand) > 0;
}

const struct machine *rented_machine(const struct rented *r, const struct machine *machines,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rented_is_of_type(r, &machines[i]) && str_eq_nocase(machines[i].region, r->region))
            return &machines[i];
    return NULL;
}

/* "eu" of "eu-central-1", "europe" of "europe-west4". */
static bool same_world(struct str a, struct str b)
{
    return str_eq_nocase(str_cut(&a, '-'), str_cut(&b, '-'));
}

static bool is_better_machine(const struct rented *r, const struct machine *m,
                              const struct machine *best)
{
    double price = usd_per_hour_double(m->on_demand), least;

    if (best == NULL)
        return true;
    least = usd_per_hour_double(best->on_demand);
    if (same_world(m->region, r->region) != same_world(best->region, r->region))
        return same_world(m->region, r->region) ? price <= SAME_PRICE * least
                                                : SAME_PRICE * price < least;
    return price < least;
}

const struct machine *cheaper_region(const struct rented *r, const struct machine *machines,
                                     size_t count, day today, double *share)
{
    const struct machine *own = rented_machine(r, machines, count), *best = NULL;
    double here = own != NULL ? usd_per_hour_double(own->on_demand) : r->hourly;

    for (size_t i = 0; i < count; i++) {
        const struct machine *m = &machines[i];

        if (!rented_is_of_type(r, m) || str_eq_nocase(m->region, r->region) ||
            (today.n - m->fact.date.n > RENTED_STALE_DAYS &&
             (own == NULL || own->fact.date.n != m->fact.date.n)))
            continue;
        if (is_better_machine(r, m, best))
            best = m;
    }
    if (best == NULL || !(here > 0))
        return NULL;
    *share = usd_per_hour_double(best->on_demand) / here;
    return *share <= LEAST_SHARE && (own != NULL || *share >= DISCOUNT_LEAST) ? best : NULL;
}
