/* YAML: the reader of src/doc reports where keys and values start; where a value ends is seen
 * in the text. Only values on one line are changed. */
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "doc/json_write.h"
#include "generate/edit.h"

static const char own_line[] = "write it as KEY: VALUE on a line of its own";

/* A section (a map), and the line before which it ends. */
struct section {
    const struct node *map;
    unsigned bound; /* 0: the end of the text */
};

/* libyaml counts characters; lines end with LF here, since check_yaml_text() let it pass. */
static size_t offset_of(struct str text, unsigned line, unsigned column)
{
    size_t at = line_number(text, line);

    for (unsigned i = 1; i < column && at < text.len; i++) {
        size_t width = str_character((struct str){text.at + at, text.len - at});

        at += width > 0 && width <= text.len - at ? width : 1;
    }
    return at < text.len ? at : text.len;
}

static char byte_at(struct str text, size_t at)
{
    return at < text.len ? text.at[at] : '\n';
}

/* Other line ends than LF and CR LF count as such in YAML too: they would move the places. */
static bool check_yaml_text(const struct edit *edit, struct error *err)
{
    struct str text = edit->text;
    bool odd = str_starts(text, STR("\xff\xfe")) || str_starts(text, STR("\xfe\xff"));

    for (size_t i = 0; i < text.len && !odd; i++) {
        struct str rest = {text.at + i, text.len - i};

        odd = (rest.at[0] == '\r' && byte_at(text, i + 1) != '\n') ||
              (rest.at[0] == '\r' && i + 1 == text.len) || str_starts(rest, STR("\xc2\x85")) ||
              str_starts(rest, STR("\xe2\x80\xa8")) || str_starts(rest, STR("\xe2\x80\xa9"));
    }
    if (!odd)
        return true;
    return edit_refuse(edit, 0, "the lines of the file end in an unusual way",
                       "save it as UTF-8, with lines that end in LF or CR LF", err);
}

/* Past the closing quote, or 0 when it is not on this line. */
static size_t quoted_end(struct str text, size_t at)
{
    char quote = text.at[at];

    for (at++; at < text.len && text.at[at] != '\n'; at++) {
        if (quote == '"' && text.at[at] == '\\') {
            at++;
            if (byte_at(text, at) == '\n')
                return 0;
        } else if (text.at[at] == quote) {
            if (quote == '"' || byte_at(text, at + 1) != quote)
                return at + 1;
            at++;
        }
    }
    return 0;
}

/* Where the value ends that starts at `at`; 0 when it is in a form that is left alone. */
static size_t value_end(struct str text, size_t at, const struct node *value)
{
    struct str rest = {text.at + at, text.len - at};
    char next;

    if (rest.len == 0 || value->kind != NODE_SCALAR)
        return 0;
    if (rest.at[0] == '"' || rest.at[0] == '\'')
        return quoted_end(text, at);
    /* A plain value on one line is written as it reads. */
    if (strchr("|>!&*", rest.at[0]) != NULL || !str_starts(rest, value->text))
        return 0;
    next = byte_at(text, at + value->text.len);
    return next == '\r' || next == '\n' || is_blank(next) || strchr(",}]", next) != NULL
               ? at + value->text.len
               : 0;
}

/* Would YAML read the text as it is, and as a text? */
static bool is_plain_yaml(struct str value)
{
    static const char *const others[] = {"no", "yes", "on", "off", "true", "false", "null"};
    double n;

    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (str_eq_nocase(value, str_from(others[i])))
            return false;
    for (size_t i = 0; i < value.len; i++)
        if (is_one_of(STR(",[]{}\"\\"), value.at[i]) ||
            (value.at[i] == ':' && (i + 1 == value.len || is_blank(value.at[i + 1]))) ||
            (value.at[i] == '#' && i > 0 && is_blank(value.at[i - 1])))
            return false;
    return value.len > 0 && !is_one_of(STR("-?:#&*!|>'%@` ~="), value.at[0]) &&
           !is_blank(value.at[value.len - 1]) && !num_read(value, &n);
}

static void write_yaml_word(struct str value, char quote, struct buf *out)
{
    if (quote == '\0' && !is_plain_yaml(value))
        quote = memchr(value.at, '\'', value.len) == NULL ? '\'' : '"';
    if (quote == '"')
        json_write_text(value, out);
    if (quote == '\'')
        buf_char(out, quote);
    for (size_t i = 0; i < value.len && quote != '"'; i++) {
        buf_char(out, value.at[i]);
        if (quote == '\'' && value.at[i] == '\'') /* written twice */
            buf_char(out, quote);
    }
    if (quote == '\'')
        buf_char(out, quote);
}

/* As the old value is written: its quotes, its capital letter. */
static void write_yaml_setting(const struct setting *setting, struct str old, struct buf *out)
{
    struct str value = str_from(setting->value);
    char quote = old.len > 0 && (old.at[0] == '"' || old.at[0] == '\'') ? old.at[0] : '\0';
    int64_t n;

    if (setting->kind == VALUE_NUMBER && quote != '\0' &&
        !num_int((struct str){old.at + 1, old.len - 2}, &n))
        quote = '\0';
    if (setting->kind == VALUE_FLAG)
        quote = '\0';
    if (setting->kind == VALUE_LIST) {
        write_list(setting, out);
        return;
    }
    if (setting->kind == VALUE_WORD) {
        write_yaml_word(value, quote, out);
        return;
    }
    if (quote != '\0')
        buf_char(out, quote);
    if (setting->kind == VALUE_FLAG && old.len > 0 && (old.at[0] == 'T' || old.at[0] == 'F')) {
        buf_char(out, value.at[0] == 't' ? 'T' : 'F');
        buf_add(out, (struct str){value.at + 1, value.len - 1});
    } else {
        buf_add(out, value);
    }
    if (quote != '\0')
        buf_char(out, quote);
}

static bool replace_yaml_value(const struct edit *edit, const struct node *value,
                               struct buf *out, struct error *err)
{
    const struct setting *setting = &edit->all->at[edit->index];
    struct str text = edit->text, old = {0};
    size_t at = offset_of(text, value->line, value->column), end;

    if (value->kind == NODE_LIST || value->kind == NODE_MAP)
        return edit_refuse(edit, value->line, "it holds several values",
                           "put one value there, or take the key out", err);
    end = value_end(text, at, value);
    if (value->kind == NODE_NULL) {
        struct str rest = {text.at + at, text.len - at};

        end = str_starts(rest, STR("~")) ? at + 1 : str_starts(rest, STR("null")) ? at + 4 : 0;
        if (end == 0 && at > 0 && text.at[at - 1] == ':') { /* there is no value */
            buf_add(out, (struct str){text.at, at});
            buf_char(out, ' ');
            write_yaml_setting(setting, old, out);
            buf_add(out, rest);
            return true;
        }
    }
    if (end == 0)
        return edit_refuse(edit, value->line,
                           "its value has an anchor or a tag, or several lines", own_line, err);
    old = (struct str){text.at + at, end - at};
    buf_add(out, (struct str){text.at, at});
    write_yaml_setting(setting, old, out);
    buf_add(out, (struct str){text.at + end, text.len - end});
    return true;
}

static bool is_flow(struct str text, const struct node *map)
{
    return byte_at(text, offset_of(text, map->line, map->column)) == '{';
}

/* Blanks of one level: as the first section that has lines of its own. */
static unsigned yaml_indent_unit(const struct edit *edit)
{
    const struct node *root = edit->root, *child = root->first;

    while (child != NULL && (child->kind != NODE_MAP || child->line == child->key_line))
        child = child->next;
    return child != NULL && !is_flow(edit->text, child) && child->column > root->column &&
                   child->column - root->column <= 8
               ? child->column - root->column
               : 2;
}

/* Put the key in, at the start of a line: "a:" and below it "b: value", the parts of the path
 * from `level` on. The last line of a text may lack its end: then the new last one does. */
static void insert_lines(const struct edit *edit, size_t at, size_t level, size_t indent,
                         struct buf *out)
{
    const struct setting *setting = &edit->all->at[edit->index];
    struct str text = edit->text, end = line_end_of(text);
    bool open = at == text.len && at > 0 && text.at[at - 1] != '\n';
    unsigned unit = yaml_indent_unit(edit);

    buf_add(out, (struct str){text.at, at});
    if (open)
        buf_add(out, end);

    for (size_t i = level; i < setting->parts; i++) {
        buf_pad(out, ' ', indent + (i - level) * unit);
        buf_add(out, setting->part[i]);
        buf_char(out, ':');
        if (i + 1 == setting->parts) {
            buf_char(out, ' ');
            write_yaml_setting(setting, (struct str){0}, out);
        }
        if (!open || i + 1 < setting->parts)
            buf_add(out, end);
    }
    buf_add(out, (struct str){text.at + at, text.len - at});
}

static bool is_document_end(struct str line)
{
    return str_starts(line, STR("...")) &&
           (line.len == 3 || is_blank(line.at[3]) || line.at[3] == '\r' || line.at[3] == '\n');
}

/* Where a section ends, so that comments further out stay below. */
static size_t section_end(const struct edit *edit, const struct section *section, size_t indent)
{
    struct str text = edit->text;
    size_t at = text.len, start;

    if (section->bound > 0)
        at = offset_of(text, section->bound, 1);
    else if (section->map != NULL)
        for (size_t i = offset_of(text, section->map->line, 1); i < text.len;
             i = line_after(text, i))
            if (is_document_end((struct str){text.at + i, text.len - i})) {
                at = i;
                break;
            }
    while (at > 0) {
        size_t first;

        start = line_start(text, text.at[at - 1] == '\n' ? at - 1 : at);
        for (first = start; first < at && is_blank(text.at[first]);)
            first++;
        if (byte_at(text, first) != '\n' && byte_at(text, first) != '\r' &&
            !(byte_at(text, first) == '#' && first - start < indent))
            break;
        at = start;
    }
    return at;
}

/* After which line a new key of the section goes. */
static size_t place_in_section(const struct edit *edit, const struct section *section,
                               size_t level)
{
    size_t indent = section->map->column - 1;
    struct str key = neighbor(edit->all, edit->index, level);
    const struct node *near = key.len > 0 ? node_get(section->map, key) : NULL;
    size_t at;

    if (near == NULL)
        return section_end(edit, section, indent);
    at = offset_of(edit->text, near->line, near->column);
    if (near->kind == NODE_MAP && !is_flow(edit->text, near)) {
        struct section inner = {near,
                                near->next != NULL ? near->next->key_line : section->bound};

        return section_end(edit, &inner, near->column - 1);
    }
    if (near->line == near->key_line && value_end(edit->text, at, near) > 0)
        return line_after(edit->text, at);
    return section_end(edit, section, indent);
}

/* `text` with `with` in the place of the bytes from `from` to before `to`. */
static void splice(struct str text, size_t from, size_t to, struct str with, struct buf *out)
{
    buf_add(out, (struct str){text.at, from});
    buf_add(out, with);
    buf_add(out, (struct str){text.at + to, text.len - to});
}

/* A section that is there but holds nothing: "key:", "key: null" or "key: {}". */
static bool fill_section(const struct edit *edit, const struct node *empty, size_t level,
                         struct buf *out, struct error *err)
{
    struct str text = edit->text, rest;
    size_t at = offset_of(text, empty->line, empty->column), end = at;
    struct buf head = buf_new(out->alloc, text.len + 16);
    struct edit opened = *edit;
    bool ok;

    rest = (struct str){text.at + at, text.len - at};
    if (str_starts(rest, STR("~")))
        end = at + 1;
    else if (str_starts(rest, STR("null")))
        end = at + 4;
    else if (str_starts(rest, STR("{")))
        for (end = at + 1; is_blank(byte_at(text, end)) || byte_at(text, end) == '}'; end++)
            if (byte_at(text, end) == '}') {
                end++;
                break;
            }
    if (empty->line != empty->key_line || (end > at && text.at[end - 1] == '{'))
        return edit_refuse(edit, empty->key_line, "its section is written on several lines",
                           "write the section as KEY: VALUE lines below its name", err);
    while (end > at && at > 0 && is_blank(text.at[at - 1]))
        at--;
    splice(text, at, end, (struct str){0}, &head);
    ok = buf_ok(&head, err);
    opened.text = buf_text(&head);
    if (ok)
        insert_lines(&opened, line_after(opened.text, at), level,
                     empty->key_column - 1 + yaml_indent_unit(edit), out);
    buf_free(&head);
    return ok;
}

bool yaml_edit(const struct edit *edit, struct buf *out, struct error *err)
{
    const struct setting *setting = &edit->all->at[edit->index];
    struct section section = {edit->root, 0};

    if (!check_yaml_text(edit, err))
        return false;
    if (edit->root->kind == NODE_NULL) { /* nothing, or only comments */
        insert_lines(edit, edit->text.len, 0, 0, out);
        return true;
    }
    for (size_t level = 0;; level++) {
        const struct node *child = node_get(section.map, setting->part[level]);
        bool last = level + 1 == setting->parts;
        bool flow = is_flow(edit->text, section.map);

        if (child != NULL && last)
            return replace_yaml_value(edit, child, out, err);
        if (flow && (child == NULL || child->first == NULL))
            return edit_refuse(edit, section.map->line, "its section is written with { }",
                               "write the section as KEY: VALUE lines below its name", err);
        if (child == NULL) {
            insert_lines(edit, place_in_section(edit, &section, level), level,
                         section.map->column - 1, out);
            return true;
        }
        if (child->first == NULL && (child->kind == NODE_MAP || child->kind == NODE_NULL))
            return fill_section(edit, child, level + 1, out, err);
        if (child->kind != NODE_MAP)
            return edit_refuse(edit, child->line, "its section holds one value",
                               "write the section as KEY: VALUE lines below its name", err);
        if (child->next != NULL)
            section.bound = child->next->key_line;
        section.map = child;
    }
}
