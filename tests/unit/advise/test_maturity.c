/* Levels at and beside their thresholds, domains, and the order of the next steps. */
#include "test.h"

#include "advise/practice/maturity.h"

static struct arena arena;
static struct practices facts;

/* Utilization 50, 60 and 70 % and tags 50, 80 and 90 % rise; hours 72, 24 and 4 fall. */
static struct maturity_threshold table[] = {
    {.key = {"gpu_busy", 8}, .domain = {"optimize", 8}, .crawl = .5, .walk = .6, .run = .7},
    {.key = {"failed", 6}, .domain = {"optimize", 8}, .crawl = .2, .walk = .1, .run = .05},
    {.key = {"tagged", 6}, .domain = {"inform", 6}, .crawl = .5, .walk = .8, .run = .9},
    {.key = {"priced", 6}, .domain = {"inform", 6}, .crawl = .5, .walk = .9, .run = .99},
    {.key = {"measured", 8}, .domain = {"inform", 6}, .crawl = .5, .walk = .8, .run = .95},
    {.key = {"anomaly-hours", 13}, .domain = {"operate", 7}, .crawl = 72, .walk = 24, .run = 4},
};

static const struct rows thresholds = {table, ARRAY_LEN(table)};

static const struct maturity_row *row_of(const struct maturity *m, const char *fact)
{
    const struct maturity_row *rows = m->rows.at;

    for (size_t i = 0; i < m->rows.len; i++)
        if (str_eq(rows[i].fact, str_from(fact)))
            return &rows[i];
    fail();
    return NULL;
}

static struct maturity judge(void)
{
    struct maturity out;
    struct error err = {0};

    assert_true(maturity_judge(&facts, &thresholds, &arena, &out, &err));
    return out;
}

static void a_value_at_a_threshold_reaches_it(void **state)
{
    const struct maturity_threshold *up = &table[0], *down = &table[5];

    (void)state;
    assert_int_equal(maturity_level_of(up, 0.4999), MATURITY_NONE);
    assert_int_equal(maturity_level_of(up, 0.5), MATURITY_CRAWL);
    assert_int_equal(maturity_level_of(up, 0.5999), MATURITY_CRAWL);
    assert_int_equal(maturity_level_of(up, 0.6), MATURITY_WALK);
    assert_int_equal(maturity_level_of(up, 0.7), MATURITY_RUN);
    assert_int_equal(maturity_level_of(down, 72.1), MATURITY_NONE);
    assert_int_equal(maturity_level_of(down, 72), MATURITY_CRAWL);
    assert_int_equal(maturity_level_of(down, 24), MATURITY_WALK);
    assert_int_equal(maturity_level_of(down, 4), MATURITY_RUN);
    assert_int_equal(maturity_level_of(down, 0), MATURITY_RUN);
    assert_int_equal(maturity_level_of(up, NAN), MATURITY_UNKNOWN);
}

static void what_is_not_known_has_no_level_and_says_what_to_record(void **state)
{
    struct maturity m = judge();
    const struct maturity_domain *domains = m.domains.at;
    const struct maturity_row *row = row_of(&m, "gpu_busy");

    (void)state;
    assert_int_equal(m.domains.len, 3);
    for (size_t i = 0; i < m.domains.len; i++) {
        assert_int_equal(domains[i].level, MATURITY_UNKNOWN);
        assert_int_equal(domains[i].known, 0);
    }
    assert_int_equal(row->level, MATURITY_UNKNOWN);
    assert_true(isnan(row->goal) && isnan(row->worth));
    assert_true(str_eq(row->next, STR("stint run -- COMMAND")));
    assert_int_equal(m.steps.len, MATURITY_STEPS); /* 'stint run -- COMMAND' only once */
}

/* Utilization of 40 % to 50 % of $1,200 a month: $120; failures of 30 % to 20 % of $900:
 * $90. */
static void the_next_steps_are_the_most_money_first(void **state)
{
    const struct maturity_step *steps;
    struct maturity m;

    (void)state;
    facts.at[PRACTICE_FAILED] = (struct practice){.value = 0.3, .monthly = 900};
    facts.at[PRACTICE_GPU_BUSY] = (struct practice){.value = 0.4, .monthly = 1200};
    facts.at[PRACTICE_TAGGED] = (struct practice){.value = 0.2, .monthly = NAN};
    facts.at[PRACTICE_PRICED] = (struct practice){.value = 1, .monthly = NAN};
    m = judge();
    steps = m.steps.at;
    assert_int_equal(m.steps.len, 3);
    assert_true(str_eq(steps[0].fact, STR("gpu_busy")));
    assert_near(steps[0].worth, 120, 1e-9);
    assert_true(str_eq(steps[0].text, STR("GPU utilization: from 40 % to 50 % (crawl)")));
    assert_true(str_eq(steps[1].fact, STR("failed")));
    assert_near(steps[1].worth, 90, 1e-9);
    assert_true(str_eq(steps[2].fact, STR("tagged"))); /* before what is not known */
    assert_true(isnan(steps[2].worth));
}

static void two_in_three_known_practices_decide_the_level_of_a_domain(void **state)
{
    const struct maturity_domain *inform;
    struct maturity m;

    (void)state;
    facts.at[PRACTICE_TAGGED].value = 0.95;  /* run */
    facts.at[PRACTICE_PRICED].value = 0.9;   /* walk */
    facts.at[PRACTICE_MEASURED].value = 0.1; /* none */
    m = judge();
    inform = m.domains.at;
    assert_true(str_eq(inform->domain, STR("inform")));
    assert_int_equal(inform->level, MATURITY_WALK);
    assert_int_equal(inform->known, 3);
    facts.at[PRACTICE_MEASURED].value = NAN; /* one of two is less than two in three */
    m = judge();
    inform = m.domains.at;
    assert_int_equal(inform->level, MATURITY_WALK);
    facts.at[PRACTICE_PRICED].value = 0.2;
    m = judge();
    inform = m.domains.at;
    assert_int_equal(inform->level, MATURITY_NONE);
}

static void nothing_is_left_when_all_are_at_the_highest_level(void **state)
{
    struct maturity m;

    (void)state;
    facts.at[PRACTICE_TAGGED].value = facts.at[PRACTICE_PRICED].value = 1;
    facts.at[PRACTICE_MEASURED].value = facts.at[PRACTICE_GPU_BUSY].value = 1;
    facts.at[PRACTICE_FAILED].value = facts.at[PRACTICE_ANOMALY_HOURS].value = 0;
    m = judge();
    assert_int_equal(m.steps.len, 0);
}

static void tables_that_make_no_sense_are_refused(void **state)
{
    struct maturity_threshold wrong = table[0];
    struct rows one = {&wrong, 1};
    struct maturity out;
    struct error err = {0};

    (void)state;
    wrong.key = STR("gpu_bussy");
    assert_false(maturity_judge(&facts, &one, &arena, &out, &err));
    assert_string_equal(err.text, "maturity.csv: there is no fact 'gpu_bussy'");
    wrong = table[0];
    wrong.walk = 0.9;
    assert_false(maturity_judge(&facts, &one, &arena, &out, &err));
    assert_string_equal(err.text,
                        "maturity.csv: gpu_busy: crawl, walk and run must rise or fall");
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    for (size_t allow = 0; allow < 40; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena small = {.alloc = &alloc};
        struct error err = {0};
        struct maturity out;

        if (!maturity_judge(&facts, &thresholds, &small, &out, &err))
            assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&small);
        assert_int_equal(failing.held, 0);
    }
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

int group_maturity(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_value_at_a_threshold_reaches_it),
        TEST(what_is_not_known_has_no_level_and_says_what_to_record),
        TEST(the_next_steps_are_the_most_money_first),
        TEST(two_in_three_known_practices_decide_the_level_of_a_domain),
        TEST(nothing_is_left_when_all_are_at_the_highest_level),
        TEST(tables_that_make_no_sense_are_refused),
        TEST(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
