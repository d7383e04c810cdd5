/* Bills that are FOCUS: any order, any version, any spelling of times and of nothing. */
#include "bills.h"

#define HEAD \
    "BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingCurrency," \
    "ChargePeriodStart,ChargePeriodEnd,BillingPeriodStart,BillingPeriodEnd,ProviderName," \
    "ChargeCategory,Tags,ChargeDescription\n"
#define TIMES \
    "2026-03-05T01:00:00Z,2026-03-05T02:00:00Z,2026-03-01T00:00:00Z,2026-04-01T00:00:00Z"
#define ROW(cost) cost ",1,2,3,acct,USD," TIMES ",AWS,Usage,,\n"

static void complete_row(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, HEAD "1.50,1.25,2,1.75,acct,USD," TIMES
                       ",AWS,Usage,\"{\"\"team\"\":\"\"nlp\"\"}\",\"g5, on demand\"\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_FOCUS);
    assert_string_equal(bill_about(r.bill)->version, "1.0");
    assert_int_equal(bill_about(r.bill)->unused.len, 0);
    assert_false(bill_about(r.bill)->coarse);
    must_next(&r);
    assert_int_equal(r.line.line, 2);
    assert_decimal(r.line.billed, "1.50");
    assert_int_equal(r.line.billed.scale, 2); /* as written */
    assert_decimal(r.line.effective, "1.25");
    assert_decimal(r.line.list, "2");
    assert_decimal(r.line.contracted, "1.75");
    assert_true(r.line.list_known && r.line.contracted_known);
    assert_stamp(r.line.start, "2026-03-05T01:00:00Z");
    assert_stamp(r.line.end, "2026-03-05T02:00:00Z");
    assert_stamp(r.line.period_start, "2026-03-01T00:00:00Z");
    assert_stamp(r.line.period_end, "2026-04-01T00:00:00Z");
    assert_cell(&r, FOCUS_BilledCost, "1.50");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\"}");
    assert_cell(&r, FOCUS_ChargeDescription, "g5, on demand");
    assert_cell(&r, FOCUS_ProviderName, "AWS");
    assert_cell(&r, FOCUS_RegionId, NULL);
    assert_false(bill_about(r.bill)->zoneless);
    must_end(&r);
}

static void totals(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, HEAD ROW("1.5") ROW("7.0E-10") ROW("-0.25") ROW("1E2")
                      ROW("0.0000000000000000000000000001"));
    for (int i = 0; i < 5; i++)
        must_next(&r);
    assert_total(&r, "BilledCost", "101.2500000007000000000000000001");
    must_end(&r);
}

static void headers(void **state)
{
    struct reading r;

    (void)state;
    must_line(&r, "\xef\xbb\xbf billed_cost ,EFFECTIVECOST,Billing Account Id,x_Mine,"
                  "billing-currency,chargeperiodstart,ChargePeriodEnd,Provider_Name,Id\n"
                  "3,2,acct,9,EUR,2026-03-05T01:00:00Z,2026-03-05T02:00:00Z,Acme,7\n");
    assert_decimal(r.line.billed, "3");
    assert_cell(&r, FOCUS_BillingCurrency, "EUR");
    assert_cell(&r, FOCUS_ProviderName, "Acme");
    assert_str_equal(bill_about(r.bill)->unused, "x_Mine, Id");
    /* Without a billing period it is the month. */
    assert_stamp(r.line.period_start, "2026-03-01T00:00:00Z");
    assert_stamp(r.line.period_end, "2026-04-01T00:00:00Z");
    assert_false(r.line.list_known || r.line.contracted_known);
    assert_decimal(r.line.list, "3");
    must_end(&r);
}

static void versions(void **state)
{
    static const struct {
        const char *more, *version;
    } cases[] = {
        {"ProviderName,PublisherName", "1.0"},
        {"ProviderName,SkuMeter", "1.1"},
        {"ProviderName,InvoiceId", "1.2"},
        {"ProviderName,ServiceProviderName", "1.3"},
        {"InvoiceIssuerName,ServiceProviderName", "1.4"},
        {"ServiceProviderName,InvoiceDetailId", "1.4"},
    };
    char text[512];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r;

        (void)snprintf(text, sizeof text,
                       "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,"
                       "ChargePeriodStart,ChargePeriodEnd,%s\n"
                       "1,1,a,USD,2026-03-05,2026-03-06,P,Q\n",
                       cases[i].more);
        must_line(&r, text);
        assert_string_equal(bill_about(r.bill)->version, cases[i].version);
        must_end(&r);
    }
}

/* 1.4 has no ProviderName: the service provider is used, or the invoice issuer. */
static void provider(void **state)
{
    const char *head = "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,"
                       "ChargePeriodStart,ChargePeriodEnd,InvoiceIssuerName,ServiceProviderName"
                       "\n1,1,a,USD,2026-03-05,2026-03-06,Issuer,Server\n"
                       "1,1,a,USD,2026-03-05,2026-03-06,Issuer,\n";
    struct reading r;

    (void)state;
    must_line(&r, head);
    assert_cell(&r, FOCUS_ProviderName, "Server");
    must_next(&r);
    assert_cell(&r, FOCUS_ProviderName, "Issuer");
    must_end(&r);
}

static void nothing(void **state)
{
    struct reading r;

    (void)state;
    must_line(&r, HEAD "1,NULL,N/A,null,acct,USD," TIMES ",AWS,Odd,NULL,null\n");
    assert_decimal(r.line.effective, "1");
    assert_false(r.line.list_known || r.line.contracted_known);
    assert_cell(&r, FOCUS_ListCost, NULL);
    assert_cell(&r, FOCUS_Tags, NULL);
    assert_cell(&r, FOCUS_ChargeDescription, "null"); /* free text may contain it */
    assert_cell(&r, FOCUS_ChargeCategory, "Odd");     /* what breaks FOCUS is kept */
    must_end(&r);
    must_line(&r, HEAD "1,1,1,1,acct,USD," TIMES ",AWS,Usage,,NULL\n,,,,,,,,,,,,,\n");
    assert_cell(&r, FOCUS_ChargeDescription, NULL);
    must_end(&r); /* a row of commas is none */
}

static void tags(void **state)
{
    static const struct {
        const char *text, *tags;
    } cases[] = {
        {"\"{\"\"a\"\":\"\"b\"\"}\"", "{\"a\":\"b\"}"},
        {"\"{ \"\"a\"\": 1}\"", "{ \"a\": 1}"},
        {"{}", "{}"},
        {"\"\"\"a\"\": \"\"b\"\",\"\"c\"\": \"\"d\"\"\"", "{\"a\":\"b\",\"c\":\"d\"}"},
        {"\"[{\"\"key\"\":\"\"a\"\",\"\"value\"\":\"\"b\"\"}]\"", "{\"a\":\"b\"}"},
        {"\"{a=b, c=d, e}\"", "{\"a\":\"b\",\"c\":\"d, e\"}"},
        {"what is this", "what is this"},
    };
    char text[1024];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r;

        (void)snprintf(text, sizeof text, HEAD "1,1,1,1,acct,USD," TIMES ",AWS,Usage,%s,\n",
                       cases[i].text);
        must_line(&r, text);
        assert_cell(&r, FOCUS_Tags, cases[i].tags);
        must_end(&r);
    }
}

static void json_rows(void **state)
{
#define OBJECT(cost, more) \
    "{\"BilledCost\":" cost ",\"EffectiveCost\":1e-3,\"BillingAccountId\":\"a\"," \
    "\"BillingCurrency\":\"USD\",\"ChargePeriodStart\":\"2026-03-05T01:00:00Z\"," \
    "\"ChargePeriodEnd\":\"2026-03-05T02:00:00Z\",\"ProviderName\":\"P\"" more "}"
    struct reading r;

    (void)state;
    must_open(&r, OBJECT("0.10000000000000000001", ",\"Own\":null") "\n" OBJECT(
                      "2", ",\"Tags\":{\"team\":\"nlp\",\"n\":1},\"RegionId\":\"r\""));
    assert_string_equal(bill_about(r.bill)->version, "1.0");
    must_next(&r);
    assert_decimal(r.line.billed, "0.10000000000000000001"); /* never through a double */
    assert_decimal(r.line.effective, "0.001");
    assert_cell(&r, FOCUS_Tags, NULL);
    must_next(&r); /* keys that the first has not */
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\",\"n\":1}");
    assert_cell(&r, FOCUS_RegionId, "r");
    assert_int_equal(r.line.line, 2);
    assert_str_equal(bill_about(r.bill)->unused, "Own");
    assert_total(&r, "BilledCost", "2.10000000000000000001");
    must_end(&r);
    must_open(&r, "[" OBJECT("1", "") "," OBJECT("2", "") "]");
    must_next(&r);
    must_next(&r);
    assert_decimal(r.line.billed, "2");
    must_end(&r);
    must_refuse(OBJECT("1", "") " 7", "line 1: an object is wanted here", "");
    must_refuse(OBJECT("null", ""), "line 1: BilledCost is empty", NULL);
    must_survive("[" OBJECT("1", "") "," OBJECT("2", ",\"Tags\":{\"a\":\"b\"}") "]");
}

static void refusals(void **state)
{
    (void)state;
    must_refuse("", "it is empty", NULL);
    must_refuse("BilledCost;EffectiveCost\n1,5;2\n", "its fields are not separated by commas",
                "save it as CSV with commas between fields, and points in numbers");
    must_refuse("a,b,c\n1,2,3\n",
                "unrecognized bill format: its columns are 'a', 'b' and so on", NULL);
    must_refuse(
        "BiledCost,EffectiveCost,BillingAccountId,ChargePeriodStart,ChargePeriodEnd,"
        "ProviderName"
        "\n1,1,a,b,c,d\n",
        "there is no BilledCost and BillingCurrency among the columns of this FOCUS 1.0 to 1.4 "
        "file",
        "'BiledCost' is close: name it BilledCost");
    must_refuse("ContractCommitmentId,BillingCurrency,ChargeCategory,BilledCost\n1,2,3,4\n",
                "this is FOCUS's table 'Contract Commitment', which has no charges", NULL);
    must_refuse(HEAD ROW("1,5"), "line 2: it has 15 fields, but 14 are wanted",
                "a text with a comma in it must be in quotes");
    must_refuse(HEAD ROW("\"1,5\""), "line 2: BilledCost: '1,5' is not an amount",
                "a comma may group digits or be a decimal point: write 1234.56");
    must_refuse(HEAD ROW("abc"), "line 2: BilledCost: 'abc' is not an amount", "");
    must_refuse(HEAD ROW("1") ROW(""), "line 3: BilledCost is empty", NULL);
    must_refuse(HEAD ROW("1") "2,1,2,3,ac", "line 3: it has 5 fields, but 14 are wanted",
                "the file may be cut short: fetch it again");
    must_refuse(HEAD "1,1,1,1,acct,," TIMES ",AWS,Usage,,\n",
                "line 2: BillingCurrency is empty", NULL);
    must_refuse(HEAD "1,1,1,1,acct,USD,soon,2026-03-05T02:00:00Z,,,AWS,Usage,,\n",
                "line 2: ChargePeriodStart: 'soon' is not a time",
                "write it as 2026-03-01T00:00:00Z");
    must_refuse(HEAD ROW("170000000000000000000000000000000000000")
                    ROW("170000000000000000000000000000000000000"),
                "the sum of BilledCost does not fit: it has too many digits", NULL);
    must_refuse("{\"a\":1,\"b\":2}", "unrecognized bill format: its keys are 'a', 'b'", NULL);
    must_refuse("P\0K", "unrecognized bill format", NULL);
}

#define PLAIN \
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,ChargePeriodStart," \
    "ChargePeriodEnd,ProviderName,"
#define PLAIN_ROW "1,1,a,USD,2026-03-01,2026-03-02,AWS,"

/* Google's lists of tags have more than a key and a value. */
static void tags_with_a_namespace(void **state)
{
    struct reading r;

    (void)state;
    must_line(
        &r, PLAIN
        "Tags\n" PLAIN_ROW
        "\"[{\"\"namespace\"\":\"\"o\"\",\"\"key\"\":\"\"team\"\",\"\"value\"\":\"\"nlp\"\","
        "\"\"inherited\"\":false,\"\"id\"\":null}]\"\n");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\"}");
    must_end(&r);
}

/* The machine is named in columns of AWS and of Azure, where FOCUS has no place for it. */
static void machines(void **state)
{
    static const struct {
        const char *row, *details;
    } cases[] = {
        {"BoxUsage:p4d.24xlarge,,", "{\"InstanceType\":\"p4d.24xlarge\"}"},
        {"EU-DataTransfer-Out-Bytes,,", NULL},
        {"BoxUsage:p4d.24xlarge,,\"{\"\"InstanceType\"\":\"\"x\"\"}\"",
         "{\"InstanceType\":\"x\"}"},
        {",\"{\"\"VMName\"\":\"\"n\"\",\"\"ServiceType\"\":\"\"Standard_B1s\"\"}\",",
         "{\"InstanceType\":\"Standard_B1s\"}"},
        {",\"{\"\"VMName\"\":\"\"n\"\"}\",{}", "{}"},
        {",{broken,", NULL},
    };
    char text[400];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r;

        (void)snprintf(text, sizeof text,
                       PLAIN "x_UsageType,x_SkuDetails,SkuPriceDetails\n" PLAIN_ROW "%s\n",
                       cases[i].row);
        must_line(&r, text);
        assert_cell(&r, FOCUS_SkuPriceDetails, cases[i].details);
        must_end(&r);
    }
}

/* Optional columns may be missing, but a misspelled one is reported. */
static void misspelled_columns(void **state)
{
    static const char *const cases[][2] = {
        {"Tasg", "'Tasg' (Tags?)"},
        {"Tag", "'Tag' (Tags?)"},
        {"resource-idd", "'resource-idd' (ResourceId?)"},
        {"ServiceCatgory", "'ServiceCatgory' (ServiceCategory?)"},
        {"x_Tags", ""},
        {"ResourceGroup", ""},
        {"Id", ""},
        {"Own", ""},
    };
    char text[400];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r;

        (void)snprintf(text, sizeof text, PLAIN "%s\n" PLAIN_ROW "x\n", cases[i][0]);
        must_line(&r, text);
        assert_str_equal(bill_about(r.bill)->meant, cases[i][1]);
        must_end(&r);
    }
}

static void memory(void **state)
{
    (void)state;
    must_survive(HEAD ROW("\"$1,234.50\"") "1,1,1,1,a,USD," TIMES ",AWS,Usage,a=b,x\n");
}

int group_focus(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complete_row),
        cmocka_unit_test(totals),
        cmocka_unit_test(headers),
        cmocka_unit_test(versions),
        cmocka_unit_test(provider),
        cmocka_unit_test(nothing),
        cmocka_unit_test(tags),
        cmocka_unit_test(json_rows),
        cmocka_unit_test(refusals),
        cmocka_unit_test(misspelled_columns),
        cmocka_unit_test(memory),
        cmocka_unit_test(machines),
        cmocka_unit_test(tags_with_a_namespace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
