/* archive_part.h - tar by libarchive, packed by zlib and libzstd, in the loadable part
 * `archive`.
 *
 * A piece that is packed unpacks without those before it, so that several threads pack. */
#ifndef DATA_BUNDLE_ARCHIVE_PART_H
#define DATA_BUNDLE_ARCHIVE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARCHIVE_PART_VERSION 1

/* What is in an archive under one name. Owners are not kept. */
enum member_kind {
    MEMBER_FILE,
    MEMBER_LINK,   /* a symbolic link */
    MEMBER_FOLDER, /* its path may end with a slash */
    MEMBER_OTHER,  /* a hard link, a device: only when it is read */
};

struct archive_member {
    enum member_kind kind;
    const char *path;   /* any bytes */
    const char *target; /* of a link; else NULL */
    uint64_t size;      /* of a file */
    int64_t modified;   /* seconds since 1970, not before */
    bool executable;    /* a file; no other rights are kept */
};

enum pack_kind { PACK_GZIP, PACK_ZSTD };

#define PACK_EDGE ((size_t)32) /* bytes of pack_head and pack_tail, at most */

enum member_state { MEMBER_THERE, MEMBER_NONE, MEMBER_DAMAGED, MEMBER_NO_MEMORY };

/* Packed or plain bytes of an archive: how many, 0 at their end, -1 when they cannot be
 * read. */
typedef ptrdiff_t archive_bytes(void *ctx, const void **bytes);

struct archive_part {
    /* The header, as tar has it, at `to`: its bytes, with those of a long name; 0 when that
     * does not fit, or memory runs out. */
    size_t (*head)(const struct archive_member *member, unsigned char *to, size_t room);

    /* Each thread has its own packer; NULL when memory runs out. */
    void *(*pack_open)(enum pack_kind kind);
    void (*pack_close)(void *packer); /* NULL is fine */
    /* What `len` bytes take, at most. */
    size_t (*pack_room)(size_t len);
    /* These bytes packed, or as they are when `store`; 0 when they do not fit. */
    size_t (*pack)(void *packer, const unsigned char *bytes, size_t len, bool store,
                   unsigned char *to, size_t room);
    /* Would packing them save next to nothing? A sample of them is tried. */
    bool (*is_packed)(void *packer, const unsigned char *bytes, size_t len);
    /* The checksum that the kind has at its end (0: it has none there); of the bytes of `a`
     * followed by `len` bytes whose checksum is `b`. */
    uint32_t (*sum)(void *packer, const unsigned char *bytes, size_t len);
    uint32_t (*sum_join)(uint32_t a, uint32_t b, uint64_t len);
    /* What comes before the first piece and after the last. */
    size_t (*pack_head)(enum pack_kind kind, unsigned char to[static PACK_EDGE]);
    size_t (*pack_tail)(enum pack_kind kind, uint32_t sum, uint64_t len,
                        unsigned char to[static PACK_EDGE]);

    /* A plain archive that is read member by member; NULL when memory runs out. */
    void *(*read_open)(archive_bytes *bytes, void *ctx);
    void (*read_close)(void *reader); /* NULL is fine */
    /* The next member; what of the last one was not read is skipped. */
    enum member_state (*next)(void *reader, struct archive_member *out);
    /* Its content: how many bytes, 0 at its end, -1 when the archive is damaged or ends. */
    ptrdiff_t (*read)(void *reader, void *to, size_t room);
};

#endif
