/* gcp.h - Google's prices of parts, put together into prices of machines.
 *
 * The Cloud Billing catalog has no machines: it prices vCPUs, memory, accelerators and local
 * disks, each for a market and some regions, in any order and on several pages. So parts are
 * collected first, from all pages, and machines come out at the end:
 *
 *     struct gcp_parts *parts = gcp_parts_new(alloc, err);
 *     for each page: gcp_parts_add(parts, &feed, err);
 *     gcp_parts_give(parts, &feed, err);
 *     gcp_parts_free(parts);
 *
 * feed_gcp.read does all of that for one input, in which pages may follow one another.
 */
#ifndef FEED_GCP_H
#define FEED_GCP_H

#include "feed/feed.h"

/* What is priced. Cores and memory of one series are next to each other. */
enum gcp_part {
    PART_N1_CORE,
    PART_N1_RAM,
    PART_A2_CORE,
    PART_A2_RAM,
    PART_A3_CORE,
    PART_A3_RAM,
    PART_A3_MEGA_CORE,
    PART_A3_MEGA_RAM,
    PART_A3_ULTRA_CORE,
    PART_A3_ULTRA_RAM,
    PART_G2_CORE,
    PART_G2_RAM,
    PART_G4_CORE,
    PART_G4_RAM,
    PART_T4,
    PART_P4,
    PART_P100,
    PART_V100,
    PART_K80,
    PART_L4,
    PART_A100_40GB,
    PART_A100_80GB,
    PART_H100,
    PART_H100_MEGA,
    PART_H200,
    PART_B200_SLICE, /* an eighth of a machine, all of it */
    PART_RTX_PRO_6000,
    PART_LOCAL_SSD, /* of one GiB */
    PART_COUNT,
};

/* The part and the market that an SKU is about, by its description and `usageType`. False when
 * it is neither a part of a machine with accelerators nor of a market of ours. */
bool gcp_sku(struct str description, struct str usage, enum gcp_part *part,
             enum market *market);

/* How many of each part a machine has, in 1/1024: of memory and disks GiB. */
struct gcp_recipe {
    int64_t core, ram, gpu, ssd;
    enum gcp_part core_part, gpu_part; /* memory is the part after the cores */
};

/* A machine type's recipe; false when its price is not made of these parts. */
bool gcp_recipe(const struct machine *machine, struct gcp_recipe *out);

/* Machine types that the catalog has no offer of. */
extern const struct machine gcp_more_machines[];
extern const size_t gcp_more_machine_count;

#define GCP_MOST_REGIONS 512

struct gcp_parts;

/* NULL with the error set when memory runs out. */
struct gcp_parts *gcp_parts_new(const struct alloc *alloc, struct error *err) MUST_USE;
void gcp_parts_free(struct gcp_parts *parts); /* NULL is fine */

/* Read a page: its parts are added, and `feed->summary->next` is the token of the page after
 * it. */
bool gcp_parts_add(struct gcp_parts *parts, const struct feed_reading *feed,
                   struct error *err) MUST_USE;

/* One part's price (billionths an hour) in a region: of two the lower is kept, so that the
 * order of pages does not matter. Fails when there are more regions than GCP_MOST_REGIONS. */
bool gcp_parts_put(struct gcp_parts *parts, enum gcp_part part, enum market market,
                   struct str region, struct currency currency, int64_t price,
                   struct error *err) MUST_USE;

/* A quote for each machine and region that all parts are known of, in at least one market. */
bool gcp_parts_give(const struct gcp_parts *parts, const struct feed_reading *feed,
                    struct error *err) MUST_USE;

#endif
