#include "op/spot_source.h"

#include <math.h>
#include <stdio.h>

#include "op/offer_name.h"
#include "op/price_spot.h"
#include "spot/hazard.h"

#define GANG_MAX 1000000

static double dollars(usd_per_hour price)
{
    return usd_double((usd){price.nano});
}

static void say_prices(const struct spot_source *source, struct spot_place *p)
{
    if (source->spot.nano != MONEY_UNKNOWN)
        p->spot = dollars(source->spot);
    if (source->on_demand.nano != MONEY_UNKNOWN)
        p->on_demand = dollars(source->on_demand);
}

static bool method_text(struct op_context *ctx, struct spot_place *p, const char *text,
                        struct error *err)
{
    const char *kept = str_dup(str_from(text), ctx->arena, err);

    p->method = str_from(kept);
    return kept != NULL;
}

/* The mean of a price series where machines could be had. */
static double mean_price(const struct trace *trace, int64_t gang)
{
    double sum = 0, count = 0;

    if (trace->price == NULL)
        return trace->spot;
    for (size_t i = 0; i < trace->ticks; i++)
        if (trace->nodes_at[i] >= gang && !isnan(trace->price[i])) {
            sum += trace->price[i];
            count++;
        }
    return count > 0 ? sum / count : NAN;
}

static bool from_traces(struct op_context *ctx, const struct spot_source *source,
                        struct spot_place **out, size_t *count, struct error *err)
{
    struct traces all, picked;

    if (!trace_files_read(ctx, source->traces, source->ones, &all, NULL, err) ||
        !traces_pick(ctx, &all, source->zones, &picked, err))
        return false;
    *out = arena_array(ctx->arena, struct spot_place, picked.len, err);
    *count = picked.len;
    for (size_t i = 0; *out != NULL && i < picked.len; i++) {
        const struct trace *t = &picked.at[i];
        struct spot_place *p = &(*out)[i];
        char text[160];

        if (source->gang > t->nodes) {
            error_set(err, ERROR_INPUT, "a gang of %lld: '%.*s' was watched for %d at most",
                      (long long)source->gang, STR_ARG(t->id), t->nodes);
            error_hint(err, "choose other traces with --zones, or a smaller --gang");
            return false;
        }
        *p = (struct spot_place){.name = t->id,
                                 .spot = mean_price(t, source->gang),
                                 .on_demand = t->on_demand,
                                 .trace = t,
                                 .share = NAN};
        lifetimes_fit(t, (int32_t)source->gang, &p->life);
        (void)snprintf(text, sizeof text, "watched for %.0f h, every %d s",
                       (double)t->ticks * t->gap / 3600, t->gap);
        if (!method_text(ctx, p, text, err))
            return false;
    }
    return *out != NULL;
}

/* A share of the time that a provider's machines could be had, as far as they were watched. */
static double availability(const struct catalog *catalog, struct str provider)
{
    double sum = 0, count = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_INTERRUPTIONS].len; i++) {
        const struct interruption *row =
            CATALOG_ROW(catalog, TABLE_INTERRUPTIONS, interruption, i);

        if (!str_eq(row->provider, provider) || isnan(row->availability))
            continue;
        sum += row->availability;
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

/* Lifetimes of an offer: the model of watched machines, and the losses of its price. */
static bool model_offer(struct op_context *ctx, const struct spot_offer *o,
                        struct spot_place *p, struct error *err)
{
    static const char *const basis[] = {
        NULL,
        "machines of other providers that were watched",
        "machines of the provider that were watched",
        "machines of the provider that were watched, by how near spot is to on-demand",
    };
    bool known = o->history_days >= SPOT_FEWEST_DAYS;
    double first;
    char text[240];

    p->model = interruption_model(&ctx->catalog, o->provider);
    if (p->model.basis == BASIS_NONE)
        return error_fail(err, ERROR_ABSENT,
                          "nothing like '%.*s' was watched: its risk is "
                          "unknown",
                          STR_ARG(o->offer));
    p->share = 1 - o->saving;
    if (known)
        p->gone = rate_of((size_t)o->losses, o->exposed_h, SPOT_INTERVAL);
    if (!known || isnan(p->gone.mean)) {
        p->gone = (struct rate){0};
        known = false;
    }
    first = interruption_hazard(&p->model, p->share, 1, 0);
    p->life =
        lifetimes_from_hazard(first, p->model.shape, availability(&ctx->catalog, o->provider));
    for (size_t b = 0; b < AGE_BINS; b++)
        p->life.lose[b] += p->gone.mean;
    (void)snprintf(text, sizeof text, "modelled from %s%s",
                   basis[p->model.basis == BASIS_PRICE && isnan(p->share) ? BASIS_PROVIDER
                                                                          : p->model.basis],
                   known ? ", and from losses of its own price"
                         : "; its own price history is too short to count");
    return method_text(ctx, p, text, err);
}

/* The row of price.spot for just this offer. */
static bool find_row(struct op_context *ctx, const struct store_offer *o,
                     struct spot_offer *out, struct error *err)
{
    struct price_spot_request req;
    struct price_spot_result res;
    struct str text;

    if (!fields_reset(op_price_spot.request, &req, ctx->arena, err) ||
        !fields_reset(op_price_spot.result, &res, ctx->arena, err))
        return false;
    req.providers = (struct strs){&o->provider, 1};
    req.regions = (struct strs){&o->region, 1};
    req.all_zones = true;
    req.limit = INT32_MAX;
    if (!offer_text(o, ctx->arena, &text, err) || !op_price_spot.run(ctx, &req, &res, err))
        return false;
    for (size_t i = 0; i < res.offers.len; i++) {
        const struct spot_offer *row = (const struct spot_offer *)res.offers.at + i;

        if (str_eq(row->offer, text)) {
            *out = *row;
            return true;
        }
    }
    error_set(err, ERROR_ABSENT, "'%.*s' has no spot price now", STR_ARG(text));
    error_hint(err, "'stint price spot' lists those that have one");
    return false;
}

/* What makes the answer for an offer less than sure. */
static void say_doubts(const struct op_context *ctx, const struct spot_offer *row, int64_t gang)
{
    if (row->doubtful)
        op_say(ctx, VOICE_WARN, "the spot price of %.*s is in doubt: %.*s", STR_ARG(row->offer),
               STR_ARG(row->doubts.at[0]));
    if (gang > 1)
        op_say(ctx, VOICE_WARN,
               "one machine of %lld was watched at a time: losing any of a gang is more likely "
               "than this says",
               (long long)gang);
}

static bool from_offer(struct op_context *ctx, const struct spot_source *source,
                       struct spot_place **out, size_t *count, struct error *err)
{
    const struct store *store = market_filled(ctx, err);
    struct offer_name name;
    struct store_offer offer;
    struct spot_offer row;

    if (store == NULL || !offer_name_parse(source->offer, &name, err))
        return false;
    name.market = MARKET_SPOT;
    if (!offer_name_find(ctx, store, &name, &offer, err) || !find_row(ctx, &offer, &row, err))
        return false;
    *out = arena_array(ctx->arena, struct spot_place, 1, err);
    if (*out == NULL)
        return false;
    *count = 1;
    **out = (struct spot_place){
        .name = row.offer, .spot = dollars(row.price), .on_demand = dollars(row.on_demand)};
    say_doubts(ctx, &row, source->gang);
    return model_offer(ctx, &row, *out, err);
}

static bool from_rate(struct op_context *ctx, const struct spot_source *source,
                      struct spot_place **out, size_t *count, struct error *err)
{
    double rate = source->mtbf.ns > 0 ? 1 / span_in_hours(source->mtbf) : source->hazard;

    *out = arena_array(ctx->arena, struct spot_place, 1, err);
    if (*out == NULL)
        return false;
    *count = 1;
    **out = (struct spot_place){.spot = NAN,
                                .on_demand = NAN,
                                .share = NAN,
                                .life = lifetimes_from_hazard(rate, 1, NAN)};
    return method_text(ctx, *out, "as you say: the same at every age, which is seldom true",
                       err);
}

bool spot_places(struct op_context *ctx, const struct spot_source *source,
                 struct spot_place **out, size_t *count, struct error *err)
{
    bool rate = source->mtbf.ns > 0 || source->hazard > 0;
    int given = (source->offer.len > 0) + (source->traces.len > 0) + (source->mtbf.ns > 0) +
                (source->hazard > 0);
    bool ok;

    if (given != 1) {
        error_set(err, ERROR_USAGE,
                  given == 0 ? "of which machine?"
                             : "an offer, traces and a rate are one too many");
        error_hint(err, "give one of an offer ('stint price spot' lists them), --traces FILE, "
                        "or --mtbf 5h");
        return false;
    }
    if (source->gang > GANG_MAX)
        return error_fail(err, ERROR_USAGE, "--gang is at most %d", GANG_MAX);
    ok = source->traces.len > 0 ? from_traces(ctx, source, out, count, err)
         : rate                 ? from_rate(ctx, source, out, count, err)
                                : from_offer(ctx, source, out, count, err);
    for (size_t i = 0; ok && i < *count; i++)
        say_prices(source, &(*out)[i]);
    return ok;
}
