/* stored_zip.h - zip archives whose files are not compressed, as PyTorch writes them: what is
 * in one, and writing one. Of any size (zip64).
 *
 * Archives with compressed or encrypted files, or in several parts, are ERROR_UNFIT. Whatever
 * does not fit the archive (outside of it, twice, over each other) is ERROR_INPUT. */
#ifndef DATA_WEIGHTS_STORED_ZIP_H
#define DATA_WEIGHTS_STORED_ZIP_H

#include "base/str.h"

struct stored_entry {
    struct str name;
    uint64_t at, size; /* bytes of its content in the archive */
    uint32_t crc;      /* CRC-32 that the archive says */
};

struct stored_zip {
    struct stored_entry *entries; /* in the order of the directory */
    size_t count;
};

/* A part of the file of an archive. */
bool stored_zip_read_part(int fd, uint64_t at, void *to, size_t len,
                          struct error *err) MUST_USE;

bool stored_zip_read(int fd, uint64_t size, struct arena *arena, struct stored_zip *out,
                     struct error *err) MUST_USE;

/* NULL: there is none of this name. */
const struct stored_entry *stored_zip_find(const struct stored_zip *zip, struct str name);

#define STORED_ZIP_ALIGNMENT 64 /* of every content, as PyTorch has it */

/* Writes an archive to `fd`, one file after the other:
 *
 *     if (stored_zip_start(&zip, name, size, err))
 *         ... write `size` bytes at zip.at, with stored_zip_crc() of them ...
 *         stored_zip_end(&zip, crc, err)
 *     stored_zip_finish(&zip, err)
 */
struct stored_zip_writer {
    int fd;
    struct arena *arena;
    uint64_t at; /* where the content of the file goes that was started */
    uint64_t header;
    struct stored_zip zip;
    uint64_t *headers; /* of each file */
    size_t room, header_room;
    uint32_t crc_table[4][256];
    uint64_t large; /* sizes and places from here on are written as those of zip64 are */
};

struct stored_zip_writer stored_zip_writer(int fd, struct arena *arena);
bool stored_zip_start(struct stored_zip_writer *w, struct str name, uint64_t size,
                      struct error *err) MUST_USE;
uint32_t stored_zip_crc(const struct stored_zip_writer *w, uint32_t before, const void *data,
                        size_t len);
bool stored_zip_end(struct stored_zip_writer *w, uint32_t crc, struct error *err) MUST_USE;
bool stored_zip_finish(struct stored_zip_writer *w, struct error *err) MUST_USE;

#endif
