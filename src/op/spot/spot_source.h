/* spot_source.h - the places that a request about spot means, with offers from the price
 * store. */
#ifndef OP_SPOT_SPOT_SOURCE_H
#define OP_SPOT_SPOT_SOURCE_H

#include "op/context.h"
#include "spot/source.h"

/* Those that are meant. ERROR_USAGE unless there is just one source. */
bool spot_places(struct op_context *ctx, const struct spot_source *source,
                 const struct spot_wish *wish, struct spot_place **out, size_t *count,
                 struct error *err) MUST_USE;

/* The offer that the source names, of several the one that is expected to cost least; a note
 * names it, a warning what makes it less than sure. ERROR_ABSENT when it has no price. */
bool offer_place(struct op_context *ctx, const struct spot_source *source,
                 const struct spot_wish *wish, struct spot_place *out,
                 struct error *err) MUST_USE;

#endif
