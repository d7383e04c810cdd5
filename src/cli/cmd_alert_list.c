/* stint alert list, log, ack, send */
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/alert/alert.h"

/* "2026-11-15 10:00" of "2026-11-15T10:00:00Z". */
static void put_time(struct table *t, struct str at)
{
    if (at.len < 16)
        table_cell(t, "-");
    else
        table_cell(t, "%.10s %.5s", at.at, at.at + 11);
}

static void print_alerts(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "id", .right = true},
        {.title = "state"},
        {.title = "severity"},
        {.title = "alert", .shrink = true},
        {.title = "since (UTC)"},
        {.title = "changed (UTC)", .optional = true},
        {.title = "updates", .right = true, .optional = true},
        {.title = "seen by", .optional = true},
    };
    const struct alert_list_result *res = result;
    const struct alert_view *at = res->alerts.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->count == 0) {
        buf_adds(view->out, "no alerts\n");
        return;
    }
    for (size_t i = 0; i < res->alerts.len; i++) {
        bool firing = str_eq(at[i].state, STR("firing"));

        table_cell(&t, "%lld", (long long)at[i].id);
        table_text(&t, at[i].false_alarm ? STR("false alarm") : at[i].state);
        table_text(&t, at[i].severity);
        table_text(&t, at[i].title);
        put_time(&t, at[i].began);
        put_time(&t, at[i].changed);
        table_cell(&t, "%lld", (long long)at[i].updates);
        table_text(&t, at[i].seen_by.len > 0 ? at[i].seen_by : STR("-"));
        if (firing && at[i].seen_by.len == 0)
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
    if (res->false_alarms > 0)
        buf_addf(view->out, "\n%lld of %lld were false alarms\n", (long long)res->false_alarms,
                 (long long)res->count);
}

static void print_messages(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "made (UTC)"},
        {.title = "channel"},
        {.title = "what"},
        {.title = "alert", .shrink = true},
        {.title = "state"},
        {.title = "tries", .right = true},
        {.title = "last try", .optional = true},
        {.title = "next try"},
        {.title = "answer", .shrink = true},
    };
    const struct alert_log_result *res = result;
    const struct alert_log_view *at = res->deliveries.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->count == 0) {
        buf_adds(view->out, "no messages yet\n");
        return;
    }
    for (size_t i = 0; i < res->deliveries.len; i++) {
        put_time(&t, at[i].made);
        table_text(&t, at[i].channel);
        table_text(&t, at[i].what);
        table_text(&t, at[i].title);
        table_text(&t, at[i].state);
        table_cell(&t, "%lld", (long long)at[i].tries);
        put_time(&t, at[i].tried);
        put_time(&t, at[i].next);
        table_text(&t, at[i].answer.len > 0 ? at[i].answer : STR("-"));
        if (str_eq(at[i].state, STR("given up")))
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
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
        if (at[i].again.len >= 16)
            buf_addf(view->out, "; next try at %.10s %.5s UTC\n", at[i].again.at,
                     at[i].again.at + 11);
        else
            buf_adds(view->out, "; given up\n");
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
    .about = "Lists alerts, newest first, also those that had no channel to go to.",
    .examples = "stint alert list --firing\n"
                "stint alert list --since 30d --json",
    .print = print_alerts,
};

const struct command cmd_alert_log = {
    .name = "alert log",
    .op = &op_alert_log,
    .about =
        "Lists messages, newest first: the channel, tries, the answer of its server, and the\n"
        "next try.",
    .examples = "stint alert log\n"
                "stint alert log --since 7d --limit 0",
    .print = print_messages,
};

const struct command cmd_alert_ack = {
    .name = "alert ack",
    .op = &op_alert_ack,
    .about =
        "Acknowledges an alert: it is sent again only when its severity rises. PagerDuty and\n"
        "webhooks are notified. 'stint anomalies' counts false alarms.",
    .examples = "stint alert ack 3\n"
                "stint alert ack 3 --false-alarm",
    .print = print_acknowledged,
};

const struct command cmd_alert_send = {
    .name = "alert send",
    .op = &op_alert_send,
    .about =
        "Sends messages that are due: retries, digests, and those postponed to the end of\n"
        "quiet hours. For cron; 'stint budget check' does it too. Exit status 1 when a\n"
        "message was not accepted.",
    .examples = "stint alert send\n"
                "stint alert send --given-up",
    .print = print_sent,
};
