/* copy.h - copy a ledger into an empty one, between any two engines.
 *
 * The source is read at one moment, while others go on writing to it. The copy is one
 * transaction: readers see nothing of it, or all. Before it is committed it is read again and
 * compared with the source: rows, exact sums, and a digest of every value.
 */
#ifndef LEDGER_COPY_COPY_H
#define LEDGER_COPY_COPY_H

#include "base/buf.h"
#include "base/decimal.h"
#include "base/watch.h"
#include "doc/field.h"
#include "ledger/ledger.h"

enum ledger_kind {
    KIND_INTEGER,
    KIND_REAL,
    KIND_TEXT,
    KIND_AMOUNT,
    KIND_BLOB,
};

struct ledger_column {
    const char *name;
    enum ledger_kind kind;
};

struct ledger_schema;
struct ledger_table {
    const char *name;
    const char **names; /* of its columns */
    struct ledger_column *columns;
    size_t count;
    const char *key;     /* INTEGER PRIMARY KEY, given out by the engine; NULL: none */
    const char *primary; /* the columns of any other primary key: "run, key"; NULL: none */
    bool without_rowid;
};

/* The tables as the steps of the schema make them, those that others refer to first. */
bool ledger_tables(const struct ledger_schema *schema, struct arena *arena,
                   const struct ledger_table **out, size_t *count, struct error *err) MUST_USE;

#define LEDGER_COLUMNS 96 /* of a table, at most */

/* What was in a table, to be compared: the order of rows does not matter. */
struct ledger_digest {
    int64_t rows;
    uint64_t at[2];
    struct decimal sums[LEDGER_COLUMNS]; /* of amounts, by column */
    bool summed;                         /* false: a sum has more digits than can be held */
};

struct ledger_copied_table {
    struct str table;
    struct ledger_digest digest;
    char digest_text[33]; /* digest.at in hexadecimal */
    int64_t lost;         /* rows that could not be kept, where damage is allowed */
    bool damaged;         /* some of it could not be read */
    struct str what;      /* the first of the reasons */
};

struct ledger_copy {
    struct watch watch; /* its progress is called as tables are read */
    bool rescue; /* copy what can be read, and count what cannot: from a file into a file */
    /* Set: */
    struct rows tables; /* struct ledger_copied_table */
    int version;        /* of the tables */
    int64_t rows;
    int64_t replaced; /* texts with bytes that are no UTF-8, which a server does not take */
    int64_t lost;
    bool damaged; /* some of it could not be read */
};

extern const struct field_set ledger_copied_table_fields;

bool ledger_copy(struct ledger *from, struct ledger *to, struct ledger_copy *copy,
                 struct arena *arena, struct error *err) MUST_USE;

/* The statement that reads a table, in the arena; `backwards`: the last row first. */
const char *table_select(const struct ledger_table *t, bool backwards, struct arena *arena,
                         struct error *err) MUST_USE;

/* How many rows there are. */
bool table_rows(struct ledger *l, const struct ledger_table *t, struct arena *arena,
                int64_t *out, struct error *err) MUST_USE;

#endif
