/* aws.h - what the readers of AWS's reports share, for files of this module only. */
#ifndef BILL_AWS_AWS_H
#define BILL_AWS_AWS_H

#include "bill/internal.h"

/* What a line item is: the type of it decides what it cost. */
struct cur_type {
    const char *name;
    const char *category, *class, *frequency, *pricing; /* of FOCUS; NULL: none */
    bool usage;                                         /* it has a quantity */
};

/* The type of a line item; those that are not known are usage. */
const struct cur_type *cur_type_of(struct str name);

/* What a product code is called, and its category of FOCUS: "Other" when it is not known. */
struct aws_service {
    const char *code, *category, *name;
};
struct aws_service aws_service_of(struct str code);

/* By its name, as Cost Explorer has it. */
struct aws_service aws_service_named(struct str name);

/* "BoxUsage:g5.xlarge" and "USE1-Train:ml.p3.2xlarge" name the machine. */
struct str aws_usage_instance(struct str usage);

#endif
