/* Schemas of records: valid JSON, with the types that are written and read. */
#include "test.h"

#include <jansson.h>
#include <string.h>

#include "doc/json_schema.h"
#include "every.h"

static json_t *schema_of(bool request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    json_t *root;

    if (request)
        json_schema_write_request(&every_set, &out);
    else
        json_schema_write_result(&every_set, "test/1", &out);
    root = json_loadb(buf_text(&out).at, buf_text(&out).len, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    buf_free(&out);
    return root;
}

/* The type of a property as text: "[\"number\", \"null\"]". */
static void check_type(const json_t *schema, const char *name, const char *expected)
{
    const json_t *property = json_object_get(json_object_get(schema, "properties"), name);
    char *text = json_dumps(json_object_get(property, "type"), JSON_ENCODE_ANY | JSON_COMPACT);

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static const json_t *property_of(const json_t *schema, const char *name, const char *key)
{
    return json_object_get(json_object_get(json_object_get(schema, "properties"), name), key);
}

static void a_result_has_all_its_fields(void **state)
{
    json_t *schema = schema_of(false);

    (void)state;
    assert_int_equal(json_array_size(json_object_get(schema, "required")), 1 + every_set.len);
    assert_string_equal(json_string_value(property_of(schema, "schema", "const")), "test/1");
    assert_null(json_object_get(schema, "additionalProperties"));
    check_type(schema, "flag", "\"boolean\"");
    check_type(schema, "text", "[\"string\",\"null\"]");
    check_type(schema, "count", "[\"integer\",\"null\"]");
    check_type(schema, "share", "[\"number\",\"null\"]");
    check_type(schema, "memory", "[\"integer\",\"null\"]");
    check_type(schema, "time", "[\"number\",\"null\"]");
    check_type(schema, "since", "[\"string\",\"null\"]");
    check_type(schema, "rows", "\"array\"");
    assert_string_equal(json_string_value(property_of(schema, "since", "format")), "date");
    assert_int_equal(json_array_size(property_of(schema, "choice", "enum")), 4); /* and null */
    assert_non_null(property_of(schema, "amount", "allOf")); /* money is an object */
    json_decref(schema);
}

static void a_request_takes_values_as_they_are_typed(void **state)
{
    json_t *schema = schema_of(true);

    (void)state;
    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    assert_int_equal(json_array_size(json_object_get(schema, "required")), 0);
    check_type(schema, "amount", "[\"string\",\"null\"]"); /* "5usd" */
    check_type(schema, "memory", "[\"string\",\"null\"]");
    check_type(schema, "count", "[\"integer\",\"string\",\"null\"]");
    assert_non_null(property_of(schema, "texts", "anyOf")); /* a list, or "a,b" */
    json_decref(schema);
}

static void rows_are_described_inside(void **state)
{
    json_t *schema = schema_of(true);
    const json_t *items = property_of(schema, "rows", "items");
    const json_t *name = json_object_get(json_object_get(items, "properties"), "name");

    (void)state;
    assert_string_equal(json_string_value(json_object_get(name, "description")),
                        "what it is called");
    assert_int_equal(json_array_size(json_object_get(items, "required")), 1);
    json_decref(schema);
}

int group_json_schema(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_has_all_its_fields),
        cmocka_unit_test(a_request_takes_values_as_they_are_typed),
        cmocka_unit_test(rows_are_described_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
