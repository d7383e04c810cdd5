#include "op/plan/plan_places.h"

#include <math.h>
#include <string.h>

#include "estimate/kernels.h"
#include "estimate/terms.h"
#include "op/plan/plan_gather.h"

static void gather_note(struct gather *g, const char *text)
{
    struct strs *notes = &g->facts->notes;

    if (notes->len < GATHER_NOTES)
        g->notes[notes->len++] = str_from(text);
}

const struct accelerator *gather_gpu(struct gather *g, struct str name)
{
    const struct accelerator *gpu = accelerator_named(&g->ctx->catalog, name);

    if (gpu != NULL &&
        g->gpu_usable[gpu - CATALOG_ROW(&g->ctx->catalog, TABLE_ACCELERATORS, accelerator, 0)])
        return gpu;
    g->facts->slow++;
    return NULL;
}

static bool read_speeds(struct gather *g, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;
    size_t count = catalog->tables[TABLE_ACCELERATORS].len;

    g->gpu_usable = arena_array(g->ctx->arena, bool, count + 1, err);
    for (size_t i = 0; g->gpu_usable != NULL && i < count; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);

        g->gpu_usable[i] = peak_flops(a, PRECISION_BF16) > 0 && a->memory_gb > 0 &&
                           !(g->job->kind == JOB_TRAIN && plan_only_serves(a));
    }
    return g->gpu_usable != NULL;
}

/* Bars of a market: spot and terms are taken only when they are asked for. */
static unsigned market_bars(const struct gather *g, enum plan_market market)
{
    bool any = str_eq(g->market, STR("any"));
    unsigned bars = 0;

    if (market == PLAN_OWN)
        return 0;
    if (!any && !str_eq(g->market, str_from(plan_market_names[market])))
        bars |= BAR_MARKET;
    if (market == PLAN_RESERVED && !str_eq(g->market, STR("reserved")))
        bars |= BAR_COMMIT;
    return bars;
}

static double or_zero(double n)
{
    return n > 0 ? n : 0;
}

void gather_add(struct gather *g, struct plan_place p)
{
    const struct provider *row = g->seller.row;
    span most = g->ask->max_age;
    size_t gpu =
        (size_t)(p.gpu - CATALOG_ROW(&g->ctx->catalog, TABLE_ACCELERATORS, accelerator, 0));

    if (most.ns >= 0 && p.market != PLAN_OWN && price_age_of(p.date, g->ctx).ns > most.ns) {
        g->facts->old++;
        return;
    }
    p.bars = g->seller.bars | g->site.bars | market_bars(g, p.market);
    if (g->gpu_barred[gpu])
        p.bars |= BAR_GPU;
    /* Who has a machine, or asks for a card by name, knows what runs on it. */
    if (!g->gpu_named[gpu] && p.market != PLAN_OWN && !plan_runs_on(g->job, p.gpu))
        p.bars |= BAR_SOFTWARE;
    p.terms = g->site.terms;
    p.capacity =
        p.market != PLAN_OWN && row != NULL && str_eq(row->joins, STR("yes")) ? PLACE_MANY : 1;
    p.billing_s = row != NULL ? or_zero(row->billing_s) : 0;
    p.minimum_s = row != NULL ? or_zero(row->minimum_s) : 0;
    p.markup = g->seller.markup;
    p.reliability = row != NULL ? row->reliability : NAN;
    p.notice_s = row != NULL ? row->notice_s : NAN;
    p.pue = g->site.pue;
    p.carbon_g_kwh = g->site.carbon_g_kwh;
    p.prices = g->seller.weeks[p.market];
    p.carbon = g->site.carbon;
    price_age_add(&g->facts->age, p.date, g->ctx);
    g->places[g->count++] = p;
}

static void add_spot(struct gather *g, struct plan_place p, const struct offer *o)
{
    const struct seller *s = &g->seller;
    double share = o->on_demand_usd_h.nano > 0
                       ? (double)o->spot_usd_h.nano / (double)o->on_demand_usd_h.nano
                       : NAN;

    p.market = PLAN_SPOT;
    p.price = o->spot_usd_h;
    if (o->spot_source.len > 0)
        p.date = o->spot_date;
    p.risk = (struct plan_risk){
        .first_hour = interruption_hazard(&s->model, share, 1, 0),
        .shape = s->model.basis != BASIS_NONE ? s->model.shape : NAN,
        .up = s->up,
    };
    g->facts->unwatched += s->model.basis == BASIS_NONE;
    gather_add(g, p);
}

static void add_reserved(struct gather *g, struct plan_place p, const struct offer *o)
{
    usd_per_hour list = o->list_on_demand.nano > 0 ? o->list_on_demand : o->on_demand_usd_h;

    for (size_t i = 0; i < g->seller.row_count; i++) {
        const struct commitment *c = &g->seller.terms[i];
        double discount = term_discount(c);

        if (isnan(discount))
            continue;
        p.market = PLAN_RESERVED;
        p.price.nano = (int64_t)llround((double)list.nano * (1 - discount));
        p.commit_hours = (double)c->term_months * MONTH_HOURS;
        /* What was negotiated may be less than the list price for a term. */
        if (p.price.nano < o->on_demand_usd_h.nano)
            gather_add(g, p);
    }
}

static bool add_offer(struct gather *g, const struct offer *o, struct error *err)
{
    bool on_demand = o->on_demand_usd_h.nano != MONEY_UNKNOWN;
    bool spot = o->spot_usd_h.nano != MONEY_UNKNOWN;
    struct plan_place p = {.provider = o->provider,
                           .region = o->region,
                           .instance = o->instance,
                           .count = o->count,
                           .host_bytes =
                               o->memory_gib > 0 ? o->memory_gib * BYTES_PER_GIB : NAN,
                           .on_demand = o->on_demand_usd_h,
                           .date = o->fact.date};

    g->facts->offers++;
    gather_seller(g, o->provider);
    if (!on_demand && !spot) {
        g->facts->unpriced++;
        if (o->foreign[0] != '\0' && g->seller.bars == 0)
            currency_notes_missing(&g->currencies, o->foreign);
        return true;
    }
    p.gpu = gather_gpu(g, o->accelerator);
    if (p.gpu == NULL)
        return true;
    if (!gather_site(g, o->region, o->region, err) ||
        !offer_title(o->provider, o->region, o->instance, g->ctx->arena, &p.offer, err))
        return false;
    if (g->seller.bars == 0) {
        currency_notes_rate(&g->currencies, o->rate);
        g->currencies.discounted += o->list_on_demand.nano > 0 || o->list_spot.nano > 0;
    }
    if (spot)
        add_spot(g, p, o);
    if (!on_demand)
        return true;
    p.market = PLAN_ON_DEMAND;
    p.price = o->on_demand_usd_h;
    gather_add(g, p);
    add_reserved(g, p, o);
    return true;
}

/* Room for all of them: a whole table of offers has history that makes no places. */
static bool make_room(struct gather *g, bool cloud, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;
    size_t room = catalog->tables[TABLE_ONPREM].len + 1;

    for (size_t i = 0; cloud && i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct offer *o = CATALOG_ROW(catalog, TABLE_OFFERS, offer, i);

        if (!o->fact.current)
            continue;
        gather_seller(g, o->provider);
        room += o->spot_usd_h.nano != MONEY_UNKNOWN;
        if (o->on_demand_usd_h.nano != MONEY_UNKNOWN)
            room += 1 + g->seller.term_count;
    }
    g->places = arena_array(g->ctx->arena, struct plan_place, room, err);
    return g->places != NULL;
}

static bool add_all(struct gather *g, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;
    struct str kind = g->ask->kind;
    bool any = kind.len == 0 || str_eq(kind, STR("any"));
    bool cloud = any || str_eq(kind, STR("cloud"));

    if (!make_room(g, cloud, err))
        return false;
    for (size_t i = 0; cloud && i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct offer *o = CATALOG_ROW(catalog, TABLE_OFFERS, offer, i);

        if (o->fact.current && !add_offer(g, o, err))
            return false;
    }
    return gather_own(g, any || str_eq(kind, STR("local")), any || str_eq(kind, STR("on-prem")),
                      err) &&
           gather_owned(g, g->ctx->settings->owned, err) && gather_owned(g, g->ask->owned, err);
}

static bool nothing(const struct gather *g, struct error *err)
{
    const struct plan_places_facts *f = g->facts;

    error_set(err, ERROR_ABSENT, "there is no machine to plan with");
    if (f->old > 0)
        error_hint(err,
                   "%zu prices are older than the age that is allowed: leave out "
                   "--max-age, or run 'stint price fetch'",
                   f->old);
    else if (f->offers > 0)
        error_hint(err,
                   "of %zu offers, %zu have no price and %zu an accelerator whose speed "
                   "is not known",
                   f->offers, f->unpriced, f->slow);
    else
        error_hint(err,
                   "'stint price fetch' gets offers; the setting 'machine' names your own");
    return false;
}

/* What the places rest on that no price list says. */
static bool keep_notes(struct gather *g, struct error *err)
{
    bool reserved = false, platform = false;
    struct str *kept;

    for (size_t i = 0; i < g->count; i++) {
        reserved |= g->places[i].market == PLAN_RESERVED && !(g->places[i].bars & BAR_COMMIT);
        platform |= !(g->places[i].bars & BAR_PROVIDER);
    }
    if (reserved)
        gather_note(g, "prices for a term are the on-demand price less the middle of the "
                       "discounts that the provider publishes");
    if (g->ask->platform.len > 0 && !platform)
        gather_note(g, "no machine is known that the platform runs on");
    kept = arena_array(g->ctx->arena, struct str, GATHER_NOTES, err);
    if (kept == NULL)
        return false;
    memcpy(kept, g->notes, sizeof g->notes);
    g->facts->notes.at = kept;
    return true;
}

static bool load(struct op_context *ctx, struct error *err)
{
    return op_catalog(ctx,
                      TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_NAMES) |
                          TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_REGIONS) |
                          TABLE_BIT(TABLE_STORAGE) | TABLE_BIT(TABLE_TRANSFER) |
                          TABLE_BIT(TABLE_COMMITMENTS) | TABLE_BIT(TABLE_MANAGED) |
                          TABLE_BIT(TABLE_INTERRUPTIONS) | TABLE_BIT(TABLE_LOCAL) |
                          TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_ONPREM) |
                          TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_CARBON_HOURS),
                      err) &&
           op_offers(ctx, err);
}

bool plan_places(struct op_context *ctx, const struct job *job,
                 const struct plan_places_ask *ask, struct plan_place **out, size_t *count,
                 struct plan_places_facts *facts, struct error *err)
{
    const struct job_limits *limits = &job->limits;
    struct gather g = {.ctx = ctx, .job = job, .ask = ask, .facts = facts};

    *facts = (struct plan_places_facts){
        .age = {.newest = DAY_UNKNOWN, .oldest = DAY_UNKNOWN, .newest_days = -1}};
    g.market = ask->market.len > 0      ? ask->market
               : limits->market.len > 0 ? limits->market
                                        : STR("on-demand");
    g.min_reliability =
        isnan(ask->min_reliability) ? limits->min_reliability : ask->min_reliability;
    if (!load(ctx, err) || !cost_terms_check(job, &ctx->catalog, err) ||
        !gather_platform(&g, err) || !gather_patterns(&g, err) || !read_speeds(&g, err) ||
        !add_all(&g, err))
        return false;
    if (g.count == 0)
        return nothing(&g, err);
    currency_notes_say(&g.currencies, ctx);
    *out = g.places;
    *count = g.count;
    return keep_notes(&g, err);
}
