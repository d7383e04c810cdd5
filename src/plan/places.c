#include "plan/places.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "estimate/kernels/kernels.h"
#include "estimate/money/terms.h"
#include "spot/interruption.h"

/* ---- which providers, regions and GPUs a plan may use ---- */

/* What may be: one of `allow` (when there is any), and none of `deny`. */
struct patterns {
    struct strs allow, deny;
    bool asked; /* the options say what is allowed */
};

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
    unsigned bars;
    double pue, carbon_g_kwh;
    const struct week *carbon; /* NULL: the same all week, or not asked */
};

struct gather {
    struct arena *arena;
    const struct plan_places_ask *ask;
    const struct catalog *catalog;
    const struct job *job;
    struct plan_places_facts *facts;
    struct patterns providers, regions;
    bool *gpu_barred, *gpu_usable, *gpu_named; /* by row of the accelerators */
    struct str market;
    double min_reliability;
    struct seller seller; /* of the row at hand: rows of one provider are consecutive */
    struct site site;
    struct plan_place *places;
    size_t count;
    struct str notes[GATHER_NOTES];
};

static bool denies(struct str pattern)
{
    return pattern.len > 0 && pattern.at[0] == '!';
}

static size_t count_denials(struct strs list)
{
    size_t count = 0;

    for (size_t i = 0; i < list.len; i++)
        count += denies(list.at[i]);
    return count;
}

/* Options over the job in what is allowed; both in what is denied. */
static bool patterns_read(struct gather *g, struct strs option, struct strs job,
                          struct patterns *out, struct error *err)
{
    const struct strs lists[] = {option, job};
    struct str *allow, *deny;
    size_t allowed = 0, denied = 0;

    *out = (struct patterns){.asked = count_denials(option) < option.len};
    allow = arena_array(g->arena, struct str, option.len + job.len + 1, err);
    deny = arena_array(g->arena, struct str, option.len + job.len + 1, err);
    if (allow == NULL || deny == NULL)
        return false;
    for (size_t l = 0; l < ARRAY_LEN(lists); l++)
        for (size_t i = 0; i < lists[l].len; i++) {
            struct str p = lists[l].at[i];

            if (denies(p))
                deny[denied++] = (struct str){p.at + 1, p.len - 1};
            else if (l == 0 || !out->asked)
                allow[allowed++] = p;
        }
    out->allow = (struct strs){allow, allowed};
    out->deny = (struct strs){deny, denied};
    return true;
}

static bool patterns_pass(const struct patterns *p, struct str text)
{
    return strs_match(p->allow, text) && (p->deny.len == 0 || !strs_match(p->deny, text));
}

/* Any of these that allow, or that deny, and match? */
static bool any_match(struct strs list, bool deny, struct str name)
{
    for (size_t i = 0; i < list.len; i++) {
        struct str p = list.at[i];

        if (denies(p) != deny)
            continue;
        if (deny)
            p = (struct str){p.at + 1, p.len - 1};
        if (str_glob(name, p))
            return true;
    }
    return false;
}

bool plan_allows(struct strs options, struct strs job, struct str name)
{
    struct strs allow = count_denials(options) < options.len ? options : job;

    return !any_match(options, true, name) && !any_match(job, true, name) &&
           (count_denials(allow) == allow.len || any_match(allow, false, name));
}

/* Every accelerator that a person may mean: by its name, its family or another name. */
static bool mark(const struct catalog *catalog, struct str pattern, bool *marks)
{
    const struct accelerator *first = CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, 0);
    enum name_match match;
    const struct accelerator *meant = accelerator_search(catalog, pattern, &match);
    bool any = meant != NULL;

    if (meant != NULL)
        marks[meant - first] = true;
    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len; i++)
        if (str_glob(first[i].name, pattern) || str_glob(first[i].family, pattern) ||
            (meant != NULL && match == NAME_FAMILY && str_eq(first[i].family, meant->family)))
            any = marks[i] = true;
    for (size_t i = 0; i < catalog->tables[TABLE_NAMES].len; i++) {
        const struct accelerator_name *n =
            CATALOG_ROW(catalog, TABLE_NAMES, accelerator_name, i);

        if (!str_glob(n->alias, pattern))
            continue;
        meant = accelerator_named(catalog, n->accelerator);
        if (meant != NULL)
            any = marks[meant - first] = true;
    }
    return any;
}

static bool mark_all(struct gather *g, struct strs patterns, bool *marks, struct error *err)
{
    enum name_match ignored;

    for (size_t i = 0; i < patterns.len; i++)
        if (!mark(g->catalog, patterns.at[i], marks))
            return accelerator_find(g->catalog, patterns.at[i], &ignored, err) != NULL;
    return true;
}

static bool read_gpus(struct gather *g, struct error *err)
{
    size_t count = g->catalog->tables[TABLE_ACCELERATORS].len;
    bool *allowed = arena_array(g->arena, bool, count + 1, err);
    struct patterns p;

    g->gpu_barred = arena_array(g->arena, bool, count + 1, err);
    if (allowed == NULL || g->gpu_barred == NULL ||
        !patterns_read(g, g->ask->gpus, g->job->limits.gpus, &p, err) ||
        !mark_all(g, p.allow, allowed, err) || !mark_all(g, p.deny, g->gpu_barred, err))
        return false;
    g->gpu_named = allowed;
    for (size_t i = 0; i < count && p.allow.len > 0; i++)
        g->gpu_barred[i] |= !allowed[i];
    return true;
}

static bool check_place_patterns(struct gather *g, uint64_t tables, const char *column,
                                 const struct patterns *p, struct error *err)
{
    return catalog_check_patterns(g->catalog, tables, column, p->allow, err) &&
           catalog_check_patterns(g->catalog, tables, column, p->deny, err);
}

/* Read the patterns of options and job, and compare them with the catalog (TABLE_OFFERS,
 * TABLE_PROVIDERS, TABLE_REGIONS and TABLE_NAMES are loaded). */
static bool gather_patterns(struct gather *g, struct error *err)
{
    const struct job_limits *limits = &g->job->limits;
    uint64_t tables = TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_OFFERS);

    return patterns_read(g, g->ask->providers, limits->providers, &g->providers, err) &&
           patterns_read(g, g->ask->regions, limits->regions, &g->regions, err) &&
           check_place_patterns(g, tables, "provider", &g->providers, err) &&
           check_place_patterns(g, tables | TABLE_BIT(TABLE_REGIONS), "region", &g->regions,
                                err) &&
           catalog_check_patterns(g->catalog, tables, "provider", g->ask->accounts, err) &&
           read_gpus(g, err);
}

/* ---- what a provider and a region bring to all their machines ---- */

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
        if (!str_glob(m->product, g->ask->platform))
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

/* What the platform takes on top at this provider; false when it is not there. */
static bool platform_markup(const struct gather *g, struct str provider, double *markup)
{
    const struct catalog *catalog = g->catalog;

    *markup = 0;
    if (g->ask->platform.len == 0)
        return true;
    for (size_t i = 0; i < catalog->tables[TABLE_MANAGED].len; i++) {
        const struct managed *m = CATALOG_ROW(catalog, TABLE_MANAGED, managed, i);

        if (platform_uses(m, provider) && str_glob(m->product, g->ask->platform)) {
            *markup = m->training_markup;
            return true;
        }
    }
    return false;
}

static bool is_own(struct str provider)
{
    return str_eq(provider, STR("local")) || str_eq(provider, STR("on-prem"));
}

/* A discount that is published as a range is taken in its middle; one that is only "up to" so
 * much is not known. */
static double term_discount(const struct commitment *c)
{
    return str_eq(c->kind, STR("commitment")) && c->term_months > 0
               ? (c->discount_low + c->discount_high) / 2
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
    struct strs accounts = g->ask->accounts;
    struct seller *s = &g->seller;
    double reliability;

    if (s->name.at != NULL && str_eq(s->name, provider))
        return;
    *s = (struct seller){.name = provider, .row = provider_find(g->catalog, provider)};
    g->site = (struct site){0};
    reliability = s->row != NULL ? s->row->reliability : NAN;
    if (!g->providers.asked && !is_own(provider) && !strs_match(accounts, provider))
        s->bars |= BAR_ACCOUNT; /* a provider named by the user may be one to join */
    if (!patterns_pass(&g->providers, provider) || !platform_markup(g, provider, &s->markup))
        s->bars |= BAR_PROVIDER;
    if (g->min_reliability > 0 && !(reliability >= g->min_reliability))
        s->bars |= BAR_RELIABILITY;
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
        .bars = patterns_pass(&g->regions, region) ? 0 : BAR_REGION,
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
static bool find_place_gpu(struct gather *g, struct machine *m)
{
    m->gpu = accelerator_named(g->catalog, m->accelerator);
    if (m->gpu != NULL &&
        g->gpu_usable[m->gpu - CATALOG_ROW(g->catalog, TABLE_ACCELERATORS, accelerator, 0)])
        return true;
    g->facts->slow++;
    return false;
}

/* The machine that places refer to, with its name. NULL with the error set. */
static const struct machine *keep_machine(struct gather *g, const struct machine *m,
                                          struct error *err)
{
    struct machine *kept = arena_array(g->arena, struct machine, 1, err);

    if (kept == NULL)
        return NULL;
    *kept = *m;
    return machine_name(m->provider, m->region, STR(""), m->instance, g->arena, &kept->name,
                        err)
               ? kept
               : NULL;
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
    const struct accelerator *card = p.machine->gpu;
    span most = g->ask->max_age;
    size_t gpu = (size_t)(card - CATALOG_ROW(g->catalog, TABLE_ACCELERATORS, accelerator, 0));

    if (most.ns >= 0 && p.market != MARKET_OWN &&
        price_age(p.date, g->ask->today).ns > most.ns) {
        g->facts->old++;
        return;
    }
    p.bars = g->seller.bars | g->site.bars | market_bars(g, p.market);
    if (g->gpu_barred[gpu])
        p.bars |= BAR_GPU;
    /* Who has a machine, or asks for a card by name, knows what runs on it. */
    if (!g->gpu_named[gpu] && p.market != MARKET_OWN && !software_runs_on(g->job, card))
        p.bars |= BAR_SOFTWARE;
    if (p.trust.outlier) {
        g->facts->outliers += p.bars == 0;
        return;
    }
    p.terms = g->site.terms;
    p.join = machine_joining(g->catalog, p.machine, g->ask->supply);
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

static bool add_own(struct gather *g, struct machine m, struct error *err)
{
    struct plan_place p = {.market = MARKET_OWN, .price = m.on_demand, .date = m.fact.date};

    g->facts->offers++;
    if (!find_place_gpu(g, &m))
        return true;
    if (p.price.nano == MONEY_UNKNOWN) {
        g->facts->unpriced++;
        return true;
    }
    m.vcpus = m.memory_gib = NAN;
    gather_seller(g, m.provider);
    p.machine = keep_machine(g, &m, err);
    if (p.machine == NULL || !gather_site(g, m.region, g->ask->country, err))
        return false;
    gather_add(g, p);
    return true;
}

static bool refuse_unknown_machine(const struct gather *g, struct error *err)
{
    const struct catalog *catalog = g->catalog;
    struct suggestion s = {.wanted = g->ask->machine};

    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i)->machine);
    error_set(err, ERROR_ABSENT, "the setting 'machine': there is no machine '%.*s'",
              STR_ARG(s.wanted));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show local' lists them");
    return false;
}

static bool add_local_place(struct gather *g, struct error *err)
{
    const struct catalog *catalog = g->catalog;
    struct str wanted = g->ask->machine, country = g->ask->country;

    if (wanted.len == 0)
        return true;
    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m = CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i);
        struct machine own = {.fact = m->fact,
                              .provider = STR("local"),
                              .region = country,
                              .instance = m->machine,
                              .accelerator = m->accelerator,
                              .count = m->count};

        if (!str_eq_nocase(m->machine, wanted))
            continue;
        own.on_demand = electricity_cost((watt){m->load_w}, g->ask->electricity);
        return add_own(g, own, err);
    }
    return refuse_unknown_machine(g, err);
}

/* Those of the built-in table are examples of what one could own. */
static bool add_on_prem(struct gather *g, struct error *err)
{
    const struct catalog *catalog = g->catalog;

    for (size_t i = 0; i < catalog->tables[TABLE_ONPREM].len; i++) {
        const struct onprem *m = CATALOG_ROW(catalog, TABLE_ONPREM, onprem, i);
        struct machine own = {.fact = m->fact,
                              .provider = STR("on-prem"),
                              .region = STR("*"),
                              .instance = m->machine,
                              .accelerator = m->accelerator,
                              .count = m->count,
                              .on_demand = usd_per_hour_times(m->usd_per_gpu_hour, m->count)};

        if (m->fact.layer > 0 && !add_own(g, own, err))
            return false;
    }
    return true;
}

/* Machines of one's own: the one of the settings, and those of the user's files. */
static bool gather_own(struct gather *g, bool local, bool on_prem, struct error *err)
{
    return (!local || add_local_place(g, err)) && (!on_prem || add_on_prem(g, err));
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
    if (g->seller.bars == 0 && g->ask->seen != NULL)
        g->ask->seen(g->ask->seen_ctx, o);
}

static bool add_offer_places(struct gather *g, const struct machine *o, struct error *err)
{
    bool on_demand = o->on_demand.nano != MONEY_UNKNOWN;
    bool spot = o->spot.nano != MONEY_UNKNOWN;
    struct plan_place p = {.date = o->fact.date, .trust = o->trust[MARKET_ON_DEMAND]};
    struct machine m = *o;

    g->facts->offers++;
    gather_seller(g, o->provider);
    if (!on_demand && !spot) {
        g->facts->unpriced++;
        report_machine(g, o);
        return true;
    }
    if (!find_place_gpu(g, &m))
        return true;
    p.machine = keep_machine(g, &m, err);
    if (p.machine == NULL || !gather_site(g, o->region, o->region, err))
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

/* Room for all of them: a complete table of offers has history that makes no places. */
static bool make_places_room(struct gather *g, bool cloud, struct error *err)
{
    const struct catalog *catalog = g->catalog;
    size_t room = catalog->tables[TABLE_ONPREM].len + 1;

    for (size_t i = 0; cloud && i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

        if (!o->fact.current)
            continue;
        gather_seller(g, o->provider);
        room += o->spot.nano != MONEY_UNKNOWN;
        if (o->on_demand.nano != MONEY_UNKNOWN)
            room += 1 + g->seller.term_count;
    }
    g->places = arena_array(g->arena, struct plan_place, room, err);
    return g->places != NULL;
}

static bool add_all_places(struct gather *g, struct error *err)
{
    const struct catalog *catalog = g->catalog;
    struct str kind = g->ask->kind;
    bool any = kind.len == 0 || str_eq(kind, STR("any"));
    bool cloud = any || str_eq(kind, STR("cloud"));

    if (!make_places_room(g, cloud, err))
        return false;
    for (size_t i = 0; cloud && i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

        if (o->fact.current && !add_offer_places(g, o, err))
            return false;
    }
    return gather_own(g, any || str_eq(kind, STR("local")), any || str_eq(kind, STR("on-prem")),
                      err) &&
           gather_owned(g, g->ask->owned_setting, err) && gather_owned(g, g->ask->owned, err);
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

/* What is fresh, or newest, is so among the places that may be used. */
static bool rank_prices(struct gather *g, struct error *err)
{
    const struct rows *cards = &g->catalog->tables[TABLE_ACCELERATORS];
    const struct accelerator *first = cards->at;
    struct price_newest *newest =
        arena_array(g->arena, struct price_newest, 2 * cards->len + 1, err);

    if (newest == NULL)
        return false;
    for (size_t i = 0; i < 2 * cards->len; i++)
        newest[i] = PRICE_NEWEST_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < g->count; i++) {
            struct plan_place *p = &g->places[i];
            size_t at = 2 * (size_t)(p->machine->gpu - first) + (p->market == MARKET_SPOT);

            if (p->market == MARKET_OWN)
                continue;
            if (pass == 1)
                price_trust_rank(&p->trust, &newest[at]);
            else if (p->bars == 0)
                price_newest_see(&newest[at], &p->trust);
        }
    return true;
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
        gather_note(g, "prices for a term are the on-demand price less the average of the "
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
    g.min_reliability =
        isnan(ask->min_reliability) ? limits->min_reliability : ask->min_reliability;
    if (!cost_terms_check(ask->job, g.catalog, err) || !gather_platform(&g, err) ||
        !gather_patterns(&g, err) || !read_speeds(&g, err) || !add_all_places(&g, err))
        return false;
    if (g.count == 0)
        return no_place(&g, err);
    *out = g.places;
    *count = g.count;
    return rank_prices(&g, err) && keep_place_notes(&g, err);
}
