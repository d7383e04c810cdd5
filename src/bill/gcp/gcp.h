/* gcp.h - the billing export of Google Cloud, for the files of this module only.
 */
#ifndef BILL_GCP_GCP_H
#define BILL_GCP_GCP_H

#include "bill/fields.h"
#include "bill/list.h"

enum gcp_field {
    GCP_ACCOUNT,
    GCP_SERVICE,
    GCP_SERVICE_ID,
    GCP_SKU,
    GCP_SKU_ID,
    GCP_START,
    GCP_END,
    GCP_PROJECT,
    GCP_PROJECT_NUMBER,
    GCP_PROJECT_NAME,
    GCP_PROJECT_LABELS,
    GCP_LABELS,
    GCP_SYSTEM_LABELS,
    GCP_TAGS,
    GCP_LOCATION,
    GCP_REGION,
    GCP_ZONE,
    GCP_RESOURCE,
    GCP_RESOURCE_ID,
    GCP_COST,
    GCP_COST_AT_LIST,
    GCP_CURRENCY,
    GCP_AMOUNT,
    GCP_UNIT,
    GCP_PRICED_AMOUNT,
    GCP_PRICED_UNIT,
    GCP_CREDITS,
    GCP_CREDITS_AMOUNT,
    GCP_INVOICE_MONTH,
    GCP_COST_TYPE,
    GCP_CORRECTION,
    GCP_SELLER,
    GCP_PRICE,
    GCP_LIST_PRICE,
    GCP_MODEL,
    GCP_FIELDS,
};

struct gcp_state {
    size_t at[GCP_FIELDS];
};

enum bill_step gcp_line(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                        struct error *err);

#endif
