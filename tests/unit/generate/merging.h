/* merging.h - what the tests of merging share: choices, and one line to check a merge. */
#ifndef TESTS_GENERATE_MERGING_H
#define TESTS_GENERATE_MERGING_H

#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "generate/config.h"

static const struct config_choice undecided = {
    .gpus = -1,
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
    .zero = -1,
};

/* Eight GPUs, ZeRO 3, the optimizer on the host. */
static const struct config_choice sharded = {
    .gpus = 8,
    .machines = 1,
    .data = 8,
    .tensor = 1,
    .pipeline = 1,
    .micro_batch = 4,
    .accumulation = 2,
    .global_batch = 64,
    .sequence = 4096,
    .resolution = -1,
    .rank = NAN,
    .precision = PRECISION_BF16,
    .optimizer = OPTIMIZER_ADAMW,
    .recompute = RECOMPUTE_FULL,
    .offload = OFFLOAD_OPTIMIZER,
    .zero = 3,
};

/* One GPU and a LoRA on pictures. */
static const struct config_choice picture = {
    .gpus = 1,
    .machines = 1,
    .data = 1,
    .tensor = 1,
    .pipeline = 1,
    .micro_batch = 2,
    .accumulation = 4,
    .global_batch = 8,
    .sequence = -1,
    .resolution = 768,
    .rank = 32,
    .precision = PRECISION_AMP_BF16,
    .optimizer = OPTIMIZER_ADAMW_8BIT,
    .recompute = RECOMPUTE_FULL,
    .offload = OFFLOAD_NONE,
    .zero = 0,
    .method = METHOD_LORA,
    .usual_rank = 32,
};

static inline bool merged(enum config_format format, const struct config_choice *choice,
                          struct str base, const char *name, struct buf *out, struct error *err)
{
    struct arena arena = test_arena();
    bool ok = config_merge(format, choice, base, name, &arena, out, err);

    arena_free(&arena);
    return ok;
}

static inline void check_text(struct str got, const char *expected, int line)
{
    if (!str_eq(got, str_from(expected)))
        fail_msg("line %d: got\n%.*s\ninstead of\n%s", line, (int)got.len,
                 got.len > 0 ? got.at : "", expected);
}

/* The merge gives `expected`; merged again it changes nothing; and a choice that decides
 * nothing leaves the base as it is. */
static inline void check_merge_at(enum config_format format, const struct config_choice *choice,
                                  const char *base, const char *expected, int line)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf again = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    if (!merged(format, choice, str_from(base), "base.cfg", &out, &err))
        fail_msg("line %d: %s", line, err.text);
    check_text(buf_text(&out), expected, line);
    if (!merged(format, choice, buf_text(&out), "base.cfg", &again, &err))
        fail_msg("line %d, again: %s", line, err.text);
    check_text(buf_text(&again), expected, line);
    buf_clear(&again);
    if (base[0] != '\0') {
        if (!merged(format, &undecided, str_from(base), "base.cfg", &again, &err))
            fail_msg("line %d, undecided: %s", line, err.text);
        check_text(buf_text(&again), base, line);
    }
    buf_free(&again);
    buf_free(&out);
}

#define check_merge(format, choice, base, expected) \
    check_merge_at(format, choice, base, expected, __LINE__)

/* It is refused with this text and a hint that holds `hint`, and nothing is written. */
static inline void check_refused_at(enum config_format format,
                                    const struct config_choice *choice, const char *base,
                                    const char *text, const char *hint, int line)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    if (merged(format, choice, str_from(base), "base.cfg", &out, &err))
        fail_msg("line %d: not refused:\n%.*s", line, (int)out.len, out.at);
    assert_int_equal(err.kind, ERROR_INPUT);
    if (strcmp(err.text, text) != 0 || strstr(err.hint, hint) == NULL)
        fail_msg("line %d: '%s' (%s)", line, err.text, err.hint);
    assert_int_equal(out.len, 0);
    buf_free(&out);
}

#define check_refused(format, choice, base, text, hint) \
    check_refused_at(format, choice, base, text, hint, __LINE__)

#endif
