#include "data/sample/sample_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/hash.h"

enum { ROW_BLOCK = 1 << 18 }; /* bytes that are read at once */

#define ROW_MAX ((size_t)64 << 20) /* bytes of a row */

/* One reading: `room` holds the unfinished row and what was read after it. */
struct row_reading {
    const struct sample_rows *work;
    struct sample_rows_sum *sum;
    int to; /* -1: only counted */
    bool csv;
    bool header; /* the first row of a CSV is still to come */
    bool quoted; /* within quotes, at `seen` */
    size_t seen; /* bytes of `room` that were looked at for the end of a row */
    struct buf room, out;
};

static bool is_csv(struct str path)
{
    return str_ends(path, STR(".csv")) || str_ends(path, STR(".tsv"));
}

bool sample_has_rows(struct str path)
{
    return is_csv(path) || str_ends(path, STR(".jsonl")) || str_ends(path, STR(".ndjson"));
}

/* Without blanks around it, so that the last row of a file is as any other. */
static struct str bare_row(struct str row)
{
    row.len -= row.at[row.len - 1] == '\n';
    return str_trim(row);
}

static bool take_row(struct row_reading *r, struct str row, struct error *err)
{
    struct str bare = bare_row(row);
    bool header = r->header;
    double place = header ? 0 : sample_place(r->work->seed, bare);

    if (bare.len == 0)
        return true;
    r->header = false;
    r->sum->rows += !header;
    r->sum->bytes += row.len;
    for (size_t i = 0; i < r->work->fraction_count; i++) {
        if (!header && place >= r->work->fractions[i])
            continue;
        r->sum->taken[i].rows += !header;
        r->sum->taken[i].bytes += row.len;
    }
    if (r->to < 0 || (!header && place >= r->work->fractions[0]))
        return true;
    buf_add(&r->out, row);
    if (row.at[row.len - 1] != '\n')
        buf_char(&r->out, '\n');
    if (r->out.len < ROW_BLOCK)
        return buf_ok(&r->out, err);
    if (!buf_ok(&r->out, err) || !fs_write_all(r->to, buf_text(&r->out), err))
        return false;
    buf_clear(&r->out);
    return true;
}

/* Where the row ends that begins at `at`: behind its newline; 0: not in what was read. A
 * newline in a quoted field of a CSV ends nothing. What was looked at is not looked at
 * again. */
static size_t end_of_row(struct row_reading *r, size_t at)
{
    const char *text = r->room.at;

    for (size_t i = at > r->seen ? at : r->seen; i < r->room.len; i++) {
        if (!r->csv) {
            const char *end = memchr(text + i, '\n', r->room.len - i);

            if (end == NULL)
                break;
            i = (size_t)(end - text);
        } else if (text[i] == '"') {
            r->quoted = !r->quoted;
        }
        if (text[i] == '\n' && !r->quoted) {
            r->seen = i + 1;
            return i + 1;
        }
    }
    r->seen = r->room.len;
    return 0;
}

static bool take_complete_rows(struct row_reading *r, bool last, struct error *err)
{
    size_t at = 0, end;

    while ((end = end_of_row(r, at)) > 0) {
        if (!take_row(r, (struct str){r->room.at + at, end - at}, err))
            return false;
        at = end;
    }
    if (last && at < r->room.len) {
        if (!take_row(r, (struct str){r->room.at + at, r->room.len - at}, err))
            return false;
        at = r->room.len;
    }
    r->room.len -= at;
    r->seen -= at < r->seen ? at : r->seen;
    if (r->room.len > 0)
        memmove(r->room.at, r->room.at + at, r->room.len);
    return true;
}

static bool read_rows(struct row_reading *r, int fd, char *block, struct error *err)
{
    ssize_t got = 1;

    while (got > 0) {
        if (!tree_goes_on(r->work->watch, err))
            return false;
        do
            got = read(fd, block, ROW_BLOCK);
        while (got < 0 && errno == EINTR);
        if (got < 0) {
            error_system(err, errno, "cannot read '%s'", r->work->path);
            return false;
        }
        buf_add(&r->room, (struct str){block, (size_t)got});
        if (r->room.failed == ERROR_FAILED)
            return error_fail(err, ERROR_INPUT, "'%s' has a row of more than %zu MB",
                              r->work->path, ROW_MAX >> 20);
        if (!buf_ok(&r->room, err) || !take_complete_rows(r, got == 0, err))
            return false;
    }
    return r->to < 0 || fs_write_all(r->to, buf_text(&r->out), err);
}

static bool read_table(const struct sample_rows *work, int to, struct sample_rows_sum *sum,
                       struct error *err)
{
    struct row_reading r = {.work = work,
                            .sum = sum,
                            .to = to,
                            .csv = is_csv(str_from(work->path)),
                            .room = buf_new(&alloc_system, ROW_MAX),
                            .out = buf_new(&alloc_system, ROW_MAX + 2 * ROW_BLOCK)};
    struct arena once = {.alloc = &alloc_system};
    int fd = fs_open(work->path, err);
    char *block = fd >= 0 ? arena_array(&once, char, ROW_BLOCK, err) : NULL;
    bool ok;

    r.header = r.csv;
    *sum = (struct sample_rows_sum){0};
    ok = block != NULL && read_rows(&r, fd, block, err);
    if (fd >= 0)
        (void)close(fd);
    arena_free(&once);
    buf_free(&r.room);
    buf_free(&r.out);
    return ok;
}

bool sample_rows_count(const struct sample_rows *work, struct sample_rows_sum *out,
                       struct error *err)
{
    return read_table(work, -1, out, err);
}

bool sample_rows_write(const struct sample_rows *work, const char *to, struct error *err)
{
    struct sample_rows_sum sum;
    struct fs_output file;
    bool ok;

    if (!fs_output_open(to, &file, err))
        return false;
    ok = read_table(work, file.fd, &sum, err);
    return fs_output_close(&file, ok, err);
}
