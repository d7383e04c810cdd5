/* json.h - a JSON reader that pulls one token at a time and keeps numbers as text.
 *
 * For feeds of any size: memory does not grow with the input, and a price such as 0.1 never
 * becomes a double. Strict: RFC 8259 grammar, valid UTF-8, no trailing text. Several documents
 * in a row (JSON lines) are read when `many` is set. Small documents are easier through
 * doc/node.h.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/source.h"
#include "base/str.h"

#define JSON_MAX_DEPTH 256
#define JSON_MAX_TOKEN ((size_t)1 << 20) /* the default limit for one string or number */

enum json_kind {
    JSON_END, /* after the last document */
    JSON_OBJECT,
    JSON_OBJECT_END,
    JSON_ARRAY,
    JSON_ARRAY_END,
    JSON_KEY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
};

struct json_token {
    enum json_kind kind;
    struct str
        text; /* of a key, string (escapes decoded) or number; valid until the next call */
    unsigned depth; /* of the containers around it: 0 at the top */
};

struct json_options {
    const struct alloc *alloc;
    size_t max_token; /* bytes of a string or number as written; 0 means JSON_MAX_TOKEN */
    bool many;        /* any number of documents, one after the other */
    bool not_finite; /* NaN, Infinity and -Infinity are numbers, as Python's json writes them */
};

struct json;

/* NULL with the error set when memory runs out. Text in memory must outlive the reader. */
struct json *json_open(struct source source, const struct json_options *options,
                       struct error *err) MUST_USE;
struct json *json_open_text(struct str text, const struct json_options *options,
                            struct error *err) MUST_USE;
void json_close(struct json *json); /* NULL is fine */

/* The next token; JSON_END once all is read, however often it is asked for. False on failure,
 * and then always; errors name the place: "line 3, column 7: ...", in bytes, both from 1. The
 * outcome does not depend on how a source cuts the text into pieces. */
bool json_next(struct json *json, struct json_token *token, struct error *err) MUST_USE;

/* Just after a KEY, OBJECT or ARRAY token: step over the value (still checking the grammar), or
 * over the rest of the container. After any other token there is nothing to skip. */
bool json_skip(struct json *json, struct error *err) MUST_USE;

/* Step over what is left of the containers until no more than `depth` of them are open. With
 * the depth of an OBJECT or ARRAY token: over the rest of that container, however deep in it
 * one is. */
bool json_leave(struct json *json, unsigned depth, struct error *err) MUST_USE;

/* A member of an object: `kind` is that of its value, `text` that of a string or a number. Both
 * texts are valid until it returns. False ends the reading. */
typedef bool json_member(void *ctx, struct str key, enum json_kind kind, struct str text);

/* All members of the object that is the whole text: tags, labels, details. What is inside a
 * value that is an object or a list is stepped over. False with the error set when memory runs
 * out or the text is anything else; members before the fault were given. */
bool json_members(struct str text, const struct alloc *alloc, json_member *each, void *ctx,
                  struct error *err);

/* The text of a string as it is written between its quotes; `to` has room for raw.len bytes.
 * Returns its length. A string with an escape that JSON does not have stays as it is. */
size_t json_unescape(struct str raw, char *to);

/* The line on which the last token ends, from 1. Each byte is counted once, however often it is
 * asked for. */
uint64_t json_line(struct json *json);

#endif
