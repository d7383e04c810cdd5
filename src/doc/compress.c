#include "doc/compress.h"

#include <string.h>

#include "base/part.h"

#define PACKED_ROOM ((size_t)64 * 1024)
#define PLAIN_ROOM ((size_t)64 * 1024)

static const char *const format_names[] = {"", "gzip", "xz", "zstd", "zip"};

enum compression compression_of(struct str text)
{
    if (str_starts(text, STR("\x1f\x8b")))
        return COMPRESSION_GZIP;
    if (str_starts(text, STR("\xfd"
                             "7zXZ")))
        return COMPRESSION_XZ;
    if (str_starts(text, STR("\x28\xb5\x2f\xfd")))
        return COMPRESSION_ZSTD;
    if (str_starts(text, STR("PK\003\004")))
        return COMPRESSION_ZIP;
    return COMPRESSION_NONE;
}

struct unpacker {
    const struct alloc *alloc;
    struct source source;
    const char *name;
    uint64_t given, max;
    enum compression kind;
    const struct compress_part *part; /* NULL for a plain stream */
    void *decoder;
    enum compress_state state;
    struct compress_io io;
    char packed[PACKED_ROOM];
};

/* Fill the input when it is empty. */
static bool refill(struct unpacker *u, struct error *err)
{
    ptrdiff_t got;

    if (u->io.in_len > 0 || u->io.last)
        return true;
    got = u->source.read(u->source.ctx, u->packed, sizeof u->packed, err);
    if (got < 0)
        return false;
    u->io.in = u->packed;
    u->io.in_len = (size_t)got;
    u->io.last = got == 0;
    return true;
}

/* What only archives can be. */
static bool refuse_archive(const struct unpacker *u, struct error *err)
{
    switch (u->state) {
    case COMPRESS_SEVERAL:
        error_set(err, ERROR_INPUT, "%s: the zip archive holds more than one file", u->name);
        error_hint(err, "unpack it first, and name what was in it");
        return true;
    case COMPRESS_BOOK:
        error_set(err, ERROR_INPUT, "%s: this is an Excel workbook, which is not read",
                  u->name);
        error_hint(err, "save it as CSV first");
        return true;
    case COMPRESS_EMPTY:
        error_set(err, ERROR_INPUT, "%s: the zip archive holds no file", u->name);
        return true;
    case COMPRESS_LOCKED:
        error_set(err, ERROR_INPUT,
                  "%s: the zip archive needs a password, or a method other than deflate",
                  u->name);
        error_hint(err, "unpack it first");
        return true;
    case COMPRESS_MORE:
    case COMPRESS_WHOLE:
    case COMPRESS_DAMAGED:
    case COMPRESS_GREEDY:
    case COMPRESS_MEMORY:
        break;
    }
    return false;
}

static bool damaged(const struct unpacker *u, struct error *err)
{
    if (refuse_archive(u, err))
        return false;
    if (u->state == COMPRESS_MEMORY)
        return error_memory(err);
    if (u->state == COMPRESS_GREEDY)
        return error_fail(err, ERROR_INPUT, "%s: the %s data take too much memory to unpack",
                          u->name, format_names[u->kind]);
    return error_fail(err, ERROR_INPUT, "%s: the %s data are damaged or cut off", u->name,
                      format_names[u->kind]);
}

/* Unpack until something comes out, or the end. */
static ptrdiff_t read_packed(struct unpacker *u, char *to, size_t room, struct error *err)
{
    u->io.out = to;
    u->io.out_room = room;
    while (u->io.out_room == room) {
        size_t before;

        if (!refill(u, err))
            return -1;
        if (u->io.last && u->io.in_len == 0 && u->state == COMPRESS_WHOLE)
            break;
        before = u->io.in_len;
        u->state = u->part->step(u->decoder, &u->io);
        if (u->state > COMPRESS_WHOLE ||
            (u->io.last && u->io.in_len == before && u->io.out_room == room &&
             u->state != COMPRESS_WHOLE)) {
            (void)damaged(u, err);
            return -1;
        }
    }
    return (ptrdiff_t)(room - u->io.out_room);
}

static ptrdiff_t read_uncompressed(struct unpacker *u, char *to, size_t room, struct error *err)
{
    size_t have = u->io.in_len < room ? u->io.in_len : room;

    if (have == 0)
        return u->source.read(u->source.ctx, to, room, err);
    memcpy(to, u->io.in, have);
    u->io.in += have;
    u->io.in_len -= have;
    return (ptrdiff_t)have;
}

static ptrdiff_t read_unpacked(void *ctx, char *to, size_t room, struct error *err)
{
    struct unpacker *u = ctx;
    ptrdiff_t got =
        u->part != NULL ? read_packed(u, to, room, err) : read_uncompressed(u, to, room, err);

    if (got <= 0)
        return got;
    u->given += (uint64_t)got;
    if (u->given <= u->max)
        return got;
    error_set(err, ERROR_INPUT, "%s: larger than %llu bytes%s", u->name,
              (unsigned long long)u->max, u->part != NULL ? " when unpacked" : "");
    return -1;
}

/* The first bytes determine the format; a short first reading is no reason to miss it. */
static bool detect_compression(struct unpacker *u, struct error *err)
{
    while (u->io.in_len < 8) {
        ptrdiff_t got = u->source.read(u->source.ctx, u->packed + u->io.in_len,
                                       sizeof u->packed - u->io.in_len, err);

        if (got < 0)
            return false;
        if (got == 0)
            break;
        u->io.in_len += (size_t)got;
    }
    u->io.in = u->packed;
    u->kind = compression_of((struct str){u->packed, u->io.in_len});
    if (u->kind == COMPRESSION_NONE)
        return true;
    u->part = part_open("compress", COMPRESS_PART_VERSION, err);
    if (u->part == NULL)
        return false;
    u->decoder = u->part->open(u->kind);
    return u->decoder != NULL || error_memory(err);
}

struct unpacker *unpack_open(struct source packed, const char *name, uint64_t max,
                             const struct alloc *alloc, struct error *err)
{
    struct unpacker *u = alloc->get(alloc->ctx, sizeof *u);

    if (u == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(u, 0, sizeof *u);
    u->alloc = alloc;
    u->source = packed;
    u->name = name;
    u->max = max;
    if (detect_compression(u, err))
        return u;
    unpack_close(u);
    return NULL;
}

struct source unpack_source(struct unpacker *unpacker)
{
    return (struct source){read_unpacked, unpacker};
}

void unpack_close(struct unpacker *unpacker)
{
    if (unpacker == NULL)
        return;
    if (unpacker->decoder != NULL)
        unpacker->part->close(unpacker->decoder);
    unpacker->alloc->put(unpacker->alloc->ctx, unpacker);
}

static ptrdiff_t read_text_source(void *ctx, char *to, size_t room, struct error *err)
{
    struct str *rest = ctx;
    size_t have = rest->len < room ? rest->len : room;

    (void)err;
    if (have > 0)
        memcpy(to, rest->at, have);
    rest->at += have;
    rest->len -= have;
    return (ptrdiff_t)have;
}

/* All that a stream gives, to the end of `out`. */
static bool read_whole_source(struct source source, struct buf *out, struct error *err)
{
    char chunk[PLAIN_ROOM];
    ptrdiff_t got = 1;

    while (got > 0 && out->failed == ERROR_NONE) {
        got = source.read(source.ctx, chunk, sizeof chunk, err);
        if (got < 0)
            return false;
        buf_add(out, (struct str){chunk, (size_t)got});
    }
    return buf_ok(out, err);
}

bool unpack_text(struct str *text, const char *name, size_t max, struct arena *arena,
                 struct error *err)
{
    struct str rest = *text;
    struct unpacker *u;
    struct buf out;
    bool ok;

    if (compression_of(*text) == COMPRESSION_NONE)
        return true;
    u = unpack_open((struct source){read_text_source, &rest}, name, UINT64_MAX, arena->alloc,
                    err);
    if (u == NULL)
        return false;
    out = buf_new(arena->alloc, max);
    ok = read_whole_source(unpack_source(u), &out, err);
    if (ok) {
        text->at = str_dup(buf_text(&out), arena, err);
        text->len = out.len;
        ok = text->at != NULL;
    } else if (out.failed != ERROR_NONE && err->kind != ERROR_MEMORY) {
        error_context(err, "%s", name);
    }
    buf_free(&out);
    unpack_close(u);
    return ok;
}
