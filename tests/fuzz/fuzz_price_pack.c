/* Any bytes as a price pack: refused, or unpacked into an edit. Checksum and signature are not
 * looked at, so that what is behind them is reached too. Bytes that are no pack are taken for
 * the unpacked records of one. */
#include <stdint.h>
#include <stdlib.h>

#include "base/lz.h"
#include "market/price_pack.h"

#define MOST ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_pack(const struct price_pack *pack)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct error err = {0};
    struct store_edit *edit = store_edit_new(&alloc_system, &err);

    if (edit != NULL && !price_pack_read(pack, "fuzz", edit, &arena, &err) &&
        err.text[0] == '\0')
        abort();
    store_edit_free(edit);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str file = {(const char *)data, size};
    static struct lz_table table;
    struct error err = {0};
    struct price_pack pack;
    char *packed;

    if (size > MOST)
        return 0;
    if (price_pack_parse(file, "fuzz", &pack, &err)) {
        if (pack.plain <= MOST)
            read_pack(&pack);
        return 0;
    }
    packed = malloc(lz_bound(size) + 1);
    if (packed == NULL)
        return 0;
    pack = (struct price_pack){.plain = size};
    pack.payload = (struct str){packed, lz_pack(data, size, packed, &table)};
    read_pack(&pack);
    free(packed);
    return 0;
}
