/* check_internal.h - what the files of a check share. */
#ifndef LEDGER_COPY_CHECK_INTERNAL_H
#define LEDGER_COPY_CHECK_INTERNAL_H

#include "ledger/bills_internal.h"
#include "ledger/copy/check.h"

#define TROUBLES 64

struct check {
    struct ledger *l;
    struct arena *arena;
    struct ledger_health *out;
    struct ledger_trouble *troubles;
    size_t count;
    bool damaged; /* the file is: what fails then is no news */
    bool failed;  /* for want of memory */
};

/* A finding. `fmt` makes both texts, with a '\n' between what it is and what to type. */
enum trouble_how { TROUBLE_NOTE, TROUBLE_WRONG, TROUBLE_MENDABLE, TROUBLE_LEFTOVER };
void trouble(struct check *c, const char *kind, enum trouble_how how, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* A question could not be answered. */
void trouble_unread(struct check *c, const char *what, const struct error *why);

/* The one number that `sql` (a literal) answers with; -1 when it is NULL or cannot be told,
 * which is a finding. */
int64_t check_number(struct check *c, const char *what, const char *sql);

/* Likewise a text; empty when it cannot be told. */
struct str check_text(struct check *c, const char *what, const char *sql);

void check_file(struct check *c);
void check_server(struct check *c);
void check_bills(struct check *c);
void check_records(struct check *c);
void check_budgets(struct check *c); /* outside a transaction */

#endif
