#include "market/run_price.h"

#include <math.h>
#include <string.h>

#include "market/currency_notes.h"
#include "market/select.h"
#include "market/zones.h"
#include "unit/time.h"

/* A price being found. */
struct price_work {
    const struct market_view *view;
    const struct run_price_request *request;
    struct run_price *out;
};

struct run_price_request run_price_blank(void)
{
    return (struct run_price_request){
        .price = USD_PER_HOUR_UNKNOWN, .electricity = {MONEY_UNKNOWN}, .gpus = -1};
}

struct run_price run_price_unknown(void)
{
    return (struct run_price){
        .rate = USD_PER_HOUR_UNKNOWN,
        .electricity = {MONEY_UNKNOWN},
        .accelerators = -1,
        .date = DAY_UNKNOWN,
        .billing_s = NAN,
        .minimum_s = NAN,
        .setup_s = NAN,
        .notice_s = NAN,
        .storage_month = {MONEY_UNKNOWN},
        .grams_per_kwh = NAN,
        .pue = NAN,
    };
}

bool run_price_keep(struct run_price *p, struct arena *arena, struct error *err)
{
    struct str *texts[] = {&p->offer,       &p->market, &p->provider, &p->region,
                           &p->accelerator, &p->source, &p->hint,     &p->carbon_source};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (texts[i]->len == 0)
            *texts[i] = (struct str){0};
        else if (!str_keep(*texts[i], arena, texts[i], err))
            return false;
    return true;
}

static bool price_text(struct price_work *w, struct buf *text, struct str *out,
                       struct error *err)
{
    return buf_keep(text, w->view->arena, out, err);
}

/* ---- dates in words ---- */

void run_price_write_date(const struct market_view *view, day date, struct buf *out)
{
    int64_t days = view->today.n - date.n;

    buf_adds(out, ", price from ");
    day_write(date, out);
    if (days == 0)
        buf_adds(out, " (today)");
    else if (days > 0)
        buf_addf(out, " (%lld day%s old)", (long long)days, days == 1 ? "" : "s");
}

void run_price_warn_age(const struct market_view *view, struct str what, day date)
{
    struct buf text = buf_new(view->arena->alloc, 64);
    struct str written;

    if (date.n == DAY_UNKNOWN.n)
        return;
    day_write(date, &text);
    written = buf_text(&text);
    if (date.n > view->today.n)
        message_warn(view->messages, "the price of %.*s is dated in the future (%.*s)",
                     STR_ARG(what), STR_ARG(written));
    else if (price_age_of(date, view->today).ns > view->fresh.ns)
        message_warn(
            view->messages,
            "the price of %.*s is from %.*s, %lld days old: 'stint price fetch' gets today's, "
            "--price sets what you pay",
            STR_ARG(what), STR_ARG(written),
            (long long)(price_age_of(date, view->today).ns / (24 * SPAN_HOUR)));
    buf_free(&text);
}

/* ---- electricity ---- */

bool run_price_has_tariff(const struct market_view *view,
                          const struct run_price_request *request)
{
    return request->electricity.nano != MONEY_UNKNOWN || view->own_machine;
}

static bool tariff_words(struct price_work *w, const struct electricity *row, struct error *err)
{
    struct buf text = buf_new(w->view->arena->alloc, 1024);
    usd_per_kwh tariff = w->out->electricity;

    if (w->out->offer.len > 0) {
        buf_add(&text, w->out->offer);
        buf_adds(&text, ": ");
    }
    buf_adds(&text, "electricity that is metered, at ");
    usd_write((usd){tariff.nano}, &text);
    buf_adds(&text, "/kWh, ");
    if (w->request->electricity.nano != MONEY_UNKNOWN) {
        buf_adds(&text, "from --electricity");
    } else if (row == NULL) {
        buf_adds(&text, "from your settings");
    } else {
        buf_addf(&text, "households of %.*s", STR_ARG(row->country));
        run_price_write_date(w->view, row->fact.date, &text);
        buf_adds(&text, ", ");
        buf_add(&text, row->fact.source);
        w->out->date = row->fact.date;
    }
    return price_text(w, &text, &w->out->source, err);
}

static bool price_electricity(struct price_work *w, struct error *err)
{
    const struct electricity *row = NULL;
    usd_per_kwh tariff = w->request->electricity;

    if (tariff.nano == MONEY_UNKNOWN)
        tariff = market_electricity(w->view, &row);
    w->out->provider = STR("local");
    w->out->region = w->view->country;
    if (tariff.nano == MONEY_UNKNOWN) {
        w->out->how = RUN_PRICE_UNKNOWN; /* whoever named the machine */
        w->out->source = STR("not known: no tariff of this country");
        w->out->hint = STR("use --electricity '0.30usd/kWh', or set electricity in the "
                           "configuration");
        return true;
    }
    if (w->out->how == RUN_PRICE_UNKNOWN)
        w->out->how = RUN_PRICE_ELECTRICITY;
    w->out->electricity = tariff;
    return tariff_words(w, row, err);
}

/* ---- an offer that is named ---- */

/* The offer's name with its market, and whose word the price is. */
static bool write_price_source(struct price_work *w, const struct machine *row,
                               enum market market, struct error *err)
{
    struct buf text = buf_new(w->view->arena->alloc, 2048);
    bool spot = market == MARKET_SPOT && row->spot_source.len > 0;

    buf_add(&text, w->out->offer);
    buf_addf(&text, ":%s", market_names[market]);
    run_price_write_date(w->view, w->out->date, &text);
    buf_adds(&text, ", ");
    buf_add(&text, spot ? row->spot_source : row->fact.source);
    if (row->rate != NULL)
        buf_addf(&text, ", converted from %.*s", STR_ARG(row->rate->currency));
    if (row->conflict.len > 0) {
        buf_adds(&text, "; another says ");
        buf_add(&text, row->conflict);
    }
    return price_text(w, &text, &w->out->source, err);
}

static void warn_of_outlier(const struct price_work *w, const struct machine *row,
                            enum market market)
{
    if (market > MARKET_SPOT || !(row->trust[market].outlier || row->trust[market].high))
        return;
    message_warn(w->view->messages,
                 "the price of %.*s is far %s those of other regions: 'stint price doctor' "
                 "shows it, --price sets what you pay",
                 STR_ARG(w->out->offer), row->trust[market].high ? "above" : "below");
}

static bool price_take(struct price_work *w, const struct machine *row, enum market market,
                       struct error *err)
{
    struct currency_notes notes = {0};

    w->out->provider = row->provider;
    w->out->region = row->region;
    w->out->market = str_from(market_names[market]);
    w->out->accelerator = row->accelerator;
    w->out->accelerators = row->accelerator.len > 0 ? row->count : 0;
    if (!machine_name(row->provider, row->region, STR(""), row->instance, w->view->arena,
                      &w->out->offer, err))
        return false;
    if (str_eq(row->kind, STR("local")))
        return price_electricity(w, err);
    w->out->rate = machine_price(row, market);
    w->out->date = machine_price_date(row, market);
    currency_notes_rate(&notes, row->rate);
    currency_notes_say(&notes, w->view->messages);
    run_price_warn_age(w->view, w->out->offer, w->out->date);
    warn_of_outlier(w, row, market);
    return write_price_source(w, row, market, err);
}

/* What a price counts for among others: market/trust.h. */
static usd_per_hour ranked_run_price(const struct machine *row, enum market market)
{
    usd_per_hour price = machine_price(row, market);

    return market <= MARKET_SPOT ? rate_with_premium(price, row->trust[market].premium) : price;
}

/* The cheapest so far. */
struct cheapest {
    struct machine row;
    size_t found; /* rows that match, with a price */
    bool matched; /* some row matches, with a price or not */
    struct currency foreign;
};

static bool place_is(const struct machine *row, const struct offer_name *name,
                     struct str region)
{
    if (name->provider.len > 0 && !str_glob(row->provider, name->provider))
        return false;
    return region.len == 0 || str_glob(row->region, region) || str_eq(row->region, STR("*"));
}

static void find_cheapest(const struct price_work *w, const struct offer_name *name,
                          struct str region, enum market market, struct cheapest *best)
{
    struct machine row;

    *best = (struct cheapest){.found = 0};
    for (size_t i = 0; market_machine(w->view, i, &row); i++) {
        usd_per_hour price = machine_price(&row, market);

        if (row.instance.len == 0 || !str_glob(row.instance, name->instance) ||
            !place_is(&row, name, region))
            continue;
        best->matched = true;
        if (price.nano == MONEY_UNKNOWN) {
            if (!currency_unset(row.foreign))
                best->foreign = row.foreign;
            continue;
        }
        if (best->found++ > 0 &&
            usd_per_hour_compare(ranked_run_price(&row, market),
                                 ranked_run_price(&best->row, market)) >= 0)
            continue;
        best->row = row;
    }
}

static bool refuse_absent_machine(const struct price_work *w, const struct offer_name *name,
                                  struct error *err)
{
    struct suggestion s = {.wanted = name->instance};
    bool elsewhere = false;
    struct machine row;

    for (size_t i = 0; market_machine(w->view, i, &row); i++) {
        if (row.instance.len == 0)
            continue;
        elsewhere = elsewhere || str_glob(row.instance, name->instance);
        suggestion_try(&s, row.instance);
    }
    error_set(err, ERROR_ABSENT, "there is no offer '%.*s'", STR_ARG(name->text));
    if (elsewhere)
        error_hint(err,
                   "'%.*s' is sold elsewhere: leave out the provider and region, or use "
                   "--price '$2.49/hr'",
                   STR_ARG(name->instance));
    else if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint price list' shows all", STR_ARG(s.best));
    else
        error_hint(err, "'stint price list' shows all; --price '$2.49/hr' needs none");
    return false;
}

static bool offer_unpriced(const struct offer_name *name, const struct cheapest *best,
                           enum market market, struct error *err)
{
    if (!currency_unset(best->foreign)) {
        error_set(err, ERROR_ABSENT, "'%.*s' is priced in %.3s, which has no exchange rate",
                  STR_ARG(name->text), best->foreign.code);
        error_hint(err, "add it to your exchange.csv, or use --price '$2.49/hr'");
        return false;
    }
    error_set(err, ERROR_ABSENT, "no %s price of '%.*s' is known", market_names[market],
              STR_ARG(name->text));
    error_hint(err, "use --price '$2.49/hr', or 'stint price fetch' may get one");
    return false;
}

static bool has_offer_pattern(struct str part)
{
    return memchr(part.at, '*', part.len) != NULL || memchr(part.at, '?', part.len) != NULL;
}

/* Of several, which one and why. */
static void note_run_price_choice(const struct price_work *w, const struct offer_name *name,
                                  const struct cheapest *best)
{
    if (best->found > 1)
        message_note(
            w->view->messages,
            "'%.*s' means %.*s, the cheapest of %zu: name its region when it is another",
            STR_ARG(name->text), STR_ARG(w->out->offer), best->found);
    else if (name->provider.len == 0 || name->region.len == 0 ||
             has_offer_pattern(name->instance))
        message_note(w->view->messages, "'%.*s' means %.*s", STR_ARG(name->text),
                     STR_ARG(w->out->offer));
    if (name->zone.len > 0)
        message_note(w->view->messages, "the price is that of the region's cheapest zone");
}

/* As it is named, else as the cloud reports it, else on demand: who pays less than
 * was thought is not stopped too late. */
static enum market market_named_by(const struct price_work *w, const struct offer_name *name)
{
    if (name->market >= 0)
        return (enum market)name->market;
    return w->request->machine != NULL && str_eq(w->request->machine->market, STR("spot"))
               ? MARKET_SPOT
               : MARKET_ON_DEMAND;
}

bool run_price_offer(const struct market_view *view, const struct run_price_request *request,
                     struct run_price *out, struct error *err)
{
    struct price_work work = {view, request, out}, *w = &work;
    const struct machine_seen *machine = request->machine;
    struct str region;
    struct offer_name name;
    struct cheapest best = {.found = 0};
    enum market market;

    if (!offer_name_parse(request->offer, &name, err))
        return false;
    market = market_named_by(w, &name);
    region = name.region;
    if (region.len == 0 && machine != NULL && machine->region.len > 0 &&
        (name.provider.len == 0 || str_glob(machine->provider, name.provider)))
        find_cheapest(w, &name, machine->region, market, &best);
    if (best.found == 0)
        find_cheapest(w, &name, region, market, &best);
    if (!best.matched)
        return refuse_absent_machine(w, &name, err);
    if (best.found == 0)
        return offer_unpriced(&name, &best, market, err);
    out->how = RUN_PRICE_OFFER;
    if (!price_take(w, &best.row, market, err))
        return false;
    note_run_price_choice(w, &name, &best);
    return true;
}

/* ---- the machine that this is by its cloud ---- */

/* What fits so far. Where a machine may be one of several offers, the most expensive counts: a
 * guard that thinks too little is spent stops too late. Prices that are old or far from those
 * of other regions count only where there are no others. */
struct fits {
    struct machine row;
    enum market market;
    size_t found;
    bool listed; /* some region sells it */
};

/* "n1-standard-4+1xT4" is an n1-standard-4 to the cloud: the devices were added. */
static bool is_instance(const struct machine *row, struct str instance, int64_t gpus)
{
    if (str_eq_nocase(row->instance, instance))
        return true;
    return row->instance.len > instance.len && row->instance.at[instance.len] == '+' &&
           str_eq_nocase((struct str){row->instance.at, instance.len}, instance) &&
           row->count == gpus;
}

static bool is_gpu(const struct machine *row, const struct accelerator *gpu, int64_t gpus)
{
    return (gpus < 0 || row->count == gpus) &&
           (gpu == NULL || str_eq(row->accelerator, gpu->name));
}

/* Where its type is unknown, its hardware must do. */
static bool is_wanted_machine(const struct machine *row, const struct run_price_request *r,
                              const struct accelerator *gpu)
{
    const struct machine_seen *m = r->machine;

    if (row->instance.len == 0 || !str_eq(row->provider, m->provider))
        return false;
    if (m->instance.len == 0)
        return gpu != NULL && r->gpus > 0 && is_gpu(row, gpu, r->gpus);
    return is_instance(row, m->instance, r->gpus) &&
           (!str_eq_nocase(row->instance, m->instance) ? is_gpu(row, gpu, r->gpus) : true);
}

/* Its price in the machine's own market, or on demand when that one is not known. */
static usd_per_hour price_there(const struct machine *row, bool spot, enum market *market)
{
    *market = spot && row->spot.nano != MONEY_UNKNOWN ? MARKET_SPOT : MARKET_ON_DEMAND;
    return machine_price(row, *market);
}

static bool is_doubtful_price(const struct machine *row, enum market market)
{
    const struct price_trust *trust = &row->trust[market];

    return trust->stale || trust->outlier || trust->high;
}

/* Is it the one to count with? */
static bool is_better_fit(const struct machine *row, enum market market,
                          const struct fits *than)
{
    bool doubtful = is_doubtful_price(row, market);

    if (doubtful != is_doubtful_price(&than->row, than->market))
        return !doubtful;
    return usd_per_hour_compare(machine_price(row, market),
                                machine_price(&than->row, than->market)) > 0;
}

static void find_fits(const struct price_work *w, const struct accelerator *gpu,
                      struct fits *fits)
{
    const struct machine_seen *m = w->request->machine;
    bool spot = str_eq(m->market, STR("spot"));
    struct machine row;

    *fits = (struct fits){.found = 0};
    for (size_t i = 0; market_machine(w->view, i, &row); i++) {
        enum market market;
        usd_per_hour price;

        if (!is_wanted_machine(&row, w->request, gpu))
            continue;
        fits->listed = true;
        price = price_there(&row, spot, &market);
        if (price.nano == MONEY_UNKNOWN ||
            (m->region.len > 0 && !str_eq_nocase(row.region, m->region) &&
             !str_eq(row.region, STR("*"))))
            continue;
        if (fits->found++ > 0 && !is_better_fit(&row, market, fits))
            continue;
        fits->row = row;
        fits->market = market;
    }
}

/* "aws us-east-1 g9.huge" */
static bool machine_words(struct price_work *w, const char *before, const char *after,
                          struct str *out, struct error *err)
{
    const struct machine_seen *m = w->request->machine;
    struct buf text = buf_new(w->view->arena->alloc, 512);

    buf_adds(&text, before);
    buf_add_safe(&text, m->provider);
    if (m->region.len > 0) {
        buf_char(&text, '/');
        buf_add_safe(&text, m->region);
    }
    if (m->instance.len > 0) {
        buf_char(&text, '/');
        buf_add_safe(&text, m->instance);
    }
    buf_adds(&text, after);
    return price_text(w, &text, out, err);
}

static bool machine_unknown(struct price_work *w, const struct fits *fits, struct error *err)
{
    const struct machine_seen *m = w->request->machine;

    w->out->hint = m->instance.len == 0 && (w->request->gpu.len == 0 || w->request->gpus < 1)
                       ? STR("use --price '$2.49/hr', as the provider's page of this machine "
                             "has it")
                       : STR("'stint price fetch' may know it; --price '$2.49/hr' sets it");
    return machine_words(w, "not known: ",
                         m->instance.len == 0 ? " does not report which machine this is"
                         : fits->listed       ? " has no price in this region"
                                              : " is not in the catalog",
                         &w->out->source, err);
}

static void warn_of_price_doubts(const struct price_work *w, const struct fits *fits)
{
    const struct machine_seen *m = w->request->machine;

    if (fits->found > 1)
        message_warn(w->view->messages,
                     "this machine may be one of %zu offers of %.*s: counted as %.*s, the most "
                     "expensive; "
                     "--price sets what you pay",
                     fits->found, STR_ARG(m->provider), STR_ARG(w->out->offer));
    if (str_eq(m->market, STR("spot")) && fits->market != MARKET_SPOT)
        message_warn(
            w->view->messages,
            "no spot price of %.*s is known: counted at the on-demand price, which is more",
            STR_ARG(w->out->offer));
    else if (m->market.len == 0 && fits->row.spot.nano != MONEY_UNKNOWN)
        message_note(
            w->view->messages,
            "whether this is a spot machine is not known: counted at the on-demand price");
}

bool run_price_machine(const struct market_view *view, const struct run_price_request *request,
                       struct run_price *out, struct error *err)
{
    struct price_work work = {view, request, out}, *w = &work;
    const struct accelerator *gpu = NULL;
    enum name_match match;
    struct fits fits;

    if (w->request->gpu.len > 0)
        gpu = accelerator_search(w->view->catalog, w->request->gpu, &match);
    find_fits(w, gpu, &fits);
    if (fits.found == 0)
        return machine_unknown(w, &fits, err);
    out->how = RUN_PRICE_MACHINE;
    if (!price_take(w, &fits.row, fits.market, err))
        return false;
    warn_of_price_doubts(w, &fits);
    return true;
}

/* ---- other answers ---- */

/* What the name of an offer has without a catalog: where it is. */
static bool place_of_name(struct price_work *w, struct error *err)
{
    struct offer_name name;

    if (w->request->offer.len == 0)
        return true;
    if (!offer_name_parse(w->request->offer, &name, err))
        return false;
    w->out->offer = name.text;
    w->out->provider = name.provider;
    w->out->region = name.region;
    if (name.market >= 0)
        w->out->market = str_from(market_names[name.market]);
    return true;
}

bool run_price_given(const struct run_price_request *request, struct run_price *out,
                     struct error *err)
{
    struct price_work work = {NULL, request, out};

    out->how = RUN_PRICE_SAID;
    out->rate = request->price;
    out->source = STR("from --price"); /* the user's own may be per minute */
    return place_of_name(&work, err);
}

bool run_price_electricity(const struct market_view *view,
                           const struct run_price_request *request, struct run_price *out,
                           struct error *err)
{
    struct price_work work = {view, request, out};

    return price_electricity(&work, err);
}

void run_price_add_hint(struct run_price *out)
{
    if (out->source.len == 0)
        out->source = STR("not known");
    if (out->hint.len == 0)
        out->hint =
            STR("use --price '$2.49/hr' or --offer NAME for a rented machine; --electricity "
                "'0.30usd/kWh', or the setting own_machine, for your own");
}

/* What the cloud reports of this machine, where nothing better is known. */
void run_price_place(const struct run_price_request *request, struct run_price *out)
{
    const struct machine_seen *m = request->machine;

    if (m == NULL || out->provider.len > 0)
        return;
    out->provider = m->provider;
    out->region = m->region;
    if (out->market.len == 0)
        out->market = m->market;
}

/* ---- how the provider bills, and how clean its power is ---- */

void run_price_terms(const struct market_view *view, struct run_price *out)
{
    const struct provider *p;
    const struct catalog *c = view->catalog;

    p = provider_find(c, out->provider);
    if (p != NULL) {
        out->billing_s = p->billing_s;
        out->minimum_s = p->minimum_s;
        out->setup_s = p->setup_s;
        out->notice_s = p->notice_s;
    }
    for (size_t i = 0; i < c->tables[TABLE_STORAGE].len; i++) {
        const struct storage *s = CATALOG_ROW(c, TABLE_STORAGE, storage, i);

        if (str_eq_nocase(s->provider, out->provider) && str_eq(s->tier, STR("hot")))
            out->storage_month = s->usd_gb_month;
    }
}

struct str run_price_seller(const struct run_price *price)
{
    return price->provider.len > 0 ? price->provider : STR("local");
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

bool run_price_carbon(const struct market_view *view, const struct catalog *regions,
                      struct run_price *out, struct error *err)
{
    struct price_work work = {view, NULL, out};
    struct buf text = buf_new(view->arena->alloc, 1024);
    struct str provider = run_price_seller(out), region = out->region;
    const struct region *r;

    if (str_eq(provider, STR("local")) || str_eq(provider, STR("on-prem")))
        region = view->country_set ? view->country : STR("*");
    r = region_find(regions, provider, region);
    take_intensity(out, r, &text);
    take_pue(out, r, &text);
    return price_text(&work, &text, &out->carbon_source, err);
}

/* ---- the past ---- */

/* Each price for as long as it held. */
static bool add_up_prices(struct points points, struct window window, struct price_then *out)
{
    stamp at = window.from;
    size_t next = series_start(points, window);
    struct stretch s;

    out->cost = (usd){0};
    while (series_next(points, window, &next, &at, &s)) {
        usd part;

        if (!series_has(s.value) ||
            !usd_for((usd_per_hour){s.value}, (span){(s.to.s - s.from.s) * 1000000000}, &part))
            return false;
        out->cost = usd_add(out->cost, part);
        if (out->prices == 0 || s.value != out->last.nano)
            out->prices++;
        out->last = (usd_per_hour){s.value};
        if (out->first.nano == MONEY_UNKNOWN)
            out->first = out->last;
    }
    return out->prices > 0 && at.s >= window.to.s && out->cost.nano != MONEY_UNKNOWN;
}

static bool cost_then(const struct market_view *view, const struct store_offer *offer,
                      enum market market, struct window window, struct price_then *out,
                      struct error *err)
{
    struct price_now now = price_now(view, offer, market);
    struct store_series series;
    struct price_then then = {.first = USD_PER_HOUR_UNKNOWN, .last = USD_PER_HOUR_UNKNOWN};
    struct points points;

    if (now.series == SIZE_MAX)
        return true;
    series = store_series(view->store, now.series);
    /* In dollars, known when it began, and still listed when it ended. */
    if (!currency_is(series.currency, currency_usd) || series.first.s > window.from.s ||
        series.seen.s + PRICE_HOLDS < window.to.s)
        return true;
    if (!store_points(view->store, now.series, view->arena, &points, err))
        return false;
    if (!add_up_prices(points, window, &then))
        return true;
    then.feed = store_feed(view->store, series.feed).feed;
    *out = then;
    return true;
}

bool run_price_then(const struct market_view *view, const struct run_price *now, stamp start,
                    stamp end, struct price_then *out, struct error *err)
{
    struct offer_name name;
    int market;

    *out = (struct price_then){
        .cost = USD_UNKNOWN, .first = USD_PER_HOUR_UNKNOWN, .last = USD_PER_HOUR_UNKNOWN};
    if (now->how != RUN_PRICE_OFFER || now->offer.len == 0)
        return true;
    if (!offer_name_parse(now->offer, &name, err) || !market_parse(now->market, &market, err))
        return false;
    for (size_t i = store_offer_find(view->store, now->provider, now->region);
         i < store_offer_count(view->store); i++) {
        struct store_offer offer = store_offer(view->store, i);

        if (!str_eq(offer.provider, now->provider) || !str_eq(offer.region, now->region))
            break;
        if (offer_name_matches(&name, offer.provider, offer.region, offer.zone, offer.instance))
            return cost_then(view, &offer, (enum market)market, (struct window){start, end},
                             out, err);
    }
    return true;
}

bool run_price_machines(struct run_price *now, const struct price_then *then, span time,
                        int64_t count, usd *cost, usd_per_hour *rate, struct error *err)
{
    usd one = USD_UNKNOWN;

    *cost = USD_UNKNOWN;
    if (then->prices > 0) {
        now->rate = then->first;
        one = then->cost;
    } else if (!usd_for(now->rate, time, &one)) {
        return error_fail(err, ERROR_INPUT, "the cost is more than can be recorded");
    }
    if (one.nano != MONEY_UNKNOWN && __builtin_mul_overflow(one.nano, count, &cost->nano))
        *cost = USD_UNKNOWN;
    *rate = usd_per_hour_times(now->rate, count);
    if ((one.nano != MONEY_UNKNOWN && cost->nano == MONEY_UNKNOWN) ||
        (now->rate.nano != MONEY_UNKNOWN && rate->nano == MONEY_UNKNOWN))
        return error_fail(err, ERROR_USAGE, "--count: the cost is more than can be recorded");
    return true;
}

bool run_price_then_source(const struct run_price *now, const struct price_then *then,
                           struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 2048);

    buf_add(&text, now->offer);
    buf_addf(&text, ":%.*s, ", STR_ARG(now->market));
    if (then->prices > 0) {
        buf_adds(&text, "the list price of that time: an estimate");
    } else {
        buf_adds(&text, "a list price of ");
        day_write(now->date, &text);
        buf_adds(&text, ", not of that time: an estimate");
    }
    return buf_keep(&text, arena, out, err);
}
