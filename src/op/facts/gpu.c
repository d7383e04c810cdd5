/* gpu.list, gpu.show - accelerators, and the cheapest way to get one. */
#include "op/facts/gpu.h"

#include "op/context.h"
#include "op/market.h"
#include "op/op.h"

static const char *const sorts[] = {"name", "memory", "bf16", "year", "price", NULL};

static bool all_gpu_offers(struct op_context *ctx, struct machine **offers, size_t *count,
                           struct error *err)
{
    const struct machine_query filter = machine_query_all();

    return op_machines(ctx, &filter, offers, count, err);
}

static bool gpu_list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct gpu_list_request *req = in;
    struct gpu_list_result *res = out;
    struct machine *offers;
    struct gpu_facts *gpus;
    size_t offer_count, count = 0, total;

    if (!all_gpu_offers(ctx, &offers, &offer_count, err))
        return false;
    total = ctx->catalog.tables[TABLE_ACCELERATORS].len;
    gpus = arena_array(ctx->arena, struct gpu_facts, total, err);
    if (gpus == NULL)
        return false;
    for (size_t i = 0; i < total; i++) {
        const struct accelerator *a =
            CATALOG_ROW(&ctx->catalog, TABLE_ACCELERATORS, accelerator, i);
        struct gpu_facts *v = &gpus[count];

        if ((req->vendor.len > 0 && !str_glob(a->vendor, req->vendor)) ||
            (req->min_memory.n != UINT64_MAX && a->memory_gb < bytes_gb(req->min_memory)))
            continue;
        *v = gpu_facts(a, offers, offer_count);
        count += !req->sold || v->offers > 0;
    }
    if (count == 0) {
        error_set(err, ERROR_ABSENT, "no accelerator matches");
        error_hint(err, "leave out a filter");
        return false;
    }
    gpu_facts_sort(gpus, count, req->sort);
    count = req->limit > 0 && (size_t)req->limit < count ? (size_t)req->limit : count;
    for (size_t i = 0; i < count; i++)
        if (gpus[i].cheapest.price.nano != MONEY_UNKNOWN)
            op_price_age(ctx, gpus[i].cheapest.date, &res->age);
    op_price_age_warn(ctx, &res->age);
    res->gpus = (struct rows){gpus, count};
    return true;
}

static bool gpu_show(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct gpu_show_request *req = in;
    struct gpu_show_result *res = out;
    const struct accelerator *a = op_accelerator(ctx, req->gpu, false, err);
    struct machine *offers;
    size_t count;

    if (a == NULL || !all_gpu_offers(ctx, &offers, &count, err))
        return false;
    res->gpu = gpu_facts(a, offers, count);
    return gpu_other_names(&ctx->catalog, a->name, ctx->arena, &res->names, err);
}

static const struct field list_request[] = {
    FIELD(TEXT, gpu_list_request, vendor, .value = "NAME",
          .help = "vendor to list: NVIDIA, AMD, Google, ..."),
    FIELD(BYTES, gpu_list_request, min_memory, .value = "SIZE",
          .help = "minimum memory, such as 40GB"),
    FIELD(COUNT, gpu_list_request, limit, .value = "N", .positive = true,
          .help = "show the first N"),
    FIELD(FLAG, gpu_list_request, sold,
          .help = "list only those that a cloud in the catalog offers"),
    FIELD(CHOICE, gpu_list_request, sort, .value = "KEY", .choices = sorts, .fallback = "name",
          .help = "name, memory, bf16, year or price"),
};

static const struct field list_result[] = {
    FIELD(LIST, gpu_list_result, gpus, .row = &gpu_facts_fields,
          .help = "GPUs in the requested order"),
    FIELD(RECORD, gpu_list_result, age, .row = &price_age_fields,
          .help = "age of the on-demand prices"),
};

static const struct field show_request[] = {
    FIELD(TEXT, gpu_show_request, gpu, .value = "GPU", .operand = true, .required = true,
          .help = "GPU by any of its names"),
};

static const struct field show_result[] = {
    FIELD(RECORD, gpu_show_result, gpu, .row = &gpu_facts_fields, .help = "facts about it"),
    FIELD(TEXTS, gpu_show_result, names, .help = "other names for it"),
};

const struct op op_gpu_list = {
    .name = "gpu.list",
    .schema = "stint.gpu.list/1",
    .summary = "list accelerators: memory, speed, lowest price",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct gpu_list_request, list_request),
    .result = &(const struct field_set)FIELD_SET(struct gpu_list_result, list_result),
    .run = gpu_list,
};

const struct op op_gpu_show = {
    .name = "gpu.show",
    .schema = "stint.gpu.show/1",
    .summary = "show one accelerator and where it is cheapest",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct gpu_show_request, show_request),
    .result = &(const struct field_set)FIELD_SET(struct gpu_show_result, show_result),
    .run = gpu_show,
};
