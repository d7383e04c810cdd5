#include "op/moment.h"

bool op_moment(const struct op_context *ctx, const char *option, struct str text, stamp *out,
               struct error *err)
{
    struct error ignored = {0};
    span ago;

    *out = (stamp){-1};
    if (text.len == 0 || stamp_parse(text, out))
        return true;
    if (span_parse(text, &ago, &ignored) && ago.ns >= 0) {
        out->s = ctx->clock->today(ctx->clock->ctx).s - ago.ns / 1000000000;
        out->s = out->s < 0 ? 0 : out->s;
        return true;
    }
    error_set(err, ERROR_USAGE, "--%s: '%.*s' is neither a time nor a date", option,
              STR_ARG(text));
    error_hint(err, "write 12h, 7d, 2026-11-01 or 2026-11-01T10:00:00Z");
    return false;
}
