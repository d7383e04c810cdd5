#include "alert/log.h"

#define MESSAGE(label, kind, member, ...) \
    FIELD_AS(label, kind, alert_log_view, is.member, __VA_ARGS__)

static const struct field log_view[] = {
    MESSAGE("id", COUNT, key, .help = "id of the message"),
    MESSAGE("alert", COUNT, alert, .help = "id of its alert"),
    MESSAGE("channel", TEXT, channel, .help = "name of the channel"),
    MESSAGE("what", TEXT, what,
            .help = "kind of message: firing, update, resolved or acknowledged"),
    FIELD(TEXT, alert_log_view, title, .help = "title of the alert"),
    MESSAGE("state", TEXT, state, .help = "status: waiting, sending, sent or given up"),
    MESSAGE("created", TIME, made, .help = "creation time in UTC"),
    MESSAGE("tries", COUNT, tries, .help = "tries so far"),
    FIELD_AS("last_try", TIME, alert_log_view, tried, .help = "last try, in UTC"),
    FIELD(TIME, alert_log_view, next, .help = "next try, in UTC; null: none"),
    MESSAGE("answer", TEXT, answer, .empty_unknown = true,
            .help = "answer of the receiver, or reason for waiting"),
};
const struct field_set alert_log_fields = FIELD_SET(struct alert_log_view, log_view);

bool alert_log_view_make(const struct ledger_delivery *d, struct arena *arena,
                         struct alert_log_view *out, struct error *err)
{
    bool waits = str_eq(d->state, STR("waiting"));
    struct alert_message message = {0};
    struct error ignored = {0};

    if (!alert_message_read(d, arena, &message, &ignored) && ignored.kind == ERROR_MEMORY)
        return error_memory(err);
    *out = (struct alert_log_view){.is = *d,
                                   .title = message.title,
                                   .tried = d->tries > 0 ? d->tried : STAMP_UNKNOWN,
                                   .next = waits ? d->not_before : STAMP_UNKNOWN};
    return true;
}
