#include "generate/edit.h"

#include <assert.h>
#include <string.h>

#include "base/num.h"
#include "doc/json_write.h"

static struct setting *next_setting(struct settings *all, const char *path,
                                    enum value_kind kind)
{
    struct setting *setting = &all->at[all->len];
    struct str rest = str_from(path);

    assert(all->len < SETTINGS_MAX); /* the rules of the formats have far fewer */
    all->len++;
    *setting = (struct setting){.kind = kind};
    while (rest.len > 0 && setting->parts < PATH_PARTS)
        setting->part[setting->parts++] = str_cut(&rest, '.');
    return setting;
}

void set_number(struct settings *all, const char *path, int64_t value)
{
    struct setting *setting = next_setting(all, path, VALUE_NUMBER);

    (void)snprintf(setting->value, sizeof setting->value, "%lld", (long long)value);
}

void set_real(struct settings *all, const char *path, double value)
{
    struct setting *setting = next_setting(all, path, VALUE_NUMBER);

    (void)snprintf(setting->value, sizeof setting->value, "%.15g", value);
}

void set_flag(struct settings *all, const char *path, bool value)
{
    struct setting *setting = next_setting(all, path, VALUE_FLAG);

    (void)snprintf(setting->value, sizeof setting->value, "%s", value ? "true" : "false");
}

void set_word(struct settings *all, const char *path, const char *value)
{
    struct setting *setting = next_setting(all, path, VALUE_WORD);

    (void)snprintf(setting->value, sizeof setting->value, "%s", value);
}

static void set_some_text(struct settings *all, const char *path, enum value_kind kind,
                          struct str value)
{
    struct setting *setting;

    if (value.len >= sizeof setting->value)
        return;
    for (size_t i = 0; i < value.len; i++)
        if ((unsigned char)value.at[i] < ' ' || value.at[i] == '\x7f')
            return;
    setting = next_setting(all, path, kind);
    memcpy(setting->value, value.at, value.len);
    setting->value[value.len] = '\0';
}

void set_text(struct settings *all, const char *path, struct str value)
{
    set_some_text(all, path, VALUE_WORD, value);
}

void set_list(struct settings *all, const char *path, struct str words)
{
    set_some_text(all, path, VALUE_LIST, words);
}

void write_list(const struct setting *setting, struct buf *out)
{
    struct str rest = str_from(setting->value);

    buf_char(out, '[');
    for (bool more = false; rest.len > 0; more = true) {
        buf_adds(out, more ? ", " : "");
        json_write_text(str_cut(&rest, ','), out);
    }
    buf_char(out, ']');
}

const struct node *find_value(const struct node *root, const char *path)
{
    struct str rest = str_from(path);
    const struct node *node = root;

    while (rest.len > 0 && node != NULL)
        node = node->kind == NODE_MAP ? node_get(node, str_cut(&rest, '.')) : NULL;
    return node;
}

bool target_has(const struct target *target, const char *path)
{
    return find_value(target->root, path) != NULL;
}

const struct node *setting_find(const struct setting *setting, const struct node *root)
{
    const struct node *node = root;

    for (size_t i = 0; i < setting->parts && node != NULL; i++)
        node = node->kind == NODE_MAP ? node_get(node, setting->part[i]) : NULL;
    return node;
}

/* As YAML 1.1 and people spell it: -1 when it is neither. */
static int truth_of(struct str text)
{
    static const char *const spellings[] = {"false", "true", "no", "yes", "off", "on"};

    for (size_t i = 0; i < ARRAY_LEN(spellings); i++)
        if (str_eq_nocase(text, str_from(spellings[i])))
            return (int)(i & 1U);
    return -1;
}

static bool list_holds(const struct node *list, struct str wanted)
{
    const struct node *item = list->first;

    if (list->kind != NODE_LIST)
        return false;
    for (; item != NULL && wanted.len > 0; item = item->next)
        if (!str_eq(item->text, str_cut(&wanted, ',')))
            return false;
    return item == NULL && wanted.len == 0;
}

bool setting_holds(const struct setting *setting, const struct node *root)
{
    const struct node *node = setting_find(setting, root);
    struct str wanted = str_from(setting->value);
    double a, b;

    if (node != NULL && setting->kind == VALUE_LIST)
        return list_holds(node, wanted);
    if (node == NULL || node->kind != NODE_SCALAR)
        return false;
    if (setting->kind == VALUE_FLAG)
        return truth_of(node->text) == truth_of(wanted);
    if (setting->kind == VALUE_NUMBER)
        return num_read(node->text, &a) && num_read(wanted, &b) && !(a < b || a > b);
    return str_eq(node->text, wanted);
}

struct str neighbor(const struct settings *all, size_t index, size_t level)
{
    const struct setting *setting = &all->at[index];

    if (setting->after.len > 0 && level + 1 == setting->parts)
        return setting->after;
    for (size_t i = index; i-- > 0;) {
        const struct setting *other = &all->at[i];
        bool same = other->parts > level;

        for (size_t part = 0; part < level && same; part++)
            same = str_eq(other->part[part], setting->part[part]);
        if (same)
            return other->part[level];
    }
    return (struct str){0};
}

bool choice_has_precision(const struct config_choice *choice)
{
    return choice->precision < PRECISION_COUNT;
}

bool choice_has_recompute(const struct config_choice *choice)
{
    return choice->recompute < RECOMPUTE_COUNT;
}

bool edit_refuse(const struct edit *edit, unsigned line, const char *why, const char *hint,
                 struct error *err)
{
    const struct setting *setting = &edit->all->at[edit->index];
    struct str key = setting->part[setting->parts - 1];

    if (line > 0)
        error_set(err, ERROR_INPUT, "%s:%u: '%.*s' cannot be set: %s", edit->name, line,
                  STR_ARG(key), why);
    else
        error_set(err, ERROR_INPUT, "%s: '%.*s' cannot be set: %s", edit->name, STR_ARG(key),
                  why);
    error_hint(err, "%s", hint);
    return false;
}

struct str line_end_of(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '\n')
            return i > 0 && text.at[i - 1] == '\r' ? STR("\r\n") : STR("\n");
    return STR("\n");
}

size_t line_start(struct str text, size_t at)
{
    while (at > 0 && text.at[at - 1] != '\n')
        at--;
    return at;
}

size_t line_after(struct str text, size_t at)
{
    const char *end = at < text.len ? memchr(text.at + at, '\n', text.len - at) : NULL;

    return end != NULL ? (size_t)(end + 1 - text.at) : text.len;
}

size_t line_number(struct str text, unsigned line)
{
    size_t at = str_starts(text, STR("\xef\xbb\xbf")) ? 3 : 0;

    for (unsigned i = 1; i < line; i++)
        at = line_after(text, at);
    return at;
}

bool is_one_of(struct str set, char c)
{
    for (size_t i = 0; i < set.len; i++)
        if (set.at[i] == c)
            return true;
    return false;
}
