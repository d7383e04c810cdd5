/* plan.slots - when a machine is cheapest, or its power cleanest, in the days to come. */
#include "op/plan/plan_slots.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "market/offers.h"
#include "op/offers.h"
#include "op/price/market_view.h"
#include "op/price/offer_name.h"

/* ---- the weeks of providers, for plan.slots without an offer ---- */

/* The row of the table that starts a provider's market. */
static bool first_of_market(const struct price_hours *rows, size_t i)
{
    return i == 0 || !str_eq(rows[i].provider, rows[i - 1].provider) ||
           !str_eq(rows[i].market, rows[i - 1].market);
}

/* To six decimals: more are only what adding up leaves. */
static double plan_week_round(double ratio)
{
    return round(ratio * 1e6) / 1e6;
}

/* The dearest over the cheapest slot of so many hours, less 1. */
static double plan_week_swing(const struct week *week, double hours)
{
    double least = INFINITY, most = 0;

    for (size_t h = 0; h < WEEK_HOURS; h++) {
        double mean = week_mean(week, (double)h, hours);

        least = fmin(least, mean);
        most = fmax(most, mean);
    }
    return least > 0 ? plan_week_round(most / least - 1) : INFINITY;
}

static bool fill(struct op_context *ctx, const struct plan_slots_request *req,
                 const struct price_hours *row, struct slot_pattern *out, struct error *err)
{
    stamp now = ctx->clock->today(ctx->clock->ctx);
    struct buf text = buf_new(ctx->arena->alloc, 64);
    struct week_slot best = {0};
    struct week week;
    struct week_wish wish = {
        .prices = &week, .price_weight = 1, .now = week_hour(now), .hours = req->hours};
    bool measured, ok;

    (void)week_of_prices(&ctx->catalog, row->provider, row->market, &week, &measured);
    (void)week_slots(&wish, (double)req->days, &best, 1);
    *out = (struct slot_pattern){.provider = row->provider,
                                 .market = row->market,
                                 .basis = measured ? STR("measured") : STR("rule of thumb"),
                                 .price = plan_week_round(best.price),
                                 .swing = plan_week_swing(&week, req->hours),
                                 .why = row->fact.source,
                                 .date = row->fact.date};
    if (out->swing < PLAN_WEEK_FLAT)
        return true;
    stamp_write((stamp){now.s + llround(best.start_h * 3600)}, &text);
    ok = buf_ok(&text, err) &&
         (out->start.at = str_dup(buf_text(&text), ctx->arena, err)) != NULL;
    out->start.len = text.len;
    buf_free(&text);
    return ok;
}

/* Providers that are meant and have no row. */
static bool list_flat(struct op_context *ctx, struct strs providers,
                      struct plan_slots_result *res, struct error *err)
{
    const struct rows *table = &ctx->catalog.tables[TABLE_PROVIDERS];
    const struct slot_pattern *patterns = res->patterns.at;
    struct str *names = arena_array(ctx->arena, struct str, table->len, err);
    size_t count = 0;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < table->len; i++) {
        struct str provider =
            CATALOG_ROW(&ctx->catalog, TABLE_PROVIDERS, provider, i)->provider;
        bool known = !strs_match(providers, provider);

        for (size_t k = 0; k < res->patterns.len && !known; k++)
            known = str_eq(patterns[k].provider, provider);
        if (!known)
            names[count++] = provider;
    }
    res->flat = (struct strs){names, count};
    return true;
}

/* The cheapest slot of each provider's market that has a pattern; of which there is none,
 * too. */
static bool plan_slots_patterns(struct op_context *ctx, const struct plan_slots_request *req,
                                struct plan_slots_result *res, struct error *err)
{
    struct strs providers = req->providers.len > 0 ? req->providers : ctx->settings->providers;
    const struct price_hours *rows;
    struct slot_pattern *patterns;
    size_t count = 0, len;

    if (req->regions.len > 0) {
        error_set(err, ERROR_USAGE, "a region alone has no slots");
        error_hint(err, "say which machine: --gpu H100 --region 'us-*'");
        return false;
    }
    if (!op_catalog(ctx, TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_PROVIDERS), err) ||
        !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_PROVIDERS), "provider",
                                providers, err))
        return false;
    rows = ctx->catalog.tables[TABLE_PRICE_HOURS].at;
    len = ctx->catalog.tables[TABLE_PRICE_HOURS].len;
    patterns = arena_array(ctx->arena, struct slot_pattern, len, err);
    if (patterns == NULL)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!first_of_market(rows, i) || !strs_match(providers, rows[i].provider) ||
            (req->market.len > 0 && !str_eq(req->market, rows[i].market)))
            continue;
        if (!fill(ctx, req, &rows[i], &patterns[count++], err))
            return false;
    }
    res->patterns = (struct rows){patterns, count};
    /* Of all providers most have none: only those that are meant are named. */
    return providers.len == 0 || list_flat(ctx, providers, res, err);
}

/* ---- the week of one offer: from its own prices, from the provider's pattern, or flat ---- */

#define HISTORY_DAYS 182 /* as 'price history' looks for patterns */
#define SETTLED_DAYS 21  /* a price that stood still for so long does not follow the hours */

/* A sentence in the arena. */
static bool sentence(struct op_context *ctx, struct str *out, struct error *err,
                     const char *fmt, ...) PRINTF_LIKE(4, 5);

static bool sentence(struct op_context *ctx, struct str *out, struct error *err,
                     const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    out->at = str_dup(str_from(text), ctx->arena, err);
    *out = str_from(out->at);
    return out->at != NULL;
}

static void flat(struct week *out)
{
    double hours[WEEK_HOURS];

    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] = 1;
    week_of(hours, out);
}

/* A pattern of days or hours as a week whose mean is 1; a slot that was never seen has it. */
static void week_of_pattern(const struct pattern *p, struct week *out)
{
    double hours[WEEK_HOURS], sum = 0;

    for (size_t h = 0; h < WEEK_HOURS; h++) {
        double ratio = p->ratio[h * p->slots / WEEK_HOURS];

        hours[h] = ratio > 0 ? ratio : 1;
        sum += hours[h];
    }
    for (size_t h = 0; h < WEEK_HOURS; h++)
        hours[h] *= WEEK_HOURS / sum;
    week_of(hours, out);
}

/* The series that tells what the offer costs now: of its zones the cheapest, of several feeds
 * the one to believe. SIZE_MAX when there is none. */
static size_t series_of(const struct op_context *ctx, const struct store *store,
                        const struct week_offer *offer)
{
    struct price_now best = {.series = SIZE_MAX};
    enum market market;

    if (!market_named(offer->market, &market))
        return SIZE_MAX;
    for (size_t i = store_offer_find(store, offer->provider, offer->region);
         i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);
        struct price_now now;

        if (!str_eq(o.provider, offer->provider) || !str_eq(o.region, offer->region))
            break;
        if (!str_eq(o.instance, offer->instance))
            continue;
        now = price_now(ctx, store, &o, market);
        if (now.series != SIZE_MAX &&
            (best.series == SIZE_MAX || price_now_compare(&now, &best) < 0))
            best = now;
    }
    return best.series;
}

/* What its prices show. False when memory runs out; `out->price_basis` stays empty when they
 * show nothing either way. */
static bool judge(struct op_context *ctx, struct points points, struct window window,
                  struct arena *scratch, struct offer_week *out, struct error *err)
{
    long long days = (long long)((window.to.s - window.from.s) / SECONDS_PER_DAY);
    struct pattern hours, weekdays, *found;

    if (window.from.s < points.at[0].at.s)
        days = (long long)((window.to.s - points.at[0].at.s) / SECONDS_PER_DAY);
    if (days >= SETTLED_DAYS && series_moves(points, window).changes == 0) {
        out->price_basis = STR("flat");
        return sentence(ctx, &out->price_why, err, "its own price stood still for %lld days",
                        days);
    }
    if (!series_pattern(points, window, WEEK_HOURS, &hours, scratch, err) ||
        !series_pattern(points, window, WEEK_DAYS, &weekdays, scratch, err))
        return false;
    found = hours.found == PATTERN_REAL ? &hours : &weekdays;
    if (found->found == PATTERN_REAL) {
        week_of_pattern(found, &out->prices);
        out->price_basis = STR("history");
        return sentence(ctx, &out->price_why, err,
                        "its own prices of %zu weeks, by the %s of the week; by chance as much "
                        "is seen in %.1f %% of cases",
                        found->weeks, found == &hours ? "hour" : "day", found->chance * 100);
    }
    if (hours.found != PATTERN_NONE)
        return true;
    out->price_basis = STR("flat");
    return sentence(ctx, &out->price_why, err,
                    "its own prices of %zu weeks show no pattern beyond chance", hours.weeks);
}

static bool from_history(struct op_context *ctx, const struct week_offer *offer,
                         struct offer_week *out, struct error *err)
{
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    stamp now = ctx->clock->today(ctx->clock->ctx);
    const struct store *store;
    struct store_series series;
    struct points points;
    struct window window;
    size_t at;
    bool ok;

    if (ctx->settings->prices.len == 0) /* there is no home, and so no history */
        return true;
    store = op_store(ctx, err);
    if (store == NULL || !op_catalog(ctx, TABLE_BIT(TABLE_EXCHANGE), err))
        return false;
    at = series_of(ctx, store, offer);
    if (at == SIZE_MAX)
        return true;
    series = store_series(store, at);
    window = market_window(&series, now, HISTORY_DAYS);
    ok = store_points(store, at, &scratch, &points, err);
    if (ok && points.len > 0) {
        struct window last = market_window(&series, now, WEEK_DAYS);
        double mean = series_stats(points, last).mean;

        if (!isnan(mean) && str_eq(str_from(series.currency), STR("USD")))
            out->mean.nano = llround(mean);
        ok = judge(ctx, points, window, &scratch, out, err);
    }
    arena_free(&scratch);
    return ok;
}

/* Where a pattern of a provider's market was read. */
static struct str source_of(const struct catalog *catalog, const struct week_offer *offer)
{
    for (size_t i = 0; i < catalog->tables[TABLE_PRICE_HOURS].len; i++) {
        const struct price_hours *row = CATALOG_ROW(catalog, TABLE_PRICE_HOURS, price_hours, i);

        if (str_eq(row->provider, offer->provider) && str_eq(row->market, offer->market))
            return row->fact.source;
    }
    return (struct str){0};
}

static bool from_tables(struct op_context *ctx, const struct week_offer *offer,
                        struct offer_week *out, struct error *err)
{
    struct str source;
    bool measured;

    if (!week_of_prices(&ctx->catalog, offer->provider, offer->market, &out->prices,
                        &measured)) {
        out->price_basis = STR("flat");
        out->price_why = STR("nothing is known to change");
        return true;
    }
    source = source_of(&ctx->catalog, offer);
    out->price_basis = measured ? STR("measured") : STR("rule of thumb");
    return sentence(ctx, &out->price_why, err, "%s for %.*s %.*s (%.*s)",
                    measured ? "measured" : "a rule of thumb", STR_ARG(offer->provider),
                    STR_ARG(offer->market), STR_ARG(source));
}

static bool set_carbon(struct op_context *ctx, const struct week_offer *offer,
                       struct offer_week *out, struct error *err)
{
    const struct region *region = region_find(&ctx->catalog, offer->provider, offer->region);
    bool measured;

    out->carbon_basis = STR("flat");
    out->carbon_why = STR("nothing is known of the hours of its grid");
    out->carbon_g_kwh = region != NULL ? region->carbon_g_kwh : NAN;
    if (region == NULL ||
        !week_of_carbon(&ctx->catalog, region->grid, &out->carbon, &measured)) {
        flat(&out->carbon);
        return true;
    }
    out->carbon_basis = measured ? STR("measured") : STR("rule of thumb");
    return sentence(ctx, &out->carbon_why, err, "%s for the grid %.*s, by the sun's hours",
                    measured ? "measured" : "a rule of thumb", STR_ARG(region->grid));
}

bool plan_week_of_offer(struct op_context *ctx, const struct week_offer *offer, bool history,
                        struct offer_week *out, struct error *err)
{
    *out = (struct offer_week){.mean = USD_PER_HOUR_UNKNOWN};
    flat(&out->prices);
    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_CARBON_HOURS) |
                        TABLE_BIT(TABLE_REGIONS),
                    err))
        return false;
    if (history && !from_history(ctx, offer, out, err))
        return false;
    if (out->price_basis.len == 0 && !from_tables(ctx, offer, out, err))
        return false;
    if (!set_carbon(ctx, offer, out, err))
        return false;
    out->price_varies = plan_week_swing(&out->prices, 1) >= PLAN_WEEK_FLAT;
    out->carbon_varies = plan_week_swing(&out->carbon, 1) >= PLAN_WEEK_FLAT;
    return true;
}

/* ---- the operation ---- */

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
            message_note(&ctx->messages, "it is not sold on spot: on-demand");
    }
    if (found == 0)
        return absent(views, count, req, &name, err);
    if (found > 1)
        message_note(&ctx->messages, "the cheapest of %zu is %.*s:%.*s", found,
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
    const struct machine *row = market_offer_find(&s->ctx->catalog.tables[TABLE_OFFERS],
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
