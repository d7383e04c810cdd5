/* targets.h - goals for measured facts, scored over a period and compared with the one before.
 *
 * Pure. A target is met when its fact is at the goal or on the better side of it. The score is
 * how far it is reached, 0 to 1: value / goal, or goal / value where less is better. What is
 * not known has no score and is not in the total.
 */
#ifndef ADVISE_TARGETS_H
#define ADVISE_TARGETS_H

#include "advise/practice/practice.h"
#include "catalog/catalog.h"
#include "doc/field.h"

/* A goal of the user. */
struct target {
    struct str fact; /* its key */
    double value;
};

#define TARGETS_MAX 256

/* The user's goals as the ledger keeps them: JSON. An empty text has none. */
bool targets_read(struct str text, struct arena *arena, struct rows *out,
                  struct error *err) MUST_USE;
void targets_write(const struct target *targets, size_t count, struct buf *out);

/* Set a goal among the user's: `out` has room for one more than `own`, and `before` is what it
 * replaces (NaN: none). How many there are then. */
size_t targets_put(const struct rows *own, const struct target *goal, struct target *out,
                   double *before);

/* Likewise without the goal of a fact. */
size_t targets_without(const struct rows *own, struct str fact, struct target *out);

enum target_trend { TARGET_UNKNOWN = -1, TARGET_WORSE, TARGET_SAME, TARGET_BETTER };
extern const char *const target_trend_names[]; /* "worse", "same", "better" */

enum target_state { TARGET_NOT_KNOWN = -1, TARGET_MISSED, TARGET_MET };
extern const char *const target_state_names[]; /* "missed", "met" */

struct target_row {
    struct str fact, label;
    enum practice_unit unit;
    bool less; /* less is better */
    double goal, value, before;
    double change; /* from before, as a share of it; NaN */
    enum target_trend trend;
    enum target_state state;
    double score; /* 0 to 1; NaN: not known */
    struct str evidence, source;
    struct str record; /* what makes it known; NULL: it is known */
    bool own;          /* the user's, not a default */
};

extern const struct field_set target_row_fields;

struct target_scores {
    struct rows rows; /* struct target_row */
    int64_t known, met;
    double score; /* mean of those that are known; NaN: none is */
};

/* A change below this is none. */
#define TARGET_SMALL 0.01

/* The user's goals replace the defaults of the same fact. */
bool targets_score(const struct practices *now, const struct practices *before,
                   const struct rows *defaults, const struct rows *own, struct arena *arena,
                   struct target_scores *out, struct error *err) MUST_USE;

#endif
