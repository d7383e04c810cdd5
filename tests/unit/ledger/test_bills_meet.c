/* A delivery of a bill that is there: it replaces it when it is no smaller, and is never there
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
    options.dry_run = true; /* a dry run is refused too */
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
    for (int shape = 0; shape < 4; shape++) { /* complete; one day; short; in another zone */
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
            assert_non_null(strstr(err.text, "has 0 of the 10 charges"));
        if (shape == 2)
            assert_non_null(
                strstr(err.text, "a period to 2026-05-01 in place of one to 2026-05-31"));
        if (shape == 3)
            assert_int_equal(out.replaced_count, 1);
    }
    ledger_close(l);
}

/* The second part of a month is larger than the first and must not replace it. */
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
    assert_non_null(strstr(err.text, "has 0 of the 10 charges of bill "));
    assert_false(deliver(l, &options, 2, 20, "1", &out, &err));
    assert_non_null(strstr(err.text, "now nothing of 2026-05-01 and 1 other day"));
    assert_false(deliver(l, &options, 1, 20, "1", &out, &err));
    assert_non_null(strstr(err.text, "now nothing of 2026-05-01"));
    assert_null(strstr(err.text, "other"));
    assert_total(l, "10");
    options.add = true;
    assert_true(deliver(l, &options, 10, 20, "1", &out, &err));
    assert_total(l, "30");
    ledger_close(l);
}

static void assert_refused(struct ledger *l, int first, int count, const char *words)
{
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct error err = {0};

    options.replace = false;
    for (int n = 0; n < 2; n++) {
        options.dry_run = n == 0;
        assert_false(deliver(l, &options, first, count, "1", &out, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        if (strstr(err.text, words) == NULL)
            fail_msg("'%s' is not in '%s'", words, err.text);
        assert_non_null(strstr(err.hint, "--add"));
        assert_non_null(strstr(err.hint, "--replace"));
    }
}

/* The bills that it replaces. */
static size_t assert_taken(struct ledger *l, int first, int count, bool add)
{
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct error err = {0};

    options.replace = false;
    options.add = add;
    if (!deliver(l, &options, first, count, "1", &out, &err))
        fail_msg("%s", err.text);
    return out.replaced_count;
}

/* Two parts of a month, of other machines on the same days: as many lines, as much money. */
static void another_part_is_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;

    (void)state;
    assert_int_equal(assert_taken(l, 0, 31, false), 0);
    assert_refused(l, 31, 31, "has 0 of the 31 charges of bill 1 (AWS, account 111): it is an");
    assert_total(l, "31");
    assert_int_equal(assert_taken(l, 31, 31, true), 0);
    assert_total(l, "62");
    /* One of the parts again: the other one stays. */
    assert_int_equal(assert_taken(l, 31, 62, false), 1);
    assert_total(l, "93");
    assert_int_equal(read_bills(l, &bills), 2);
    /* Half of each: of neither. */
    assert_refused(l, 15, 31, "charges of bill");
    /* Then all of it. */
    assert_int_equal(assert_taken(l, 0, 100, false), 2);
    assert_total(l, "100");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

/* Four fifths of the existing charges must be in the delivery. */
static void a_fifth_may_be_missing(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);

    (void)state;
    assert_int_equal(assert_taken(l, 0, 1000, false), 0);
    assert_refused(l, 250, 1000,
                   "has about 7"); /* a sample of 512 distinguishes 75 % from 80 % */
    assert_int_equal(assert_taken(l, 150, 1000, false), 1);
    assert_int_equal(assert_taken(l, 150, 20000, false), 1);
    ledger_close(l);
    l = open_ledger(LEDGER_WRITE);
    assert_total(l, "20000");
    ledger_close(l);
}

static void a_fifth_of_a_small_bill_may_be_missing(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);

    (void)state;
    assert_int_equal(assert_taken(l, 0, 100, false), 0);
    assert_refused(l, 21, 100, "has 79 of the 100 charges of bill 1");
    assert_int_equal(assert_taken(l, 20, 100, false), 1);
    assert_refused(l, 200, 2800, "has 0 of the 100 charges");
    assert_int_equal(assert_taken(l, 20, 20000, false),
                     1); /* of a large one every line counts */
    ledger_close(l);
}

static void a_damaged_sample_is_an_error(void **state)
{
    static const char *const updates[] = {"UPDATE bills SET marks = ''",
                                          "UPDATE bills SET marks = '31 0 00'",
                                          "UPDATE bills SET marks = 'x' || marks"};
    struct ledger_import_options options = import_options();
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct made_line m;

    (void)state;
    options.replace = false;
    assert_int_equal(assert_taken(l, 0, 31, false), 0);
    for (size_t n = 0; n < ARRAY_LEN(updates); n++) {
        struct error err = {0};
        struct ledger_import *i;

        assert_true(ledger_start_write(l, &err));
        assert_true(ledger_finish(l, ledger_run(l, updates[n], NO_VALUES, &err), &err));
        i = begin_import(l, &options);
        assert_true(ledger_import_file(i, STR("again.csv"), &about_focus, &err));
        make_line(&m, 0, "1");
        assert_false(ledger_import_line(i, &m.line, &err));
        assert_int_equal(err.kind, ERROR_DAMAGED);
        assert_non_null(strstr(err.text, "bill 1 has no sample"));
        assert_non_null(strstr(err.hint, "stint bills remove 1"));
        ledger_import_abandon(i);
    }
    assert_total(l, "31");
    ledger_close(l);
}

/* `count` charges of one service, without resources, ten a day; `changed` of them have another
 * amount than before. */
static bool deliver_plain(struct ledger *l, int from, int count, int changed, struct error *err)
{
    struct ledger_import_options options = import_options();
    struct ledger_imported out;
    struct ledger_import *i;
    struct made_line m;
    char billed[20];

    options.replace = false;
    i = begin_import(l, &options);
    assert_true(ledger_import_file(i, STR("plain.csv"), &about_focus, err));
    for (int n = from; n < from + count; n++) {
        (void)snprintf(billed, sizeof billed, "1.%04d", n + (n % 10 < changed ? 5000 : 0));
        make_line(&m, n / 10, billed);
        m.line.of[FOCUS_ResourceId] = (struct str){0};
        put_line(i, &m.line);
    }
    return ledger_import_commit(i, &ledger_arena, &out, err);
}

/* Where only amounts distinguish charges, some of these must be the same. */
static void amounts_distinguish_charges(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};

    (void)state;
    assert_true(deliver_plain(l, 0, 310, 0, &err));
    assert_false(deliver_plain(l, 310, 310, 0, &err)); /* the other half of each day */
    assert_non_null(strstr(err.text, "another part"));
    assert_false(deliver_plain(l, 0, 310, 6, &err));
    assert_non_null(strstr(err.text, "has other amounts for the charges of bill"));
    assert_true(deliver_plain(l, 0, 310, 4, &err));
    ledger_close(l);
}

/* One charge a day without a resource: another machine's differs only in the amount. */
static void charges_without_resources_may_be_others(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);

    (void)state;
    for (int part = 0; part < 3; part++) { /* one; another; the first again, and more */
        struct ledger_import_options options = import_options();
        struct ledger_import *i;
        struct ledger_imported out;
        struct error err = {0};
        struct made_line m;

        options.replace = false;
        i = begin_import(l, &options);
        assert_true(ledger_import_file(i, STR("x"), &about_focus, &err));
        for (int n = 0; n < (part == 2 ? 31 : 30); n++) {
            make_line(&m, n, part == 1 ? "2" : "1");
            m.line.of[FOCUS_ResourceId] = (struct str){0};
            put_line(i, &m.line);
        }
        assert_int_equal(ledger_import_commit(i, &ledger_arena, &out, &err), part != 1);
    }
    assert_total(l, "31");
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

/* Two files, from line `from` on and of the price `billed`, next to 20 lines of price 1. */
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

/* A dry run reports what it would do and changes nothing, also without a ledger. */
static void dry_run_writes_nothing(void **state)
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

/* A bill covers the days of its charges that are in its period and over. */
static void bill_covers_past_days_of_its_period(void **state)
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

/* ---- coarse and detailed data ---- */

static const struct bill_about about_coarse = {.format = BILL_AWS_EXPLORER, .coarse = true};

struct coarse_file {
    int from, to;        /* days of May: from the first, up to before the second */
    const char *billed;  /* of each day */
    const char *account; /* "" when it is not known */
    bool monthly;        /* one charge for all of them */
    bool add, replace, dry_run;
};

static bool deliver_coarse(struct ledger *l, struct coarse_file f, struct ledger_imported *out,
                           struct error *err)
{
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    struct made_line m;

    options.replace = f.replace;
    options.add = f.add;
    options.dry_run = f.dry_run;
    i = begin_import(l, &options);
    assert_true(ledger_import_file(i, STR("explorer.json"), &about_coarse, err));
    for (int n = f.from; n < (f.monthly ? f.from + 1 : f.to); n++) {
        make_line(&m, 0, f.billed);
        m.line.of[FOCUS_ResourceId] = (struct str){0};
        m.line.of[FOCUS_BillingAccountId] = str_from(f.account);
        m.line.start.s = MAY + n * SECONDS_PER_DAY;
        m.line.end.s = MAY + (f.monthly ? f.to : n + 1) * SECONDS_PER_DAY;
        put_line(i, &m.line);
    }
    return ledger_import_commit(i, &ledger_arena, out, err);
}

static void take_coarse(struct ledger *l, struct coarse_file f, struct ledger_imported *out)
{
    struct error err = {0};

    if (!deliver_coarse(l, f, out, &err))
        fail_msg("%s", err.text);
}

/* Details of the days before `to`, two machines a day, 1 USD each. */
static bool deliver_details(struct ledger *l, int to, bool dry_run, struct ledger_imported *out,
                            struct error *err)
{
    struct ledger_import_options options = import_options();
    struct ledger_import *i;
    struct made_line m;

    options.replace = false;
    options.dry_run = dry_run;
    i = begin_import(l, &options);
    assert_true(ledger_import_file(i, STR("cur.csv"), &about_focus, err));
    for (int n = 0; n < 2 * to; n++) {
        make_line(&m, n / 2 + n % 2 * 31, "1");
        put_line(i, &m.line);
    }
    return ledger_import_commit(i, &ledger_arena, out, err);
}

static void details_replace_sums(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    take_coarse(l, (struct coarse_file){.from = 0, .to = 31, .billed = "2", .account = ""},
                &out);
    assert_total(l, "62");
    assert_true(deliver_details(l, 31, true, &out, &err));
    assert_int_equal(out.overlap_count, 1);
    assert_int_equal(out.overlaps[0].lines, 31);
    assert_total(l, "62");
    assert_int_equal(read_bills(l, &bills), 1);
    assert_true(deliver_details(l, 31, false, &out, &err));
    assert_int_equal(out.overlap_count, 1);
    assert_int_equal(out.overlaps[0].coarse, 1);
    assert_int_equal(out.overlaps[0].detailed, out.bills[0].key);
    assert_int_equal(out.overlaps[0].lines, 31);
    assert_int_equal(out.overlaps[0].rest_lines, 0);
    assert_amount(out.overlaps[0].amount, "62");
    assert_int_equal(read_bills(l, &bills), 1);
    assert_false(bills[0].coarse);
    assert_total(l, "62");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

/* Details of two weeks: the rest of the month is known from the sums alone. */
static void sums_stay_for_days_without_details(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    take_coarse(l, (struct coarse_file){.from = 0, .to = 31, .billed = "2.5", .account = "111"},
                &out);
    assert_true(deliver_details(l, 14, false, &out, &err));
    assert_int_equal(out.overlap_count, 1);
    assert_int_equal(out.overlaps[0].lines, 14);
    assert_int_equal(out.overlaps[0].rest_lines, 17);
    assert_int_equal(out.lines, 28);
    assert_int_equal(read_bills(l, &bills), 2);
    assert_total(l, "70.5"); /* 14 days of 2, 17 of 2.5 */
    /* More sums: only of the days without details; they replace what was left. */
    take_coarse(l, (struct coarse_file){.from = 0, .to = 31, .billed = "2.4", .account = "111"},
                &out);
    assert_int_equal(out.overlaps[0].lines, 14);
    assert_int_equal(out.lines, 17);
    assert_int_equal(out.replaced_count, 1);
    assert_total(l, "68.8");
    /* Then all details. */
    assert_true(deliver_details(l, 31, false, &out, &err));
    assert_int_equal(out.replaced_count, 1);
    assert_int_equal(read_bills(l, &bills), 1);
    assert_total(l, "62");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

static void sums_of_known_details_are_skipped(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_bill *bills;
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    assert_true(deliver_details(l, 31, false, &out, &err));
    for (int dry = 1; dry >= 0; dry--) {
        take_coarse(l,
                    (struct coarse_file){
                        .from = 0, .to = 31, .billed = "2", .account = "", .dry_run = dry == 1},
                    &out);
        assert_int_equal(out.count, 0);
        assert_int_equal(out.overlap_count, 1);
        assert_int_equal(out.overlaps[0].lines, 31);
        assert_int_equal(out.overlaps[0].detailed, 1);
        assert_amount(out.overlaps[0].amount, "62");
    }
    assert_total(l, "62");
    assert_int_equal(read_bills(l, &bills), 1);
    take_coarse(l, (struct coarse_file){.from = 0, .to = 31, .billed = "2", .account = "222"},
                &out); /* another account */
    assert_int_equal(out.overlap_count, 0);
    assert_total(l, "124");
    take_coarse(
        l,
        (struct coarse_file){.from = 0, .to = 31, .billed = "2", .account = "111", .add = true},
        &out);
    assert_total(l, "186");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

/* Sums of several accounts are not the details of one. */
static void very_different_amounts_are_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    take_coarse(l, (struct coarse_file){.from = 0, .to = 31, .billed = "2.51", .account = ""},
                &out);
    assert_false(deliver_details(l, 31, false, &out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "bill 1 (aws-explorer) has 77.81 USD for 2026-05-01 to "
                                  "2026-05-31, but the detailed bill has 62 USD: they are not "
                                  "of the same charges");
    assert_non_null(strstr(err.hint, "--add"));
    assert_total(l, "77.81");
    take_coarse(l, (struct coarse_file){.from = 0, .to = 31, .billed = "2.5", .account = ""},
                &out); /* four fifths are enough */
    assert_true(deliver_details(l, 31, false, &out, &err));
    assert_total(l, "62");
    assert_false(deliver_coarse(
        l, (struct coarse_file){.from = 0, .to = 31, .billed = "2.51", .account = ""}, &out,
        &err));
    assert_non_null(strstr(err.text, "'explorer.json' has 77.81 USD for 2026-05-01 to"));
    take_coarse(l, (struct coarse_file){.from = 0, .to = 31, .billed = "2.5", .account = ""},
                &out);
    assert_int_equal(out.count, 0);
    take_coarse(l,
                (struct coarse_file){
                    .from = 0, .to = 31, .billed = "9", .account = "", .replace = true},
                &out);
    assert_int_equal(out.count, 0);
    assert_total(l, "62");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

/* One sum for the month, and details of half of it: neither is the other. */
static void a_sum_of_the_month_is_not_divided(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_imported out;
    struct error err = {0};

    (void)state;
    take_coarse(l,
                (struct coarse_file){
                    .from = 0, .to = 31, .billed = "62", .account = "", .monthly = true},
                &out);
    assert_false(deliver_details(l, 16, false, &out, &err));
    assert_non_null(
        strstr(err.text, "has 62 USD for 2026-05-01 to 2026-05-31, but the detail"));
    assert_true(deliver_details(l, 30, false, &out, &err));
    assert_total(l, "60");
    take_coarse(l,
                (struct coarse_file){
                    .from = 0, .to = 31, .billed = "62", .account = "", .monthly = true},
                &out);
    assert_int_equal(out.count, 0);
    assert_total(l, "60");
    ledger_close(l);
}

/* In one command it is unknown which one is meant. */
static void both_at_once_are_refused(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct ledger_import *i = begin_import(l, &options);
    struct ledger_imported out;
    struct error err = {0};
    struct made_line m;

    (void)state;
    put_file(i, "cur.csv", 10, "1");
    assert_true(ledger_import_file(i, STR("explorer.json"), &about_coarse, &err));
    make_line(&m, 3, "1");
    m.line.of[FOCUS_BillingAccountId] = (struct str){0};
    put_line(i, &m.line);
    assert_false(ledger_import_commit(i, &ledger_arena, &out, &err));
    assert_string_equal(err.text,
                        "'explorer.json' has the days of 'cur.csv' once more, in less detail");
    assert_int_equal(count_litter(l), 0);
    ledger_close(l);
}

/* ---- the same money under another name ---- */

/* 31 days of 8 resources, the first of them `first`, of this account; false with the error. */
static bool deliver_as(struct ledger *l, const struct ledger_import_options *options,
                       const char *account, int first, const char *name, struct error *err)
{
    struct ledger_import *i = begin_import(l, options);
    struct ledger_imported out;
    struct made_line m;

    assert_true(ledger_import_file(i, str_from(name), &about_focus, err));
    for (int n = 0; n < 31 * 8; n++) {
        make_line(&m, n, "1");
        m.line.billed = m.line.effective = (struct decimal){100 + n % 31 + n % 8 * 7, 2};
        (void)snprintf(m.resource, sizeof m.resource, "%s-0123456789%02d",
                       str_eq_nocase(str_from(account), STR("111")) ? "I" : "i", first + n % 8);
        m.line.of[FOCUS_ResourceId] = str_from(m.resource);
        m.line.of[FOCUS_BillingAccountId] = str_from(account);
        put_line(i, &m.line);
    }
    assert_true(ledger_import_file_end(i, str_from(name), err));
    return ledger_import_commit(i, &ledger_arena, &out, err);
}

static void the_same_money_counts_once(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_import_options options = import_options();
    struct error err = {0};

    (void)state;
    options.replace = false;
    assert_true(deliver_as(l, &options, "111", 0, "a.csv", &err));
    assert_false(deliver_as(l, &options, "/x/222", 0, "b.csv", &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(
        strstr(err.text, "'b.csv' has the same money as bill 1 (focus, account 111)"));
    assert_non_null(strstr(err.text, "248 of 248 costs by resource and day"));
    err = (struct error){0};
    assert_true(deliver_as(l, &options, "333", 50, "c.csv", &err)); /* other resources */
    options.dry_run = true;
    assert_false(deliver_as(l, &options, "222", 0, "b.csv", &err));
    options.dry_run = false;
    options.replace = true;
    assert_true(deliver_as(l, &options, "222", 0, "b.csv", &err));
    ledger_close(l);
    l = open_ledger(LEDGER_WRITE);
    assert_total(l, "691.92"); /* twice what the file comes to: the first one is gone */
    ledger_close(l);
}

int group_bills_meet(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(a_smaller_delivery_is_refused),
        ledger_test(fewer_days_are_refused),
        ledger_test(other_days_are_refused),
        ledger_test(free_days_may_go),
        ledger_test(a_day_in_two_files_is_refused),
        ledger_test(daily_periods_stay_apart),
        ledger_test(days_are_not_added_twice),
        ledger_test(dry_run_writes_nothing),
        ledger_test(bill_covers_past_days_of_its_period),
        ledger_test(another_part_is_refused),
        ledger_test(a_fifth_may_be_missing),
        ledger_test(a_fifth_of_a_small_bill_may_be_missing),
        ledger_test(a_damaged_sample_is_an_error),
        ledger_test(amounts_distinguish_charges),
        ledger_test(charges_without_resources_may_be_others),
        ledger_test(details_replace_sums),
        ledger_test(sums_stay_for_days_without_details),
        ledger_test(sums_of_known_details_are_skipped),
        ledger_test(very_different_amounts_are_refused),
        ledger_test(a_sum_of_the_month_is_not_divided),
        ledger_test(both_at_once_are_refused),
        ledger_test(the_same_money_counts_once),
    };

    return run_on_engines(tests);
}
