/* skypilot.h - what the readers of SkyPilot's catalogs and of their change logs share: what its
 * names mean, and where its zones are.
 */
#ifndef FEED_SKYPILOT_H
#define FEED_SKYPILOT_H

#include "feed/feed.h"

/* What a row has about the accelerators of a machine. */
struct sky_device {
    struct str provider, instance;
    struct str name;   /* "A100-80GB", "tpu-v4-8" */
    struct str detail; /* the card's name in GpuInfo; may be empty */
    struct str
        upstream; /* what the cloud that it is rented from calls the machine; may be empty */
    double count;
    double memory_gib; /* of one; NaN when not given */
};

/* Which accelerators these are: `accelerator` gets the catalog's name, or the row's own when
 * the catalog has none; `count` becomes the chips of a TPU slice, and what the catalog knows of
 * a machine that the row counts wrongly. */
void sky_accelerator(struct feed_known *known, struct sky_device *device,
                     struct str *accelerator);

/* "tpu-v5p-128": its name is a machine of its own. */
bool sky_is_tpu(struct str name);

/* Where a change log's place is. */
struct sky_place {
    struct str region, zone; /* the zone is empty when the place is a region */
    char room[64];           /* holds a region that the text does not spell */
};

void sky_place_of(struct str provider, struct str text, struct sky_place *place);

/* A zone without the part that differs between accounts ("bxtG:" of Oracle's). */
struct str sky_zone(struct str provider, struct str zone);

/* The price in a cell; an empty one means that there is none. False when it is not a price. */
bool sky_price(struct str cell, int64_t *nano) MUST_USE;

/* The price of a machine: vast writes "0.00" where there is no spot, and no one gives
 * them away. */
int64_t sky_sold(int64_t nano);

/* Of one that is sold by auction, or that is too cheap to be sold: where bids start. */
unsigned sky_flags(struct str provider, double count, const int64_t price[MARKET_COUNT]);

#endif
