/* json_walk.h - JSON answers read by tables: which members are wanted, and where they go.
 *
 * A record is a C struct with a `struct walk_value` for each scalar it wants; an array of
 * `struct walk_member` names them. What the table does not name is stepped over. Lists are
 * given to a function, element by element, so that memory does not grow with the answer.
 *
 *     struct plan { struct walk_value term, price; };
 *     static const struct walk_member plan_members[] = {
 *         {"term", WALK_VALUE(struct plan, term)},
 *         {"retailPrice", WALK_VALUE(struct plan, price)}, {0}};
 */
#ifndef FEED_JSON_WALK_H
#define FEED_JSON_WALK_H

#include "base/json.h"
#include "feed/feed.h"

/* A scalar as the feed wrote it. */
struct walk_value {
    enum json_kind kind; /* JSON_END: it was not there; JSON_OBJECT, JSON_ARRAY: no scalar */
    struct str text; /* of a string or number; lives as long as its record is read: see below */
};

struct walk {
    const struct feed_reading *feed;
    struct json *json;
    struct arena texts; /* of the record being read */
    size_t texts_len;   /* bytes in it, which have a limit */
    char refusal[160];  /* what the service sends instead of an answer; see walk_refusal() */
};

typedef bool walk_each(struct walk *walk, void *record, const struct walk_value *value,
                       struct error *err);
typedef bool walk_done(struct walk *walk, void *record, struct error *err);

struct walk_member {
    /* NULL ends the table. "": `inside` has more members of this very object. */
    const char *key;
    const struct walk_member *inside; /* of an object: these, into the same record */
    walk_each *each; /* for every element of an array or object; a scalar is a list of one. An
                        element that is a container must be read to its end, by walk_element()
                        or json_skip(). Texts read meanwhile are gone when it returns, and those
                        of the records around it stay */
    size_t at;   /* of the struct walk_value in the record; with `each` it may be given too, to
                  know whether the list is there */
    bool stored; /* `at` is given */
};

#define WALK_VALUE(type, member) .at = offsetof(type, member), .stored = true

/* Read all of the input: every object at the top, or in an array at the top, into `record` by
 * `members`; then `done` (may be NULL) is called. So a page, several pages one after the other
 * and a bare list of items are all read. False when there is no object at all. */
bool walk_read(const struct feed_reading *feed, const struct walk_member *members,
               walk_done *done, void *record, struct error *err) MUST_USE;

/* An element of a list, read to its end into `record`; `*object` is whether it is an object.
 * Members that are not in it are JSON_END; of a key that is there twice the last value
 * counts. */
bool walk_element(struct walk *walk, const struct walk_value *value,
                  const struct walk_member *members, void *record, bool *object,
                  struct error *err) MUST_USE;

/* A `walk_each` for the message of a service that refuses: it is kept for walk_missing(). */
bool walk_refusal(struct walk *walk, void *record, const struct walk_value *value,
                  struct error *err);

/* The error of an answer without what it is read for (`what`: "the list 'Items'"): what the
 * service answered instead, when it answered anything. Returns false. */
bool walk_missing(const struct walk *walk, const char *what, struct error *err);

/* A price: PRICE_UNSAID when it was not there, PRICE_NONE when it is null or 0 (no machine is
 * free). False when it is not a price. */
bool walk_price(const struct walk_value *value, int64_t *nano) MUST_USE;

/* A number of at least 0 (counts, sizes and shares are all that lists have), or a string that
 * is one; NaN when it is neither. */
double walk_number(const struct walk_value *value);

/* A name to keep: a string that is neither blank nor endless. Empty when it is none. */
struct str walk_name(const struct walk_value *value);

/* Put a string into `out`, in place of what is there; nothing when it is none. */
bool walk_text(const struct walk_value *value, struct buf *out, struct error *err) MUST_USE;

/* Is it this very string? */
bool walk_is(const struct walk_value *value, const char *text);

/* An ISO 4217 code to `currency`; false when it is there and is none. Not there: it stays. */
bool walk_currency(const struct walk_value *value, struct currency *currency) MUST_USE;

/* Does a text that starts like this look like JSON with all of these members somewhere? The
 * last is NULL. */
bool walk_looks_like(struct str head, const char *const *keys);

#endif
