/* ledger_doctor.h - the health of the ledger: request and result of ledger.doctor. */
#ifndef OP_LEDGER_LEDGER_DOCTOR_H
#define OP_LEDGER_LEDGER_DOCTOR_H

#include "doc/field.h"
#include "unit/size.h"

extern const struct op op_ledger_doctor;

struct ledger_doctor_request {
    bool mend;
};

/* Something that is not as it should be, and what to type about it. */
struct ledger_complaint {
    struct str kind, text, run;
    bool wrong; /* false: worth knowing only */
};

struct ledger_table_health {
    struct str table;
    int64_t rows; /* -1: it cannot be read */
    bool damaged;
};

struct ledger_doctor_result {
    struct str ledger, engine, release, journal, rights;
    int64_t version;
    bytes size, log, unused, space;
    struct rows tables, findings;
    bool well; /* nothing is wrong */
    bool mended;
    int64_t mended_imports, mended_bills, mended_rows;
    bool mended_sums;
};

#endif
