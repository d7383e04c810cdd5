/* What is known of the place of a machine: tariff, bills, carbon; and words for dates. */
#include <math.h>
#include <string.h>

#include "estimate/terms.h"
#include "op/market.h"
#include "op/run/run_price_work.h"

void price_write_date(const struct price_work *w, day date, struct buf *out)
{
    int64_t days = op_today(w->ctx).n - date.n;

    buf_adds(out, ", price of ");
    day_write(date, out);
    if (days == 0)
        buf_adds(out, " (today)");
    else if (days > 0)
        buf_addf(out, " (%lld day%s old)", (long long)days, days == 1 ? "" : "s");
}

void price_warn_age(const struct price_work *w, struct str what, day date)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 64);
    struct str written;

    if (date.n == DAY_UNKNOWN.n)
        return;
    day_write(date, &text);
    written = buf_text(&text);
    if (date.n > op_today(w->ctx).n)
        message_warn(&w->ctx->messages, "the price of %.*s is dated in the future (%.*s)",
                     STR_ARG(what), STR_ARG(written));
    else if (price_age_of(date, op_today(w->ctx)).ns > w->ctx->settings->stale_after.ns)
        message_warn(
            &w->ctx->messages,
            "the price of %.*s is of %.*s, %lld days old: 'stint price fetch' gets today's, "
            "--price says what you pay",
            STR_ARG(what), STR_ARG(written),
            (long long)(price_age_of(date, op_today(w->ctx)).ns / (24 * SPAN_HOUR)));
    buf_free(&text);
}

bool price_has_tariff(const struct price_work *w)
{
    const struct settings *s = w->ctx->settings;

    return w->request->electricity.nano != MONEY_UNKNOWN ||
           s->electricity.nano != MONEY_UNKNOWN || s->machine.len > 0 ||
           op_market(w->ctx).country_set;
}

static bool tariff_words(struct price_work *w, const struct electricity *row, struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 1024);
    usd_per_kwh tariff = w->out->electricity;

    if (w->out->offer.len > 0) {
        buf_add(&text, w->out->offer);
        buf_adds(&text, ": ");
    }
    buf_adds(&text, "electricity that is metered, at ");
    usd_write((usd){tariff.nano}, &text);
    buf_adds(&text, "/kWh, ");
    if (w->request->electricity.nano != MONEY_UNKNOWN) {
        buf_adds(&text, "as --electricity says");
    } else if (row == NULL) {
        buf_adds(&text, "as your settings say");
    } else {
        buf_addf(&text, "households of %.*s", STR_ARG(row->country));
        price_write_date(w, row->fact.date, &text);
        buf_addf(&text, ", %.*s", STR_ARG(row->fact.source));
        w->out->date = row->fact.date;
    }
    return price_text(w, &text, &w->out->source, err);
}

bool price_electricity(struct price_work *w, struct error *err)
{
    const struct settings *s = w->ctx->settings;
    const struct electricity *row = NULL;
    struct market_view view;
    usd_per_kwh tariff = w->request->electricity;

    if (tariff.nano == MONEY_UNKNOWN) {
        if (s->electricity.nano == MONEY_UNKNOWN &&
            !op_catalog(w->ctx, TABLE_BIT(TABLE_ELECTRICITY), err))
            return false;
        view = op_market(w->ctx);
        tariff = market_electricity(&view, &row);
    }
    w->out->provider = STR("local");
    w->out->region = s->country;
    if (tariff.nano == MONEY_UNKNOWN) {
        w->out->how = RUN_PRICE_UNKNOWN; /* whoever named the machine */
        w->out->source = STR("not known: no tariff of this country");
        w->out->hint = STR("say --electricity '0.30usd/kWh', or set electricity in the "
                           "configuration");
        return true;
    }
    if (w->out->how == RUN_PRICE_UNKNOWN)
        w->out->how = RUN_PRICE_ELECTRICITY;
    w->out->electricity = tariff;
    return tariff_words(w, row, err);
}

bool price_terms(struct price_work *w, struct error *err)
{
    const struct provider *p;
    const struct catalog *c = &w->ctx->catalog;

    if (w->out->provider.len == 0)
        return true;
    if (!op_catalog(w->ctx, TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_STORAGE), err))
        return false;
    p = provider_find(c, w->out->provider);
    if (p != NULL) {
        w->out->billing_s = p->billing_s;
        w->out->minimum_s = p->minimum_s;
        w->out->setup_s = p->setup_s;
        w->out->notice_s = p->notice_s;
    }
    for (size_t i = 0; i < c->tables[TABLE_STORAGE].len; i++) {
        const struct storage *s = CATALOG_ROW(c, TABLE_STORAGE, storage, i);

        if (str_eq_nocase(s->provider, w->out->provider) && str_eq(s->tier, STR("hot")))
            w->out->storage_month = s->usd_gb_month;
    }
    return true;
}

/* Where the power comes from, as regions.csv has it; NULL: it does not. */
static bool find_power(const struct price_work *w, const struct region **out, struct error *err)
{
    struct str provider = w->out->provider, region = w->out->region;
    bool own =
        provider.len == 0 || str_eq(provider, STR("local")) || str_eq(provider, STR("on-prem"));
    struct catalog regions;

    if (provider.len == 0)
        provider = STR("local");
    if (own)
        region = op_market(w->ctx).country_set ? w->ctx->settings->country : STR("*");
    if (!op_catalog_provider(w->ctx, TABLE_REGIONS, provider, &regions, err))
        return false;
    *out = region_find(&regions, provider, region);
    return true;
}

static void take_intensity(struct run_price *out, const struct region *r, struct buf *text)
{
    if (r == NULL || isnan(r->carbon_g_kwh)) {
        out->grams_per_kwh = WORLD_G_KWH;
        buf_addf(text, "%.0f g CO2e/kWh, the world's average: the region is not known",
                 WORLD_G_KWH);
        return;
    }
    out->grams_per_kwh = r->carbon_g_kwh;
    if (str_eq(r->region, STR("*"))) {
        buf_addf(text, "%.0f g CO2e/kWh, the world's average: the place is not known",
                 r->carbon_g_kwh);
        return;
    }
    buf_addf(text, "%.0f g CO2e/kWh, %.*s %.*s (%.*s%s%.*s)", r->carbon_g_kwh,
             STR_ARG(r->provider), STR_ARG(r->region), STR_ARG(r->carbon_kind),
             r->carbon_year.len > 0 ? " of " : "", STR_ARG(r->carbon_year));
}

static void take_pue(struct run_price *out, const struct region *r, struct buf *text)
{
    if (r == NULL || isnan(r->pue)) {
        out->pue = USUAL_PUE;
        buf_addf(text, ", PUE %.1f (usual: the building's own is not known)", USUAL_PUE);
        return;
    }
    out->pue = r->pue;
    buf_addf(text, ", PUE %.2f (%.*s)", r->pue, STR_ARG(r->pue_kind));
}

bool price_carbon(struct price_work *w, struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 1024);
    const struct region *r;

    if (!find_power(w, &r, err))
        return false;
    take_intensity(w->out, r, &text);
    take_pue(w->out, r, &text);
    return price_text(w, &text, &w->out->carbon_source, err);
}
