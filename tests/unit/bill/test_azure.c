#include "clouds.h"

#include "unit/time.h"

#define EA \
    "BillingAccountId,BillingAccountName,BillingPeriodStartDate,BillingPeriodEndDate," \
    "AccountOwnerId,SubscriptionId,SubscriptionName,Date,Product,PartNumber,MeterId," \
    "ServiceFamily,MeterCategory,MeterName,MeterRegion,Quantity,CostInBillingCurrency," \
    "UnitPrice,PayGPrice,BillingCurrency,ResourceLocation,ConsumedService,ResourceId," \
    "AdditionalInfo,Tags,CostCenter,UnitOfMeasure,ChargeType,Frequency,PricingModel," \
    "ReservationId,ReservationName,benefitId,benefitName\n"

#define VM "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm-1"

#define ROW(cost, tags, charge, frequency, pricing, benefit) \
    "861,Trey,09/01/2023,09/30/2023,me@example.com,sub-1,Research,09/21/2023," \
    "Virtual Machines NCads,AAA-1,meter-1,Compute,Virtual Machines,NC24ads A100 v4,US East," \
    "24," cost ",3.673,4,USD,EastUS2,Microsoft.Compute," VM ",\"{\"\"ServiceType\"\":" \
    "\"\"Standard_NC24ads_A100_v4\"\",\"\"VCPUs\"\":24}\"," tags ",CC42,1 Hour," charge \
    "," frequency "," pricing ",,," benefit "\n"

#define NO_BENEFIT ","
#define PLAN "/providers/Microsoft.BillingBenefits/savingsPlanOrders/8/savingsPlans/9,Plan one"
#define RESERVATION "/providers/Microsoft.Capacity/reservationOrders/4/reservations/5,RI"

static const char usage_row[] = EA ROW("88.152", "\"\"\"team\"\": \"\"nlp\"\",\"\"n\"\": 1\"",
                                       "Usage", "UsageBased", "OnDemand", NO_BENEFIT);

static void a_row_becomes_a_line_of_focus(void **state)
{
    struct reading r = {0};
    const char *column;

    (void)state;
    reading_first(&r, usage_row);
    assert_int_equal(bill_about(r.bill)->format, BILL_AZURE);
    assert_string_equal(bill_about(r.bill)->version, "EA");
    assert_int_equal(bill_about(r.bill)->amounts, BILL_BOTH);
    assert_false(bill_about(r.bill)->coarse);
    assert_decimal(r.line.billed, "88.152");
    assert_decimal(r.line.effective, "88.152");
    assert_false(r.line.list_known || r.line.contracted_known);
    assert_column(&r, BilledCost, "88.152");
    assert_column(&r, BillingAccountId, "861");
    assert_column(&r, SubAccountId, "sub-1");
    assert_column(&r, SubAccountType, "Subscription");
    assert_column(&r, ProviderName, "Microsoft");
    assert_column(&r, ServiceName, "Virtual Machines");
    assert_column(&r, ServiceCategory, "Compute");
    assert_column(&r, SkuId, "meter-1");
    assert_column(&r, SkuPriceId, "AAA-1");
    assert_column(&r, SkuPriceDetails, "{\"InstanceType\":\"Standard_NC24ads_A100_v4\"}");
    assert_column(&r, ChargeCategory, "Usage");
    assert_column(&r, ChargeFrequency, "Usage-Based");
    assert_column(&r, PricingCategory, "Standard");
    assert_column(&r, ConsumedQuantity, "24");
    assert_column(&r, PricingUnit, "1 Hour");
    assert_column(&r, ContractedUnitPrice, "3.673");
    assert_column(&r, ListUnitPrice, "4");
    assert_column(&r, RegionId, "eastus2");
    assert_column(&r, RegionName, "EastUS2");
    assert_column(&r, ResourceId, VM);
    assert_column(&r, ResourceName, "vm-1");
    assert_column(&r, ResourceType, "Microsoft.Compute/virtualMachines");
    assert_column(&r, Tags, "{\"team\":\"nlp\",\"n\":\"1\",\"CostCenter\":\"CC42\"}");
    assert_time(r.line.start, "2023-09-21T00:00:00Z");
    assert_time(r.line.end, "2023-09-22T00:00:00Z");
    assert_time(r.line.period_start, "2023-09-01T00:00:00Z");
    assert_time(r.line.period_end, "2023-10-01T00:00:00Z");
    assert_true(bill_about(r.bill)->month_first);
    assert_false(reading_next(&r));
    assert_decimal(bill_file_total(r.bill, &column), "88.152");
    assert_string_equal(column, "CostInBillingCurrency");
    bill_close(r.bill);
}

static void charges_and_prices_are_mapped(void **state)
{
    static const struct {
        const char *row, *category, *frequency, *pricing;
    } cases[] = {
        {EA ROW("3.25", "", "Purchase", "Recurring", "Reservation", RESERVATION), "Purchase",
         "Recurring", "Committed"},
        {EA ROW("3.25", "", "purchase", "OneTime", "OnDemand", NO_BENEFIT), "Purchase",
         "One-Time", "Standard"},
        {EA ROW("1", "", "Usage", "UsageBased", "Spot", NO_BENEFIT), "Usage", "Usage-Based",
         "Dynamic"},
        {EA ROW("0", "", "Usage", "UsageBased", "SavingsPlan", PLAN), "Usage", "Usage-Based",
         "Committed"},
        {EA ROW("1", "", "Tax", "OneTime", "", NO_BENEFIT), "Tax", "One-Time", NULL},
        {EA ROW("-1", "", "RoundingAdjustment", "OneTime", "", NO_BENEFIT), "Adjustment",
         "One-Time", NULL},
        {EA ROW("-1", "", "Credit", "", "", NO_BENEFIT), "Credit", "One-Time", NULL},
        {EA ROW("1", "", "", "", "", NO_BENEFIT), "Usage", "Usage-Based", "Standard"},
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
        bill_close(r.bill);
    }
}

static void refunds_correct_and_purchases_have_no_status(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(&r, EA ROW("-3", "", "Refund", "OneTime", "Reservation", RESERVATION));
    assert_column(&r, ChargeCategory, "Purchase");
    assert_column(&r, ChargeClass, "Correction");
    assert_column(&r, CommitmentDiscountType, "Reservation");
    assert_column(&r, CommitmentDiscountCategory, "Usage");
    assert_unknown(&r, CommitmentDiscountStatus);
    assert_unknown(&r, ConsumedQuantity);
    bill_close(r.bill);
}

static void amortized_files_are_recognized_by_their_rows(void **state)
{
    static const char unused[] = EA ROW("1", "", "Usage", "UsageBased", "OnDemand", NO_BENEFIT)
        ROW("0.5", "", "UnusedReservation", "UsageBased", "Reservation", RESERVATION);
    static const char priced[] = EA ROW("0.25", "", "Usage", "UsageBased", "SavingsPlan", PLAN);
    struct reading r = {0};

    (void)state;
    reading_first(&r, unused);
    assert_int_equal(bill_about(r.bill)->amounts, BILL_AMORTIZED);
    assert_decimal(r.line.billed, "0");
    assert_column(&r, BilledCost, "0");
    assert_decimal(r.line.effective, "1");
    assert_true(reading_next(&r));
    assert_column(&r, CommitmentDiscountStatus, "Unused");
    assert_column(&r, ChargeCategory, "Usage");
    assert_unknown(&r, ConsumedQuantity);
    bill_close(r.bill);
    reading_first(&r, priced);
    assert_int_equal(bill_about(r.bill)->amounts, BILL_AMORTIZED);
    assert_column(&r, CommitmentDiscountStatus, "Used");
    assert_column(&r, CommitmentDiscountCategory, "Spend");
    bill_close(r.bill);
}

static void option_and_file_name_select_amortized_too(void **state)
{
    struct reading r = {.options.name = "x/EA_AmortizedCost_2026.csv"};

    (void)state;
    reading_first(&r, usage_row);
    assert_int_equal(bill_about(r.bill)->amounts, BILL_AMORTIZED);
    bill_close(r.bill);
    r.options.actual = true;
    reading_first(&r, usage_row);
    assert_int_equal(bill_about(r.bill)->amounts, BILL_BOTH);
    bill_close(r.bill);
    r.options = (struct bill_options){.amortized = true};
    reading_first(&r, usage_row);
    assert_int_equal(bill_about(r.bill)->amounts, BILL_AMORTIZED);
    bill_close(r.bill);
}

/* After the rows that are read in advance it is too late to switch. */
static void late_sign_of_amortization_is_an_error(void **state)
{
    struct buf text = buf_new(&alloc_system, 1 << 20);
    struct reading r = {0};

    (void)state;
    buf_adds(&text, EA);
    for (int i = 0; i < 300; i++)
        buf_adds(&text, ROW("1", "", "Usage", "UsageBased", "OnDemand", NO_BENEFIT));
    buf_adds(&text, ROW("1", "", "UnusedSavingsPlan", "UsageBased", "SavingsPlan", PLAN));
    buf_char(&text, '\0');
    assert_string_equal(reading_fails(&r, text.at),
                        "line 302: ChargeType: 'UnusedSavingsPlan' with a commitment's cost "
                        "belongs to an amortized export");
    assert_non_null(strstr(r.err.hint, "--amortized"));
    buf_free(&text);
}

static void which_cost_and_currency_counts(void **state)
{
    static const struct {
        const char *text, *cost, *currency, *version;
    } cases[] = {
        {"meterId,date,cost,costInBillingCurrency,costInUsd,billingCurrency\nm,2026-01-01,1,2,"
         "3,"
         "EUR\n",
         "2", "EUR", "MCA"},
        {"Meter Id,Usage Date,Pre Tax Cost,Currency\nm,2026-01-01,5,CAD\n", "5", "CAD", "PAYG"},
        {"MeterId,Date,CostInUsd\nm,2026-01-01,3\n", "3", "USD", "MCA"},
        {"MeterId,Date,CostInPricingCurrency,PricingCurrency\nm,2026-01-01,4,GBP\n", "4", "GBP",
         ""},
        {"MeterId,Date,ExtendedCost\nm,2026-01-01,4\n", "4", "USD", "EA"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r = {0};

        reading_first(&r, cases[i].text);
        assert_decimal(r.line.billed, cases[i].cost);
        assert_column(&r, BillingCurrency, cases[i].currency);
        assert_string_equal(bill_about(r.bill)->version, cases[i].version);
        assert_int_equal(bill_about(r.bill)->dollars, i == 4);
        bill_close(r.bill);
    }
}

#define GERMAN \
    "\xef\xbb\xbf" \
    "Abonnement-GUID,Datum,ID der Verbrauchseinheit,Kategorie der Verbrauchseinheit," \
    "Verbrauchte Menge,Erweiterte Kosten,W\xc3\xa4hrung,Ma\xc3\x9f" \
    "einheit,Kostenstelle\n"

static void german_files_have_commas_and_points_between_days(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(&r, GERMAN "s,21.09.2023,m,Storage,\"1,5\",\"-1.234.567,075\",EUR,1 GB,C\n"
                             "s,1.9.2023 10:00,m,Storage,2,\"0,5\",EUR,1 GB,C\n");
    assert_decimal(r.line.billed, "-1234567.075");
    assert_column(&r, BilledCost, "-1234567.075");
    assert_column(&r, ConsumedQuantity, "1.5");
    assert_time(r.line.start, "2023-09-21T00:00:00Z");
    assert_column(&r, BillingAccountId, "s");
    assert_column(&r, Tags, "{\"CostCenter\":\"C\"}");
    assert_true(reading_next(&r));
    assert_time(r.line.start, "2023-09-01T10:00:00Z");
    bill_close(r.bill);
    reading_first(&r, GERMAN "s,2023-09-21,m,Storage,1.5,0.075,EUR,1 GB,\n");
    assert_decimal(r.line.billed, "0.075");
    bill_close(r.bill);
}

/* As spreadsheets save them where the comma is the decimal point. */
static void semicolons_are_read_as_commas(void **state)
{
    static const char *const texts[] = {
        "\xef\xbb\xbfMeterId;Date;Quantity;Cost;Currency;ResourceName\r\n"
        "m;21.09.2023;1,5;1234,5;EUR;a \"b\", c\r\n"
        "\"m\";21.09.2023;;\"0,5\";EUR;\"x;\"\"y\"\"\"",
        "sep=;\nMeterId;Date;Quantity;Cost;Currency;ResourceName\n"
        "m;2023-09-21;1,5;1.234,5;EUR;a \"b\", c\n\nm;2023-09-21;;0,5;EUR;\"x;\"\"y\"\"\"\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t size = 1; size < 40; size += 13) {
            struct reading r = {.pieces.size = size};
            const char *column;

            reading_first(&r, texts[i]);
            assert_decimal(r.line.billed, "1234.5");
            assert_column(&r, ConsumedQuantity, "1.5");
            assert_column(&r, ResourceName, "a \"b\", c");
            assert_time(r.line.start, "2023-09-21");
            assert_int_equal(r.line.line, 2 + i);
            assert_true(reading_next(&r));
            assert_column(&r, ResourceName, "x;\"y\"");
            assert_int_equal(r.line.line, 3 + 2 * i);
            assert_false(reading_next(&r));
            assert_false(bill_failed(r.bill));
            assert_decimal(bill_file_total(r.bill, &column), "1235");
            bill_close(r.bill);
        }
}

static void commas_are_never_misread(void **state)
{
    struct reading r = {0};

    (void)state;
    assert_string_equal(
        reading_fails(&r, GERMAN "s,21.09.2023,m,Storage,1,\"0,5\",EUR,1 GB,\n"
                                 "s,21.09.2023,m,Storage,1,1.234,EUR,1 GB,\n"),
        "line 3: ExtendedCost: '1.234' has a decimal point, but numbers before it a comma");
    assert_string_equal(
        reading_fails(&r, GERMAN "s,21.09.2023,m,Storage,1.234,\"0,5\",EUR,1 GB,\n"),
        "line 2: Quantity: '1.234' has a decimal point, but numbers before it a comma");
    assert_string_equal(reading_fails(&r, GERMAN "s,21.09.2023,m,S,1,\"1,234,5\",EUR,1 GB,\n"),
                        "line 2: ExtendedCost: '1,234,5' is not an amount");
    assert_string_equal(reading_fails(&r, GERMAN "s,21.09.2023,m,S,1,\"12.34,5\",EUR,1 GB,\n"),
                        "line 2: ExtendedCost: '12.34,5' is not an amount");
    assert_string_equal(
        reading_fails(&r, "MeterId,Date,Cost,Currency\nm,2026-01-01,\"1,5\",EUR\n"),
        "line 2: Cost: '1,5' is not an amount");
}

static void old_names_of_regions_and_odd_tags_are_understood(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(&r, "SubscriptionGuid,MeterId,UsageDateTime,PreTaxCost,Currency,"
                      "ResourceLocation,InstanceId,Tags\n"
                      "s,m,2026-01-01,1,USD,US South Central,x,not a map\n"
                      "s,m,2026-01-01,1,USD,US East 2,x,\"{\"\"a\"\":null}\"\n"
                      "s,m,2026-01-01,,USD,Unassigned,x,\n"
                      "s,m,2026-01-01,1,USD,Unassigned,x,\n");
    assert_column(&r, RegionId, "southcentralus");
    assert_column(&r, Tags, "{\"Tags\":\"not a map\"}");
    assert_true(reading_next(&r));
    assert_column(&r, RegionId, "eastus2");
    assert_column(&r, Tags, "{\"a\":\"\"}");
    assert_true(reading_next(&r)); /* a row without cost and quantity is no charge */
    assert_int_equal(r.line.line, 5);
    assert_unknown(&r, RegionId);
    assert_unknown(&r, Tags);
    assert_false(reading_next(&r));
    bill_close(r.bill);
}

static void meters_name_the_country_first(void **state)
{
    static const char *const cases[][2] = {
        {"EU West", "westeurope"},
        {"AP Southeast", "southeastasia"},
        {"IN Central", "centralindia"},
        {"DE West Central", "germanywestcentral"},
        {"UK South", "uksouth"},
        {"AU Central 2", "australiacentral2"},
        {"US Gov Virginia", "usgovvirginia"},
        {"US West 3", "westus3"},
        {"no where", "norwaywhere"},
        {"Global", "global"},
        {"Zone 1", "zone1"},
    };
    char text[300];

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct reading r = {0};

        (void)snprintf(text, sizeof text,
                       "SubscriptionGuid,MeterId,UsageDateTime,PreTaxCost,Currency,"
                       "MeterRegion,InstanceId,ConsumedService\ns,m,2026-01-01,1,USD,%s,x,y\n",
                       cases[i][0]);
        reading_first(&r, text);
        assert_column(&r, RegionId, cases[i][1]);
        bill_close(r.bill);
    }
}

#define DATED "SubscriptionGuid,MeterId,UsageDateTime,PreTaxCost,Currency,InstanceId,Tags\n"

/* The daily usage that a partner is billed for. */
static void partners_are_read(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(&r, "PartnerId,CustomerId,InvoiceNumber,SubscriptionId,ChargeStartDate,"
                      "UsageDate,MeterCategory,MeterId,ResourceLocation,ResourceURI,ChargeType,"
                      "Quantity,BillingPreTaxTotal,BillingCurrency,PricingPreTaxTotal\n"
                      "p,c,G1,s1,2026-03-01,2026-03-05,Storage,m,EU North,/x/y,Usage,1,1.84,"
                      "EUR,2\n");
    assert_column(&r, BilledCost, "1.84");
    assert_column(&r, BillingCurrency, "EUR");
    assert_column(&r, ResourceId, "/x/y");
    assert_column(&r, RegionId, "northeurope");
    assert_time(r.line.start, "2026-03-05T00:00:00Z");
    assert_false(reading_next(&r));
    bill_close(r.bill);
}

/* The order is known from any unambiguous date of the first rows. */
static void days_may_come_first(void **state)
{
    struct reading r = {0};

    (void)state;
    reading_first(&r, DATED "s,m,05/03/2026,1,USD,x,\ns,m,\"15/3/2026\",1,USD,x,\n");
    assert_time(r.line.start, "2026-03-05T00:00:00Z");
    assert_true(bill_about(r.bill)->day_first);
    assert_false(bill_about(r.bill)->month_first);
    assert_true(reading_next(&r));
    assert_time(r.line.start, "2026-03-15T00:00:00Z");
    bill_close(r.bill);
    reading_first(&r, DATED "s,m,05/03/2026,1,USD,x,a 15/03/2026\ns,m,3/15/2026,1,USD,x,\n");
    assert_time(r.line.start, "2026-05-03T00:00:00Z");
    assert_false(bill_about(r.bill)->day_first);
    assert_true(reading_next(&r));
    bill_close(r.bill);
    /* Both are there: no order is right. */
    reading_first(&r, DATED "s,m,05/03/2026,1,USD,x,\ns,m,15/03/2026,1,USD,x,\n"
                            "s,m,03/15/2026,1,USD,x,\n");
    assert_false(reading_next(&r));
    assert_string_equal(r.err.text, "line 3: Date: '15/03/2026' is not a time");
    assert_string_equal(r.err.hint,
                        "in '05/03/2026' the month was taken to be first: write 2026-03-31");
    bill_close(r.bill);
}

static void errors_name_the_column(void **state)
{
    struct reading r = {0};

    (void)state;
    assert_non_null(strstr(reading_fails(&r, "MeterId,MeterCategory,MeterName,ConsumedService,"
                                             "SubscriptionId,UsageDateTyme,Cost,Currency\n"),
                           "there is no Date"));
    assert_string_equal(
        reading_fails(&r, "MeterId,Date,Quantity,Cost,Currency\nm,2026-01-01,1,,USD\n"),
        "line 2: Cost is empty");
    assert_string_equal(
        reading_fails(&r, "MeterId,Date,Quantity,Cost,Currency\nm,2026-01-01,1,1,\n"),
        "line 2: BillingCurrency is empty");
    assert_string_equal(
        reading_fails(&r, "MeterId,Date,Quantity,Cost,Currency\nm,31.02.2026,1,1,EUR\n"),
        "line 2: Date: '31.02.2026' is not a time");
    assert_string_equal(
        reading_fails(&r, "MeterId,Date,Quantity,Cost,Currency\nm,21.,1,1,EUR\n"),
        "line 2: Date: '21.' is not a time");
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
#define AZURE(path, version, total, lines, amounts) \
    { \
        path, version, total, lines, BILL_AZURE, BILL_##amounts \
    }
#define OPENCOST "data/opencost/azure_billingexports/"
    static const struct shared_file files[] = {
        AZURE("data/azure_cost/azure_ea_anonymous_focus_converters.csv.gz", "EA",
              "1.26136926505726", 27, BOTH),
        AZURE("data/azure_cost/koku_azure_camelCased.csv", "PAYG", "0.00011016", 3, BOTH),
        AZURE("data/azure_cost/koku_azure_version_2.csv", "EA", "19.998413754", 5, BOTH),
        AZURE("data/azure_cost/msft_EA_ActualCost_Small.csv.gz", "EA", "8.5450077867419368", 11,
              BOTH),
        AZURE("data/azure_cost/msft_EA_AmortizedCost_Small.csv.gz", "EA",
              "16.2969321366366446274854190000", 28, AMORTIZED),
        AZURE(OPENCOST "headersets/BOM.csv", "PAYG", "0", 0, BOTH),
        AZURE(OPENCOST "headersets/Enterprise.csv", "EA", "0", 1, BOTH),
        AZURE(OPENCOST "headersets/EnterpriseCamel.csv", "MCA", "0.012", 1, BOTH),
        AZURE(OPENCOST "headersets/German.csv", "PAYG", "0.075", 1, BOTH),
        AZURE(OPENCOST "headersets/PayAsYouGo.csv", "PAYG", "0.075", 1, BOTH),
        AZURE(OPENCOST "headersets/YA.csv", "", "0.075", 1, BOTH),
        AZURE(OPENCOST "values/MissingBrackets.csv", "", "4", 1, BOTH),
        AZURE(OPENCOST "values/Template.csv", "", "16.393506212224391", 87, BOTH),
        AZURE(OPENCOST "values/VirtualMachine.csv", "", "4", 1, BOTH),
        AZURE("samples/billing/azure_cost_ea_actual.csv", "EA", "88.152", 1, BOTH),
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        shared_check(&files[i]);
}

int group_azure(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_becomes_a_line_of_focus),
        cmocka_unit_test(charges_and_prices_are_mapped),
        cmocka_unit_test(refunds_correct_and_purchases_have_no_status),
        cmocka_unit_test(amortized_files_are_recognized_by_their_rows),
        cmocka_unit_test(option_and_file_name_select_amortized_too),
        cmocka_unit_test(late_sign_of_amortization_is_an_error),
        cmocka_unit_test(which_cost_and_currency_counts),
        cmocka_unit_test(german_files_have_commas_and_points_between_days),
        cmocka_unit_test(semicolons_are_read_as_commas),
        cmocka_unit_test(commas_are_never_misread),
        cmocka_unit_test(old_names_of_regions_and_odd_tags_are_understood),
        cmocka_unit_test(meters_name_the_country_first),
        cmocka_unit_test(days_may_come_first),
        cmocka_unit_test(partners_are_read),
        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(totals_are_pythons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
