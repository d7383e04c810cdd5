/* Records of modules described by fields: times, enumerations, currencies, records inside. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "doc/json_restore.h"
#include "doc/json_write.h"
#include "unit/money.h"
#include "unit/time.h"

enum color { COLOR_RED, COLOR_GREEN, COLOR_NONE };

static const char *const color_names[] = {"red", "green", "", NULL};

struct inside {
    stamp at;
    enum color color;
};

struct outside {
    char id[8];
    struct inside inside; /* its fields are written as if they were ours */
    struct inside kept;
    struct str note;
    struct currency currency;
    struct decimal sum;
    int32_t tries;
    double joules;
    uint8_t small;
    stamp seen;
};

static const struct field inside_fields[] = {
    FIELD(TIME, inside, at, .help = "when"),
    FIELD(ENUM, inside, color, .names = color_names, .help = "which"),
};

static const struct field_set inside_set = FIELD_SET(struct inside, inside_fields);

static const struct field outside_fields[] = {
    FIELD(CHARS, outside, id, .help = "what it is called"),
    FIELD(RECORD, outside, inside, .row = &inside_set, .inlined = true),
    FIELD(RECORD, outside, kept, .row = &inside_set),
    FIELD(TEXT, outside, note, .empty_unknown = true),
    FIELD(CURRENCY, outside, currency, .help = "of the sum"),
    FIELD(DECIMAL, outside, sum, .help = "all digits"),
    FIELD(COUNT, outside, tries, .help = "32 bits"),
    FIELD_AS("kwh", NUMBER, outside, joules, .divisor = 3.6e6),
    FIELD(ENUM, outside, small, FIELD_NAMES(color_names)),
    FIELD(TIME, outside, seen, .empty_unknown = true, .short_midnight = true),
};

static const struct field_set outside_set = FIELD_SET(struct outside, outside_fields);

#define KNOWN \
    "{\"id\":\"a1\",\"at\":\"2026-11-15T10:00:00Z\",\"color\":\"green\"," \
    "\"kept\":{\"at\":\"1970-01-01T00:00:00Z\",\"color\":\"red\"},\"note\":\"n\"," \
    "\"currency\":\"EUR\",\"sum\":\"12.3400\",\"tries\":3,\"kwh\":0.5,\"small\":\"green\"," \
    "\"seen\":\"2026-11-15\"}"

#define UNKNOWN \
    "{\"id\":null,\"at\":null,\"color\":null,\"kept\":{\"at\":null,\"color\":null}," \
    "\"note\":null,\"currency\":null,\"sum\":null,\"tries\":null,\"kwh\":null," \
    "\"small\":null,\"seen\":null}"

static void check_json(const struct outside *record, const char *expected)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    json_write_record(&outside_set, record, NULL, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void json_has_times_names_and_inlined_records(void **state)
{
    struct outside record = {.id = "a1",
                             .inside = {{1794736800}, COLOR_GREEN},
                             .note = STR("n"),
                             .currency = {"EUR"},
                             .sum = {123400, 4},
                             .tries = 3,
                             .joules = 1.8e6,
                             .small = COLOR_GREEN,
                             .seen = {1794700800}};

    (void)state;
    check_json(&record, KNOWN);
}

static void unknown_values_are_null(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct outside record;

    (void)state;
    assert_true(fields_reset(&outside_set, &record, &arena, &err));
    check_json(&record, UNKNOWN);
    record.note = STR("");
    record.seen.s = 0;
    record.inside.color = COLOR_NONE; /* has no name */
    record.small = 17;
    check_json(&record, UNKNOWN);
    arena_free(&arena);
}

static void what_was_written_is_read_back(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct outside record;
    const struct node *node;

    (void)state;
    node = json_read(STR(KNOWN), "test", &arena, &err);
    assert_true(json_restore(&outside_set, node, "test", &record, &arena, &err));
    check_json(&record, KNOWN);
    assert_int_equal(record.inside.at.s, 1794736800);
    assert_true(currency_is(record.currency, (struct currency){"EUR"}));
    node = json_read(STR(UNKNOWN), "test", &arena, &err);
    assert_true(json_restore(&outside_set, node, "test", &record, &arena, &err));
    check_json(&record, UNKNOWN);
    arena_free(&arena);
}

static void other_values_are_refused(void **state)
{
    static const char *const cases[][2] = {
        {"{\"color\":\"blue\"}", "test: color: 'blue' is not a name that is known"},
        {"{\"at\":\"noon\"}", "test: at: 'noon' is not a time"},
        {"{\"currency\":\"EURO\"}", "test: currency: 'EURO' is not a currency"},
        {"{\"id\":\"12345678\"}", "test: id: '12345678' is not a text of that length"},
        {"{\"tries\":4000000000}", "test: tries: '4000000000' is not a count"},
        {"{\"sum\":\"x\"}", "test: sum: 'x' is not a number"},
    };
    struct arena arena = test_arena();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};
        struct outside record;
        const struct node *node = json_read(str_from(cases[i][0]), "test", &arena, &err);

        assert_non_null(node);
        assert_false(json_restore(&outside_set, node, "test", &record, &arena, &err));
        assert_string_equal(err.text, cases[i][1]);
    }
    arena_free(&arena);
}

static void options_are_read(void **state)
{
    static const char *const cases[][3] = {

        {"id", "1234567", "1234567"},
        {"currency", "eur", "EUR"},
        {"sum", "1.50", "1.50"},
        {"tries", "7", "7"},
        {"kwh", "0.25", "0.25"},
        {"small", "RED", "red"},
        {"seen", "2026-11-15 10:00", "2026-11-15T10:00:00Z"},
        {"seen", "2026-11-15", "2026-11-15"},
    };
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct outside record;
    struct error err = {0};

    (void)state;
    assert_true(fields_reset(&outside_set, &record, &arena, &err));
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct field *field = field_find(&outside_set, str_from(cases[i][0]));

        assert_true(
            field_parse(field, FIELD_SPELLED, str_from(cases[i][1]), &record, &arena, &err));
        buf_clear(&out);
        field_write(field, &record, &out);
        assert_str_equal(buf_text(&out), cases[i][2]);
    }
    buf_free(&out);
    arena_free(&arena);
}

static void wrong_options_are_refused(void **state)
{
    static const char *const cases[][4] = {
        {"currency", "dollars", "currency: 'dollars' is not a currency",
         "write its code: USD, EUR"},
        {"small", "gren", "small: 'gren' is not one of red, green", "did you mean 'green'?"},
        {"seen", "noon", "seen: 'noon' is not a time",
         "write it as 2026-11-15 or 2026-11-15T10:00:00Z"},
        {"id", "12345678", "id: '12345678' is longer than 7 characters", ""},
        {"tries", "4000000000", "tries: '4000000000' is not a number that fits", ""},
        {"sum", "x", "sum: 'x' is not a number", ""},
    };
    struct arena arena = test_arena();
    struct outside record;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct field *field = field_find(&outside_set, str_from(cases[i][0]));
        struct error err = {0};

        assert_false(
            field_parse(field, FIELD_SPELLED, str_from(cases[i][1]), &record, &arena, &err));
        assert_string_equal(err.text, cases[i][2]);
        assert_string_equal(err.hint, cases[i][3]);
    }
    arena_free(&arena);
}

static void finds_fields_of_records_inside(void **state)
{
    struct field_place place;

    (void)state;
    assert_true(field_reach(&outside_set, STR("tries"), &place));
    assert_string_equal(place.field->name, "tries");
    assert_int_equal(place.base, 0);
    assert_true(field_reach(&outside_set, STR("color"), &place)); /* inlined */
    assert_int_equal(place.base, offsetof(struct outside, inside));
    assert_true(field_reach(&outside_set, STR("kept.color"), &place));
    assert_int_equal(place.base, offsetof(struct outside, kept));
    assert_false(field_reach(&outside_set, STR("kept.shade"), &place));
    assert_false(field_reach(&outside_set, STR("tries.color"), &place));
    assert_false(field_reach(&outside_set, STR("nothing"), &place));
}

int group_field_types(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_times_names_and_inlined_records),
        cmocka_unit_test(unknown_values_are_null),
        cmocka_unit_test(what_was_written_is_read_back),
        cmocka_unit_test(other_values_are_refused),
        cmocka_unit_test(options_are_read),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(finds_fields_of_records_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
