/* Plans as CSV: names that carry units, unknown as nothing. And the
 * tables of fields that CSV and JSON come from. */
#include "test.h"

#include <string.h>

#include "base/csv.h"
#include "doc/json_write.h"
#include "plan/plan_samples.h"
#include "report/plan_table.h"

/* The field of this row (0 is the header) in the column `name`. */
static void check_field(struct str text, size_t row, const char *name, const char *expected)
{
    struct csv_options options = {.alloc = &alloc_system};
    struct error err = {0};
    struct csv *csv = csv_open_text(text, &options, &err);
    struct csv_row got;
    size_t column;

    assert_non_null(csv);
    assert_true(csv_next(csv, &got, &err));
    column = csv_column(&got, str_from(name));
    assert_int_not_equal(column, SIZE_MAX);
    for (size_t i = 0; i < row; i++)
        assert_true(csv_next(csv, &got, &err));
    assert_str_equal(got.fields[column], expected);
    csv_close(csv);
}

static void every_list_is_there_with_units(void **state)
{
    struct plan_result res = sample_training();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct str text;

    (void)state;
    plan_csv_text(&res, &out);
    assert_true(buf_ok(&out, &err));
    text = buf_text(&out);
    check_field(text, 1, "list", "plan");
    check_field(text, 1, "role", "best");
    check_field(text, 1, "offer", "gcp/us-central1/a2-ultragpu-8g");
    check_field(text, 1, "cost_usd", "62.14");
    check_field(text, 1, "hours", "1.52");
    check_field(text, 1, "price_usd_h", "40.55");
    check_field(text, 1, "price_date", "2026-08-22");
    check_field(text, 1, "gpus", "8");
    check_field(text, 1, "setting", "bf16, zero 1, micro-batch 8 x 4, recompute selective");
    check_field(text, 1, "risk_share", "");
    check_field(text, 1, "copies", "");
    check_field(text, 1, "usd_per_million_tokens", "");
    check_field(text, 2, "on_time_share", "0.972");
    check_field(text, 5, "role", "no account");
    check_field(text, 6, "list", "front");
    check_field(text, 10, "list", "naive");
    buf_free(&out);
}

static void all_unknown_is_empty_fields(void **state)
{
    struct plan_row row = sample_row("a \"b\", c");
    struct plan_result res = sample_result();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct str text, header;
    size_t commas = 0;

    (void)state;
    res.plans = (struct rows){&row, 1};
    plan_csv_text(&res, &out);
    text = buf_text(&out);
    header = str_cut(&text, '\n');
    for (size_t i = 0; i < header.len; i++)
        commas += header.at[i] == ',';
    assert_true(str_starts(text, STR("plan,\"a \"\"b\"\", c\",,")));
    /* Beside the two of the role, as many as in the header, and nothing between them. */
    assert_int_equal(text.len, strlen("plan,\"a \"\"b\"\", c\"\n") + commas - 1);
    buf_free(&out);
}

/* Every field of a set and of the records in it: named once, and explained. */
static void check_set(const struct field_set *set)
{
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];

        assert_non_null(field->help);
        assert_ptr_equal(field_find(set, str_from(field->name)), field);
        if (field->type == FIELD_LIST || field->type == FIELD_RECORD)
            check_set(field->row);
    }
}

static void results_are_json(void **state)
{
    struct plan_result res = sample_training();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    const char *text;

    (void)state;
    check_set(&plan_request_fields);
    check_set(&plan_result_fields);
    json_write_record(&plan_result_fields, &res, "stint.plan/1", &out);
    buf_char(&out, '\0');
    text = buf_text(&out).at;
    assert_ptr_equal(
        strstr(text, "{\"schema\":\"stint.plan/1\",\"name\":\"llama-7b-finetune\""), text);
    assert_non_null(strstr(text, "\"cost\":{\"amount\":\"62.14\",\"currency\":\"USD\"}"));
    assert_non_null(strstr(text, "\"hours\":{\"value\":1.52,\"low\":1.26"));
    assert_non_null(strstr(text, "\"start\":null"));
    assert_non_null(strstr(text, "\"trials\":{\"trials\":null"));
    buf_free(&out);
}

int group_plan_table(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_list_is_there_with_units),
        cmocka_unit_test(all_unknown_is_empty_fields),
        cmocka_unit_test(results_are_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
