#include "op/estimate/learning.h"

#include <stdio.h>

#include "base/crc.h"
#include "op/ledger_open.h"

void constants_version(const struct constants *constants, char to[static CONSTANTS_VERSION])
{
    (void)snprintf(to, CONSTANTS_VERSION, "%.20s-%08x", STINT_VERSION,
                   (unsigned)crc32c(0, constants->at, sizeof constants->at));
}

/* Those that were learnt about these very constants. */
static bool take(struct op_context *ctx, struct ledger *ledger, struct constants *out,
                 struct error *err)
{
    const struct ledger_correction *rows;
    struct correction *learnt;
    char version[CONSTANTS_VERSION];
    size_t count;

    if (!ledger_corrections(ledger, ctx->arena, &rows, &count, err))
        return false;
    learnt = arena_array(ctx->arena, struct correction, count, err);
    if (learnt == NULL)
        return false;
    constants_version(out, version);
    for (size_t i = 0; i < count; i++)
        if (str_eq(rows[i].constants, str_from(version)) && rows[i].factor > 0)
            learnt[out->learnt_count++] =
                (struct correction){rows[i].gpu, rows[i].framework, rows[i].factor,
                                    rows[i].low, rows[i].high,      rows[i].runs};
    out->learnt = learnt;
    return true;
}

bool op_constants(struct op_context *ctx, bool raw, struct constants *out, struct error *err)
{
    struct error missed = {0};
    struct ledger *ledger;
    bool ok;

    if (!constants_load(&ctx->catalog, out, err))
        return false;
    if (raw || ctx->settings->ledger.len == 0)
        return true;
    ledger = op_ledger(ctx, LEDGER_READ, &missed);
    if (ledger == NULL && missed.kind == ERROR_MEMORY) {
        *err = missed;
        return false;
    }
    if (ledger == NULL) {
        if (missed.kind != ERROR_ABSENT)
            message_warn(&ctx->messages, "without what your runs have taught: %s", missed.text);
        return true;
    }
    ok = take(ctx, ledger, out, err);
    ledger_close(ledger);
    return ok;
}

bool learning_words(const struct constants *constants, struct str gpu, struct str framework,
                    struct arena *arena, struct str *out, struct error *err)
{
    const struct correction *c =
        correction_find(constants->learnt, constants->learnt_count, gpu, framework);
    struct buf text = buf_new(arena->alloc, 512);

    *out = (struct str){0};
    if (c == NULL)
        return true;
    buf_addf(&text,
             "steps take %.2f times as long (%.2f to %.2f), learnt from %lld run%s on %.*s",
             c->factor, c->low, c->high, (long long)c->runs, c->runs == 1 ? "" : "s",
             STR_ARG(c->gpu));
    if (c->framework.len > 0)
        buf_addf(&text, " with %.*s", STR_ARG(c->framework));
    return buf_keep(&text, arena, out, err);
}
