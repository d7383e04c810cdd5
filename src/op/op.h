/* op.h - one function for each thing a user can ask: a request struct in, a result struct out.
 *
 * The command line, the library (stint_call) and later the HTTP API and the Python package all
 * call these, so they cannot drift apart. One table names every operation with the fields of
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

struct op {
    const char *name;    /* "price.list" */
    const char *schema;  /* "stint.price.list/1" */
    const char *summary; /* one line, no full stop */
    const struct field_set *request, *result;
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

/* Every operation (table.c). */
extern const struct op *const op_table[];
extern const size_t op_count;

#endif
