/* Scores of goals, their trend, and how goals are kept. */
#include "test.h"

#include "advise/practice/targets.h"

static struct arena arena;
static struct practices now, before;

static struct target_default table[] = {
    {.key = {"cost_per_lora", 13}, .target = 2},
    {.key = {"gpu_busy", 8}, .target = 0.8},
};

static const struct rows defaults = {table, ARRAY_LEN(table)};

static struct target_scores score(const struct rows *own)
{
    static const struct rows none;
    struct target_scores out;
    struct error err = {0};

    assert_true(
        targets_score(&now, &before, &defaults, own != NULL ? own : &none, &arena, &out, &err));
    return out;
}

/* The cloud guide's targets: $2 a LoRA, 80 % utilization. */
static void a_score_is_how_far_the_goal_is_reached(void **state)
{
    const struct target_row *rows;
    struct target_scores s;

    (void)state;
    now.at[PRACTICE_COST_PER_LORA].value = 2.5;
    now.at[PRACTICE_GPU_BUSY].value = 0.6;
    s = score(NULL);
    rows = s.rows.at;
    assert_int_equal(s.rows.len, 2);
    assert_true(str_eq(rows[0].fact, STR("gpu_busy"))); /* in the order of facts */
    assert_near(rows[0].score, 0.75, 1e-12);
    assert_int_equal(rows[0].state, TARGET_MISSED);
    assert_near(rows[1].score, 0.8, 1e-12);
    assert_int_equal(s.known, 2);
    assert_int_equal(s.met, 0);
    assert_near(s.score, 0.775, 1e-12);
}

static void a_value_at_the_goal_meets_it(void **state)
{
    struct target_scores s;

    (void)state;
    now.at[PRACTICE_COST_PER_LORA].value = 2;
    now.at[PRACTICE_GPU_BUSY].value = 0.8;
    s = score(NULL);
    assert_int_equal(s.met, 2);
    assert_near(s.score, 1, 0);
    now.at[PRACTICE_COST_PER_LORA].value = 0; /* never more than 1 */
    s = score(NULL);
    assert_near(s.score, 1, 0);
    now.at[PRACTICE_COST_PER_LORA].value = 2.0001;
    s = score(NULL);
    assert_int_equal(s.met, 1);
}

static void what_is_not_known_is_not_in_the_score(void **state)
{
    const struct target_row *rows;
    struct target_scores s;

    (void)state;
    s = score(NULL);
    assert_int_equal(s.known, 0);
    assert_true(isnan(s.score));
    now.at[PRACTICE_GPU_BUSY].value = 0.4;
    s = score(NULL);
    rows = s.rows.at;
    assert_int_equal(s.known, 1);
    assert_near(s.score, 0.5, 1e-12);
    assert_int_equal(rows[1].state, TARGET_NOT_KNOWN);
    assert_true(str_eq(rows[1].record, STR("stint run --tag method=lora -- COMMAND")));
}

static void the_trend_knows_which_way_is_better(void **state)
{
    const struct target_row *rows;
    struct target_scores s;

    (void)state;
    before.at[PRACTICE_GPU_BUSY].value = 0.5;
    now.at[PRACTICE_GPU_BUSY].value = 0.6;
    before.at[PRACTICE_COST_PER_LORA].value = 2;
    now.at[PRACTICE_COST_PER_LORA].value = 2.5;
    s = score(NULL);
    rows = s.rows.at;
    assert_int_equal(rows[0].trend, TARGET_BETTER);
    assert_near(rows[0].change, 0.2, 1e-12);
    assert_int_equal(rows[1].trend, TARGET_WORSE);
    now.at[PRACTICE_COST_PER_LORA].value = 2.01; /* 1 % is nothing */
    s = score(NULL);
    rows = s.rows.at;
    assert_int_equal(rows[1].trend, TARGET_SAME);
    before.at[PRACTICE_COST_PER_LORA].value = NAN;
    s = score(NULL);
    rows = s.rows.at;
    assert_int_equal(rows[1].trend, TARGET_UNKNOWN);
    assert_true(isnan(rows[1].change));
}

static void own_goals_replace_the_defaults(void **state)
{
    struct target own[] = {{STR("gpu_busy"), 0.5}, {STR("spend"), 1000}};
    struct rows list = {own, 2};
    const struct target_row *rows;
    struct target_scores s;

    (void)state;
    now.at[PRACTICE_GPU_BUSY].value = 0.6;
    s = score(&list);
    rows = s.rows.at;
    assert_int_equal(s.rows.len, 3);
    assert_true(rows[0].own);
    assert_int_equal(rows[0].state, TARGET_MET);
    assert_false(rows[1].own);
    assert_true(str_eq(rows[2].fact, STR("spend")));
}

static void goals_are_kept_as_json(void **state)
{
    struct target own[] = {{STR("gpu_busy"), 0.75}, {STR("spend"), 1000}};
    struct buf out = buf_new(&alloc_system, 1000);
    const struct target *back;
    struct error err = {0};
    struct rows rows;

    (void)state;
    targets_write(own, 2, &out);
    assert_true(str_eq(buf_text(&out), STR("{\"gpu_busy\":0.75,\"spend\":1000}")));
    assert_true(targets_read(buf_text(&out), &arena, &rows, &err));
    back = rows.at;
    assert_int_equal(rows.len, 2);
    assert_true(str_eq(back[1].fact, STR("spend")));
    assert_near(back[1].value, 1000, 0);
    buf_free(&out);
    assert_true(targets_read((struct str){0}, &arena, &rows, &err));
    assert_int_equal(rows.len, 0);
    assert_false(targets_read(STR("{\"x\":1}"), &arena, &rows, &err));
    assert_false(targets_read(STR("{\"spend\":[1]}"), &arena, &rows, &err));
    assert_false(targets_read(STR("{"), &arena, &rows, &err));
    assert_true(targets_read(STR("[]"), &arena, &rows, &err));
    assert_int_equal(rows.len, 0);
}

static int set_up(void **state)
{
    (void)state;
    arena = test_arena();
    practices_reset(&now);
    practices_reset(&before);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int group_targets(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_score_is_how_far_the_goal_is_reached), TEST(a_value_at_the_goal_meets_it),
        TEST(what_is_not_known_is_not_in_the_score),  TEST(the_trend_knows_which_way_is_better),
        TEST(own_goals_replace_the_defaults),         TEST(goals_are_kept_as_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
