/* Prices of parts, by region, and the machines that they make. */
#include <string.h>

#include "base/decimal.h"
#include "feed/gcp.h"

#define MARKETS (MARKET_RESERVED_3Y + 1) /* on-demand, spot and two terms */
#define LONGEST_REGION 40

struct region_parts {
    char name[LONGEST_REGION];
    char currency[4];
    int64_t price[PART_COUNT][MARKETS];
};

struct gcp_parts {
    struct arena arena;
    struct region_parts *regions[GCP_MOST_REGIONS];
    size_t count;
};

struct gcp_parts *gcp_parts_new(const struct alloc *alloc, struct error *err)
{
    struct arena arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE};
    struct gcp_parts *parts = arena_array(&arena, struct gcp_parts, 1, err);

    if (parts != NULL)
        parts->arena = arena; /* it lives in its own arena */
    return parts;
}

void gcp_parts_free(struct gcp_parts *parts)
{
    struct arena arena;

    if (parts == NULL)
        return;
    arena = parts->arena;
    arena_free(&arena);
}

static struct region_parts *region_of(struct gcp_parts *parts, struct str name,
                                      const char currency[4], struct error *err)
{
    struct region_parts *region;

    for (size_t i = 0; i < parts->count; i++) {
        region = parts->regions[i];
        if (str_eq(str_from(region->name), name) && strcmp(region->currency, currency) == 0)
            return region;
    }
    if (parts->count == GCP_MOST_REGIONS) {
        error_set(err, ERROR_INPUT, "there are more than %d regions", GCP_MOST_REGIONS);
        return NULL;
    }
    region = arena_array(&parts->arena, struct region_parts, 1, err);
    if (region == NULL)
        return NULL;
    memcpy(region->name, name.at, name.len);
    memcpy(region->currency, currency, sizeof region->currency);
    for (size_t p = 0; p < PART_COUNT; p++)
        for (size_t m = 0; m < MARKETS; m++)
            region->price[p][m] = PRICE_UNSAID;
    parts->regions[parts->count++] = region;
    return region;
}

bool gcp_parts_put(struct gcp_parts *parts, enum gcp_part part, enum market market,
                   struct str region, const char currency[4], int64_t price, struct error *err)
{
    struct region_parts *at;

    if (region.len == 0 || region.len >= LONGEST_REGION || market >= MARKETS)
        return true; /* no region of Google's */
    at = region_of(parts, region, currency, err);
    if (at == NULL)
        return false;
    if (at->price[part][market] < 0 || price < at->price[part][market])
        at->price[part][market] = price;
    return true;
}

/* `amount` (1/1024) of a part, to `*sum`. False when the part's price is not known. */
static bool add_part(const struct region_parts *region, enum gcp_part part, enum market market,
                     int64_t amount, wide *sum)
{
    int64_t price = region->price[part][market];

    if (price < 0)
        return false;
    *sum += (wide)price * amount;
    return true;
}

/* What an hour of the machine costs; PRICE_UNSAID when a part is not known. */
static int64_t recipe_price(const struct region_parts *region, const struct gcp_recipe *recipe,
                            enum market market)
{
    wide sum = 0;

    if (!add_part(region, recipe->gpu_part, market, recipe->gpu, &sum))
        return PRICE_UNSAID;
    if (recipe->core_part != PART_COUNT &&
        (!add_part(region, recipe->core_part, market, recipe->core, &sum) ||
         !add_part(region, (enum gcp_part)(recipe->core_part + 1), market, recipe->ram, &sum)))
        return PRICE_UNSAID;
    /* A list that was filtered to `Compute` has no disks: under 1 % is no reason to have no
     * price. */
    (void)add_part(region, PART_LOCAL_SSD, market, recipe->ssd, &sum);
    sum = (sum + 512) / 1024;
    return sum > 0 && sum <= INT64_MAX / 2 ? (int64_t)sum : PRICE_UNSAID;
}

static bool give_machine(const struct region_parts *region, const struct machine *machine,
                         const struct feed_input *input, const struct feed_sink *sink,
                         struct error *err)
{
    struct quote q = quote_blank();
    struct gcp_recipe recipe;
    bool any = false;

    if (!gcp_recipe(machine, &recipe))
        return true;
    for (int m = 0; m < MARKETS; m++) {
        q.price[m] = recipe_price(region, &recipe, (enum market)m);
        any = any || q.price[m] >= 0;
    }
    if (!any)
        return true;
    q.provider = STR("gcp");
    q.region = str_from(region->name);
    q.instance = machine->instance;
    q.accelerator = machine->accelerator;
    q.count = (double)machine->count;
    q.vcpus = machine->vcpus;
    q.memory_gib = machine->memory_gib;
    memcpy(q.currency, region->currency, sizeof q.currency);
    q.at = input->date;
    return feed_give(input, sink, 0, &q, err);
}

bool gcp_parts_give(const struct gcp_parts *parts, const struct feed_input *input,
                    const struct feed_sink *sink, struct error *err)
{
    const struct machine *const *machines;
    size_t count;

    feed_machines(input->known, STR("gcp"), &machines, &count);
    for (size_t r = 0; r < parts->count; r++) {
        for (size_t i = 0; i < count; i++)
            if (!give_machine(parts->regions[r], machines[i], input, sink, err))
                return false;
        for (size_t i = 0; i < gcp_more_machine_count; i++) {
            const struct machine *more = &gcp_more_machines[i];

            if (feed_machine(input->known, more->provider, more->instance) == NULL &&
                !give_machine(parts->regions[r], more, input, sink, err))
                return false;
        }
    }
    return true;
}
