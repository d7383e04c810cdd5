/* Items that are proven, disproven and open; phases by their names; Markdown. */
#include "test.h"

#include "advise/practice/checklist.h"

static struct arena arena;
static struct practices facts;

static struct checklist_item table[] = {
    {.phase = {"during", 6},
     .item = {"use", 3},
     .rank = 2,
     .text = {"Keep GPUs busy", 14},
     .how = {"stint top", 9},
     .key = {"gpu_busy", 8},
     .at_least = .7,
     .at_most = NAN},
    {.phase = {"during", 6},
     .item = {"again", 5},
     .rank = 1,
     .text = {"Repeat nothing", 14},
     .how = {"stint costs repeats", 19},
     .key = {"repeated", 8},
     .at_least = NAN,
     .at_most = .05},
    {.phase = {"data", 4},
     .item = {"small", 5},
     .rank = 1,
     .text = {"Compress", 8},
     .how = {"use zstd", 8},
     .at_least = NAN,
     .at_most = NAN},
};

static const struct rows items = {table, ARRAY_LEN(table)};

static struct checklist judge(struct str phase)
{
    struct checklist out;
    struct error err = {0};

    assert_true(checklist_judge(&facts, &items, phase, &arena, &out, &err));
    return out;
}

static void items_are_done_at_their_bounds(void **state)
{
    const struct checklist_row *rows;
    struct checklist list;

    (void)state;
    facts.at[PRACTICE_GPU_BUSY].value = 0.7;
    facts.at[PRACTICE_REPEATED].value = 0.05;
    list = judge(STR("during"));
    rows = list.rows.at;
    assert_int_equal(list.rows.len, 2);
    assert_true(str_eq(rows[0].item, STR("again"))); /* by rank */
    assert_int_equal(rows[0].state, CHECKLIST_DONE);
    assert_int_equal(rows[1].state, CHECKLIST_DONE);
    assert_true(str_eq(rows[1].evidence, STR("GPU utilization: 70 %")));
    facts.at[PRACTICE_GPU_BUSY].value = 0.699;
    facts.at[PRACTICE_REPEATED].value = 0.051;
    list = judge(STR("during"));
    rows = list.rows.at;
    assert_int_equal(rows[0].state, CHECKLIST_NOT_DONE);
    assert_int_equal(rows[1].state, CHECKLIST_NOT_DONE);
    assert_true(str_eq(rows[0].evidence, STR("cost of repeated runs: 5.1 %, above 5 %")));
}

static void what_is_not_known_stays_open(void **state)
{
    struct checklist list = judge((struct str){0});
    const struct checklist_row *rows = list.rows.at;
    const struct checklist_phase *phases = list.phases.at;

    (void)state;
    assert_int_equal(list.rows.len, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(rows[i].state, CHECKLIST_OPEN);
    assert_int_equal(list.phases.len, 2);
    assert_true(str_eq(phases[0].phase, STR("data"))); /* in the order of the work */
    assert_int_equal(phases[1].items, 2);
    assert_int_equal(phases[1].open, 2);
}

static void phases_have_other_names(void **state)
{
    struct checklist out;
    struct error err = {0};

    (void)state;
    assert_int_equal(judge(STR("Training")).rows.len, 2);
    assert_int_equal(judge(STR("data-preparation")).rows.len, 1);
    assert_false(checklist_judge(&facts, &items, STR("durring"), &arena, &out, &err));
    assert_string_equal(err.text, "there is no phase 'durring'");
    assert_string_equal(err.hint, "did you mean 'during'?");
    assert_false(checklist_judge(&facts, &items, STR("xyzzy"), &arena, &out, &err));
    assert_string_equal(err.hint, "'stint checklist' lists the phases");
}

static void an_item_of_no_fact_is_refused(void **state)
{
    struct checklist_item wrong = table[0];
    struct rows one = {&wrong, 1};
    struct checklist out;
    struct error err = {0};

    (void)state;
    wrong.key = STR("gpu");
    assert_false(checklist_judge(&facts, &one, (struct str){0}, &arena, &out, &err));
    assert_string_equal(err.text, "checklist.csv: use: there is no fact 'gpu'");
}

static void markdown_is_a_task_list(void **state)
{
    struct buf out = buf_new(&alloc_system, 1000);
    struct checklist list;

    (void)state;
    facts.at[PRACTICE_GPU_BUSY].value = 0.9;
    list = judge((struct str){0});
    checklist_markdown(&list, &out);
    assert_true(
        str_eq(buf_text(&out), STR("## data\n\n- [ ] Compress; how: `use zstd`\n\n## during\n\n"
                                   "- [ ] Repeat nothing; how: `stint costs repeats`\n"
                                   "- [x] Keep GPUs busy - GPU utilization: 90 %\n")));
    buf_free(&out);
}

static int set_up(void **state)
{
    (void)state;
    arena = test_arena();
    practices_reset(&facts);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int group_checklist(void)
{
    const struct CMUnitTest tests[] = {
        TEST(items_are_done_at_their_bounds), TEST(what_is_not_known_stays_open),
        TEST(phases_have_other_names),        TEST(an_item_of_no_fact_is_refused),
        TEST(markdown_is_a_task_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
