/* show_fields.h - the request and the result of show, as fields. */
#ifndef OP_RUNS_SHOW_FIELDS_H
#define OP_RUNS_SHOW_FIELDS_H

#include "doc/field.h"

extern const struct field_set show_request_fields, show_result_fields;

#endif
