/* number_view.h - estimated numbers, sizes, times and amounts: three digits that matter. */
#ifndef CLI_NUMBER_VIEW_H
#define CLI_NUMBER_VIEW_H

#include "op/estimate/estimate.h"

/* Three digits that matter: "1.24", "105,000"; "?" when unknown. */
void number_write(double n, struct buf *out);
void count_write(double n, struct buf *out);               /* "3,052" */
void large_write(double n, struct buf *out);               /* "6.74 B", "25.0 M" */
void seconds_write(double seconds, struct buf *out);       /* "12.3 ms", "14.2 h" */
void seconds_range_write(struct guess s, struct buf *out); /* "14.2 h (12.6 to 16.0)" */
void range_write(struct guess g, const char *unit, struct buf *out);
/* A share: "62.5 %", "1,260 %". */
void percent_write(double share, struct buf *out);
/* As usd_write(), but of a fraction of a cent only three digits. */
void dollars_write(double dollars, struct buf *out);

/* ", unchanged with 93 % probability": of a price that has an age but no range. Nothing when it
 * is not known (NaN). */
void unchanged_write(double share, struct buf *out);

#endif
