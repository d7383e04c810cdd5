/* world.h - a context for operations: the built-in catalog, a clock that stands still. */
#ifndef TESTS_OP_WORLD_H
#define TESTS_OP_WORLD_H

#include "test.h"

#include "op/context.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

struct world {
    struct arena arena;
    struct clock clock;
    struct settings settings;
    struct settings_origin origin;
    struct op_context ctx;
    char said[2048];
};

static inline void world_listen(void *ctx, enum message_kind kind, const char *text)
{
    struct world *w = ctx;
    size_t used = strlen(w->said);

    (void)snprintf(w->said + used, sizeof w->said - used, "%s: %s\n",
                   kind == MESSAGE_WARNING ? "warning" : "note", text);
}

static inline int world_make(void **state)
{
    static const stamp noon = {1794700800}; /* 2026-11-15 */
    struct world *w = calloc(1, sizeof *w);
    struct settings_inputs inputs = {.config = "/dev/null"};
    struct error err = {0};

    if (w == NULL)
        return 1;
    *state = w;
    w->arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    w->clock = clock_fixed(&noon);
    if (!settings_load(&inputs, &w->arena, &w->settings, &w->origin, &err))
        return 1;
    w->settings.catalog = (struct str){0};
    w->ctx = (struct op_context){.arena = &w->arena,
                                 .clock = &w->clock,
                                 .settings = &w->settings,
                                 .settings_origin = &w->origin,
                                 .messages = {.show = world_listen, .ctx = w}};
    return 0;
}

static inline int world_end(void **state)
{
    struct world *w = *state;

    op_done(&w->ctx);
    arena_free(&w->arena);
    free(w);
    return 0;
}

/* Each request (an operation and its JSON) ends well, or for want of memory and with none kept,
 * however soon memory runs out. */
static inline void world_survives(const struct world *w, const char *const (*requests)[2],
                                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool ok = false;

        for (size_t allow = 0; !ok; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct arena arena = {.alloc = &alloc, .block_size = ARENA_BLOCK_SIZE};
            struct op_context ctx = w->ctx;
            struct buf out = buf_new(&alloc, BUF_MAX_OUTPUT);
            struct error err = {0};

            assert_true(allow < 2000);
            ctx.arena = &arena;
            ctx.catalog = (struct catalog){0};
            ctx.store = NULL;
            ok = op_call(&ctx, op_find(str_from(requests[i][0])), str_from(requests[i][1]),
                         &out, &err);
            assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
            op_done(&ctx);
            buf_free(&out);
            arena_free(&arena);
            assert_int_equal(failing.held, 0);
        }
    }
}

#endif
