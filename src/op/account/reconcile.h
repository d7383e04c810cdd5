/* reconcile.h - the request of reconcile; its result is struct reconciliation. */
#ifndef OP_ACCOUNT_RECONCILE_H
#define OP_ACCOUNT_RECONCILE_H

#include "account/reconcile/reconciliation.h"
#include "op/options.h"

extern const struct op op_reconcile;

struct reconcile_request {
    struct days_asked days;
    int64_t limit;
};

#endif
