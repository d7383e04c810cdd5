/* ledger_init.h - the tables of a ledger, and who may use them: request and result of
 * ledger.init. */
#ifndef OP_LEDGER_LEDGER_INIT_H
#define OP_LEDGER_LEDGER_INIT_H

#include "doc/field.h"

extern const struct op op_ledger_init;

struct ledger_init_request {
    bool roles; /* of a server: make the groups of users, too */
};

struct ledger_init_result {
    struct str ledger, engine;       /* engine: "sqlite" or "postgresql" */
    int64_t version, version_before; /* of the tables; before: 0 when there were none */
    bool roles;                      /* the groups are there, with their rights */
    int64_t roles_made;              /* those that were not */
    bool owner;                      /* the tables became the administrators' just now */
};

#endif
