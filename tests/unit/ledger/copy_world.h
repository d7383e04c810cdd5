/* copy_world.h - a ledger with odd rows in every table. */
#ifndef TESTS_LEDGER_COPY_WORLD_H
#define TESTS_LEDGER_COPY_WORLD_H

#include "bills_world.h"

#include <math.h>

#include "ledger/copy/copy.h"

static inline struct ledger *open_at(const char *path, enum ledger_mode mode)
{
    struct error err = {0};
    struct ledger *l = ledger_open(path, mode, PATIENCE, &ledger_clock, &alloc_system, &err);

    if (l == NULL)
        fail_msg("%s", err.text);
    return l;
}

/* Columns that only allow certain values. */
static const struct {
    const char *table, *column, *value;
} choices[] = {
    {"attempts", "state", "running"}, {"bills", "state", "current"},
    {"bills", "amounts", "both"},     {"budgets", "period", "month"},
    {"alerts", "severity", "info"},   {"alerts", "state", "firing"},
    {"deliveries", "what", "firing"}, {"deliveries", "state", "waiting"},
};

static inline const char *choice_of(const struct ledger_table *t, const char *column)
{
    for (size_t i = 0; i < ARRAY_LEN(choices); i++)
        if (strcmp(choices[i].table, t->name) == 0 && strcmp(choices[i].column, column) == 0)
            return choices[i].value;
    return NULL;
}

/* Keys, and what refers to them, count from 1. */
static inline bool is_key(const struct ledger_table *t, const char *column)
{
    static const char *const keys[] = {"run", "attempt", "import", "alert", "one"};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (strcmp(keys[i], column) == 0)
            return true;
    return t->key != NULL && strcmp(t->key, column) == 0;
}

static inline bool may_be_null(struct ledger *l, const char *table, const char *column)
{
    struct error err = {0};
    struct query *q = ledger_query(
        l, "SELECT \"notnull\" = 0 AND pk = 0 FROM pragma_table_info(?1) WHERE name = ?2",
        VALUES(as_text(str_from(table)), as_text(str_from(column))), &err);
    bool may;

    assert_non_null(q);
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    may = column_int(q, 0) != 0;
    query_reset(q);
    return may;
}

static inline void put_value(struct bulk *b, const struct ledger_table *t, size_t column,
                             int row)
{
    static const double reals[] = {
        0.1, 5e-324, 1.7976931348623157e308, -1.0 / 3, 1e22, 2.2250738585072011e-308, INFINITY};
    static const char *const amounts[] = {"123456789012345678901234567890.12345678",
                                          "-0.0000000000000000000000000001", "7.5000", "0"};
    static const int64_t integers[] = {INT64_MIN, INT64_MAX - LEDGER_COLUMNS, -1};
    static char texts[3][160], bytes[256];
    const char *choice = choice_of(t, t->names[column]);
    size_t odd = column + (size_t)row;

    switch (t->columns[column].kind) {
    case KIND_INTEGER:
        bulk_put(
            b, as_int(is_key(t, t->names[column]) ? row : integers[row - 1] + (int64_t)column));
        return;
    case KIND_REAL:
        bulk_put(b, as_number(reals[odd % ARRAY_LEN(reals)]));
        return;
    case KIND_AMOUNT:
        bulk_put(b, as_text_or_null(str_from(amounts[odd % ARRAY_LEN(amounts)])));
        return;
    case KIND_BLOB: /* every byte, and none */
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (char)i;
        bulk_put(b, as_blob((struct str){bytes, row == 1 ? 0 : sizeof bytes}));
        return;
    case KIND_TEXT:
        (void)snprintf(texts[row - 1], sizeof texts[0],
                       "%d tab\t, line\n, \\N \\. \\\\ 'quoted' \"too\", gr\xc3\xb6\xc3\x9f"
                       "e \xe6\xbc\xa2 \xf0\x9f\x99\x82",
                       row);
        bulk_put(b, as_text(choice != NULL ? str_from(choice) : str_from(texts[row - 1])));
        return;
    }
}

static inline void fill_table(struct ledger *l, const struct ledger_table *t)
{
    bool null[LEDGER_COLUMNS];
    struct error err = {0};
    struct bulk *b;

    for (size_t i = 0; i < t->count; i++)
        null[i] = may_be_null(l, t->name, t->names[i]);
    b = bulk_open(l, t->name, t->names, t->count, &err);
    assert_non_null(b);
    for (int row = 1; row <= (strcmp(t->name, "bill_state") == 0 ? 1 : 3); row++) {
        for (size_t i = 0; i < t->count; i++)
            if (row == 3 && null[i])
                bulk_put(b, NULL_VALUE);
            else
                put_value(b, t, i, row);
        if (!bulk_row(b, &err))
            fail_msg("%s: %s", t->name, err.text);
    }
    assert_true(bulk_close(b, true, &err));
}

static inline void fill(const char *path)
{
    struct ledger *l = open_at(path, LEDGER_WRITE);
    const struct ledger_table *tables;
    struct error err = {0};
    size_t count;

    assert_true(ledger_tables(l->schema, &ledger_arena, &tables, &count, &err));
    assert_true(ledger_start_alone(l, &err));
    for (size_t i = 0; i < count; i++)
        fill_table(l, &tables[i]);
    assert_true(ledger_finish(l, true, &err));
    ledger_close(l);
}

#endif
