/* ledger_doctor.h - the health of the ledger: request and result of ledger.doctor. */
#ifndef OP_LEDGER_LEDGER_DOCTOR_H
#define OP_LEDGER_LEDGER_DOCTOR_H

#include "ledger/copy/check.h"

extern const struct op op_ledger_doctor;

struct ledger_doctor_request {
    bool repair;
};

struct ledger_doctor_result {
    struct str ledger;
    struct ledger_health health;
    bool was_repaired;
    struct ledger_repaired repaired;
};

#endif
