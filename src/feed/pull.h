/* pull.h - JSON of a known shape, read as a stream: a function for each object, called by
 * key. */
#ifndef FEED_PULL_H
#define FEED_PULL_H

#include "base/json.h"

enum pull {
    PULL_FAIL,  /* the error is set */
    PULL_ON,    /* the value is read or skipped */
    PULL_LEAVE, /* nothing more of this object or array matters */
};

/* The object that comes next, member by member. `key` is valid until the value is read. What is
 * no object is an error: "line 3: WHAT is not an object". */
bool pull_object(struct json *json, const char *what,
                 enum pull (*member)(void *ctx, struct str key, struct error *err), void *ctx,
                 struct error *err) MUST_USE;

/* As pull_object() and pull_array(), when the token that opens it was read. */
bool pull_members(struct json *json, const struct json_token *opened,
                  enum pull (*member)(void *ctx, struct str key, struct error *err), void *ctx,
                  struct error *err) MUST_USE;

bool pull_items(struct json *json, const struct json_token *opened,
                enum pull (*item)(void *ctx, const struct json_token *first, struct error *err),
                void *ctx, struct error *err) MUST_USE;

/* The array that comes next, item by item. `first` is the item's first token: of an object or
 * an array, the rest is for `item` to read or skip. */
bool pull_array(struct json *json, const char *what,
                enum pull (*item)(void *ctx, const struct json_token *first, struct error *err),
                void *ctx, struct error *err) MUST_USE;

/* The text of the string or number that comes next, valid until the next token is read.
 * Anything else is skipped and gives an empty text. */
bool pull_text(struct json *json, struct str *text, struct error *err) MUST_USE;

#endif
