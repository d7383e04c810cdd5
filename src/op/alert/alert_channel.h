/* alert_channel.h - channels as they are configured, and the secrets they name. */
#ifndef OP_ALERT_ALERT_CHANNEL_H
#define OP_ALERT_ALERT_CHANNEL_H

#include "alert/alert.h"
#include "ledger/budgets.h"
#include "net/credentials.h"
#include "op/alert/alert_when.h"
#include "op/ledger_open.h"

/* What the ledger keeps of one: no secret is in it, only where it is. */
struct channel_settings {
    struct str url, url_env, url_file, key_env, key_file, user, from, topic, ca, quiet, digest;
    struct strs to;
    bool quiet_all;
};

extern const struct field_set channel_settings_fields;

struct channel {
    struct str name;
    enum alert_kind kind;
    struct channel_settings settings;
    struct quiet_hours quiet;
    struct digest_times digest;
};

/* Every channel of the ledger, by name. One that cannot be read is an error. */
bool channels_read(struct op_context *ctx, struct ledger *ledger, const struct channel **out,
                   size_t *count, struct error *err) MUST_USE;

/* The one of this name; ERROR_ABSENT with a suggestion. */
const struct channel *channel_find(const struct channel *channels, size_t count,
                                   struct str name, struct error *err) MUST_USE;

/* Are all of these names of channels? Likewise. */
bool channels_check(const struct channel *channels, size_t count, struct strs names,
                    struct error *err) MUST_USE;

/* A channel with its secrets, to be closed after use, which wipes them. */
struct open_channel {
    struct alert_channel to;
    char url[CREDENTIAL_MAX], key[CREDENTIAL_MAX];
};

/* ERROR_ABSENT when a secret is not where it should be: which, and where. */
bool channel_open(struct op_context *ctx, const struct channel *channel,
                  struct open_channel *out, struct error *err) MUST_USE;
void channel_close(struct open_channel *channel);

/* Letters, digits, '-', '_' and '.': a name that needs no quotes and no escapes anywhere. Else
 * "'x y' is no name for a WHAT". */
bool op_plain_name(struct str name, const char *what, struct error *err) MUST_USE;

/* Can its secrets be had here? Else says why not, and when others can read their file. */
bool channel_say(struct op_context *ctx, const struct channel *channel);

#endif
