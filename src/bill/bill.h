/* bill.h - bills of clouds, read as a stream of FOCUS rows.
 *
 * Recognizes who wrote a file by its columns, maps each row to FOCUS, and keeps every amount
 * exactly as it was written. Pure: reads a source, allocates what `bill_open` says, bounded
 * whatever the size of the input.
 *
 *     struct bill *bill = bill_open(source, &options, err);
 *     while (bill_next(bill, &line, err)) ... line.of[FOCUS_ServiceName] ...
 *     failed = bill_failed(bill);
 *     bill_close(bill);
 */
#ifndef BILL_BILL_H
#define BILL_BILL_H

#include "base/arena.h"
#include "base/decimal.h"
#include "base/source.h"
#include "bill/focus/focus.h"
#include "unit/time.h"

enum bill_format {
    BILL_FOCUS,
    BILL_AWS_CUR,    /* 1: lineItem/UnblendedCost, also Athena's snake case */
    BILL_AWS_CUR2,   /* 2.0: maps as JSON */
    BILL_GCP_CSV,    /* the export, flattened */
    BILL_GCP_NDJSON, /* the export as BigQuery writes it */
    BILL_AZURE,      /* EA, MCA, pay as you go; actual or amortized */
    BILL_OCI,
    BILL_AWS_EXPLORER, /* an answer of Cost Explorer: coarse */
    BILL_BIGQUERY,     /* a grouped answer of BigQuery: coarse */
    BILL_AWS_BILLS,    /* the Bills page's CSV: coarse */
    BILL_AWS_CONSOLE,  /* Cost Explorer's CSV, a column for each service: coarse */
    BILL_TABLE, /* any table of costs: docs/reference/bills.md; coarse without resources */
    BILL_FORMATS,
};

const char *bill_format_name(enum bill_format format); /* "focus", "aws-cur", ... */

enum bill_amounts {
    BILL_BOTH,      /* billed and effective cost */
    BILL_AMORTIZED, /* effective only: billed cost is 0, another file has it */
};

/* A column of a table, by the name that the user gives it: --map cost=amount. */
struct bill_mapping {
    struct str field, column;
};

/* The month "202603", "2026-03", "202603.0" or "Mar 2026": when it begins and ends. */
bool bill_month_parse(struct str text, stamp *start, stamp *end);

bool bill_map_knows(
    struct str field); /* "cost", "date", "team": docs/reference/bills.md has them */

struct bill_options {
    const struct alloc *alloc;
    const char *name;        /* of the file, for errors and hints; may say what it is */
    enum bill_format format; /* BILL_FORMATS: find out */
    bool amortized, actual;  /* given by the user: Azure */
    struct str currency;     /* of lines that name none, or none that is known; empty: refuse */
    bool repeats; /* lines with the same id are others, and stated totals need not match */
    struct str provider;          /* of tables: who is paid, whatever they say; empty: none */
    stamp month_start, month_end; /* of tables without dates; start and end equal: not given */
    const struct bill_mapping *map; /* of tables */
    size_t map_count;
    bool *recognized; /* set once it is known whose it is, even when it fails then; or NULL */
};

/* What is known of a file once it is open. Texts live as long as the bill. */
struct bill_about {
    enum bill_format format;
    const char *version; /* "1.2", "EA"; "" when unknown */
    enum bill_amounts amounts;
    struct str unused; /* columns that have no place in FOCUS: "a, b, c" */
    struct str meant; /* those that look misspelt: "'Tasg' (Tags?), 'Resource' (ResourceId?)" */
    bool coarse;      /* no resources: grouped by the cloud */
    /* What had to be assumed, known once all is read. */
    bool zoneless;         /* times without a zone were taken to be UTC */
    bool month_first;      /* "4/1/2025" was taken to be the first of April */
    bool dollars;          /* no currency is named: amounts were taken to be US dollars */
    bool currency_assumed; /* the currency of the options was used for some line */
    bool day_first;        /* "15/3/2026": some date of the first rows has it so */
    struct str date;       /* the first such date, as it is written */
    bool next_page;        /* it is a page of an answer, and there is one after it */
    struct str period; /* it has no dates: the days that were taken from its name or title */
    bool month_unused; /* it has dates: the month of the options was not needed */
    int64_t payments;  /* rows that are payments, and no costs: they are left out */
};

/* A row. Texts are valid until the next call; unknown ones have at == NULL. */
struct bill_line {
    /* As written, costs without groups of digits. The times are the stamps below: only what is
     * FOCUS already has texts of them. */
    struct str of[FOCUS_COUNT];
    stamp start, end;               /* of the charge; the end is the first second after it */
    stamp period_start, period_end; /* of the bill */
    struct decimal billed, effective, list, contracted;
    bool list_known, contracted_known; /* else they are taken to be `billed` */
    uint64_t line;                     /* of the file */
    struct str id; /* that the cloud gives the line, where it does; not kept */
};

struct bill;

/* NULL with the error set: ERROR_INPUT names what is missing, the closest column that is there
 * and what formats are known. */
struct bill *bill_open(struct source source, const struct bill_options *options,
                       struct error *err) MUST_USE;
void bill_close(struct bill *bill); /* NULL is fine */
const struct bill_about *bill_about(const struct bill *bill);

/* The next row; false at the end, and after a failure (bill_failed() distinguishes them). A row
 * that cannot be understood is a failure: "line 12: BilledCost: '1,5' is not a number". */
bool bill_next(struct bill *bill, struct bill_line *line, struct error *err) MUST_USE;
bool bill_failed(const struct bill *bill);

/* The exact sum of the column that this format bills by, as the file has it before any mapping:
 * what the import is checked against. `column` names it. Of what was read so far; a sum that
 * does not fit makes the last bill_next() fail. */
struct decimal bill_file_total(const struct bill *bill, const char **column);

/* The manifest of a delivery (AWS CUR 1 and 2, Azure, FOCUS): the files it lists, relative to
 * it, the period and an id of the delivery. False when it is no manifest: the error is not set
 * then unless it is one that cannot be read. */
struct bill_manifest {
    const struct str *files; /* keys in the bucket: see bill_manifest_place() */
    size_t file_count;
    struct str delivery;            /* assemblyId, runId; empty when there is none */
    stamp period_start, period_end; /* STAMP_UNKNOWN: not given */
};
bool bill_manifest(struct str text, const char *name, struct arena *arena,
                   struct bill_manifest *out, struct error *err) MUST_USE;

/* Where to look for a file of a manifest, from the manifest's folder: at 0 the full key, then
 * without its first folders, one more each time, at last its name alone, since people copy
 * deliveries as they like. False when there are no more. Never leads out of the folder. */
bool bill_manifest_place(struct str file, size_t n, struct str *out) MUST_USE;

#endif
