/* A delivery meets what is there: it takes its place when it is no smaller, and is never there
 * twice. On SQLite and, where there is one, on a server. */
#include "bills_world.h"

/* A file of `count` lines from line `first` on; false with the error set. */
static bool deliver(struct ledger *l, const struct ledger_import_options *options, int first,
                    int count, const char *billed, struct ledger_imported *out,
                    struct error *err)
{
    struct ledger_import *i = begin_import(l, options);
    struct made_line m;
    char name[40];

    (void)snprintf(name, sizeof name, "%d-%d-%s.csv", first, count, billed);
    assert_true(ledger_import_file(i, str_from(name), &about_focus, err));
    for (int n = first; n < first + count; n++) {
        make_line(&m, n, billed);
        put_line(i, &m.line);
    }
    assert_true(ledger_import_file_end(i, str_from(name), err));
    return ledger_import_commit(i, &ledger_arena, out, err);
}

static void refused(struct ledger *l, const struct ledger_import_options *options, int count,
                    const char *billed, const char *words)
{
    struct ledger_imported out;
    struct error err = {0};

    assert_false(deliver(l, options, 0, count, billed, &out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' is not in '%s'", words, err.text);
    assert_non_null(strstr(err.hint, "--replace"));
}

static void a_smaller_delivery_is_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    options.replace = false;
    assert_true(deliver(l, &options, 0, 62, "1", &out, &err));
    refused(l, &options, 61, "9", "now 61 lines of 62");
    refused(l, &options, 62, "0.79", "now 48.98 USD of 62 USD");
    assert_total(l, "62");
    assert_true(deliver(l, &options, 0, 62, "0.8", &out, &err)); /* four fifths are enough */
    assert_int_equal(out.replaced_count, 1);
    assert_true(deliver(l, &options, 0, 63, "1", &out, &err));
    assert_total(l, "63");
    options.dry_run = true; /* a rehearsal is refused alike */
    refused(l, &options, 1, "100", "now 1 lines of 63");
    options.dry_run = false;
    options.replace = true;
    assert_true(deliver(l, &options, 0, 1, "1", &out, &err));
    assert_int_equal(out.replaced_count, 1);
    assert_total(l, "1");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

/* As many lines and as much money, but of fewer days, or of one day in place of a month. */
static void fewer_days_are_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct made_line m;

    (void)state;
    options.replace = false;
    for (int shape = 0; shape < 4; shape++) { /* whole; one day; short; in another zone */
        struct ledger_import *i = begin_import(l, &options);
        struct error err = {0};
        bool ok;

        assert_true(ledger_import_file(i, STR("x"), &about_focus, &err));
        for (int n = 0; n < 10; n++) {
            make_line(&m, n, "1");
            if (shape == 1)
                m.line.start.s = MAY;
            if (shape == 2)
                m.line.period_end.s = MAY + SECONDS_PER_DAY;
            if (shape == 3) {
                m.line.period_start.s = MAY - 7200;
                m.line.period_end.s = JUNE - 7200;
            }
            put_line(i, &m.line);
        }
        ok = ledger_import_commit(i, &ledger_arena, &out, &err);
        assert_int_equal(ok, shape == 0 || shape == 3);
        if (shape == 1)
            assert_non_null(strstr(err.text, "now 1 day of 10"));
        if (shape == 2)
            assert_non_null(
                strstr(err.text, "a period to 2026-05-01 in place of one to 2026-05-31"));
        if (shape == 3)
            assert_int_equal(out.replaced_count, 1);
    }
    ledger_close(l);
}

/* The second part of a month is larger than the first, and must not take its place. */
static void other_days_are_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    options.replace = false;
    assert_true(deliver(l, &options, 0, 10, "1", &out, &err));
    assert_false(deliver(l, &options, 10, 20, "1", &out, &err));
    assert_non_null(strstr(err.text, "now nothing of 2026-05-01 and 9 other days"));
    assert_false(deliver(l, &options, 1, 20, "1", &out, &err));
    assert_non_null(strstr(err.text, "now nothing of 2026-05-01"));
    assert_null(strstr(err.text, "other"));
    assert_total(l, "10");
    options.add = true;
    assert_true(deliver(l, &options, 10, 20, "1", &out, &err));
    assert_total(l, "30");
    ledger_close(l);
}

/* A day that cost nothing may be gone from the next delivery. */
static void free_days_may_go(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    options.replace = false;
    assert_true(deliver(l, &options, 0, 2, "0", &out, &err));
    assert_true(deliver(l, &options, 1, 2, "1", &out, &err));
    assert_int_equal(out.replaced_count, 1);
    assert_total(l, "2");
    ledger_close(l);
}

/* Two files, from line `from` on and of the price `billed`, beside 20 lines of price 1. */
static bool deliver_two(struct ledger *l, const struct ledger_import_options *options, int from,
                        const char *billed, struct error *err)
{
    struct ledger_import *i = begin_import(l, options);
    struct ledger_imported out;
    struct made_line m;

    for (int file = 0; file < 2; file++) {
        assert_true(ledger_import_file(i, file == 0 ? STR("a") : STR("b"), &about_focus, err));
        for (int n = 19; n >= 0; n--) {
            make_line(&m, file * from + n, file == 0 ? "1" : billed);
            put_line(i, &m.line);
        }
        assert_true(ledger_import_file_end(i, file == 0 ? STR("1") : STR("2"), err));
    }
    return ledger_import_commit(i, &ledger_arena, &out, err);
}

/* Files that overlap, in one import. What differs in a resource or a price is no copy. */
static void a_day_in_two_files_is_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct error err = {0};

    (void)state;
    options.dry_run = true;
    assert_false(deliver_two(l, &options, 15, "1", &err));
    options.dry_run = false;
    assert_false(deliver_two(l, &options, 15, "1", &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "'b' has the same 1 charge of 2026-05-16 as 'a'");
    assert_non_null(strstr(err.hint, "5 such days"));
    assert_int_equal(count_litter(l), 0);
    assert_true(deliver_two(l, &options, 15, "1.01", &err));
    assert_total(l, "40.20");
    assert_true(deliver_two(l, &options, 31, "1", &err)); /* the same days of other machines */
    assert_total(l, "40");
    options.force = true;
    assert_true(deliver_two(l, &options, 0, "1", &err));
    assert_total(l, "40");
    ledger_close(l);
}

/* Days next to the edge of a month are periods of their own. */
static void daily_periods_stay_apart(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;
    struct error err = {0};
    struct made_line m;

    (void)state;
    for (int n = -1; n < 2; n++) {
        struct ledger_import_options options = import_options();
        struct ledger_import *i = begin_import(l, &options);

        assert_true(ledger_import_file(i, STR("x"), &about_focus, &err));
        make_line(&m, 0, "1");
        m.line.period_start.s = m.line.start.s = MAY + n * SECONDS_PER_DAY;
        m.line.period_end.s = MAY + (n + 1) * SECONDS_PER_DAY;
        put_line(i, &m.line);
        assert_int_equal(commit_import(i).replaced_count, 0);
    }
    assert_int_equal(read_bills(l, &bills), 3);
    assert_int_equal(ledger_period_edge((stamp){MAY - 14 * 3600}).s, MAY);
    assert_int_equal(ledger_period_edge((stamp){MAY + 12 * 3600}).s, MAY);
    assert_int_equal(ledger_period_edge((stamp){MAY + 13 * 3600}).s, MAY + 13 * 3600);
    ledger_close(l);
}

static void days_are_not_added_twice(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    options.add = true;
    assert_true(deliver(l, &options, 0, 10, "1", &out, &err));
    assert_true(deliver(l, &options, 0, 10, "2", &out, &err));  /* others on the same days */
    assert_false(deliver(l, &options, 5, 10, "1", &out, &err)); /* five of its days are there */
    assert_non_null(strstr(err.text, "1 charge of 2026-05-06 that comes to the same is in "));
    assert_non_null(strstr(err.hint, "--force"));
    assert_total(l, "30");
    options.force = true;
    assert_true(deliver(l, &options, 5, 10, "1", &out, &err));
    assert_total(l, "40");
    ledger_close(l);
}

/* It tells what it would do, and leaves no trace; also of a ledger that is not there. */
static void a_rehearsal_writes_nothing(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    assert_true(deliver(l, &options, 0, 10, "1", &out, &err));
    options.dry_run = true;
    if (!deliver(l, &options, 0, 40000, "1", &out, &err)) /* more than a chunk */
        fail_msg("%s", err.text);
    assert_int_equal(out.count, 1);
    assert_int_equal(out.bills[0].key, 0);
    assert_int_equal(out.bills[0].lines, 40000);
    assert_amount(out.bills[0].billed, "40000");
    assert_int_equal(out.replaced_count, 1);
    assert_int_equal(out.replaced[0].lines, 10);
    assert_total(l, "10");
    assert_int_equal(count_litter(l), 0);
    options.alloc = l->alloc;
    options.clock = l->clock;
    assert_true(deliver(NULL, &options, 0, 5, "1", &out, &err));
    assert_int_equal(out.bills[0].lines, 5);
    assert_int_equal(out.replaced_count, 0);
    ledger_close(l);
}

/* A bill speaks for the days of its charges that are in its period and over. */
static void a_bill_covers_what_it_can_know(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i = begin_import(l, &options);
    const struct ledger_bill *bills;
    struct error err = {0};
    struct made_line m;

    (void)state;
    assert_true(ledger_import_file(i, STR("x"), &about_focus, &err));
    for (int n = 0; n < 5; n++) {
        make_line(&m, n, "1");
        if (n == 3)
            m.line.start.s = MAY + 400 * SECONDS_PER_DAY;
        if (n == 4)
            m.line.start.s = MAY - 40 * SECONDS_PER_DAY;
        put_line(i, &m.line);
    }
    (void)commit_import(i);
    assert_int_equal(read_bills(l, &bills), 1);
    assert_int_equal(bills[0].first_day.n, MAY / SECONDS_PER_DAY - 40);
    assert_int_equal(bills[0].last_day.n, MAY / SECONDS_PER_DAY + 400);
    assert_int_equal(bills[0].covers_first.n, MAY / SECONDS_PER_DAY);
    assert_true(bills[0].covers_last.n <= JUNE / SECONDS_PER_DAY - 1);
    assert_total(l, "5");
    ledger_close(l);
}

int group_bills_meet(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(a_smaller_delivery_is_refused),  ledger_test(fewer_days_are_refused),
        ledger_test(other_days_are_refused),         ledger_test(free_days_may_go),
        ledger_test(a_day_in_two_files_is_refused),  ledger_test(daily_periods_stay_apart),
        ledger_test(days_are_not_added_twice),       ledger_test(a_rehearsal_writes_nothing),
        ledger_test(a_bill_covers_what_it_can_know),
    };

    return run_on_engines(tests);
}
