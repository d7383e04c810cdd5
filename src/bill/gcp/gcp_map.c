/* A row of the billing export of Google Cloud as a line of FOCUS. */
#include "bill/gcp/gcp.h"
#include "unit/time.h"

/* A row that is being mapped. */
struct mapping {
    struct bill *bill;
    struct gcp_state *state;
    const struct bill_row *row;
    struct bill_line *out;
    struct bill_credits credits;
};

static struct str cell(const struct mapping *m, enum gcp_field f)
{
    return bill_cell(m->row, m->state->at[f]);
}

static struct str words(const struct mapping *m, enum gcp_field f)
{
    return bill_words(m->row, m->state->at[f]);
}

/* Net of credits is what is paid; before them what was agreed on; at list prices what is
 * said to be, else the same. */
static bool map_costs(struct mapping *m, struct error *err)
{
    struct str cost = cell(m, GCP_COST), list = cell(m, GCP_COST_AT_LIST);
    struct str credits =
        cell(m, GCP_CREDITS).at != NULL ? cell(m, GCP_CREDITS) : cell(m, GCP_CREDITS_AMOUNT);
    struct bill_line *out = m->out;

    if (!bill_amount(m->bill, "cost", &cost, &out->contracted, err))
        return false;
    bill_sum_add(&m->bill->total, out->contracted);
    if (!bill_credits(m->bill, credits, &m->credits, err))
        return false;
    out->of[FOCUS_ContractedCost] = cost;
    out->of[FOCUS_ListCost] = list.at != NULL ? list : cost;
    out->list = out->contracted;
    out->list_known = out->contracted_known = true;
    if (list.at != NULL &&
        !bill_amount(m->bill, "cost_at_list", &out->of[FOCUS_ListCost], &out->list, err))
        return false;
    out->billed = out->contracted;
    out->of[FOCUS_BilledCost] = cost;
    if (m->credits.any) {
        if (!decimal_add(out->contracted, m->credits.sum, &out->billed))
            return bill_refuse(m->bill, "cost", cost, "and its credits have too many digits",
                               err);
        if (!bill_decimal_text(m->bill, out->billed, &out->of[FOCUS_BilledCost], err))
            return false;
    }
    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    return true;
}

static bool map_times(struct mapping *m, struct error *err)
{
    struct str start = cell(m, GCP_START), end = cell(m, GCP_END),
               month = cell(m, GCP_INVOICE_MONTH);
    struct bill_line *out = m->out;

    if (!bill_time(m->bill, &m->bill->times[0], "usage_start_time", start, &out->start, err))
        return false;
    /* Usage is told by the hour; what has only a date, by the day. */
    out->end.s = out->start.s + (start.len <= 10 ? SECONDS_PER_DAY : 3600);
    if (end.at != NULL &&
        !bill_time(m->bill, &m->bill->times[1], "usage_end_time", end, &out->end, err))
        return false;
    if (month.at == NULL)
        bill_month_of(out);
    else if (!bill_month_parse(month, &out->period_start, &out->period_end))
        return bill_refuse(m->bill, "invoice.month", month, "is no month such as 202603", err);
    return true;
}

static void map_charge(struct mapping *m)
{
    struct str type = cell(m, GCP_COST_TYPE), sku = words(m, GCP_SKU),
               model = words(m, GCP_MODEL);
    struct str *of = m->out->of;
    bool usage = false;

    of[FOCUS_ChargeFrequency] = STR("One-Time");
    if (str_eq_nocase(type, STR("tax"))) {
        of[FOCUS_ChargeCategory] = STR("Tax");
    } else if (str_eq_nocase(type, STR("adjustment")) ||
               str_eq_nocase(type, STR("rounding_error"))) {
        of[FOCUS_ChargeCategory] = STR("Adjustment");
    } else if (str_eq_nocase(type, STR("credit"))) {
        of[FOCUS_ChargeCategory] = STR("Credit");
    } else if (str_starts(sku,
                          STR("Commitment"))) { /* "Commitment v1: Cpu in ... for 1 Year" */
        of[FOCUS_ChargeCategory] = STR("Purchase");
        of[FOCUS_ChargeFrequency] = STR("Recurring");
        of[FOCUS_PricingCategory] = STR("Committed");
    } else {
        usage = true;
        of[FOCUS_ChargeCategory] = STR("Usage");
        of[FOCUS_ChargeFrequency] = STR("Usage-Based");
    }
    if (str_has_nocase(cell(m, GCP_CORRECTION), STR("correction")))
        of[FOCUS_ChargeClass] = STR("Correction");
    if (!usage)
        return;
    if (str_has_nocase(sku, STR("preemptible")) || str_starts(sku, STR("Spot ")) ||
        str_has_nocase(sku, STR(" spot ")))
        of[FOCUS_PricingCategory] = STR("Dynamic");
    else if (m->credits.committed || str_has_nocase(model, STR("CUD")) ||
             str_has_nocase(model, STR("commit")))
        of[FOCUS_PricingCategory] = STR("Committed");
    else
        of[FOCUS_PricingCategory] = STR("Standard");
}

static void map_commitment(struct mapping *m)
{
    struct str *of = m->out->of;

    if (!m->credits.committed)
        return;
    of[FOCUS_CommitmentDiscountId] = m->credits.id;
    of[FOCUS_CommitmentDiscountName] = m->credits.name;
    of[FOCUS_CommitmentDiscountCategory] = m->credits.spend ? STR("Spend") : STR("Usage");
    of[FOCUS_CommitmentDiscountType] = STR("Committed Use Discount");
    of[FOCUS_CommitmentDiscountStatus] = STR("Used");
}

/* Quantities say nothing of taxes and adjustments, whatever the file has there. */
static bool map_quantities(struct mapping *m, struct error *err)
{
    static const struct {
        enum gcp_field from;
        enum focus_column to;
        const char *name;
    } amounts[] = {
        {GCP_AMOUNT, FOCUS_ConsumedQuantity, "usage.amount"},
        {GCP_PRICED_AMOUNT, FOCUS_PricingQuantity, "usage.amount_in_pricing_units"},
        {GCP_PRICE, FOCUS_ContractedUnitPrice, "price.effective_price"},
        {GCP_LIST_PRICE, FOCUS_ListUnitPrice, "price.list_price"},
    };
    struct str *of = m->out->of, category = of[FOCUS_ChargeCategory];
    struct decimal ignored;

    if (!str_eq(category, STR("Usage")) && !str_eq(category, STR("Purchase")))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(amounts); i++) {
        struct str text = cell(m, amounts[i].from);

        if (text.at == NULL ||
            (amounts[i].to == FOCUS_ConsumedQuantity && !str_eq(category, STR("Usage"))))
            continue;
        if (!bill_amount(m->bill, amounts[i].name, &text, &ignored, err))
            return false;
        of[amounts[i].to] = text;
    }
    if (of[FOCUS_ConsumedQuantity].at != NULL)
        of[FOCUS_ConsumedUnit] = words(m, GCP_UNIT);
    if (of[FOCUS_PricingQuantity].at != NULL)
        of[FOCUS_PricingUnit] = words(m, GCP_PRICED_UNIT);
    return true;
}

/* "//compute.googleapis.com/projects/1/zones/z/instance/123": an instance. */
static struct str type_of(struct str id)
{
    struct str rest = id, last = {0}, before = {0};

    while (rest.len > 0) {
        before = last;
        last = str_cut(&rest, '/');
    }
    return before.len > 0 ? before : (struct str){0};
}

static void map_place(struct mapping *m)
{
    struct str *of = m->out->of, seller = words(m, GCP_SELLER);

    of[FOCUS_BillingAccountId] = words(m, GCP_ACCOUNT);
    of[FOCUS_BillingAccountType] = STR("Billing Account");
    of[FOCUS_SubAccountId] =
        words(m, GCP_PROJECT).at != NULL ? words(m, GCP_PROJECT) : cell(m, GCP_PROJECT_NUMBER);
    of[FOCUS_SubAccountName] = words(m, GCP_PROJECT_NAME);
    if (of[FOCUS_SubAccountId].at != NULL)
        of[FOCUS_SubAccountType] = STR("Project");
    of[FOCUS_RegionId] =
        cell(m, GCP_REGION).at != NULL ? cell(m, GCP_REGION) : cell(m, GCP_LOCATION);
    of[FOCUS_RegionName] =
        cell(m, GCP_LOCATION).at != NULL ? cell(m, GCP_LOCATION) : cell(m, GCP_REGION);
    of[FOCUS_AvailabilityZone] = cell(m, GCP_ZONE);
    of[FOCUS_ResourceName] = words(m, GCP_RESOURCE);
    of[FOCUS_ResourceId] = words(m, GCP_RESOURCE_ID).at != NULL ? words(m, GCP_RESOURCE_ID)
                                                                : words(m, GCP_RESOURCE);
    of[FOCUS_ResourceType] = type_of(words(m, GCP_RESOURCE_ID));
    if (seller.at != NULL)
        of[FOCUS_PublisherName] = seller;
    bill_provider(m->out, STR("Google Cloud"));
}

static void map_service(struct mapping *m)
{
    struct str *of = m->out->of;

    of[FOCUS_ServiceName] =
        words(m, GCP_SERVICE).at != NULL ? words(m, GCP_SERVICE) : words(m, GCP_SERVICE_ID);
    of[FOCUS_ServiceCategory] = bill_category(of[FOCUS_ServiceName]);
    of[FOCUS_ChargeDescription] = words(m, GCP_SKU);
    if (str_eq(of[FOCUS_ChargeCategory], STR("Tax")))
        return;
    of[FOCUS_SkuId] = cell(m, GCP_SKU_ID);
    of[FOCUS_SkuPriceId] = cell(m, GCP_SKU_ID);
    of[FOCUS_SkuMeter] = words(m, GCP_SKU);
}

static bool map_tags(struct mapping *m, struct error *err)
{
    const struct bill_list lists[] = {
        {"labels", words(m, GCP_LABELS)},
        {"tags", words(m, GCP_TAGS)},
        {"project.labels", words(m, GCP_PROJECT_LABELS)},
    };
    struct str machine;

    if (!bill_list_tags(m->bill, lists, ARRAY_LEN(lists), &m->out->of[FOCUS_Tags], err) ||
        !bill_list_value(m->bill, words(m, GCP_SYSTEM_LABELS),
                         STR("compute.googleapis.com/machine_spec"), &machine, err))
        return false;
    if (machine.at == NULL)
        return true;
    return bill_instance_type(m->bill, machine, &m->out->of[FOCUS_SkuPriceDetails], err);
}

enum bill_step gcp_line(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                        struct error *err)
{
    struct mapping m = {.bill = bill, .state = bill->state, .row = row, .out = out};

    *out = (struct bill_line){0};
    if (bill_row_blank(row))
        return BILL_STEP_SKIP;
    if (!map_costs(&m, err) || !map_times(&m, err))
        return BILL_STEP_FAILED;
    out->of[FOCUS_BillingCurrency] = cell(&m, GCP_CURRENCY);
    bill_currency(bill, m.state->at[GCP_CURRENCY], out);
    map_charge(&m);
    map_commitment(&m);
    map_place(&m);
    map_service(&m);
    return map_quantities(&m, err) && map_tags(&m, err) ? BILL_STEP_LINE : BILL_STEP_FAILED;
}
