/* A row of an Azure export as a line of FOCUS. */
#include "bill/azure/azure.h"
#include "unit/time.h"

struct mapping {
    struct bill *bill;
    struct azure_state *state;
    const struct bill_row *row;
    struct bill_line *out;
};

static struct str cell(const struct mapping *m, enum azure_field f)
{
    return bill_cell(m->row, m->state->at[f]);
}

static struct str words(const struct mapping *m, enum azure_field f)
{
    return azure_known(bill_words(m->row, m->state->at[f]));
}

static struct str either(const struct mapping *m, enum azure_field a, enum azure_field b)
{
    struct str first = words(m, a);

    return first.at != NULL ? first : words(m, b);
}

static bool unused(struct str charge)
{
    return charge.len > 6 && str_eq_nocase((struct str){charge.at, 6}, STR("unused"));
}

static bool committed(struct str pricing)
{
    return str_eq_nocase(pricing, STR("Reservation")) ||
           str_eq_nocase(pricing, STR("SavingsPlan")) ||
           str_eq_nocase(pricing, STR("Savings Plan"));
}

static bool some_cost(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] >= '1' && text.at[i] <= '9')
            return true;
    return false;
}

bool azure_row_amortised(const struct azure_state *state, const struct bill_row *row)
{
    struct str charge = bill_cell(row, state->at[AZURE_CHARGE]);

    if (unused(charge))
        return true;
    return str_eq_nocase(charge, STR("Usage")) &&
           committed(bill_cell(row, state->at[AZURE_PRICING])) &&
           some_cost(bill_cell(row, state->at[state->cost]));
}

static bool map_costs(struct mapping *m, struct error *err)
{
    struct str cost = cell(m, m->state->cost), list = cell(m, AZURE_LIST_COST);
    struct bill_line *out = m->out;
    struct decimal amount;

    if (!azure_amount(m->bill, m->state->cost_name, &cost, &amount, err))
        return false;
    bill_sum_add(&m->bill->total, amount);
    out->effective = amount;
    out->of[FOCUS_EffectiveCost] = cost;
    out->billed = amount;
    out->of[FOCUS_BilledCost] = cost;
    if (m->bill->about.amounts == BILL_AMORTISED) {
        out->billed = (struct decimal){0};
        out->of[FOCUS_BilledCost] = STR("0");
    }
    out->contracted = out->list = out->billed;
    if (list.at == NULL || m->state->cost != AZURE_COST)
        return true;
    out->list_known = true;
    out->of[FOCUS_ListCost] = list;
    return azure_amount(m->bill, "PaygCostInBillingCurrency", &out->of[FOCUS_ListCost],
                        &out->list, err);
}

static void map_currency(struct mapping *m)
{
    struct str *currency = &m->out->of[FOCUS_BillingCurrency];

    *currency = cell(m, AZURE_CURRENCY);
    m->out->of[FOCUS_PricingCurrency] = cell(m, AZURE_CURRENCY_PRICING);
    if (m->state->cost == AZURE_COST_USD)
        *currency = STR("USD");
    if (m->state->cost == AZURE_COST_PRICING)
        *currency = cell(m, AZURE_CURRENCY_PRICING);
    bill_currency(m->bill, m->state->at[AZURE_CURRENCY], m->out);
}

/* Azure's periods end with their last day, FOCUS's with the day after it. */
static bool map_times(struct mapping *m, struct error *err)
{
    struct str first = cell(m, AZURE_PERIOD_START), last = cell(m, AZURE_PERIOD_END);
    struct bill_line *out = m->out;

    if (!azure_time(m->bill, 0, "Date", cell(m, AZURE_DATE), &out->start, err))
        return false;
    out->end.s = out->start.s + SECONDS_PER_DAY;
    bill_month_of(out);
    if (first.at != NULL && last.at != NULL) {
        if (!azure_time(m->bill, 1, "BillingPeriodStartDate", first, &out->period_start, err) ||
            !azure_time(m->bill, 2, "BillingPeriodEndDate", last, &out->period_end, err))
            return false;
        out->period_end.s += SECONDS_PER_DAY - out->period_end.s % SECONDS_PER_DAY;
    }
    return true;
}

static void map_charge(struct mapping *m)
{
    struct str charge = cell(m, AZURE_CHARGE), frequency = cell(m, AZURE_FREQUENCY);
    struct str *of = m->out->of;

    if (charge.at == NULL || str_eq_nocase(charge, STR("Usage")) || unused(charge)) {
        of[FOCUS_ChargeCategory] = STR("Usage");
    } else if (str_eq_nocase(charge, STR("Purchase"))) {
        of[FOCUS_ChargeCategory] = STR("Purchase");
    } else if (str_eq_nocase(charge, STR("Refund"))) {
        of[FOCUS_ChargeCategory] = STR("Purchase");
        of[FOCUS_ChargeClass] = STR("Correction");
    } else if (str_eq_nocase(charge, STR("Tax"))) {
        of[FOCUS_ChargeCategory] = STR("Tax");
    } else if (str_has_nocase(charge, STR("Credit"))) {
        of[FOCUS_ChargeCategory] = STR("Credit");
    } else {
        of[FOCUS_ChargeCategory] = STR("Adjustment");
    }
    if (str_has_nocase(frequency, STR("recurring")))
        of[FOCUS_ChargeFrequency] = STR("Recurring");
    else if (str_has_nocase(frequency, STR("one")))
        of[FOCUS_ChargeFrequency] = STR("One-Time");
    else
        of[FOCUS_ChargeFrequency] = str_eq(of[FOCUS_ChargeCategory], STR("Usage"))
                                        ? STR("Usage-Based")
                                        : STR("One-Time");
}

static void map_pricing(struct mapping *m)
{
    struct str pricing = cell(m, AZURE_PRICING), meter = words(m, AZURE_METER);
    struct str *of = m->out->of;

    if (!str_eq(of[FOCUS_ChargeCategory], STR("Usage")) &&
        !str_eq(of[FOCUS_ChargeCategory], STR("Purchase")))
        return;
    if (str_eq_nocase(pricing, STR("Spot")) || str_has_nocase(meter, STR("Spot")) ||
        str_has_nocase(meter, STR("Low Priority")))
        of[FOCUS_PricingCategory] = STR("Dynamic");
    else if (committed(pricing) ||
             (pricing.at == NULL && words(m, AZURE_RESERVATION).at != NULL))
        of[FOCUS_PricingCategory] = STR("Committed");
    else
        of[FOCUS_PricingCategory] = STR("Standard");
}

static void map_commitment(struct mapping *m)
{
    struct str id = either(m, AZURE_BENEFIT, AZURE_RESERVATION);
    struct str *of = m->out->of;
    bool spend = str_has_nocase(id, STR("savingsPlan")) ||
                 str_has_nocase(cell(m, AZURE_PRICING), STR("savings"));

    if (id.at == NULL)
        return;
    of[FOCUS_CommitmentDiscountId] = id;
    of[FOCUS_CommitmentDiscountName] = either(m, AZURE_BENEFIT_NAME, AZURE_RESERVATION_NAME);
    of[FOCUS_CommitmentDiscountCategory] = spend ? STR("Spend") : STR("Usage");
    of[FOCUS_CommitmentDiscountType] = spend ? STR("Savings Plan") : STR("Reservation");
    if (unused(cell(m, AZURE_CHARGE)))
        of[FOCUS_CommitmentDiscountStatus] = STR("Unused");
    else if (str_eq(of[FOCUS_ChargeCategory], STR("Usage")))
        of[FOCUS_CommitmentDiscountStatus] = STR("Used");
}

static void map_service(struct mapping *m)
{
    struct str *of = m->out->of, category = words(m, AZURE_CATEGORY);

    of[FOCUS_ServiceName] =
        category.at != NULL ? category : either(m, AZURE_SERVICE, AZURE_CONSUMED);
    of[FOCUS_ServiceCategory] = bill_category(of[FOCUS_ServiceName]);
    if (str_eq(of[FOCUS_ServiceCategory], STR("Other")))
        of[FOCUS_ServiceCategory] = bill_category(either(m, AZURE_CONSUMED, AZURE_FAMILY));
    of[FOCUS_ChargeDescription] = either(m, AZURE_PRODUCT, AZURE_METER);
    of[FOCUS_PublisherName] = words(m, AZURE_PUBLISHER);
    bill_provider(m->out, STR("Microsoft"));
    of[FOCUS_InvoiceId] = words(m, AZURE_INVOICE);
    if (str_eq(of[FOCUS_ChargeCategory], STR("Tax")))
        return;
    of[FOCUS_SkuId] = words(m, AZURE_METER_ID);
    of[FOCUS_SkuPriceId] = either(m, AZURE_PART, AZURE_METER_ID);
    of[FOCUS_SkuMeter] = words(m, AZURE_METER);
}

static void map_account(struct mapping *m)
{
    struct str *of = m->out->of;

    /* Pay as you go has no account above its subscription. */
    of[FOCUS_BillingAccountId] = either(m, AZURE_ACCOUNT, AZURE_ENROLLMENT);
    if (of[FOCUS_BillingAccountId].at == NULL)
        of[FOCUS_BillingAccountId] = either(m, AZURE_PROFILE, AZURE_ACCOUNT_NAME);
    if (of[FOCUS_BillingAccountId].at == NULL)
        of[FOCUS_BillingAccountId] = words(m, AZURE_SUBSCRIPTION);
    of[FOCUS_BillingAccountName] = words(m, AZURE_ACCOUNT_NAME);
    of[FOCUS_BillingAccountType] = STR("Billing Account");
    of[FOCUS_SubAccountId] = words(m, AZURE_SUBSCRIPTION);
    of[FOCUS_SubAccountName] = words(m, AZURE_SUBSCRIPTION_NAME);
    if (of[FOCUS_SubAccountId].at != NULL)
        of[FOCUS_SubAccountType] = STR("Subscription");
}

static bool map_quantities(struct mapping *m, struct error *err)
{
    static const struct {
        enum azure_field from;
        enum focus_column to;
        const char *name;
    } amounts[] = {
        {AZURE_QUANTITY, FOCUS_PricingQuantity, "Quantity"},
        {AZURE_UNIT_PRICE, FOCUS_ContractedUnitPrice, "UnitPrice"},
        {AZURE_LIST_PRICE, FOCUS_ListUnitPrice, "PayGPrice"},
    };
    struct str *of = m->out->of;
    struct decimal ignored;

    if (of[FOCUS_PricingCategory].at == NULL)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(amounts); i++) {
        struct str text = cell(m, amounts[i].from);

        if (text.at == NULL)
            continue;
        if (!azure_amount(m->bill, amounts[i].name, &text, &ignored, err))
            return false;
        of[amounts[i].to] = text;
    }
    if (of[FOCUS_PricingQuantity].at == NULL)
        return true;
    of[FOCUS_PricingUnit] = words(m, AZURE_UNIT);
    if (str_eq(of[FOCUS_ChargeCategory], STR("Usage")) && !unused(cell(m, AZURE_CHARGE))) {
        of[FOCUS_ConsumedQuantity] = of[FOCUS_PricingQuantity];
        of[FOCUS_ConsumedUnit] = of[FOCUS_PricingUnit];
    }
    return true;
}

/* The cost centre that enterprise agreements give to an account stands beside the tags of
 * resources, which come first. */
static bool map_tags(struct mapping *m, struct error *err)
{
    struct bill_list lists[] = {{"Tags", words(m, AZURE_TAGS)}, {"CostCenter", {0}}};
    struct str centre = words(m, AZURE_COST_CENTRE), machine;

    if (centre.at != NULL) {
        buf_clear(&m->bill->work);
        bill_put(&m->bill->work, STR("CostCenter"), centre);
        if (!bill_object(m->bill, &lists[1].text, err))
            return false;
    }
    if (!bill_list_tags(m->bill, lists, ARRAY_LEN(lists), &m->out->of[FOCUS_Tags], err) ||
        !bill_list_value(m->bill, words(m, AZURE_INFO), STR("ServiceType"), &machine, err))
        return false;
    return machine.at == NULL ||
           bill_instance_type(m->bill, machine, &m->out->of[FOCUS_SkuPriceDetails], err);
}

static bool refuse_amortised(const struct mapping *m, struct error *err)
{
    (void)bill_refuse(m->bill, "ChargeType", cell(m, AZURE_CHARGE),
                      "with a commitment's cost is of an amortised export", err);
    error_hint(err, "import the file with --amortised, or with --actual when it is not");
    return false;
}

enum bill_step azure_line(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                          struct error *err)
{
    struct mapping m = {.bill = bill, .state = bill->state, .row = row, .out = out};

    *out = (struct bill_line){0};
    if (cell(&m, m.state->cost).at == NULL && cell(&m, AZURE_QUANTITY).at == NULL)
        return BILL_STEP_SKIP;
    if (bill->about.amounts == BILL_BOTH && !m.state->told &&
        azure_row_amortised(m.state, row)) {
        (void)refuse_amortised(&m, err);
        return BILL_STEP_FAILED;
    }
    map_currency(&m);
    if (!map_costs(&m, err) || !map_times(&m, err))
        return BILL_STEP_FAILED;
    map_charge(&m);
    map_pricing(&m);
    map_commitment(&m);
    map_service(&m);
    map_account(&m);
    if (!azure_place(bill, m.state, row, out, err) || !map_quantities(&m, err) ||
        !map_tags(&m, err))
        return BILL_STEP_FAILED;
    return BILL_STEP_LINE;
}
