/* Models, by the names that users type. */
#include "base/characters.h"
#include "catalog/catalog.h"

#define FOLDED_MAX 96

struct folded {
    char text[FOLDED_MAX];
    size_t len;
};

/* "meta-llama/Llama-2-7b-hf" and "llama 2 7B" are one: the owner, case, blanks, hyphens,
 * underscores and brackets do not distinguish models, except between two digits, where any of
 * them is a point: regnet_x_1_6gf is not regnet_x_16gf. Empty when too long to be a name. */
static struct folded fold_name(struct str name)
{
    struct folded f = {.len = 0};
    bool apart = false;

    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '/') {
            name.at += i + 1;
            name.len -= i + 1;
            i = (size_t)-1;
        }
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (c == ' ' || c == '-' || c == '_' || c == '(' || c == ')') {
            apart = true;
            continue;
        }
        if (f.len + 2 > FOLDED_MAX)
            return (struct folded){.len = 0};
        if (apart && f.len > 0 && is_digit(f.text[f.len - 1]) && is_digit(c))
            f.text[f.len++] = '.';
        apart = false;
        f.text[f.len++] = to_lower(c);
    }
    return f;
}

/* What a name may end with and still be the same architecture. */
static bool drop_ending(struct str *name)
{
    static const char *const endings[] = {
        "hf",       "instruct", "chat",    "base",  "it",      "fp8",  "awq",  "gptqint4",
        "gptqint8", "gptq",     "int4",    "int8",  "nvfp4",   "fp4",  "2507", "2506",
        "thinking", "dynamic",  "awqint4", "mxfp4", "bnb4bit", "v0.1", "v0.2", "v0.3"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        struct str ending = str_from(endings[i]);

        if (name->len > ending.len + 2 && str_ends(*name, ending)) {
            name->len -= ending.len;
            return true;
        }
    }
    return false;
}

static bool is_model(struct str name, struct str aliases, struct str wanted)
{
    struct folded f = fold_name(name);

    if (f.len == wanted.len && str_eq((struct str){f.text, f.len}, wanted))
        return true;
    while (aliases.len > 0) {
        f = fold_name(str_trim(str_cut(&aliases, ';')));
        if (f.len > 0 && str_eq((struct str){f.text, f.len}, wanted))
            return true;
    }
    return false;
}

const struct model *model_find(const struct catalog *catalog, struct str name)
{
    struct folded f = fold_name(name);
    struct str wanted = {f.text, f.len};

    do {
        for (size_t i = 0; wanted.len > 0 && i < catalog->tables[TABLE_MODELS].len; i++) {
            const struct model *m = CATALOG_ROW(catalog, TABLE_MODELS, model, i);

            if (is_model(m->name, m->aliases, wanted))
                return m;
        }
    } while (drop_ending(&wanted));
    return NULL;
}

const struct image_model *image_model_find(const struct catalog *catalog, struct str name)
{
    struct folded f = fold_name(name);

    for (size_t i = 0; f.len > 0 && i < catalog->tables[TABLE_IMAGE_MODELS].len; i++) {
        const struct image_model *m = CATALOG_ROW(catalog, TABLE_IMAGE_MODELS, image_model, i);

        if (is_model(m->name, m->aliases, (struct str){f.text, f.len}))
            return m;
    }
    return NULL;
}

void model_suggest(const struct catalog *catalog, struct suggestion *s)
{
    for (size_t i = 0; i < catalog->tables[TABLE_MODELS].len; i++) {
        const struct model *m = CATALOG_ROW(catalog, TABLE_MODELS, model, i);
        struct str aliases = m->aliases;

        suggestion_try(s, m->name);
        while (aliases.len > 0)
            suggestion_try(s, str_trim(str_cut(&aliases, ';')));
    }
    for (size_t i = 0; i < catalog->tables[TABLE_IMAGE_MODELS].len; i++)
        suggestion_try(s, CATALOG_ROW(catalog, TABLE_IMAGE_MODELS, image_model, i)->name);
}
