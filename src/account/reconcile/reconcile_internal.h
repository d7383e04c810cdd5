/* reconcile_internal.h - what the files of reconcile() share. */
#ifndef ACCOUNT_RECONCILE_RECONCILE_INTERNAL_H
#define ACCOUNT_RECONCILE_RECONCILE_INTERNAL_H

#include "account/reconcile/reconcile.h"

/* ---- reconcile_index.c: machines by a text of theirs, whatever its case ---- */

#define RECONCILE_NONE SIZE_MAX

struct reconcile_index {
    const struct reconcile_machine *machines;
    struct str (*key)(const struct reconcile_machine *machine);
    size_t *first, *next; /* places in the list; RECONCILE_NONE ends */
    size_t slots;         /* a power of 2 */
};

bool reconcile_index_make(struct reconcile_index *index,
                          const struct reconcile_machine *machines, size_t count,
                          struct str (*key)(const struct reconcile_machine *machine),
                          struct arena *arena, struct error *err) MUST_USE;

/* The machines whose text this is, in their order: the first, and the one after `at`.
 * RECONCILE_NONE when there are no more; an empty text has none. */
size_t reconcile_index_first(const struct reconcile_index *index, struct str text);
size_t reconcile_index_next(const struct reconcile_index *index, size_t at, struct str text);

/* What follows the last '/' or ':' of an id. */
struct str reconcile_last_part(struct str id);

/* ---- reconcile.c ---- */

/* The machines that an attempt of this kind may have been on. */
struct reconcile_kind {
    struct str provider, region, instance;
    size_t *machines;
    size_t count;
};

#define RECONCILE_KINDS 16 /* that are remembered: most runs are of a few */

struct reconcile_work {
    const struct reconcile_machine *machines;
    struct reconcile_cell *cells;
    const size_t *first; /* cell of each machine; one more than there are machines */
    struct reconcile_index by_part, by_name, by_run, by_instance;
    struct arena *arena;
    struct reconcile_kind kinds[RECONCILE_KINDS];
    size_t kind_count, kind_next; /* next: the place of the next new one */
};

/* Seconds of the attempt between two moments, and on a day. */
int64_t reconcile_overlap(const struct reconcile_attempt *a, int64_t from, int64_t to);
int64_t reconcile_seconds(const struct reconcile_attempt *a, day on);

double reconcile_billed(const struct reconcile_cell *c); /* seconds */

/* The cells of a machine on the days of an attempt, one after the other. */
struct reconcile_walk {
    const struct reconcile_work *w;
    size_t machine, at;
    day last;
};

struct reconcile_walk reconcile_walk(const struct reconcile_work *w, size_t machine,
                                     const struct reconcile_attempt *a);
struct reconcile_cell *reconcile_walk_next(struct reconcile_walk *k); /* NULL: no more */

/* Is the last one the second of its day, in another currency? Then its time was counted. */
bool reconcile_walk_again(const struct reconcile_walk *k);

/* ---- reconcile_match.c ---- */

/* Lay an attempt onto the machine that it knows; another one onto the machine that fits. */
bool reconcile_known(const struct reconcile_work *w, struct reconcile_attempt *a,
                     struct error *err) MUST_USE;
bool reconcile_place(struct reconcile_work *w, struct reconcile_attempt *a,
                     struct error *err) MUST_USE;

#endif
