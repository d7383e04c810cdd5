/* TOML: the reader's texts refer to the source, so each value has its place. */
#include <string.h>

#include "base/num.h"
#include "doc/json_write.h"
#include "generate/edit.h"

static bool is_table(const struct node *node)
{
    return node->kind == NODE_MAP && node->text.at == NULL;
}

static size_t toml_place_of(struct str text, const char *at)
{
    return (size_t)(at - text.at);
}

/* The quote around a value; '\0' when there is none. */
static char quote_of(struct str text, const struct node *value)
{
    size_t at = toml_place_of(text, value->text.at);
    char c = at > 0 ? text.at[at - 1] : '\0';

    return value->kind == NODE_SCALAR && (c == '"' || c == '\'') ? c : '\0';
}

/* Between the quotes asked for, if the value can be; escapes only where it has both kinds. */
static void write_toml_setting(const struct setting *setting, char quote, struct buf *out)
{
    const char *value = setting->value;

    if (setting->kind == VALUE_WORD && quote == '\0')
        quote = '"';
    if (quote == '"' && strpbrk(value, "\"\\") != NULL)
        quote = '\'';
    if (quote == '\'' && strchr(value, '\'') != NULL)
        quote = '"';
    if (setting->kind == VALUE_LIST)
        write_list(setting, out);
    else if (quote == '"')
        json_write_text(str_from(value), out);
    else if (quote == '\'')
        buf_addf(out, "'%s'", value);
    else
        buf_adds(out, value);
}

static bool replace_toml_value(const struct edit *edit, const struct node *value,
                               struct buf *out, struct error *err)
{
    const struct setting *setting = &edit->all->at[edit->index];
    struct str text = edit->text;
    size_t from = toml_place_of(text, value->text.at), to = from + value->text.len;
    char quote = quote_of(text, value), written = quote;
    int64_t n;

    if (value->kind != NODE_SCALAR)
        return edit_refuse(edit, value->line, "it holds several values",
                           "put one value there, or take the key out", err);
    if (quote != '\0' && from >= 3 && text.at[from - 2] == quote && text.at[from - 3] == quote)
        return edit_refuse(edit, value->line, "its value may have several lines",
                           "write it between single quotes or double quotes", err);
    if (quote != '\0') {
        from--;
        to++;
    }
    if (setting->kind == VALUE_FLAG ||
        (setting->kind == VALUE_NUMBER && !num_int(value->text, &n)))
        written = '\0';
    buf_add(out, (struct str){text.at, from});
    write_toml_setting(setting, written, out);
    buf_add(out, (struct str){text.at + to, text.len - to});
    return true;
}

/* Where the last line of the value ends. */
static size_t after_value(struct str text, const struct node *value)
{
    size_t end = toml_place_of(text, value->text.at) + value->text.len;

    if (quote_of(text, value) != '\0') /* a string of several lines has more to step over */
        end++;
    return line_after(text, end);
}

/* Above the first table, with the comments that belong to it. */
static size_t before_tables(struct str text, const struct node *first)
{
    size_t at = line_number(text, first->key_line);

    while (at > 0 && text.at[line_start(text, at - 1)] == '#')
        at = line_start(text, at - 1);
    return at;
}

/* After which line a new key goes: its neighbor's, or the last of its table. */
static size_t place_in_table(const struct edit *edit, const struct node *table, struct str near)
{
    const struct node *last = NULL, *first_table = NULL;

    for (const struct node *child = table->first; child != NULL; child = child->next) {
        if (is_table(child) && first_table == NULL)
            first_table = child;
        if (is_table(child))
            continue;
        last = child;
        if (near.len > 0 && str_eq(child->key, near))
            break;
    }
    if (last != NULL)
        return after_value(edit->text, last);
    if (table != edit->root) /* only its header is there */
        return line_after(edit->text, line_number(edit->text, table->key_line));
    return first_table != NULL ? before_tables(edit->text, first_table) : edit->text.len;
}

static struct str indent_at(struct str text, size_t line)
{
    size_t end = line;

    while (end < text.len && (text.at[end] == ' ' || text.at[end] == '\t'))
        end++;
    return (struct str){text.at + line, end - line};
}

static void insert_line(const struct edit *edit, const struct node *table, struct buf *out)
{
    const struct setting *setting = &edit->all->at[edit->index];
    struct str near = neighbor(edit->all, edit->index, setting->parts - 1);
    struct str text = edit->text, end = line_end_of(text);
    size_t at = place_in_table(edit, table, near);
    bool open = at == text.len && at > 0 && text.at[at - 1] != '\n';
    bool heads = table == edit->root && (table->first == NULL || is_table(table->first));

    buf_add(out, (struct str){text.at, at});
    if (open)
        buf_add(out, end);
    if (table->first != NULL && !heads)
        buf_add(out, indent_at(text, line_number(text, table->first->key_line)));
    buf_add(out, setting->part[setting->parts - 1]);
    buf_adds(out, " = ");
    write_toml_setting(setting, '\0', out);
    if (!open)
        buf_add(out, end);
    if (heads && at < text.len) /* a blank line between the first keys and the tables below */
        buf_add(out, end);
    buf_add(out, (struct str){text.at + at, text.len - at});
}

bool toml_edit(const struct edit *edit, struct buf *out, struct error *err)
{
    const struct setting *setting = &edit->all->at[edit->index];
    const struct node *table = edit->root, *value;

    if (setting->parts == 2)
        table = node_get(table, setting->part[0]);
    value = setting_find(setting, edit->root);
    if (value != NULL)
        return replace_toml_value(edit, value, out, err);
    insert_line(edit, table, out);
    return true;
}
