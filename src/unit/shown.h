/* shown.h - how values look to people, in tables and in sentences: one way for each. */
#ifndef UNIT_SHOWN_H
#define UNIT_SHOWN_H

#include "base/buf.h"
#include "unit/money.h"

/* "2026-11-15 10:00", in UTC; "-" when unknown. */
void value_time(stamp at, bool seconds, struct buf *out);

/* "12 %", "0.3 %", "5 %" exactly, "<0.1 %", "99.7 %", "1,260 %"; "-" when unknown. With its
 * sign for a change, "new" when infinite. A range: "12 to 30 %", "up to 30 %". */
void value_share(double share, struct buf *out);
void value_share_range(double low, double high, struct buf *out);
void value_change(double change, struct buf *out);

/* The same for a sentence: buf_addf(out, "%s busy", percent_text(share).text). */
struct percent_text {
    char text[32];
};
struct percent_text percent_text(double share);

/* How much of a limit is used, rounded down: "99 %" until all of it is; "-" when unknown. */
void value_used(double share, struct buf *out);

/* Three digits that matter: "1.24", "105,000"; all of them: "3,052"; "6.74 B", "25.0 M"; "?"
 * when unknown. */
void value_number(double n, struct buf *out);
void value_count(double n, struct buf *out);
void value_large(double n, struct buf *out);

/* An estimated length of time, in the unit that suits it: "12.3 ms", "14.2 h"; "never" when
 * infinite, "?" when unknown. One that was given or measured is a span: span_write(). */
void value_seconds(double seconds, struct buf *out);
void value_hours(double hours, struct buf *out);

/* A computed one that can be typed: "33min", without seconds that mean nothing. */
void value_span(span s, struct buf *out);

/* With the range that it is in, where there is one: "14.2 h (12.6 to 16.0)", "15.6 GB (12.5 to
 * 19.4)". */
void value_seconds_within(double value, double low, double high, struct buf *out);
void value_within(double value, double low, double high, const char *unit, struct buf *out);

/* GPUs and machines: "8x H100", "0.25x T4"; the name alone when their number is unknown or 0.
 */
void value_times(double count, struct str name, struct buf *out);

/* "aws/us-east-1/us-east-1a": as much of it as is known; "?" when nothing is. */
void value_place(struct str provider, struct str region, struct str zone, struct buf *out);

/* "others (3)": a row that sums up groups for which there was no room. */
void value_others(int64_t count, struct buf *out);

/* All digits: "12.345678901 USD"; "?" when unknown. */
void value_exact(const struct money *m, struct buf *out);

/* The price of an hour, with four decimals below 1: "$2.49", "0.0132 EUR"; "?" when unknown. */
void value_price(const struct money *m, struct buf *out);

/* To the cent with its sign: "+$12.34", "-$3.10", "$0.00"; "-" when unknown. */
void value_money_change(const struct money *m, struct buf *out);

/* As usd_write(), but of a fraction of a cent only three digits. */
void value_dollars(double dollars, struct buf *out);

/* Estimates, three digits: "$3,070", "208 EUR"; with its sign, "+$12.3"; "$891 to $1,060", "up
 * to $1,060". */
void value_estimate(double amount, struct currency currency, struct buf *out);
void value_estimate_change(usd amount, struct buf *out);
void value_estimate_range(usd low, usd high, struct buf *out);

/* ", unchanged with 93 % probability": of a price that has an age but no range. Nothing when it
 * is not known (NaN). */
void value_unchanged(double share, struct buf *out);

#endif
