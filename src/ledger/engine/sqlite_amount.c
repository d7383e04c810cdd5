/* SQLite: SUM_AMOUNT(x), the exact sum of decimals that are kept as text. */
#include "ledger/engine/sqlite.h"

#include <string.h>

#include "base/buf.h"
#include "base/decimal.h"

/* A sum under way. SQLite's memory is aligned to 8 bytes, which is not enough for a decimal. */
struct sum {
    unsigned char decimal[sizeof(struct decimal)];
    bool any;
};

static void add(sqlite3_context *ctx, int count, sqlite3_value **values)
{
    struct sum *sum = sqlite3_aggregate_context(ctx, sizeof *sum);
    struct decimal so_far, more;
    struct str text;

    (void)count;
    if (sum == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    text.at = (const char *)sqlite3_value_text(values[0]);
    text.len = (size_t)sqlite3_value_bytes(values[0]);
    if (text.at == NULL) {
        sqlite3_result_error_nomem(ctx);
        return;
    }
    memcpy(&so_far, sum->decimal, sizeof so_far); /* zeros: nothing yet */
    if (!decimal_parse(text, &more)) {
        sqlite3_result_error(ctx, "an amount is no number", -1);
        return;
    }
    if (!decimal_add(so_far, more, &so_far)) {
        sqlite3_result_error(ctx, "a sum has more than 38 digits", -1);
        return;
    }
    memcpy(sum->decimal, &so_far, sizeof so_far);
    sum->any = true;
}

static void finish(sqlite3_context *ctx)
{
    const struct sum *sum = sqlite3_aggregate_context(ctx, 0);
    struct buf text = buf_new(&alloc_system, 256);
    struct decimal d;

    if (sum == NULL || !sum->any) {
        sqlite3_result_null(ctx);
        return;
    }
    memcpy(&d, sum->decimal, sizeof d);
    decimal_write(d, &text);
    if (text.failed) {
        sqlite3_result_error_nomem(ctx);
    } else {
        char *copy = sqlite3_malloc64(text.len);

        if (copy == NULL) {
            sqlite3_result_error_nomem(ctx);
        } else {
            memcpy(copy, text.at, text.len);
            sqlite3_result_text64(ctx, copy, text.len, sqlite3_free, SQLITE_UTF8);
        }
    }
    buf_free(&text);
}

int sqlite_add_amounts(sqlite3 *db)
{
    return sqlite3_create_function_v2(db, "SUM_AMOUNT", 1,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                      NULL, NULL, add, finish, NULL);
}
