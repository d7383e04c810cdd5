#include "market/regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/allowed.h"
#include "market/currency_notes.h"

static const struct field region_fields[] = {
    FIELD_AS("instance", TEXT, region_price, machine.instance, .help = "instance name"),
    FIELD_AS("provider", TEXT, region_price, machine.provider,
             .help = "provider that sells it"),
    FIELD_AS("region", TEXT, region_price, machine.region,
             .help = "region; * for one price everywhere"),
    FIELD(TEXT, region_price, zone, .help = "zone with the cheapest spot price"),
    FIELD(TEXT, region_price, place, .help = "location of the region"),
    FIELD_AS("accelerator", TEXT, region_price, machine.accelerator, .help = "accelerator"),
    FIELD_AS("count", COUNT, region_price, machine.count, .help = "number of accelerators"),
    FIELD_AS("spot", RATE, region_price, machine.spot, .help = "spot price per machine-hour"),
    FIELD_AS("on_demand", RATE, region_price, machine.on_demand,
             .help = "on-demand price per machine-hour"),
    FIELD(USD, region_price, spot_total,
          .help = "spot cost for the hours, without interruptions"),
    FIELD(USD, region_price, on_demand_total, .help = "on-demand cost for the hours"),
    FIELD_AS("savings", NUMBER, region_price, saving,
             .help = "spot savings as a share of on-demand; negative when spot costs more"),
    FIELD(NUMBER, region_price, carbon_g_kwh,
          .help = "carbon intensity of the region's power, g CO2e/kWh"),
    FIELD(NUMBER, region_price, pue, .help = "power usage effectiveness (PUE)"),
    FIELD(NUMBER, region_price, energy_kwh,
          .help = "modeled energy: accelerators at their limit, the host and the data center"),
    FIELD(NUMBER, region_price, carbon_kg, .help = "modeled carbon for the hours, kg CO2e"),
    FIELD_AS("date", DAY, region_price, machine.fact.date, .help = "date of the price"),
    FIELD_AS("source", TEXT, region_price, machine.fact.source, .help = "source of the price"),
    FIELD_AS("age_days", COUNT, region_price, age_days, .help = "age of the price in days"),
    FIELD(FLAG, region_price, outlier,
          .help = "price far below those of other regions, seen on one day only"),
    FIELD(FLAG, region_price, cheapest, .help = "cheapest region of this instance on demand"),
    FIELD(FLAG, region_price, cheapest_spot,
          .help = "cheapest region of this instance on spot"),
};

const struct field_set region_price_fields = FIELD_SET(struct region_price, region_fields);

/* What is wanted: an instance as asked for, of these providers and regions. */
struct region_wanted {
    struct str text;               /* as asked for: "aws/p5.48xlarge" */
    struct str provider, instance; /* patterns, taken from it */
    struct strs providers, regions;
};

/* ---- why there is no row for an instance ---- */

/* What the store has of it, though it is not shown. */
struct reasons {
    size_t offers;    /* of that name in these places */
    size_t elsewhere; /* of that name in others */
    size_t unknown;   /* the catalog does not know the accelerator */
    size_t parts;     /* less than a GPU, or no integer */
    size_t doubtful;  /* all its prices are in doubt */
    size_t foreign;   /* priced in a currency without a rate */
    unsigned doubts;
    struct store_offer one; /* of those that count */
};

static void count_reason(const struct market_view *view, const struct store_offer *o,
                         struct reasons *r)
{
    struct price_now spot = price_now(view, o, MARKET_SPOT);
    struct price_now on_demand = price_now(view, o, MARKET_ON_DEMAND);

    r->offers++;
    r->one = *o;
    if (accelerator_named(view->catalog, o->accelerator) == NULL)
        r->unknown++;
    else if (o->count < 1 || o->count != floor(o->count))
        r->parts++;
    else if (!currency_unset(spot.foreign) || !currency_unset(on_demand.foreign))
        r->foreign++;
    else if (choose_doubted(spot.doubts) || choose_doubted(on_demand.doubts)) {
        r->doubts |= spot.doubts | on_demand.doubts;
        r->doubtful++;
    }
}

static struct reasons reasons_of(const struct market_view *view,
                                 const struct region_wanted *wanted)
{
    struct reasons r = {0};

    for (size_t i = 0; i < store_offer_count(view->store); i++) {
        struct store_offer o = store_offer(view->store, i);

        if (!str_glob(o.instance, wanted->instance))
            continue;
        if (allowed_match(wanted->providers, o.provider) &&
            allowed_match(wanted->regions, o.region) && str_glob(o.provider, wanted->provider))
            count_reason(view, &o, &r);
        else
            r.elsewhere++;
    }
    for (size_t i = 0; i < view->catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(view->catalog, TABLE_OFFERS, machine, i);

        r.elsewhere += o->fact.current && str_glob(o->instance, wanted->instance);
    }
    return r;
}

/* The first of the doubts, in words. */
static const char *region_doubt(unsigned doubts)
{
    for (unsigned bit = 1; bit <= DOUBT_PEERS; bit <<= 1)
        if (choose_doubted(doubts & bit))
            return doubt_word((enum price_doubt)bit);
    return "";
}

static void suggest_name(const struct market_view *view, const struct region_wanted *wanted,
                         struct error *out)
{
    struct suggestion s = {.wanted = wanted->instance};

    for (size_t i = 0; i < view->catalog->tables[TABLE_OFFERS].len; i++)
        suggestion_try(&s, CATALOG_ROW(view->catalog, TABLE_OFFERS, machine, i)->instance);
    for (size_t i = 0; i < store_offer_count(view->store); i++)
        suggestion_try(&s, store_offer(view->store, i).instance);
    if (!suggestion_hint(&s, out))
        error_hint(out, "'stint price list --gpu GPU' shows the names of machines");
}

/* The words after "is not shown: ". */
static void write_reason(const struct reasons *r, struct buf *out)
{
    if (r->unknown > 0) {
        buf_adds(out, "the catalog does not know its '");
        buf_add(out, r->one.accelerator);
        buf_char(out, '\'');
    } else if (r->parts > 0) {
        buf_addf(out, "it has part of a GPU (%.3gx ", r->one.count);
        buf_add(out, r->one.accelerator);
        buf_char(out, ')');
    } else if (r->foreign > 0) {
        buf_adds(out, "its price is in a currency without a rate");
    } else if (r->doubtful > 0) {
        buf_addf(out, "its prices are in doubt (%s)", region_doubt(r->doubts));
    } else {
        buf_adds(out, "it is no longer for rent");
    }
}

static void explain_one(const struct market_view *view, const struct region_wanted *wanted,
                        const struct reasons *r, struct error *out)
{
    struct buf reason = buf_new(view->arena->alloc, 512);

    write_reason(r, &reason);
    error_set(out, ERROR_ABSENT, "'%.*s' is not shown: %.*s", STR_ARG(wanted->text),
              (int)reason.len, reason.at != NULL ? reason.at : "");
    buf_free(&reason);
    if (r->foreign > 0)
        error_hint(out, "'stint price import rates.csv' takes currency,usd,date,source");
    else
        error_hint(out, "'stint price history %.*s/%.*s' shows its history",
                   STR_ARG(r->one.provider), STR_ARG(r->one.instance));
}

static void explain_absence(const struct market_view *view, const struct region_wanted *wanted,
                            struct error *out)
{
    struct reasons r = reasons_of(view, wanted);

    if (r.offers > 0) {
        explain_one(view, wanted, &r, out);
    } else if (r.elsewhere > 0) {
        error_set(out, ERROR_ABSENT, "none of the requested regions has a price of '%.*s'",
                  STR_ARG(wanted->text));
        error_hint(out, "it has prices elsewhere: leave out the provider and the region");
    } else {
        error_set(out, ERROR_ABSENT, "no region has a price of '%.*s'", STR_ARG(wanted->text));
        suggest_name(view, wanted, out);
    }
}

/* ---- the rows ---- */

struct region_work {
    const struct market_view *view;
    const struct region_query *query;
    struct region_wanted *wanted; /* one for each instance asked for */
    size_t *matches;              /* and how many rows it has */
    struct region_price *rows;
    size_t count;
    struct currency_notes notes;
};

static int compare_region_places(const void *a, const void *b)
{
    const struct region_price *x = a, *y = b;
    int order = str_cmp(x->machine.provider, y->machine.provider);

    order = order != 0 ? order : str_cmp(x->machine.region, y->machine.region);
    return order != 0 ? order : str_cmp(x->machine.instance, y->machine.instance);
}

/* "aws/p5.*" holds for that provider alone. */
static bool read_region_names(struct region_work *w, struct error *err)
{
    size_t count = w->query->instances.len;

    w->wanted = arena_array(w->view->arena, struct region_wanted, count, err);
    w->matches = arena_array(w->view->arena, size_t, count, err);
    if (w->wanted == NULL || w->matches == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str rest = w->query->instances.at[i], provider = STR("*");

        if (memchr(rest.at, '/', rest.len) != NULL)
            provider = str_cut(&rest, '/');
        w->wanted[i] = (struct region_wanted){w->query->instances.at[i], provider, rest,
                                              w->query->providers, w->query->regions};
    }
    return true;
}

/* Does the offer match an instance asked for? Each that it matches has a row then. */
static bool asked_for(struct region_work *w, const struct machine *o, bool priced)
{
    bool any = false;

    if (!o->fact.current || !allowed_match(w->query->providers, o->provider) ||
        !allowed_match(w->query->regions, o->region))
        return false;
    for (size_t i = 0; i < w->query->instances.len; i++) {
        if (!str_glob(o->instance, w->wanted[i].instance) ||
            !str_glob(o->provider, w->wanted[i].provider))
            continue;
        w->matches[i] += priced;
        any = true;
    }
    return any;
}

static bool add_region_rows(struct region_work *w, struct error *err)
{
    size_t total = w->view->catalog->tables[TABLE_OFFERS].len;

    w->rows = arena_array(w->view->arena, struct region_price, total, err);
    if (w->rows == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        const struct machine *o = CATALOG_ROW(w->view->catalog, TABLE_OFFERS, machine, i);

        bool priced = o->spot.nano != MONEY_UNKNOWN || o->on_demand.nano != MONEY_UNKNOWN;

        if (!asked_for(w, o, priced))
            continue;
        if (!priced) { /* no rate for its currency; or it is no longer for rent */
            currency_notes_missing(&w->notes, o->foreign);
            continue;
        }
        currency_notes_rate(&w->notes, o->rate);
        w->notes.discounted += o->list_on_demand.nano != 0 || o->list_spot.nano != 0;
        w->rows[w->count++] = (struct region_price){
            .machine = *o, .zone = o->zone.len > 0 ? o->zone : o->spot_zone};
    }
    return true;
}

static usd region_total_of(usd_per_hour price, span hours)
{
    usd cost;

    return usd_for(price, hours, &cost) ? cost : USD_UNKNOWN;
}

static void complete_row(const struct region_work *w, struct region_price *row)
{
    const struct machine *m = &row->machine;
    const struct region *r = region_find(w->view->catalog, m->provider, m->region);

    row->spot_total = region_total_of(m->spot, w->query->hours);
    row->on_demand_total = region_total_of(m->on_demand, w->query->hours);
    row->saving = m->spot.nano != MONEY_UNKNOWN && m->on_demand.nano > 0
                      ? 1 - (double)m->spot.nano / (double)m->on_demand.nano
                      : NAN;
    row->carbon_g_kwh = r != NULL ? r->carbon_g_kwh : NAN;
    row->pue = r != NULL ? r->pue : NAN;
    row->place = r != NULL ? r->place : (struct str){0};
    row->energy_kwh = row->carbon_kg = NAN;
    row->age_days = (int64_t)w->view->today.n - m->fact.date.n;
    row->outlier = m->trust[MARKET_ON_DEMAND].outlier || m->trust[MARKET_SPOT].outlier;
}

/* The price that a row is ranked by: spot, or on-demand where there is none; with its
 * premium. */
static usd_per_hour ranked_region_price(const struct region_price *row)
{
    return machine_ranked(
        &row->machine, row->spot_total.nano != MONEY_UNKNOWN ? MARKET_SPOT : MARKET_ON_DEMAND);
}

static int compare_region_rows(const void *a, const void *b)
{
    const struct region_price *x = a, *y = b;
    int order = str_cmp(x->machine.instance, y->machine.instance);

    order = order != 0 ? order
                       : usd_per_hour_compare(ranked_region_price(x), ranked_region_price(y));
    return order != 0 ? order : compare_region_places(a, b);
}

/* Is row `i` to be called the cheapest in a market, not row `best` (SIZE_MAX: none yet)? */
static bool is_cheaper(const struct region_price *rows, size_t i, size_t best,
                       enum market market)
{
    usd_per_hour price = machine_ranked(&rows[i].machine, market);

    return price.nano != MONEY_UNKNOWN && !machine_trust(&rows[i].machine, market)->outlier &&
           (best == SIZE_MAX ||
            usd_per_hour_compare(price, machine_ranked(&rows[best].machine, market)) < 0);
}

/* Of each instance the cheapest on demand and on spot. */
static void mark_cheapest_region(struct region_price *rows, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i, spot = SIZE_MAX, on_demand = SIZE_MAX;

        for (; end < count && str_eq(rows[end].machine.instance, rows[i].machine.instance);
             end++) {
            if (is_cheaper(rows, end, spot, MARKET_SPOT))
                spot = end;
            if (is_cheaper(rows, end, on_demand, MARKET_ON_DEMAND))
                on_demand = end;
        }
        if (spot != SIZE_MAX)
            rows[spot].cheapest_spot = true;
        if (on_demand != SIZE_MAX)
            rows[on_demand].cheapest = true;
        i = end;
    }
}

/* Of several names, those that match nothing are warned of; when none does, that is an
 * error. */
static bool check_region_names(const struct region_work *w, struct error *err)
{
    for (size_t i = 0; i < w->query->instances.len; i++) {
        struct error why = {0};

        if (w->matches[i] > 0)
            continue;
        explain_absence(w->view, &w->wanted[i], w->count > 0 ? &why : err);
        if (w->count == 0)
            return false;
        message_warn(w->view->messages, "%s%s%s", why.text, why.hint[0] != '\0' ? "; " : "",
                     why.hint);
    }
    return true;
}

bool regions_select(const struct market_view *view, const struct region_query *query,
                    struct region_price **out, size_t *count, struct error *err)
{
    struct region_work w = {.view = view, .query = query};

    if (!read_region_names(&w, err) || !add_region_rows(&w, err))
        return false;
    currency_notes_say(&w.notes, view->messages);
    if (!check_region_names(&w, err))
        return false;
    for (size_t i = 0; i < w.count; i++)
        complete_row(&w, &w.rows[i]);
    qsort(w.rows, w.count, sizeof w.rows[0], compare_region_rows);
    mark_cheapest_region(w.rows, w.count);
    *out = w.rows;
    *count = w.count;
    return true;
}
