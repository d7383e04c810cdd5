/* zones.h - several zones watched at once, and some of them taken together as "spot".
 *
 * Prices differ between zones more than anything else. An expensive zone that is nearly always
 * available is like a cheaper on-demand; the cheap ones that come and go are what a job waits
 * for. So a group, the zones up to some price, is spot, and what else is available while none
 * of it is there is the way out.
 */
#ifndef SPOT_ZONES_H
#define SPOT_ZONES_H

#include "spot/learn.h"
#include "spot/sim.h"

enum { ZONES_KEPT = 4096 }; /* ticks that are remembered */

struct zones {
    size_t count;
    double gap;           /* hours of a tick */
    struct learner *each; /* [count] */
    uint64_t *seen;       /* the last ticks, oldest first: a bit for each zone that was up */
    size_t seen_len;
};

/* The zones of one price level and below. */
struct group {
    uint64_t members;
    struct learner any; /* whether there is one of them */
    struct spells up;   /* their machines */
    double highest;     /* USD an hour */
    double spot;        /* USD an hour of the cheapest that was there, on average */
    double way_out;   /* USD an hour of the cheapest else (on-demand at most) while none was */
    double other;     /* the chance that, when one is lost, another is there */
    double other_age; /* and how many hours that had been there by then, on average */
};

bool zones_init(struct zones *zones, size_t count, double gap_hours, struct arena *arena,
                struct error *err) MUST_USE;

/* The next tick. */
void zones_see(struct zones *zones, const bool *up);

/* What was seen of the members, at today's prices ([zones] USD an hour; NaN: not known). */
void zones_group(const struct zones *zones, uint64_t members, const double *price,
                 double on_demand, struct group *out);

/* A bit for each zone. */
uint64_t zones_all(const struct zones *zones);

/* The groups worth a look: the cheapest zone, the two cheapest, ... as bits; returns how many,
 * `most` at most, always with the one of all zones. Zones without a price are in none but
 * that. */
size_t zones_levels(const struct zones *zones, const double *price, size_t most, uint64_t *out);

#endif
