/* counts.h - counts of predictions, requests and tokens as people and CSV files have them.
 */
#ifndef ACCOUNT_UNIT_COUNTS_H
#define ACCOUNT_UNIT_COUNTS_H

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

#endif
