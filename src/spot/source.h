/* source.h - where questions about spot get lifetimes and prices from: an offer, traces, or a
 * rate that the user gives.
 *
 * Traces are watched availability. The lifetimes of an offer are modeled: from machines of its
 * provider that were watched (interruption.h) and from the history of its own price, which the
 * caller reads from the price store.
 */
#ifndef SPOT_SOURCE_H
#define SPOT_SOURCE_H

#include "base/message.h"
#include "doc/field.h"
#include "series/risk.h"
#include "spot/interruption.h"
#include "spot/outlook.h"
#include "spot/trace_files.h"
#include "unit/money.h"

#define SPOT_HISTORY_DAYS 180   /* of a price: searched for losses and moves */
#define SPOT_FEWEST_DAYS 14     /* with fewer, the risk is unknown */
#define SPOT_INTERVAL 0.9       /* what the intervals of risks hold */
#define SPOT_OFFER_INTERVAL 0.8 /* and those of offers */

/* A machine in a zone with a spot price, and the history of that price. */
struct spot_offer {
    struct str offer, provider, region, zone, instance, accelerator, feed, risk_basis;
    stamp seen; /* when the price was last confirmed */
    double count;
    usd_per_hour price, per_gpu, on_demand;
    usd_per_hour price_low, price_high; /* 80 % range of the price today, by its age */
    int64_t age_days;                   /* of the price */
    double premium;     /* what the price counts for on top when offers are compared, a share */
    double saving;      /* share of on-demand; negative when it costs more */
    double reliability; /* of this machine, by its market; NaN: not known */
    /* measured */
    double daily, weekly, daily_range, exposed_h;
    double history_days, span_days; /* with data; from the first to the last of them */
    int64_t losses;
    /* modeled from them; NaN with too little history or without a length */
    double risk, risk_low, risk_high;
    struct str risk_unknown; /* why it is, when it was asked for; else empty */
    struct strs doubts;
    bool doubtful, cheapest;
};

extern const struct field_set spot_offer_fields;

/* Model the risk of a loss within `hours`, or why it is unknown. `rate`: losses of its price by
 * hour. Needs TABLE_INTERRUPTIONS, and the offer's provider and saving. */
void spot_offer_risk(const struct catalog *catalog, struct rate rate, double hours,
                     struct spot_offer *out);

/* The part of a request that names the source. */
struct spot_source {
    struct str offer, ones;
    struct strs traces, zones;
    span mtbf;
    double hazard;
    int64_t gang;
    usd_per_hour spot, on_demand; /* instead of the prices that are known */
};

/* The rows of a request struct that has a `spot_source` called `source`. */
#define SPOT_SOURCE_FIELDS(record) \
    FIELD_AS("offer", TEXT, record, source.offer, .value = "OFFER", .operand = true, \
             .help = "offer with price history: aws/us-east-1/p5.48xlarge; omitted parts " \
                     "select the cheapest, interruptions included"), \
        FIELD_AS("traces", TEXTS, record, source.traces, .local = true, .value = "FILE", \
                 .help = \
                     "trace files of observed availability (.trc, JSON or price history)"), \
        FIELD_AS("zones", TEXTS, record, source.zones, .value = "LIST", \
                 .help = "zones of the traces to use; 'us-*' matches"), \
        FIELD_AS("ones_mean", CHOICE, record, source.ones, .value = "MEANING", \
                 .choices = trace_ones, .help = TRACE_ONES_HELP), \
        FIELD_AS("gang", COUNT, record, source.gang, .value = "N", .positive = true, \
                 .fallback = "1", .help = "machines needed at once, all or none"), \
        FIELD_AS( \
            "spot", RATE, record, source.spot, .value = "PRICE", \
            .help = \
                "spot price of one machine, such as '$0.97/hr', instead of the known one"), \
        FIELD_AS("on_demand", RATE, record, source.on_demand, .value = "PRICE", \
                 .help = "on-demand price of one machine, instead of the known one")

#define SPOT_RATE_FIELDS(record) \
    FIELD_AS("mtbf", SPAN, record, source.mtbf, .value = "TIME", .positive = true, \
             .hours = true, .help = "mean time between interruptions, the same at every age"), \
        FIELD_AS("hazard", NUMBER, record, source.hazard, .value = "RATE", .positive = true, \
                 .help = "interruptions per hour, the same at every age, such as 0.05")

/* A zone of a trace, an offer, or neither. */
struct spot_place {
    struct str name;
    struct lifetimes life;
    double spot, on_demand;         /* USD an hour for one machine; NaN: not known */
    stamp seen;                     /* when the spot price was last confirmed; 0: not known */
    const struct trace *trace;      /* NULL: not from one */
    const struct spot_offer *offer; /* likewise */
    /* Of an offer: the model of watched machines, and the losses of its own price. */
    struct interruption_model model; /* basis NONE when there is no offer */
    double share;                    /* of on-demand that spot costs */
    struct rate gone;                /* an hour; 0 with too short a history */
    struct str method;               /* a sentence without full stop */
};

/* Chooses among several offers: the lowest expected cost. */
struct spot_wish {
    double hours;                  /* that the machine is needed */
    const struct outlook_ask *job; /* without prices and lifetimes; NULL: none is known */
};

/* ERROR_USAGE unless there is just one of offer, traces and rate. */
bool spot_source_check(const struct spot_source *source, struct error *err) MUST_USE;

/* A place for each zone of the traces. */
bool spot_source_traces(const struct spot_source *source, const struct messages *messages,
                        struct arena *arena, struct spot_place **out, size_t *count,
                        struct error *err) MUST_USE;

/* The place of a rate. A gang is lost when one of it is. */
bool spot_source_rate(const struct spot_source *source, struct spot_place *out,
                      struct error *err) MUST_USE;

/* Of several offers (struct spot_offer) the one that is expected to cost least; a price in
 * doubt only when all are. The prices of the source replace those of the offer. Without offers,
 * that of the place is NULL. Needs TABLE_INTERRUPTIONS, as the next. */
bool spot_source_offer(const struct spot_source *source, const struct spot_wish *wish,
                       struct rows offers, const struct catalog *catalog, struct arena *arena,
                       struct spot_place *out, struct error *err) MUST_USE;

/* The lifetimes of an offer: the model of watched machines by the share that the place's spot
 * price is of its on-demand price, the provider's availability, and the losses of the offer's
 * own price. Sets all of the place but name, prices and date. */
bool spot_place_model(const struct spot_offer *offer, const struct catalog *catalog,
                      struct arena *arena, struct spot_place *out, struct error *err) MUST_USE;

/* Of such a place: the chance to lose it within so many hours, got at a random moment; `sigma`
 * deviations away from it (0, or what SPOT_INTERVAL holds). */
double spot_place_risk(const struct spot_place *place, double hours, double sigma);

/* Warn that the model is of single machines. */
void spot_gang_warn(const struct messages *messages, int64_t gang);

#endif
