/* The HTTP API: /api/v1/OPERATION, for every operation of the table that may be asked from
 * elsewhere. What may be given, and by whom, is in api_ask.c. */
#include "serve/api.h"

#include "doc/json_write.h"
#include "op/alert/alert.h"

/* Anybody may ask: it says whether, and nothing of where or why. */
bool api_health(struct visit *v, struct error *err)
{
    const struct token *ignored;
    size_t count;
    bool there;

    v->type = "text/plain; charset=utf-8";
    if (op_tokens(&v->ctx, &ignored, &count, &there, err) &&
        (there || !atomic_load(&v->server->ledger_gone))) {
        buf_adds(&v->out, "ok\n");
        return true;
    }
    log_write(v->server->ctx.messages.log, LOG_WARN, "ledger: %s", err->text);
    *err = (struct error){0};
    v->status = 503;
    buf_adds(&v->out, "the ledger cannot be read\n");
    return true;
}

bool api_run(struct visit *v, struct api_ask *ask, struct error *err)
{
    void *result = arena_get(&v->arena, 1, ask->op->result->size, alignof(max_align_t), err);
    struct field_set shown;

    if (result == NULL || !visit_run(v, ask->op, ask->request, result, err) ||
        /* What was stopped may have left something out; what has changed something has. */
        (ask->op->remote == OP_READ && !stop_check(err)) ||
        !api_select(ask->op->result, result, ask->fields, &v->arena, &shown, err))
        return false;
    json_write_record(&shown, result, ask->op->schema, &v->out);
    buf_char(&v->out, '\n');
    return buf_ok(&v->out, err);
}

bool api_call(struct visit *v, struct error *err)
{
    struct api_ask ask;
    bool ok;

    if (v->request != NULL && str_eq(v->request->method, STR("POST")) &&
        str_starts(v->server->http->header(v->request, "Prefer", NULL), STR("respond-async")))
        return api_work_begin(v, v->rest, err);
    if (!api_ask_read(v, v->rest, &ask, err))
        return false;
    ok = api_run(v, &ask, err);
    if (!ok && ask.op == &op_alert_test && err->kind == ERROR_FAILED)
        v->status = 502; /* it is not our server that failed */
    if (ask.op->remote > OP_READ)
        cache_changed(v->server->cache);
    return ok;
}
