/* simulate_fields.h - the tables of simulate's request and result. */
#ifndef OP_SIMULATE_FIELDS_H
#define OP_SIMULATE_FIELDS_H

#include "op/simulate.h"

extern const struct field_set simulate_request_fields, simulate_result_fields;

#endif
