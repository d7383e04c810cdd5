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

struct decoder {
    enum compression kind;
    z_stream gzip;
    bool gzip_ended; /* at the end of a member: another may follow */
    lzma_stream xz;
    ZSTD_DStream *zstd;
};

static void close_decoder(void *decoder)
{
    struct decoder *d = decoder;

    if (d->kind == COMPRESSION_GZIP)
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

static enum compress_state step_zstd(struct decoder *d, struct compress_io *io)
{
    ZSTD_inBuffer in = {io->in, io->in_len, 0};
    ZSTD_outBuffer out = {io->out, io->out_room, 0};
    size_t left = ZSTD_decompressStream(d->zstd, &out, &in);

    io->in += in.pos;
    io->in_len -= in.pos;
    io->out += out.pos;
    io->out_room -= out.pos;
    if (ZSTD_isError(left))
        return COMPRESS_DAMAGED;
    return left == 0 ? COMPRESS_WHOLE : COMPRESS_MORE;
}

static enum compress_state step(void *decoder, struct compress_io *io)
{
    struct decoder *d = decoder;

    if (d->kind == COMPRESSION_GZIP)
        return step_gzip(d, io);
    return d->kind == COMPRESSION_XZ ? step_xz(d, io) : step_zstd(d, io);
}

static const struct compress_part functions = {open_decoder, step, close_decoder};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "compress",
    .version = COMPRESS_PART_VERSION,
    .functions = &functions,
};
