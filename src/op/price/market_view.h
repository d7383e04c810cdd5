/* market_view.h - prices of the store as operations show them: which offers are meant, which
 * price of several feeds counts, and the words for dates and doubts.
 */
#ifndef OP_PRICE_MARKET_VIEW_H
#define OP_PRICE_MARKET_VIEW_H

#include "market/store.h"
#include "op/op.h"
#include "unit/size.h"
#include "unit/time.h"

/* What an offer costs now in one market. */
struct price_now {
    size_t series;      /* SIZE_MAX when nobody tells one */
    usd_per_hour price; /* unknown likewise, when it is gone, and without an exchange rate */
    unsigned doubts;    /* enum price_doubt */
    stamp since, seen;
    const struct exchange *rate; /* that it was converted with; NULL: none */
    char foreign[4];             /* the currency that has no rate, so that it is unknown */
};

/* Of several feeds the one to believe (market/offers.h has the rule), the sound before the
 * doubtful. Other currencies need TABLE_EXCHANGE. */
struct price_now price_now(const struct op_context *ctx, const struct store *store,
                           const struct store_offer *offer, enum market market);

/* Take the user's discounts off (needs TABLE_DISCOUNTS). Was there one? */
bool price_discount(const struct op_context *ctx, const struct store_offer *offer,
                    struct price_now *on_demand, struct price_now *spot);

/* Cheaper first, the sound before the doubtful, what is unknown last. */
int price_now_compare(const struct price_now *a, const struct price_now *b);

/* "a floor, not what one pays", ... in the context's arena. */
bool doubt_words(const struct op_context *ctx, unsigned doubts, struct strs *out,
                 struct error *err) MUST_USE;

/* What is wrong with a bit. */
const char *doubt_word(enum price_doubt doubt);

/* "2026-08-22", with the time of day unless that is midnight. Empty for a moment that is not
 * known (0 or before). */
bool stamp_text(stamp at, struct arena *arena, struct str *out, struct error *err) MUST_USE;

/* Billionths as an amount; unknown stays so. */
struct money money_of(int64_t nano, const char currency[static 4]);

/* "official", "catalog" or "private". */
struct str confidence_word(enum confidence c);

/* A price is taken to hold for so long after it was last seen. */
#define PRICE_HOLDS SECONDS_PER_DAY

/* The last `days` before `until` of which a series tells; ends when its price was last seen. */
struct window market_window(const struct store_series *series, stamp until, int64_t days);

/* Which offers. */
struct market_filter {
    struct strs providers, regions; /* patterns; none is any */
    const struct accelerator *gpu;  /* NULL: any */
    bool any_form;                  /* every form of its family */
    bytes min_memory;               /* of one GPU */
    int64_t min_count;              /* of GPUs; below 1 is any */
};

/* The offers that pass, by provider, region, instance, zone: those of one machine in one region
 * stand together. Needs TABLE_ACCELERATORS. */
bool market_select(struct op_context *ctx, const struct store *store,
                   const struct market_filter *filter, struct store_offer **out, size_t *count,
                   struct error *err) MUST_USE;

/* How many of them, from the first on, are the same machine in the same region. */
size_t market_same_machine(const struct store_offer *offers, size_t count);

/* The providers to show: those asked for, else those of the settings (which is said). Each
 * pattern must match something in the store or in the catalog. */
bool market_providers(struct op_context *ctx, const struct store *store, struct strs asked,
                      struct strs *out, struct error *err) MUST_USE;

/* Likewise the regions. */
bool market_regions(struct op_context *ctx, const struct store *store, struct strs asked,
                    struct error *err) MUST_USE;

/* The store with something in it, or ERROR_ABSENT with what to run. */
const struct store *market_filled(struct op_context *ctx, struct error *err) MUST_USE;

#endif
