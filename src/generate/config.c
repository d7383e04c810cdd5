/* Merging: the format's rules say which keys get which values, the text is edited one key at a
 * time, and the values afterwards are compared with those before. */
#include "generate/config.h"

#include <string.h>

#include "generate/edit.h"

#define CONFIG_MAX ((size_t)256 * 1024)

static const struct {
    bool (*settings)(const struct target *target, struct settings *out, struct error *err);
    /* What is started from when there is no file; NULL: the format has no such syntax. */
    const char *fresh[SYNTAX_TOML + 1];
    const char *what;
} formats[] = {
    [CONFIG_DEEPSPEED] =
        {
            deepspeed_settings,
            {[SYNTAX_JSON] = "{\n"
                             "    \"train_micro_batch_size_per_gpu\": \"auto\",\n"
                             "    \"gradient_accumulation_steps\": \"auto\",\n"
                             "    \"train_batch_size\": \"auto\",\n"
                             "    \"zero_optimization\": {\n"
                             "        \"stage\": 0\n"
                             "    }\n"
                             "}\n"},
            "a DeepSpeed configuration is JSON",
        },
    [CONFIG_ACCELERATE] =
        {
            accelerate_settings,
            {[SYNTAX_JSON] = "{\n"
                             "  \"compute_environment\": \"LOCAL_MACHINE\",\n"
                             "  \"machine_rank\": 0,\n"
                             "  \"main_training_function\": \"main\"\n"
                             "}\n",
             [SYNTAX_YAML] = "compute_environment: LOCAL_MACHINE\n"
                             "machine_rank: 0\n"
                             "main_training_function: main\n"},
            "an accelerate configuration is YAML",
        },
    [CONFIG_KOHYA] =
        {
            kohya_settings,
            {[SYNTAX_TOML] = "# for --config_file of sd-scripts\n"},
            "a kohya configuration is TOML",
        },
    [CONFIG_HF] =
        {
            hf_settings,
            {[SYNTAX_JSON] = "{\n  \"output_dir\": \"output\"\n}\n",
             [SYNTAX_YAML] = "output_dir: output\n"},
            "training arguments are JSON or YAML",
        },
};

_Static_assert(ARRAY_LEN(formats) == CONFIG_FORMATS, "one for each");

static struct node *read_config_text(enum syntax syntax, struct str text, const char *name,
                                     struct arena *arena, struct error *err)
{
    if (syntax == SYNTAX_JSON)
        return json_read(text, name, arena, err);
    if (syntax == SYNTAX_YAML)
        return yaml_read_written_out(text, name, arena, err);
    return toml_read(text, name, arena, err);
}

static bool edit_text(enum syntax syntax, const struct edit *edit, struct buf *out,
                      struct error *err)
{
    if (syntax == SYNTAX_JSON)
        return json_edit(edit, out, err);
    if (syntax == SYNTAX_YAML)
        return yaml_edit(edit, out, err);
    return toml_edit(edit, out, err);
}

static size_t first_of(struct str text)
{
    size_t i = 0;

    while (i < text.len && is_one_of(STR(" \t\r\n"), text.at[i]))
        i++;
    return i;
}

static enum syntax syntax_of(enum config_format format, struct str text, const char *name)
{
    size_t first = first_of(text);
    bool json =
        first < text.len ? text.at[first] == '{' : str_ends(str_from(name), STR(".json"));

    if (format == CONFIG_KOHYA)
        return SYNTAX_TOML;
    return format == CONFIG_DEEPSPEED || json ? SYNTAX_JSON : SYNTAX_YAML;
}

/* Is the node under `trail` one that a setting is, or is a section of one that is? */
static bool is_set(const struct settings *all, const struct str *trail, size_t len,
                   bool *section)
{
    bool found = false;

    *section = false;
    for (size_t i = 0; i < all->len; i++) {
        const struct setting *setting = &all->at[i];
        bool same = setting->parts >= len;

        for (size_t part = 0; part < len && same; part++)
            same = str_eq(setting->part[part], trail[part]);
        found |= same && setting->parts == len;
        *section |= same && setting->parts > len;
    }
    return found;
}

static bool same_value(const struct node *a, const struct node *b)
{
    const struct node *x = a->first, *y = b->first;

    if (a->kind != b->kind || !str_eq(a->text, b->text) || !str_eq(a->key, b->key))
        return false;
    for (; x != NULL && y != NULL; x = x->next, y = y->next)
        if (!same_value(x, y))
            return false;
    return x == NULL && y == NULL;
}

/* Does `after` have all values of `before`, except for the settings, and nothing more?
 * Both keep the order of the text. */
static bool same_rest(const struct node *before, const struct node *after,
                      const struct settings *all, struct str *trail, size_t len)
{
    const struct node *old = before->first;

    for (const struct node *new = after->first; new != NULL; new = new->next) {
        bool section, set;

        trail[len] = new->key;
        set = is_set(all, trail, len + 1, &section);
        if (old == NULL || !str_eq(old->key, new->key)) {
            if (!set && !section)
                return false;
            continue;
        }
        if (section ? !same_rest(old, new, all, trail, len + 1) : !set && !same_value(old, new))
            return false;
        old = old->next;
    }
    return old == NULL;
}

static bool check_result(const struct node *before, const struct node *after,
                         const struct settings *all, const char *name, struct error *err)
{
    struct str trail[PATH_PARTS + 1];
    struct str key = {0};

    for (size_t i = 0; i < all->len && key.len == 0; i++)
        if (!setting_holds(&all->at[i], after))
            key = all->at[i].part[all->at[i].parts - 1];
    if (key.len == 0 && same_rest(before, after, all, trail, 0))
        return true;
    if (key.len > 0)
        error_set(err, ERROR_INPUT, "%s: '%.*s' cannot be set in a file of this form", name,
                  STR_ARG(key));
    else
        error_set(err, ERROR_INPUT,
                  "%s: the file cannot be changed without changing what else it says", name);
    error_hint(err, "write every key and its value on a line of their own");
    return false;
}

/* The text after all edits, in one of the two buffers. */
struct merging {
    enum syntax syntax;
    const char *name;
    struct arena *arena;
    struct buf room[2];
    struct str text;
};

static bool read_again(const struct merging *m, struct arena *arena, const struct node **root,
                       struct error *err)
{
    struct error why = {0};

    *root = read_config_text(m->syntax, m->text, m->name, arena, &why);
    if (*root != NULL)
        return true;
    if (why.kind == ERROR_MEMORY)
        return error_memory(err);
    error_set(err, ERROR_INPUT, "%s: a file of this form cannot be edited", m->name);
    error_hint(err, "write every key and its value on a line of their own");
    return false;
}

static bool apply_one(struct merging *m, const struct settings *all, size_t index,
                      struct error *err)
{
    struct arena scratch = {.alloc = m->arena->alloc, .block_size = m->arena->block_size};
    struct edit edit = {.text = m->text, .name = m->name, .all = all, .index = index};
    struct buf *out = &m->room[index & 1U];
    bool ok = read_again(m, &scratch, &edit.root, err);

    if (ok && !setting_holds(&all->at[index], edit.root)) {
        /* The other buffer may hold the text. */
        if (m->text.at == out->at)
            out = &m->room[~index & 1U];
        buf_clear(out);
        ok = edit_text(m->syntax, &edit, out, err) && buf_ok(out, err);
        if (ok)
            m->text = buf_text(out);
    }
    arena_free(&scratch);
    return ok;
}

static bool merge_into(struct merging *m, enum config_format format,
                       const struct config_choice *choice, bool fresh, struct error *err)
{
    struct target target = {
        .choice = choice, .name = m->name, .fresh = fresh, .arena = m->arena};
    struct settings all = {.len = 0};
    const struct node *after;

    target.root = read_config_text(m->syntax, m->text, m->name, m->arena, err);
    if (target.root == NULL) {
        if (err->kind == ERROR_INPUT && err->hint[0] == '\0')
            error_hint(err, "%s", formats[format].what);
        return false;
    }
    if (target.root->kind != NODE_MAP && target.root->kind != NODE_NULL) {
        error_set(err, ERROR_INPUT, "%s: expected keys and values", m->name);
        error_hint(err, "%s", formats[format].what);
        return false;
    }
    if (!formats[format].settings(&target, &all, err))
        return false;
    for (size_t i = 0; i < all.len; i++)
        if (!apply_one(m, &all, i, err))
            return false;
    return read_again(m, m->arena, &after, err) &&
           check_result(target.root, after, &all, m->name, err);
}

bool config_merge(enum config_format format, const struct config_choice *choice,
                  struct str base, const char *name, struct arena *arena, struct buf *out,
                  struct error *err)
{
    struct merging m = {
        .syntax = syntax_of(format, base, name),
        .name = name,
        .arena = arena,
        .room = {buf_new(arena->alloc, 2 * CONFIG_MAX), buf_new(arena->alloc, 2 * CONFIG_MAX)},
        .text = base};
    bool fresh = first_of(base) == base.len, ok;

    if (base.len > CONFIG_MAX)
        return error_fail(err, ERROR_INPUT, "%s: larger than 256 KB: not a configuration",
                          name);
    if (fresh)
        m.text = str_from(formats[format].fresh[m.syntax]);
    ok = merge_into(&m, format, choice, fresh, err);
    if (ok) {
        buf_add(out, m.text);
        ok = buf_ok(out, err);
    }
    buf_free(&m.room[0]);
    buf_free(&m.room[1]);
    return ok;
}
