/* Expressions, and rules of users. */
#include "advise_world.h"

#include <string.h>

#include "advise/rules/custom.h"
#include "advise/rules/expression.h"

static struct advise_work facts_of_work;

static const struct advise_work *some_work(void)
{
    struct error err = {0};

    assert_true(fields_reset(&advise_work_fields, &facts_of_work, &arena, &err));
    facts_of_work.cost = usd_from(100);
    facts_of_work.part[PART_IDLE] = usd_from(20);
    facts_of_work.part[PART_DATA] = usd_from(0);
    facts_of_work.utilization = 0.25;
    facts_of_work.runs = 8;
    facts_of_work.time = span_hours(4);
    facts_of_work.rate = (usd_per_hour){INT64_C(2500000000)};
    facts_of_work.memory_peak = (bytes){UINT64_C(20000000000)};
    facts_of_work.market = STR("on-demand");
    facts_of_work.checkpoints = true;
    return &facts_of_work;
}

static struct expression_value value(const char *text)
{
    const struct expression *e;
    struct error err = {0};

    if (!expression_parse(str_from(text), &advise_work_fields, &arena, &e, &err))
        fail_msg("%s: %s", text, err.text);
    return expression_value(e, some_work());
}

static void formulas_are_computed(void **state)
{
    static const struct {
        const char *text;
        double number;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"7 - 2 - 1", 4},
        {"8 / 2 / 2", 2},
        {"-2 * -3", 6},
        {"30%", 0.3},
        {"idle_cost * 0.5", 10},
        {"idle_cost / cost", 0.2},
        {"rate * machine_time", 10},
        {"2.5usd / 30min * 1h", 5},
        {"min(idle_cost, 5usd, cost)", 5},
        {"max(1, 2, runs)", 8},
        {"memory_peak / 1GB", 20},
        {"1d / 1h", 24},
        {"cost * (1 - utilization)", 75},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct expression_value v = value(cases[i].text);

        assert_int_equal(v.state, VALUE_KNOWN);
        assert_near(v.number, cases[i].number, 1e-9);
    }
}

static void conditions_are_decided(void **state)
{
    static const struct {
        const char *text;
        bool truth;
    } cases[] = {
        {"cost > 10usd and utilization < 30%", true},
        {"cost > 10usd and not (utilization < 30%)", false},
        {"cost <= 100usd or false", true},
        {"market == \"on-demand\" and market != 'spot'", true},
        {"checkpoints == true and not false", true},
        {"machine_time >= 240min", true},
        {"machine_time > 4h", false},
        /* what is not known does not matter here */
        {"slowdown > 2 and false", false},
        {"true or slowdown > 2", true},
        {"1 / data_cost > 1 / 1usd or true", true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct expression_value v = value(cases[i].text);

        assert_int_equal(v.state, VALUE_KNOWN);
        assert_int_equal(v.truth, cases[i].truth);
    }
}

static void what_is_not_known_stays_unknown(void **state)
{
    (void)state;
    assert_int_equal(value("slowdown * 2").state, VALUE_UNKNOWN);
    assert_int_equal(value("slowdown > 2 and true").state, VALUE_UNKNOWN);
    assert_int_equal(value("not (slowdown > 2)").state, VALUE_UNKNOWN);
    assert_int_equal(value("cost / data_cost").state, VALUE_DIVIDED);
    assert_int_equal(value("cost / data_cost > 1").state, VALUE_DIVIDED);
}

static void assert_refused(const char *text, const char *why)
{
    const struct expression *e;
    struct error err = {0};

    assert_false(expression_parse(str_from(text), &advise_work_fields, &arena, &e, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_str_equal(str_from(err.text), why);
}

static void mistakes_are_placed(void **state)
{
    (void)state;
    assert_refused("", "there is no number, fact or '(' at character 1 of ''");
    assert_refused("cost >", "there is no number, fact or '(' at character 7 of 'cost >'");
    assert_refused("cots > 1usd", "there is no fact 'cots'");
    assert_refused("cost > 5",
                   "cannot compare dollars and a number at character 6 of 'cost > 5'");
    assert_refused("cost + machine_time",
                   "cannot add dollars and a time at character 6 of 'cost + machine_time'");
    assert_refused("market > \"a\"",
                   "cannot compare a text and a text at character 8 of 'market > \"a\"'");
    assert_refused("runs and true",
                   "cannot join a number and true or false at character 6 of 'runs and true'");
    assert_refused("(runs", "there is no ')' at character 6 of '(runs'");
    assert_refused("runs runs", "there is something else at character 6 of 'runs runs'");
    assert_refused("5kg", "there is an unknown unit at character 2 of '5kg'");
    assert_refused("market == \"spot",
                   "there is a text without its second quote at character 11 of 'market == "
                   "\"spot'");
    assert_refused("1.2.3", "there is no number at character 1 of '1.2.3'");
    assert_refused("-market", "only a number can be negated at character 1 of '-market'");
    assert_refused("not runs", "'not' needs a condition at character 1 of 'not runs'");
}

static void expressions_are_bounded(void **state)
{
    char text[EXPRESSION_LENGTH + 2];
    const struct expression *e;
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = '(';
    assert_false(expression_parse((struct str){text, sizeof text}, &advise_work_fields, &arena,
                                  &e, &err));
    assert_str_equal(str_from(err.text), "the expression has more than 1000 characters");
    assert_false(
        expression_parse((struct str){text, 500}, &advise_work_fields, &arena, &e, &err));
    assert_non_null(strstr(err.text, "nested too deeply"));
    for (size_t i = 0; i < 900; i++)
        text[i] = i % 2 == 0 ? '1' : '+';
    assert_false(
        expression_parse((struct str){text, 899}, &advise_work_fields, &arena, &e, &err));
    assert_str_equal(str_from(err.text), "the expression has more than 200 parts");
    for (size_t i = 0; i < 900; i++)
        text[i] = '-';
    assert_false(
        expression_parse((struct str){text, 899}, &advise_work_fields, &arena, &e, &err));
}

/* ---- rules ---- */

#define HEAD "rules:\n  - name: night\n    title: stop at night\n    action: ask about {name}\n"

static struct strs notes;

static const struct finding *apply_custom(const char *yaml)
{
    struct custom_rules rules;
    struct error err = {0};

    if (!custom_rules_read(str_from(yaml), "rules.yaml", &arena, &rules, &err))
        fail_msg("%s", err.text);
    found = (struct findings){.arena = &arena};
    assert_true(custom_rules_apply(&rules, &facts, &found, &notes, &err));
    return finding_of("night");
}

/* Two runs of an hour at $2, half of it idle. */
static void idle_runs(void)
{
    for (int i = 0; i < 2; i++)
        spend_on(add_run("bert", 1), PART_IDLE, 1);
    make_works(3);
}

static void a_rule_of_the_user_is_applied(void **state)
{
    const struct finding *f;

    (void)state;
    idle_runs();
    f = apply_custom(HEAD
                     "    when: idle_cost >= 2usd\n    savings: idle_cost * 0.5\n"
                     "    low: idle_cost * 0.25\n    evidence: '{runs} runs, {idle_cost}'\n"
                     "    effort: minutes\n    acts_on: [idle]\n");
    assert_saves(f, 1.5, 3, 3); /* three periods a month */
    assert_str_equal(f->evidence, "2 runs, $2.00");
    assert_str_equal(f->action, "ask about bert");
    assert_int_equal(f->effort, EFFORT_MINUTES);
    assert_int_equal(f->parts, PART_BIT(PART_IDLE));
    assert_null(apply_custom(HEAD "    when: idle_cost > 2usd\n    savings: idle_cost\n"));
    assert_null(apply_custom(HEAD "    when: slowdown > 1\n    savings: idle_cost\n"));
}

static void a_division_by_zero_is_noted(void **state)
{
    (void)state;
    idle_runs();
    assert_null(
        apply_custom(HEAD "    when: true\n    savings: idle_cost * (cost / data_cost)\n"));
    assert_int_equal(notes.len, 1);
    assert_str_equal(notes.at[0], "rule night divides by zero for bert: it is left out there");
}

static void assert_rule_refused(const char *yaml, const char *why)
{
    struct custom_rules rules;
    struct error err = {0};

    assert_false(custom_rules_read(str_from(yaml), "rules.yaml", &arena, &rules, &err));
    assert_str_equal(str_from(err.text), why);
}

static void mistakes_in_rules_are_placed(void **state)
{
    (void)state;
    assert_rule_refused("rules: 3\n",
                        "rules.yaml: there is no list 'rules', or something beside it");
    assert_rule_refused("rules: [3]\n", "rules.yaml:1: a rule has keys: name, title, ...");
    assert_rule_refused(
        HEAD "    when: cost > 5\n    savings: cost\n",
        "rules.yaml:2: when: cannot compare dollars and a number at character 6 "
        "of 'cost > 5'");
    assert_rule_refused(HEAD "    when: cost\n    savings: cost\n",
                        "rules.yaml:2: when: 'cost' is no condition");
    assert_rule_refused(HEAD "    when: true\n    savings: runs\n",
                        "rules.yaml:2: savings: 'runs' is not dollars");
    assert_rule_refused(HEAD "    when: true\n    savings: cost\n    acts_on: [idel]\n",
                        "rules.yaml:2: there is no part 'idel' of costs");
    assert_rule_refused(HEAD "    when: true\n    savings: cost\n    evidence: '{idel}'\n",
                        "rules.yaml:2: there is no fact 'idel'");
    assert_rule_refused("rules:\n  - {name: idle-time, title: x, action: y, when: 'true', "
                        "savings: cost}\n",
                        "rules.yaml:2: there is a built-in rule 'idle-time'");
    assert_rule_refused("rules:\n  - {name: Idle, title: x, action: y, when: 'true', savings: "
                        "cost}\n",
                        "rules.yaml:2: 'Idle' is no name of a rule");
}

int group_custom(void)
{
    const struct CMUnitTest tests[] = {
        world_test(formulas_are_computed),           world_test(conditions_are_decided),
        world_test(what_is_not_known_stays_unknown), world_test(mistakes_are_placed),
        world_test(expressions_are_bounded),         world_test(a_rule_of_the_user_is_applied),
        world_test(a_division_by_zero_is_noted),     world_test(mistakes_in_rules_are_placed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
