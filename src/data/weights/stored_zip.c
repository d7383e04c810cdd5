#include "data/weights/stored_zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"

enum {
    LOCAL = 30,      /* bytes of what is before a file's content, without its name */
    CENTRAL = 46,    /* of a file in the directory */
    END = 22,        /* of the end of the directory */
    END64 = 56,      /* of that of zip64, which is before it */
    LOCATOR64 = 20,  /* of what says where that is */
    COMMENT = 65535, /* at most, behind the end */
    NAME_MOST = 4096,
};

#define DIRECTORY_MOST ((uint64_t)256 << 20)
#define ENTRIES_MOST ((uint64_t)1 << 20)

static uint64_t little(const unsigned char *at, unsigned width)
{
    uint64_t value = 0;

    while (width-- > 0)
        value = value << 8 | at[width];
    return value;
}

bool stored_zip_read_part(int fd, uint64_t at, void *to, size_t len, struct error *err)
{
    if (fs_read_at(fd, at, to, len))
        return true;
    if (errno == 0)
        return error_fail(err, ERROR_INPUT, "the archive ends too early");
    error_system(err, errno, "cannot read the archive");
    return false;
}

/* ---- reading ---- */

struct zip_directory {
    uint64_t at, size, count;
};

static bool read_end64(int fd, uint64_t end, struct zip_directory *d, struct error *err)
{
    unsigned char locator[LOCATOR64], record[END64];
    uint64_t at;

    if (end < LOCATOR64 ||
        !stored_zip_read_part(fd, end - LOCATOR64, locator, sizeof locator, err))
        return end >= LOCATOR64 ? false
                                : error_fail(err, ERROR_INPUT, "the archive has no directory");
    at = little(locator + 8, 8);
    if (memcmp(locator, "PK\6\7", 4) != 0 || little(locator + 16, 4) > 1 ||
        at > end - LOCATOR64 || end - LOCATOR64 - at < END64)
        return error_fail(err, ERROR_INPUT, "the archive has no directory");
    if (!stored_zip_read_part(fd, at, record, sizeof record, err))
        return false;
    if (memcmp(record, "PK\6\6", 4) != 0)
        return error_fail(err, ERROR_INPUT, "the archive has no directory");
    *d = (struct zip_directory){little(record + 48, 8), little(record + 40, 8),
                                little(record + 32, 8)};
    return true;
}

/* The end of the directory is the last of the archive, but for a comment. */
static bool find_directory(int fd, uint64_t size, struct arena *arena, struct zip_directory *d,
                           struct error *err)
{
    size_t len = size < END + COMMENT ? (size_t)size : END + COMMENT, i;
    unsigned char *tail = arena_get(arena, len, 1, 1, err);
    const unsigned char *end;

    if (tail == NULL || !stored_zip_read_part(fd, size - len, tail, len, err))
        return false;
    if (len < END)
        return error_fail(err, ERROR_INPUT, "too short for an archive");
    for (i = len - END; i > 0 && memcmp(tail + i, "PK\5\6", 4) != 0; i--)
        continue;
    end = tail + i;
    if (memcmp(end, "PK\5\6", 4) != 0)
        return error_fail(err, ERROR_INPUT, "the end of the archive is missing");
    *d = (struct zip_directory){little(end + 16, 4), little(end + 12, 4), little(end + 10, 2)};
    if ((d->at == UINT32_MAX || d->size == UINT32_MAX || d->count == UINT16_MAX) &&
        !read_end64(fd, size - len + i, d, err))
        return false;
    if (d->at > size || d->size > size - d->at)
        return error_fail(err, ERROR_INPUT, "the directory of the archive is outside of it");
    if (d->size > DIRECTORY_MOST || d->count > ENTRIES_MOST)
        return error_fail(err, ERROR_UNFIT, "an archive of more than a million files");
    return true;
}

/* Sizes and places that are too large for their fields, in the order of these. */
static bool read_zip64(const unsigned char *extra, size_t len, uint64_t *values[static 3],
                       struct error *err)
{
    while (len >= 4) {
        size_t size = (size_t)little(extra + 2, 2), at = 4;

        if (size > len - 4)
            break;
        for (size_t i = 0; little(extra, 2) == 1 && i < 3; i++) {
            if (*values[i] != UINT32_MAX)
                continue;
            if (at + 8 > 4 + size)
                return error_fail(err, ERROR_INPUT, "the archive has a file without a size");
            *values[i] = little(extra + at, 8);
            at += 8;
        }
        extra += 4 + size;
        len -= 4 + size;
    }
    return true;
}

/* Where the content is, by what is before it. */
static bool find_content(int fd, uint64_t size, uint64_t header, struct stored_entry *e,
                         struct error *err)
{
    unsigned char local[LOCAL];

    if (header > size || size - header < LOCAL ||
        !stored_zip_read_part(fd, header, local, sizeof local, err))
        return header <= size && size - header >= LOCAL
                   ? false
                   : error_fail(err, ERROR_INPUT, "'%.*s' is outside of the archive",
                                STR_ARG(e->name));
    e->at = header + LOCAL + little(local + 26, 2) + little(local + 28, 2);
    if (memcmp(local, "PK\3\4", 4) != 0 || e->at > size || e->size > size - e->at)
        return error_fail(err, ERROR_INPUT, "'%.*s' is outside of the archive",
                          STR_ARG(e->name));
    return true;
}

/* One file of the directory; `*used`: bytes of it there. */
static bool read_central(int fd, uint64_t size, struct str left, struct stored_entry *e,
                         size_t *used, struct error *err)
{
    const unsigned char *at = (const unsigned char *)left.at;
    uint64_t packed = 0, header = 0, *wide[3] = {&e->size, &packed, &header};
    size_t name, extra;

    if (left.len < CENTRAL || memcmp(at, "PK\1\2", 4) != 0)
        return error_fail(err, ERROR_INPUT, "the directory of the archive is damaged");
    name = (size_t)little(at + 28, 2);
    extra = (size_t)little(at + 30, 2);
    *used = CENTRAL + name + extra + (size_t)little(at + 32, 2);
    if (*used > left.len)
        return error_fail(err, ERROR_INPUT, "the directory of the archive is damaged");
    e->name = (struct str){left.at + CENTRAL, name};
    e->crc = (uint32_t)little(at + 16, 4);
    e->size = little(at + 24, 4);
    packed = little(at + 20, 4);
    header = little(at + 42, 4);
    if (!read_zip64(at + CENTRAL + name, extra, wide, err))
        return false;
    if (little(at + 8, 2) & 1 || little(at + 10, 2) != 0)
        return error_fail(err, ERROR_UNFIT, "an archive with %s files",
                          little(at + 8, 2) & 1 ? "encrypted" : "compressed");
    if (packed != e->size || name == 0 || name > NAME_MOST)
        return error_fail(err, ERROR_INPUT, "the directory of the archive is damaged");
    return find_content(fd, size, header, e, err);
}

static int compare_zip_names(const void *a, const void *b)
{
    const struct stored_entry *const *one = a, *const *other = b;

    return str_cmp((*one)->name, (*other)->name);
}

static int compare_zip_places(const void *a, const void *b)
{
    const struct stored_entry *const *one = a, *const *other = b;

    return (*one)->at < (*other)->at ? -1 : (*one)->at > (*other)->at;
}

/* No name twice, and no byte of two files. */
static bool check_zip(const struct stored_zip *zip, struct arena *arena, struct error *err)
{
    const struct stored_entry **list =
        arena_array(arena, const struct stored_entry *, zip->count, err);

    if (list == NULL)
        return false;
    for (size_t i = 0; i < zip->count; i++)
        list[i] = &zip->entries[i];
    if (zip->count < 2)
        return true;
    qsort(list, zip->count, sizeof(struct stored_entry *), compare_zip_names);
    for (size_t i = 1; i < zip->count; i++)
        if (str_eq(list[i]->name, list[i - 1]->name))
            return error_fail(err, ERROR_INPUT, "the archive has '%.*s' twice",
                              STR_ARG(list[i]->name));
    qsort(list, zip->count, sizeof(struct stored_entry *), compare_zip_places);
    for (size_t i = 1; i < zip->count; i++)
        if (list[i]->at < list[i - 1]->at + list[i - 1]->size)
            return error_fail(err, ERROR_INPUT, "'%.*s' overlaps another file of the archive",
                              STR_ARG(list[i]->name));
    return true;
}

bool stored_zip_read(int fd, uint64_t size, struct arena *arena, struct stored_zip *out,
                     struct error *err)
{
    struct zip_directory d;
    struct str left;
    char *text;

    *out = (struct stored_zip){0};
    if (!find_directory(fd, size, arena, &d, err))
        return false;
    text = arena_get(arena, d.size, 1, 1, err);
    if (text == NULL || !stored_zip_read_part(fd, d.at, text, d.size, err))
        return false;
    if (d.count > d.size / CENTRAL)
        return error_fail(err, ERROR_INPUT, "the directory of the archive is damaged");
    out->entries = arena_array(arena, struct stored_entry, d.count, err);
    if (out->entries == NULL)
        return false;
    left = (struct str){text, d.size};
    for (; out->count < d.count; out->count++) {
        size_t used;

        if (!read_central(fd, size, left, &out->entries[out->count], &used, err))
            return false;
        left.at += used;
        left.len -= used;
    }
    return check_zip(out, arena, err);
}

const struct stored_entry *stored_zip_find(const struct stored_zip *zip, struct str name)
{
    for (size_t i = 0; i < zip->count; i++)
        if (str_eq(zip->entries[i].name, name))
            return &zip->entries[i];
    return NULL;
}

/* ---- writing ---- */

static bool write_zip_part(int fd, uint64_t at, const void *from, size_t len, struct error *err)
{
    const unsigned char *next = from;

    while (len > 0) {
        ssize_t put = pwrite(fd, next, len, (off_t)at);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            error_system(err, put < 0 ? errno : EIO, "cannot write the archive");
            return false;
        }
        next += put;
        at += (uint64_t)put;
        len -= (size_t)put;
    }
    return true;
}

struct stored_zip_writer stored_zip_writer(int fd, struct arena *arena)
{
    struct stored_zip_writer w = {.fd = fd, .arena = arena, .large = UINT32_MAX};

    for (uint32_t i = 0; i < 256; i++) {
        uint32_t crc = i;

        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
        w.crc_table[0][i] = crc;
    }
    for (uint32_t i = 0; i < 256; i++)
        for (int k = 1; k < 4; k++)
            w.crc_table[k][i] =
                w.crc_table[k - 1][i] >> 8 ^ w.crc_table[0][w.crc_table[k - 1][i] & 0xff];
    return w;
}

uint32_t stored_zip_crc(const struct stored_zip_writer *w, uint32_t before, const void *data,
                        size_t len)
{
    const unsigned char *at = data;
    uint32_t crc = ~before;

    for (; len >= 4; at += 4, len -= 4) {
        uint32_t word;

        memcpy(&word, at, sizeof word);
        crc ^= word;
        crc = w->crc_table[3][crc & 0xff] ^ w->crc_table[2][crc >> 8 & 0xff] ^
              w->crc_table[1][crc >> 16 & 0xff] ^ w->crc_table[0][crc >> 24];
    }
    for (; len > 0; at++, len--)
        crc = crc >> 8 ^ w->crc_table[0][(crc ^ *at) & 0xff];
    return ~crc;
}

static void put_little(struct buf *out, uint64_t value, unsigned width)
{
    for (; width > 0; width--, value >>= 8)
        buf_char(out, (char)(value & 0xff));
}

/* A size in a field of four bytes, or the mark that another field has it. */
static void put_narrow(const struct stored_zip_writer *w, struct buf *out, uint64_t value)
{
    put_little(out, value >= w->large ? UINT32_MAX : value, 4);
}

/* What both headers of a file have in common, from the version on. */
static void put_common(const struct stored_zip_writer *w, struct buf *out,
                       const struct stored_entry *e)
{
    put_little(out, 45, 2); /* zip64 */
    put_little(out, 0, 2);
    put_little(out, 0, 2); /* stored */
    put_little(out, 0, 2);
    put_little(out, 0x21, 2); /* 1980-01-01: the same tensors make the same bytes */
    put_little(out, e->crc, 4);
    put_narrow(w, out, e->size);
    put_narrow(w, out, e->size);
    put_little(out, e->name.len, 2);
}

/* Before a file, so that its content is aligned. */
static void put_local(const struct stored_zip_writer *w, struct buf *out,
                      const struct stored_entry *e, uint64_t header)
{
    size_t wide = e->size >= w->large ? 20 : 0, pad;

    pad = (size_t)((header + LOCAL + e->name.len + wide + 4) % STORED_ZIP_ALIGNMENT);
    pad = pad > 0 ? STORED_ZIP_ALIGNMENT - pad : 0;
    buf_adds(out, "PK\3\4");
    put_common(w, out, e);
    put_little(out, wide + 4 + pad, 2);
    buf_add(out, e->name);
    if (wide > 0) {
        put_little(out, 1, 2);
        put_little(out, 16, 2);
        put_little(out, e->size, 8);
        put_little(out, e->size, 8);
    }
    buf_adds(out, "FB");
    put_little(out, pad, 2);
    buf_pad(out, 'Z', pad);
}

static bool write_local(struct stored_zip_writer *w, struct error *err)
{
    struct buf out = buf_new(w->arena->alloc, 2 * NAME_MOST);
    struct stored_entry *e = &w->zip.entries[w->zip.count - 1];
    bool ok;

    put_local(w, &out, e, w->header);
    ok = buf_ok(&out, err) && write_zip_part(w->fd, w->header, out.at, out.len, err);
    e->at = w->header + out.len;
    buf_free(&out);
    return ok;
}

bool stored_zip_start(struct stored_zip_writer *w, struct str name, uint64_t size,
                      struct error *err)
{
    struct stored_entry *list =
        arena_grow(w->arena, w->zip.entries, w->zip.count, sizeof *list, &w->room, err);
    uint64_t *headers =
        arena_grow(w->arena, w->headers, w->zip.count, sizeof *headers, &w->header_room, err);

    if (list == NULL || headers == NULL)
        return false;
    w->zip.entries = list;
    w->headers = headers;
    w->headers[w->zip.count] = w->header;
    w->zip.entries[w->zip.count++] = (struct stored_entry){.name = name, .size = size};
    if (!write_local(w, err))
        return false;
    w->at = list[w->zip.count - 1].at;
    return true;
}

bool stored_zip_end(struct stored_zip_writer *w, uint32_t crc, struct error *err)
{
    struct stored_entry *e = &w->zip.entries[w->zip.count - 1];

    e->crc = crc;
    if (!write_local(w, err))
        return false;
    w->header = e->at + e->size;
    return true;
}

static void put_central(const struct stored_zip_writer *w, struct buf *out,
                        const struct stored_entry *e, uint64_t header)
{
    unsigned wide = (e->size >= w->large ? 16 : 0) + (header >= w->large ? 8U : 0);

    buf_adds(out, "PK\1\2");
    put_little(out, 45, 2);
    put_common(w, out, e);
    put_little(out, wide > 0 ? wide + 4 : 0, 2);
    put_little(out, 0, 2 + 2 + 2);
    put_little(out, 0, 4);
    put_narrow(w, out, header);
    buf_add(out, e->name);
    if (wide == 0)
        return;
    put_little(out, 1, 2);
    put_little(out, wide, 2);
    if (e->size >= w->large) {
        put_little(out, e->size, 8);
        put_little(out, e->size, 8);
    }
    if (header >= w->large)
        put_little(out, header, 8);
}

static void put_end(const struct stored_zip_writer *w, struct buf *out, uint64_t size)
{
    uint64_t at = w->header, count = w->zip.count;
    bool wide = at >= w->large || size >= w->large || count >= UINT16_MAX;

    if (wide) {
        buf_adds(out, "PK\6\6");
        put_little(out, END64 - 12, 8);
        put_little(out, 45, 2);
        put_little(out, 45, 2);
        put_little(out, 0, 8); /* one part */
        put_little(out, count, 8);
        put_little(out, count, 8);
        put_little(out, size, 8);
        put_little(out, at, 8);
        buf_adds(out, "PK\6\7");
        put_little(out, 0, 4);
        put_little(out, at + size, 8);
        put_little(out, 1, 4);
    }
    buf_adds(out, "PK\5\6");
    put_little(out, 0, 4);
    put_little(out, wide ? UINT16_MAX : count, 2);
    put_little(out, wide ? UINT16_MAX : count, 2);
    put_little(out, wide ? UINT32_MAX : size, 4);
    put_little(out, wide ? UINT32_MAX : at, 4);
    put_little(out, 0, 2);
}

bool stored_zip_finish(struct stored_zip_writer *w, struct error *err)
{
    struct buf out = buf_new(w->arena->alloc, 2 * DIRECTORY_MOST);
    bool ok;

    for (size_t i = 0; i < w->zip.count; i++)
        put_central(w, &out, &w->zip.entries[i], w->headers[i]);
    put_end(w, &out, out.len);
    ok = buf_ok(&out, err) && write_zip_part(w->fd, w->header, out.at, out.len, err);
    w->header += ok ? out.len : 0;
    buf_free(&out);
    return ok;
}
