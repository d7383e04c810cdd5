/* amount.h - exact amounts of money: sums, differences, shares.
 */
#ifndef ACCOUNT_QUERY_AMOUNT_H
#define ACCOUNT_QUERY_AMOUNT_H

#include "account/query/spending.h"
#include "doc/field.h"
#include "unit/money.h"

/* An amount with its currency, without trailing zeros. */
struct money costs_money(struct decimal amount, struct currency currency);

/* Add to a sum; a - b. False with the error set when it does not fit. */
bool costs_plus(struct decimal *sum, struct decimal amount, struct error *err) MUST_USE;
bool costs_minus(struct decimal a, struct decimal b, struct decimal *out,
                 struct error *err) MUST_USE;

/* part / whole; NaN when the whole is not above zero, or the part is below: no share of it. */
double costs_share(struct decimal part, struct decimal whole);

/* change / before: NaN when nothing was and is, or less than nothing; infinite when nothing
 * was. */
double costs_percent(struct decimal change, struct decimal before);

/* ---- one amount for each currency ---- */

extern const struct field_set costs_apart_fields; /* of struct money */

/* Add to the amount of its currency. */
bool costs_apart_add(struct arena *arena, struct rows *all, const struct spending *s,
                     struct error *err) MUST_USE;

/* The credits in what a query asks for, as struct money. Quiet. */
bool account_credits(const struct account_source *account, const struct spending_query *query,
                     struct rows *out, struct error *err) MUST_USE;

#endif
