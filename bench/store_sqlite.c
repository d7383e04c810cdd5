/* The prices, and the other side of bench_store: one transaction into a table with a row for
 * each change, clustered by series and time, which is best for reading one series. */
#include <sqlite3.h>
#include <stdio.h>

#include "store_bench.h"

static uint32_t chance(struct prices *p)
{
    p->seed = p->seed * 1664525 + 1013904223;
    return p->seed >> 8;
}

void prices_begin(struct prices *p)
{
    *p = (struct prices){.seed = 7};
    for (size_t i = 0; i < SERIES; i++)
        p->spot[i] = 2000 + chance(p) % 200000;
}

/* Tomorrow's: a walk of up to 2 %, as spot prices go. */
int64_t next_price(struct prices *p, size_t series)
{
    int64_t span_ = p->spot[series] / 50 + 2;

    p->spot[series] += (int64_t)(chance(p) % (uint32_t)(2 * span_ + 1)) - span_;
    if (p->spot[series] < 1000)
        p->spot[series] = 1000;
    return p->spot[series] * 100000;
}

static sqlite3 *open_theirs(void)
{
    sqlite3 *db;

    if (sqlite3_open(theirs, &db) != SQLITE_OK)
        die("cannot open SQLite's file");
    return db;
}

static void sql(sqlite3 *db, const char *text)
{
    if (sqlite3_exec(db, text, NULL, NULL, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
}

double insert_all(void)
{
    static struct prices p;
    sqlite3_stmt *insert;
    sqlite3 *db;
    double start = now_s();

    (void)remove(theirs);
    db = open_theirs();
    sql(db,
        "CREATE TABLE point (series INTEGER, at INTEGER, value INTEGER, PRIMARY KEY (series, "
        "at)) WITHOUT ROWID; PRAGMA cache_size = -65536; BEGIN");
    if (sqlite3_prepare_v2(db, "INSERT INTO point VALUES (?, ?, ?)", -1, &insert, NULL) !=
        SQLITE_OK)
        die(sqlite3_errmsg(db));
    prices_begin(&p);
    for (int d = 0; d < DAYS; d++)
        for (size_t i = 0; i < SERIES; i++) {
            (void)sqlite3_bind_int64(insert, 1, (sqlite3_int64)i);
            (void)sqlite3_bind_int64(insert, 2, START + d * DAY_S);
            (void)sqlite3_bind_int64(insert, 3, next_price(&p, i));
            if (sqlite3_step(insert) != SQLITE_DONE)
                die(sqlite3_errmsg(db));
            (void)sqlite3_reset(insert);
        }
    (void)sqlite3_finalize(insert);
    sql(db, "COMMIT");
    (void)sqlite3_close(db);
    return now_s() - start;
}

double insert_one_more(void)
{
    sqlite3 *db = open_theirs();
    double start = now_s();

    sql(db, "INSERT INTO point VALUES (1, 99999999999, 1)");
    (void)sqlite3_close(db);
    return now_s() - start;
}

double open_database(void)
{
    double start = now_s();

    for (int i = 0; i < READS; i++) {
        sqlite3 *db = open_theirs();

        sql(db, "SELECT 1 FROM point LIMIT 1"); /* before that it has not read the file */
        (void)sqlite3_close(db);
    }
    return (now_s() - start) / READS;
}

double read_database(void)
{
    sqlite3 *db = open_theirs();
    sqlite3_stmt *select;
    int64_t sum = 0;
    double start;

    if (sqlite3_prepare_v2(db, "SELECT at, value FROM point WHERE series = ? ORDER BY at", -1,
                           &select, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
    start = now_s();
    for (size_t i = 0; i < READS; i++) {
        (void)sqlite3_bind_int64(select, 1, (sqlite3_int64)(i * 7919 % SERIES));
        while (sqlite3_step(select) == SQLITE_ROW)
            sum += sqlite3_column_int64(select, 0) + sqlite3_column_int64(select, 1);
        (void)sqlite3_reset(select);
    }
    start = (now_s() - start) / READS;
    (void)sqlite3_finalize(select);
    (void)sqlite3_close(db);
    return sum != 0 ? start : 0;
}
