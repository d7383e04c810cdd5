/* libstint: an adapter over `op`, as the command line is. */
#include "stint.h"

#include <stdlib.h>
#include <string.h>

#include "op/context.h"
#include "op/op.h"

static bool call_op(struct arena *arena, struct str name, struct str request, struct buf *out,
                    struct error *err)
{
    struct settings_origin origin;
    struct settings settings;
    struct clock clock;
    stamp fixed;
    struct op_context ctx = {
        .arena = arena, .clock = &clock, .settings = &settings, .settings_origin = &origin};
    const struct op *op = op_find(name);
    struct settings_inputs inputs = {.skip_file = op != NULL && op->writes_config};

    if (op != NULL) {
        bool ok = op_clock(&fixed, &clock, err) &&
                  settings_load(&inputs, arena, &settings, &origin, err) &&
                  op_call(&ctx, op, request, out, err);

        op_done(&ctx);
        return ok;
    }
    return op_unknown(name, err);
}

EXPORTED int stint_call(const char *name, const char *request, char **reply)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0}, ignored;
    bool ok = call_op(&arena, str_from(name), str_from(request), &out, &err);

    if (!ok)
        op_write_error(&err, &out);
    buf_char(&out, '\0');
    *reply = buf_ok(&out, &ignored) ? out.at : NULL;
    if (*reply == NULL)
        buf_free(&out);
    arena_free(&arena);
    if (*reply == NULL)
        return 1;
    return ok ? 0 : error_exit_status(err.kind);
}

EXPORTED void stint_free(char *reply)
{
    free(reply);
}

EXPORTED const char *stint_version(void)
{
    return STINT_VERSION;
}
