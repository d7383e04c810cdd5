/* What clouds report about their machines, from the tests' own server. */
#include "server.h"

#include "base/fs.h"
#include "run/cloud/metadata.h"

#define DOCUMENT \
    "{\"instanceType\":\"g5.xlarge\",\"region\":\"us-east-1\",\"availabilityZone\":" \
    "\"us-east-1a\",\"instanceId\":\"i-0123\",\"ramdiskId\":null}"

static struct arena arena;
static struct error problem;

static const struct cloud_facts aws = {.cloud = CLOUD_AWS, .provider = {"aws", 3}},
                                gcp = {.cloud = CLOUD_GCP, .provider = {"gcp", 3}},
                                azure = {.cloud = CLOUD_AZURE, .provider = {"azure", 5}};

/* Ask the server that is running: is the answer good? */
static bool ask(const struct cloud_facts *facts, struct metadata *out)
{
    bool ok;

    problem = (struct error){0};
    (void)setenv("STINT_METADATA_URL", server_url("/"), 1); /* the slash does not matter */
    ok = metadata_ask(facts, &alloc_system, NULL, &arena, out, &problem);
    (void)unsetenv("STINT_METADATA_URL");
    assert_int_equal(ok, problem.kind == ERROR_NONE);
    return ok;
}

static void refused(const struct cloud_facts *facts, const char *why)
{
    struct metadata m;

    if (ask(facts, &m))
        fail_msg("taken, though %s", why);
    if (strstr(problem.text, why) == NULL)
        fail_msg("'%s' is not in: %s", why, problem.text);
    assert_null(strchr(problem.text, '\n'));
    assert_true(str_eq(m.provider, facts->provider));
    assert_str_equal(m.instance, facts->instance);
}

static int set_up(void **state)
{
    arena = (struct arena){.alloc = &alloc_system};
    return server_setup(state);
}

static int tear_down(void **state)
{
    arena_free(&arena);
    return server_teardown(state);
}

/* A token first, and it is sent along; never version 1. */
static void ec2_is_asked_with_a_token(void **state)
{
    struct metadata m;

    (void)state;
    server_start(
        "PUT /latest/api/token 200\n when X-aws-ec2-metadata-token-ttl-seconds: 21600\n"
        " body AQAEA-tok_en==\n"
        "GET /latest/meta-data/instance-life-cycle 200\n"
        " when X-aws-ec2-metadata-token: AQAEA-tok_en==\n body spot\n"
        "GET /latest/dynamic/instance-identity/document 200\n"
        " when X-aws-ec2-metadata-token: AQAEA-tok_en==\n body " DOCUMENT "\n");
    (void)setenv("http_proxy", "http://127.0.0.1:1", 1);
    assert_true(ask(&aws, &m));
    (void)unsetenv("http_proxy");
    assert_int_equal(m.cloud, CLOUD_AWS);
    assert_str_equal(m.provider, "aws");
    assert_str_equal(m.instance, "g5.xlarge");
    assert_str_equal(m.region, "us-east-1");
    assert_str_equal(m.zone, "us-east-1a");
    assert_str_equal(m.id, "i-0123");
    assert_str_equal(m.market, "spot");
    assert_int_equal(server_count("PUT /latest/api/token -> 200"), 1);
}

/* Missing facts stay unknown; tokens expire. */
static void ec2_may_omit_facts(void **state)
{
    struct metadata m;

    (void)state;
    server_start("PUT /latest/api/token 200\n times 1\n body old\n"
                 "PUT /latest/api/token 200\n body new\n"
                 "GET * 401\n when X-aws-ec2-metadata-token: old\n"
                 "GET /latest/meta-data/instance-life-cycle 404\n"
                 "GET /latest/dynamic/instance-identity/document 200\n"
                 " body {\"instanceType\":\"m5.large\",\"region\":\"eu-west-1\"}\n");
    assert_true(ask(&aws, &m));
    assert_str_equal(m.instance, "m5.large");
    assert_int_equal(m.market.len, 0);
    assert_int_equal(m.id.len, 0);
    assert_int_equal(server_count("PUT /latest/api/token -> 200"), 2);
}

static void gcp_names_itself(void **state)
{
    struct metadata m;

    (void)state;
    server_start("GET /computeMetadata/v1/instance/machine-type 200\n"
                 " when Metadata-Flavor: Google\n header Metadata-Flavor: Google\n"
                 " body projects/123/machineTypes/g2-standard-4\n"
                 "GET /computeMetadata/v1/instance/zone 200\n header metadata-flavor: Google\n"
                 " body projects/123/zones/us-central1-a\n"
                 "GET /computeMetadata/v1/instance/scheduling/preemptible 200\n"
                 " header Metadata-Flavor: Google\n body FALSE\n");
    assert_true(ask(&gcp, &m));
    assert_str_equal(m.instance, "g2-standard-4");
    assert_str_equal(m.region, "us-central1");
    assert_str_equal(m.zone, "us-central1-a");
    assert_str_equal(m.market, "on-demand");
    assert_int_equal(m.id.len, 0); /* 404 */
}

static void gcp_without_its_header_is_refused(void **state)
{
    (void)state;
    server_start("GET * 200\n body projects/123/machineTypes/g2-standard-4\n");
    refused(&gcp, "not as Google's metadata service does");
}

static void azure_answers_with_one_document(void **state)
{
    struct metadata m;

    (void)state;
    server_start(
        "GET /metadata/instance/compute?api-version=2021-02-01 200\n"
        " when Metadata: true\n"
        " body {\"vmSize\":\"Standard_NC24ads_A100_v4\",\"location\":\"eastus\","
        "\"name\":\"gpu-vm-0\",\"priority\":\"Spot\",\"vmId\":\"1-2\",\"zone\":\"\"}\n");
    assert_true(ask(&azure, &m));
    assert_str_equal(m.instance, "Standard_NC24ads_A100_v4");
    assert_str_equal(m.region, "eastus");
    assert_str_equal(m.name, "gpu-vm-0");
    assert_str_equal(m.market, "spot");
    assert_int_equal(m.zone.len, 0);
}

/* --- bad answers ------------------------------------------------------------------------- */

#define TOKEN "PUT /latest/api/token 200\n body t\n"
#define LIFE "GET /latest/meta-data/instance-life-cycle 200\n body spot\n"

static void a_portal_is_not_ec2(void **state)
{
    (void)state;
    server_start("PUT * 200\n body <html>Please log in</html>\nGET * 200\n body <html>\n");
    refused(&aws, "not as EC2's metadata service does");
    assert_int_equal(server_count("GET"), 0); /* and nothing else is asked */
}

static void redirects_are_not_followed(void **state)
{
    (void)state;
    server_start("PUT /latest/api/token 302\n header Location: /login\nGET * 200\n body x\n"
                 "PUT * 200\n body t\n");
    refused(&aws, "(302)");
    assert_int_equal(server_count("/login"), 0);
}

static void control_bytes_are_refused(void **state)
{
    (void)state;
    server_start(TOKEN LIFE "GET /latest/dynamic/* 200\n"
                            " body {\"instanceType\":\"g5\\u001b[31m\",\"region\":\"x\"}\n");
    refused(&aws, "no valid instance type");
}

static void invalid_json_is_refused(void **state)
{
    (void)state;
    server_start(TOKEN LIFE "GET /latest/dynamic/* 200\n body <html>\n");
    refused(&aws, "the identity document");
}

static void too_much_is_refused(void **state)
{
    (void)state;
    server_start(
        "GET /metadata/* 200\n endless\n body xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n");
    refused(&azure, "too large");
}

static void nothing_is_refused(void **state)
{
    (void)state;
    server_start("GET /metadata/* 200\n");
    refused(&azure, "the instance's metadata");
}

static void a_service_that_is_off_is_not_asked_on(void **state)
{
    (void)state;
    server_start("PUT /latest/api/token 403\n");
    refused(&aws, "(403)");
    assert_int_equal(server_count("->"), 1);
}

/* Where no server listens; the facts stay. */
static void no_server_is_an_error(void **state)
{
    struct cloud_facts known = {
        .cloud = CLOUD_AWS, .provider = {"aws", 3}, .instance = "p5.48xlarge"};
    struct metadata m;
    struct error err = {0};

    (void)state;
    (void)setenv("STINT_METADATA_URL", "http://127.0.0.1:1", 1);
    assert_false(metadata_ask(&known, &alloc_system, NULL, &arena, &m, &err));
    (void)setenv("STINT_METADATA_URL", "nonsense", 1);
    assert_str_equal(m.instance, "p5.48xlarge");
    assert_non_null(strstr(err.text, "the metadata service of aws: http://127.0.0.1:1/"));
    assert_non_null(strstr(err.hint, "hop limit"));
    err = (struct error){0};
    assert_false(metadata_ask(&known, &alloc_system, NULL, &arena, &m, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    (void)unsetenv("STINT_METADATA_URL");
}

/* A process that ends, or hangs, leaves no answer. */
static void work_that_dies(void *ctx, void *answer)
{
    (void)answer;
    if (ctx != NULL)
        (void)pause();
    _exit(3);
}

static void missing_answer_is_reported(void **state)
{
    struct error err = {0};
    int answer = 7;

    (void)state;
    assert_false(metadata_apart(work_that_dies, NULL, &answer, sizeof answer,
                                (span){INT64_C(60000000000)}, &err));
    assert_non_null(strstr(err.text, "without an answer"));
    err = (struct error){0};
    assert_false(metadata_apart(work_that_dies, &answer, &answer, sizeof answer,
                                (span){50000000}, &err));
    assert_non_null(strstr(err.text, "no answer within"));
    assert_int_equal(answer, 7);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
}

/* --- clouds without a service ------------------------------------------------------------ */

static void some_clouds_are_not_asked(void **state)
{
    struct cloud_facts facts = {.cloud = CLOUD_RUNPOD, .provider = {"runpod", 6}, .id = "pod1"};
    struct metadata m;

    (void)state;
    server_start("GET * 200\nPUT * 200\n");
    (void)setenv("RUNPOD_DC_ID", "EU-RO-1", 1);
    assert_true(ask(&facts, &m));
    (void)unsetenv("RUNPOD_DC_ID");
    assert_str_equal(m.region, "RO");
    assert_str_equal(m.id, "pod1");
    assert_int_equal(m.market.len, 0);
    facts = (struct cloud_facts){.cloud = CLOUD_LAMBDA, .provider = {"lambda", 6}};
    assert_true(ask(&facts, &m));
    assert_str_equal(m.market, "on-demand");
    facts = (struct cloud_facts){.cloud = CLOUD_NONE};
    assert_true(ask(&facts, &m));
    assert_int_equal(m.provider.len, 0);
    assert_int_equal(server_count("->"), 0);
}

static void data_centers_have_countries(void **state)
{
    static const char *const rows[][2] = {
        {"US-TX-3", "US"},  {"EU-RO-1", "RO"}, {"EUR-IS-1", "IS"}, {"CA-MTL-1", "CA"},
        {"AP-JP-1", "JP"},  {"", ""},          {"US", "US"},       {"us-1", ""},
        {"\x1b[31m-1", ""}, {"EU", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        assert_str_equal(metadata_runpod_country(str_from(rows[i][0])), rows[i][1]);
}

/* --- samples of others ------------------------------------------------------------------- */

/* The test is skipped when it is not there. */
static struct str sample(const char *name)
{
    char below[256];
    struct test_path path;
    struct error err = {0};
    struct str text = {0};

    (void)snprintf(below, sizeof below, "finops/samples/imds/%s", name);
    assert_true(fs_read(test_data(below, &path), 65536, &arena, &text, &err));
    return text;
}

/* What bills call a machine of Azure: its path, given or composed; without any there is
 * none. */
static void azure_has_paths(void **state)
{
    static const char start[] = "{\"vmSize\":\"S\",\"location\":\"eastus\",";
    static const char *const cases[][2] = {
        {"\"resourceId\":\"/subscriptions/1/x\"}", "/subscriptions/1/x"},
        {"\"resourceId\":\"no path\"}", ""},
        {"\"resourceId\":\"/with a blank\"}", ""},
        {"\"subscriptionId\":\"1\",\"resourceGroupName\":\"g(2)\",\"name\":\"vm\"}",
         "/subscriptions/1/resourceGroups/g(2)/providers/Microsoft.Compute/virtualMachines/vm"},
        {"\"subscriptionId\":\"1\",\"resourceGroupName\":\"g\",\"name\":\"vm\","
         "\"vmScaleSetName\":\"set\"}",
         ""},
        {"\"name\":\"vm\"}", ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct metadata_words words;
        struct error err = {0};
        char body[400];

        (void)snprintf(body, sizeof body, "%s%s", start, cases[i][0]);
        assert_true(metadata_azure(str_from(body), &words, &err));
        assert_string_equal(words.resource, cases[i][1]);
    }
}

static void published_samples_are_understood(void **state)
{
    struct metadata_words words;
    struct error err = {0};
    struct str text = sample("ec2_identity_document.json");

    (void)state;
    assert_true(metadata_ec2(text, STR("on-demand\n"), &words, &err));
    assert_string_equal(words.instance, "g5.xlarge");
    assert_string_equal(words.zone, "us-east-1a");
    assert_string_equal(words.market, "on-demand");
    assert_true(metadata_azure(sample("azure_instance_compute.json"), &words, &err));
    assert_string_equal(words.instance, "Standard_NC24ads_A100_v4");
    assert_string_equal(words.market, "spot");
    assert_string_equal(words.resource,
                        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg/"
                        "providers/Microsoft.Compute/virtualMachines/gpu-vm-0");
    assert_true(metadata_gcp(sample("gcp_machine_type.txt"), sample("gcp_zone.txt"),
                             STR("TRUE\n"), STR("42"), &words, &err));
    assert_string_equal(words.instance, "g2-standard-4");
    assert_string_equal(words.region, "us-central1");
    assert_string_equal(words.market, "spot");
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int group_metadata(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(ec2_is_asked_with_a_token),
        SERVED(ec2_may_omit_facts),
        SERVED(gcp_names_itself),
        SERVED(gcp_without_its_header_is_refused),
        SERVED(azure_answers_with_one_document),
        SERVED(a_portal_is_not_ec2),
        SERVED(redirects_are_not_followed),
        SERVED(control_bytes_are_refused),
        SERVED(invalid_json_is_refused),
        SERVED(too_much_is_refused),
        SERVED(nothing_is_refused),
        SERVED(a_service_that_is_off_is_not_asked_on),
        SERVED(no_server_is_an_error),
        SERVED(missing_answer_is_reported),
        SERVED(some_clouds_are_not_asked),
        SERVED(data_centers_have_countries),
        SERVED(azure_has_paths),
        SERVED(published_samples_are_understood),
    };

    return cmocka_run_group_tests_name("metadata", tests, NULL, NULL);
}
