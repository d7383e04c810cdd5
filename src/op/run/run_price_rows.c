#include "op/run/run_price_rows.h"

bool price_rows_load(struct op_context *ctx, struct error *err)
{
    return op_catalog(ctx,
                      TABLE_BIT(TABLE_CPU_OFFERS) | TABLE_BIT(TABLE_LOCAL) |
                          TABLE_BIT(TABLE_ONPREM) | TABLE_BIT(TABLE_ELECTRICITY) |
                          TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_STORAGE),
                      err) &&
           op_offers(ctx, err);
}

static struct price_row of_offer(const struct machine *o)
{
    struct price_row row = {
        .provider = o->provider,
        .region = o->region,
        .instance = o->fact.current ? o->instance : (struct str){0},
        .accelerator = o->accelerator,
        .count = o->count,
        .on_demand = o->on_demand,
        .spot = o->spot,
        .fact = &o->fact,
        .spot_date = o->spot_source.len > 0 ? o->spot_date : o->fact.date,
        .spot_source = o->spot_source.len > 0 ? o->spot_source : o->fact.source,
        .conflict = o->conflict,
        .rate = o->rate,
    };

    for (size_t i = 0; i < sizeof row.foreign; i++)
        row.foreign[i] = o->foreign[i];
    return row;
}

static struct price_row of_cpu_offer(const struct machine *o)
{
    return (struct price_row){
        .provider = o->provider,
        .region = o->region,
        .instance = o->fact.current ? o->instance : (struct str){0},
        .on_demand = o->on_demand,
        .spot = o->spot,
        .fact = &o->fact,
        .spot_date = o->fact.date,
        .spot_source = o->fact.source,
    };
}

static struct price_row of_local(const struct op_context *ctx, const struct local_machine *m)
{
    return (struct price_row){
        .provider = STR("local"),
        .region = ctx->settings->country,
        .instance = m->machine,
        .accelerator = m->accelerator,
        .count = m->count,
        .on_demand = {0}, /* what it draws is metered */
        .spot = USD_PER_HOUR_UNKNOWN,
        .fact = &m->fact,
        .local = true,
    };
}

static struct price_row of_onprem(const struct onprem *m)
{
    return (struct price_row){
        .provider = STR("on-prem"),
        .region = STR("*"),
        .instance = m->machine,
        .accelerator = m->accelerator,
        .count = m->count,
        .on_demand = usd_per_hour_times(m->usd_per_gpu_hour, m->count),
        .spot = USD_PER_HOUR_UNKNOWN,
        .fact = &m->fact,
    };
}

bool price_row_at(const struct op_context *ctx, size_t i, struct price_row *out)
{
    const struct catalog *c = &ctx->catalog;

    if (i < c->tables[TABLE_OFFERS].len) {
        *out = of_offer(CATALOG_ROW(c, TABLE_OFFERS, machine, i));
        return true;
    }
    i -= c->tables[TABLE_OFFERS].len;
    if (i < c->tables[TABLE_CPU_OFFERS].len) {
        *out = of_cpu_offer(CATALOG_ROW(c, TABLE_CPU_OFFERS, machine, i));
        return true;
    }
    i -= c->tables[TABLE_CPU_OFFERS].len;
    if (i < c->tables[TABLE_LOCAL].len) {
        *out = of_local(ctx, CATALOG_ROW(c, TABLE_LOCAL, local_machine, i));
        return true;
    }
    i -= c->tables[TABLE_LOCAL].len;
    if (i < c->tables[TABLE_ONPREM].len) {
        *out = of_onprem(CATALOG_ROW(c, TABLE_ONPREM, onprem, i));
        return true;
    }
    return false;
}

usd_per_hour price_row_price(const struct price_row *row, enum market market)
{
    switch (market) {
    case MARKET_ON_DEMAND:
        return row->on_demand;
    case MARKET_SPOT:
        return row->spot;
    case MARKET_RESERVED_1Y:
    case MARKET_RESERVED_3Y:
    case MARKET_SAVINGS_1Y:
    case MARKET_SAVINGS_3Y:
    case MARKET_COUNT:
        break;
    }
    return USD_PER_HOUR_UNKNOWN;
}
