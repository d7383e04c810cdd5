/* meters - the meters of this machine, what is missing, and its cloud. */
#include "op/run/meters.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>

#include "base/fs.h"
#include "meter/cloud.h"
#include "unit/time.h"

#define LONGEST_S 60

static const struct field request[] = {
    FIELD_AS("for", SPAN, meters_request, length, .value = "TIME", .fallback = "1s",
             .help = "measuring time, at most 1min"),
};

static const struct field row_fields[] = {
    FIELD(TEXT, meters_row, meter, .help = "what is metered"),
    FIELD(TEXT, meters_row, device, .help = "device; null: the machine"),
    FIELD(TEXT, meters_row, method,
          .help = "counter, sampled, modelled, or unknown (not measured)"),
    FIELD(TEXT, meters_row, source, .help = "where the figure comes from"),
    FIELD(NUMBER, meters_row, value, .help = "current value"),
    FIELD(NUMBER, meters_row, total, .help = "maximum, such as the size of the memory"),
    FIELD(TEXT, meters_row, unit, .help = "of the value and the total"),
    FIELD(NUMBER, meters_row, error, .help = "of the value, a share; null: not known"),
    FIELD(TEXT, meters_row, missing, .help = "why it is missing, or not better"),
    FIELD(TEXT, meters_row, remedy, .help = "what to type to get it"),
};

static const struct field_set row_set = FIELD_SET(struct meters_row, row_fields);

static const struct field cloud_fields[] = {
    FIELD(TEXT, meters_cloud, provider, .help = "cloud of the machine; null: none recognized"),
    FIELD(TEXT, meters_cloud, because, .help = "how it was recognized"),
    FIELD(TEXT, meters_cloud, instance, .help = "type of the machine"),
    FIELD(TEXT, meters_cloud, region, .help = "where it is"),
    FIELD(TEXT, meters_cloud, id, .help = "id of the machine"),
};

static const struct field_set cloud_set = FIELD_SET(struct meters_cloud, cloud_fields);

static const struct field result[] = {
    FIELD(LIST, meters_result, meters, .row = &row_set, .help = "all meters"),
    FIELD(RECORD, meters_result, cloud, .row = &cloud_set,
          .help = "recognized without network access"),
};

struct meter_options op_meter_options(pid_t tree)
{
    return (struct meter_options){
        .tree = tree,
        .root = env_get("STINT_ROOT"),
        .nvml = env_get("STINT_NVML"),
        .rocm = env_get("STINT_ROCM"),
        .gaudi = env_get("STINT_HL_SMI"),
        .watts_a_core = NAN,
        .gpus = true,
    };
}

/* Empty is unknown. */
static struct str text_of(const char *text)
{
    return text != NULL && text[0] != '\0' ? str_from(text) : (struct str){0};
}

static bool list_offers(struct op_context *ctx, struct meters *meters, span length,
                        struct meters_result *res, struct error *err)
{
    const struct meter_offer *offers;
    struct meters_row *rows;
    size_t count;

    if (!meters_offers(meters, length, ctx->clock, ctx->arena, &offers, &count, err))
        return false;
    rows = arena_array(ctx->arena, struct meters_row, count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct meters_row){
            .meter = str_from(offers[i].name),
            .device = text_of(offers[i].device),
            .method = str_from(meter_method_name(offers[i].method)),
            .source = text_of(offers[i].source),
            .value = offers[i].value,
            .total = offers[i].total,
            .unit = text_of(offers[i].unit),
            .error = offers[i].error,
            .missing = text_of(offers[i].missing),
            .remedy = text_of(offers[i].remedy),
        };
    res->meters = (struct rows){rows, count};
    return true;
}

static bool recognize_cloud(struct op_context *ctx, const char *root, struct meters_cloud *out,
                            struct error *err)
{
    struct cloud_facts *facts = arena_array(ctx->arena, struct cloud_facts, 1, err);

    if (facts == NULL)
        return false;
    cloud_recognize(root, facts);
    *out = (struct meters_cloud){
        .provider = text_of(facts->provider),
        .because = text_of(facts->because),
        .instance = text_of(facts->instance),
        .region = text_of(facts->region),
        .id = text_of(facts->id),
    };
    return true;
}

static bool meters_run(struct op_context *ctx, const void *req, void *out, struct error *err)
{
    const struct meters_request *ask = req;
    struct meter_options options = op_meter_options(0);
    struct meters *meters;
    bool done;

    if (ask->length.ns < 0 || ask->length.ns > LONGEST_S * INT64_C(1000000000)) {
        error_set(err, ERROR_USAGE, "--for: at most a minute");
        error_hint(err, "leave it out, or give 5s");
        return false;
    }
    meters = meters_open(&options, ctx->arena->alloc, err);
    if (meters == NULL)
        return false;
    done = list_offers(ctx, meters, ask->length, out, err);
    meters_close(meters);
    return done &&
           recognize_cloud(ctx, options.root, &((struct meters_result *)out)->cloud, err);
}

static const struct field_set request_set = FIELD_SET(struct meters_request, request);
static const struct field_set result_set = FIELD_SET(struct meters_result, result);

const struct op op_meters = {
    .name = "meters",
    .schema = "stint.meters/1",
    .summary = "show what Stint can measure on this machine",
    .request = &request_set,
    .result = &result_set,
    .run = meters_run,
};
