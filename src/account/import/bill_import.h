/* bill_import.h - bills from files into the ledger: all of them, or none.
 *
 * Each file is read line by line into one import of the ledger, its own total is compared with
 * theirs, and what replaces what is described. Reads files; writes to the ledger that it is
 * given.
 */
#ifndef ACCOUNT_IMPORT_BILL_IMPORT_H
#define ACCOUNT_IMPORT_BILL_IMPORT_H

#include "account/import/bill_files.h"
#include "account/import/bill_view.h"
#include "base/clock.h"
#include "base/watch.h"
#include "catalog/catalog.h"

struct import_request {
    struct strs files;
    struct str format;
    struct str currency;        /* of lines that name none */
    struct str provider, month; /* of tables that do not name them */
    struct strs map;            /* "FIELD=COLUMN" */
    bool add, replace, force, amortized, actual, dry_run;
};

/* A file, as it was read. */
struct import_file_view {
    struct str file, format, version;
    struct str amounts; /* "billed and effective", "amortized" */
    int64_t lines;
    struct str column;  /* that its own total is of */
    struct money total; /* unknown when it is of several currencies */
    bool mixed;         /* it is */
    bool equal;         /* what the lines come to */
    day first_day, last_day;
    struct str unused;  /* columns that are not kept */
    struct str same_as; /* the file that it is a copy of: then it was skipped */
    bool coarse;
};

/* A bill that was imported, and what it replaced. */
struct import_bill_view {
    struct bill_summary bill;
    int64_t replaced; /* bills that it took the place of */
    int64_t replaced_lines;
    struct money replaced_billed, replaced_effective;
    stamp replaced_imported; /* of the newest of them; unknown: none */
    /* A correction with fewer lines: */
    int64_t missing, changed, added; /* charges of the earlier one that are not in it; others */
    struct money missing_billed;
    struct rows charges; /* struct import_charge_view: the first of those that left */
};

/* A charge that left with a correction. */
struct import_charge_view {
    day on;
    struct str service, resource, description;
    struct money billed;
};

struct import_result {
    struct rows files; /* struct import_file_view */
    struct rows bills; /* struct import_bill_view */
    int64_t lines;
    int64_t left_out; /* charges of coarse data that a detailed bill has already */
    struct str ledger;
    bool dry_run;
};

extern const struct field_set import_fields;

/* What an import needs besides what is asked. */
struct import_how {
    const struct catalog *catalog; /* with BILL_CLASSIFIER_TABLES (account/classify) */
    const struct clock *clock;
    stamp today;
    const struct messages *messages;
    const struct watch *watch;
    bool (*is_price_list)(struct str head); /* what a file that is no bill may be */
};

/* Opens the ledger, once it is certain that there is something to read: NULL in a dry run
 * without one. */
struct import_ledger {
    bool (*open)(void *ctx, struct ledger **out, struct error *err);
    void *ctx;
};

/* `out->ledger` is the caller's to set; `files` is set on failure, too. */
bool bills_import(const struct import_request *ask, const struct import_how *how,
                  const struct import_ledger *ledger, struct arena *arena,
                  struct import_result *out, struct error *err) MUST_USE;

#endif
