/* infer.h - what serving a model costs, way by way: the operation; its records are in
 * advise/economics/infer_case.h. */
#ifndef OP_PLAN_INFER_H
#define OP_PLAN_INFER_H

#include "advise/economics/infer_case.h"

extern const struct op op_infer;

#endif
