/* text.h - texts as receivers want them: cut to a length, with what has a meaning there
 * escaped. */
#ifndef ALERT_TEXT_H
#define ALERT_TEXT_H

#include "alert/alert.h"

enum text_style {
    TEXT_PLAIN,
    TEXT_SLACK,    /* & < > */
    TEXT_MARKDOWN, /* of Discord and Teams */
};

/* At most `most` characters, "..." at the end when it had to be cut. Control characters but for
 * newlines become blanks. */
void text_put(struct str text, size_t most, enum text_style style, struct buf *out);

/* Likewise as a JSON string with its quotes, after `before`, which is written unchanged. */
void text_json(const char *before, struct str text, size_t most, enum text_style style,
               struct buf *out);

/* "[warning] Budget nlp: 80 % spent", "[resolved] ...". */
void text_headline(const struct alert_message *message, struct buf *out);

/* A title, also when there is none. */
struct str text_title(const struct alert_message *message);

/* One for each kind: chat.c, services.c, email.c. */
void slack_payload(const struct alert_message *message, struct buf *out);
void discord_payload(const struct alert_message *message, stamp now, struct buf *out);
void teams_payload(const struct alert_message *message, struct buf *out);
void pagerduty_payload(const char *key, const struct alert_message *message, stamp now,
                       struct buf *out);
void ntfy_payload(struct str topic, const struct alert_message *message, struct buf *out);
void webhook_payload(const struct alert_message *message, struct buf *out);
bool alertmanager_payload(const struct alert_message *message, stamp now, struct buf *out,
                          struct error *err) MUST_USE;
bool email_payload(const struct alert_channel *channel, const struct alert_message *message,
                   stamp now, struct buf *out, struct error *err) MUST_USE;

#endif
