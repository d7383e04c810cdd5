#include "market/spot_candidates.h"

#include <stdlib.h>

#include "market/offers.h"

static int compare_spot_candidates(const void *a, const void *b)
{
    const struct spot_candidate *x = a, *y = b;
    bool x_doubted = choose_doubted(x->spot.doubts), y_doubted = choose_doubted(y->spot.doubts);

    if (x_doubted != y_doubted)
        return x_doubted ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->offer > y->offer) - (x->offer < y->offer); /* ties: by name */
}

/* The on-demand price of a zone is often known for its region only, or not at all: then it is
 * that of the machine in the region, which may be built in. */
static struct price_now region_on_demand(const struct market_view *view,
                                         const struct store_offer *same, size_t count)
{
    struct price_now best = {.series = SIZE_MAX, .price = USD_PER_HOUR_UNKNOWN};
    const struct machine *known;

    for (size_t i = 0; i < count && best.price.nano == MONEY_UNKNOWN; i++)
        best = price_now(view, &same[i], MARKET_ON_DEMAND);
    if (best.price.nano != MONEY_UNKNOWN)
        return best;
    known = market_offer_find(&view->catalog->tables[TABLE_OFFERS], same->provider,
                              same->region, same->instance);
    if (known != NULL && known->list_on_demand.nano > 0)
        best.price = known->list_on_demand;
    else if (known != NULL)
        best.price = known->on_demand;
    return best;
}

bool spot_candidates_find(const struct market_view *view, const struct truster *truster,
                          const struct store_offer *offers, size_t count, bool per_machine,
                          struct spot_candidates *out, struct error *err)
{
    *out = (struct spot_candidates){
        .at = arena_array(view->arena, struct spot_candidate, count, err)};
    if (out->at == NULL)
        return false;
    for (size_t i = 0; i < count;) {
        size_t same = zones_same_machine(offers + i, count - i);
        struct price_now region = region_on_demand(view, offers + i, same);

        for (size_t k = i; k < i + same; k++) {
            struct spot_candidate c = {.offer = &offers[k],
                                       .machine = out->machines,
                                       .spot = price_now(view, &offers[k], MARKET_SPOT)};

            currency_notes_missing(&out->notes, c.spot.foreign);
            if (c.spot.price.nano == MONEY_UNKNOWN || !(offers[k].count > 0))
                continue;
            c.on_demand = price_now(view, &offers[k], MARKET_ON_DEMAND);
            if (c.on_demand.price.nano == MONEY_UNKNOWN)
                c.on_demand = region;
            c.trust = truster_judge(truster, &offers[k], c.spot.series, c.spot.price,
                                    c.spot.seen, MARKET_SPOT);
            c.spot.doubts |= c.trust.outlier ? DOUBT_PEERS : 0;
            c.discounted = price_discount(view, &offers[k], &c.on_demand, &c.spot);
            c.rank = (double)c.spot.price.nano * (1 + c.trust.premium) /
                     (per_machine ? 1 : offers[k].count);
            out->at[out->count++] = c;
        }
        out->machines++;
        i += same;
    }
    qsort(out->at, out->count, sizeof out->at[0], compare_spot_candidates);
    return true;
}
