/* pull.h - JSON of a known shape, read as a stream: a function for each object or array. */
#ifndef FEED_PULL_H
#define FEED_PULL_H

#include "base/json.h"

/* For each member of an object, `token` is its key, whose text is valid until the value is
 * read; for each item of an array, its first token. What follows must be read or skipped.
 * False, with the error set, ends it all. */
typedef bool pull_each(void *ctx, const struct json_token *token, struct error *err);

/* The object or array that comes next. Anything else is an error: "line 3: WHAT is not an
 * object". */
bool pull_object(struct json *json, const char *what, pull_each *each, void *ctx,
                 struct error *err) MUST_USE;
bool pull_array(struct json *json, const char *what, pull_each *each, void *ctx,
                struct error *err) MUST_USE;

/* As pull_object(); what comes after `*enough` became true is stepped over. */
bool pull_object_until(struct json *json, const char *what, pull_each *each, void *ctx,
                       const bool *enough, struct error *err) MUST_USE;

/* The object or array that the token just opened. */
bool pull_opened(struct json *json, const struct json_token *opened, pull_each *each, void *ctx,
                 struct error *err) MUST_USE;

/* The text of the string or number that comes next, valid until the next token is read.
 * Anything else is skipped and gives an empty text. */
bool pull_text(struct json *json, struct str *text, struct error *err) MUST_USE;

#endif
