/* known.h - the built-in facts and constants, and plain settings on them, for the tests of the
 * estimator. */
#ifndef TESTS_ESTIMATE_KNOWN_H
#define TESTS_ESTIMATE_KNOWN_H

#include "test.h"

#include <math.h>

#include "estimate/constants.h"
#include "estimate/model/setup.h"

static struct arena known_arena;
static struct catalog known_catalog;
static struct constants known_constants;

static inline int known_load(void **state)
{
    uint64_t tables = TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) |
                      TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS) |
                      TABLE_BIT(TABLE_CONSTANTS);
    struct error err = {0};

    (void)state;
    known_arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    if (catalog_load(&known_catalog, tables, NULL, 0, &known_arena, &err) &&
        constants_load(&known_catalog, &known_constants, &err))
        return 0;
    print_error("%s\n", err.text);
    return -1;
}

static inline int known_free(void **state)
{
    (void)state;
    arena_free(&known_arena);
    return 0;
}

static inline const struct accelerator *known_gpu(const char *name)
{
    struct error err = {0};
    enum name_match match;
    const struct accelerator *gpu =
        accelerator_find(&known_catalog, str_from(name), &match, &err);

    if (gpu == NULL)
        fail_msg("%s", err.text);
    return gpu;
}

static inline struct arch known_arch(const char *name)
{
    struct error err = {0};
    struct arch a;

    if (!arch_named(&known_catalog, str_from(name), &a, &err))
        fail_msg("%s", err.text);
    return a;
}

/* Full training in bf16, data parallel, nothing special. */
static inline struct setup known_setup_on(const struct arch *arch,
                                          const struct accelerator *gpu, int64_t gpus)
{
    return (struct setup){
        .arch = arch,
        .gpu = gpu,
        .gpus = gpus,
        .per_node = gpus < 8 ? gpus : 8,
        .network_gb_s = NAN,
        .method = METHOD_FULL,
        .targets = TARGET_ALL,
        .rank = 16,
        .base = WEIGHTS_NF4,
        .precision = PRECISION_BF16,
        .stack = STACK_FSDP,
        .attention = ATTENTION_FLASH,
        .head_share = 1,
        .sequence = 2048,
        .micro_batch = 1,
        .accumulation = 1,
        .data = gpus,
        .tensor = 1,
        .pipeline = 1,
        .virtual_pipeline = 1,
        .context = 1,
        .expert = 1,
        .shard = gpus,
    };
}

static inline struct setup known_setup(const struct arch *arch, const char *gpu, int64_t gpus)
{
    return known_setup_on(arch, known_gpu(gpu), gpus);
}

#endif
