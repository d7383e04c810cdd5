/* tco - what a GPU-hour of an owned machine costs, and when owning is cheaper than renting. */
#include "op/advise/tco.h"

#include <math.h>

#include "catalog/discount.h"
#include "doc/notes.h"
#include "market/gpus.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/market.h"
#include "op/op.h"
#include "op/options.h"
#include "report/figures.h"
#include "unit/shown.h"

#define NOTE_MAX 400
#define FILE_MAX ((size_t)64 << 20)
#define LEDGER_DAYS 90

static const struct field request[] = {
    FIELD(TEXT, tco_request, machine, .value = "MACHINE", .operand = true,
          .help = "machine in the catalog (8x-h100-sxm), or GPUs: H100x8"),
    FIELD(TEXT, tco_request, gpu, .value = "GPU[xN]", .also = accelerator_options,
          .help = "GPUs of the machine, instead of its name: H100"),
    FIELD(COUNT, tco_request, count, .value = "N", .positive = true,
          .help = "GPUs in one machine: 8"),
    FIELD_AS("price", USD, tco_request, given.price, .value = "AMOUNT", .positive = true,
             .help = "price of one machine: 250000usd"),
    FIELD_AS("years", NUMBER, tco_request, given.years, .value = "N",
             .help = "years of use: 4"),
    FIELD_AS("utilization", SHARE, tco_request, given.utilization, .value = "SHARE",
             .help = "share of hours in use: 70%"),
    FIELD_AS("resale", SHARE, tco_request, given.resale, .value = "SHARE",
             .help = "resale value as a share of the price: 10%"),
    FIELD_AS("capital", SHARE, tco_request, given.capital, .value = "SHARE",
             .help = "cost of capital per year: 8%"),
    FIELD_AS("network", SHARE, tco_request, given.network, .value = "SHARE",
             .help = "switches and cables as a share of the price: 5%"),
    FIELD_AS("maintenance", SHARE, tco_request, given.maintenance, .value = "SHARE",
             .help = "yearly maintenance as a share of the price: 5%"),
    FIELD_AS("software", USD, tco_request, given.software, .value = "AMOUNT",
             .help = "software licenses of the machine per year: 36000usd"),
    FIELD_AS("staff", USD, tco_request, given.staff, .value = "AMOUNT",
             .help = "administration of the machine per year: 10000usd"),
    FIELD_AS("space", USD, tco_request, given.space, .value = "AMOUNT",
             .help = "colocation per kW and month: 184usd"),
    FIELD_AS("power_kw", NUMBER, tco_request, given.power_kw, .value = "KW",
             .help = "power of the machine under load, in kW: 7"),
    FIELD_AS("idle", SHARE, tco_request, given.idle, .value = "SHARE",
             .help = "idle power as a share of the power under load: 30%"),
    FIELD_AS("pue", NUMBER, tco_request, given.pue, .value = "N",
             .help = "power usage effectiveness: 1.3"),
    FIELD_AS("electricity", PER_KWH, tco_request, given.electricity, .value = "PRICE",
             .help = "price of a kWh: 0.10usd/kWh"),
    FIELD_AS("failures", NUMBER, tco_request, given.failures, .value = "N",
             .help = "failures of one GPU per year: 0.1"),
    FIELD_AS("repair_days", NUMBER, tco_request, given.repair_days, .value = "DAYS",
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
    FIELD(CHOICE, tco_request, burst, .value = "MARKET", .choices = market_names,
          .only = MARKETS_HOURLY, .fallback = "on-demand",
          .help = "market for renting the rest of the load"),
    OP_SINCE_UNTIL(tco_request, days, "90d; for --load ledger"),
    FIELD(TEXT, tco_request, svg, .value = "FILE", .output = true,
          .help = "draw costs, break-even and sensitivities to FILE as SVG"),
};

struct tco_call {
    struct op_context *ctx;
    const struct tco_request *req;
    struct tco_result *res;
    struct tco_ask ask;
    struct tco_prices prices;
    struct tco_rival *rivals;
};

/* ---- the machine ---- */

static bool needs_machine(struct error *err)
{
    return error_fail_hint(
        err, ERROR_USAGE,
        "'stint tco 8x-h100-sxm', or 'stint tco --gpu H100 --count 8 --price "
        "250000usd'; 'stint catalog show onprem' lists machines",
        "tco needs a machine");
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
                   ? tco_machine_absent(&c->ctx->catalog, text, err)
               : named ? error_memory(err)
                       : false;
    if (name.len == text.len)
        count = c->req->count > 0 ? c->req->count : 0;
    else if (c->req->count > 0 && c->req->count != count)
        return error_fail(err, ERROR_USAGE, "--count %lld and '%.*s' contradict each other",
                          (long long)c->req->count, STR_ARG(text));
    c->ask.row = tco_machine_find(&c->ctx->catalog, (struct str){0}, c->ask.gpu, count);
    c->ask.gpus = count > 0 ? count : c->ask.row != NULL ? c->ask.row->count : 8;
    return true;
}

static bool find_tco_machine(struct tco_call *c, struct error *err)
{
    const struct tco_request *req = c->req;
    const struct catalog *catalog = &c->ctx->catalog;

    if (req->machine.len == 0)
        return req->gpu.len > 0 ? take_gpus(c, req->gpu, false, err) : needs_machine(err);
    if (req->gpu.len > 0)
        return error_fail_hint(err, ERROR_USAGE, "leave out one of them",
                               "a machine and --gpu contradict each other");
    c->ask.row = tco_machine_find(catalog, req->machine, NULL, 0);
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

static bool compute_tco(struct tco_call *c, struct error *err)
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
    tco_take_given(&c->req->given, c->ask.given);
    find_tariff(c);
    return tco_answer(&c->ctx->catalog, &c->ask, c->ctx->arena, c->res, err);
}

/* ---- the market ---- */

/* Machines of one market, on their own since what is selected is ranked by it; `price` is what
 * one GPU of the cheapest costs. */
static bool add_tco_market(struct tco_call *c, enum market market, struct machine **machines,
                           size_t *count, double *price, struct error *err)
{
    struct machine_query query = machine_query_all();
    const struct machine *m;

    query.gpu = c->ask.gpu->name;
    query.providers = c->req->providers;
    query.regions = c->req->regions;
    query.market = market;
    if (!op_machines(c->ctx, &query, machines, count, err))
        return false;
    m = market_cheapest_gpus(*machines, *count, query.market, c->ask.gpus, (struct str){0});
    if (m == NULL)
        return true;
    *price = market_gpu_price(m, query.market);
    op_price_age(c->ctx, tco_add_rival(c->res, c->rivals, m, market, *price, false)->date,
                 &c->res->age);
    return true;
}

/* The cheapest machine with a commitment of so many months. */
static bool add_tco_reserved(struct tco_call *c, int64_t months, enum market market,
                             const struct machine *machines, size_t count, struct error *err)
{
    const struct commitment *terms;
    const struct machine *m = market_cheapest_reserved(&c->ctx->catalog, machines, count,
                                                       months, c->ask.gpus, &terms);
    double listed = m != NULL ? market_gpu_price(m, MARKET_ON_DEMAND) : NAN, price;
    struct buf note = buf_new(c->ctx->arena->alloc, NOTE_MAX);
    struct tco_rival *r;

    if (m == NULL)
        return true;
    price = listed * (1 - discount_expected(terms->discount_low, terms->discount_high));
    r = tco_add_rival(c->res, c->rivals, m, market, price, true);
    r->price_low = tco_rate(listed * (1 - terms->discount_high));
    r->price_high = tco_rate(listed * (1 - terms->discount_low));
    op_price_age(c->ctx, r->date, &c->res->age);
    if (!(price >= c->prices.reserved)) {
        c->prices.reserved = price;
        c->prices.reserved_gpus = m->count;
    }
    buf_addf(&note, "on-demand less %.0f to %s", terms->discount_low * 100,
             percent_text(terms->discount_high).text);
    return buf_keep(&note, c->ctx->arena, &r->note, err);
}

static bool compare_market(struct tco_call *c, struct error *err)
{
    struct machine *machines, *on_spot;
    size_t count, spot_count;

    c->prices = (struct tco_prices){NAN, NAN, NAN, 1};
    c->rivals = arena_array(c->ctx->arena, struct tco_rival, TCO_RIVALS_MAX, err);
    if (c->rivals == NULL ||
        !add_tco_market(c, MARKET_ON_DEMAND, &machines, &count, &c->prices.on_demand, err) ||
        !add_tco_market(c, MARKET_SPOT, &on_spot, &spot_count, &c->prices.spot, err) ||
        !add_tco_reserved(c, 12, MARKET_RESERVED_1Y, machines, count, err) ||
        !add_tco_reserved(c, 36, MARKET_RESERVED_3Y, machines, count, err))
        return false;
    op_price_age_warn(c->ctx, &c->res->age);
    return c->res->rivals.len > 0 ||
           note_add(&c->res->notes, c->ctx->arena, err,
                    "the price of %.*s is unknown: nothing to compare with",
                    STR_ARG(c->ask.gpu->name));
}

/* ---- the load ---- */

static bool load_of_ledger(struct tco_call *c, struct hybrid_load *out, struct error *err)
{
    struct op_context *ctx = c->ctx;
    /* A run that began a while before may still go on in it. */
    struct ledger_query query = {.since = {-1}};
    struct buf text = buf_new(ctx->arena->alloc, 100);
    struct tco_runs runs = {.now = ctx->clock->today(ctx->clock->ctx)};
    struct ledger *ledger;
    int64_t days;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &c->req->days, LEDGER_DAYS, &runs.since, &runs.until,
                          err))
        return false;
    days = runs.until.n - runs.since.n;
    if (days <= 0 || days * 24 > HYBRID_HOURS_MAX)
        return error_fail(err, ERROR_USAGE,
                          "--since: a period of 1 day to 100 years is needed");
    query.until = (stamp){runs.until.n * SECONDS_PER_DAY};
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL &&
         ledger_runs(ledger, &query, ctx->arena, &runs.at, &runs.count, err) &&
         tco_load_of_runs(&runs, &ctx->catalog, c->ask.gpu, &ctx->messages, ctx->arena, out,
                          err);
    ledger_close(ledger);
    buf_addf(&text, "the ledger, %lld days", (long long)days);
    return buf_keep(&text, ctx->arena, &c->res->load.source, err) && ok;
}

static bool load_of_file(struct op_context *ctx, struct str name, struct hybrid_load *out,
                         struct error *err)
{
    const char *path = str_dup(name, ctx->arena, err);
    struct str text;

    if (path == NULL)
        return false;
    if (op_file_read(ctx, path, FILE_MAX, &text, err))
        return tco_load_read(text, path, ctx->arena, out, err);
    if (err->kind == ERROR_ABSENT)
        error_hint(err,
                   "--load takes a file with the GPUs of each hour, 'ledger', or GPUs: '8', "
                   "'8+16@10%%'");
    return false;
}

static bool carry_load(struct tco_call *c, struct error *err)
{
    struct str name = c->req->load;
    struct hybrid_load load;
    enum hybrid_text read = hybrid_load_text(name, c->ctx->arena, &load, err);

    c->res->load.source = name;
    c->res->load.burst = c->req->burst;
    if (read == HYBRID_WRONG ||
        (read == HYBRID_NONE &&
         !(str_eq(name, STR("ledger")) ? load_of_ledger(c, &load, err)
                                       : load_of_file(c->ctx, name, &load, err))))
        return false;
    return tco_carry_load(&load, &c->res->cost, c->res->gpus, &c->prices, c->ctx->arena,
                          &c->res->load, err);
}

static bool tco_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct tco_call c = {.ctx = ctx, .req = in, .res = out};

    if (!compute_tco(&c, err) || !compare_market(&c, err) ||
        !tco_note_catalog(&ctx->catalog, &c.ask, ctx->arena, c.res, err) ||
        (c.req->load.len > 0 && !carry_load(&c, err)))
        return false;
    c.res->svg = c.req->svg;
    return c.req->svg.len == 0 || tco_figure(c.res, op_today(ctx), ctx->arena, err);
}

const struct op op_tco = {
    .name = "tco",
    .schema = "stint.tco/1",
    .summary = "compute the cost of an owned machine and when owning pays",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct tco_request, request),
    .result = &tco_fields,
    .run = tco_run,
};
