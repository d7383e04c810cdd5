/* Any bytes are a bundle, which becomes the folder that its manifest announces, or are refused
 * and leave nothing; nothing is written beside that folder. The checksums of tar's headers are
 * made right first, so that what is behind them is tried. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/bundle/bundle.h"

#define MOST ((size_t)64 << 10)
#define HEADER ((size_t)512)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static ptrdiff_t read_rest(void *ctx, char *to, size_t room, struct error *err)
{
    struct str *text = ctx;
    size_t len = text->len < room ? text->len : room;

    (void)err;
    if (len > 0)
        memcpy(to, text->at, len);
    text->at += len;
    text->len -= len;
    return (ptrdiff_t)len;
}

static void mend_headers(unsigned char *at, size_t size)
{
    for (; size >= HEADER; at += HEADER, size -= HEADER) {
        unsigned sum = 0;

        if (memcmp(at + 257, "ustar", 5) != 0)
            continue;
        memset(at + 148, ' ', 8);
        for (size_t i = 0; i < HEADER; i++)
            sum += at[i];
        (void)snprintf((char *)at + 148, 8, "%06o", sum & 0777777);
    }
}

/* How many names are in it. */
static size_t count_names(const char *folder)
{
    DIR *dir = opendir(folder);
    size_t count = 0;

    require(dir != NULL);
    while (readdir(dir) != NULL)
        count++;
    (void)closedir(dir);
    return count - 2;
}

static void try_bundle(struct str text, const char *scratch, const char *folder)
{
    struct arena arena = {.alloc = &alloc_system};
    const struct watch nobody = {0};
    const struct unbundle_work work = {{read_rest, &text}, "fuzz", folder, &nobody};
    struct manifest m;
    struct error err = {0};

    if (unbundle(&work, &arena, &m, &err)) {
        require(count_names(scratch) == 1);
        require(fs_remove_folder(folder));
    } else {
        require(err.text[0] != 0 && count_names(scratch) == 0);
    }
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char scratch[] = "/dev/shm/stint-fuzz-XXXXXX", folder[64];
    static unsigned char copy[MOST];

    if (size > MOST)
        return 0;
    if (folder[0] == 0) {
        if (mkdtemp(scratch) == NULL)
            return 0;
        (void)snprintf(folder, sizeof folder, "%s/x", scratch);
    }
    if (size > 0)
        memcpy(copy, data, size);
    mend_headers(copy, size);
    try_bundle((struct str){(const char *)copy, size}, scratch, folder);
    return 0;
}
