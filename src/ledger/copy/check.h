/* check.h - is the ledger whole, and does what it keeps agree with itself?
 *
 * Nothing is changed, and damage is told of, never stumbled over: a question that cannot be
 * answered is a finding of its own.
 */
#ifndef LEDGER_COPY_CHECK_H
#define LEDGER_COPY_CHECK_H

#include "ledger/ledger.h"

/* What is not as it should be, in a line, and what to type about it. */
struct ledger_trouble {
    const char *kind; /* "damage", "sums", ...: docs/ledger.md has them all */
    bool wrong;       /* false: worth knowing, but nothing is lost or hidden by it */
    bool mendable;    /* by ledger_mend() */
    struct str text, run;
};

struct ledger_table_state {
    const char *name;
    int64_t rows; /* that can be read; -1: none can */
    bool damaged; /* there are more, or there were */
};

struct ledger_health {
    const char *engine; /* "sqlite", "postgresql" */
    struct str release; /* of the engine: "3.40.1", "15.8" */
    int version;
    int64_t size;       /* bytes; -1: unknown, here and below */
    int64_t log;        /* of a file: bytes that lie in its log */
    int64_t unused;     /* bytes of it that hold nothing */
    int64_t space;      /* left on its file system */
    struct str journal; /* of a file: "wal", "delete" */
    struct str rights;  /* of a server, of this user: "reads", "reads, writes", ... */
    const struct ledger_table_state *tables;
    size_t table_count;
    const struct ledger_trouble *troubles; /* those that are wrong first */
    size_t trouble_count;
};

/* Every page and every line is read. False only because memory ran out, or when the server is
 * gone. */
bool ledger_check(struct ledger *ledger, struct arena *arena, struct ledger_health *out,
                  struct error *err) MUST_USE;

/* Sweep away what dead imports left, and what belongs to no bill. Sums that do not agree are
 * marked to be made again by ledger_regroup(): `sums` says that there are some. */
struct ledger_mended {
    int64_t imports, bills; /* that died; that were gone and swept away */
    int64_t rows;           /* that belonged to none */
    bool sums;
};
bool ledger_mend(struct ledger *ledger, const struct ledger_health *health,
                 struct ledger_mended *out, struct error *err) MUST_USE;

#endif
