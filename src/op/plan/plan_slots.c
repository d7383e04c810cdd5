/* plan.slots - when a machine is cheapest, or its power cleanest, in the days to come. */
#include "op/plan/plan_slots.h"

#include <math.h>
#include <stdlib.h>

#include "market/offers.h"
#include "op/price/offer_name.h"
#include "op/price/offers.h"

#define MOST_DAYS 366
#define MOST_SLOTS 200

static const char *const markets[] = {"spot", "on-demand", NULL};
static const char *const aims[] = {"cost", "carbon", NULL};

static const struct field request[] = {
    FIELD(NUMBER, plan_slots_request, hours, .value = "N", .positive = true, .fallback = "4",
          .help = "how long a slot is"),
    FIELD(COUNT, plan_slots_request, days, .value = "N", .positive = true, .fallback = "7",
          .help = "how many days to look ahead"),
    FIELD(TEXT, plan_slots_request, offer, .value = "OFFER",
          .help = "aws/us-east-1/p5.48xlarge:spot; parts left out mean the cheapest"),
    FIELD(TEXT, plan_slots_request, gpu, .value = "GPU",
          .help = "the cheapest machine with this accelerator, such as A100"),
    FIELD_AS("provider", TEXTS, plan_slots_request, providers, .value = "LIST",
             .help = "only these, such as aws,vast"),
    FIELD_AS("region", TEXTS, plan_slots_request, regions, .value = "LIST",
             .help = "only these; 'us-*' matches"),
    FIELD(CHOICE, plan_slots_request, market, .value = "MARKET", .choices = markets,
          .help = "spot or on-demand (default: spot where it is sold)"),
    FIELD(CHOICE, plan_slots_request, aim, .value = "AIM", .choices = aims, .fallback = "cost",
          .help = "cost (the cheapest first) or carbon (the cleanest)"),
    FIELD(COUNT, plan_slots_request, limit, .value = "N", .positive = true, .fallback = "10",
          .help = "at most so many slots"),
};

static const struct field slot_fields[] = {
    FIELD(TEXT, slot_row, day, .help = "of the week, in UTC"),
    FIELD(TEXT, slot_row, start, .help = "UTC"),
    FIELD(TEXT, slot_row, end, .help = "UTC"),
    FIELD(NUMBER, slot_row, start_h, .help = "hours from now"),
    FIELD_AS("price_multiplier", NUMBER, slot_row, price, .help = "of the mean price"),
    FIELD(RATE, slot_row, per_hour, .help = "of the machine in this slot, expected"),
    FIELD(USD, slot_row, cost, .help = "of the machine for the slot, expected"),
    FIELD_AS("carbon_multiplier", NUMBER, slot_row, carbon, .help = "of the mean intensity"),
    FIELD(NUMBER, slot_row, carbon_g_kwh, .help = "g CO2e/kWh of the grid, expected"),
    FIELD(NUMBER, slot_row, saves,
          .help = "share of what it is ranked by, against starting now; null by time"),
};

static const struct field_set slot_set = FIELD_SET(struct slot_row, slot_fields);

static const struct field pattern_fields[] = {
    FIELD(TEXT, slot_pattern, provider, .help = "whose price"),
    FIELD(TEXT, slot_pattern, market, .help = "spot or on-demand"),
    FIELD(TEXT, slot_pattern, basis, .help = "measured or rule of thumb"),
    FIELD(TEXT, slot_pattern, start,
          .help = "of the cheapest slot (UTC); null: none is worth it"),
    FIELD_AS("price_multiplier", NUMBER, slot_pattern, price, .help = "of the cheapest slot"),
    FIELD(NUMBER, slot_pattern, swing, .help = "dearest over cheapest slot, less 1"),
    FIELD(DAY, slot_pattern, date, .help = "of the pattern"),
    FIELD(TEXT, slot_pattern, why, .help = "where the pattern is from"),
};

static const struct field_set pattern_set = FIELD_SET(struct slot_pattern, pattern_fields);

static const struct field result[] = {
    FIELD(TEXT, plan_slots_result, offer, .help = "that was chosen; null without one"),
    FIELD(TEXT, plan_slots_result, provider, .help = "who sells it"),
    FIELD(TEXT, plan_slots_result, region, .help = "where"),
    FIELD(TEXT, plan_slots_result, instance, .help = "the machine's name"),
    FIELD(TEXT, plan_slots_result, accelerator, .help = "what it has"),
    FIELD(COUNT, plan_slots_result, count, .help = "how many"),
    FIELD(TEXT, plan_slots_result, market, .help = "spot or on-demand"),
    FIELD(RATE, plan_slots_result, price, .help = "of the machine: what multipliers are of"),
    FIELD(TEXT, plan_slots_result, price_kind,
          .help = "as last seen, or mean of its last week"),
    FIELD(DAY, plan_slots_result, price_date, .help = "of the price"),
    FIELD(NUMBER, plan_slots_result, hours, .help = "of a slot"),
    FIELD(COUNT, plan_slots_result, days, .help = "looked ahead"),
    FIELD(TEXT, plan_slots_result, aim, .help = "cost or carbon"),
    FIELD(TEXT, plan_slots_result, ranked,
          .help = "cost, carbon, or time when neither is known to change"),
    FIELD(TEXT, plan_slots_result, price_basis,
          .help = "history, measured, rule of thumb or flat"),
    FIELD(TEXT, plan_slots_result, price_why, .help = "where that is known from"),
    FIELD(NUMBER, plan_slots_result, price_swing, .help = "dearest slot over cheapest, less 1"),
    FIELD(TEXT, plan_slots_result, carbon_basis, .help = "measured, rule of thumb or flat"),
    FIELD(TEXT, plan_slots_result, carbon_why, .help = "where that is known from"),
    FIELD(NUMBER, plan_slots_result, carbon_swing,
          .help = "dirtiest over cleanest slot, less 1"),
    FIELD(NUMBER, plan_slots_result, carbon_g_kwh,
          .help = "of the grid in the mean, g CO2e/kWh"),
    FIELD(LIST, plan_slots_result, slots, .row = &slot_set,
          .help = "best first; none overlaps a better one"),
    FIELD(LIST, plan_slots_result, now, .row = &slot_set, .help = "the slot that starts now"),
    FIELD(LIST, plan_slots_result, patterns, .row = &pattern_set,
          .help = "of providers, when no offer is asked for"),
    FIELD(TEXTS, plan_slots_result, flat, .help = "providers of which no pattern is known"),
};

static bool matches(const struct offer_name *name, const struct offer_view *v)
{
    return name->instance.at == NULL ||
           (str_glob(v->instance, name->instance) &&
            (name->provider.at == NULL || str_glob(v->provider, name->provider)) &&
            (name->region.at == NULL || str_glob(v->region, name->region)));
}

/* The cheapest of those that are meant: of GPUs by the GPU, of machines by the machine. How
 * many there are. */
static size_t cheapest(const struct offer_view *views, size_t count,
                       const struct offer_name *name, struct str market, size_t *best)
{
    usd_per_hour least = USD_PER_HOUR_UNKNOWN;
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        usd_per_hour price = offer_price(&views[i], market);

        if (price.nano == MONEY_UNKNOWN || !matches(name, &views[i]))
            continue;
        if (name->instance.at == NULL)
            price = usd_per_hour_share(price, views[i].count);
        if (found++ == 0 || usd_per_hour_compare(price, least) < 0) {
            *best = i;
            least = price;
        }
    }
    return found;
}

static bool absent(const struct offer_view *views, size_t count,
                   const struct plan_slots_request *req, const struct offer_name *name,
                   struct error *err)
{
    struct suggestion s = {.wanted = name->instance};
    size_t best;

    if (req->offer.len == 0) {
        error_set(err, ERROR_ABSENT, "no offer of %.*s passes the filters", STR_ARG(req->gpu));
        error_hint(err, "'stint price list --gpu %.*s --market any' shows what there is",
                   STR_ARG(req->gpu));
        return false;
    }
    if (cheapest(views, count, name, STR("any"), &best) > 0) {
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
static bool choose(struct op_context *ctx, const struct plan_slots_request *req,
                   struct offer_view *out, struct str *market, struct error *err)
{
    struct offer_filter filter = {.gpu = req->gpu,
                                  .kind = STR("cloud"),
                                  .market = STR("any"),
                                  .providers = req->providers,
                                  .regions = req->regions,
                                  .min_memory = BYTES_UNKNOWN,
                                  .max_price = USD_PER_HOUR_UNKNOWN,
                                  .max_age = SPAN_UNKNOWN};
    struct offer_name name = {.market = -1};
    struct offer_view *views;
    size_t count, found, best = 0;

    if (req->offer.len > 0 && !offer_name_parse(req->offer, &name, err))
        return false;
    if (name.market > MARKET_SPOT)
        return error_fail(err, ERROR_USAGE, "a reservation has no slots: spot or on-demand");
    if (req->offer.len > 0 && req->providers.len == 0 && name.provider.len > 0)
        filter.providers = (struct strs){&name.provider, 1}; /* named: with an account or not */
    if (!offers_select(ctx, &filter, &views, &count, err))
        return false;
    *market = req->market.len > 0 ? req->market
              : name.market >= 0  ? str_from(market_names[name.market])
                                  : STR("spot");
    found = cheapest(views, count, &name, *market, &best);
    if (found == 0 && req->market.len == 0 && name.market < 0) {
        *market = STR("on-demand");
        found = cheapest(views, count, &name, *market, &best);
        if (found > 0)
            op_say(ctx, VOICE_NOTE, "it is not sold on spot: on-demand");
    }
    if (found == 0)
        return absent(views, count, req, &name, err);
    if (found > 1)
        op_say(ctx, VOICE_NOTE, "the cheapest of %zu is %.*s:%.*s", found,
               STR_ARG(views[best].offer), STR_ARG(*market));
    *out = views[best];
    return true;
}

struct slots {
    struct op_context *ctx;
    const struct plan_slots_request *req;
    struct plan_slots_result *res;
    struct offer_week week;
    stamp now;
};

static bool moment(const struct slots *s, double hours, struct str *out, struct error *err)
{
    struct buf text = buf_new(s->ctx->arena->alloc, 64);

    stamp_write((stamp){s->now.s + llround(hours * 3600)}, &text);
    return buf_keep(&text, s->ctx->arena, out, err);
}

static bool fill_row(const struct slots *s, const struct week_slot *slot, struct slot_row *out,
                     struct error *err)
{
    static const char *const names[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    double price = usd_per_hour_double(s->res->price) * slot->price;
    double hour = fmod(week_hour(s->now) + slot->start_h + 1e-6, WEEK_HOURS);

    *out =
        (struct slot_row){.day = str_from(names[(size_t)hour / 24]),
                          .start_h = slot->start_h,
                          .price = plan_week_round(slot->price),
                          .carbon = plan_week_round(slot->carbon),
                          .per_hour = {usd_about(price).nano},
                          .cost = usd_about(price * s->req->hours),
                          .carbon_g_kwh = plan_week_round(s->week.carbon_g_kwh * slot->carbon),
                          .saves = NAN};
    return moment(s, slot->start_h, &out->start, err) &&
           moment(s, slot->start_h + s->req->hours, &out->end, err);
}

/* What to rank by: the aim, if anything is known of it; else the other; else time. */
static struct str ranking(const struct plan_slots_result *res)
{
    bool cost = res->price_swing >= PLAN_WEEK_FLAT,
         carbon = res->carbon_swing >= PLAN_WEEK_FLAT;

    if (str_eq(res->aim, STR("carbon")))
        return carbon ? STR("carbon") : cost ? STR("cost") : STR("time");
    return cost ? STR("cost") : carbon ? STR("carbon") : STR("time");
}

static bool fill_slots(struct slots *s, struct error *err)
{
    struct plan_slots_result *res = s->res;
    size_t most = (size_t)s->req->limit, count;
    struct week_slot *slots = arena_array(s->ctx->arena, struct week_slot, most, err);
    struct slot_row *rows = arena_array(s->ctx->arena, struct slot_row, most + 1, err);
    double now = week_hour(s->now), hours = s->req->hours;
    bool cost = str_eq(res->ranked, STR("cost")), carbon = str_eq(res->ranked, STR("carbon"));
    struct week_wish wish = {
        &s->week.prices, &s->week.carbon, cost ? 1 : 0, carbon ? 1 : 0, now, hours};
    struct week_slot start = {0, week_mean(&s->week.prices, now, hours),
                              week_mean(&s->week.carbon, now, hours)};

    if (slots == NULL || rows == NULL || !fill_row(s, &start, &rows[most], err))
        return false;
    count = week_slots(&wish, (double)s->req->days, slots, most);
    for (size_t i = 0; i < count; i++) {
        if (!fill_row(s, &slots[i], &rows[i], err))
            return false;
        if (cost)
            rows[i].saves = plan_week_round(1 - slots[i].price / start.price);
        else if (carbon)
            rows[i].saves = plan_week_round(1 - slots[i].carbon / start.carbon);
    }
    res->slots = (struct rows){rows, count};
    res->now = (struct rows){&rows[most], 1};
    return true;
}

/* What the multipliers are of: the mean of the last week, with the user's discount, when its
 * own prices tell the pattern; else the price that is known. */
static void set_price(struct slots *s, const struct offer_view *o)
{
    const struct offer *row = market_offer_find(&s->ctx->catalog.tables[TABLE_OFFERS],
                                                o->provider, o->region, o->instance);
    bool spot = str_eq(s->res->market, STR("spot"));
    usd_per_hour list = spot ? o->list_spot : o->list_on_demand;
    usd_per_hour price = offer_price(o, s->res->market);

    s->res->price = price;
    s->res->price_kind = STR("as last seen");
    s->res->price_date = spot && row != NULL && row->spot_source.len > 0 ? row->spot_date
                         : row != NULL                                   ? row->fact.date
                                                                         : o->date;
    if (!str_eq(s->week.price_basis, STR("history")) || s->week.mean.nano <= 0)
        return;
    s->res->price = s->week.mean;
    s->res->price_kind = STR("mean of its last week");
    if (list.nano > 0)
        s->res->price.nano =
            usd_from(usd_per_hour_double(s->week.mean) * (double)price.nano / (double)list.nano)
                .nano;
}

static bool of_offer(struct slots *s, struct error *err)
{
    struct plan_slots_result *res = s->res;
    struct week_offer named;
    struct offer_view o = {0};

    if (!choose(s->ctx, s->req, &o, &res->market, err))
        return false;
    res->offer = o.offer;
    res->provider = o.provider;
    res->region = o.region;
    res->instance = o.instance;
    res->accelerator = o.accelerator;
    res->count = o.count;
    named = (struct week_offer){o.provider, o.region, o.instance, res->market};
    if (!plan_week_of_offer(s->ctx, &named, true, &s->week, err))
        return false;
    set_price(s, &o);
    res->price_basis = s->week.price_basis;
    res->price_why = s->week.price_why;
    res->price_swing = plan_week_swing(&s->week.prices, s->req->hours);
    res->carbon_basis = s->week.carbon_basis;
    res->carbon_why = s->week.carbon_why;
    res->carbon_swing = plan_week_swing(&s->week.carbon, s->req->hours);
    res->carbon_g_kwh = s->week.carbon_g_kwh;
    res->ranked = ranking(res);
    return fill_slots(s, err);
}

static bool check(const struct plan_slots_request *req, struct error *err)
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

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct plan_slots_request *req = in;
    struct plan_slots_result *res = out;
    struct slots s = {
        .ctx = ctx, .req = req, .res = res, .now = ctx->clock->today(ctx->clock->ctx)};

    if (!check(req, err))
        return false;
    res->hours = req->hours;
    res->days = req->days;
    res->aim = req->aim;
    if (req->offer.len == 0 && req->gpu.len == 0)
        return plan_slots_patterns(ctx, req, res, err);
    return of_offer(&s, err);
}

const struct op op_plan_slots = {
    .name = "plan.slots",
    .schema = "stint.plan.slots/1",
    .summary = "list the cheapest or lowest-carbon hours ahead",
    .request = &(const struct field_set)FIELD_SET(struct plan_slots_request, request),
    .result = &(const struct field_set)FIELD_SET(struct plan_slots_result, result),
    .run = run,
};
