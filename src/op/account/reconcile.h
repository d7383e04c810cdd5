/* reconcile.h - the request of reconcile; its result is struct reconciliation. */
#ifndef OP_ACCOUNT_RECONCILE_H
#define OP_ACCOUNT_RECONCILE_H

#include "account/reconcile/reconciliation.h"
#include "op/op.h"

struct reconcile_request {
    struct str since, until, month;
    int64_t limit;
};

#endif
