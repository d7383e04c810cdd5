#include "op/place.h"
#include "op/context.h"

#include <math.h>

#include "estimate/settings.h"

static bool offer_is(const struct machine *v, const struct offer_name *name)
{
    /* An offer without a region is in all of them. */
    struct str region = str_eq(v->region, STR("*")) ? name->region : v->region;

    return offer_name_matches(name, v->provider, region, name->zone, v->instance);
}

static bool absent_offer(const struct machine *views, size_t count,
                         const struct offer_name *name, struct error *err)
{
    struct suggestion s = {.wanted = name->instance};

    for (size_t i = 0; i < count; i++)
        suggestion_try(&s, views[i].instance);
    error_set(err, ERROR_ABSENT, "there is no offer '%.*s'", STR_ARG(name->text));
    if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint price list' shows all", STR_ARG(s.best));
    else
        error_hint(err, "'stint price list' shows all");
    return false;
}

/* What a place is found with, and for. */
struct finding {
    struct op_context *ctx;
    const struct job *job;
    const struct place_request *ask;
    struct job_place *out;
};

static bool all_offers(struct finding *f, struct str gpu, struct str market,
                       struct machine **views, size_t *count, struct error *err)
{
    const struct job_limits *limits = &f->job->limits;
    struct machine_query filter = {.gpu = gpu,
                                   .kind = STR("any"),
                                   .market = market,
                                   .min_memory = BYTES_UNKNOWN,
                                   .max_price = USD_PER_HOUR_UNKNOWN,
                                   .max_age = SPAN_UNKNOWN};

    if (gpu.len > 0) { /* an offer that is named is used, whatever the limits are */
        filter.kind = STR("cloud");
        filter.providers = limits->providers;
        filter.regions = limits->regions;
    }
    return op_machines(f->ctx, &filter, views, count, err);
}

/* Machines for at least `gpus`; 0: one machine. */
static int64_t machines_of(const struct machine *v, int64_t gpus)
{
    return gpus > 0 ? (gpus + v->count - 1) / v->count : 1;
}

static void take_offer(struct job_place *p, const struct machine *v, int64_t gpus,
                       struct str market)
{
    p->offer = *v;
    p->place = (struct estimate_place){.offer = v->name,
                                       .provider = v->provider,
                                       .region = v->region,
                                       .market = market,
                                       .price = market_price(v, market),
                                       .price_date = v->fact.date,
                                       .price_age_days = v->age_days,
                                       .machines = machines_of(v, gpus)};
    p->place.hardware = (struct hardware){
        .gpu = v->gpu,
        .gpus = gpus > 0 ? gpus : v->count,
        .per_node = v->count,
        .host_bytes = v->memory_gib > 0 ? v->memory_gib * BYTES_PER_GIB : NAN,
    };
}

/* The best of those that match: the fewest machines, since links are faster than networks; then
 * the cheapest. `name` NULL matches all. */
static const struct machine *best_offer(const struct machine *views, size_t count,
                                        const struct offer_name *name, int64_t gpus,
                                        struct str market)
{
    const struct machine *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct machine *v = &views[i];

        if ((name != NULL && !offer_is(v, name)) ||
            market_price(v, market).nano == MONEY_UNKNOWN)
            continue;
        if (best == NULL || machines_of(v, gpus) < machines_of(best, gpus) ||
            (machines_of(v, gpus) == machines_of(best, gpus) &&
             usd_per_hour_compare(market_price(v, market), market_price(best, market)) < 0))
            best = v;
    }
    return best;
}

/* The market to rent in, unless the offer's name has one. */
static struct str market_of(const struct finding *f)
{
    if (f->ask->market.len > 0)
        return f->ask->market;
    return str_eq(f->job->limits.market, STR("spot")) ? STR("spot") : STR("on-demand");
}

static bool check_market(const struct offer_name *name, struct error *err)
{
    if (name->market <= MARKET_SPOT)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s': only prices on-demand and on spot are estimated",
              STR_ARG(name->text));
    error_hint(err, "leave out ':%s', and set its price with --price",
               market_names[name->market]);
    return false;
}

static bool check_gpu(const struct machine *offer, const struct accelerator *wanted,
                      struct error *err)
{
    if (wanted == NULL || wanted == offer->gpu)
        return true;
    error_set(err, ERROR_USAGE, "%.*s has %.*s, not %.*s", STR_ARG(offer->name),
              STR_ARG(offer->accelerator), STR_ARG(wanted->name));
    error_hint(err, "leave out --on, or the offer");
    return false;
}

static bool place_of_offer(struct finding *f, int64_t gpus, const struct accelerator *gpu,
                           struct error *err)
{
    struct str market = market_of(f);
    const struct machine *best;
    struct offer_name name;
    struct machine *views;
    size_t count;

    if (!offer_name_parse(f->ask->offer, &name, err) || !check_market(&name, err))
        return false;
    if (name.market >= 0)
        market = str_from(market_names[name.market]);
    if (!all_offers(f, (struct str){0}, market, &views, &count, err))
        return false;
    best = best_offer(views, count, &name, gpus, market);
    if (best == NULL)
        return absent_offer(views, count, &name, err);
    if (!check_gpu(best, gpu, err))
        return false;
    take_offer(f->out, best, gpus, market);
    if (name.region.len == 0)
        message_note(&f->ctx->messages, "the cheapest of '%.*s' is %.*s",
                     STR_ARG(f->ask->offer), STR_ARG(best->name));
    return true;
}

static bool leaves_gpus(const struct machine *v, int64_t gpus)
{
    return machines_of(v, gpus) * v->count > gpus;
}

/* The cheapest offer of exactly so many of a card in so many machines; NULL: none. */
static bool exact_offer(struct finding *f, int64_t gpus, int64_t machines,
                        const struct accelerator *gpu, const struct machine **out,
                        struct error *err)
{
    struct str market = market_of(f);
    struct machine *views;
    size_t count, kept = 0;

    if (!all_offers(f, gpu->name, market, &views, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!leaves_gpus(&views[i], gpus) && machines_of(&views[i], gpus) == machines)
            views[kept++] = views[i];
    *out = best_offer(views, kept, NULL, gpus, market);
    return true;
}

/* A family was named whose usual card is only sold with more GPUs than are wanted: the cheapest
 * of its other cards that is sold in this number. NULL: there is none. */
static bool other_of_family(struct finding *f, int64_t gpus, const struct machine *usual,
                            const struct machine **out, struct error *err)
{
    const struct catalog *catalog = &f->ctx->catalog;
    const struct accelerator *gpu = usual->gpu;
    struct str market = market_of(f);

    *out = NULL;
    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);
        const struct machine *found;

        if (a == gpu || !str_eq(a->family, gpu->family))
            continue;
        if (!exact_offer(f, gpus, machines_of(usual, gpus), a, &found, err))
            return false;
        if (found != NULL &&
            (*out == NULL ||
             usd_per_hour_compare(market_price(found, market), market_price(*out, market)) < 0))
            *out = found;
    }
    if (*out != NULL)
        message_note(&f->ctx->messages,
                     "%.*s is not sold in machines with so few GPUs: this is for %.*s",
                     STR_ARG(gpu->name), STR_ARG((*out)->gpu->name));
    return true;
}

/* It is the price that matters: another machine may have more memory, what is usual at
 * least. */
static void forget_small_host(struct hardware *hw)
{
    struct hardware usual = *hw;

    usual.host_bytes = NAN;
    if (!(hw->host_bytes > hardware_host_bytes(&usual)))
        hw->host_bytes = NAN;
}

/* GPUs without an offer: the cheapest way to have them in few machines. `typed` is what the
 * user named them. */
static bool place_of_gpus(struct finding *f, int64_t gpus, const struct accelerator *gpu,
                          struct str typed, struct error *err)
{
    struct str market = market_of(f);
    const struct machine *best, *other = NULL;
    struct machine *views;
    size_t count;

    if (!all_offers(f, gpu->name, market, &views, &count, err))
        return false;
    best = best_offer(views, count, NULL, gpus, market);
    if (best != NULL && leaves_gpus(best, gpus) && str_eq_nocase(typed, gpu->family) &&
        !other_of_family(f, gpus, best, &other, err))
        return false;
    if (other != NULL)
        best = other;
    if (best != NULL) {
        take_offer(f->out, best, gpus, market);
        forget_small_host(&f->out->place.hardware);
        f->out->place.chosen = true;
        return true;
    }
    f->out->place.machines = (gpus + 7) / 8;
    f->out->place.price = USD_PER_HOUR_UNKNOWN;
    f->out->place.market = market;
    f->out->place.hardware = (struct hardware){
        .gpu = gpu, .gpus = gpus, .per_node = gpus < 8 ? gpus : 8, .host_bytes = NAN};
    return true;
}

bool op_place(struct op_context *ctx, const struct job *job, const struct place_request *ask,
              int64_t gpus, struct job_place *out, struct error *err)
{
    struct finding f = {ctx, job, ask, out};
    const struct accelerator *gpu = NULL;
    int64_t count = 0;
    struct str name = {0};

    *out = (struct job_place){.place.price = USD_PER_HOUR_UNKNOWN};
    if (ask->on.len == 0 && ask->offer.len == 0) {
        error_set(err, ERROR_USAGE, "estimate needs GPUs or an offer");
        error_hint(err, "add --on H100x8, or --offer aws/p5.48xlarge");
        return false;
    }
    if (ask->on.len > 0) {
        if (!op_gpu_count(ctx, ask->on, &name, &count, err))
            return false;
        gpu = op_accelerator(ctx, name, gpus > 0, err);
        if (gpu == NULL)
            return false;
    }
    if (gpus > 0)
        count = gpus;
    if (!(ask->offer.len > 0 ? place_of_offer(&f, count, gpu, err)
                             : place_of_gpus(&f, count, gpu, name, err)))
        return false;
    if (ask->price.nano != MONEY_UNKNOWN) {
        out->place.price = ask->price;
        out->place.offer = (struct str){0};
    }
    return op_catalog(ctx,
                      TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_PROVIDERS) |
                          TABLE_BIT(TABLE_STORAGE) | TABLE_BIT(TABLE_TRANSFER),
                      err);
}

void op_place_warn(const struct estimate_place *place, const struct op_context *ctx)
{
    struct price_age age = {.newest = DAY_UNKNOWN, .oldest = DAY_UNKNOWN};

    if (place->offer.len == 0)
        return;
    op_price_age(ctx, place->price_date, &age);
    op_price_age_warn(ctx, &age);
}
