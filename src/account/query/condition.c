#include "account/query/condition.h"

#include <string.h>

#include "bill/provider.h"

static bool unknown_dimension(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (int d = 0; d < DIMENSION_COUNT; d++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
    error_set(err, ERROR_USAGE, "there is no dimension '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "dimensions are provider, service, region, instance, gpu, team, "
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

bool condition_parse(struct str text, struct condition *out, struct error *err)
{
    struct str rest = text, name;

    *out = (struct condition){0};
    if (text.len == 0 || memchr(text.at, '=', text.len) == NULL) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a condition", STR_ARG(text));
        error_hint(err, "write team=nlp, 'gpu=H100*' or 'service!=AWS Support'");
        return false;
    }
    name = str_cut(&rest, '=');
    out->negated = str_ends(name, STR("!"));
    if (out->negated)
        name.len--;
    name = str_trim(name);
    out->of = dimension_find(name);
    if (out->of == DIMENSION_COUNT)
        return unknown_dimension(name, err);
    if (is_two(text, err))
        return false;
    out->glob = str_trim(rest);
    if (str_eq(out->glob, STR("(none)"))) /* as tables show it */
        out->glob = (struct str){0};
    out->near.wanted = out->glob;
    return true;
}

bool conditions_parse(struct strs texts, struct arena *arena, struct condition **out,
                      struct error *err)
{
    struct condition *all = arena_array(arena, struct condition, texts.len, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < texts.len; i++)
        if (!condition_parse(texts.at[i], &all[i], err))
            return false;
    *out = all;
    return true;
}

/* Is it nearer to what was wanted than all before? */
static void consider_value(struct condition *c, struct str value)
{
    if (c->hit || value.len == 0 || value.len > sizeof c->room)
        return;
    suggestion_try(&c->near, value);
    if (c->near.best.at == value.at) {
        memcpy(c->room, value.at, value.len);
        c->near.best.at = c->room;
    }
}

static bool matches(const struct condition *c, struct str value)
{
    if (c->glob.len == 0)
        return value.len == 0;
    return str_glob(value, c->glob) ||
           (c->of == DIMENSION_provider && provider_same(value, c->glob));
}

bool conditions_hold(struct condition *all, size_t count, const struct dimensions *of)
{
    size_t failing = 0, last = 0;

    for (size_t i = 0; i < count; i++) {
        bool match = matches(&all[i], of->of[all[i].of]);

        all[i].hit = all[i].hit || match;
        if (match == all[i].negated) {
            failing++;
            last = i;
        }
    }
    /* What is suggested is something that the other conditions admit: one of them may be that
     * who asks sees only a team. */
    if (failing == 1 && !all[last].negated)
        consider_value(&all[last], of->of[all[last].of]);
    return failing == 0;
}

void conditions_warn(const struct condition *all, size_t count, bool ever,
                     const struct messages *to)
{
    for (size_t i = 0; i < count; i++) {
        const struct condition *c = &all[i];
        struct str near = c->near.best;

        if (c->hit || c->glob.len == 0)
            continue;
        message_warn(to, "no cost %s has %s '%.*s'%s%.*s%s", ever ? "so far" : "of these days",
                     dimension_name(c->of), STR_ARG(c->glob),
                     near.len > 0 ? ": did you mean '" : "", STR_ARG(near),
                     near.len > 0 ? "'?" : "");
    }
}
