/* stint alert list, log, ack, send */
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/alert/alert.h"
#include "report/records.h"
#include "unit/shown.h"

static void print_alerts(const struct view *view, const void *result)
{
    const struct alert_list_result *res = result;

    if (res->count == 0) {
        buf_adds(view->out, "no alerts\n");
        return;
    }
    view_rows(view, &op_alert_list, res, "alerts", &alert_columns[PLACE_TERMINAL]);
    if (res->false_alarms > 0)
        buf_addf(view->out, "\n%lld of %lld were false alarms\n", (long long)res->false_alarms,
                 (long long)res->count);
}

static enum term_style style_of_message(const void *row)
{
    const struct alert_log_view *message = row;

    return str_eq(message->is.state, STR("given up")) ? STYLE_WARN : STYLE_PLAIN;
}

static void print_messages(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("created (UTC)", created),
        COLUMN("channel", channel),
        COLUMN("what", what),
        COLUMN("alert", title, .shrink = true, .unknown = ""),
        COLUMN("state", state),
        COLUMN("tries", tries),
        COLUMN("last try", last_try, .optional = true),
        COLUMN("next try", next),
        COLUMN("answer", answer, .shrink = true),
    };
    const struct alert_log_result *res = result;

    if (res->count == 0) {
        buf_adds(view->out, "no messages yet\n");
        return;
    }
    view_rows(view, &op_alert_log, res, "deliveries",
              COLUMNS(columns, .style = style_of_message));
    if (res->given_up > 0)
        buf_adds(view->out,
                 "\n'stint alert send --given-up' retries messages that were given up\n");
}

void alert_view_failures(const struct view *view, const struct alert_sent *sent)
{
    const struct alert_failure *at = sent->failures.at;

    for (size_t i = 0; i < sent->failures.len; i++) {
        buf_add_safe(view->out, at[i].channel);
        buf_adds(view->out, ": not sent: ");
        buf_add_safe(view->out, at[i].answer);
        if (at[i].again.s < 0) {
            buf_adds(view->out, "; given up\n");
            continue;
        }
        buf_adds(view->out, "; next try at ");
        value_time(at[i].again, false, view->out);
        buf_adds(view->out, " UTC\n");
    }
}

void alert_view_sent(const struct view *view, const struct alert_sent *sent, bool always)
{
    bool any = always || sent->sent > 0 || sent->postponed > 0;

    if (any)
        buf_addf(view->out, "sent %lld message%s", (long long)sent->sent,
                 sent->sent == 1 ? "" : "s");
    if (sent->postponed > 0)
        buf_addf(view->out, "; %lld postponed", (long long)sent->postponed);
    if (any)
        buf_char(view->out, '\n');
    alert_view_failures(view, sent);
}

static void print_acknowledged(const struct view *view, const void *result)
{
    const struct alert_ack_result *res = result;

    buf_addf(view->out, "acknowledged alert %lld%s\n", (long long)res->id,
             res->false_alarm ? " as a false alarm" : "");
    alert_view_sent(view, &res->delivered, false);
}

static void print_sent(const struct view *view, const void *result)
{
    alert_view_sent(view, result, true);
}

const struct command cmd_alert_list = {
    .name = "alert list",
    .op = &op_alert_list,
    .about = "Lists alerts, newest first, including those without a channel.",
    .examples = "stint alert list --firing\n"
                "stint alert list --since 30d --json",
    .print = print_alerts,
};

const struct command cmd_alert_log = {
    .name = "alert log",
    .op = &op_alert_log,
    .about = "Lists messages, newest first: the channel, attempts, the answer of its server, "
             "and the next attempt.",
    .examples = "stint alert log\n"
                "stint alert log --since 7d --limit 0",
    .print = print_messages,
};

const struct command cmd_alert_ack = {
    .name = "alert ack",
    .op = &op_alert_ack,
    .about = "Acknowledges an alert: it is sent again only when its severity rises. PagerDuty "
             "and webhooks are notified. 'stint anomalies' counts false alarms.",
    .examples = "stint alert ack 3\n"
                "stint alert ack 3 --false-alarm",
    .print = print_acknowledged,
};

const struct command cmd_alert_send = {
    .name = "alert send",
    .op = &op_alert_send,
    .about = "Sends messages that are due: retries, digests, and those postponed to the end of "
             "quiet hours. For cron; 'stint budget check' does it too. Exit status 1 when a "
             "message was not accepted.",
    .examples = "stint alert send\n"
                "stint alert send --given-up",
    .print = print_sent,
};
