/* ledger_init.h - the tables of a ledger, and the groups of its users: request and result of
 * ledger.init. */
#ifndef OP_LEDGER_LEDGER_INIT_H
#define OP_LEDGER_LEDGER_INIT_H

#include "doc/field.h"

extern const struct op op_ledger_init;

struct ledger_init_request {
    bool roles; /* of a server: create the groups of users, too */
};

struct ledger_init_result {
    struct str ledger, engine;       /* engine: "sqlite" or "postgresql" */
    int64_t version, version_before; /* of the tables; before: 0 when there were none */
    bool roles;                      /* the groups exist, with their rights */
    int64_t roles_made;              /* groups created */
    bool owner;                      /* stint_admin became the owner of the tables */
};

#endif
