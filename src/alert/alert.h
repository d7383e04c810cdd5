/* alert.h - messages to people and their systems: Slack, Discord, Teams, PagerDuty, ntfy, a
 * signed webhook, Alertmanager, e-mail.
 *
 * A message is built purely (alert_payload); sending it is one call with an end. Addresses and
 * keys come from the environment or a file of the user's, named by the channel, never from the
 * ledger, and are never written to a log, an error or a result.
 */
#ifndef ALERT_ALERT_H
#define ALERT_ALERT_H

#include "base/buf.h"
#include "base/clock.h"
#include "ledger/budgets.h"
#include "unit/severity.h"

struct http_client;  /* net/http.h */
struct http_manners; /* likewise */

enum alert_kind {
    ALERT_SLACK,
    ALERT_DISCORD,
    ALERT_TEAMS,
    ALERT_PAGERDUTY,
    ALERT_NTFY,
    ALERT_WEBHOOK,
    ALERT_ALERTMANAGER,
    ALERT_EMAIL,
    ALERT_KINDS
};

extern const char *const alert_kind_names[]; /* "slack", ...; ends with NULL */

/* Is the address itself the secret? */
bool alert_url_secret(enum alert_kind kind);
/* Does it support acknowledgements? */
bool alert_takes_acknowledgements(enum alert_kind kind);

enum alert_what {
    ALERT_FIRING,
    ALERT_UPDATE,
    ALERT_RESOLVED,
    ALERT_ACKNOWLEDGED,
    ALERT_DIGEST,
    ALERT_TEST
};
extern const char *const alert_what_names[]; /* "firing", ...; ends with NULL */

/* A file that goes with a mail. */
struct alert_attachment {
    struct str name; /* "report.html" */
    struct str type; /* "text/html; charset=UTF-8" */
    struct str data;
};

/* What all attachments of a mail may have together: 5 MB are 7 MB on the way, which every usual
 * server takes. */
#define ALERT_ATTACHED_MAX ((size_t)5 << 20)

struct alert_message {
    /* Of this message, the same when it is sent again: the alert, when it began, and the number
     * of the message: "3.1794700800.0". */
    struct str id;
    struct str dedup; /* of the event: "budget/nlp/2026-11" */
    struct str type;  /* "budget_threshold", "anomaly", "digest", "test" */
    enum alert_what what;
    enum severity severity;
    struct str title, words; /* one line; a sentence or a few */
    const struct alert_fact *facts;
    size_t fact_count;
    struct str scope;                  /* JSON object of what it is about: {"team":"nlp"} */
    struct str budget;                 /* JSON object with exact amounts as text, or empty */
    stamp began, ended;                /* ended: -1 while it fires */
    struct str link;                   /* of a page; empty: none */
    struct alert_attachment *attached; /* in mails only */
    size_t attached_count, attached_room;
};

/* ---- what goes with a message: compose.c ---- */

/* Its facts from lines such as "Spend: $12.34 (effective cost)". */
bool alert_take_facts(struct alert_message *message, struct strs lines, struct arena *arena,
                      struct error *err) MUST_USE;

/* The type of a file that readers of mail show: pages and PNG pictures. Empty: any other; few
 * show SVG. */
struct str alert_attached_type(struct str name);

/* Attach a file of such a type. One that does not fit beside the others is left out, which
 * `left_out` then says. */
bool alert_attach(struct alert_message *message, struct str name, struct str text,
                  struct arena *arena, bool *left_out, struct error *err) MUST_USE;

/* The receiver. Secrets are looked up by the caller and live as long as this. */
struct alert_channel {
    struct str name;
    enum alert_kind kind;
    const char *url;     /* smtp://HOST:587; NULL: the default of the service */
    bool url_secret;     /* it is a secret: errors do not show it */
    const char *key;     /* routing key, token, signing secret, password; NULL: none */
    const char *user;    /* of SMTP; NULL: none */
    const char *ca;      /* of SMTP: a file of certificates to trust; NULL: the system's */
    struct str topic;    /* ntfy; empty: the path of the address */
    struct str from, to; /* e-mail: addresses; `to` may be several, with commas */
};

/* ntfy: the address without the topic, and the topic: the channel's, else the last part of the
 * address' path. Slices. */
void alert_ntfy_address(const struct alert_channel *channel, struct str *base,
                        struct str *topic);

/* The body (and, for e-mail, the headers) of the message for this kind of channel. Texts that
 * are too long for the receiver are cut. */
bool alert_payload(const struct alert_channel *channel, const struct alert_message *message,
                   stamp now, struct buf *out, struct error *err) MUST_USE;

/* What became of it. */
struct alert_outcome {
    int status;       /* HTTP or SMTP; 0: no answer */
    bool retry;       /* it may work later */
    span after;       /* how long the server asked to wait; 0: it did not */
    char answer[200]; /* one line without secrets: "202", "could not connect to ..." */
};

/* One try, since the queue keeps the message. */
extern const struct http_manners alert_manners;

/* True when it was accepted. False is not an error of ours: `out` has what happened. */
bool alert_send(const struct http_client *client, const struct alert_channel *channel,
                const struct alert_message *message, stamp now, struct alert_outcome *out);

#endif
