/* What rsync (first byte 'r') or rclone prints of a place, which is somebody else's: a tree in
 * order whose paths lead nowhere outside, or refused with a text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/sync/rclone.h"
#include "data/sync/rsync.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_listed(struct str path)
{
    require(path.len > 0 && path.at[0] != '/' && memchr(path.at, 0, path.len) == NULL);
    while (path.len > 0) {
        struct str part = str_cut(&path, '/');

        require(part.len > 0 && !str_eq(part, STR("..")) && !str_eq(part, STR(".")));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct error err = {0};
    struct carrier_listing listing;
    bool ok = str_take(&text, 'r') ? rsync_read_list(text, &arena, &listing, &err)
                                   : rclone_read_list(text, &arena, &listing, &err);

    require(ok || (err.kind != ERROR_NONE && err.text[0] != 0));
    for (size_t i = 0; ok && i < listing.tree.count; i++) {
        check_listed(listing.tree.entries[i].path);
        require(i == 0 ||
                str_cmp(listing.tree.entries[i - 1].path, listing.tree.entries[i].path) <= 0);
    }
    arena_free(&arena);
    return 0;
}
