#include "op/offers.h"

#include <math.h>
#include <string.h>

#include "op/currency_notes.h"
#include "unit/time.h"

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
    FIELD(TEXT, offer_view, notes, .help = "what to know about it"),
    FIELD(RATE, offer_view, list_on_demand, .help = "before your discount, when you have one"),
    FIELD(RATE, offer_view, list_spot, .help = "before your discount, when you have one"),
    FIELD(TEXT, offer_view, conflict, .help = "what another feed says, when it disagrees"),
};

const struct field_set offer_view_fields = FIELD_SET(struct offer_view, view_fields);

static const struct field age_fields[] = {
    FIELD(DAY, price_age, newest, .help = "price shown"),
    FIELD(DAY, price_age, oldest, .help = "price shown"),
    FIELD(COUNT, price_age, newest_days, .help = "how old the newest is"),
    FIELD(COUNT, price_age, stale, .help = "prices older than stale_after"),
    FIELD(COUNT, price_age, future, .help = "prices dated after today"),
    FIELD(COUNT, price_age, total, .help = "prices shown"),
};

const struct field_set price_age_fields = FIELD_SET(struct price_age, age_fields);

span price_age_of(day date, const struct op_context *ctx)
{
    int64_t days = op_today(ctx).n - date.n;

    return span_hours(days > 0 ? 24 * (double)days : 0);
}

void price_age_add(struct price_age *age, day date, const struct op_context *ctx)
{
    if (age->total <= 0)
        *age = (struct price_age){.newest = date, .oldest = date};
    age->total++;
    age->newest = date.n > age->newest.n ? date : age->newest;
    age->oldest = date.n < age->oldest.n ? date : age->oldest;
    age->newest_days = price_age_of(age->newest, ctx).ns / (24 * SPAN_HOUR);
    age->stale += price_age_of(date, ctx).ns > ctx->settings->stale_after.ns;
    age->future += date.n > op_today(ctx).n;
}

void price_age_warn(const struct price_age *age, const struct op_context *ctx)
{
    struct buf text = buf_new(ctx->arena->alloc, 256);

    if (age->stale > 0) {
        buf_addf(&text, "%lld of %lld prices %s more than ", (long long)age->stale,
                 (long long)age->total, age->stale == 1 ? "is" : "are");
        if (ctx->settings->stale_after.ns % (24 * SPAN_HOUR) == 0)
            buf_addf(&text, "%lld days",
                     (long long)(ctx->settings->stale_after.ns / (24 * SPAN_HOUR)));
        else
            span_write(ctx->settings->stale_after, &text);
        buf_adds(&text, " old (the oldest of ");
        day_write(age->oldest, &text);
        buf_adds(&text, "): 'stint price doctor' says what to run");
        message_warn(&ctx->messages, "%.*s", (int)text.len, text.at != NULL ? text.at : "");
    }
    if (age->future > 0)
        message_warn(&ctx->messages, "%lld of %lld prices %s dated in the future",
                     (long long)age->future, (long long)age->total,
                     age->future == 1 ? "is" : "are");
    buf_free(&text);
}

usd_per_hour offer_price(const struct offer_view *view, struct str market)
{
    if (str_eq(market, STR("spot")))
        return view->spot;
    if (str_eq(market, STR("any")) && usd_per_hour_compare(view->spot, view->on_demand) < 0)
        return view->spot;
    return view->on_demand;
}

struct selection {
    struct op_context *ctx;
    const struct offer_filter *filter;
    const struct accelerator *gpu; /* NULL: any */
    struct strs providers;         /* asked for, or those of the settings */
    usd_per_kwh electricity;
    struct offer_view *views;
    size_t count;
    size_t
        everywhere; /* left out for having one price everywhere, not in the region asked for */
    struct currency_notes notes;
};

static bool passes(struct selection *s, const struct offer_view *v)
{
    const struct offer_filter *f = s->filter;
    usd_per_hour price = offer_price(v, f->market);

    if (s->gpu != NULL && v->spec != s->gpu &&
        !(f->any_form && str_eq(v->spec->family, s->gpu->family)))
        return false;
    if (!strs_match(s->providers, v->provider) ||
        (f->min_memory.n != UINT64_MAX && v->gpu_memory_gb < bytes_gb(f->min_memory)) ||
        (f->max_age.ns >= 0 && price_age_of(v->date, s->ctx).ns > f->max_age.ns) ||
        (str_eq(f->market, STR("spot")) && v->spot.nano == MONEY_UNKNOWN))
        return false;
    if (f->max_price.nano != MONEY_UNKNOWN &&
        (price.nano == MONEY_UNKNOWN || price.nano > f->max_price.nano))
        return false;
    if (strs_match(f->regions, v->region))
        return true;
    s->everywhere += str_eq(v->region, STR("*"));
    return false;
}

static bool add(struct selection *s, struct offer_view v, const struct fact *fact,
                struct error *err)
{
    usd_per_hour price;

    if (v.list_on_demand.nano == 0)
        v.list_on_demand = USD_PER_HOUR_UNKNOWN;
    if (v.list_spot.nano == 0)
        v.list_spot = USD_PER_HOUR_UNKNOWN;
    v.spec = accelerator_named(&s->ctx->catalog, v.accelerator);
    v.gpu_memory_gb = v.spec->memory_gb;
    v.date = fact->date;
    v.source = fact->source;
    v.notes = fact->notes;
    v.age_days = price_age_of(fact->date, s->ctx).ns / (24 * SPAN_HOUR);
    v.spot_saving = v.spot.nano == MONEY_UNKNOWN || v.on_demand.nano <= 0
                        ? NAN
                        : 1 - (double)v.spot.nano / (double)v.on_demand.nano;
    if (!passes(s, &v))
        return true;
    price = offer_price(&v, s->filter->market);
    v.per_gpu = usd_per_hour_share(price, v.count);
    if (!machine_name(v.provider, v.region, STR(""), v.instance, s->ctx->arena, &v.offer, err))
        return false;
    s->views[s->count++] = v;
    return true;
}

/* An offer of the kind asked for whose price is in a currency without a rate. */
static void count_foreign(struct selection *s, const struct machine *o,
                          const struct offer_view *v)
{
    const struct accelerator *spec = accelerator_named(&s->ctx->catalog, o->accelerator);

    if (o->foreign[0] == '\0' || !strs_match(s->providers, v->provider) ||
        !strs_match(s->filter->regions, v->region) ||
        (s->gpu != NULL && spec != s->gpu &&
         !(s->filter->any_form && spec != NULL && str_eq(spec->family, s->gpu->family))))
        return;
    currency_notes_missing(&s->notes, o->foreign);
}

/* When, and by whose word, the price that is asked for is what it is. */
static const struct fact *fact_of(const struct selection *s, const struct machine *o,
                                  struct fact *spot)
{
    bool meant = str_eq(s->filter->market, STR("spot")) ||
                 (str_eq(s->filter->market, STR("any")) &&
                  usd_per_hour_compare(o->spot, o->on_demand) < 0);

    if (!meant || o->spot_source.len == 0)
        return &o->fact;
    *spot = o->fact;
    spot->date = o->spot_date;
    spot->source = o->spot_source;
    return spot;
}

static bool add_cloud(struct selection *s, struct error *err)
{
    struct fact spot;
    size_t before;

    for (size_t i = 0; i < s->ctx->catalog.tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(&s->ctx->catalog, TABLE_OFFERS, machine, i);
        struct offer_view v = {.provider = o->provider,
                               .region = o->region,
                               .instance = o->instance,
                               .accelerator = o->accelerator,
                               .kind = STR("cloud"),
                               .count = o->count,
                               .vcpus = o->vcpus,
                               .memory_gib = o->memory_gib,
                               .on_demand = o->on_demand,
                               .spot = o->spot,
                               .conflict = o->conflict};

        if (o->list_on_demand.nano > 0)
            v.list_on_demand = o->list_on_demand;
        if (o->list_spot.nano > 0)
            v.list_spot = o->list_spot;
        if (!o->fact.current)
            continue;
        count_foreign(s, o, &v);
        if (o->on_demand.nano == MONEY_UNKNOWN && o->spot.nano == MONEY_UNKNOWN)
            continue; /* or it was sold once, and is no more */
        before = s->count;
        if (!add(s, v, fact_of(s, o, &spot), err))
            return false;
        if (s->count == before)
            continue;
        currency_notes_rate(&s->notes, o->rate);
        s->notes.discounted += o->list_on_demand.nano > 0 || o->list_spot.nano > 0;
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

        /* Of the machines one could have, the one that the settings say this is. */
        if (s->ctx->settings->machine.len > 0 && !str_eq(s->ctx->settings->machine, m->machine))
            continue;
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

usd_per_kwh electricity_price(const struct op_context *ctx)
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
    message_warn(&ctx->messages, "no price of electricity is known for '%.*s'",
                 STR_ARG(ctx->settings->country));
    return (usd_per_kwh){MONEY_UNKNOWN};
}

static void say_providers(const struct op_context *ctx)
{
    struct buf names = buf_new(ctx->arena->alloc, 400);

    field_write(field_find(&settings_fields, STR("providers")), ctx->settings, &names);
    message_note(&ctx->messages, "only your providers (%.*s); --provider '*' shows all",
                 (int)names.len, names.at != NULL ? names.at : "...");
    buf_free(&names);
}

/* The providers to show: those asked for, else those that the user has accounts with. */
static bool choose_providers(struct selection *s, unsigned tables, struct error *err)
{
    static const struct str own[] = {{"local", 5}, {"on-prem", 7}};
    struct strs asked = s->filter->providers, have = s->ctx->settings->providers;
    struct str *all;

    s->providers = asked;
    if (asked.len == 0 && have.len > 0) {
        all = arena_array(s->ctx->arena, struct str, have.len + ARRAY_LEN(own), err);
        if (all == NULL)
            return false;
        memcpy(all, have.at, have.len * sizeof all[0]);
        memcpy(all + have.len, own, sizeof own);
        s->providers = (struct strs){all, have.len + ARRAY_LEN(own)};
        if (!str_eq(s->filter->kind, STR("local")) && !str_eq(s->filter->kind, STR("on-prem")))
            say_providers(s->ctx);
    }
    return catalog_check_patterns(&s->ctx->catalog, tables, "provider", s->providers, err) &&
           catalog_check_patterns(&s->ctx->catalog, tables, "region", s->filter->regions, err);
}

static bool select_from(struct selection *s, bool local, bool on_prem, bool cloud,
                        struct error *err)
{
    const struct rows *tables = s->ctx->catalog.tables;

    s->views = arena_array(
        s->ctx->arena, struct offer_view,
        tables[TABLE_OFFERS].len + tables[TABLE_LOCAL].len + tables[TABLE_ONPREM].len, err);
    if (s->views == NULL)
        return false;
    s->electricity = local ? electricity_price(s->ctx) : (usd_per_kwh){MONEY_UNKNOWN};
    return (!cloud || add_cloud(s, err)) && (!local || add_local(s, err)) &&
           (!on_prem || add_on_prem(s, err));
}

bool offers_select(struct op_context *ctx, const struct offer_filter *filter,
                   struct offer_view **out, size_t *count, struct error *err)
{
    struct selection s = {.ctx = ctx, .filter = filter};
    bool any = str_eq(filter->kind, STR("any"));
    bool local = any || str_eq(filter->kind, STR("local"));
    bool on_prem = any || str_eq(filter->kind, STR("on-prem"));
    unsigned places = TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS);
    unsigned tables = places;

    if (filter->regions.len > 0) /* those of no offer are regions all the same */
        places |= TABLE_BIT(TABLE_REGIONS);
    if (local)
        tables |= TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_ELECTRICITY);
    if (on_prem)
        tables |= TABLE_BIT(TABLE_ONPREM);
    if (!op_catalog(ctx, tables | places, err) || !op_offers(ctx, err) ||
        !choose_providers(&s, places, err))
        return false;
    if (filter->gpu.at != NULL) {
        s.gpu = op_accelerator(ctx, filter->gpu, filter->any_form, err);
        if (s.gpu == NULL)
            return false;
    }
    if (!select_from(&s, local, on_prem, any || str_eq(filter->kind, STR("cloud")), err))
        return false;
    if (s.everywhere > 0)
        message_note(
            &ctx->messages,
            "%zu offers have one price everywhere and no region: left out (--region '*' has "
            "them)",
            s.everywhere);
    currency_notes_say(&s.notes, ctx);
    *out = s.views;
    *count = s.count;
    return true;
}
