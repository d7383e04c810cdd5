/* zones.h - the price store's offers, one for each zone, and what they cost now: for questions
 * about single zones, feeds and the history of prices. market/select.h has machines by region.
 */
#ifndef MARKET_ZONES_H
#define MARKET_ZONES_H

#include "market/offers.h"
#include "market/store.h"
#include "unit/size.h"

/* What an offer costs now in one market. */
struct price_now {
    size_t series;      /* SIZE_MAX when no feed has one */
    usd_per_hour price; /* unknown likewise, when it is gone, and without an exchange rate */
    unsigned doubts;    /* enum price_doubt */
    stamp since, seen;
    const struct exchange *rate; /* that it was converted with; NULL: none */
    struct currency foreign;     /* the currency that has no rate, so that it is unknown */
};

/* Of several feeds the one to believe (market/offers.h has the rule), the sound before the
 * doubtful. Other currencies need TABLE_EXCHANGE. */
struct price_now price_now(const struct market_view *view, const struct store_offer *offer,
                           enum market market);

/* Take the user's discounts off (needs TABLE_DISCOUNTS). Was there one? */
bool price_discount(const struct market_view *view, const struct store_offer *offer,
                    struct price_now *on_demand, struct price_now *spot);

/* Cheaper first, the sound before the doubtful, what is unknown last. */
int price_now_compare(const struct price_now *a, const struct price_now *b);

/* Which offers of the store. */
struct zone_query {
    struct strs providers, regions; /* patterns; none is any */
    const struct accelerator *gpu;  /* NULL: any */
    bool any_form;                  /* every form of its family */
    bytes min_memory;               /* of one GPU */
    int64_t min_count;              /* of GPUs; below 1 is any */
};

/* The offers that pass, by provider, region, instance, zone: those of one machine in one region
 * are together. Needs TABLE_ACCELERATORS. */
bool zones_select(const struct market_view *view, const struct zone_query *query,
                  struct store_offer **out, size_t *count, struct error *err) MUST_USE;

/* How many of them, from the first on, are the same machine in the same region. */
size_t zones_same_machine(const struct store_offer *offers, size_t count);

struct truster; /* market/trust.h */

/* The offer that a name means: of several the cheapest now, in the name's market or else in
 * any, which is noted. As everywhere, a price that is too old and an outlier come after all
 * others (NULL: prices are not judged). ERROR_ABSENT with a suggestion when there is none.
 * Needs TABLE_EXCHANGE. */
bool zones_find(const struct market_view *view, const struct truster *truster,
                const struct offer_name *name, struct store_offer *out,
                struct error *err) MUST_USE;

/* Does the pattern match a region, or else a provider, of the store? */
bool zones_have(const struct store *store, bool region, struct str pattern);

/* ERROR_ABSENT with what to run when the store is empty. */
bool zones_filled(const struct store *store, struct error *err) MUST_USE;

/* What is wrong with a price, in words: of one bit, and of several (in the arena). */
const char *doubt_word(enum price_doubt doubt);
bool doubt_words(unsigned doubts, struct arena *arena, struct strs *out,
                 struct error *err) MUST_USE;

/* A price is taken to hold for so long after it was last seen. */
#define PRICE_HOLDS SECONDS_PER_DAY

/* The last `days` before `until` that a series covers; ends when its price was last seen. */
struct window market_window(const struct store_series *series, stamp until, int64_t days);

/* Days without data, both included. */
struct data_gap {
    day from, to;
};

extern const struct field_set data_gap_fields;

/* From a window in which nothing is known. */
struct data_gap data_gap_of(struct window window);

#endif
