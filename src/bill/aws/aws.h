/* aws.h - what the readers of AWS's reports share: the columns, for files of this module
 * only. */
#ifndef BILL_AWS_AWS_H
#define BILL_AWS_AWS_H

#include "bill/internal.h"

/* Columns as CUR 1 names them. CUR 2.0 and Athena have the same words with other signs between
 * them, which bill_name_eq() does not see. */
#define CUR_COLUMNS(X) \
    X(line_id, "identity/LineItemId") \
    X(time_interval, "identity/TimeInterval") \
    X(invoice, "bill/InvoiceId") \
    X(invoicing_entity, "bill/InvoicingEntity") \
    X(payer, "bill/PayerAccountId") \
    X(payer_name, "bill/PayerAccountName") \
    X(period_start, "bill/BillingPeriodStartDate") \
    X(period_end, "bill/BillingPeriodEndDate") \
    X(account, "lineItem/UsageAccountId") \
    X(account_name, "lineItem/UsageAccountName") \
    X(type, "lineItem/LineItemType") \
    X(start, "lineItem/UsageStartDate") \
    X(end, "lineItem/UsageEndDate") \
    X(product_code, "lineItem/ProductCode") \
    X(usage_type, "lineItem/UsageType") \
    X(operation, "lineItem/Operation") \
    X(zone, "lineItem/AvailabilityZone") \
    X(resource, "lineItem/ResourceId") \
    X(amount, "lineItem/UsageAmount") \
    X(currency, "lineItem/CurrencyCode") \
    X(unblended_rate, "lineItem/UnblendedRate") \
    X(unblended, "lineItem/UnblendedCost") \
    X(net_unblended, "lineItem/NetUnblendedCost") \
    X(description, "lineItem/LineItemDescription") \
    X(legal_entity, "lineItem/LegalEntity") \
    X(product_name, "product/ProductName") \
    X(instance_type, "product/instanceType") \
    X(region, "product/region") \
    X(region_code, "product/regionCode") \
    X(location, "product/location") \
    X(location_type, "product/locationType") \
    X(vcpu, "product/vcpu") \
    X(gpu, "product/gpu") \
    X(system, "product/operatingSystem") \
    X(storage_class, "product/storageClass") \
    X(volume, "product/volumeApiName") \
    X(sku, "product/sku") \
    X(purchase_option, "product/PurchaseOption") \
    X(rate_code, "pricing/RateCode") \
    X(rate_id, "pricing/RateId") \
    X(list_cost, "pricing/publicOnDemandCost") \
    X(list_rate, "pricing/publicOnDemandRate") \
    X(term, "pricing/term") \
    X(unit, "pricing/unit") \
    X(ri_arn, "reservation/ReservationARN") \
    X(ri_subscription, "reservation/SubscriptionId") \
    X(ri_cost, "reservation/EffectiveCost") \
    X(ri_net_cost, "reservation/NetEffectiveCost") \
    X(ri_unused_upfront, "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod") \
    X(ri_unused_fee, "reservation/UnusedRecurringFee") \
    X(ri_net_unused_upfront, "reservation/NetUnusedAmortizedUpfrontFeeForBillingPeriod") \
    X(ri_net_unused_fee, "reservation/NetUnusedRecurringFee") \
    X(sp_arn, "savingsPlan/SavingsPlanARN") \
    X(sp_cost, "savingsPlan/SavingsPlanEffectiveCost") \
    X(sp_net_cost, "savingsPlan/NetSavingsPlanEffectiveCost") \
    X(sp_commitment, "savingsPlan/TotalCommitmentToDate") \
    X(sp_used, "savingsPlan/UsedCommitment") \
    X(product_map, "product") \
    X(tag_map, "resource_tags") \
    X(category_map, "cost_category")

enum cur_column {
#define CUR_ENUM(name, label) CUR_##name,
    CUR_COLUMNS(CUR_ENUM)
#undef CUR_ENUM
        CUR_COUNT
};

#define CUR_FIRST_PRODUCT CUR_product_name
#define CUR_LAST_PRODUCT CUR_purchase_option

struct cur_tag {
    size_t at;      /* the column */
    struct str key; /* as FOCUS has it: "team", "aws:createdBy" */
};

struct cur_state {
    size_t at[CUR_COUNT];
    struct cur_tag *tags;
    size_t tag_count, tag_room;
    struct str product[CUR_COUNT]; /* of this row's map, where the row has no such column */
};

/* What a line item is: the type of it decides what it cost. */
struct cur_type {
    const char *name;
    const char *category, *class, *frequency, *pricing; /* of FOCUS; NULL: none */
    bool usage;                                         /* it has a quantity */
};

extern const char *const cur_names[CUR_COUNT];

/* The type of a line item; those that are not known are usage. */
const struct cur_type *cur_type_of(struct str name);

/* What a product code is called, and its category of FOCUS: "Other" when it is not known. */
struct aws_service {
    const char *code, *category, *name;
};
struct aws_service aws_service_of(struct str code);

/* By its name, as Cost Explorer has it. */
struct aws_service aws_service_named(struct str name);

/* The region of a place as AWS writes it out ("US East (N. Virginia)"), and of a usage type by
 * its prefix ("EUC1-BoxUsage:g5.xlarge"); unknown when it has none, as global services have. */
struct str aws_region_at(struct str location);
struct str aws_usage_region(struct str usage);

/* "BoxUsage:g5.xlarge" and "USE1-Train:ml.p3.2xlarge" name the machine. */
struct str aws_usage_instance(struct str usage);

#endif
