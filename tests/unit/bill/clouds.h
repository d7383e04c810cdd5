/* clouds.h - what tests of the clouds' bills share: text in memory read as one, line by
 * line. */
#ifndef TESTS_BILL_CLOUDS_H
#define TESTS_BILL_CLOUDS_H

#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "bill/bill.h"
#include "doc/compress.h"
#include "unit/time.h"

/* Text that is given out in small pieces. */
struct pieces {
    struct str rest;
    size_t size; /* 0: all at once */
};

static inline ptrdiff_t pieces_read(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t count = p->rest.len < room ? p->rest.len : room;

    (void)err;
    if (p->size > 0 && count > p->size)
        count = p->size;
    if (count > 0)
        memcpy(to, p->rest.at, count);
    p->rest = (struct str){p->rest.at + count, p->rest.len - count};
    return (ptrdiff_t)count;
}

struct reading {
    struct pieces pieces;
    struct bill_options options;
    struct bill *bill;
    struct bill_line line;
    struct error err;
};

static inline bool reading_open(struct reading *r, struct str text)
{
    struct source source = {.read = pieces_read, .ctx = &r->pieces};

    r->pieces.rest = text;
    if (r->options.alloc == NULL)
        r->options.alloc = &alloc_system;
    r->options.format = BILL_FORMATS;
    r->err = (struct error){0};
    r->bill = bill_open(source, &r->options, &r->err);
    return r->bill != NULL;
}

static inline bool reading_next(struct reading *r)
{
    return bill_next(r->bill, &r->line, &r->err);
}

/* Open it, and read the first line. */
static inline void reading_first(struct reading *r, const char *text)
{
    if (!reading_open(r, str_from(text)) || !reading_next(r))
        fail_msg("%s", r->err.text);
}

/* Open it, and read to where it fails. */
static inline const char *reading_fails(struct reading *r, const char *text)
{
    if (reading_open(r, str_from(text)))
        while (reading_next(r))
            continue;
    if (r->bill != NULL && !bill_failed(r->bill))
        fail_msg("%s", "it was read");
    bill_close(r->bill);
    r->bill = NULL;
    return r->err.text;
}

static inline void column_is(const struct reading *r, enum focus_column column,
                             const char *expected, int line)
{
    struct str got = r->line.of[column];

    if (!str_eq(got, str_from(expected)))
        fail_msg("line %d: %s is '%.*s' instead of '%s'", line, focus_columns[column].name,
                 STR_ARG(got), expected);
}

static inline void column_unknown(const struct reading *r, enum focus_column column, int line)
{
    if (r->line.of[column].at != NULL)
        fail_msg("line %d: %s is '%.*s'", line, focus_columns[column].name,
                 STR_ARG(r->line.of[column]));
}

#define assert_column(r, column, expected) column_is((r), FOCUS_##column, (expected), __LINE__)
#define assert_unknown(r, column) column_unknown((r), FOCUS_##column, __LINE__)

static inline void decimal_is(struct decimal got, const char *expected, int line)
{
    struct decimal wanted = {0};

    if (!decimal_parse(str_from(expected), &wanted) || decimal_cmp(got, wanted) != 0) {
        struct buf text = buf_new(&alloc_system, 200);

        decimal_write(got, &text);
        buf_char(&text, '\0');
        fail_msg("line %d: %s instead of %s", line, text.at, expected);
    }
}

static inline void time_is(stamp got, const char *expected, int line)
{
    stamp wanted = {0};

    if (!stamp_parse(str_from(expected), &wanted) || got.s != wanted.s)
        fail_msg("line %d: %lld instead of %s", line, (long long)got.s, expected);
}

#define assert_time(got, expected) time_is((got), (expected), __LINE__)

#define assert_decimal(got, expected) decimal_is((got), (expected), __LINE__)

/* A file of STINT_TEST_DATA, with what python3's decimal says its total is. */
struct shared_file {
    const char *path, *version, *total;
    int lines;
    enum bill_format format;
    enum bill_amounts amounts;
};

/* The test is skipped when it is not there. */
static inline void shared_read(const char *path, struct arena *arena, struct str *out)
{
    struct error err = {0};
    struct test_path full;
    char name[256];

    (void)snprintf(name, sizeof name, "finops/%s", path);
    if (!fs_read(test_data(name, &full), (size_t)1 << 24, arena, out, &err) ||
        !unpack_text(out, path, (size_t)1 << 26, arena, &err))
        fail_msg("%s", err.text);
}

static inline void shared_check(const struct shared_file *file)
{
    struct arena arena = test_arena();
    /* A sample has a currency that there is not. */
    struct reading r = {.options = {.name = file->path, .currency = STR("USD")},
                        .pieces.size = 1000};
    struct decimal sum = {0};
    const char *column;
    struct str text;
    int lines = 0;

    shared_read(file->path, &arena, &text);
    if (!reading_open(&r, text))
        fail_msg("%s: %s", file->path, r.err.text);
    assert_int_equal(bill_about(r.bill)->format, file->format);
    assert_int_equal(bill_about(r.bill)->amounts, file->amounts);
    assert_string_equal(bill_about(r.bill)->version, file->version);
    for (; reading_next(&r); lines++)
        assert_true(decimal_add(sum, r.line.effective, &sum));
    if (bill_failed(r.bill))
        fail_msg("%s: %s", file->path, r.err.text);
    assert_int_equal(lines, file->lines);
    decimal_is(sum, file->total, __LINE__);
    decimal_is(bill_file_total(r.bill, &column), file->total, __LINE__);
    bill_close(r.bill);
    arena_free(&arena);
}

#endif
