/* stop.h - ask a run to save and end: request and result of stop. */
#ifndef OP_RUN_STOP_H
#define OP_RUN_STOP_H

#include "doc/field.h"

extern const struct op op_stop;

struct stop_request {
    struct str run; /* an id, a name, or "last" */
};

struct stop_result {
    struct str id, name;
};

#endif
