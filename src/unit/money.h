/* money.h - amounts, prices and rates of money that cannot be mistaken for one another.
 *
 * Prices and live cost are integers of nano-dollars, because they are added up and compared.
 * Amounts of bills are exact decimals with a currency. Each unit is a struct of one member:
 * passing dollars an hour where dollars are wanted does not compile (tests/nocompile).
 *
 * An unknown price is USD_UNKNOWN, never zero; what is computed from it is unknown too.
 */
#ifndef UNIT_MONEY_H
#define UNIT_MONEY_H

#include <stdint.h>

#include "base/clock.h"
#include "base/decimal.h"

typedef struct {
    int64_t nano;
} usd; /* an amount: nano-dollars, so up to 9.2 billion dollars either way */

typedef struct {
    int64_t nano;
} usd_per_hour;

typedef struct {
    int64_t nano;
} usd_per_gb; /* GB = 10^9 bytes: moving it, or keeping it for a month */

typedef struct {
    int64_t nano;
} usd_per_kwh;

/* Moving or keeping so many bytes, to the nearest nano-dollar; unknown when the price is, or
 * when it does not fit. */
usd usd_for_bytes(usd_per_gb price, uint64_t count);

#define BYTES_PER_GB INT64_C(1000000000)
#define MONEY_UNKNOWN INT64_MIN
#define USD_UNKNOWN ((usd){MONEY_UNKNOWN})
#define USD_PER_HOUR_UNKNOWN ((usd_per_hour){MONEY_UNKNOWN})

/* The code of a currency, ISO 4217, upper case. */
struct currency {
    char code[4]; /* ends with a 0; empty: none, or unknown */
};

extern const struct currency currency_none, currency_usd;

static inline bool currency_is(struct currency a, struct currency b)
{
    return a.code[0] == b.code[0] && a.code[1] == b.code[1] && a.code[2] == b.code[2];
}

/* Is there none? */
static inline bool currency_unset(struct currency c)
{
    return c.code[0] == '\0';
}

/* The order of their letters; none is first. */
int currency_compare(struct currency a, struct currency b);

/* Is it a currency's code, such as USD or eur? */
bool currency_known(struct str code);

/* "USD", "eur": in capitals. False when it is not a currency's code. */
bool currency_parse(struct str text, struct currency *out) MUST_USE;

/* Three letters, in capitals, whether or not a currency has that code; none otherwise. */
struct currency currency_from(struct str text);

/* Its letters, those of `c` itself; a text without characters for none. */
struct str currency_text(const struct currency *c);

/* An amount in any currency, as bills and budgets have it. */
struct money {
    struct decimal amount;
    struct currency currency; /* none when the amount is unknown */
};

/* Dollars as an amount with a currency, without zeros at the end; unknown stays unknown. */
struct money money_from_usd(usd amount);

/* Likewise billionths of a currency, none of them below zero: an unknown price is negative. */
struct money money_from_nano(int64_t nano, struct currency currency);

/* "$100", "100usd", "99.50 EUR", "eur 12". A bare number is refused with a hint: an unquoted
 * $100 reaches us from the shell as 00. */
bool money_parse(struct str text, struct money *out, struct error *err) MUST_USE;

/* "$100" or "100usd": dollars only, to the nano-dollar. */
bool usd_parse(struct str text, usd *out, struct error *err) MUST_USE;

/* "$2.49/hr", "2.49usd/hr", "0.0007usd/s". A price without its time is refused. */
bool usd_per_hour_parse(struct str text, usd_per_hour *out, struct error *err) MUST_USE;

/* "0.17usd/kWh". */
bool usd_per_kwh_parse(struct str text, usd_per_kwh *out, struct error *err) MUST_USE;

/* What `price` comes to over `time`, to the nearest nano-dollar, halves away from zero. Unknown
 * when the price is; false when the amount does not fit. */
bool usd_for(usd_per_hour price, span time, usd *out) MUST_USE;

/* `count` machines at `price`; one of `parts` equal shares of it, rounded down. Unknown stays
 * unknown; what does not fit becomes unknown. Neither number is zero. */
usd_per_hour usd_per_hour_times(usd_per_hour price, int64_t count);
usd_per_hour usd_per_hour_share(usd_per_hour price, int64_t parts);

/* A multiple that need not be an integer, to the nearest nano-dollar; unknown as above. */
usd_per_hour usd_per_hour_scaled(usd_per_hour price, double by);

/* Cheaper first, unknown last. */
int usd_compare(usd a, usd b);
int usd_per_hour_compare(usd_per_hour a, usd_per_hour b);

/* The sum: unknown when either is, or when it does not fit. */
usd usd_add(usd a, usd b);

/* The difference, likewise. */
usd usd_less(usd a, usd b);

/* Physics becomes money here, once: nearest nano-dollar, unknown when NaN or too large. */
usd usd_from(double dollars);
double usd_double(usd amount); /* NaN when unknown */
double usd_per_hour_double(usd_per_hour price);

/* Likewise what is only expected, so that more digits mean nothing: to the cent, below a dollar
 * to a hundredth of one. */
usd usd_about(double dollars);

/* Under a cent, to three digits, of either sign: more say nothing. Less than a millionth of a
 * dollar below zero is what rounding leaves of a difference: 0. */
usd usd_rounded(usd amount);

/* "$1234.50": two decimals; under a dollar four, under a cent all it has; "?" when unknown. */
void usd_write(usd amount, struct buf *out);
void usd_per_hour_write(usd_per_hour price, struct buf *out); /* "$2.49/hr" */

/* An estimate, whose further digits mean nothing: three of them, "$58.1 million", "$1,240",
 * "$12.3",
 * "$0.0132"; "?" when unknown. */
void usd_write_estimate(usd amount, struct buf *out);
void money_write(const struct money *m, struct buf *out); /* "$100", "99.50 EUR" */

/* To the cent, halves away from zero, for people: "$68,321.32", "1,200.00 EUR", "-$3.10"; what
 * is not nothing but rounds to it is "<$0.01"; "?" when unknown. */
void money_write_cents(const struct money *m, struct buf *out);

/* All of its digits and no sign of the currency, for JSON: "2.49". Not for unknown amounts. */
void nano_write(int64_t nano, struct buf *out);

#endif
