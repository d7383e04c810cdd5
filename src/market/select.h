/* select.h - which machines, and what they cost: the only code that selects them.
 *
 * The catalog, the price store, the user's settings, discounts and exchange rates decide
 * together. A machine of the user's own costs its electricity (local) or its total cost of
 * ownership (on-prem). What is chosen for the user is noted: a GPU's name that means several,
 * the providers of the settings, currencies that were converted.
 */
#ifndef MARKET_SELECT_H
#define MARKET_SELECT_H

#include "catalog/price_age.h"
#include "market/currency_notes.h"
#include "market/limits.h"
#include "market/offers.h"
#include "unit/size.h"

/* Which machines. Empty lists and empty texts mean any, as do unknown numbers. */
struct machine_query {
    struct str gpu;                 /* "H100", or "H100x8": machines with so many */
    struct strs providers, regions; /* patterns */
    enum market market;             /* on demand, spot, any */
    struct str kind;                /* of machine_kinds */
    bool any_form;                  /* every form of the GPU's family */
    bytes min_memory;               /* of one GPU */
    usd_per_hour max_price;         /* of one machine in the market asked for */
    span max_age;                   /* of the price */
    /* Of a plan: all machines, those without a price among them, with the limits that each of
     * them breaks; of the user's own those that the settings and the user's files name. NULL:
     * none. */
    const struct machine_limits *limits;
};

/* Every machine of the clouds, on demand. */
struct machine_query machine_query_all(void);

/* --provider and --region: patterns, struct strs. */
#define MACHINE_PLACES(record, provider_member, region_member) \
    FIELD_AS("provider", TEXTS, record, provider_member, .value = "LIST", \
             .help = "providers to include, such as aws,gcp"), \
        FIELD_AS("region", TEXTS, record, region_member, .value = "LIST", \
                 .help = "regions, countries or continents to include: 'us-*', FI, europe")

/* --any-form: bool. */
#define MACHINE_ANY_FORM(record, member) \
    FIELD_AS("any_form", FLAG, record, member, \
             .help = "include every form of the GPU's family: PCIe, less memory")

/* The rows of a request struct that has a `machine_query` called `filter`. */
#define MACHINE_QUERY_FIELDS(record) \
    MACHINE_PLACES(record, filter.providers, filter.regions), \
        FIELD_AS("kind", CHOICE, record, filter.kind, .value = "KIND", \
                 .choices = machine_kinds, .fallback = "cloud", \
                 .help = "cloud, local (electricity), on-prem or any"), \
        MACHINE_ANY_FORM(record, filter.any_form), \
        FIELD_AS("min_memory", BYTES, record, filter.min_memory, .value = "SIZE", \
                 .help = "minimum memory of one GPU, such as 40GB"), \
        FIELD_AS("max_price", RATE, record, filter.max_price, .value = "PRICE", \
                 .help = \
                     "maximum price of one machine in the requested market, such as 3usd/hr"), \
        FIELD_AS("max_age", SPAN, record, filter.max_age, .value = "TIME", \
                 .help = "maximum age of a price, such as 90d")

extern const char *const machine_kinds[]; /* "cloud", "local", "on-prem", "any", NULL */

/* A selected machine as rows of results. */
extern const struct field_set machine_fields;

/* The tables that market_select() needs for this (TABLE_BIT). */
uint64_t market_tables(const struct machine_query *query);

/* The machines that pass, in the order of the catalog, with the members of a selection set.
 * ERROR_ABSENT for a pattern that matches nothing at all; none that passes is no error. */
bool market_select(const struct market_view *view, const struct machine_query *query,
                   struct machine **out, size_t *count, struct error *err) MUST_USE;

/* Machine number `i` of all: rented with and without accelerators, local, on-prem; of the
 * tables that are loaded, and as they are, without a selection. False behind the last. Rows
 * that are no offers any more have no instance. */
bool market_machine(const struct market_view *view, size_t i, struct machine *out);

/* The cheapest of the machines that the name means (one without an instance: any), in the
 * market: by the GPU without an instance, else by the machine. How many there
 * are. */
size_t market_cheapest(const struct machine *machines, size_t count,
                       const struct offer_name *name, enum market market, size_t *best);

/* What the user pays for a kWh: the setting, or the household price of the country (needs
 * TABLE_ELECTRICITY), which `row` is set to. Warns when it is not known. */
usd_per_kwh market_electricity(const struct market_view *view, const struct electricity **row);

/* The providers to show: those asked for, else those of the user's accounts, which is noted. */
struct strs market_providers(const struct market_view *view, struct strs asked);

#endif
