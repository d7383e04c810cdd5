/* quote.h - one machine's prices from a feed, in one shape whoever the provider is. */
#ifndef FEED_QUOTE_H
#define FEED_QUOTE_H

#include "base/clock.h"
#include "catalog/machine.h"

/* What a price can be besides an amount. */
#define PRICE_UNSAID MONEY_UNKNOWN     /* the feed is silent: what was known stays */
#define PRICE_NONE (MONEY_UNKNOWN + 1) /* there is none, by the feed */

/* What to know about a quote, as bits. */
enum quote_flag {
    QUOTE_FLOOR = 1, /* where an auction starts, not what one pays */
};

struct quote {
    struct str provider;      /* "aws" */
    struct str region;        /* never empty: "*" for one price everywhere */
    struct str zone;          /* empty when the price is for all of the region */
    struct str instance;      /* the machine's name */
    struct str accelerator;   /* the catalog's name; the feed's own when the catalog has none */
    double count;             /* of accelerators: above 0; below 1 for a share of one */
    double gpu_memory_gib;    /* of one; NaN when not given, as the rest */
    double vcpus, memory_gib; /* of the machine */
    double reliability;       /* of this very machine, 0 to 1 */
    int64_t price[MARKET_COUNT]; /* billionths of the currency an hour, for the machine */
    struct currency currency;    /* ISO 4217 */
    unsigned flags;              /* enum quote_flag */
    stamp at;                    /* since when, or when it was seen */
};

#define QUOTE_LATEST INT64_C(253402300799) /* seconds: the end of the year 9999 */
#define QUOTE_HIGHEST (INT64_C(1) << 60)   /* billionths */
#define QUOTE_TEXT_LONGEST 0xffff
#define QUOTE_COUNT_MOST 1e6

/* Can it be kept: named, dated, with numbers that are some? ERROR_INPUT when not. */
bool quote_good(const struct quote *quote, struct error *err) MUST_USE;

/* All of it unknown, in dollars. */
struct quote quote_blank(void);

/* What is in a machine that is known: its accelerators, CPUs and memory. */
void quote_machine(struct quote *quote, const struct machine *machine);

/* Text such as "0.415300" or "1.2e-3" as billionths, to the nearest. False when it is no
 * number, is negative, or is more than a million an hour. */
bool quote_price(struct str text, int64_t *nano) MUST_USE;

#endif
