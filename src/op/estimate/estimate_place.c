/* Which machines an estimate is for, and what they cost. */
#include <math.h>

#include "op/estimate/estimate_work.h"

/* "aws/us-east-1/p5.48xlarge:spot", "aws/p5.48xlarge", "p5.48xlarge". */
struct wanted {
    struct str provider, region, instance, market;
};

static struct wanted parse_offer(struct str text)
{
    struct wanted w = {0};
    struct str parts[4] = {{0}}, path = str_cut(&text, ':');
    size_t n = 0;

    w.market = text;
    while (path.len > 0 && n < ARRAY_LEN(parts))
        parts[n++] = str_cut(&path, '/');
    w.instance = n > 0 ? parts[n - 1] : (struct str){0};
    w.provider = n > 1 ? parts[0] : (struct str){0};
    w.region = n > 2 ? parts[1] : (struct str){0};
    return w;
}

static bool offer_is(const struct offer_view *v, const struct wanted *w)
{
    return str_glob(v->instance, w->instance) &&
           (w->provider.len == 0 || str_eq_nocase(v->provider, w->provider)) &&
           (w->region.len == 0 || str_glob(v->region, w->region) ||
            str_eq(v->region, STR("*")));
}

static bool absent_offer(const struct offer_view *views, size_t count, struct str text,
                         struct error *err)
{
    struct suggestion s = {.wanted = parse_offer(text).instance};

    for (size_t i = 0; i < count; i++)
        suggestion_try(&s, views[i].instance);
    error_set(err, ERROR_ABSENT, "there is no offer '%.*s'", STR_ARG(text));
    if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint price list' shows all", STR_ARG(s.best));
    else
        error_hint(err, "'stint price list' shows all");
    return false;
}

static bool all_offers(struct estimate_work *w, struct str gpu, struct str market,
                       struct offer_view **views, size_t *count, struct error *err)
{
    const struct job_limits *limits = &w->job.limits;
    struct offer_filter filter = {.gpu = gpu,
                                  .kind = STR("any"),
                                  .market = market,
                                  .min_memory = BYTES_UNKNOWN,
                                  .max_price = USD_PER_HOUR_UNKNOWN,
                                  .max_age = SPAN_UNKNOWN};

    if (gpu.len > 0) { /* an offer that is named is meant, whatever the limits say */
        filter.kind = STR("cloud");
        filter.providers = limits->providers;
        filter.regions = limits->regions;
    }
    return offers_select(w->ctx, &filter, views, count, err);
}

/* Whole machines for at least `gpus`; 0: one machine. */
static int64_t machines_of(const struct offer_view *v, int64_t gpus)
{
    return gpus > 0 ? (gpus + v->count - 1) / v->count : 1;
}

static void take_offer(struct place *p, const struct offer_view *v, int64_t gpus,
                       struct str market)
{
    p->offer = *v;
    p->market = market;
    p->price = offer_price(v, market);
    p->machines = machines_of(v, gpus);
    p->hardware = (struct hardware){
        .gpu = v->spec,
        .gpus = gpus > 0 ? gpus : v->count,
        .per_node = v->count,
        .host_bytes = v->memory_gib > 0 ? v->memory_gib * BYTES_PER_GIB : NAN,
    };
}

/* The best of those that match: the fewest machines, since links are faster than networks; then
 * the cheapest. `wanted` NULL matches all. */
static const struct offer_view *best_offer(const struct offer_view *views, size_t count,
                                           const struct wanted *wanted, int64_t gpus,
                                           struct str market)
{
    const struct offer_view *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct offer_view *v = &views[i];

        if ((wanted != NULL && !offer_is(v, wanted)) ||
            offer_price(v, market).nano == MONEY_UNKNOWN)
            continue;
        if (best == NULL || machines_of(v, gpus) < machines_of(best, gpus) ||
            (machines_of(v, gpus) == machines_of(best, gpus) &&
             usd_per_hour_compare(offer_price(v, market), offer_price(best, market)) < 0))
            best = v;
    }
    return best;
}

static struct str market_of(const struct estimate_work *w, struct str said)
{
    if (said.len > 0)
        return said;
    if (w->request->market.len > 0)
        return w->request->market;
    return str_eq(w->job.limits.market, STR("spot")) ? STR("spot") : STR("on-demand");
}

static bool place_of_offer(struct estimate_work *w, int64_t gpus, const struct accelerator *gpu,
                           struct error *err)
{
    struct wanted wanted = parse_offer(w->request->offer);
    struct str market = market_of(w, wanted.market);
    const struct offer_view *best;
    struct offer_view *views;
    size_t count;

    if (!all_offers(w, (struct str){0}, market, &views, &count, err))
        return false;
    best = best_offer(views, count, &wanted, gpus, market);
    if (best == NULL)
        return absent_offer(views, count, w->request->offer, err);
    if (gpu != NULL && gpu != best->spec) {
        error_set(err, ERROR_USAGE, "%.*s has %.*s, not %.*s", STR_ARG(best->offer),
                  STR_ARG(best->accelerator), STR_ARG(gpu->name));
        error_hint(err, "leave out --on, or the offer");
        return false;
    }
    take_offer(&w->place, best, gpus, market);
    if (wanted.region.len == 0)
        message_note(&w->ctx->messages, "the cheapest of '%.*s' is %.*s",
                     STR_ARG(w->request->offer), STR_ARG(best->offer));
    return true;
}

/* GPUs without an offer: the cheapest way to have them in few machines. */
static bool place_of_gpus(struct estimate_work *w, int64_t gpus, const struct accelerator *gpu,
                          struct error *err)
{
    struct str market = market_of(w, (struct str){0});
    const struct offer_view *best;
    struct offer_view *views;
    size_t count;

    if (!all_offers(w, gpu->name, market, &views, &count, err))
        return false;
    best = best_offer(views, count, NULL, gpus, market);
    if (best != NULL) { /* it is the price that matters: another machine may have more memory */
        take_offer(&w->place, best, gpus, market);
        w->place.hardware.host_bytes = NAN;
        w->place.chosen = true;
        return true;
    }
    w->place.machines = (gpus + 7) / 8;
    w->place.price = USD_PER_HOUR_UNKNOWN;
    w->place.market = market;
    w->place.hardware = (struct hardware){
        .gpu = gpu, .gpus = gpus, .per_node = gpus < 8 ? gpus : 8, .host_bytes = NAN};
    return true;
}

bool find_place(struct estimate_work *w, struct error *err)
{
    const struct estimate_request *req = w->request;
    const struct accelerator *gpu = NULL;
    struct str name = {0};
    int64_t gpus = 0;

    if (req->on.len == 0 && req->offer.len == 0) {
        error_set(err, ERROR_USAGE, "estimate needs to know on what");
        error_hint(err, "say --on H100x8, or --offer aws/p5.48xlarge");
        return false;
    }
    if (req->on.len > 0) {
        if (!op_gpu_count(w->ctx, req->on, &name, &gpus, err))
            return false;
        if (w->gpus > 0)
            gpus = w->gpus;
        gpu = op_accelerator(w->ctx, name, w->gpus > 0, err);
        if (gpu == NULL)
            return false;
    }
    if (!(req->offer.len > 0 ? place_of_offer(w, gpus, gpu, err)
                             : place_of_gpus(w, gpus, gpu, err)))
        return false;
    if (req->price.nano != MONEY_UNKNOWN) {
        w->place.price = req->price;
        w->place.offer.offer = (struct str){0};
    }
    if (!op_catalog(w->ctx,
                    TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_PROVIDERS) |
                        TABLE_BIT(TABLE_STORAGE) | TABLE_BIT(TABLE_TRANSFER),
                    err))
        return false;
    w->place.region =
        region_find(&w->ctx->catalog, w->place.offer.provider, w->place.offer.region);
    return true;
}
