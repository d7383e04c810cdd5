#include "op/remote.h"

#include <string.h>

#include "bill/dimension.h"

const char *const op_access_names[OP_ACCESS_COUNT] = {"local", "read", "write", "admin"};

const char *const op_team_names[OP_TEAM_COUNT] = {"none", "all", "where", "tag", "run", "own"};

/* ---- files, programs and addresses ---- */

static bool is_field_given(const struct field *field, const void *request)
{
    const unsigned char *at = (const unsigned char *)request + field->offset;

    if (field->type == FIELD_FLAG)
        return *(const bool *)at;
    if (field->type == FIELD_TEXTS)
        return ((const struct strs *)(const void *)at)->len > 0;
    return field_known(field, request);
}

bool op_is_remote(const struct field *field)
{
    return !field->local && !field->output;
}

static bool refuse_remote_field(const struct op *op, const struct field *field,
                                struct error *err)
{
    error_set(err, ERROR_USAGE, "'%s' of %s is about the machine that computes", field->name,
              op->name);
    error_hint(err, "leave it out, or use 'stint' on the server itself");
    return false;
}

static bool check_fields(const struct op *op, const void *request, struct error *err)
{
    if (op->remote == OP_LOCAL) {
        error_set(err, ERROR_USAGE, "'%s' needs files, programs or a terminal", op->name);
        error_hint(err, "use 'stint' on the server itself");
        return false;
    }
    for (size_t i = 0; i < op->request->len; i++)
        if (!op_is_remote(&op->request->at[i]) && is_field_given(&op->request->at[i], request))
            return refuse_remote_field(op, &op->request->at[i], err);
    return true;
}

/* ---- one team ---- */

bool op_team_name(struct str team, struct error *err)
{
    for (size_t i = 0; i < team.len; i++)
        if ((unsigned char)team.at[i] < ' ' || strchr("*?[]\\,=!", team.at[i]) != NULL)
            return error_fail(err, ERROR_USAGE, "'%.*s' is no name of a team: it has a '%c'",
                              STR_ARG(team), team.at[i]);
    return true;
}

bool op_is_of_team(const struct op_context *ctx, struct strs tags)
{
    if (ctx->team.len == 0)
        return true;
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');

        if (str_eq_nocase(key, STR("team")) && str_eq_nocase(value, ctx->team))
            return true;
    }
    return false;
}

bool op_team_condition(const struct op_context *ctx, struct strs *conditions, struct error *err)
{
    struct str *all;
    struct buf text;

    if (ctx->team.len == 0)
        return true;
    if (!op_team_name(ctx->team, err))
        return false;
    all = arena_array(ctx->arena, struct str, conditions->len + 1, err);
    if (all == NULL)
        return false;
    for (size_t i = 0; i < conditions->len; i++)
        all[i] = conditions->at[i];
    text = buf_new(ctx->arena->alloc, ctx->team.len + 8);
    buf_adds(&text, "team=");
    buf_add(&text, ctx->team);
    if (!buf_keep(&text, ctx->arena, &all[conditions->len], err))
        return false;
    *conditions = (struct strs){all, conditions->len + 1};
    return true;
}

bool op_find_run(const struct op_context *ctx, struct ledger *ledger, struct str what,
                 struct arena *arena, struct ledger_run *out, struct error *err)
{
    return ledger_find_of_team(ledger, what, ctx->team, arena, out, err);
}

/* What is entered belongs to the team, and to no other. */
static bool add_own_tag(const struct op_context *ctx, struct strs *tags, struct error *err)
{
    bool named;

    for (size_t i = 0; i < tags->len; i++)
        if (!tags_only_team((struct strs){&tags->at[i], 1}, ctx->team, &named))
            return error_fail(err, ERROR_GUARD, "'%.*s': this token is for the team '%.*s'",
                              STR_ARG(tags->at[i]), STR_ARG(ctx->team));
    return (tags_only_team(*tags, ctx->team, &named) && named) ||
           op_team_condition(ctx, tags, err);
}

static bool limit_field(struct op_context *ctx, const struct op *op, const char *name,
                        const void **request, struct error *err)
{
    const struct field *field = field_find(op->request, str_from(name));
    unsigned char *copy =
        arena_get(ctx->arena, 1, op->request->size, alignof(max_align_t), err);
    struct strs *conditions;

    if (copy == NULL)
        return false;
    memcpy(copy, *request, op->request->size);
    conditions = (struct strs *)(void *)(copy + field->offset);
    *request = copy;
    return op->remote == OP_READ ? op_team_condition(ctx, conditions, err)
                                 : add_own_tag(ctx, conditions, err);
}

static bool limit_to_team(struct op_context *ctx, const struct op *op, const void **request,
                          struct error *err)
{
    switch (op->team) {
    case OP_TEAM_NONE:
    case OP_TEAM_COUNT:
        break;
    case OP_TEAM_WHERE:
        return limit_field(ctx, op, "where", request, err);
    case OP_TEAM_TAG:
        return limit_field(ctx, op, "tag", request, err);
    case OP_TEAM_ALL:
    case OP_TEAM_RUN:
    case OP_TEAM_OWN:
        return true;
    }
    error_set(err, ERROR_GUARD, "'%s' %s more than the team '%.*s'", op->name,
              op->remote == OP_READ ? "shows" : "changes", STR_ARG(ctx->team));
    error_hint(err, "it needs a token that is not limited to a team");
    return false;
}

bool op_admit(struct op_context *ctx, const struct op *op, const void **request,
              struct error *err)
{
    return (!ctx->remote || check_fields(op, *request, err)) &&
           (ctx->team.len == 0 || limit_to_team(ctx, op, request, err));
}
