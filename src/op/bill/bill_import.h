/* bill_import.h - bills from files into the ledger: the operation. */
#ifndef OP_BILL_BILL_IMPORT_H
#define OP_BILL_BILL_IMPORT_H

#include "account/import/bill_import.h"

extern const struct op op_import;

#endif
