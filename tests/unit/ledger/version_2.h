/* version_2.h - bills as version 2 of the ledger kept them, and the file they came from. */
#ifndef TESTS_LEDGER_VERSION_2_H
#define TESTS_LEDGER_VERSION_2_H

#include "ledgers.h"

#include "base/csv.h"
#include "base/fs.h"
#include "ledger/bills/bills.h"

/* What an earlier release made of tests/ledger/version_2.csv, and the file itself. */
static inline char *read_fixture(const char *name)
{
    const char *root = getenv("STINT_SOURCE_ROOT");
    char path[4096];
    struct error err = {0};
    struct str text;

    assert_non_null(root);
    (void)snprintf(path, sizeof path, "%s/tests/ledger/%s", root, name);
    if (!fs_read(path, (size_t)1 << 20, &ledger_arena, &text, &err))
        fail_msg("%s", err.text);
    return str_dup(text, &ledger_arena, &err);
}

struct expected {
    struct str month; /* of the bill that is compared: "2026-08" */
    struct csv_row header;
    struct csv *csv;
    size_t lines;
};

/* The next row of the file that is of the month. */
static inline struct csv_row next_of(struct expected *e)
{
    size_t period = csv_column(&e->header, STR("BillingPeriodStart"));
    struct error err = {0};
    struct csv_row row;

    do
        assert_true(csv_next(e->csv, &row, &err));
    while (!str_starts(row.fields[period], e->month));
    return row;
}

/* Each cell is what the file has, however the ledger keeps it. */
static inline bool is_as_in_the_file(void *ctx, const struct ledger_bill *bill,
                                     const struct bill_line *line, struct error *err)
{
    struct expected *e = ctx;
    struct csv_row row = next_of(e);

    (void)bill;
    (void)err;
    for (size_t i = 0; i < e->header.count; i++) {
        enum focus_column column = focus_find(e->header.fields[i]);
        struct str got = line->of[column], expected = row.fields[i];

        if (got.len != expected.len ||
            (got.len > 0 && memcmp(got.at, expected.at, got.len) != 0))
            fail_msg("%s: '%.*s' instead of '%.*s'", focus_columns[column].name, STR_ARG(got),
                     STR_ARG(expected));
    }
    e->lines++;
    return true;
}

static inline size_t compare_month(struct ledger *l, const char *file, const char *month,
                                   int64_t bill)
{
    struct csv_options options = {.alloc = &alloc_system};
    struct ledger_line_query query = {DAY_UNKNOWN, DAY_UNKNOWN, bill};
    struct expected e = {.month = str_from(month)};
    struct csv_row header;
    struct error err = {0};
    struct str *names;

    e.csv = csv_open_text(str_from(file), &options, &err);
    assert_non_null(e.csv);
    assert_true(csv_next(e.csv, &header, &err));
    names = arena_array(&ledger_arena, struct str, header.count, &err);
    for (size_t i = 0; i < header.count; i++)
        names[i] =
            (struct str){str_dup(header.fields[i], &ledger_arena, &err), header.fields[i].len};
    e.header = (struct csv_row){names, header.count, 1};
    if (!ledger_bill_lines(l, &query, is_as_in_the_file, &e, &err))
        fail_msg("%s", err.text);
    csv_close(e.csv);
    return e.lines;
}

#endif
