#include "fakes.h"

#include <stdarg.h>

#include "market/fetch.h"

#define MS INT64_C(1000000)
#define NOW INT64_C(1794736800) /* 2026-11-15T10:00:00Z */

static const struct http_manners quick = {
    .tries = 2,
    .wait = {5 * MS},
    .patience = {1200 * MS},
    .connect = {2000 * MS},
    .stall = {1000 * MS},
    .attempt = {10000 * MS},
};

/* Everything that a fetch reports, as lines. */
static char reported[16384];
static struct arena arena;
static struct catalog catalog;
static struct feed_known *known;
static struct fetch_state *fetched;

static void report(const char *fmt, ...) PRINTF_LIKE(1, 2);

static void report(const char *fmt, ...)
{
    size_t used = strlen(reported);
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(reported + used, sizeof reported - used, fmt, args);
    va_end(args);
}

static bool take_quote(void *ctx, const struct quote *quote, struct error *err)
{
    (void)ctx;
    (void)err;
    report("  %.*s %.*s %.*s\n", STR_ARG(quote->provider), STR_ARG(quote->region),
           STR_ARG(quote->instance));
    return true;
}

static bool take_bad(void *ctx, const struct error *problem)
{
    (void)ctx;
    report("  bad: %s\n", problem->text);
    return true;
}

static bool begin(void *ctx, const struct fetch_feed *feed, struct error *err)
{
    (void)ctx;
    (void)err;
    report("%s %.*s [%.*s]\n", feed->format->name, STR_ARG(feed->provider),
           STR_ARG(feed->part));
    return true;
}

/* Lists by how they ended. */
struct ends {
    unsigned read, unchanged, empty, failed;
};

static struct ends ended;

static bool end(void *ctx, const struct fetch_feed *feed, const struct fetch_outcome *outcome,
                struct error *err)
{
    static const char *const ends[] = {"read", "unchanged", "empty", "failed"};
    static const char *const scopes[] = {"rows", "log", "regions", "provider"};

    (void)ctx;
    (void)err;
    assert_null(strchr(feed->from, '?'));
    ended.read += outcome->end == FETCH_READ;
    ended.unchanged += outcome->end == FETCH_UNCHANGED;
    ended.empty += outcome->end == FETCH_EMPTY;
    ended.failed += outcome->end == FETCH_FAILED;
    report("%s", ends[outcome->end]);
    if (outcome->end == FETCH_READ)
        report(" %u pages, %s", outcome->pages, scopes[outcome->scope]);
    if (outcome->end == FETCH_FAILED)
        report(": %s", outcome->problem->text);
    if (outcome->date.s != NOW)
        report(", published");
    report("\n");
    return true;
}

static void say(void *ctx, enum message_kind kind, const char *text)
{
    (void)ctx;
    report("%s: %s\n", kind == MESSAGE_NOTE ? "note" : "warning", text);
}

static const struct feed_sink sink = {take_quote, take_bad, NULL};
static const struct fetch_listener listener = {
    .begin = begin, .end = end, .messages = {.show = say}};

struct run {
    bool ok;
    struct ends result;
    struct error err;
};

static const struct feed_format *const *formats;

static const struct http_manners *manners = &quick;

static struct run fetch_with(const struct fetch_request *request,
                             bool (*progress)(void *, uint64_t, uint64_t))
{
    struct fetch_context ctx = {
        .http = {.alloc = &alloc_system, .manners = manners, .progress = progress},
        .alloc = &alloc_system,
        .catalog = &catalog,
        .known = known,
        .state = fetched,
        .formats = formats,
        .sink = &sink,
        .listener = &listener,
    };
    struct run run = {0};

    reported[0] = '\0';
    ended = (struct ends){0};
    run.ok = fetch_run(&ctx, request, &run.err);
    run.result = ended;
    return run;
}

static struct run fetch(const char *provider, const char *region)
{
    struct str wanted = str_from(region);

    return fetch_with(&(struct fetch_request){.provider = str_from(provider),
                                              .regions = {&wanted, region == NULL ? 0 : 1},
                                              .clouds = {&wanted, region == NULL ? 0 : 1},
                                              .now = {NOW}},
                      NULL);
}

/* The script, and every provider's address set to it. */
static void serve(const char *script)
{
    static const char *const variables[] = {
        "STINT_URL_AWS_PRICES", "STINT_URL_AZURE", "STINT_URL_GCP",      "STINT_URL_LAMBDA",
        "STINT_URL_RUNPOD",     "STINT_URL_VAST",  "STINT_URL_SKYPILOT",
    };

    server_start(script);
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        (void)setenv(variables[i], server_url("/"), 1);
    (void)setenv("STINT_URL_AWS_EC2", server_url("/ec2/{region}"), 1);
}

static int setup(void **state)
{
    static const char *const variables[] = {
        "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
        "AWS_PROFILE",       "LAMBDA_API_KEY",        "RUNPOD_API_KEY",
        "VAST_API_KEY",      "GOOGLE_API_KEY",        "GOOGLE_OAUTH_ACCESS_TOKEN",
    };
    struct error err = {0};
    struct buf warning = buf_new(&alloc_system, 1000);

    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        (void)unsetenv(variables[i]);
    formats = fakes;
    (void)setenv("HOME", "/nonexistent", 1);
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    catalog = (struct catalog){0};
    if (!catalog_load(&catalog, TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_REGIONS), NULL, 0,
                      &arena, &err))
        return 1;
    known = feed_known_new(&catalog, &arena, &err);
    fetched = fetch_state_read("/nonexistent/feeds.json", &arena, &warning, &err);
    buf_free(&warning);
    return known == NULL || fetched == NULL || server_setup(state) != 0;
}

static int teardown(void **state)
{
    arena_free(&arena);
    return server_teardown(state);
}

/* --- each provider ----------------------------------------------------------------------- */

static void test_lambda(void **state)
{
    struct run run;

    (void)state;
    (void)setenv("LAMBDA_API_KEY", "lam-s3cret", 1);
    serve("GET /api/v1/instance-types 200\n when Authorization: Bearer lam-s3cret\n"
          " body quote gpu_1x\\n\n");
    run = fetch("lambda", NULL);
    assert_true(run.ok);
    assert_int_equal(run.result.read, 1);
    assert_string_equal(reported,
                        "lambda lambda []\n  lambda * gpu_1x\nread 1 pages, provider\n");
    assert_int_equal(fetch_state_find(fetched, STR("lambda"))->fetched.s, NOW);
}

static void test_lambda_refuses(void **state)
{
    struct run run;

    (void)state;
    serve("GET /api/v1/instance-types 401\n"
          " body {\"error\":{\"message\":\"API key lam-s3cret was invalid\"}}\n");
    run = fetch("lambda", NULL); /* no key at all */
    assert_false(run.ok);
    assert_int_equal(run.err.kind, ERROR_ABSENT);
    assert_string_equal(run.err.text, "Lambda Cloud: there is no key");
    assert_non_null(strstr(run.err.hint, "LAMBDA_API_KEY"));
    assert_string_equal(reported, "");
    assert_int_equal(server_count("GET"), 0);

    (void)setenv("LAMBDA_API_KEY", "lam-s3cret", 1);
    run = fetch("lambda", NULL);
    assert_true(run.ok);
    assert_int_equal(run.result.failed, 1);
    assert_non_null(strstr(reported, "failed: "));
    assert_non_null(strstr(reported, "(401)"));
    assert_null(strstr(reported, "s3cret"));
    assert_int_equal(fetch_state_find(fetched, STR("lambda"))->status, 401);
    assert_int_equal(fetch_state_find(fetched, STR("lambda"))->fetched.s, 0);
    assert_true(fetch_state_find(fetched, STR("lambda"))->message.len > 0);
}

static void test_runpod(void **state)
{
    (void)state;
    serve("POST /graphql 200\n ask *gpuTypes*lowestPrice*\n body quote H100\\n\n");
    assert_true(fetch("runpod", NULL).ok);
    assert_string_equal(reported,
                        "runpod runpod []\n  runpod * H100\nread 1 pages, provider\n");
    assert_int_equal(server_count("Authorization"), 0);
    assert_int_equal(server_count("Content-Type: application/json"), 1);
    (void)setenv("RUNPOD_API_KEY", "rp", 1);
    assert_true(fetch("runpod", NULL).ok);
    assert_int_equal(server_count("Authorization: Bearer rp"), 1);
}

static void test_vast(void **state)
{
    (void)state;
    serve("POST /api/v0/bundles/ 200\n ask *\"type\":\"on-demand\"*\n body quote a\\n\n"
          "POST /api/v0/bundles/ 200\n ask *\"type\":\"bid\"*\n body quote b\\n\n");
    assert_true(fetch("vast", NULL).ok);
    assert_string_equal(reported,
                        "vast vast []\n  vast * a\n  vast * b\nread 2 pages, provider\n");
}

static void test_azure_pages(void **state)
{
    struct run run;

    (void)state;
    serve("GET "
          "/api/retail/prices?api-version=2023-01-01-preview&$filter=*'eastus'*Standard_N*&-p "
          "200\n body quote a\\nnext "
          "https://prices.azure.com:443/api/retail/prices?p=2&x=%27\\n\n"
          "GET /api/retail/prices?p=2&x=' 200\n body quote b\\n"
          "next http://127.0.0.1:{port}/api/retail/prices?p=3\\n\n"
          "GET /api/retail/prices?p=3 200\n body quote c\\n\n");
    run = fetch("azure", "eastus");
    assert_true(run.ok);
    assert_string_equal(reported,
                        "azure azure [eastus]\n  azure * a\n  azure * b\n  azure * c\n"
                        "read 3 pages, regions\n");
    assert_int_equal(run.result.read, 1);
}

/* A server that answers, but too slowly, is not asked for the other seven regions. */
static void test_azure_slow(void **state)
{
    struct http_manners hasty = quick;
    struct run run;

    (void)state;
    hasty.attempt = hasty.altogether = (span){SECOND / 5};
    manners = &hasty;
    serve("GET /api/retail/prices 200\n dribble 50\n body quote a\\nquote b\\n\n");
    run = fetch("azure", NULL);
    manners = &quick;
    assert_true(run.ok);
    assert_int_equal(run.result.failed, 1);
    assert_int_equal(run.result.read + run.result.empty, 0);
    assert_non_null(strstr(reported, "no complete answer from http://127.0.0.1:"));
    assert_non_null(strstr(reported, " in time: its other lists are not fetched\n"));
}

/* Nor is one that says twice that it is not available, after as many tries as there may be. */
static void test_azure_down(void **state)
{
    struct run run;

    (void)state;
    serve("GET /api/retail/prices 503\n");
    run = fetch("azure", NULL);
    assert_true(run.ok);
    assert_int_equal(run.result.failed, 2);
    assert_int_equal(run.result.read + run.result.empty, 0);
    assert_non_null(
        strstr(reported, " is not available (503): its other lists are not fetched\n"));
}

/* A region that fails leaves the others alone. */
static void test_azure_regions(void **state)
{
    struct run run;

    (void)state;
    serve("GET /api/retail/prices?$filter=*'eastus'*&-p 200\n body quote a\\n\n"
          "GET /api/retail/prices?$filter=*'eastus2'*&-p 503\n"
          "GET /api/retail/prices?$filter=*'westeurope'*&-p 200\n"
          " body next https://evil.example/api?p=2\\n\n"
          "GET /api/retail/prices?$filter=*'northeurope'*&-p 200\n body damaged\\n\n"
          "GET /api/retail/prices?$filter=*'westus2'*&-p 200\n"
          " body quote w\\nnext /api/retail/prices?p=loop\\n\n"
          "GET /api/retail/prices?p=loop 200\n body next /api/retail/prices?p=loop\\n\n"
          "GET /api/retail/prices 200\n");
    run = fetch("azure", NULL);
    assert_true(run.ok);
    assert_int_equal(run.result.read, 1);
    assert_int_equal(run.result.empty, 3);
    assert_int_equal(run.result.failed, 4);
    assert_non_null(strstr(reported, "[eastus]\n  azure * a\nread 1 pages, regions\n"));
    assert_non_null(strstr(reported, "[eastus2]\nfailed: "));
    assert_non_null(strstr(reported, "'evil.example', which is not followed\n"));
    assert_non_null(strstr(reported, "damaged\n"));
    assert_non_null(strstr(reported, "no last page after 2 pages\n"));
    /* No region answered: that does not mean that there are no offers. */
    assert_non_null(strstr(reported,
                           "[swedencentral]\nwarning: azure swedencentral: the answer has "
                           "no price of a machine with accelerators; the prices there "
                           "stay\nempty\n"));
    assert_int_equal(fetch_state_find(fetched, STR("azure eastus"))->fetched.s, NOW);
    assert_int_equal(fetch_state_find(fetched, STR("azure swedencentral"))->fetched.s, 0);
    assert_true(fetch_state_find(fetched, STR("azure swedencentral"))->message.len > 0);
}

static void test_regions(void **state)
{
    struct run run;

    (void)state;
    serve("GET /api/retail/prices 200\n body quote a\\n\n");
    run = fetch("azure", "swedenc*");
    assert_string_equal(reported,
                        "azure azure [swedencentral]\n  azure * a\nread 1 pages, regions\n");
    run = fetch("azure", "newplace7"); /* the catalog may be older */
    assert_true(run.ok);
    assert_int_equal(run.result.read, 1);
    run = fetch("azure", "nowhere*");
    assert_false(run.ok);
    assert_int_equal(run.err.kind, ERROR_ABSENT);
    assert_non_null(strstr(run.err.text, "no region matches 'nowhere*'"));
    assert_false(fetch("azure", "x' or 'y").ok);
    assert_false(fetch("azure", "a/b").ok);
    assert_int_equal(server_count("GET"), 2);
}

static const char aws_index[] =
    "GET /offers/v1.0/aws/index.json 200\n body {\"offers\":{\"AmazonS3\":{"
    "\"currentRegionIndexUrl\":\"/no\"},\"AmazonEC2\":{\"offerCode\":\"AmazonEC2\","
    "\"currentRegionIndexUrl\":\"/ri.json\"}}}\n"
    "GET /ri.json 200\n body {\"regions\":{\"us-east-1\":{\"regionCode\":\"us-east-1\","
    "\"currentVersionUrl\":\"/v1/us-east-1/index.json\"},\"eu-west-1\":{\"currentVersionUrl\":"
    "\"/v1/eu-west-1/index.json\"}}}\n";

static void test_aws_offers(void **state)
{
    char script[4096];
    struct run run;

    (void)state;
    (void)snprintf(script, sizeof script,
                   "%sGET /v1/us-east-1/index.json 304\n when If-None-Match: \"u1\"\n"
                   "GET /v1/us-east-1/index.json 200\n header ETag: \"u1\"\n"
                   " body published 1794000000\\nquote p4d\\n\n"
                   "GET /v1/eu-west-1/index.json 200\n body quote g5\\n\n",
                   aws_index);
    serve(script);
    run = fetch("aws", NULL); /* us-east-2 and us-west-2 are not in the index */
    assert_true(run.ok);
    assert_int_equal(run.result.read, 2);
    assert_int_equal(run.result.failed, 2);
    assert_int_equal(server_count("GET /ri.json"), 1);
    assert_non_null(strstr(reported, "note: aws: price lists of 4 regions"));
    assert_non_null(strstr(reported, "aws-offers aws [us-east-1]\n  aws * p4d\n"
                                     "note: aws us-east-1: read 0.0 MB\nread 1 pages, regions, "
                                     "published\n"));
    assert_non_null(strstr(reported, "there is no 'currentVersionUrl' of 'us-east-2' in it"));
    assert_non_null(
        strstr(reported, "note: aws: spot prices need credentials: set AWS_ACCESS"));

    run = fetch("aws", "us-east-1");
    assert_true(run.ok);
    assert_int_equal(run.result.unchanged, 1);
    assert_non_null(strstr(reported, "[us-east-1]\nunchanged\n"));
    assert_int_equal(fetch_state_find(fetched, STR("aws-offers us-east-1"))->status, 304);

    run = fetch_with(&(struct fetch_request){.provider = STR("aws"),
                                             .regions = {&STR("us-east-1"), 1},
                                             .now = {NOW},
                                             .anew = true},
                     NULL);
    assert_int_equal(run.result.read, 1);
}

/* Without an index there are no lists; spot prices come from elsewhere. */
static void test_aws_without_index(void **state)
{
    static const char *const answers[] = {
        "404\n",           "200\n body {\"offers\":{}}\n", "200\n body {\"offers\":\n",
        "200\n body []\n", "200\n file other.json\n",
    };
    char script[2048] = "";
    FILE *other = fopen(server_file("other.json"), "w");

    (void)state;
    assert_non_null(other);
    (void)fputs("{\"offers\":{\"AmazonEC2\":{\"currentRegionIndexUrl\":\"https://e.x/a\"}}}",
                other);
    (void)fclose(other);
    for (size_t i = 0; i < ARRAY_LEN(answers); i++)
        (void)snprintf(script + strlen(script), sizeof script - strlen(script),
                       "GET /%zu/offers/v1.0/aws/index.json %s", i, answers[i]);
    serve(script);
    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        char base[16];
        struct run run;

        (void)snprintf(base, sizeof base, "/%zu", i);
        (void)setenv("STINT_URL_AWS_PRICES", server_url(base), 1);
        run = fetch("aws", "us-east-1");
        assert_true(run.ok);
        assert_int_equal(run.result.failed, 1);
        assert_non_null(strstr(reported, "failed: "));
        assert_int_equal(strstr(reported, "which is not followed") != NULL, i == 4);
        assert_non_null(strstr(reported, "spot prices need"));
    }
}

static void test_aws_spot(void **state)
{
    char script[4096];
    struct run run;
    const char *second;

    (void)state;
    (void)setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE", 1);
    (void)setenv("AWS_SECRET_ACCESS_KEY", "s3cret/+", 1);
    (void)setenv("AWS_SESSION_TOKEN", "t0ken", 1);
    (void)snprintf(script, sizeof script,
                   "%sGET /v1/us-east-1/index.json 200\n body quote p4d\\n\n"
                   "GET /ec2/us-east-1/?Action=DescribeSpotPriceHistory&Version=2016-11-15&"
                   "MaxResults=1000&ProductDescription.1=Linux/UNIX&InstanceType.1=*&"
                   "InstanceType.9=*&-NextToken 200\n when Authorization: AWS4-HMAC-SHA256*\n"
                   " body quote s1\\nnext tok/2\\n\n"
                   "GET /ec2/us-east-1/?NextToken=tok/2 200\n body quote s2\\n\n",
                   aws_index);
    serve(script);
    run = fetch("aws", "us-east-1");
    assert_true(run.ok);
    assert_non_null(strstr(reported, "aws-spot-xml aws [us-east-1]\n  aws * s1\n  aws * s2\n"
                                     "read 2 pages, rows\n"));
    assert_int_equal(run.result.read, 2);
    assert_int_equal(server_count("StartTime=2026-08-17T10%3A00%3A00Z"), 2); /* 90 days back */
    assert_int_equal(server_count("X-Amz-Security-Token: t0ken"), 2);
    assert_int_equal(server_count("s3cret"), 0);

    /* From then on, what is new. */
    (void)fetch_with(&(struct fetch_request){.provider = STR("aws"),
                                             .regions = {&STR("us-east-1"), 1},
                                             .now = {NOW + 86400}},
                     NULL);
    second = strstr(server_log(), "StartTime=2026-11-15T09%3A00%3A00Z");
    assert_non_null(second);
}

static void test_aws_spot_refused(void **state)
{
    char script[4096];
    struct run run;

    (void)state;
    (void)setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE", 1);
    (void)setenv("AWS_SECRET_ACCESS_KEY", "s3cret", 1);
    (void)snprintf(script, sizeof script,
                   "%sGET /v1/*/index.json 200\n body quote p4d\\n\n"
                   "GET /ec2/* 401\n body <Response><Errors><Error><Code>AuthFailure</Code>"
                   "<Message>AWS was not able to validate the provided access credentials"
                   "</Message></Error></Errors></Response>\n",
                   aws_index);
    serve(script);
    run = fetch("aws", NULL);
    assert_true(run.ok);
    assert_int_equal(run.result.read, 2);
    assert_int_equal(run.result.failed, 3);
    assert_int_equal(server_count("GET /ec2/"), 1); /* once is enough */
    assert_non_null(strstr(reported, "AWS was not able to validate"));
}

static void test_skypilot(void **state)
{
    struct run run;

    (void)state;
    serve("GET /v8/gcp/vms.csv 304\n when If-None-Match: \"g1\"\n"
          "GET /v8/gcp/vms.csv 200\n header ETag: \"g1\"\n body quote a2\\n\n"
          "GET /v7/aws/vms.csv 304\n when If-None-Match: \"a1\"\n"
          "GET /v7/aws/vms.csv 200\n header ETag: \"a1\"\n body quote p3\\n\n"
          "GET /v8/azure/vms.csv 500\n"
          "GET /v[78]/verda/vms.csv 404\n"
          "GET /v8/*/vms.csv 200\n body quote x\\n\n");
    run = fetch("skypilot", NULL);
    assert_true(run.ok);
    assert_int_equal(run.result.read, 22);
    assert_int_equal(run.result.failed, 2); /* azure and verda */
}

static void test_skypilot_unchanged(void **state)
{
    struct run run;

    (void)state;
    serve("GET /v8/aws/vms.csv 404\n"
          "GET /v7/aws/vms.csv 304\n when If-None-Match: \"a1\"\n"
          "GET /v7/aws/vms.csv 200\n header ETag: \"a1\"\n body quote p3\\n\n");
    run = fetch("skypilot", "aws");
    assert_string_equal(reported, "skypilot aws [aws]\n  aws * p3\nread 1 pages, provider\n");
    run = fetch("skypilot", "aws");
    assert_string_equal(reported, "skypilot aws [aws]\nunchanged\n");
    assert_int_equal(run.result.unchanged, 1);
    assert_int_equal(server_count("If-None-Match"), 1); /* not for the file that is not there */
    run = fetch("skypilot", "awz");
    assert_false(run.ok);
    assert_int_equal(run.err.kind, ERROR_ABSENT);
    assert_non_null(strstr(run.err.hint, "'aws'"));
}

/* The real reader: parts of a machine that are on two pages. */
static void test_gcp(void **state)
{
#define SKU(what, unit, nanos) \
    "{\"description\":\"" what \
    " running in Americas\",\"category\":{\"usageType\":\"OnDemand\"}," \
    "\"serviceRegions\":[\"us-central1\"],\"pricingInfo\":[{\"pricingExpression\":{" \
    "\"usageUnit\":" \
    "\"" unit "\",\"tieredRates\":[{\"startUsageAmount\":0,\"unitPrice\":{\"currencyCode\":" \
    "\"USD\",\"units\":\"0\",\"nanos\":" nanos "}}]}}]}"
    struct run run;

    (void)state;
    (void)setenv("GOOGLE_API_KEY", "goo-s3cret", 1);
    serve(
        "GET /v1/services/6F81-5844-456A/skus?pageSize=5000&-pageToken 200\n"
        " when X-Goog-Api-Key: goo-s3cret\n body {\"skus\":[" SKU(
            "G2 Instance Core", "h",
            "20000000") "],\"nextPageToken\":\"p/2=\"}\n"
                        "GET /v1/services/6F81-5844-456A/skus?pageToken=p/2= 200\n"
                        " body {\"skus\":[" SKU("G2 Instance Ram", "GiBy.h", "3000000") "," SKU(
                            "Nvidia L4 GPU", "h", "560000000") "],\"nextPageToken\":\"\"}\n");
    run = fetch("gcp", NULL);
    assert_true(run.ok);
    assert_int_equal(run.result.read, 1);
    assert_non_null(strstr(reported, "  gcp us-central1 g2-standard-4\n"));
    assert_non_null(strstr(reported, "read 2 pages, "));
    assert_int_equal(server_count("s3cret"), 2);
    assert_null(strstr(server_log(), "key=")); /* never in the address */
    (void)unsetenv("GOOGLE_API_KEY");
    assert_false(fetch("gcp", NULL).ok);
}

/* --- all of them ------------------------------------------------------------------------- */

static bool never(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    (void)done;
    (void)total;
    return false;
}

static void test_stopped(void **state)
{
    struct run run;

    (void)state;
    serve("GET /api/retail/prices 200\n delay 5000\n");
    run = fetch_with(&(struct fetch_request){.provider = STR("azure"), .now = {NOW}}, never);
    assert_false(run.ok);
    assert_non_null(strstr(run.err.text, "stopped"));
    assert_int_equal(run.result.failed, 1); /* and not the seven others */
}

static void test_providers(void **state)
{
    struct run run;

    (void)state;
    run = fetch("azur", NULL);
    assert_false(run.ok);
    assert_int_equal(run.err.kind, ERROR_USAGE);
    assert_non_null(strstr(run.err.hint, "'azure'"));
    for (size_t i = 0; i < fetch_provider_count; i++) {
        struct error err = {0};

        assert_ptr_equal(fetch_provider_named(str_from(fetch_providers[i].name), &err),
                         &fetch_providers[i]);
        assert_true(strncmp(fetch_providers[i].home, "https://", 8) == 0);
    }
    /* A key is not sent over plain http to another machine. */
    (void)setenv("LAMBDA_API_KEY", "lam-s3cret", 1);
    (void)setenv("STINT_URL_LAMBDA", "http://lambda.example", 1);
    run = fetch("lambda", NULL);
    assert_true(run.ok);
    assert_non_null(strstr(reported, "refusing to send a key over plain http"));
}

/* --- asking again ------------------------------------------------------------------------ */

static struct run fetch_at(const char *provider, const char *region, int64_t now)
{
    struct str wanted = str_from(region);

    return fetch_with(&(struct fetch_request){.provider = str_from(provider),
                                              .regions = {&wanted, region == NULL ? 0 : 1},
                                              .clouds = {&wanted, region == NULL ? 0 : 1},
                                              .now = {now}},
                      NULL);
}

static void test_lambda_unchanged(void **state)
{
    const struct fetch_entry *had;

    (void)state;
    (void)setenv("LAMBDA_API_KEY", "lam-s3cret", 1);
    serve("GET /api/v1/instance-types 304\n when If-None-Match: \"l1\"\n"
          "GET /api/v1/instance-types 200\n header ETag: \"l1\"\n body quote gpu_1x\\n\n");
    assert_int_equal(fetch_at("lambda", NULL, NOW - 86400).result.read, 1);
    assert_int_equal(server_count("If-None-Match"), 0);
    assert_int_equal(fetch("lambda", NULL).result.unchanged, 1);
    assert_string_equal(reported, "lambda lambda []\nunchanged\n"); /* and dated now */
    assert_int_equal(server_count("If-None-Match: \"l1\""), 1);
    had = fetch_state_find(fetched, STR("lambda"));
    assert_int_equal(had->fetched.s, NOW - 86400);
    assert_int_equal(had->dated.s, NOW);
}

static bool keeps_nothing(void *ctx, const struct fetch_feed *feed, stamp since)
{
    (void)ctx;
    (void)feed;
    assert_int_equal(since.s, NOW);
    return false;
}

/* Prices that were lost must be sent again. */
static void test_lost_prices(void **state)
{
    struct fetch_listener forgetful = listener;
    struct fetch_context ctx = {.http = {.alloc = &alloc_system, .manners = &quick},
                                .alloc = &alloc_system,
                                .catalog = &catalog,
                                .known = known,
                                .state = fetched,
                                .formats = fakes,
                                .sink = &sink,
                                .listener = &forgetful};
    struct fetch_request request = {.provider = STR("lambda"), .now = {NOW}};
    struct error err = {0};

    (void)state;
    forgetful.keeps = keeps_nothing;
    (void)setenv("LAMBDA_API_KEY", "lam-s3cret", 1);
    serve("GET /api/v1/instance-types 200\n header ETag: \"l1\"\n body quote gpu_1x\\n\n");
    for (int i = 0; i < 2; i++) {
        ended = (struct ends){0};
        assert_true(fetch_run(&ctx, &request, &err));
        assert_int_equal(ended.read, 1);
    }
    assert_int_equal(server_count("If-None-Match"), 0);
}

/* The request had no condition, so "unchanged" is no valid answer. */
static void test_unasked_304(void **state)
{
    static const char *const lists[] = {"azure eastus", "lambda", "runpod", "vast", "gcp"};

    (void)state;
    (void)setenv("LAMBDA_API_KEY", "lam-s3cret", 1);
    (void)setenv("GOOGLE_API_KEY", "goo-s3cret", 1);
    serve("GET * 304\nPOST * 304\n");
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct str region = str_from(lists[i]), provider = str_cut(&region, ' ');
        struct run run =
            fetch_with(&(struct fetch_request){.provider = provider,
                                               .regions = {&region, region.len > 0 ? 1 : 0},
                                               .now = {NOW}},
                       NULL);

        assert_true(run.ok);
        assert_int_equal(run.result.failed, 1);
        assert_non_null(strstr(reported, "(304)"));
    }
}

/* A file has a date of its own. */
static void test_file_date(void **state)
{
    const int64_t august = 1787392800; /* 2026-08-22T10:00:00Z */
    const struct fetch_entry *had;

    (void)state;
    serve("GET /v8/oci/vms.csv 304\n when If-Modified-Since: Sat, 22 Aug 2026 10:00:00 GMT\n"
          "GET /v8/oci/vms.csv 200\n header Last-Modified: Sat, 22 Aug 2026 10:00:00 GMT\n"
          " body quote a\\n\n"
          "GET /v8/gcp/vms.csv 200\n header Last-Modified: Sat, 22 Aug 2037 10:00:00 GMT\n"
          " body quote b\\n\n"
          "GET /v8/ibm/vms.csv 200\n header Last-Modified: yesterday\n body quote c\\n\n"
          "GET /api/v1/instance-types 200\n header Last-Modified: Sat, 22 Aug 2026 10:00:00 "
          "GMT\n body quote d\\n\n");
    assert_int_equal(fetch("skypilot", "oci").result.read, 1);
    assert_non_null(strstr(reported, "read 1 pages, provider, published\n"));
    had = fetch_state_find(fetched, STR("skypilot oci"));
    assert_int_equal(had->dated.s, august);
    assert_int_equal(fetch("skypilot", "oci").result.unchanged, 1);
    assert_non_null(strstr(reported, "unchanged, published\n")); /* still of August */
    had = fetch_state_find(fetched, STR("skypilot oci"));
    assert_int_equal(had->dated.s, august);
    (void)fetch("skypilot", "gcp");
    assert_non_null(strstr(reported, "read 1 pages, provider\n")); /* no later than now */
    (void)fetch("skypilot", "ibm");
    assert_non_null(strstr(reported, "read 1 pages, provider\n"));
    (void)setenv("LAMBDA_API_KEY", "lam-s3cret", 1);
    (void)fetch("lambda", NULL); /* an answer is dated now, whatever date it has */
    assert_non_null(strstr(reported, "read 1 pages, provider\n"));
}

#define AWS_AGAIN(path, tag, body) \
    "GET " path " 304\n when If-None-Match: \"" tag "\"\n" \
    "GET " path " 200\n header ETag: \"" tag "\"\n body " body "\n"
#define AWS_FIRST \
    AWS_AGAIN("/offers/v1.0/aws/index.json", "i1", \
              "{\"offers\":{\"AmazonEC2\":{\"currentRegionIndexUrl\":\"/ri.json\"}}}")

/* Indexes that have not changed are not sent either, when we know what was in them. */
static void test_aws_indexes(void **state)
{
    (void)state;
    serve(AWS_FIRST AWS_AGAIN("/ri.json", "r1",
                              "{\"regions\":{\"us-east-1\":{\"currentVersionUrl\":\"/u\"},"
                              "\"us-east-2\":{\"currentVersionUrl\":\"/e\"}}}")
              AWS_AGAIN("/u", "u1", "published 1794000000\\nquote p4d\\n")
                  AWS_AGAIN("/e", "e1", "quote p5\\n"));
    assert_int_equal(fetch_at("aws", "us-east-1", NOW - 7200).result.read, 1);
    assert_int_equal(server_count("If-None-Match"), 0);
    assert_int_equal(fetch_at("aws", "us-east-1", NOW - 7100).result.unchanged, 1);
    assert_int_equal(server_count("If-None-Match"), 3);
    /* Another region: its address is in the index. */
    assert_int_equal(fetch_at("aws", "us-east-2", NOW - 3600).result.read, 1);
    assert_int_equal(server_count("If-None-Match"), 3);
    /* The index may have changed between: the first region's address may be another now. */
    assert_int_equal(fetch_at("aws", "us-east-1", NOW - 3500).result.unchanged, 1);
    assert_int_equal(server_count("If-None-Match"), 4);
    assert_int_equal(fetch("aws", "us-east-?").result.unchanged, 2);
    assert_int_equal(server_count("If-None-Match"), 4 + 2); /* us-east-2 was not asked since */
    assert_int_equal(fetch("aws", "us-east-?").result.unchanged, 2);
    assert_int_equal(server_count("If-None-Match"), 6 + 4);
}

/* A list is newer than the last "unchanged" answer, whatever its own date. */
static void test_aws_late_list(void **state)
{
    (void)state;
    serve(
        "GET /offers/v1.0/aws/index.json 200\n body {\"offers\":{\"AmazonEC2\":{"
        "\"currentRegionIndexUrl\":\"/ri.json\"}}}\n"
        "GET /ri.json 200\n times 2\n body {\"regions\":{\"us-east-1\":{"
        "\"currentVersionUrl\":\"/v1\"}}}\n"
        "GET /ri.json 200\n body {\"regions\":{\"us-east-1\":{"
        "\"currentVersionUrl\":\"/v2\"}}}\n" AWS_AGAIN(
            "/v1", "v1", "published 1794000000\\nquote old\\n") "GET /v2 200\n body published "
                                                                "1794500000\\nquote new\\n\n");
    assert_int_equal(fetch_at("aws", "us-east-1", 1794400000).result.read, 1);
    assert_int_equal(fetch_at("aws", "us-east-1", 1794600000).result.unchanged, 1);
    assert_int_equal(fetch("aws", "us-east-1").result.read, 1);
    assert_non_null(strstr(reported, "  aws * new\n"));
    assert_null(
        strstr(reported, "published")); /* on the 12th, but on the 13th it was not there */
    assert_int_equal(fetch_state_find(fetched, STR("aws-offers us-east-1"))->dated.s, NOW);
}

/* --- keys that servers repeat ------------------------------------------------------------- */

#define ECHOED "bad key s3cret-key-0123456789"
#define ECHOED_AWS ECHOED " of s3cret-id or s3cret-token"

static void no_secret_is_reported(const char *list)
{
    const struct fetch_entry *had = fetch_state_find(fetched, str_from(list));
    struct buf file = buf_new(&alloc_system, 100000);
    struct error err = {0};
    char path[256];
    FILE *in;
    int c;

    assert_non_null(strstr(reported, "***"));
    assert_null(strstr(reported, "s3cret"));
    assert_non_null(had);
    (void)snprintf(path, sizeof path, "%s", server_file("feeds.json"));
    assert_true(fetch_state_write(fetched, path, (stamp){NOW}, &err));
    in = fopen(path, "r");
    assert_non_null(in);
    while ((c = fgetc(in)) != EOF)
        buf_char(&file, (char)c);
    (void)fclose(in);
    buf_char(&file, '\0');
    assert_true(buf_ok(&file, &err));
    assert_null(strstr(file.at, "s3cret"));
    buf_free(&file);
}

static void set_keys(void)
{
    static const char *const variables[] = {"LAMBDA_API_KEY", "RUNPOD_API_KEY", "VAST_API_KEY",
                                            "GOOGLE_API_KEY", "AWS_SECRET_ACCESS_KEY"};

    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        (void)setenv(variables[i], "s3cret-key-0123456789", 1);
    (void)setenv("AWS_ACCESS_KEY_ID", "s3cret-id", 1);
    (void)setenv("AWS_SESSION_TOKEN", "s3cret-token", 1);
}

static const struct {
    const char *provider, *list;
} with_keys[] = {
    {"lambda", "lambda"},
    {"runpod", "runpod"},
    {"vast", "vast"},
    {"gcp", "gcp"},
    {"aws", "aws-spot-xml us-east-1"},
};

/* The services' own words for a refusal, by their status and in an answer that looks good. */
static void test_echoes(void **state)
{
    static const char *const answers[] = {
        "GET /offers/* 200\n body {\"offers\":{}}\n"
        "GET /ec2/* 401\n body <Response><Errors><Error><Message>" ECHOED_AWS
        "</Message></Error></Errors></Response>\n"
        "GET * 403\n body {\"error\":{\"message\":\"" ECHOED "\"}}\n"
        "POST /graphql 401\n body {\"errors\":[{\"message\":\"" ECHOED "\"}]}\n"
        "POST * 401\n body {\"success\":false,\"msg\":\"" ECHOED "\"}\n",
        "GET /offers/* 200\n body {\"offers\":{}}\n"
        "GET /ec2/* 200\n body <DescribeSpotPriceHistoryResponse><" ECHOED_AWS "\n"
        "GET * 200\n body {\"error\":{\"message\":\"" ECHOED "\"}}\n"
        "POST /graphql 200\n body {\"errors\":[{\"message\":\"" ECHOED "\"}]}\n"
        "POST * 200\n body {\"success\":false,\"error\":\"" ECHOED "\",\"msg\":\"" ECHOED
        "\"}\n",
    };

    (void)state;
    set_keys();
    formats = fetch_formats;
    for (size_t a = 0; a < ARRAY_LEN(answers); a++) {
        serve(answers[a]);
        for (size_t i = 0; i < ARRAY_LEN(with_keys); i++) {
            bool aws = strcmp(with_keys[i].provider, "aws") == 0;
            struct run run = fetch(with_keys[i].provider, aws ? "us-east-1" : NULL);

            assert_true(run.ok);
            assert_true(run.result.failed > 0);
            if (aws &&
                a == 1) /* the XML reader reports where it is broken, not what is there */
                assert_null(strstr(reported, "s3cret"));
            else
                no_secret_is_reported(with_keys[i].list);
        }
        server_teardown(NULL);
        assert_int_equal(server_setup(NULL), 0);
    }
}

/* A row that is left out, an ETag and an address can have it too. */
static void test_echoes_elsewhere(void **state)
{
    const struct fetch_entry *had;

    (void)state;
    set_keys();
    serve("GET /api/v1/instance-types 302\n header Location: /s3cret-key-0123456789/x\n"
          "GET /s3cret* 200\n header ETag: \"s3cret-key-0123456789\"\n"
          " body bad the row of s3cret-key-0123456789\\nquote a\\n\n"
          "POST /graphql 200\n body damaged s3cret-key-01\\n\n"); /* cut: enough of it */
    assert_int_equal(fetch("lambda", NULL).result.read, 1);
    assert_non_null(strstr(reported, "/***/x: the row of ***\n"));
    no_secret_is_reported("lambda");
    had = fetch_state_find(fetched, STR("lambda"));
    assert_int_equal(had->etag.len, 0);
    assert_int_equal(fetch("runpod", NULL).result.failed, 1);
    no_secret_is_reported("runpod");
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int group_fetch(void)
{
    const struct CMUnitTest tests[] = {
        SERVED(test_lambda),
        SERVED(test_lambda_refuses),
        SERVED(test_runpod),
        SERVED(test_vast),
        SERVED(test_azure_pages),
        SERVED(test_azure_slow),
        SERVED(test_azure_down),
        SERVED(test_azure_regions),
        SERVED(test_regions),
        SERVED(test_aws_offers),
        SERVED(test_aws_without_index),
        SERVED(test_aws_spot),
        SERVED(test_aws_spot_refused),
        SERVED(test_skypilot),
        SERVED(test_skypilot_unchanged),
        SERVED(test_gcp),
        SERVED(test_stopped),
        SERVED(test_providers),
        SERVED(test_lambda_unchanged),
        SERVED(test_lost_prices),
        SERVED(test_unasked_304),
        SERVED(test_file_date),
        SERVED(test_aws_indexes),
        SERVED(test_aws_late_list),
        SERVED(test_echoes),
        SERVED(test_echoes_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
