/* gpus.h - accelerators, and the lowest prices for one of each. */
#ifndef MARKET_GPUS_H
#define MARKET_GPUS_H

#include "market/select.h"

/* The lowest price for one accelerator, which may be in a larger machine. */
struct gpu_price {
    usd_per_hour price;  /* of one; unknown: there is none */
    usd_per_hour ranked; /* what it counts for: with its premium (price_trust) */
    struct str offer;
    int64_t count; /* accelerators in that machine */
    day date;
    int64_t days; /* how old it is */
};

struct gpu_facts {
    struct accelerator gpu;
    int64_t offers; /* that have it */
    struct gpu_price cheapest;
    struct gpu_price cheapest_spot; /* only where it is below that machine's on-demand price */
};

extern const struct field_set gpu_facts_fields;

/* The accelerator with its lowest prices among machines that market_select() selected. */
struct gpu_facts gpu_facts(const struct accelerator *gpu, const struct machine *machines,
                           size_t count);

/* Of machines that market_select() selected for that market the one whose GPUs cost least, of
 * those with as many GPUs or more; of any when there are none. `provider`: empty: any. Outliers
 * do not count. NULL when nothing is sold. */
const struct machine *market_cheapest_gpus(const struct machine *machines, size_t count,
                                           enum market market, int64_t gpus,
                                           struct str provider);

/* What one GPU of a machine costs in that market, in dollars. */
double market_gpu_price(const struct machine *machine, enum market market);

/* Likewise the cheapest with a commitment of so many months, by the middle of its discount
 * (needs TABLE_COMMITMENTS), the terms of which `terms` is set to. */
const struct machine *market_cheapest_reserved(const struct catalog *catalog,
                                               const struct machine *machines, size_t count,
                                               int64_t months, int64_t gpus,
                                               const struct commitment **terms);

/* By "memory", "bf16" or "year", the most first, by "price", the lowest first, or by "name". */
void gpu_facts_sort(struct gpu_facts *gpus, size_t count, struct str by);

/* The other names that mean an accelerator (needs TABLE_NAMES). */
bool gpu_other_names(const struct catalog *catalog, struct str name, struct arena *arena,
                     struct strs *out, struct error *err) MUST_USE;

#endif
