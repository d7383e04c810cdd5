/* What goes with a message. */
#include "test.h"

#include "alert/alert.h"

static struct arena arena;

static int arena_new(void **state)
{
    (void)state;
    arena = (struct arena){.alloc = &alloc_system};
    return 0;
}

static int arena_end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void a_line_becomes_a_label_and_a_value(void **state)
{
    struct str lines[] = {STR("Spend: $12.34 (at 10:00)"), STR("no label")};
    struct alert_message m = {0};
    struct error err = {0};

    (void)state;
    assert_true(alert_take_facts(&m, (struct strs){lines, 2}, &arena, &err));
    assert_int_equal(m.fact_count, 2);
    assert_true(str_eq(m.facts[0].name, STR("Spend")));
    assert_true(str_eq(m.facts[0].value, STR("$12.34 (at 10:00)")));
    assert_true(str_eq(m.facts[1].name, STR("no label")));
    assert_int_equal(m.facts[1].value.len, 0);
}

static void files_are_attached_while_they_fit(void **state)
{
    struct str half = {"", ALERT_ATTACHED_MAX / 2};
    struct alert_message m = {0};
    struct error err = {0};
    bool left_out = false;

    (void)state;
    assert_true(alert_attach(&m, STR("report.html"), half, &arena, &left_out, &err));
    assert_true(alert_attach(&m, STR("a.png"), half, &arena, &left_out, &err));
    assert_false(left_out);
    assert_true(alert_attach(&m, STR("b.png"), STR("x"), &arena, &left_out, &err));
    assert_true(left_out);
    assert_int_equal(m.attached_count, 2);
    assert_true(str_eq(m.attached[0].type, STR("text/html; charset=UTF-8")));
    assert_true(str_eq(m.attached[1].type, STR("image/png")));
    assert_int_equal(alert_attached_type(STR("report.json")).len, 0);
}

int group_compose(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_becomes_a_label_and_a_value),
        cmocka_unit_test(files_are_attached_while_they_fit),
    };

    return cmocka_run_group_tests(tests, arena_new, arena_end);
}
