#include "market/gpus.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"

#include "catalog/discount.h"

static const struct field view_fields[] = {
    FIELD_AS("name", TEXT, gpu_facts, gpu.name, .help = "name used by Stint"),
    FIELD_AS("vendor", TEXT, gpu_facts, gpu.vendor, .help = "vendor"),
    FIELD_AS("family", TEXT, gpu_facts, gpu.family,
             .help = "family: the name without form and memory"),
    FIELD_AS("form", TEXT, gpu_facts, gpu.form, .help = "SXM, PCIe, OAM, ..."),
    FIELD_AS("architecture", TEXT, gpu_facts, gpu.architecture, .help = "generation"),
    FIELD_AS("year", COUNT, gpu_facts, gpu.year, .help = "release year"),
    FIELD_AS("memory_gb", NUMBER, gpu_facts, gpu.memory_gb,
             .help = "memory, GB, as in the data sheet"),
    FIELD_AS("memory_type", TEXT, gpu_facts, gpu.memory_type, .help = "HBM3, GDDR6, ..."),
    FIELD_AS("bandwidth_gb_s", NUMBER, gpu_facts, gpu.bandwidth_gb_s,
             .help = "memory bandwidth, GB/s"),
    FIELD_AS("fp32_tflops", NUMBER, gpu_facts, gpu.fp32_tflops, .help = "dense peak, TFLOPS"),
    FIELD_AS("tf32_tflops", NUMBER, gpu_facts, gpu.tf32_tflops, .help = "dense peak, TFLOPS"),
    FIELD_AS("bf16_tflops", NUMBER, gpu_facts, gpu.bf16_tflops, .help = "dense peak, TFLOPS"),
    FIELD_AS("fp16_tflops", NUMBER, gpu_facts, gpu.fp16_tflops, .help = "dense peak, TFLOPS"),
    FIELD_AS("fp8_tflops", NUMBER, gpu_facts, gpu.fp8_tflops, .help = "dense peak, TFLOPS"),
    FIELD_AS("int8_tops", NUMBER, gpu_facts, gpu.int8_tops, .help = "dense peak, TOPS"),
    FIELD_AS("fp4_tflops", NUMBER, gpu_facts, gpu.fp4_tflops, .help = "dense peak, TFLOPS"),
    FIELD_AS("link", TEXT, gpu_facts, gpu.link, .help = "link to other accelerators"),
    FIELD_AS("link_gb_s", NUMBER, gpu_facts, gpu.link_gb_s,
             .help = "link bandwidth, one direction, GB/s"),
    FIELD_AS("tdp_w", NUMBER, gpu_facts, gpu.tdp_w, .help = "board power, W"),
    FIELD(COUNT, gpu_facts, offers, .help = "offers that have it"),
    FIELD_AS("cheapest", RATE, gpu_facts, cheapest.price,
             .help = "lowest on-demand price of one"),
    FIELD_AS("cheapest_offer", TEXT, gpu_facts, cheapest.offer,
             .help = "offer with the lowest on-demand price"),
    FIELD_AS("cheapest_count", COUNT, gpu_facts, cheapest.count,
             .help = "GPUs in that machine"),
    FIELD_AS("cheapest_date", DAY, gpu_facts, cheapest.date,
             .help = "date of the lowest on-demand price"),
    FIELD_AS("cheapest_days", COUNT, gpu_facts, cheapest.days,
             .help = "age of the lowest on-demand price in days"),
    FIELD_AS("cheapest_spot", RATE, gpu_facts, cheapest_spot.price,
             .help = "lowest spot price of one"),
    FIELD_AS("cheapest_spot_offer", TEXT, gpu_facts, cheapest_spot.offer,
             .help = "offer with the lowest spot price"),
    FIELD_AS("cheapest_spot_count", COUNT, gpu_facts, cheapest_spot.count,
             .help = "GPUs in that machine"),
    FIELD_AS("cheapest_spot_date", DAY, gpu_facts, cheapest_spot.date,
             .help = "date of the lowest spot price"),
    FIELD_AS("cheapest_spot_days", COUNT, gpu_facts, cheapest_spot.days,
             .help = "age of the lowest spot price in days"),
    FIELD_AS("date", DAY, gpu_facts, gpu.fact.date, .help = "date of the facts"),
    FIELD_AS("source", TEXT, gpu_facts, gpu.fact.source, .help = "source of the facts"),
    FIELD_AS("notes", TEXT, gpu_facts, gpu.fact.notes, .help = "notes"),
};

const struct field_set gpu_facts_fields = FIELD_SET(struct gpu_facts, view_fields);

/* Keep the lower one, where prices that are set aside count for more. */
static void consider_price(struct gpu_price *lowest, usd_per_hour price,
                           const struct price_trust *trust, const struct machine *m)
{
    usd_per_hour ranked = rate_with_premium(price, trust->premium);

    if (price.nano != MONEY_UNKNOWN && usd_per_hour_compare(ranked, lowest->ranked) < 0)
        *lowest =
            (struct gpu_price){price, ranked, m->name, m->count, m->fact.date, m->age_days};
}

struct gpu_facts gpu_facts(const struct accelerator *gpu, const struct machine *machines,
                           size_t count)
{
    const struct gpu_price none = {.price = USD_PER_HOUR_UNKNOWN,
                                   .ranked = USD_PER_HOUR_UNKNOWN,
                                   .count = -1,
                                   .date = DAY_UNKNOWN,
                                   .days = -1};
    struct gpu_facts facts = {.gpu = *gpu, .cheapest = none, .cheapest_spot = none};

    for (size_t i = 0; i < count; i++) {
        const struct machine *m = &machines[i];
        usd_per_hour each = usd_per_hour_share(m->on_demand, m->count);
        usd_per_hour spot = usd_per_hour_share(m->spot, m->count);

        if (m->gpu != gpu)
            continue;
        facts.offers++;
        consider_price(&facts.cheapest, each, &m->trust[MARKET_ON_DEMAND], m);
        if (usd_per_hour_compare(spot, each) < 0)
            consider_price(&facts.cheapest_spot, spot, &m->trust[MARKET_SPOT], m);
    }
    return facts;
}

/* ---- the cheapest machine for some GPUs ---- */

const struct machine *market_cheapest_gpus(const struct machine *machines, size_t count,
                                           enum market market, int64_t gpus,
                                           struct str provider)
{
    const struct machine *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct machine *m = &machines[i];
        bool large, best_large;

        if (m->count <= 0 || machine_price(m, market).nano == MONEY_UNKNOWN ||
            machine_trust(m, market)->outlier ||
            (provider.len > 0 && !str_eq(m->provider, provider)))
            continue;
        large = m->count >= gpus;
        best_large = best != NULL && best->count >= gpus;
        if (best == NULL || (large && !best_large) ||
            (large == best_large &&
             usd_per_hour_compare(
                 usd_per_hour_share(machine_ranked(m, market), m->count),
                 usd_per_hour_share(machine_ranked(best, market), best->count)) < 0))
            best = m;
    }
    return best;
}

double market_gpu_price(const struct machine *machine, enum market market)
{
    return usd_per_hour_double(machine_price(machine, market)) / (double)machine->count;
}

const struct machine *market_cheapest_reserved(const struct catalog *catalog,
                                               const struct machine *machines, size_t count,
                                               int64_t months, int64_t gpus,
                                               const struct commitment **terms)
{
    const struct machine *best = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < catalog->tables[TABLE_COMMITMENTS].len; i++) {
        const struct commitment *t = CATALOG_ROW(catalog, TABLE_COMMITMENTS, commitment, i);
        const struct machine *m;
        double price;

        if (!str_eq(t->kind, STR("commitment")) || t->term_months != months ||
            isnan(t->discount_low) || isnan(t->discount_high))
            continue;
        m = market_cheapest_gpus(machines, count, MARKET_ON_DEMAND, gpus, t->provider);
        if (m == NULL)
            continue;
        price = market_gpu_price(m, MARKET_ON_DEMAND) *
                (1 - discount_expected(t->discount_low, t->discount_high));
        if (price < least) {
            least = price;
            best = m;
            *terms = t;
        }
    }
    return best;
}

static int compare_gpus(const void *a, const void *b, void *ctx)
{
    const struct gpu_facts *x = a, *y = b;
    const struct str *by = ctx;
    int order = 0;

    if (str_eq(*by, STR("memory")))
        order = num_compare(-x->gpu.memory_gb, -y->gpu.memory_gb);
    else if (str_eq(*by, STR("bf16")))
        order = num_compare(-x->gpu.bf16_tflops, -y->gpu.bf16_tflops);
    else if (str_eq(*by, STR("year")))
        order = (x->gpu.year < y->gpu.year) - (x->gpu.year > y->gpu.year);
    else if (str_eq(*by, STR("price")))
        order = usd_per_hour_compare(x->cheapest.price, y->cheapest.price);
    return order != 0 ? order : str_cmp(x->gpu.name, y->gpu.name);
}

void gpu_facts_sort(struct gpu_facts *gpus, size_t count, struct str by)
{
    qsort_r(gpus, count, sizeof gpus[0], compare_gpus, &by);
}

bool gpu_other_names(const struct catalog *catalog, struct str name, struct arena *arena,
                     struct strs *out, struct error *err)
{
    const struct rows *rows = &catalog->tables[TABLE_NAMES];
    struct str *names = arena_array(arena, struct str, rows->len, err);
    size_t count = 0;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < rows->len; i++) {
        const struct accelerator_name *n =
            CATALOG_ROW(catalog, TABLE_NAMES, accelerator_name, i);

        if (str_eq(n->accelerator, name))
            names[count++] = n->alias;
    }
    *out = (struct strs){names, count};
    return true;
}
