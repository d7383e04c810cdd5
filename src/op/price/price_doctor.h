/* price_doctor.h - the health of the price store: the request and the result of
 * price.doctor. */
#ifndef OP_PRICE_PRICE_DOCTOR_H
#define OP_PRICE_PRICE_DOCTOR_H

#include "market/doctor.h"

extern const struct op op_price_doctor;

struct price_doctor_request {
    int64_t limit;
};

struct price_doctor_result {
    struct str file;
    bytes size;
    struct doctor_report report;
};

#endif
