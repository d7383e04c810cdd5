/* The loadable part `compress`: the only code that links zlib, liblzma and libzstd. */
#define ZLIB_CONST /* zlib then takes its input as const */
#include <limits.h>
#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/part.h"
#include "doc/compress.h"

#define XZ_MEMORY ((uint64_t)256 << 20) /* the most that a hostile header may ask for */

#define ZIP_HEAD 30  /* bytes of a header before the name */
#define ZIP_NAME 256 /* of a name that are kept */

enum zip_place {
    ZIP_AT_HEAD,
    ZIP_AT_NAME,
    ZIP_AT_EXTRA,
    ZIP_AT_BODY,
    ZIP_AT_SUMS, /* the checksum and sizes, when they come after the body */
    ZIP_AT_TAIL, /* the directory at the end: it repeats what was read */
};

struct zip {
    enum zip_place place;
    unsigned char head[ZIP_HEAD];
    size_t head_len;
    char name[ZIP_NAME];
    size_t name_len, name_left, extra_left;
    uint64_t left; /* of a stored body */
    uint32_t crc, crc_wanted;
    bool sums_after, deflated, wanted, found;
};

struct decoder {
    enum compression kind;
    z_stream gzip;   /* and the bodies of a zip archive */
    bool gzip_ended; /* at the end of a member: another may follow */
    struct zip zip;
    lzma_stream xz;
    ZSTD_DStream *zstd;
    bool zstd_begun;             /* within a frame */
    unsigned char zstd_head[18]; /* the header of a frame, as far as it is read */
    size_t zstd_head_len;
};

static void close_decoder(void *decoder)
{
    struct decoder *d = decoder;

    if (d->kind == COMPRESSION_GZIP || d->kind == COMPRESSION_ZIP)
        (void)inflateEnd(&d->gzip);
    if (d->kind == COMPRESSION_XZ)
        lzma_end(&d->xz);
    if (d->kind == COMPRESSION_ZSTD)
        (void)ZSTD_freeDStream(d->zstd);
    alloc_system.put(alloc_system.ctx, d);
}

static void *open_decoder(enum compression kind)
{
    struct decoder *d = alloc_system.get(alloc_system.ctx, sizeof *d);
    bool ok = false;

    if (d == NULL)
        return NULL;
    memset(d, 0, sizeof *d);
    d->kind = kind;
    if (kind == COMPRESSION_GZIP) {
        ok = inflateInit2(&d->gzip, 15 + 16) == Z_OK;
    } else if (kind == COMPRESSION_ZIP) {
        ok = inflateInit2(&d->gzip, -15) == Z_OK;
    } else if (kind == COMPRESSION_XZ) {
        d->xz = (lzma_stream)LZMA_STREAM_INIT;
        ok = lzma_stream_decoder(&d->xz, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
    } else if (kind == COMPRESSION_ZSTD) {
        d->zstd = ZSTD_createDStream();
        ok = d->zstd != NULL;
    }
    if (ok)
        return d;
    alloc_system.put(alloc_system.ctx, d);
    return NULL;
}

static enum compress_state step_gzip(struct decoder *d, struct compress_io *io)
{
    uInt in = io->in_len < UINT_MAX ? (uInt)io->in_len : UINT_MAX;
    uInt room = io->out_room < UINT_MAX ? (uInt)io->out_room : UINT_MAX;
    int status;

    if (d->gzip_ended && in > 0 && inflateReset(&d->gzip) != Z_OK)
        return COMPRESS_DAMAGED;
    d->gzip_ended = d->gzip_ended && in == 0;
    if (d->gzip_ended)
        return COMPRESS_WHOLE;
    d->gzip.next_in = (const Bytef *)io->in;
    d->gzip.avail_in = in;
    d->gzip.next_out = (Bytef *)io->out;
    d->gzip.avail_out = room;
    status = inflate(&d->gzip, Z_NO_FLUSH);
    io->in += in - d->gzip.avail_in;
    io->in_len -= in - d->gzip.avail_in;
    io->out += room - d->gzip.avail_out;
    io->out_room -= room - d->gzip.avail_out;
    if (status == Z_MEM_ERROR)
        return COMPRESS_MEMORY;
    d->gzip_ended = status == Z_STREAM_END;
    if (d->gzip_ended)
        return COMPRESS_WHOLE;
    return status == Z_OK || status == Z_BUF_ERROR ? COMPRESS_MORE : COMPRESS_DAMAGED;
}

static enum compress_state step_xz(struct decoder *d, struct compress_io *io)
{
    lzma_ret status;

    d->xz.next_in = (const uint8_t *)io->in;
    d->xz.avail_in = io->in_len;
    d->xz.next_out = (uint8_t *)io->out;
    d->xz.avail_out = io->out_room;
    status = lzma_code(&d->xz, io->last ? LZMA_FINISH : LZMA_RUN);
    io->in = (const char *)d->xz.next_in;
    io->in_len = d->xz.avail_in;
    io->out = (char *)d->xz.next_out;
    io->out_room = d->xz.avail_out;
    switch ((int)status) {
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return COMPRESS_MORE;
    case LZMA_STREAM_END:
        return COMPRESS_WHOLE;
    case LZMA_MEM_ERROR:
        return COMPRESS_MEMORY;
    case LZMA_MEMLIMIT_ERROR:
        return COMPRESS_GREEDY;
    default:
        return COMPRESS_DAMAGED;
    }
}

static uint32_t little_endian_at(const unsigned char *at, size_t bytes)
{
    uint32_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static bool is_skippable(uint32_t magic)
{
    return (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

/* Bytes of a frame's header, as far as those that are there show (RFC 8878, 3.1.1.1): magic
 * number and descriptor, window, dictionary, size of the content. */
static size_t zstd_head_size(const struct decoder *d)
{
    static const size_t dictionary[] = {0, 1, 2, 4}, content[] = {0, 2, 4, 8};
    unsigned descriptor = d->zstd_head[4];
    bool one_segment = (descriptor >> 5 & 1) != 0;
    size_t size = 5;

    if (d->zstd_head_len < size)
        return size;
    if (is_skippable(little_endian_at(d->zstd_head, 4)))
        return 8;
    size += dictionary[descriptor & 3] + content[descriptor >> 6];
    return size + (one_segment ? descriptor >> 6 == 0 : 1);
}

/* The complete header of a frame. The library also reads formats from before zstd 1.0, and
 * looks for them wherever what it is given starts: in the middle of a header, too. Such files
 * are no longer made: they are refused as damaged. */
static enum compress_state begin_zstd(struct decoder *d, struct compress_io *io)
{
    ZSTD_inBuffer in = {d->zstd_head, 0, 0};
    ZSTD_outBuffer out = {io->out, io->out_room, 0};
    uint32_t magic;

    while (d->zstd_head_len < zstd_head_size(d) && io->in_len > 0) {
        d->zstd_head[d->zstd_head_len++] = (unsigned char)*io->in++;
        io->in_len--;
    }
    if (d->zstd_head_len < zstd_head_size(d))
        return d->zstd_head_len == 0 ? COMPRESS_WHOLE : COMPRESS_MORE;
    magic = little_endian_at(d->zstd_head, 4);
    if (magic != ZSTD_MAGICNUMBER && !is_skippable(magic))
        return COMPRESS_DAMAGED;
    in.size = d->zstd_head_len;
    d->zstd_head_len = 0;
    d->zstd_begun = true;
    return ZSTD_isError(ZSTD_decompressStream(d->zstd, &out, &in)) ? COMPRESS_DAMAGED
                                                                   : COMPRESS_MORE;
}

static enum compress_state step_zstd(struct decoder *d, struct compress_io *io)
{
    enum compress_state state = d->zstd_begun ? COMPRESS_MORE : begin_zstd(d, io);
    ZSTD_inBuffer in = {io->in, io->in_len, 0};
    ZSTD_outBuffer out = {io->out, io->out_room, 0};
    size_t left;

    if (!d->zstd_begun || state == COMPRESS_DAMAGED)
        return state;
    left = ZSTD_decompressStream(d->zstd, &out, &in);
    io->in += in.pos;
    io->in_len -= in.pos;
    io->out += out.pos;
    io->out_room -= out.pos;
    if (ZSTD_isError(left))
        return COMPRESS_DAMAGED;
    d->zstd_begun = left != 0;
    return left == 0 ? COMPRESS_WHOLE : COMPRESS_MORE;
}

/* ---- zip: one member after the other, as they come ---- */

static void skip_bytes(struct compress_io *io, size_t count)
{
    io->in += count;
    io->in_len -= count;
}

static size_t smaller_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Bytes of a header, until there are `wanted` of them. */
static bool fill_head(struct zip *z, struct compress_io *io, size_t wanted)
{
    size_t take = smaller_size(wanted > z->head_len ? wanted - z->head_len : 0, io->in_len);

    memcpy(z->head + z->head_len, io->in, take);
    z->head_len += take;
    skip_bytes(io, take);
    return z->head_len >= wanted;
}

#define ZIP_FILE UINT32_C(0x04034b50)
#define ZIP_SUMS UINT32_C(0x08074b50)

static bool is_directory(uint32_t mark)
{
    return mark == UINT32_C(0x02014b50) || mark == UINT32_C(0x06054b50) ||
           mark == UINT32_C(0x06064b50) || mark == UINT32_C(0x08064b50);
}

static enum compress_state zip_head(struct zip *z, struct compress_io *io)
{
    unsigned flags, method;

    if (!fill_head(z, io, 4))
        return COMPRESS_MORE;
    if (is_directory(little_endian_at(z->head, 4))) {
        z->place = ZIP_AT_TAIL;
        return z->found ? COMPRESS_MORE : COMPRESS_EMPTY;
    }
    if (little_endian_at(z->head, 4) != ZIP_FILE)
        return COMPRESS_DAMAGED;
    if (!fill_head(z, io, ZIP_HEAD))
        return COMPRESS_MORE;
    flags = little_endian_at(z->head + 6, 2);
    method = little_endian_at(z->head + 8, 2);
    z->sums_after = (flags & 8) != 0;
    z->deflated = method == 8;
    z->crc_wanted = little_endian_at(z->head + 14, 4);
    z->left = little_endian_at(z->head + 18, 4);
    z->name_left = little_endian_at(z->head + 26, 2);
    z->extra_left = little_endian_at(z->head + 28, 2);
    z->name_len = z->head_len = 0;
    z->place = ZIP_AT_NAME;
    if ((flags & 1) != 0 || (method != 0 && method != 8) ||
        (method == 0 && (z->sums_after || z->left == UINT32_MAX)))
        return COMPRESS_LOCKED;
    return COMPRESS_MORE;
}

static bool name_has(const struct zip *z, const char *start)
{
    size_t len = strlen(start);

    return z->name_len >= len && memcmp(z->name, start, len) == 0;
}

/* What programs add, and folders, are no files of the user's. */
static enum compress_state zip_named(struct decoder *d)
{
    struct zip *z = &d->zip;

    z->wanted = z->name_len > 0 && z->name[z->name_len - 1] != '/' &&
                !name_has(z, "__MACOSX/") && !name_has(z, ".DS_Store");
    if (name_has(z, "[Content_Types].xml") || name_has(z, "xl/") || name_has(z, "_rels/"))
        return COMPRESS_BOOK;
    if (z->wanted && z->found)
        return COMPRESS_SEVERAL;
    z->found = z->found || z->wanted;
    z->crc = 0;
    z->place = ZIP_AT_BODY;
    return inflateReset(&d->gzip) == Z_OK ? COMPRESS_MORE : COMPRESS_DAMAGED;
}

static enum compress_state zip_name(struct decoder *d, struct compress_io *io)
{
    struct zip *z = &d->zip;
    size_t take = smaller_size(z->name_left, io->in_len);
    size_t keep = smaller_size(take, sizeof z->name - z->name_len);

    memcpy(z->name + z->name_len, io->in, keep);
    z->name_len += keep;
    z->name_left -= take;
    skip_bytes(io, take);
    if (z->name_left == 0)
        z->place = ZIP_AT_EXTRA;
    return COMPRESS_MORE;
}

static enum compress_state zip_extra(struct decoder *d, struct compress_io *io)
{
    size_t take = smaller_size(d->zip.extra_left, io->in_len);

    d->zip.extra_left -= take;
    skip_bytes(io, take);
    return d->zip.extra_left == 0 ? zip_named(d) : COMPRESS_MORE;
}

static enum compress_state zip_body_end(struct zip *z)
{
    if (!z->sums_after && z->crc != z->crc_wanted)
        return COMPRESS_DAMAGED;
    z->place = z->sums_after ? ZIP_AT_SUMS : ZIP_AT_HEAD;
    return COMPRESS_MORE;
}

static enum compress_state zip_stored(struct zip *z, struct compress_io *io)
{
    size_t take = smaller_size(io->in_len, z->left < SIZE_MAX ? (size_t)z->left : SIZE_MAX);

    if (z->wanted) {
        take = smaller_size(smaller_size(take, io->out_room), UINT_MAX);
        memcpy(io->out, io->in, take);
        z->crc = (uint32_t)crc32(z->crc, (const Bytef *)io->in, (uInt)take);
        io->out += take;
        io->out_room -= take;
    } else {
        take = smaller_size(take, UINT_MAX);
        z->crc = (uint32_t)crc32(z->crc, (const Bytef *)io->in, (uInt)take);
    }
    z->left -= take;
    skip_bytes(io, take);
    return z->left == 0 ? zip_body_end(z) : COMPRESS_MORE;
}

static enum compress_state zip_deflated(struct decoder *d, struct compress_io *io)
{
    struct zip *z = &d->zip;
    unsigned char scratch[4096];
    uInt in = (uInt)smaller_size(io->in_len, UINT_MAX);
    uInt room = z->wanted ? (uInt)smaller_size(io->out_room, UINT_MAX) : (uInt)sizeof scratch;
    Bytef *to = z->wanted ? (Bytef *)io->out : scratch;
    int status;

    d->gzip.next_in = (const Bytef *)io->in;
    d->gzip.avail_in = in;
    d->gzip.next_out = to;
    d->gzip.avail_out = room;
    status = inflate(&d->gzip, Z_NO_FLUSH);
    skip_bytes(io, in - d->gzip.avail_in);
    z->crc = (uint32_t)crc32(z->crc, to, room - d->gzip.avail_out);
    if (z->wanted) {
        io->out += room - d->gzip.avail_out;
        io->out_room -= room - d->gzip.avail_out;
    }
    if (status == Z_MEM_ERROR)
        return COMPRESS_MEMORY;
    if (status == Z_STREAM_END)
        return zip_body_end(z);
    return status == Z_OK || status == Z_BUF_ERROR ? COMPRESS_MORE : COMPRESS_DAMAGED;
}

static bool is_mark(uint32_t mark)
{
    return mark == ZIP_FILE || is_directory(mark);
}

/* With a mark or without, with sizes of four bytes or eight: known by the mark that follows. */
static enum compress_state zip_sums(struct zip *z, struct compress_io *io)
{
    size_t start, next = 0;

    if (!fill_head(z, io, 4))
        return COMPRESS_MORE;
    start = little_endian_at(z->head, 4) == ZIP_SUMS ? 4 : 0;
    for (size_t sizes = 8; sizes <= 16 && next == 0; sizes += 8) {
        if (start + 4 + sizes + 4 > sizeof z->head)
            break;
        if (!fill_head(z, io, start + 4 + sizes + 4))
            return COMPRESS_MORE;
        if (is_mark(little_endian_at(z->head + start + 4 + sizes, 4)))
            next = start + 4 + sizes;
    }
    if (next == 0 || little_endian_at(z->head + start, 4) != z->crc)
        return COMPRESS_DAMAGED;
    memmove(z->head, z->head + next, 4);
    z->head_len = 4;
    z->place = ZIP_AT_HEAD;
    return COMPRESS_MORE;
}

static enum compress_state zip_part(struct decoder *d, struct compress_io *io)
{
    switch (d->zip.place) {
    case ZIP_AT_HEAD:
        return zip_head(&d->zip, io);
    case ZIP_AT_NAME:
        return zip_name(d, io);
    case ZIP_AT_EXTRA:
        return zip_extra(d, io);
    case ZIP_AT_BODY:
        return d->zip.deflated ? zip_deflated(d, io) : zip_stored(&d->zip, io);
    case ZIP_AT_SUMS:
        return zip_sums(&d->zip, io);
    case ZIP_AT_TAIL:
        break;
    }
    skip_bytes(io, io->in_len);
    return COMPRESS_WHOLE;
}

/* Until something comes out, or there is no more input. A body that is empty takes none. */
static enum compress_state step_zip(struct decoder *d, struct compress_io *io)
{
    size_t room = io->out_room;
    enum compress_state state = COMPRESS_MORE;

    do {
        enum zip_place before = d->zip.place;
        size_t left = io->in_len;

        state = zip_part(d, io);
        if (state == COMPRESS_MORE && io->in_len == left && d->zip.place == before &&
            io->out_room == room)
            break;
    } while (state == COMPRESS_MORE && io->out_room == room);
    return state;
}

static enum compress_state step_decoder(void *decoder, struct compress_io *io)
{
    struct decoder *d = decoder;

    if (d->kind == COMPRESSION_ZIP)
        return step_zip(d, io);
    if (d->kind == COMPRESSION_GZIP)
        return step_gzip(d, io);
    return d->kind == COMPRESSION_XZ ? step_xz(d, io) : step_zstd(d, io);
}

static const struct compress_part functions = {open_decoder, step_decoder, close_decoder};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "compress",
    .version = COMPRESS_PART_VERSION,
    .functions = &functions,
};
