/* list.h - records as rows: their members are columns, and the rows of a statement an array. */
#ifndef LEDGER_ENGINE_LIST_H
#define LEDGER_ENGINE_LIST_H

#include "ledger/internal.h"

enum member_kind {
    MEMBER_TEXT,    /* struct str */
    MEMBER_NUMBER,  /* double; NaN is unknown */
    MEMBER_INT,     /* int64_t, stamp, span */
    MEMBER_COUNT,   /* likewise; below 0 is unknown */
    MEMBER_WHOLE,   /* int; likewise */
    MEMBER_MONEY,   /* usd and the like; MONEY_UNKNOWN */
    MEMBER_FLAG,    /* bool */
    MEMBER_AMOUNT,  /* struct decimal */
    MEMBER_NUMBERS, /* struct numbers: a list in JSON; empty is unknown */
};

struct member {
    const char *name; /* of a field of a journal */
    enum member_kind kind;
    size_t offset;
};

struct members {
    const struct member *at;
    size_t len;
};

/* MEMBER(TEXT, ledger_channel, name) */
#define MEMBER(kind, record, member) MEMBER_AS(#member, kind, record, member)
#define MEMBER_AS(label, kind, record, member) \
    { \
        (label), MEMBER_##kind, offsetof(struct record, member) \
    }
#define MEMBERS(list) ((struct members){(list), ARRAY_LEN(list)})

/* All of them unknown: texts are empty, flags and other integers 0. */
void members_unknown(struct members members, void *record);

/* Values from `at` on, of a statement that may be NULL; the next place. */
int query_bind_members(struct query *q, int at, struct members members, const void *record);

/* Columns from `at` on. */
bool column_members(struct query *q, int at, struct members members, struct arena *arena,
                    void *record, struct error *err) MUST_USE;

struct ledger_list {
    size_t size;            /* of an element */
    struct members members; /* the first columns */
    /* Reads what they do not have; or NULL. */
    bool (*read)(struct query *q, struct arena *arena, void *to, struct error *err);
};

/* LEDGER_LIST(struct ledger_channel, channel_members) */
#define LEDGER_LIST(record, list) \
    { \
        .size = sizeof(record), .members = {(list), ARRAY_LEN(list) } \
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
