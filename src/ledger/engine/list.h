/* list.h - records as rows: their fields are columns, and the rows of a statement an array. */
#ifndef LEDGER_ENGINE_LIST_H
#define LEDGER_ENGINE_LIST_H

#include "doc/field.h"
#include "ledger/internal.h"

/* A column that is shown nowhere, so that nothing is said about it: MEMBER(TEXT,
 * ledger_channel, name). Counts, times, spans and enumerations are integers, NULL below 0;
 * money is NULL where it is unknown, and so are numbers; a list of numbers is JSON. */
#define MEMBER(kind, record, member) MEMBER_AS(#member, kind, record, member)
#define MEMBER_AS(label, kind, record, member) \
    FIELD_AS(label, kind, record, member, .help = NULL)

/* Values from `at` on, of a statement that may be NULL; the next place. */
int query_bind_fields(struct query *q, int at, const struct field_set *fields,
                      const void *record);

/* Columns from `at` on. */
bool column_fields(struct query *q, int at, const struct field_set *fields, struct arena *arena,
                   void *record, struct error *err) MUST_USE;

struct ledger_list {
    struct field_set fields; /* the first columns; or only the size of an element */
    /* Reads what they do not have; or NULL. */
    bool (*read)(struct query *q, struct arena *arena, void *to, struct error *err);
};

/* LEDGER_LIST(struct ledger_channel, channel_members) */
#define LEDGER_LIST(record, list) \
    { \
        .fields = FIELD_SET(record, list) \
    }

/* All rows of a statement, within a transaction. */
bool ledger_list_read(struct ledger *l, const char *sql, struct values values,
                      const struct ledger_list *list, struct arena *arena, struct rows *out,
                      struct error *err) MUST_USE;

/* Where the elements go: a pointer to the first, and how many they are. */
struct list_out {
    void *first; /* the place of that pointer, which may be of any type */
    size_t *count;
};

#define LIST_OUT(first, count) ((struct list_out){(first), (count)})

/* Likewise in a transaction of its own; nothing where there is no table yet. */
bool ledger_list_all(struct ledger *l, const char *sql, struct values values,
                     const struct ledger_list *list, struct arena *arena, struct list_out out,
                     struct error *err) MUST_USE;

/* ["a","b"] */
bool ledger_texts_read(struct str json, struct arena *arena, struct strs *out,
                       struct error *err) MUST_USE;
bool ledger_numbers_read(struct str json, struct arena *arena, struct numbers *out,
                         struct error *err) MUST_USE;
void ledger_texts_write(struct strs texts, struct buf *out);
void ledger_numbers_write(struct numbers numbers, struct buf *out);

#endif
