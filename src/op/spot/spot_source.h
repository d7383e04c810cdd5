/* spot_source.h - where the single questions about spot get their lifetimes and prices from: an
 * offer of the price store, traces of the user's, or a rate that is simply said. */
#ifndef OP_SPOT_SPOT_SOURCE_H
#define OP_SPOT_SPOT_SOURCE_H

#include "doc/field.h"
#include "op/spot/price_spot.h"
#include "series/risk.h"
#include "spot/interruption.h"
#include "spot/outlook.h"
#include "spot/trace_files.h"

struct op_context; /* op/context.h */

/* The part of a request that says where. */
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
             .help = "aws/us-east-1/p5.48xlarge, whose prices are kept; parts left out mean " \
                     "the cheapest for what it costs, losses included"), \
        FIELD_AS("traces", TEXTS, record, source.traces, .value = "FILE", \
                 .help = "availability that was watched (.trc, JSON or price history)"), \
        FIELD_AS("zones", TEXTS, record, source.zones, .value = "LIST", \
                 .help = "only these traces of the files; 'us-*' matches"), \
        FIELD_AS("ones", CHOICE, record, source.ones, .value = "MEANING", \
                 .choices = trace_ones, .help = TRACE_ONES_HELP), \
        FIELD_AS("gang", COUNT, record, source.gang, .value = "N", .positive = true, \
                 .fallback = "1", .help = "machines that are needed at once, all or none"), \
        FIELD_AS("spot", RATE, record, source.spot, .value = "PRICE", \
                 .help = "of one machine on spot, such as '$0.97/hr', instead of the known"), \
        FIELD_AS("on_demand", RATE, record, source.on_demand, .value = "PRICE", \
                 .help = "of one machine on demand, instead of the known")

#define SPOT_RATE_FIELDS(record) \
    FIELD_AS("mtbf", SPAN, record, source.mtbf, .value = "TIME", .positive = true, \
             .hours = true, .help = "mean time between losses, at every age the same"), \
        FIELD_AS("hazard", NUMBER, record, source.hazard, .value = "RATE", .positive = true, \
                 .help = "losses in an hour, at every age the same, such as 0.05")

/* A zone of a trace, an offer, or neither. */
struct spot_place {
    struct str name;
    struct lifetimes life;
    double spot, on_demand;    /* USD an hour for one machine; NaN: not known */
    struct str seen;           /* when the spot price was last confirmed; empty: not told */
    const struct trace *trace; /* NULL: not from one */
    /* Of an offer: the model of watched machines, and the losses of its own price. */
    struct interruption_model model; /* basis NONE when there is no offer */
    double share;                    /* of on-demand that spot costs */
    struct rate gone;                /* an hour; 0 with too short a history */
    struct str method;               /* a sentence without full stop */
};

/* By what an offer is chosen when the name leaves a choice: what it is expected to cost. */
struct spot_wish {
    double hours;                  /* that the machine is needed */
    const struct outlook_ask *job; /* without prices and lifetimes; NULL: none is known */
};

/* Those that are meant. ERROR_USAGE unless there is just one source. */
bool spot_places(struct op_context *ctx, const struct spot_source *source,
                 const struct spot_wish *wish, struct spot_place **out, size_t *count,
                 struct error *err) MUST_USE;

/* The offer that the source names, of several the one that is expected to cost least, which is
 * said; so is what makes it less than sure. ERROR_ABSENT when it has no price. */
bool offer_place(struct op_context *ctx, const struct spot_source *source,
                 const struct spot_wish *wish, struct spot_place *out,
                 struct error *err) MUST_USE;

/* The lifetimes of an offer, wherever they are asked for: the model of watched machines by what
 * the place's spot price is of its on-demand price, the provider's availability, and the losses
 * of the row's own price. Fills in all of the place but name, prices and date. */
bool offer_lifetimes(struct op_context *ctx, const struct spot_offer *row,
                     struct spot_place *out, struct error *err) MUST_USE;

/* Of such a place: the chance to lose it within so many hours, got at a random moment; `sigma`
 * deviations away from it (0, or what SPOT_INTERVAL holds). */
double offer_risk(const struct spot_place *place, double hours, double sigma);

/* That the model knows single machines only. */
void offer_gang_warn(const struct op_context *ctx, int64_t gang);

#define SPOT_INTERVAL 0.9 /* what the intervals of risks hold */

#endif
