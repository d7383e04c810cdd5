/* Any bytes are the parameters of a query or a form, or are refused with a text: never more
 * than there may be, each of them text that is encoded and decoded without a change. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "serve/params.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void round_trip(struct str text, struct arena *arena)
{
    struct buf encoded = buf_new(&alloc_system, (size_t)1 << 22);
    struct error err = {0};
    struct str back;

    percent_encode(text, &encoded);
    require(encoded.failed == ERROR_NONE);
    for (int plus = 0; plus < 2; plus++)
        require(percent_decode(buf_text(&encoded), plus == 1, arena, &back, &err) &&
                str_eq(back, text));
    buf_free(&encoded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct params params = {0};
    struct error err = {0};
    struct str decoded;

    if (size > 1 << 16)
        return 0;
    if (params_read(text, &arena, &params, &err)) {
        require(params.len <= PARAMS_MOST);
        for (size_t i = 0; i < params.len; i++) {
            require(memchr(params.at[i].value.at, '\0', params.at[i].value.len) == NULL ||
                    params.at[i].value.len == 0);
            round_trip(params.at[i].name, &arena);
            round_trip(params.at[i].value, &arena);
        }
    } else {
        require(err.kind != ERROR_NONE && err.text[0] != '\0');
    }
    err = (struct error){0};
    if (percent_decode(text, true, &arena, &decoded, &err))
        round_trip(decoded, &arena);
    else
        require(err.kind != ERROR_NONE && err.text[0] != '\0');
    arena_free(&arena);
    return 0;
}
