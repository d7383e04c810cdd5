/* The reader as a whole, the user's patterns, and JSON. */
#include "metric_lines.h"

#include <stdio.h>
#include <string.h>

#include "base/part.h"
#include "run/output/regex.h"
#include "run/supervise/phase.h"

static void reads_a_line_of_json(void **state)
{
    struct metric_update u;
    struct error err;

    (void)state;
    assert_true(metric_json(
        NULL,
        STR("{\"step\": 10, \"steps\": 100, \"loss\": 2.3, \"val_acc\": 0.7, \"phase\": "
            "\"evaluate\", \"checkpoint\": \"out/ckpt-10\", \"samples\": 512, \"tokens_s\": "
            "9}"),
        &u, &err));
    assert_near(u.step, 10, 0);
    assert_near(u.steps, 100, 0);
    assert_near(u.loss, 2.3, 0);
    assert_near(u.samples, 512, 0);
    assert_near(u.tokens_rate, 9, 0);
    assert_int_equal(u.phase, PHASE_EVALUATE);
    assert_true(u.saved);
    assert_str_equal(u.saved_path, "out/ckpt-10");
    assert_near(metric_value(&u, STR("val_acc")), 0.7, 0);
    assert_true(isnan(metric_value(&u, STR("val_loss"))));
    assert_true(metric_json(NULL, STR("{\"loss\": NaN, \"grad_norm\": -Infinity}"), &u, &err));
    assert_true(u.has_loss && isnan(u.loss));
    assert_true(isinf(metric_value(&u, STR("grad_norm"))));
    assert_true(metric_json(NULL, STR(" {\"loss\": 1e-70, \"x\": 1e80} "), &u, &err));
    assert_near(u.loss, 0, 1e-60);
}

static void every_number_of_a_line_of_json_is_a_metric(void **state)
{
    struct metric_update u;
    struct error err;
    struct buf line = buf_new(&alloc_system, 4096);

    (void)state;
    assert_true(metric_json(NULL,
                            STR("{\"step\": 3, \"epoch\": 1, \"tokens\": 4096, \"rank\": 2,"
                                " \"train/tokens_per_second\": 50, \"loss\": 2, "
                                "\"eval_samples_per_second\": 7}"),
                            &u, &err));
    assert_int_equal(u.named_count, 5); /* all but the step and the epoch */
    assert_near(u.tokens, 4096, 0);
    assert_near(metric_value(&u, STR("tokens")), 4096, 0);
    assert_near(metric_value(&u, STR("train_tokens_per_second")), 50, 0);
    assert_near(metric_value(&u, STR("rank")), 2, 0);
    /* The mean of the run is no loss at its end. */
    assert_true(metric_json(NULL, STR("{\"train_runtime\": 9, \"train_loss\": 2}"), &u, &err));
    assert_false(u.has_loss);
    assert_near(metric_value(&u, STR("train_loss")), 2, 0);
    assert_true(metric_json(NULL, STR("{\"phase\": \"auto\"}"), &u, &err));
    assert_int_equal(u.phase, PHASE_COUNT);
    /* Names are told apart by all of their 63 characters, and a line has room for 32. */
    buf_adds(&line, "{");
    for (int i = 0; i < 40; i++)
        buf_addf(&line, "%s\"completions_mean_terminated_length_of_all_%02d\": %d",
                 i > 0 ? "," : "", i, i);
    buf_adds(&line, "}");
    assert_true(metric_json(NULL, buf_text(&line), &u, &err));
    buf_free(&line);
    assert_int_equal(u.named_count, METRIC_NAMES);
    assert_int_equal(u.unnamed, 8);
    assert_near(metric_value(&u, STR("completions_mean_terminated_length_of_all_31")), 31, 0);
}

/* {"": 1}, as of a Python dictionary with an empty key. */
static void a_number_without_a_name_is_no_metric(void **state)
{
    static const char *const lines[] = {"{\"step\": 10, \"\": -1e300}",
                                        "{\"step\": 10, \"/\": 1, \"-_. \": 2}",
                                        "{'step': 10, '': 1e308}", "step: 10, : 7"};
    struct arena arena = test_arena();
    struct error err = {0};
    struct metric_reader *reader = metric_open((struct strs){0}, &arena, &err);
    struct metric_update u;

    (void)state;
    assert_non_null(reader);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        assert_true(metric_line(reader, str_from(lines[i]), &u));
        assert_near(u.step, 10, 0);
        assert_int_equal(u.named_count, 0);
        if (lines[i][1] != '"')
            continue;
        assert_true(metric_json(reader, str_from(lines[i]), &u, &err));
        assert_int_equal(u.named_count, 0);
    }
    metric_close(reader);
    arena_free(&arena);
}

static void reports_what_is_wrong_with_a_line_of_json(void **state)
{
    static const struct {
        const char *line, *text;
    } cases[] = {
        {"", "column 1: this is not JSON: it begins with no '{'"},
        {"step 3", "column 1: this is not JSON: it begins with no '{'"},
        {"{\"step\": 3", "column 11: this is not JSON: it has no end"},
        {"{'step': 3}", "column 2: this is not JSON: a name in double quotes is missing"},
        {"{\"step\" 3}", "column 9: this is not JSON: a colon is missing"},
        {"{\"step\": x}", "column 11: this is not JSON: a value is missing"},
        {"{\"step\": 3} 4", "column 12: this is not JSON: there is text behind it"},
        {"{\"step\": 3 \"a\": 4}", "column 12: this is not JSON: a comma is missing"},
        {"{\"name\": \"x\"}", "the line has no number with a name"},
        {"{}", "the line has no number with a name"},
        {"{\"\": -1e300}", "the line has no number with a name"},
        {"{\"/\": 1, \" \": {\"\": 2}}", "the line has no number with a name"},
    };
    struct metric_update u;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_false(metric_json(NULL, str_from(cases[i].line), &u, &err));
        assert_string_equal(err.text, cases[i].text);
        assert_int_equal(err.kind, ERROR_INPUT);
    }
}

/* The part may be absent where its library is. */
static void need_part(void)
{
    struct error err;

    if (part_open("regex", REGEX_PART_VERSION, &err) == NULL)
        test_skip("%s", err.text);
}

static struct metric_reader *open_with(const struct str *patterns, size_t count,
                                       struct arena *arena, struct error *err)
{
    return metric_open((struct strs){patterns, count}, arena, err);
}

static void the_users_patterns_name_values(void **state)
{
    const struct str patterns[] = {STR("val_acc=/acc: ([0-9.]+)/"), STR("loss=([0-9.]+)"),
                                   STR("reward"), STR("step=/at ([0-9]+) of/")};
    struct arena arena = test_arena();
    struct metric_reader *reader;
    struct metric_update u;
    struct error err;

    (void)state;
    need_part();
    reader = open_with(patterns, ARRAY_LEN(patterns), &arena, &err);
    assert_non_null(reader);
    assert_true(metric_line(reader, STR("xx acc: 0.75 \033[1mloss=2.5 reward: -1.5e2"), &u));
    assert_near(metric_value(&u, STR("val_acc")), 0.75, 0);
    assert_near(metric_value(&u, STR("reward")), -150, 0);
    assert_near(u.loss, 2.5, 0);
    assert_true(metric_line(reader, STR("at 30 of 90"), &u));
    assert_near(u.step, 30, 0);
    assert_string_equal(u.style, "pattern");
    assert_false(metric_line(reader, STR("rewarded 3"), &u));
    assert_true(metric_line(reader, STR("step 7 loss 1.5"), &u)); /* the styles still count */
    assert_near(u.step, 7, 0);
    assert_null(metric_trouble(reader));
    metric_close(reader);
    arena_free(&arena);
}

/* Without PCRE2, and in lines with nothing else. */
static void a_name_alone_is_looked_for(void **state)
{
    const struct str names[] = {STR("fps"), STR("kl")};
    struct arena arena = test_arena();
    struct metric_reader *reader;
    struct metric_update u;
    struct error err;

    (void)state;
    reader = open_with(names, ARRAY_LEN(names), &arena, &err);
    assert_non_null(reader);
    assert_false(metric_glance(reader, STR("nothing of it")));
    assert_true(metric_line(reader, STR("| Mean FPS 31.5 |"), &u));
    assert_near(metric_value(&u, STR("fps")), 31.5, 0);
    assert_true(metric_line(reader, STR("approx kl = 0.25, loss 3"), &u));
    assert_near(metric_value(&u, STR("kl")), 0.25, 0);
    assert_near(u.loss, 3, 0);
    assert_true(metric_line(reader, STR("{\"kl\": 0.5}"), &u));
    assert_near(metric_value(&u, STR("kl")), 0.5, 0);
    assert_false(metric_line(reader, STR("klm 3 fpsx 4"), &u));
    metric_close(reader);
    arena_free(&arena);
}

static void shows_where_a_pattern_is_wrong(void **state)
{
    static const struct {
        const char *pattern, *text;
    } cases[] = {
        {"loss=([0-9.]+", "the pattern 'loss=([0-9.]+' is wrong at its character 14: missing "
                          "closing parenthesis"},
        {"loss=[0-9.]+", "the pattern 'loss=[0-9.]+' has no group for the value"},
        {"(.*)", "the metric '(.*)' begins with no name"},
        {"x=/*(a)/",
         "the pattern '*(a)' is wrong at its character 1 ('*'): quantifier does not "
         "follow a repeatable item"},
    };
    struct arena arena = test_arena();
    struct error err;

    (void)state;
    need_part();
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct str pattern = str_from(cases[i].pattern);

        assert_null(open_with(&pattern, 1, &arena, &err));
        assert_string_equal(err.text, cases[i].text);
        assert_int_equal(err.kind, ERROR_USAGE);
    }
    arena_free(&arena);
}

/* A pattern whose matching never ends is given up, and reported once. */
static void endless_pattern_is_given_up_and_reported_once(void **state)
{
    const struct str pattern = STR("x=/(a+)+$/");
    struct arena arena = test_arena();
    struct metric_reader *reader;
    struct metric_update u;
    struct error err;
    char line[256];
    const char *trouble;

    (void)state;
    need_part();
    memset(line, 'a', sizeof line);
    line[sizeof line - 1] = '!';
    reader = open_with(&pattern, 1, &arena, &err);
    assert_non_null(reader);
    for (int i = 0; i < 20000; i++)
        assert_false(metric_line(reader, (struct str){line, sizeof line}, &u));
    trouble = metric_trouble(reader);
    assert_non_null(trouble);
    assert_string_equal(trouble, "x");
    assert_null(metric_trouble(reader));
    metric_close(reader);
    arena_free(&arena);
}

static void opening_survives_a_lack_of_memory(void **state)
{
    const struct str pattern = STR("loss=([0-9.]+)");
    struct error err;

    (void)state;
    need_part();
    for (size_t allow = 0; allow < 40; allow++) {
        struct failing_alloc failing = {.allow = allow};
        const struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct metric_reader *reader = open_with(&pattern, 1, &arena, &err);

        if (reader == NULL)
            assert_int_equal(err.kind, ERROR_MEMORY);
        metric_close(reader);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        if (reader != NULL) {
            assert_true(allow > 4);
            return;
        }
    }
    fail_msg("%s", "it never had enough memory");
}

static void quick_check_misses_no_sign(void **state)
{
    struct arena arena = test_arena();
    struct metric_reader *reader = reader_new(&arena);
    char far[300];

    (void)state;
    assert_false(metric_glance(reader, STR("")));
    assert_false(metric_glance(reader, STR("GET /index.html 200\nGET /a 404\n")));
    assert_false(metric_glance(reader, STR("value of an item: accelerate, possible, it is")));
    assert_true(metric_glance(reader, STR("nothing here\nLOSS 3\n")));
    assert_true(metric_glance(reader, STR("5%|")));
    assert_true(metric_glance(reader, STR("acc")));
    for (size_t at = 0; at + 5 < sizeof far; at++) { /* wherever it is */
        memset(far, '.', sizeof far);
        (void)memcpy(far + at, "Loss.", 5);
        assert_true(metric_glance(reader, (struct str){far, sizeof far}));
        assert_true(metric_glance(reader, (struct str){far, at + 4}));
        assert_false(metric_glance(reader, (struct str){far, at + 3}));
    }
    metric_close(reader);
    arena_free(&arena);
}

static void a_flood_is_read_in_part(void **state)
{
    struct metric_allowance a = {.begun = false};
    int read = 0;

    (void)state;
    for (int i = 0; i < 1000000; i++) /* in two seconds */
        read += metric_allows(&a, (instant){INT64_C(5000000000) + i * INT64_C(2000)});
    assert_in_range(read, 2990, 3001);
    assert_true(metric_allows(&a, (instant){0})); /* a clock that goes back */
}

static void missing_names_are_reported(void **state)
{
    const struct str patterns[] = {STR("nosuch"), STR("val_loss"), STR("gone=/gone ([0-9]+)/"),
                                   STR("loss=/loss ([0-9.]+)/")};
    struct arena arena = test_arena();
    struct error err;
    struct metric_reader *reader =
        metric_open((struct strs){patterns, ARRAY_LEN(patterns)}, &arena, &err);
    struct buf text = buf_new(&alloc_system, 1024);
    const char *unmatched[METRIC_USER];
    struct metric_update u;

    (void)state;
    assert_non_null(reader);
    assert_true(metric_missing(reader, STR("nosuch")));
    assert_int_equal(metric_unmatched(reader, unmatched), 2);
    assert_true(metric_line(reader, STR("step 1 loss 2.5 val_loss 2.5"), &u));
    assert_false(metric_line(reader, STR("nothing of interest"), &u));
    assert_true(metric_json(reader, STR("{\"reward\": 2}"), &u, &err));
    assert_int_equal(metric_updates(reader), 2);
    assert_true(metric_missing(reader, STR("nosuch")));
    assert_false(metric_missing(reader, STR("val_loss")));
    assert_int_equal(metric_unmatched(reader, unmatched), 1);
    assert_string_equal(unmatched[0], "gone");
    metric_seen(reader, &text);
    assert_str_equal(buf_text(&text), "loss, val_loss, reward");
    for (int i = 0; i < 100; i++) { /* however many names there are */
        char line[64];

        (void)snprintf(line, sizeof line, "{\"name%d\": 1}", i);
        assert_true(metric_json(reader, str_from(line), &u, &err));
    }
    buf_clear(&text);
    metric_seen(reader, &text);
    assert_true(str_ends(buf_text(&text), STR("name12, ...")));
    buf_free(&text);
    metric_close(reader);
    arena_free(&arena);
}

int group_metric(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_line_of_json),
        cmocka_unit_test(every_number_of_a_line_of_json_is_a_metric),
        cmocka_unit_test(a_number_without_a_name_is_no_metric),
        cmocka_unit_test(reports_what_is_wrong_with_a_line_of_json),
        cmocka_unit_test(the_users_patterns_name_values),
        cmocka_unit_test(a_name_alone_is_looked_for),
        cmocka_unit_test(shows_where_a_pattern_is_wrong),
        cmocka_unit_test(endless_pattern_is_given_up_and_reported_once),
        cmocka_unit_test(opening_survives_a_lack_of_memory),
        cmocka_unit_test(quick_check_misses_no_sign),
        cmocka_unit_test(a_flood_is_read_in_part),
        cmocka_unit_test(missing_names_are_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
