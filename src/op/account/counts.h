/* counts.h - what was made of what was paid: predictions, requests, tokens, entered or
 * imported.
 */
#ifndef OP_ACCOUNT_COUNTS_H
#define OP_ACCOUNT_COUNTS_H

#include "bill/dimension.h"
#include "ledger/runs/records.h"
#include "op/op.h"

struct counts_request {
    struct str what, amount, from, to, file, since, until;
    struct strs tag;
    bool force;
};

struct counts_row {
    struct str what, from, to; /* to: the last day, or the moment of the end */
    struct str amount;         /* exactly */
    struct strs tags;          /* "model=bert" */
    struct str source;
};

struct counts_result {
    struct rows rows; /* struct counts_row */
    int64_t count, replaced, removed;
    struct str file, ledger;
    bool none_yet;
};

/* "2026-10-01" or "2026-10-01T10:00:00Z"; of the end a day means its last second. */
bool counts_time(const char *option, struct str text, bool end, stamp *out,
                 struct error *err) MUST_USE;

/* "1200000", "1.2M", "3.5e6": exactly; k, M, B and T are thousands, millions and so on. */
bool counts_amount(struct str text, struct decimal *out) MUST_USE;

/* "model=bert", ... as the JSON object that the ledger keeps, by key: keys as dimension_name()
 * has them where they are one of ours. dimensions_from_tags() reads it. */
bool counts_tags(struct strs tags, struct arena *arena, struct str *out,
                 struct error *err) MUST_USE;

/* The other way: "model=bert", ... */
bool counts_tags_shown(struct str tags, struct arena *arena, struct strs *out,
                       struct error *err) MUST_USE;

/* The rows of a file. */
bool counts_read(struct op_context *ctx, struct str file, const struct ledger_count **out,
                 size_t *count, struct error *err) MUST_USE;

#endif
