#include "op/run/run_alert.h"

#include "alert/channel.h"
#include "base/spawn.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/settings.h"

#define PATH_MOST 4096

static bool take_groups(const struct strs *on, unsigned *out, struct error *err)
{
    *out = on->len > 0 ? 0 : ALERT_ON_ALL;
    for (size_t i = 0; i < on->len; i++) {
        unsigned group = alert_on_parse(on->at[i]);

        if (group == 0) {
            error_set(err, ERROR_USAGE, "--alert-on: '%.*s' is no kind of event",
                      STR_ARG(on->at[i]));
            error_hint(err, "idle, utilization, cost, stop, notice, or all");
            return false;
        }
        *out |= group;
    }
    return true;
}

/* Are they channels of the ledger? */
static bool check_channels(struct op_context *ctx, struct strs names, struct error *err)
{
    struct ledger *ledger = NULL;
    struct error problem = {0};
    bool ok;

    if (!op_ledger_there(ctx, &ledger, &problem)) {
        message_warn(&ctx->messages, "alerts may not be sent: %s", problem.text);
        return true;
    }
    ok = channels_check(ledger, names, ctx->arena, err);
    ledger_close(ledger);
    return ok;
}

static void add_quoted(const char *text, struct buf *out)
{
    buf_char(out, '\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            buf_adds(out, "'\\''");
        else
            buf_char(out, *text);
    }
    buf_char(out, '\'');
}

static bool write_command(struct op_context *ctx, struct strs channels, const char **out,
                          struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    char self[PATH_MOST];
    struct str kept;

    if (!spawn_self(self, sizeof self)) {
        buf_free(&text);
        return error_fail(err, ERROR_USAGE, "--alert: only the program stint can send alerts");
    }
    buf_adds(&text, "name=\"${STINT_RUN_ID:-watch-$(hostname)}\"\n"
                    "if [ \"$STINT_EVENT\" = ended ]; then\n    exec ");
    add_quoted(self, &text);
    buf_adds(&text, " alert raise \"run/$name\" --over --message=\"$STINT_EVENT_TEXT\" "
                    ">/dev/null\nfi\nexec ");
    add_quoted(self, &text);
    buf_adds(&text, " alert raise \"run/$name/$STINT_EVENT\" --kind run_event "
                    "--title=\"$STINT_RUN_NAME: $STINT_EVENT_TEXT\" "
                    "--message=\"Cost so far: ${STINT_RUN_COST:-unknown} USD. Run: "
                    "$name.\" --alert ");
    for (size_t i = 0; i < channels.len; i++) { /* plain names: they need no quotes */
        buf_adds(&text, i > 0 ? "," : "");
        buf_add(&text, channels.at[i]);
    }
    buf_adds(&text, " >/dev/null\n");
    buf_char(&text, '\0');
    if (!buf_keep(&text, ctx->arena, &kept, err))
        return false;
    *out = kept.at;
    return true;
}

bool run_alert_command(struct op_context *ctx, const struct run_alert_request *request,
                       struct alert_events *out, struct error *err)
{
    *out = (struct alert_events){.command = NULL};
    if (request->channels.len == 0) {
        if (request->on.len == 0)
            return true;
        error_set(err, ERROR_USAGE, "--alert-on needs channels");
        error_hint(err, "--alert team --alert-on idle,cost");
        return false;
    }
    out->ledger = str_dup(ctx->settings->ledger, ctx->arena, err);
    return out->ledger != NULL && take_groups(&request->on, &out->on, err) &&
           check_channels(ctx, request->channels, err) &&
           write_command(ctx, request->channels, &out->command, err);
}
