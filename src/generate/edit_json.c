/* JSON: the text is known to be good, so finding the span of a value takes no parser. */
#include <string.h>

#include "base/num.h"
#include "doc/json_write.h"
#include "generate/edit.h"

struct range {
    size_t from, to;
};

/* "lead" is what is between the '{' or ',' and the key. */
struct member {
    struct range lead, key, value;
};

struct object {
    size_t open, close; /* of the braces */
    struct member first, last, wanted, near;
    bool empty, found, has_near;
};

static size_t skip_json_blank(struct str text, size_t i)
{
    while (i < text.len && is_one_of(STR(" \t\r\n"), text.at[i]))
        i++;
    return i;
}

static size_t skip_string(struct str text, size_t i)
{
    for (i++; i < text.len && text.at[i] != '"'; i++)
        if (text.at[i] == '\\')
            i++;
    return i < text.len ? i + 1 : text.len;
}

static size_t skip_json_container(struct str text, size_t i)
{
    size_t depth = 0;

    while (i < text.len) {
        char c = text.at[i];

        if (c == '"') {
            i = skip_string(text, i);
            continue;
        }
        i++;
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && --depth == 0)
            break;
    }
    return i;
}

static size_t skip_json_value(struct str text, size_t i)
{
    if (i >= text.len)
        return i;
    if (text.at[i] == '"')
        return skip_string(text, i);
    if (text.at[i] == '{' || text.at[i] == '[')
        return skip_json_container(text, i);
    while (i < text.len && !is_one_of(STR(",]} \t\r\n"), text.at[i]))
        i++;
    return i;
}

static struct str slice(struct str text, struct range r)
{
    return (struct str){text.at + r.from, r.to - r.from};
}

static bool key_is(struct str text, struct range key, struct str wanted)
{
    return key.to - key.from == wanted.len + 2 &&
           str_eq((struct str){text.at + key.from + 1, wanted.len}, wanted);
}

/* The members of the object that opens at `open`, of which one may be wanted, another near. */
static struct object scan_object(struct str text, size_t open, struct str wanted,
                                 struct str near)
{
    struct object object = {.open = open, .empty = true};
    size_t at = open + 1;

    for (;;) {
        struct member m = {.lead = {at, skip_json_blank(text, at)}};

        if (m.lead.to >= text.len || text.at[m.lead.to] != '"') {
            object.close = m.lead.to;
            return object;
        }
        m.key = (struct range){m.lead.to, skip_string(text, m.lead.to)};
        m.value.from = skip_json_blank(text, skip_json_blank(text, m.key.to) + 1);
        m.value.to = skip_json_value(text, m.value.from);
        if (object.empty)
            object.first = m;
        object.last = m;
        object.empty = false;
        if (key_is(text, m.key, wanted)) {
            object.wanted = m;
            object.found = true;
        }
        if (near.len > 0 && key_is(text, m.key, near)) {
            object.near = m;
            object.has_near = true;
        }
        at = skip_json_blank(text, m.value.to);
        if (at >= text.len || text.at[at] != ',') {
            object.close = at;
            return object;
        }
        at++;
    }
}

/* How members are laid out: each on its line, indented, or all on one. */
struct style {
    struct str end, indent; /* of a line; `end` is empty when all is on one */
    struct str gap, colon;  /* between members of one line, and of a key and its value */
};

static struct style json_member_style(struct str text, const struct member *m)
{
    struct str lead = slice(text, m->lead);
    struct style style = {.gap = lead,
                          .colon = slice(text, (struct range){m->key.to, m->value.from})};
    size_t line = lead.len;

    while (line > 0 && lead.at[line - 1] != '\n')
        line--;
    if (line > 0) {
        style.end = line > 1 && lead.at[line - 2] == '\r' ? STR("\r\n") : STR("\n");
        style.indent = (struct str){lead.at + line, lead.len - line};
    }
    /* A line end between a key and its value is not copied. */
    if (memchr(style.colon.at, '\n', style.colon.len) != NULL)
        style.colon = STR(": ");
    return style;
}

/* Tabs or blanks of one level, as the outermost object has them. */
static struct str json_indent_unit(struct str text)
{
    struct object root =
        scan_object(text, skip_json_blank(text, 0), (struct str){0}, (struct str){0});
    struct style style = {0};

    if (!root.empty)
        style = json_member_style(text, &root.first);
    return style.indent.len > 0 && style.indent.len <= 8 ? style.indent : STR("    ");
}

static void write_json_setting(const struct setting *setting, bool quoted, struct buf *out)
{
    if (setting->kind == VALUE_LIST)
        write_list(setting, out);
    else if (setting->kind == VALUE_WORD || quoted)
        json_write_text(str_from(setting->value), out);
    else
        buf_adds(out, setting->value);
}

static void start_json_line(const struct style *style, size_t deeper, struct str unit,
                            struct buf *out)
{
    if (style->end.len == 0)
        return;
    buf_add(out, style->end);
    buf_add(out, style->indent);
    for (size_t i = 0; i < deeper; i++)
        buf_add(out, unit);
}

/* "a": {"b": value}: the parts of the path from `level` on. */
static void write_json_member(const struct setting *setting, size_t level,
                              const struct style *style, struct str unit, struct buf *out)
{
    size_t last = setting->parts - 1;

    for (size_t i = level; i <= last; i++) {
        buf_char(out, '"');
        buf_add(out, setting->part[i]);
        buf_char(out, '"');
        buf_add(out, style->colon);
        if (i == last)
            break;
        buf_char(out, '{');
        start_json_line(style, i - level + 1, unit, out);
    }
    write_json_setting(setting, false, out);
    for (size_t i = last; i > level; i--) {
        start_json_line(style, i - level - 1, unit, out);
        buf_char(out, '}');
    }
}

/* Into an object that holds something: after its neighbor, or last. */
static void add_member(const struct edit *edit, const struct object *object, size_t level,
                       struct buf *out)
{
    const struct member *before = object->has_near ? &object->near : &object->last;
    bool several = object->first.key.from != object->last.key.from;
    struct style style =
        json_member_style(edit->text, several ? &object->last : &object->first);
    struct str text = edit->text;

    buf_add(out, (struct str){text.at, before->value.to});
    buf_char(out, ',');
    if (style.end.len > 0)
        start_json_line(&style, 0, (struct str){0}, out);
    else
        buf_add(out, several || style.gap.len > 0 ? style.gap : STR(" "));
    write_json_member(&edit->all->at[edit->index], level, &style, json_indent_unit(text), out);
    buf_add(out, (struct str){text.at + before->value.to, text.len - before->value.to});
}

/* In the place of {} or null: an object laid out as the one around it, `outer`. */
static void write_json_object(const struct edit *edit, struct range place, size_t level,
                              const struct style *outer, struct buf *out)
{
    struct str text = edit->text, unit = json_indent_unit(text);
    struct buf indent = buf_new(out->alloc, text.len + 16);
    struct style style = *outer;

    buf_add(&indent, outer->indent);
    buf_add(&indent, unit);
    style.indent = buf_text(&indent);
    buf_add(out, (struct str){text.at, place.from});
    buf_char(out, '{');
    start_json_line(&style, 0, unit, out);
    write_json_member(&edit->all->at[edit->index], level, &style, unit, out);
    start_json_line(outer, 0, unit, out);
    buf_char(out, '}');
    buf_add(out, (struct str){text.at + place.to, text.len - place.to});
    buf_free_part(&indent, out);
}

static void replace_json_value(const struct edit *edit, struct range value, struct buf *out)
{
    struct str text = edit->text, old = slice(text, value);
    const struct setting *setting = &edit->all->at[edit->index];
    int64_t n;
    bool quoted = setting->kind == VALUE_NUMBER && old.len > 2 && old.at[0] == '"' &&
                  num_int((struct str){old.at + 1, old.len - 2}, &n);

    buf_add(out, (struct str){text.at, value.from});
    write_json_setting(setting, quoted, out);
    buf_add(out, (struct str){text.at + value.to, text.len - value.to});
}

bool json_edit(const struct edit *edit, struct buf *out, struct error *err)
{
    const struct setting *setting = &edit->all->at[edit->index];
    struct style outer = {.end = line_end_of(edit->text), .colon = STR(": ")};
    size_t open = skip_json_blank(edit->text, 0);

    for (size_t level = 0;; level++) {
        bool last = level + 1 == setting->parts;
        struct object object = scan_object(edit->text, open, setting->part[level],
                                           neighbor(edit->all, edit->index, level));
        char start;

        if (!object.found && object.empty)
            write_json_object(edit, (struct range){open, object.close + 1}, level, &outer, out);
        else if (!object.found)
            add_member(edit, &object, level, out);
        if (!object.found)
            return true;
        start = edit->text.at[object.wanted.value.from];
        if (last && (start == '{' || start == '['))
            return edit_refuse(edit, 0, "it holds several values",
                               "put one value there, or take the key out", err);
        if (last) {
            replace_json_value(edit, object.wanted.value, out);
            return true;
        }
        outer = json_member_style(edit->text, &object.wanted);
        if (start == 'n') { /* null: a section that is not there yet */
            write_json_object(edit, object.wanted.value, level + 1, &outer, out);
            return true;
        }
        if (start != '{')
            return edit_refuse(edit, 0, "its section holds one value",
                               "write the section as {\"key\": value, ...}", err);
        open = object.wanted.value.from;
    }
}
