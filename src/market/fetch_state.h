/* fetch_state.h - what was fetched when, and what the servers called it: one small JSON file in
 * the cache folder. Losing it costs one download. */
#ifndef MARKET_FETCH_STATE_H
#define MARKET_FETCH_STATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"

struct fetch_entry {
    struct str list;           /* "aws-offers us-east-1": a format and which of its lists */
    struct str url;            /* where it was read from, without secrets */
    struct str etag, modified; /* of what is in the store; empty when the server has none */
    stamp checked;             /* when it was last asked for */
    stamp fetched;             /* when it was last read to its end; not above 0: never */
    stamp dated;               /* of its prices in the store: what they were last given */
    int64_t status;            /* of the last answer: 200, 304, ...; 0 when there was none */
    struct str message;        /* of the last failure; empty when all went well */
};

/* Entries in the order in which they were added. */
struct fetch_state {
    struct arena *arena;
    struct fetch_entry *at;
    size_t count, room;
};

/* Read the file; an absent one is empty, and so is a damaged one: `warning` then has a line
 * about it. NULL with the error set when memory runs out. */
struct fetch_state *fetch_state_read(const char *path, struct arena *arena, struct buf *warning,
                                     struct error *err) MUST_USE;

/* NULL when the list was never asked for. Texts live as long as the arena. */
const struct fetch_entry *fetch_state_find(const struct fetch_state *state, struct str list);

/* Put it in place of the one of the same list, in memory. Texts are copied. */
bool fetch_state_put(struct fetch_state *state, const struct fetch_entry *entry,
                     struct error *err) MUST_USE;

/* Replace the file. Lists not fetched for a year are left out. */
bool fetch_state_write(const struct fetch_state *state, const char *path, stamp now,
                       struct error *err) MUST_USE;

#endif
