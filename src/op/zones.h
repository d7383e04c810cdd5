/* zones.h - time zones by their names, from the files of this machine. */
#ifndef OP_ZONES_H
#define OP_ZONES_H

#include "op/op.h"
#include "unit/zone.h"

/* "Europe/Berlin"; empty and "UTC" are known without a file. ERROR_INPUT with a hint when there
 * is none of that name. */
bool op_zone(struct op_context *ctx, struct str name, struct zone *out,
             struct error *err) MUST_USE;

#endif
