/* Models, by the names that users type. */
#include "base/characters.h"
#include "catalog/catalog.h"

#include <string.h>

#define FOLDED_MAX 96

struct folded {
    char text[FOLDED_MAX];
    size_t len;
};

/* Without "-4bit" at its end, which is no "4b-it": in folded names they are the same. */
static struct str drop_bits(struct str name)
{
    static const char *const endings[] = {"3bit", "4bit", "5bit", "6bit", "8bit"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        struct str ending = str_from(endings[i]);

        if (name.len > ending.len &&
            str_eq_nocase((struct str){name.at + name.len - ending.len, ending.len}, ending))
            return (struct str){name.at, name.len - ending.len};
    }
    return name;
}

/* "Q4_K_M", "IQ2_XXS", "Q8_0", "TQ1_0", "F16", "BF16": the bits; 0: it is none of these. */
static int quantization_of(struct str word)
{
    size_t i = 0;

    if (str_eq_nocase(word, STR("f16")) || str_eq_nocase(word, STR("bf16")) ||
        str_eq_nocase(word, STR("fp16")))
        return 16;
    if (str_eq_nocase(word, STR("f32")))
        return 32;
    if (word.len > 0 && (to_lower(word.at[0]) == 'i' || to_lower(word.at[0]) == 't'))
        i++;
    if (word.len < i + 2 || word.len > 10 || to_lower(word.at[i]) != 'q' ||
        word.at[i + 1] < '1' || word.at[i + 1] > '8')
        return 0;
    for (size_t k = i + 2; k < word.len; k++)
        if (strchr("0123456789_kmslx", to_lower(word.at[k])) == NULL ||
            (k == i + 2 && word.at[k] != '_'))
            return 0;
    return word.at[i + 1] - '0';
}

bool gguf_name(struct str name, struct str *model, int *bits)
{
    const struct str ending = STR("gguf");
    bool is_gguf = str_has_nocase(name, ending);

    *model = name;
    *bits = 0;
    if (name.len > ending.len + 1 && name.at[name.len - ending.len - 1] == '.' &&
        str_eq_nocase((struct str){name.at + name.len - ending.len, ending.len}, ending))
        name.len -= ending.len + 1;
    for (size_t i = 1; i < name.len && *bits == 0; i++)
        if (strchr("-._:", name.at[i - 1]) != NULL) {
            *bits = quantization_of((struct str){name.at + i, name.len - i});
            model->len = i - 1;
        }
    if (*bits == 0)
        *model = name;
    /* "Llama-2-7B-bf16" is no file of llama.cpp's */
    if (*bits > 8 && !is_gguf) {
        *model = name;
        *bits = 0;
    }
    return is_gguf || *bits > 0;
}

/* "meta-llama/Llama-2-7b-hf" and "llama 2 7B" are one: the owner, case, blanks, hyphens,
 * underscores, colons and brackets do not distinguish models, except between two digits, where
 * any of them is a point: regnet_x_1_6gf is not regnet_x_16gf. Empty when too long to be a
 * name. */
static struct folded fold_model_name(struct str name)
{
    struct folded f = {.len = 0};
    bool apart = false;
    int bits;

    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '/') {
            name.at += i + 1;
            name.len -= i + 1;
            i = (size_t)-1;
        }
    (void)gguf_name(name, &name, &bits);
    name = drop_bits(name);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];

        if (c == ' ' || c == '-' || c == '_' || c == '(' || c == ')' || c == ':') {
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
        "bnb",      "hf",       "instruct", "chat",       "base",  "it",    "fp8",      "awq",
        "gptqint4", "gptqint8", "gptq",     "int4",       "int8",  "nvfp4", "fp4",      "2507",
        "2506",     "thinking", "dynamic",  "awqint4",    "mxfp4", "v0.1",  "v0.2",     "v0.3",
        "unsloth",  "gguf",     "mlx",      "w4a16",      "w8a8",  "w8a16", "bf16",     "fp16",
        "exl2",     "hqq",      "nf4",      "quantized.", "g128",  "eetq",  "quantized"};

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        struct str ending = str_from(endings[i]);

        if (name->len > ending.len + 2 && str_ends(*name, ending)) {
            name->len -= ending.len;
            return true;
        }
    }
    return false;
}

static bool is_wanted_model(struct str name, struct str aliases, struct str wanted)
{
    struct folded f = fold_model_name(name);

    if (f.len == wanted.len && str_eq((struct str){f.text, f.len}, wanted))
        return true;
    while (aliases.len > 0) {
        f = fold_model_name(str_trim(str_cut(&aliases, ';')));
        if (f.len > 0 && str_eq((struct str){f.text, f.len}, wanted))
            return true;
    }
    return false;
}

const struct model *model_find(const struct catalog *catalog, struct str name)
{
    struct folded f = fold_model_name(name);
    struct str wanted = {f.text, f.len};

    do {
        for (size_t i = 0; wanted.len > 0 && i < catalog->tables[TABLE_MODELS].len; i++) {
            const struct model *m = CATALOG_ROW(catalog, TABLE_MODELS, model, i);

            if (is_wanted_model(m->name, m->aliases, wanted))
                return m;
        }
    } while (drop_ending(&wanted));
    return NULL;
}

/* ---- names of hosted APIs ---- */

static bool is_same_model_name(struct str a, struct str b)
{
    struct folded x = fold_model_name(a), y = fold_model_name(b);

    return x.len > 0 && x.len == y.len && memcmp(x.text, y.text, x.len) == 0;
}

static bool is_id_mark(char c)
{
    return c == '-' || c == '.' || c == '/';
}

struct str model_hub_id(const struct catalog *catalog, struct str name)
{
    static const char before[] = "config.json of ";
    const struct model *m = model_find(catalog, name);
    struct str text = m != NULL ? m->fact.source : (struct str){0}, id;

    while (text.len > 0 && !str_starts(text, str_from(before)))
        text = (struct str){text.at + 1, text.len - 1};
    if (text.len == 0)
        return text;
    id = (struct str){text.at + strlen(before), 0};
    while (id.len < text.len - strlen(before) &&
           (is_name_character(id.at[id.len]) || is_id_mark(id.at[id.len])))
        id.len++;
    if (memchr(id.at, '/', id.len) == NULL || model_find(catalog, id) != m ||
        (!is_same_model_name(name, m->name) && !is_same_model_name(name, id)))
        return (struct str){0};
    return id;
}

static struct str model_text_after(struct str text, size_t at)
{
    return (struct str){text.at + at, text.len - at};
}

/* "meta.llama3", "us.meta.llama3": what is before the model's own name. */
static struct str drop_vendors(struct str name)
{
    for (size_t i = 0; i + 1 < name.len; i++) {
        if (is_letter_or_digit(name.at[i]))
            continue;
        if (name.at[i] != '.' || i == 0 || is_digit(name.at[i - 1]) ||
            !is_letter(name.at[i + 1]))
            break;
        name = model_text_after(name, i + 1);
        i = (size_t)-1;
    }
    return name;
}

/* The last part of a path without vendors, "v1:0" as "v1.0", "2p5" as "2.5". */
static struct str spell_hosted(struct str name, char out[static FOLDED_MAX])
{
    size_t len = 0;

    for (size_t i = 0; i < name.len; i++)
        if (name.at[i] == '/') {
            name = model_text_after(name, i + 1);
            i = (size_t)-1;
        }
    name = drop_vendors(name);
    if (name.len >= FOLDED_MAX)
        return (struct str){0};
    for (; len < name.len; len++) {
        char c = to_lower(name.at[len]);
        bool within = len > 0 && len + 1 < name.len && is_digit(name.at[len - 1]) &&
                      is_digit(name.at[len + 1]);

        out[len] = c == ':' || (c == 'p' && within) ? '.' : c;
    }
    return (struct str){out, len};
}

/* "-v1.0", "-v2": a version of the API's, not of the model. */
static bool drop_version(struct str *name)
{
    size_t at = name->len;

    while (at > 0 && (is_digit(name->at[at - 1]) || name->at[at - 1] == '.'))
        at--;
    if (at == name->len || at < 3 || name->at[at - 1] != 'v' || name->at[at - 2] != '-')
        return false;
    name->len = at - 2;
    return true;
}

/* How fast or how cheaply it is served, and for which family. */
static bool drop_offer(struct str *name)
{
    static const char *const endings[] = {"-turbo", "-instant",   "-versatile", "-tput",
                                          "-lite",  "-reference", "-free",      "-maas"};

    if (str_starts(*name, STR("open-"))) {
        *name = model_text_after(*name, 5);
        return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (str_ends(*name, str_from(endings[i]))) {
            name->len -= str_from(endings[i]).len;
            return true;
        }
    return drop_version(name);
}

/* Is one name within the other? "Meta-Llama-3-8B" is a name of llama-3-8b, QwQ-32B none of
 * qwen2.5-32b, whose architecture it has. */
static bool is_own_name(const struct model *m, struct str wanted)
{
    struct folded f = fold_model_name(m->name);
    struct str own = {f.text, f.len};

    return str_has_nocase(own, wanted) || str_has_nocase(wanted, own);
}

const struct model *hosted_model_find(const struct catalog *catalog, struct str name)
{
    char text[FOLDED_MAX];
    struct str left = spell_hosted(name, text);

    do {
        const struct model *m = left.len > 0 ? model_find(catalog, left) : NULL;
        struct folded f = fold_model_name(left);
        struct str wanted = {f.text, f.len};

        while (m != NULL && drop_ending(&wanted))
            continue;
        if (m != NULL && is_own_name(m, wanted))
            return m;
    } while (left.len > 0 && drop_offer(&left));
    return NULL;
}

const struct image_model *image_model_find(const struct catalog *catalog, struct str name)
{
    struct folded f = fold_model_name(name);

    for (size_t i = 0; f.len > 0 && i < catalog->tables[TABLE_IMAGE_MODELS].len; i++) {
        const struct image_model *m = CATALOG_ROW(catalog, TABLE_IMAGE_MODELS, image_model, i);

        if (is_wanted_model(m->name, m->aliases, (struct str){f.text, f.len}))
            return m;
    }
    return NULL;
}
