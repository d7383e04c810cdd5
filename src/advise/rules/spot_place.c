#include "advise/rules/spot_place.h"

#define SIGMAS 1.2816    /* of a normal distribution: 80 % lie within */
#define LEAST_SHARE 0.90 /* of the cost here: what costs more is not worth a move */

static struct spot_place spot_place_at(const struct machine *own, const struct machine *m,
                                       const struct interruption_model *model, double hours)
{
    double spot = usd_per_hour_double(m->spot);
    double share = spot / usd_per_hour_double(m->on_demand);

    return (struct spot_place){
        .machine = m,
        .share = spot / usd_per_hour_double(own->on_demand),
        .losses = interruption_hazard(model, share, hours, 0),
        .losses_low = interruption_hazard(model, share, hours, -SIGMAS),
        .losses_high = interruption_hazard(model, share, hours, SIGMAS),
        .elsewhere = !str_eq_nocase(m->region, own->region),
    };
}

static double spot_cost_at(const struct spot_place *p, double hours)
{
    return p->share * (1 + p->losses * SPOT_RESTART_HOURS / hours) *
           (p->elsewhere ? 1 / LEAST_SHARE : 1);
}

static bool is_spot_region(const struct rented *r, const struct machine *own,
                           const struct machine *m, day today)
{
    return m->spot.nano != MONEY_UNKNOWN && usd_per_hour_double(m->spot) > 0 &&
           (m == own || (rented_is_of_type(r, m) &&
                         today.n - machine_price_date(m, MARKET_SPOT).n <= RENTED_STALE_DAYS));
}

struct spot_place cheapest_spot(const struct rented *rented, const struct machine *machines,
                                size_t count, day today, const struct interruption_model *model,
                                double hours)
{
    const struct machine *own = rented_machine(rented, machines, count);
    struct spot_place best = {0};

    if (own == NULL || model->basis == BASIS_NONE || !(hours > 0))
        return best;
    for (size_t i = 0; i < count; i++) {
        struct spot_place place;

        if (!is_spot_region(rented, own, &machines[i], today))
            continue;
        place = spot_place_at(own, &machines[i], model, hours);
        if (best.machine == NULL || spot_cost_at(&place, hours) < spot_cost_at(&best, hours))
            best = place;
    }
    return best;
}
