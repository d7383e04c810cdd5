/* The HTTP API: /api/v1/OPERATION, for every operation of the table that may be asked from
 * elsewhere. */
#include "serve/internal.h"

#include "doc/json_write.h"
#include "op/op.h"

bool api_health(struct visit *v, struct error *err)
{
    (void)err;
    v->type = "text/plain; charset=utf-8";
    buf_adds(&v->out, "ok\n");
    return true;
}

/* The request from parameters: each is a field, spelled as on the command line. */
static bool read_params(struct visit *v, const struct op *op, void *request, struct error *err)
{
    for (size_t i = 0; i < v->params.len; i++) {
        const struct param *p = &v->params.at[i];
        const struct field *field = field_find(op->request, p->name);

        if (field == NULL)
            return field_unknown(op->request, "parameter", p->name, err);
        if (!field_parse(field, FIELD_SPELLED, p->value, request, &v->arena, err)) {
            error_context(err, "%s", field->name);
            return false;
        }
    }
    return true;
}

static bool call_with_params(struct visit *v, const struct op *op, struct error *err)
{
    void *request = arena_get(&v->arena, 1, op->request->size, alignof(max_align_t), err);
    void *result = arena_get(&v->arena, 1, op->result->size, alignof(max_align_t), err);

    if (request == NULL || result == NULL ||
        !fields_reset(op->request, request, &v->arena, err) ||
        !read_params(v, op, request, err) || !op_run(&v->ctx, op, request, result, err))
        return false;
    json_write_record(op->result, result, op->schema, &v->out);
    return true;
}

bool api_call(struct visit *v, struct error *err)
{
    const struct op *op = op_find(v->rest);
    bool post = str_eq(str_from(v->route->method), STR("POST"));
    bool ok;

    if (op == NULL) {
        v->status = 404;
        return op_unknown(v->rest, err);
    }
    if (op->changes && (!post || v->caller.scope < TOKEN_ADMIN)) {
        v->status = post ? 403 : 405;
        v->allow = "POST";
        return error_fail(err, ERROR_GUARD, "'%s' changes something: %s", op->name,
                          post ? "it needs a token of scope admin" : "send it with POST");
    }
    ok = post ? op_call(&v->ctx, op, v->request->body, &v->out, err)
              : call_with_params(v, op, err);
    buf_char(&v->out, '\n');
    if (op->changes)
        cache_changed(v->server->cache);
    return ok;
}
