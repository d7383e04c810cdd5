/* api.h - the HTTP API: what the files of it share. */
#ifndef SERVE_API_H
#define SERVE_API_H

#include "op/op.h"
#include "serve/internal.h"

#define API_LIMIT 1000 /* rows of one answer */

/* An operation that is asked for, and may be. */
struct api_ask {
    const struct op *op;
    void *request;     /* filled in; limited to the caller's team */
    struct str fields; /* "id,name": of the rows of lists; empty: all */
};

/* ---- api_ask.c: what is asked, and may it be ---- */

/* Who may call it: the scope that a token needs. */
enum token_scope api_scope(const struct op *op);

/* Read what a visit asks of the operation of that name: parameters, or a body in JSON. False,
 * with the status of the visit where the kind of the error does not say it. */
bool api_ask_read(struct visit *v, struct str name, struct api_ask *out,
                  struct error *err) MUST_USE;

/* ---- api_select.c: some fields of rows. Pure ---- */

/* The fields of a result, with only the named ones of the rows of its lists. Rows whose
 * fields only the data knows are changed in the result. A list that has none of them stays
 * as it is. */
bool api_select(const struct field_set *set, void *result, struct str names,
                struct arena *arena, struct field_set *out, struct error *err) MUST_USE;

/* ---- api_work.c: long work, whose result is asked for later ---- */

struct works *works_new(struct server *s, struct error *err) MUST_USE;
void works_free(struct works *works);
bool api_work_begin(struct visit *v, struct str name, struct error *err) MUST_USE;

/* ---- api.c ---- */

/* Run it and write its result into the visit. */
bool api_run(struct visit *v, struct api_ask *ask, struct error *err) MUST_USE;

#endif
