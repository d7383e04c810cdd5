/* Any bytes are a manifest or refused; what is read leads nowhere outside, and is written and
 * read again as the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_entry(const struct tree_entry *e)
{
    if (e->path.len == 0 || e->path.at[0] == '/' || str_starts(e->path, STR("../")) ||
        str_eq(e->path, STR("..")))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct error err = {0};
    struct manifest m, again;
    struct buf out;

    if (manifest_read(text, &arena, &m, &err)) {
        for (size_t i = 0; i < m.tree.count; i++)
            check_entry(&m.tree.entries[i]);
        out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
        manifest_write(&m, true, &out);
        if (!buf_ok(&out, &err) || !manifest_read(buf_text(&out), &arena, &again, &err) ||
            memcmp(m.digest, again.digest, TREE_DIGEST) != 0)
            abort();
        buf_free(&out);
    } else if (err.kind == ERROR_NONE) {
        abort();
    }
    arena_free(&arena);
    return 0;
}
