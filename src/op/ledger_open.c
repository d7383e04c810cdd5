#include "op/ledger_open.h"
#include "op/context.h"

#include "demo/demo.h"
#include "ledger/runs/run_journal.h"
#include "op/step.h"

#define PATIENCE ((span){INT64_C(5000000000)}) /* a writer is done in milliseconds */
/* For what a command does in addition to its task. */
#define JOURNALS_PATIENCE ((span){INT64_C(200000000)})
#define JOURNALS_MOST ((span){INT64_C(5000000000)})

static void warn_waiting(struct op_context *ctx, const struct run_journal_result *r)
{
    struct buf text = buf_new(ctx->arena->alloc, 1024);

    buf_addf(&text, "%zu %s", r->waiting, r->waiting == 1 ? "run is" : "runs are");
    buf_adds(&text, " not in the ledger yet");
    if (r->cost.nano != MONEY_UNKNOWN) {
        buf_adds(&text, " (");
        usd_write(r->cost, &text);
        buf_adds(&text, " so far)");
    }
    if (!ctx->remote)
        buf_addf(&text, ": kept in '%s'", r->folder);
    if (r->why.kind != ERROR_NONE)
        buf_addf(&text, "; %s", r->why.text);
    if (text.failed == ERROR_NONE)
        message_warn(&ctx->messages, "%.*s", (int)text.len, text.at);
    buf_free(&text);
}

void op_add_journals(struct op_context *ctx, const char *path, struct ledger *ledger)
{
    struct run_journal_result result = {.waiting = 0};
    struct error ignored, why = {0};
    struct ledger *own = NULL;

    if (!ledger_address_check(str_from(path), &ignored) || run_journal_count(path) == 0)
        return;
    if (ledger == NULL)
        own = ledger_open(path, LEDGER_WRITE, JOURNALS_PATIENCE, ctx->clock, ctx->arena->alloc,
                          &why);
    else
        ledger_patience(ledger, JOURNALS_PATIENCE);
    if (ledger != NULL || own != NULL)
        ledger_apply_waiting(ledger != NULL ? ledger : own, path, NULL, JOURNALS_MOST, &result);
    else
        run_journal_look(path, &result);
    if (ledger != NULL)
        ledger_patience(ledger, PATIENCE);
    ledger_close(own);
    if (result.why.kind == ERROR_NONE)
        result.why = why;
    if (result.waiting > 0 && !ctx->journals_reported)
        warn_waiting(ctx, &result);
    ctx->journals_reported = ctx->journals_reported || result.waiting > 0;
}

static char *ledger_path(struct op_context *ctx, struct error *err)
{
    return ctx->settings->ledger.len > 0
               ? str_dup(ctx->settings->ledger, ctx->arena, err)
               : settings_ledger(ctx->arena, err); /* fails: there is no home */
}

static void log_ledger(const struct op_context *ctx, const struct op_step *step,
                       const char *path, const char *how)
{
    struct error ignored = {0};
    const char *shown = ledger_shown(str_from(path), ctx->arena, &ignored);

    op_step_end(step, "ledger %s: %s", shown != NULL ? shown : "", how);
}

struct ledger *op_ledger(struct op_context *ctx, enum ledger_mode mode, struct error *err)
{
    struct op_step step = op_step_begin(ctx);
    struct ledger *ledger;
    char *path = ledger_path(ctx, err);

    if (path == NULL)
        return NULL;
    if (mode == LEDGER_READ)
        op_add_journals(ctx, path, NULL);
    ledger = ledger_open(path, mode, PATIENCE, ctx->clock, ctx->arena->alloc, err);
    if (ledger != NULL && (mode == LEDGER_WRITE || mode == LEDGER_CHANGE))
        op_add_journals(ctx, path, ledger);
    if (op_logs(ctx))
        log_ledger(ctx, &step, path, ledger != NULL ? "opened" : err->text);
    if (ledger != NULL && mode != LEDGER_ADMIN && !ctx->demo && demo_is(ledger, ctx->arena)) {
        ctx->demo = true;
        message_note(&ctx->messages, "demo data");
    }
    return ledger;
}

bool op_ledger_there(struct op_context *ctx, struct ledger **out, struct error *err)
{
    *out = op_ledger(ctx, LEDGER_READ, err);
    if (*out != NULL && !ledger_hold(*out, err)) {
        ledger_close(*out);
        *out = NULL;
        return false;
    }
    if (*out != NULL)
        return true;
    if (err->kind != ERROR_ABSENT)
        return false;
    *err = (struct error){0};
    return true;
}

bool op_ledger_alerting(struct op_context *ctx, bool alerts, struct ledger **out,
                        struct error *err)
{
    if (!op_ledger_there(ctx, out, err))
        return false;
    if (!alerts)
        return true;
    if (*out == NULL)
        return error_fail_hint(err, ERROR_ABSENT, "'stint alert add NAME KIND' adds one",
                               "there is no ledger yet, and so no channel");
    ledger_close(*out);
    *out = op_ledger(ctx, LEDGER_WRITE, err);
    return *out != NULL;
}

bool op_ledger_change(struct op_context *ctx, struct ledger **out, struct error *err)
{
    *out = op_ledger(ctx, LEDGER_CHANGE, err);
    if (*out != NULL || err->kind != ERROR_ABSENT)
        return *out != NULL;
    *err = (struct error){0};
    return true;
}

bool op_ledger_name(struct op_context *ctx, struct str *out, struct error *err)
{
    char *shown;

    *out = (struct str){0};
    if (ctx->remote)
        return true; /* where it is on the server is of no use elsewhere */
    shown = ledger_shown(ctx->settings->ledger, ctx->arena, err);
    *out = str_from(shown);
    return shown != NULL;
}

bool op_ledger_place(struct op_context *ctx, struct str *out, bool *is_server,
                     struct error *err)
{
    char *place = ledger_path(ctx, err);

    if (place == NULL)
        return false;
    *is_server = ledger_is_server(place);
    place = ledger_shown(str_from(place), ctx->arena, err);
    *out = str_from(place);
    return place != NULL;
}

struct str op_ledger_shown(const struct op_context *ctx)
{
    struct error ignored;
    const char *shown;

    if (ctx->remote)
        return (struct str){0};
    shown = ledger_shown(ctx->settings->ledger, ctx->arena, &ignored);

    return shown != NULL ? str_from(shown) : STR("?");
}

void op_own_process(void)
{
    ledger_own_process();
}
