/* Any bytes are a pickle or refused; what is read is written and read again as the same. */
#include <stdint.h>
#include <stdlib.h>

#include "data/weights/pickle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct pickle_node *root, *again;
    struct error err = {0};
    struct buf out;

    if (pickle_read((struct str){(const char *)data, size}, &arena, &root, &err)) {
        out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        require(pickle_write(root, &out, &err));
        require(pickle_read(buf_text(&out), &arena, &again, &err));
        require(pickle_same(root, again));
        buf_free(&out);
    } else {
        require(err.kind == ERROR_INPUT || err.kind == ERROR_UNFIT);
    }
    arena_free(&arena);
    return 0;
}
