/* price.compare - every provider and region side by side, for so many GPUs and hours. */
#include "op/context.h"
#include "op/op.h"
#include "op/price/price.h"

#define MAX_HOURS INT64_C(100000) /* eleven years */

static const struct field request[] = {
    FIELD_AS("gpu", TEXT, price_compare_request, filter.gpu, .value = "GPU[xN]",
             .also = accelerator_options, .operand = true, .required = true,
             .help = "accelerator and number: A100, H100x8"),
    FIELD(SPAN, price_compare_request, hours, .value = "H", .required = true, .positive = true,
          .hours = true, .help = "duration of the job: 72, 72h or 3d"),
    FIELD(BYTES, price_compare_request, egress, .value = "SIZE", .fallback = "10GB",
          .help = "data sent to the internet"),
    MACHINE_QUERY_FIELDS(price_compare_request),
    FIELD(COUNT, price_compare_request, max_machines, .value = "N", .positive = true,
          .help = "maximum number of machines; 1 keeps all GPUs in one"),
    FIELD(FLAG, price_compare_request, separate,
          .help = "include machines that cannot be joined, for jobs that run separately"),
    FIELD(TEXTS, price_compare_request, supply, .value = "OFFER=N",
          .help = "machines you can get, instead of the limit assumed: vast=4"),
    FIELD(COUNT, price_compare_request, limit, .value = "N", .positive = true,
          .help = "show the first N"),
    FIELD(FLAG, price_compare_request, all,
          .help = "show every machine, not only the cheapest of each region"),
};

static const struct field result[] = {
    FIELD(TEXT, price_compare_result, accelerator,
          .help = "accelerator that the name refers to"),
    FIELD(COUNT, price_compare_result, gpus, .help = "requested GPUs"),
    FIELD(NUMBER, price_compare_result, hours, .help = "requested hours"),
    FIELD(NUMBER, price_compare_result, egress_gb, .help = "data sent to the internet, GB"),
    FIELD(FLAG, price_compare_result, any_form, .help = "rows may have other forms of the GPU"),
    FIELD(LIST, price_compare_result, comparisons, .row = &price_comparison_fields,
          .help = "offers, cheapest total first"),
    FIELD(RECORD, price_compare_result, age, .row = &price_age_fields,
          .help = "age of the prices"),
};

static bool check_compare_request(const struct price_compare_request *req, struct error *err)
{
    if (req->hours.ns <= MAX_HOURS * SPAN_HOUR)
        return true;
    error_set(err, ERROR_USAGE, "--hours: more than %lld hours", (long long)MAX_HOURS);
    error_hint(err, "give the hours that the machines run: --hours 72");
    return false;
}

static bool price_compare(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_compare_request *req = in;
    struct price_compare_result *res = out;
    struct machine_query filter = req->filter;
    struct compare_query query = {.hours = req->hours,
                                  .egress = req->egress,
                                  .max_machines = req->max_machines,
                                  .separate = req->separate,
                                  .all = req->all};
    const struct price_comparison *rows;
    struct market_view view;
    struct machine *machines;
    size_t count;

    filter.market = MARKET_ON_DEMAND; /* what --max-price is about; spot is shown beside it */
    if (!check_compare_request(req, err) ||
        !op_gpu_count(ctx, req->filter.gpu, &filter.gpu, &query.gpus, err) ||
        !op_catalog(ctx,
                    TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_PROVIDERS) |
                        TABLE_BIT(TABLE_NETWORKS),
                    err) ||
        !op_supply(ctx, req->supply, &query.supply, err) ||
        !op_machines(ctx, &filter, &machines, &count, err))
        return false;
    view = op_market(ctx);
    if (!compare_costs(&view, &query, machines, count, &res->comparisons, err))
        return false;
    res->comparisons.len = req->limit > 0 && (size_t)req->limit < res->comparisons.len
                               ? (size_t)req->limit
                               : res->comparisons.len;
    rows = res->comparisons.at;
    for (size_t i = 0; i < res->comparisons.len; i++)
        op_price_age(ctx, rows[i].machine.fact.date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->accelerator = filter.any_form ? machines[0].gpu->family : machines[0].accelerator;
    res->gpus = query.gpus;
    res->hours = span_in_hours(req->hours);
    res->egress_gb = bytes_gb(req->egress);
    res->any_form = filter.any_form;
    return true;
}

const struct op op_price_compare = {
    .name = "price.compare",
    .schema = "stint.price.compare/1",
    .summary = "compare providers for a number of GPUs and hours",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_compare_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_compare_result, result),
    .run = price_compare,
};
