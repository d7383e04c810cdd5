/* walk.h - JSON of a known shape, read as a stream: a function for each object, called by key. */
#ifndef FEED_WALK_H
#define FEED_WALK_H

#include "base/json.h"

enum walk {
    WALK_FAIL,  /* the error is set */
    WALK_ON,    /* the value is read or skipped */
    WALK_LEAVE, /* nothing more of this object or array matters */
};

/* The object that comes next, member by member. `key` is valid until the value is read. What is no
 * object is an error: "line 3: WHAT is not an object". */
bool walk_object(struct json *json, const char *what,
                 enum walk (*member)(void *ctx, struct str key, struct error *err), void *ctx,
                 struct error *err) MUST_USE;

/* As walk_object() and walk_array(), when the token that opens it was read. */
bool walk_members(struct json *json, const struct json_token *opened,
                  enum walk (*member)(void *ctx, struct str key, struct error *err), void *ctx,
                  struct error *err) MUST_USE;

bool walk_items(struct json *json, const struct json_token *opened,
                enum walk (*item)(void *ctx, const struct json_token *first, struct error *err),
                void *ctx, struct error *err) MUST_USE;

/* The array that comes next, item by item. `first` is the item's first token: of an object or an array,
 * the rest is for `item` to read or skip. */
bool walk_array(struct json *json, const char *what,
                enum walk (*item)(void *ctx, const struct json_token *first, struct error *err),
                void *ctx, struct error *err) MUST_USE;

/* The text of the string or number that comes next, valid until the next token is read. Anything else
 * is skipped and gives an empty text. */
bool walk_text(struct json *json, struct str *text, struct error *err) MUST_USE;

#endif
