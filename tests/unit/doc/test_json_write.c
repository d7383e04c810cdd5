#include "test.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "doc/json_write.h"
#include "every.h"

static void check_text(struct str text, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    char *exact = malloc(text.len > 0 ? text.len : 1); /* for ASan to see each overrun */

    assert_non_null(exact);
    if (text.len > 0)
        memcpy(exact, text.at, text.len);
    json_write_text((struct str){exact, text.len}, &out);
    if (!str_eq(buf_text(&out), str_from(expected)))
        fail_msg("%.*s is not %s", STR_ARG(buf_text(&out)), expected);
    free(exact);
    buf_free(&out);
}

static void escapes_what_json_does_not_allow(void **state)
{
    (void)state;
    check_text(STR(""), "\"\"");
    check_text(STR("plain"), "\"plain\"");
    check_text(STR("say \"hi\" \\ /"), "\"say \\\"hi\\\" \\\\ /\"");
    check_text(STR("a\nb\tc\r"), "\"a\\u000ab\\u0009c\\u000d\"");
    check_text(STR("\0\x1f\x7f"), "\"\\u0000\\u001f\x7f\"");
}

static void keeps_utf8(void **state)
{
    static const char *const cases[] = {
        "caf\xc3\xa9",  "\xe2\x82\xac",     "\xf0\x9f\x98\x80", /* of each length */
        "\xc2\x80",     "\xdf\xbf",         "\xe0\xa0\x80",     /* the first and the last */
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
        "\xed\x9f\xbf", "\xee\x80\x80", /* around the surrogates */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char expected[16];

        (void)snprintf(expected, sizeof expected, "\"%s\"", cases[i]);
        check_text(str_from(cases[i]), expected);
    }
}

static void replaces_bytes_that_are_not_utf8(void **state)
{
    (void)state;
    check_text(STR("a\xff"
                   "b"),
               "\"a\\ufffdb\"");
    check_text(STR("\x80"), "\"\\ufffd\"");
    check_text(STR("\xc3"), "\"\\ufffd\"");
    check_text(STR("\xc3("), "\"\\ufffd(\"");
    check_text(STR("\xe2\x82"), "\"\\ufffd\\ufffd\"");
    check_text(STR("\xc0\xaf"), "\"\\ufffd\\ufffd\"");            /* an overlong '/' */
    check_text(STR("\xe0\x9f\xbf"), "\"\\ufffd\\ufffd\\ufffd\""); /* overlong */
    check_text(STR("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""); /* half of a pair */
    check_text(STR("\xed\xbf\xbf"), "\"\\ufffd\\ufffd\\ufffd\"");
    check_text(STR("\xf0\x8f\xbf\xbf"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
    check_text(STR("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* past the last */
    check_text(STR("\xf5\x80\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

static void every_two_bytes_make_a_string_that_is_read_back(void **state)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    for (unsigned i = 0; i < 65536; i++) {
        char pair[2] = {(char)(i >> 8), (char)(i & 0xff)};
        json_error_t problem;
        json_t *value;

        buf_clear(&out);
        json_write_text((struct str){pair, 2}, &out);
        value = json_loadb(out.at, out.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &problem);
        if (value == NULL)
            fail_msg("%04x: %s", i, problem.text);
        if ((i & 0x8080) == 0)
            assert_memory_equal(json_string_value(value), pair, 2);
        json_decref(value);
    }
    buf_free(&out);
}

static const char every_text[] =
    "{\"schema\":\"test/1\",\"flag\":true,\"text\":\"a \\\"b\\\"\",\"choice\":\"fastest\","
    "\"texts\":[\"x\",\"y\"],\"count\":8,\"number\":0.1,\"share\":0.25,"
    "\"amount\":{\"amount\":\"100\",\"currency\":\"USD\"},"
    "\"max_price\":{\"amount\":\"2.49\",\"currency\":\"USD\"},"
    "\"moving\":{\"amount\":\"0.000000001\",\"currency\":\"USD\"},"
    "\"power\":{\"amount\":\"9223372036.854775807\",\"currency\":\"USD\"},"
    "\"budget\":{\"amount\":\"99.50\",\"currency\":\"EUR\"},\"memory\":80000000000,"
    "\"time\":1.5,\"since\":\"2026-11-15\","
    "\"rows\":[{\"name\":\"one\",\"count\":1},{\"name\":null,\"count\":null}],"
    "\"inner\":{\"name\":\"in\",\"count\":0}}";

static struct every filled(void)
{
    static const struct str texts[] = {{"x", 1}, {"y", 1}};
    static const struct every_row rows[] = {{.name = {"one", 3}, .count = 1}, {.count = -1}};

    return (struct every){
        .flag = true,
        .text = STR("a \"b\""),
        .choice = STR("fastest"),
        .texts = {texts, 2},
        .count = 8,
        .number = 0.1,
        .share = 0.25,
        .amount = {100000000000},
        .max_price = {2490000000},
        .moving = {1},
        .power = {INT64_MAX},
        .budget = {.amount = {9950, 2}, .currency = {"EUR"}},
        .memory = {80000000000},
        .time = {1500000000},
        .since = {20772},
        .rows = {rows, 2},
        .inner = {.name = STR("in"), .count = 0},
    };
}

static void writes_a_record_of_every_type(void **state)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct every record = filled();

    (void)state;
    json_write_record(&every_set, &record, "test/1", &out);
    assert_str_equal(buf_text(&out), every_text);
    buf_free(&out);
}

static void unknown_is_null(void **state)
{
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct every record;

    (void)state;
    assert_true(fields_reset(&every_set, &record, &arena, &err));
    json_write_record(&every_set, &record, NULL, &out);
    assert_str_equal(
        buf_text(&out),
        "{\"flag\":false,\"text\":null,\"choice\":null,\"texts\":[],\"count\":null,"
        "\"number\":null,\"share\":null,\"amount\":null,\"max_price\":null,"
        "\"moving\":null,\"power\":null,\"budget\":null,\"memory\":null,"
        "\"time\":null,\"since\":null,\"rows\":[],"
        "\"inner\":{\"name\":null,\"count\":null}}");
    buf_free(&out);
    arena_free(&arena);
}

static void infinity_is_null_too(void **state)
{
    const struct field field = every_fields[5];
    const struct field_set set = {&field, 1, sizeof(struct every)};
    struct every record = {.number = INFINITY};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    json_write_record(&set, &record, NULL, &out);
    assert_str_equal(buf_text(&out), "{\"number\":null}");
    buf_free(&out);
}

static void another_reader_reads_the_output(void **state)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct every record = filled();
    json_error_t problem;
    json_t *got, *expected;

    (void)state;
    record.text = STR("\xff \x01 caf\xc3\xa9 \xed\xa0\x80");
    json_write_record(&every_set, &record, "test/1", &out);
    got = json_loadb(out.at, out.len, JSON_REJECT_DUPLICATES, &problem);
    if (got == NULL)
        fail_msg("%s", problem.text);
    expected = json_loads(every_text, JSON_REJECT_DUPLICATES, &problem);
    assert_non_null(expected);
    assert_int_equal(json_object_set_new(expected, "text",
                                         json_string("\xef\xbf\xbd \x01 caf\xc3\xa9 "
                                                     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd")),
                     0);
    assert_true(json_equal(got, expected));
    json_decref(got);
    json_decref(expected);
    buf_free(&out);
}

static void an_empty_set_is_an_empty_object(void **state)
{
    const struct field_set set = {0};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    json_write_record(&set, "", NULL, &out);
    assert_str_equal(buf_text(&out), "{}");
    buf_clear(&out);
    json_write_record(&set, "", "s", &out);
    assert_str_equal(buf_text(&out), "{\"schema\":\"s\"}");
    buf_free(&out);
}

static void unknown_sparse_fields_are_left_out(void **state)
{
    struct part {
        struct str name;
        int64_t count;
    };
    struct outer {
        struct str note;
        struct part part;
        int64_t count;
    };
    static const struct field part_fields[] = {FIELD(TEXT, part, name, .help = ""),
                                               FIELD(COUNT, part, count, .help = "")};
    static const struct field_set part_set = FIELD_SET(struct part, part_fields);
    static const struct field fields[] = {
        FIELD(TEXT, outer, note, .sparse = true),
        FIELD(RECORD, outer, part, .row = &part_set, .sparse = true),
        FIELD(COUNT, outer, count, .help = ""),
    };
    static const struct field_set set = FIELD_SET(struct outer, fields);
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct outer outer = {.count = -1};

    (void)state;
    json_write_record(&set, &outer, NULL, &out);
    assert_str_equal(buf_text(&out), "{\"count\":null}");
    buf_clear(&out);
    json_write_record(&set, &outer, "s", &out);
    assert_str_equal(buf_text(&out), "{\"schema\":\"s\",\"count\":null}");
    buf_clear(&out);
    outer = (struct outer){STR("n"), {STR("p"), 2}, 3};
    json_write_record(&set, &outer, NULL, &out);
    assert_str_equal(buf_text(&out),
                     "{\"note\":\"n\",\"part\":{\"name\":\"p\",\"count\":2},\"count\":3}");
    buf_free(&out);
}

static void a_full_buffer_stays_failed(void **state)
{
    struct buf out = buf_new(&alloc_system, 50);
    struct every record = filled();
    struct error err = {0};

    (void)state;
    json_write_record(&every_set, &record, "test/1", &out);
    assert_false(buf_ok(&out, &err));
    assert_string_equal(err.text, "the output is larger than 50 bytes");
    buf_free(&out);
}

int group_json_write(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes_what_json_does_not_allow),
        cmocka_unit_test(keeps_utf8),
        cmocka_unit_test(replaces_bytes_that_are_not_utf8),
        cmocka_unit_test(every_two_bytes_make_a_string_that_is_read_back),
        cmocka_unit_test(writes_a_record_of_every_type),
        cmocka_unit_test(unknown_is_null),
        cmocka_unit_test(infinity_is_null_too),
        cmocka_unit_test(another_reader_reads_the_output),
        cmocka_unit_test(an_empty_set_is_an_empty_object),
        cmocka_unit_test(unknown_sparse_fields_are_left_out),
        cmocka_unit_test(a_full_buffer_stays_failed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
