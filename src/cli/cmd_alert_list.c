/* stint alert list, log, ack, send */
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/alert/alert.h"

/* "2026-11-15 10:00" of "2026-11-15T10:00:00Z". */
static void when(struct table *t, struct str at)
{
    if (at.len < 16)
        table_cell(t, "-");
    else
        table_cell(t, "%.10s %.5s", at.at, at.at + 11);
}

static void print_list(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "id", .right = true},
        {.title = "state"},
        {.title = "severity"},
        {.title = "alert", .shrink = true},
        {.title = "since (UTC)"},
        {.title = "changed (UTC)", .optional = true},
        {.title = "told again", .right = true, .optional = true},
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
        when(&t, at[i].began);
        when(&t, at[i].changed);
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

static void print_log(const struct view *view, const void *result)
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
        buf_adds(view->out, "nothing was sent yet\n");
        return;
    }
    for (size_t i = 0; i < res->deliveries.len; i++) {
        when(&t, at[i].made);
        table_text(&t, at[i].channel);
        table_text(&t, at[i].what);
        table_text(&t, at[i].title);
        table_text(&t, at[i].state);
        table_cell(&t, "%lld", (long long)at[i].tries);
        when(&t, at[i].tried);
        when(&t, at[i].next);
        table_text(&t, at[i].answer.len > 0 ? at[i].answer : STR("-"));
        if (str_eq(at[i].state, STR("given up")))
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
    if (res->given_up > 0)
        buf_adds(view->out, "\n'stint alert send --given-up' tries those that were given up "
                            "once more\n");
}

void alert_view_failures(const struct view *view, const struct alert_sent *sent)
{
    const struct alert_failure *at = sent->failures.at;

    for (size_t i = 0; i < sent->failures.len; i++) {
        buf_add_safe(view->out, at[i].channel);
        buf_adds(view->out, " was not told: ");
        buf_add_safe(view->out, at[i].answer);
        if (at[i].again.len >= 16)
            buf_addf(view->out, "; again at %.10s %.5s UTC\n", at[i].again.at,
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
        buf_addf(view->out, "; %lld wait for their time", (long long)sent->postponed);
    if (any)
        buf_char(view->out, '\n');
    alert_view_failures(view, sent);
}

static void print_ack(const struct view *view, const void *result)
{
    const struct alert_ack_result *res = result;

    buf_addf(view->out, "acknowledged alert %lld%s\n", (long long)res->id,
             res->false_alarm ? " as a false alarm" : "");
    alert_view_sent(view, &res->delivered, false);
}

static void print_send(const struct view *view, const void *result)
{
    alert_view_sent(view, result, true);
}

const struct command cmd_alert_list = {
    .name = "alert list",
    .op = &op_alert_list,
    .about = "Events that people were told of, or would have been if there were a channel:\n"
             "the newest first.",
    .examples = "stint alert list --firing\n"
                "stint alert list --since 30d --json",
    .print = print_list,
};

const struct command cmd_alert_log = {
    .name = "alert log",
    .op = &op_alert_log,
    .about = "What was sent to whom, how often it was tried, what the server said, and when\n"
             "it is tried again.",
    .examples = "stint alert log\n"
                "stint alert log --since 7d --limit 0",
    .print = print_log,
};

const struct command cmd_alert_ack = {
    .name = "alert ack",
    .op = &op_alert_ack,
    .about = "Somebody has seen it: it is told again only when it becomes graver. PagerDuty\n"
             "and webhooks are told. A false alarm is counted as such.",
    .examples = "stint alert ack 3\n"
                "stint alert ack 3 --false-alarm",
    .print = print_ack,
};

const struct command cmd_alert_send = {
    .name = "alert send",
    .op = &op_alert_send,
    .about = "Sends what is due: what did not work before, what waited for the end of quiet\n"
             "hours, digests. For cron; 'stint budget check' does it too. Exit status 1 when\n"
             "a message was not taken.",
    .examples = "stint alert send\n"
                "stint alert send --given-up",
    .print = print_send,
};
