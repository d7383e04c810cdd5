/* Plans in files: written, read back, refused. */
#include "test.h"

#include <stdio.h>
#include <unistd.h>

#include "doc/json_write.h"
#include "plan/file.h"
#include "plan_samples.h"

static char folder[64], file[100];
static struct arena arena;

static int make(void **state)
{
    (void)state;
    arena = test_arena();
    (void)snprintf(folder, sizeof folder, "/tmp/stint-plan-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int drop(void **state)
{
    char command[100];

    (void)state;
    arena_free(&arena);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

static void text_of(const struct plan_result *plan, struct buf *out)
{
    *out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    json_write_record(&plan_result_fields, plan, "stint.plan/1", out);
    assert_int_equal(out->failed, ERROR_NONE);
}

static void a_plan_comes_back_as_it_was(void **state)
{
    const struct plan_result plans[] = {sample_training(), sample_serving(), sample_sessions(),
                                        sample_queue(), sample_trials()};

    (void)state;
    (void)snprintf(file, sizeof file, "%s/plan.json", folder);
    for (size_t i = 0; i < ARRAY_LEN(plans); i++) {
        struct error err = {0};
        struct plan_result back;
        struct buf before, after;

        if (!plan_file_write(str_from(file), &plans[i], arena.alloc, &err) ||
            !plan_file_read(str_from(file), &arena, &back, &err))
            fail_msg("%s", err.text);
        text_of(&plans[i], &before);
        text_of(&back, &after);
        assert_int_equal(before.len, after.len);
        assert_memory_equal(before.at, after.at, before.len);
        assert_int_equal(back.plans.len, plans[i].plans.len);
        buf_free(&before);
        buf_free(&after);
    }
}

/* Nothing is left where writing failed, and what was there stays. */
static void a_file_is_written_completely_or_not_at_all(void **state)
{
    struct plan_result plan = sample_training(), back;
    struct error err = {0};

    (void)state;
    (void)snprintf(file, sizeof file, "%s/no/plan.json", folder);
    assert_false(plan_file_write(str_from(file), &plan, arena.alloc, &err));
    assert_int_equal(err.kind, ERROR_SYSTEM);
    (void)snprintf(file, sizeof file, "%s/plan.json", folder);
    err = (struct error){0};
    assert_true(plan_file_write(str_from(file), &plan, arena.alloc, &err));
    plan.job_text = (struct str){arena_array(&arena, char, PLAN_FILE_MAX, &err), PLAN_FILE_MAX};
    assert_non_null(plan.job_text.at);
    assert_false(plan_file_write(str_from(file), &plan, arena.alloc, &err));
    err = (struct error){0};
    assert_true(plan_file_read(str_from(file), &arena, &back, &err));
    assert_true(back.job_text.len < PLAN_FILE_MAX);
}

static void parse_fails(const char *text, const char *says)
{
    struct plan_result plan;
    struct error err = {0};

    assert_false(plan_file_parse(str_from(text), "p.json", &arena, &plan, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, says);
}

static void other_files_are_refused(void **state)
{
    struct plan_result plan;
    struct error err = {0};
    FILE *f;

    (void)state;
    parse_fails("{\"schema\":\"stint.plan/2\"}",
                "p.json: its version is 2, but this program reads 1");
    parse_fails("{\"schema\":\"stint.plan/x\"}",
                "p.json: not a saved plan, but 'stint.plan/x'");
    parse_fails("{\"schema\":\"stint.planner/2\"}",
                "p.json: not a saved plan, but 'stint.planner/2'");
    parse_fails("{\"schema\":[1]}", "p.json: not a saved plan: it has no schema");
    parse_fails("[1]", "p.json: not a saved plan: it has no schema");
    parse_fails("{\"schema\":\"stint.plan/1\",\"plans\":4}",
                "p.json: plans: '4' is not a list");
    (void)snprintf(file, sizeof file, "%s/big.json", folder);
    f = fopen(file, "w");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)PLAN_FILE_MAX, SEEK_SET), 0);
    assert_int_equal(fputc('}', f), '}');
    assert_int_equal(fclose(f), 0);
    assert_false(plan_file_read(str_from(file), &arena, &plan, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    err = (struct error){0};
    assert_false(plan_file_read(STR("/nowhere/plan.json"), &arena, &plan, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

int group_file(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_plan_comes_back_as_it_was, make, drop),
        cmocka_unit_test_setup_teardown(a_file_is_written_completely_or_not_at_all, make, drop),
        cmocka_unit_test_setup_teardown(other_files_are_refused, make, drop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
