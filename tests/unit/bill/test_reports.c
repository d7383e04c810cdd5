/* Oracle's cost reports, answers of AWS Cost Explorer, and manifests. */
#include "bills.h"

#define OCI_HEAD \
    "lineItem/referenceNo,lineItem/tenantId,lineItem/intervalUsageStart," \
    "lineItem/intervalUsageEnd,product/service,product/compartmentId,product/compartmentName," \
    "product/region,product/availabilityDomain,product/resourceId,usage/billedQuantity," \
    "cost/productSku,product/Description,cost/unitPrice,cost/myCost,cost/myCostOverage," \
    "cost/currencyCode,cost/skuUnitDescription,lineItem/isCorrection,tags/Ops.Team,tags/" \
    "free\n"
#define OCI_ROW(cost, over, correction) \
    "r1,ocid1.tenancy,2023-11-13T10:00Z,2023-11-13T11:00:00Z,COMPUTE,ocid1.comp,ml," \
    "us-sanjose-1,sj-1,ocid1.instance,0.5,B1,GPU hours,3.05," cost "," over \
    ",USD,Hours," correction ",nlp,\n"

static void oci(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, OCI_HEAD OCI_ROW("4.81298076439E-7", "", "false") OCI_ROW("-1", "7", "true")
                      OCI_ROW("", "2", "false") OCI_ROW("", "", "false"));
    assert_int_equal(bill_about(r.bill)->format, BILL_OCI);
    assert_int_equal(bill_about(r.bill)->unused.len, 0);
    must_next(&r);
    assert_decimal(r.line.billed, "0.000000481298076439");
    assert_decimal(r.line.effective, "0.000000481298076439");
    assert_stamp(r.line.start, "2023-11-13T10:00:00Z");
    assert_stamp(r.line.end, "2023-11-13T11:00:00Z");
    assert_stamp(r.line.period_start, "2023-11-01T00:00:00Z");
    assert_stamp(r.line.period_end, "2023-12-01T00:00:00Z");
    assert_cell(&r, FOCUS_ProviderName, "Oracle");
    assert_cell(&r, FOCUS_BillingAccountId, "ocid1.tenancy");
    assert_cell(&r, FOCUS_SubAccountId, "ocid1.comp");
    assert_cell(&r, FOCUS_SubAccountName, "ml");
    assert_cell(&r, FOCUS_ServiceName, "COMPUTE");
    assert_cell(&r, FOCUS_ServiceCategory, "Compute");
    assert_cell(&r, FOCUS_RegionId, "us-sanjose-1");
    assert_cell(&r, FOCUS_ResourceId, "ocid1.instance");
    assert_cell(&r, FOCUS_ConsumedQuantity, "0.5");
    assert_cell(&r, FOCUS_ContractedUnitPrice, "3.05");
    assert_cell(&r, FOCUS_Tags, "{\"Ops.Team\":\"nlp\"}");
    assert_cell(&r, FOCUS_ChargeCategory, "Usage");
    assert_cell(&r, FOCUS_ChargeClass, NULL);
    must_next(&r);
    assert_decimal(r.line.billed, "-1");
    assert_cell(&r, FOCUS_ChargeClass, "Correction");
    must_next(&r); /* no cost but that beyond the commitment */
    assert_decimal(r.line.billed, "2");
    must_next(&r);
    assert_decimal(r.line.billed, "0");
    assert_total(&r, "cost/myCost", "1.000000481298076439");
    must_end(&r);
    must_survive(OCI_HEAD OCI_ROW("1", "", "false"));
}

#define COST(name, amount) "\"" name "\":{\"Amount\":\"" amount "\",\"Unit\":\"USD\"}"
#define GROUP(keys, metrics) "{\"Keys\":[" keys "],\"Metrics\":{" metrics "}}"
#define RESULT(start, end, groups) \
    "{\"TimePeriod\":{\"Start\":\"" start "\",\"End\":\"" end \
    "\"},\"Total\":{},\"Groups\":[" groups "],\"Estimated\":true}"
#define BY(type, key) "{\"Type\":\"" type "\",\"Key\":\"" key "\"}"
#define ANSWER(by, results) \
    "{\"GroupDefinitions\":[" by "],\"ResultsByTime\":[" results \
    "],\"DimensionValueAttributes\":[]}"

#define BOTH(unblended, amortized) \
    COST("UnblendedCost", unblended) "," COST("AmortizedCost", amortized)
#define SERVICE_AND_TEAM BY("DIMENSION", "SERVICE") "," BY("TAG", "team")
#define MACHINES \
    GROUP("\"Amazon Elastic Compute Cloud - Compute\",\"team$nlp\"", \
          BOTH("12.3400000000", \
               "10.1") ",\"UsageQuantity\":{\"Amount\":\"5\",\"Unit\":\"Hrs\"}")
#define STORAGE \
    GROUP("\"Amazon Simple Storage Service\",\"team$\"", BOTH("0.0000000001", "0.0000000001"))
#define MACHINES_AND_STORAGE RESULT("2026-03-01", "2026-03-02", MACHINES "," STORAGE)
#define NOTHING RESULT("2026-03-02", "2026-03-03", "")
#define ODD RESULT("2026-03-03", "2026-03-04", GROUP("\"Odd\",\"team$x\"", BOTH("1", "1")))

static void explorer(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, ANSWER(SERVICE_AND_TEAM, MACHINES_AND_STORAGE "," NOTHING "," ODD));
    assert_int_equal(bill_about(r.bill)->format, BILL_AWS_EXPLORER);
    assert_true(bill_about(r.bill)->coarse);
    assert_int_equal(bill_about(r.bill)->amounts, BILL_BOTH);
    must_next(&r);
    assert_decimal(r.line.billed, "12.34");
    assert_decimal(r.line.effective, "10.1");
    assert_cell(&r, FOCUS_ProviderName, "AWS");
    assert_cell(&r, FOCUS_ServiceName, "Amazon Elastic Compute Cloud - Compute");
    assert_cell(&r, FOCUS_ServiceCategory, "Compute");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\"}");
    assert_cell(&r, FOCUS_BillingCurrency, "USD");
    assert_cell(&r, FOCUS_ConsumedQuantity, "5");
    assert_stamp(r.line.start, "2026-03-01T00:00:00Z");
    assert_stamp(r.line.end, "2026-03-02T00:00:00Z");
    assert_stamp(r.line.period_end, "2026-04-01T00:00:00Z");
    must_next(&r);
    assert_cell(&r, FOCUS_Tags, NULL);
    assert_cell(&r, FOCUS_ServiceCategory, "Storage");
    assert_cell(&r, FOCUS_ConsumedQuantity, NULL);
    must_next(&r);
    assert_cell(&r, FOCUS_ServiceCategory, "Other");
    assert_stamp(r.line.start, "2026-03-03T00:00:00Z");
    assert_total(&r, "UnblendedCost", "13.3400000001");
    must_end(&r);
}

static void explorer_keys(void **state)
{
    static const struct {
        const char *type, *name, *key;
        enum focus_column column;
        const char *value;
    } cases[] = {
        {"DIMENSION", "LINKED_ACCOUNT", "111122223333", FOCUS_SubAccountId, "111122223333"},
        {"DIMENSION", "REGION", "us-east-1", FOCUS_RegionId, "us-east-1"},
        {"DIMENSION", "REGION", "NoRegion", FOCUS_RegionId, NULL},
        {"DIMENSION", "INSTANCE_TYPE", "g5.xlarge", FOCUS_SkuPriceDetails,
         "{\"InstanceType\":\"g5.xlarge\"}"},
        {"DIMENSION", "INSTANCE_TYPE", "NoInstanceType", FOCUS_SkuPriceDetails, NULL},
        {"DIMENSION", "PURCHASE_TYPE", "Spot Instances", FOCUS_PricingCategory, "Dynamic"},
        {"DIMENSION", "PURCHASE_TYPE", "Savings Plans", FOCUS_PricingCategory, "Committed"},
        {"DIMENSION", "RECORD_TYPE", "Refund", FOCUS_ChargeClass, "Correction"},
        {"DIMENSION", "RECORD_TYPE", "Tax", FOCUS_ChargeCategory, "Tax"},
        {"DIMENSION", "RECORD_TYPE", "Savings Plan Recurring Fee", FOCUS_ChargeCategory,
         "Purchase"},
        {"DIMENSION", "RECORD_TYPE", "DiscountedUsage", FOCUS_PricingCategory, "Committed"},
        {"DIMENSION", "SERVICE", "Tax", FOCUS_ChargeCategory, "Tax"},
        {"DIMENSION", "SERVICE", "Taxi", FOCUS_ChargeCategory, "Usage"},
        {"DIMENSION", "USAGE_TYPE", "BoxUsage:g5.xlarge", FOCUS_SkuMeter, "BoxUsage:g5.xlarge"},
        {"COST_CATEGORY", "unit", "unit$ml", FOCUS_Tags, "{\"costCategory:unit\":\"ml\"}"},
        {"TAG", "run", "run$a$b", FOCUS_Tags, "{\"run\":\"a$b\"}"},
    };
    char text[1024];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r;

        (void)snprintf(text, sizeof text,
                       "{\"GroupDefinitions\":[{\"Type\":\"%s\",\"Key\":\"%s\"}],"
                       "\"ResultsByTime\":[{\"Groups\":[{\"Metrics\":{\"UnblendedCost\":"
                       "{\"Unit\":\"EUR\",\"Amount\":\"1\"}},\"Keys\":[\"%s\"]}],"
                       "\"TimePeriod\":{\"End\":\"2026-04-01\",\"Start\":\"2026-03-01\"}}]}",
                       cases[i].type, cases[i].name, cases[i].key);
        must_line(&r, text);
        assert_cell(&r, cases[i].column, cases[i].value);
        assert_cell(&r, FOCUS_BillingCurrency, "EUR");
        assert_stamp(r.line.start, "2026-03-01T00:00:00Z");
        must_end(&r);
    }
}

static void explorer_shapes(void **state)
{
    struct reading r;

    (void)state;
    /* Without groups, the total is the line; without definitions, keys are recognized by their
     * form. */
    must_line(&r, "{\"ResultsByTime\":[{\"TimePeriod\":{\"Start\":\"2026-03-01\",\"End\":"
                  "\"2026-04-01\"},\"Total\":{" COST(
                      "NetAmortizedCost",
                      "5") "},\"Groups\":[]},"
                           "{\"TimePeriod\":{\"Start\":\"2026-04-01\",\"End\":\"2026-05-01\"},"
                           "\"Groups\":[" GROUP(
                               "\"111122223333\",\"eu-west-1\",\"p4d.24xlarge\",\"a$b\"",
                               COST("NetAmortizedCost", "6")) "]}]}");
    assert_int_equal(bill_about(r.bill)->amounts, BILL_AMORTIZED);
    assert_decimal(r.line.billed, "0");
    assert_decimal(r.line.effective, "5");
    must_next(&r);
    assert_cell(&r, FOCUS_SubAccountId, "111122223333");
    assert_cell(&r, FOCUS_RegionId, "eu-west-1");
    assert_cell(&r, FOCUS_SkuPriceDetails, "{\"InstanceType\":\"p4d.24xlarge\"}");
    assert_cell(&r, FOCUS_Tags, "{\"a\":\"b\"}");
    assert_total(&r, "NetAmortizedCost", "11");
    must_end(&r);
    /* Pages after one another: the last has no token. */
    must_open(&r,
              "{\"NextPageToken\":\"x\",\"ResultsByTime\":[" RESULT(
                  "2026-03-01", "2026-03-02",
                  GROUP("\"A B\"",
                        COST("UnblendedCost",
                             "1"))) "]}\n" ANSWER(BY("DIMENSION", "SERVICE"),
                                                  RESULT("2026-03-02", "2026-03-03",
                                                         GROUP("\"A B\"",
                                                               COST("UnblendedCost", "2")))));
    must_next(&r);
    must_next(&r);
    assert_total(&r, "UnblendedCost", "3");
    must_end(&r);
    must_open(&r, ANSWER("", ""));
    must_end(&r);
}

/* A page with a successor is reported, wherever the token is. */
static void explorer_pages(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r,
              "{\"ResultsByTime\":[" RESULT(
                  "2026-03-01", "2026-03-02",
                  GROUP("\"A B\"", COST("UnblendedCost", "1"))) "],\"NextPageToken\":\"x\"}");
    must_next(&r);
    assert_false(bill_about(r.bill)->next_page);
    assert_false(bill_next(r.bill, &r.line, &r.err));
    assert_true(bill_about(r.bill)->next_page);
    bill_close(r.bill);
}

static void explorer_refusals(void **state)
{
    (void)state;
    must_refuse(ANSWER("", RESULT("2026-03-01", "2026-03-02",
                                  GROUP("\"A\"", COST("UsageQuantity", "1")))),
                "this answer of Cost Explorer has no cost in it",
                "ask with --metrics UnblendedCost AmortizedCost");
    must_refuse(ANSWER("", "{\"Groups\":[]}"), "line 1: a result has no TimePeriod", NULL);
    must_refuse(ANSWER("", RESULT("soon", "2026-03-02", "")),
                "line 1: TimePeriod has no time in it", NULL);
    must_refuse(ANSWER("", RESULT("2026-03-01", "2026-03-02",
                                  GROUP("\"A\"", COST("UnblendedCost", "1,5")))),
                "line 1: UnblendedCost: '1,5' is not an amount", NULL);
    must_refuse(ANSWER("", RESULT("2026-03-01", "2026-03-02",
                                  GROUP("\"A\"", "\"UnblendedCost\":{\"Amount\":\"1\"}"))),
                "line 1: Unit is empty", NULL);
    must_survive(
        ANSWER(BY("TAG", "team"), RESULT("2026-03-01", "2026-03-02",
                                         GROUP("\"team$x\"", COST("UnblendedCost", "1")))));
}

static void manifests(void **state)
{
    static const char *const aws =
        "{\"assemblyId\":\"a-1\",\"account\":\"1\",\"columns\":[{\"name\":\"start\"}],"
        "\"billingPeriod\":{\"start\":\"20260301T000000.000Z\",\"end\":"
        "\"20260401T000000.000Z\"},\"bucket\":\"b\",\"reportKeys\":[\"p/r/r-1.csv.gz\","
        "\"/p/r/r-2.csv.gz\"]}";
    struct arena arena = test_arena();
    struct bill_manifest m;
    struct error err = {0};
    struct str place;

    (void)state;
    assert_true(bill_manifest(str_from(aws), "m", &arena, &m, &err));
    assert_int_equal(m.file_count, 2);
    assert_str_equal(m.files[0], "p/r/r-1.csv.gz");
    assert_str_equal(m.files[1], "p/r/r-2.csv.gz");
    assert_str_equal(m.delivery, "a-1");
    assert_stamp(m.period_start, "2026-03-01T00:00:00Z");
    assert_stamp(m.period_end, "2026-04-01T00:00:00Z");
    assert_true(bill_manifest_place(m.files[0], 0, &place));
    assert_str_equal(place, "p/r/r-1.csv.gz");
    assert_true(bill_manifest_place(m.files[0], 2, &place));
    assert_str_equal(place, "r-1.csv.gz");
    assert_false(bill_manifest_place(m.files[0], 3, &place));
    assert_int_equal(err.kind, ERROR_NONE);
    arena_free(&arena);
}

static void manifests_of_exports(void **state)
{
    static const char *const exports =
        "{\"dataFiles\":[\"s3://b/p/data/r-1.csv.gz\"],\"executionId\":\"e\"}";
    static const char *const azure =
        "\xef\xbb\xbf{\"manifestVersion\":\"2024-04-01\",\"blobCount\":1,\"exportConfig\":"
        "{\"exportName\":\"x\"},\"runInfo\":{\"runId\":\"r\",\"startDate\":"
        "\"2024-03-01T00:00:00\",\"endDate\":\"2024-03-31T00:00:00\"},\"blobs\":[{\"blobName\":"
        "\"x/part_0.csv\",\"byteCount\":9}]}";
    struct arena arena = test_arena();
    struct bill_manifest m;
    struct error err = {0};

    (void)state;
    assert_true(bill_manifest(str_from(exports), "m", &arena, &m, &err));
    assert_str_equal(m.files[0], "p/data/r-1.csv.gz");
    assert_str_equal(m.delivery, "e");
    assert_true(m.period_start.s == STAMP_UNKNOWN.s);
    assert_true(bill_manifest(str_from(azure), "m", &arena, &m, &err));
    assert_str_equal(m.files[0], "x/part_0.csv");
    assert_str_equal(m.delivery, "r");
    assert_stamp(m.period_start, "2024-03-01T00:00:00Z");
    assert_stamp(m.period_end, "2024-04-01T00:00:00Z"); /* the last day is meant */
    arena_free(&arena);
}

static void no_manifests(void **state)
{
    static const char *const others[] = {
        "",       "BilledCost,x\n1,2\n", "{\"a\":1}\n{\"a\":2}\n",     "[1,2]",
        "{\"a\"", "{\"files\":[]}",      "{\"start\":\"not a time\"}",
    };
    struct arena arena = test_arena();
    struct bill_manifest m;
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        assert_false(bill_manifest(str_from(others[i]), "m", &arena, &m, &err));
        assert_int_equal(err.kind, ERROR_NONE);
    }
    assert_false(bill_manifest(STR("{\"files\":[\"a/../../x\"]}"), "m.json", &arena, &m, &err));
    assert_string_equal(err.text, "m.json: the manifest names a file outside of its folder");
    err = (struct error){0};
    assert_false(bill_manifest(STR("{\"files\":[\"a\"],"), "m.json", &arena, &m, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    arena_free(&arena);
}

int group_reports(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oci),
        cmocka_unit_test(explorer),
        cmocka_unit_test(explorer_keys),
        cmocka_unit_test(explorer_shapes),
        cmocka_unit_test(explorer_pages),
        cmocka_unit_test(explorer_refusals),
        cmocka_unit_test(manifests),
        cmocka_unit_test(manifests_of_exports),
        cmocka_unit_test(no_manifests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
