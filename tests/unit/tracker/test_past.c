/* What a run of a tracker says of itself. */
#include "sinks.h"

#include "tracker/past.h"

#define START INT64_C(1793527200000) /* 2026-11-01 10:00 */
#define NOW (START + INT64_C(86400000))

static struct tracker_run run_at(int64_t started_ms, int64_t ended_ms)
{
    struct tracker_run run;

    tracker_run_clear(&run);
    run.id = STR("ab12");
    run.name = STR("bert");
    run.state = TRACKER_FINISHED;
    run.started_ms = started_ms;
    run.ended_ms = ended_ms;
    return run;
}

static void the_end_is_recorded_computed_or_the_last_sign(void **state)
{
    struct tracker_run run = run_at(START, START + 5000);
    struct tracker_end end;

    (void)state;
    assert_null(tracker_end_of(&run, NOW, &end));
    assert_int_equal(end.ended_ms, START + 5000);
    assert_null(end.assumed);
    run.ended_ms = -1;
    run.runtime_ms = 7000;
    assert_null(tracker_end_of(&run, NOW, &end));
    assert_int_equal(end.ended_ms, START + 7000);
    run.runtime_ms = -1;
    run.heard_ms = START + 9000;
    assert_null(tracker_end_of(&run, NOW, &end));
    assert_int_equal(end.ended_ms, START + 9000);
    assert_non_null(end.assumed);
}

static void without_times_it_is_not_recorded(void **state)
{
    static const struct {
        int64_t started, ended;
        enum tracker_state in;
        const char *why;
    } cases[] = {
        {5, START, TRACKER_FINISHED, "its start is not known"},
        {NOW + 1, NOW + 2, TRACKER_FINISHED, "its start is not known"},
        {START, -1, TRACKER_RUNNING, "still running: import again when it is over"},
        {START, -1, TRACKER_FAILED, "its end is not known"},
        {START, START - 1, TRACKER_FAILED, "it ends before it starts"},
        {START, NOW + 1, TRACKER_FAILED, "it ends in the future"},
    };
    struct tracker_end end;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct tracker_run run = run_at(cases[i].started, cases[i].ended);

        run.state = cases[i].in;
        assert_string_equal(tracker_end_of(&run, NOW, &end), cases[i].why);
    }
}

static void a_run_is_inside_another_to_the_second(void **state)
{
    struct arena arena = test_arena();
    struct tracker_spans spans = tracker_spans_in(&arena);
    struct tracker_run outer = run_at(START, START + 10000);
    struct tracker_end end = {.ended_ms = START + 10000};
    struct error err = {0};
    const struct tracker_span *known;

    (void)state;
    assert_true(tracker_spans_add(&spans, &outer, &end, &err));
    assert_null(tracker_spans_find(&spans, STR("other")));
    known = tracker_spans_find(&spans, STR("ab12"));
    assert_non_null(known);
    assert_true(tracker_span_holds(known, (struct tracker_span){START, START + 10000}));
    assert_true(tracker_span_holds(known, (struct tracker_span){START - 999, START + 10999}));
    assert_false(tracker_span_holds(known, (struct tracker_span){START - 1000, START + 1}));
    assert_false(tracker_span_holds(known, (struct tracker_span){START, START + 11000}));
    arena_free(&arena);
}

static void an_identity_holds_for_one_run_only(void **state)
{
    struct arena arena = test_arena();
    struct tracker_run run = run_at(START, START + 1);
    struct error err = {0};
    struct str out;

    (void)state;
    run.project = STR("ads");
    assert_true(tracker_identity("mlflow", &run, run.id, &arena, &out, &err));
    assert_str_equal(out, "mlflow:ab12");
    assert_true(tracker_identity("wandb", &run, run.id, &arena, &out, &err));
    assert_str_equal(out, "wandb:ads/ab12");
    assert_true(tracker_identity("wandb", &run, STR("ab12cd34"), &arena, &out, &err));
    assert_str_equal(out, "wandb:ab12cd34");
    assert_true(tracker_identity("wandb", &run, (struct str){0}, &arena, &out, &err));
    assert_str_equal(out, "wandb:ads/bert@1793527200");
    arena_free(&arena);
}

static void facts_and_tags_are_kept_and_the_last_of_a_key_counts(void **state)
{
    struct arena arena = test_arena();
    struct tracker_run run = run_at(START, START + 1);
    struct tracker_end end = {.assumed = "the last sign of it"};
    struct str more[] = {STR("team=vision"), STR("cost=low")};
    struct error err = {0};
    struct strs out;

    (void)state;
    run.project = STR("ads");
    run.state = TRACKER_UNKNOWN;
    run.deleted = true;
    run.params[run.param_count++] = STR("lr=0.1");
    run.tags[run.tag_count++] = STR("team=nlp");
    assert_true(tracker_facts("wandb", &run, &end, &arena, &out, &err));
    assert_int_equal(out.len, 5);
    assert_str_equal(out.at[0], "wandb_run=ab12");
    assert_str_equal(out.at[1], "deleted=yes");
    assert_str_equal(out.at[2], "state=unknown");
    assert_str_equal(out.at[3], "end=last sign");
    assert_str_equal(out.at[4], "param.lr=0.1");
    assert_true(tracker_tags("mlflow", &run, (struct strs){more, 2}, &arena, &out, &err));
    assert_int_equal(out.len, 3);
    assert_str_equal(out.at[0], "experiment=ads");
    assert_str_equal(out.at[1], "team=vision");
    assert_str_equal(out.at[2], "cost=low");
    arena_free(&arena);
}

int group_past(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_recorded_computed_or_the_last_sign),
        cmocka_unit_test(without_times_it_is_not_recorded),
        cmocka_unit_test(a_run_is_inside_another_to_the_second),
        cmocka_unit_test(an_identity_holds_for_one_run_only),
        cmocka_unit_test(facts_and_tags_are_kept_and_the_last_of_a_key_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
