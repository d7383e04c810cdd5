/* azure.h - cost exports of Azure, for the files of this module only.
 *
 * Enterprise agreements (EA), customer agreements (MCA) and pay as you go have had their own
 * columns, in camelCase, PascalCase, with blanks, and in the language of the portal.
 */
#ifndef BILL_AZURE_AZURE_H
#define BILL_AZURE_AZURE_H

#include "bill/fields.h"
#include "bill/list.h"

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
    AZURE_COST_CENTRE,
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

extern const struct bill_field azure_names[];
extern const size_t azure_name_count;

/* The English name in "Ressourcengruppe (ResourceGroup)"; else the column as it is. */
struct str azure_english(struct str column);

/* Is this one of the German names? */
bool azure_german(struct str column);

struct azure_state {
    size_t at[AZURE_FIELDS];
    enum azure_field cost;
    const char *cost_name;
    bool german;         /* its numbers may have decimal commas */
    bool commas, points; /* and these were met */
    bool told;           /* whether it is amortised was said by the user or the name */
};

/* An amount as bill_amount(); with a decimal comma where the file is German and has no decimal
 * points. */
bool azure_amount(struct bill *bill, const char *column, struct str *text, struct decimal *out,
                  struct error *err) MUST_USE;

/* A time as bill_time(); and "21.09.2023". */
bool azure_time(struct bill *bill, size_t cache, const char *column, struct str text,
                stamp *out, struct error *err) MUST_USE;

/* Does this row say that the file is amortised? A commitment that is not used has a cost there
 * only, and usage that one covers. */
bool azure_row_amortised(const struct azure_state *state, const struct bill_row *row);

/* Unknown for what the portal writes where there is nothing: "Unassigned". */
struct str azure_known(struct str text);

/* Where it was, and what: region and resource. */
bool azure_place(struct bill *bill, const struct azure_state *state, const struct bill_row *row,
                 struct bill_line *out, struct error *err) MUST_USE;

enum bill_step azure_line(struct bill *bill, const struct bill_row *row, struct bill_line *out,
                          struct error *err);

#endif
