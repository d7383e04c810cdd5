/* check.h - is the ledger intact, and is what it holds consistent?
 *
 * Nothing is changed, and damage is a finding, never a failure: so is a check that cannot run.
 */
#ifndef LEDGER_COPY_CHECK_H
#define LEDGER_COPY_CHECK_H

#include "ledger/ledger.h"
#include "unit/size.h"

/* A problem in a sentence, and what to type about it. */
struct ledger_problem {
    struct str kind; /* "damage", "sums", ...: docs/reference/ledger.md has them all */
    bool wrong;      /* false: worth knowing, but nothing is lost or hidden by it */
    bool repairable; /* by ledger_repair() */
    struct str text, run;
};

struct ledger_table_state {
    struct str table;
    int64_t rows; /* that can be read; -1: none can */
    bool damaged; /* there are more, or there were */
};

struct ledger_health {
    struct str engine;    /* "sqlite", "postgresql" */
    struct str release;   /* of the engine: "3.40.1", "15.8" */
    int version;          /* of the tables */
    bytes size, log;      /* log: of a file, what is still in its log */
    bytes unused;         /* of a file: that hold nothing */
    bytes space;          /* left on its file system */
    struct str journal;   /* of a file: "wal", "delete" */
    struct str rights;    /* of a server, of this user: "reads", "reads, writes", ... */
    struct rows tables;   /* struct ledger_table_state */
    struct rows findings; /* struct ledger_problem, those that are wrong first */
    bool well;            /* nothing is wrong */
};

/* Reads every page and every line. Fails only when memory runs out, or the server is gone. */
bool ledger_check(struct ledger *ledger, struct arena *arena, struct ledger_health *out,
                  struct error *err) MUST_USE;

/* Remove what interrupted imports left, and what belongs to no bill. Sums that do not agree are
 * marked to be computed again by ledger_regroup(): `sums` says that there are some. */
struct ledger_repaired {
    int64_t imports, bills; /* interrupted; replaced or removed before */
    int64_t rows;           /* that belonged to none */
    bool sums;
};
bool ledger_repair(struct ledger *ledger, const struct ledger_health *health,
                   struct ledger_repaired *out, struct error *err) MUST_USE;

extern const struct field_set ledger_problem_fields, ledger_table_state_fields;

#endif
