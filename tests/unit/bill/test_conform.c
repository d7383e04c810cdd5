#include "test.h"

#include "bill/focus/conform.h"
#include "bill/focus/focus_write.h"

static struct decimal number(const char *text)
{
    struct decimal d;

    assert_true(decimal_parse(str_from(text), &d));
    return d;
}

/* A line as a clean bill has it. */
static struct bill_line a_line(void)
{
    struct bill_line line = {.start = {1777593600},
                             .end = {1777597200},
                             .period_start = {1777593600},
                             .period_end = {1780272000},
                             .list_known = true,
                             .contracted_known = true,
                             .line = 2};

    line.billed = line.effective = line.contracted = number("1.006");
    line.list = number("1.2072");
    line.of[FOCUS_ProviderName] = line.of[FOCUS_PublisherName] = STR("AWS");
    line.of[FOCUS_InvoiceIssuerName] = STR("AWS");
    line.of[FOCUS_BillingAccountId] = line.of[FOCUS_BillingAccountName] = STR("123");
    line.of[FOCUS_BillingAccountType] = STR("Payer");
    line.of[FOCUS_BillingCurrency] = STR("USD");
    line.of[FOCUS_ChargeCategory] = STR("Usage");
    line.of[FOCUS_ChargeFrequency] = STR("Usage-Based");
    line.of[FOCUS_ServiceCategory] = STR("Compute");
    line.of[FOCUS_ServiceSubcategory] = STR("Virtual Machines");
    line.of[FOCUS_ServiceName] = STR("AmazonEC2");
    line.of[FOCUS_SkuId] = STR("S1");
    line.of[FOCUS_SkuPriceId] = STR("S1.P1");
    line.of[FOCUS_SkuMeter] = STR("Hours");
    line.of[FOCUS_PricingCategory] = STR("Standard");
    line.of[FOCUS_PricingQuantity] = line.of[FOCUS_ConsumedQuantity] = STR("1");
    line.of[FOCUS_PricingUnit] = line.of[FOCUS_ConsumedUnit] = STR("Hours");
    line.of[FOCUS_ListUnitPrice] = STR("1.2072");
    line.of[FOCUS_ContractedUnitPrice] = STR("1.006");
    line.of[FOCUS_ServiceProviderName] = line.of[FOCUS_HostProviderName] = STR("AWS");
    line.of[FOCUS_ChargeDescription] = STR("an hour");
    line.of[FOCUS_Tags] = STR("{\"team\":\"nlp\"}");
    return line;
}

struct made {
    struct conform conform;
    struct str of[FOCUS_COUNT];
};

/* The texts of a row are stored in it, so that a filled `struct made` cannot be returned. */
#define MAKE(m, line) \
    struct made m = {.conform = conform_new(2, &alloc_system)}; \
    assert_true(conform_line(&m.conform, (line), m.of, &(struct error){0}))

static int64_t changes(const struct conform *c)
{
    int64_t sum = 0;

    for (int i = 0; i < CONFORM_CHANGES; i++)
        sum += c->changed[i];
    return sum;
}

static void a_clean_row_stays_as_it_is(void **state)
{
    struct bill_line line = a_line();

    (void)state;
    MAKE(m, &line);
    assert_int_equal(changes(&m.conform), 0);
    assert_str_equal(m.of[FOCUS_ChargePeriodStart], "2026-05-01T00:00:00Z");
    assert_str_equal(m.of[FOCUS_BillingPeriodEnd], "2026-06-01T00:00:00Z");
    assert_str_equal(m.of[FOCUS_BilledCost], "1.006");
    assert_str_equal(m.of[FOCUS_ListCost], "1.2072");
    assert_str_equal(m.of[FOCUS_PricingCurrency], "USD");
    assert_str_equal(m.of[FOCUS_PricingCurrencyEffectiveCost], "1.006");
    conform_free(&m.conform);
}

static void names_go_with_their_ids(void **state)
{
    struct bill_line line = a_line();

    (void)state;
    line.of[FOCUS_RegionName] = STR("Ireland");
    line.of[FOCUS_SubAccountId] = STR("456");
    line.of[FOCUS_ResourceId] = STR("i-1");
    line.of[FOCUS_BillingAccountName] = (struct str){0};
    line.of[FOCUS_InvoiceIssuerName] = STR("Amazon Web Services, Inc.");
    MAKE(m, &line);
    assert_int_equal(m.of[FOCUS_RegionName].len, 0);
    assert_str_equal(m.of[FOCUS_SubAccountName], "456");
    assert_int_not_equal(m.of[FOCUS_SubAccountType].len, 0);
    assert_int_not_equal(m.of[FOCUS_ResourceType].len, 0);
    assert_str_equal(m.of[FOCUS_BillingAccountName], "123");
    assert_str_equal(m.of[FOCUS_InvoiceIssuerName], "AWS");
    assert_int_equal(m.conform.changed[CONFORM_ISSUER], 1);
    conform_free(&m.conform);
}

/* A charge always has both unit prices: also where list and contracted cost contradict. */
static void every_charge_has_a_contracted_price(void **state)
{
    static const struct {
        const char *list, *contracted, *quantity, *unit, *contracted_unit;
    } rows[] = {{"5", "-2", "1", "2", "2"},    {"-5", "2", "1", "2", "2"},
                {"0", "-2", "4", "0", "0.5"},  {"5", "0", "2", "2.5", "0"},
                {"-6", "-3", "2", "3", "1.5"}, {"0", "0", "", "0", "0"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct bill_line line = a_line();
        struct decimal cost;

        line.list_known = line.contracted_known = true;
        assert_true(decimal_parse(str_from(rows[i].list), &line.list));
        assert_true(decimal_parse(str_from(rows[i].contracted), &line.contracted));
        line.of[FOCUS_PricingQuantity] = str_from(rows[i].quantity);
        line.of[FOCUS_ListUnitPrice] = line.of[FOCUS_ContractedUnitPrice] = (struct str){0};
        MAKE(m, &line);
        assert_str_equal(m.of[FOCUS_ListUnitPrice], rows[i].unit);
        assert_str_equal(m.of[FOCUS_ContractedUnitPrice], rows[i].contracted_unit);
        assert_true(decimal_parse(m.of[FOCUS_ContractedCost], &cost));
        assert_int_equal(decimal_cmp(cost, line.contracted), 0);
        assert_int_equal(m.conform.changed[CONFORM_LIST], i < 2);
        conform_free(&m.conform);
    }
}

/* Only what had neither SKU nor price id is given one. */
static void a_sku_that_is_there_is_kept(void **state)
{
    struct bill_line line = a_line();

    (void)state;
    line.of[FOCUS_SkuId] = STR("ABC");
    line.of[FOCUS_SkuPriceId] = line.of[FOCUS_SkuMeter] = (struct str){0};
    MAKE(m, &line);
    assert_str_equal(m.of[FOCUS_SkuId], "ABC");
    assert_str_equal(m.of[FOCUS_SkuPriceId], "ABC");
    assert_int_equal(m.conform.changed[CONFORM_SKU], 0);
    assert_int_equal(m.conform.changed[CONFORM_METER], 1);
    conform_free(&m.conform);
}

static void a_unit_price_comes_to_the_cost(void **state)
{
    static const struct {
        const char *quantity, *unit, *list;
    } rows[] = {
        {"3", "0.33", "1"}, /* no price is exact */
        {"", "", "1"},      /* none at all */
        {"0", "5", "1"},    /* nothing was bought, but paid for */
        {"2", "", "-8"},    /* money back */
        {"-2", "4", "-8"},  /* right as it is */
        {"1.000000000001", "9", "7.000000000000000000000001"},
        {"1E+3", "1", "1000"},
        {"5", "0", "0"},
        {"0", "", "0"},
        {"7000000000000", "", "1.01"},                   /* much of little */
        {"123456789.123456789012345678", "", "-3.7"},    /* and given back */
        {"1.00000000000000000000000000001", "", "5e-7"}, /* no price has so many digits */
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct bill_line line = a_line();
        struct decimal unit, quantity, cost, product, off;

        line.of[FOCUS_PricingQuantity] = str_from(rows[i].quantity);
        line.of[FOCUS_ListUnitPrice] = str_from(rows[i].unit);
        line.list = number(rows[i].list);
        line.contracted = number(rows[i].list);
        MAKE(m, &line);
        assert_true(decimal_parse(m.of[FOCUS_ListUnitPrice], &unit));
        assert_true(decimal_parse(m.of[FOCUS_PricingQuantity], &quantity));
        assert_true(decimal_parse(m.of[FOCUS_ListCost], &cost));
        assert_true(unit.coefficient >= 0);
        assert_true(decimal_multiply(unit, quantity, &product));
        assert_int_equal(decimal_cmp(product, cost), 0);
        assert_true(
            decimal_add(cost, (struct decimal){-line.list.coefficient, line.list.scale}, &off));
        assert_true(decimal_double(off) < 1e-12 && decimal_double(off) > -1e-12);
        assert_str_equal(m.of[FOCUS_BilledCost], "1.006");
        conform_free(&m.conform);
    }
}

static void tax_has_no_price(void **state)
{
    struct bill_line line = a_line();

    (void)state;
    line.of[FOCUS_ChargeCategory] = STR("Tax");
    MAKE(m, &line);
    assert_int_equal(m.of[FOCUS_ListUnitPrice].len, 0);
    assert_int_equal(m.of[FOCUS_PricingQuantity].len, 0);
    assert_int_equal(m.of[FOCUS_PricingUnit].len, 0);
    assert_int_equal(m.of[FOCUS_SkuId].len, 0);
    assert_int_equal(m.of[FOCUS_SkuMeter].len, 0);
    assert_int_equal(m.of[FOCUS_ConsumedQuantity].len, 0);
    assert_int_equal(m.of[FOCUS_ConsumedUnit].len, 0);
    assert_str_equal(m.of[FOCUS_BilledCost], "1.006");
    conform_free(&m.conform);
}

static void no_row_is_without_description(void **state)
{
    struct bill_line line = a_line();

    (void)state;
    line.of[FOCUS_ChargeDescription] = (struct str){0};
    {
        MAKE(m, &line);
        assert_str_equal(m.of[FOCUS_ChargeDescription], "Hours");
        assert_int_equal(m.conform.changed[CONFORM_DESCRIPTION], 1);
        conform_free(&m.conform);
    }
    line.of[FOCUS_ChargeCategory] = STR("Tax"); /* which has no meter */
    MAKE(m, &line);
    assert_str_equal(m.of[FOCUS_ChargeDescription], "AmazonEC2");
    conform_free(&m.conform);
}

static void amounts_decide_over_texts(void **state)
{
    struct bill_line line = a_line();

    (void)state;
    line.of[FOCUS_ChargeCategory] = STR("Purchase");
    line.of[FOCUS_ChargeFrequency] = STR("Monthly");
    line.of[FOCUS_ServiceCategory] = STR("Machine learning");
    line.of[FOCUS_SkuId] = line.of[FOCUS_SkuPriceId] = (struct str){0};
    line.of[FOCUS_ChargeDescription] = STR("p5 block");
    MAKE(m, &line);
    assert_str_equal(m.of[FOCUS_ChargeCategory], "Usage");
    assert_str_equal(m.of[FOCUS_EffectiveCost], "1.006");
    assert_str_equal(m.of[FOCUS_ChargeFrequency], "Usage-Based");
    assert_str_equal(m.of[FOCUS_ServiceCategory], "Other");
    assert_str_equal(m.of[FOCUS_ServiceSubcategory], "Other (Other)");
    assert_str_equal(m.of[FOCUS_SkuPriceId], "AmazonEC2/p5 block");
    assert_int_equal(m.conform.changed[CONFORM_PURCHASE], 1);
    conform_free(&m.conform);
}

static void commitments_are_complete_or_absent(void **state)
{
    struct bill_line line = a_line();

    (void)state;
    line.of[FOCUS_CommitmentDiscountName] = STR("a name");
    {
        MAKE(m, &line);
        assert_int_equal(m.of[FOCUS_CommitmentDiscountName].len, 0);
        conform_free(&m.conform);
    }
    line.of[FOCUS_CommitmentDiscountId] = STR("sp-1");
    MAKE(m, &line);
    assert_str_equal(m.of[FOCUS_CommitmentDiscountStatus], "Used");
    assert_str_equal(m.of[FOCUS_CommitmentDiscountQuantity], "1");
    assert_str_equal(m.of[FOCUS_CommitmentDiscountUnit], "Hours");
    assert_int_not_equal(m.of[FOCUS_CommitmentDiscountType].len, 0);
    conform_free(&m.conform);
}

static void tags_become_a_flat_object(void **state)
{
    static const char *const bad[] = {"team=nlp", "[1]", "{\"a\":{\"b\":1}}", "{\"a\":1",
                                      "\"x\""};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct bill_line line = a_line();

        line.of[FOCUS_Tags] = str_from(bad[i]);
        MAKE(m, &line);
        assert_true(str_starts(m.of[FOCUS_Tags], STR("{\"x_Text\":\"")));
        assert_int_equal(m.conform.changed[CONFORM_TAGS], 1);
        conform_free(&m.conform);
    }
}

static void parts_belong_to_their_category(void **state)
{
    static const struct {
        struct str category, part;
        const char *becomes;
    } cases[] = {
        {{"Compute", 7}, {"Containers", 10}, "Containers"},
        {{"Compute", 7}, {"Bots", 4}, "Other (Compute)"},
        {{"Multicloud", 10}, {0}, "Other (Multicloud)"},
        {{"compute", 7}, {"Containers", 10}, "Other (Other)"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct bill_line line = a_line();

        line.of[FOCUS_ServiceCategory] = cases[i].category;
        line.of[FOCUS_ServiceSubcategory] = cases[i].part;
        MAKE(m, &line);
        assert_str_equal(m.of[FOCUS_ServiceSubcategory], cases[i].becomes);
        conform_free(&m.conform);
    }
}

static void each_version_has_its_columns(void **state)
{
    static const struct focus_extra extra[] = {{"x_RunId", FOCUS_TEXT}};
    struct buf out = buf_new(&alloc_system, 1 << 20);
    struct bill_line line = a_line();
    struct str text, run = STR("r,1");
    size_t commas[2] = {0}, which = 0;

    (void)state;
    focus_write_header(2, extra, 1, &out);
    MAKE(m, &line);
    focus_write_row(2, m.of, &run, 1, &out);
    text = buf_text(&out);
    assert_true(str_has_nocase(text, STR(",ProviderName,")));
    assert_false(str_has_nocase(text, STR("HostProviderName")));
    assert_true(str_ends(text, STR(",\"r,1\"\n")));
    for (size_t i = 0, quoted = 0; i < text.len && which < 2; i++) {
        quoted ^= text.at[i] == '"';
        commas[which] += text.at[i] == ',' && !quoted;
        which += text.at[i] == '\n';
    }
    assert_int_equal(commas[0], 57);
    assert_int_equal(commas[1], 57);
    buf_clear(&out);
    focus_write_header(4, NULL, 0, &out);
    assert_false(str_has_nocase(buf_text(&out), STR(",ProviderName,")));
    assert_true(str_has_nocase(buf_text(&out), STR(",InvoiceDetailId,")));
    conform_free(&m.conform);
    buf_free(&out);
}

static void every_allocation_may_fail(void **state)
{
    struct bill_line line = a_line();
    bool done = false;

    (void)state;
    line.of[FOCUS_Tags] = STR("no object");
    for (size_t allow = 0; !done; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct conform c = conform_new(2, &alloc);
        struct str of[FOCUS_COUNT];
        struct error err = {0};

        done = conform_line(&c, &line, of, &err);
        assert_true(done || err.kind == ERROR_MEMORY);
        conform_free(&c);
        assert_int_equal(failing.held, 0);
    }
}

int group_conform(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_row_stays_as_it_is),
        cmocka_unit_test(names_go_with_their_ids),
        cmocka_unit_test(every_charge_has_a_contracted_price),
        cmocka_unit_test(a_sku_that_is_there_is_kept),
        cmocka_unit_test(a_unit_price_comes_to_the_cost),
        cmocka_unit_test(tax_has_no_price),
        cmocka_unit_test(no_row_is_without_description),
        cmocka_unit_test(amounts_decide_over_texts),
        cmocka_unit_test(commitments_are_complete_or_absent),
        cmocka_unit_test(tags_become_a_flat_object),
        cmocka_unit_test(parts_belong_to_their_category),
        cmocka_unit_test(each_version_has_its_columns),
        cmocka_unit_test(every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
