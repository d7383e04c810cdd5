/* price.spot - the cheapest spot machines now, how much their prices move and how risky they
 * are. */
#include "op/spot/price_spot.h"

#include <math.h>

#include "market/spot_candidates.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

static const struct field request[] = {
    FIELD(TEXT, price_spot_request, gpu, .value = "GPU", .also = accelerator_options,
          .help = "accelerator to list, such as H100 or 'RTX 4090'"),
    MACHINE_ANY_FORM(price_spot_request, any_form),
    FIELD(BYTES, price_spot_request, min_memory, .value = "SIZE",
          .help = "minimum memory of one GPU, such as 40GB"),
    FIELD(COUNT, price_spot_request, count, .value = "N", .positive = true,
          .help = "minimum number of GPUs per machine; ranks by the machine's price"),
    MACHINE_PLACES(price_spot_request, providers, regions),
    FIELD_AS("for", SPAN, price_spot_request, length, .value = "TIME", .positive = true,
             .hours = true, .help = "time for which you need it, such as 2h: shows the risk"),
    FIELD(SHARE, price_spot_request, max_risk, .value = "SHARE",
          .help = "maximum modeled risk within --for, such as 20%"),
    FIELD(FLAG, price_spot_request, all_zones,
          .help = "show every zone, not only the cheapest of each region"),
    FIELD(COUNT, price_spot_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "show the first N"),
};

static const struct field result[] = {
    FIELD(LIST, price_spot_result, offers, .row = &spot_offer_fields,
          .help = "offers, cheapest first"),
    FIELD(COUNT, price_spot_result, candidates, .help = "zones that passed the filters"),
    FIELD(NUMBER, price_spot_result, hours, .help = "requested hours"),
    FIELD(RECORD, price_spot_result, age, .row = &price_age_fields,
          .help = "age of the prices"),
};

struct search {
    struct op_context *ctx;
    struct market_view view;
    const struct truster *truster;
    const struct price_spot_request *req;
    struct spot_candidates found;
};

static bool find_spot_candidates(struct search *s, const struct store_offer *offers,
                                 size_t count, struct error *err)
{
    return spot_candidates_find(&s->view, s->truster, offers, count, s->req->count > 0,
                                &s->found, err);
}

/* What the history of one shows: moves, losses and the risk. */
static bool measure_history(struct search *s, const struct spot_candidate *c,
                            struct spot_offer *out, struct error *err)
{
    struct arena scratch = {.alloc = s->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct store_series series = store_series(s->view.store, c->spot.series);
    struct window window = market_window(&series, op_now(s->ctx), SPOT_HISTORY_DAYS);
    struct points spot, limit = {0};
    struct volatility v;
    struct losses l;
    bool ok = store_points(s->view.store, c->spot.series, &scratch, &spot, err) &&
              (c->on_demand.series == SIZE_MAX ||
               store_points(s->view.store, c->on_demand.series, &scratch, &limit, err)) &&
              series_volatility(spot, window, &v, &scratch, err);

    if (ok) {
        struct rate rate;
        double hours = span_in_hours(s->req->length);

        l = series_losses(spot, limit, window);
        rate = rate_of(l.events, l.exposed_h, SPOT_OFFER_INTERVAL);
        out->daily = v.daily;
        out->weekly = v.weekly;
        out->daily_range = v.range;
        out->history_days = l.known_h / 24;
        out->span_days = l.span_h / 24;
        out->losses = (int64_t)l.events;
        out->exposed_h = l.exposed_h;
        if (s->ctx->book != NULL) /* without a history: by machines that were watched alone */
            rate = (struct rate){0};
        if (s->req->length.ns > 0 && out->history_days < SPOT_FEWEST_DAYS &&
            s->ctx->book == NULL)
            out->risk_unknown = STR("less than 14 days with data");
        else if (s->req->length.ns > 0)
            spot_offer_risk(&s->ctx->catalog, rate, hours, out);
    }
    arena_free(&scratch);
    return ok;
}

static bool fill_offer(struct search *s, const struct spot_candidate *c, struct spot_offer *out,
                       struct error *err)
{
    const struct store_offer *o = c->offer;
    struct store_series series = store_series(s->view.store, c->spot.series);

    *out = (struct spot_offer){.provider = o->provider,
                               .region = o->region,
                               .zone = o->zone,
                               .instance = o->instance,
                               .accelerator = o->accelerator,
                               .feed = store_feed(s->view.store, series.feed).feed,
                               .count = o->count,
                               .price = c->spot.price,
                               .per_gpu = {(int64_t)((double)c->spot.price.nano / o->count)},
                               .on_demand = c->on_demand.price,
                               .price_low = rate_low(c->spot.price, c->trust.width),
                               .price_high = rate_high(c->spot.price, c->trust.width),
                               .premium = c->trust.premium,
                               .age_days = (int64_t)s->view.today.n - day_of(c->spot.seen).n,
                               .saving = NAN,
                               .reliability = o->reliability,
                               .seen = c->spot.seen,
                               .risk = NAN,
                               .risk_low = NAN,
                               .risk_high = NAN,
                               .doubtful = choose_doubted(c->spot.doubts)};
    if (c->on_demand.price.nano > 0)
        out->saving = 1 - (double)c->spot.price.nano / (double)c->on_demand.price.nano;
    return machine_name(o->provider, o->region, o->zone, o->instance, s->ctx->arena,
                        &out->offer, err) &&
           doubt_words(c->spot.doubts, s->ctx->arena, &out->doubts, err) &&
           measure_history(s, c, out, err);
}

static void note_prices(struct search *s, const struct spot_candidate *c)
{
    currency_notes_rate(&s->found.notes, c->spot.rate);
    currency_notes_rate(&s->found.notes, c->on_demand.rate);
    s->found.notes.discounted += c->discounted;
}

/* Why candidates are left out: reasons for an unknown risk are few constants. */
struct left_out {
    struct {
        struct str reason;
        size_t count;
    } unknown[4];
    size_t risky;
};

static void count_left_out(struct left_out *l, const struct spot_offer *o)
{
    l->risky += isnan(o->risk) ? 0 : 1;
    for (size_t i = 0; i < ARRAY_LEN(l->unknown) && isnan(o->risk); i++)
        if (l->unknown[i].count == 0 || str_eq(l->unknown[i].reason, o->risk_unknown)) {
            l->unknown[i].reason = o->risk_unknown;
            l->unknown[i].count++;
            return;
        }
}

static void note_left_out(const struct search *s, const struct left_out *l)
{
    for (size_t i = 0; i < ARRAY_LEN(l->unknown); i++)
        if (l->unknown[i].count > 0)
            message_note(&s->ctx->messages, "%zu left out, their risk is unknown: %.*s",
                         l->unknown[i].count, STR_ARG(l->unknown[i].reason));
    if (l->risky > 0)
        message_note(&s->ctx->messages, "%zu left out: their risk is above --max-risk",
                     l->risky);
}

/* In the order of price until there are enough; history is read only for those. */
static bool list_offers(struct search *s, struct price_spot_result *res, struct error *err)
{
    size_t limit =
        (size_t)s->req->limit < s->found.count ? (size_t)s->req->limit : s->found.count;
    struct spot_offer *rows = arena_array(s->ctx->arena, struct spot_offer, limit, err);
    bool *shown = arena_array(s->ctx->arena, bool, s->found.machines, err);
    struct left_out left_out = {0};
    size_t count = 0;

    if (rows == NULL || shown == NULL)
        return false;
    for (size_t i = 0; i < s->found.count && count < limit; i++) {
        const struct spot_candidate *c = &s->found.at[i];

        if (shown[c->machine] && !s->req->all_zones)
            continue;
        if (!fill_offer(s, c, &rows[count], err))
            return false;
        if (!isnan(s->req->max_risk) && !(rows[count].risk <= s->req->max_risk)) {
            count_left_out(&left_out, &rows[count]);
            continue;
        }
        note_prices(s, c);
        op_price_age(s->ctx, day_of(c->spot.seen), &res->age);
        shown[c->machine] = true;
        count++;
    }
    note_left_out(s, &left_out);
    if (count > 0)
        rows[0].cheapest = !rows[0].doubtful;
    res->offers = (struct rows){rows, count};
    res->candidates = (int64_t)s->found.count;
    return true;
}

static bool load_tables(struct search *s, struct error *err)
{
    struct truster *truster;

    if (!op_zones(s->ctx,
                  TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                      TABLE_BIT(TABLE_DISCOUNTS) | TABLE_BIT(TABLE_EXCHANGE) |
                      TABLE_BIT(TABLE_INTERRUPTIONS),
                  &s->view, err) ||
        !op_truster(s->ctx, &truster, err))
        return false;
    s->truster = truster;
    s->view = op_zone_market(s->ctx);
    return true;
}

bool price_spot_named(struct op_context *ctx, const struct offer_name *name, struct rows *out,
                      struct error *err)
{
    static const struct price_spot_request plain = {.count = 1, .length = {-1}};
    struct search s = {.ctx = ctx, .req = &plain};
    struct zone_query filter = {.providers = {&name->provider, name->provider.at != NULL},
                                .regions = {&name->region, name->region.at != NULL}};
    struct store_offer *offers;
    struct spot_offer *rows;
    size_t count, found = 0;

    if (!load_tables(&s, err) || !zones_select(&s.view, &filter, &offers, &count, err) ||
        !find_spot_candidates(&s, offers, count, err))
        return false;
    rows = arena_array(ctx->arena, struct spot_offer, s.found.count, err);
    for (size_t i = 0; rows != NULL && i < s.found.count; i++) {
        const struct spot_candidate *c = &s.found.at[i];

        if (!offer_name_means(name, c->offer->provider, c->offer->region, c->offer->zone,
                              c->offer->instance, c->offer->accelerator, c->offer->count))
            continue;
        if (!fill_offer(&s, c, &rows[found], err))
            return false;
        note_prices(&s, c);
        found++;
    }
    currency_notes_say(&s.found.notes, &ctx->messages);
    *out = (struct rows){rows, found};
    return rows != NULL;
}

static bool select_zones(struct search *s, struct store_offer **offers, size_t *count,
                         struct error *err)
{
    const struct price_spot_request *req = s->req;
    struct zone_query filter = {.providers = req->providers,
                                .regions = req->regions,
                                .any_form = req->any_form,
                                .min_memory = req->min_memory,
                                .min_count = req->count};

    if (!load_tables(s, err))
        return false;
    if (req->gpu.at != NULL) {
        filter.gpu = op_accelerator(s->ctx, req->gpu, req->any_form, err);
        if (filter.gpu == NULL)
            return false;
    }
    return op_places(s->ctx, &filter.providers, &filter.regions, err) &&
           zones_select(&s->view, &filter, offers, count, err);
}

static bool price_spot_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct price_spot_result *res = out;
    struct search s = {.ctx = ctx, .req = in};
    struct store_offer *offers;
    size_t count;

    if (!isnan(s.req->max_risk) && s.req->length.ns < 0) {
        error_set(err, ERROR_USAGE, "--max-risk needs --for: a risk is one within some time");
        error_hint(err, "stint price spot --for 2h --max-risk 20%%");
        return false;
    }
    if (!select_zones(&s, &offers, &count, err) ||
        !find_spot_candidates(&s, offers, count, err) || !list_offers(&s, res, err))
        return false;
    currency_notes_say(&s.found.notes, &ctx->messages);
    if (res->offers.len == 0) {
        error_set(err, ERROR_ABSENT, "no spot price matches");
        error_hint(err, "leave out a filter; --any-form widens the search");
        return false;
    }
    res->hours = s.req->length.ns > 0 ? span_in_hours(s.req->length) : NAN;
    op_price_age_warn(ctx, &res->age);
    return true;
}

const struct op op_price_spot = {
    .name = "price.spot",
    .schema = "stint.price.spot/1",
    .summary = "list the cheapest spot machines with interruption risk",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_spot_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_spot_result, result),
    .run = price_spot_run,
};
