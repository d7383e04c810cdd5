/* tier_move.h - the files that tier.h has chosen are moved to the folders of their tiers, or
 * deleted. */
#ifndef DATA_TIER_MOVE_H
#define DATA_TIER_MOVE_H

#include "data/task.h"
#include "data/tier.h"

struct tier_wish {
    struct str folder[TIER_COUNT]; /* of a tier; empty: none */
    span after[TIER_COUNT];        /* since the last write; negative: never */
    bool moves;                    /* files are to be moved and deleted */
};

/* Ages in order, and folders that must be there; without a folder for any tier, all are
 * shown. */
bool tier_rules_set(const struct data_task *task, const struct tier_wish *wish,
                    struct tier_rules *rules, struct error *err) MUST_USE;

/* What is left out, and what is read although it is not written. */
void tier_note_choice(const struct data_task *task, const struct tier_choice *choice);

struct tier_work {
    const struct data_task *task;
    const struct tier_rules *rules;
    struct tier_choice *choice;
    bool link; /* leave a symbolic link at the old place */
};

/* Each file that goes; one that cannot is named and counts as hot, and the others go on. */
void tier_move(const struct tier_work *w);

/* What goes before what stays; of these the larger ones first. */
void tier_sort(const struct tier_choice *choice);

#endif
