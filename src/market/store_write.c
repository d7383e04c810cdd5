#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/crc.h"
#include "base/fs.h"
#include "base/hash.h"
#include "market/store_edit.h"
#include "market/store_file.h"

#define PIECE ((size_t)64 * 1024)
#define TABLE_LARGEST ((size_t)1 << 32)

bool store_writer_begin(struct store_writer *w, const struct store_paths *paths,
                        const struct alloc *alloc, struct error *err)
{
    static const unsigned char blank[STORE_HEADER];

    *w = (struct store_writer){.paths = paths, .out = buf_new(alloc, 4 * TABLE_LARGEST)};
    w->strings = w->feeds = w->reads = w->offers = w->series = buf_new(alloc, TABLE_LARGEST);
    (void)unlink(paths->fresh); /* of someone who was interrupted: we hold the lock */
    w->fd = open(paths->fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (w->fd < 0) {
        error_system(err, errno, "cannot create '%s'", paths->fresh);
        return false;
    }
    buf_add(&w->out, (struct str){(const char *)blank, sizeof blank});
    return buf_ok(&w->out, err);
}

static bool flush(struct store_writer *w, struct error *err)
{
    if (!buf_ok(&w->out, err))
        return false;
    if (!fs_write_all(w->fd, buf_text(&w->out), err)) {
        error_context(err, "%s", w->paths->fresh);
        return false;
    }
    buf_clear(&w->out);
    return true;
}

bool store_writer_points(struct store_writer *w, struct str encoded, struct error *err)
{
    buf_add(&w->out, encoded);
    w->written += encoded.len;
    return w->out.len < PIECE && w->out.failed == ERROR_NONE ? true : flush(w, err);
}

/* --- strings, each once --- */

static struct str string_at(const struct store_writer *w, uint32_t ref)
{
    const unsigned char *at = (const unsigned char *)w->strings.at + ref;

    return (struct str){(const char *)at + 2, (size_t)at[0] | (size_t)at[1] << 8};
}

static size_t slot_of(const struct store_writer *w, struct str text)
{
    size_t slot = text_hash((uint64_t)(uintptr_t)w, text) & (w->slot_count - 1);

    while (w->slots[slot] != 0 && !str_eq(string_at(w, w->slots[slot] - 1), text))
        slot = (slot + 1) & (w->slot_count - 1);
    return slot;
}

static bool more_slots(struct store_writer *w, struct error *err)
{
    const struct alloc *alloc = w->strings.alloc;
    size_t count = w->slot_count > 0 ? w->slot_count * 2 : 1024;
    uint32_t *slots = alloc->get(alloc->ctx, count * sizeof *slots);

    if (slots == NULL)
        return error_memory(err);
    memset(slots, 0, count * sizeof *slots);
    if (w->slots != NULL)
        alloc->put(alloc->ctx, w->slots);
    w->slots = slots;
    w->slot_count = count;
    for (size_t ref = 0; ref < w->strings.len;) {
        struct str text = string_at(w, (uint32_t)ref);

        w->slots[slot_of(w, text)] = (uint32_t)ref + 1;
        ref += 2 + text.len;
    }
    return true;
}

bool store_writer_text(struct store_writer *w, struct str text, uint32_t *ref,
                       struct error *err)
{
    size_t slot;

    if (w->string_count >= w->slot_count / 2 && !more_slots(w, err))
        return false;
    slot = slot_of(w, text);
    if (w->slots[slot] == 0) {
        if (w->strings.len >= UINT32_MAX - 2 - TEXT_LONGEST)
            return error_fail(err, ERROR_INPUT, "there are too many names for a price store");
        w->slots[slot] = (uint32_t)w->strings.len + 1;
        buf_char(&w->strings, (char)(text.len & 255));
        buf_char(&w->strings, (char)(text.len >> 8));
        buf_add(&w->strings, text);
        w->string_count++;
        if (!buf_ok(&w->strings, err))
            return false;
    }
    *ref = w->slots[slot] - 1;
    return true;
}

/* --- the end --- */

static bool write_header(struct store_writer *w, struct error *err)
{
    static const uint32_t rows[] = {[SECTION_STRINGS] = 1,
                                    [SECTION_FEEDS] = FEED_ROW,
                                    [SECTION_READS] = READ_ROW,
                                    [SECTION_OFFERS] = OFFER_ROW,
                                    [SECTION_SERIES] = SERIES_ROW};
    const struct buf *tables[] = {[SECTION_STRINGS] = &w->strings,
                                  [SECTION_FEEDS] = &w->feeds,
                                  [SECTION_READS] = &w->reads,
                                  [SECTION_OFFERS] = &w->offers,
                                  [SECTION_SERIES] = &w->series};
    unsigned char header[STORE_HEADER] = STORE_MAGIC, *entry = header + HEADER_SECTIONS;
    uint64_t next = STORE_HEADER + w->written;

    put64(entry, STORE_HEADER);
    put64(entry + 8, w->written);
    put32(entry + 20, 1);
    for (unsigned s = SECTION_STRINGS; s < SECTION_COUNT; s++) {
        entry += SECTION_ENTRY;
        put64(entry, next);
        put64(entry + 8, tables[s]->len);
        put32(entry + 16, crc32c(0, tables[s]->at, tables[s]->len));
        put32(entry + 20, rows[s]);
        next += tables[s]->len;
    }
    put32(header + HEADER_VERSION, STORE_VERSION);
    put32(header + HEADER_PREAMBLE_CRC, crc32c(0, header, HEADER_PREAMBLE_CRC));
    put64(header + HEADER_SIZE, next);
    put32(header + HEADER_CRC, crc32c(0, header, HEADER_CRC));
    if (lseek(w->fd, 0, SEEK_SET) != 0) {
        error_system(err, errno, "cannot write");
        return false;
    }
    return fs_write_all(w->fd, (struct str){(const char *)header, sizeof header}, err);
}

bool store_writer_finish(struct store_writer *w, struct error *err)
{
    const struct buf *tables[] = {&w->strings, &w->feeds, &w->reads, &w->offers, &w->series};

    if (!flush(w, err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (!buf_ok(tables[i], err))
            return false;
    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (!fs_write_all(w->fd, buf_text(tables[i]), err)) {
            error_context(err, "%s", w->paths->fresh);
            return false;
        }
    if (!write_header(w, err)) {
        error_context(err, "%s", w->paths->fresh);
        return false;
    }
    if (fsync(w->fd) != 0) {
        error_system(err, errno, "cannot write '%s'", w->paths->fresh);
        return false;
    }
    return true;
}

void store_writer_end(struct store_writer *w, bool published)
{
    struct buf *bufs[] = {&w->out, &w->strings, &w->feeds, &w->reads, &w->offers, &w->series};
    const struct alloc *alloc = w->out.alloc;

    if (w->fd >= 0) {
        (void)close(w->fd);
        if (!published)
            (void)unlink(w->paths->fresh);
    }
    if (w->slots != NULL)
        alloc->put(alloc->ctx, w->slots);
    for (size_t i = 0; i < ARRAY_LEN(bufs); i++)
        buf_free(bufs[i]);
}
