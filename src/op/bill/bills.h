/* bills.h - the bills in the ledger: listed, removed. */
#ifndef OP_BILL_BILLS_H
#define OP_BILL_BILLS_H

#include "doc/field.h"
#include "ledger/bills/bills.h"
#include "unit/money.h"
#include "unit/time.h"

extern const struct op op_bills, op_bills_remove;

struct bills_request {
    struct str what; /* a pattern of providers or accounts; empty: all */
};

/* A bill of the ledger, with what is shown of it. */
struct bill_summary {
    struct ledger_bill bill; /* its key is -1 when it was not written */
    struct str period;       /* "2026-05", or "2026-05-01 to 2026-05-11" */
    struct money billed, effective;
};

extern const char *const bill_amounts_names[]; /* of enum bill_amounts */
extern const struct field_set bill_summary_fields;

bool bill_summarize(const struct ledger_bill *bill, struct arena *arena,
                    struct bill_summary *out, struct error *err) MUST_USE;

struct bill_view {
    struct bill_summary bill;
    struct strs files;
};

struct bills_result {
    struct rows bills; /* struct bill_view, by period */
    int64_t count, lines;
    struct str ledger;
    bool none_yet; /* there is no ledger */
};

struct bills_remove_request {
    struct str what;
    bool force;
};

struct bills_remove_result {
    struct rows removed; /* struct bill_view */
};

#endif
