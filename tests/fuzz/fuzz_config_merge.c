/* Any bytes are a configuration of each of the four formats, or are refused with a text: then
 * nothing is written. What is written can be merged again, which changes nothing, and its
 * difference from the base can be shown. Deciding nothing leaves the base as it is. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "generate/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct config_choice choices[] = {
    {.gpus = -1,
     .machines = -1,
     .data = -1,
     .tensor = -1,
     .pipeline = -1,
     .micro_batch = -1,
     .accumulation = -1,
     .global_batch = -1,
     .sequence = -1,
     .resolution = -1,
     .rank = NAN,
     .precision = PRECISION_COUNT,
     .optimizer = OPTIMIZER_COUNT,
     .recompute = RECOMPUTE_COUNT,
     .offload = OFFLOAD_COUNT,
     .zero = -1},
    {.gpus = 16,
     .machines = 2,
     .data = 8,
     .tensor = 2,
     .pipeline = 1,
     .micro_batch = 4,
     .accumulation = 2,
     .global_batch = 64,
     .sequence = 4096,
     .resolution = 768,
     .rank = 32,
     .precision = PRECISION_BF16_PURE,
     .optimizer = OPTIMIZER_LION,
     .recompute = RECOMPUTE_FULL,
     .offload = OFFLOAD_ALL,
     .zero = 3,
     .compiled = true},
    {.gpus = 1,
     .machines = 1,
     .data = 1,
     .tensor = 1,
     .pipeline = 1,
     .micro_batch = 1,
     .accumulation = 1,
     .global_batch = 1,
     .sequence = -1,
     .resolution = 512,
     .rank = 8,
     .precision = PRECISION_FP32,
     .optimizer = OPTIMIZER_ADAMW,
     .recompute = RECOMPUTE_NONE,
     .offload = OFFLOAD_NONE,
     .zero = 0},
};

static void require(bool fact)
{
    if (!fact)
        abort();
}

static bool is_blank(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (memchr(" \t\r\n", text.at[i], 4) == NULL)
            return false;
    return true;
}

static void try_merge(enum config_format format, size_t which, struct str base)
{
    struct arena arena = {.alloc = &alloc_system};
    struct buf once = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf twice = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    if (config_merge(format, &choices[which], base, "fuzz", &arena, &once, &err)) {
        require(err.kind == ERROR_NONE);
        require(config_merge(format, &choices[which], buf_text(&once), "fuzz", &arena, &twice,
                             &err));
        require(str_eq(buf_text(&once), buf_text(&twice)));
        require(which > 0 || is_blank(base) || str_eq(buf_text(&once), base));
        buf_clear(&twice);
        if (text_diff(base, buf_text(&once), "a", "b", &arena, &twice, &err))
            require((twice.len > 0) != str_eq(base, buf_text(&once)));
    } else {
        require(err.kind == ERROR_INPUT && strncmp(err.text, "fuzz", 4) == 0);
        require(once.len == 0);
    }
    buf_free(&once);
    buf_free(&twice);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};

    for (int format = 0; format < CONFIG_FORMATS; format++)
        for (size_t which = 0; which < ARRAY_LEN(choices); which++)
            try_merge((enum config_format)format, which, text);
    return 0;
}
