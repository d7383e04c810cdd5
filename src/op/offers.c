#include "op/offers.h"

#include <math.h>
#include <string.h>

#include "unit/size.h"

const char *const offer_kinds[] = {"cloud", "local", "on-prem", "any", NULL};
const char *const offer_markets[] = {"on-demand", "spot", "any", NULL};

static const struct field view_fields[] = {
    FIELD(TEXT, offer_view, offer, .help = "provider/region/instance"),
    FIELD(TEXT, offer_view, provider, .help = "who sells it"),
    FIELD(TEXT, offer_view, region, .help = "where; * for one price everywhere"),
    FIELD(TEXT, offer_view, instance, .help = "the machine's name"),
    FIELD(TEXT, offer_view, kind, .help = "cloud, local or on-prem"),
    FIELD(TEXT, offer_view, accelerator, .help = "what it has"),
    FIELD(COUNT, offer_view, count, .help = "how many"),
    FIELD(NUMBER, offer_view, gpu_memory_gb, .help = "of one, GB"),
    FIELD(NUMBER, offer_view, vcpus, .help = "virtual CPUs"),
    FIELD(NUMBER, offer_view, memory_gib, .help = "of the machine, GiB"),
    FIELD(RATE, offer_view, on_demand, .help = "the machine for an hour"),
    FIELD(RATE, offer_view, spot, .help = "the machine for an hour"),
    FIELD(NUMBER, offer_view, spot_saving,
          .help = "share saved by spot; negative when it is dearer"),
    FIELD(RATE, offer_view, per_gpu,
          .help = "one accelerator for an hour, in the market asked for"),
    FIELD(DAY, offer_view, date, .help = "of the price"),
    FIELD(COUNT, offer_view, age_days, .help = "of the price"),
    FIELD(TEXT, offer_view, source, .help = "of the price"),
};

const struct field_set offer_view_fields = FIELD_SET(struct offer_view, view_fields);

static const struct field age_fields[] = {
    FIELD(DAY, price_age, newest, .help = "price shown"),
    FIELD(DAY, price_age, oldest, .help = "price shown"),
    FIELD(COUNT, price_age, stale, .help = "prices older than stale_after"),
    FIELD(COUNT, price_age, total, .help = "prices shown"),
};

const struct field_set price_age_fields = FIELD_SET(struct price_age, age_fields);

void price_age_add(struct price_age *age, day date, const struct op_context *ctx)
{
    int64_t limit = ctx->settings->stale_after.ns / (SECONDS_PER_DAY * 1000000000);

    if (age->total <= 0)
        *age = (struct price_age){.newest = date, .oldest = date};
    age->total++;
    age->newest = date.n > age->newest.n ? date : age->newest;
    age->oldest = date.n < age->oldest.n ? date : age->oldest;
    age->stale += op_today(ctx).n - date.n > limit;
}

void price_age_warn(const struct price_age *age, const struct op_context *ctx)
{
    struct buf after = buf_new(ctx->arena->alloc, 64);
    int64_t days = ctx->settings->stale_after.ns / (SECONDS_PER_DAY * 1000000000);

    if (age->stale > 0) {
        day_write(age->oldest, &after);
        op_say(ctx, VOICE_WARN,
               "%lld of %lld prices %s more than %lld days old (the oldest of %.*s): "
               "check before you spend",
               (long long)age->stale, (long long)age->total, age->stale == 1 ? "is" : "are",
               (long long)days, STR_ARG(buf_text(&after)));
    }
    buf_free(&after);
}

int compare_rates(usd_per_hour a, usd_per_hour b)
{
    if ((a.nano == MONEY_UNKNOWN) != (b.nano == MONEY_UNKNOWN))
        return a.nano == MONEY_UNKNOWN ? 1 : -1;
    return (a.nano > b.nano) - (a.nano < b.nano);
}

usd_per_hour offer_price(const struct offer_view *view, struct str market)
{
    if (str_eq(market, STR("spot")))
        return view->spot;
    if (str_eq(market, STR("any")) && compare_rates(view->spot, view->on_demand) < 0)
        return view->spot;
    return view->on_demand;
}

struct selection {
    struct op_context *ctx;
    const struct offer_filter *filter;
    const struct accelerator *gpu; /* NULL: any */
    usd_per_kwh electricity;
    struct offer_view *views;
    size_t count;
};

static bool passes(const struct selection *s, const struct offer_view *v)
{
    const struct offer_filter *f = s->filter;
    bool spot_only = str_eq(f->market, STR("spot"));

    if (s->gpu != NULL && v->spec != s->gpu &&
        !(f->any_form && str_eq(v->spec->family, s->gpu->family)))
        return false;
    if (!op_matches(f->providers, v->provider) || !op_matches(f->regions, v->region))
        return false;
    if (spot_only && v->spot.nano == MONEY_UNKNOWN)
        return false;
    if (f->min_memory.n != UINT64_MAX && v->gpu_memory_gb < bytes_gb(f->min_memory))
        return false;
    return f->max_price.nano == MONEY_UNKNOWN ||
           (offer_price(v, f->market).nano != MONEY_UNKNOWN &&
            offer_price(v, f->market).nano <= f->max_price.nano);
}

/* "provider/region/instance". */
static bool set_name(struct offer_view *v, struct arena *arena, struct error *err)
{
    size_t len = v->provider.len + v->region.len + v->instance.len + 2;
    char *name = arena_array(arena, char, len + 1, err);

    if (name == NULL)
        return false;
    (void)snprintf(name, len + 1, "%.*s/%.*s/%.*s", (int)v->provider.len, v->provider.at,
                   (int)v->region.len, v->region.at, (int)v->instance.len, v->instance.at);
    v->offer = (struct str){name, len};
    return true;
}

static bool add(struct selection *s, struct offer_view v, const struct fact *fact,
                struct error *err)
{
    usd_per_hour price;

    v.spec = accelerator_named(&s->ctx->catalog, v.accelerator);
    v.gpu_memory_gb = v.spec->memory_gb;
    v.date = fact->date;
    v.source = fact->source;
    v.age_days = op_today(s->ctx).n - fact->date.n;
    v.age_days = v.age_days > 0 ? v.age_days : 0;
    v.spot_saving = v.spot.nano == MONEY_UNKNOWN || v.on_demand.nano == MONEY_UNKNOWN
                        ? NAN
                        : 1 - (double)v.spot.nano / (double)v.on_demand.nano;
    if (!passes(s, &v))
        return true;
    price = offer_price(&v, s->filter->market);
    v.per_gpu = usd_per_hour_share(price, v.count);
    if (!set_name(&v, s->ctx->arena, err))
        return false;
    s->views[s->count++] = v;
    return true;
}

static bool add_cloud(struct selection *s, struct error *err)
{
    for (size_t i = 0; i < s->ctx->catalog.tables[TABLE_OFFERS].len; i++) {
        const struct offer *o = CATALOG_ROW(&s->ctx->catalog, TABLE_OFFERS, offer, i);
        struct offer_view v = {.provider = o->provider,
                               .region = o->region,
                               .instance = o->instance,
                               .accelerator = o->accelerator,
                               .kind = STR("cloud"),
                               .count = o->count,
                               .vcpus = o->vcpus,
                               .memory_gib = o->memory_gib,
                               .on_demand = o->on_demand_usd_h,
                               .spot = o->spot_usd_h};

        if (o->fact.current && !add(s, v, &o->fact, err))
            return false;
    }
    return true;
}

static bool add_local(struct selection *s, struct error *err)
{
    for (size_t i = 0; i < s->ctx->catalog.tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *m =
            CATALOG_ROW(&s->ctx->catalog, TABLE_LOCAL, local_machine, i);
        struct offer_view v = {.provider = STR("local"),
                               .region = s->ctx->settings->country,
                               .instance = m->machine,
                               .accelerator = m->accelerator,
                               .kind = STR("local"),
                               .count = m->count,
                               .vcpus = NAN,
                               .memory_gib = NAN,
                               .on_demand = electricity_cost((watt){m->load_w}, s->electricity),
                               .spot = USD_PER_HOUR_UNKNOWN};

        if (!add(s, v, &m->fact, err))
            return false;
    }
    return true;
}

static bool add_on_prem(struct selection *s, struct error *err)
{
    for (size_t i = 0; i < s->ctx->catalog.tables[TABLE_ONPREM].len; i++) {
        const struct onprem *m = CATALOG_ROW(&s->ctx->catalog, TABLE_ONPREM, onprem, i);
        struct offer_view v = {.provider = STR("on-prem"),
                               .region = STR("*"),
                               .instance = m->machine,
                               .accelerator = m->accelerator,
                               .kind = STR("on-prem"),
                               .count = m->count,
                               .vcpus = NAN,
                               .memory_gib = NAN,
                               .on_demand = usd_per_hour_times(m->usd_per_gpu_hour, m->count),
                               .spot = USD_PER_HOUR_UNKNOWN};

        if (!add(s, v, &m->fact, err))
            return false;
    }
    return true;
}

/* What the user pays for a kWh: the setting, or the household price of the country. */
static usd_per_kwh electricity_price(const struct op_context *ctx)
{
    if (ctx->settings->electricity.nano != MONEY_UNKNOWN)
        return ctx->settings->electricity;
    for (size_t i = 0; i < ctx->catalog.tables[TABLE_ELECTRICITY].len; i++) {
        const struct electricity *e =
            CATALOG_ROW(&ctx->catalog, TABLE_ELECTRICITY, electricity, i);

        if (str_eq_nocase(e->country, ctx->settings->country) &&
            str_eq(e->kind, STR("household")))
            return e->usd_per_kwh;
    }
    op_say(ctx, VOICE_WARN, "no price of electricity is known for '%.*s'",
           STR_ARG(ctx->settings->country));
    return (usd_per_kwh){MONEY_UNKNOWN};
}

bool offers_select(struct op_context *ctx, const struct offer_filter *filter,
                   struct offer_view **out, size_t *count, struct error *err)
{
    struct selection s = {.ctx = ctx, .filter = filter};
    bool any = str_eq(filter->kind, STR("any"));
    bool local = any || str_eq(filter->kind, STR("local"));
    bool on_prem = any || str_eq(filter->kind, STR("on-prem"));
    unsigned tables = TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS);

    if (local)
        tables |= TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_ELECTRICITY);
    if (on_prem)
        tables |= TABLE_BIT(TABLE_ONPREM);
    if (!op_catalog(ctx, tables, err) || !op_check_providers(ctx, filter->providers, err))
        return false;
    if (filter->gpu.len > 0) {
        s.gpu = op_accelerator(ctx, filter->gpu, err);
        if (s.gpu == NULL)
            return false;
    }
    s.views = arena_array(ctx->arena, struct offer_view,
                          ctx->catalog.tables[TABLE_OFFERS].len +
                              ctx->catalog.tables[TABLE_LOCAL].len +
                              ctx->catalog.tables[TABLE_ONPREM].len,
                          err);
    if (s.views == NULL)
        return false;
    s.electricity = local ? electricity_price(ctx) : (usd_per_kwh){MONEY_UNKNOWN};
    if (((any || str_eq(filter->kind, STR("cloud"))) && !add_cloud(&s, err)) ||
        (local && !add_local(&s, err)) || (on_prem && !add_on_prem(&s, err)))
        return false;
    *out = s.views;
    *count = s.count;
    return true;
}
