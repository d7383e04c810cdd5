/* Daily sums as the table has them, some thousand in one value: every one comes back, parts of
 * a day become one where that saves some, and what is damaged is refused, and repaired. */
#include "bills_world.h"

#include "ledger/bills_internal.h"
#include "ledger/copy/check.h"

#define BILL 7
#define MANY 10000 /* groups of a day: three pages */
#define ROOM ((size_t)4 << 20)

static const int64_t keys[] = {BILL};

static uint32_t dice(void)
{
    static uint32_t seed = 5;

    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

/* Amounts of any size, of which some are the same. */
static struct day_sum sum_of(int32_t on, int64_t group)
{
    struct day_sum sum = {.day = on, .group = group, .lines = 1 + dice() % 1000};
    wide large = (wide)1 << 100;

    for (int n = 0; n < BILL_AMOUNTS; n++)
        amounts_set(&sum.sum, n,
                    n > 0 && on % 2 == 0 ? amounts_get(&sum.sum, n - 1)
                                         : (struct decimal){dice() % 5 == 0 ? -large : dice(),
                                                            (int)(dice() % 3)});
    return sum;
}

static struct day_sums make_days(size_t memory)
{
    struct day_sums days;
    struct error err = {0};

    assert_true(days_make(&days, &alloc_system, memory, &err));
    return days;
}

static void write_days(struct ledger *l, struct day_sums *days)
{
    struct error err = {0};

    if (!ledger_start_write(l, &err) ||
        !ledger_finish(l, days_write(days, l, keys, &err), &err))
        fail_msg("%s", err.text);
}

/* Those of the table, added up. */
static struct day_sums read_days(struct ledger *l, int64_t since, int64_t until, size_t *rows)
{
    struct day_sums days = make_days(ROOM);
    struct page_reader pages = page_reader_make(l);
    struct error err = {0};
    int got;

    *rows = 0;
    assert_int_equal(ledger_start_read(l, &err), 1);
    assert_true(pages_ask(&pages, BILL, since, until, &err));
    while ((got = pages_next(&pages, &err)) > 0) {
        *rows += pages.count;
        assert_true(pages.count <= PAGE_SUMS);
        for (size_t n = 0; n < pages.count; n++) {
            assert_true(n == 0 || pages.sums[n - 1].group < pages.sums[n].group);
            assert_true(days_add(&days, &pages.sums[n], &err));
        }
    }
    assert_int_equal(got, 0);
    page_reader_free(&pages);
    assert_true(ledger_finish(l, true, &err));
    return days;
}

static void assert_same_sum(const struct day_sum *a, const struct day_sum *b)
{
    assert_non_null(b);
    assert_int_equal(a->lines, b->lines);
    for (int n = 0; n < BILL_AMOUNTS; n++)
        assert_int_equal(decimal_cmp(amounts_get(&a->sum, n), amounts_get(&b->sum, n)), 0);
}

static void sums_are_read_back(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct day_sums wrote = make_days(ROOM), kept = make_days(ROOM), got;
    struct error err = {0};
    size_t rows;

    (void)state;
    for (int n = 0; n < 2 * MANY; n++) { /* in no order */
        int64_t group = 1 + (int64_t)n * 7919 % MANY;
        struct day_sum sum = sum_of(20000 + n / MANY, n == 3 ? INT64_MAX : group);

        assert_true(days_add(&wrote, &sum, &err) && days_add(&kept, &sum, &err));
    }
    write_days(l, &wrote);
    assert_int_equal(wrote.count, 0);
    got = read_days(l, INT64_MIN, INT64_MAX, &rows);
    assert_int_equal(rows, kept.count);
    for (size_t n = 0; n < kept.count; n++)
        assert_same_sum(&kept.at[n], days_find(&got, 0, kept.at[n].day, kept.at[n].group));
    days_free(&got);
    got = read_days(l, 20001, 20002, &rows);
    assert_int_equal(rows, MANY);
    assert_int_equal(got.at[0].day, 20001);
    days_free(&got);
    days_free(&kept);
    days_free(&wrote);
    ledger_close(l);
}

static int64_t count_pages(struct ledger *l)
{
    struct error err = {0};
    int64_t count;

    assert_int_equal(ledger_start_read(l, &err), 1);
    assert_true(ledger_number(l, "SELECT count(*) FROM bill_days", NO_VALUES, &count, &err));
    assert_true(ledger_finish(l, true, &err));
    return count;
}

static void merge(struct ledger *l, struct day_sums *room, size_t limit)
{
    struct error err = {0};

    if (!ledger_start_write(l, &err) ||
        !ledger_finish(l, days_merge(l, BILL, room, limit, &err), &err))
        fail_msg("%s", err.text);
    assert_int_equal(room->count, 0);
}

/* On one day both parts have the same groups, on the next each its own. */
static void parts_of_a_day_are_added_up_where_it_pays(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct day_sums days = make_days(ROOM), kept = make_days(ROOM), small = make_days(1), got;
    struct error err = {0};
    size_t rows;

    (void)state;
    for (int part = 0; part < 2; part++) {
        for (int n = 0; n < 100; n++) {
            struct day_sum same = sum_of(20000, n), own = sum_of(20001, 100 * part + n);

            assert_true(days_add(&days, &same, &err) && days_add(&days, &own, &err));
            assert_true(days_add(&kept, &same, &err) && days_add(&kept, &own, &err));
        }
        write_days(l, &days);
    }
    assert_int_equal(count_pages(l), 4);
    merge(l, &small, 1); /* no room: they stay apart */
    assert_int_equal(count_pages(l), 4);
    merge(l, &days, ROOM);
    assert_int_equal(count_pages(l), 3);
    merge(l, &days, ROOM);
    assert_int_equal(count_pages(l), 3);
    got = read_days(l, INT64_MIN, INT64_MAX, &rows);
    assert_int_equal(rows, kept.count);
    for (size_t n = 0; n < kept.count; n++)
        assert_same_sum(&kept.at[n], days_find(&got, 0, kept.at[n].day, kept.at[n].group));
    days_free(&got);
    days_free(&kept);
    days_free(&small);
    days_free(&days);
    ledger_close(l);
}

/* Every bit of the only page, one after the other. */
static void damage_is_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct day_sums days = make_days(ROOM);
    struct page_reader pages = page_reader_make(l);
    struct buf packed = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct query *q;

    (void)state;
    for (int n = 0; n < 5; n++) {
        struct day_sum sum = sum_of(20001, 3 * n);

        assert_true(days_add(&days, &sum, &err));
    }
    write_days(l, &days);
    assert_true(ledger_start_write(l, &err));
    q = ledger_query(l, "SELECT sums FROM bill_days", NO_VALUES, &err);
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    assert_true(column_blob(q, 0, &packed, &err));
    query_reset(q);
    for (size_t bit = 0; bit < 8 * packed.len; bit++) {
        packed.at[bit / 8] = (char)(packed.at[bit / 8] ^ 1 << bit % 8);
        assert_true(ledger_run(l, "UPDATE bill_days SET sums = ?1",
                               VALUES(as_blob(buf_text(&packed))), &err));
        packed.at[bit / 8] = (char)(packed.at[bit / 8] ^ 1 << bit % 8);
        assert_true(pages_ask(&pages, BILL, INT64_MIN, INT64_MAX, &err));
        assert_int_equal(pages_next(&pages, &err), -1);
        assert_int_equal(err.kind, ERROR_DAMAGED);
        assert_non_null(strstr(err.hint, "doctor --repair"));
    }
    assert_true(ledger_finish(l, true, &err));
    page_reader_free(&pages);
    days_free(&days);
    buf_free(&packed);
    ledger_close(l);
}

static bool is_found(struct ledger *l, const char *kind)
{
    struct ledger_health health;
    const struct ledger_problem *found;
    struct error err = {0};

    if (!ledger_check(l, &ledger_arena, &health, &err))
        fail_msg("%s", err.text);
    found = health.findings.at;
    for (size_t i = 0; i < health.findings.len; i++)
        if (str_eq(found[i].kind, str_from(kind)))
            return found[i].wrong && found[i].repairable;
    return false;
}

/* The row says what it said, but the sums in it are gone, or are of another page. */
static void the_doctor_finds_and_repairs(void **state)
{
    static const char empty[] =
        "UPDATE bill_days SET sums = ?1 WHERE day = (SELECT min(day) FROM bill_days)";
    static const char other[] = "UPDATE bill_days SET sums = (SELECT d.sums FROM bill_days d"
                                " WHERE d.day = (SELECT min(day) FROM bill_days))"
                                " WHERE day = (SELECT max(day) FROM bill_days)";

    (void)state;
    for (int n = 0; n < 2; n++) {
        struct ledger *l = open_ledger(LEDGER_WRITE);
        struct ledger_import_options options = import_options();
        struct ledger_import *i = begin_import(l, &options);
        struct ledger_repaired done;
        struct ledger_health health;
        struct error err = {0};
        int64_t changed;

        put_file(i, "a.csv", 90, n == 0 ? "1" : "0.25");
        put_file(i, "b.csv", 2, "2"); /* the first days cost more than the last */
        (void)commit_import(i);
        assert_false(is_found(l, "daily sums"));
        assert_true(ledger_start_write(l, &err));
        assert_true(
            ledger_finish(l,
                          n == 0 ? ledger_run(l, empty, VALUES(as_blob((struct str){0})), &err)
                                 : ledger_run(l, other, NO_VALUES, &err),
                          &err));
        assert_true(is_found(l, "daily sums"));
        assert_true(ledger_check(l, &ledger_arena, &health, &err));
        assert_true(ledger_repair(l, &health, &done, &err) && done.sums);
        assert_true(ledger_regroup(l, &options, &changed, &err));
        assert_false(is_found(l, "daily sums"));
        ledger_close(l);
    }
}

int group_bills_pages(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(sums_are_read_back),
        ledger_test(parts_of_a_day_are_added_up_where_it_pays),
        ledger_test(damage_is_refused),
        ledger_test(the_doctor_finds_and_repairs),
    };

    return run_on_engines(tests);
}
