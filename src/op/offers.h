/* offers.h - the machines one could use, as one list: rented, under the desk, or owned in a
 * rack.
 *
 * Shared by all commands that look for machines: the catalog, the price store, the settings and the
 * user's discounts decide together. A local machine costs its electricity; an owned one its total
 * cost of ownership.
 */
#ifndef OP_OFFERS_H
#define OP_OFFERS_H

#include "op/op.h"
#include "unit/size.h"

/* One machine, ready to show. */
struct offer_view {
    struct str offer, provider, region, instance, accelerator, kind, source, notes, conflict;
    const struct accelerator *spec;
    int64_t count, age_days;
    double vcpus, memory_gib, gpu_memory_gb, spot_saving;
    usd_per_hour on_demand, spot, per_gpu;
    usd_per_hour list_on_demand,
        list_spot; /* before your discount; unknown when there is none */
    day date;
};

extern const struct field_set offer_view_fields;

/* Which machines: what the price operations have in common. */
struct offer_filter {
    struct str gpu;
    struct strs providers, regions;
    struct str market, kind;
    bool any_form;
    bytes min_memory;
    usd_per_hour max_price;
    span max_age;
};

/* The rows of a request struct that has an `offer_filter` called `filter`. */
#define OFFER_FILTER_FIELDS(record) \
    FIELD_AS("provider", TEXTS, record, filter.providers, .value = "LIST", \
             .help = "only these, such as aws,lambda"), \
        FIELD_AS("region", TEXTS, record, filter.regions, .value = "LIST", \
                 .help = "only these; 'us-*' matches"), \
        FIELD_AS("kind", CHOICE, record, filter.kind, .value = "KIND", .choices = offer_kinds, \
                 .fallback = "cloud", .help = "cloud, local (electricity), on-prem or any"), \
        FIELD_AS("any_form", FLAG, record, filter.any_form, \
                 .help = "every form of the GPU's family, PCIe and less memory too"), \
        FIELD_AS("min_memory", BYTES, record, filter.min_memory, .value = "SIZE", \
                 .help = "of one GPU, such as 40GB"), \
        FIELD_AS("max_price", RATE, record, filter.max_price, .value = "PRICE", \
                 .help = "of one machine in the market asked for, such as 3usd/hr"), \
        FIELD_AS("max_age", SPAN, record, filter.max_age, .value = "TIME", \
                 .help = "only prices younger than this, such as 90d")

extern const char *const offer_kinds[];
extern const char *const offer_markets[];

/* The offers that pass, in the order of the catalog. Says how a GPU's name was understood. */
bool offers_select(struct op_context *ctx, const struct offer_filter *filter,
                   struct offer_view **out, size_t *count, struct error *err) MUST_USE;

/* How old prices are: shown under every list of them. */
struct price_age {
    day newest, oldest;
    int64_t newest_days; /* the age of the newest */
    int64_t stale;       /* how many are older than the setting allows */
    int64_t future;      /* how many are dated after today */
    int64_t total;
};

extern const struct field_set price_age_fields;

/* The age of one, as settings and options have it; never negative. */
span price_age_of(day date, const struct op_context *ctx);

void price_age_add(struct price_age *age, day date, const struct op_context *ctx);

/* Warn when any price is past the setting's age, or from the future. */
void price_age_warn(const struct price_age *age, const struct op_context *ctx);

/* The price of a market: "spot", or on-demand. */
usd_per_hour offer_price(const struct offer_view *view, struct str market);

/* What the user pays for a kWh: the setting, or the household price of the country (needs
 * TABLE_ELECTRICITY). Warns when it is not known. */
usd_per_kwh electricity_price(const struct op_context *ctx);

#endif
