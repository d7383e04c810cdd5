/* meters - the meters of this machine, what is missing, and its cloud. */
#include "op/run/meters.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>

#include "base/fs.h"

#define LONGEST_S 60

static const struct field request[] = {
    FIELD_AS("for", SPAN, meters_request, length, .value = "TIME", .fallback = "1s",
             .help = "measuring time, at most 1min"),
};

static const struct field offer_fields[] = {
    FIELD_AS("meter", TEXT, meter_offer, name, .help = "metered quantity"),
    FIELD(TEXT, meter_offer, device, .empty_unknown = true,
          .help = "device; null: the machine"),
    FIELD(ENUM, meter_offer, method, FIELD_NAMES(meter_method_names),
          .help = "method: counter, sampled, modeled, or unknown (not measured)"),
    FIELD(TEXT, meter_offer, source, .empty_unknown = true, .help = "source of the figure"),
    FIELD(NUMBER, meter_offer, value, .help = "current value"),
    FIELD(NUMBER, meter_offer, total, .help = "maximum, such as the size of the memory"),
    FIELD(TEXT, meter_offer, unit, .empty_unknown = true,
          .help = "unit of the value and the total"),
    FIELD(NUMBER, meter_offer, error, .help = "relative error of the value; null: unknown"),
    FIELD(TEXT, meter_offer, missing, .empty_unknown = true,
          .help = "reason why it is missing or not better"),
    FIELD(TEXT, meter_offer, remedy, .empty_unknown = true, .help = "command to enable it"),
};

static const struct field_set offer_set = FIELD_SET(struct meter_offer, offer_fields);

static const struct field cloud_fields[] = {
    FIELD(TEXT, cloud_facts, provider, .help = "cloud of the machine; null: none recognized"),
    FIELD_AS("basis", CHARS, cloud_facts, because, .help = "basis of the recognition"),
    FIELD(CHARS, cloud_facts, instance, .help = "machine type"),
    FIELD(CHARS, cloud_facts, region, .help = "region of the machine"),
    FIELD(CHARS, cloud_facts, id, .help = "ID of the machine"),
};

static const struct field_set cloud_set = FIELD_SET(struct cloud_facts, cloud_fields);

static const struct field result[] = {
    FIELD(LIST, meters_result, meters, .row = &offer_set, .help = "all meters"),
    FIELD(RECORD, meters_result, cloud, .row = &cloud_set,
          .help = "cloud, recognized without network access"),
};

static bool meters_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct meters_request *req = in;
    struct meters_result *res = out;
    struct meter_options options = op_meter_options(0);
    const struct meter_offer *offers;
    struct meters *meters;
    bool ok;

    if (req->length.ns < 0 || req->length.ns > LONGEST_S * INT64_C(1000000000)) {
        error_set(err, ERROR_USAGE, "--for: at most a minute");
        error_hint(err, "leave it out, or give 5s");
        return false;
    }
    meters = meters_open(&options, ctx->arena->alloc, err);
    if (meters == NULL)
        return false;
    ok = meters_offers(meters, req->length, ctx->clock, ctx->arena, &offers, &res->meters.len,
                       err);
    if (ok)
        res->meters.at = offers;
    meters_close(meters);
    cloud_recognize(options.root, &res->cloud);
    return ok;
}

const struct op op_meters = {
    .name = "meters",
    .schema = "stint.meters/1",
    .summary = "show what Stint can measure on this machine",
    .request = &(const struct field_set)FIELD_SET(struct meters_request, request),
    .result = &(const struct field_set)FIELD_SET(struct meters_result, result),
    .run = meters_run,
};
