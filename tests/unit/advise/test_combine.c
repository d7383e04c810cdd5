/* Findings that go together: compared with trying every subset. */
#include "test.h"

#include "advise/rules/finding.h"
#include "base/draw.h"

static struct arena arena;
static struct finding list_at[16];
static struct findings list;
static struct advise_total total;

static const struct advise_money nothing;

/* Of the subject's parts it saves this much. */
static void add(size_t about, enum advise_lever lever, unsigned parts, double acts_on,
                double saving)
{
    list_at[list.count++] = (struct finding){.rule = STR("rule"),
                                             .lever = lever,
                                             .about = about,
                                             .parts = parts,
                                             .acts_on = acts_on,
                                             .saving = usd_from(saving),
                                             .saving_low = usd_from(saving / 2),
                                             .saving_high = usd_from(saving * 1.25)};
}

static void combine(const struct advise_money *money, size_t subjects,
                    const struct advise_money *rest)
{
    struct error err = {0};

    list.arena = &arena;
    list.at = list_at;
    findings_sort(&list);
    assert_true(findings_combine(&list, money, subjects, rest, &total, &err));
}

static int start(void **state)
{
    (void)state;
    list = (struct findings){0};
    arena = test_arena();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static double adds_in_all(void)
{
    double sum = 0;

    for (size_t i = 0; i < list.count; i++)
        sum += usd_double(list_at[i].adds);
    return sum;
}

/* $60 of steps, $40 idle. */
static const struct advise_money half = {.part = {[PART_TRAIN] = 60, [PART_IDLE] = 40}};

static void different_parts_add_up(void **state)
{
    (void)state;
    add(0, LEVER_IDLE, PART_BIT(PART_IDLE), 40, 30);
    add(0, LEVER_KERNELS, PART_BIT(PART_TRAIN), 60, 15);
    combine(&half, 1, &nothing);
    assert_near(usd_double(total.saving), 45, 1e-9);
    assert_near(usd_double(total.spent), 100, 1e-9);
    assert_near(total.share, 0.45, 1e-12);
    assert_int_equal(total.findings, 2);
}

/* 30 % off everything, and then idle time at that price: 30 + 30 x 0.7. */
static void the_same_part_is_never_saved_twice(void **state)
{
    (void)state;
    add(0, LEVER_IDLE, PART_BIT(PART_IDLE), 40, 30);
    add(0, LEVER_MACHINE, PARTS_MACHINE, 100, 30);
    combine(&half, 1, &nothing);
    assert_near(usd_double(total.saving), 51, 1e-9);
    /* low: half of both: 15 + 15 x 0.85; high: 37.5 + 37.5 x 0.625 */
    assert_near(usd_double(total.saving_low), 27.75, 1e-9);
    assert_near(usd_double(total.saving_high), 60.9375, 1e-9);
    assert_near(adds_in_all(), 51, 1e-9);
}

static void one_of_each_lever_is_chosen(void **state)
{
    (void)state;
    add(0, LEVER_MACHINE, PARTS_MACHINE, 100, 20);
    add(0, LEVER_MACHINE, PARTS_MACHINE, 100, 35);
    combine(&half, 1, &nothing);
    assert_near(usd_double(total.saving), 35, 1e-9);
    assert_int_equal(total.findings, 1);
    assert_true(list_at[0].chosen);
    assert_false(list_at[1].chosen);
    assert_int_equal(list_at[1].adds.nano, 0);
}

/* Spot for one work, a commitment for all else: 50 of the first, 25 % of the second and of what
 * is in no work. */
static void a_finding_about_everything_leaves_out_what_has_its_lever(void **state)
{
    const struct advise_money money[] = {{.part = {[PART_TRAIN] = 100}},
                                         {.part = {[PART_TRAIN] = 200}}};
    const struct advise_money rest = {.part = {[PART_TRAIN] = 20}};

    (void)state;
    add(0, LEVER_MACHINE, PARTS_MACHINE, 100, 50);
    add(SUBJECT_ALL, LEVER_MACHINE, PARTS_MACHINE, 320, 80);
    combine(money, 2, &rest);
    assert_near(usd_double(total.saving), 50 + 50 + 5, 1e-9);
    assert_int_equal(total.findings, 2);
    assert_near(adds_in_all(), 105, 1e-9);
}

/* A commitment for the second alone: the first keeps its own, undiminished, and so does what is
 * of no subject. Idle time of the second is saved first: it adds its 60 of 200 of the 150
 * left. */
static void a_finding_about_some_subjects_leaves_the_others_alone(void **state)
{
    const struct advise_money money[] = {{.part = {[PART_TRAIN] = 60, [PART_IDLE] = 40}},
                                         {.part = {[PART_TRAIN] = 150, [PART_IDLE] = 50}}};
    const struct advise_money rest = {.part = {[PART_TRAIN] = 20}};
    static const double by_subject[] = {0, 60, 0};

    (void)state;
    add(SUBJECT_ALL, LEVER_MACHINE, PARTS_MACHINE, 320, 60);
    list_at[0].by_subject = by_subject;
    add(0, LEVER_IDLE, PART_BIT(PART_IDLE), 40, 40);
    add(1, LEVER_IDLE, PART_BIT(PART_IDLE), 50, 50);
    combine(money, 2, &rest);
    assert_near(usd_double(total.saving), 40 + 60 + 50 * 0.7, 1e-9);
    assert_near(usd_double(total.spent), 320, 1e-9);
    assert_near(adds_in_all(), 135, 1e-9);
    assert_near(usd_double(list_at[0].adds), 45, 1e-9);
    assert_near(usd_double(list_at[1].adds), 50, 1e-9);
}

/* What may save nothing is in no total. */
static void what_may_save_nothing_is_not_chosen(void **state)
{
    const struct advise_money money[] = {{.part = {[PART_TRAIN] = 60, [PART_IDLE] = 40}}};

    (void)state;
    add(0, LEVER_MACHINE, PARTS_USEFUL, 60, 50);
    add(0, LEVER_IDLE, PART_BIT(PART_IDLE), 40, 30);
    list_at[0].saving_low = usd_from(0.4);
    list_at[0].possible = finding_is_possible(&list_at[0]);
    combine(money, 1, &nothing);
    assert_near(usd_double(total.saving), 30, 1e-9);
    assert_false(list_at[0].chosen);
    assert_int_equal(total.findings, 1);
}

/* Volumes and objects are both storage, and different money: one does not exclude the other. */
static void the_same_lever_on_other_parts_adds_up(void **state)
{
    const struct advise_money rest = {.part = {[PART_VOLUMES] = 30, [PART_OBJECTS] = 50}};

    (void)state;
    add(SUBJECT_ALL, LEVER_STORAGE, PART_BIT(PART_VOLUMES), 30, 30);
    add(SUBJECT_ALL, LEVER_STORAGE, PART_BIT(PART_OBJECTS), 50, 20);
    combine(&nothing, 1, &rest);
    assert_near(usd_double(total.saving), 50, 1e-9);
    assert_near(adds_in_all(), 50, 1e-9);
}

static void dismissed_findings_are_not_chosen(void **state)
{
    (void)state;
    add(0, LEVER_IDLE, PART_BIT(PART_IDLE), 40, 30);
    list_at[0].state = FINDING_DISMISSED;
    combine(&half, 1, &nothing);
    assert_int_equal(total.saving.nano, 0);
    assert_int_equal(total.findings, 0);
}

static void nothing_spent_is_nothing_saved(void **state)
{
    (void)state;
    combine(&half, 0, &nothing);
    assert_int_equal(total.spent.nano, 0);
    assert_true(isnan(total.share));
}

/* ---- brute force ---- */

#define FINDINGS 9

/* What a subset of the findings leaves; NaN when two of them exclude each other. */
static double left_with(const struct advise_money *money, unsigned subset)
{
    struct advise_money left = *money;
    unsigned levers = 0;

    for (size_t i = 0; i < FINDINGS; i++) {
        const struct finding *f = &list_at[i];

        if ((subset & 1u << i) == 0)
            continue;
        if ((levers & 1u << f->lever) != 0)
            return NAN;
        levers |= 1u << f->lever;
        for (unsigned p = 0; p < ADVISE_PARTS; p++)
            if ((f->parts & PART_BIT(p)) != 0)
                left.part[p] *= 1 - usd_double(f->saving) / f->acts_on;
    }
    return advise_money_sum(&left, PARTS_ALL);
}

static void the_choice_is_that_of_trying_all_subsets(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct advise_money money = {{0}};
        double least = INFINITY;

        list.count = 0;
        for (int p = 0; p < ADVISE_PARTS; p++)
            money.part[p] = (double)draw_below(&seed, 100);
        money.part[PART_TRAIN] += 1;
        for (size_t i = 0; i < FINDINGS; i++) {
            unsigned parts = (unsigned)draw_below(&seed, PARTS_ALL) | PART_BIT(PART_TRAIN);
            size_t lever = draw_below(&seed, 4);
            double acts_on = advise_money_sum(&money, parts);
            double share = (double)(1 + draw_below(&seed, 90)) / 100;

            add(0, (enum advise_lever)lever, parts, acts_on, acts_on * share);
        }
        combine(&money, 1, &nothing);
        for (unsigned subset = 0; subset < 1u << FINDINGS; subset++)
            least = fmin(least, left_with(&money, subset));
        assert_near(usd_double(total.saving), advise_money_sum(&money, PARTS_ALL) - least,
                    1e-6);
        assert_near(adds_in_all(), usd_double(total.saving), 1e-6);
        assert_true(total.saving_low.nano <= total.saving.nano);
        assert_true(total.saving_high.nano >= total.saving.nano);
    }
}

static void memory_that_runs_out_is_an_error(void **state)
{
    (void)state;
    for (size_t allow = 0; allow < 3; allow++) {
        struct failing_alloc counter = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &counter};
        struct arena small = {.alloc = &alloc};
        struct findings none = {.arena = &small};
        struct error err = {0};

        assert_false(findings_combine(&none, &half, 1, &nothing, &total, &err));
        assert_int_equal(err.kind, ERROR_MEMORY);
        arena_free(&small);
        assert_int_equal(counter.held, 0);
    }
}

static void ids_are_stable(void **state)
{
    char id[ADVISE_ID_MAX], other[ADVISE_ID_MAX];

    (void)state;
    finding_id(STR("idle-time"), STR("bert"), id);
    assert_string_equal(id, "idle-time-764e9c1d");
    finding_id(STR("idle-time"), STR("berts"), other);
    assert_string_not_equal(id, other);
    finding_id(STR("a-rule-whose-name-is-longer-than-any-id-could-ever-be"), STR("bert"), id);
    assert_true(str_from(id).len < ADVISE_ID_MAX);
}

int group_combine(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(different_parts_add_up, start, end),
        cmocka_unit_test_setup_teardown(the_same_part_is_never_saved_twice, start, end),
        cmocka_unit_test_setup_teardown(one_of_each_lever_is_chosen, start, end),
        cmocka_unit_test_setup_teardown(
            a_finding_about_everything_leaves_out_what_has_its_lever, start, end),
        cmocka_unit_test_setup_teardown(a_finding_about_some_subjects_leaves_the_others_alone,
                                        start, end),
        cmocka_unit_test_setup_teardown(what_may_save_nothing_is_not_chosen, start, end),
        cmocka_unit_test_setup_teardown(the_same_lever_on_other_parts_adds_up, start, end),
        cmocka_unit_test_setup_teardown(dismissed_findings_are_not_chosen, start, end),
        cmocka_unit_test_setup_teardown(nothing_spent_is_nothing_saved, start, end),
        cmocka_unit_test_setup_teardown(the_choice_is_that_of_trying_all_subsets, start, end),
        cmocka_unit_test_setup_teardown(memory_that_runs_out_is_an_error, start, end),
        cmocka_unit_test(ids_are_stable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
