/* The names that Azure's columns have had. */
#include "bill/azure/azure.h"

const struct bill_field azure_names[] = {
    {"Date", AZURE_DATE},
    {"UsageDateTime", AZURE_DATE},
    {"UsageDate", AZURE_DATE}, /* with those below: what partners are billed */
    {"UsageDate", AZURE_DATE},
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
    {"CostCenter", AZURE_COST_CENTRE},
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
    {"Kostenstelle", AZURE_COST_CENTRE},
};
const size_t azure_name_count = ARRAY_LEN(azure_names);

struct str azure_english(struct str column)
{
    for (size_t i = column.len; i > 1 && column.at[column.len - 1] == ')'; i--)
        if (column.at[i - 1] == '(')
            return str_trim((struct str){column.at + i, column.len - 1 - i});
    return column;
}

bool azure_german(struct str column)
{
    size_t i = 0;

    while (i < azure_name_count && !bill_name_eq(str_from(azure_names[i].name), STR("Datum")))
        i++;
    for (; i < azure_name_count; i++)
        if (bill_name_eq(column, str_from(azure_names[i].name)))
            return true;
    return azure_english(column).len != column.len;
}
