/* table_fields.h - columns of tables of costs: which is what, for the files of the table reader
 * only. */
#ifndef BILL_TABLE_FIELDS_H
#define BILL_TABLE_FIELDS_H

#include "bill/fields.h"

enum table_field {
    TABLE_DATE,
    TABLE_MONTH,
    TABLE_END,
    TABLE_COST,
    TABLE_COST_USD,
    TABLE_CENTS,     /* the cost, in hundredths of the currency */
    TABLE_NET,       /* after savings and credits */
    TABLE_SUBTOTAL,  /* the same, rounded, beside a cost and its savings */
    TABLE_UNROUNDED, /* the same, with all digits */
    TABLE_TOTAL,     /* the cost, when there is no other column that may be it */
    TABLE_SAVINGS,   /* parts between a cost and its subtotal */
    TABLE_NEGOTIATED,
    TABLE_EFFECTIVE,
    TABLE_LIST,
    TABLE_RATE,  /* by the hour: only when the user maps it */
    TABLE_HOURS, /* likewise */
    TABLE_CURRENCY,
    TABLE_PROVIDER,
    TABLE_ACCOUNT,
    TABLE_ACCOUNT_NAME,
    TABLE_SUB_ACCOUNT,
    TABLE_SUB_ACCOUNT_NAME,
    TABLE_SERVICE,
    TABLE_SKU,
    TABLE_SKU_ID,
    TABLE_DESCRIPTION,
    TABLE_REGION,
    TABLE_ZONE,
    TABLE_RESOURCE,
    TABLE_RESOURCE_NAME,
    TABLE_RESOURCE_GROUP,
    TABLE_INSTANCE,
    TABLE_GPU,
    TABLE_QUANTITY,
    TABLE_UNIT,
    TABLE_CHARGE,
    TABLE_KIND, /* of a transaction: a charge, or a payment */
    TABLE_CREDIT,
    TABLE_PRICING,
    TABLE_TAGS,
    TABLE_FIELDS
};

enum table_flavor {
    TABLE_OWN,
    TABLE_AZURE,      /* cost analysis */
    TABLE_GCP,        /* the cost table */
    TABLE_GCP_REPORT, /* Reports: a cost, its savings, a subtotal */
    TABLE_RUNPOD,     /* its billing interface */
    TABLE_OPENAI,     /* its costs interface */
    TABLE_ANTHROPIC,  /* its cost report: amounts in cents */
};

/* A sum that the file states below its rows. */
struct table_stated {
    struct decimal sum;
    uint64_t line; /* 0: there is none */
};

struct table_state {
    enum table_flavor flavor;
    bool query;               /* JSON of Azure's query */
    struct currency currency; /* of the cost column's name; empty: none */
    struct str odd_unit;      /* what is there in its place, but is no currency */
    unsigned cost;            /* the field that is the amount; TABLE_RATE: times the hours */
    size_t cost_column;       /* which column that is */
    stamp month_start, month_end;   /* of a file without dates */
    stamp period_start, period_end; /* of the line before */
    struct currency line_currency;  /* of the line before */
    struct table_stated subtotal, total;
    struct decimal sum, tax; /* of lines */
    bool sums_lost;          /* they did not fit */
    int64_t lines;
    int scale; /* most decimals of an amount */
};

int table_recognize(const struct bill_head *head);
bool table_columns(struct bill *bill, size_t first, struct error *err);

/* Are the values of a key above a list of rows also theirs, as the time of a bucket is? */
bool table_inherits(struct str key);

#endif
