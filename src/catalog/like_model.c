/* The model whose name is most like another: by its parts, then by its letters.
 *
 * "llama-70b" is more like "llama-3-70b" than like "llama-30b": a part that says a size is
 * right or wrong, and one that is missing is worth less than one that is wrong. */
#include "catalog/catalog.h"

#include "base/characters.h"

enum { PARTS_MAX = 12, WRONG = 3, MISSING = 1 };

struct name_parts {
    struct str at[PARTS_MAX];
    size_t count;
};

/* "llama3" has two parts, "70b" is one. */
static bool starts_part(struct str name, size_t i)
{
    return is_digit(name.at[i]) && is_letter(name.at[i - 1]);
}

static bool is_between_parts(char c)
{
    return c == '-' || c == '_' || c == ' ';
}

static struct name_parts split_name(struct str name)
{
    struct name_parts p = {.count = 0};
    size_t from = 0;

    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '/')
            from = i + 1;
    for (size_t i = from; i <= name.len && p.count < PARTS_MAX; i++) {
        bool between = i == name.len || is_between_parts(name.at[i]);

        if (!between && (i == from || !starts_part(name, i)))
            continue;
        if (i > from)
            p.at[p.count++] = (struct str){name.at + from, i - from};
        from = between ? i + 1 : i;
    }
    return p;
}

/* Edits of one part; a number is right or wrong. */
static unsigned part_distance(struct str wanted, struct str part)
{
    unsigned limit = (unsigned)(wanted.len + 2) / 3, distance;

    if (str_eq_nocase(wanted, part))
        return 0;
    if (is_digit(wanted.at[0]) || is_digit(part.at[0]))
        return WRONG;
    distance = str_distance(wanted, part, limit);
    return distance <= limit ? distance : WRONG;
}

/* How far the parts of a name are from those wanted; `family`: the first are alike. */
static unsigned parts_distance(const struct name_parts *wanted, struct str name, bool *family)
{
    struct name_parts p = split_name(name);
    bool used[PARTS_MAX] = {false};
    unsigned sum = 0;

    *family = false;
    for (size_t i = 0; i < wanted->count; i++) {
        unsigned best = WRONG;
        size_t at = p.count;

        for (size_t k = 0; k < p.count; k++) {
            unsigned d = used[k] ? WRONG : part_distance(wanted->at[i], p.at[k]);

            if (d < best) {
                best = d;
                at = k;
            }
        }
        if (at < p.count)
            used[at] = true;
        if (i == 0 && at == 0)
            *family = true;
        sum += best;
    }
    for (size_t k = 0; k < p.count; k++)
        if (!used[k])
            sum += MISSING;
    return sum;
}

struct likeness {
    struct name_parts wanted;
    struct suggestion *s;
    struct str best;
    unsigned parts, letters; /* of parts, another family counts as a wrong one */
    bool same_family;        /* the best's first part is the one wanted */
};

static bool has_same_family(const struct name_parts *wanted, struct str name)
{
    struct name_parts p = split_name(name);

    return p.count > 0 && wanted->count > 0 && str_eq_nocase(p.at[0], wanted->at[0]);
}

static void try_likeness(struct likeness *l, struct str name)
{
    const unsigned limit = (unsigned)(l->s->wanted.len + 2) / 3;
    bool family, same = has_same_family(&l->wanted, name);
    unsigned parts = parts_distance(&l->wanted, name, &family), letters;

    suggestion_try(l->s, name);
    if (!family || parts > limit)
        return;
    parts += same ? 0 : WRONG;
    if (l->best.len > 0 && parts > l->parts)
        return;
    letters = str_distance(l->s->wanted, name, 64);
    if (l->best.len > 0 && parts == l->parts && letters > l->letters)
        return; /* of equals the later one, which is the newer model */
    l->best = name;
    l->parts = parts;
    l->letters = letters;
    l->same_family = same;
}

void model_suggest(const struct catalog *catalog, struct suggestion *s)
{
    struct likeness l = {.wanted = split_name(s->wanted), .s = s};

    for (size_t i = 0; i < catalog->tables[TABLE_MODELS].len; i++) {
        const struct model *m = CATALOG_ROW(catalog, TABLE_MODELS, model, i);
        struct str aliases = m->aliases;

        try_likeness(&l, m->name);
        while (aliases.len > 0)
            try_likeness(&l, str_trim(str_cut(&aliases, ';')));
    }
    for (size_t i = 0; i < catalog->tables[TABLE_IMAGE_MODELS].len; i++)
        try_likeness(&l, CATALOG_ROW(catalog, TABLE_IMAGE_MODELS, image_model, i)->name);
    try_likeness(&l, STR("lstm-h128-l2"));
    if (l.best.len > 0 && (l.same_family || s->distance > 0))
        s->best = l.best;
}
