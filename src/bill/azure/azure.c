/* Azure's exports: which export a file is, the many names of its columns, amounts and dates in
 * users' languages, and rows as lines of FOCUS. */

#include <string.h>

#include "base/characters.h"
#include "bill/fields.h"
#include "bill/list.h"
#include "unit/time.h"

enum azure_field {
    AZURE_DATE,
    AZURE_PERIOD_START,
    AZURE_PERIOD_END,
    AZURE_COST, /* in this order: the first that is there is what is billed */
    AZURE_COST_PLAIN,
    AZURE_COST_PRETAX,
    AZURE_COST_EXTENDED,
    AZURE_COST_PRICING,
    AZURE_COST_USD,
    AZURE_LIST_COST,
    AZURE_CURRENCY,
    AZURE_CURRENCY_PRICING,
    AZURE_ACCOUNT,
    AZURE_ACCOUNT_NAME,
    AZURE_ENROLLMENT,
    AZURE_PROFILE,
    AZURE_SUBSCRIPTION,
    AZURE_SUBSCRIPTION_NAME,
    AZURE_RESOURCE,
    AZURE_RESOURCE_NAME,
    AZURE_RESOURCE_TYPE,
    AZURE_LOCATION,
    AZURE_METER_REGION,
    AZURE_ZONE,
    AZURE_CATEGORY,
    AZURE_SUBCATEGORY,
    AZURE_SERVICE,
    AZURE_FAMILY,
    AZURE_CONSUMED,
    AZURE_METER,
    AZURE_METER_ID,
    AZURE_PRODUCT,
    AZURE_PART,
    AZURE_QUANTITY,
    AZURE_UNIT,
    AZURE_UNIT_PRICE,
    AZURE_LIST_PRICE,
    AZURE_TAGS,
    AZURE_INFO,
    AZURE_COST_CENTER,
    AZURE_CHARGE,
    AZURE_FREQUENCY,
    AZURE_PRICING,
    AZURE_RESERVATION,
    AZURE_RESERVATION_NAME,
    AZURE_BENEFIT,
    AZURE_BENEFIT_NAME,
    AZURE_PUBLISHER,
    AZURE_INVOICE,
    AZURE_MCA, /* columns that only customer agreements have */
    AZURE_EA,  /* or only enterprise agreements */
    AZURE_FIELDS,
};

struct azure_state {
    enum azure_field cost;
    const char *cost_name;
    bool german;          /* its numbers may have decimal commas */
    bool commas, points;  /* and these were met */
    bool amortized_known; /* whether it is amortized is known from the user or the name */
};

static const struct bill_field azure_names[] = {
    {"Date", AZURE_DATE},
    {"UsageDateTime", AZURE_DATE},
    {"UsageDate", AZURE_DATE}, /* with those below: what partners are billed */
    {"UsageStart", AZURE_DATE},
    {"BillingPeriodStartDate", AZURE_PERIOD_START},
    {"BillingPeriodEndDate", AZURE_PERIOD_END},
    {"CostInBillingCurrency", AZURE_COST},
    {"Cost", AZURE_COST_PLAIN},
    {"PreTaxCost", AZURE_COST_PRETAX},
    {"BillingPreTaxTotal", AZURE_COST_PRETAX},
    {"ExtendedCost", AZURE_COST_EXTENDED},
    {"CostInPricingCurrency", AZURE_COST_PRICING},
    {"CostInUsd", AZURE_COST_USD},
    {"CostUSD", AZURE_COST_USD},
    {"PaygCostInBillingCurrency", AZURE_LIST_COST},
    {"BillingCurrency", AZURE_CURRENCY},
    {"BillingCurrencyCode", AZURE_CURRENCY},
    {"Currency", AZURE_CURRENCY},
    {"CurrencyCode", AZURE_CURRENCY},
    {"PricingCurrency", AZURE_CURRENCY_PRICING},
    {"PricingCurrencyCode", AZURE_CURRENCY_PRICING},
    {"BillingAccountId", AZURE_ACCOUNT},
    {"BillingAccountName", AZURE_ACCOUNT_NAME},
    {"EnrollmentNumber", AZURE_ENROLLMENT},
    {"BillingProfileId", AZURE_PROFILE},
    {"SubscriptionId", AZURE_SUBSCRIPTION},
    {"SubscriptionGuid", AZURE_SUBSCRIPTION},
    {"SubscriptionName", AZURE_SUBSCRIPTION_NAME},
    {"ResourceGroup", BILL_FIELD_IGNORED},
    {"ResourceGroupName", BILL_FIELD_IGNORED},
    {"ResourceId", AZURE_RESOURCE},
    {"InstanceId", AZURE_RESOURCE},
    {"ResourceURI", AZURE_RESOURCE},
    {"InstanceName", AZURE_RESOURCE},
    {"ResourceName", AZURE_RESOURCE_NAME},
    {"ResourceType", AZURE_RESOURCE_TYPE},
    {"ResourceLocation", AZURE_LOCATION},
    {"ResourceLocationNormalized", BILL_FIELD_IGNORED},
    {"Location", BILL_FIELD_IGNORED},
    {"MeterRegion", AZURE_METER_REGION},
    {"AvailabilityZone", AZURE_ZONE},
    {"MeterCategory", AZURE_CATEGORY},
    {"MeterSubCategory", AZURE_SUBCATEGORY},
    {"ServiceName", AZURE_SERVICE},
    {"ServiceFamily", AZURE_FAMILY},
    {"ConsumedService", AZURE_CONSUMED},
    {"MeterName", AZURE_METER},
    {"MeterId", AZURE_METER_ID},
    {"ProductName", AZURE_PRODUCT},
    {"Product", AZURE_PRODUCT},
    {"ProductId", AZURE_PART},
    {"PartNumber", AZURE_PART},
    {"Quantity", AZURE_QUANTITY},
    {"UsageQuantity", AZURE_QUANTITY},
    {"ConsumedQuantity", AZURE_QUANTITY},
    {"UnitOfMeasure", AZURE_UNIT},
    {"UnitPrice", AZURE_UNIT_PRICE},
    {"PayGPrice", AZURE_LIST_PRICE},
    {"Tags", AZURE_TAGS},
    {"AdditionalInfo", AZURE_INFO},
    {"CostCenter", AZURE_COST_CENTER},
    {"ChargeType", AZURE_CHARGE},
    {"Frequency", AZURE_FREQUENCY},
    {"PricingModel", AZURE_PRICING},
    {"ReservationId", AZURE_RESERVATION},
    {"ReservationName", AZURE_RESERVATION_NAME},
    {"BenefitId", AZURE_BENEFIT},
    {"BenefitName", AZURE_BENEFIT_NAME},
    {"PublisherName", AZURE_PUBLISHER},
    {"InvoiceId", AZURE_INVOICE},
    {"ExchangeRatePricingToBilling", AZURE_MCA},
    {"AccountOwnerId", AZURE_EA},
    /* What German portals wrote, after their usage details. */
    {"Datum", AZURE_DATE},
    {"Erweiterte Kosten", AZURE_COST_EXTENDED},
    {"Kosten", AZURE_COST_PLAIN},
    {"Kosten in Abrechnungsw\xc3\xa4hrung", AZURE_COST},
    {"W\xc3\xa4hrung", AZURE_CURRENCY},
    {"Abrechnungsw\xc3\xa4hrung", AZURE_CURRENCY},
    {"Abrechnungskonto-ID", AZURE_ACCOUNT},
    {"Name des Abrechnungskontos", AZURE_ACCOUNT_NAME},
    {"Abonnement-GUID", AZURE_SUBSCRIPTION},
    {"Abonnement-ID", AZURE_SUBSCRIPTION},
    {"Abonnementname", AZURE_SUBSCRIPTION_NAME},
    {"Name des Abonnements", AZURE_SUBSCRIPTION_NAME},
    {"Ressourcengruppe", BILL_FIELD_IGNORED},
    {"Instanz-ID", AZURE_RESOURCE},
    {"Ressourcen-ID", AZURE_RESOURCE},
    {"Ressourcenname", AZURE_RESOURCE_NAME},
    {"Ressourcentyp", AZURE_RESOURCE_TYPE},
    {"Ressourcenstandort", AZURE_LOCATION},
    {"Region der Verbrauchseinheit", AZURE_METER_REGION},
    {"Kategorie der Verbrauchseinheit", AZURE_CATEGORY},
    {"Unterkategorie der Verbrauchseinheit", AZURE_SUBCATEGORY},
    {"Name der Verbrauchseinheit", AZURE_METER},
    {"ID der Verbrauchseinheit", AZURE_METER_ID},
    {"Genutzter Dienst", AZURE_CONSUMED},
    {"Dienstname", AZURE_SERVICE},
    {"Produkt", AZURE_PRODUCT},
    {"Verbrauchte Menge", AZURE_QUANTITY},
    {"Menge", AZURE_QUANTITY},
    {"Ma\xc3\x9f"
     "einheit",
     AZURE_UNIT},
    {"Ressourcensatz", AZURE_UNIT_PRICE},
    {"Zus\xc3\xa4tzliche Informationen", AZURE_INFO},
    {"Kostenstelle", AZURE_COST_CENTER},
};

static const unsigned amounts[] = {AZURE_COST,          AZURE_COST_PLAIN,   AZURE_COST_PRETAX,
                                   AZURE_COST_EXTENDED, AZURE_COST_PRICING, AZURE_COST_USD,
                                   AZURE_LIST_COST,     BILL_FIELD_IGNORED};
static const struct bill_fields fields = {.names = azure_names,
                                          .name_count = ARRAY_LEN(azure_names),
                                          .field_count = AZURE_FIELDS,
                                          .amounts = amounts};

/* The English name in "Ressourcengruppe (ResourceGroup)"; else the column as it is. */
static struct str azure_english(struct str column)
{
    for (size_t i = column.len; i > 1 && column.at[column.len - 1] == ')'; i--)
        if (column.at[i - 1] == '(')
            return str_trim((struct str){column.at + i, column.len - 1 - i});
    return column;
}

/* Is this one of the German names? */
static bool azure_german(struct str column)
{
    size_t i = 0;

    while (i < ARRAY_LEN(azure_names) &&
           !bill_name_eq(str_from(azure_names[i].name), STR("Datum")))
        i++;
    for (; i < ARRAY_LEN(azure_names); i++)
        if (bill_name_eq(column, str_from(azure_names[i].name)))
            return true;
    return azure_english(column).len != column.len;
}

/* ---- amounts and dates as Azure's portals write them in their users' languages ---- */

/* "-1.234,56" or "1,5" as "-1234.56": points only between groups of three, before the one
 * comma. */
static bool from_commas(struct str text, struct buf *out)
{
    const char *comma = memchr(text.at, ',', text.len);
    size_t whole = (size_t)(comma - text.at), group = 0;
    bool grouped = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        if (i == whole) {
            if (grouped && group != 3)
                return false;
            buf_char(out, '.');
        } else if (c == '.' && i < whole) {
            if (group == 0 || group > 3 || (grouped && group != 3))
                return false;
            grouped = true;
            group = 0;
        } else if (is_digit(c) || (c == '-' && i == 0)) {
            group += is_digit(c);
            buf_char(out, c);
        } else {
            return false;
        }
    }
    return true;
}

static bool comma_amount(struct bill *bill, const char *column, struct str *text,
                         struct decimal *out, struct error *err)
{
    struct str plain;

    buf_clear(&bill->work);
    if (!from_commas(*text, &bill->work))
        return bill_refuse(bill, column, *text, "is not an amount", err);
    if (!bill_text_work(bill, &plain, err))
        return false;
    if (!decimal_parse(plain, out))
        return bill_refuse(bill, column, *text, "is not an amount", err);
    *text = plain;
    return true;
}

/* An amount as bill_amount(); with a decimal comma where the file is German and has no decimal
 * points. */
static bool azure_amount(struct bill *bill, const char *column, struct str *text,
                         struct decimal *out, struct error *err)
{
    struct azure_state *state = bill->state;
    bool comma = text->len > 0 && memchr(text->at, ',', text->len) != NULL;

    if (!state->german)
        return bill_amount(bill, column, text, out, err);
    if (comma)
        state->commas = true;
    else if (text->len > 0 && memchr(text->at, '.', text->len) != NULL)
        state->points = true;
    if (state->commas && state->points) {
        (void)bill_refuse(bill, column, *text,
                          comma ? "has a decimal comma, but numbers before it a point"
                                : "has a decimal point, but numbers before it a comma",
                          err);
        error_hint(err, "export it again in English, or write all numbers alike");
        return false;
    }
    return comma ? comma_amount(bill, column, text, out, err)
                 : bill_amount(bill, column, text, out, err);
}

/* "21.09.2023", and a time of day after it: the three numbers, and the rest. */
static bool is_day_first(struct str text, struct str parts[3], struct str *after)
{
    for (int i = 0; i < 3; i++) {
        size_t len = 0, most = i < 2 ? 2 : 4;

        while (len < most && len < text.len && is_digit(text.at[len]))
            len++;
        if (len == 0 || (i == 2 && len < 4) ||
            (i < 2 && (len == text.len || text.at[len] != '.')))
            return false;
        parts[i] = (struct str){text.at, len};
        len += i < 2;
        text = (struct str){text.at + len, text.len - len};
    }
    *after = text;
    return true;
}

/* A time as bill_time(); and "21.09.2023". */
static bool azure_time(struct bill *bill, size_t cache, const char *column, struct str text,
                       stamp *out, struct error *err)
{
    struct str part[3], after, iso;

    if (!is_day_first(text, part, &after))
        return bill_time(bill, &bill->times[cache], column, text, out, err);
    buf_clear(&bill->work);
    buf_addf(&bill->work, "%.*s-%s%.*s-%s%.*s", STR_ARG(part[2]), part[1].len < 2 ? "0" : "",
             STR_ARG(part[1]), part[0].len < 2 ? "0" : "", STR_ARG(part[0]));
    buf_add(&bill->work, after);
    if (!bill_text_work(bill, &iso, err))
        return false;
    return bill_time_parse(iso, out, &bill->about.zoneless, NULL) ||
           bill_refuse(bill, column, text, "is not a time", err);
}

/* ---- resources and regions of Azure ---- */

/* Meters name a region by its country first: "US East 2" is eastus2, "EU West" westeurope, "DE
 * West Central" germanywestcentral. */
static const struct {
    const char *code, *country;
    bool last;
} countries[] = {
    {"us", "us", true},           {"eu", "europe", true},       {"ap", "asia", true},
    {"in", "india", true},        {"ae", "uae", false},         {"at", "austria", false},
    {"au", "australia", false},   {"be", "belgium", false},     {"br", "brazil", false},
    {"ca", "canada", false},      {"ch", "switzerland", false}, {"cl", "chile", false},
    {"cn", "china", false},       {"de", "germany", false},     {"es", "spain", false},
    {"fi", "finland", false},     {"fr", "france", false},      {"id", "indonesia", false},
    {"il", "israel", false},      {"it", "italy", false},       {"ja", "japan", false},
    {"kr", "korea", false},       {"mx", "mexico", false},      {"my", "malaysia", false},
    {"no", "norway", false},      {"nz", "newzealand", false},  {"pl", "poland", false},
    {"qa", "qatar", false},       {"se", "sweden", false},      {"tw", "taiwan", false},
    {"za", "southafrica", false},
};

static void add_lower(struct buf *out, struct str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (c != ' ')
            buf_char(out, to_lower(c));
    }
}

/* Clouds of the state keep the order of words: "US Gov Virginia" is usgovvirginia. */
static bool of_state(struct str rest)
{
    struct str word = {rest.at, 4};

    return rest.len > 4 &&
           (str_eq_nocase(word, STR("gov ")) || str_eq_nocase(word, STR("dod ")) ||
            str_eq_nocase(word, STR("sec ")));
}

/* Others are the same but for case and blanks. */
static bool region_id(struct bill *bill, struct str name, struct str *out, struct error *err)
{
    struct str rest = name, code = str_cut(&rest, ' ');
    size_t n = 0, digits = rest.len;

    while (n < ARRAY_LEN(countries) && !str_eq_nocase(code, str_from(countries[n].code)))
        n++;
    buf_clear(&bill->work);
    if (n == ARRAY_LEN(countries) || rest.len == 0 || of_state(rest)) {
        add_lower(&bill->work, name);
    } else if (!countries[n].last) {
        buf_adds(&bill->work, countries[n].country);
        add_lower(&bill->work, rest);
    } else {
        while (digits > 0 && is_digit(rest.at[digits - 1]))
            digits--;
        add_lower(&bill->work, (struct str){rest.at, digits});
        buf_adds(&bill->work, countries[n].country);
        buf_add(&bill->work, (struct str){rest.at + digits, rest.len - digits});
    }
    return bill_text_work(bill, out, err);
}

/* Of ".../providers/Microsoft.Compute/virtualMachines/vm-1" the kind and the name. */
static void parts_of(struct str id, struct str *type, struct str *name)
{
    static const struct str mark = {"/providers/", 11};
    struct str rest = {0};

    for (size_t i = 0; i + mark.len <= id.len; i++)
        if (str_eq_nocase((struct str){id.at + i, mark.len}, mark))
            rest = (struct str){id.at + i + mark.len, id.len - i - mark.len};
    if (rest.len > 0) {
        struct str after = rest;

        (void)str_cut(&after, '/');
        (void)str_cut(&after, '/');
        if (after.len > 0)
            *type = (struct str){rest.at, rest.len - after.len - 1};
    }
    for (size_t i = id.len; i > 0; i--)
        if (id.at[i - 1] == '/') {
            *name = (struct str){id.at + i, id.len - i};
            return;
        }
}

/* Unknown for what the portal writes where there is nothing: "Unassigned". */
static struct str azure_known(struct str text)
{
    if (text.len == 0 || str_eq(text, STR("Unassigned")) || str_eq(text, STR("Unknown")))
        return (struct str){0};
    return text;
}

static struct str azure_words(const struct bill *bill, enum azure_field f)
{
    return azure_known(bill_field_words(bill, f));
}

static struct str azure_either(const struct bill *bill, enum azure_field a, enum azure_field b)
{
    struct str first = azure_words(bill, a);

    return first.at != NULL ? first : azure_words(bill, b);
}

/* Where it was, and what: region and resource. */
static bool map_azure_place(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str id = azure_either(bill, AZURE_RESOURCE, AZURE_RESOURCE_NAME);
    struct str location = azure_known(bill_field(bill, AZURE_LOCATION));
    struct str *of = out->of, type = {0}, name = {0};

    parts_of(id, &type, &name);
    of[FOCUS_ResourceId] = id;
    of[FOCUS_ResourceName] = azure_words(bill, AZURE_RESOURCE_NAME);
    if (of[FOCUS_ResourceName].at == NULL)
        of[FOCUS_ResourceName] = azure_known(name);
    of[FOCUS_ResourceType] = azure_known(bill_field(bill, AZURE_RESOURCE_TYPE));
    if (of[FOCUS_ResourceType].at == NULL)
        of[FOCUS_ResourceType] = azure_known(type);
    of[FOCUS_AvailabilityZone] = azure_known(bill_field(bill, AZURE_ZONE));
    if (location.at == NULL)
        location = azure_known(bill_field(bill, AZURE_METER_REGION));
    of[FOCUS_RegionName] = location;
    return location.at == NULL || region_id(bill, location, &of[FOCUS_RegionId], err);
}

/* ---- a row as a line of FOCUS ---- */

static bool is_unused(struct str charge)
{
    return charge.len > 6 && str_eq_nocase((struct str){charge.at, 6}, STR("unused"));
}

static bool is_committed(struct str pricing)
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

/* Does this row show that the file is amortized? A commitment that is not used has a cost there
 * only, and usage that one covers. */
static bool azure_row_amortized(const struct bill *bill, const struct bill_row *row)
{
    const struct azure_state *state = bill->state;
    struct str charge = bill_cell(row, bill->at[AZURE_CHARGE]);

    if (is_unused(charge))
        return true;
    return str_eq_nocase(charge, STR("Usage")) &&
           is_committed(bill_cell(row, bill->at[AZURE_PRICING])) &&
           some_cost(bill_cell(row, bill->at[state->cost]));
}

static bool map_azure_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct azure_state *state = bill->state;
    struct str cost = bill_field(bill, state->cost), list = bill_field(bill, AZURE_LIST_COST);
    struct decimal amount = DECIMAL_UNKNOWN;

    if (!azure_amount(bill, state->cost_name, &cost, &amount, err))
        return false;
    bill_sum_add(&bill->total, amount);
    out->effective = amount;
    out->of[FOCUS_EffectiveCost] = cost;
    out->billed = amount;
    out->of[FOCUS_BilledCost] = cost;
    if (bill->about.amounts == BILL_AMORTIZED) {
        out->billed = (struct decimal){0};
        out->of[FOCUS_BilledCost] = STR("0");
    }
    out->contracted = out->list = out->billed;
    if (list.at == NULL || state->cost != AZURE_COST)
        return true;
    out->list_known = true;
    out->of[FOCUS_ListCost] = list;
    return azure_amount(bill, "PaygCostInBillingCurrency", &out->of[FOCUS_ListCost], &out->list,
                        err);
}

static void map_currency(struct bill *bill, struct bill_line *out)
{
    const struct azure_state *state = bill->state;
    struct str *currency = &out->of[FOCUS_BillingCurrency];

    *currency = bill_field(bill, AZURE_CURRENCY);
    out->of[FOCUS_PricingCurrency] = bill_field(bill, AZURE_CURRENCY_PRICING);
    if (state->cost == AZURE_COST_USD)
        *currency = STR("USD");
    if (state->cost == AZURE_COST_PRICING)
        *currency = bill_field(bill, AZURE_CURRENCY_PRICING);
    bill_currency(bill, AZURE_CURRENCY, out);
}

/* Azure's periods end with their last day, FOCUS's with the day after it. */
static bool map_azure_times(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str first = bill_field(bill, AZURE_PERIOD_START),
               last = bill_field(bill, AZURE_PERIOD_END);

    if (!azure_time(bill, 0, "Date", bill_field(bill, AZURE_DATE), &out->start, err))
        return false;
    out->end.s = out->start.s + SECONDS_PER_DAY;
    bill_month_of(out);
    if (first.at != NULL && last.at != NULL) {
        if (!azure_time(bill, 1, "BillingPeriodStartDate", first, &out->period_start, err) ||
            !azure_time(bill, 2, "BillingPeriodEndDate", last, &out->period_end, err))
            return false;
        out->period_end.s += SECONDS_PER_DAY - out->period_end.s % SECONDS_PER_DAY;
    }
    return true;
}

static void map_azure_charge(const struct bill *bill, struct bill_line *out)
{
    struct str charge = bill_field(bill, AZURE_CHARGE),
               frequency = bill_field(bill, AZURE_FREQUENCY);
    struct str *of = out->of;

    if (charge.at == NULL || str_eq_nocase(charge, STR("Usage")) || is_unused(charge)) {
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

static void map_pricing(const struct bill *bill, struct bill_line *out)
{
    struct str pricing = bill_field(bill, AZURE_PRICING),
               meter = azure_words(bill, AZURE_METER);
    struct str *of = out->of;

    if (!str_eq(of[FOCUS_ChargeCategory], STR("Usage")) &&
        !str_eq(of[FOCUS_ChargeCategory], STR("Purchase")))
        return;
    if (str_eq_nocase(pricing, STR("Spot")) || str_has_nocase(meter, STR("Spot")) ||
        str_has_nocase(meter, STR("Low Priority")))
        of[FOCUS_PricingCategory] = STR("Dynamic");
    else if (is_committed(pricing) ||
             (pricing.at == NULL && azure_words(bill, AZURE_RESERVATION).at != NULL))
        of[FOCUS_PricingCategory] = STR("Committed");
    else
        of[FOCUS_PricingCategory] = STR("Standard");
}

static void map_azure_commitment(const struct bill *bill, struct bill_line *out)
{
    struct str id = azure_either(bill, AZURE_BENEFIT, AZURE_RESERVATION);
    struct str *of = out->of;
    bool spend = str_has_nocase(id, STR("savingsPlan")) ||
                 str_has_nocase(bill_field(bill, AZURE_PRICING), STR("savings"));

    if (id.at == NULL)
        return;
    of[FOCUS_CommitmentDiscountId] = id;
    of[FOCUS_CommitmentDiscountName] =
        azure_either(bill, AZURE_BENEFIT_NAME, AZURE_RESERVATION_NAME);
    of[FOCUS_CommitmentDiscountCategory] = spend ? STR("Spend") : STR("Usage");
    of[FOCUS_CommitmentDiscountType] = spend ? STR("Savings Plan") : STR("Reservation");
    if (is_unused(bill_field(bill, AZURE_CHARGE)))
        of[FOCUS_CommitmentDiscountStatus] = STR("Unused");
    else if (str_eq(of[FOCUS_ChargeCategory], STR("Usage")))
        of[FOCUS_CommitmentDiscountStatus] = STR("Used");
}

static void map_azure_service(struct bill *bill, struct bill_line *out)
{
    struct str *of = out->of, category = azure_words(bill, AZURE_CATEGORY);

    of[FOCUS_ServiceName] =
        category.at != NULL ? category : azure_either(bill, AZURE_SERVICE, AZURE_CONSUMED);
    of[FOCUS_ServiceCategory] = bill_service_category(bill, of[FOCUS_ServiceName]);
    if (str_eq(of[FOCUS_ServiceCategory], STR("Other")))
        of[FOCUS_ServiceCategory] =
            bill_category(azure_either(bill, AZURE_CONSUMED, AZURE_FAMILY));
    of[FOCUS_ChargeDescription] = azure_either(bill, AZURE_PRODUCT, AZURE_METER);
    of[FOCUS_PublisherName] = azure_words(bill, AZURE_PUBLISHER);
    bill_provider(out, STR("Microsoft"));
    of[FOCUS_InvoiceId] = azure_words(bill, AZURE_INVOICE);
    if (str_eq(of[FOCUS_ChargeCategory], STR("Tax")))
        return;
    of[FOCUS_SkuId] = azure_words(bill, AZURE_METER_ID);
    of[FOCUS_SkuPriceId] = azure_either(bill, AZURE_PART, AZURE_METER_ID);
    of[FOCUS_SkuMeter] = azure_words(bill, AZURE_METER);
}

static void map_account(const struct bill *bill, struct bill_line *out)
{
    struct str *of = out->of;

    /* Pay as you go has no account above its subscription. */
    of[FOCUS_BillingAccountId] = azure_either(bill, AZURE_ACCOUNT, AZURE_ENROLLMENT);
    if (of[FOCUS_BillingAccountId].at == NULL)
        of[FOCUS_BillingAccountId] = azure_either(bill, AZURE_PROFILE, AZURE_ACCOUNT_NAME);
    if (of[FOCUS_BillingAccountId].at == NULL)
        of[FOCUS_BillingAccountId] = azure_words(bill, AZURE_SUBSCRIPTION);
    of[FOCUS_BillingAccountName] = azure_words(bill, AZURE_ACCOUNT_NAME);
    of[FOCUS_BillingAccountType] = STR("Billing Account");
    of[FOCUS_SubAccountId] = azure_words(bill, AZURE_SUBSCRIPTION);
    of[FOCUS_SubAccountName] = azure_words(bill, AZURE_SUBSCRIPTION_NAME);
    if (of[FOCUS_SubAccountId].at != NULL)
        of[FOCUS_SubAccountType] = STR("Subscription");
}

static bool map_azure_quantities(struct bill *bill, struct bill_line *out, struct error *err)
{
    static const struct {
        enum azure_field from;
        enum focus_column to;
        const char *name;
    } quantities[] = {
        {AZURE_QUANTITY, FOCUS_PricingQuantity, "Quantity"},
        {AZURE_UNIT_PRICE, FOCUS_ContractedUnitPrice, "UnitPrice"},
        {AZURE_LIST_PRICE, FOCUS_ListUnitPrice, "PayGPrice"},
    };
    struct str *of = out->of;
    struct decimal ignored;

    if (of[FOCUS_PricingCategory].at == NULL)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(quantities); i++) {
        struct str text = bill_field(bill, quantities[i].from);

        if (text.at == NULL)
            continue;
        if (!azure_amount(bill, quantities[i].name, &text, &ignored, err))
            return false;
        of[quantities[i].to] = text;
    }
    if (of[FOCUS_PricingQuantity].at == NULL)
        return true;
    of[FOCUS_PricingUnit] = azure_words(bill, AZURE_UNIT);
    if (str_eq(of[FOCUS_ChargeCategory], STR("Usage")) &&
        !is_unused(bill_field(bill, AZURE_CHARGE))) {
        of[FOCUS_ConsumedQuantity] = of[FOCUS_PricingQuantity];
        of[FOCUS_ConsumedUnit] = of[FOCUS_PricingUnit];
    }
    return true;
}

/* The cost center that enterprise agreements give to an account is beside the tags of
 * resources, which come first. */
static bool map_azure_tags(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct bill_list lists[] = {{"Tags", azure_words(bill, AZURE_TAGS)}, {"CostCenter", {0}}};
    struct str center = azure_words(bill, AZURE_COST_CENTER), machine;

    if (center.at != NULL) {
        buf_clear(&bill->work);
        bill_put(&bill->work, STR("CostCenter"), center);
        if (!bill_object(bill, &lists[1].text, err))
            return false;
    }
    if (!bill_list_tags(bill, lists, ARRAY_LEN(lists), &out->of[FOCUS_Tags], err) ||
        !bill_list_value(bill, azure_words(bill, AZURE_INFO), STR("ServiceType"), &machine,
                         err))
        return false;
    return machine.at == NULL ||
           bill_instance_type(bill, machine, &out->of[FOCUS_SkuPriceDetails], err);
}

static bool refuse_amortized(const struct bill *bill, struct error *err)
{
    (void)bill_refuse(bill, "ChargeType", bill_field(bill, AZURE_CHARGE),
                      "with a commitment's cost belongs to an amortized export", err);
    error_hint(err, "import the file with --amortized, or with --actual when it is not");
    return false;
}

static enum bill_step azure_line(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct azure_state *state = bill->state;

    *out = (struct bill_line){0};
    if (bill_field(bill, state->cost).at == NULL && bill_field(bill, AZURE_QUANTITY).at == NULL)
        return BILL_STEP_SKIP;
    if (bill->about.amounts == BILL_BOTH && !state->amortized_known &&
        azure_row_amortized(bill, &bill->row)) {
        (void)refuse_amortized(bill, err);
        return BILL_STEP_FAILED;
    }
    map_currency(bill, out);
    if (!map_azure_costs(bill, out, err) || !map_azure_times(bill, out, err))
        return BILL_STEP_FAILED;
    map_azure_charge(bill, out);
    map_pricing(bill, out);
    map_azure_commitment(bill, out);
    map_azure_service(bill, out);
    map_account(bill, out);
    return map_azure_place(bill, out, err) && map_azure_quantities(bill, out, err) &&
                   map_azure_tags(bill, out, err)
               ? BILL_STEP_LINE
               : BILL_STEP_FAILED;
}

/* ---- the readers: which export a file is, and whether it is amortized ---- */

static unsigned azure_field_of(struct str column)
{
    unsigned field = bill_field_of(azure_english(column), &fields);

    return field != BILL_FIELD_IGNORED ? field : bill_field_of(column, &fields);
}

/* By columns that other clouds do not have: meters, and a cost. */
static int azure_recognize(const struct bill_head *head)
{
    static const enum azure_field marks[] = {
        AZURE_CATEGORY, AZURE_SUBCATEGORY,  AZURE_METER_ID, AZURE_METER,
        AZURE_CONSUMED, AZURE_SUBSCRIPTION, AZURE_LOCATION, AZURE_INFO,
        AZURE_UNIT,     AZURE_RESOURCE,     AZURE_DATE,
    };
    bool has[AZURE_FIELDS] = {false}, cost = false;
    int count = 0;

    for (size_t i = 0; i < head->count; i++) {
        unsigned field = azure_field_of(head->columns[i]);

        if (field != BILL_FIELD_IGNORED)
            has[field] = true;
    }
    for (int f = AZURE_COST; f <= AZURE_COST_USD; f++)
        cost = cost || has[f];
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        count += has[marks[i]];
    if (!has[AZURE_CATEGORY] && !has[AZURE_METER_ID] && !has[AZURE_CONSUMED])
        return 0;
    return cost ? (count < 10 ? 10 * count : 95) : 5 * count;
}

static void set_azure_cost(struct bill *bill, struct azure_state *state)
{
    static const char *const cost_names[] = {
        "CostInBillingCurrency", "Cost",     "PreTaxCost", "ExtendedCost",
        "CostInPricingCurrency", "CostInUsd"};

    state->cost = AZURE_COST;
    while (state->cost < AZURE_COST_USD && !bill_has(bill, state->cost))
        state->cost++;
    state->cost_name = cost_names[state->cost - AZURE_COST];
    bill->total_column = state->cost_name;
}

static const char *azure_version(const struct bill *bill)
{
    if (bill_has(bill, AZURE_MCA) || bill_has(bill, AZURE_COST_USD))
        return "MCA";
    if (bill_has(bill, AZURE_EA) || bill_has(bill, AZURE_COST_EXTENDED))
        return "EA";
    return bill_has(bill, AZURE_COST_PRETAX) ? "PAYG" : "";
}

/* Rows of a CSV file that are among the first bytes. One that is cut off there is ignored. */
static bool head_amortized(struct bill *bill, bool *out, struct error *err)
{
    struct str text = {bill->input.ahead, bill->input.ahead_len};
    struct csv_options options = {.alloc = bill->alloc};
    struct csv *csv = csv_open_text(text, &options, err);
    struct csv_row row;
    struct error ignored;
    bool header = true;

    if (csv == NULL)
        return false;
    while (!*out && csv_next(csv, &row, &ignored)) {
        struct bill_row cells = {row.fields, row.count, row.line};

        *out = !header && azure_row_amortized(bill, &cells);
        header = false;
    }
    csv_close(csv);
    return true;
}

/* From the user, the file's name, or the file. */
static bool set_amounts(struct bill *bill, struct azure_state *state, struct error *err)
{
    struct str name = str_from(bill->options.name);
    bool amortized = bill->options.amortized;

    state->amortized_known = amortized || bill->options.actual;
    if (!state->amortized_known) {
        amortized = str_has_nocase(name, STR("amortized")) ||
                    str_has_nocase(name, STR("amortised")) ||
                    str_has_nocase(name, STR("amortizedcost"));
        if (!amortized && bill->csv != NULL && !head_amortized(bill, &amortized, err))
            return false;
    }
    bill->about.amounts = amortized ? BILL_AMORTIZED : BILL_BOTH;
    return true;
}

static bool check_azure_columns(struct bill *bill, const struct azure_state *state,
                                struct error *err)
{
    const char *lacks[2];
    size_t count = 0;

    if (!bill_has(bill, state->cost))
        lacks[count++] = "CostInBillingCurrency";
    if (!bill_has(bill, AZURE_DATE))
        lacks[count++] = "Date";
    return count == 0 || bill_lacks(bill, lacks, count, err);
}

static bool azure_columns(struct bill *bill, size_t first, struct error *err)
{
    struct azure_state *state = bill->state;

    if (first == 0) {
        state = arena_array(&bill->arena, struct azure_state, 1, err);
        if (state == NULL)
            return false;
        bill->state = state;
        state->german = bill->semicolons;
    }
    for (size_t i = first; i < bill->column_count; i++) {
        state->german = state->german || azure_german(bill->columns[i]);
        bill->columns[i] = azure_english(bill->columns[i]);
    }
    if (!bill_fields_find(bill, first, &fields, err))
        return false;
    set_azure_cost(bill, state);
    bill->about.version = azure_version(bill);
    bill->about.coarse =
        !bill_has(bill, AZURE_RESOURCE) && !bill_has(bill, AZURE_RESOURCE_NAME);
    if (bill->json == NULL && !check_azure_columns(bill, state, err))
        return false;
    return first > 0 || set_amounts(bill, state, err);
}

const struct bill_reader bill_azure = {
    .format = BILL_AZURE,
    .name = "azure",
    .title = "Azure cost export (EA, MCA, pay as you go)",
    .recognize = azure_recognize,
    .columns = azure_columns,
    .line = azure_line,
};
