/* data.cache - run a preprocessing command only when what it depends on has changed. */
#include "op/data/data_cache.h"

#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"

static const char *const output_names[] = {"o", NULL};

static const struct field request[] = {
    FIELD_AS("input", TEXTS, cached_command, inputs, .value = "PATH", .whole = true,
             .local = true, .help = "file or folder that the command reads; may be repeated"),
    FIELD_AS("output", TEXTS, cached_command, outputs, .value = "PATH", .whole = true,
             .local = true, .also = output_names,
             .help = "file or folder that the command makes; may be repeated"),
    FIELD(TEXTS, cached_command, env, .value = "NAME", .local = true,
          .help = "environment variables that the outputs depend on"),
    FIELD(TEXTS, cached_command, command, .operand = true, .whole = true, .local = true,
          .value = "COMMAND", .help = "command to run, with its arguments"),
    FIELD(BYTES, cached_command, keep, .value = "SIZE", .fallback = "20GB",
          .help = "size of the cache; what was used longest ago is removed"),
    FIELD(FLAG, cached_command, replace, .local = true,
          .help = "replace outputs that did not come from the cache"),
    FIELD(FLAG, cached_command, list, .local = true, .help = "list what is kept"),
    FIELD(FLAG, cached_command, clear, .local = true, .help = "remove all that is kept"),
};

static bool cache_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct data_task task = op_data_task(ctx);
    const struct cached_result *res = out;

    if (task.home == NULL && (task.home = settings_cache(ctx->arena, err)) == NULL)
        return false;
    if (!cache_run(&task, in, out, err))
        return false;
    if (res->status > 0)
        ctx->status = (int)res->status;
    return true;
}

const struct op op_data_cache = {
    .name = "data.cache",
    .schema = "stint.data.cache/1",
    .changes = true,
    .own_process = true,
    .summary = "run a preprocessing command only when something has changed",
    .request = &(const struct field_set)FIELD_SET(struct cached_command, request),
    .result = &cached_result_fields,
    .run = cache_data,
};
