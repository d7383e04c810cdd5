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

/* The machines seen so far, and their prices: a file may have one twice. */
struct sky_seen {
    struct seen_machine *at; /* open addressing; a power of two places */
    size_t room, len;
};

/* Google's rows: machines and accelerators apart. */
struct sky_parts {
    struct sky_row *hosts, *cards;
    size_t host_count, host_room, card_count, card_room;
};

#endif
