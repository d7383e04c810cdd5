/* What a provider and a region bring to all their machines. */
#include <math.h>

#include "estimate/terms.h"
#include "op/plan/plan_gather.h"

bool gather_platform(struct gather *g, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;
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
        error_set(err, ERROR_ABSENT, "what '%.*s' adds to the price is not known",
                  STR_ARG(m->product));
        error_hint(err, "add its training_markup to your managed.csv");
        return false;
    }
    error_set(err, ERROR_ABSENT, "there is no platform '%.*s'", STR_ARG(g->ask->platform));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show managed' lists them");
    return false;
}

/* What the platform takes on top at this provider; false when it is not there. */
static bool platform_markup(const struct gather *g, struct str provider, double *markup)
{
    const struct catalog *catalog = &g->ctx->catalog;

    *markup = 0;
    if (g->ask->platform.len == 0)
        return true;
    for (size_t i = 0; i < catalog->tables[TABLE_MANAGED].len; i++) {
        const struct managed *m = CATALOG_ROW(catalog, TABLE_MANAGED, managed, i);

        if (str_eq(m->provider, provider) && str_glob(m->product, g->ask->platform)) {
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
double term_discount(const struct commitment *c)
{
    return str_eq(c->kind, STR("commitment")) && c->term_months > 0
               ? (c->discount_low + c->discount_high) / 2
               : NAN;
}

/* Its rows stand together. */
static void find_terms(const struct catalog *catalog, struct seller *s)
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

void gather_seller(struct gather *g, struct str provider)
{
    struct strs accounts = g->ctx->settings->providers;
    struct seller *s = &g->seller;
    double reliability;

    if (s->name.at != NULL && str_eq(s->name, provider))
        return;
    *s = (struct seller){.name = provider, .row = provider_find(&g->ctx->catalog, provider)};
    g->site = (struct site){0};
    reliability = s->row != NULL ? s->row->reliability : NAN;
    if (!g->providers.asked && !is_own(provider) && !op_matches(accounts, provider))
        s->bars |= BAR_ACCOUNT; /* who asks for a provider by name may be about to join it */
    if (!patterns_pass(&g->providers, provider) || !platform_markup(g, provider, &s->markup))
        s->bars |= BAR_PROVIDER;
    if (g->min_reliability > 0 && !(reliability >= g->min_reliability))
        s->bars |= BAR_RELIABILITY;
    s->model = interruption_model(&g->ctx->catalog, provider);
    s->up = interruption_up(&g->ctx->catalog, provider);
    find_terms(&g->ctx->catalog, s);
}

/* Only a week that is not the same all along is kept. */
static bool keep_week(struct gather *g, bool known, const struct week *week,
                      const struct week **out, struct error *err)
{
    struct week *kept;

    *out = NULL;
    if (!known || !week_varies(week))
        return true;
    kept = arena_array(g->ctx->arena, struct week, 1, err);
    if (kept == NULL)
        return false;
    *kept = *week;
    *out = kept;
    return true;
}

/* Prices for a term stand still, and so does what one owns. */
static bool read_prices(struct gather *g, struct error *err)
{
    static const enum plan_market moving[] = {PLAN_ON_DEMAND, PLAN_SPOT};
    struct seller *s = &g->seller;
    bool measured, known;
    struct week week;

    for (size_t i = 0; i < ARRAY_LEN(moving) && !s->weeks_read; i++) {
        known = week_of_prices(&g->ctx->catalog, s->name,
                               str_from(plan_market_names[moving[i]]), &week, &measured);
        if (!keep_week(g, known, &week, &s->weeks[moving[i]], err))
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
    known = row != NULL && week_of_carbon(&g->ctx->catalog, row->grid, &week, &measured);
    return read_prices(g, err) && keep_week(g, known, &week, &g->site.carbon, err);
}

bool gather_site(struct gather *g, struct str region, struct str row_region, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;
    struct str provider = g->seller.name;
    const struct region *row;
    struct cost_inputs *terms;

    if (g->site.terms != NULL && str_eq(g->site.region, region))
        return true;
    terms = arena_array(g->ctx->arena, struct cost_inputs, 1, err);
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
