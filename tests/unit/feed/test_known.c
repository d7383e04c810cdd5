/* Facts of the catalog that feeds leave out. */
#include "collect.h"

static void assert_accelerator(const char *raw, double memory_gib, const char *name)
{
    /* Twice: the second answer is remembered. */
    for (int i = 0; i < 2; i++) {
        const struct accelerator *a = feed_accelerator(known, str_from(raw), memory_gib);

        if (a == NULL && name != NULL)
            fail_msg("'%s' is not known", raw);
        if (a != NULL && (name == NULL || !str_eq(a->name, str_from(name))))
            fail_msg("'%s' is read as '%.*s'", raw, STR_ARG(a->name));
    }
}

static void names_of_feeds_are_understood(void **state)
{
    (void)state;
    assert_accelerator("A100-80GB", NAN, "A100-SXM-80GB");
    assert_accelerator("NVIDIA H100 80GB HBM3", NAN, "H100-SXM-80GB");
    assert_accelerator("H100 SXM", NAN, "H100-SXM-80GB");
    assert_accelerator("NVIDIA-H200-NVL", NAN, "H200-NVL-141GB");
    assert_accelerator("Tesla P100-PCIE-16GB", 16, "P100-PCIe-16GB");
    assert_accelerator("NVIDIA GeForce RTX 3070", 8, "RTX3070");
    assert_accelerator("RTX_5880Ada", 48, "RTX5880-Ada");
    assert_accelerator("Gaudi HL-205", NAN, "Gaudi1");
    assert_accelerator("Radeon MI25", NAN, "MI25");
    assert_accelerator("Qualcomm AI100", NAN, "AI100");
    assert_accelerator("NVIDIA", NAN, NULL);
    assert_accelerator("Virtex UltraScale+ (VU47P)", NAN, NULL);
    assert_accelerator("", NAN, NULL);
}

static void memory_distinguishes_cards_of_one_name(void **state)
{
    (void)state;
    assert_accelerator("A100", NAN, "A100-SXM-80GB");
    assert_accelerator("A100", 40, "A100-SXM-40GB");
    assert_accelerator("A100", 79.3, "A100-SXM-80GB");
    assert_accelerator("A100 PCIe", 40, "A100-PCIe-40GB");
    assert_accelerator("A100 PCIe", 80, "A100-PCIe-80GB");
    assert_accelerator("V100", 16, "V100-SXM2-16GB");
    assert_accelerator("V100", 31.7, "V100-SXM2-32GB");
    assert_accelerator("H100", 93.6, "H100-NVL-94GB");
    assert_accelerator("GH200", 96, "GH200-96GB");
    assert_accelerator("GH200", 144, "GH200-144GB");
    assert_accelerator("RTX3080", 10, "RTX3080-10GB");
    assert_accelerator("RTX3080", 12, "RTX3080-12GB");
    assert_accelerator("RTX6000", 24, "QuadroRTX6000");
    assert_accelerator("RTX6000", 48, "RTX6000-Ada");
    assert_accelerator("RTX6000", 96, "RTXPRO6000-Blackwell-SE");
    /* No card has this: the name is all there is. */
    assert_accelerator("A100", 3, "A100-SXM-80GB");
    /* A complete name decides. */
    assert_accelerator("A100-SXM-80GB", 40, "A100-SXM-80GB");
}

static void many_names_are_remembered_or_asked_again(void **state)
{
    char name[32];

    (void)state;
    for (int i = 0; i < 3000; i++) { /* more than are remembered */
        (void)snprintf(name, sizeof name, "made up %d", i);
        assert_null(feed_accelerator(known, str_from(name), i));
    }
    assert_accelerator("A10G", 22.4, "A10G");
    assert_accelerator("made up 2999", 1, NULL);
}

static void forms_of_a_card_are_found(void **state)
{
    const struct accelerator *a = feed_accelerator(known, STR("A100"), 40);

    (void)state;
    assert_str_equal(feed_form(known, a, STR("PCIe"))->name, "A100-PCIe-40GB");
    assert_str_equal(feed_form(known, a, STR("SXM"))->name, "A100-SXM-40GB");
    assert_ptr_equal(feed_form(known, a, STR("OAM")), a); /* there is none */
    a = feed_accelerator(known, STR("L40S"), NAN);
    assert_ptr_equal(feed_form(known, a, STR("SXM")), a);
}

static void machines_of_the_catalog_are_found(void **state)
{
    const struct machine *const *at;
    const struct machine *o = feed_machine(known, STR("aws"), STR("p5.48xlarge"));
    size_t count;

    (void)state;
    assert_non_null(o);
    assert_str_equal(o->accelerator, "H100-SXM-80GB");
    assert_int_equal(o->count, 8);
    assert_null(feed_machine(known, STR("aws"), STR("p5.47xlarge")));
    assert_null(feed_machine(known, STR("gcp"), STR("p5.48xlarge")));
    assert_null(feed_machine(known, STR(""), STR("")));
    feed_machines(known, STR("lambda"), &at, &count);
    assert_true(count >= 10);
    for (size_t i = 0; i < count; i++) {
        assert_str_equal(at[i]->provider, "lambda");
        assert_true(i == 0 || str_cmp(at[i - 1]->instance, at[i]->instance) < 0);
    }
    feed_machines(known, STR("unknown"), &at, &count);
    assert_int_equal(count, 0);
}

static void aws_zones_have_regions(void **state)
{
    static const struct {
        const char *zone, *region;
    } cases[] = {
        {"use1-az6", "us-east-1"},
        {"usw2-az4", "us-west-2"},
        {"usw2-lax1-az1", "us-west-2"},
        {"aps1-az1", "ap-south-1"},
        {"apse1-az1", "ap-southeast-1"},
        {"cnnw1-az1", "cn-northwest-1"},
        {"cnn1-az1", "cn-north-1"},
        {"us-east-1a", "us-east-1"},
        {"us-west-2-lax-1a", "us-west-2"},
        {"eu-central-2", "eu-central-2"},
        {"us-gov-west-1b", "us-gov-west-1"},
        {"use1", ""},
        {"us-east-11", ""},
        {"us-east", ""},
        {"eastus", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (!str_eq(feed_aws_region(str_from(cases[i].zone)), str_from(cases[i].region)))
            fail_msg("'%s' is not in '%s'", cases[i].zone, cases[i].region);
}

static void an_empty_catalog_knows_nothing(void **state)
{
    struct arena arena = test_arena();
    struct catalog empty = {0};
    struct error err = {0};
    struct feed_known *nothing = feed_known_new(&empty, &arena, &err);
    const struct machine *const *at;
    size_t count;

    (void)state;
    assert_non_null(nothing);
    assert_null(feed_accelerator(nothing, STR("H100"), 80));
    assert_null(feed_machine(nothing, STR("aws"), STR("p5.48xlarge")));
    feed_machines(nothing, STR("aws"), &at, &count);
    assert_int_equal(count, 0);
    arena_free(&arena);
}

int group_known(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_feeds_are_understood),
        cmocka_unit_test(memory_distinguishes_cards_of_one_name),
        cmocka_unit_test(forms_of_a_card_are_found),
        cmocka_unit_test(machines_of_the_catalog_are_found),
        cmocka_unit_test(aws_zones_have_regions),
        cmocka_unit_test(an_empty_catalog_knows_nothing),
        cmocka_unit_test(many_names_are_remembered_or_asked_again),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
