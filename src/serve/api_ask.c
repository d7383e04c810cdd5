/* What is asked over HTTP, and may it be: the operation, its scope, its request. */
#include "doc/node.h"
#include "serve/api.h"

enum token_scope api_scope(const struct op *op)
{
    switch (op->remote) {
    case OP_READ:
        return TOKEN_READ;
    case OP_WRITE:
        return TOKEN_WRITE;
    case OP_ADMIN:
        return TOKEN_ADMIN;
    case OP_LOCAL:
    case OP_ACCESS_COUNT:
        break;
    }
    return TOKEN_SCOPES; /* no token has it */
}

static bool is_post(const struct visit *v)
{
    return str_eq(str_from(v->route->method), STR("POST"));
}

/* The fields of a form are among the parameters. */
static bool has_json(const struct visit *v)
{
    return is_post(v) && v->request->body.len > 0 && !visit_is_form(v);
}

/* ---- may it be asked ---- */

static bool unknown_operation(struct visit *v, struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < op_count; i++)
        if (op_table[i]->remote != OP_LOCAL)
            suggestion_try(&s, str_from(op_table[i]->name));
    v->status = 404;
    error_set(err, ERROR_ABSENT, "there is no operation '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "GET /api/v1/ lists them");
    return false;
}

static bool refuse_local(struct visit *v, const struct op *op, struct error *err)
{
    v->status = 403;
    error_set(err, ERROR_GUARD, "'%s' needs files, programs or a terminal of this machine",
              op->name);
    error_hint(err, "use 'stint' there; GET /api/v1/ lists what can be asked over HTTP");
    return false;
}

static bool check_access(struct visit *v, const struct op *op, struct error *err)
{
    if (op->remote == OP_LOCAL)
        return refuse_local(v, op, err);
    if (op->remote > OP_READ && !is_post(v)) {
        v->status = 405;
        v->allow = "POST";
        error_set(err, ERROR_GUARD, "'%s' changes something", op->name);
        error_hint(err, "send it with POST");
        return false;
    }
    if (v->caller.scope >= api_scope(op))
        return true;
    v->status = 403;
    error_set(err, ERROR_GUARD, "'%s' needs a token of scope %s", op->name,
              token_scope_names[api_scope(op)]);
    error_hint(err, "'stint token add NAME --scope %s' makes one",
               token_scope_names[api_scope(op)]);
    return false;
}

/* ---- the request ---- */

/* A parameter that is about the answer, not a field of the request. */
static bool take_own(const struct param *p, struct api_ask *out)
{
    if (!str_eq(p->name, STR("fields")))
        return false;
    out->fields = p->value;
    return true;
}

/* An unknown name that is like none of them: what there is. */
static bool hint_names(const struct field_set *set, struct error *err)
{
    char names[200] = "";
    size_t at = 0;

    if (err->hint[0] != '\0')
        return false;
    for (size_t i = 0; i < set->len && at + 40 < sizeof names; i++)
        if (op_is_remote(&set->at[i]))
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at > 0 ? ", " : "",
                                   set->at[i].name);
    error_hint(err, at > 0 ? "parameters: %s" : "it has no parameters%s", names);
    return false;
}

/* Each parameter is a field, spelled as on the command line. */
static bool read_params(struct visit *v, struct api_ask *out, struct error *err)
{
    const struct field_set *set = out->op->request;

    for (size_t i = 0; i < v->params.len; i++) {
        const struct param *p = &v->params.at[i];
        const struct field *field;

        if (take_own(p, out))
            continue;
        field = field_find(set, p->name);
        if (field == NULL) {
            (void)field_unknown(set, "parameter", p->name, err);
            return hint_names(set, err);
        }
        if (has_json(v)) {
            error_set(err, ERROR_USAGE, "'%.*s' is given beside a body", STR_ARG(p->name));
            error_hint(err, "put it into the body");
            return false;
        }
        if (!field_parse(field, FIELD_SPELLED, p->value, out->request, &v->arena, err))
            return false;
    }
    return true;
}

static bool read_api_body(struct visit *v, struct api_ask *out, struct error *err)
{
    struct str body = is_post(v) ? str_trim(v->request->body) : (struct str){0};
    struct node *root;

    root = json_read(body.len > 0 ? body : STR("{}"), "request", &v->arena, err);
    return root != NULL &&
           fields_from_node(out->op->request, root, "request", out->request, &v->arena, err);
}

/* Fields that are required may come as parameters: those are read before the body, which then
 * need not have them. */
static bool read_request(struct visit *v, struct api_ask *out, struct error *err)
{
    const struct field_set *set = out->op->request;

    out->request = arena_get(&v->arena, 1, set->size, alignof(max_align_t), err);
    if (out->request == NULL || !fields_reset(set, out->request, &v->arena, err) ||
        !read_params(v, out, err))
        return false;
    if (has_json(v) || (is_post(v) && v->params.len == 0))
        return read_api_body(v, out, err);
    for (size_t i = 0; i < set->len; i++)
        if (set->at[i].required && !field_known(&set->at[i], out->request)) {
            error_set(err, ERROR_USAGE, "'%s' of %s is missing", set->at[i].name,
                      out->op->name);
            error_hint(err, "%s: %s", set->at[i].name, set->at[i].help);
            return false;
        }
    return true;
}

/* Lists have an end: one answer holds at most API_LIMIT rows. */
static bool check_limit(const struct api_ask *ask, struct error *err)
{
    const struct field *field = field_find(ask->op->request, STR("limit"));
    int64_t limit;

    if (field == NULL || field->type != FIELD_COUNT)
        return true;
    limit = field_count(field, ask->request);
    if (limit > 0 && limit <= API_LIMIT)
        return true;
    if (limit <= 0)
        return field_put_integer(field, API_LIMIT, ask->request);
    error_set(err, ERROR_USAGE, "limit: %lld is more than %d rows", (long long)limit,
              API_LIMIT);
    error_hint(err, field_find(ask->op->request, STR("before")) != NULL
                        ? "ask again with before=ID, the last of these, for more"
                        : "request less: a shorter time, or one team");
    return false;
}

bool api_ask_read(struct visit *v, struct str name, struct api_ask *out, struct error *err)
{
    *out = (struct api_ask){.op = op_find(name)};
    if (out->op == NULL)
        return unknown_operation(v, name, err);
    return check_access(v, out->op, err) && read_request(v, out, err) && check_limit(out, err);
}
