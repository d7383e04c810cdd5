/* The dimensions of a bill's line. */
#include "policy.h"

#include "account/classify/bill_classify.h"

static struct arena arena;
static struct catalog catalog;

static int load(void **state)
{
    struct error err = {0};

    (void)state;
    arena = test_arena();
    if (catalog_load(&catalog, BILL_CLASSIFIER_TABLES, NULL, 0, &arena, &err))
        return 0;
    print_error("%s\n", err.text);
    return -1;
}

static int unload(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static void a_line_has_dimensions(void **state)
{
    const struct allocation_policy *policy =
        read_policy("rules:\n  - when: {service: Amazon EC2}\n"
                    "    set: {team: nlp}\n",
                    &arena);
    struct bill_line line = {0};
    struct dimensions of;
    struct error err = {0};
    struct bill_classifier *c = bill_classifier_open(&catalog, policy, &arena, &err);

    (void)state;
    assert_non_null(c);
    line.of[FOCUS_ServiceProviderName] = STR("Amazon Web Services, Inc.");
    line.of[FOCUS_ProviderName] = STR("other");
    line.of[FOCUS_ServiceName] = STR("Amazon EC2");
    line.of[FOCUS_ServiceCategory] = STR("Compute");
    line.of[FOCUS_BillingAccountId] = STR("111");
    line.of[FOCUS_SubAccountId] = STR("222");
    line.of[FOCUS_SubAccountName] = STR("research");
    line.of[FOCUS_RegionId] = STR("us-east-1");
    line.of[FOCUS_ChargeCategory] = STR("Usage");
    line.of[FOCUS_PricingCategory] = STR("Dynamic");
    line.of[FOCUS_SkuPriceDetails] =
        STR("{\"x\":{\"InstanceType\":\"no\"},\"InstanceType\":\"ml.p5.48xlarge\","
            "\"StorageClass\":\"Glacier\"}");
    line.of[FOCUS_Tags] = STR("{\"user:Project\":\"llm\",\"cost-centre\":\"42\"}");
    for (int round = 0; round < 2; round++) { /* the second finds the instance at once */
        bill_classify(c, &line, &of);
        assert_str_equal(of.of[DIMENSION_provider], "AWS");
        assert_str_equal(of.of[DIMENSION_service], "Amazon EC2");
        assert_str_equal(of.of[DIMENSION_category], "Compute");
        assert_str_equal(of.of[DIMENSION_account], "111");
        assert_str_equal(of.of[DIMENSION_sub_account], "research");
        assert_str_equal(of.of[DIMENSION_region], "us-east-1");
        assert_str_equal(of.of[DIMENSION_charge], "Usage");
        assert_str_equal(of.of[DIMENSION_pricing], "spot");
        assert_str_equal(of.of[DIMENSION_instance], "ml.p5.48xlarge");
        assert_str_equal(of.of[DIMENSION_gpu], "H100");
        assert_str_equal(of.of[DIMENSION_tier], "Glacier");
        assert_str_equal(of.of[DIMENSION_team], "nlp"); /* by the rule */
        assert_str_equal(of.of[DIMENSION_project], "llm");
        assert_str_equal(of.of[DIMENSION_cost_center], "42");
        assert_str_equal(of.of[DIMENSION_owner], "");
    }
    line.of[FOCUS_SkuPriceDetails] = STR("{\"InstanceType\": broken");
    line.of[FOCUS_PricingCategory] = (struct str){0};
    line.of[FOCUS_Tags] = STR("none");
    bill_classify(c, &line, &of);
    assert_str_equal(of.of[DIMENSION_instance], "");
    assert_str_equal(of.of[DIMENSION_pricing], "");
    assert_str_equal(of.of[DIMENSION_project], "");
    assert_true(bill_classifier_ok(c, &err));
    bill_classifier_close(c);
}

/* Where no machine is named, the meter's description names the GPU. */
static void a_description_names_a_gpu(void **state)
{
    static const struct {
        const char *words, *gpu;
    } cases[] = {
        {"Nvidia L4 GPU running in Americas", "L4"},
        {"Nvidia Tesla A100 GPU running in Americas", "A100"},
        {"Nvidia Tesla A100 80GB GPU attached to Spot Preemptible VMs running in Finland",
         "A100"},
        {"A100 80GB", "A100"},
        {"Commitment v1: Nvidia H100 80GB GPU running in Iowa for 1 Year", "H100"},
        {"Nvidia Tesla T4 GPU running in Frankfurt", "T4"},
        {"M1 Memory-optimized Instance Core running in Americas", ""},
        {"A2 Instance Ram running in Americas", ""},
        {"$0.096 per On Demand Linux m5.24xlarge Instance Hour", ""},
        {"GPU time", ""},
        {"", ""},
    };
    struct error err = {0};
    struct bill_classifier *c = bill_classifier_open(&catalog, NULL, &arena, &err);

    (void)state;
    assert_non_null(c);
    for (size_t i = 0; i < 2 * ARRAY_LEN(cases); i++) { /* the second time they are known */
        struct bill_line line = {0};
        struct dimensions of;

        line.of[i % 2 == 0 ? FOCUS_SkuMeter : FOCUS_ChargeDescription] =
            str_from(cases[i / 2].words);
        bill_classify(c, &line, &of);
        if (!str_eq(of.of[DIMENSION_gpu], str_from(cases[i / 2].gpu)))
            fail_msg("'%s' is '%.*s'", cases[i / 2].words, STR_ARG(of.of[DIMENSION_gpu]));
    }
    bill_classifier_close(c);
}

int group_bill_classify(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_dimensions),
        cmocka_unit_test(a_description_names_a_gpu),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
