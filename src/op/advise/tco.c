/* tco - what a GPU-hour of an owned machine costs, and when owning is cheaper than renting. */
#include "op/advise/tco.h"

#include <math.h>

#include "market/trust.h"
#include "op/advise/tco_figure.h"
#include "op/advise/tco_load.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "op/options.h"

#define RIVALS_MAX 4
#define NOTES_MAX 6
#define NOTE_MAX 400

static const char *const bursts[] = {"on-demand", "spot", NULL};

static const struct field request[] = {
    FIELD(TEXT, tco_request, machine, .value = "MACHINE", .operand = true,
          .help = "machine in the catalog (8x-h100-sxm), or GPUs: H100x8"),
    FIELD(TEXT, tco_request, gpu, .value = "GPU[xN]", .also = accelerator_options,
          .help = "GPUs of the machine, instead of its name: H100"),
    FIELD(COUNT, tco_request, count, .value = "N", .positive = true,
          .help = "GPUs in one machine: 8"),
    FIELD(USD, tco_request, price, .value = "AMOUNT", .positive = true,
          .help = "price of one machine: 250000usd"),
    FIELD(NUMBER, tco_request, years, .value = "N", .help = "years of use: 4"),
    FIELD(SHARE, tco_request, utilization, .value = "SHARE",
          .help = "share of hours in use: 70%"),
    FIELD(SHARE, tco_request, resale, .value = "SHARE",
          .help = "resale value as a share of the price: 10%"),
    FIELD(SHARE, tco_request, capital, .value = "SHARE",
          .help = "cost of capital per year: 8%"),
    FIELD(SHARE, tco_request, network, .value = "SHARE",
          .help = "switches and cables as a share of the price: 5%"),
    FIELD(SHARE, tco_request, maintenance, .value = "SHARE",
          .help = "yearly maintenance as a share of the price: 5%"),
    FIELD(USD, tco_request, software, .value = "AMOUNT",
          .help = "software licenses of the machine per year: 36000usd"),
    FIELD(USD, tco_request, staff, .value = "AMOUNT",
          .help = "administration of the machine per year: 10000usd"),
    FIELD(USD, tco_request, space, .value = "AMOUNT",
          .help = "colocation per kW and month: 184usd"),
    FIELD(NUMBER, tco_request, power_kw, .value = "KW",
          .help = "power of the machine under load, in kW: 7"),
    FIELD(SHARE, tco_request, idle, .value = "SHARE",
          .help = "idle power as a share of the power under load: 30%"),
    FIELD(NUMBER, tco_request, pue, .value = "N", .help = "power usage effectiveness: 1.3"),
    FIELD(PER_KWH, tco_request, electricity, .value = "PRICE",
          .help = "price of a kWh: 0.10usd/kWh"),
    FIELD(NUMBER, tco_request, failures, .value = "N",
          .help = "failures of one GPU per year: 0.1"),
    FIELD(NUMBER, tco_request, repair_days, .value = "DAYS",
          .help = "days without the machine per failure: 3"),
    FIELD(CHOICE, tco_request, site, .value = "SITE", .choices = tco_sites,
          .help =
              "site whose usual costs to use: datacenter or office (default: the machine's)"),
    FIELD(FLAG, tco_request, only_given,
          .help = "count only the costs that are given, and power"),
    MACHINE_PLACES(tco_request, providers, regions),
    FIELD(TEXT, tco_request, load, .value = "LOAD",
          .help = "find the cheapest split of a load: a file with the GPUs of each hour, "
                  "'ledger', or 8+16@10%"),
    FIELD(CHOICE, tco_request, burst, .value = "MARKET", .choices = bursts,
          .fallback = "on-demand", .help = "market for renting the rest of the load"),
    OP_SINCE_UNTIL(tco_request, days, "90d; for --load ledger"),
    FIELD(TEXT, tco_request, svg, .value = "FILE", .output = true,
          .help = "draw costs, break-even and sensitivities to FILE as SVG"),
};

static const struct field load_fields[] = {
    FIELD(TEXT, tco_load, source, .help = "source of the load"),
    FIELD(NUMBER, tco_load, hours, .help = "hours of the load"),
    FIELD(NUMBER, tco_load, gpu_hours, .help = "GPU-hours of the load"),
    FIELD(NUMBER, tco_load, mean, .help = "GPUs in use on average"),
    FIELD(NUMBER, tco_load, peak, .help = "GPUs in use at most"),
    FIELD(TEXT, tco_load, burst, .help = "market of the capacity rented by the hour"),
    FIELD(LIST, tco_load, ways, .row = &tco_split_fields, .help = "splits, the cheapest first"),
    FIELD(LIST, tco_load, curve, .row = &tco_split_fields,
          .help = "costs by number of owned machines, around the best"),
    FIELD(USD, tco_load, saved_year,
          .help = "yearly savings of the cheapest split over renting all by the hour"),
};
static const struct field_set load_set = FIELD_SET(struct tco_load, load_fields);

static const struct field result[] = {
    FIELD(TEXT, tco_result, machine, .empty_unknown = true, .help = "machine in the catalog"),
    FIELD(TEXT, tco_result, gpu, .help = "GPU of the machine"),
    FIELD(COUNT, tco_result, gpus, .help = "GPUs per machine"),
    FIELD(TEXT, tco_result, site, .help = "site whose usual costs were assumed"),
    FIELD(NUMBER, tco_result, utilization, .help = "share of hours in use"),
    FIELD(RATE, tco_result, gpu_hour, .help = "total cost of a GPU-hour in use"),
    FIELD(RATE, tco_result, gpu_hour_low, .help = "low end of the cost of a GPU-hour"),
    FIELD(RATE, tco_result, gpu_hour_high, .help = "high end of the cost of a GPU-hour"),
    FIELD(RATE, tco_result, gpu_hour_full,
          .help = "total cost of a GPU-hour at 100 % utilization"),
    FIELD(USD, tco_result, year, .help = "yearly cost of the machine"),
    FIELD(USD, tco_result, invested,
          .help = "initial investment: machine, network, spare capacity"),
    FIELD(NUMBER, tco_result, kwh_year, .help = "energy with cooling, kWh per year"),
    FIELD(NUMBER, tco_result, available, .help = "share of hours without repairs"),
    FIELD(LIST, tco_result, parts, .row = &tco_part_fields, .help = "parts of the cost"),
    FIELD(LIST, tco_result, assumptions, .row = &tco_assumption_fields,
          .help = "assumptions, the most influential first"),
    FIELD_AS("market", LIST, tco_result, rivals, .row = &tco_rival_fields,
             .help = "owning compared with renting"),
    FIELD(RECORD, tco_result, age, .row = &price_age_fields, .help = "age of the prices"),
    FIELD(RECORD, tco_result, load, .row = &load_set, .sparse = true,
          .help = "cheapest split of a load"),
    FIELD(TEXTS, tco_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, tco_result, svg, .help = "file that was written"),
};

struct tco_call {
    struct op_context *ctx;
    const struct tco_request *req;
    struct tco_result *res;
    struct tco_ask ask;
    struct tco_prices prices;
    struct str *notes; /* those of the result */
};

static bool add_tco_note(struct tco_call *c, struct buf *text, struct error *err)
{
    struct strs *notes = &c->res->notes;

    if (notes->len == NOTES_MAX) {
        buf_free(text);
        return true;
    }
    return buf_keep(text, c->ctx->arena, &c->notes[notes->len++], err);
}

/* ---- the machine ---- */

/* The row of a name, or of GPUs (`count` 0: any number); a guide's example comes last. */
static const struct onprem *find_onprem_row(const struct catalog *catalog, struct str name,
                                            const struct accelerator *gpu, int64_t count)
{
    const struct onprem *found = NULL;

    for (size_t i = 0; i < catalog->tables[TABLE_ONPREM].len; i++) {
        const struct onprem *row = CATALOG_ROW(catalog, TABLE_ONPREM, onprem, i);

        if (name.len > 0
                ? !str_eq_nocase(row->machine, name)
                : !str_eq(row->accelerator, gpu->name) || (count > 0 && row->count != count))
            continue;
        if (found == NULL || str_starts(found->machine, STR("guide-")))
            found = row;
    }
    return found;
}

static bool needs_machine(struct error *err)
{
    error_set(err, ERROR_USAGE, "tco needs a machine");
    error_hint(err, "'stint tco 8x-h100-sxm', or 'stint tco --gpu H100 --count 8 --price "
                    "250000usd'; 'stint catalog show onprem' lists machines");
    return false;
}

static bool absent_machine(const struct catalog *catalog, struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < catalog->tables[TABLE_ONPREM].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_ONPREM, onprem, i)->machine);
    error_set(err, ERROR_ABSENT, "there is no machine or GPU '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show onprem' lists machines, 'stint gpu list' GPUs");
    return false;
}

/* By the GPUs it has: "H100x8", or "H100" and --count. */
static bool take_gpus(struct tco_call *c, struct str text, bool named, struct error *err)
{
    struct error unknown = {0};
    struct str name;
    int64_t count;

    if (!op_gpu_count(c->ctx, text, &name, &count, err))
        return false;
    c->ask.gpu = op_accelerator(c->ctx, name, false, named ? &unknown : err);
    if (c->ask.gpu == NULL)
        return named && unknown.kind != ERROR_MEMORY
                   ? absent_machine(&c->ctx->catalog, text, err)
               : named ? error_memory(err)
                       : false;
    if (name.len == text.len)
        count = c->req->count > 0 ? c->req->count : 0;
    else if (c->req->count > 0 && c->req->count != count)
        return error_fail(err, ERROR_USAGE, "--count %lld and '%.*s' contradict each other",
                          (long long)c->req->count, STR_ARG(text));
    c->ask.row = find_onprem_row(&c->ctx->catalog, (struct str){0}, c->ask.gpu, count);
    c->ask.gpus = count > 0 ? count : c->ask.row != NULL ? c->ask.row->count : 8;
    return true;
}

static bool find_tco_machine(struct tco_call *c, struct error *err)
{
    const struct tco_request *req = c->req;
    const struct catalog *catalog = &c->ctx->catalog;

    if (req->machine.len == 0)
        return req->gpu.len > 0 ? take_gpus(c, req->gpu, false, err) : needs_machine(err);
    if (req->gpu.len > 0) {
        error_set(err, ERROR_USAGE, "a machine and --gpu contradict each other");
        error_hint(err, "leave out one of them");
        return false;
    }
    c->ask.row = find_onprem_row(catalog, req->machine, NULL, 0);
    if (c->ask.row == NULL)
        return take_gpus(c, req->machine, true, err);
    if (req->count > 0 && req->count != c->ask.row->count)
        return error_fail(err, ERROR_USAGE, "%.*s has %lld GPUs, not %lld",
                          STR_ARG(c->ask.row->machine), (long long)c->ask.row->count,
                          (long long)req->count);
    c->ask.gpu = accelerator_named(catalog, c->ask.row->accelerator);
    c->ask.gpus = c->ask.row->count;
    return true;
}

static double known_usd(usd amount)
{
    return amount.nano == MONEY_UNKNOWN ? NAN : usd_double(amount);
}

static void take_tco_options(const struct tco_request *req, double given[static TCO_ITEMS])
{
    given[TCO_PRICE] = known_usd(req->price);
    given[TCO_YEARS] = req->years;
    given[TCO_RESALE] = req->resale;
    given[TCO_CAPITAL] = req->capital;
    given[TCO_NETWORK] = req->network;
    given[TCO_MAINTENANCE] = req->maintenance;
    given[TCO_SOFTWARE] = known_usd(req->software);
    given[TCO_STAFF] = known_usd(req->staff);
    given[TCO_SPACE] = known_usd(req->space);
    given[TCO_POWER] = req->power_kw;
    given[TCO_IDLE] = req->idle;
    given[TCO_PUE] = req->pue;
    given[TCO_ELECTRICITY] =
        req->electricity.nano == MONEY_UNKNOWN ? NAN : (double)req->electricity.nano / 1e9;
    given[TCO_FAILURES] = req->failures;
    given[TCO_REPAIR] = req->repair_days;
    given[TCO_UTILIZATION] = req->utilization;
}

/* What a kWh costs there: the user's setting, else the country's price for businesses, in an
 * office for households. */
static void find_tariff(struct tco_call *c)
{
    const struct catalog *catalog = &c->ctx->catalog;
    struct market_view view = op_market(c->ctx);
    bool office = str_eq(c->ask.site, STR("office"));
    const struct electricity *row = NULL;

    c->ask.tariff_date = DAY_UNKNOWN;
    c->ask.electricity = view.electricity;
    c->ask.tariff_source = STR("the setting 'electricity'");
    if (view.electricity.nano != MONEY_UNKNOWN)
        return;
    for (size_t i = 0; i < catalog->tables[TABLE_ELECTRICITY].len; i++) {
        const struct electricity *e = CATALOG_ROW(catalog, TABLE_ELECTRICITY, electricity, i);

        if (str_eq_nocase(e->country, view.country) &&
            (row == NULL || str_eq(e->kind, office ? STR("household") : STR("business"))))
            row = e;
    }
    c->ask.tariff_source = (struct str){0};
    if (row == NULL)
        return;
    c->ask.electricity = row->usd_per_kwh;
    c->ask.tariff_source = row->fact.source;
    c->ask.tariff_date = row->fact.date;
}

static bool gather_tco_prices(struct tco_call *c, struct error *err)
{
    if (!op_catalog(c->ctx,
                    TABLE_BIT(TABLE_ONPREM) | TABLE_BIT(TABLE_OWNERSHIP) |
                        TABLE_BIT(TABLE_ELECTRICITY) | TABLE_BIT(TABLE_COMMITMENTS) |
                        TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES),
                    err) ||
        !find_tco_machine(c, err))
        return false;
    c->ask.site = c->req->site.len > 0                             ? c->req->site
                  : c->ask.row != NULL && c->ask.row->site.len > 0 ? c->ask.row->site
                                                                   : STR("datacenter");
    c->ask.only_given = c->req->only_given;
    take_tco_options(c->req, c->ask.given);
    find_tariff(c);
    return tco_gather(&c->ctx->catalog, &c->ask, &c->res->inputs, err);
}

/* ---- the market ---- */

/* The cheapest of those with as many GPUs or more; of any when there are none. */
static const struct machine *cheapest(const struct machine *machines, size_t count,
                                      struct str market, int64_t gpus, struct str provider)
{
    const struct machine *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct machine *m = &machines[i];
        bool large, best_large;

        if (m->count <= 0 || market_price(m, market).nano == MONEY_UNKNOWN ||
            market_trust(m, market)->outlier ||
            (provider.len > 0 && !str_eq(m->provider, provider)))
            continue;
        large = m->count >= gpus;
        best_large = best != NULL && best->count >= gpus;
        if (best == NULL || (large && !best_large) ||
            (large == best_large &&
             usd_per_hour_compare(
                 usd_per_hour_share(market_ranked(m, market), m->count),
                 usd_per_hour_share(market_ranked(best, market), best->count)) < 0))
            best = m;
    }
    return best;
}

static double per_gpu(const struct machine *m, struct str market)
{
    return usd_per_hour_double(market_price(m, market)) / (double)m->count;
}

static void add_rival(struct tco_call *c, struct tco_rival *rivals, size_t *count,
                      const struct machine *m, const char *market, double price, bool always)
{
    struct tco_rival *r = &rivals[(*count)++];
    bool spot = str_eq(str_from(market), STR("spot"));

    *r = tco_against(&c->res->inputs, &c->res->cost, price, always);
    r->market = str_from(market);
    r->offer = m->name;
    r->price_low = usd_per_hour_share(m->price_low, m->count);
    r->price_high = usd_per_hour_share(m->price_high, m->count);
    r->date = spot && m->spot_date.n > 0 ? m->spot_date : m->fact.date;
    op_price_age(c->ctx, r->date, &c->res->age);
}

/* Machines of one market, on their own since what is selected is ranked by it. */
static bool add_market(struct tco_call *c, const char *market, struct tco_rival *rivals,
                       size_t *count, struct machine **machines, size_t *machine_count,
                       struct error *err)
{
    struct machine_query query = machine_query_all();
    const struct machine *m;

    query.gpu = c->ask.gpu->name;
    query.providers = c->req->providers;
    query.regions = c->req->regions;
    query.market = str_from(market);
    if (!op_machines(c->ctx, &query, machines, machine_count, err))
        return false;
    m = cheapest(*machines, *machine_count, query.market, c->ask.gpus, (struct str){0});
    if (m == NULL)
        return true;
    add_rival(c, rivals, count, m, market, per_gpu(m, query.market), false);
    if (str_eq(query.market, STR("spot")))
        c->prices.spot = per_gpu(m, query.market);
    else
        c->prices.on_demand = per_gpu(m, query.market);
    return true;
}

/* The cheapest machine with a commitment of so many months, by the middle of its discount. */
static bool add_tco_reserved(struct tco_call *c, int64_t months, const char *market,
                             const struct machine *machines, size_t machine_count,
                             struct tco_rival *rivals, size_t *count, struct error *err)
{
    const struct catalog *catalog = &c->ctx->catalog;
    const struct commitment *terms = NULL;
    const struct machine *best = NULL;
    double price = INFINITY;
    struct buf note = buf_new(c->ctx->arena->alloc, NOTE_MAX);
    struct tco_rival *r;

    for (size_t i = 0; i < catalog->tables[TABLE_COMMITMENTS].len; i++) {
        const struct commitment *t = CATALOG_ROW(catalog, TABLE_COMMITMENTS, commitment, i);
        const struct machine *m;
        double discounted;

        if (!str_eq(t->kind, STR("commitment")) || t->term_months != months ||
            isnan(t->discount_low) || isnan(t->discount_high))
            continue;
        m = cheapest(machines, machine_count, STR("on-demand"), c->ask.gpus, t->provider);
        if (m == NULL)
            continue;
        discounted =
            per_gpu(m, STR("on-demand")) * (1 - (t->discount_low + t->discount_high) / 2);
        if (discounted < price) {
            price = discounted;
            best = m;
            terms = t;
        }
    }
    if (best == NULL) {
        buf_free(&note);
        return true;
    }
    add_rival(c, rivals, count, best, market, price, true);
    r = &rivals[*count - 1];
    r->price_low = tco_rate(per_gpu(best, STR("on-demand")) * (1 - terms->discount_high));
    r->price_high = tco_rate(per_gpu(best, STR("on-demand")) * (1 - terms->discount_low));
    if (!(price >= c->prices.reserved)) {
        c->prices.reserved = price;
        c->prices.reserved_gpus = best->count;
    }
    buf_addf(&note, "on-demand less %.0f to %.0f %%", terms->discount_low * 100,
             terms->discount_high * 100);
    return buf_keep(&note, c->ctx->arena, &r->note, err);
}

static bool compare_market(struct tco_call *c, struct error *err)
{
    struct tco_rival *rivals = arena_array(c->ctx->arena, struct tco_rival, RIVALS_MAX, err);
    struct machine *machines, *on_spot;
    size_t count = 0, machine_count, spot_count;
    struct buf text = buf_new(c->ctx->arena->alloc, NOTE_MAX);

    c->prices = (struct tco_prices){NAN, NAN, NAN, 1};
    if (rivals == NULL ||
        !add_market(c, "on-demand", rivals, &count, &machines, &machine_count, err) ||
        !add_market(c, "spot", rivals, &count, &on_spot, &spot_count, err) ||
        !add_tco_reserved(c, 12, "reserved-1y", machines, machine_count, rivals, &count, err) ||
        !add_tco_reserved(c, 36, "reserved-3y", machines, machine_count, rivals, &count, err))
        return false;
    c->res->rivals = (struct rows){rivals, count};
    op_price_age_warn(c->ctx, &c->res->age);
    if (count == 0)
        buf_addf(&text, "the price of %.*s is unknown: nothing to compare with",
                 STR_ARG(c->ask.gpu->name));
    return text.len > 0 ? add_tco_note(c, &text, err) : (buf_free(&text), true);
}

/* ---- the result ---- */

/* Is it a machine of the catalog, at its price? */
static bool is_listed(const struct tco_call *c)
{
    return c->ask.row != NULL && isnan(c->ask.given[TCO_PRICE]);
}

static bool note_catalog(struct tco_call *c, struct error *err)
{
    const struct onprem *row = c->ask.row;
    double listed = is_listed(c) ? usd_per_hour_double(row->usd_per_gpu_hour) : NAN;
    struct buf text = buf_new(c->ctx->arena->alloc, NOTE_MAX);
    struct tco_machine as_listed;
    struct tco_ask ask = c->ask;
    struct error ignored = {0};

    for (int i = 0; i < TCO_ITEMS; i++)
        ask.given[i] = NAN;
    ask.only_given = false;
    if (isnan(listed) || !tco_gather(&c->ctx->catalog, &ask, &as_listed, &ignored) ||
        fabs(tco_compute(&as_listed).gpu_hour / listed - 1) < 0.02) {
        buf_free(&text);
        return true;
    }
    buf_addf(&text, "plans count $%.2f a GPU-hour for %.*s (onprem.csv)", listed,
             STR_ARG(row->machine));
    return add_tco_note(c, &text, err);
}

static bool fill_tco_result(struct tco_call *c, struct error *err)
{
    struct tco_result *res = c->res;
    struct tco_machine full = res->inputs;
    struct tco_effect effects[TCO_ITEMS];
    double low, high;

    res->cost = tco_compute(&res->inputs);
    full.in[TCO_UTILIZATION].value = 1;
    tco_effects(&res->inputs, effects);
    tco_range(effects, res->cost.gpu_hour, &low, &high);
    res->machine = is_listed(c) ? c->ask.row->machine : (struct str){0};
    res->gpu = c->ask.gpu->name;
    res->gpus = c->ask.gpus;
    res->site = c->ask.site;
    res->utilization = res->inputs.in[TCO_UTILIZATION].value;
    res->gpu_hour = tco_rate(res->cost.gpu_hour);
    res->gpu_hour_low = tco_rate(low);
    res->gpu_hour_high = tco_rate(high);
    res->gpu_hour_full = tco_rate(tco_compute(&full).gpu_hour);
    res->year = usd_about(res->cost.year);
    res->invested = usd_about(res->cost.invested);
    res->kwh_year = round(res->cost.kwh_year);
    res->available = 1 - res->cost.down;
    return tco_explain(&res->inputs, &res->cost, c->ctx->arena, &res->parts, err) &&
           tco_assumptions(&res->inputs, c->ctx->arena, &res->assumptions, err);
}

static bool tco_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct tco_call c = {.ctx = ctx, .req = in, .res = out};

    c.notes = arena_array(ctx->arena, struct str, NOTES_MAX, err);
    c.res->notes = (struct strs){c.notes, 0};
    if (c.notes == NULL || !gather_tco_prices(&c, err) || !fill_tco_result(&c, err) ||
        !compare_market(&c, err) || !note_catalog(&c, err))
        return false;
    if (c.req->load.len > 0 && !tco_carry_load(ctx, c.req, c.ask.gpu, &c.prices, c.res, err))
        return false;
    c.res->svg = c.req->svg;
    return c.req->svg.len == 0 || tco_figure_write(c.res, op_today(ctx), ctx->arena, err);
}

const struct op op_tco = {
    .name = "tco",
    .schema = "stint.tco/1",
    .summary = "compute the cost of an owned machine and when owning pays",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct tco_request, request),
    .result = &(const struct field_set)FIELD_SET(struct tco_result, result),
    .run = tco_run,
};
