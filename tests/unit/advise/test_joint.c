/* Settings of a job that are changed together. */
#include "job_case.h"

#include "advise/rules/joint.h"

static struct job_case it;

#define SLOW "model=llama-2-7b data.tokens=25M sequence=1024 goodput=off global_batch=32 "
#define START SLOW "micro_batch=1 framework=deepspeed "

static struct finding *found(const char *rule)
{
    for (size_t i = 0; i < it.found.count; i++)
        if (str_eq(it.found.at[i].rule, str_from(rule)))
            return &it.found.at[i];
    fail_msg("'%s' does not apply", rule);
    return NULL;
}

static void combine(struct advise_total *total)
{
    struct error err = {0};
    struct advise_money rest = {0};

    (void)case_finding(&it, "lora");
    findings_sort(&it.found);
    assert_true(findings_joint(&it.facts, &it.found, &err));
    assert_true(findings_combine(&it.found, &it.facts.job_money, 1, &rest, total, &err));
}

/* All that is chosen, as one job: the total is what that saves, but not more than each alone
 * would leave. */
static void together_they_save_what_one_estimate_says(void **state)
{
    struct advise_total total;
    double alone = 1;

    (void)state;
    case_open(&it, JOB_TRAIN, START, case_place("A100", 8, 10));
    it.facts.job_money.part[PART_TRAIN] = usd_double(it.base.total);
    combine(&total);
    assert_true(total.findings >= 2);
    for (size_t i = 0; i < it.found.count; i++)
        if (it.found.at[i].chosen)
            alone *= 1 - usd_double(it.found.at[i].saving) / usd_double(it.base.total);
    assert_true(total.share <= 1 - alone + 1e-9);
    assert_true(total.share < 1 - alone - 0.02); /* a larger micro-batch and LoRA overlap */
    assert_true(total.share > usd_double(found("lora")->saving) / usd_double(it.base.total));
}

/* One setting alone has nothing to overlap with. */
static void one_setting_stays_as_it_is(void **state)
{
    struct advise_total total;

    (void)state;
    case_open(&it, JOB_TRAIN,
              "model=bert-base data.examples=1M goodput=off precision=fp32 "
              "compile=yes framework=eager",
              case_place("H100", 1, 10));
    combine(&total);
    assert_near(usd_double(total.saving), usd_double(found("mixed-precision")->saving), 1e-6);
    assert_near(found("mixed-precision")->overlap, 0, 0);
}

/* What was dismissed is not counted, and does not push others aside. */
static void dismissed_ones_are_left_out(void **state)
{
    struct advise_total with, without;
    struct error err = {0};
    struct advise_money rest = {0};

    (void)state;
    case_open(&it, JOB_TRAIN, START, case_place("A100", 8, 10));
    combine(&with);
    found("lora")->state = FINDING_DISMISSED;
    assert_true(findings_joint(&it.facts, &it.found, &err));
    assert_true(findings_combine(&it.found, &it.facts.job_money, 1, &rest, &without, &err));
    assert_false(found("lora")->chosen);
    assert_true(usd_compare(without.saving, with.saving) < 0);
}

int group_joint(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(together_they_save_what_one_estimate_says),
        cmocka_unit_test(one_setting_stays_as_it_is),
        cmocka_unit_test(dismissed_ones_are_left_out),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
