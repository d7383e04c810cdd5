/* The account as a file: which days of which runs are in it, what they add up to. */
#include "account_world.h"

#include "op/account/export.h"
#include "op/op.h"

#define OFFER "aws/us-east-1/g5.xlarge"
#define ROWS 40

/* A FOCUS file, read again. */
struct table_read {
    char cell[ROWS][6][48]; /* of `wanted` */
    size_t rows;
};

static const char *const wanted[] = {"BilledCost",         "EffectiveCost",
                                     "ChargePeriodStart",  "ChargePeriodEnd",
                                     "BillingPeriodStart", "ConsumedQuantity"};

/* The cells of a line that are wanted, by where they are. Texts have no commas before them. */
static void read_line(struct str line, const size_t at[], char cells[][48])
{
    for (size_t n = 0; line.len > 0; n++) {
        struct str cell = str_cut(&line, ',');

        for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
            if (at[i] == n)
                (void)snprintf(cells[i], 48, "%.*s", STR_ARG(cell));
    }
}

static void read_header(struct str header, size_t at[])
{
    for (size_t n = 0; header.len > 0; n++) {
        struct str name = str_cut(&header, ',');

        for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
            if (str_eq(name, str_from(wanted[i])))
                at[i] = n;
    }
}

static void read_table(const char *path, struct table_read *out)
{
    struct arena arena = test_arena();
    struct error err = {0};
    size_t at[ARRAY_LEN(wanted)] = {0};
    struct str text;

    *out = (struct table_read){.rows = 0};
    assert_true(fs_read(path, 1 << 20, &arena, &text, &err));
    read_header(str_cut(&text, '\n'), at);
    while (text.len > 0) {
        assert_true(out->rows < ROWS);
        read_line(str_cut(&text, '\n'), at, out->cell[out->rows++]);
    }
    arena_free(&arena);
}

static struct export_result export_to(struct world *w, const char *file,
                                      struct export_request request)
{
    struct export_result res = {.file = {0}};
    struct error err = {0};

    request.file = str_from(file);
    request.focus = true;
    if (request.version.len == 0)
        request.version = STR("1.2");
    if (request.from.len == 0)
        request.from = STR("all");
    if (!op_export.run(&w->ctx, &request, &res, &err))
        fail_msg("%s", err.text);
    return res;
}

static const char *a_file(void)
{
    static char path[100];

    (void)snprintf(path, sizeof path, "%s/out.csv", account_folder);
    return path;
}

/* Ten hours over the end of October: each day is a row of its month, and they add up. */
static void days_and_months_are_kept_apart(void **state)
{
    struct world *w = *state;
    struct table_read t;
    struct export_result res;

    account_record(
        w, &(struct account_run){"bert", NULL, NULL, OFFER, AT(31, 20), 10 * HOUR, DOLLAR / 3});
    res = export_to(w, a_file(), (struct export_request){.focus = true});
    read_table(a_file(), &t);
    assert_int_equal(t.rows, 2);
    assert_int_equal(res.exported.run_rows, 2);
    assert_string_equal(t.cell[0][0], "0.133333333");
    assert_string_equal(t.cell[1][0], "0.2");
    assert_string_equal(t.cell[0][2], "2026-10-31T20:00:00Z");
    assert_string_equal(t.cell[0][3], "2026-11-01T00:00:00Z");
    assert_string_equal(t.cell[0][4], "2026-10-01T00:00:00Z");
    assert_string_equal(t.cell[1][2], "2026-11-01T00:00:00Z");
    assert_string_equal(t.cell[1][4], "2026-11-01T00:00:00Z");
    assert_string_equal(t.cell[0][5], "4.000000000");
    assert_string_equal(t.cell[1][5], "6.000000000");
    assert_str_equal(res.exported.billed.at[0], "0.333333333 USD");
}

static void only_days_that_are_asked_for(void **state)
{
    struct world *w = *state;
    struct table_read t;

    account_record(
        w, &(struct account_run){"bert", NULL, NULL, OFFER, AT(30, 0), 72 * HOUR, 3 * DOLLAR});
    (void)export_to(w, a_file(),
                    (struct export_request){.days.since = STR("2026-10-31"),
                                            .days.until = STR("2026-10-31")});
    read_table(a_file(), &t);
    assert_int_equal(t.rows, 1);
    assert_string_equal(t.cell[0][0], "1");
    assert_string_equal(t.cell[0][2], "2026-10-31T00:00:00Z");
}

/* Days that the provider's bill covers are in the bill already; others, and other providers',
 * are not. */
static void covered_days_are_left_out(void **state)
{
    static const struct account_line lines[] = {
        {"i-01", "7", AT(5, 0), 24 * HOUR, .quantity = "24"}};
    struct world *w = *state;
    struct export_result res;
    struct table_read t;

    account_record(
        w, &(struct account_run){"bert", NULL, NULL, OFFER, AT(5, 12), 24 * HOUR, 2 * DOLLAR});
    account_record(w, &(struct account_run){"own", NULL, NULL, NULL, AT(5, 0), HOUR, DOLLAR});
    account_bill_of(w, lines, 1);
    res = export_to(w, a_file(), (struct export_request){.focus = true});
    read_table(a_file(), &t);
    assert_int_equal(t.rows, 3);
    assert_int_equal(res.exported.bill_rows, 1);
    assert_string_equal(t.cell[0][0], "7");
    assert_string_equal(t.cell[1][0], "1"); /* of the 6th */
    assert_string_equal(t.cell[1][2], "2026-10-06T00:00:00Z");
    assert_string_equal(t.cell[2][0], "1"); /* on a machine of one's own */
    res = export_to(w, a_file(), (struct export_request){.from = STR("runs")});
    assert_int_equal(res.exported.rows, 3);
    assert_int_equal(res.exported.bill_rows, 0);
    res = export_to(w, a_file(), (struct export_request){.from = STR("bills")});
    assert_int_equal(res.exported.rows, 1);
}

static void runs_without_a_price_are_counted_once(void **state)
{
    static const struct account_line lines[] = {
        {"i-01", "7", AT(5, 0), 24 * HOUR, .quantity = "24"}};
    struct world *w = *state;
    struct export_result res;

    account_record(w, &(struct account_run){"bert", NULL, NULL, OFFER, AT(6, 0), 72 * HOUR,
                                            MONEY_UNKNOWN});
    account_record(
        w, &(struct account_run){NULL, NULL, NULL, OFFER, AT(10, 0), HOUR, MONEY_UNKNOWN});
    /* On a day that the bill covers nothing is missing. */
    account_record(
        w, &(struct account_run){"other", NULL, NULL, OFFER, AT(5, 0), HOUR, MONEY_UNKNOWN});
    account_bill_of(w, lines, 1);
    res = export_to(w, a_file(), (struct export_request){.focus = true});
    assert_int_equal(res.exported.run_rows, 0);
    assert_int_equal(res.exported.unpriced, 1);
}

/* Over when it began, or much too long: still a row, and its whole cost. */
static void odd_times_are_no_trouble(void **state)
{
    struct world *w = *state;
    struct table_read t;

    account_record(w, &(struct account_run){"short", NULL, NULL, OFFER, AT(5, 0), 0, 5});
    (void)export_to(w, a_file(), (struct export_request){.focus = true});
    read_table(a_file(), &t);
    assert_int_equal(t.rows, 1);
    assert_string_equal(t.cell[0][0], "0.000000005");
    assert_string_equal(t.cell[0][3], "2026-10-05T00:00:01Z");
}

static bool stop_now(void)
{
    return true;
}

/* What cannot be finished leaves nothing behind, and what was there stays. */
static void all_or_nothing(void **state)
{
    struct world *w = *state;
    struct export_request request = {
        .file = str_from(a_file()), .focus = true, .version = STR("1.2"), .from = STR("all")};
    struct buf bill = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct export_result res = {.file = {0}};
    struct arena arena = test_arena();
    struct error err = {0};
    char command[200];
    struct str kept;

    buf_adds(&bill, BILL_HEADER);
    for (int i = 0; i < 5000; i++)
        account_line(&bill, &(struct account_line){"i-01", "0.001", AT(1 + i % 28, i % 24),
                                                   HOUR, .quantity = "1"});
    account_import(w, &bill);
    buf_free(&bill);
    assert_true(fs_put(a_file(), STR("before\n"), &err));
    w->ctx.watch.stopped = stop_now;
    assert_false(op_export.run(&w->ctx, &request, &res, &err));
    assert_int_equal(err.kind, ERROR_STOPPED);
    assert_true(fs_read(a_file(), 100, &arena, &kept, &(struct error){0}));
    assert_str_equal(kept, "before\n");
    (void)snprintf(command, sizeof command, "test \"$(ls %s | grep -c tmp)\" = 0",
                   account_folder);
    assert_int_equal(system(command), 0);
    w->ctx.watch.stopped = NULL;
    res = export_to(w, a_file(), (struct export_request){.focus = true});
    assert_int_equal(res.exported.rows, 5000);
    assert_str_equal(res.exported.billed.at[0], "5.000 USD");
    arena_free(&arena);
}

static void want_of_memory_is_survived(void **state)
{
    static const struct account_line lines[] = {
        {"i-01", "7", AT(5, 0), 24 * HOUR, .quantity = "24", .tags = "{\"\"a\"\":[1]}"}};
    struct world *w = *state;
    char focus[200], csv[200];
    const char *const requests[][2] = {{"export", focus}, {"export", csv}, {"export", "{}"}};

    (void)snprintf(focus, sizeof focus, "{\"focus\":true,\"file\":\"%s\"}", a_file());
    (void)snprintf(csv, sizeof csv, "{\"csv\":true,\"file\":\"%s\"}", a_file());
    account_record(w, &(struct account_run){"bert", NULL, NULL, OFFER, AT(9, 0), HOUR, DOLLAR});
    account_bill_of(w, lines, 1);
    world_survives(w, requests, ARRAY_LEN(requests));
}

int group_export(void)
{
    const struct CMUnitTest tests[] = {
        account_test(days_and_months_are_kept_apart),
        account_test(only_days_that_are_asked_for),
        account_test(covered_days_are_left_out),
        account_test(runs_without_a_price_are_counted_once),
        account_test(odd_times_are_no_trouble),
        account_test(all_or_nothing),
        account_test(want_of_memory_is_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
