/* What consoles and interfaces return: net amounts of Google's reports, totals that are no
 * charges, JSON whose rows are further in, and columns that the user maps. */
#include "bills.h"

static struct bill *open_as(struct reading *r, const char *text, struct bill_options options)
{
    options.alloc = &alloc_system;
    options.format = BILL_FORMATS;
    if (options.name == NULL)
        options.name = "bill.csv";
    return open_with(r, text, &options);
}

static void must_refuse_as(const char *text, struct bill_options options, const char *why,
                           const char *hint)
{
    struct reading r;

    if (open_as(&r, text, options) != NULL)
        while (bill_next(r.bill, &r.line, &r.err))
            continue;
    assert_string_equal(r.err.text, why);
    if (hint != NULL)
        assert_string_equal(r.err.hint, hint);
    bill_close(r.bill);
}

/* ---- Google's reports ---- */

static void reports_are_net(void **state)
{
    static const struct {
        const char *head, *row, *column, *amount;
    } cases[] = {
        {"Date,Service description,Service ID,Cost ($),Savings programs ($),Other savings ($),"
         "Unrounded subtotal ($),Subtotal ($)",
         "2026-05-01,Compute Engine,6F,720.00,-100.00,-22.00,597.999912,598.00",
         "unrounded subtotal", "597.999912"},
        {"Month,Project name,Project ID,Project number,List cost ($),Negotiated savings ($),"
         "Savings programs ($),Other savings ($),Unrounded subtotal ($),Subtotal ($),"
         "Percent change in subtotal compared to previous period",
         "2026-05,ml,ml-1,7,\"1,720.00\",-100.00,(22.00),0,\"1,598.00\",\"1,598.00\",12 %",
         "unrounded subtotal", "1598"},
        {"Month,Cost ($),Discounts ($),Promotions and others ($),Subtotal ($)",
         "May 2026,720,-100,-22,598", "subtotal", "598"},
        {"Date,SKU description,SKU ID,Usage amount,Usage unit,Cost ($),Savings ($),Subtotal "
         "($)",
         "2026-05-01,A100,S-1,\"260,580\",hour,\"1,000\",-1,999", "subtotal", "999"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[800];
        struct reading r;

        (void)snprintf(text, sizeof text, "\xef\xbb\xbf%s\r\n%s\r\n", cases[i].head,
                       cases[i].row);
        must_open(&r, text);
        assert_string_equal(bill_about(r.bill)->version, "GCP report");
        must_next(&r);
        assert_decimal(r.line.billed, cases[i].amount);
        assert_cell(&r, FOCUS_ProviderName, "Google Cloud");
        assert_cell(&r, FOCUS_BillingCurrency, "USD");
        assert_int_equal(r.line.period_start.s, 1777593600);
        assert_total(&r, cases[i].column, cases[i].amount);
        must_end(&r);
    }
}

static void currencies_of_headers(void **state)
{
    static const struct {
        const char *sign, *code;
    } cases[] = {{"\xe2\x82\xac", "EUR"}, {"\xc2\xa3", "GBP"}, {"\xe2\x82\xb9", "INR"},
                 {"CA$", "CAD"},          {"CHF", "CHF"},      {"R$", "BRL"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[400];
        struct reading r;

        (void)snprintf(text, sizeof text,
                       "Date,Cost (%s),Savings (%s),Subtotal (%s)\n2026-05-01,5,-1,4\n",
                       cases[i].sign, cases[i].sign, cases[i].sign);
        must_open(&r, text);
        must_next(&r);
        assert_cell(&r, FOCUS_BillingCurrency, cases[i].code);
        must_end(&r);
        (void)snprintf(text, sizeof text,
                       "Service,EC2-Instances(%s),Total costs(%s)\n2026-05-02,5,5\n",
                       cases[i].sign, cases[i].sign);
        must_open(&r, text);
        must_next(&r);
        assert_cell(&r, FOCUS_BillingCurrency, cases[i].code);
        must_end(&r);
    }
    must_refuse("Date,Cost (?),Savings (?),Subtotal (?)\n2026-05-01,5,-1,4\n",
                "'?' in its columns is not a known currency",
                "--currency CODE says which it is");
    must_refuse("Service,EC2(\xe2\x82\xac),S3($),Total costs($)\n2026-05-02,5,1,6\n",
                "its columns are in several currencies: 'S3($)'", NULL);
}

#define REPORT \
    "Date,Service description,Cost ($),Savings ($),Unrounded subtotal ($),Subtotal ($)\n"

static void reports_are_checked_by_their_totals(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, REPORT "2026-05-01,Compute Engine,10,-1,9.004,9.00\n"
                         "2026-05-02,Vertex AI,5,0,5.004,5.00\n"
                         ",,,,Subtotal,14.01\n,,,,Tax,2.66\n,,,,Filtered total,16.67\n");
    must_next(&r);
    must_next(&r);
    must_next(&r);
    assert_cell(&r, FOCUS_ChargeCategory, "Tax");
    assert_decimal(r.line.billed, "2.66");
    assert_total(&r, "unrounded subtotal", "16.668");
    must_end(&r);
    must_refuse(REPORT "2026-05-01,Compute Engine,10,-1,9.004,9.00\n,,,,Total,14.01\n",
                "line 3: its total is 14.01, but its rows come to 9.004 (unrounded subtotal)",
                NULL);
}

static void reports_without_dates(void **state)
{
    static const char text[] = "Service description,Cost ($),Savings ($),Subtotal ($)\n"
                               "Compute Engine,10,-1,9\n";
    struct bill_options may = {.month_start = {1777593600}, .month_end = {1780272000}};
    struct bill_options named = {.name = "in/Acme_Reports, 2026-05-03 - 2026-05-09.csv"};
    struct bill_options months = {.name = "Reports, 2026-05-03 - 2026-06-09.csv"};
    struct reading r;

    (void)state;
    assert_non_null(open_as(&r, text, may));
    must_next(&r);
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_stamp(r.line.end, "2026-06-01T00:00:00Z");
    must_end(&r);
    assert_non_null(open_as(&r, text, named));
    must_next(&r);
    assert_stamp(r.line.start, "2026-05-03T00:00:00Z");
    assert_stamp(r.line.end, "2026-05-10T00:00:00Z");
    assert_stamp(r.line.period_start, "2026-05-01T00:00:00Z");
    assert_int_equal(bill_about(r.bill)->period.len, strlen("2026-05-03 to 2026-05-09"));
    must_end(&r);
    must_refuse_as(text, months,
                   "it has no dates and covers several months: 2026-05-03 to 2026-06-09", NULL);
    must_refuse(text,
                "there is no date among its columns: 'Service description', 'Cost', 'Savings', "
                "'Subtotal'",
                "--map date=COLUMN, or --month 2026-05 if all charges are from one month");
}

/* ---- which column is the amount ---- */

static void amounts_that_are_not_certain(void **state)
{
    struct reading r;

    (void)state;
    must_refuse("date,service,cost,total,provider\n2026-05-01,a,5,4,X\n",
                "the amount may be 'cost' or 'total'",
                "--map 'cost=cost' or --map 'cost=total' says which is paid");
    must_refuse("date,service,cost,discount,provider,resource\n2026-05-01,a,5,-1,X,r\n",
                "'cost' may be before or after 'discount'",
                "--map 'cost=cost' if it has the amount to pay");
    must_open(&r, "UsageDate,ServiceName,Cost,CostUSD\n2026-05-01,VM,10,11\n");
    must_next(&r); /* of the two only the dollars are certain without a currency */
    assert_decimal(r.line.billed, "11");
    assert_cell(&r, FOCUS_BillingCurrency, "USD");
    must_end(&r);
}

static void columns_are_mapped(void **state)
{
    static const char text[] = "when,charged,rate,balance,gpu,cost\n"
                               "1777593600,5,0.5,100,RTX 4090,99\n";
    static const struct bill_mapping map[] = {{{"cost", 4}, {"charged", 7}},
                                              {{"date", 4}, {"when", 4}}};
    static const struct bill_mapping rate[] = {
        {{"rate", 4}, {"rate", 4}}, {{"hours", 5}, {"balance", 7}}, {{"date", 4}, {"when", 4}}};
    static const struct bill_mapping odd[] = {{{"cost", 4}, {"chargd", 6}}};
    struct bill_options options = {.map = map, .map_count = 2, .provider = STR("Lambda")};
    struct reading r;

    (void)state;
    assert_non_null(open_as(&r, text, options));
    must_next(&r);
    assert_decimal(r.line.billed, "5");
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_cell(&r, FOCUS_ProviderName, "Lambda");
    assert_cell(&r, FOCUS_SkuPriceDetails, "{\"x_GpuName\":\"RTX 4090\"}");
    must_end(&r);
    options.map = rate;
    options.map_count = 3;
    assert_non_null(open_as(&r, text, options));
    must_next(&r);
    assert_decimal(r.line.billed, "50");
    must_end(&r);
    options.map = odd;
    options.map_count = 1;
    must_refuse_as(text, options,
                   "--map cost=chargd: there is no column 'chargd' among 'when', 'charged', "
                   "'rate', 'balance', 'gpu', 'cost'",
                   NULL);
    must_refuse("rate,amount,provider\n0.5,3,X\n",
                "there is no date among its columns: 'rate', 'amount', 'provider'",
                "--map date=COLUMN, or --month 2026-05 if all charges are from one month");
    must_refuse("time,balance,provider\n2026-05-01,3,X\n",
                "there is no cost among its columns: 'time', 'balance', 'provider'",
                "--map cost=COLUMN names it");
}

/* ---- rows that are further in ---- */

static void rows_in_lists(void **state)
{
    struct bill_options vast = {.provider = STR("Vast.ai")};
    struct reading r;

    (void)state;
    assert_non_null(open_as(
        &r,
        "{\"success\":true,\"count\":1,\"total\":14,\"results\":[{\"start\":1777593600,\"end\":"
        "1777852800,\"type\":\"instance\",\"amount\":38.421,\"metadata\":{\"label\":\"x\"},"
        "\"items\":[{\"type\":\"gpu\",\"amount\":37.344,\"start\":1777593600}]},{\"start\":"
        "1777593600000,\"amount\":1}],\"next_token\":\"abc\"}",
        vast));
    must_next(&r);
    assert_decimal(r.line.billed, "38.421");
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_stamp(r.line.end, "2026-05-04T00:00:00Z");
    must_next(&r);
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    must_end(&r);
    must_open(&r,
              "{\"object\":\"page\",\"data\":[{\"start_time\":1777593600,\"end_time\":"
              "1777680000,\"results\":[{\"amount\":{\"value\":0.06,\"currency\":\"usd\"},"
              "\"line_item\":\"gpt\"},{\"amount\":{\"value\":1e-3,\"currency\":\"usd\"},"
              "\"line_item\":null}]},{\"start_time\":1777680000,\"results\":[{\"amount\":{"
              "\"value\":2,\"currency\":\"usd\"},\"line_item\":null}]}],\"has_more\":true}");
    must_next(&r);
    assert_cell(&r, FOCUS_ProviderName, "OpenAI");
    assert_stamp(r.line.end, "2026-05-02T00:00:00Z");
    must_next(&r);
    assert_decimal(r.line.billed, "0.001");
    must_next(&r);
    assert_stamp(r.line.start, "2026-05-02T00:00:00Z");
    assert_stamp(r.line.end, "2026-05-02T01:00:00Z"); /* not the end of the bucket before */
    assert_total(&r, "cost", "2.061");
    assert_false(bill_next(r.bill, &r.line, &r.err));
    assert_true(bill_about(r.bill)->next_page);
    bill_close(r.bill);
    must_open(&r, "{\"data\":[{\"starting_at\":\"2026-05-01T00:00:00Z\",\"results\":[{"
                  "\"currency\":\"USD\",\"amount\":\"123.45\",\"cost_type\":\"tokens\","
                  "\"workspace_id\":null}]}]}");
    must_next(&r); /* it is in cents */
    assert_decimal(r.line.billed, "1.2345");
    assert_cell(&r, FOCUS_ProviderName, "Anthropic");
    must_end(&r);
    must_refuse("{\"results\":[{\"time\":\"2026-05-01\",\"amount\":1}]}",
                "this table of costs does not name a provider", NULL);
    must_survive(
        "{\"a\":{\"rows\":[{\"time\":\"2026-05-01\",\"amount\":1,\"timeBilledMs\":1}]}}");
}

static void runpods_records(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r,
              "[{\"amount\":100.5,\"gpuTypeId\":\"NVIDIA GeForce RTX 4090\",\"podId\":\"p1\","
              "\"time\":\"2026-05-01T00:00:00Z\",\"timeBilledMs\":3600000},"
              "{\"amount\":1,\"podId\":\"p2\",\"time\":\"2026-05-01T05:00:00Z\"}]");
    assert_false(bill_about(r.bill)->coarse);
    must_next(&r);
    assert_cell(&r, FOCUS_ProviderName, "RunPod");
    assert_cell(&r, FOCUS_ResourceId, "p1");
    assert_stamp(r.line.end, "2026-05-02T00:00:00Z");
    must_next(&r);
    assert_stamp(r.line.end, "2026-05-01T06:00:00Z");
    must_end(&r);
    must_open(&r, "date,provider,amount_cents\n2026-05-01,X,12345\n");
    must_next(&r);
    assert_decimal(r.line.billed, "123.45");
    must_end(&r);
}

/* ---- AWS's Bills page ---- */

#define BILLS \
    "InvoiceID,PayerAccountId,LinkedAccountId,RecordType,BillingPeriodStartDate,ProductCode," \
    "ProductName,UsageType,ItemDescription,UsageStartDate,UsageEndDate,CurrencyCode," \
    "CostBeforeTax,Credits,TaxAmount,TotalCost\n"
#define ITEM(type, account, total) \
    "1,111122223333," account "," type \
    ",2026/05/01 00:00:00,AmazonEC2,Amazon Elastic Compute " \
    "Cloud,BoxUsage:g5.xlarge,hours,2026/05/01 00:00:00,2026/05/31 23:59:59,USD," total \
    ",0,0," total "\n"
#define STATED(type, total) \
    "1,111122223333,," type ",2026/05/01 00:00:00,,,,,,,USD," total ",0,0," total "\n"

static void totals_of_bills_are_no_charges(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, BILLS ITEM("LinkedLineItem", "4", "10.5") ITEM("PayerLineItem", "", "2")
                      STATED("AccountTotal", "10.5") STATED("InvoiceTotal", "12.5")
                          STATED("StatementTotal", "12.5"));
    assert_int_equal(bill_about(r.bill)->format, BILL_AWS_BILLS);
    must_next(&r);
    assert_decimal(r.line.billed, "10.5");
    assert_cell(&r, FOCUS_SubAccountId, "4");
    assert_cell(&r, FOCUS_BillingAccountId, "111122223333");
    assert_stamp(r.line.end, "2026-06-01T00:00:00Z");
    must_next(&r);
    assert_total(&r, "TotalCost", "12.5");
    must_end(&r);
    /* The payer's items are those of the linked account once more. */
    must_open(&r, BILLS ITEM("LinkedLineItem", "4", "10.5") ITEM("PayerLineItem", "", "10.5")
                      STATED("StatementTotal", "10.5"));
    must_next(&r);
    assert_cell(&r, FOCUS_SubAccountId, "4");
    must_end(&r);
    must_refuse(BILLS ITEM("PayerLineItem", "", "10.5") STATED("StatementTotal", "20"),
                "its line items come to 10.5, but its StatementTotal is 20", NULL);
    must_survive(BILLS ITEM("PayerLineItem", "", "1") STATED("StatementTotal", "1"));
}

int group_console(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_net),
        cmocka_unit_test(currencies_of_headers),
        cmocka_unit_test(reports_are_checked_by_their_totals),
        cmocka_unit_test(reports_without_dates),
        cmocka_unit_test(amounts_that_are_not_certain),
        cmocka_unit_test(columns_are_mapped),
        cmocka_unit_test(rows_in_lists),
        cmocka_unit_test(runpods_records),
        cmocka_unit_test(totals_of_bills_are_no_charges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
