/* allocation.h - the allocation policy of the ledger: set, shown, checked, removed. */
#ifndef OP_ACCOUNT_ALLOCATION_H
#define OP_ACCOUNT_ALLOCATION_H

#include "account/policy/allocation.h"
#include "op/options.h"

extern const struct op op_allocation_check, op_allocation_remove, op_allocation_set,
    op_allocation_show;

struct allocation_request {
    struct str file;
    struct days_asked days;
};

struct allocation_result {
    struct str file, ledger, text;
    stamp set_at;
    bool none, same; /* there is no policy; it is what was there */
    struct allocation policy;
    struct rows coverage; /* struct tagged_change */
    day since, until;     /* of the check */
};

#endif
