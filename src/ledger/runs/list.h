/* list.h - the rows of a statement as an array. */
#ifndef LEDGER_RUNS_LIST_H
#define LEDGER_RUNS_LIST_H

#include "ledger/internal.h"

struct ledger_list {
    size_t size; /* of an element */
    bool (*read)(struct query *q, struct arena *arena, void *to, struct error *err);
};

/* All rows of a statement whose values are set, within a transaction. */
bool ledger_list_read(struct ledger *l, struct query *q, const struct ledger_list *list,
                      struct arena *arena, struct rows *out, struct error *err) MUST_USE;

/* Likewise of a statement without values, in a transaction of its own; nothing where there is
 * no table yet. */
bool ledger_list_all(struct ledger *l, const char *sql, const struct ledger_list *list,
                     struct arena *arena, struct rows *out, struct error *err) MUST_USE;

/* ["a","b"] */
bool ledger_texts_read(struct str json, struct arena *arena, struct strs *out,
                       struct error *err) MUST_USE;
bool ledger_numbers_read(struct str json, struct arena *arena, struct numbers *out,
                         struct error *err) MUST_USE;
void ledger_texts_write(struct strs texts, struct buf *out);
void ledger_numbers_write(struct numbers numbers, struct buf *out);

#endif
