/* gpu.list, gpu.show - accelerators, and the cheapest way to get one. */
#include "op/facts/gpu.h"
#include "op/context.h"
#include "op/op.h"

#include <stdlib.h>

#include "base/num.h"
static const char *const sorts[] = {"name", "memory", "bf16", "year", "price", NULL};

static const struct field view_fields[] = {
    FIELD(TEXT, gpu_view, name, .help = "the one name of the program"),
    FIELD(TEXT, gpu_view, vendor, .help = "who makes it"),
    FIELD(TEXT, gpu_view, family, .help = "its name without form and memory"),
    FIELD(TEXT, gpu_view, form, .help = "SXM, PCIe, OAM, ..."),
    FIELD(TEXT, gpu_view, architecture, .help = "generation"),
    FIELD(COUNT, gpu_view, year, .help = "of release"),
    FIELD(NUMBER, gpu_view, memory_gb, .help = "GB, as the data sheet prints it"),
    FIELD(TEXT, gpu_view, memory_type, .help = "HBM3, GDDR6, ..."),
    FIELD(NUMBER, gpu_view, bandwidth_gb_s, .help = "memory bandwidth, GB/s"),
    FIELD(NUMBER, gpu_view, fp32_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, gpu_view, tf32_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, gpu_view, bf16_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, gpu_view, fp16_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, gpu_view, fp8_tflops, .help = "dense peak, TFLOPS"),
    FIELD(NUMBER, gpu_view, int8_tops, .help = "dense peak, TOPS"),
    FIELD(NUMBER, gpu_view, fp4_tflops, .help = "dense peak, TFLOPS"),
    FIELD(TEXT, gpu_view, link, .help = "to other accelerators"),
    FIELD(NUMBER, gpu_view, link_gb_s, .help = "one direction, GB/s"),
    FIELD(NUMBER, gpu_view, tdp_w, .help = "board power, W"),
    FIELD(COUNT, gpu_view, offers, .help = "that have it"),
    FIELD(RATE, gpu_view, cheapest, .help = "one, on demand"),
    FIELD(TEXT, gpu_view, cheapest_offer, .help = "where"),
    FIELD(COUNT, gpu_view, cheapest_count, .help = "GPUs in that machine: it is rented whole"),
    FIELD(DAY, gpu_view, cheapest_date, .help = "of that price"),
    FIELD(COUNT, gpu_view, cheapest_days, .help = "how old that price is"),
    FIELD(RATE, gpu_view, cheapest_spot, .help = "one, on spot"),
    FIELD(TEXT, gpu_view, cheapest_spot_offer, .help = "where"),
    FIELD(COUNT, gpu_view, cheapest_spot_count, .help = "GPUs in that machine"),
    FIELD(DAY, gpu_view, cheapest_spot_date, .help = "of that price"),
    FIELD(COUNT, gpu_view, cheapest_spot_days, .help = "how old that price is"),
    FIELD(DAY, gpu_view, date, .help = "of the facts"),
    FIELD(TEXT, gpu_view, source, .help = "of the facts"),
    FIELD(TEXT, gpu_view, notes, .help = "what to know about it"),
};

static const struct field_set view_set = FIELD_SET(struct gpu_view, view_fields);

static void describe(const struct accelerator *a, struct gpu_view *v)
{
    *v = (struct gpu_view){
        .name = a->name,
        .vendor = a->vendor,
        .family = a->family,
        .form = a->form,
        .architecture = a->architecture,
        .memory_type = a->memory_type,
        .link = a->link,
        .source = a->fact.source,
        .notes = a->fact.notes,
        .year = a->year,
        .memory_gb = a->memory_gb,
        .bandwidth_gb_s = a->bandwidth_gb_s,
        .fp32_tflops = a->fp32_tflops,
        .tf32_tflops = a->tf32_tflops,
        .bf16_tflops = a->bf16_tflops,
        .fp16_tflops = a->fp16_tflops,
        .fp8_tflops = a->fp8_tflops,
        .int8_tops = a->int8_tops,
        .fp4_tflops = a->fp4_tflops,
        .link_gb_s = a->link_gb_s,
        .tdp_w = a->tdp_w,
        .cheapest_count = -1,
        .cheapest_spot_count = -1,
        .cheapest_days = -1,
        .cheapest_spot_days = -1,
        .cheapest = USD_PER_HOUR_UNKNOWN,
        .cheapest_spot = USD_PER_HOUR_UNKNOWN,
        .date = a->fact.date,
        .cheapest_date = DAY_UNKNOWN,
        .cheapest_spot_date = DAY_UNKNOWN,
    };
}

/* Note the offer when it is the cheapest so far. */
static void consider(struct gpu_view *v, const struct machine *o)
{
    usd_per_hour each = usd_per_hour_share(o->on_demand, o->count);
    usd_per_hour spot = usd_per_hour_share(o->spot, o->count);

    v->offers++;
    if (usd_per_hour_compare(each, v->cheapest) < 0) {
        v->cheapest = each;
        v->cheapest_offer = o->name;
        v->cheapest_count = o->count;
        v->cheapest_date = o->fact.date;
        v->cheapest_days = o->age_days;
    }
    if (usd_per_hour_compare(spot, each) < 0 &&
        usd_per_hour_compare(spot, v->cheapest_spot) < 0) {
        v->cheapest_spot = spot;
        v->cheapest_spot_offer = o->name;
        v->cheapest_spot_count = o->count;
        v->cheapest_spot_date = o->fact.date;
        v->cheapest_spot_days = o->age_days;
    }
}

static bool all_offers(struct op_context *ctx, struct machine **offers, size_t *count,
                       struct error *err)
{
    struct machine_query filter = {.kind = STR("cloud"),
                                   .market = STR("on-demand"),
                                   .min_memory = BYTES_UNKNOWN,
                                   .max_price = USD_PER_HOUR_UNKNOWN,
                                   .max_age = SPAN_UNKNOWN};

    return op_machines(ctx, &filter, offers, count, err);
}

static int compare(const void *a, const void *b, void *ctx)
{
    const struct gpu_view *x = a, *y = b;
    const struct str *by = ctx;
    int order = 0;

    if (str_eq(*by, STR("memory")))
        order = num_compare(-x->memory_gb, -y->memory_gb);
    else if (str_eq(*by, STR("bf16")))
        order = num_compare(-x->bf16_tflops, -y->bf16_tflops);
    else if (str_eq(*by, STR("year")))
        order = (x->year < y->year) - (x->year > y->year);
    else if (str_eq(*by, STR("price")))
        order = usd_per_hour_compare(x->cheapest, y->cheapest);
    return order != 0 ? order : str_cmp(x->name, y->name);
}

static bool run_list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct gpu_list_request *req = in;
    struct gpu_list_result *res = out;
    struct str sort = req->sort;
    struct machine *offers;
    struct gpu_view *views;
    size_t offer_count, count = 0, total;

    if (!all_offers(ctx, &offers, &offer_count, err))
        return false;
    total = ctx->catalog.tables[TABLE_ACCELERATORS].len;
    views = arena_array(ctx->arena, struct gpu_view, total, err);
    if (views == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        const struct accelerator *a =
            CATALOG_ROW(&ctx->catalog, TABLE_ACCELERATORS, accelerator, i);
        struct gpu_view *v = &views[count];

        if ((req->vendor.len > 0 && !str_glob(a->vendor, req->vendor)) ||
            (req->min_memory.n != UINT64_MAX && a->memory_gb < bytes_gb(req->min_memory)))
            continue;
        describe(a, v);
        for (size_t o = 0; o < offer_count; o++)
            if (offers[o].gpu == a)
                consider(v, &offers[o]);
        count += !req->sold || v->offers > 0;
    }
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "no accelerator matches");
        error_hint(err, "leave out a filter");
        return false;
    }
    qsort_r(views, count, sizeof views[0], compare, &sort);
    count = req->limit > 0 && (size_t)req->limit < count ? (size_t)req->limit : count;
    for (size_t i = 0; i < count; i++)
        if (views[i].cheapest.nano != MONEY_UNKNOWN)
            op_price_age(ctx, views[i].cheapest_date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->gpus = (struct rows){views, count};
    return true;
}

static bool other_names(const struct op_context *ctx, struct str name, struct strs *out,
                        struct error *err)
{
    const struct rows *rows = &ctx->catalog.tables[TABLE_NAMES];
    struct str *names = arena_array(ctx->arena, struct str, rows->len, err);
    size_t count = 0;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < rows->len; i++) {
        const struct accelerator_name *n =
            CATALOG_ROW(&ctx->catalog, TABLE_NAMES, accelerator_name, i);

        if (str_eq(n->accelerator, name))
            names[count++] = n->alias;
    }
    *out = (struct strs){names, count};
    return true;
}

static bool run_show(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct gpu_show_request *req = in;
    struct gpu_show_result *res = out;
    const struct accelerator *a = op_accelerator(ctx, req->gpu, false, err);
    struct machine *offers;
    size_t count;

    if (a == NULL || !all_offers(ctx, &offers, &count, err))
        return false;
    describe(a, &res->gpu);
    for (size_t i = 0; i < count; i++)
        if (offers[i].gpu == a)
            consider(&res->gpu, &offers[i]);
    return other_names(ctx, a->name, &res->names, err);
}

static const struct field list_request[] = {
    FIELD(TEXT, gpu_list_request, vendor, .value = "NAME",
          .help = "only this maker's: NVIDIA, AMD, Google, ..."),
    FIELD(BYTES, gpu_list_request, min_memory, .value = "SIZE",
          .help = "at least this much, such as 40GB"),
    FIELD(COUNT, gpu_list_request, limit, .value = "N", .positive = true,
          .help = "only the first N"),
    FIELD(FLAG, gpu_list_request, sold, .help = "only those that a cloud in the catalog sells"),
    FIELD(CHOICE, gpu_list_request, sort, .value = "KEY", .choices = sorts, .fallback = "name",
          .help = "name, memory, bf16, year or price"),
};

static const struct field list_result[] = {
    FIELD(LIST, gpu_list_result, gpus, .row = &view_set, .help = "in the order asked for"),
    FIELD(RECORD, gpu_list_result, age, .row = &price_age_fields,
          .help = "how old the on-demand prices are"),
};

static const struct field show_request[] = {
    FIELD(TEXT, gpu_show_request, gpu, .value = "GPU", .operand = true, .required = true,
          .help = "any name people use for it"),
};

static const struct field show_result[] = {
    FIELD(RECORD, gpu_show_result, gpu, .row = &view_set, .help = "what is known of it"),
    FIELD(TEXTS, gpu_show_result, names, .help = "others that mean it"),
};

const struct op op_gpu_list = {
    .name = "gpu.list",
    .schema = "stint.gpu.list/1",
    .summary = "list accelerators: memory, speed, lowest price",
    .request = &(const struct field_set)FIELD_SET(struct gpu_list_request, list_request),
    .result = &(const struct field_set)FIELD_SET(struct gpu_list_result, list_result),
    .run = run_list,
};

const struct op op_gpu_show = {
    .name = "gpu.show",
    .schema = "stint.gpu.show/1",
    .summary = "show one accelerator and where it is cheapest",
    .request = &(const struct field_set)FIELD_SET(struct gpu_show_request, show_request),
    .result = &(const struct field_set)FIELD_SET(struct gpu_show_result, show_result),
    .run = run_show,
};
