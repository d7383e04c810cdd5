/* simulate_fields.h - the tables of simulate's request and result. */
#ifndef OP_SPOT_SIMULATE_FIELDS_H
#define OP_SPOT_SIMULATE_FIELDS_H

#include "op/spot/simulate.h"

extern const struct field_set simulate_request_fields, simulate_result_fields;

#endif
