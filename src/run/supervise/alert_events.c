#include "run/supervise/alert_events.h"

#include <string.h>

#include "base/spawn.h"

#define PATH_MOST 4096

/* "idle", "cost", "all"; 0 when it is none. */
static unsigned group_of_name(struct str name)
{
    static const struct {
        const char *name;
        unsigned group;
    } groups[] = {{"idle", ALERT_ON_IDLE},     {"utilization", ALERT_ON_UTILIZATION},
                  {"cost", ALERT_ON_COST},     {"stop", ALERT_ON_STOP},
                  {"notice", ALERT_ON_NOTICE}, {"all", ALERT_ON_ALL}};

    for (size_t i = 0; i < ARRAY_LEN(groups); i++)
        if (str_eq(name, str_from(groups[i].name)))
            return groups[i].group;
    return 0;
}

static bool parse_groups(struct strs on, unsigned *out, struct error *err)
{
    *out = on.len > 0 ? 0 : ALERT_ON_ALL;
    for (size_t i = 0; i < on.len; i++) {
        unsigned group = group_of_name(on.at[i]);

        if (group == 0) {
            error_set(err, ERROR_USAGE, "--alert-on: '%.*s' is not a kind of event",
                      STR_ARG(on.at[i]));
            error_hint(err, "idle, utilization, cost, stop, notice, or all");
            return false;
        }
        *out |= group;
    }
    return true;
}

unsigned alert_on_event(const char *event)
{
    static const struct {
        const char *begins;
        unsigned group;
    } events[] = {{"idle", ALERT_ON_IDLE},        {"low-", ALERT_ON_UTILIZATION},
                  {"budget", ALERT_ON_COST},      {"month", ALERT_ON_COST},
                  {"deadline", ALERT_ON_STOP},    {"early-stop", ALERT_ON_STOP},
                  {"divergence", ALERT_ON_STOP},  {"command-failed", ALERT_ON_STOP},
                  {"notice", ALERT_ON_NOTICE},    {"taken", ALERT_ON_NOTICE},
                  {"rebalance", ALERT_ON_NOTICE}, {"maintenance", ALERT_ON_NOTICE},
                  {"trouble", ALERT_ON_NOTICE}};

    if (strcmp(event, "early-stop-near") == 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(events); i++)
        if (strncmp(event, events[i].begins, strlen(events[i].begins)) == 0)
            return events[i].group;
    return 0;
}

static void add_shell_quoted(const char *text, struct buf *out)
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

static bool write_alert_command(struct strs channels, struct arena *arena, const char **out,
                                struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    char self[PATH_MOST];
    struct str kept;

    if (!spawn_self(self, sizeof self)) {
        buf_free(&text);
        return error_fail(err, ERROR_USAGE, "--alert: only the program stint can send alerts");
    }
    buf_adds(&text, "name=\"${STINT_RUN_ID:-watch-$(hostname)}\"\n"
                    "if [ \"$STINT_EVENT\" = ended ]; then\n    exec ");
    add_shell_quoted(self, &text);
    buf_adds(&text, " alert raise \"run/$name\" --resolve --message=\"$STINT_EVENT_TEXT\" "
                    ">/dev/null\nfi\nexec ");
    add_shell_quoted(self, &text);
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
    if (!buf_keep(&text, arena, &kept, err))
        return false;
    *out = kept.at;
    return true;
}

bool alert_events_make(struct strs channels, struct strs on, struct str ledger,
                       struct arena *arena, struct alert_events *out, struct error *err)
{
    *out = (struct alert_events){.command = NULL};
    if (channels.len == 0) {
        if (on.len == 0)
            return true;
        error_set(err, ERROR_USAGE, "--alert-on needs channels");
        error_hint(err, "--alert team --alert-on idle,cost");
        return false;
    }
    out->ledger = str_dup(ledger, arena, err);
    return out->ledger != NULL && parse_groups(on, &out->on, err) &&
           write_alert_command(channels, arena, &out->command, err);
}
