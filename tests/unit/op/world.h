/* world.h - a context for operations: the built-in catalog, a clock that stands still. */
#ifndef TESTS_OP_WORLD_H
#define TESTS_OP_WORLD_H

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "op/op.h"

#define assert_near(got, expected, within) \
    assert_true(fabs((double)(got) - (double)(expected)) <= (within))

struct world {
    struct arena arena;
    struct clock clock;
    struct settings settings;
    struct settings_origin origin;
    struct op_context ctx;
    char said[2048];
};

static inline void world_listen(void *ctx, enum op_voice voice, const char *text)
{
    struct world *w = ctx;
    size_t used = strlen(w->said);

    (void)snprintf(w->said + used, sizeof w->said - used, "%s: %s\n",
                   voice == VOICE_WARN ? "warning" : "note", text);
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
                                 .say = world_listen,
                                 .say_ctx = w};
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

#endif
