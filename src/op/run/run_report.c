#include "op/run/run_report.h"

#include "doc/json_write.h"
#include "ledger/ledger.h"
#include "op/context.h"

/* "reports/bert-1a2b3c4d": what is no plain character of a file's name becomes "_". */
static void write_folder(const struct op_context *ctx, const char *id, const char *name,
                         struct buf *out)
{
    buf_add(out, ctx->settings->reports);
    buf_char(out, '/');
    for (; *name != '\0'; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '-' || *name == '.';

        buf_char(out, (char)(plain ? *name : '_'));
    }
    buf_char(out, '-');
    buf_add(out, ledger_short(id));
}

/* The operation is called by its name: run and report know nothing of each other. */
static bool call_report(const struct op_context *ctx, const char *id, struct str folder,
                        struct arena *arena, struct error *err)
{
    struct op_context apart = op_apart(ctx, arena, true);
    struct buf request = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct buf answer = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    bool ok;

    buf_addf(&request, "{\"runs\":[\"%s\"],\"output\":", id);
    json_write_text(folder, &request);
    buf_char(&request, '}');
    ok = buf_ok(&request, err) &&
         op_call(&apart, op_find(STR("report")), buf_text(&request), &answer, err);
    buf_free(&request);
    buf_free(&answer);
    op_done(&apart);
    return ok;
}

void run_report_write(const struct op_context *ctx, const char *id, const char *name,
                      bool quiet)
{
    struct arena arena = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct buf folder = buf_new(arena.alloc, BUF_MAX_OUTPUT);
    struct error why = {0};

    write_folder(ctx, id, name, &folder);
    if (!buf_ok(&folder, &why) || !call_report(ctx, id, buf_text(&folder), &arena, &why))
        message_warn(&ctx->messages, "no report was written: %s", why.text);
    else if (!quiet)
        message_note(&ctx->messages, "the report is in '%.*s'", (int)buf_text(&folder).len,
                     buf_text(&folder).at);
    buf_free(&folder);
    arena_free(&arena);
}
