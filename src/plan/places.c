#include "plan/places.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "catalog/discount.h"
#include "estimate/kernels/kernels.h"
#include "estimate/money/terms.h"
#include "spot/interruption.h"

#define GATHER_NOTES 8

/* What a provider brings, whatever the region. */
struct seller {
    struct str name;
    const struct provider *row; /* NULL: nothing is known of it */
    unsigned bars;
    double markup;
    struct interruption_model model;
    double up;
    const struct commitment *terms; /* `row_count` rows, other kinds among them */
    size_t row_count, term_count;   /* term_count: of a term whose discount is known */
    bool weeks_read;
    const struct week *weeks[MARKET_ANY]; /* how its prices move; NULL: not, or not asked */
};

/* What a region of it brings. */
struct site {
    struct str region;
    const struct cost_inputs *terms;
    double pue, carbon_g_kwh;
    const struct week *carbon; /* NULL: the same all week, or not asked */
};

struct gather {
    struct arena *arena;
    const struct plan_places_ask *ask;
    const struct catalog *catalog;
    const struct job *job;
    struct plan_places_facts *facts;
    bool *gpu_usable; /* by row of the accelerators */
    struct str market;
    struct seller seller; /* of the row at hand: rows of one provider are consecutive */
    struct site site;
    struct plan_place *places;
    size_t count;
    struct str notes[GATHER_NOTES];
};

/* ---- what a provider and a region bring to all their machines ---- */

bool plan_platform_is(struct str asked, struct str product)
{
    return str_eq_nocase(asked, STR("all")) || str_glob(product, asked);
}

/* Is the platform one that is known, and its markup too? */
static bool gather_platform(struct gather *g, struct error *err)
{
    const struct catalog *catalog = g->catalog;
    struct suggestion s = {.wanted = g->ask->platform};

    if (g->ask->platform.len == 0)
        return true;
    for (size_t i = 0; i < catalog->tables[TABLE_MANAGED].len; i++) {
        const struct managed *m = CATALOG_ROW(catalog, TABLE_MANAGED, managed, i);

        suggestion_try(&s, m->product);
        if (!plan_platform_is(g->ask->platform, m->product))
            continue;
        if (m->training_markup >= 0)
            return true;
        error_set(err, ERROR_ABSENT, "the markup of '%.*s' is not known", STR_ARG(m->product));
        error_hint(err, "add its training_markup to your managed.csv");
        return false;
    }
    error_set(err, ERROR_ABSENT, "there is no platform '%.*s'", STR_ARG(g->ask->platform));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show managed' lists them");
    return false;
}

/* Does the platform use machines of this provider? */
static bool platform_uses(const struct managed *m, struct str provider)
{
    struct str clouds = m->clouds;

    while (clouds.len > 0)
        if (str_eq(str_cut(&clouds, ' '), provider))
            return true;
    return str_eq(m->provider, provider);
}

/* What the platform takes on top at this provider, of several the cheapest; false when it is
 * not there. */
static bool platform_markup(const struct gather *g, struct str provider, double *markup)
{
    const struct catalog *catalog = g->catalog;

    *markup = g->ask->platform.len == 0 ? 0 : INFINITY;
    for (size_t i = 0; i < catalog->tables[TABLE_MANAGED].len; i++) {
        const struct managed *m = CATALOG_ROW(catalog, TABLE_MANAGED, managed, i);

        if (platform_uses(m, provider) && plan_platform_is(g->ask->platform, m->product))
            *markup = fmin(*markup, m->training_markup); /* that of an unknown one is NaN */
    }
    return isfinite(*markup);
}

static double term_discount(const struct commitment *c)
{
    return str_eq(c->kind, STR("commitment")) && c->term_months > 0
               ? discount_expected(c->discount_low, c->discount_high)
               : NAN;
}

/* Its rows are adjacent. */
static void find_seller_terms(const struct catalog *catalog, struct seller *s)
{
    for (size_t i = 0; i < catalog->tables[TABLE_COMMITMENTS].len; i++) {
        const struct commitment *c = CATALOG_ROW(catalog, TABLE_COMMITMENTS, commitment, i);

        if (!str_eq(c->provider, s->name))
            continue;
        if (s->row_count++ == 0)
            s->terms = c;
        if (!isnan(term_discount(c)))
            s->term_count++;
    }
}

/* Turn to a provider and a region; nothing happens when it is the one at hand. `row_region` is
 * what the table of regions calls it. */
static void gather_seller(struct gather *g, struct str provider)
{
    struct seller *s = &g->seller;

    if (s->name.at != NULL && str_eq(s->name, provider))
        return;
    *s = (struct seller){.name = provider, .row = provider_find(g->catalog, provider)};
    g->site = (struct site){0};
    if (!platform_markup(g, provider, &s->markup))
        s->bars = BAR_PROVIDER;
    s->model = interruption_model(g->catalog, provider);
    s->up = interruption_up(g->catalog, provider);
    find_seller_terms(g->catalog, s);
}

/* Only a week that is not the same all along is kept. */
static bool keep_week(struct gather *g, bool known, const struct week *week,
                      const struct week **out, struct error *err)
{
    struct week *kept;

    *out = NULL;
    if (!known || !week_varies(week))
        return true;
    kept = arena_array(g->arena, struct week, 1, err);
    if (kept == NULL)
        return false;
    *kept = *week;
    *out = kept;
    return true;
}

/* Prices for a term do not change, nor do those of owned machines; rules of thumb change
 * none. */
static bool read_place_prices(struct gather *g, struct error *err)
{
    static const enum market moving[] = {MARKET_ON_DEMAND, MARKET_SPOT};
    struct seller *s = &g->seller;
    bool measured, known;
    struct week week;

    for (size_t i = 0; i < ARRAY_LEN(moving) && !s->weeks_read; i++) {
        known = week_of_prices(g->catalog, s->name, str_from(market_names[moving[i]]), &week,
                               &measured);
        if (!keep_week(g, known && measured, &week, &s->weeks[moving[i]], err))
            return false;
    }
    s->weeks_read = true;
    return true;
}

static bool read_weeks(struct gather *g, const struct region *row, struct error *err)
{
    bool measured, known;
    struct week week;

    if (!g->ask->weeks)
        return true;
    known = row != NULL && week_of_carbon(g->catalog, row->grid, &week, &measured);
    return read_place_prices(g, err) && keep_week(g, known, &week, &g->site.carbon, err);
}

static bool gather_site(struct gather *g, struct str region, struct str row_region,
                        struct error *err)
{
    const struct catalog *catalog = g->catalog;
    struct str provider = g->seller.name;
    const struct region *row;
    struct cost_inputs *terms;

    if (g->site.terms != NULL && str_eq(g->site.region, region))
        return true;
    terms = arena_array(g->arena, struct cost_inputs, 1, err);
    if (terms == NULL)
        return false;
    *terms = cost_terms(g->job, catalog, provider, region);
    row = region_find(catalog, provider, row_region);
    g->site = (struct site){
        .region = region,
        .terms = terms,
        .pue = row != NULL && !isnan(row->pue) ? row->pue : USUAL_PUE,
        .carbon_g_kwh =
            row != NULL && !isnan(row->carbon_g_kwh) ? row->carbon_g_kwh : WORLD_G_KWH,
    };
    return read_weeks(g, row, err);
}

/* ---- what is the user's own: hours that are paid for, and machines ---- */

#define OWNED_MOST 1e9 /* hours */

/* "200h", or "200", which can only be hours. */
static bool hours_parse(struct str text, double *out, struct error *err)
{
    struct error ignored = {0};
    span time;

    *out = NAN;
    if (!num_double(text, out) && span_parse(text, &time, &ignored))
        *out = span_in_hours(time);
    if (*out > 0 && *out <= OWNED_MOST)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s' is not a number of hours", STR_ARG(text));
    error_hint(err, "write OFFER=HOURS, such as aws/us-east-1/p5.48xlarge=200h");
    return false;
}

static bool owned_parse(struct str text, struct offer_name *name, double *hours,
                        struct error *err)
{
    struct str left = text, offer = str_cut(&left, '=');

    if (offer.len == text.len) {
        error_set(err, ERROR_USAGE, "'%.*s' has no hours", STR_ARG(text));
        error_hint(err, "write OFFER=HOURS, such as aws/us-east-1/p5.48xlarge=200h");
        return false;
    }
    if (!offer_name_parse(offer, name, err) || !hours_parse(str_trim(left), hours, err))
        return false;
    if (name->market < 0 || name->market == MARKET_ON_DEMAND)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s': prepaid hours have no market", STR_ARG(offer));
    error_hint(err, "leave out ':%s'", market_names[name->market]);
    return false;
}

static bool is_place_named(const struct plan_place *p, const struct offer_name *name)
{
    const struct machine *m = p->machine;

    return p->market == MARKET_ON_DEMAND &&
           offer_name_matches(name, m->provider, m->region, STR(""), m->instance);
}

static bool refuse_absent_place(const struct gather *g, const struct offer_name *name,
                                struct error *err)
{
    struct suggestion s = {.wanted = name->instance};

    for (size_t i = 0; i < g->count; i++)
        suggestion_try(&s, g->places[i].machine->instance);
    error_set(err, ERROR_ABSENT, "there is no offer '%.*s' with an on-demand price",
              STR_ARG(name->text));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint price list' shows all");
    return false;
}

static bool own_hours(struct gather *g, struct str text, struct error *err)
{
    struct offer_name name;
    size_t found = 0;
    double hours;

    if (!owned_parse(text, &name, &hours, err))
        return false;
    name.zone = (struct str){0}; /* places are of complete regions */
    for (size_t i = 0; i < g->count; i++) {
        struct plan_place *p = &g->places[i];

        if (!is_place_named(p, &name))
            continue;
        p->owned_hours = hours;
        p->bars &= ~(unsigned)BAR_ACCOUNT; /* who has hours there has an account */
        found++;
    }
    return found > 0 || refuse_absent_place(g, &name, err);
}

/* Hours that are paid for already, on the places that they are of. */
static bool gather_owned(struct gather *g, struct strs owned, struct error *err)
{
    for (size_t i = 0; i < owned.len; i++)
        if (!own_hours(g, owned.at[i], err)) {
            error_context(err, "owned");
            return false;
        }
    return true;
}

/* Has the machine an accelerator that can be planned with? Else it is counted. */
static bool has_usable_gpu(struct gather *g, const struct machine *m)
{
    const struct accelerator *first =
        CATALOG_ROW(g->catalog, TABLE_ACCELERATORS, accelerator, 0);

    g->facts->slow += !g->gpu_usable[m->gpu - first];
    return g->gpu_usable[m->gpu - first];
}

/* Bars of a market: spot and terms are taken only when they are asked for. */
static unsigned market_bars(const struct gather *g, enum market market)
{
    bool any = str_eq(g->market, STR("any"));
    unsigned bars = 0;

    if (market == MARKET_OWN)
        return 0;
    if (!any && !str_eq(g->market, str_from(market_names[market])))
        bars |= BAR_MARKET;
    if (market == MARKET_RESERVED && !str_eq(g->market, STR("reserved")))
        bars |= BAR_COMMIT;
    return bars;
}

static span price_age(day date, day today)
{
    return span_hours(today.n > date.n ? 24 * (double)(today.n - date.n) : 0);
}

/* Does the job's software run there? PyTorch and what is built on it is taken to run on cards
 * of NVIDIA and AMD; others take a framework made for them, which the job must name. */
static bool software_runs_on(const struct job *job, const struct accelerator *gpu)
{
    struct str framework = job->kind == JOB_TRAIN ? job->train.framework : job->infer.framework;
    bool neuron = str_has_nocase(framework, STR("neuron"));

    if (str_eq(gpu->vendor, STR("NVIDIA")) || str_eq(gpu->vendor, STR("AMD")))
        return !neuron;
    if (str_eq(gpu->vendor, STR("AWS")))
        return neuron;
    if (str_eq(gpu->vendor, STR("Google")))
        return str_has_nocase(framework, STR("jax")) || str_has_nocase(framework, STR("xla")) ||
               str_has_nocase(framework, STR("tpu")) ||
               str_has_nocase(framework, STR("maxtext"));
    if (str_eq(gpu->vendor, STR("Intel")))
        return str_has_nocase(framework, STR("habana")) ||
               str_has_nocase(framework, STR("gaudi"));
    return false;
}

/* Add a place that has everything but what seller and site bring; not when its price is too
 * old, or an outlier. */
static void gather_add(struct gather *g, struct plan_place p)
{
    const struct provider *row = g->seller.row;
    const struct machine *m = p.machine;
    span most = g->ask->max_age;

    if (most.ns >= 0 && p.market != MARKET_OWN) {
        if (price_age(p.date, g->ask->today).ns > most.ns) {
            g->facts->old++;
            return;
        }
        p.trust.old = false; /* the user says how old prices may be */
    }
    p.bars = m->bars | g->seller.bars | market_bars(g, p.market);
    /* Who has a machine, or asks for a card by name, knows what runs on it. */
    if (!m->gpu_named && p.market != MARKET_OWN && !software_runs_on(g->job, m->gpu))
        p.bars |= BAR_SOFTWARE;
    if (p.trust.outlier) {
        g->facts->outliers += p.bars == 0;
        return;
    }
    p.terms = g->site.terms;
    p.join = machine_joining(g->catalog, m, g->ask->supply);
    if (joining_rented(&p.join, 1) > p.join.supply) { /* sold by contract only */
        g->facts->contract++;
        return;
    }
    p.billing_s = row != NULL ? num_above_zero(row->billing_s) : 0;
    p.minimum_s = row != NULL ? num_above_zero(row->minimum_s) : 0;
    p.markup = g->seller.markup;
    p.reliability = row != NULL ? row->reliability : NAN;
    p.notice_s = row != NULL ? row->notice_s : NAN;
    p.pue = g->site.pue;
    p.carbon_g_kwh = g->site.carbon_g_kwh;
    p.prices = g->seller.weeks[p.market];
    p.carbon = g->site.carbon;
    g->places[g->count++] = p;
}

/* A machine of the user's own. */
static bool add_own_place(struct gather *g, const struct machine *m, struct error *err)
{
    struct plan_place p = {
        .machine = m, .market = MARKET_OWN, .price = m->on_demand, .date = m->fact.date};

    if (!has_usable_gpu(g, m))
        return true;
    if (p.price.nano == MONEY_UNKNOWN) {
        g->facts->unpriced++;
        return true;
    }
    gather_seller(g, m->provider);
    if (!gather_site(g, m->region, g->ask->country, err))
        return false;
    gather_add(g, p);
    return true;
}

static void gather_note(struct gather *g, const char *text)
{
    struct strs *notes = &g->facts->notes;

    if (notes->len < GATHER_NOTES)
        g->notes[notes->len++] = str_from(text);
}

/* Chips that only serve: nothing trains on them, whatever the software. */
static bool only_serves_models(const struct accelerator *gpu)
{
    return str_starts(gpu->name, STR("Inferentia")) || str_starts(gpu->name, STR("AI100"));
}

static bool read_speeds(struct gather *g, struct error *err)
{
    const struct catalog *catalog = g->catalog;
    size_t count = catalog->tables[TABLE_ACCELERATORS].len;

    g->gpu_usable = arena_array(g->arena, bool, count + 1, err);
    for (size_t i = 0; g->gpu_usable != NULL && i < count; i++) {
        const struct accelerator *a = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);

        g->gpu_usable[i] = peak_flops(a, PRECISION_BF16) > 0 && a->memory_gb > 0 &&
                           !(g->job->kind == JOB_TRAIN && only_serves_models(a));
    }
    return g->gpu_usable != NULL;
}

static void add_spot_place(struct gather *g, struct plan_place p)
{
    const struct seller *s = &g->seller;
    const struct machine *o = p.machine;
    double share =
        o->on_demand.nano > 0 ? (double)o->spot.nano / (double)o->on_demand.nano : NAN;

    p.market = MARKET_SPOT;
    p.price = o->spot;
    p.trust = o->trust[MARKET_SPOT];
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

static void add_reserved_places(struct gather *g, struct plan_place p)
{
    const struct machine *o = p.machine;
    usd_per_hour list = o->list_on_demand.nano > 0 ? o->list_on_demand : o->on_demand;

    for (size_t i = 0; i < g->seller.row_count; i++) {
        const struct commitment *c = &g->seller.terms[i];
        double discount = term_discount(c);

        if (isnan(discount))
            continue;
        p.market = MARKET_RESERVED;
        p.price = usd_per_hour_scaled(list, 1 - discount);
        p.commit_hours = (double)c->term_months * MONTH_HOURS;
        /* What was negotiated may be less than the list price for a term. */
        if (p.price.nano < o->on_demand.nano)
            gather_add(g, p);
    }
}

static void report_machine(struct gather *g, const struct machine *o)
{
    unsigned seller = BAR_ACCOUNT | BAR_PROVIDER | BAR_RELIABILITY;

    if (((o->bars | g->seller.bars) & seller) == 0 && g->ask->seen != NULL)
        g->ask->seen(g->ask->seen_ctx, o);
}

static bool add_offer_places(struct gather *g, const struct machine *o, struct error *err)
{
    bool on_demand = o->on_demand.nano != MONEY_UNKNOWN;
    bool spot = o->spot.nano != MONEY_UNKNOWN;
    struct plan_place p = {
        .machine = o, .date = o->fact.date, .trust = o->trust[MARKET_ON_DEMAND]};

    gather_seller(g, o->provider);
    if (!on_demand && !spot) {
        g->facts->unpriced++;
        report_machine(g, o);
        return true;
    }
    if (!has_usable_gpu(g, o))
        return true;
    if (!gather_site(g, o->region, o->region, err))
        return false;
    report_machine(g, o);
    if (spot)
        add_spot_place(g, p);
    if (!on_demand)
        return true;
    p.market = MARKET_ON_DEMAND;
    p.price = o->on_demand;
    gather_add(g, p);
    add_reserved_places(g, p);
    return true;
}

static bool add_all_places(struct gather *g, struct error *err)
{
    const struct plan_places_ask *ask = g->ask;
    size_t room = 1;

    for (size_t i = 0; i < ask->machine_count; i++) {
        gather_seller(g, ask->machines[i].provider);
        room += 2 + g->seller.term_count;
    }
    g->places = arena_array(g->arena, struct plan_place, room, err);
    if (g->places == NULL)
        return false;
    g->facts->offers = ask->machine_count;
    for (size_t i = 0; i < ask->machine_count; i++) {
        const struct machine *m = &ask->machines[i];

        if (!(str_eq(m->kind, STR("cloud")) ? add_offer_places(g, m, err)
                                            : add_own_place(g, m, err)))
            return false;
    }
    return gather_owned(g, ask->owned_setting, err) && gather_owned(g, ask->owned, err);
}

static bool no_place(const struct gather *g, struct error *err)
{
    const struct plan_places_facts *f = g->facts;

    error_set(err, ERROR_ABSENT, "there is no machine to plan with");
    if (f->old > 0)
        error_hint(err,
                   "%zu prices are older than allowed: leave out "
                   "--max-age, or run 'stint price fetch'",
                   f->old);
    else if (f->offers > 0)
        error_hint(err,
                   "of %zu offers, %zu have no price and %zu an accelerator of unknown speed",
                   f->offers, f->unpriced, f->slow);
    else
        error_hint(err,
                   "'stint price fetch' gets offers; the setting 'machine' names your own");
    return false;
}

/* Whether most prices are too old is asked of the places that may be used, in each market. */
static void rank_prices(struct gather *g)
{
    struct price_ages ages[2] = {{0}}; /* on spot, and others */

    for (size_t i = 0; i < g->count; i++)
        if (g->places[i].market != MARKET_OWN &&
            (g->places[i].bars & ~(unsigned)BAR_MARKET) == 0)
            price_ages_see(&ages[g->places[i].market != MARKET_SPOT], &g->places[i].trust);
    if (g->ask->ages != NULL)
        ages[1] = *g->ask->ages;
    if (g->ask->spot_ages != NULL)
        ages[0] = *g->ask->spot_ages;
    g->facts->spot_ages = ages[0];
    g->facts->ages = ages[1];
    for (size_t i = 0; i < g->count; i++) {
        struct plan_place *p = &g->places[i];

        if (p->market == MARKET_OWN)
            continue;
        price_trust_rank(&p->trust, &ages[p->market != MARKET_SPOT]);
        if (p->trust.aside && !(p->owned_hours > 0)) /* what is paid for costs nothing more */
            p->bars |= BAR_OLD;
    }
}

/* What the places rest on that no price list says. */
static bool keep_place_notes(struct gather *g, struct error *err)
{
    bool reserved = false, platform = false;
    struct str *kept;

    for (size_t i = 0; i < g->count; i++) {
        reserved |= g->places[i].market == MARKET_RESERVED && !(g->places[i].bars & BAR_COMMIT);
        platform |= !(g->places[i].bars & BAR_PROVIDER);
    }
    if (reserved)
        gather_note(g, "prices for a term are the on-demand price less the middle of the "
                       "provider's published discounts");
    if (g->ask->platform.len > 0 && !platform)
        gather_note(g, "no known machine runs the platform");
    if (g->facts->outliers > 0)
        gather_note(g,
                    "prices far below those of other regions and seen on one day only are left "
                    "out: 'stint price doctor' lists them");
    kept = arena_array(g->arena, struct str, GATHER_NOTES, err);
    if (kept == NULL)
        return false;
    memcpy(kept, g->notes, sizeof g->notes);
    g->facts->notes.at = kept;
    return true;
}

bool plan_places(const struct plan_places_ask *ask, struct arena *arena,
                 struct plan_place **out, size_t *count, struct plan_places_facts *facts,
                 struct error *err)
{
    const struct job_limits *limits = &ask->job->limits;
    struct gather g = {
        .arena = arena, .ask = ask, .catalog = ask->catalog, .job = ask->job, .facts = facts};

    *facts = (struct plan_places_facts){0};
    g.market = ask->market.len > 0      ? ask->market
               : limits->market.len > 0 ? limits->market
                                        : STR("on-demand");
    if (!cost_terms_check(ask->job, g.catalog, err) || !gather_platform(&g, err) ||
        !read_speeds(&g, err) || !add_all_places(&g, err))
        return false;
    if (g.count == 0)
        return no_place(&g, err);
    *out = g.places;
    *count = g.count;
    rank_prices(&g);
    return keep_place_notes(&g, err);
}
