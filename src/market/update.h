/* update.h - fetch providers' price lists into the price store. Each list is stored as soon as
 * it is read; one that fails leaves the prices that are there.
 */
#ifndef MARKET_UPDATE_H
#define MARKET_UPDATE_H

#include "market/fetch.h"
#include "market/offers.h"
#include "market/store.h"

struct update_query {
    struct strs providers, regions, clouds; /* as struct fetch_request has them */
    bool all;                               /* providers that can be fetched */
    bool again;                             /* also lists that have not changed */
    unsigned tries;
    span timeout;
    stamp now;
    const char *store_path, *state_path; /* files: of prices, and of what was fetched before */
    void (*progress)(void *ctx, const char *label, uint64_t done, uint64_t total); /* or NULL */
    void *progress_ctx;
};

/* One price list: a provider may have several. */
struct fetched_list {
    struct str provider, feed, part, from;
    enum fetch_end end;
    struct str problem;
    int64_t pages, size, rows, quotes, bad;
    day date; /* of its prices */
    struct store_change changes;
};

extern const struct field_set fetched_list_fields;

struct update_result {
    struct rows lists; /* struct fetched_list */
    int64_t failed;    /* of the lists, and of providers that could not be asked */
};

/* Fetch them. ERROR_FAILED when nothing at all could be fetched. Needs TABLE_OFFERS,
 * TABLE_PROVIDERS and TABLE_REGIONS. */
bool update_prices(const struct market_view *view, const struct update_query *query,
                   struct update_result *out, struct error *err) MUST_USE;

#endif
