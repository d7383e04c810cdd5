/* message.h - notes and warnings that go with a result.
 *
 * A module that has something to add adds it here, as plain text; the caller shows it, collects
 * it or drops it. An empty `struct messages` drops everything, which is how one operation calls
 * another quietly. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include "base/log.h"

enum message_kind {
    MESSAGE_NOTE,    /* how a request was understood */
    MESSAGE_WARNING, /* what may be wrong with the answer */
};

struct messages {
    void (*show)(void *ctx, enum message_kind kind, const char *text); /* NULL: not shown */
    void *ctx;
    const struct log *log; /* also written there; NULL: not logged */
};

/* One sentence, cut at 511 bytes. */
void message_note(const struct messages *to, const char *fmt, ...) PRINTF_LIKE(2, 3);
void message_warn(const struct messages *to, const char *fmt, ...) PRINTF_LIKE(2, 3);
void message_add(const struct messages *to, enum message_kind kind, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
