/* known.h - the built-in facts, loaded once, for targets that estimate. */
#ifndef TESTS_FUZZ_KNOWN_H
#define TESTS_FUZZ_KNOWN_H

#include <stdlib.h>

#include "estimate/constants.h"

static struct catalog catalog;
static struct constants constants;

static inline void require(bool fact)
{
    if (!fact)
        abort();
}

static inline void load(void)
{
    static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err = {0};

    if (catalog.loaded != 0)
        return;
    require(catalog_load(&catalog,
                         TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                             TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                             TABLE_BIT(TABLE_CONSTANTS),
                         NULL, 0, &arena, &err));
    require(constants_load(&catalog, &constants, &err));
}

#endif
