/* Traces in the .trc format, and windows into them. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/part.h"
#include "spot/trace.h"

static struct arena arena = {.alloc = &alloc_system};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool read(const char *text, struct traces *out, struct error *err)
{
    *err = (struct error){0};
    return traces_read(str_from(text), (struct trace_options){.name = "x.trc"}, &arena, out,
                       err);
}

static void reads(const char *text, struct traces *out)
{
    struct error err;

    if (!read(text, out, &err))
        fail_msg("%s", err.text);
}

static void fails(const char *text, const char *message)
{
    struct traces traces;
    struct error err;

    assert_false(read(text, &traces, &err));
    assert_string_equal(err.text, message);
    assert_null(traces.at);
}

static void reads_all_fields(void **state)
{
    struct traces t;

    (void)state;
    reads("\xEF\xBB\xBF# about\r\n\r\n"
          "trace a gap=600 n=4 nodes=16 start=2025-10-04T00:10:00Z od=99.5 spot=series\r\n"
          "a 0g9a\r\n# between\r\np 1:0.5 3:-\r\n"
          "trace b gap=1 n=2\na 01\n",
          &t);
    assert_int_equal(t.len, 2);
    assert_str_equal(t.at[0].id, "a");
    assert_int_equal(t.at[0].gap, 600);
    assert_int_equal(t.at[0].nodes, 16);
    assert_int_equal(t.at[0].start.s, 1759536600);
    assert_true(t.at[0].on_demand == 99.5 && isnan(t.at[0].spot));
    assert_memory_equal(t.at[0].nodes_at, "\0\20\11\12", 4);
    assert_true(isnan(t.at[0].price[0]) && t.at[0].price[1] == 0.5);
    assert_true(t.at[0].price[2] == 0.5 && isnan(t.at[0].price[3]));
    assert_int_equal(t.at[1].start.s, -1);
    assert_int_equal(t.at[1].nodes, 1);
    assert_true(isnan(t.at[1].on_demand) && isnan(t.at[1].spot));
    assert_null(t.at[1].price);
}

static void reports_what_is_wrong_and_where(void **state)
{
    (void)state;
    fails("", "x.trc: there is no trace: only blank lines and comments");
    fails("hello\n", "x.trc:1: this is not a trace");
    fails("a 01\n", "x.trc:1: 'a': expected a 'trace' line");
    fails("trace\na 0\n", "x.trc:1: a trace without an id");
    fails("trace a n=1\na 0\n", "x.trc:1: trace 'a' has no gap=");
    fails("trace a gap=1\na 0\n", "x.trc:1: trace 'a' has no n=");
    fails("trace a gap=0 n=1\na 0\n",
          "x.trc:1: gap=0: expected a whole number from 1 to 31622400");
    fails("trace a gap=1 n=1x\na 0\n",
          "x.trc:1: n=1x: expected a whole number from 1 to 10000000");
    fails("trace a gap=1 n=1 nodes=36\na 0\n",
          "x.trc:1: nodes=36: expected a whole number from 1 to 35");
    fails("trace a gap=1 n=1 nodse=3\na 0\n", "x.trc:1: 'nodse=3' is not a key of a trace");
    fails("trace a gap=1 n=1 nodes\na 0\n", "x.trc:1: 'nodes' is not a key of a trace");
    fails("trace a gap=1 n=1 gap=1\na 0\n", "x.trc:1: gap= is there twice");
    fails("trace a gap=1 n=1 start=now\na 0\n",
          "x.trc:1: start=now: expected a time such as 2026-01-31T10:00:00Z, or '-'");
    fails("trace a gap=1 n=1 od=0\na 0\n",
          "x.trc:1: od=0: expected a price above 0 in USD an hour, or '-'");
    fails("trace a gap=1 n=1 spot=-1\na 0\n",
          "x.trc:1: spot=-1: expected a price above 0 in USD an hour, or '-'");
    fails("trace a gap=1 n=1 from=x\na 0\n", "x.trc:1: from=x: expected 'prices'");
}

static void reports_wrong_ticks(void **state)
{
    (void)state;
    fails("trace a gap=1 n=3\na 01\n", "x.trc:2: trace 'a' has 2 ticks here, but n=3");
    fails("trace a gap=1 n=1\na 01\n", "x.trc:2: trace 'a' has 2 ticks here, but n=1");
    fails("trace a gap=1 n=2\na 02\n", "x.trc:2: tick 1 of trace 'a' is '2': expected 0 to 1");
    fails("trace a gap=1 n=2 nodes=16\na 0G\n",
          "x.trc:2: tick 1 of trace 'a' is 'G': expected 0 to g");
    fails("trace a gap=1 n=2\n", "x.trc:1: trace 'a' has no 'a' line after this: it holds "
                                 "the available machines, one character a tick");
    fails("trace a gap=1 n=2\ntrace b gap=1 n=1\na 0\n",
          "x.trc:1: trace 'a' has no 'a' line after this: it holds the available machines, one "
          "character a tick");
    fails("trace a gap=1 n=1\na 0\na 1\n", "x.trc:3: 'a': expected a 'trace' line");
    fails("trace a gap=1 n=1\na 0\ntrace a gap=1 n=1\na 0\n",
          "x.trc: two traces are called 'a'");
}

static void reports_wrong_prices(void **state)
{
    (void)state;
    fails("trace a gap=1 n=1 spot=series\na 0\n",
          "x.trc:2: trace 'a' has no 'p' line after this: spot=series needs one");
    fails("trace a gap=1 n=1 spot=1\na 0\np 0:1\n",
          "x.trc:3: a 'p' line, but no spot=series before it");
    fails("trace a gap=1 n=3 spot=series\na 000\np 0:1 0:2\n",
          "x.trc:3: '0:2': expected ticks that rise, from 0 to 2");
    fails("trace a gap=1 n=3 spot=series\na 000\np 3:1\n",
          "x.trc:3: '3:1': expected ticks that rise, from 0 to 2");
    fails("trace a gap=1 n=3 spot=series\na 000\np -1:1\n",
          "x.trc:3: '-1:1': expected ticks that rise, from 0 to 2");
    fails("trace a gap=1 n=3 spot=series\na 000\np 0:0\n",
          "x.trc:3: '0:0': expected TICK:PRICE, such as 12:0.918");
    fails("trace a gap=1 n=3 spot=series\na 000\np 1\n",
          "x.trc:3: '1': expected TICK:PRICE, such as 12:0.918");
}

static void takes_only_those_that_match(void **state)
{
    const char *text = "trace p5/us-east-1a gap=1 n=1\na 0\ntrace p5/eu-1a gap=1 n=1\na 1\n";
    struct trace_options options = {.name = "x", .only = STR("P5/us-*")};
    struct error err = {0};
    struct traces t;

    (void)state;
    assert_true(traces_read(str_from(text), options, &arena, &t, &err));
    assert_int_equal(t.len, 1);
    assert_str_equal(t.at[0].id, "p5/us-east-1a");
    options.only = STR("p4*");
    assert_false(traces_read(str_from(text), options, &arena, &t, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.text, "the traces have no zone 'p4*'");
}

static void assert_same(const struct trace *a, const struct trace *b)
{
    assert_true(str_eq(a->id, b->id) && a->ticks == b->ticks);
    assert_true(a->gap == b->gap && a->nodes == b->nodes && a->start.s == b->start.s);
    assert_true(a->on_demand == b->on_demand || (isnan(a->on_demand) && isnan(b->on_demand)));
    assert_true(a->spot == b->spot || (isnan(a->spot) && isnan(b->spot)));
    assert_memory_equal(a->nodes_at, b->nodes_at, a->ticks);
    for (size_t i = 0; i < a->ticks; i++)
        assert_true(trace_seen(a, i) == trace_seen(b, i));
    assert_true((a->price == NULL) == (b->price == NULL));
    assert_true(a->from_prices == b->from_prices);
    for (size_t i = 0; a->price != NULL && i < a->ticks; i++)
        assert_true(a->price[i] == b->price[i] || (isnan(a->price[i]) && isnan(b->price[i])));
}

static void round_trip(const struct traces *t)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct traces again;

    for (size_t i = 0; i < t->len; i++)
        trace_write(&t->at[i], &out);
    assert_true(buf_ok(&out, &err));
    assert_true(traces_read(buf_text(&out), (struct trace_options){.name = "again"}, &arena,
                            &again, &err));
    assert_int_equal(again.len, t->len);
    for (size_t i = 0; i < t->len; i++)
        assert_same(&t->at[i], &again.at[i]);
    buf_free(&out);
}

static void writes_what_it_reads(void **state)
{
    struct traces t;

    (void)state;
    reads("trace a gap=600 n=4 nodes=35 start=2025-10-04 od=99.1213232 spot=series\n"
          "a z0y1\np 1:0.1 2:- 3:14.853439999999999\n"
          "trace b gap=195 n=1 spot=0.9731 from=prices\na 1\n"
          "trace c gap=195 n=2 spot=series\na 10\np\n"
          "trace d gap=600 n=6 spot=1\na 1??01?\n",
          &t);
    assert_true(trace_seen(&t.at[3], 0) && !trace_seen(&t.at[3], 1));
    assert_int_equal(t.at[3].nodes_at[1], 0);
    assert_true(fabs(trace_seen_hours(&t.at[3]) - 0.5) < 1e-12);
    round_trip(&t);
}

static void reads_the_published_traces(void **state)
{
    static const struct {
        const char *name, *id;
        size_t len, ticks;
        int32_t gap, nodes;
    } files[] = {
        {"spot/traces/aws_2022-10_k80_v100_ping600.trc", "us-west-2a_k80_1", 8, 3895, 600, 1},
        {"spot/traces/aws_2023-02_v100_3zones_195s_priced.trc", "us-east-1a_v100_1", 3, 20158,
         195, 1},
        {"spot/traces/gcp_2025-10_h100_5zones_600s.trc", "asia-south2-b", 5, 2114, 600, 16},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        struct error err = {0};
        struct test_path path;
        struct traces t;
        struct str text;

        assert_true(
            fs_read(test_data(files[i].name, &path), (size_t)1 << 24, &arena, &text, &err));
        if (!traces_read(text, (struct trace_options){.name = files[i].name}, &arena, &t, &err))
            fail_msg("%s", err.text);
        assert_int_equal(t.len, files[i].len);
        assert_str_equal(t.at[0].id, files[i].id);
        for (size_t k = 0; k < t.len; k++) {
            assert_int_equal(t.at[k].ticks, files[i].ticks);
            assert_int_equal(t.at[k].gap, files[i].gap);
            assert_int_equal(t.at[k].nodes, files[i].nodes);
        }
        round_trip(&t);
        /* Cut short anywhere, it is an error or fewer traces, never a crash. */
        for (size_t cut = text.len - 1; cut > text.len / 3; cut -= 9973 < cut ? 9973 : cut)
            if (traces_read((struct str){text.at, cut}, (struct trace_options){.name = "cut"},
                            &arena, &t, &err))
                assert_true(t.len < files[i].len || cut == text.len - 1);
    }
}

static void survives_without_memory(void **state)
{
    struct str text = STR("trace a gap=600 n=4 spot=series\na 0101\np 0:1\n");
    struct failing_alloc failing = {0};
    const struct alloc alloc = {failing_get, failing_put, &failing};
    bool ok = false;

    (void)state;
    for (size_t allow = 0; !ok; allow++) {
        struct arena poor = {.alloc = &alloc};
        struct error err = {0};
        struct traces t;

        failing.allow = allow;
        ok = traces_read(text, (struct trace_options){.name = "x"}, &poor, &t, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        assert_true(allow < 50);
        arena_free(&poor);
        assert_int_equal(failing.held, 0);
    }
}

static void reads_windows(void **state)
{
    struct error err = {0};
    struct windows w;

    (void)state;
    assert_true(
        windows_read(STR("# starts\n684\r\n\n 0 # first\n9999999"), "w.txt", &arena, &w, &err));
    assert_int_equal(w.len, 3);
    assert_int_equal(w.at[0], 684);
    assert_int_equal(w.at[1], 0);
    assert_int_equal(w.at[2], 9999999);
    assert_false(windows_read(STR("1\n-2\n"), "w.txt", &arena, &w, &err));
    assert_string_equal(err.text, "w.txt:2: '-2' is not a start tick");
    assert_false(windows_read(STR("1\n2 3\n"), "w.txt", &arena, &w, &err));
    assert_string_equal(err.text, "w.txt:2: '2 3' is not a start tick");
    assert_false(windows_read(STR("10000000"), "w.txt", &arena, &w, &err));
    assert_false(windows_read(STR("# none\n"), "w.txt", &arena, &w, &err));
    assert_string_equal(err.text, "w.txt: there are no windows");
    assert_int_equal(w.len, 0);
}

int group_trace(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_all_fields),
        cmocka_unit_test(reports_what_is_wrong_and_where),
        cmocka_unit_test(reports_wrong_ticks),
        cmocka_unit_test(reports_wrong_prices),
        cmocka_unit_test(takes_only_those_that_match),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(reads_the_published_traces),
        cmocka_unit_test(survives_without_memory),
        cmocka_unit_test(reads_windows),
    };

    return cmocka_run_group_tests(tests, NULL, end);
}
