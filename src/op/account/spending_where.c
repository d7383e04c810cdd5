/* Conditions on dimensions. */
#include "op/account/spending_work.h"

#include <string.h>

static bool unknown_dimension(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (int d = 0; d < DIMENSION_COUNT; d++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
    error_set(err, ERROR_USAGE, "there is no dimension '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "costs are told by provider, service, region, instance, gpu, team, "
                        "project and more: 'stint costs --help'");
    return false;
}

/* "team=nlp,project=scan": a comma, and another dimension with its sign. */
static bool is_two(struct str text, struct error *err)
{
    for (size_t i = 0; i < text.len; i++) {
        struct str rest = {text.at + i + 1, text.len - i - 1}, name;

        if (text.at[i] != ',' || memchr(rest.at, '=', rest.len) == NULL)
            continue;
        name = str_cut(&rest, '=');
        name.len -= str_ends(name, STR("!"));
        if (dimension_find(str_trim(name)) == DIMENSION_COUNT)
            continue;
        error_set(err, ERROR_USAGE, "'%.*s' are two conditions", STR_ARG(text));
        error_hint(err, "give each its own: --where '%.*s' --where '%.*s'", (int)i, text.at,
                   (int)(text.len - i - 1), text.at + i + 1);
        return true;
    }
    return false;
}

bool spending_condition(struct str text, enum dimension *d, bool *negated, struct str *glob,
                        struct error *err)
{
    struct str rest = text, name;

    if (text.len == 0 || memchr(text.at, '=', text.len) == NULL) {
        error_set(err, ERROR_USAGE, "'%.*s' is no condition", STR_ARG(text));
        error_hint(err, "write team=nlp, 'gpu=H100*' or 'service!=AWS Support'");
        return false;
    }
    name = str_cut(&rest, '=');
    *negated = str_ends(name, STR("!"));
    if (*negated)
        name.len--;
    name = str_trim(name);
    *d = dimension_find(name);
    if (*d == DIMENSION_COUNT)
        return unknown_dimension(name, err);
    if (is_two(text, err))
        return false;
    *glob = str_trim(rest);
    if (str_eq(*glob, STR("(none)"))) /* as tables show it */
        *glob = (struct str){0};
    return true;
}

bool spending_conditions(struct strs texts, struct arena *arena, struct spending_where **out,
                         struct error *err)
{
    struct spending_where *where = arena_array(arena, struct spending_where, texts.len, err);

    if (where == NULL)
        return false;
    for (size_t i = 0; i < texts.len; i++) {
        if (!spending_condition(texts.at[i], &where[i].of, &where[i].negated, &where[i].glob,
                                err))
            return false;
        where[i].near.wanted = where[i].glob;
    }
    *out = where;
    return true;
}

static void consider(struct spending_where *w, struct str value)
{
    if (w->hit || value.len == 0 || value.len > sizeof w->room)
        return;
    suggestion_try(&w->near, value);
    if (w->near.best.at == value.at) {
        memcpy(w->room, value.at, value.len);
        w->near.best.at = w->room;
    }
}

static bool matches(const struct spending_where *w, struct str value)
{
    if (w->glob.len == 0)
        return value.len == 0;
    return str_glob(value, w->glob) ||
           (w->of == DIMENSION_provider && provider_same(value, w->glob));
}

bool spending_wanted(struct spending_where *where, size_t count, const struct dimensions *of)
{
    bool wanted = true;

    for (size_t i = 0; i < count; i++) {
        bool match = matches(&where[i], of->of[where[i].of]);

        if (match)
            where[i].hit = true;
        else
            consider(&where[i], of->of[where[i].of]);
        wanted = wanted && match != where[i].negated;
    }
    return wanted;
}

void spending_say_unmatched(const struct op_context *ctx, const struct spending_query *query,
                            const struct spending_where *where)
{
    bool ever = query->since.n == DAY_UNKNOWN.n && query->until.n == DAY_UNKNOWN.n;

    for (size_t i = 0; i < query->where.len; i++) {
        const struct spending_where *w = &where[i];
        struct str near = w->near.best;

        if (w->hit || w->glob.len == 0)
            continue;
        message_warn(&ctx->messages, "no cost %s has %s '%.*s'%s%.*s%s",
                     ever ? "so far" : "of these days", dimension_name(w->of), STR_ARG(w->glob),
                     near.len > 0 ? ": did you mean '" : "", STR_ARG(near),
                     near.len > 0 ? "'?" : "");
    }
}
