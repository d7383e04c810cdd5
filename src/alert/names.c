/* Names of kinds of channels and of events, and what each kind supports. */
#include "alert/alert.h"

const char *const alert_kind_names[ALERT_KINDS + 1] = {
    "slack", "discord", "teams", "pagerduty", "ntfy", "webhook", "alertmanager", "email"};
static const char *const what_names[] = {"firing",       "update", "resolved",
                                         "acknowledged", "digest", "test"};

static bool find_name(const char *const *names, size_t count, struct str name, unsigned *out)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(name, str_from(names[i]))) {
            *out = (unsigned)i;
            return true;
        }
    return false;
}

bool alert_kind_parse(struct str name, enum alert_kind *out)
{
    unsigned at = 0;
    bool found = find_name(alert_kind_names, ALERT_KINDS, name, &at);

    *out = (enum alert_kind)at;
    return found;
}

const char *alert_what_name(enum alert_what what)
{
    return what_names[what];
}

bool alert_what_parse(struct str name, enum alert_what *out)
{
    unsigned at = 0;
    bool found = find_name(what_names, ARRAY_LEN(what_names), name, &at);

    *out = (enum alert_what)at;
    return found;
}

bool alert_url_secret(enum alert_kind kind)
{
    return kind == ALERT_SLACK || kind == ALERT_DISCORD || kind == ALERT_TEAMS;
}

bool alert_takes_digests(enum alert_kind kind)
{
    return kind != ALERT_PAGERDUTY && kind != ALERT_ALERTMANAGER;
}

bool alert_takes_acknowledgements(enum alert_kind kind)
{
    return kind == ALERT_PAGERDUTY || kind == ALERT_WEBHOOK;
}
