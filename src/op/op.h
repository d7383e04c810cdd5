/* op.h - one function for each thing a user can ask: a request struct in, a result struct out.
 *
 * The command line, the library (stint_call), the HTTP API and the Python package all call
 * these, so they cannot drift apart. One table names every operation with the fields of
 * its request and result; options, JSON and documentation come from it.
 *
 * An operation never exits, prints or keeps state between calls. Signals and children of the
 * process are its own only where it says so (`own_process`). It is declared in the header of
 * its request and result, which needs no more than the name `struct op`.
 */
#ifndef OP_OP_H
#define OP_OP_H

#include "doc/field.h"

struct op_context; /* op/context.h */

/* Who may call it from elsewhere, over HTTP. What is not marked is for this machine only: it
 * reads or writes files, starts programs, or needs a terminal. */
enum op_access {
    OP_LOCAL,
    OP_READ,
    OP_WRITE, /* enters what happened: runs, counts, tags, decisions */
    OP_ADMIN, /* changes what applies to everybody: budgets, channels, tokens */
    OP_ACCESS_COUNT,
};
extern const char *const op_access_names[OP_ACCESS_COUNT]; /* "local", "read", ... */

/* What somebody sees who may see only one team. */
enum op_team {
    OP_TEAM_NONE,  /* nothing: it cannot be limited */
    OP_TEAM_ALL,   /* everything: nothing in it is from the ledger */
    OP_TEAM_WHERE, /* what meets team=TEAM, which is added to the field `where` */
    OP_TEAM_TAG,   /* likewise, added to the field `tag` */
    OP_TEAM_RUN,   /* runs that it names, if they have the tag */
    OP_TEAM_OWN,   /* the operation itself looks at op_context.team */
    OP_TEAM_COUNT,
};
extern const char *const op_team_names[OP_TEAM_COUNT]; /* "none", "all", ... */

struct op {
    const char *name;    /* "price.list" */
    const char *schema;  /* "stint.price.list/1" */
    const char *summary; /* one line, no full stop */
    const struct field_set *request, *result;
    enum op_access remote;
    enum op_team team;
    bool writes_config; /* so the configuration file may be absent or wrong */
    /* It may change something that stays (the ledger, prices, files, alerts): repeating it
     * because the result was lost would do it twice. */
    bool changes;
    /* It supervises other processes: it takes signals, waits for children and forks, which a
     * program with threads, signals and children of its own does not survive. op_run() refuses
     * it wherever the context does not have the process for itself. */
    bool own_process;
    /* `request` and `result` point to the structs that the sets describe. */
    bool (*run)(struct op_context *ctx, const void *request, void *result, struct error *err);
};

/* May the field be given from elsewhere? */
bool op_is_remote(const struct field *field);

/* Every operation (table.c). */
extern const struct op *const op_table[];
extern const size_t op_count;

#endif
