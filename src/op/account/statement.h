/* statement.h - what each team is shown or charged for a month. */
#ifndef OP_ACCOUNT_STATEMENT_H
#define OP_ACCOUNT_STATEMENT_H

#include "op/account/costs.h"

enum statement_section {
    SECTION_DIRECT,    /* its own, by service and project */
    SECTION_SHARED,    /* its part of shared costs, by rule */
    SECTION_RECURRING, /* entered once, by name */
    SECTION_CREDIT,    /* credits and adjustments */
    SECTION_TAX,
    SECTION_COUNT
};

struct statement_request {
    struct str team, whose, by, month, kind, currency, csv, html;
};

struct statement_line {
    struct str section, item, project;
    struct money amount, before, change, metered;
    enum statement_section in;
};

/* Of one team in one currency. */
struct statement {
    struct str number, who, currency;
    struct money total, before, change, metered;
    struct rows lines; /* struct statement_line, by section */
    struct money sections[SECTION_COUNT], sections_before[SECTION_COUNT];
};

/* What it stands on. */
struct statement_bill {
    struct str provider, account, currency, invoices; /* invoices: "INV-1, INV-2"; NULL: none */
    struct str account_name;                          /* NULL: none that is known */
    day period_start, period_end;                     /* the last day */
    day imported;
    bool final; /* delivered when its period was over */
};

struct statement_result {
    struct str month, before, by, kind;
    day since, until;        /* the first and the last day of the month */
    bool whole;              /* the month is over */
    struct rows statements;  /* struct statement */
    struct rows bills;       /* struct statement_bill */
    struct rows kept;        /* struct statement_kept: shared costs that nobody could take */
    struct rows elsewhere;   /* struct statement_elsewhere */
    struct rates_used rates; /* that both months were converted at; `of` NULL: nothing was */
    int64_t unpriced;
    struct str made; /* when, in UTC */
    struct str csv, html;
    bool none_yet;
};

struct statement_kept {
    struct str rule, currency;
    struct money amount;
};

/* A shared cost that is split over another tag than the statements are by: its parts keep what
 * the cost itself has of this one. */
struct statement_elsewhere {
    struct str rule, over;
};

extern const char *const statement_sections[SECTION_COUNT]; /* "direct", ... */

/* ---- the parts of it ---- */

struct statement_work {
    struct op_context *ctx;
    struct ledger *ledger;
    const struct statement_request *req;
    const struct policy *policy;
    struct statement_result *out;
    enum dimension by;
    struct str whose; /* a pattern; empty: all */
    day since, until; /* until: the first day after */
    bool chargeback;
    struct statement_kept *kept; /* of the result, while it grows */
};

/* The statements of the month, with the month before beside them. */
bool statement_make(struct statement_work *w, struct error *err) MUST_USE;

/* The bills that it stands on; of a chargeback also their invoices. */
bool statement_bills(struct statement_work *w, struct error *err) MUST_USE;

bool statement_write_csv(const struct statement_work *w, struct error *err) MUST_USE;
bool statement_write_html(const struct statement_work *w, struct error *err) MUST_USE;

/* What must be known besides the amounts, a line each: the same words wherever it is shown. */
void statement_notes(const struct statement_result *res, struct buf *out);

/* "111122223333 (Research)". */
void statement_account(const struct statement_bill *bill, struct buf *out);

#endif
