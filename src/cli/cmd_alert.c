/* stint alert add, channels, remove, test */
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/alert/alert.h"

static void print_add(const struct view *view, const void *result)
{
    const struct alert_add_result *res = result;

    buf_addf(view->out, "%s the %.*s channel '%.*s'", res->replaced ? "changed" : "added",
             STR_ARG(res->kind), STR_ARG(res->name));
    if (res->ready)
        buf_addf(view->out, "; 'stint alert test %.*s' sends a message now",
                 STR_ARG(res->name));
    buf_char(view->out, '\n');
}

static void text_or_dash(struct table *t, struct str text)
{
    table_text(t, text.len > 0 ? text : STR("-"));
}

static void print_channels(const struct view *view, const void *result)
{
    static const struct table_column columns[] = {
        {.title = "name"},
        {.title = "kind"},
        {.title = "to", .shrink = true},
        {.title = "secret", .shrink = true},
        {.title = "ready"},
        {.title = "quiet", .optional = true},
        {.title = "digest", .optional = true},
    };
    const struct alert_channels_result *res = result;
    const struct alert_channel_view *at = res->channels.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    if (res->channels.len == 0) {
        buf_adds(view->out, "there is no channel: 'stint alert add NAME KIND ...' adds one\n");
        return;
    }
    for (size_t i = 0; i < res->channels.len; i++) {
        table_text(&t, at[i].name);
        table_text(&t, at[i].kind);
        text_or_dash(&t, at[i].to);
        text_or_dash(&t, at[i].secret);
        table_cell(&t, "%s", at[i].ready ? "yes" : "no secret here");
        text_or_dash(&t, at[i].quiet);
        text_or_dash(&t, at[i].digest);
        if (!at[i].ready)
            table_style(&t, STYLE_WARN);
    }
    table_write(&t, &view->term, view->out);
}

static void print_remove(const struct view *view, const void *result)
{
    const struct alert_name_result *res = result;

    buf_addf(view->out, "removed the channel '%.*s'\n", STR_ARG(res->name));
}

static void print_test(const struct view *view, const void *result)
{
    const struct alert_name_result *res = result;

    buf_addf(view->out, "'%.*s' took it: ", STR_ARG(res->name));
    buf_add_safe(view->out, res->answer);
    buf_char(view->out, '\n');
}

const struct command cmd_alert_add = {
    .name = "alert add",
    .op = &op_alert_add,
    .about = "A channel that alerts go to. Secrets stay where they are: name the variable of\n"
             "the environment, or the file, that has the address or the key; the ledger\n"
             "keeps the name. A channel of the same name is replaced.",
    .examples =
        "stint alert add team slack --url-env SLACK_URL\n"
        "stint alert add pager pagerduty --key-file ~/.config/stint/pagerduty\n"
        "stint alert add boss email --url smtp://mail.example.org:587 --user stint \\\n"
        "    --key-env SMTP_PASSWORD --from stint@example.org --to boss@example.org \\\n"
        "    --digest 'weekly at 09:00 Europe/Berlin'\n"
        "stint alert add hook webhook --url https://example.org/cost --key-env HOOK_KEY",
    .print = print_add,
};

const struct command cmd_alert_channels = {
    .name = "alert channels",
    .op = &op_alert_channels,
    .about = "Where alerts go, where the secrets for it come from, and whether they can be\n"
             "had here.",
    .examples = "stint alert channels",
    .print = print_channels,
};

const struct command cmd_alert_remove = {
    .name = "alert remove",
    .op = &op_alert_remove,
    .about = "Removes a channel. What was still to be sent to it is given up.",
    .examples = "stint alert remove team",
    .print = print_remove,
};

const struct command cmd_alert_test = {
    .name = "alert test",
    .op = &op_alert_test,
    .about = "Sends a message to the channel, now, and says what its server answered. Exit\n"
             "status 1 when it was not taken.",
    .examples = "stint alert test team",
    .print = print_test,
};

static void print_raise(const struct view *view, const void *result)
{
    const struct alert_raise_result *res = result;

    if (res->over > 0)
        buf_addf(view->out, "%lld alert%s over\n", (long long)res->over,
                 res->over == 1 ? " is" : "s are");
    alert_view_sent(view, &res->delivered, false);
}

const struct command cmd_alert_raise = {
    .name = "alert raise",
    .op = &op_alert_raise,
    .about =
        "Send an alert of your own, from a script or a hook. It goes through the same queue\n"
        "as others: once while it fires, with quiet hours, digests and retries. --over ends\n"
        "it. 'stint run --alert' and 'stint watch --alert' use it for their events.",
    .examples = "stint alert raise backup --title 'The backup failed' --alert team\n"
                "stint alert raise backup --over",
    .print = print_raise,
};
