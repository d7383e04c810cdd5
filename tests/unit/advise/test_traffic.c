/* Traffic: files are complete and bounded, mistakes name their line; shapes of the catalog. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "advise/economics/traffic.h"

static struct arena arena;
static struct error err;
static struct traffic traffic;

static int set_up(void **state)
{
    (void)state;
    arena = test_arena();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool reads(const char *text)
{
    err = (struct error){0};
    return traffic_read(str_from(text), "day.csv", &alloc_system, &traffic, &err);
}

static void refuses(const char *text, const char *why)
{
    if (reads(text))
        fail_msg("'%s' is read", text);
    if (strstr(err.text, why) == NULL)
        fail_msg("'%s': %s", text, err.text);
}

/* Hour h has h + 1 requests a second. */
static void write_hours(size_t hours, char *out, size_t room)
{
    size_t len = (size_t)snprintf(out, room, "hour,rate\n");

    for (size_t h = 0; h < hours; h++)
        len += (size_t)snprintf(out + len, room - len, "%zu,%zu\n", h, h + 1);
}

static void a_day_or_a_week_is_read(void **state)
{
    char text[4096];

    (void)state;
    write_hours(24, text, sizeof text);
    assert_true(reads(text));
    assert_int_equal(traffic.shape.hours, 24);
    assert_near(traffic.peak, 24, 0);
    assert_near(traffic.shape.share[5], 0.25, 1e-12);
    assert_near(deploy_mean_share(&traffic.shape), 12.5 / 24, 1e-12);
    write_hours(168, text, sizeof text);
    assert_true(reads(text));
    assert_int_equal(traffic.shape.hours, 168);
    assert_near(traffic.shape.share[167], 1, 0);
}

static void rates_may_have_units_and_no_header(void **state)
{
    char text[4096] = "# from the gateway\n0,3600/h\n";
    size_t len = strlen(text);

    (void)state;
    for (int h = 23; h > 0; h--)
        len += (size_t)snprintf(text + len, sizeof text - len, "%d, 0.5/s\n", h);
    assert_true(reads(text));
    assert_near(traffic.peak, 1, 1e-12);
    assert_near(traffic.shape.share[23], 0.5, 1e-12);
}

static void mistakes_name_their_line(void **state)
{
    char text[4096];

    (void)state;
    refuses("hour,rate\n0,fast\n", "day.csv:2: 'fast' is not a rate");
    refuses("hour,rate\n0,1\n0,2\n", "day.csv:3: hour 0 is there twice");
    refuses("hour,rate\n168,1\n", "day.csv:2: '168' is not an hour");
    refuses("-1,1\n", "day.csv:1: '-1' is not an hour");
    refuses("0,1,2\n", "day.csv:1: 3 columns");
    refuses("0,1e12\n", "day.csv:1: '1e12' is not a rate");
    refuses("0,-1\n", "day.csv:1: '-1' is not a rate");
    refuses("", "day.csv: hour 0 is missing");
    write_hours(23, text, sizeof text);
    refuses(text, "day.csv: hour 23 is missing");
    write_hours(25, text, sizeof text);
    refuses(text, "day.csv: hour 25 is missing");
    refuses("0,0\n1,0\n2,0\n3,0\n4,0\n5,0\n6,0\n7,0\n8,0\n9,0\n10,0\n11,0\n12,0\n13,0\n14,0\n"
            "15,0\n16,0\n17,0\n18,0\n19,0\n20,0\n21,0\n22,0\n23,0\n",
            "no hour has requests");
}

static void shapes_of_the_catalog(void **state)
{
    struct catalog catalog = {0};

    (void)state;
    err = (struct error){0};
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_TRAFFIC), NULL, 0, &arena, &err));
    assert_true(traffic_named(&catalog, STR("flat"), &traffic, &err));
    assert_int_equal(traffic.shape.hours, 24);
    assert_near(deploy_mean_share(&traffic.shape), 1, 0);
    assert_true(isnan(traffic.peak));
    assert_true(traffic_named(&catalog, STR("Office"), &traffic, &err));
    assert_int_equal(traffic.shape.hours, 168);
    assert_near(traffic.shape.share[10], 1, 0);
    assert_near(traffic.shape.share[130], 0.05, 1e-12); /* Saturday, 10:00 */
    assert_int_equal(traffic_pattern(&traffic.shape), TRAFFIC_VARIABLE);
    assert_true(traffic_named(&catalog, STR("nightly"), &traffic, &err));
    assert_int_equal(traffic_pattern(&traffic.shape), TRAFFIC_BURSTY);
    assert_int_equal(traffic_pattern(NULL), TRAFFIC_CONSTANT);
    assert_false(traffic_named(&catalog, STR("ofice"), &traffic, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_non_null(strstr(err.hint, "office"));
}

static void patterns_at_their_thresholds(void **state)
{
    struct deploy_traffic t = {.hours = 24};

    (void)state;
    for (size_t i = 0; i < 24; i++)
        t.share[i] = i < 12 ? 1 : 0.34; /* the peak is 1.49 times the mean */
    assert_int_equal(traffic_pattern(&t), TRAFFIC_CONSTANT);
    for (size_t i = 12; i < 24; i++)
        t.share[i] = 0.32; /* 1.52 times */
    assert_int_equal(traffic_pattern(&t), TRAFFIC_VARIABLE);
    for (size_t i = 1; i < 24; i++)
        t.share[i] = 0.22; /* 3.96 times */
    assert_int_equal(traffic_pattern(&t), TRAFFIC_VARIABLE);
    for (size_t i = 1; i < 24; i++)
        t.share[i] = 0.215; /* 4.04 times */
    assert_int_equal(traffic_pattern(&t), TRAFFIC_BURSTY);
}

static void a_trace_is_not_a_table_of_hours(void **state)
{
    (void)state;
    assert_true(traffic_is_trace(STR("TIMESTAMP,ContextTokens\n2023-11-16 18:15:46.68,374\n")));
    assert_true(traffic_is_trace(STR("{\"timestamp\": 0}\n")));
    assert_true(traffic_is_trace(STR("time_s,input,output\n0,1,1\n")));
    assert_false(traffic_is_trace(STR("hour,rate\n0,1\n")));
    assert_false(traffic_is_trace(STR(" Hour ,rate\n0,1\n")));
    assert_false(traffic_is_trace(STR("0,2/s\n1,3/s\n")));
    assert_false(traffic_is_trace(STR("# of a day\n0,2/s\n")));
    assert_false(traffic_is_trace(STR("")));
}

/* So many requests in each hour, spread evenly; from the first to the last. */
static size_t fill_requests(size_t hours, size_t (*in_hour)(size_t hour), double *at_s)
{
    size_t count = 0;

    for (size_t h = 0; h < hours; h++)
        for (size_t i = 0; i < in_hour(h); i++)
            at_s[count++] = 3600.0 * (double)h + 3600.0 * (double)i / (double)in_hour(h);
    at_s[count++] = 3600.0 * (double)hours;
    return count;
}

static size_t day_and_night(size_t hour)
{
    return hour % 24 < 12 ? 36 : 72;
}

static size_t quiet_sunday(size_t hour)
{
    return hour / 24 % 7 == 6 ? 36 : 72;
}

static void requests_become_rates_by_the_hour(void **state)
{
    static double at_s[14 * 24 * 72 + 1];
    size_t count = fill_requests(48, day_and_night, at_s);

    (void)state;
    assert_true(traffic_of_requests(at_s, count, "trace.csv", &traffic, &err));
    assert_int_equal(traffic.shape.hours, 24);
    assert_true(traffic_covers_day(&traffic));
    assert_near(traffic.peak, 0.02, 1e-9);
    assert_near(traffic.shape.share[3], 0.5, 0.02); /* the last request is in hour 0 */
    assert_near(traffic.shape.share[13], 1, 1e-9);
    count = fill_requests((size_t)14 * 24, quiet_sunday, at_s);
    assert_true(traffic_of_requests(at_s, count, "trace.csv", &traffic, &err));
    assert_int_equal(traffic.shape.hours, DEPLOY_HOURS);
    assert_near(traffic.shape.share[150], 0.5, 0.02);
    assert_near(traffic.shape.share[10], 1, 0.02);
}

static void a_short_trace_has_one_rate(void **state)
{
    static const double at_s[] = {0, 10, 20, 30, 40};
    static const double same_s[] = {7, 7};

    (void)state;
    assert_true(traffic_of_requests(at_s, 5, "trace.csv", &traffic, &err));
    assert_false(traffic_covers_day(&traffic));
    assert_near(traffic.peak, 5 / 40.0, 1e-12);
    assert_near(deploy_mean_share(&traffic.shape), 1, 1e-12);
    assert_near(traffic.covered, 40, 0);
    assert_false(traffic_of_requests(at_s, 0, "trace.csv", &traffic, &err));
    assert_string_equal(err.text, "trace.csv: fewer than two moments of requests");
    err = (struct error){0};
    assert_false(traffic_of_requests(same_s, 2, "trace.csv", &traffic, &err));
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    for (size_t allow = 0; allow < 3; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};

        err = (struct error){0};
        assert_false(traffic_read(STR("0,x\n"), "day.csv", &alloc, &traffic, &err));
        assert_int_equal(failing.held, 0);
    }
}

int group_traffic(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_day_or_a_week_is_read),
        cmocka_unit_test(rates_may_have_units_and_no_header),
        cmocka_unit_test(mistakes_name_their_line),
        cmocka_unit_test(shapes_of_the_catalog),
        cmocka_unit_test(patterns_at_their_thresholds),
        cmocka_unit_test(a_trace_is_not_a_table_of_hours),
        cmocka_unit_test(requests_become_rates_by_the_hour),
        cmocka_unit_test(a_short_trace_has_one_rate),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
