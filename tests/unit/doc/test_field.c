#include "test.h"

#include <math.h>
#include <string.h>

#include "every.h"

/* --- one field at a time ------------------------------------------------------------------ */

static const struct field *named(const char *name)
{
    const struct field *field = field_find(&every_set, str_from(name));

    assert_non_null(field);
    return field;
}

static void reset(struct every *record, struct arena *arena)
{
    struct error err = {0};

    assert_true(fields_reset(&every_set, record, arena, &err));
    assert_int_equal(err.kind, ERROR_NONE);
}

/* Reading `text` gives a value that is written as `expected`. */
static void check_read(struct field field, enum field_form form, const char *text,
                       const char *expected)
{
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct every record;

    reset(&record, &arena);
    if (!field_parse(&field, form, str_from(text), &record, &arena, &err))
        fail_msg("'%s': %s", text, err.text);
    field_write(&field, &record, &out);
    if (!str_eq(buf_text(&out), str_from(expected)))
        fail_msg("'%s' was written '%.*s', not '%s'", text, STR_ARG(buf_text(&out)), expected);
    buf_free(&out);
    arena_free(&arena);
}

/* Reading `text` is refused with this text and hint. */
static void check_refused(struct field field, enum field_form form, const char *text,
                          const char *expected, const char *hint)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct every record;

    reset(&record, &arena);
    if (field_parse(&field, form, str_from(text), &record, &arena, &err))
        fail_msg("'%s' was not refused", text);
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, expected);
    assert_string_equal(err.hint, hint);
    arena_free(&arena);
}

struct spelling {
    const char *field;
    enum field_form form;
    const char *text, *written;
};

static void reads_and_writes_every_type(void **state)
{
    static const struct spelling cases[] = {
        {"flag", FIELD_SPELLED, "yes", "yes"},
        {"flag", FIELD_SPELLED, "TRUE", "yes"},
        {"flag", FIELD_PLAIN, "No", "no"},
        {"flag", FIELD_PLAIN, "false", "no"},
        {"text", FIELD_SPELLED, "two words", "two words"},
        {"text", FIELD_PLAIN, "x", "x"},
        {"choice", FIELD_SPELLED, "fastest", "fastest"},
        {"choice", FIELD_PLAIN, "CLEANEST", "cleanest"},
        {"texts", FIELD_SPELLED, "a,b,c", "a, b, c"},
        {"texts", FIELD_PLAIN, " a , ,b,", "a, b"},
        {"count", FIELD_SPELLED, "8", "8"},
        {"count", FIELD_PLAIN, "0", "0"},
        {"count", FIELD_SPELLED, "9223372036854775807", "9223372036854775807"},
        {"number", FIELD_SPELLED, "1.5", "1.5"},
        {"number", FIELD_PLAIN, "3e-4", "0.0003"},
        {"number", FIELD_PLAIN, "0", "0"},
        {"share", FIELD_SPELLED, "20%", "0.2"},
        {"share", FIELD_SPELLED, "20 %", "0.2"},
        {"share", FIELD_PLAIN, "0.2", "0.2"},
        {"share", FIELD_PLAIN, "0", "0"},
        {"share", FIELD_PLAIN, "1", "1"},
        {"share", FIELD_SPELLED, "100%", "1"},
        {"amount", FIELD_SPELLED, "$100", "$100.00"},
        {"amount", FIELD_SPELLED, "12.34usd", "$12.34"},
        {"amount", FIELD_SPELLED, "0usd", "$0.00"},
        {"amount", FIELD_PLAIN, "100", "$100.00"},
        {"amount", FIELD_PLAIN, "2e-9", "$0.000000002"},
        {"max_price", FIELD_SPELLED, "2.49usd/hr", "$2.49/hr"},
        {"max_price", FIELD_SPELLED, "$0.001/s", "$3.60/hr"},
        {"max_price", FIELD_PLAIN, "2.49", "$2.49/hr"},
        {"moving", FIELD_SPELLED, "0.09usd/GB", "$0.09/GB"},
        {"moving", FIELD_SPELLED, "$0.09/GB", "$0.09/GB"},
        {"moving", FIELD_PLAIN, "0.09", "$0.09/GB"},
        {"power", FIELD_SPELLED, "0.17usd/kWh", "$0.17/kWh"},
        {"power", FIELD_PLAIN, "0.17", "$0.17/kWh"},
        {"budget", FIELD_SPELLED, "99.50 EUR", "99.50 EUR"},
        {"budget", FIELD_SPELLED, "$100", "$100"},
        {"budget", FIELD_PLAIN, "eur 12", "12 EUR"},
        {"memory", FIELD_SPELLED, "80GB", "80 GB"},
        {"memory", FIELD_PLAIN, "1.5TB", "1.5 TB"},
        {"memory", FIELD_SPELLED, "1KiB", "1.02 kB"},
        {"time", FIELD_SPELLED, "90min", "1h30min"},
        {"time", FIELD_SPELLED, "3d", "72h"},
        {"since", FIELD_SPELLED, "2026-11-15", "2026-11-15"},
        {"since", FIELD_PLAIN, "1970-01-01", "1970-01-01"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_read(*named(cases[i].field), cases[i].form, cases[i].text, cases[i].written);
}

static void an_empty_plain_value_stays_unknown(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct every record;

    (void)state;
    reset(&record, &arena);
    for (size_t i = 0; i < every_set.len; i++) {
        const struct field *field = &every_set.at[i];

        assert_true(field_parse(field, FIELD_PLAIN, STR(""), &record, &arena, &err));
        if (field->type != FIELD_LIST && field->type != FIELD_RECORD)
            assert_false(field_known(field, &record));
    }
    assert_int_equal(err.kind, ERROR_NONE);
    arena_free(&arena);
}

/* --- what is refused ---------------------------------------------------------------------- */

static const char digits_only[] = "write digits only, without a unit";
static const char share_hint[] = "write it as 20% or 0.2";
static const char day_hint[] = "write it as 2026-11-15";
static const char dollar_hint[] = "write it as 100usd or, in quotes, '$100'";
static const char money_hint[] = "write it as 100usd, 99.50EUR or, in quotes, '$100'";
static const char size_hint[] =
    "give the unit in full: 80GB is 80 * 1000^3 bytes, 80GiB is 80 * 1024^3";
static const char per_gb_hint[] = "write it per gigabyte: 0.09usd/GB";

struct refusal {
    const char *field;
    enum field_form form;
    const char *text, *error, *hint;
};

static void refuses_what_is_not_of_the_type(void **state)
{
    static const struct refusal cases[] = {
        {"flag", FIELD_SPELLED, "maybe", "flag: 'maybe' is not yes or no", ""},
        {"flag", FIELD_SPELLED, "1", "flag: '1' is not yes or no", ""},
        {"flag", FIELD_SPELLED, "", "flag: the value is empty", ""},
        {"count", FIELD_SPELLED, "8 GPUs", "count: '8 GPUs' is not a whole number",
         digits_only},
        {"count", FIELD_PLAIN, "1.5", "count: '1.5' is not a whole number", digits_only},
        {"count", FIELD_PLAIN, "1e3", "count: '1e3' is not a whole number", digits_only},
        {"count", FIELD_PLAIN, "eight", "count: 'eight' is not a whole number", ""},
        {"count", FIELD_SPELLED, "", "count: the value is empty", ""},
        {"count", FIELD_PLAIN, "-1", "count: '-1' is not 0 or more", ""},
        {"count", FIELD_PLAIN, "9223372036854775808",
         "count: '9223372036854775808' is not a whole number", digits_only},
        {"number", FIELD_PLAIN, "nan", "number: 'nan' is not a number", ""},
        {"number", FIELD_PLAIN, "inf", "number: 'inf' is not a number", ""},
        {"number", FIELD_PLAIN, "1e999", "number: '1e999' is not a number", ""},
        {"number", FIELD_PLAIN, "0x10", "number: '0x10' is not a number", ""},
        {"number", FIELD_PLAIN, "1,5", "number: '1,5' is not a number", ""},
        {"number", FIELD_SPELLED, "", "number: the value is empty", ""},
        {"number", FIELD_PLAIN, "-0.5", "number: '-0.5' is not zero or more", ""},
        {"share", FIELD_SPELLED, "1.2", "share: '1.2' is not a share from 0 to 1", share_hint},
        {"share", FIELD_SPELLED, "-1%", "share: '-1%' is not a share from 0 to 1", share_hint},
        {"share", FIELD_SPELLED, "101%", "share: '101%' is not a share from 0 to 1",
         share_hint},
        {"share", FIELD_SPELLED, "%", "share: '%' is not a share from 0 to 1", share_hint},
        {"share", FIELD_SPELLED, "", "share: the value is empty", ""},
        {"share", FIELD_SPELLED, "half", "share: 'half' is not a share from 0 to 1",
         share_hint},
        {"amount", FIELD_PLAIN, "$5", "amount: '$5' is not a price", ""},
        {"amount", FIELD_PLAIN, "-5", "amount: '-5' is not zero or more", ""},
        {"amount", FIELD_PLAIN, "0.0000000001",
         "amount: '0.0000000001' is not a price with at most 9 decimals", ""},
        {"amount", FIELD_PLAIN, "9223372037",
         "amount: '9223372037' is not a price below 9.2 billion dollars", ""},
        {"amount", FIELD_PLAIN, "1e50",
         "amount: '1e50' is not a price below 9.2 billion dollars", ""},
        {"amount", FIELD_SPELLED, "-5usd", "amount: '-5usd' is not zero or more", ""},
        {"amount", FIELD_SPELLED, "5 EUR", "amount: '5 EUR' is not in US dollars",
         "prices are kept in US dollars: give the amount as 100usd"},
        {"amount", FIELD_SPELLED, "a lot", "amount: 'a lot' is not an amount of money",
         dollar_hint},
        {"max_price", FIELD_SPELLED, "2.49usd",
         "max_price: price '2.49usd' does not say per what", "write it as 2.49usd/hr"},
        {"max_price", FIELD_PLAIN, "2.49usd/hr", "max_price: '2.49usd/hr' is not a price", ""},
        {"moving", FIELD_SPELLED, "0.09", "moving: '0.09' is not a price of data", per_gb_hint},
        {"moving", FIELD_SPELLED, "0.09usd/hr", "moving: '0.09usd/hr' is not a price of data",
         per_gb_hint},
        {"moving", FIELD_SPELLED, "lots/GB", "moving: 'lots' is not an amount of money",
         dollar_hint},
        {"moving", FIELD_SPELLED, "-1usd/GB", "moving: '-1usd/GB' is not zero or more", ""},
        {"power", FIELD_SPELLED, "0.17usd/hr",
         "power: '0.17usd/hr' is not a price of electricity",
         "write it per kilowatt-hour: 0.17usd/kWh"},
        {"budget", FIELD_SPELLED, "lots", "budget: 'lots' is not an amount of money",
         money_hint},
        {"budget", FIELD_SPELLED, "00", "budget: '00' is not an amount of money",
         "give the currency: 00usd, or '$00' in quotes, since the shell expands $ and digits"},
        {"budget", FIELD_SPELLED, "-1usd", "budget: '-1usd' is not zero or more", ""},
        {"memory", FIELD_SPELLED, "80G", "memory: '80G' is not a size", size_hint},
        {"memory", FIELD_PLAIN, "80", "memory: '80' is not a size", size_hint},
        {"time", FIELD_SPELLED, "24", "time: '24' is not a length of time",
         "give the unit: 24d, 24h, 24min or 24s"},
        {"since", FIELD_SPELLED, "yesterday", "since: 'yesterday' is not a day", day_hint},
        {"since", FIELD_PLAIN, "2026-02-30", "since: '2026-02-30' is not a day", day_hint},
        {"rows", FIELD_SPELLED, "x", "rows: 'x' is not a list of keys and values", ""},
        {"inner", FIELD_SPELLED, "x", "inner: 'x' is not a list of keys and values", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check_refused(*named(cases[i].field), cases[i].form, cases[i].text, cases[i].error,
                      cases[i].hint);
}

static void refuses_zero_where_there_must_be_something(void **state)
{
    static const struct refusal cases[] = {
        {"count", FIELD_PLAIN, "0", "count: '0' is not 1 or more", ""},
        {"count", FIELD_PLAIN, "-2", "count: '-2' is not 1 or more", ""},
        {"number", FIELD_PLAIN, "0.0", "number: '0.0' is not above zero", ""},
        {"max_price", FIELD_PLAIN, "0", "max_price: '0' is not a price above zero", ""},
        {"max_price", FIELD_SPELLED, "0usd/hr", "max_price: '0usd/hr' is not above zero", ""},
        {"amount", FIELD_SPELLED, "$0", "amount: '$0' is not above zero", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct field field = *named(cases[i].field);

        field.positive = true;
        check_refused(field, cases[i].form, cases[i].text, cases[i].error, cases[i].hint);
    }
}

static void suggests_the_choice_that_was_meant(void **state)
{
    (void)state;
    check_refused(*named("choice"), FIELD_SPELLED, "fastets",
                  "choice: 'fastets' is not one of cheapest, fastest, cleanest",
                  "did you mean 'fastest'?");
    check_refused(*named("choice"), FIELD_SPELLED, "cheap",
                  "choice: 'cheap' is not one of cheapest, fastest, cleanest",
                  "did you mean 'cheapest'?");
    check_refused(*named("choice"), FIELD_SPELLED, "purple",
                  "choice: 'purple' is not one of cheapest, fastest, cleanest", "");
}

static void a_long_list_of_choices_is_cut_not_overrun(void **state)
{
    static char words[40][12];
    const char *choices[ARRAY_LEN(words) + 1] = {0};
    struct arena arena = test_arena();
    struct error err = {0};
    struct every record;
    struct field field = *named("choice");

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        (void)snprintf(words[i], sizeof words[i], "choice%04zu", i);
        choices[i] = words[i];
    }
    field.choices = choices;
    reset(&record, &arena);
    assert_false(field_parse(&field, FIELD_SPELLED, STR("x"), &record, &arena, &err));
    assert_int_equal(strlen(err.text), strlen("choice: 'x' is not one of ") + 255);
    assert_true(field_parse(&field, FIELD_SPELLED, STR("choice0039"), &record, &arena, &err));
    assert_str_equal(record.choice, "choice0039");
    arena_free(&arena);
}

/* --- lists -------------------------------------------------------------------------------- */

static void a_list_adds_to_what_is_there(void **state)
{
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct every record;

    (void)state;
    reset(&record, &arena);
    assert_true(field_parse(named("texts"), FIELD_SPELLED, STR("a,b"), &record, &arena, &err));
    assert_true(field_parse(named("texts"), FIELD_SPELLED, STR("c"), &record, &arena, &err));
    assert_int_equal(record.texts.len, 3);
    field_write(named("texts"), &record, &out);
    assert_str_equal(buf_text(&out), "a, b, c");
    buf_free(&out);
    arena_free(&arena);
}

static void undivided_text_keeps_its_commas(void **state)
{
    struct field field = *named("texts");
    struct arena arena = test_arena();
    struct every record = {.flag = false};
    struct error err;

    (void)state;
    field.whole = true;
    assert_true(field_parse(&field, FIELD_SPELLED, STR("x=(a{1,2})"), &record, &arena, &err));
    assert_true(field_parse(&field, FIELD_SPELLED, STR(" b,c "), &record, &arena, &err));
    assert_int_equal(record.texts.len, 2);
    assert_str_equal(record.texts.at[0], "x=(a{1,2})");
    assert_str_equal(record.texts.at[1], "b,c");
    arena_free(&arena);
}

static void a_list_reports_that_memory_ran_out(void **state)
{
    struct failing_alloc failing = {.allow = 0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc};
    struct error err = {0};
    struct every record;

    (void)state;
    memset(&record, 0, sizeof record);
    assert_false(field_parse(named("texts"), FIELD_SPELLED, STR("a"), &record, &arena, &err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    assert_int_equal(record.texts.len, 0);
}

/* --- unknown and fallbacks ---------------------------------------------------------------- */

static void a_reset_record_knows_nothing(void **state)
{
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct every record;

    (void)state;
    memset(&record, 0xa5, sizeof record);
    reset(&record, &arena);
    assert_int_equal(record.count, -1);
    assert_true(isnan(record.number));
    assert_true(isnan(record.share));
    assert_true(record.amount.nano == MONEY_UNKNOWN);
    assert_true(record.max_price.nano == MONEY_UNKNOWN);
    assert_true(record.moving.nano == MONEY_UNKNOWN);
    assert_true(record.power.nano == MONEY_UNKNOWN);
    assert_true(currency_unset(record.budget.currency));
    assert_true(record.memory.n == UINT64_MAX);
    assert_true(record.time.ns == -1);
    assert_int_equal(record.since.n, INT32_MIN);
    assert_null(record.text.at);
    assert_null(record.choice.at);
    assert_int_equal(record.rows.len, 0);
    assert_null(record.inner.name.at);
    assert_int_equal(record.inner.count, -1); /* the record inside is reset too */
    for (size_t i = 0; i < every_set.len; i++) {
        const struct field *field = &every_set.at[i];
        bool nested = field->type == FIELD_LIST || field->type == FIELD_RECORD;

        assert_int_equal(field_known(field, &record), nested);
        buf_clear(&out);
        field_write(field, &record, &out);
        assert_str_equal(buf_text(&out), field->type == FIELD_FLAG ? "no" : "");
    }
    buf_free(&out);
    arena_free(&arena);
}

static void zero_is_known(void **state)
{
    struct every record;

    (void)state;
    memset(&record, 0, sizeof record);
    record.budget.currency = currency_usd;
    record.text = STR("");
    for (size_t i = 0; i < every_set.len; i++) {
        enum field_type type = every_set.at[i].type;

        if (type != FIELD_FLAG && type != FIELD_TEXTS && type != FIELD_CHOICE)
            assert_true(field_known(&every_set.at[i], &record));
    }
}

static void fallbacks_are_read_with_their_units(void **state)
{
    static const struct {
        const char *name, *fallback;
    } cases[] = {
        {"flag", "yes"},        {"text", "here"},       {"choice", "fastest"},
        {"texts", "a, b"},      {"count", "3"},         {"number", "0.5"},
        {"share", "0.25"},      {"amount", "$5.00"},    {"max_price", "$2.49/hr"},
        {"moving", "$0.09/GB"}, {"power", "$0.17/kWh"}, {"budget", "$100"},
        {"memory", "80 GB"},    {"time", "1h30min"},    {"since", "2026-11-15"},
    };
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct field field = *named(cases[i].name);
        struct field_set set = {&field, 1, sizeof(struct every)};
        struct every record;

        field.fallback = cases[i].fallback;
        memset(&record, 0xa5, sizeof record);
        assert_true(fields_reset(&set, &record, &arena, &err));
        assert_true(field_known(&field, &record));
        buf_clear(&out);
        field_write(&field, &record, &out);
        assert_str_equal(buf_text(&out), cases[i].fallback); /* what it writes, it reads */
    }
    buf_free(&out);
    arena_free(&arena);
}

static void a_bad_fallback_is_not_ignored(void **state)
{
    struct field inside[] = {*named("count")};
    struct field_set inner = {inside, 1, sizeof(struct every)};
    struct field outside = {.name = "inner", .type = FIELD_RECORD, .row = &inner};
    struct field_set outer = {&outside, 1, sizeof(struct every)};
    struct arena arena = test_arena();
    struct error err = {0};
    struct every record;

    (void)state;
    inside[0].fallback = "many";
    assert_false(fields_reset(&inner, &record, &arena, &err));
    assert_string_equal(err.text, "count: 'many' is not a whole number");
    err = (struct error){0};
    assert_false(fields_reset(&outer, &record, &arena, &err));
    assert_string_equal(err.text, "count: 'many' is not a whole number");
    arena_free(&arena);
}

/* --- names -------------------------------------------------------------------------------- */

static void finds_fields_by_their_other_names(void **state)
{
    static const char *const old_names[] = {"on", "graphics-card", NULL};
    static const struct field fields[] = {
        {.name = "gpu", .type = FIELD_TEXT, .also = old_names},
        {.name = "on", .type = FIELD_TEXT},
    };
    static const struct field_set set = {.at = fields, .len = 2};

    (void)state;
    assert_ptr_equal(field_find(&set, STR("gpu")), &fields[0]);
    assert_ptr_equal(field_find(&set, STR("on")), &fields[1]); /* its own name comes first */
    assert_ptr_equal(field_find(&set, STR("graphics-card")), &fields[0]);
    assert_null(field_find(&set, STR("graphics")));
}

static void finds_fields_with_either_hyphen(void **state)
{
    (void)state;
    assert_ptr_equal(field_find(&every_set, STR("max_price")), named("max-price"));
    assert_null(field_find(&every_set, STR("max_pric")));
    assert_null(field_find(&every_set, STR("max_prices")));
    assert_null(field_find(&every_set, STR("Max_price")));
    assert_null(field_find(&every_set, STR("")));
    assert_null(field_find(&every_set, STR("count\0"))); /* with the NUL in its length */
}

static void suggests_the_field_that_was_meant(void **state)
{
    struct error err = {0};

    (void)state;
    assert_false(field_unknown(&every_set, "option", STR("max-prise"), &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "there is no option 'max-prise'");
    assert_string_equal(err.hint, "did you mean 'max_price'?");
    assert_false(field_unknown(&every_set, "key", STR("zzzzzz"), &err));
    assert_string_equal(err.text, "there is no key 'zzzzzz'");
    assert_string_equal(err.hint, "");
}

static void writes_nothing_for_a_list_of_records(void **state)
{
    struct every_row row = {.name = STR("a"), .count = 1};
    struct every record = {.rows = {&row, 1}, .inner = row};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    field_write(named("rows"), &record, &out);
    field_write(named("inner"), &record, &out);
    assert_int_equal(out.len, 0);
    buf_free(&out);
}

static void numbers_of_many_types_are_doubles(void **state)
{
    struct numbered {
        usd cost;
        span time;
        stamp at;
        int64_t count;
        int32_t few;
        double share;
        struct str name;
    };
    static const struct field fields[] = {
        FIELD(USD, numbered, cost, .help = ""),  FIELD(SPAN, numbered, time, .help = ""),
        FIELD(TIME, numbered, at, .help = ""),   FIELD(COUNT, numbered, count, .help = ""),
        FIELD(COUNT, numbered, few, .help = ""), FIELD(SHARE, numbered, share, .help = ""),
        FIELD(TEXT, numbered, name, .help = ""),
    };
    const struct numbered known = {{2500000000}, {1500000000}, {1794700800}, 7, 3,
                                   0.25,         STR("text")};
    const struct numbered unknown = {USD_UNKNOWN, SPAN_UNKNOWN, STAMP_UNKNOWN, -1, -1,
                                     NAN,         {0}};
    const double expected[] = {2.5, 1.5, 1794700800, 7, 3, 0.25, NAN};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        double value = field_double(&fields[i], &known);

        assert_true(isnan(expected[i]) ? isnan(value) : value == expected[i]);
        assert_true(isnan(field_double(&fields[i], &unknown)));
    }
}

int group_field(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_writes_every_type),
        cmocka_unit_test(numbers_of_many_types_are_doubles),
        cmocka_unit_test(an_empty_plain_value_stays_unknown),
        cmocka_unit_test(refuses_what_is_not_of_the_type),
        cmocka_unit_test(refuses_zero_where_there_must_be_something),
        cmocka_unit_test(suggests_the_choice_that_was_meant),
        cmocka_unit_test(a_long_list_of_choices_is_cut_not_overrun),
        cmocka_unit_test(a_list_adds_to_what_is_there),
        cmocka_unit_test(undivided_text_keeps_its_commas),
        cmocka_unit_test(a_list_reports_that_memory_ran_out),
        cmocka_unit_test(a_reset_record_knows_nothing),
        cmocka_unit_test(zero_is_known),
        cmocka_unit_test(fallbacks_are_read_with_their_units),
        cmocka_unit_test(a_bad_fallback_is_not_ignored),
        cmocka_unit_test(finds_fields_with_either_hyphen),
        cmocka_unit_test(finds_fields_by_their_other_names),
        cmocka_unit_test(suggests_the_field_that_was_meant),
        cmocka_unit_test(writes_nothing_for_a_list_of_records),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
