/* known.h - what the catalog knows that feeds leave out: which accelerator is meant, what a
 * machine has, where a zone is. Answers are remembered, since feeds ask the same things
 * thousands of times.
 */
#ifndef FEED_KNOWN_H
#define FEED_KNOWN_H

#include "catalog/catalog.h"

struct feed_known;

/* Needs TABLE_OFFERS and what it needs. NULL with the error set when memory runs out. */
struct feed_known *feed_known_new(const struct catalog *catalog, struct arena *arena,
                                  struct error *err) MUST_USE;

/* The accelerator that a feed calls `raw` ("A100-80GB", "NVIDIA H100 80GB HBM3", "H100 SXM"),
 * with so much memory each (GiB; NaN when not given), which decides between those that share a
 * name: the forms of a family, or cards of several generations (an "RTX6000" with 24, 48 or 96
 * GB). A complete name ("A100-SXM-80GB") is believed. NULL when the catalog has none. */
const struct accelerator *feed_accelerator(struct feed_known *known, struct str raw,
                                           double memory_gib);

/* Could a card with so much memory by the catalog be the one that a feed gives so much? Feeds
 * round, and some count what the driver leaves. */
bool feed_memory_like(double feed_gib, double catalog_gb);

/* The accelerator that is `like` this one but has another form ("PCIe", "SXM", "NVL"); `like`
 * itself when the catalog has none. */
const struct accelerator *feed_form(struct feed_known *known, const struct accelerator *like,
                                    struct str form);

/* A machine that the catalog has an offer of: what is in it. NULL when it has none. */
const struct machine *feed_machine(struct feed_known *known, struct str provider,
                                   struct str instance);

/* Every machine that the catalog has of a provider, each once. */
void feed_machines(struct feed_known *known, struct str provider,
                   const struct machine *const **at, size_t *count);

/* The region of an AWS zone: "use1-az6" (an id, the same for everybody) or "us-east-1a" (a
 * name, of one account). A region's own name is itself. Empty when it is none of these. */
struct str feed_aws_region(struct str zone);

#endif
