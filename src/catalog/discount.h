/* discount.h - what is expected of a discount that is published as a range: one figure for
 * plans, commitments, advice and owning. */
#ifndef CATALOG_DISCOUNT_H
#define CATALOG_DISCOUNT_H

/* The middle of the range; NaN where only "up to" so much is published. */
double discount_expected(double low, double high);

#endif
