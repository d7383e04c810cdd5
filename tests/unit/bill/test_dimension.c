#include "test.h"

#include "bill/dimension.h"

static const char *tag(const char *key)
{
    enum dimension d = dimension_of_tag(str_from(key));

    return d == DIMENSION_COUNT ? "none" : dimension_name(d);
}

static void dimension_is_found_in_any_spelling(void **state)
{
    (void)state;
    assert_string_equal(dimension_name(DIMENSION_cost_center), "cost_center");
    for (int d = 0; d < DIMENSION_COUNT; d++)
        assert_int_equal(dimension_find(str_from(dimension_name((enum dimension)d))), d);
    assert_int_equal(dimension_find(STR("cost-center")), DIMENSION_cost_center);
    assert_int_equal(dimension_find(STR("Team")), DIMENSION_team);
    assert_int_equal(dimension_find(STR("sub-account")), DIMENSION_sub_account);
    assert_int_equal(dimension_find(STR("SubAccount")), DIMENSION_sub_account);
    assert_int_equal(dimension_find(STR("instance type")), DIMENSION_instance);
    assert_int_equal(dimension_find(STR("env")), DIMENSION_environment);
    assert_int_equal(dimension_find(STR("taem")), DIMENSION_COUNT);
    assert_int_equal(dimension_find(STR("")), DIMENSION_COUNT);
    assert_int_equal(dimension_find((struct str){0}), DIMENSION_COUNT);
    assert_int_equal(dimension_find(STR("---")), DIMENSION_COUNT);
}

static void keys_are_known_in_every_spelling(void **state)
{
    static const struct {
        const char *key, *means;
    } cases[] = {
        {"CostCenter", "cost_center"},
        {"cost-centre", "cost_center"},
        {"cost_center", "cost_center"},
        {"Cost Centre", "cost_center"},
        {"user:cost_center", "cost_center"},
        {"user_cost_center", "cost_center"},
        {"resourceTags/user:CostCenter", "cost_center"},
        {"Finance.CostCentre", "cost_center"},
        {"Kostenstelle", "cost_center"},
        {"user:team", "team"},
        {"labels/team", "team"},
        {"k8s-label/team", "team"},
        {"example.com/Team", "team"},
        {"acme:org:team", "team"},
        {" team ", "team"},
        {"Env", "environment"},
        {"ENVIRONMENT", "environment"},
        {"stage", "environment"},
        {"Owner", "owner"},
        {"owner-email", "owner"},
        {"project_id", "project"},
        {"experiment", "experiment"},
        {"model-name", "model"},
        {"Phase", "phase"},
        {"tag:Phase", "phase"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_string_equal(tag(cases[i].key), cases[i].means);
}

static void other_keys_mean_nothing(void **state)
{
    static const char *const keys[] = {
        "aws:createdBy",
        "resourceTags/aws:createdBy",
        "aws:project",
        "goog-k8s-cluster-name",
        "goog-owner",
        "hidden-link:team",
        "Oracle-Tags.CreatedBy",
        "ml_project",
        "teams-used",
        "steam",
        "region",
        "gpu",
        "instance",
        "service",
        "",
        ":",
        "user:",
        "user_",
        "user_region",
        "team/",
        "t\303\251am",
        "a-very-long-key-that-is-certainly-not-the-name-of-any-team",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        assert_string_equal(tag(keys[i]), "none");
}

static void values_are_read_from_an_object(void **state)
{
    struct buf scratch = buf_new(&alloc_system, 1 << 20);
    struct dimensions out = {0};

    (void)state;
    assert_true(dimensions_from_tags(
        STR("{\"user:Team\":\"n\\u00fcp "
            "\\\"A\\\"\",\"cost-center\":4711,\"x\":{\"team\":\"no\"},"
            "\"Owner\":[\"a\"],\"env\":true,\"stage\":\"dev\",\"phase\":null,\"model\":\"\","
            "\"model_name\":\" llama \"}"),
        &out, &scratch));
    assert_str_equal(out.of[DIMENSION_team], "n\xc3\xbcp \"A\"");
    assert_str_equal(out.of[DIMENSION_cost_center], "4711");
    assert_str_equal(out.of[DIMENSION_environment], "true");
    assert_str_equal(out.of[DIMENSION_model], "llama");
    assert_int_equal(out.of[DIMENSION_owner].len, 0);
    assert_int_equal(out.of[DIMENSION_phase].len, 0);
    assert_int_equal(out.of[DIMENSION_service].len, 0);
    buf_free(&scratch);
}

static void plainest_key_wins(void **state)
{
    struct buf scratch = buf_new(&alloc_system, 1 << 20);
    struct dimensions out = {0};

    (void)state;
    assert_true(dimensions_from_tags(
        STR("{\"team_id\":\"42\",\"acme:team\":\"x\",\"Team\":\"nlp\",\"team\":\"later\"}"),
        &out, &scratch));
    assert_str_equal(out.of[DIMENSION_team], "nlp");
    buf_free(&scratch);
}

/* Tags of a line may come in two objects: values of the first stay valid when the buffer
 * moves. */
static void earlier_values_stay(void **state)
{
    struct buf scratch = buf_new(&alloc_system, 1 << 20), json = scratch;
    struct dimensions out = {.of[DIMENSION_project] = STR("from elsewhere")};
    const char *first;

    (void)state;
    assert_true(dimensions_from_tags(STR("{\"team\":\"nlp\"}"), &out, &scratch));
    first = out.of[DIMENSION_team].at;
    buf_adds(&json, "{\"team\":\"other\",\"project\":\"p\",\"owner\":\"");
    buf_pad(&json, 'o', 5000);
    buf_adds(&json, "\"}");
    assert_true(dimensions_from_tags(buf_text(&json), &out, &scratch));
    assert_str_equal(out.of[DIMENSION_team], "nlp");
    assert_ptr_not_equal(out.of[DIMENSION_team].at, first);
    assert_str_equal(out.of[DIMENSION_project], "from elsewhere");
    assert_int_equal(out.of[DIMENSION_owner].len, 5000);
    assert_int_equal(out.of[DIMENSION_owner].at[4999], 'o');
    buf_free(&scratch);
    buf_free(&json);
}

static void bad_objects_are_reported(void **state)
{
    static const char *const texts[] = {
        "",
        "[]",
        "\"team\"",
        "{\"team\":\"nlp\"",
        "{\"team\" \"nlp\"}",
        "{'team': 'nlp'}",
        "{team:1}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct buf scratch = buf_new(&alloc_system, 1 << 20);
        struct dimensions out = {.of[DIMENSION_owner] = STR("me")};

        assert_false(dimensions_from_tags(str_from(texts[i]), &out, &scratch));
        assert_str_equal(out.of[DIMENSION_owner], "me");
        buf_free(&scratch);
    }
}

static void memory_may_run_out(void **state)
{
    size_t allow;

    (void)state;
    for (allow = 0; allow < 20; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf scratch = buf_new(&alloc, 1 << 20);
        struct dimensions out = {0};
        bool ok =
            dimensions_from_tags(STR("{\"team\":\"\\u00fc\",\"owner\":\"b\"}"), &out, &scratch);

        buf_free(&scratch);
        assert_int_equal(failing.held, 0);
        if (ok)
            break;
    }
    assert_in_range(allow, 2, 10);
}

static void tags_are_keys_and_values(void **state)
{
    struct str good[] = {STR("team=nlp"), STR("place="), STR("teams=cv")};
    struct str twice[] = {STR("team=nlp"), STR("x=1"), STR("team=cv")};
    struct str bare = STR("team"), nameless = STR("=nlp");
    struct error err = {0};

    (void)state;
    assert_true(tags_check((struct strs){good, ARRAY_LEN(good)}, &err));
    assert_false(tags_check((struct strs){twice, ARRAY_LEN(twice)}, &err));
    assert_string_equal(err.text, "--tag: 'team' is given twice");
    twice[2] = STR("Team=cv");
    assert_false(tags_check((struct strs){twice, ARRAY_LEN(twice)}, &err));
    assert_false(tags_check((struct strs){&bare, 1}, &err));
    assert_string_equal(err.text, "--tag: 'team' is not a key and a value");
    assert_false(tags_check((struct strs){&nameless, 1}, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void tags_name_a_team_in_any_spelling(void **state)
{
    static const struct {
        const char *tags[2];
        bool only, named;
    } cases[] = {
        {{"team=nlp", "x=cv"}, true, true},
        {{"Team=NLP", "x=cv"}, true, true},
        {{"a=b", "x=cv"}, true, false},
        {{"acme:team=nlp", "x=cv"}, true, false},
        {{"team=nlp", "acme:team=cv"}, false, false},
        {{"TEAM=cv", "team=nlp"}, false, false},
        {{"t-eam=cv", "x=1"}, false, false},
        {{"team=", "x=1"}, false, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str tags[] = {str_from(cases[i].tags[0]), str_from(cases[i].tags[1])};
        bool named, only = tags_only_team((struct strs){tags, 2}, STR("nlp"), &named);

        assert_int_equal(only, cases[i].only);
        if (only)
            assert_int_equal(named, cases[i].named);
    }
}

int group_dimension(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimension_is_found_in_any_spelling),
        cmocka_unit_test(keys_are_known_in_every_spelling),
        cmocka_unit_test(other_keys_mean_nothing),
        cmocka_unit_test(values_are_read_from_an_object),
        cmocka_unit_test(plainest_key_wins),
        cmocka_unit_test(earlier_values_stay),
        cmocka_unit_test(bad_objects_are_reported),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(tags_are_keys_and_values),
        cmocka_unit_test(tags_name_a_team_in_any_spelling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
