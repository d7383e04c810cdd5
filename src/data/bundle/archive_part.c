/* The loadable part `archive`: libarchive writes and reads headers of tar, zlib and libzstd
 * pack. What reads a hostile archive is libarchive's reader of tar alone: unpacking is the part
 * `compress`. */
#include "data/bundle/archive_part.h"

#define ZLIB_CONST /* zlib then takes its input as const */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/arena.h"
#include "base/part.h"

#define GZIP_LEVEL 6 /* what `gzip` and `zstd` take by themselves */
#define ZSTD_LEVEL 3
#define ZSTD_TRY 1 /* of a sample */

#define STORED_MOST ((size_t)65535) /* bytes of a stored block of deflate */
#define SAMPLE ((size_t)4 << 10)
#define SAMPLES 4
#define SAVED_LEAST 32 /* packed already: it saves less than one in so many bytes */

struct packer {
    enum pack_kind kind;
    z_stream gzip;
    ZSTD_CCtx *zstd, *store, *try;
    unsigned char tried[SAMPLE + SAMPLE / 8];
};

/* Where a header goes; what follows it does not. */
struct head {
    unsigned char *to;
    size_t room, len;
    bool done;
};

static la_ssize_t take_tar_head(struct archive *a, void *ctx, const void *bytes, size_t len)
{
    struct head *head = ctx;

    if (head->done || len > head->room - head->len) {
        archive_set_error(a, ENOSPC, "no room");
        return -1;
    }
    memcpy(head->to + head->len, bytes, len);
    head->len += len;
    return (la_ssize_t)len;
}

static void describe_member(const struct archive_member *member, struct archive_entry *entry)
{
    static const mode_t types[] = {
        [MEMBER_FILE] = AE_IFREG, [MEMBER_LINK] = AE_IFLNK, [MEMBER_FOLDER] = AE_IFDIR};
    bool all = member->kind != MEMBER_FILE || member->executable;

    archive_entry_copy_pathname(entry, member->path);
    archive_entry_set_filetype(entry, types[member->kind]);
    archive_entry_set_perm(entry, member->kind == MEMBER_LINK ? 0777 : all ? 0755 : 0644);
    archive_entry_set_mtime(entry, (time_t)member->modified, 0);
    if (member->kind == MEMBER_LINK)
        archive_entry_copy_symlink(entry, member->target);
    archive_entry_set_size(entry, member->kind == MEMBER_FILE ? (la_int64_t)member->size : 0);
}

/* In the format of GNU tar: names are bytes, which it and all others read as they are. At the
 * end libarchive would write zeros in place of the content, which is ours to write: no room. */
/* NOLINTNEXTLINE(readability-non-const-parameter): take_tar_head() writes there */
static size_t write_head(const struct archive_member *member, unsigned char *to, size_t room)
{
    struct head head = {to, room, 0, false};
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    bool ok = a != NULL && entry != NULL && archive_write_set_format_gnutar(a) == ARCHIVE_OK &&
              archive_write_set_bytes_per_block(a, 0) == ARCHIVE_OK &&
              archive_write_open(a, &head, NULL, take_tar_head, NULL) == ARCHIVE_OK;

    if (ok) {
        describe_member(member, entry);
        ok = archive_write_header(a, entry) == ARCHIVE_OK;
    }
    head.done = true;
    archive_entry_free(entry);
    (void)archive_write_free(a);
    return ok ? head.len : 0;
}

static void close_packer(void *packer)
{
    struct packer *p = packer;

    if (p == NULL)
        return;
    if (p->kind == PACK_GZIP)
        (void)deflateEnd(&p->gzip);
    (void)ZSTD_freeCCtx(p->zstd);
    (void)ZSTD_freeCCtx(p->store);
    (void)ZSTD_freeCCtx(p->try);
    alloc_system.put(alloc_system.ctx, p);
}

static bool set_zstd_to(ZSTD_CCtx *zstd, ZSTD_cParameter what, int value)
{
    return ZSTD_isError(ZSTD_CCtx_setParameter(zstd, what, value)) == 0;
}

static bool set_zstd(ZSTD_CCtx *zstd, int level)
{
    return zstd != NULL && set_zstd_to(zstd, ZSTD_c_compressionLevel, level) &&
           set_zstd_to(zstd, ZSTD_c_checksumFlag, 1);
}

/* Each piece starts without what was before it. To look back over all of a piece, with larger
 * tables, saves more than that costs. */
static bool widen_zstd(ZSTD_CCtx *zstd)
{
    return set_zstd_to(zstd, ZSTD_c_windowLog, 23) && set_zstd_to(zstd, ZSTD_c_hashLog, 18) &&
           set_zstd_to(zstd, ZSTD_c_chainLog, 17);
}

static void *open_packer(enum pack_kind kind)
{
    struct packer *p = alloc_system.get(alloc_system.ctx, sizeof *p);

    if (p == NULL)
        return NULL;
    memset(p, 0, sizeof *p);
    if (kind == PACK_GZIP &&
        deflateInit2(&p->gzip, GZIP_LEVEL, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        alloc_system.put(alloc_system.ctx, p);
        return NULL;
    }
    p->kind = kind;
    p->zstd = ZSTD_createCCtx();
    p->store = ZSTD_createCCtx();
    p->try = ZSTD_createCCtx();
    if (set_zstd(p->zstd, ZSTD_LEVEL) && widen_zstd(p->zstd) &&
        set_zstd(p->store, ZSTD_minCLevel()) && set_zstd(p->try, ZSTD_TRY))
        return p;
    close_packer(p);
    return NULL;
}

/* Pieces within it are cut where stored ones begin and end: some dozen bytes for each. */
static size_t room_packed(size_t len)
{
    return len + len / 64 + ((size_t)64 << 10);
}

/* Blocks of deflate with the bytes as they are. */
static size_t store_gzip(const unsigned char *bytes, size_t len, unsigned char *to, size_t room)
{
    size_t used = 0;

    while (len > 0) {
        size_t block = len < STORED_MOST ? len : STORED_MOST;

        if (room - used < block + 5)
            return 0;
        to[used++] = 0;
        to[used++] = (unsigned char)(block & 0xff);
        to[used++] = (unsigned char)(block >> 8);
        to[used++] = (unsigned char)(~block & 0xff);
        to[used++] = (unsigned char)(~block >> 8 & 0xff);
        memcpy(to + used, bytes, block);
        used += block;
        bytes += block;
        len -= block;
    }
    return used;
}

/* Blocks that end at a byte. */
static size_t pack_gzip(struct packer *p, const unsigned char *bytes, size_t len,
                        unsigned char *to, size_t room)
{
    if (len > UINT_MAX || room > UINT_MAX || deflateReset(&p->gzip) != Z_OK)
        return 0;
    p->gzip.next_in = bytes;
    p->gzip.avail_in = (uInt)len;
    p->gzip.next_out = to;
    p->gzip.avail_out = (uInt)room;
    if (deflate(&p->gzip, Z_SYNC_FLUSH) != Z_OK || p->gzip.avail_in > 0 ||
        p->gzip.avail_out == 0)
        return 0;
    return room - p->gzip.avail_out;
}

static size_t pack_piece(void *packer, const unsigned char *bytes, size_t len, bool store,
                         unsigned char *to, size_t room)
{
    struct packer *p = packer;
    size_t used;

    if (p->kind == PACK_GZIP)
        return store ? store_gzip(bytes, len, to, room) : pack_gzip(p, bytes, len, to, room);
    used = ZSTD_compress2(store ? p->store : p->zstd, to, room, bytes, len);
    return ZSTD_isError(used) ? 0 : used;
}

static bool is_packed_piece(void *packer, const unsigned char *bytes, size_t len)
{
    struct packer *p = packer;
    size_t step = len / (SAMPLES + 1), given = 0, used = 0;

    for (size_t i = 1; i <= SAMPLES; i++) {
        size_t left = len - i * step, size = left < SAMPLE ? left : SAMPLE;
        size_t packed =
            ZSTD_compress2(p->try, p->tried, sizeof p->tried, bytes + i * step, size);

        if (ZSTD_isError(packed))
            return false;
        given += size;
        used += packed;
        if (i == 1 && used < given - given / 4) /* this is text: no need to look further */
            return false;
    }
    return used + given / SAVED_LEAST > given;
}

static uint32_t sum_piece(void *packer, const unsigned char *bytes, size_t len)
{
    const struct packer *p = packer;

    return p->kind == PACK_GZIP ? (uint32_t)crc32_z(0, bytes, len) : 0;
}

static uint32_t join_sums(uint32_t a, uint32_t b, uint64_t len)
{
    return (uint32_t)crc32_combine(a, b, (z_off_t)len);
}

/* Neither a name nor a time: the same input gives the same bytes. */
static size_t head_of_packed(enum pack_kind kind, unsigned char to[static PACK_EDGE])
{
    static const unsigned char gzip[] = {0x1f, 0x8b, Z_DEFLATED, 0, 0, 0, 0, 0, 0, 255};

    if (kind != PACK_GZIP)
        return 0;
    memcpy(to, gzip, sizeof gzip);
    return sizeof gzip;
}

static void put_little_endian(uint32_t value, unsigned char *to)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> 8 * i & 0xff);
}

/* A last, empty block, the checksum and the size. */
static size_t tail_of_packed(enum pack_kind kind, uint32_t sum, uint64_t len,
                             unsigned char to[static PACK_EDGE])
{
    if (kind != PACK_GZIP)
        return 0;
    to[0] = 3;
    to[1] = 0;
    put_little_endian(sum, to + 2);
    put_little_endian((uint32_t)(len & UINT32_MAX), to + 6);
    return 10;
}

struct reader {
    struct archive *archive;
    archive_bytes *bytes;
    void *ctx;
};

static la_ssize_t give_bytes(struct archive *a, void *ctx, const void **bytes)
{
    struct reader *r = ctx;
    ptrdiff_t got = r->bytes(r->ctx, bytes);

    if (got < 0)
        archive_set_error(a, EIO, "cannot be read");
    return got;
}

static void close_reader(void *reader)
{
    struct reader *r = reader;

    if (r == NULL)
        return;
    (void)archive_read_free(r->archive);
    alloc_system.put(alloc_system.ctx, r);
}

static void *open_reader(archive_bytes *bytes, void *ctx)
{
    struct reader *r = alloc_system.get(alloc_system.ctx, sizeof *r);

    if (r == NULL)
        return NULL;
    *r = (struct reader){archive_read_new(), bytes, ctx};
    /* Bytes that cannot be read are reported with the first member. */
    if (r->archive != NULL && archive_read_support_format_tar(r->archive) == ARCHIVE_OK) {
        (void)archive_read_open(r->archive, r, NULL, give_bytes, NULL);
        return r;
    }
    close_reader(r);
    return NULL;
}

static enum member_kind kind_of_member(struct archive_entry *entry)
{
    if (archive_entry_hardlink(entry) != NULL)
        return MEMBER_OTHER;
    switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
        return MEMBER_FILE;
    case AE_IFLNK:
        return MEMBER_LINK;
    case AE_IFDIR:
        return MEMBER_FOLDER;
    default:
        return MEMBER_OTHER;
    }
}

static enum member_state next_member(void *reader, struct archive_member *out)
{
    struct reader *r = reader;
    struct archive_entry *entry;
    int state = archive_read_next_header(r->archive, &entry);

    if (state == ARCHIVE_EOF)
        return MEMBER_NONE;
    if (state != ARCHIVE_OK)
        return archive_errno(r->archive) == ENOMEM ? MEMBER_NO_MEMORY : MEMBER_DAMAGED;
    *out = (struct archive_member){
        .kind = kind_of_member(entry),
        .path = archive_entry_pathname(entry),
        .target = archive_entry_symlink(entry),
        .modified = archive_entry_mtime(entry),
        .executable = (archive_entry_perm(entry) & 0100) != 0,
    };
    if (out->path == NULL || (out->kind == MEMBER_LINK && out->target == NULL) ||
        archive_entry_size(entry) < 0)
        return MEMBER_DAMAGED;
    out->size = out->kind == MEMBER_FILE ? (uint64_t)archive_entry_size(entry) : 0;
    return MEMBER_THERE;
}

static ptrdiff_t read_member(void *reader, void *to, size_t room)
{
    struct reader *r = reader;
    la_ssize_t got = archive_read_data(r->archive, to, room);

    return got < 0 ? -1 : got;
}

static const struct archive_part functions = {
    .head = write_head,
    .pack_open = open_packer,
    .pack_close = close_packer,
    .pack_room = room_packed,
    .pack = pack_piece,
    .is_packed = is_packed_piece,
    .sum = sum_piece,
    .sum_join = join_sums,
    .pack_head = head_of_packed,
    .pack_tail = tail_of_packed,
    .read_open = open_reader,
    .read_close = close_reader,
    .next = next_member,
    .read = read_member,
};

EXPORTED extern const struct part stint_part;

const struct part stint_part = {
    .name = "archive",
    .version = ARCHIVE_PART_VERSION,
    .functions = &functions,
};
