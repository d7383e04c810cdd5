#include "loaded.h"

#include <string.h>

static void check(struct str name, const char *expected, enum name_match how)
{
    enum name_match match = NAME_EXACT;
    struct error err = {0};
    const struct accelerator *a = accelerator_find(&catalog, name, &match, &err);

    if (a == NULL)
        fail_msg("'%.*s': %s", STR_ARG(name), err.text);
    if (!str_eq(a->name, str_from(expected)))
        fail_msg("'%.*s' is read as %.*s", STR_ARG(name), STR_ARG(a->name));
    if (match != how)
        fail_msg("'%.*s' is matched as %d, not %d", STR_ARG(name), (int)match, (int)how);
}

static void check_absent(const char *name, const char *text, const char *hint)
{
    enum name_match match;
    struct error err = {0};

    if (accelerator_find(&catalog, str_from(name), &match, &err) != NULL)
        fail_msg("'%s' was found", name);
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.text, text);
    assert_string_equal(err.hint, hint);
}

/* --- accelerators ------------------------------------------------------------------------- */

static void knows_the_exact_name_however_it_is_spelled(void **state)
{
    static const char *const spellings[] = {
        "A100-SXM-80GB",
        "a100-sxm-80gb",
        "A100 SXM 80GB",
        "a100_sxm_80gb",
        "A100SXM80GB",
        "NVIDIA A100 SXM 80GB",
        "nvidia tesla a100-sxm-80gb",
        "A100-SXM-80GB GPU",
        "A100\xe2\x80\x91SXM\xe2\x80\x91"
        "80GB", /* U+2011, the hyphen that does not break */
        "A100\xe2\x80\x90SXM\xe2\x80\x95"
        "80GB", /* U+2010 and U+2015 */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(spellings); i++)
        check(str_from(spellings[i]), "A100-SXM-80GB", NAME_EXACT);
    check(STR("RTX 4090"), "RTX4090", NAME_EXACT);
    check(STR("NVIDIA GeForce RTX 4090"), "RTX4090", NAME_EXACT);
    check(STR("Apple M4 Max"), "M4-Max", NAME_EXACT);
    check(STR("AMD Instinct MI300X"), "MI300X", NAME_EXACT);
    check(STR("NVIDIA A100-PCIE-40GB"), "A100-PCIe-40GB", NAME_EXACT);
    check(STR("Tesla T4"), "T4", NAME_EXACT);
}

static void knows_other_names(void **state)
{
    static const struct {
        const char *name, *accelerator;
    } cases[] = {
        {"A100-80", "A100-SXM-80GB"},
        {"a100-40gb", "A100-SXM-40GB"},
        {"4090", "RTX4090"},
        {"h100-sxm", "H100-SXM-80GB"},
        {"h100 sxm5", "H100-SXM-80GB"},
        {"H100 PCIe", "H100-PCIe-80GB"},
        {"NVIDIA H100 80GB HBM3", "H100-SXM-80GB"}, /* what nvidia-smi prints */
        {"NVIDIA A100-SXM4-80GB", "A100-SXM-80GB"},
        {"GH200 144G HBM3e", "GH200-144GB"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        check(str_from(cases[i].name), cases[i].accelerator, NAME_ALIAS);
}

static void a_family_is_its_sxm_form_with_the_most_memory(void **state)
{
    (void)state;
    check(STR("a100"), "A100-SXM-80GB", NAME_FAMILY);
    check(STR("NVIDIA A100 GPU"), "A100-SXM-80GB", NAME_FAMILY);
    check(STR("H100"), "H100-SXM-80GB", NAME_FAMILY); /* though the NVL form has 94 GB */
    check(STR("v100"), "V100-SXM2-32GB", NAME_FAMILY);
    check(STR("p100"), "P100-SXM2-16GB", NAME_FAMILY);
    check(STR("H200"), "H200-SXM-141GB", NAME_FAMILY);
    check(STR("B200"), "B200-SXM-180GB", NAME_ALIAS); /* the only one of its family */
    check(STR("M1"), "M1", NAME_EXACT);               /* a name before a family */
}

static void suggests_what_was_meant(void **state)
{
    (void)state;
    check_absent("H10O", "there is no accelerator 'H10O'",
                 "did you mean 'H100'? 'stint gpu list' shows all");
    check_absent("rtx4091", "there is no accelerator 'rtx4091'",
                 "did you mean 'RTX4090'? 'stint gpu list' shows all");
    check_absent("abacus of wood", "there is no accelerator 'abacus of wood'",
                 "'stint gpu list' shows all");
    check_absent("2 GPUs", "there is no accelerator '2 GPUs'", "'stint gpu list' shows all");
}

static void makers_and_nothing_are_no_accelerators(void **state)
{
    static const char *const names[] = {"",         " ",
                                        "-",        "nvidia",
                                        "GPU",      "NVIDIA GPU",
                                        "Tesla",    "\xe2\x80\x91",
                                        "\xe2\x80", "nvidia nvidia"};
    char text[80];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        enum name_match match;
        struct error err = {0};

        assert_null(accelerator_find(&catalog, str_from(names[i]), &match, &err));
        assert_int_equal(err.kind, ERROR_ABSENT);
        (void)snprintf(text, sizeof text, "there is no accelerator '%s'", names[i]);
        assert_string_equal(err.text, text);
    }
}

static void a_name_longer_than_any_is_absent(void **state)
{
    static char name[1000];
    enum name_match match;
    struct error err = {0};

    (void)state;
    memset(name, 'x', sizeof name - 1);
    assert_null(accelerator_find(&catalog, str_from(name), &match, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_int_equal(strlen(err.text), strlen("there is no accelerator ''") + 80);
}

static void a_long_name_is_not_mistaken_for_its_beginning(void **state)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT),
               name = buf_new(&alloc_system, 200);
    struct catalog_layer mine = {.table = TABLE_NAMES, .name = "my.csv"};
    struct arena own = test_arena();
    struct catalog with = {0};
    enum name_match match;
    struct error err = {0};

    (void)state;
    buf_pad(&name, 'x', 80);
    buf_addf(&text, "alias,accelerator,date,source\n%.*s,T4,2026-11-15,mine\n",
             STR_ARG(buf_text(&name)));
    mine.text = buf_text(&text);
    assert_true(catalog_load(&with, TABLE_BIT(TABLE_NAMES) | TABLE_BIT(TABLE_ACCELERATORS),
                             &mine, 1, &own, &err));
    assert_non_null(accelerator_find(&with, buf_text(&name), &match, &err));
    buf_char(&name, 'y');
    assert_null(accelerator_find(&with, buf_text(&name), &match, &err));
    buf_free(&name);
    buf_free(&text);
    arena_free(&own);
}

static void an_alias_of_nothing_names_its_line(void **state)
{
    struct catalog_layer mine = {.table = TABLE_NAMES,
                                 .name = "my.csv",
                                 .text = STR("alias,accelerator,date,source\n"
                                             "bigbox,A100-SXM-80G,2026-11-15,mine\n")};
    struct arena own = test_arena();
    struct catalog with = {0};
    enum name_match match;
    struct error err = {0};

    (void)state;
    assert_true(catalog_load(&with, TABLE_BIT(TABLE_NAMES) | TABLE_BIT(TABLE_ACCELERATORS),
                             &mine, 1, &own, &err));
    assert_null(accelerator_find(&with, STR("Big Box"), &match, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "my.csv:2: there is no accelerator 'A100-SXM-80G'");
    arena_free(&own);
}

static void finds_every_accelerator_by_its_exact_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_ACCELERATORS].len; i++) {
        const struct accelerator *a = CATALOG_ROW(&catalog, TABLE_ACCELERATORS, accelerator, i);
        enum name_match match = NAME_FAMILY;
        struct error err = {0};

        assert_ptr_equal(accelerator_named(&catalog, a->name), a);
        assert_ptr_equal(accelerator_find(&catalog, a->name, &match, &err), a);
        assert_int_equal(match, NAME_EXACT);
    }
    assert_null(accelerator_named(&catalog, STR("a100-sxm-80gb"))); /* exact means exact */
    assert_null(accelerator_named(&catalog, STR("")));
    assert_null(accelerator_named(&catalog, STR("zzz")));
}

/* --- providers, regions and transfer ------------------------------------------------------ */

static void knows_the_gpu_of_a_machine(void **state)
{
    (void)state;
    assert_str_equal(instance_gpu(&catalog, STR("p5.48xlarge")), "H100");
    assert_str_equal(instance_gpu(&catalog, STR("ml.p5.48xlarge")), "H100"); /* SageMaker's */
    assert_str_equal(instance_gpu(&catalog, STR("P5.48XLARGE")), "H100");
    assert_str_equal(instance_gpu(&catalog, STR("m7i.large")), "");
    assert_str_equal(instance_gpu(&catalog, STR("ml.")), "");
    assert_str_equal(instance_gpu(&catalog, (struct str){0}), "");
}

static void finds_providers_in_any_case(void **state)
{
    const struct provider *p = provider_find(&catalog, STR("AWS"));

    (void)state;
    assert_non_null(p);
    assert_str_equal(p->provider, "aws");
    assert_str_equal(p->title, "Amazon Web Services");
    assert_true(p->notice_s == 120);
    assert_ptr_equal(provider_find(&catalog, STR("aws")), p);
    assert_null(provider_find(&catalog, STR("aw")));
    assert_null(provider_find(&catalog, STR("")));
}

static void finds_regions_or_what_holds_for_the_others(void **state)
{
    const struct region *r = region_find(&catalog, STR("AWS"), STR("US-East-1"));
    const struct region *other = region_find(&catalog, STR("aws"), STR("mars-north-1"));
    struct error unknown = {0};

    (void)state;
    assert_non_null(r);
    assert_str_equal(r->provider, "aws");
    assert_str_equal(r->region, "us-east-1");
    assert_str_equal(r->country, "US");
    assert_non_null(other);
    assert_str_equal(other->provider, "aws");
    assert_str_equal(other->region, "*");
    assert_true(region_check(&catalog, STR("aws"), STR("us-east-1"), &unknown));
    assert_true(region_check(&catalog, STR("aws"), STR(""), &unknown));
    assert_true(region_check(&catalog, STR("r2"), STR("anywhere"), &unknown));
    assert_false(region_check(&catalog, STR("aws"), STR("us-eest-1"), &unknown));
    assert_string_equal(unknown.text, "aws has no region 'us-eest-1'");
    assert_string_equal(unknown.hint, "did you mean 'us-east-1'?");
    assert_ptr_equal(region_find(&catalog, STR("aws"), STR("*")), other);
    assert_null(region_find(&catalog, STR("unknown"), STR("us-east-1")));
}

static usd moving(const char *provider, const char *kind, double gb)
{
    return transfer_cost(&catalog, str_from(provider), str_from(kind),
                         (bytes){(uint64_t)(gb * 1e9)});
}

static void transfer_is_priced_by_its_tiers(void **state)
{
    static const struct {
        double gb;
        int64_t nano;
    } cases[] = {
        {0, 0},
        {99.5, 0},
        {100, 0}, /* the first 100 GB of a month are free */
        {101, 90000000},
        {150, 4500000000},
        {10240, INT64_C(912600000000)},
        {20000, INT64_C(1742200000000)}, /* 10140 at 0.09 and 9760 at 0.085 */
        {200000, INT64_C(912600000000) + INT64_C(3481600000000) + INT64_C(7168000000000) +
                     INT64_C(2320000000000)},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(moving("AWS", "internet", cases[i].gb).nano, cases[i].nano);
    assert_int_equal(moving("gcp", "internet", 10).nano, 1200000000);
    assert_int_equal(moving("aws", "ingress", 1e6).nano, 0);
}

static void transfer_without_a_price_is_unknown(void **state)
{
    (void)state;
    assert_true(moving("unknown", "internet", 10).nano == MONEY_UNKNOWN);
    assert_true(moving("aws", "pigeon", 10).nano == MONEY_UNKNOWN);
    assert_int_equal(moving("unknown", "internet", 0).nano,
                     0); /* nothing moved costs nothing */
    assert_true(moving("aws", "internet", 1.8e10).nano == INT64_C(900003882200000000));
}

static void names_of_offers_are_taken_apart(void **state)
{
    struct error err = {0};
    struct offer_name n;

    (void)state;
    assert_true(offer_name_parse(STR("aws/us-east-1/use1-az1/p5.48xlarge:spot"), &n, &err));
    assert_str_equal(n.provider, "aws");
    assert_str_equal(n.region, "us-east-1");
    assert_str_equal(n.zone, "use1-az1");
    assert_str_equal(n.instance, "p5.48xlarge");
    assert_int_equal(n.market, MARKET_SPOT);
    assert_true(offer_name_parse(STR("aws/us-east-1/p5.48xlarge"), &n, &err));
    assert_true(n.zone.at == NULL && n.market == -1);
    assert_str_equal(n.region, "us-east-1");
    assert_true(offer_name_parse(STR("aws/p5.48xlarge:Reserved-1y"), &n, &err));
    assert_true(n.region.at == NULL);
    assert_int_equal(n.market, MARKET_RESERVED_1Y);
    assert_true(offer_name_parse(STR("p5.48xlarge"), &n, &err));
    assert_true(n.provider.at == NULL);
    assert_false(offer_name_parse(STR("p5:sport"), &n, &err));
    assert_string_equal(err.text, "there is no market 'sport'");
    assert_string_equal(err.hint, "did you mean 'spot'?");
    assert_false(offer_name_parse(STR(""), &n, &err));
    assert_false(offer_name_parse(STR("aws/"), &n, &err));
    assert_false(offer_name_parse(STR(":spot"), &n, &err));
    assert_false(offer_name_parse(STR("a/b/c/d/e"), &n, &err));
    assert_string_equal(err.text, "'a/b/c/d/e' is not an offer");
}

int group_find(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_the_exact_name_however_it_is_spelled),
        cmocka_unit_test(knows_other_names),
        cmocka_unit_test(a_family_is_its_sxm_form_with_the_most_memory),
        cmocka_unit_test(suggests_what_was_meant),
        cmocka_unit_test(makers_and_nothing_are_no_accelerators),
        cmocka_unit_test(a_name_longer_than_any_is_absent),
        cmocka_unit_test(a_long_name_is_not_mistaken_for_its_beginning),
        cmocka_unit_test(an_alias_of_nothing_names_its_line),
        cmocka_unit_test(finds_every_accelerator_by_its_exact_name),
        cmocka_unit_test(knows_the_gpu_of_a_machine),
        cmocka_unit_test(finds_providers_in_any_case),
        cmocka_unit_test(finds_regions_or_what_holds_for_the_others),
        cmocka_unit_test(transfer_is_priced_by_its_tiers),
        cmocka_unit_test(transfer_without_a_price_is_unknown),
        cmocka_unit_test(names_of_offers_are_taken_apart),
    };

    return cmocka_run_group_tests(tests, load_catalog, free_catalog);
}
