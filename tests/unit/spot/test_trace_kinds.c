/* Traces from JSON of the published data sets, and from price histories. */
#include "test.h"

#include <math.h>

#include "spot/trace.h"

static struct arena arena = {.alloc = &alloc_system};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool read(const char *text, enum trace_polarity polarity, struct traces *out,
                 struct error *err)
{
    *err = (struct error){0};
    return traces_read(str_from(text),
                       (struct trace_options){.polarity = polarity, .name = "d/zone-a.json"},
                       &arena, out, err);
}

static struct trace reads(const char *text, enum trace_polarity polarity)
{
    struct traces t;
    struct error err;

    if (!read(text, polarity, &t, &err))
        fail_msg("%s", err.text);
    assert_int_equal(t.len, 1);
    return t.at[0];
}

static void fails(const char *text, enum trace_polarity polarity, const char *message)
{
    struct traces traces;
    struct error err;

    assert_false(read(text, polarity, &traces, &err));
    assert_string_equal(err.text, message);
    assert_null(traces.at);
}

#define BARE "{\"metadata\": {\"gap_seconds\": 600}, \"data\": [1, 0, 1]}"

static void asks_what_one_means(void **state)
{
    struct traces traces;
    struct error err;
    struct trace t;

    (void)state;
    assert_false(read(BARE, POLARITY_ASK, &traces, &err));
    assert_string_equal(err.text, "d/zone-a.json: the meaning of 1 is not given");
    assert_string_equal(err.hint,
                        "--ones-mean available (SkyPilot's spot-traces), or --ones-mean "
                        "preempted (ADRS, OpenEvolve, Frontier-CS, SkyNomad)");
    t = reads(BARE, POLARITY_AVAILABLE);
    assert_memory_equal(t.nodes_at, "\1\0\1", 3);
    assert_str_equal(t.id, "zone-a");
    assert_int_equal(t.gap, 600);
    assert_int_equal(t.ticks, 3);
    assert_true(isnan(t.spot) && isnan(t.on_demand) && t.price == NULL && t.start.s == -1);
    t = reads(BARE, POLARITY_PREEMPTED);
    assert_memory_equal(t.nodes_at, "\0\1\0", 3);
    assert_false(t.from_prices);
}

static void knows_what_one_means_from_the_file(void **state)
{
    struct trace t;

    (void)state;
    /* A window of ADRS. */
    t = reads("{\"generator\": \"random_start_time\", \"original_trace\": \"x/y.json\", "
              "\"metadata\": {\"gap_seconds\": 600, \"start_time\": 684, \"end_time\": 687}, "
              "\"data\": [1, 0, 1]}",
              POLARITY_ASK);
    assert_memory_equal(t.nodes_at, "\0\1\0", 3);
    assert_int_equal(t.start.s, -1);
    /* Of SkyNomad, with prices. */
    t = reads("{\"metadata\": {\"gap_seconds\": 600, \"start_time\": "
              "\"2025-10-04T00:10:00+00:00\", \"price_info\": {\"price\": 1.26, "
              "\"components\": [{\"price\": 7}], \"on_demand_price\": 3.06}, \"note\": \"x\"}, "
              "\"data\": [0, 0, 1], \"prices\": [0.5, null, 0.75]}",
              POLARITY_ASK);
    assert_memory_equal(t.nodes_at, "\1\1\0", 3);
    assert_true(t.on_demand == 3.06 && isnan(t.spot));
    assert_true(t.price[0] == 0.5 && isnan(t.price[1]) && t.price[2] == 0.75);
    assert_int_equal(t.start.s, 1759536600);
    /* Counts, of SkyPilot. */
    t = reads("{\"data\": [0, 16, 1], \"metadata\": {\"gap_seconds\": 300}}", POLARITY_ASK);
    assert_memory_equal(t.nodes_at, "\0\20\1", 3);
    assert_int_equal(t.nodes, 16);
    /* A file that is written again has it. */
    t = reads("{\"metadata\": {\"gap_seconds\": 600.0, \"ones\": \"available\", "
              "\"price_info\": {\"price\": 2}}, \"data\": [true, false, 1.0]}",
              POLARITY_ASK);
    assert_memory_equal(t.nodes_at, "\1\0\1", 3);
    assert_true(t.spot == 2);
    /* The user knows better than a guess. */
    t = reads("{\"generator\": 1, \"metadata\": {\"gap_seconds\": 1}, \"data\": [1]}",
              POLARITY_AVAILABLE);
    assert_memory_equal(t.nodes_at, "\1", 1);
}

static void names_windows_by_their_folder(void **state)
{
    static const struct {
        const char *path, *id;
    } cases[] = {{"data/us-west-2a_k80_8/107.json", "us-west-2a_k80_8/107"},
                 {"z/full.json", "z/full"},
                 {"full.json", "full"},
                 {"a/us west.json", "us_west"},
                 {"a/.json", "a/"},
                 {NULL, "trace"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct trace_options options = {.polarity = POLARITY_AVAILABLE, .name = cases[i].path};
        struct error err = {0};
        struct traces t;

        assert_true(traces_read(STR(BARE), options, &arena, &t, &err));
        assert_str_equal(t.at[0].id, cases[i].id);
    }
}

static void refuses_contradictions(void **state)
{
    (void)state;
    fails("{\"metadata\": {\"gap_seconds\": 1, \"ones\": \"preempted\"}, \"data\": [2]}",
          POLARITY_ASK,
          "d/zone-a.json: \"ones\" is \"preempted\", but line 1 has a 2, a count of instances");
    fails("{\"metadata\": {\"gap_seconds\": 1}, \"data\": [0, 2]}", POLARITY_PREEMPTED,
          "d/zone-a.json: 1 means 'available' in this file, not 'preempted'");
    fails("{\"metadata\": {\"gap_seconds\": 1, \"ones\": \"preempted\"}, \"data\": [1]}",
          POLARITY_AVAILABLE,
          "d/zone-a.json: 1 means 'preempted' in this file, not 'available'");
    fails("{\"metadata\": {\"gap_seconds\": 1, \"gap_seconds\": 2}, \"data\": [1]}",
          POLARITY_AVAILABLE, "d/zone-a.json:1: \"gap_seconds\": expected a number above 0");
    fails("{\"metadata\": {\"gap_seconds\": 1},\n\"data\": [1, 0], \"prices\": [1]}",
          POLARITY_AVAILABLE, "d/zone-a.json:2: 2 ticks in \"data\", but 1 in \"prices\"");
    fails("{\"metadata\": {\"gap_seconds\": 1}, \"data\": [1],\n \"data\": [1]}",
          POLARITY_AVAILABLE, "d/zone-a.json:2: \"data\": expected a list of numbers");
}

static void reports_what_is_wrong_in_json(void **state)
{
    (void)state;
    fails("[1, 0]", POLARITY_AVAILABLE,
          "d/zone-a.json:1: expected an object with \"metadata\" and \"data\"");
    fails("{\"data\": []}", POLARITY_AVAILABLE,
          "d/zone-a.json: there are no ticks: \"data\" is empty");
    fails("{\"metadata\": {\"gap_seconds\": 1}}", POLARITY_AVAILABLE,
          "d/zone-a.json: there are no ticks: \"data\" is missing");
    fails("{\"data\": [1]}", POLARITY_AVAILABLE,
          "d/zone-a.json: \"gap_seconds\" of \"metadata\" is missing: expected whole seconds "
          "of a tick, 1 to 31622400");
    fails("{\"metadata\": {\"gap_seconds\": 0.5}, \"data\": [1]}", POLARITY_AVAILABLE,
          "d/zone-a.json: \"gap_seconds\" of \"metadata\" is wrong: expected whole seconds of "
          "a tick, 1 to 31622400");
    fails("{\"data\": [1,\n 0.5]}", POLARITY_AVAILABLE,
          "d/zone-a.json:2: tick 1 of \"data\": expected a whole number from 0 to 35");
    fails("{\"data\": [36]}", POLARITY_AVAILABLE,
          "d/zone-a.json:1: tick 0 of \"data\": expected a whole number from 0 to 35");
    fails("{\"prices\": [1, 0]}", POLARITY_AVAILABLE,
          "d/zone-a.json:1: tick 1 of \"prices\": expected a price above 0, or null");
    fails("{\"metadata\": 3}", POLARITY_AVAILABLE,
          "d/zone-a.json:1: \"metadata\": expected an object");
    fails("{\"metadata\": {\"ones\": 1}}", POLARITY_AVAILABLE,
          "d/zone-a.json:1: \"ones\": expected \"available\" or \"preempted\"");
}

static void refuses_json_that_is_cut_short(void **state)
{
    struct str text = STR("{\"generator\": {\"a\": [1]}, \"metadata\": {\"gap_seconds\": 600, "
                          "\"price_info\": {\"price\": 1}, \"start_time\": [1], \"x\": {}}, "
                          "\"data\": [1, 0], \"prices\": [1, 2]}");
    struct trace_options options = {.name = "x"};
    struct error err;
    struct traces t;

    (void)state;
    for (size_t len = 1; len < text.len; len++) {
        err = (struct error){0};
        assert_false(traces_read((struct str){text.at, len}, options, &arena, &t, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
    }
    assert_true(traces_read(text, options, &arena, &t, &err));
}

static bool history(const char *text, const char *only, struct traces *out, struct error *err)
{
    *err = (struct error){0};
    return traces_read(str_from(text),
                       (struct trace_options){.name = "p.csv", .only = str_from(only)}, &arena,
                       out, err);
}

#define HEADER \
    "date,instance_type,accelerator,count,zone_or_region,on_demand_usd_h,spot_usd_h\n"

static void reads_a_change_log(void **state)
{
    const char *text = HEADER "2026-01-01,p5,H100,8,a,98.3,30\n"
                              "2026-01-03,p5,H100,8,a,55,\n"
                              "2026-01-05,p5,H100,8,a,55,31\n"
                              "2026-01-02,,A100,1,\"Texas, US\",,0.8\n"
                              "2026-01-02,p4,A100,8,a,22,0\n";
    struct traces t;
    struct error err;

    (void)state;
    if (!history(text, NULL, &t, &err))
        fail_msg("%s", err.text);
    assert_int_equal(t.len, 2); /* p4 never had a spot price */
    assert_str_equal(t.at[0].id, "p5/a");
    assert_int_equal(t.at[0].gap, 86400);
    assert_int_equal(t.at[0].ticks, 5);
    assert_int_equal(t.at[0].start.s, 1767225600);
    assert_memory_equal(t.at[0].nodes_at, "\1\1\0\0\1", 5);
    assert_true(t.at[0].price[1] == 30 && isnan(t.at[0].price[2]) && t.at[0].price[4] == 31);
    assert_true(t.at[0].on_demand == 55 && isnan(t.at[0].spot) && t.at[0].from_prices);
    assert_str_equal(t.at[1].id, "A100x1/Texas,_US");
    assert_memory_equal(t.at[1].nodes_at, "\0\1\1\1\1", 5);
    assert_true(isnan(t.at[1].on_demand));
    assert_true(history(text, "a100*/texas*", &t, &err));
    assert_int_equal(t.len, 1);
    assert_int_equal(t.at[0].ticks, 5); /* of the complete file, so that series stay aligned */
    assert_false(history(text, "p6*", &t, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.text, "no series of prices is called 'p6*'");
}

static void days_without_a_change_of_any_series_were_not_observed(void **state)
{
    const char *text = HEADER "2026-03-30,p5,H100,8,a,55,30\n"
                              "2026-03-31,p5,H100,8,b,55,30\n"
                              "2026-07-13,p5,H100,8,a,55,31\n"
                              "2026-07-14,p5,H100,8,b,55,30\n";
    struct traces t;
    struct error err;

    (void)state;
    if (!history(text, NULL, &t, &err))
        fail_msg("%s", err.text);
    assert_int_equal(t.at[0].ticks, 107);
    assert_true(trace_seen(&t.at[0], 1) && !trace_seen(&t.at[0], 2));
    assert_true(!trace_seen(&t.at[0], 104) && trace_seen(&t.at[0], 105));
    assert_true(t.at[0].nodes_at[1] == 1 && t.at[0].nodes_at[50] == 0);
    assert_true(isnan(t.at[0].price[50]) && t.at[0].price[105] == 31);
    assert_true(history(text, "p5/b", &t, &err)); /* by all series, also those left out */
    assert_true(!trace_seen(&t.at[0], 2) && trace_seen(&t.at[0], 105));
}

static void reads_what_aws_gives(void **state)
{
    struct traces t;
    struct error err;

    (void)state;
    /* Newest first; seconds that share no step. */
    if (!history("AvailabilityZone,InstanceType,ProductDescription,SpotPrice,Timestamp\n"
                 "us-east-1a,p3.2xlarge,Linux/UNIX,1.5,2026-01-01T00:10:01+00:00\n"
                 "us-east-1a,p3.2xlarge,Linux/UNIX,1.25,2026-01-01T00:00:00+00:00\n"
                 "us-east-1a,p3.2xlarge,Windows,2.5,2026-01-01T00:05:00.000Z\n",
                 NULL, &t, &err))
        fail_msg("%s", err.text);
    assert_int_equal(t.len, 2);
    assert_int_equal(t.at[0].gap, 300);
    assert_str_equal(t.at[0].id, "p3.2xlarge/us-east-1a");
    assert_int_equal(t.at[0].ticks, 4);
    assert_true(t.at[0].price[2] == 1.25 && t.at[0].price[3] == 1.5);
    assert_str_equal(t.at[1].id, "p3.2xlarge/us-east-1a/Windows");
    assert_memory_equal(t.at[1].nodes_at, "\0\1\1\1", 4);
}

static void reports_what_is_wrong_in_a_history(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"a,b\n1,2\n", "p.csv:1: this is not a price history: it has no column 'date'"},
        {"date,b\n1,2\n",
         "p.csv:1: this is not a price history: it has no column 'spot_usd_h'"},
        {"date,spot\n", "p.csv: there is no price"},
        {"date,spot\n2026-01-01,\n", "p.csv: there is no spot price"},
        {"date,spot\n2026-13-01,1\n",
         "p.csv:2: '2026-13-01': expected a date such as 2026-01-31, or a time such as "
         "2026-01-31T10:00:00Z"},
        {"date,spot\n2026-01-01,-1\n",
         "p.csv:2: '-1': expected a price in USD an hour, or nothing"},
        {"date,spot\n2026-01-01,1\n2026-01-01,1\n2026-01-01,\n2026-01-01,2\n",
         "p.csv:5: another price of 'prices' for the time of line 3"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct traces t;
        struct error err;

        assert_false(history(cases[i].text, NULL, &t, &err));
        assert_string_equal(err.text, cases[i].message);
    }
}

static void coarser_ticks_or_fewer_series(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct traces t;

    (void)state;
    /* 40 years: 4.2 million ticks of five minutes for each of three. */
    buf_adds(&text, "time,zone,spot\n1980-01-01T00:00:01Z,a,1\n2020-01-01T00:00:00Z,b,1\n"
                    "2000-01-01,c,1\n");
    assert_true(
        traces_read(buf_text(&text), (struct trace_options){.name = "x"}, &arena, &t, &err));
    assert_int_equal(t.at[0].gap, 600);
    /* 900 series over as long do not fit even by the day... */
    for (unsigned i = 0; i < 900; i++)
        buf_addf(&text, "2000-01-01,z%u,1\n", i);
    assert_false(
        traces_read(buf_text(&text), (struct trace_options){.name = "x"}, &arena, &t, &err));
    assert_string_equal(err.text,
                        "x: 903 series of prices over 14609 days are more than 10000000 ticks");
    /* ...but some of them do. */
    assert_true(traces_read(buf_text(&text),
                            (struct trace_options){.name = "x", .only = STR("/z1*")}, &arena,
                            &t, &err));
    assert_int_equal(t.len, 111);
    buf_free(&text);
}

static void survives_without_memory(void **state)
{
    static const char *const texts[] = {"{\"generator\": 1, \"metadata\": {\"gap_seconds\": "
                                        "1}, \"data\": [1], \"prices\": [1]}",
                                        "date,spot\n2026-01-01,1\n"};
    struct failing_alloc failing = {0};
    const struct alloc alloc = {failing_get, failing_put, &failing};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        bool ok = false;

        for (size_t allow = 0; !ok; allow++) {
            struct arena poor = {.alloc = &alloc};
            struct error err = {0};
            struct traces t;

            failing.allow = allow;
            ok = traces_read(str_from(texts[i]), (struct trace_options){.name = "x"}, &poor, &t,
                             &err);
            assert_true(ok || err.kind == ERROR_MEMORY);
            assert_true(allow < 50);
            arena_free(&poor);
            assert_int_equal(failing.held, 0);
        }
    }
}

int group_trace_kinds(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_what_one_means),
        cmocka_unit_test(knows_what_one_means_from_the_file),
        cmocka_unit_test(names_windows_by_their_folder),
        cmocka_unit_test(refuses_contradictions),
        cmocka_unit_test(reports_what_is_wrong_in_json),
        cmocka_unit_test(refuses_json_that_is_cut_short),
        cmocka_unit_test(reads_a_change_log),
        cmocka_unit_test(days_without_a_change_of_any_series_were_not_observed),
        cmocka_unit_test(reads_what_aws_gives),
        cmocka_unit_test(reports_what_is_wrong_in_a_history),
        cmocka_unit_test(coarser_ticks_or_fewer_series),
        cmocka_unit_test(survives_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
