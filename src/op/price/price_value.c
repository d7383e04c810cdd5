/* price.value - what a dollar buys: performance times reliability over price. */
#include <math.h>
#include <stdlib.h>

#include "op/context.h"
#include "op/op.h"
#include "op/price/price.h"

static const char *const precisions[] = {"bf16", "fp16", "fp8",  "fp4",
                                         "fp32", "tf32", "int8", NULL};
static const char *const one_market[] = {"on-demand", "spot", NULL};

static const struct field request[] = {
    FIELD_AS("gpu", TEXT, price_value_request, filter.gpu, .value = "GPU",
             .also = accelerator_options, .help = "only this accelerator"),
    MACHINE_QUERY_FIELDS(price_value_request),
    FIELD_AS("market", CHOICE, price_value_request, filter.market, .value = "MARKET",
             .choices = one_market, .fallback = "on-demand", .help = "on-demand or spot"),
    FIELD(CHOICE, price_value_request, precision, .value = "P", .choices = precisions,
          .fallback = "bf16", .help = "bf16, fp16, fp8, fp4, fp32, tf32 or int8"),
    FIELD(COUNT, price_value_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "only the first N"),
};

static const struct field value_fields[] = {
    FIELD(TEXT, price_value, offer, .help = "provider/region/instance"),
    FIELD(TEXT, price_value, accelerator, .help = "what it has"),
    FIELD(COUNT, price_value, count, .help = "how many"),
    FIELD(TEXT, price_value, precision, .help = "of the performance"),
    FIELD(NUMBER, price_value, performance, .help = "dense peak of the machine, TFLOPS"),
    FIELD(NUMBER, price_value, reliability, .help = "0 to 1"),
    FIELD(RATE, price_value, price, .help = "the machine for an hour"),
    FIELD(NUMBER, price_value, score, .help = "peak PFLOP for a dollar, times reliability"),
    FIELD(DAY, price_value, date, .help = "of the price"),
    FIELD(COUNT, price_value, age_days, .help = "of the price"),
    FIELD(TEXT, price_value, source, .help = "of the price"),
};

static const struct field_set value_set = FIELD_SET(struct price_value, value_fields);

static const struct field result[] = {
    FIELD(TEXT, price_value_result, market, .help = "of the prices"),
    FIELD(LIST, price_value_result, values, .row = &value_set, .help = "best first"),
    FIELD(RECORD, price_value_result, age, .row = &price_age_fields,
          .help = "how old the prices are"),
};

/* The peak at this precision. Cards older than bf16 run its work in fp16, so that stands in. */
static double peak(const struct accelerator *a, struct str precision, struct str *used)
{
    *used = precision;
    if (str_eq(precision, STR("bf16")) && !isnan(a->bf16_tflops))
        return a->bf16_tflops;
    if (str_eq(precision, STR("bf16")) || str_eq(precision, STR("fp16"))) {
        *used = STR("fp16");
        return a->fp16_tflops;
    }
    if (str_eq(precision, STR("fp8")))
        return a->fp8_tflops;
    if (str_eq(precision, STR("fp4")))
        return a->fp4_tflops;
    if (str_eq(precision, STR("fp32")))
        return a->fp32_tflops;
    if (str_eq(precision, STR("tf32")))
        return a->tf32_tflops;
    return a->int8_tops;
}

static int by_score(const void *a, const void *b)
{
    const struct price_value *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return str_cmp(x->offer, y->offer);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct price_value_request *req = in;
    struct price_value_result *res = out;
    struct machine *views;
    struct price_value *values;
    size_t count, scored = 0;

    if (!op_machines(ctx, &req->filter, &views, &count, err))
        return false;
    values = arena_array(ctx->arena, struct price_value, count, err);
    if (values == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct machine *view = &views[i];
        const struct provider *p = provider_find(&ctx->catalog, view->provider);
        struct price_value *v = &values[scored];

        *v = (struct price_value){.offer = view->name,
                                  .accelerator = view->accelerator,
                                  .source = view->fact.source,
                                  .count = view->count,
                                  .date = view->fact.date,
                                  .age_days = view->age_days,
                                  .price = market_price(view, req->filter.market)};
        v->performance = peak(view->gpu, req->precision, &v->precision) * (double)view->count;
        v->reliability = p != NULL ? p->reliability : NAN;
        if (v->price.nano == MONEY_UNKNOWN || isnan(v->performance) || isnan(v->reliability))
            continue; /* a factor is unknown: there is no score to rank by */
        v->score = v->performance * 3.6 * v->reliability / ((double)v->price.nano / 1e9);
        scored++;
    }
    if (scored == 0) {
        error_set(err, ERROR_ABSENT,
                  "no offer matches with price, performance and reliability known");
        error_hint(err, "leave out a filter, choose another --precision, or add the provider's "
                        "reliability to your providers.csv");
        return false;
    }
    qsort(values, scored, sizeof values[0], by_score);
    scored = (size_t)req->limit < scored ? (size_t)req->limit : scored;
    for (size_t i = 0; i < scored; i++)
        op_price_age(ctx, values[i].date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->market = req->filter.market;
    res->values = (struct rows){values, scored};
    return true;
}

const struct op op_price_value = {
    .name = "price.value",
    .schema = "stint.price.value/1",
    .summary = "rank offers by performance, reliability and price",
    .request = &(const struct field_set)FIELD_SET(struct price_value_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_value_result, result),
    .run = run,
};
