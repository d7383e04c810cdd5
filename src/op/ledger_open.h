#ifndef X_LO
#define X_LO
#include "op/op.h"
static inline const char *ledger_path(struct op_context *ctx, struct error *err){(void)ctx;(void)err;extern const char *env_get(const char*);return env_get("STINT_LEDGER");}
#endif
