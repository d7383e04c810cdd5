/* channel.h - alert channels as users configure them, and the secrets they name.
 *
 * The ledger keeps a channel without its secrets: only the variable or the file that has them.
 * They are read when something is sent, and wiped after it.
 */
#ifndef ALERT_CHANNEL_H
#define ALERT_CHANNEL_H

#include "alert/alert.h"
#include "alert/schedule.h"
#include "base/message.h"
#include "net/credentials.h"

struct channel_settings {
    struct str url, url_env, url_file, key_env, key_file, user, from, topic, ca, quiet, digest;
    struct strs to;
    bool quiet_all;
};

struct channel {
    struct str name;
    enum alert_kind kind;
    struct channel_settings settings;
    struct quiet_hours quiet;
    struct digest_times digest;
};

/* Are the settings complete and safe to keep? ERROR_USAGE names the option that is not. Names
 * of files become absolute: whoever sends may be in another folder. */
bool channel_check(struct channel *channel, struct arena *arena, struct error *err) MUST_USE;

/* Add it to the ledger; `replaced` when there was one of that name. */
bool channel_keep(struct ledger *ledger, const struct channel *channel, stamp now,
                  struct arena *arena, bool *replaced, struct error *err) MUST_USE;

/* Every channel of the ledger, by name; none when the ledger is NULL. A channel that cannot be
 * read is an error. */
bool channels_read(struct ledger *ledger, struct arena *arena, const struct channel **out,
                   size_t *count, struct error *err) MUST_USE;

/* The channel of this name; ERROR_ABSENT with a suggestion. */
const struct channel *channel_find(const struct channel *channels, size_t count,
                                   struct str name, struct error *err) MUST_USE;

/* Does the ledger have channels of all these names? ERROR_ABSENT with a suggestion. */
bool channels_check(struct ledger *ledger, struct strs names, struct arena *arena,
                    struct error *err) MUST_USE;

/* The channels whose receivers know what an acknowledgement is. */
bool channels_for_acknowledgement(struct ledger *ledger, struct arena *arena, struct strs *out,
                                  struct error *err) MUST_USE;

/* The channel that sends mail to this address; ERROR_ABSENT with how to add one. */
const struct channel *channel_of_address(const struct channel *channels, size_t count,
                                         struct str address, struct error *err) MUST_USE;

/* A report is no incident, which someone would have to close: ERROR_USAGE for channels that
 * take nothing else. */
bool channel_takes_reports(const struct channel *c, struct error *err) MUST_USE;

/* A channel as it is shown. */
struct channel_view {
    struct str name;
    enum alert_kind kind;
    struct str to;     /* where its address comes from; receivers of mails */
    struct str secret; /* "$SLACK_URL", a file; empty: none */
    bool ready;        /* its secrets are available here */
    struct str quiet, digest;
};

extern const struct field_set channel_view_fields;

bool channel_describe(const struct channel *channel, struct arena *arena,
                      struct channel_view *out, struct error *err) MUST_USE;

/* A channel with its secrets, to be closed after use, which wipes them. */
struct open_channel {
    struct alert_channel to;
    char url[CREDENTIAL_MAX], key[CREDENTIAL_MAX];
};

/* ERROR_ABSENT when a secret is not where it should be: which, and where. */
bool channel_open(const struct channel *channel, struct arena *arena, struct open_channel *out,
                  struct error *err) MUST_USE;
void channel_close(struct open_channel *channel);

/* Are its secrets available here? Warns when not, and when others can read their file. */
bool channel_ready(const struct channel *channel, const struct messages *messages,
                   struct arena *arena);

#endif
