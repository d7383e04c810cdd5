/* What the program wrote as JSON, read back. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "doc/json_restore.h"
#include "doc/json_write.h"
#include "every.h"

static struct arena arena = {.alloc = &alloc_system};

static bool restore(const char *text, struct every *out, struct error *err)
{
    const struct node *root = json_read(str_from(text), "kept.json", &arena, err);

    return root != NULL && json_restore(&every_set, root, "kept.json", out, &arena, err);
}

static void check_written(const struct every *record, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    json_write_record(&every_set, record, NULL, &out);
    assert_true(buf_ok(&out, &err));
    if (!str_eq(buf_text(&out), str_from(expected)))
        fail_msg("%.*s\nis not\n%s", (int)out.len, out.at, expected);
    buf_free(&out);
}

static void written_record_is_restored(void **state)
{
    static const char *const texts[] = {
        "{\"flag\":true,\"text\":\"a \\\"b\\\"\",\"choice\":\"fastest\",\"texts\":[\"x\",\"\"],"
        "\"count\":12,\"number\":-0.1,\"share\":0.25,"
        "\"amount\":{\"amount\":\"-12.000000001\",\"currency\":\"USD\"},"
        "\"max_price\":{\"amount\":\"2.49\",\"currency\":\"USD\"},"
        "\"moving\":{\"amount\":\"0.09\",\"currency\":\"USD\"},"
        "\"power\":{\"amount\":\"0.17\",\"currency\":\"USD\"},"
        "\"budget\":{\"amount\":\"99.50\",\"currency\":\"EUR\"},\"memory\":80000000000,"
        "\"time\":5400.000000001,\"since\":\"2026-11-15\","
        "\"rows\":[{\"name\":\"r\",\"count\":3},{\"name\":\"\",\"count\":null}],"
        "\"inner\":{\"name\":\"i\",\"count\":0}}",
        /* unknown stays so */
        "{\"flag\":false,\"text\":null,\"choice\":null,\"texts\":[],\"count\":null,"
        "\"number\":null,\"share\":null,\"amount\":null,\"max_price\":null,\"moving\":null,"
        "\"power\":null,\"budget\":null,\"memory\":null,\"time\":null,\"since\":null,\"rows\":"
        "[],\"inner\":{\"name\":null,\"count\":null}}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct error err = {0};
        struct every e;

        if (!restore(texts[i], &e, &err))
            fail_msg("%s", err.text);
        check_written(&e, texts[i]);
    }
    arena_free(&arena);
}

static void keys_of_a_newer_program_do_no_harm(void **state)
{
    struct error err = {0};
    struct every e;

    (void)state;
    assert_true(restore("{\"schema\":\"a/1\",\"count\":1,\"color\":{\"a\":[1]},"
                        "\"rows\":[{\"name\":\"x\",\"size\":4}]}",
                        &e, &err));
    assert_int_equal(e.count, 1);
    assert_int_equal(e.rows.len, 1);
    assert_true(isnan(e.number));
    assert_int_equal(e.amount.nano, MONEY_UNKNOWN);
    arena_free(&arena);
}

static void other_text_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"[]", "kept.json: expected keys and values"},
        {"{\"flag\":\"maybe\"}", "kept.json: flag: 'maybe' is not true or false"},
        {"{\"count\":-1}", "kept.json: count: '-1' is not a count"},
        {"{\"count\":1.5}", "kept.json: count: '1.5' is not a count"},
        {"{\"count\":[1]}", "kept.json: count: expected a single value"},
        {"{\"text\":{\"a\":1}}", "kept.json: text: expected a single value"},
        {"{\"texts\":\"a\"}", "kept.json: texts: 'a' is not a list"},
        {"{\"texts\":[[]]}", "kept.json: texts: expected a text"},
        {"{\"number\":\"x\"}", "kept.json: number: 'x' is not a number"},
        {"{\"amount\":12}", "kept.json: amount: '12' is not an amount in dollars"},
        {"{\"amount\":{\"amount\":\"1\",\"currency\":\"EUR\"}}",
         "kept.json: amount: expected an amount in dollars"},
        {"{\"amount\":{\"amount\":\"-9223372036.854775808\",\"currency\":\"USD\"}}",
         "kept.json: amount: expected an amount in dollars"},
        {"{\"budget\":{\"amount\":\"1\",\"currency\":\"XYZW\"}}",
         "kept.json: budget: expected an amount"},
        {"{\"memory\":-5}", "kept.json: memory: '-5' is not a number of bytes"},
        {"{\"time\":1e99}", "kept.json: time: '1e99' is not a number of seconds"},
        {"{\"time\":-1}", "kept.json: time: '-1' is not a number of seconds"},
        {"{\"since\":\"yesterday\"}", "kept.json: since: 'yesterday' is not a day"},
        {"{\"rows\":{}}", "kept.json: rows: expected a list"},
        {"{\"rows\":[3]}", "kept.json: rows: expected keys and values"},
        {"{\"inner\":{\"count\":\"z\"}}", "kept.json: inner: count: 'z' is not a count"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        struct every e;

        assert_false(restore(cases[i][0], &e, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, cases[i][1]);
    }
    arena_free(&arena);
}

int group_json_restore(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_record_is_restored),
        cmocka_unit_test(keys_of_a_newer_program_do_no_harm),
        cmocka_unit_test(other_text_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
