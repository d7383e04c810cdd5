/* Shares of a GPU that are isolated from each other (MIG): what a model costs that needs less
 * than a complete one, if others use the rest. */
#include <math.h>

#include "plan/deploy_internal.h"

/* Can a GPU of this provider be divided? Known of few, and of those it is named. */
static bool provider_shares(const struct choosing *c, struct str provider)
{
    const struct provider *row = provider_find(c->facts->catalog, provider);

    return row != NULL && str_has_nocase(row->gpu_sharing, STR("MIG"));
}

static double gpu_price(const struct plan_place *place)
{
    return usd_per_hour_double(place->price) / (double)place->machine->count;
}

/* Where one GPU of this kind costs least; NULL: nowhere. */
static const struct plan_place *cheapest_place(const struct choosing *c, struct str gpu)
{
    const struct plan_place *best = NULL;

    for (size_t i = 0; i < c->w->place_count; i++) {
        const struct plan_place *place = &c->w->places[i];

        if (place->market != MARKET_ON_DEMAND || place->bars != 0 ||
            !str_eq(place->machine->gpu->name, gpu) ||
            !provider_shares(c, place->machine->provider))
            continue;
        if (best == NULL || gpu_price(place) < gpu_price(best))
            best = place;
    }
    return best;
}

static struct accelerator *accelerator_of_part(struct choosing *c, const struct gpu_part *part,
                                               const struct accelerator *gpu)
{
    struct accelerator *share = arena_array(c->w->arena, struct accelerator, 1, c->err);
    double *peaks[] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL};

    if (share == NULL)
        return NULL;
    *share = *gpu;
    share->memory_gb = part->memory_gb;
    share->bandwidth_gb_s *= part->memory_share;
    share->tdp_w *= part->compute_share;
    peaks[0] = &share->fp32_tflops;
    peaks[1] = &share->tf32_tflops;
    peaks[2] = &share->bf16_tflops;
    peaks[3] = &share->fp16_tflops;
    peaks[4] = &share->fp8_tflops;
    peaks[5] = &share->int8_tops;
    peaks[6] = &share->fp4_tflops;
    for (size_t i = 0; i < ARRAY_LEN(peaks); i++)
        *peaks[i] *= part->compute_share;
    return share;
}

static bool add_shared_part(struct choosing *c, const struct gpu_part *part,
                            const struct plan_place *place, bool *fits,
                            char why[static DEPLOY_REASON])
{
    struct accelerator *share = accelerator_of_part(c, part, place->machine->gpu);
    struct deploy d = deploy_none(DEPLOY_SHARED);
    struct gpu_probe probe;

    if (share == NULL)
        return false;
    d.provider = place->machine->provider;
    d.region = place->machine->region;
    d.product = place->machine->instance;
    d.accelerator = part->accelerator;
    d.source = part->fact.source;
    d.date = place->date;
    d.price_width = place->trust.width;
    d.premium = place->trust.premium;
    d.price = (usd_per_hour){usd_from(gpu_price(place) / (double)part->instances).nano};
    d.condition = STR("if others use the rest of the GPU");
    if (!deploy_probe_gpu(c, share, 1, 1, 1, &probe, &d))
        return true;
    *fits = true;
    d.offer = place->machine->name;
    d.start_s =
        deploy_start_s(c, place->machine->provider, deploy_weight_bytes(&probe.serving));
    d.setting = plan_words(c->w, c->err, "%s, 1/%lld %.*s (%.*s)",
                           weights_names[probe.serving.weights], (long long)part->instances,
                           STR_ARG(part->accelerator), STR_ARG(part->profile));
    (void)deploy_consider(c, &d, why);
    return c->err->kind == ERROR_NONE;
}

bool deploy_add_shared_gpus(struct choosing *c)
{
    const struct catalog *catalog = c->facts->catalog;
    char why[DEPLOY_REASON] = "no provider is known that divides its GPUs";
    bool fits = false, any = false;

    for (size_t i = 0; i < catalog->tables[TABLE_GPU_PARTS].len; i++) {
        const struct gpu_part *part = CATALOG_ROW(catalog, TABLE_GPU_PARTS, gpu_part, i);
        const struct plan_place *place = cheapest_place(c, part->accelerator);

        if (place == NULL)
            continue;
        any = true;
        if (!add_shared_part(c, part, place, &fits, why))
            return false;
    }
    if (any && !fits)
        deploy_why(why, "no share of a GPU holds it, or serves it in time");
    return c->have[DEPLOY_SHARED] || deploy_exclude(c, DEPLOY_SHARED, STR("*"), why);
}
