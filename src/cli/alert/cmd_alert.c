/* stint alert add, channels, remove, test */
#include "cli/alert_view.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/alert/alert.h"

static void print_channel_added(const struct view *view, const void *result)
{
    const struct alert_add_result *res = result;

    buf_addf(view->out, "%s the %s channel '%.*s'", res->replaced ? "changed" : "added",
             alert_kind_names[res->kind], STR_ARG(res->name));
    if (res->ready)
        buf_addf(view->out, "; 'stint alert test %.*s' sends a message now",
                 STR_ARG(res->name));
    buf_char(view->out, '\n');
}

static enum term_style style_of_channel(const void *row)
{
    return ((const struct channel_view *)row)->ready ? STYLE_PLAIN : STYLE_WARN;
}

static void print_channels(const struct view *view, const void *result)
{
    static const struct column columns[] = {
        COLUMN("name", name),
        COLUMN("kind", kind),
        COLUMN("to", to, .shrink = true),
        COLUMN("secret", secret, .shrink = true),
        COLUMN("ready", ready, .no = "no secret here"),
        COLUMN("quiet", quiet, .optional = true),
        COLUMN("digest", digest, .optional = true),
    };
    const struct alert_channels_result *res = result;

    if (res->channels.len == 0) {
        buf_adds(view->out,
                 "there are no channels: 'stint alert add NAME KIND ...' adds one\n");
        return;
    }
    view_rows(view, &op_alert_channels, res, "channels",
              COLUMNS(columns, .style = style_of_channel));
}

static void print_channel_removed(const struct view *view, const void *result)
{
    const struct alert_name_result *res = result;

    buf_addf(view->out, "removed the channel '%.*s'\n", STR_ARG(res->name));
}

static void print_channel_test(const struct view *view, const void *result)
{
    const struct alert_name_result *res = result;

    buf_addf(view->out, "'%.*s' accepted it: ", STR_ARG(res->name));
    buf_add_safe(view->out, res->answer);
    buf_char(view->out, '\n');
}

const struct command cmd_alert_add = {
    .name = "alert add",
    .op = &op_alert_add,
    .group = {"alerts and the channels that receive them", .stage = CLI_AFTER},
    .about = "Adds an alert channel, or replaces the one with this name. Secrets stay where "
             "they are: name the environment variable or the file that has the address or the "
             "key; the ledger stores only that name.",
    .examples =
        "stint alert add team slack --url-env SLACK_URL\n"
        "stint alert add pager pagerduty --key-file ~/.config/stint/pagerduty\n"
        "stint alert add boss email --url smtp://mail.example.org:587 --user stint \\\n"
        "    --key-env SMTP_PASSWORD --from stint@example.org --to boss@example.org \\\n"
        "    --digest 'weekly at 09:00 Europe/Berlin'\n"
        "stint alert add hook webhook --url https://example.org/cost --key-env HOOK_KEY",
    .print = print_channel_added,
};

const struct command cmd_alert_channels = {
    .name = "alert channels",
    .op = &op_alert_channels,
    .about = "Lists the alert channels, where their secrets come from, and whether they are "
             "available here.",
    .examples = "stint alert channels",
    .print = print_channels,
};

const struct command cmd_alert_remove = {
    .name = "alert remove",
    .op = &op_alert_remove,
    .about = "Removes a channel. Messages waiting for it are discarded.",
    .examples = "stint alert remove team",
    .print = print_channel_removed,
};

const struct command cmd_alert_test = {
    .name = "alert test",
    .op = &op_alert_test,
    .about = "Sends a message to the channel now and prints the answer of its server. Exit "
             "status 1 when it was not accepted.",
    .examples = "stint alert test team",
    .print = print_channel_test,
};

static void print_raised(const struct view *view, const void *result)
{
    const struct alert_raise_result *res = result;

    if (res->over > 0)
        buf_addf(view->out, "ended %lld alert%s\n", (long long)res->over,
                 res->over == 1 ? "" : "s");
    alert_view_sent(view, &res->delivered, false);
}

const struct command cmd_alert_raise = {
    .name = "alert raise",
    .op = &op_alert_raise,
    .about =
        "Sends an alert of your own, from a script or a hook. It uses the same queue as "
        "others: sent once while it fires, with quiet hours, digests and retries. --resolve "
        "ends it. 'stint run --alert' and 'stint watch --alert' use it for their events.",
    .examples = "stint alert raise backup --title 'The backup failed' --alert team\n"
                "stint alert raise backup --resolve",
    .print = print_raised,
};
