/* params.h - names and values of a query ("?state=running&limit=20") or of a form. Pure. */
#ifndef SERVE_PARAMS_H
#define SERVE_PARAMS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define PARAMS_MOST 128

struct param {
    struct str name, value; /* decoded */
};

struct params {
    const struct param *at;
    size_t len;
};

/* "%41" and, in a query or a form, "+" and lines that end with CR LF. False for a broken
 * encoding, a NUL, or bytes that are no UTF-8. */
bool percent_decode(struct str text, bool plus, struct arena *arena, struct str *out,
                    struct error *err) MUST_USE;
void percent_encode(struct str text, struct buf *out);

/* Adds to those that are there. */
bool params_read(struct str query, struct arena *arena, struct params *out,
                 struct error *err) MUST_USE;

/* The value of the first of that name; empty when there is none. */
struct str params_get(const struct params *params, const char *name);

#endif
