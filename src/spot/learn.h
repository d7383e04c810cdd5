/* learn.h - how soon a spell ends, learned while it is watched.
 *
 * A spell is a time in which machines are available, or are not. How its chance to end falls
 * with age is much the same everywhere (`lifetimes_typical`); how large it is differs between
 * zones and weeks. So two things are learned: by how much more or less often than is typical
 * spells end, the last few counting most, and, slowly, each age's own chance.
 */
#ifndef SPOT_LEARN_H
#define SPOT_LEARN_H

#include "spot/lifetimes.h"

/* Of spells of one kind: machines, or outages. */
struct spells {
    double usual[AGE_BINS];   /* the chance to end within a tick, beforehand */
    double watched[AGE_BINS]; /* ticks */
    double ended[AGE_BINS];
    double expected, happened; /* ends, older ones fading */
};

struct learner {
    double gap; /* hours of a tick */
    struct spells up, down;
    bool seen, is_up;
    double age; /* hours of the spell under way */
};

void learner_start(struct learner *learner, const struct lifetimes *usual, double gap_hours);

/* The next tick. */
void learner_see(struct learner *learner, bool up);

/* The chance, at each age, that a spell ends within a tick. */
void spells_chances(const struct spells *spells, double gap_hours, double out[AGE_BINS]);

/* Ticks that a spell in each bin still lasts on average. */
void spells_rest(const double chance[AGE_BINS], double gap_hours, double out[AGE_BINS]);

/* The chance to go on to the next bin within a tick. */
double age_step(size_t bin, double gap_hours);

#endif
