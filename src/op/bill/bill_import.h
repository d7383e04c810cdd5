/* bill_import.h - bills from files into the ledger. */
#ifndef OP_BILL_BILL_IMPORT_H
#define OP_BILL_BILL_IMPORT_H

#include "doc/field.h"
#include "op/bill/bills.h"

struct op_context; /* op/context.h */

extern const struct op op_import;

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
    struct str amounts; /* "billed and effective", "amortised" */
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
    int64_t left, changed, added; /* charges of the earlier one that are not in it; others */
    struct money left_billed;
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

/* ---- bill_import_files.c ---- */

/* What is to be read, in this order. */
struct import_input {
    const char *path;
    bool listed;         /* by the user or a manifest: else it may be no bill */
    const char *same_as; /* an earlier one with the same bytes; NULL */
};

struct import_inputs {
    struct import_input *at;
    size_t count, room;
};

/* The files that the operands mean: folders are looked into, manifests name what they
 * deliver. */
bool import_inputs(struct op_context *ctx, struct strs operands, struct import_inputs *out,
                   struct error *err) MUST_USE;

/* ---- bill_import_read.c ---- */

struct import_work {
    struct op_context *ctx;
    const struct import_request *req;
    struct ledger_import *import;
    struct bill_classifier *classifier;
    enum bill_format format;
    struct import_file_view *views;
    char (*digests)[40]; /* of the files, by number */
    size_t count;
    const struct import_input *now;
    stamp today;
    struct currency currency;     /* of --currency, in capitals */
    stamp month_start, month_end; /* of --month; equal: not given */
    struct bill_mapping *map;     /* of --map */
    size_t map_count;
    bool taken;        /* the file that was visited is a bill */
    struct str meant;  /* misspelled columns of the last warning */
    const char *paged; /* the file whose answer goes on in the next one */
};

/* One file: its lines to the import, its totals compared. */
bool import_read(struct import_work *w, const struct import_input *input,
                 struct error *err) MUST_USE;

#endif
