/* bills_view.h - how bills look: amounts with all their digits. */
#ifndef CLI_BILLS_VIEW_H
#define CLI_BILLS_VIEW_H

#include "cli/runs_view.h"

/* "12.340000000001 USD"; "?" when unknown. */
void bills_write_money(const struct money *m, struct buf *out);

/* The next cell. */
void bills_money(struct table *t, const struct money *m);
void bills_format(struct table *t, struct str format, struct str version); /* "focus 1.2" */
void bills_days(struct table *t, day first, day last);

#endif
