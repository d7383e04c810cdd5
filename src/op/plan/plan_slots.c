/* plan.slots - when a machine is cheapest, or its power cleanest, in the days to come. */
#include "op/plan/plan_slots.h"

#include <math.h>

#include "market/offers.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "op/plan/offer_history.h"

#define MOST_DAYS 366
#define MOST_SLOTS 200

static const char *const markets[] = {"spot", "on-demand", NULL};
static const char *const aims[] = {"cost", "carbon", NULL};

static const struct field request[] = {
    FIELD(NUMBER, plan_slots_request, hours, .value = "N", .positive = true, .fallback = "4",
          .help = "length of a slot in hours"),
    FIELD(COUNT, plan_slots_request, days, .value = "N", .positive = true, .fallback = "7",
          .help = "days to look ahead"),
    FIELD(TEXT, plan_slots_request, offer, .value = "OFFER",
          .help = "offer: aws/us-east-1/p5.48xlarge:spot; omitted parts select the cheapest"),
    FIELD(TEXT, plan_slots_request, gpu, .value = "GPU", .also = accelerator_options,
          .help = "use the cheapest machine with this GPU, such as A100"),
    MACHINE_PLACES(plan_slots_request, providers, regions),
    FIELD(CHOICE, plan_slots_request, market, .value = "MARKET", .choices = markets,
          .help = "market: spot or on-demand (default: spot where available)"),
    FIELD(CHOICE, plan_slots_request, aim, .value = "AIM", .choices = aims, .fallback = "cost",
          .help = "rank by cost or carbon"),
    FIELD(COUNT, plan_slots_request, limit, .value = "N", .positive = true, .fallback = "10",
          .help = "list at most N slots"),
};

static bool refuse_no_machine(const struct machine *views, size_t count,
                              const struct plan_slots_request *req,
                              const struct offer_name *name, struct error *err)
{
    struct suggestion s = {.wanted = name->instance};
    size_t best;

    if (req->offer.len == 0) {
        error_set(err, ERROR_ABSENT, "no offer of %.*s matches the filters", STR_ARG(req->gpu));
        error_hint(err, "'stint price list --gpu %.*s --market any' shows what there is",
                   STR_ARG(req->gpu));
        return false;
    }
    if (market_cheapest(views, count, name, MARKET_ANY, &best) > 0) {
        error_set(err, ERROR_ABSENT, "'%.*s' has no such price", STR_ARG(req->offer));
        error_hint(err, "it is sold in the other market: leave out --market and ':MARKET'");
        return false;
    }
    for (size_t i = 0; i < count; i++)
        suggestion_try(&s, views[i].instance);
    error_set(err, ERROR_ABSENT, "there is no offer '%.*s'", STR_ARG(req->offer));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint price list' shows all");
    return false;
}

/* The offer of an option or of a GPU, and the market. */
static bool choose_slots_machine(struct op_context *ctx, const struct plan_slots_request *req,
                                 struct machine *out, enum market *market, struct error *err)
{
    struct machine_query filter = {.gpu = req->gpu,
                                   .kind = STR("cloud"),
                                   .market = MARKET_ANY,
                                   .providers = req->providers,
                                   .regions = req->regions,
                                   .min_memory = BYTES_UNKNOWN,
                                   .max_price = USD_PER_HOUR_UNKNOWN,
                                   .max_age = SPAN_UNKNOWN};
    struct offer_name name = {.market = -1};
    struct machine *views;
    size_t count, found, best = 0;

    if (req->offer.len > 0 && !offer_name_parse(req->offer, &name, err))
        return false;
    if (name.market > MARKET_SPOT)
        return error_fail(err, ERROR_USAGE, "a reservation has no slots: spot or on-demand");
    if (req->offer.len > 0 && req->providers.len == 0 && name.provider.len > 0)
        filter.providers = (struct strs){&name.provider, 1}; /* named: with an account or not */
    if (!op_machines(ctx, &filter, &views, &count, err))
        return false;
    *market = name.market >= 0 ? (enum market)name.market : MARKET_SPOT;
    if (req->market.len > 0)
        *market = str_eq(req->market, STR("spot")) ? MARKET_SPOT : MARKET_ON_DEMAND;
    found = market_cheapest(views, count, &name, *market, &best);
    if (found == 0 && req->market.len == 0 && name.market < 0) {
        *market = MARKET_ON_DEMAND;
        found = market_cheapest(views, count, &name, *market, &best);
        if (found > 0)
            message_note(&ctx->messages, "not sold on spot: showing on-demand");
    }
    if (found == 0)
        return refuse_no_machine(views, count, req, &name, err);
    if (found > 1)
        message_note(&ctx->messages, "the cheapest of %zu is %.*s:%s", found,
                     STR_ARG(views[best].name), market_names[*market]);
    *out = views[best];
    return true;
}

static bool slots_for_offer(struct op_context *ctx, const struct plan_slots_request *req,
                            struct plan_slots_result *res, struct error *err)
{
    struct offer_week week;
    struct machine o = {0};
    struct week_offer named;
    enum market market;

    if (!choose_slots_machine(ctx, req, &o, &market, err))
        return false;
    res->market = str_from(market_names[market]);
    res->offer = o.name;
    res->provider = o.provider;
    res->region = o.region;
    res->instance = o.instance;
    res->accelerator = o.accelerator;
    res->count = o.count;
    named = (struct week_offer){o.provider, o.region, o.instance, market};
    if (!op_offer_week(ctx, &named, &week, err))
        return false;
    slots_set_price(
        &o,
        market_offer_find(&ctx->catalog.tables[TABLE_OFFERS], o.provider, o.region, o.instance),
        &week, res);
    return slots_of_offer(&week, op_now(ctx), (size_t)req->limit, ctx->arena, res, err);
}

static bool slots_for_providers(struct op_context *ctx, const struct plan_slots_request *req,
                                struct plan_slots_result *res, struct error *err)
{
    struct strs providers = req->providers.len > 0 ? req->providers : ctx->settings->providers;

    if (req->regions.len > 0) {
        error_set(err, ERROR_USAGE, "a region alone has no slots");
        error_hint(err, "name a machine: --gpu H100 --region 'us-*'");
        return false;
    }
    return op_catalog(ctx, TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_PROVIDERS), err) &&
           catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_PROVIDERS), "provider",
                                  providers, err) &&
           slots_of_providers(&ctx->catalog, providers, req->market, op_now(ctx), ctx->arena,
                              res, err);
}

static bool check_slots_options(const struct plan_slots_request *req, struct error *err)
{
    if (req->days > MOST_DAYS)
        return error_fail(err, ERROR_USAGE, "--days is at most %d", MOST_DAYS);
    if (req->limit > MOST_SLOTS)
        return error_fail(err, ERROR_USAGE, "--limit is at most %d", MOST_SLOTS);
    if (req->hours > (double)req->days * 24 - 1) {
        error_set(err, ERROR_USAGE, "a slot of %g hours does not fit in %lld day%s", req->hours,
                  (long long)req->days, req->days == 1 ? "" : "s");
        error_hint(err, "look further ahead: --days %.0f",
                   ceil((fmin(req->hours, 8000) + 1) / 24));
        return false;
    }
    if (req->offer.len > 0 && req->gpu.len > 0) {
        error_set(err, ERROR_USAGE, "an offer names its GPU");
        error_hint(err, "leave out --gpu, or --offer");
        return false;
    }
    return true;
}

static bool plan_slots_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct plan_slots_request *req = in;
    struct plan_slots_result *res = out;

    if (!check_slots_options(req, err))
        return false;
    res->hours = req->hours;
    res->days = req->days;
    res->aim = req->aim;
    if (req->offer.len == 0 && req->gpu.len == 0)
        return slots_for_providers(ctx, req, res, err);
    return slots_for_offer(ctx, req, res, err);
}

const struct op op_plan_slots = {
    .name = "plan.slots",
    .schema = "stint.plan.slots/1",
    .summary = "list the cheapest or lowest-carbon hours ahead",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct plan_slots_request, request),
    .result = &plan_slots_result_fields,
    .run = plan_slots_run,
};
