#include "test.h"

#include <math.h>

#include "doc/records.h"

struct bread {
    struct str name;
    double grams;
    int64_t slices;
};

static const char *const name_others[] = {"label", NULL};
static const struct field bread_list[] = {
    FIELD(TEXT, bread, name, .also = name_others, .required = true,
          .help = "what it is called"),
    FIELD(NUMBER, bread, grams, .help = "weight"),
    FIELD(COUNT, bread, slices, .help = "slices of one loaf"),
};
static const struct field_set bread_fields = FIELD_SET(struct bread, bread_list);

static const struct records_shape strict = {.set = &bread_fields, .hint = "name,grams,slices"};
static const struct records_shape lenient = {
    .set = &bread_fields, .hint = "name,grams,slices", .others = true, .ragged = true};

/* "NAME/GRAMS/SLICES LINE;"; the bread 'stale' is refused. */
static bool write_bread(void *ctx, const void *record, const struct csv_row *row,
                        struct error *err)
{
    const struct bread *b = record;

    if (str_eq(b->name, STR("stale")))
        return error_fail(err, ERROR_INPUT, "it is stale");
    buf_addf(ctx, "%.*s/%g/%lld %llu;", STR_ARG(b->name), b->grams, (long long)b->slices,
             (unsigned long long)row->line);
    return true;
}

static void check(const struct records_shape *shape, const char *text, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 1000);
    struct arena arena = test_arena();
    struct error err = {0};

    if (!records_read(str_from(text), "b.csv", shape, write_bread, &out, &arena, &err))
        fail_msg("%s", err.text);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
    arena_free(&arena);
}

static void refuses(const struct records_shape *shape, const char *text, const char *expected,
                    const char *hint)
{
    struct buf out = buf_new(&alloc_system, 1000);
    struct arena arena = test_arena();
    struct error err = {0};

    assert_false(records_read(str_from(text), "b.csv", shape, write_bread, &out, &arena, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, expected);
    assert_string_equal(err.hint, hint);
    buf_free(&out);
    arena_free(&arena);
}

static void columns_are_found_by_name_in_any_order(void **state)
{
    (void)state;
    check(&strict, "name,grams,slices\nrye,500,12\nspelt,750.5,9\n",
          "rye/500/12 2;spelt/750.5/9 3;");
    check(&strict, "# ours\nSlices, Label ,GRAMS\n12, rye ,500\n", "rye/500/12 3;");
    check(&strict, "name\n\"dark \"\"rye\"\"\"\n", "dark \"rye\"/nan/-1 2;"); /* unknown */
    check(&strict, "name,grams\nrye,\n", "rye/nan/-1 2;");
    check(&strict, "name,grams\n", "");
}

static void other_columns_are_refused_or_ignored(void **state)
{
    (void)state;
    refuses(&strict, "name,gramms\n", "b.csv:1: there is no column 'gramms'",
            "did you mean 'grams'?");
    refuses(&strict, "name,xyzzy\n", "b.csv:1: there is no column 'xyzzy'",
            "name,grams,slices");
    refuses(&strict, "name,Name\n", "b.csv:1: the column 'Name' is there twice", "");
    check(&lenient, "xyzzy,name\n1,rye\n", "rye/nan/-1 2;");
    check(&lenient, "label,name,label\na,b,c\n", "b/nan/-1 2;"); /* its own name goes before */
}

static void required_columns_and_values_must_be_there(void **state)
{
    (void)state;
    refuses(&strict, "", "b.csv: the file is empty", "name,grams,slices");
    refuses(&strict, "grams\n1\n", "b.csv:1: the column 'name' is missing",
            "name,grams,slices");
    refuses(&lenient, "nmae\nrye\n", "b.csv:1: the column 'name' is missing",
            "'nmae' is near: name,grams,slices");
    refuses(&strict, "name,grams\n ,1\n", "b.csv:2: 'name' is empty", "");
}

static void rows_are_as_wide_as_the_first_line(void **state)
{
    (void)state;
    refuses(&strict, "name,grams\nrye\n", "b.csv:2: 1 fields where the first line names 2",
            "name,grams,slices");
    check(&lenient, "name,grams\nrye\nspelt,1,2,3\n", "rye/nan/-1 2;spelt/1/-1 3;");
}

static void mistakes_have_their_line_and_say_what_the_field_is(void **state)
{
    (void)state;
    refuses(&strict, "name,grams\nrye,1\nrye,heavy\n",
            "b.csv:3: grams: 'heavy' is not a number", "grams: weight");
    refuses(&strict, "name,slices\nrye,8 GPUs\n",
            "b.csv:2: slices: '8 GPUs' is not a whole number",
            "write digits only, without a unit");
    refuses(&strict, "name\nstale\n", "b.csv:2: it is stale", "");
    refuses(&strict, "name\n\"rye\n", "b.csv:2: a quoted field is never closed",
            "end the field with a quote; write a quote inside it twice");
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
        struct buf out = buf_new(&alloc_system, 1000);
        struct error err = {0};

        done = records_read(STR("name,grams\n\"a \"\"b\"\"\",1\n"), "b.csv", &strict,
                            write_bread, &out, &arena, &err);
        assert_true(done || err.kind == ERROR_MEMORY);
        buf_free(&out);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
    assert_true(allow > 2);
}

int group_records(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name_in_any_order),
        cmocka_unit_test(other_columns_are_refused_or_ignored),
        cmocka_unit_test(required_columns_and_values_must_be_there),
        cmocka_unit_test(rows_are_as_wide_as_the_first_line),
        cmocka_unit_test(mistakes_have_their_line_and_say_what_the_field_is),
        cmocka_unit_test(survives_every_failing_allocation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
