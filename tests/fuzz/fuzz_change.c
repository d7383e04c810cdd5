/* Any bytes are a side of a comparison, or are refused with a text. What was read compares with
 * itself: nothing increased. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "advise/explain/change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct change_limits limits = {.max_increase = 0.1, .max_cost = {MONEY_UNKNOWN}};
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct change_side side;
    struct change change;
    struct error err = {0};

    if (!change_side_parse(text, "f.json", &arena, &side, &err))
        require(err.kind == ERROR_INPUT && strncmp(err.text, "f.json:", 7) == 0);
    else if (change_judge(&side, &side, &limits, &arena, &change, &err))
        require(change.passed && change.verdict.len > 0);
    else
        require(err.kind == ERROR_INPUT && err.text[0] != '\0');
    arena_free(&arena);
    return 0;
}
