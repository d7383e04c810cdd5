/* fleet.h - machines of several pools (zone and type), so that not all are lost at once.
 *
 * A pool that is interrupted within the horizon takes all of its machines: one zone's machines
 * of one type go together, as they were given. Pools fail together at two levels: all of a
 * family (one provider's machines with one GPU, anywhere) and all of a group (those in one
 * region). A share of the least risk among them is a shock that takes all: what is left of
 * each pool's risk is its own. In traces that were watched at the same time that share was 0.2
 * to 0.5 between regions and 0.7 to 1 within one.
 */
#ifndef SPOT_FLEET_H
#define SPOT_FLEET_H

#include "spot/source.h"

enum { FLEET_POOLS_MAX = 64, FLEET_UNITS_MAX = 512 };

#define FLEET_TOGETHER_FAMILY 0.3
#define FLEET_TOGETHER_GROUP 0.7

struct fleet_pool {
    double price;         /* USD an hour for one machine */
    double risk;          /* of losing it within the horizon; 0 on demand */
    int64_t units;        /* of capacity in one machine: GPUs */
    int64_t most;         /* machines that are available; 0: any number */
    size_t family, group; /* any numbers: the same is the same */
};

struct fleet_wish {
    int64_t capacity;  /* units */
    double lost_share; /* a loss of more than this share of the capacity is the bad case */
    double max_risk;   /* chance of the bad case within the horizon; NaN: any */
    double max_lost;   /* expected share of the capacity lost; NaN: any */
    /* What replaces a pool that is lost (for half of the horizon on average): machines on
     * demand of so many units, USD an hour for one; NaN: nothing does. */
    double replace;
    int64_t replace_units;
};

struct fleet_choice {
    int64_t count[FLEET_POOLS_MAX]; /* machines of each pool */
    int64_t units;                  /* in all: the capacity or a little more */
    double price;                   /* USD an hour at first */
    double expected;                /* USD an hour with replacements */
    double risk;                    /* of losing more than the share */
    double lost;                    /* share of the capacity, on average */
    bool exact;                     /* no other choice is cheaper; else none was found */
};

/* The cheapest choice that keeps to the wish; ties go to the earlier pools. ERROR_UNFIT when
 * none does. `scratch` is for work memory. */
bool fleet_choose(const struct fleet_pool *pools, size_t count, const struct fleet_wish *wish,
                  struct arena *scratch, struct fleet_choice *out, struct error *err) MUST_USE;

/* Price, expected cost and risks of a given choice (`count` is read, the rest is filled in). */
bool fleet_measure(const struct fleet_pool *pools, size_t count, const struct fleet_wish *wish,
                   struct arena *scratch, struct fleet_choice *choice,
                   struct error *err) MUST_USE;

/* ---- of offers ---- */

struct fleet_ask {
    struct fleet_wish wish;
    usd_per_hour max_price; /* of one machine, in any market; unknown: any */
    bool no_on_demand;
    const struct catalog *catalog; /* TABLE_NETWORKS; NULL: any number is available */
    struct strs supply;            /* OFFER=MACHINES of the user's */
};

/* Machines of one pool. */
struct fleet_row {
    struct str offer, accelerator;
    enum market market;
    int64_t machines;
    double gpus, risk;
    double history_days, span_days;   /* that the risk was observed, of struct spot_offer */
    usd_per_hour price, per_gpu, sum; /* of one; of all of them */
};

struct fleet {
    struct rows pools; /* struct fleet_row, cheapest first */
    int64_t gpus, candidates;
    double hours; /* within which the risks are */
    usd_per_hour price, expected, on_demand;
    double saving, risk, lost_share, lost;
    bool exact;
};

extern const struct field_set fleet_fields;

/* The cheapest machines of the offers (struct spot_offer with a risk) for the wanted GPUs; sets
 * all but `hours` and `lost_share`. ERROR_UNFIT when none is good enough. */
bool fleet_offers(const struct fleet_ask *ask, struct rows offers,
                  const struct messages *messages, struct arena *arena, struct fleet *out,
                  struct error *err) MUST_USE;

/* Does the offer cost at most so much, on spot and on demand? Its price must be sound. */
bool fleet_passes_spot(const struct spot_offer *offer, usd_per_hour max_price);
bool fleet_passes_on_demand(const struct spot_offer *offer, usd_per_hour max_price);

#endif
