/* send - what other commands could not send: runs that wait on this machine for a server. */
#include "op/run/send.h"

#include "op/context.h"
#include "op/op.h"
#include "op/run/run_to.h"
#include "run/remote/send_waiting.h"

#define SEND_MOST ((span){3600 * SECOND})

static const struct field request[] = {
    RUN_TO_OPTIONS(send_request),
};

static const struct field result[] = {
    FIELD(TEXT, send_op_result, to, .help = "server that received them"),
    FIELD(COUNT, send_op_result, sent, .help = "runs sent to the server"),
    FIELD(COUNT, send_op_result, waiting, .help = "runs still waiting on this machine"),
    FIELD(USD, send_op_result, cost, .help = "known cost of the waiting runs"),
    FIELD(TEXT, send_op_result, folder, .empty_unknown = true,
          .help = "folder of the waiting runs"),
    FIELD(TEXT, send_op_result, reason, .empty_unknown = true, .help = "reason why they wait"),
};

static bool send_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct send_request *req = in;
    struct send_op_result *res = out;
    struct run_to to = {.to = req->to,
                        .token = req->to_token,
                        .certificates = req->to_certificates,
                        .unencrypted = req->to_unencrypted};
    struct receiver *receiver;
    struct send_result sent;
    bool ok;

    if (!run_to_open(ctx, &to, USD_UNKNOWN, &receiver, err))
        return false;
    if (receiver == NULL) {
        error_set(err, ERROR_USAGE, "no server is configured");
        error_hint(err, "stint send --to https://costs.example.org:8712");
        return false;
    }
    send_waiting(receiver, NULL, SEND_MOST, &sent);
    *res =
        (struct send_op_result){.sent = sent.sent, .waiting = sent.waiting, .cost = sent.cost};
    ok = str_keep(str_from(receiver_name(receiver)), ctx->arena, &res->to, err) &&
         str_keep(str_from(sent.folder), ctx->arena, &res->folder, err) &&
         str_keep(str_from(sent.why.text), ctx->arena, &res->reason, err);
    ctx->partly = sent.waiting > 0;
    receiver_close(receiver);
    return ok;
}

const struct op op_send = {
    .name = "send",
    .schema = "stint.send/1",
    .changes = true,
    .summary = "send runs that wait on this machine to a server",
    .request = &(const struct field_set)FIELD_SET(struct send_request, request),
    .result = &(const struct field_set)FIELD_SET(struct send_op_result, result),
    .run = send_run,
};
