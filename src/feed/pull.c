#include "feed/pull.h"

#include <inttypes.h>

static bool not_a(struct json *json, const char *what, const char *kind, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": %s is not %s", json_line(json), what,
                      kind);
}

bool pull_members(struct json *json, const struct json_token *opened,
                  enum pull (*member)(void *ctx, struct str key, struct error *err), void *ctx,
                  struct error *err)
{
    unsigned depth = opened->depth;
    struct json_token token;
    enum pull how = PULL_ON;

    while (how == PULL_ON) {
        if (!json_next(json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        how = member(ctx, token.text, err);
    }
    return how == PULL_LEAVE && json_leave(json, depth, err);
}

bool pull_object(struct json *json, const char *what,
                 enum pull (*member)(void *ctx, struct str key, struct error *err), void *ctx,
                 struct error *err)
{
    struct json_token token;

    if (!json_next(json, &token, err))
        return false;
    if (token.kind != JSON_OBJECT)
        return not_a(json, what, "an object", err);
    return pull_members(json, &token, member, ctx, err);
}

bool pull_items(struct json *json, const struct json_token *opened,
                enum pull (*item)(void *ctx, const struct json_token *first, struct error *err),
                void *ctx, struct error *err)
{
    unsigned depth = opened->depth;
    struct json_token token;
    enum pull how = PULL_ON;

    while (how == PULL_ON) {
        if (!json_next(json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        how = item(ctx, &token, err);
    }
    return how == PULL_LEAVE && json_leave(json, depth, err);
}

bool pull_array(struct json *json, const char *what,
                enum pull (*item)(void *ctx, const struct json_token *first, struct error *err),
                void *ctx, struct error *err)
{
    struct json_token token;

    if (!json_next(json, &token, err))
        return false;
    if (token.kind != JSON_ARRAY)
        return not_a(json, what, "an array", err);
    return pull_items(json, &token, item, ctx, err);
}

bool pull_text(struct json *json, struct str *text, struct error *err)
{
    struct json_token token;

    *text = (struct str){0};
    if (!json_next(json, &token, err))
        return false;
    if (token.kind == JSON_STRING || token.kind == JSON_NUMBER)
        *text = token.text;
    else if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY)
        return json_skip(json, err);
    return true;
}
