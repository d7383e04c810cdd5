/* rates.h - exchange rates: read from CSV files, and what the ledger has of each currency. */
#ifndef ACCOUNT_QUERY_RATES_H
#define ACCOUNT_QUERY_RATES_H

#include "doc/field.h"
#include "ledger/rates.h"

struct rates_read {
    const struct ledger_rate *at;
    size_t count;
    struct strs currencies; /* that are in it */
    struct strs left_out;   /* columns of no currency that is in use */
    day first, last;        /* DAY_UNKNOWN: it has none */
};

/* Columns date, currency and usd, or the ECB's eurofxref-hist.csv. `name`: of the file, for
 * errors and as the source of the rates; it must outlive them. */
bool rates_read(struct str text, const char *name, struct arena *arena, struct rates_read *out,
                struct error *err) MUST_USE;

/* The rates of a currency. */
struct rates_row {
    struct currency currency;
    int64_t rates;
    day first, last;
    struct decimal usd; /* for one unit, on the last day */
    struct str source;
};

extern const struct field_set rates_row_fields;

/* As struct rates_row; of these currencies, or all when there are none. */
bool account_rates(struct ledger *ledger, struct strs currencies, struct arena *arena,
                   struct rows *out, struct error *err) MUST_USE;

#endif
