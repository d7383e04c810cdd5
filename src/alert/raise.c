#include "alert/raise.h"

#define PREFIX "raised/"
#define NAME_MOST 200

bool alert_event_check(const struct alert_event *event, struct error *err)
{
    if (event->name.len > NAME_MOST)
        return error_fail(err, ERROR_USAGE, "the name has more than %d bytes", NAME_MOST);
    if (event->over || (event->title.len > 0 && event->alert.len > 0))
        return true;
    error_set(err, ERROR_USAGE, "an alert needs a title and a channel");
    error_hint(err, "stint alert raise backup --title 'The backup failed' --alert team");
    return false;
}

static bool name_event(struct str name, struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 2 * NAME_MOST);

    buf_adds(&text, PREFIX);
    buf_add(&text, name);
    return buf_keep(&text, arena, out, err);
}

static bool event_fire(const struct alert_sender *with, const struct alert_event *event,
                       struct str dedup, stamp now, struct error *err)
{
    struct ledger_finding f = {.alert = {.dedup = dedup,
                                         .kind = event->kind,
                                         .severity = event->severity,
                                         .title = event->title,
                                         .words = event->message,
                                         .level = 1},
                               .channels = event->alert};

    return channels_check(with->ledger, event->alert, with->arena, err) &&
           ledger_findings(with->ledger, &f, 1, now, err);
}

/* The event of that name, and those below it. */
static bool events_end(const struct alert_sender *with, const struct alert_event *event,
                       struct str dedup, stamp now, int64_t *ended, struct error *err)
{
    const struct ledger_alert *firing;
    struct ledger_finding *at;
    size_t count, found = 0;

    if (!ledger_alerts(with->ledger, (stamp){-1}, ALERTS_FIRING, with->arena, &firing, &count,
                       err) ||
        (at = arena_array(with->arena, struct ledger_finding, count, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct str name = firing[i].dedup;

        if (str_starts(name, dedup) && (name.len == dedup.len || name.at[dedup.len] == '/'))
            at[found++] = (struct ledger_finding){.alert = {.dedup = name,
                                                            .words = event->message.len > 0
                                                                         ? event->message
                                                                         : STR("It is over.")},
                                                  .over = true};
    }
    *ended = (int64_t)found;
    return ledger_findings(with->ledger, at, found, now, err);
}

bool alert_event_raise(const struct alert_sender *with, const struct alert_event *event,
                       int64_t *ended, struct error *err)
{
    stamp now = with->clock->today(with->clock->ctx);
    struct str dedup;

    *ended = 0;
    return name_event(event->name, with->arena, &dedup, err) &&
           (event->over ? events_end(with, event, dedup, now, ended, err)
                        : event_fire(with, event, dedup, now, err));
}
