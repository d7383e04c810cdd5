/* Reports that are sent: their main points through alert channels, the page and pictures with
 * mails, and lines for cron and systemd that do it each month. */
#include "alert/queue.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/report/report.h"
#include "report/schedule.h"

/* ---- which channels ---- */

struct receivers {
    const struct channel **at;
    size_t count;
};

static bool find_receivers(struct op_context *ctx, struct ledger *ledger,
                           const struct report_request *req, struct receivers *out,
                           struct error *err)
{
    const struct channel *channels, *one;
    size_t count;

    *out = (struct receivers){
        .at = arena_array(ctx->arena, const struct channel *, req->send.len + 1, err)};
    if (out->at == NULL || !channels_read(ledger, ctx->arena, &channels, &count, err))
        return false;
    for (size_t i = 0; i < req->send.len + (req->mail.len > 0); i++) {
        one = i < req->send.len ? channel_find(channels, count, req->send.at[i], err)
                                : channel_of_address(channels, count, req->mail, err);
        if (one == NULL || !channel_takes_reports(one, err))
            return false;
        out->at[out->count++] = one;
    }
    return true;
}

/* ---- sending ---- */

/* The page first, then pictures; all that fit into a mail. */
static bool attach_files(struct op_context *ctx, const struct report_files *files,
                         struct alert_message *m, bool *left_out, struct error *err)
{
    static const char *const endings[] = {".html", ".png"};

    *left_out = false;
    for (size_t kind = 0; kind < ARRAY_LEN(endings); kind++)
        for (size_t i = 0; i < files->len; i++)
            if (str_ends(str_from(files->at[i].name), str_from(endings[kind])) &&
                !alert_attach(m, str_from(files->at[i].name), files->at[i].text, ctx->arena,
                              left_out, err))
                return false;
    return true;
}

static bool make_message(struct op_context *ctx, const struct report *report,
                         const struct report_result *res, struct alert_message *out,
                         struct error *err)
{
    stamp now = op_now(ctx);
    struct buf id = buf_new(ctx->arena->alloc, 256);
    struct buf title = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT),
               words = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    bool ok, left_out;

    *out = (struct alert_message){.type = STR("report"),
                                  .what = ALERT_DIGEST,
                                  .severity = SEVERITY_INFO,
                                  .began = now,
                                  .ended = {-1}};
    buf_addf(&id, "report.%lld", (long long)now.s);
    buf_adds(&title, "Report of ");
    buf_add(&title, res->kind);
    buf_char(&title, ' ');
    buf_add(&title, res->title);
    buf_add(&words, buf_text(&title));
    buf_adds(&words, ". The complete report is report.html in ");
    buf_add(&words, res->folder);
    buf_char(&words, '.');
    ok = attach_files(ctx, &report->files, out, &left_out, err);
    if (ok && left_out)
        buf_addf(&words, " Files of more than %zu MB in all are not attached to mails.",
                 ALERT_ATTACHED_MAX >> 20);
    /* Each buffer is freed, whatever becomes of the others. */
    ok = buf_keep(&id, ctx->arena, &out->id, err) && ok;
    ok = buf_keep(&title, ctx->arena, &out->title, err) && ok;
    ok = buf_keep(&words, ctx->arena, &out->words, err) && ok;
    out->dedup = out->id;
    return ok && alert_take_facts(out, res->summary, ctx->arena, err);
}

static bool send_to_all(struct op_context *ctx, struct ledger *ledger,
                        const struct report_request *req, const struct report *report,
                        struct report_result *res, struct error *err)
{
    const struct alert_sender sender = op_sender(ctx, ledger);
    struct alert_message message;
    struct receivers to;
    struct str *sent, answer;

    if (!find_receivers(ctx, ledger, req, &to, err) ||
        !make_message(ctx, report, res, &message, err) ||
        (sent = arena_array(ctx->arena, struct str, to.count, err)) == NULL)
        return false;
    for (size_t i = 0; i < to.count; i++) {
        if (!alert_send_now(&sender, to.at[i], &message, &answer, err))
            return false;
        sent[i] = to.at[i]->name;
        res->sent = (struct strs){sent, i + 1};
    }
    return true;
}

bool op_report_send(struct op_context *ctx, const struct report_request *req,
                    const struct report *report, struct report_result *res, struct error *err)
{
    struct ledger *ledger;
    bool ok;

    if (req->send.len == 0 && req->mail.len == 0)
        return true;
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && send_to_all(ctx, ledger, req, report, res, err);
    ledger_close(ledger);
    return ok;
}

/* ---- each month ---- */

/* The receivers are looked up now, so that next month brings no surprise. */
bool op_report_schedule(struct op_context *ctx, const struct report_request *req,
                        struct report_result *res, struct error *err)
{
    const struct report_again again = {.where = req->where,
                                       .send = req->send,
                                       .currency = req->currency,
                                       .mail = req->mail,
                                       .output = req->output};
    struct report_schedule lines;
    struct ledger *ledger;
    struct receivers to;
    bool ok;

    if (req->send.len == 0 && req->mail.len == 0)
        return error_fail_hint(err, ERROR_USAGE, "'stint alert channels' lists channels",
                               "--every needs --mail ADDRESS or --send CHANNEL");
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && find_receivers(ctx, ledger, req, &to, err);
    ledger_close(ledger);
    res->kind = STR("schedule");
    res->title = STR("each month");
    if (!ok || !report_schedule(&again, ctx->arena, &lines, err))
        return false;
    res->cron = lines.cron;
    res->service = lines.service;
    res->timer = lines.timer;
    return true;
}
