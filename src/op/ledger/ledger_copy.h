/* ledger_copy.h - one ledger into another: request and result of ledger.copy. */
#ifndef OP_LEDGER_LEDGER_COPY_H
#define OP_LEDGER_LEDGER_COPY_H

#include "ledger/copy/copy.h"

extern const struct op op_ledger_copy;

struct ledger_copy_request {
    struct str from, to; /* files, or addresses of servers */
    bool damaged;        /* what can be read of a file that is damaged */
};

struct ledger_copy_result {
    struct str from, to; /* as they may be shown */
    struct ledger_copy copy;
};

#endif
