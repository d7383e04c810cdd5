#include "spot/source.h"

#include <math.h>
#include <stdio.h>

#include "spot/hazard.h"

#define RISK_SIGMA 1.2816 /* deviations either side that hold SPOT_OFFER_INTERVAL */

static const struct field offer_fields[] = {
    FIELD(TEXT, spot_offer, offer, .help = "provider/region/zone/instance"),
    FIELD(TEXT, spot_offer, provider, .help = "provider that sells it"),
    FIELD(TEXT, spot_offer, region, .help = "region, as the provider names it"),
    FIELD(TEXT, spot_offer, zone, .help = "zone of the region; empty for all zones"),
    FIELD(TEXT, spot_offer, instance, .help = "instance name"),
    FIELD(TEXT, spot_offer, accelerator, .help = "accelerator"),
    FIELD(NUMBER, spot_offer, count, .help = "number of accelerators"),
    FIELD(RATE, spot_offer, price, .help = "spot price per machine-hour"),
    FIELD(RATE, spot_offer, per_gpu, .help = "spot price per accelerator-hour"),
    FIELD(RATE, spot_offer, on_demand, .help = "on-demand price per machine-hour"),
    FIELD(RATE, spot_offer, price_low,
          .help = "low end of the 80 % range of the spot price today"),
    FIELD(RATE, spot_offer, price_high,
          .help = "high end of the 80 % range of the spot price today"),
    FIELD_AS("savings", NUMBER, spot_offer, saving,
             .help = "savings as a share of on-demand; negative when more expensive"),
    FIELD(NUMBER, spot_offer, daily,
          .help = "measured: standard deviation of daily changes (logarithms)"),
    FIELD(NUMBER, spot_offer, weekly,
          .help = "measured: mean size of a weekly change, a share"),
    FIELD(NUMBER, spot_offer, daily_range,
          .help = "measured: mean daily range, highest over lowest price less 1"),
    FIELD(NUMBER, spot_offer, history_days,
          .help = "measured: days of history used, without days that have no data"),
    FIELD(NUMBER, spot_offer, span_days,
          .help = "measured: days from the first to the last of the history"),
    FIELD_AS("interruptions", COUNT, spot_offer, losses,
             .help = "measured: times it vanished or rose to on-demand in these days"),
    FIELD(NUMBER, spot_offer, exposed_h,
          .help = "measured: hours of availability in these days"),
    FIELD(TEXT, spot_offer, risk_basis,
          .help = "basis of the model: price, provider or others"),
    FIELD(SHARE, spot_offer, risk,
          .help = "modeled: risk of an interruption within the requested time"),
    FIELD(SHARE, spot_offer, risk_low, .help = "modeled: low end of the 80 % interval"),
    FIELD(SHARE, spot_offer, risk_high, .help = "modeled: high end of the 80 % interval"),
    FIELD(TEXT, spot_offer, risk_unknown,
          .help = "reason why the risk requested with --for is unknown"),
    FIELD(SHARE, spot_offer, reliability, .help = "reliability of this machine, by its market"),
    FIELD(TIME, spot_offer, seen, .short_midnight = true, .empty_unknown = true,
          .help = "time when the price was last confirmed"),
    FIELD(COUNT, spot_offer, age_days, .help = "age of the price in days"),
    FIELD(TEXT, spot_offer, feed, .help = "price feed"),
    FIELD(TEXTS, spot_offer, doubts, .help = "doubts about the price"),
    FIELD(FLAG, spot_offer, doubtful, .help = "price is doubtful: ranked last"),
    FIELD(FLAG, spot_offer, cheapest, .help = "cheapest of those shown"),
};

const struct field_set spot_offer_fields = FIELD_SET(struct spot_offer, offer_fields);

/* Machines are taken back while their price stays: that part is modeled from machines that
 * were watched. That the price itself goes away is added, at the rate measured here. */
void spot_offer_risk(const struct catalog *catalog, struct rate rate, double hours,
                     struct spot_offer *out)
{
    static const char *const names[] = {NULL, "others", "provider", "price"};
    struct interruption_model m = interruption_model(catalog, out->provider);
    double share = 1 - out->saving;

    if (m.basis == BASIS_NONE)
        out->risk_unknown = STR("nothing like it was watched");
    else if (isnan(rate.mean))
        out->risk_unknown = STR("it was never below on-demand in its history");
    if (out->risk_unknown.len > 0)
        return;
    out->risk_basis =
        str_from(names[m.basis == BASIS_PRICE && isnan(share) ? BASIS_PROVIDER : m.basis]);
    out->risk = -expm1(-interruption_hazard(&m, share, hours, 0) - rate.mean * hours);
    out->risk_low =
        -expm1(-interruption_hazard(&m, share, hours, -RISK_SIGMA) - rate.low * hours);
    out->risk_high =
        -expm1(-interruption_hazard(&m, share, hours, RISK_SIGMA) - rate.high * hours);
}

#define GANG_MAX 1000000
#define HAZARD_MOST 3600.0 /* an hour: none lasts a second */

static void apply_prices(const struct spot_source *source, struct spot_place *p)
{
    if (source->spot.nano != MONEY_UNKNOWN)
        p->spot = usd_per_hour_double(source->spot);
    if (source->on_demand.nano != MONEY_UNKNOWN)
        p->on_demand = usd_per_hour_double(source->on_demand);
}

static bool set_place_method(struct arena *arena, struct spot_place *p, const char *text,
                             struct error *err)
{
    return str_keep(str_from(text), arena, &p->method, err);
}

/* The mean of a price series where machines were available. */
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

/* "watched for 336 h, every 600 s". */
static void write_watched(const struct trace *t, char *to, size_t room)
{
    double seen = trace_seen_hours(t), all = (double)t->ticks * t->gap / 3600;

    if (seen < all)
        (void)snprintf(to, room, "watched for %.0f h of %.0f h, every %d s", seen, all, t->gap);
    else
        (void)snprintf(to, room, "watched for %.0f h, every %d s", all, t->gap);
}

bool spot_source_traces(const struct spot_source *source, const struct messages *messages,
                        struct arena *arena, struct spot_place **out, size_t *count,
                        struct error *err)
{
    struct trace_files files = {source->traces, source->ones, source->zones};
    struct traces all, picked;

    if (!trace_files_read(&files, messages, arena, &all, NULL, err) ||
        !traces_pick(&all, source->zones, arena, &picked, err))
        return false;
    *out = arena_array(arena, struct spot_place, picked.len, err);
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
        apply_prices(source, p);
        lifetimes_fit(t, (int32_t)source->gang, &p->life);
        write_watched(t, text, sizeof text);
        if (!set_place_method(arena, p, text, err))
            return false;
    }
    return *out != NULL;
}

/* What spot costs of on-demand: by the given prices, else by those that are known. */
static double spot_place_share(const struct spot_place *p)
{
    return p->on_demand > 0 ? p->spot / p->on_demand : NAN;
}

bool spot_place_model(const struct spot_offer *row, const struct catalog *catalog,
                      struct arena *arena, struct spot_place *out, struct error *err)
{
    static const char *const basis[] = {
        NULL,
        "machines of other providers that were watched",
        "machines of the provider that were watched",
        "machines of the provider that were watched, by how near spot is to on-demand",
    };
    bool known = row->history_days >= SPOT_FEWEST_DAYS;
    char text[240], all[32] = "";
    double first;

    out->model = interruption_model(catalog, row->provider);
    if (out->model.basis == BASIS_NONE) {
        error_set(err, ERROR_ABSENT, "nothing like '%.*s' was watched: its risk is unknown",
                  STR_ARG(row->offer));
        error_hint(err, "give --traces of when it was available");
        return false;
    }
    out->share = spot_place_share(out);
    out->gone = (struct rate){0};
    if (known)
        out->gone = rate_of((size_t)row->losses, row->exposed_h, SPOT_INTERVAL);
    if (isnan(out->gone.mean)) { /* it was never below on-demand */
        out->gone = (struct rate){0};
        known = false;
    }
    first = interruption_hazard(&out->model, out->share, 1, 0);
    out->life =
        lifetimes_from_hazard(first, out->model.shape, interruption_up(catalog, row->provider));
    for (size_t b = 0; b < AGE_BINS; b++)
        out->life.lose[b] += out->gone.mean;
    if (row->span_days - row->history_days >= 0.5)
        (void)snprintf(all, sizeof all, " of %.0f d", row->span_days);
    (void)snprintf(
        text, sizeof text, "modeled from %s%s (observed for %.0f d%s)",
        basis[out->model.basis == BASIS_PRICE && isnan(out->share) ? BASIS_PROVIDER
                                                                   : out->model.basis],
        known ? ", and from losses of its own price"
              : "; its own price history is too short to count",
        row->history_days, all);
    return set_place_method(arena, out, text, err);
}

double spot_place_risk(const struct spot_place *p, double hours, double sigma)
{
    double gone = sigma < 0 ? p->gone.low : sigma > 0 ? p->gone.high : p->gone.mean;

    return -expm1(-interruption_hazard(&p->model, p->share, hours, sigma) - gone * hours);
}

void spot_gang_warn(const struct messages *messages, int64_t gang)
{
    if (gang > 1)
        message_warn(
            messages,
            "one machine of %lld was watched at a time: losing any of a gang is more likely "
            "than this",
            (long long)gang);
}

/* USD that it is expected to cost: the job; or an hour, with on-demand in its place from when
 * it is lost, for half of the time on average. */
static double expected_spot_usd(const struct spot_place *p, const struct spot_wish *wish)
{
    double half;

    if (wish->job != NULL) {
        struct outlook_ask ask = *wish->job;

        ask.spot = p->spot;
        ask.on_demand = p->on_demand;
        ask.life = &p->life;
        return outlook_quick(&ask).usd;
    }
    half = spot_place_risk(p, wish->hours, 0) / 2;
    return isnan(p->on_demand) ? p->spot : p->spot * (1 - half) + p->on_demand * half;
}

bool spot_source_offer(const struct spot_source *source, const struct spot_wish *wish,
                       struct rows offers, const struct catalog *catalog, struct arena *arena,
                       struct spot_place *out, struct error *err)
{
    const struct spot_offer *row = offers.at, *best = NULL;
    double least = INFINITY;

    *out = (struct spot_place){0};
    for (size_t i = 0; i < offers.len; i++) {
        struct spot_place p = {.name = row[i].offer,
                               .spot = usd_per_hour_double(row[i].price),
                               .on_demand = usd_per_hour_double(row[i].on_demand),
                               .seen = row[i].seen,
                               .offer = &row[i]};
        double cost;

        if (best != NULL && row[i].doubtful && !best->doubtful)
            continue;
        apply_prices(source, &p);
        if (!spot_place_model(&row[i], catalog, arena, &p, err))
            return false;
        cost = expected_spot_usd(&p, wish);
        if (best != NULL && !(cost < least) && row[i].doubtful == best->doubtful)
            continue;
        least = cost;
        best = &row[i];
        *out = p;
    }
    return true;
}

bool spot_source_rate(const struct spot_source *source, struct spot_place *out,
                      struct error *err)
{
    double rate = source->mtbf.ns > 0 ? 1 / span_in_hours(source->mtbf) : source->hazard;
    double all = rate * (double)source->gang;

    if (rate < HAZARD_FEWEST || all > HAZARD_MOST) {
        error_set(err, ERROR_USAGE, "%g losses an hour are %s", all,
                  rate < HAZARD_FEWEST ? "as good as none" : "more than one machine a second");
        error_hint(err, "give --mtbf from a second to ten thousand years");
        return false;
    }
    *out = (struct spot_place){.spot = NAN,
                               .on_demand = NAN,
                               .share = NAN,
                               .life = lifetimes_from_hazard(all, 1, NAN)};
    apply_prices(source, out);
    out->method = source->gang > 1
                      ? STR("as given, for each of the gang: the same at every age, which is "
                            "seldom true")
                      : STR("as given: the same at every age, which is seldom true");
    return true;
}

bool spot_source_check(const struct spot_source *source, struct error *err)
{
    int given = (source->offer.len > 0) + (source->traces.len > 0) + (source->mtbf.ns > 0) +
                (source->hazard > 0);

    if (given != 1) {
        error_set(err, ERROR_USAGE,
                  given == 0 ? "no machine is named"
                             : "more than one of an offer, traces and a rate is given");
        error_hint(err, "give one of an offer ('stint price spot' lists them), --traces FILE, "
                        "or --mtbf 5h");
        return false;
    }
    if (source->gang > GANG_MAX)
        return error_fail(err, ERROR_USAGE, "--gang is at most %d", GANG_MAX);
    return true;
}
