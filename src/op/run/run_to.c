#include "op/run/run_to.h"

#include "base/fs.h"
#include "ledger/runs/run_journal.h"
#include "ledger/runs/stop_request.h"
#include "op/context.h"
#include "run/remote/send_waiting.h"
#include "run/supervise/start.h"
#include "settings/token_file.h"

#define BEGIN_WAIT ((span){2 * SECOND})
#define RESUME_WAIT ((span){10 * SECOND})
#define WAITING_MOST ((span){2 * SECOND})

/* ---- the server ---- */

bool run_to_address(struct op_context *ctx, const struct run_to *wanted, const char **out,
                    struct error *err)
{
    struct str to = wanted->to.len > 0 ? wanted->to : ctx->settings->to;

    *out = NULL;
    if (to.len == 0)
        return true;
    *out = receiver_address(to, wanted->unencrypted || ctx->settings->to_unencrypted,
                            ctx->arena, err);
    return *out != NULL;
}

bool run_to_open(struct op_context *ctx, const struct run_to *wanted, usd month,
                 struct receiver **out, struct error *err)
{
    const struct settings *s = ctx->settings;
    struct str file = wanted->token.len > 0 ? wanted->token : s->to_token;
    struct str trusted =
        wanted->certificates.len > 0 ? wanted->certificates : s->to_certificates;
    struct receiver_options o = {.unencrypted = wanted->unencrypted || s->to_unencrypted,
                                 .month_budget = month,
                                 .clock = ctx->clock,
                                 .alloc = &alloc_system,
                                 .log = ctx->messages.log};

    *out = NULL;
    if (!run_to_address(ctx, wanted, &o.address, err))
        return false;
    if (o.address == NULL)
        return true;
    if (!settings_token(file, &ctx->messages, ctx->arena, &o.token, err))
        return false;
    if (trusted.len > 0 && (o.certificates = str_dup(trusted, ctx->arena, err)) == NULL)
        return false;
    if (o.certificates != NULL && !fs_exists(o.certificates))
        return error_fail(err, ERROR_USAGE, "--to-certificates: there is no file '%s'",
                          o.certificates);
    *out = receiver_open(&o, err);
    return *out != NULL;
}

/* ---- the beginning ---- */

static void begin_without_answer(struct op_context *ctx, struct supervise_options *options,
                                 const struct error *why)
{
    options->ledger_why = *why;
    options->month_later = true;
    options->month_budget = USD_UNKNOWN;
    message_warn(&ctx->messages,
                 "%s; until the server answers, only --budget AMOUNT stops this run, not the "
                 "budgets that it shares with others",
                 why->text);
}

static bool ask_to_begin(struct op_context *ctx, struct str resume,
                         struct supervise_options *options, struct str start, struct error *err)
{
    struct receiver_begin begin = {.begin = true,
                                   .resume = options->start->resume,
                                   .wanted = resume,
                                   .most = resume.len > 0 ? RESUME_WAIT : BEGIN_WAIT};
    struct error problem = {0};
    bool refused;

    options->month_spent = receiver_spent;
    options->month_ctx = options->receiver;
    if (receiver_send(options->receiver, start, STR(""), &begin, &refused, &problem)) {
        receiver_take_answer(options);
        return true;
    }
    if (refused || resume.len > 0 || problem.kind == ERROR_MEMORY) {
        *err = problem;
        return false;
    }
    begin_without_answer(ctx, options, &problem);
    return true;
}

bool run_to_begin(struct op_context *ctx, struct str resume, struct supervise_options *options,
                  struct error *err)
{
    struct ledger_start *start = options->start;
    stamp now = op_now(ctx);
    struct buf record = buf_new(ctx->arena->alloc, JOURNAL_MOST);
    struct send_result ignored;
    bool ok;

    options->receiver_before = options->receiver_budget = USD_UNKNOWN;
    ledger_new_id(now, start->id);
    ledger_new_id(now, start->attempt_id);
    if (!run_start_fact(start, STOP_REQUEST_FACT, str_from(options->ledger), ctx->arena, err))
        return false;
    if (run_journal_count(options->ledger) > 0) /* how the run that is resumed ended, too */
        send_waiting(options->receiver, NULL, WAITING_MOST, &ignored);
    receiver_next(options->receiver, false);
    run_journal_put_start(&record, start);
    ok = buf_ok(&record, err) && ask_to_begin(ctx, resume, options, buf_text(&record), err);
    buf_free(&record);
    return ok;
}
