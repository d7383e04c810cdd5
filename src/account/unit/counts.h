/* counts.h - counts of predictions, requests and tokens as people and CSV files have them.
 */
#ifndef ACCOUNT_UNIT_COUNTS_H
#define ACCOUNT_UNIT_COUNTS_H

#include "base/message.h"
#include "doc/field.h"
#include "ledger/runs/records.h"

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

/* The rows of a CSV file: its text and its name, which mistakes are reported with and counts
 * keep as their source. */
bool counts_read(struct str text, struct str file, struct arena *arena,
                 const struct ledger_count **out, size_t *count, struct error *err) MUST_USE;

/* A count as it is shown. */
struct counts_row {
    struct ledger_count is;
    stamp to;         /* the last day, or the moment of the end */
    struct strs tags; /* "model=bert" */
};

extern const struct field_set counts_row_fields;

/* Rows of counts: struct counts_row. */
bool counts_rows(const struct ledger_count *counts, size_t count, struct arena *arena,
                 struct rows *out, struct error *err) MUST_USE;

/* When counts are of, as it is typed: --since or --from, --until or --to. */
struct counts_span_asked {
    struct str since, from, until, to;
};

/* The first day is required, and the last is that one if none is given. ERROR_USAGE where two
 * names of one option are given, and where the end is before the beginning. */
bool counts_span(const struct counts_span_asked *asked, struct ledger_count *out,
                 struct error *err) MUST_USE;

/* Counts of other times that share a part of this one add up with it: mostly a mistake. */
bool counts_warn_overlaps(struct ledger *ledger, const struct ledger_count *c,
                          struct arena *arena, const struct messages *messages,
                          struct error *err) MUST_USE;

/* ERROR_USAGE when there are any to remove: those completely within the time. */
bool counts_confirm_removal(struct ledger *ledger, const struct ledger_count_query *query,
                            struct arena *arena, struct error *err) MUST_USE;

/* ERROR_ABSENT with what was probably meant, of all that is counted; `ledger` NULL: nothing is.
 * Returns false. */
bool counts_refuse_absent(struct ledger *ledger, struct str what, struct arena *arena,
                          struct error *err);

#endif
