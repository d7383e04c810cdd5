/* alert_message.h - messages on their way through the ledger. */
#ifndef OP_ALERT_ALERT_MESSAGE_H
#define OP_ALERT_ALERT_MESSAGE_H

#include "alert/alert.h"
#include "ledger/budgets.h"
#include "op/op.h"

/* What an alert tells besides its words: the `facts` of struct ledger_alert, as JSON. */
struct alert_detail {
    struct rows facts;              /* struct alert_fact */
    struct str scope, budget, link; /* texts of JSON objects; an address. Empty: none */
};

/* For struct ledger_alert. */
bool alert_detail_write(struct op_context *ctx, const struct alert_detail *detail,
                        struct str *out, struct error *err) MUST_USE;

/* The message that a delivery is to bring. */
bool alert_message_read(struct op_context *ctx, const struct ledger_delivery *delivery,
                        struct alert_message *out, struct error *err) MUST_USE;

/* Several in one. */
bool alert_message_digest(struct op_context *ctx, const struct alert_message *messages,
                          size_t count, stamp now, struct alert_message *out,
                          struct error *err) MUST_USE;

#endif
