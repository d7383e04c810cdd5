/* statement.h - request and result of statement. */
#ifndef OP_ACCOUNT_STATEMENT_H
#define OP_ACCOUNT_STATEMENT_H

#include "account/statement/statement.h"

extern const struct op op_statement;

struct statement_request {
    struct str team, whose, by, month, kind, currency, csv, html;
};

struct statement_result {
    struct statement_set set;
    struct str csv, html; /* the files that were written */
    bool no_ledger;
};

#endif
