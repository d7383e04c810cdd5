/* focus.h - the columns of FOCUS Cost and Usage, from 1.0 to 1.4.
 *
 * Every bill becomes rows of these columns, whoever sent it: https://focus.finops.org
 * (CC-BY-4.0) says what each means.
 */
#ifndef BILL_FOCUS_FOCUS_H
#define BILL_FOCUS_FOCUS_H

#include "base/str.h"

/* Name, kind, and the minor versions that first and last have it. */
#define FOCUS_COLUMNS(X) \
    X(AllocatedMethodDetails, JSON, 3, 4) \
    X(AllocatedMethodId, TEXT, 3, 4) \
    X(AllocatedResourceId, TEXT, 3, 4) \
    X(AllocatedResourceName, TEXT, 3, 4) \
    X(AllocatedTags, JSON, 3, 4) \
    X(AvailabilityZone, TEXT, 0, 4) \
    X(BilledCost, DECIMAL, 0, 4) \
    X(BillingAccountId, TEXT, 0, 4) \
    X(BillingAccountName, TEXT, 0, 4) \
    X(BillingAccountType, TEXT, 2, 4) \
    X(BillingCurrency, TEXT, 0, 4) \
    X(BillingPeriodEnd, TIME, 0, 4) \
    X(BillingPeriodStart, TIME, 0, 4) \
    X(CapacityReservationId, TEXT, 1, 4) \
    X(CapacityReservationStatus, TEXT, 1, 4) \
    X(ChargeCategory, TEXT, 0, 4) \
    X(ChargeClass, TEXT, 0, 4) \
    X(ChargeDescription, TEXT, 0, 4) \
    X(ChargeFrequency, TEXT, 0, 4) \
    X(ChargePeriodEnd, TIME, 0, 4) \
    X(ChargePeriodStart, TIME, 0, 4) \
    X(CommitmentDiscountCategory, TEXT, 0, 4) \
    X(CommitmentDiscountId, TEXT, 0, 4) \
    X(CommitmentDiscountName, TEXT, 0, 4) \
    X(CommitmentDiscountQuantity, DECIMAL, 1, 4) \
    X(CommitmentDiscountStatus, TEXT, 0, 4) \
    X(CommitmentDiscountType, TEXT, 0, 4) \
    X(CommitmentDiscountUnit, TEXT, 1, 4) \
    X(CommitmentProgramEligibilityDetails, JSON, 4, 4) \
    X(ConsumedQuantity, DECIMAL, 0, 4) \
    X(ConsumedUnit, TEXT, 0, 4) \
    X(ContractApplied, JSON, 3, 4) \
    X(ContractedCost, DECIMAL, 0, 4) \
    X(ContractedUnitPrice, DECIMAL, 0, 4) \
    X(EffectiveCost, DECIMAL, 0, 4) \
    X(HostProviderName, TEXT, 3, 4) \
    X(InvoiceDetailId, TEXT, 4, 4) \
    X(InvoiceId, TEXT, 2, 4) \
    X(InvoiceIssuerName, TEXT, 0, 4) \
    X(ListCost, DECIMAL, 0, 4) \
    X(ListUnitPrice, DECIMAL, 0, 4) \
    X(PricingCategory, TEXT, 0, 4) \
    X(PricingCurrency, TEXT, 2, 4) \
    X(PricingCurrencyContractedUnitPrice, DECIMAL, 2, 4) \
    X(PricingCurrencyEffectiveCost, DECIMAL, 2, 4) \
    X(PricingCurrencyListUnitPrice, DECIMAL, 2, 4) \
    X(PricingQuantity, DECIMAL, 0, 4) \
    X(PricingUnit, TEXT, 0, 4) \
    X(ProviderName, TEXT, 0, 3) \
    X(PublisherName, TEXT, 0, 3) \
    X(RegionId, TEXT, 0, 4) \
    X(RegionName, TEXT, 0, 4) \
    X(ResourceId, TEXT, 0, 4) \
    X(ResourceName, TEXT, 0, 4) \
    X(ResourceType, TEXT, 0, 4) \
    X(ServiceCategory, TEXT, 0, 4) \
    X(ServiceName, TEXT, 0, 4) \
    X(ServiceProviderName, TEXT, 3, 4) \
    X(ServiceSubcategory, TEXT, 1, 4) \
    X(SkuId, TEXT, 0, 4) \
    X(SkuMeter, TEXT, 1, 4) \
    X(SkuPriceDetails, JSON, 1, 4) \
    X(SkuPriceId, TEXT, 0, 4) \
    X(SubAccountId, TEXT, 0, 4) \
    X(SubAccountName, TEXT, 0, 4) \
    X(SubAccountType, TEXT, 2, 4) \
    X(Tags, JSON, 0, 4)

enum focus_column {
#define FOCUS_ENUM(name, kind, first, last) FOCUS_##name,
    FOCUS_COLUMNS(FOCUS_ENUM)
#undef FOCUS_ENUM
        FOCUS_COUNT
};

enum focus_kind {
    FOCUS_TEXT,
    FOCUS_DECIMAL,
    FOCUS_TIME, /* "2026-05-01T00:00:00Z" */
    FOCUS_JSON, /* an object: {"team":"nlp"} */
};

struct focus_definition {
    const char *name;
    enum focus_kind kind;
    int first, last; /* minor versions: 0 is 1.0 */
};

extern const struct focus_definition focus_columns[FOCUS_COUNT];

/* The column of this name, exactly; FOCUS_COUNT when there is none. */
enum focus_column focus_find(struct str name);

/* What varies from line to line of one thing that is paid for: amounts, quantities, unit prices
 * and the charge period. All other columns together are the "thing". */
bool focus_varies(enum focus_column column);

#endif
