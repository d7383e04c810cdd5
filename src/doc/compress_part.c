/* The loadable part `compress`: the only code that links zlib, liblzma and libzstd. */
#define ZLIB_CONST /* zlib then takes its input as const */
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/part.h"
#include "doc/compress.h"

#define CHUNK ((size_t)64 * 1024)
#define XZ_MEMORY ((uint64_t)256 << 20) /* the most that a hostile header may ask for */

static bool damaged(struct error *err, const char *format)
{
    return error_fail(err, ERROR_INPUT, "the %s data are damaged or cut off", format);
}

static bool unpack_gzip(struct str packed, struct buf *out, struct error *err)
{
    z_stream z = {.next_in = (const Bytef *)packed.at, .avail_in = (uInt)packed.len};
    unsigned char chunk[CHUNK];
    int status = Z_OK;

    if (inflateInit2(&z, 15 + 16) != Z_OK)
        return error_memory(err);
    while (status == Z_OK && out->failed == ERROR_NONE) {
        z.next_out = chunk;
        z.avail_out = sizeof chunk;
        status = inflate(&z, Z_NO_FLUSH);
        buf_add(out, (struct str){(const char *)chunk, sizeof chunk - z.avail_out});
        if (status == Z_STREAM_END && z.avail_in > 0)
            status = inflateReset(&z); /* gzip files may be several, one after the other */
    }
    (void)inflateEnd(&z);
    return status == Z_STREAM_END || out->failed != ERROR_NONE || damaged(err, "gzip");
}

static bool unpack_xz(struct str packed, struct buf *out, struct error *err)
{
    lzma_stream z = LZMA_STREAM_INIT;
    unsigned char chunk[CHUNK];
    lzma_ret status = lzma_stream_decoder(&z, XZ_MEMORY, LZMA_CONCATENATED);

    if (status != LZMA_OK)
        return error_memory(err);
    z.next_in = (const uint8_t *)packed.at;
    z.avail_in = packed.len;
    while (status == LZMA_OK && out->failed == ERROR_NONE) {
        z.next_out = chunk;
        z.avail_out = sizeof chunk;
        status = lzma_code(&z, LZMA_FINISH);
        buf_add(out, (struct str){(const char *)chunk, sizeof chunk - z.avail_out});
    }
    lzma_end(&z);
    if (status == LZMA_MEM_ERROR)
        return error_memory(err);
    if (status == LZMA_MEMLIMIT_ERROR)
        return error_fail(err, ERROR_INPUT, "the xz data take too much memory to unpack");
    return status == LZMA_STREAM_END || out->failed != ERROR_NONE || damaged(err, "xz");
}

static bool unpack_zstd(struct str packed, struct buf *out, struct error *err)
{
    ZSTD_DStream *z = ZSTD_createDStream();
    ZSTD_inBuffer in = {packed.at, packed.len, 0};
    unsigned char chunk[CHUNK];
    size_t left = 1;

    if (z == NULL)
        return error_memory(err);
    while ((in.pos < in.size || left > 0) && out->failed == ERROR_NONE) {
        /* cppcheck-suppress legacyUninitvar ; it is what zstd writes to */
        ZSTD_outBuffer to = {chunk, sizeof chunk, 0};
        size_t before = in.pos;

        left = ZSTD_decompressStream(z, &to, &in);
        if (ZSTD_isError(left) || (in.pos == before && to.pos == 0))
            break;
        buf_add(out, (struct str){(const char *)chunk, to.pos});
    }
    (void)ZSTD_freeDStream(z);
    return left == 0 || out->failed != ERROR_NONE || damaged(err, "zstd");
}

static bool unpack(enum compression kind, struct str packed, struct buf *out, struct error *err)
{
    switch (kind) {
    case COMPRESSION_GZIP:
        return unpack_gzip(packed, out, err);
    case COMPRESSION_XZ:
        return unpack_xz(packed, out, err);
    case COMPRESSION_ZSTD:
        return unpack_zstd(packed, out, err);
    case COMPRESSION_NONE:
        break;
    }
    buf_add(out, packed);
    return true;
}

static const struct compress_part functions = {.unpack = unpack};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "compress",
    .version = COMPRESS_PART_VERSION,
    .functions = &functions,
};
