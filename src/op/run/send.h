/* send.h - `stint send`: runs that wait on this machine to be sent to a server. */
#ifndef OP_RUN_SEND_H
#define OP_RUN_SEND_H

#include "doc/field.h"
#include "unit/money.h"

extern const struct op op_send;

struct send_request {
    struct str to, to_token, to_certificates;
    bool to_unencrypted;
};

struct send_op_result {
    struct str to;   /* the server */
    int64_t sent;    /* runs that it has now */
    int64_t waiting; /* runs that are left */
    usd cost;        /* of those; unknown: not known */
    struct str folder, reason;
};

#endif
