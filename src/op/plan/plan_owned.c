/* What is the user's own: hours that are paid for, and machines. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "op/plan/plan_gather.h"
#include "op/price/offer_name.h"

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
    error_set(err, ERROR_USAGE, "'%.*s' is no number of hours", STR_ARG(text));
    error_hint(err, "write OFFER=HOURS, such as aws/us-east-1/p5.48xlarge=200h");
    return false;
}

static bool owned_parse(struct str text, struct offer_name *name, double *hours,
                        struct error *err)
{
    struct str left = text, offer = str_cut(&left, '=');

    if (offer.len == text.len) {
        error_set(err, ERROR_USAGE, "'%.*s' does not say how many hours", STR_ARG(text));
        error_hint(err, "write OFFER=HOURS, such as aws/us-east-1/p5.48xlarge=200h");
        return false;
    }
    if (!offer_name_parse(offer, name, err) || !hours_parse(str_trim(left), hours, err))
        return false;
    if (name->market < 0 || name->market == MARKET_ON_DEMAND)
        return true;
    error_set(err, ERROR_USAGE, "'%.*s': hours that are paid for have no market",
              STR_ARG(offer));
    error_hint(err, "leave out ':%s'", market_names[name->market]);
    return false;
}

static bool is_named(const struct plan_place *p, const struct offer_name *name)
{
    struct store_offer o = {
        .provider = p->provider, .region = p->region, .instance = p->instance};

    return p->market == PLAN_ON_DEMAND && offer_name_matches(name, &o);
}

static bool absent(const struct gather *g, const struct offer_name *name, struct error *err)
{
    struct suggestion s = {.wanted = name->instance};

    for (size_t i = 0; i < g->count; i++)
        suggestion_try(&s, g->places[i].instance);
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
    name.zone = (struct str){0}; /* places are of whole regions */
    for (size_t i = 0; i < g->count; i++) {
        struct plan_place *p = &g->places[i];

        if (!is_named(p, &name))
            continue;
        p->owned_hours = hours;
        p->bars &= ~(unsigned)BAR_ACCOUNT; /* who has hours there has an account */
        found++;
    }
    return found > 0 || absent(g, &name, err);
}

bool gather_owned(struct gather *g, struct strs owned, struct error *err)
{
    for (size_t i = 0; i < owned.len; i++)
        if (!own_hours(g, owned.at[i], err)) {
            error_context(err, "owned");
            return false;
        }
    return true;
}

static bool add_own(struct gather *g, struct plan_place p, struct str accelerator,
                    struct str row_region, struct error *err)
{
    g->facts->offers++;
    p.gpu = gather_gpu(g, accelerator);
    if (p.gpu == NULL)
        return true;
    if (p.price.nano == MONEY_UNKNOWN) {
        g->facts->unpriced++;
        return true;
    }
    p.market = PLAN_OWN;
    p.host_bytes = NAN;
    p.on_demand = p.price;
    gather_seller(g, p.provider);
    if (!gather_site(g, p.region, row_region, err) ||
        !offer_title(p.provider, p.region, p.instance, g->ctx->arena, &p.offer, err))
        return false;
    gather_add(g, p);
    return true;
}

static bool no_machine(const struct gather *g, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;
    struct suggestion s = {.wanted = g->ctx->settings->machine};

    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i)->machine);
    error_set(err, ERROR_ABSENT, "the setting 'machine': there is no machine '%.*s'",
              STR_ARG(s.wanted));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show local' lists them");
    return false;
}

static bool add_local(struct gather *g, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;
    struct str wanted = g->ctx->settings->machine, country = g->ctx->settings->country;

    if (wanted.len == 0)
        return true;
    for (size_t i = 0; i < catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m = CATALOG_ROW(catalog, TABLE_LOCAL, local_machine, i);
        struct plan_place p = {.provider = STR("local"),
                               .region = country,
                               .instance = m->machine,
                               .count = m->count,
                               .date = m->fact.date};

        if (!str_eq_nocase(m->machine, wanted))
            continue;
        p.price = electricity_cost((watt){m->load_w}, electricity_price(g->ctx));
        return add_own(g, p, m->accelerator, country, err);
    }
    return no_machine(g, err);
}

/* Those of the built-in table are examples of what one could own. */
static bool add_on_prem(struct gather *g, struct error *err)
{
    const struct catalog *catalog = &g->ctx->catalog;

    for (size_t i = 0; i < catalog->tables[TABLE_ONPREM].len; i++) {
        const struct onprem *m = CATALOG_ROW(catalog, TABLE_ONPREM, onprem, i);
        struct plan_place p = {.provider = STR("on-prem"),
                               .region = STR("*"),
                               .instance = m->machine,
                               .count = m->count,
                               .price = usd_per_hour_times(m->usd_per_gpu_hour, m->count),
                               .date = m->fact.date};

        if (m->fact.layer > 0 && !add_own(g, p, m->accelerator, g->ctx->settings->country, err))
            return false;
    }
    return true;
}

bool gather_own(struct gather *g, bool local, bool on_prem, struct error *err)
{
    return (!local || add_local(g, err)) && (!on_prem || add_on_prem(g, err));
}
