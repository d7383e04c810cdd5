/* bench - a measurement as a row that `validate inference` reads. */
#include "op/bench/bench_share.h"

#include <math.h>

#include "base/fs.h"
#include "estimate/serving/infer.h"
#include "op/context.h"

#define SHARED_MAX ((size_t)16 << 20) /* bytes of a file of rows */

/* ---- what serves ---- */

static bool find_served_gpu(struct op_context *ctx, const struct bench_request *req,
                            const struct run_price *price, struct share_row *out,
                            struct error *err)
{
    struct str name = price->accelerator;
    const struct accelerator *gpu;

    out->gpus = price->accelerators;
    if (req->on.len == 0 && name.len == 0)
        return true;
    if (!op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err) ||
        (req->on.len > 0 && !accelerator_count(&ctx->catalog, req->on, &name, &out->gpus, err)))
        return false;
    gpu = accelerator_typed(&ctx->catalog, name, &ctx->messages, err);
    if (gpu != NULL)
        out->gpu = gpu->name;
    return gpu != NULL;
}

static bool find_served_engine(const struct bench_request *req, const struct bench_endpoint *e,
                               struct share_row *out, struct error *err)
{
    const char *alone = load_api_engine(e->format.api);
    struct str said = req->engine.len > 0 ? req->engine
                      : alone != NULL     ? str_from(alone)
                                          : e->engine;
    enum engine engine;

    if (said.len > 0 && engine_of(said, &engine))
        out->engine = str_from(engine_names[engine]);
    return out->engine.len > 0 || req->engine.len == 0 ||
           error_fail_hint(err, ERROR_USAGE, "write vllm, sglang, tensorrt-llm or llama.cpp",
                           "--engine: '%.*s' is not known", STR_ARG(req->engine));
}

static bool find_served_weights(const struct bench_request *req, struct share_row *out,
                                struct error *err)
{
    enum weights weights;

    if (req->weights.len == 0)
        return true;
    if (!weights_of(req->weights, &weights))
        return error_fail_hint(err, ERROR_USAGE, "write fp16, fp8, int8 or int4",
                               "--weights: '%.*s' is no precision", STR_ARG(req->weights));
    out->weights = str_from(weights_names[weights]);
    return true;
}

static bool is_complete(const struct share_row *s)
{
    return s->gpu.len > 0 && s->gpus > 0 && s->engine.len > 0 && s->weights.len > 0 &&
           s->model.len > 0;
}

bool bench_served_find(struct op_context *ctx, const struct bench_request *req,
                       const struct bench_endpoint *endpoint, const struct run_price *price,
                       struct share_row *out, struct error *err)
{
    *out = (struct share_row){.model = req->known_as.len > 0 ? req->known_as
                                                             : endpoint->format.model};
    if (!find_served_gpu(ctx, req, price, out, err) ||
        !find_served_engine(req, endpoint, out, err) || !find_served_weights(req, out, err))
        return false;
    if (req->share_row.len == 0 || is_complete(out))
        return true;
    return error_fail_hint(err, ERROR_USAGE,
                           out->gpu.len == 0 ? "add --on H100 or --offer OFFER"
                           : out->weights.len == 0
                               ? "add --weights fp16, the precision of the served weights"
                           : out->engine.len == 0 ? "add --engine vllm"
                                                  : "add --known-as MODEL",
                           "--share-row: the row needs to say %s",
                           out->gpu.len == 0       ? "which GPU serves"
                           : out->weights.len == 0 ? "which weights"
                           : out->engine.len == 0  ? "which engine"
                                                   : "which model");
}

/* ---- rows ---- */

static void write_one_row(const struct share_row *served, const struct load_result *r, stamp at,
                          int64_t number, struct buf *out)
{
    struct share_row row = *served;

    share_row_name(&row, at, number);
    row.concurrency = load_concurrency(r);
    row.input = r->mean_input;
    row.output = r->mean_output;
    row.tokens_per_s = r->output_per_s;
    row.first_ms = r->first_token.mean.value * 1e3;
    row.token_ms = r->per_token.mean.value * 1e3;
    row.quality = load_quality(r);
    share_row_write(&row, out);
}

bool bench_row_of(struct op_context *ctx, const struct share_row *served,
                  const struct load_result *result, stamp at, struct str *out,
                  struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, SHARED_MAX);

    *out = (struct str){0};
    if (!is_complete(served) || result->answered == 0)
        return true;
    write_one_row(served, result, at, 1, &text);
    return buf_keep(&text, ctx->arena, out, err);
}

/* What the file has; its columns must be ours. */
static bool begin_rows(struct op_context *ctx, struct str path, struct buf *out,
                       struct error *err)
{
    char *name = str_dup(path, ctx->arena, err);
    struct str before;

    if (name == NULL)
        return false;
    if (!op_file_exists(ctx, name)) {
        buf_adds(out, share_row_header);
        return true;
    }
    if (!op_file_read(ctx, name, SHARED_MAX, &before, err))
        return false;
    buf_add(out, before);
    return str_starts(before, str_from(share_row_header)) ||
           error_fail_hint(err, ERROR_INPUT, "name another file",
                           "'%.*s' has other columns than rows of serving", STR_ARG(path));
}

bool bench_share_rows(struct op_context *ctx, const struct share_row *served,
                      const struct rows *runs, stamp at, struct str path, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, SHARED_MAX);
    const struct load_result *results = runs->at;

    if (!begin_rows(ctx, path, &text, err)) {
        buf_free(&text);
        return false;
    }
    for (size_t i = 0; i < runs->len; i++)
        if (results[i].answered > 0)
            write_one_row(served, &results[i], at, (int64_t)i + 1, &text);
    return fs_put_buf(path, &text, err);
}
