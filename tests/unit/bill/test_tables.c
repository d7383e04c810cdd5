/* Tables of costs: users' own, answers to queries, downloads of consoles; and the ways in which
 * files are written: UTF-16, tabs, a title above the header, lines that are there twice. */
#include "bills.h"

/* ---- users' own ---- */

static void users_own_table(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, "date,cost,currency,provider,service,account,region,resource,team,tag:run,"
                  "instance_type,pricing\n"
                  "2026-05-01,12.50,EUR,Lambda,GPU,acc-1,us-tx,i-1,nlp,bert,gpu_8x_h100,spot\n"
                  "2026-05-01T10:00:00Z,1,EUR,Lambda,GPU,acc-1,us-tx,i-1,,,,\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_TABLE);
    assert_false(bill_about(r.bill)->coarse);
    must_next(&r);
    assert_decimal(r.line.billed, "12.5");
    assert_decimal(r.line.effective, "12.5");
    assert_false(r.line.list_known);
    assert_cell(&r, FOCUS_ProviderName, "Lambda");
    assert_cell(&r, FOCUS_BillingCurrency, "EUR");
    assert_cell(&r, FOCUS_ServiceName, "GPU");
    assert_cell(&r, FOCUS_BillingAccountId, "acc-1");
    assert_cell(&r, FOCUS_RegionId, "us-tx");
    assert_cell(&r, FOCUS_ResourceId, "i-1");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\",\"run\":\"bert\"}");
    assert_cell(&r, FOCUS_SkuPriceDetails, "{\"InstanceType\":\"gpu_8x_h100\"}");
    assert_cell(&r, FOCUS_PricingCategory, "Dynamic");
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_stamp(r.line.end, "2026-05-02T00:00:00Z");
    assert_stamp(r.line.period_end, "2026-06-01T00:00:00Z");
    must_next(&r);
    assert_stamp(r.line.end, "2026-05-01T11:00:00Z");
    must_end(&r);
}

static void months_and_ends(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, "month,service,cost_usd,provider\n2026-05,Storage,3,Example\n");
    assert_true(bill_about(r.bill)->coarse);
    must_next(&r);
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_stamp(r.line.end, "2026-06-01T00:00:00Z");
    assert_cell(&r, FOCUS_BillingCurrency, "USD");
    must_end(&r);
    must_open(&r, "start,end,provider,amount,currency\n2026-05-01,2026-05-07,Example,3,USD\n");
    must_next(&r);
    assert_stamp(r.line.end, "2026-05-08T00:00:00Z");
    must_end(&r);
}

static void service_names_identify_the_provider(void **state)
{
    static const struct {
        const char *service, *provider;
        enum bill_format format;
    } cases[] = {
        {"AmazonEC2", "AWS", BILL_TABLE},
        {"AWS Lambda", "AWS", BILL_TABLE},
        {"Amazon Simple Storage Service", "AWS", BILL_TABLE},
        {"Compute Engine", "Google Cloud", BILL_BIGQUERY},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[200];
        struct reading r;

        (void)snprintf(text, sizeof text, "service,cost,usage_start_date\n%s,5,2026-05-01\n",
                       cases[i].service);
        must_open(&r, text);
        assert_int_equal(bill_about(r.bill)->format, cases[i].format);
        must_next(&r);
        assert_cell(&r, FOCUS_ProviderName, cases[i].provider);
        must_end(&r);
    }
    must_refuse(
        "date,cost,currency,resource\n2026-05-01,1,USD,i-1\n", "line 2: provider is empty",
        "set the provider with --provider NAME or a column 'provider'; it is recognized from "
        "service names only for AWS, Azure and Google Cloud");
    must_refuse("date,cost,currency,provider\n,1,USD,Example\n", "line 2: date is empty", NULL);
    must_refuse("date,cost,currency,provider\n2026-05-01,x,USD,Example\n",
                "line 2: cost: 'x' is not an amount", NULL);
    must_refuse("date,cost,amount,provider\n2026-05-01,1,2,Example\n",
                "the columns 'cost' and 'amount' are the same amount", NULL);
}

/* ---- consoles ---- */

static void azures_cost_analysis(void **state)
{
    struct reading r;

    (void)state;
    must_open(
        &r, "\xef\xbb\xbf\"UsageDate\",\"ServiceName\",\"ResourceGroup\",\"CostUSD\",\"Cost\","
            "\"Currency\"\r\n"
            "\"2026-05-01\",\"Virtual Machines\",\"ml\",\"11\",\"10\",\"EUR\"\r\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_TABLE);
    assert_string_equal(bill_about(r.bill)->version, "Azure cost analysis");
    assert_true(bill_about(r.bill)->coarse);
    must_next(&r);
    assert_decimal(r.line.billed, "10");
    assert_cell(&r, FOCUS_BillingCurrency, "EUR");
    assert_cell(&r, FOCUS_ProviderName, "Microsoft");
    assert_cell(&r, FOCUS_Tags, "{\"resource_group\":\"ml\"}");
    must_end(&r);
}

#define QUERY_HEAD \
    "{\"id\":\"x\",\"type\":\"Microsoft.CostManagement/query\",\"properties\":{\"nextLink\":"
#define QUERY_BODY \
    ",\"columns\":[{\"name\":\"PreTaxCost\",\"type\":\"Number\"},{\"name\":\"UsageDate\"," \
    "\"type\":\"Number\"},{\"name\":\"ServiceName\",\"type\":\"String\"},{\"name\":" \
    "\"Currency\"," \
    "\"type\":\"String\"}],\"rows\":[[19.545363672276512,20260501,\"Storage\",\"USD\"]," \
    "[1E-3,20260502,\"Storage\",\"USD\"]]}}"

static void azures_query(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, QUERY_HEAD "null" QUERY_BODY);
    assert_string_equal(bill_about(r.bill)->version, "Azure query");
    assert_true(bill_about(r.bill)->coarse);
    must_next(&r);
    assert_decimal(r.line.billed, "19.545363672276512");
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_cell(&r, FOCUS_ServiceName, "Storage");
    assert_cell(&r, FOCUS_ProviderName, "Microsoft");
    must_next(&r);
    assert_decimal(r.line.billed, "0.001");
    assert_false(bill_about(r.bill)->next_page);
    must_end(&r);
    must_open(&r, QUERY_HEAD "\"https://example.org/2\"" QUERY_BODY);
    must_next(&r);
    assert_true(bill_about(r.bill)->next_page);
    bill_close(r.bill);
    must_refuse("{\"columns\":[{\"name\":\"Cost\"}],\"rows\":[[1]]}",
                "there is no date among its columns: 'Cost'", NULL);
    must_refuse(
        "{\"rows\":[],\"columns\":[]}",
        "line 1: this is not an answer of Azure's query: columns and then rows are wanted",
        NULL);
    must_refuse(
        "{\"columns\":[{\"name\":\"Cost\"},{\"name\":\"UsageDate\"}],\"rows\":[[1,2,3]]}",
        "line 1: this is not an answer of Azure's query: columns and then rows are wanted",
        NULL);
}

static void cost_explorers_csv(void **state)
{
    static const struct {
        const char *service, *cost, *day;
    } expected[] = {{"EC2-Instances", "12.5", "2026-05-01T00:00:00Z"},
                    {"S3", "0.25", "2026-05-01T00:00:00Z"},
                    {"Tax", "1", "2026-05-01T00:00:00Z"},
                    {"EC2-Instances", "10", "2026-05-02T00:00:00Z"}};
    struct reading r;

    (void)state;
    must_open(&r, "\"Service\",\"EC2-Instances($)\",\"S3($)\",\"Tax($)\",\"Total costs($)\"\n"
                  "\"Service total\",\"22.5\",\"0.25\",\"1\",\"23.75\"\n"
                  "\"2026-05-01\",\"12.5\",\"0.25\",\"1\",\"13.75\"\n"
                  "\"2026-05-02\",\"10\",\"\",\"\",\"10\"\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_AWS_CONSOLE);
    assert_true(bill_about(r.bill)->coarse);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        must_next(&r);
        assert_cell(&r, FOCUS_ServiceName, expected[i].service);
        assert_decimal(r.line.billed, expected[i].cost);
        assert_stamp(r.line.start, expected[i].day);
        assert_int_equal(r.line.end.s - r.line.start.s, SECONDS_PER_DAY);
        assert_cell(&r, FOCUS_ProviderName, "AWS");
        assert_cell(&r, FOCUS_ChargeCategory, i == 2 ? "Tax" : "Usage");
    }
    assert_total(&r, "the columns", "23.75");
    must_end(&r);
    must_open(&r, "Linked account,111122223333 ($),Total costs ($)\nLinked account name,prod,\n"
                  "2026-04-01,5,5\n2026-05-01,6,6\n"); /* by the month */
    must_next(&r);
    assert_cell(&r, FOCUS_SubAccountId, "111122223333");
    assert_stamp(r.line.end, "2026-05-01T00:00:00Z");
    must_next(&r);
    must_end(&r);
    must_refuse("Platform,Linux($),Total costs($)\n2026-05-01,1,1\n",
                "'Platform' is nothing that costs are grouped by here", NULL);
}

static void googles_cost_table(void **state)
{
    struct reading r;

    (void)state;
    must_open(
        &r,
        "Invoice number:,5551234\nInvoice date:,2026-05-31\n\n"
        "Billing account name,Billing account ID,Project name,Project ID,Project number,"
        "Service description,Service ID,SKU description,SKU ID,Credit type,Cost type,"
        "Usage start date,Usage end date,Usage amount,Usage unit,Unrounded Cost (\xe2\x82\xac),"
        "Cost (\xe2\x82\xac)\n"
        "Mine,01-AB,ml,ml-1,7,Compute Engine,6F,A100 GPU,S-1,,Usage,2026-05-01,2026-05-31,"
        "\"1,000.5\",hour,2000.004,2000\n"
        "Mine,01-AB,ml,ml-1,7,Compute Engine,6F,A100 GPU,S-1,Promotion,Usage,2026-05-01,"
        "2026-05-31,,,-10,-10\n"
        ",,,,,,,,,,Rounding error,,,,,,0.01\n,,,,,,,,,,Total,,,,,,1990.01\n");
    assert_string_equal(bill_about(r.bill)->version, "GCP cost table");
    must_next(&r);
    assert_decimal(r.line.billed, "2000");
    assert_cell(&r, FOCUS_BillingCurrency, "EUR");
    assert_cell(&r, FOCUS_BillingAccountId, "01-AB");
    assert_cell(&r, FOCUS_SubAccountId, "ml-1");
    assert_cell(&r, FOCUS_ServiceName, "Compute Engine");
    assert_cell(&r, FOCUS_ConsumedQuantity, "1000.5");
    assert_stamp(r.line.end, "2026-06-01T00:00:00Z");
    must_next(&r);
    assert_cell(&r, FOCUS_ChargeCategory, "Credit");
    must_next(&r);
    assert_cell(&r, FOCUS_ChargeCategory, "Adjustment");
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_total(&r, "cost", "1990.01");
    must_end(&r);
}

/* ---- how files are written ---- */

/* The text in UTF-16, in pieces of seven bytes. */
static void open_utf16(struct reading *r, const char *text, bool big, char *room, size_t size)
{
    struct bill_options options = {
        .alloc = &alloc_system, .name = "bill.csv", .format = BILL_FORMATS};
    size_t len = 0;

    room[len++] = (char)(big ? 0xfe : 0xff);
    room[len++] = (char)(big ? 0xff : 0xfe);
    for (; *text != '\0'; text++) {
        unsigned unit = (unsigned char)*text == 0xe4 ? 0xe4 : (unsigned char)*text;

        assert_true(len + 4 < size);
        room[len++] = (char)(big ? unit >> 8 : unit & 0xff);
        room[len++] = (char)(big ? unit & 0xff : unit >> 8);
    }
    memset(r, 0, sizeof *r);
    r->source = (struct text_source){{room, len}, 7};
    r->bill = bill_open((struct source){text_read, &r->source}, &options, &r->err);
    if (r->bill == NULL)
        fail_msg("%s", r->err.text);
}

static void utf16(void **state)
{
    static char room[1000];
    struct reading r;

    (void)state;
    for (int big = 0; big < 2; big++) {
        open_utf16(&r, "date\tcost\tcurrency\tprovider\n2026-05-01\t1,234.5\tEUR\tM\xe4r\n",
                   big == 1, room, sizeof room);
        must_next(&r);
        assert_decimal(r.line.billed, "1234.5");
        assert_cell(&r, FOCUS_ProviderName, "M\xc3\xa4r");
        must_end(&r);
    }
}

/* Pairs of halves, a half alone, and a byte too few. */
static void odd_utf16(void **state)
{
    static const char text[] = "\xff\xfe"
                               "d\0a\0t\0e\0,\0c\0o\0s\0t\0,\0c\0u\0r\0r\0e\0n\0c\0y\0,\0"
                               "p\0r\0o\0v\0i\0d\0e\0r\0\n\0"
                               "2\0000\0002\0006\0-\0000\0005\0-\0000\0001\0,\0"
                               "1\0,\0U\0S\0D\0,\0"
                               "\x3d\xd8\x00\xde"
                               "\x3d\xd8"
                               "x\0"
                               "\x00\xde"
                               "y";
    struct bill_options options = {
        .alloc = &alloc_system, .name = "bill.csv", .format = BILL_FORMATS};
    struct reading r = {.source = {{text, sizeof text - 1}, 3}};

    (void)state;
    r.bill = bill_open((struct source){text_read, &r.source}, &options, &r.err);
    if (r.bill == NULL)
        fail_msg("%s", r.err.text);
    must_next(&r);
    assert_cell(&r, FOCUS_ProviderName,
                "\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd");
    must_end(&r);
}

static void tabs(void **state)
{
    struct reading r;

    (void)state;
    must_open(
        &r,
        "date\tcost\tcurrency\tprovider\tservice\n2026-05-01\t5\tUSD\tExample\t\"a\tb, c\"\n");
    must_next(&r);
    assert_cell(&r, FOCUS_ServiceName, "a\tb, c");
    must_end(&r);
}

/* ---- other clouds ---- */

static void oracles_focus(void **state)
{
    struct reading r;

    (void)state;
    must_open(
        &r, "AvailabilityZone,BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,"
            "BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargePeriodEnd,"
            "ChargePeriodStart,EffectiveCost,InvoiceIssuer,ListCost,Provider,Publisher,Region,"
            "ResourceId,ServiceCategory,ServiceName,SkuId,UsageQuantity,UsageUnit,"
            "oci_ReferenceNumber\n"
            ",0.5,ocid1,ml,USD,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,"
            "2026-05-03T01:00:00Z,2026-05-03T00:00:00Z,,Oracle,,Oracle,Oracle,us-ashburn-1,"
            "i-1,Compute,COMPUTE,B1,2,Hours,r1\n"
            ",0.25,ocid1,ml,USD,2026-06-01T00:00:00Z,2026-05-01T00:00:00Z,Usage,,,0.25,Oracle,,"
            "Oracle,Oracle,us-ashburn-1,i-1,Compute,COMPUTE,B1,2,Hours,r2\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_FOCUS);
    must_next(&r);
    assert_cell(&r, FOCUS_ProviderName, "Oracle");
    assert_cell(&r, FOCUS_InvoiceIssuerName, "Oracle");
    assert_cell(&r, FOCUS_RegionId, "us-ashburn-1");
    assert_cell(&r, FOCUS_ConsumedQuantity, "2");
    assert_cell(&r, FOCUS_ConsumedUnit, "Hours");
    assert_decimal(r.line.effective, "0.5");
    must_next(&r); /* without dates: of its billing period */
    assert_stamp(r.line.start, "2026-05-01T00:00:00Z");
    assert_stamp(r.line.end, "2026-06-01T00:00:00Z");
    must_end(&r);
}

static void short_reports(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, "lineItem/UsageStartDate,lineItem/UnblendedCost,lineItem/UsageType\n"
                  "2026-05-01T00:00:00Z,1.5,EUC1-BoxUsage:g5.xlarge\n");
    must_next(&r);
    assert_decimal(r.line.billed, "1.5");
    assert_cell(&r, FOCUS_BillingCurrency, "USD");
    assert_cell(&r, FOCUS_RegionId, "eu-central-1");
    assert_cell(&r, FOCUS_BillingAccountId, NULL);
    assert_true(bill_about(r.bill)->dollars);
    must_end(&r);
    must_open(&r, "lineItem/intervalUsageStart,cost/myCost\n2026-05-01T00:00Z,2\n");
    must_next(&r);
    assert_decimal(r.line.billed, "2");
    assert_stamp(r.line.end, "2026-05-01T00:00:00Z");
    must_end(&r);
}

static void regions_of_aws(void **state)
{
    static const struct {
        const char *location, *usage, *region;
    } cases[] = {
        {"US East (N. Virginia)", "x", "us-east-1"},
        {"EU (Frankfurt)", "x", "eu-central-1"},
        {"Europe (Frankfurt)", "x", "eu-central-1"},
        {"", "APN1-BoxUsage:p3.2xlarge", "ap-northeast-1"},
        {"", "EU-BoxUsage:m5.large", "eu-west-1"},
        {"", "USE1-EUC1-AWS-Out-Bytes", "us-east-1"},
        {"", "USW2-TimedStorage-ByteHrs", "us-west-2"},
        {"", "BoxUsage:m5.large", NULL},
        {"", "DNS-Queries", NULL},
        {"Any", "Global-DataTransfer", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[300];
        struct reading r;

        (void)snprintf(text, sizeof text,
                       "lineItem/UsageStartDate,lineItem/UnblendedCost,lineItem/UsageType,"
                       "product/location\n2026-05-01T00:00:00Z,1,%s,%s\n",
                       cases[i].usage, cases[i].location);
        must_open(&r, text);
        must_next(&r);
        assert_cell(&r, FOCUS_RegionId, cases[i].region);
        must_end(&r);
    }
}

/* ---- rows that are there twice ---- */

#define ID_HEAD "identity/LineItemId,lineItem/UsageStartDate,lineItem/UnblendedCost\n"

static void repeated_rows_are_refused(void **state)
{
    struct bill_options options = {
        .alloc = &alloc_system, .name = "bill.csv", .format = BILL_FORMATS, .repeats = true};
    static const char twice[] = ID_HEAD "a,2026-05-01T00:00:00Z,1\nb,2026-05-01T00:00:00Z,1\n"
                                        "a,2026-05-01T00:00:00Z,1\n";
    struct reading r;

    (void)state;
    must_refuse(twice,
                "line 4: the line id: 'a' was there before: the row is in the file twice",
                "remove the duplicates; use --force if they are different charges");
    assert_non_null(open_with(&r, twice, &options));
    for (int i = 0; i < 3; i++)
        must_next(&r);
    must_end(&r);
    /* Another hour, another amount: another charge. */
    must_open(&r, ID_HEAD "a,2026-05-01T00:00:00Z,1\na,2026-05-01T01:00:00Z,1\n"
                          "a,2026-05-01T00:00:00Z,-1\n,2026-05-01T00:00:00Z,1\n"
                          ",2026-05-01T00:00:00Z,1\n");
    for (int i = 0; i < 5; i++)
        must_next(&r);
    must_end(&r);
}

/* Rows with ids 0, 1, 2 and so on; then one that was there. */
struct many {
    int next, last, again;
    char row[160];
    size_t len, given;
};

static ptrdiff_t read_many(void *ctx, char *to, size_t room, struct error *err)
{
    struct many *m = ctx;
    size_t len;

    (void)err;
    if (m->given == m->len) {
        if (m->next > m->last + 1)
            return 0;
        m->len = (size_t)snprintf(m->row, sizeof m->row, "%s%d,2026-05-01T00:00:00Z,1\n",
                                  m->next == 0 ? ID_HEAD : "",
                                  m->next > m->last ? m->again : m->next);
        m->given = 0;
        m->next++;
    }
    len = m->len - m->given < room ? m->len - m->given : room;
    memcpy(to, m->row + m->given, len);
    m->given += len;
    return (ptrdiff_t)len;
}

static void repeats_are_found_among_many(void **state)
{
    struct bill_options options = {
        .alloc = &alloc_system, .name = "bill.csv", .format = BILL_FORMATS};
    struct many m = {.last = 100000, .again = 4711};
    struct bill_line line;
    struct error err = {0};
    struct bill *bill;
    int count = 0;

    (void)state;
    bill = bill_open((struct source){read_many, &m}, &options, &err);
    assert_non_null(bill);
    while (bill_next(bill, &line, &err))
        count++;
    assert_true(bill_failed(bill));
    assert_int_equal(count, 100001);
    assert_non_null(strstr(err.text, "'4711' was there before"));
    bill_close(bill);
}

int group_tables(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_own_table),
        cmocka_unit_test(months_and_ends),
        cmocka_unit_test(service_names_identify_the_provider),
        cmocka_unit_test(azures_cost_analysis),
        cmocka_unit_test(azures_query),
        cmocka_unit_test(cost_explorers_csv),
        cmocka_unit_test(googles_cost_table),
        cmocka_unit_test(utf16),
        cmocka_unit_test(odd_utf16),
        cmocka_unit_test(tabs),
        cmocka_unit_test(oracles_focus),
        cmocka_unit_test(short_reports),
        cmocka_unit_test(regions_of_aws),
        cmocka_unit_test(repeated_rows_are_refused),
        cmocka_unit_test(repeats_are_found_among_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
