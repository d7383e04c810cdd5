/* Any bytes as LiteLLM's file: an error with a text, or rows that the catalog could hold. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "feed/tokens.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at;
    size_t len;
};

static ptrdiff_t give(void *ctx, char *to, size_t room, struct error *err)
{
    struct input *b = ctx;
    size_t n = b->len < room ? b->len : room;

    (void)err;
    if (n > 0)
        memcpy(to, b->at, n);
    b->at += n;
    b->len -= n;
    return (ptrdiff_t)n;
}

static void require(bool fact)
{
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct input left = {data, size};
    struct catalog catalog = {0};
    struct tokens_reading reading = {.source = {give, &left},
                                     .name = "prices.json",
                                     .catalog = &catalog,
                                     .read_from = STR("fuzz")};
    struct tokens_read read;
    struct error err = {0};

    if (!tokens_read(&reading, &arena, &read, &err)) {
        require(err.kind != ERROR_NONE && err.text[0] != '\0');
    } else {
        require(read.count > 0 && read.count <= TOKENS_MOST && read.open <= read.count);
        for (size_t i = 0; i < read.count; i++)
            require(read.rows[i].provider.len > 0 && read.rows[i].model.len > 0 &&
                    read.rows[i].input_usd_per_m.nano > 0 &&
                    read.rows[i].output_usd_per_m.nano > 0);
    }
    arena_free(&arena);
    return 0;
}
