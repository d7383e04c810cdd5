#include "test.h"

#include "document.h"
#include "every.h"

static void check(const char *text, const char *expected)
{
    check_document(json_read, false, text, expected);
}

static void check_refused(struct str text, const char *expected)
{
    struct arena arena = test_arena();
    struct error err = {0};

    if (read_exact(json_read, text, "c.json", &arena, &err) != NULL)
        fail_msg("'%.*s' was not refused", STR_ARG(text));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, expected);
    arena_free(&arena);
}

static void reads_every_kind_of_value(void **state)
{
    (void)state;
    check("{\"a\": [1, \"x\", true, false, null, {}], \"b\": {\"c\": []}}",
          "{a:['1' 'x' 'true' 'false' ~ {}] b:{c:[]}}");
    check("\"text\"", "'text'");
    check(" null ", "~");
    check("{\"z\": 1, \"a\": 2}", "{z:'1' a:'2'}"); /* in the order of the text */
    check("\"caf\\u00e9 \\ud83d\\ude00 \\n\"", "'caf\xc3\xa9 \xf0\x9f\x98\x80 \n'");
    check("{\"\": \"\"}", "{:''}");
}

static void keeps_numbers_exact_as_text(void **state)
{
    (void)state;
    check("9223372036854775807", "'9223372036854775807'");
    check("-9223372036854775809", "'-9223372036854775809'");
    check("[0, -1, 8]", "['0' '-1' '8']");
    check("[0.1, 2.49, -2.5e3, 1e-7, 8.0]", "['0.1' '2.49' '-2500' '0.0000001' '8']");
    check("0.1000000000000000055511151231257827", "'0.1000000000000000055511151231257827'");
    check("[1e400, 5e-324]", "['1e400' '5e-324']"); /* who wants a number refuses them */
}

static void refuses_invalid_json_with_its_place(void **state)
{
    (void)state;
    check_refused(STR(""), "c.json:1:1: expected a value, but the text ends");
    check_refused(STR("{"), "c.json:1:2: the text ends inside an object");
    check_refused(STR("[1,2"), "c.json:1:5: the text ends inside an array");
    check_refused(STR("{\n \"a\": tru\n}"), "c.json:2:7: unknown word 'tru'");
    check_refused(STR("{\"a\": 1,}"), "c.json:1:9: expected a key in double quotes");
    check_refused(STR("{'a': 1}"), "c.json:1:2: expected a key in double quotes or '}'");
    check_refused(STR("{}x"), "c.json:1:3: expected nothing more after the document");
    check_refused(STR("01"), "c.json:1:1: '01' is not a JSON number");
    check_refused(STR("NaN"), "c.json:1:1: unknown word 'NaN'");
    check_refused(STR("{}\0"), "c.json:1:3: expected nothing more after the document");
}

static void reads_numbers_of_python_that_are_not_finite_as_null(void **state)
{
    struct error err = {0};
    struct arena arena = test_arena();
    const struct node *root =
        json_read_python(STR("{\"a\": [0.0, Infinity, -Infinity], \"NaN \\\" NaN\": NaN}"),
                         "c.json", &arena, &err);

    (void)state;
    assert_non_null(root);
    assert_int_equal(root->first->first->next->kind, NODE_NULL);
    assert_int_equal(root->first->first->next->next->kind, NODE_NULL);
    assert_true(str_eq(root->first->next->key, STR("NaN \" NaN")));
    assert_int_equal(root->first->next->kind, NODE_NULL);
    assert_null(json_read_python(STR("[NaN"), "c.json", &arena, &err));
    arena_free(&arena);
}

static void refuses_bad_text(void **state)
{
    (void)state;
    check_refused(STR("\"\xff\""), "c.json:1:2: invalid UTF-8 in a string");
    check_refused(STR("\"\\u0000\""), "c.json:1: \\u0000 is in a text");
    check_refused(STR("{\n\"\\u0000\": 1}"), "c.json:2: \\u0000 is in a text");
    check_refused(STR("\"\\ud800\""), "c.json:1:2: half of a surrogate pair");
    check_refused(STR("\"a\nb\""), "c.json:1:3: a control byte in a string");
}

static void refuses_duplicate_keys(void **state)
{
    (void)state;
    check_refused(STR("{\"a\": 1,\n \"a\": 2}"), "c.json:2: the second key 'a'");
    check_refused(STR("[{\"b\": 1, \"b\": 1}]"), "c.json:1: the second key 'b'");
    check("[{\"b\": 1}, {\"b\": 1}]", "[{b:'1'} {b:'1'}]");
}

static void limits_depth(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct arena arena = test_arena();
    struct error err = {0};

    (void)state;
    buf_pad(&text, '[', DOC_MAX_DEPTH);
    buf_pad(&text, ']', DOC_MAX_DEPTH);
    assert_non_null(read_exact(json_read, buf_text(&text), "c.json", &arena, &err));
    buf_clear(&text);
    buf_pad(&text, '[', DOC_MAX_DEPTH + 1);
    buf_pad(&text, ']', DOC_MAX_DEPTH + 1);
    check_refused(buf_text(&text), "c.json:1: values are too deep inside each other");
    buf_clear(&text);
    for (int i = 0; i <= DOC_MAX_DEPTH; i++)
        buf_adds(&text, "{\"a\":");
    buf_adds(&text, "1");
    buf_pad(&text, '}', DOC_MAX_DEPTH + 1);
    check_refused(buf_text(&text), "c.json:1: values are too deep inside each other");
    buf_clear(&text);
    buf_pad(&text, '[', 100000);
    check_refused(buf_text(&text), "c.json:1: values are too deep inside each other");
    buf_free(&text);
    arena_free(&arena);
}

static void survives_every_failing_allocation(void **state)
{
    size_t allow = 0;
    bool done = false;

    (void)state;
    for (; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};

        done = json_read(STR("{\"a\": [1, 2.5, \"x\", true], \"b\": {\"c\": null}}"), "c.json",
                         &arena, &err) != NULL;
        if (!done) {
            assert_int_equal(err.kind, ERROR_MEMORY);
            assert_string_equal(err.text, "out of memory");
        }
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
    assert_true(allow > 15);
}

static void fills_records_and_names_the_file_in_errors(void **state)
{
    static const struct {
        const char *text, *error, *hint;
    } cases[] = {
        {"{\"count\": \"8 GPUs\"}", "c.json: count: '8 GPUs' is not a whole number",
         "write digits only, without a unit"},
        {"{\"cuont\": 1}", "c.json: there is no key 'cuont'", "did you mean 'count'?"},
        {"{\"inner\": {}}", "c.json: 'name' is missing", "name: what it is called"},
        {"{\"budget\": 100}", "c.json: budget: '100' is not an amount of money",
         "give the currency: 100usd, or '$100' in quotes, since the shell expands $ and "
         "digits"},
        {"{\"rows\": [1]}", "c.json: expected keys and values", ""},
        {"3", "c.json: expected keys and values", ""},
    };
    struct arena arena = test_arena();
    struct every record;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        const struct node *root =
            read_exact(json_read, str_from(cases[i].text), "c.json", &arena, &err);

        assert_non_null(root);
        assert_true(fields_reset(&every_set, &record, &arena, &err));
        assert_false(fields_from_node(&every_set, root, "c.json", &record, &arena, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        assert_string_equal(err.text, cases[i].error);
        assert_string_equal(err.hint, cases[i].hint);
    }
    arena_free(&arena);
}

static void fills_a_record(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct every r;
    const struct node *root =
        read_exact(json_read,
                   STR("{\"flag\": true, \"count\": 8, \"number\": 0.25, \"text\": \"x\","
                       "\"texts\": [\"a\", 3], \"budget\": \"$100\", \"since\": null,"
                       "\"rows\": [{\"name\": \"n\"}]}"),
                   "c.json", &arena, &err);

    (void)state;
    assert_non_null(root);
    assert_true(fields_reset(&every_set, &r, &arena, &err));
    assert_true(fields_from_node(&every_set, root, "c.json", &r, &arena, &err));
    assert_true(r.flag);
    assert_int_equal(r.count, 8);
    assert_true(r.number == 0.25);
    assert_str_equal(r.text, "x");
    assert_int_equal(r.texts.len, 2);
    assert_str_equal(r.texts.at[1], "3");
    assert_string_equal(r.budget.currency.code, "USD");
    assert_int_equal(r.since.n, INT32_MIN);
    assert_int_equal(r.rows.len, 1);
    arena_free(&arena);
}

int group_json_doc(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind_of_value),
        cmocka_unit_test(keeps_numbers_exact_as_text),
        cmocka_unit_test(refuses_invalid_json_with_its_place),
        cmocka_unit_test(reads_numbers_of_python_that_are_not_finite_as_null),
        cmocka_unit_test(refuses_bad_text),
        cmocka_unit_test(refuses_duplicate_keys),
        cmocka_unit_test(limits_depth),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(fills_records_and_names_the_file_in_errors),
        cmocka_unit_test(fills_a_record),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
