#include "doc/compress.h"

#include <string.h>

#include "base/part.h"

enum compression compression_of(struct str text)
{
    if (str_starts(text, STR("\x1f\x8b")))
        return COMPRESSION_GZIP;
    if (str_starts(text, STR("\xfd"
                             "7zXZ")))
        return COMPRESSION_XZ;
    if (str_starts(text, STR("\x28\xb5\x2f\xfd")))
        return COMPRESSION_ZSTD;
    return COMPRESSION_NONE;
}

bool unpack_text(struct str *text, const char *name, size_t max, struct arena *arena,
                 struct error *err)
{
    enum compression kind = compression_of(*text);
    const struct compress_part *part;
    struct buf out;
    bool ok;

    if (kind == COMPRESSION_NONE)
        return true;
    part = part_open("compress", COMPRESS_PART_VERSION, err);
    if (part == NULL)
        return false;
    out = buf_new(arena->alloc, max);
    ok = part->unpack(kind, *text, &out, err) && buf_ok(&out, err);
    if (ok) {
        text->at = str_dup(buf_text(&out), arena, err);
        text->len = out.len;
        ok = text->at != NULL;
    } else if (err->kind != ERROR_MEMORY) {
        error_context(err, "%s", name);
    }
    buf_free(&out);
    return ok;
}
