/* price.doctor - the health of the price store, what is wrong with it, and what to run. */
#include "op/price/price_doctor.h"

#include <sys/stat.h>

#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

#define MOST_EXAMPLES 1000

static const struct field request[] = {
    FIELD(COUNT, price_doctor_request, limit, .value = "N", .positive = true, .fallback = "5",
          .help = "examples per finding"),
};

static const struct field result[] = {
    FIELD(TEXT, price_doctor_result, file, .help = "file of the price store"),
    FIELD(BYTES, price_doctor_result, size, .help = "size of the file; null: no file"),
    FIELD_AS("offers", COUNT, price_doctor_result, report.offers,
             .help = "offers: machines in places"),
    FIELD_AS("series", COUNT, price_doctor_result, report.series, .help = "prices over time"),
    FIELD_AS("points", COUNT, price_doctor_result, report.points, .help = "price changes"),
    FIELD_AS("damaged", COUNT, price_doctor_result, report.damaged,
             .help = "series that could not be read"),
    FIELD_AS("built_in", DAY, price_doctor_result, report.built_in,
             .help = "newest built-in price"),
    FIELD_AS("built_in_usual", DAY, price_doctor_result, report.built_in_usual,
             .help = "date that most built-in prices are from"),
    FIELD_AS("feeds", LIST, price_doctor_result, report.feeds, .row = &doctor_feed_fields,
             .help = "feeds and providers"),
    FIELD_AS("findings", LIST, price_doctor_result, report.findings,
             .row = &doctor_finding_fields, .help = "findings, worst first"),
};

static bool price_doctor(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_doctor_request *req = in;
    struct price_doctor_result *res = out;
    const char *path = op_store_path(ctx, err);
    struct doctor_options options = {
        .examples = req->limit < MOST_EXAMPLES ? (size_t)req->limit : MOST_EXAMPLES,
        .now = op_now(ctx),
        .file = str_from(path),
        .catalog = ctx->settings->catalog,
    };
    struct market_view view;
    struct stat st;

    if (path == NULL || op_store(ctx, err) == NULL ||
        !op_catalog(ctx,
                    TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_ACCELERATORS) |
                        TABLE_BIT(TABLE_DISCOUNTS) | TABLE_BIT(TABLE_EXCHANGE) |
                        TABLE_BIT(TABLE_PRICE_DRIFT) | TABLE_BIT(TABLE_PROVIDERS),
                    err))
        return false;
    view = op_market(ctx);
    res->file = !ctx->remote ? options.file : (struct str){0};
    res->size = BYTES_UNKNOWN;
    if (stat(path, &st) == 0)
        res->size.n = (uint64_t)st.st_size;
    return doctor_check(&view, &options, &res->report, err);
}

const struct op op_price_doctor = {
    .name = "price.doctor",
    .schema = "stint.price.doctor/1",
    .summary = "check stored prices for age, gaps and conflicts",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_doctor_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_doctor_result, result),
    .run = price_doctor,
};
