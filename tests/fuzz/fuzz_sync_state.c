/* Any bytes are the state of a sync, or count as none; what is read leads nowhere outside, and
 * its tag is taken apart or refused. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "data/sync/sync_state.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    int fd = memfd_create("state", MFD_CLOEXEC);
    struct error err = {0};
    struct sync_state state;
    int64_t modified, length;
    bool known, server;
    char path[64];

    require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    require(sync_state_read(path, &arena, &state, &known, &err));
    for (size_t i = 0; known && i < state.base.tree.count; i++) {
        struct str name = state.base.tree.entries[i].path;

        require(name.len > 0 && name.at[0] != '/' && !str_starts(name, STR("../")));
    }
    require(known || (state.base.tree.count == 0 && state.tag.len == 0));
    if (sync_tag_read(state.tag, &modified, &length, &server))
        require(state.tag.len >= 3);
    (void)close(fd);
    arena_free(&arena);
    return 0;
}
