/* AWS Cost and Usage Reports: what each type of line item costs, and what is kept of it. */
#include "bills.h"

#define HEAD \
    "identity/TimeInterval,bill/InvoiceId,bill/PayerAccountId,bill/BillingPeriodStartDate," \
    "bill/BillingPeriodEndDate,lineItem/UsageAccountId,lineItem/LineItemType," \
    "lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/ProductCode,lineItem/UsageType," \
    "lineItem/AvailabilityZone,lineItem/ResourceId,lineItem/UsageAmount," \
    "lineItem/CurrencyCode,lineItem/UnblendedCost,lineItem/LineItemDescription," \
    "product/ProductName,product/instanceType,product/region,product/vcpu,product/gpu," \
    "pricing/publicOnDemandCost,pricing/term,pricing/unit,reservation/ReservationARN," \
    "reservation/EffectiveCost,reservation/UnusedAmortizedUpfrontFeeForBillingPeriod," \
    "reservation/UnusedRecurringFee,savingsPlan/SavingsPlanARN," \
    "savingsPlan/SavingsPlanEffectiveCost,savingsPlan/TotalCommitmentToDate," \
    "savingsPlan/UsedCommitment,resourceTags/user:team,resourceTags/aws:createdBy," \
    "costCategory/Unit,product/color\n"
#define FRONT(type, usage) \
    ",INV,111122223333,2026-03-01T00:00:00.000Z,2026-04-01T00:00:00Z,444455556666," type \
    ",2026-03-05 01:00:00,2026-03-05 02:00:00,AmazonEC2," usage ",us-east-1a,i-1,1,USD,"

/* A line: its type, its cost, and the columns from public cost to used commitment. */
#define ROW(type, cost, tail) \
    HEAD FRONT(type, "BoxUsage:g5.xlarge") cost ",words,,g5.xlarge,us-east-1,4,1," tail \
                                                ",nlp,,,\n"

struct expected {
    const char *tail_type; /* the type, for messages */
    const char *text;
    const char *category, *class, *frequency, *pricing;
    const char *billed, *effective, *list, *contracted;
};

static void types(void **state)
{
    static const struct expected cases[] = {
        {"Usage", ROW("Usage", "1.006", "1.2,OnDemand,Hrs,,,,,,,,"), "Usage", NULL,
         "Usage-Based", "Standard", "1.006", "1.006", "1.2", "1.006"},
        {"DiscountedUsage", ROW("DiscountedUsage", "0.0", "1.2,Reserved,Hrs,arn:ri,0.7,,,,,,"),
         "Usage", NULL, "Usage-Based", "Committed", "0", "0.7", "1.2", "1.2"},
        {"SavingsPlanCoveredUsage",
         ROW("SavingsPlanCoveredUsage", "1.006", "1.2,OnDemand,Hrs,,,,,arn:sp,0.65,,"), "Usage",
         NULL, "Usage-Based", "Committed", "1.006", "0.65", "1.2", "1.006"},
        {"SavingsPlanNegation", ROW("SavingsPlanNegation", "-1.006", ",,,,,,,arn:sp,,,"),
         "Usage", NULL, "Usage-Based", NULL, "-1.006", "0", "0", "0"},
        {"SavingsPlanRecurringFee",
         ROW("SavingsPlanRecurringFee", "2.00", ",,,,,,,arn:sp,,2.00,1.35"), "Purchase", NULL,
         "Recurring", "Standard", "2.00", "0.65", "2", "2"},
        {"SavingsPlanUpfrontFee", ROW("SavingsPlanUpfrontFee", "500", ",,,,,,,arn:sp,,,"),
         "Purchase", NULL, "One-Time", "Standard", "500", "0", "500", "500"},
        {"RIFee", ROW("RIFee", "100", ",,,arn:ri,,1.25,0.5,,,,"), "Purchase", NULL, "Recurring",
         "Standard", "100", "1.75", "100", "100"},
        {"Fee of a reservation", ROW("Fee", "900", ",,,arn:ri,,,,,,,"), "Purchase", NULL,
         "One-Time", "Standard", "900", "0", "900", "900"},
        {"Fee", ROW("Fee", "9", ",,,,,,,,,,"), "Purchase", NULL, "One-Time", "Standard", "9",
         "9", "9", "9"},
        {"Tax", ROW("Tax", "0.17", "0.0,,,,,,,,,,"), "Tax", NULL, "One-Time", NULL, "0.17",
         "0.17", "0.17", "0.17"},
        {"Credit", ROW("Credit", "-5", ",,,,,,,,,,"), "Credit", NULL, "One-Time", NULL, "-5",
         "-5", "-5", "-5"},
        {"Refund", ROW("Refund", "-3", ",,,,,,,,,,"), "Adjustment", "Correction", "One-Time",
         NULL, "-3", "-3", "-3", "-3"},
        {"EdpDiscount", ROW("EdpDiscount", "-0.1", ",,,,,,,,,,"), "Usage", NULL, "Usage-Based",
         NULL, "-0.1", "-0.1", "-0.1", "-0.1"},
        {"a new type", ROW("Brand New", "4", ",,,,,,,,,,"), "Usage", NULL, "Usage-Based",
         "Standard", "4", "4", "4", "4"},
        {"no cost at all", ROW("Usage", "", ",,,,,,,,,,"), "Usage", NULL, "Usage-Based",
         "Standard", "0", "0", "0", "0"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const struct expected *c = &cases[i];
        struct reading r;

        print_message("# %s\n", c->tail_type);
        must_line(&r, c->text);
        assert_cell(&r, FOCUS_ChargeCategory, c->category);
        assert_cell(&r, FOCUS_ChargeClass, c->class);
        assert_cell(&r, FOCUS_ChargeFrequency, c->frequency);
        assert_cell(&r, FOCUS_PricingCategory, c->pricing);
        assert_decimal(r.line.billed, c->billed);
        assert_decimal(r.line.effective, c->effective);
        assert_decimal(r.line.list, c->list);
        assert_decimal(r.line.contracted, c->contracted);
        assert_total(&r, "lineItem/UnblendedCost", c->billed);
        must_end(&r);
    }
}

static void complete_row(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r,
              ROW("SavingsPlanCoveredUsage", "1.0060", "1.2,OnDemand,Hrs,,,,,arn:sp,0.65,,"));
    assert_int_equal(bill_about(r.bill)->format, BILL_AWS_CUR);
    assert_string_equal(bill_about(r.bill)->version, "1");
    assert_str_equal(bill_about(r.bill)->unused, "product/color");
    must_next(&r);
    assert_cell(&r, FOCUS_ProviderName, "AWS");
    assert_cell(&r, FOCUS_InvoiceIssuerName, "AWS");
    assert_cell(&r, FOCUS_BillingAccountId, "111122223333");
    assert_cell(&r, FOCUS_SubAccountId, "444455556666");
    assert_cell(&r, FOCUS_InvoiceId, "INV");
    assert_cell(&r, FOCUS_BillingCurrency, "USD");
    assert_cell(&r, FOCUS_BilledCost, "1.0060");
    assert_cell(&r, FOCUS_EffectiveCost, "0.65");
    assert_cell(&r, FOCUS_ServiceName, "Amazon Elastic Compute Cloud"); /* by its code */
    assert_cell(&r, FOCUS_ServiceCategory, "Compute");
    assert_cell(&r, FOCUS_RegionId, "us-east-1");
    assert_cell(&r, FOCUS_AvailabilityZone, "us-east-1a");
    assert_cell(&r, FOCUS_ResourceId, "i-1");
    assert_cell(&r, FOCUS_ConsumedQuantity, "1");
    assert_cell(&r, FOCUS_ConsumedUnit, "Hrs");
    assert_cell(&r, FOCUS_SkuPriceDetails,
                "{\"InstanceType\":\"g5.xlarge\",\"CoreCount\":4,\"GpuCount\":1}");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\"}");
    assert_cell(&r, FOCUS_CommitmentDiscountId, "arn:sp");
    assert_cell(&r, FOCUS_CommitmentDiscountCategory, "Spend");
    assert_cell(&r, FOCUS_CommitmentDiscountType, "Savings Plan");
    assert_cell(&r, FOCUS_CommitmentDiscountStatus, "Used");
    assert_stamp(r.line.start, "2026-03-05T01:00:00Z");
    assert_stamp(r.line.end, "2026-03-05T02:00:00Z");
    assert_stamp(r.line.period_start, "2026-03-01T00:00:00Z");
    assert_stamp(r.line.period_end, "2026-04-01T00:00:00Z");
    assert_true(bill_about(r.bill)->zoneless);
    must_end(&r);
}

#define SHORT \
    "lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate," \
    "bill/PayerAccountId,lineItem/CurrencyCode,lineItem/UnblendedCost,lineItem/ProductCode," \
    "lineItem/UsageType,"
#define SHORT_ROW "Usage,2026-03-05T01:00:00Z,2026-03-05T02:00:00Z,1,USD,1,"

/* Spot is recognized by the usage type, the term, the option or the operation. */
static void spot(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, SHORT "pricing/term,lineItem/Operation\n" SHORT_ROW
                        "AmazonEC2,USE1-SpotUsage:p4d.24xlarge,,\n" SHORT_ROW
                        "AmazonEC2,BoxUsage:p4d.24xlarge,Spot,\n" SHORT_ROW
                        "AmazonEC2,BoxUsage:x,,RunInstances:SV001\n" SHORT_ROW
                        "AmazonEC2,BoxUsage:x,,RunInstances:0002\n");
    for (int i = 0; i < 3; i++) {
        must_next(&r);
        assert_cell(&r, FOCUS_PricingCategory, "Dynamic");
    }
    must_next(&r);
    assert_cell(&r, FOCUS_PricingCategory, "Standard");
    must_end(&r);
}

/* The machine, when only the usage type names it; the region, when only the zone does. */
static void facts_from_other_columns(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r, SHORT "lineItem/AvailabilityZone\n" SHORT_ROW
                        "AmazonSageMaker,USE1-Train:ml.p3.2xlarge,eu-west-1b\n" SHORT_ROW
                        "AmazonS3,TimedStorage-ByteHrs,\n" SHORT_ROW
                        "Unheard,DataTransfer:1 GB,\n");
    must_next(&r);
    assert_cell(&r, FOCUS_SkuPriceDetails, "{\"InstanceType\":\"ml.p3.2xlarge\"}");
    assert_cell(&r, FOCUS_RegionId, "eu-west-1");
    assert_cell(&r, FOCUS_ServiceCategory, "AI and Machine Learning");
    must_next(&r);
    assert_cell(&r, FOCUS_SkuPriceDetails, NULL);
    assert_cell(&r, FOCUS_RegionId, NULL);
    assert_cell(&r, FOCUS_ServiceCategory, "Storage");
    must_next(&r);
    assert_cell(&r, FOCUS_SkuPriceDetails, NULL);
    assert_cell(&r, FOCUS_ServiceName, "Unheard");
    assert_cell(&r, FOCUS_ServiceCategory, "Other");
    must_end(&r);
}

/* With discounts of the account, the net columns are what is paid. */
static void net(void **state)
{
    struct reading r;

    (void)state;
    must_open(&r,
              "line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,"
              "bill_payer_account_id,line_item_currency_code,line_item_unblended_cost,"
              "line_item_net_unblended_cost,savings_plan_savings_plan_effective_cost,"
              "savings_plan_net_savings_plan_effective_cost,line_item_product_code,"
              "resource_tags_user_team,resource_tags_aws_created_by\n"
              "Usage,2026-03-05,2026-03-06,1,USD,1,0.9,,,AmazonS3,nlp,me\n"
              "Usage,2026-03-05,2026-03-06,1,USD,2,,,,AmazonS3,,\n"
              "SavingsPlanCoveredUsage,2026-03-05,2026-03-06,1,USD,3,2.5,0.7,0.6,AmazonS3,,\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_AWS_CUR);
    assert_string_equal(bill_about(r.bill)->version, "1, Athena");
    must_next(&r);
    assert_decimal(r.line.billed, "0.9");
    assert_decimal(r.line.effective, "0.9");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\",\"aws:created_by\":\"me\"}");
    must_next(&r);
    assert_decimal(r.line.billed, "2");
    must_next(&r);
    assert_decimal(r.line.billed, "2.5");
    assert_decimal(r.line.effective, "0.6");
    assert_total(&r, "line_item_net_unblended_cost", "5.4");
    must_end(&r);
}

#define SECOND_HEAD \
    "bill_payer_account_id,bill_payer_account_name,line_item_usage_account_name," \
    "line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date," \
    "line_item_currency_code,line_item_unblended_cost,line_item_product_code,product," \
    "resource_tags,cost_category\n"
#define SECOND_ROW \
    "1,acme,ml,Usage,2026-03-05T01:00:00.000Z,2026-03-05T02:00:00.000Z,USD,1,AmazonEC2,"

static void second(void **state)
{
    struct reading r;

    (void)state;
    must_open(
        &r, SECOND_HEAD SECOND_ROW
        "\"{\"\"instance_type\"\":\"\"g5.xlarge\"\",\"\"region\"\":\"\"us-east-1\"\","
        "\"\"gpu\"\":\"\"1\"\",\"\"product_name\"\":\"\"EC2\"\",\"\"deep\"\":{\"\"a\"\":[1]}}"
        "\","
        "\"{\"\"user_team\"\":\"\"nlp \\\"\"x\\\"\"\"\",\"\"aws_created_by\"\":\"\"me\"\"}\","
        "\"{\"\"env\"\":\"\"prod\"\"}\"\n" SECOND_ROW
        "{},\"{user_team=nlp, user_run=a,b}\",\n");
    assert_int_equal(bill_about(r.bill)->format, BILL_AWS_CUR2);
    assert_string_equal(bill_about(r.bill)->version, "2.0");
    must_next(&r);
    assert_cell(&r, FOCUS_BillingAccountName, "acme");
    assert_cell(&r, FOCUS_SubAccountName, "ml");
    assert_cell(&r, FOCUS_ServiceName, "EC2");
    assert_cell(&r, FOCUS_RegionId, "us-east-1");
    assert_cell(&r, FOCUS_SkuPriceDetails, "{\"InstanceType\":\"g5.xlarge\",\"GpuCount\":1}");
    assert_cell(&r, FOCUS_Tags,
                "{\"team\":\"nlp \\\"x\\\"\",\"aws:created_by\":\"me\","
                "\"costCategory:env\":\"prod\"}");
    must_next(&r); /* nothing of the previous map is left */
    assert_cell(&r, FOCUS_SkuPriceDetails, NULL);
    assert_cell(&r, FOCUS_ServiceName, "Amazon Elastic Compute Cloud");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\",\"run\":\"a,b\"}");
    must_end(&r);
}

/* The same as objects, as other tools export it. */
static void second_json(void **state)
{
    struct reading r;

    (void)state;
    must_line(&r, "{\"bill_payer_account_id\":\"1\",\"line_item_line_item_type\":\"Usage\","
                  "\"line_item_usage_start_date\":\"2026-03-05T01:00:00Z\","
                  "\"line_item_usage_end_date\":\"2026-03-05T02:00:00Z\","
                  "\"line_item_currency_code\":\"USD\",\"line_item_unblended_cost\":0.1,"
                  "\"line_item_product_code\":\"AmazonS3\",\"product\":{\"region\":\"r\"},"
                  "\"resource_tags\":{\"user_team\":\"nlp\"}}");
    assert_cell(&r, FOCUS_Tags, "{\"team\":\"nlp\"}");
    assert_cell(&r, FOCUS_RegionId, "r");
    assert_total(&r, "line_item_unblended_cost", "0.1");
    must_end(&r);
}

/* Reports without dates of usage have the interval; headers may be longer than rows. */
static void odd_rows(void **state)
{
    struct reading r;

    (void)state;
    must_line(&r, "identity/TimeInterval,lineItem/LineItemType,bill/PayerAccountId,"
                  "lineItem/CurrencyCode,lineItem/UnblendedCost,lineItem/UsageType,"
                  "lineItem/ProductCode,resourceTags/user:late\n"
                  "2026-03-05T01:00:00Z/2026-03-05T02:00:00Z,Usage,1,USD,3,,AmazonS3\n");
    assert_stamp(r.line.start, "2026-03-05T01:00:00Z");
    assert_stamp(r.line.end, "2026-03-05T02:00:00Z");
    assert_cell(&r, FOCUS_Tags, NULL);
    must_end(&r);
}

static void refusals(void **state)
{
    (void)state;
    must_refuse("lineItem/LineItemType,lineItem/UsageStartDate,bill/PayerAccountId,"
                "lineItem/CurrencyCode,lineItem/UnblendedCosts\nUsage,1,1,USD,1\n",
                "there is no lineItem/UnblendedCost among the columns of this AWS Cost and "
                "Usage Report file",
                "'lineItem/UnblendedCosts' is close: name it lineItem/UnblendedCost");
    /* "Blended" is not a misspelling of "unblended", nor is any known column one of another. */
    must_refuse("lineItem/LineItemType,lineItem/UsageStartDate,bill/PayerAccountId,"
                "lineItem/CurrencyCode,lineItem/BlendedCost,lineItem/UnblendedCst\n"
                "Usage,1,1,USD,1,1\n",
                "there is no lineItem/UnblendedCost among the columns of this AWS Cost and "
                "Usage Report file",
                "'lineItem/UnblendedCst' is close: name it lineItem/UnblendedCost");
    must_refuse("lineItem/LineItemType,lineItem/UsageStartDate,bill/PayerAccountId,"
                "lineItem/CurrencyCode,lineItem/BlendedCost\nUsage,1,1,USD,1\n",
                "there is no lineItem/UnblendedCost among the columns of this AWS Cost and "
                "Usage Report file",
                "");
    must_refuse(ROW("Usage", "1x", ",,,,,,,,,,"),
                "line 2: lineItem/UnblendedCost: '1x' is not an amount", NULL);
    must_refuse(ROW("SavingsPlanRecurringFee", "1", ",,,,,,,,,1,few"),
                "line 2: savingsPlan/UsedCommitment: 'few' is not an amount", NULL);
    must_refuse(SECOND_HEAD SECOND_ROW "{},\"{\"\"a\"\":\",\n",
                "line 2: resource_tags: '{\"a\":' is not a map of names", NULL);
}

static void memory(void **state)
{
    (void)state;
    must_survive(ROW("RIFee", "100", ",,,arn:ri,,1.25,0.5,,,,"));
    must_survive(SECOND_HEAD SECOND_ROW
                 "\"{\"\"gpu\"\":\"\"1\"\"}\",\"{\"\"user_team\"\":\"\"nlp\"\"}\",{a=b}\n");
}

int group_aws(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),       cmocka_unit_test(complete_row),
        cmocka_unit_test(spot),        cmocka_unit_test(facts_from_other_columns),
        cmocka_unit_test(net),         cmocka_unit_test(second),
        cmocka_unit_test(second_json), cmocka_unit_test(odd_rows),
        cmocka_unit_test(refusals),    cmocka_unit_test(memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
