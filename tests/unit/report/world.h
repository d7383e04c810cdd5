/* world.h - memory for reports. */
#ifndef TESTS_REPORT_WORLD_H
#define TESTS_REPORT_WORLD_H

#include "test.h"

#include <stdio.h>
#include <string.h>

struct world {
    struct arena arena;
};

static inline int world_make(void **state)
{
    struct world *w = calloc(1, sizeof *w);

    if (w == NULL)
        return 1;
    *state = w;
    w->arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    return 0;
}

static inline int world_end(void **state)
{
    struct world *w = *state;

    arena_free(&w->arena);
    free(w);
    return 0;
}

#endif
