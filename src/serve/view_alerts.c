/* Alerts: acknowledged here; their channels, tested here; and what became of messages. */
#include "op/alert/alert.h"
#include "report/records.h"
#include "serve/view.h"

#define MOST 100

static void write_acknowledge(struct visit *v, const void *row)
{
    const struct ledger_alert *a = row;

    if (!a->firing || a->acknowledged || v->caller.scope < TOKEN_WRITE)
        return;
    buf_adds(&v->out, "<form method=\"post\" action=\"/alerts/acknowledge\">");
    page_hidden(v, "id", page_text(v, "%lld", (long long)a->key));
    html_element(&v->out, "<button type=\"submit\" aria-label=\"Acknowledge ", a->title,
                 "\">Acknowledge</button></form>");
}

static void write_test(struct visit *v, const void *row)
{
    const struct channel_view *c = row;

    if (v->caller.scope < TOKEN_ADMIN)
        return;
    buf_adds(&v->out, "<form method=\"post\" action=\"/alerts/test\">");
    page_hidden(v, "name", c->name);
    html_element(&v->out, "<button type=\"submit\" aria-label=\"Test ", c->name,
                 "\">Test</button></form>");
}

static void write_channels(struct visit *v)
{
    static const struct column columns[] = {
        COLUMN("channel", name),
        COLUMN("kind", kind, .optional = true),
        COLUMN("to", to, .unknown = ""),
        COLUMN("", ready, .yes = "ready", .unknown = ""),
        COLUMN("quiet", quiet, .unknown = "", .if_any = true, .optional = true),
        COLUMN("digest", digest, .unknown = "", .if_any = true, .optional = true),
    };
    struct alert_channels_result *res;
    struct error err = {0};
    char none[1] = "";

    res = arena_array(&v->arena, struct alert_channels_result, 1, &err);
    page_section(v, "channels", STR("Channels"), true);
    if (res != NULL && visit_run(v, &op_alert_channels, none, res, &err))
        page_table(v,
                   &(struct page_table){
                       .id = "channels",
                       .caption = STR("Where alerts go; 'stint alert add' adds one"),
                       .columns = COLUMNS(columns),
                       .rows = field_rows(op_alert_channels.result, "channels", res),
                       .none = "There are no channels: 'stint alert add NAME KIND' adds one.",
                       .actions = write_test});
    else
        view_problem(v, &err);
    page_section_end(v);
}

static void write_alert_log(struct visit *v)
{
    static const struct column columns[] = {
        COLUMN("alert", title),
        COLUMN("channel", channel),
        COLUMN("state", state),
        COLUMN("last try (UTC)", last_try, .optional = true),
        COLUMN("answer", answer, .unknown = "", .optional = true),
    };
    struct alert_log_request req;
    const struct alert_log_result *res = NULL;
    struct error err = {0};

    page_section(v, "log", STR("Messages"), true);
    if (view_request(v, &op_alert_log, &req, &err)) {
        req.limit = view_most(v, req.limit);
        res = view_try(v, &op_alert_log, &req);
    }
    if (res != NULL)
        page_table(
            v, &(struct page_table){.id = "log",
                                    .caption = STR("Newest first"),
                                    .columns = COLUMNS(columns),
                                    .rows = field_rows(op_alert_log.result, "deliveries", res),
                                    .none = "No message was sent."});
    page_section_end(v);
}

bool view_alerts(struct visit *v, struct error *err)
{
    struct alert_list_request req;
    struct alert_list_result *res = arena_array(&v->arena, struct alert_list_result, 1, err);

    if (res == NULL || !view_request(v, &op_alert_list, &req, err) ||
        !visit_run(v, &op_alert_list, &req, res, err))
        return false;
    page_begin(v, STR("Alerts"), "/alerts");
    page_section(v, "list", STR(""), true);
    page_table(v, &(struct page_table){.id = "alerts",
                                       .caption = STR("Firing first, then the newest"),
                                       .columns = &alert_columns[PLACE_PAGE],
                                       .rows = field_rows(op_alert_list.result, "alerts", res),
                                       .most = MOST,
                                       .none = "There was no alert.",
                                       .actions = write_acknowledge});
    page_section_end(v);
    write_channels(v);
    write_alert_log(v);
    return page_end(v, err);
}

bool alert_acknowledge(struct visit *v, struct error *err)
{
    static const char *const names[] = {"id", NULL};

    return view_do(v, &op_alert_ack, names, "/alerts?done=acknowledged", err);
}

bool alert_test(struct visit *v, struct error *err)
{
    static const char *const names[] = {"name", NULL};

    return view_do(v, &op_alert_test, names, "/alerts?done=sent", err);
}
