/* bills.h - bills from text, and checks of their lines. */
#ifndef TESTS_BILL_BILLS_H
#define TESTS_BILL_BILLS_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bill/bill.h"
#include "test.h"
#include "unit/time.h"

/* A text as a stream, in pieces of `piece` bytes. */
struct text_source {
    struct str rest;
    size_t piece;
};

static inline ptrdiff_t text_read(void *ctx, char *to, size_t room, struct error *err)
{
    struct text_source *source = ctx;
    size_t len = source->rest.len < room ? source->rest.len : room;

    (void)err;
    len = len < source->piece ? len : source->piece;
    if (len > 0)
        memcpy(to, source->rest.at, len);
    source->rest.at += len;
    source->rest.len -= len;
    return (ptrdiff_t)len;
}

struct reading {
    struct text_source source;
    struct bill *bill;
    struct bill_line line;
    struct error err;
};

static inline struct bill *open_with(struct reading *r, const char *text,
                                     const struct bill_options *options)
{
    memset(r, 0, sizeof *r);
    r->source = (struct text_source){str_from(text), 1000};
    r->bill = bill_open((struct source){text_read, &r->source}, options, &r->err);
    return r->bill;
}

static inline struct bill *open_text(struct reading *r, const char *text)
{
    struct bill_options options = {
        .alloc = &alloc_system, .name = "bill.csv", .format = BILL_FORMATS};

    return open_with(r, text, &options);
}

/* It opens; anything else shows why. */
static inline void must_open(struct reading *r, const char *text)
{
    if (open_text(r, text) == NULL)
        fail_msg("%s", r->err.text);
}

static inline void must_next(struct reading *r)
{
    if (!bill_next(r->bill, &r->line, &r->err))
        fail_msg("%s", bill_failed(r->bill) ? r->err.text : "no more lines");
}

static inline void must_end(struct reading *r)
{
    assert_false(bill_next(r->bill, &r->line, &r->err));
    if (bill_failed(r->bill))
        fail_msg("%s", r->err.text);
    bill_close(r->bill);
}

/* The first line of a bill of one. */
static inline void must_line(struct reading *r, const char *text)
{
    must_open(r, text);
    must_next(r);
}

static inline void assert_cell(const struct reading *r, enum focus_column column,
                               const char *expected)
{
    struct str got = r->line.of[column];

    if (expected == NULL ? got.at != NULL : !str_eq(got, str_from(expected)) || got.at == NULL)
        fail_msg("%s is '%.*s', not '%s'", focus_columns[column].name, STR_ARG(got),
                 expected != NULL ? expected : "(unknown)");
}

static inline void assert_decimal(struct decimal got, const char *expected)
{
    struct decimal wanted;

    assert_true(decimal_parse(str_from(expected), &wanted));
    if (decimal_cmp(got, wanted) != 0) {
        struct buf text = buf_new(&alloc_system, 1024);

        decimal_write(got, &text);
        fail_msg("%.*s, not %s", STR_ARG(buf_text(&text)), expected);
    }
}

static inline void assert_stamp(stamp got, const char *expected)
{
    stamp wanted;

    assert_true(stamp_parse(str_from(expected), &wanted));
    assert_int_equal(got.s, wanted.s);
}

static inline void assert_total(const struct reading *r, const char *column, const char *total)
{
    const char *name;
    struct decimal got = bill_file_total(r->bill, &name);

    assert_string_equal(name, column);
    assert_decimal(got, total);
}

/* It is refused, at the start or in a row, with this text (and this hint, unless NULL). */
static inline void must_refuse(const char *text, const char *why, const char *hint)
{
    struct reading r;

    if (open_text(&r, text) != NULL)
        while (bill_next(r.bill, &r.line, &r.err))
            continue;
    assert_string_equal(r.err.text, why);
    if (hint != NULL)
        assert_string_equal(r.err.hint, hint);
    assert_int_equal(r.err.kind, ERROR_INPUT);
    bill_close(r.bill);
}

/* Every allocation fails in turn: a clean failure each time, and all memory is freed. */
static inline void must_survive(const char *text)
{
    for (size_t allow = 0;; allow++) {
        struct failing_alloc state = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &state};
        struct bill_options options = {.alloc = &alloc, .name = "b", .format = BILL_FORMATS};
        struct reading r;
        bool done = open_with(&r, text, &options) != NULL;

        while (done && bill_next(r.bill, &r.line, &r.err))
            continue;
        done = done && !bill_failed(r.bill);
        bill_close(r.bill);
        assert_int_equal(state.held, 0);
        if (done)
            return;
        assert_int_equal(r.err.kind, ERROR_MEMORY);
    }
}

#endif
