#include "clouds.h"

#include "bill/list.h"
#include "unit/time.h"

#define HEADER \
    "billing_account_id,service.id,service.description,sku.id,sku.description," \
    "usage_start_time,usage_end_time,project.id,project.name,project.labels,labels," \
    "system_labels,location.location,location.region,location.zone,export_time,cost,currency," \
    "usage.amount,usage.unit,usage.amount_in_pricing_units,usage.pricing_unit,credits," \
    "invoice.month,cost_type,resource.name,resource.global_name\n"

#define ROW(sku, labels, cost, credits, type) \
    "0189-D0,6F81,Compute Engine,AAAA," sku ",2026-03-01 00:00:00+00:00," \
    "2026-03-01 01:00:00+00:00,ml-prod,ML prod,[]," labels ",[],us-central1,us-central1," \
    "us-central1-a,2026-03-01 05:11:12.066000+00:00," cost \
    ",USD,3600.0,seconds,1.0,hour," credits ",202603," type \
    ",gpu-0,//compute.googleapis.com/projects/1/zones/z/instance/123\n"

static const char usage_row[] =
    HEADER ROW("Nvidia L4 GPU running in Americas",
               "\"[{\"\"key\"\":\"\"team\"\",\"\"value\"\":\"\"nlp\"\"}]\"", "0.56004",
               "\"[{\"\"name\"\":\"\"CUD\"\",\"\"amount\"\":-0.2,\"\"full_name\"\":null,"
               "\"\"id\"\":\"\"cud-1\"\","
               "\"\"type\"\":\"\"COMMITTED_USAGE_DISCOUNT\"\"}]\"",
               "regular");

static void a_row_of_csv_becomes_a_line_of_focus(void **state)
{
    struct reading r = {0};
    const char *column;

    (void)state;
    reading_first(&r, usage_row);
    assert_int_equal(bill_about(r.bill)->format, BILL_GCP_CSV);
    assert_string_equal(bill_about(r.bill)->version, "detailed");
    assert_decimal(r.line.billed, "0.36004");
    assert_decimal(r.line.effective, "0.36004");
    assert_decimal(r.line.list, "0.56004");
    assert_decimal(r.line.contracted, "0.56004");
    assert_column(&r, BilledCost, "0.36004");
    assert_column(&r, ListCost, "0.56004");
    assert_column(&r, BillingAccountId, "0189-D0");
    assert_column(&r, SubAccountId, "ml-prod");
    assert_column(&r, SubAccountName, "ML prod");
    assert_column(&r, ProviderName, "Google Cloud");
    assert_column(&r, PublisherName, "Google Cloud");
    assert_column(&r, InvoiceIssuerName, "Google Cloud");
    assert_column(&r, ServiceName, "Compute Engine");
    assert_column(&r, ServiceCategory, "Compute");
    assert_column(&r, SkuId, "AAAA");
    assert_column(&r, ChargeCategory, "Usage");
    assert_column(&r, ChargeFrequency, "Usage-Based");
    assert_column(&r, PricingCategory, "Committed");
    assert_column(&r, CommitmentDiscountId, "cud-1");
    assert_column(&r, CommitmentDiscountName, "CUD");
    assert_column(&r, CommitmentDiscountCategory, "Usage");
    assert_column(&r, CommitmentDiscountStatus, "Used");
    assert_column(&r, ConsumedQuantity, "3600.0");
    assert_column(&r, ConsumedUnit, "seconds");
    assert_column(&r, PricingQuantity, "1.0");
    assert_column(&r, PricingUnit, "hour");
    assert_column(&r, RegionId, "us-central1");
    assert_column(&r, AvailabilityZone, "us-central1-a");
    assert_column(&r, ResourceId, "//compute.googleapis.com/projects/1/zones/z/instance/123");
    assert_column(&r, ResourceName, "gpu-0");
    assert_column(&r, ResourceType, "instance");
    assert_column(&r, Tags, "{\"team\":\"nlp\"}");
    assert_column(&r, BillingCurrency, "USD");
    assert_time(r.line.start, "2026-03-01T00:00:00Z");
    assert_time(r.line.end, "2026-03-01T01:00:00Z");
    assert_time(r.line.period_start, "2026-03-01T00:00:00Z");
    assert_time(r.line.period_end, "2026-04-01T00:00:00Z");
    assert_int_equal(r.line.end.s - r.line.start.s, 3600);
    assert_int_equal(r.line.line, 2);
    assert_false(reading_next(&r));
    assert_false(bill_failed(r.bill));
    assert_decimal(bill_file_total(r.bill, &column), "0.36004");
    assert_string_equal(column, "cost and credits.amount");
    assert_int_equal(bill_about(r.bill)->unused.len, 0);
    bill_close(r.bill);
}

static const char nested[] =
    "{\"billing_account_id\":\"0189\",\"service\":{\"id\":\"6F81\",\"description\":\"Cloud "
    "Storage\"},"
    "\"sku\":{\"id\":\"S\",\"description\":\"Standard Storage\"},\"usage_start_time\":"
    "\"2026-03-01 10:00:00 UTC\",\"usage_end_time\":\"2026-03-01 11:00:00 "
    "UTC\",\"project\":{\"id\":"
    "\"p\",\"number\":\"23\",\"name\":\"P\",\"labels\":[{\"key\":\"team\",\"value\":\"from "
    "project\"},"
    "{\"key\":\"cc\",\"value\":\"42\"}]},\"labels\":[{\"key\":\"team\",\"value\":\"nlp\"}],"
    "\"system_labels\":[{\"key\":\"compute.googleapis.com/machine_spec\",\"value\":"
    "\"g2-standard-4\"}],\"location\":{\"location\":\"eu\"},\"cost\":0."
    "1000000000000000055511151231,"
    "\"cost_at_list\":0.3,\"currency\":\"EUR\",\"usage\":{\"amount\":3600.0,\"unit\":"
    "\"seconds\","
    "\"amount_in_pricing_units\":1.0,\"pricing_unit\":\"hour\"},\"credits\":[],\"invoice\":{"
    "\"month\":\"202603\"},\"cost_type\":\"regular\",\"seller_name\":null,\"price\":{"
    "\"effective_price\":\"0.1\"}}\n";

static void nested_objects_keep_every_digit(void **state)
{
    struct reading r = {.pieces.size = 7};

    (void)state;
    reading_first(&r, nested);
    assert_int_equal(bill_about(r.bill)->format, BILL_GCP_NDJSON);
    assert_column(&r, BilledCost, "0.1000000000000000055511151231");
    assert_decimal(r.line.billed, "0.1000000000000000055511151231");
    assert_decimal(r.line.list, "0.3");
    assert_column(&r, ServiceCategory, "Storage");
    assert_column(&r, Tags, "{\"team\":\"nlp\",\"cc\":\"42\"}");
    assert_column(&r, SkuPriceDetails, "{\"InstanceType\":\"g2-standard-4\"}");
    assert_column(&r, RegionId, "eu");
    assert_column(&r, ContractedUnitPrice, "0.1");
    assert_column(&r, PricingCategory, "Standard");
    assert_unknown(&r, AvailabilityZone);
    assert_unknown(&r, CommitmentDiscountId);
    bill_close(r.bill);
}

static void a_list_of_objects_is_read_too(void **state)
{
    struct buf text = buf_new(&alloc_system, 1 << 16);
    struct reading r = {0};
    int lines = 0;

    (void)state;
    buf_addf(&text, "[%s,%s]", nested, nested);
    assert_true(reading_open(&r, buf_text(&text)));
    while (reading_next(&r))
        lines++;
    assert_false(bill_failed(r.bill));
    assert_int_equal(lines, 2);
    bill_close(r.bill);
    buf_free(&text);
}

static void kinds_of_costs_are_distinguished(void **state)
{
    static const struct {
        const char *row, *category, *pricing, *frequency;
    } cases[] = {
        {HEADER ROW("Tax", "[]", "1", "[]", "tax"), "Tax", NULL, "One-Time"},
        {HEADER ROW("x", "[]", "-1", "[]", "adjustment"), "Adjustment", NULL, "One-Time"},
        {HEADER ROW("x", "[]", "0.01", "[]", "rounding_error"), "Adjustment", NULL, "One-Time"},
        {HEADER ROW("Spot Preemptible A2 Instance Core", "[]", "1", "[]", "regular"), "Usage",
         "Dynamic", "Usage-Based"},
        {HEADER ROW("Commitment v1: Cpu in Americas for 1 Year", "[]", "1", "[]", "regular"),
         "Purchase", "Committed", "Recurring"},
        {HEADER ROW("N2 Instance Core", "[]", "1", "[]", "regular"), "Usage", "Standard",
         "Usage-Based"},
        {HEADER ROW("N2 Instance Core", "[]", "1", "[]", ""), "Usage", "Standard",
         "Usage-Based"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r = {0};

        reading_first(&r, cases[i].row);
        assert_column(&r, ChargeCategory, cases[i].category);
        assert_column(&r, ChargeFrequency, cases[i].frequency);
        if (cases[i].pricing != NULL)
            assert_column(&r, PricingCategory, cases[i].pricing);
        else
            assert_unknown(&r, PricingCategory);
        if (strcmp(cases[i].category, "Tax") == 0) {
            assert_unknown(&r, SkuId);
            assert_unknown(&r, PricingQuantity);
        }
        bill_close(r.bill);
    }
}

/* What pandas and the koku project write. */
static void lists_in_pythons_notation_are_read(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(
        &r,
        HEADER ROW("x",
                   "\"[{'key': 'team', 'value': \"\"n'lp\"\"}, {'key': 'a', 'value': None}]\"",
                   "5e-06",
                   "\"[{'name': 'FreeTrial', 'amount': -5e-06, 'full_name': None, 'id': "
                   "'it\\'s', 'type': 'PROMOTION'}\n {'amount': Decimal('-0.000000000001')}]\"",
                   "regular"));
    assert_decimal(r.line.billed, "-0.000000000001");
    assert_column(&r, Tags, "{\"team\":\"n'lp\",\"a\":\"\"}");
    assert_column(&r, PricingCategory, "Standard");
    bill_close(r.bill);
}

static void notations_become_json(void **state)
{
    static const struct {
        const char *text, *json;
    } cases[] = {
        {"", ""},
        {"[]", "[]"},
        {"[{\"a\": \"it's\"}]", "[{\"a\": \"it's\"}]"},
        {"[{'a': 'b\"c'}]", "[{\"a\": \"b\\\"c\"}]"},
        {"[{'a': 'it\\'s', 'b': '\\xe9'}]", "[{\"a\": \"it's\", \"b\": \"\\u00e9\"}]"},
        {"[{'a': None, 'b': True, 'c': False, 'd': nan}]",
         "[{\"a\": null, \"b\": true, \"c\": false, \"d\": null}]"},
        {"[{'a': 1}\n {'a': 2}]", "[{\"a\": 1}\n ,{\"a\": 2}]"},
        {"({'a': Decimal('1.50')})", "[{\"a\": 1.50}]"},
        {"\"team\": \"nlp\",\"run\": \"x\"", "{\"team\": \"nlp\",\"run\": \"x\"}"},
        {"[{'a': -1.5E+3}]", "[{\"a\": -1.5E+3}]"},
        {"'", "\"\""},
        {"'\\", "\"\\\""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out = buf_new(&alloc_system, 1000);

        bill_list_json(str_from(cases[i].text), &out);
        assert_str_equal(buf_text(&out), cases[i].json);
        buf_free(&out);
    }
}

static void labels_that_cannot_be_read_are_kept_as_text(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(&r, HEADER ROW("x", "\"team:nlp; {\"", "1", "[]", "regular"));
    assert_column(&r, Tags, "{\"labels\":\"team:nlp; {\"}");
    bill_close(r.bill);
}

static void credits_may_be_a_number_or_a_separate_column(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(&r, HEADER ROW("x", "[]", "1", "-0.25", "regular"));
    assert_decimal(r.line.billed, "0.75");
    bill_close(r.bill);
    reading_first(&r, "billing_account_id,service_description,sku_id,usage_start_time,cost,"
                      "currency,credits_amount,invoice_month,cost_type,export_time\n"
                      "1,Vertex AI,s,2026-03-01,10,USD,-2.5,2026-03,regular,2026-03-02\n");
    assert_decimal(r.line.billed, "7.5");
    assert_column(&r, ServiceCategory, "AI and Machine Learning");
    assert_int_equal(r.line.end.s - r.line.start.s, SECONDS_PER_DAY);
    bill_close(r.bill);
}

static void bad_rows_are_named(void **state)
{
    struct reading r = {0};

    (void)state;
    assert_string_equal(reading_fails(&r, HEADER ROW("x", "[]", "much", "[]", "regular")),
                        "line 2: cost: 'much' is not an amount");
    assert_string_equal(reading_fails(&r, HEADER ROW("x", "[]", "1", "[{", "regular")),
                        "line 2: credits: '[{' is not a list of credits");
    assert_string_equal(
        reading_fails(&r, HEADER ROW("x", "[]", "1", "[{'amount': 'x'}]", "regular")),
        "line 2: credits.amount: 'x' is not an amount");
    assert_string_equal(reading_fails(&r, HEADER ROW("x", "[]", "", "[]", "regular")),
                        "line 2: cost is empty");
    assert_string_equal(
        reading_fails(&r, "billing_account_id,service.description,sku.id,usage_start_time,"
                          "cost,currency,invoice.month\n1,s,k,2026-03-01,1,USD,March\n"),
        "line 2: invoice.month: 'March' is not a month such as 202603");
    assert_string_equal(
        reading_fails(&r, "billing_account_id,service.description,sku.id,usage_start_time,"
                          "cost,currency,invoice.month\n1,s,k,2026-03-01,1,,202603\n"),
        "line 2: currency is empty");
}

static void memory_may_run_out(void **state)
{
    size_t allow;
    bool done = false;

    (void)state;
    for (allow = 0; allow < 200 && !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct reading r = {.options.alloc = &alloc};

        if (reading_open(&r, str_from(usage_row))) {
            done = reading_next(&r) && !reading_next(&r) && !bill_failed(r.bill);
            bill_close(r.bill);
        }
        if (!done)
            assert_int_equal(r.err.kind, ERROR_MEMORY);
        assert_int_equal(failing.held, 0);
    }
    assert_in_range(allow, 5, 199);
}

static void totals_are_pythons(void **state)
{
    static const struct shared_file files[] = {
        {"data/gcp_billing/"
         "koku_202011_30c31bca571d9b7f3b2c8459dd8bc34a_2020-11-08_2020-11-11.csv",
         "standard", "0.000000", 25, BILL_GCP_CSV, BILL_BOTH},
        {"data/gcp_billing/koku_2022-08-01_5.csv", "detailed", "0.000012", 9, BILL_GCP_CSV,
         BILL_BOTH},
        {"samples/billing/gcp_billing_export_flat.csv", "standard", "0.36004", 1, BILL_GCP_CSV,
         BILL_BOTH},
        {"samples/billing/gcp_billing_export.ndjson", "detailed", "0.36004", 1, BILL_GCP_NDJSON,
         BILL_BOTH},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        shared_check(&files[i]);
}

int group_gcp(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_csv_becomes_a_line_of_focus),
        cmocka_unit_test(nested_objects_keep_every_digit),
        cmocka_unit_test(a_list_of_objects_is_read_too),
        cmocka_unit_test(kinds_of_costs_are_distinguished),
        cmocka_unit_test(lists_in_pythons_notation_are_read),
        cmocka_unit_test(notations_become_json),
        cmocka_unit_test(labels_that_cannot_be_read_are_kept_as_text),
        cmocka_unit_test(credits_may_be_a_number_or_a_separate_column),
        cmocka_unit_test(bad_rows_are_named),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(totals_are_pythons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
