/* price.diff - what changed between two days. */
#include "op/price/price_diff.h"

#include "market/zones.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

static const char *const sorts[] = {
    [DIFF_BY_CHANGE] = "change", [DIFF_BY_PRICE] = "price", [DIFF_BY_NAME] = "name", NULL};

static const struct field request[] = {
    FIELD(TEXT, price_diff_request, from, .value = "FROM", .operand = true, .required = true,
          .help = "first day: 2026-08-01 (its end), yesterday, or 7d for a week ago"),
    FIELD(TEXT, price_diff_request, to, .value = "TO", .operand = true, .fallback = "today",
          .help = "second day, in the same form"),
    FIELD(TEXT, price_diff_request, gpu, .value = "GPU", .also = accelerator_options,
          .help = "accelerator to include"),
    MACHINE_ANY_FORM(price_diff_request, any_form),
    MACHINE_PLACES(price_diff_request, providers, regions),
    FIELD(CHOICE, price_diff_request, market, .value = "MARKET", .choices = market_names,
          .only = MARKETS_LISTED, .help = "market to include, such as spot"),
    FIELD(SHARE, price_diff_request, min_change, .value = "SHARE", .fallback = "0%",
          .help = "minimum change, such as 1% (below 0.01% is rounding)"),
    FIELD(ENUM, price_diff_request, sort, .value = "KEY", .names = sorts, .fallback = "change",
          .help = "change (largest first), price or name"),
    FIELD(COUNT, price_diff_request, limit, .value = "N", .positive = true, .fallback = "50",
          .help = "show the first N"),
};

static const struct field result[] = {
    FIELD(TIME, price_diff_result, from, .empty_unknown = true, .short_midnight = true,
          .help = "first time; a day means its end"),
    FIELD(TIME, price_diff_result, to, .empty_unknown = true, .short_midnight = true,
          .help = "second time"),
    FIELD_AS("compared", COUNT, price_diff_result, diff.compared,
             .help = "prices known at both times and seen since the first"),
    FIELD_AS("changed", COUNT, price_diff_result, diff.changed,
             .help = "prices that changed by at least --min-change"),
    FIELD_AS("up", COUNT, price_diff_result, diff.up, .help = "changed prices that rose"),
    FIELD_AS("down", COUNT, price_diff_result, diff.down, .help = "changed prices that fell"),
    FIELD_AS("median", NUMBER, price_diff_result, diff.median,
             .help = "median change as a share"),
    FIELD_AS("appeared", COUNT, price_diff_result, diff.appeared,
             .help = "prices that appeared after the first time"),
    FIELD_AS("gone", COUNT, price_diff_result, diff.gone,
             .help = "prices that are gone at the second time"),
    FIELD_AS("unknown", COUNT, price_diff_result, diff.unknown,
             .help = "prices at the second time whose feed was not observed at the first"),
    FIELD_AS("unseen", COUNT, price_diff_result, diff.unseen,
             .help = "prices at the first time that were not seen since"),
    FIELD_AS("unobserved", COUNT, price_diff_result, diff.unobserved,
             .help = "prices not compared: no data at one of the times"),
    FIELD_AS("gaps", LIST, price_diff_result, diff.gaps, .row = &data_gap_fields,
             .help = "days without data common to these"),
    FIELD_AS("jumped", COUNT, price_diff_result, diff.jumped,
             .help = "prices that jumped tenfold up or down at any time between"),
    FIELD_AS("changes", LIST, price_diff_result, diff.changes, .row = &price_change_fields,
             .help = "changes, as sorted, up to --limit"),
};

/* Everything but the filter's places. */
static bool read_query(struct op_context *ctx, const struct price_diff_request *req,
                       struct diff_query *out, struct error *err)
{
    stamp now = op_now(ctx);

    *out = (struct diff_query){
        .filter = {.providers = req->providers,
                   .regions = req->regions,
                   .any_form = req->any_form,
                   .min_memory = BYTES_UNKNOWN},
        .market = -1,
        .min_change = req->min_change,
        .sort = req->sort,
        .limit = (size_t)req->limit,
    };
    if (!diff_moment_parse(now, req->from, &out->from, err) ||
        !diff_moment_parse(now, req->to, &out->to, err) ||
        (req->market.at != NULL && !market_parse(req->market, &out->market, err)))
        return false;
    if (out->from.s >= out->to.s) {
        error_set(err, ERROR_USAGE, "'%.*s' is not before '%.*s'", STR_ARG(req->from),
                  STR_ARG(req->to));
        error_hint(err, "give the earlier day first");
        return false;
    }
    if (!op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err))
        return false;
    if (req->gpu.at != NULL)
        out->filter.gpu = op_accelerator(ctx, req->gpu, req->any_form, err);
    return req->gpu.at == NULL || out->filter.gpu != NULL;
}

static bool diff_prices(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_diff_request *req = in;
    struct price_diff_result *res = out;
    struct diff_query query;
    struct market_view view;

    if (!read_query(ctx, req, &query, err) || op_store(ctx, err) == NULL ||
        !zones_filled(ctx->store, err) || !op_zones(ctx, 0, &view, err) ||
        !op_places(ctx, &query.filter.providers, &query.filter.regions, err))
        return false;
    res->from = day_end_as_day(query.from);
    res->to = day_end_as_day(query.to);
    return price_diff(&view, &query, &res->diff, err);
}

const struct op op_price_diff = {
    .name = "price.diff",
    .schema = "stint.price.diff/1",
    .summary = "show which prices changed between two days",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_diff_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_diff_result, result),
    .run = diff_prices,
};
