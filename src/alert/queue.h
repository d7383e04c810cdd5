/* queue.h - messages that wait in the ledger: sent when they are due, retried, given up.
 *
 * `budget` and others put alerts into the ledger (ledger_findings), which queues a message for
 * each channel. Each message is taken by one program, sent, and tried again at 1, 6 and 21
 * minutes and then hourly for a day. Quiet hours and digests postpone what is not critical.
 */
#ifndef ALERT_QUEUE_H
#define ALERT_QUEUE_H

#include "alert/channel.h"

/* What delivery needs from its caller. */
struct alert_sender {
    struct ledger *ledger;
    struct arena *arena;
    const struct clock *clock;
    const struct log *log;
    bool (*stopped)(void); /* should it end, in good order? NULL: never */
};

/* What became of the messages. */
struct alert_sent {
    int64_t sent, waiting, given_up; /* waiting: they failed and are tried again */
    int64_t postponed;               /* to the end of quiet hours, or to a digest */
    struct rows failures;            /* struct alert_failure */
};

struct alert_failure {
    struct str channel, title, answer;
    stamp again; /* the next try; unknown when given up */
};

extern const struct field_set alert_sent_fields;

/* Send all that is due. A receiver that does not accept a message is no error; the ledger's
 * are. */
bool alert_deliver(const struct alert_sender *with, struct alert_sent *out,
                   struct error *err) MUST_USE;

/* Send a message now, without the queue. ERROR_FAILED when the receiver does not accept it. */
bool alert_send_now(const struct alert_sender *with, const struct channel *channel,
                    const struct alert_message *message, struct str *answer,
                    struct error *err) MUST_USE;

/* Send a test message now. ERROR_FAILED when the receiver does not accept it. */
bool alert_send_test(const struct alert_sender *with, const struct channel *channel,
                     struct str *answer, struct error *err) MUST_USE;

/* The message of a delivery. */
bool alert_message_read(const struct ledger_delivery *delivery, struct arena *arena,
                        struct alert_message *out, struct error *err) MUST_USE;

#endif
