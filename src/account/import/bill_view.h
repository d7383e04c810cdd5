/* bill_view.h - a bill of the ledger as it is shown, and finding one by how users name it. */
#ifndef ACCOUNT_IMPORT_BILL_VIEW_H
#define ACCOUNT_IMPORT_BILL_VIEW_H

#include "doc/field.h"
#include "ledger/bills/bills.h"
#include "unit/money.h"
#include "unit/time.h"

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

extern const struct field_set bill_view_fields;

bool bill_view_make(const struct ledger_bill *bill, struct arena *arena, struct bill_view *out,
                    struct error *err) MUST_USE;

/* By a pattern of its provider or account; empty: any. */
bool bill_is_like(const struct bill_view *bill, struct str what);

/* By its number, "7", or "AWS/1234/2026-05"; an account may have slashes itself. */
bool bill_is_named(const struct bill_view *bill, struct str what);

/* ERROR_ABSENT: nothing is like what was asked for, with whose bills there are. */
void bill_absent(const struct ledger_bill *bills, size_t count, struct str what,
                 struct error *err);

/* The bills that `keep` accepts: struct bill_view. */
bool bill_views(struct ledger *ledger, struct str what,
                bool (*keep)(const struct bill_view *bill, struct str what),
                struct arena *arena, struct rows *out, struct error *err) MUST_USE;

/* Nothing is like what was asked for: bill_absent(), unless there are no bills at all. */
bool bill_none_like(struct ledger *ledger, struct str what, struct arena *arena,
                    struct error *err) MUST_USE;

/* ERROR_USAGE, with what would go, unless it is confirmed; ERROR_ABSENT when none was found. */
bool bill_confirm_removal(struct str what, const struct rows *found, bool force,
                          struct error *err) MUST_USE;

#endif
