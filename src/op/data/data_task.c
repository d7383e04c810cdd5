#include "op/data/data_task.h"

#include "op/context.h"

struct data_task op_data_task(struct op_context *ctx)
{
    struct error ignored = {0}; /* without a home nothing is kept */

    return (struct data_task){.arena = ctx->arena,
                              .clock = ctx->clock,
                              .watch = &ctx->watch,
                              .messages = &ctx->messages,
                              .home = settings_cache(ctx->arena, &ignored),
                              .partly = &ctx->partly};
}

int64_t op_data_list(struct rows *rows, size_t limit)
{
    int64_t all = (int64_t)rows->len;

    if (rows->len > limit)
        rows->len = limit;
    return all;
}
