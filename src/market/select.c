#include "market/select.h"

#include <math.h>
#include <string.h>

#include "catalog/allowed.h"
#include "market/trust.h"
#include "unit/time.h"

const char *const machine_kinds[] = {"cloud", "local", "on-prem", "any", NULL};

static const struct field machine_columns[] = {
    FIELD_AS("offer", TEXT, machine, name, .help = "provider/region/instance"),
    FIELD(TEXT, machine, provider, .help = "provider that sells it"),
    FIELD(TEXT, machine, region, .help = "region; * for one price everywhere"),
    FIELD(TEXT, machine, instance, .help = "instance name"),
    FIELD(TEXT, machine, kind, .help = "kind: cloud, local or on-prem"),
    FIELD(TEXT, machine, accelerator, .help = "accelerator"),
    FIELD(COUNT, machine, count, .help = "number of accelerators"),
    FIELD(NUMBER, machine, gpu_memory_gb, .help = "memory of one accelerator, GB"),
    FIELD(NUMBER, machine, vcpus, .help = "virtual CPUs"),
    FIELD(NUMBER, machine, memory_gib, .help = "memory of the machine, GiB"),
    FIELD(RATE, machine, on_demand, .help = "on-demand price per machine-hour"),
    FIELD(RATE, machine, spot, .help = "spot price per machine-hour"),
    FIELD_AS("spot_savings", NUMBER, machine, spot_saving,
             .help = "spot savings as a share; negative when spot is more expensive"),
    FIELD(RATE, machine, per_gpu, .help = "price per accelerator-hour in the requested market"),
    FIELD_AS("date", DAY, machine, fact.date, .help = "date of the price"),
    FIELD(COUNT, machine, age_days, .help = "age of the price in days"),
    FIELD_AS("source", TEXT, machine, fact.source, .help = "source of the price"),
    FIELD_AS("notes", TEXT, machine, fact.notes, .help = "notes"),
    FIELD(RATE, machine, list_on_demand,
          .help = "on-demand price before your discount, if you have one"),
    FIELD(RATE, machine, list_spot, .help = "spot price before your discount, if you have one"),
    FIELD(RATE, machine, price_low, .help = "low end of the 80 % range of the price today"),
    FIELD(RATE, machine, price_high, .help = "high end of the 80 % range of the price today"),
    FIELD(SHARE, machine, price_unchanged, .help = "probability that the price is unchanged"),
    FIELD(FLAG, machine, outlier, .help = "price far below its peers, seen on one day only"),
    FIELD(TEXT, machine, conflict, .help = "conflicting price from another feed"),
};

const struct field_set machine_fields = FIELD_SET(struct machine, machine_columns);

/* ---- machines of all kinds, as the catalog has them ---- */

static struct machine local_of(const struct market_view *view, const struct local_machine *m)
{
    return (struct machine){.fact = m->fact,
                            .provider = STR("local"),
                            .region = view->country,
                            .instance = m->machine,
                            .accelerator = m->accelerator,
                            .kind = STR("local"),
                            .count = m->count,
                            .vcpus = NAN,
                            .memory_gib = NAN,
                            .on_demand = {0}, /* what it draws is metered */
                            .spot = USD_PER_HOUR_UNKNOWN};
}

static struct machine onprem_of(const struct onprem *m)
{
    return (struct machine){.fact = m->fact,
                            .provider = STR("on-prem"),
                            .region = STR("*"),
                            .instance = m->machine,
                            .accelerator = m->accelerator,
                            .kind = STR("on-prem"),
                            .count = m->count,
                            .vcpus = NAN,
                            .memory_gib = NAN,
                            .on_demand = usd_per_hour_times(m->usd_per_gpu_hour, m->count),
                            .spot = USD_PER_HOUR_UNKNOWN};
}

static void rented_of(const struct machine *row, struct machine *out)
{
    *out = *row;
    out->kind = STR("cloud");
    if (!row->fact.current)
        out->instance = (struct str){0};
}

bool market_machine(const struct market_view *view, size_t i, struct machine *out)
{
    const struct rows *tables = view->catalog->tables;

    if (i < tables[TABLE_OFFERS].len) {
        rented_of(CATALOG_ROW(view->catalog, TABLE_OFFERS, machine, i), out);
        return true;
    }
    i -= tables[TABLE_OFFERS].len;
    if (i < tables[TABLE_CPU_OFFERS].len) {
        rented_of(CATALOG_ROW(view->catalog, TABLE_CPU_OFFERS, machine, i), out);
        return true;
    }
    i -= tables[TABLE_CPU_OFFERS].len;
    if (i < tables[TABLE_LOCAL].len) {
        *out = local_of(view, CATALOG_ROW(view->catalog, TABLE_LOCAL, local_machine, i));
        return true;
    }
    i -= tables[TABLE_LOCAL].len;
    if (i < tables[TABLE_ONPREM].len) {
        *out = onprem_of(CATALOG_ROW(view->catalog, TABLE_ONPREM, onprem, i));
        return true;
    }
    return false;
}

static bool is_machine_named(const struct offer_name *name, const struct machine *v)
{
    return name->instance.at == NULL ||
           (str_glob(v->instance, name->instance) &&
            (name->provider.at == NULL || str_glob(v->provider, name->provider)) &&
            (name->region.at == NULL || str_glob(v->region, name->region)));
}

size_t market_cheapest(const struct machine *machines, size_t count,
                       const struct offer_name *name, enum market market, size_t *best)
{
    usd_per_hour least = USD_PER_HOUR_UNKNOWN;
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        usd_per_hour price = machine_ranked(&machines[i], market);

        if (price.nano == MONEY_UNKNOWN || !is_machine_named(name, &machines[i]))
            continue;
        if (name->instance.at == NULL)
            price = usd_per_hour_share(price, machines[i].count);
        if (found++ == 0 || usd_per_hour_compare(price, least) < 0) {
            *best = i;
            least = price;
        }
    }
    return found;
}

usd_per_kwh market_electricity(const struct market_view *view, const struct electricity **row)
{
    *row = NULL;
    if (view->electricity.nano != MONEY_UNKNOWN)
        return view->electricity;
    for (size_t i = 0; i < view->catalog->tables[TABLE_ELECTRICITY].len; i++) {
        const struct electricity *e =
            CATALOG_ROW(view->catalog, TABLE_ELECTRICITY, electricity, i);

        if (str_eq_nocase(e->country, view->country) && str_eq(e->kind, STR("household"))) {
            *row = e;
            return e->usd_per_kwh;
        }
    }
    message_warn(view->messages, "no price of electricity is known for '%.*s'",
                 STR_ARG(view->country));
    return (usd_per_kwh){MONEY_UNKNOWN};
}

/* ---- the selection ---- */

struct machine_query machine_query_all(void)
{
    return (struct machine_query){.kind = STR("cloud"),
                                  .market = MARKET_ON_DEMAND,
                                  .min_memory = BYTES_UNKNOWN,
                                  .max_price = USD_PER_HOUR_UNKNOWN,
                                  .max_age = SPAN_UNKNOWN};
}

struct selection {
    const struct market_view *view;
    const struct machine_query *query;
    const struct accelerator *gpu; /* NULL: any */
    int64_t gpus;                  /* that a machine has; 0: any number */
    struct strs providers;         /* asked for, or those of the user's accounts */
    struct machine *at;
    size_t count;
    size_t everywhere; /* left out: one price everywhere, none in the region asked for */
    struct limiter limiter;
    struct currency_notes notes;
};

static bool is_kind(const struct machine_query *query, const char *kind)
{
    return str_eq(query->kind, STR("any")) || str_eq(query->kind, str_from(kind));
}

static bool gpu_fits_selection(const struct selection *s, const struct accelerator *gpu)
{
    return s->gpu == NULL || gpu == s->gpu ||
           (s->query->any_form && gpu != NULL && str_eq(gpu->family, s->gpu->family));
}

static bool machine_passes(struct selection *s, const struct machine *m)
{
    const struct machine_query *q = s->query;
    usd_per_hour price = machine_price(m, q->market);

    if (!gpu_fits_selection(s, m->gpu) || (s->gpus > 0 && m->count != s->gpus) ||
        !allowed_match(s->providers, m->provider) ||
        (q->min_memory.n != UINT64_MAX && m->gpu_memory_gb < bytes_gb(q->min_memory)) ||
        (q->max_age.ns >= 0 && price_age_of(m->fact.date, s->view->today).ns > q->max_age.ns) ||
        (q->market == MARKET_SPOT && m->spot.nano == MONEY_UNKNOWN))
        return false;
    if (q->max_price.nano != MONEY_UNKNOWN &&
        (price.nano == MONEY_UNKNOWN || price.nano > q->max_price.nano))
        return false;
    if (allowed_match(q->regions, m->region))
        return true;
    s->everywhere += str_eq(m->region, STR("*"));
    return false;
}

/* Fill in what a selection adds to a machine, and take it if it passes. */
static bool add_selected_machine(struct selection *s, struct machine *m, struct error *err)
{
    const struct price_trust *trust;

    m->gpu = accelerator_named(s->view->catalog, m->accelerator);
    m->gpu_memory_gb = m->gpu->memory_gb;
    if (s->query->limits != NULL)
        limits_mark(&s->limiter, m);
    else if (!machine_passes(s, m))
        return true;
    if (m->list_on_demand.nano <= 0)
        m->list_on_demand = USD_PER_HOUR_UNKNOWN;
    if (m->list_spot.nano <= 0)
        m->list_spot = USD_PER_HOUR_UNKNOWN;
    m->age_days = price_age_of(m->fact.date, s->view->today).ns / (24 * SPAN_HOUR);
    m->spot_saving = m->spot.nano == MONEY_UNKNOWN || m->on_demand.nano <= 0
                         ? NAN
                         : 1 - (double)m->spot.nano / (double)m->on_demand.nano;
    m->per_gpu = usd_per_hour_share(machine_price(m, s->query->market), m->count);
    trust = machine_trust(m, s->query->market);
    m->price_low = rate_low(machine_price(m, s->query->market), trust->width);
    m->price_high = rate_high(machine_price(m, s->query->market), trust->width);
    m->price_unchanged = trust->unchanged;
    if (s->query->max_age.ns >= 0) /* the user says how old prices may be */
        m->trust[MARKET_ON_DEMAND].old = m->trust[MARKET_SPOT].old = false;
    m->outlier = m->trust[MARKET_ON_DEMAND].outlier || m->trust[MARKET_SPOT].outlier;
    if (!machine_name(m->provider, m->region, STR(""), m->instance, s->view->arena, &m->name,
                      err))
        return false;
    s->at[s->count++] = *m;
    return true;
}

/* A machine of the kind asked for whose price is in a currency without a rate. */
static void count_foreign(struct selection *s, const struct machine *m)
{
    if (!currency_unset(m->foreign) && allowed_match(s->providers, m->provider) &&
        allowed_match(s->query->regions, m->region) &&
        gpu_fits_selection(s, accelerator_named(s->view->catalog, m->accelerator)))
        currency_notes_missing(&s->notes, m->foreign);
}

static bool add_rented_machine(struct selection *s, const struct machine *row,
                               struct error *err)
{
    struct machine m = *row;
    size_t before = s->count;

    if (!row->fact.current)
        return true;
    count_foreign(s, row);
    if (row->on_demand.nano == MONEY_UNKNOWN && row->spot.nano == MONEY_UNKNOWN &&
        s->query->limits == NULL)
        return true; /* or it was sold once, and is no more */
    m.kind = STR("cloud");
    /* The date and the source are those of the price that is asked for. */
    if (row->spot_source.len > 0 && machine_market(row, s->query->market) == MARKET_SPOT) {
        m.fact.date = row->spot_date;
        m.fact.source = row->spot_source;
    }
    if (!add_selected_machine(s, &m, err))
        return false;
    if (s->count > before) {
        currency_notes_rate(&s->notes, row->rate);
        s->notes.discounted += row->list_on_demand.nano > 0 || row->list_spot.nano > 0;
    }
    return true;
}

static bool refuse_local_machine(const struct market_view *view, struct error *err)
{
    struct suggestion s = {.wanted = view->machine};

    for (size_t i = 0; i < view->catalog->tables[TABLE_LOCAL].len; i++)
        suggestion_try(&s, CATALOG_ROW(view->catalog, TABLE_LOCAL, local_machine, i)->machine);
    error_set(err, ERROR_ABSENT, "the setting 'machine': there is no machine '%.*s'",
              STR_ARG(s.wanted));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show local' lists them");
    return false;
}

/* Of the machines that one could have, the one that the settings name, or all. */
static bool add_local_machine(struct selection *s, struct error *err)
{
    const struct market_view *view = s->view;
    bool own = s->query->limits != NULL;
    const struct electricity *row;
    size_t before = s->count;
    usd_per_kwh tariff;

    if (own && view->machine.len == 0)
        return true;
    tariff = market_electricity(view, &row);
    for (size_t i = 0; i < view->catalog->tables[TABLE_LOCAL].len; i++) {
        const struct local_machine *known =
            CATALOG_ROW(view->catalog, TABLE_LOCAL, local_machine, i);
        struct machine m = local_of(view, known);

        m.on_demand = electricity_cost((watt){known->load_w}, tariff);
        if ((view->machine.len == 0 || str_eq_nocase(view->machine, m.instance)) &&
            !add_selected_machine(s, &m, err))
            return false;
    }
    return !own || s->count > before || refuse_local_machine(view, err);
}

static bool add_all_machines(struct selection *s, struct error *err)
{
    const struct catalog *catalog = s->view->catalog;

    for (size_t i = 0; is_kind(s->query, "cloud") && i < catalog->tables[TABLE_OFFERS].len; i++)
        if (!add_rented_machine(s, CATALOG_ROW(catalog, TABLE_OFFERS, machine, i), err))
            return false;
    if (is_kind(s->query, "local") && !add_local_machine(s, err))
        return false;
    for (size_t i = 0; is_kind(s->query, "on-prem") && i < catalog->tables[TABLE_ONPREM].len;
         i++) {
        struct machine m = onprem_of(CATALOG_ROW(catalog, TABLE_ONPREM, onprem, i));

        /* Those of the built-in table are examples of what one could own. */
        if ((s->query->limits == NULL || m.fact.layer > 0) && !add_selected_machine(s, &m, err))
            return false;
    }
    return true;
}

struct strs market_providers(const struct market_view *view, struct strs asked)
{
    struct buf names = buf_new(&alloc_system, 400);

    if (asked.len > 0 || view->accounts.len == 0)
        return asked;
    for (size_t i = 0; i < view->accounts.len; i++)
        buf_addf(&names, "%s%.*s", i > 0 ? ", " : "", STR_ARG(view->accounts.at[i]));
    message_note(view->messages, "only your providers (%.*s); --provider '*' shows all",
                 (int)names.len, names.at != NULL ? names.at : "...");
    buf_free(&names);
    return view->accounts;
}

/* The providers of the accounts, and what the user has. */
static bool with_own(struct selection *s, struct strs accounts, struct error *err)
{
    static const struct str own[] = {{"local", 5}, {"on-prem", 7}};
    struct str *all =
        arena_array(s->view->arena, struct str, accounts.len + ARRAY_LEN(own), err);

    if (all == NULL)
        return false;
    memcpy(all, accounts.at, accounts.len * sizeof all[0]);
    memcpy(all + accounts.len, own, sizeof own);
    s->providers = (struct strs){all, accounts.len + ARRAY_LEN(own)};
    return true;
}

static bool choose_providers(struct selection *s, struct error *err)
{
    const struct machine_query *q = s->query;
    uint64_t places = TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS);

    s->providers = q->providers;
    if (q->providers.len == 0 && s->view->accounts.len > 0) {
        if (is_kind(q, "cloud"))
            (void)market_providers(s->view, q->providers);
        if (!with_own(s, s->view->accounts, err))
            return false;
    }
    if (q->regions.len > 0) /* those of no offer are regions all the same */
        places |= TABLE_BIT(TABLE_REGIONS);
    if (!catalog_check_patterns(s->view->catalog, places, "provider", s->providers, err) ||
        !catalog_check_patterns(s->view->catalog, places, "region", q->regions, err))
        return false;
    catalog_note_regions(s->view->catalog, q->regions, s->view->messages);
    return true;
}

uint64_t market_tables(const struct machine_query *query)
{
    uint64_t tables = TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS);

    if (query->regions.len > 0)
        tables |= TABLE_BIT(TABLE_REGIONS);
    if (is_kind(query, "local"))
        tables |= TABLE_BIT(TABLE_LOCAL) | TABLE_BIT(TABLE_ELECTRICITY);
    if (is_kind(query, "on-prem"))
        tables |= TABLE_BIT(TABLE_ONPREM);
    if (query->limits != NULL)
        tables |= TABLE_BIT(TABLE_REGIONS);
    if (query->gpu.at != NULL || query->limits != NULL)
        tables |= TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES);
    return tables;
}

/* "H100", or "H100x8": machines with exactly so many. */
static bool choose_gpus(struct selection *s, struct error *err)
{
    const struct machine_query *q = s->query;
    struct str name;
    int64_t count;

    if (!accelerator_count(s->view->catalog, q->gpu, &name, &count, err))
        return false;
    s->gpus = name.len < q->gpu.len ? count : 0;
    s->gpu =
        accelerator_typed(s->view->catalog, name, q->any_form ? NULL : s->view->messages, err);
    return s->gpu != NULL;
}

bool market_select(const struct market_view *view, const struct machine_query *query,
                   struct machine **out, size_t *count, struct error *err)
{
    const struct rows *tables = view->catalog->tables;
    struct selection s = {.view = view, .query = query};

    if (!(query->limits != NULL ? limits_read(view, query->limits, &s.limiter, err)
                                : choose_providers(&s, err)))
        return false;
    if (query->gpu.at != NULL && !choose_gpus(&s, err))
        return false;
    s.at = arena_array(
        view->arena, struct machine,
        tables[TABLE_OFFERS].len + tables[TABLE_LOCAL].len + tables[TABLE_ONPREM].len, err);
    if (s.at == NULL || !add_all_machines(&s, err))
        return false;
    *out = s.at;
    *count = s.count;
    if (query->limits != NULL) /* the plan ranks and notes what it can use of them */
        return true;
    if (!trust_rank(view, s.at, s.count, err))
        return false;
    if (s.everywhere > 0)
        message_note(view->messages,
                     "%zu offers have one price everywhere and no region: left out (--region "
                     "'*' includes them)",
                     s.everywhere);
    currency_notes_say(&s.notes, view->messages);
    return true;
}
