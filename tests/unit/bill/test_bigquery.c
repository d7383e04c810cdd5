#include "clouds.h"

static void csv_of_days_and_services(void **state)
{
    struct reading r = {0};
    const char *column;

    (void)state;
    reading_first(&r, "service,project_id,usage_date,cost,credits,currency,team\n"
                      "Compute Engine,ml,2026-03-01,10.5,-0.25,EUR,nlp\n"
                      "Vertex AI,ml,2026-03-02,1e-7,,EUR,\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_BIGQUERY);
    assert_true(bill_about(r.bill)->coarse);
    assert_decimal(r.line.billed, "10.25");
    assert_decimal(r.line.list, "10.5");
    assert_column(&r, BilledCost, "10.25");
    assert_column(&r, ServiceName, "Compute Engine");
    assert_column(&r, ServiceCategory, "Compute");
    assert_column(&r, SubAccountId, "ml");
    assert_column(&r, ProviderName, "Google Cloud");
    assert_column(&r, BillingCurrency, "EUR");
    assert_column(&r, ChargeCategory, "Usage");
    assert_column(&r, Tags, "{\"team\":\"nlp\"}");
    assert_time(r.line.start, "2026-03-01");
    assert_time(r.line.end, "2026-03-02");
    assert_time(r.line.period_end, "2026-04-01");
    assert_int_equal(r.line.line, 2);
    assert_true(reading_next(&r));
    assert_decimal(r.line.billed, "0.0000001");
    assert_unknown(&r, Tags);
    assert_false(reading_next(&r));
    assert_decimal(bill_file_total(r.bill, &column), "10.2500001");
    assert_string_equal(column, "cost and credits");
    bill_close(r.bill);
}

/* bq query --format=json: one array, every value a text. */
static void objects_of_months(void **state)
{
    struct reading r = {.pieces.size = 5};

    (void)state;
    reading_first(
        &r, "[{\"invoice_month\":\"202603\",\"service_description\":\"BigQuery\",\"cost\":"
            "\"12.34\",\"net_cost\":\"11\",\"currency\":\"USD\"},"
            "{\"invoice_month\":\"202602\",\"service_description\":null,\"net_cost\":\"1\","
            "\"currency\":\"USD\",\"sku_description\":\"x\"}]");
    assert_decimal(r.line.billed, "11");
    assert_column(&r, ServiceName, "BigQuery");
    assert_time(r.line.start, "2026-03-01");
    assert_time(r.line.end, "2026-04-01");
    assert_time(r.line.period_start, "2026-03-01");
    assert_true(reading_next(&r));
    assert_unknown(&r, ServiceName);
    assert_column(&r, ChargeDescription, "x");
    assert_time(r.line.period_start, "2026-02-01");
    assert_false(reading_next(&r));
    assert_false(bill_failed(r.bill));
    bill_close(r.bill);
}

#define SCHEMA \
    "{\"kind\":\"bigquery#queryResponse\",\"schema\":{\"fields\":[{\"name\":\"service\"," \
    "\"type\":" \
    "\"STRING\",\"mode\":\"NULLABLE\"},{\"name\":\"day\",\"type\":\"TIMESTAMP\"},{\"name\":" \
    "\"cost\"," \
    "\"type\":\"NUMERIC\"},{\"name\":\"list\",\"fields\":[{\"name\":\"cost\"}]}]}," \
    "\"jobReference\":{\"projectId\":\"p\"},"

static void answers_of_the_rest_interface(void **state)
{
    static const char text[] = SCHEMA
        "\"totalRows\":\"2\",\"rows\":[{\"f\":[{\"v\":\"Cloud "
        "Storage\"},{\"v\":\"1.772323200E9\"},"
        "{\"v\":\"0.123456789012345678\"},{\"v\":[{\"v\":\"1\"}]}]}],\"jobComplete\":true}"
        "\n" SCHEMA
        "\"rows\":[{\"f\":[{\"v\":null},{\"v\":\"2026-03-02\"},{\"v\":\"2\"},{\"v\":null}]}]}";
    struct reading r = {.pieces.size = 11};
    const char *column;

    (void)state;
    reading_first(&r, text);
    assert_column(&r, ServiceName, "Cloud Storage");
    assert_decimal(r.line.billed, "0.123456789012345678");
    assert_time(r.line.start, "2026-03-01T00:00:00Z");
    assert_column(&r, BillingCurrency, "USD");
    assert_true(bill_about(r.bill)->dollars);
    assert_true(reading_next(&r));
    assert_unknown(&r, ServiceName);
    assert_false(reading_next(&r));
    assert_false(bill_failed(r.bill));
    assert_decimal(bill_file_total(r.bill, &column), "2.123456789012345678");
    bill_close(r.bill);
}

static void months_and_hours_have_many_forms(void **state)
{
    static const struct {
        const char *text, *start, *end;
    } cases[] = {
        {"service,month,cost\nBigQuery,2026-03,1\n", "2026-03-01", "2026-04-01"},
        {"service,month,cost\nBigQuery,2026-03-01,1\n", "2026-03-01", "2026-04-01"},
        {"service,month,cost\nBigQuery,202612.0,1\n", "2026-12-01", "2027-01-01"},
        {"service,hour,cost\nBigQuery,2026-03-01 05:00:00 UTC,1\n", "2026-03-01T05:00:00Z",
         "2026-03-01T06:00:00Z"},
        {"service,month,usage_date,cost\nBigQuery,202603,2026-03-31,1\n", "2026-03-31",
         "2026-04-01"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r = {0};

        reading_first(&r, cases[i].text);
        assert_time(r.line.start, cases[i].start);
        assert_time(r.line.end, cases[i].end);
        bill_close(r.bill);
    }
}

static void errors_name_the_column(void **state)
{
    struct reading r = {0};

    (void)state;
    assert_string_equal(reading_fails(&r, "service,month,cost\nBigQuery,,1\n"),
                        "line 2: the date is empty");
    assert_string_equal(reading_fails(&r, "service,month,cost\nBigQuery,March,1\n"),
                        "line 2: month: 'March' is not a time");
    assert_string_equal(reading_fails(&r, "service,month,cost\nBigQuery,202603,\n"),
                        "line 2: cost is empty");
    assert_string_equal(
        reading_fails(&r, "{\"rows\":[{\"f\":[{\"v\":\"x\"}]}],\"schema\":{\"fields\":[]}}"),
        "line 1: this is not an answer of BigQuery: a schema and then rows are wanted");
    assert_string_equal(
        reading_fails(&r, SCHEMA "\"rows\":[{\"f\":[{\"v\":\"x\"}]}]}"),
        "line 1: this is not an answer of BigQuery: a schema and then rows are wanted");
    assert_non_null(
        strstr(reading_fails(&r, SCHEMA "\"rows\":[{\"f\":[{\"v\":\"x\"}"), "line 1"));
}

static void memory_may_run_out(void **state)
{
    static const char *const texts[] = {
        "service,month,cost,team\nBigQuery,202603,1,t\n",
        "[{\"service\":\"BigQuery\",\"month\":\"202603\",\"cost\":\"1\"}]",
        SCHEMA
        "\"rows\":[{\"f\":[{\"v\":\"x\"},{\"v\":\"2026-03-02\"},{\"v\":\"2\"},{\"v\":null}]}]}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        size_t allow;
        bool done = false;

        for (allow = 0; allow < 200 && !done; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct reading r = {.options.alloc = &alloc};

            if (reading_open(&r, str_from(texts[i]))) {
                done = reading_next(&r) && !reading_next(&r) && !bill_failed(r.bill);
                bill_close(r.bill);
            }
            if (!done)
                assert_int_equal(r.err.kind, ERROR_MEMORY);
            assert_int_equal(failing.held, 0);
        }
        assert_in_range(allow, 5, 199);
    }
}

int group_bigquery(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_of_days_and_services),
        cmocka_unit_test(objects_of_months),
        cmocka_unit_test(answers_of_the_rest_interface),
        cmocka_unit_test(months_and_hours_have_many_forms),
        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
