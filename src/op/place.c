#include "op/place.h"
#include "op/context.h"
#include "op/step.h"

#include <math.h>

/* What a place is found with, and for. */
struct finding {
    struct op_context *ctx;
    const struct place_request *ask;
    struct place_search search;
    const struct constants *constants;
    bool again; /* the same request with another number of GPUs: its notes are known */
    struct job_place *out;
};

static bool all_place_offers(struct finding *f, struct str gpu, struct machine **views,
                             size_t *count, struct error *err)
{
    const struct job_limits *limits = &f->search.job->limits;
    struct machine_query filter = {.gpu = gpu,
                                   .kind = STR("any"),
                                   .market = f->search.market,
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

/* The market to rent in, unless the offer's name has one. */
static enum market asked_market(struct str name)
{
    return str_eq(name, STR("spot")) ? MARKET_SPOT : MARKET_ON_DEMAND;
}

static void take_candidate(struct finding *f, const struct place_candidate *c, int64_t gpus)
{
    f->out->offer = *c->machine;
    place_take(&f->search, c, gpus, &f->out->place);
}

static bool place_of_offer(struct finding *f, int64_t gpus, const struct accelerator *gpu,
                           struct error *err)
{
    struct place_candidate best;
    struct offer_name name;
    struct machine *views;
    size_t count;

    if (!offer_name_parse(f->ask->offer, &name, err) || !place_check_market(&name, err))
        return false;
    if (name.market >= 0)
        f->search.market = (enum market)name.market;
    if (!all_place_offers(f, (struct str){0}, &views, &count, err))
        return false;
    best = place_best(&f->search, views, count, &name, gpus);
    if (best.machine == NULL)
        return place_refuse_absent(views, count, &name, err);
    if (!place_check_gpu(best.machine, gpu, err) ||
        (!best.joined && !place_refuse_apart(&best, err)))
        return false;
    take_candidate(f, &best, gpus);
    if (name.region.len == 0 && !f->again)
        message_note(&f->ctx->messages, "the cheapest of '%.*s' is %.*s",
                     STR_ARG(f->ask->offer), STR_ARG(best.machine->name));
    return true;
}

/* The cheapest offer of exactly so many of a card in so many machines; NULL: none. */
static bool exact_offer(struct finding *f, int64_t gpus, int64_t machines,
                        const struct accelerator *gpu, struct place_candidate *out,
                        struct error *err)
{
    struct machine *views;
    size_t count, kept = 0;

    if (!all_place_offers(f, gpu->name, &views, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (machines * views[i].count == gpus)
            views[kept++] = views[i];
    *out = place_best(&f->search, views, kept, NULL, gpus);
    return true;
}

/* A family was named whose usual card is only sold with more GPUs than are wanted: the cheapest
 * of its other cards that is sold in this number. `out` has no machine: there is none. */
static bool other_of_family(struct finding *f, int64_t gpus,
                            const struct place_candidate *usual, struct place_candidate *out,
                            struct error *err)
{
    const struct catalog *catalog = &f->ctx->catalog;
    const struct accelerator *gpu = usual->machine->gpu;

    *out = (struct place_candidate){.machine = NULL};
    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);
        struct place_candidate found;

        if (a == gpu || !str_eq(a->family, gpu->family))
            continue;
        if (!exact_offer(f, gpus, usual->machines, a, &found, err))
            return false;
        if (found.machine != NULL && found.joined && found.enough &&
            (out->machine == NULL || place_is_better(&found, out, f->search.market)))
            *out = found;
    }
    if (out->machine != NULL)
        message_note(&f->ctx->messages,
                     "%.*s is not sold in machines with so few GPUs: this is for %.*s",
                     STR_ARG(gpu->name), STR_ARG(out->machine->gpu->name));
    return true;
}

/* Another of the machines with these GPUs, where the chosen one has too little memory for what
 * is offloaded. */
static bool take_roomier(struct finding *f, int64_t gpus, const struct accelerator *gpu,
                         struct error *err)
{
    struct estimate_place *place = &f->out->place;
    double need = place_host_need(f->search.job, &place->hardware, f->constants);
    struct place_candidate best;
    struct machine *views;
    size_t count;

    if (isinf(need) ? f->ask->price.nano != MONEY_UNKNOWN : !(need > place->host_bytes))
        return true; /* of a machine that has its own price no more is assumed */
    if (!all_place_offers(f, gpu->name, &views, &count, err))
        return false;
    if (isinf(need)) {
        best = place_best_roomy(&f->search, views, count, &place->hardware, f->constants);
    } else {
        f->search.least_host = need;
        best = place_best(&f->search, views, count, NULL, gpus);
    }
    if (best.machine == NULL || !best.joined || !best.holds)
        return true;
    take_candidate(f, &best, gpus);
    place_forget_small_host(&place->hardware);
    place->roomier = true;
    return true;
}

/* GPUs without an offer: the cheapest way to have them in few machines. `typed` is what the
 * user named them. */
static bool place_of_gpus(struct finding *f, int64_t gpus, const struct accelerator *gpu,
                          struct str typed, struct error *err)
{
    struct place_candidate best, other = {.machine = NULL};
    struct estimate_place *place = &f->out->place;
    struct machine *views;
    size_t count;

    if (!all_place_offers(f, gpu->name, &views, &count, err))
        return false;
    best = place_best(&f->search, views, count, NULL, gpus);
    if (best.machine != NULL && best.machines * best.machine->count > gpus &&
        str_eq_nocase(typed, gpu->family) && !other_of_family(f, gpus, &best, &other, err))
        return false;
    if (other.machine != NULL)
        best = other;
    if (best.machine == NULL || !best.joined) {
        place_assume(&f->search, gpus, gpu, &best, place);
        return true;
    }
    take_candidate(f, &best, gpus);
    place_forget_small_host(&place->hardware);
    if (!take_roomier(f, gpus, best.machine->gpu, err))
        return false;
    place->chosen = true;
    return true;
}

static void log_place(const struct finding *f)
{
    const struct estimate_place *p = &f->out->place;
    struct buf text;

    if (!op_logs(f->ctx))
        return;
    text = buf_new(f->ctx->arena->alloc, 200);
    usd_per_hour_write(p->price, &text);
    if (p->offer.len > 0) {
        buf_adds(&text, ", from ");
        day_write(p->price_date, &text);
    }
    op_log(f->ctx, "price chosen: %.*s %s at %.*s; %.*s",
           STR_ARG(p->offer.len > 0 ? p->offer : STR("the one given")), market_names[p->market],
           (int)text.len, text.at != NULL ? text.at : "", STR_ARG(f->out->offer.fact.source));
    buf_free(&text);
}

bool op_place(struct op_context *ctx, const struct job_input *in,
              const struct place_request *ask, int64_t gpus, struct job_place *out,
              struct error *err)
{
    const struct job *job = &in->job;
    struct finding f = {.ctx = ctx,
                        .ask = ask,
                        .search = {.catalog = &ctx->catalog,
                                   .job = job,
                                   .market = asked_market(
                                       ask->market.len > 0 ? ask->market : job->limits.market)},
                        .constants = &in->constants,
                        .again = gpus > 0,
                        .out = out};
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
    if (!op_catalog(ctx, TABLE_BIT(TABLE_NETWORKS) | TABLE_BIT(TABLE_LIMITS), err) ||
        !op_supply(ctx, ask->supply, &f.search.supply, err))
        return false;
    if (!(gpu == NULL || ask->offer.len > 0 ? place_of_offer(&f, count, gpu, err)
                                            : place_of_gpus(&f, count, gpu, name, err)))
        return false;
    if (ask->price.nano != MONEY_UNKNOWN) {
        out->place.price = ask->price;
        out->place.price_width = 0;
        out->place.price_unchanged = NAN;
        out->place.offer = (struct str){0};
    }
    log_place(&f);
    return op_catalog(ctx,
                      TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_PROVIDERS) |
                          TABLE_BIT(TABLE_STORAGE) | TABLE_BIT(TABLE_TRANSFER),
                      err);
}

bool op_places_instead(struct op_context *ctx, const struct job *job,
                       const struct estimate_place *now, enum place_choice by, struct rows *out,
                       struct error *err)
{
    struct place_search search = {.catalog = &ctx->catalog,
                                  .job = job,
                                  .market = now->market == MARKET_SPOT ? MARKET_SPOT
                                                                       : MARKET_ON_DEMAND};
    const struct machine_query filter = {.gpu = by == PLACES_BY_REGION ? now->hardware.gpu->name
                                                                       : (struct str){0},
                                         .kind = STR("cloud"),
                                         .market = search.market,
                                         .providers = job->limits.providers,
                                         .regions = job->limits.regions,
                                         .min_memory = BYTES_UNKNOWN,
                                         .max_price = USD_PER_HOUR_UNKNOWN,
                                         .max_age = SPAN_UNKNOWN};
    struct estimate_place *places;
    struct place_candidate *kept;
    struct machine *views;
    size_t count, n;

    *out = (struct rows){NULL, 0};
    if (!op_supply(ctx, (struct strs){0}, &search.supply, err) ||
        !op_machines(ctx, &filter, &views, &count, err))
        return false;
    kept = arena_array(ctx->arena, struct place_candidate, count, err);
    if (kept == NULL)
        return false;
    n = place_best_of_kinds(&search, views, count, now, by, kept);
    places = arena_array(ctx->arena, struct estimate_place, n, err);
    if (places == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        place_take(&search, &kept[i], by == PLACES_BY_REGION ? now->hardware.gpus : 0,
                   &places[i]);
    *out = (struct rows){places, n};
    return true;
}
