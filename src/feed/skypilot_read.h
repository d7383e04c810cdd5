/* skypilot_read.h - inside the reader of SkyPilot's catalogs. */
#ifndef FEED_SKYPILOT_READ_H
#define FEED_SKYPILOT_READ_H

#include "feed/skypilot.h"

/* One row about accelerators, or about the machine that they are put into. Texts are the
 * row's. */
struct sky_row {
    struct sky_device device;
    struct str region, zone;
    double vcpus, memory_gib;
    int64_t on_demand, spot;
};

/* What is kept of a file: at most this much, so that no file fills the memory. */
#define SKY_KEPT_MAX ((size_t)64 << 20)

struct sky_kept {
    struct arena arena;
    size_t bytes;
};

void *sky_keep(struct sky_kept *kept, size_t count, size_t size, struct error *err) MUST_USE;
bool sky_keep_text(struct sky_kept *kept, struct str *text, struct error *err) MUST_USE;

/* The machines seen so far, and their prices: a file may have one twice. */
struct sky_seen {
    struct seen_machine *at; /* open addressing; a power of two places */
    size_t room, len;
};

/* Of several rows for one machine, the cheapest price of each market holds, and one that is
 * given wins over none. (AWS's file has p4de twice, from two scrapes: with a spot price and
 * without.) Puts the prices that hold so far into the row. */
bool sky_seen_add(struct sky_seen *seen, struct sky_kept *kept, struct sky_row *row,
                  struct error *err) MUST_USE;

/* Google's rows: machines and accelerators apart. */
struct sky_parts {
    struct sky_row *hosts, *cards;
    size_t host_count, host_room, card_count, card_room;
};

/* Keep a row, if it is one that machines are made of; `kept_it` says so. */
bool sky_parts_add(struct sky_parts *parts, struct sky_kept *kept, const struct sky_row *row,
                   bool *kept_it, struct error *err) MUST_USE;

/* Give `take` every machine that can be had: the host and the accelerators of one zone, added
 * up. `unused` counts accelerators that no host is there for. */
bool sky_parts_join(struct sky_parts *parts,
                    bool (*take)(void *ctx, struct sky_row *row, struct error *err), void *ctx,
                    uint64_t *unused, struct error *err) MUST_USE;

#endif
