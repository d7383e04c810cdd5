#include "test.h"

#include "bill/provider.h"

static void assert_named(const char *name, const char *wanted)
{
    assert_str_equal(provider_name(str_from(name)), wanted);
}

static void a_provider_has_one_name(void **state)
{
    (void)state;
    assert_named("aws", "AWS");
    assert_named(" aws ", "AWS");
    assert_named("Amazon Web Services, Inc.", "AWS");
    assert_named("AmazonWebServices", "AWS");
    assert_named("Amazon Web Services EMEA SARL", "AWS");
    assert_named(
        "AWS Marketplace of a company whose name is longer than any that is known here", "AWS");
    assert_named("Google", "Google Cloud");
    assert_named("GoogleCloud", "Google Cloud");
    assert_named("google-cloud", "Google Cloud");
    assert_named("Google Cloud Platform", "Google Cloud");
    assert_named("gcp", "Google Cloud");
    assert_named("Microsoft Azure", "Microsoft");
    assert_named("azure", "Microsoft");
    assert_named("Oracle America, Inc.", "Oracle");
    assert_named("oci", "Oracle");
    assert_named("Lambda, Inc.", "Lambda");
    assert_named("lambda-labs", "Lambda");
    assert_named("vast.ai", "Vast.ai");
    assert_named("OVH SAS", "OVHcloud");
}

static void others_keep_theirs(void **state)
{
    (void)state;
    assert_named("Ocient", "Ocient");
    assert_named("AWSome", "AWSome");
    assert_named("Vast Data", "Vast Data");
    assert_named("Do it", "Do it");
    assert_named(" Acme Inc. ", "Acme Inc.");
    assert_named("", "");
    assert_named("...", "...");
    assert_str_equal(provider_name((struct str){0}), "");
    assert_null(provider_known(STR("")));
    assert_null(provider_known(STR("Supercalifragilisticexpialidociousamazonwebservicesandmore,"
                                   " Inc. of nowhere")));
}

static void two_names_may_be_one(void **state)
{
    (void)state;
    assert_true(provider_same(STR("aws"), STR("Amazon Web Services, Inc.")));
    assert_true(provider_same(STR("gcp"), STR("Google Cloud Platform")));
    assert_true(provider_same(STR("azure"), STR("Microsoft")));
    assert_true(provider_same(STR("oci"), STR("Oracle Cloud Infrastructure")));
    assert_true(provider_same(STR("Acme"), STR("ACME")));
    assert_false(provider_same(STR("aws"), STR("Microsoft")));
    assert_false(provider_same(STR("Acme"), STR("Ocient")));
    assert_string_equal(provider_known(STR("gcp"))->service, "Compute Engine");
}

int group_provider(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_provider_has_one_name),
        cmocka_unit_test(others_keep_theirs),
        cmocka_unit_test(two_names_may_be_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
