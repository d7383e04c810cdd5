#include "policy.h"

#include <string.h>

static void empty_policy_is_valid(void **state)
{
    struct arena arena = test_arena();
    struct dimensions of = {.of = {[DIMENSION_service] = STR("S3")}};
    const struct allocation_policy *p = read_policy("", &arena);

    (void)state;
    assert_int_equal(p->required.len, 0);
    assert_false(p->refuses);
    assert_false(p->shared_count + p->recurring_count > 0);
    policy_apply(p, &(struct subject){.of = &of}, &of);
    assert_int_equal(of.of[DIMENSION_team].len, 0);
    assert_non_null(read_policy("# nothing yet\n", &arena));
    arena_free(&arena);
}

static void required_tags_are_known_in_any_spelling(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p =
        read_policy("required: [team, Cost-Center, team]\nenforce: refuse\n", &arena);

    (void)state;
    assert_int_equal(p->required.len, 2);
    assert_str_equal(p->required.at[0], "team");
    assert_str_equal(p->required.at[1], "cost_center");
    assert_true(p->refuses);
    arena_free(&arena);
}

static const char rules[] = "rules:\n"
                            "- when: {account: '1234*', service: AmazonEC2}\n"
                            "  set: {team: nlp, project: ads}\n"
                            "- {when: {resource: '*train*'}, set: {team: research}}\n"
                            "- {when: {project: ads}, set: {cost_center: '4711'}}\n"
                            "- {when: {tag.app: [bert, gpt*]}, set: {team: language}}\n"
                            "- {when: {description: '*Support*'}, set: {team: platform},"
                            " override: yes}\n"
                            "- {when: {team: ''}, set: {team: unowned}}\n";

static void expect_team(const struct allocation_policy *p, const struct subject *subject,
                        const char *team)
{
    struct dimensions out = *subject->of;

    policy_apply(p, subject, &out);
    assert_str_equal(out.of[DIMENSION_team], team);
}

static void rules_set_what_is_missing_in_their_order(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p = read_policy(rules, &arena);
    struct dimensions ec2 = {
        .of = {[DIMENSION_account] = STR("123456"), [DIMENSION_service] = STR("amazonec2")}};
    struct dimensions other = {.of = {[DIMENSION_account] = STR("99")}}, out = ec2;
    struct dimensions mine = {.of = {[DIMENSION_team] = STR("vision")}};

    (void)state;
    policy_apply(p, &(struct subject){.of = &ec2, .resource = STR("i-train-1")}, &out);
    assert_str_equal(out.of[DIMENSION_team], "nlp"); /* the first that matches */
    assert_str_equal(out.of[DIMENSION_project], "ads");
    assert_str_equal(out.of[DIMENSION_cost_center], "4711"); /* by what a rule set */
    expect_team(p, &(struct subject){.of = &other, .resource = STR("vm/Train")}, "research");
    expect_team(p, &(struct subject){.of = &other}, "unowned");
    expect_team(p, &(struct subject){.of = &mine, .resource = STR("train")}, "vision");
    expect_team(p, &(struct subject){.of = &mine, .description = STR("AWS Support (Business)")},
                "platform"); /* override */
    arena_free(&arena);
}

static void an_account_is_known_by_its_name_or_id(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p =
        read_policy("rules:\n- {when: {account: '1234*'}, set: {team: a}}\n"
                    "- {when: {sub_account: research}, set: {team: b}}\n",
                    &arena);
    struct dimensions of = {
        .of = {
            [DIMENSION_account] = STR("Acme Inc."), [DIMENSION_sub_account] = STR("research")}};

    (void)state;
    expect_team(p, &(struct subject){.of = &of, .account_id = STR("123456")}, "a");
    expect_team(p, &(struct subject){.of = &of, .sub_account_id = STR("123456")}, "b");
    arena_free(&arena);
}

static void bill_tags_are_matched_by_their_own_keys(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p = read_policy(rules, &arena);
    struct dimensions none = {0};
    static const struct {
        const char *tags, *team;
    } cases[] = {
        {"{\"app\":\"bert\"}", "language"},
        {"{\"App\":\"GPT-2\"}", "language"},
        {"{\"user:app\":\"bert\"}", "language"},
        {"{\"labels/app\":\"bert\"}", "language"},
        {"{\"x\":{\"app\":\"bert\"}}", "unowned"},
        {"{\"app\":\"t5\"}", "unowned"},
        {"{\"app\":null}", "unowned"},
        {"not json", "unowned"},
        {"{\"app\":", "unowned"},
        {"", "unowned"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        expect_team(p, &(struct subject){.of = &none, .tags = str_from(cases[i].tags)},
                    cases[i].team);
    arena_free(&arena);
}

static void rule_reports_whether_it_changes_anything(void **state)
{
    struct arena arena = test_arena();
    const struct allocation_policy *p = read_policy(rules, &arena);
    struct dimensions has = {.of = {[DIMENSION_team] = STR("vision")}};
    struct subject train = {.of = &has, .resource = STR("train")};
    bool changes;

    (void)state;
    assert_int_equal(p->rule_count, 6);
    assert_int_equal(p->rules[1].line, 4);
    assert_str_equal(p->rules[0].words,
                     "account=1234*, service=AmazonEC2 -> team=nlp, project=ads");
    assert_str_equal(p->rules[3].words, "tag.app=bert|gpt* -> team=language");
    assert_str_equal(p->rules[4].words, "description=*Support* -> team=platform (override)");
    assert_str_equal(p->rules[5].words, "team=(none) -> team=unowned");
    assert_false(policy_rule_apply(p, 0, &train, &has, &changes));
    assert_true(policy_rule_apply(p, 1, &train, &has, &changes));
    assert_false(changes);
    assert_str_equal(has.of[DIMENSION_team], "vision");
    train.description = STR("Support");
    assert_true(policy_rule_apply(p, 4, &train, &has, &changes));
    assert_true(changes);
    arena_free(&arena);
}

static void mistakes_have_a_line_and_a_suggestion(void **state)
{
    static const struct {
        const char *yaml, *text, *hint;
    } cases[] = {
        {"requird: [team]", "p.yaml:1:1: there is no key 'requird'",
         "did you mean 'required'?"},
        {"required: [taem]", "p.yaml:1:11: there is no tag 'taem'", "did you mean 'team'?"},
        {"required: [service]", "p.yaml:1:11: 'service' is what the provider says, not a tag",
         "tags are team, project"},
        {"enforce: never", "p.yaml:1:10: enforce: 'never' is not one of warn, refuse", ""},
        {"rules: {when: {team: x}}", "p.yaml:1:8: rules: expected a list", "'- '"},
        {"rules:\n- {wehn: {team: x}}", "p.yaml:2:4: there is no key 'wehn'", "'when'"},
        {"rules:\n- {when: {team: x}}", "p.yaml:2:3: the rule sets nothing", "set: {team"},
        {"rules:\n- {when: {servce: x}, set: {team: a}}",
         "p.yaml:2:11: a rule cannot look at 'servce'", "'service'"},
        {"rules:\n- {when: {zzzzzzzz: x}, set: {team: a}}",
         "p.yaml:2:11: a rule cannot look at 'zzzzzzzz'", "tag.zzzzzzzz"},
        {"rules:\n- {when: {team: []}, set: {team: a}}", "p.yaml:2:17: team: the list is empty",
         ""},
        {"rules:\n- {when: [a], set: {team: a}}", "p.yaml:2:10: when: expected keys",
         "when: {"},
        {"rules:\n- {set: {team: }}", "p.yaml:2:10: team: no value to set", ""},
        {"rules:\n- {set: {region: us}}", "p.yaml:2:10: 'region' is what the provider says",
         "tags are"},
        {"rules: [team]", "p.yaml:1:9: expected keys and values", ""},
        {"shared:\n- {when: {charge: Tax}, split: even}", "p.yaml:2:3: 'name' is missing",
         "name in statements"},
        {"shared:\n- {name: a, split: even}", "p.yaml:2:3: shared cost 'a' does not say what",
         "when: {charge: Tax}"},
        {"shared:\n- {name: a, when: {charge: Tax}, split: evenly}",
         "p.yaml:2:41: split: 'evenly'", ""},
        {"shared:\n- {name: a, when: {resource: x}, split: even}",
         "p.yaml:2:20: a shared cost cannot be known by 'resource'", "let a rule set a tag"},
        {"shared:\n- {name: a, when: {charge: Tax}, split: weights}",
         "p.yaml:2:3: shared cost 'a' is split by weights, but has none", "weights: {"},
        {"shared:\n- {name: a, when: {charge: Tax}, split: weights, weights: {x: 0}}",
         "p.yaml:2:63: the weight of 'x' is not a number above zero", "leave out"},
        {"shared:\n- {name: a, when: {charge: Tax}, split: even, weights: {x: 1}}",
         "p.yaml:2:3: shared cost 'a' has weights, but is split by even", "split: weights"},
        {"shared:\n- {name: a, when: {charge: Tax}, split: weights, among: [x],"
         " weights: {x: 1}}",
         "p.yaml:2:3: shared cost 'a': the weights already name", "among"},
        {"shared:\n- {name: a, when: {charge: Tax}, split: even, over: region}",
         "p.yaml:2:3: 'region' is what the provider says", "tags are"},
        {"shared:\n- {name: a, when: {charge: Tax}, split: even}\n"
         "- {name: a, when: {charge: Tax}, split: even}",
         "p.yaml:3:3: there are two shared costs 'a'", ""},
        {"recurring:\n- {name: a, cost: $200, from: 2026-01-01}",
         "p.yaml:2:19: '$200' is not a recurring cost", "$200/month"},
        {"recurring:\n- {name: a, cost: 200/month, from: 2026-01-01}",
         "p.yaml:2:19: '200/month' is not a recurring cost", "$200/month"},
        {"recurring:\n- {name: a, cost: -5usd/month, from: 2026-01-01}",
         "p.yaml:2:19: cost '-5usd/month' is less than nothing", ""},
        {"recurring:\n- {name: a, cost: $2/month, from: 2026-01-32}", "p.yaml:2:35: from", ""},
        {"recurring:\n- {name: a, cost: $2/month}", "p.yaml:2:3: 'from' is missing", "first"},
        {"recurring:\n- {name: a, cost: $2/month, from: 2026-02-01, until: 2026-01-31}",
         "p.yaml:2:3: 'a' ends before it begins", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct arena arena = test_arena();
        struct error err = {0};

        assert_null(policy_read(str_from(cases[i].yaml), "p.yaml", &arena, &err));
        assert_int_equal(err.kind, ERROR_INPUT);
        if (strstr(err.text, cases[i].text) == NULL || strstr(err.hint, cases[i].hint) == NULL)
            fail_msg("%s\ngives: %s\nhint: %s", cases[i].yaml, err.text, err.hint);
        arena_free(&arena);
    }
}

static void out_of_memory_is_reported(void **state)
{
    static const char yaml[] =
        "required: [team]\nrules:\n- {when: {service: [a, b]}, set: {team: a}}\n"
        "shared:\n- {name: s, when: {charge: Tax}, split: weights, weights: {a: 1}}\n"
        "recurring:\n- {name: r, cost: $5/day, from: 2026-01-01, tags: {team: a}}\n";
    size_t allow = 0;

    (void)state;
    for (;; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct error err = {0};
        const struct allocation_policy *p = policy_read(str_from(yaml), "p.yaml", &arena, &err);

        if (p == NULL)
            assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
        if (p != NULL)
            break;
        assert_true(allow < 1000);
    }
    assert_true(allow > 10);
}

int group_policy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_policy_is_valid),
        cmocka_unit_test(required_tags_are_known_in_any_spelling),
        cmocka_unit_test(rules_set_what_is_missing_in_their_order),
        cmocka_unit_test(an_account_is_known_by_its_name_or_id),
        cmocka_unit_test(bill_tags_are_matched_by_their_own_keys),
        cmocka_unit_test(rule_reports_whether_it_changes_anything),
        cmocka_unit_test(mistakes_have_a_line_and_a_suggestion),
        cmocka_unit_test(out_of_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
