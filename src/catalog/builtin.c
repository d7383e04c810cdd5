/* The tables of data/, which tools/embed.sh puts into the program as they are. */
#include "catalog/catalog.h"

#define TABLES(EACH) \
    EACH(ACCELERATORS, accelerators) \
    EACH(NAMES, names) \
    EACH(OFFERS, offers) \
    EACH(CPU_OFFERS, cpu_offers) \
    EACH(SERVERLESS, serverless) \
    EACH(SERVERLESS_TERMS, serverless_terms) \
    EACH(CPUS, cpus) \
    EACH(LOCAL, local) \
    EACH(ELECTRICITY, electricity) \
    EACH(ONPREM, onprem) \
    EACH(OWNERSHIP, ownership) \
    EACH(PROVIDERS, providers) \
    EACH(COMMITMENTS, commitments) \
    EACH(MANAGED, managed) \
    EACH(PRICE_HOURS, price_hours) \
    EACH(STORAGE, storage) \
    EACH(TRANSFER, transfer) \
    EACH(REGIONS, regions) \
    EACH(CARBON_HOURS, carbon_hours) \
    EACH(SPEND, spend) \
    EACH(MODELS, models) \
    EACH(IMAGE_MODELS, image_models) \
    EACH(CONSTANTS, constants) \
    EACH(DISCOUNTS, discounts) \
    EACH(EXCHANGE, exchange) \
    EACH(INTERRUPTIONS, interruptions) \
    EACH(NETWORKS, networks) \
    EACH(LIMITS, limits) \
    EACH(PRICE_DRIFT, price_drift) \
    EACH(COMPRESSION, compression) \
    EACH(COMPRESSION_KINDS, compression_kinds) \
    EACH(MATURITY, maturity) \
    EACH(CHECKLIST, checklist) \
    EACH(TARGETS, targets) \
    EACH(TOKEN_PRICES, token_prices) \
    EACH(GPU_PARTS, gpu_parts) \
    EACH(EDGE, edge) \
    EACH(TRAFFIC, traffic) \
    EACH(RETIRED, retired)

#define DECLARE(id, name) extern const char stint_data_##name[], stint_data_##name##_end[];
#define ROW(id, name) \
    [TABLE_##id] = {stint_data_##name, stint_data_##name##_end, "built-in " #name ".csv"},

TABLES(DECLARE)

struct catalog_layer catalog_builtin(enum catalog_table table)
{
    static const struct {
        const char *start, *end, *name;
    } texts[TABLE_COUNT] = {TABLES(ROW)};

    return (struct catalog_layer){
        .table = table,
        .name = texts[table].name,
        .text = {texts[table].start, (size_t)(texts[table].end - texts[table].start)},
    };
}
