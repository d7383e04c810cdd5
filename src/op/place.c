#include "op/place.h"
#include "op/context.h"
#include "op/step.h"

#include <math.h>

#include "estimate/model/settings.h"
#include "estimate/money/terms.h"
#include "job/choices.h"
#include "market/trust.h"

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
    struct strs supply;
    bool again; /* the same request with another number of GPUs: its notes are known */
    struct job_place *out;
};

static bool all_place_offers(struct finding *f, struct str gpu, enum market market,
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
static int64_t machines_for_gpus(const struct machine *v, int64_t gpus)
{
    return gpus > 0 ? (gpus + v->count - 1) / v->count : 1;
}

#define HOLDS_SHARE 0.9 /* of the GPUs' memory, that weights may take */

/* An offer that was looked at, and how many of its machines are rented. */
struct candidate {
    const struct machine *machine; /* NULL: none */
    struct joining join;
    int64_t machines;
    bool joined; /* they can work on the job together, or need not */
    bool enough; /* so many can be rented, as far as is known */
    bool holds;  /* memory and disk suffice, as far as they are known */
};

static enum weights served_weights(const struct job *job)
{
    enum weights weights = WEIGHTS_FP16;

    if (job->kind == JOB_INFER && job->infer.weights.len > 0)
        (void)weights_of(job->infer.weights, &weights);
    return weights;
}

/* Copies that serve need no network between them, unless one does not fit in a machine. */
static bool needs_joining(const struct finding *f, const struct machine *v, int64_t machines)
{
    const struct job_infer *t = &f->job->infer;

    if (machines == 1 || f->job->kind == JOB_TRAIN || !f->job->arch_known)
        return machines > 1;
    if (t->tensor > 0 || t->pipeline > 0)
        return choose_or_one(t->tensor) * choose_or_one(t->pipeline) > v->count;
    return arch_count(&f->job->arch).total * weights_bytes(served_weights(f->job)) >
           HOLDS_SHARE * v->gpu->memory_gb * BYTES_PER_GB * (double)v->count;
}

/* Do memory and disk suffice to load the model, and to keep what the job keeps? Yes where they
 * are not known. */
static bool holds_job(const struct finding *f, const struct candidate *c)
{
    const struct machine *v = c->machine;

    if (c->join.row != NULL && job_disk_bytes(f->job) > c->join.row->disk_gb * BYTES_PER_GB)
        return false;
    if (!f->job->arch_known || !(v->memory_gib > 0))
        return true;
    return loading_host_bytes(&f->job->arch, weights_bytes(served_weights(f->job)),
                              (double)c->machines) <= v->memory_gib * BYTES_PER_GIB;
}

static struct candidate candidate_of(const struct finding *f, const struct machine *v,
                                     int64_t gpus)
{
    int64_t needed = machines_for_gpus(v, gpus);
    struct candidate c = {.machine = v,
                          .join = machine_joining(&f->ctx->catalog, v, f->supply)};

    c.machines = joining_rented(&c.join, needed);
    c.joined = !needs_joining(f, v, c.machines) || c.join.joins;
    c.enough = c.machines <= c.join.supply;
    c.holds = holds_job(f, &c);
    return c;
}

static void take_offer(const struct finding *f, const struct candidate *c, int64_t gpus,
                       enum market market)
{
    const struct machine *v = c->machine;
    struct job_place *p = f->out;
    const struct price_trust *trust = market_trust(v, market);

    p->offer = *v;
    p->place = (struct estimate_place){.offer = v->name,
                                       .provider = v->provider,
                                       .region = v->region,
                                       .instance = v->instance,
                                       .market = market,
                                       .price = machine_price(v, market),
                                       .price_date = v->fact.date,
                                       .price_age_days = v->age_days,
                                       .vcpus = v->vcpus,
                                       .price_width = trust->width,
                                       .price_unchanged = trust->unchanged,
                                       .stale = trust->stale,
                                       .alone = trust->alone,
                                       .outlier = trust->outlier,
                                       .machines = c->machines,
                                       .join = c->join};
    p->place.hardware = (struct hardware){
        .gpu = v->gpu,
        .gpus = gpus > 0 ? gpus : v->count * c->machines,
        .per_node = v->count,
        .host_bytes = machine_host_bytes(v),
        .network_gb_s = c->join.gb_s,
        .network_doubt = c->join.gb_s > 0 ? c->join.doubt : ASSUMED_NETWORK_DOUBT,
        .sockets = c->join.sockets,
        .apart = !c->join.joins,
    };
    p->place.host_bytes = p->place.hardware.host_bytes;
    p->place.disk_bytes = c->join.row != NULL ? c->join.row->disk_gb * BYTES_PER_GB : NAN;
}

/* Those that can work together first, and of which there are enough (if of none, one whose
 * limit is published); then those that hold the job, and whose price is no outlier; then the
 * fewest machines, since links are faster than networks; then the cheapest, a stale price at
 * the end of its range. */
static bool is_better_place(const struct candidate *a, const struct candidate *b,
                            enum market market)
{
    if (a->joined != b->joined)
        return a->joined;
    if (a->enough != b->enough)
        return a->enough;
    if (!a->enough && a->join.assumed != b->join.assumed)
        return !a->join.assumed;
    if (a->holds != b->holds)
        return a->holds;
    if (market_trust(a->machine, market)->outlier != market_trust(b->machine, market)->outlier)
        return !market_trust(a->machine, market)->outlier;
    if (a->machines != b->machines)
        return a->machines < b->machines;
    return usd_per_hour_compare(market_ranked(a->machine, market),
                                market_ranked(b->machine, market)) < 0;
}

/* The best of those that match. `name` NULL matches all. */
static struct candidate best_offer(const struct finding *f, const struct machine *views,
                                   size_t count, const struct offer_name *name, int64_t gpus,
                                   enum market market)
{
    struct candidate best = {.machine = NULL}, c;

    for (size_t i = 0; i < count; i++) {
        const struct machine *v = &views[i];

        if ((name != NULL && !offer_is(v, name)) ||
            machine_price(v, market).nano == MONEY_UNKNOWN)
            continue;
        c = candidate_of(f, v, gpus);
        if (best.machine == NULL || is_better_place(&c, &best, market))
            best = c;
    }
    return best;
}

/* An offer that was named, of which several machines cannot work together. */
static bool not_joined(const struct candidate *c, struct error *err)
{
    const struct machine *v = c->machine;
    const struct network *row = c->join.row;

    if (row != NULL)
        error_set(err, ERROR_UNFIT, "machines of %.*s cannot be joined for one job%s%.*s%s",
                  STR_ARG(v->name), row->fact.notes.len > 0 ? " (" : "",
                  STR_ARG(row->fact.notes), row->fact.notes.len > 0 ? ")" : "");
    else
        error_set(err, ERROR_UNFIT,
                  "it is unknown whether machines of %.*s can be joined for one job",
                  STR_ARG(v->name));
    error_hint(err,
               "take one machine (%lld GPU%s), leave out the offer, or add their network to "
               "your networks.csv",
               (long long)v->count, v->count == 1 ? "" : "s");
    return false;
}

/* The market to rent in, unless the offer's name has one. */
static enum market place_market(const struct finding *f)
{
    struct str asked = f->ask->market.len > 0 ? f->ask->market : f->job->limits.market;

    return str_eq(asked, STR("spot")) ? MARKET_SPOT : MARKET_ON_DEMAND;
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
    enum market market = place_market(f);
    struct candidate best;
    struct offer_name name;
    struct machine *views;
    size_t count;

    if (!offer_name_parse(f->ask->offer, &name, err) || !check_market(&name, err))
        return false;
    if (name.market >= 0)
        market = (enum market)name.market;
    if (!all_place_offers(f, (struct str){0}, market, &views, &count, err))
        return false;
    best = best_offer(f, views, count, &name, gpus, market);
    if (best.machine == NULL)
        return absent_offer(views, count, &name, err);
    if (!check_gpu(best.machine, gpu, err) || (!best.joined && !not_joined(&best, err)))
        return false;
    take_offer(f, &best, gpus, market);
    if (name.region.len == 0 && !f->again)
        message_note(&f->ctx->messages, "the cheapest of '%.*s' is %.*s",
                     STR_ARG(f->ask->offer), STR_ARG(best.machine->name));
    return true;
}

static bool leaves_gpus(const struct candidate *c, int64_t gpus)
{
    return c->machines * c->machine->count > gpus;
}

/* The cheapest offer of exactly so many of a card in so many machines; NULL: none. */
static bool exact_offer(struct finding *f, int64_t gpus, int64_t machines,
                        const struct accelerator *gpu, struct candidate *out, struct error *err)
{
    enum market market = place_market(f);
    struct machine *views;
    size_t count, kept = 0;

    if (!all_place_offers(f, gpu->name, market, &views, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (machines * views[i].count == gpus)
            views[kept++] = views[i];
    *out = best_offer(f, views, kept, NULL, gpus, market);
    return true;
}

/* A family was named whose usual card is only sold with more GPUs than are wanted: the cheapest
 * of its other cards that is sold in this number. `out` has no machine: there is none. */
static bool other_of_family(struct finding *f, int64_t gpus, const struct candidate *usual,
                            struct candidate *out, struct error *err)
{
    const struct catalog *catalog = &f->ctx->catalog;
    const struct accelerator *gpu = usual->machine->gpu;
    enum market market = place_market(f);

    *out = (struct candidate){.machine = NULL};
    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);
        struct candidate found;

        if (a == gpu || !str_eq(a->family, gpu->family))
            continue;
        if (!exact_offer(f, gpus, usual->machines, a, &found, err))
            return false;
        if (found.machine != NULL && found.joined && found.enough &&
            (out->machine == NULL || is_better_place(&found, out, market)))
            *out = found;
    }
    if (out->machine != NULL)
        message_note(&f->ctx->messages,
                     "%.*s is not sold in machines with so few GPUs: this is for %.*s",
                     STR_ARG(gpu->name), STR_ARG(out->machine->gpu->name));
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

/* No machines for rent can be joined to so many GPUs: an assumed network, and no price. */
static void place_of_none(const struct finding *f, int64_t gpus, const struct accelerator *gpu,
                          const struct candidate *single)
{
    struct estimate_place *p = &f->out->place;
    int64_t node = single->machine != NULL ? single->machine->count : 8;

    p->price = USD_PER_HOUR_UNKNOWN;
    p->market = place_market(f);
    p->hardware = (struct hardware){.gpu = gpu,
                                    .gpus = gpus,
                                    .per_node = gpus < node ? gpus : node,
                                    .host_bytes = NAN,
                                    .network_doubt = ASSUMED_NETWORK_DOUBT};
    p->machines = (gpus + p->hardware.per_node - 1) / p->hardware.per_node;
    p->host_bytes = p->disk_bytes = p->vcpus = NAN;
    p->join = (struct joining){.gb_s = NAN, .least = 1, .step = 1, .supply = p->machines};
    p->not_sold = single->machine != NULL;
}

/* GPUs without an offer: the cheapest way to have them in few machines. `typed` is what the
 * user named them. */
static bool place_of_gpus(struct finding *f, int64_t gpus, const struct accelerator *gpu,
                          struct str typed, struct error *err)
{
    enum market market = place_market(f);
    struct candidate best, other = {.machine = NULL};
    struct machine *views;
    size_t count;

    if (!all_place_offers(f, gpu->name, market, &views, &count, err))
        return false;
    best = best_offer(f, views, count, NULL, gpus, market);
    if (best.machine != NULL && leaves_gpus(&best, gpus) && str_eq_nocase(typed, gpu->family) &&
        !other_of_family(f, gpus, &best, &other, err))
        return false;
    if (other.machine != NULL)
        best = other;
    if (best.machine == NULL || !best.joined) {
        place_of_none(f, gpus, gpu, &best);
        return true;
    }
    take_offer(f, &best, gpus, market);
    forget_small_host(&f->out->place.hardware);
    f->out->place.chosen = true;
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

bool op_place(struct op_context *ctx, const struct job *job, const struct place_request *ask,
              int64_t gpus, struct job_place *out, struct error *err)
{
    struct finding f = {.ctx = ctx, .job = job, .ask = ask, .again = gpus > 0, .out = out};
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
        !op_supply(ctx, ask->supply, &f.supply, err))
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

/* ---- other machines ---- */

/* Of two such machines the better one is enough. */
static bool same_kind(const struct machine *a, const struct machine *b, enum place_choice by)
{
    return by == PLACES_BY_GPU
               ? a->gpu == b->gpu && a->count == b->count
               : str_eq(a->provider, b->provider) && str_eq(a->region, b->region);
}

/* The best of each kind, in `kept`: how many. */
static size_t best_of_kinds(const struct finding *f, const struct machine *views, size_t count,
                            const struct estimate_place *now, enum place_choice by,
                            struct candidate *kept)
{
    int64_t gpus = by == PLACES_BY_REGION ? now->hardware.gpus : 0;
    enum market market = place_market(f);
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        const struct machine *v = &views[i];
        struct candidate c;
        size_t k = 0;

        if (v->gpu == NULL || machine_price(v, market).nano == MONEY_UNKNOWN ||
            market_trust(v, market)->outlier ||
            (by == PLACES_BY_REGION &&
             (str_eq(v->region, STR("*")) || v->count != now->hardware.per_node)))
            continue;
        c = candidate_of(f, v, gpus);
        if (!c.joined || !c.enough || !c.holds)
            continue;
        while (k < n && !same_kind(kept[k].machine, v, by))
            k++;
        if (k == n || is_better_place(&c, &kept[k], market))
            kept[k] = c;
        n += k == n;
    }
    return n;
}

bool op_places_instead(struct op_context *ctx, const struct job *job,
                       const struct estimate_place *now, enum place_choice by, struct rows *out,
                       struct error *err)
{
    const struct place_request ask = {.market = str_from(market_names[now->market]),
                                      .price = USD_PER_HOUR_UNKNOWN};
    struct job_place place;
    struct finding f = {.ctx = ctx, .job = job, .ask = &ask, .again = true, .out = &place};
    const struct machine_query filter = {.gpu = by == PLACES_BY_REGION ? now->hardware.gpu->name
                                                                       : (struct str){0},
                                         .kind = STR("cloud"),
                                         .market = place_market(&f),
                                         .providers = job->limits.providers,
                                         .regions = job->limits.regions,
                                         .min_memory = BYTES_UNKNOWN,
                                         .max_price = USD_PER_HOUR_UNKNOWN,
                                         .max_age = SPAN_UNKNOWN};
    struct estimate_place *places;
    struct candidate *kept;
    struct machine *views;
    size_t count, n;

    *out = (struct rows){NULL, 0};
    if (!op_supply(ctx, (struct strs){0}, &f.supply, err) ||
        !op_machines(ctx, &filter, &views, &count, err))
        return false;
    kept = arena_array(ctx->arena, struct candidate, count, err);
    if (kept == NULL)
        return false;
    n = best_of_kinds(&f, views, count, now, by, kept);
    places = arena_array(ctx->arena, struct estimate_place, n, err);
    if (places == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        place = (struct job_place){.place.price = USD_PER_HOUR_UNKNOWN};
        take_offer(&f, &kept[i], by == PLACES_BY_REGION ? now->hardware.gpus : 0,
                   place_market(&f));
        places[i] = place.place;
    }
    *out = (struct rows){places, n};
    return true;
}

/* "price 386 days old, 80 % range $10.5 to $21.2/hr" */
static void write_price_age(const struct estimate_place *place, struct buf *out)
{
    buf_addf(out, "%lld days old", (long long)place->price_age_days);
    if (!(place->price_width > 0))
        return;
    buf_adds(out, ", 80 % range ");
    usd_per_hour_write(rate_low(place->price, place->price_width), out);
    buf_adds(out, " to ");
    usd_per_hour_write(rate_high(place->price, place->price_width), out);
}

void op_place_warn(const struct estimate_place *place, const struct op_context *ctx)
{
    struct buf text = buf_new(&alloc_system, 400);

    if (place->offer.len > 0 && place->outlier)
        message_warn(
            &ctx->messages,
            "the price of %.*s is far below those of other regions and was seen on one "
            "day only; 'stint price doctor' shows it",
            STR_ARG(place->offer));
    if (place->offer.len > 0 && place->stale) {
        if (place->alone)
            buf_addf(&text, "no fresh price for %.*s: this one is ",
                     STR_ARG(place->hardware.gpu->name));
        else
            buf_adds(&text, "the price is ");
        write_price_age(place, &text);
        message_warn(&ctx->messages, "%.*s; 'stint price fetch skypilot' updates prices",
                     (int)text.len, text.at != NULL ? text.at : "...");
    } else if (place->offer.len > 0 && place->price_age_days < 0) {
        message_warn(&ctx->messages, "the price is dated in the future");
    }
    buf_free(&text);
}
