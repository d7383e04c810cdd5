/* loaded.h - the built-in catalog, or its models alone, for a group of tests. */
#ifndef TESTS_CATALOG_LOADED_H
#define TESTS_CATALOG_LOADED_H

#include "test.h"

#include "catalog/catalog.h"

static struct arena arena;
static struct catalog catalog;

static inline int load_tables(uint64_t tables)
{
    struct error err = {0};

    arena = test_arena();
    if (catalog_load(&catalog, tables, NULL, 0, &arena, &err))
        return 0;
    print_error("%s\n", err.text);
    return -1;
}

static inline int load_catalog(void **state)
{
    (void)state;
    return load_tables(TABLE_BIT(TABLE_COUNT) - 1);
}

static inline int load_models(void **state)
{
    (void)state;
    return load_tables(TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS));
}

static inline int free_catalog(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

#endif
