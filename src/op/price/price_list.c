/* price.list - offers, filtered and sorted. */
#include <stdlib.h>

#include "op/op.h"
#include "op/price/price.h"

static const char *const sorts[] = {"price", "per-gpu", "memory", "age", "name", NULL};

static const struct field request[] = {
    FIELD_AS("gpu", TEXT, price_list_request, filter.gpu, .value = "GPU[xN]",
             .also = accelerator_options,
             .help = "accelerator, such as H100 or 'RTX 4090'; H100x8: machines with 8"),
    MACHINE_QUERY_FIELDS(price_list_request),
    FIELD_AS("market", ENUM, price_list_request, filter.market, .value = "MARKET",
             .names = market_names, .only = MARKETS_COMPARED, .fallback = "on-demand",
             .help = "market of the prices: on-demand, spot or any"),
    FIELD(CHOICE, price_list_request, sort, .value = "KEY", .choices = sorts,
          .fallback = "per-gpu", .help = "price, per-gpu, memory, age or name"),
    FIELD(COUNT, price_list_request, limit, .value = "N", .positive = true,
          .help = "show the first N"),
};

static const struct field result[] = {
    FIELD(LIST, price_list_result, offers, .row = &machine_fields,
          .help = "offers in the requested order"),
    FIELD(RECORD, price_list_result, age, .row = &price_age_fields,
          .help = "age of the prices"),
};

struct order {
    struct str by;
    enum market market;
};

static int compare_listed_machines(const void *a, const void *b, void *ctx)
{
    const struct machine *x = a, *y = b;
    const struct order *order = ctx;
    int result_order = 0;

    if (str_eq(order->by, STR("price")))
        result_order = usd_per_hour_compare(machine_price(x, order->market),
                                            machine_price(y, order->market));
    else if (str_eq(order->by, STR("per-gpu")))
        result_order = usd_per_hour_compare(x->per_gpu, y->per_gpu);
    else if (str_eq(order->by, STR("memory")))
        result_order =
            (x->gpu_memory_gb < y->gpu_memory_gb) - (x->gpu_memory_gb > y->gpu_memory_gb);
    else if (str_eq(order->by, STR("age")))
        result_order = (x->age_days > y->age_days) - (x->age_days < y->age_days);
    return result_order != 0 ? result_order : str_cmp(x->name, y->name); /* ties: by name */
}

/* No price of the GPU at all is more than filters that are too tight. */
static bool hint_unpriced(struct op_context *ctx, const struct machine_query *filter,
                          struct error *err)
{
    struct machine_query any = machine_query_all();
    struct error ignored = {0};
    struct machine *machines;
    size_t count = 1;

    any.gpu = filter->gpu;
    any.any_form = true;
    if (filter->gpu.len == 0 || !op_machines(ctx, &any, &machines, &count, &ignored) ||
        count > 0)
        return false;
    error_hint(
        err,
        "no price of %.*s for rent is known: offers.csv in the catalog folder adds yours; "
        "--kind any has own machines",
        STR_ARG(filter->gpu));
    return true;
}

static bool price_list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_list_request *req = in;
    struct price_list_result *res = out;
    struct order order = {req->sort, req->filter.market};
    struct machine *machines;
    size_t count;

    if (!op_machines(ctx, &req->filter, &machines, &count, err))
        return false;
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "no offer matches");
        if (!hint_unpriced(ctx, &req->filter, err))
            error_hint(err, "leave out a filter; --any-form and --kind any widen the search");
        return false;
    }
    qsort_r(machines, count, sizeof machines[0], compare_listed_machines, &order);
    if (req->limit > 0 && (size_t)req->limit < count)
        count = (size_t)req->limit;
    for (size_t i = 0; i < count; i++)
        op_price_age(ctx, machines[i].fact.date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->offers = (struct rows){machines, count};
    return true;
}

const struct op op_price_list = {
    .name = "price.list",
    .schema = "stint.price.list/1",
    .summary = "list machine prices",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct price_list_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_list_result, result),
    .run = price_list,
};
