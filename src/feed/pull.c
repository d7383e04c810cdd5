#include "feed/pull.h"

#include <inttypes.h>

static bool pull_rest(struct json *json, const struct json_token *opened, pull_each *each,
                      void *ctx, const bool *enough, struct error *err)
{
    unsigned depth = opened->depth;
    struct json_token token;

    while (enough == NULL || !*enough) {
        if (!json_next(json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END || token.kind == JSON_ARRAY_END)
            return true;
        if (!each(ctx, &token, err))
            return false;
    }
    return json_leave(json, depth, err);
}

static bool pull_next(struct json *json, const char *what, enum json_kind kind, pull_each *each,
                      void *ctx, const bool *enough, struct error *err)
{
    struct json_token token;

    if (!json_next(json, &token, err))
        return false;
    if (token.kind != kind)
        return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": %s is not an %s",
                          json_line(json), what, kind == JSON_OBJECT ? "object" : "array");
    return pull_rest(json, &token, each, ctx, enough, err);
}

bool pull_object(struct json *json, const char *what, pull_each *each, void *ctx,
                 struct error *err)
{
    return pull_next(json, what, JSON_OBJECT, each, ctx, NULL, err);
}

bool pull_object_until(struct json *json, const char *what, pull_each *each, void *ctx,
                       const bool *enough, struct error *err)
{
    return pull_next(json, what, JSON_OBJECT, each, ctx, enough, err);
}

bool pull_array(struct json *json, const char *what, pull_each *each, void *ctx,
                struct error *err)
{
    return pull_next(json, what, JSON_ARRAY, each, ctx, NULL, err);
}

bool pull_opened(struct json *json, const struct json_token *opened, pull_each *each, void *ctx,
                 struct error *err)
{
    return pull_rest(json, opened, each, ctx, NULL, err);
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
