/* alert_send.h - deliver what is due: the request and the result of alert.send. */
#ifndef OP_ALERT_ALERT_SEND_H
#define OP_ALERT_ALERT_SEND_H

#include "op/alert/alert_channel.h"

/* What became of it. */
struct alert_sent {
    int64_t sent, waiting, given_up; /* waiting: it did not work, and is tried again */
    int64_t postponed;               /* to the end of quiet hours, or to a digest */
    struct rows failures;            /* struct alert_failure */
};

struct alert_failure {
    struct str channel, title, answer, again; /* again: when; unknown when given up */
};

extern const struct field_set alert_sent_fields;

/* Send all that is due. A receiver that does not take it is no error; the ledger's are. */
bool op_alert_deliver(struct op_context *ctx, struct ledger *ledger, struct alert_sent *out,
                      struct error *err) MUST_USE;

struct alert_send_request {
    bool given_up; /* try those once more */
};

#endif
