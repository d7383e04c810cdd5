/* statement.h - what each team is shown or charged for a month: its own costs, its part of
 * shared ones, recurring costs, credits and tax, with the month before beside them.
 */
#ifndef ACCOUNT_STATEMENT_STATEMENT_H
#define ACCOUNT_STATEMENT_STATEMENT_H

#include "account/account.h"
#include "account/query/amount.h"
#include "account/query/converter.h"
#include "bill/dimension.h"

struct statement_question {
    enum dimension by;   /* whose statements: a tag */
    struct str whose;    /* a pattern; empty: all */
    day since, until;    /* a month: its first day, and the first day after */
    bool chargeback;     /* only what is billed, and final */
    struct str currency; /* convert to it; empty: keep currencies apart */
};

enum statement_section {
    SECTION_DIRECT,    /* its own, by service and project */
    SECTION_SHARED,    /* its part of shared costs, by rule */
    SECTION_RECURRING, /* entered once, by name */
    SECTION_CREDIT,    /* credits and adjustments */
    SECTION_TAX,
    SECTION_COUNT
};

extern const char *const statement_sections[SECTION_COUNT]; /* "direct", ... */

struct statement_line {
    enum statement_section section;
    struct str item, project; /* NULL: none */
    struct money amount, before, change, metered;
};

extern const struct field_set statement_line_fields;

/* Of one team in one currency. */
struct statement {
    struct str number; /* another when an amount is: an older statement shows that it changed */
    struct str who;    /* NULL: of what has no team */
    struct money total, before, change, metered;
    struct rows lines; /* struct statement_line, by section */
    struct money sections[SECTION_COUNT], sections_before[SECTION_COUNT];
};

/* A bill that it is based on. */
struct statement_bill {
    struct str provider, account, currency, invoices; /* invoices: "INV-1, INV-2"; NULL: none */
    struct str account_name;                          /* NULL: unknown */
    day period_start, period_end;                     /* the last day */
    day imported;
    bool final; /* delivered when its period was over */
};

struct statement_kept {
    struct str rule;
    struct money amount;
};

/* A shared cost that is split over another tag than the statements are by: its parts keep what
 * the cost itself has of this one. */
struct statement_elsewhere {
    struct str rule, over;
};

struct statement_set {
    struct statement_question of;
    struct str month, before, by, kind; /* "2026-10", "2026-09", "team", "showback" */
    day since, until;                   /* the first and the last day of the month */
    bool whole;                         /* the month is over */
    struct rows statements;             /* struct statement */
    struct rows bills;                  /* struct statement_bill */
    struct rows kept;        /* struct statement_kept: shared costs that no one could take */
    struct rows elsewhere;   /* struct statement_elsewhere */
    struct rates_used rates; /* that both months were converted at; `of` NULL: nothing was */
    int64_t unpriced;
    stamp made;
};

extern const struct field_set statement_set_fields;

/* `made`: now. ERROR_ABSENT when no statement is of `whose`, or a chargeback has no bill; warns
 * of bills of a chargeback that may still change. */
bool account_statements(const struct account_source *account,
                        const struct statement_question *question, stamp made,
                        struct statement_set *out, struct error *err) MUST_USE;

/* A page to send or print: one sheet for each statement, no scripts, nothing from elsewhere. */
void statements_write_html(const struct statement_set *set, struct buf *out);

/* What must be known besides the amounts, a line each: the same words wherever it is shown. */
void statement_notes(const struct statement_set *set, struct buf *out);

/* "111122223333 (Research)". */
void statement_account(const struct statement_bill *bill, struct buf *out);

#endif
