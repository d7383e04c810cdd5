/* values.h - how values look to people, in tables and in sentences. */
#ifndef RENDER_VALUES_H
#define RENDER_VALUES_H

#include "base/buf.h"
#include "unit/money.h"

/* "2026-11-15 10:00", in UTC; "-" when unknown. */
void value_time(stamp at, bool seconds, struct buf *out);

/* "12 %", "0.3 %", "<0.1 %"; "-" when unknown. With its sign for a change, "new" when
 * infinite. */
void value_share(double share, struct buf *out);
void value_change(double change, struct buf *out);

/* How much of a limit is used, rounded down: "99 %" until all of it is; "-" when unknown. */
void value_used(double share, struct buf *out);

/* "others (3)": a row that sums up groups for which there was no room. */
void value_others(int64_t count, struct buf *out);

/* All digits: "12.345678901 USD"; "?" when unknown. */
void value_exact(const struct money *m, struct buf *out);

/* The price of an hour, with four decimals below 1: "$2.49", "0.0132 EUR"; "?" when unknown. */
void value_price(const struct money *m, struct buf *out);

/* To the cent with its sign: "+$12.34", "-$3.10", "$0.00"; "-" when unknown. */
void value_money_change(const struct money *m, struct buf *out);

#endif
