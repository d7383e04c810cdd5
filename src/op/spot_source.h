/* spot_source.h - where the single questions about spot get their lifetimes and prices from: an
 * offer of the price store, traces of the user's, or a rate that is simply said. */
#ifndef OP_SPOT_SOURCE_H
#define OP_SPOT_SOURCE_H

#include "op/trace_files.h"
#include "series/risk.h"
#include "spot/interruption.h"
#include "spot/lifetimes.h"

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
                     "the cheapest"), \
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
    const struct trace *trace; /* NULL: not from one */
    /* Of an offer: the model of watched machines, and the losses of its own price. */
    struct interruption_model model; /* basis NONE when there is no offer */
    double share;                    /* of on-demand that spot costs */
    struct rate gone;                /* an hour; 0 with too short a history */
    struct str method;               /* a sentence without full stop */
};

/* Those that are meant. ERROR_USAGE unless there is just one source. */
bool spot_places(struct op_context *ctx, const struct spot_source *source,
                 struct spot_place **out, size_t *count, struct error *err) MUST_USE;

#define SPOT_INTERVAL 0.9 /* what the intervals of risks hold */

#endif
