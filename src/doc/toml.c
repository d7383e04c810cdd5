/* As much of TOML as it takes to find every key and where its value ends. Texts refer to the
 * source; escapes are left as they are. */
#include "doc/toml.h"

#include <string.h>

#include "base/buf.h"
#include "base/characters.h"

struct reader {
    struct str text;
    size_t at, line_at;
    unsigned line;
    const char *name;
    struct arena *arena;
    size_t nodes;
};

static bool fail_toml(const struct reader *r, const char *what, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "%s:%u:%zu: %s", r->name, r->line,
                      r->at - r->line_at + 1, what);
}

static char peek_toml(const struct reader *r)
{
    return r->at < r->text.len ? r->text.at[r->at] : '\0';
}

static bool at_end(const struct reader *r)
{
    return r->at >= r->text.len;
}

static bool starts(const struct reader *r, const char *with)
{
    return str_starts((struct str){r->text.at + r->at, r->text.len - r->at}, str_from(with));
}

/* Any bytes up to `to`, of which some may end a line. */
static void step_to(struct reader *r, size_t to)
{
    for (; r->at < to; r->at++)
        if (r->text.at[r->at] == '\n') {
            r->line++;
            r->line_at = r->at + 1;
        }
}

static void skip_toml_blank(struct reader *r)
{
    while (peek_toml(r) == ' ' || peek_toml(r) == '\t')
        r->at++;
}

static void skip_comment(struct reader *r)
{
    if (peek_toml(r) == '#')
        while (!at_end(r) && peek_toml(r) != '\n')
            r->at++;
}

/* Blanks, comments and line ends, as allowed in an array. */
static void skip_lines(struct reader *r)
{
    size_t before;

    do {
        before = r->at;
        skip_toml_blank(r);
        skip_comment(r);
        if (peek_toml(r) == '\r')
            step_to(r, r->at + 1);
        if (peek_toml(r) == '\n')
            step_to(r, r->at + 1);
    } while (r->at > before);
}

static bool end_toml_line(struct reader *r, struct error *err)
{
    skip_toml_blank(r);
    skip_comment(r);
    if (starts(r, "\r\n"))
        r->at++;
    if (!at_end(r) && peek_toml(r) != '\n')
        return fail_toml(r, "unexpected text at the end of the line", err);
    step_to(r, at_end(r) ? r->at : r->at + 1);
    return true;
}

/* A string in any of its four forms; `inside` is the text between the quotes. */
static bool read_toml_string(struct reader *r, struct str *inside, struct error *err)
{
    char quote = peek_toml(r);
    bool lines = starts(r, quote == '"' ? "\"\"\"" : "'''");
    size_t quotes = lines ? 3 : 1, from = r->at + quotes, i = from;

    for (; i < r->text.len; i++) {
        char c = r->text.at[i];

        if (c == '\n' && !lines)
            break;
        if (c == '\\' && quote == '"') {
            i++;
        } else if (c == quote) {
            size_t run = 1;

            while (lines && i + run < r->text.len && r->text.at[i + run] == quote && run < 5)
                run++;
            if (run >= quotes) {
                *inside = (struct str){r->text.at + from, i + run - quotes - from};
                step_to(r, i + run);
                return true;
            }
            i += run - 1;
        }
    }
    return fail_toml(r, "a string that does not end", err);
}

static bool is_bare(char c)
{
    return is_letter_or_digit(c) || c == '_' || c == '-';
}

/* "a", 'a.b' or a.b.c; the parts of a dotted one are joined anew. */
static bool read_toml_key(struct reader *r, struct str *key, struct error *err)
{
    struct buf joined = buf_new(r->arena->alloc, r->text.len + 1);
    size_t parts = 0;
    bool ok = true;

    for (;; r->at++) {
        struct str part = {0};

        skip_toml_blank(r);
        part.at = r->text.at + r->at;
        if (peek_toml(r) == '"' || peek_toml(r) == '\'') {
            ok = read_toml_string(r, &part, err) &&
                 (memchr(part.at, '\n', part.len) == NULL ||
                  fail_toml(r, "a key must be on one line", err));
        } else {
            while (is_bare(peek_toml(r)))
                r->at++;
            part.len = (size_t)(r->text.at + r->at - part.at);
            ok = part.len > 0 || fail_toml(r, "expected a key", err);
        }
        if (!ok)
            break;
        *key = part;
        if (parts++ > 0)
            buf_char(&joined, TOML_DOT);
        buf_add(&joined, part);
        skip_toml_blank(r);
        if (peek_toml(r) != '.')
            break;
    }
    ok = ok && buf_ok(&joined, err);
    if (ok && parts > 1) {
        key->at = str_dup(buf_text(&joined), r->arena, err);
        key->len = joined.len;
        ok = key->at != NULL;
    }
    buf_free(&joined);
    return ok;
}

/* A number, a date, true or false. */
static bool read_toml_word(struct reader *r, struct str *word, struct error *err)
{
    size_t from = r->at;
    char first = peek_toml(r);

    while (is_bare(peek_toml(r)) ||
           (peek_toml(r) != '\0' && strchr("+.:", peek_toml(r)) != NULL))
        r->at++;
    *word = (struct str){r->text.at + from, r->at - from};
    if (str_eq(*word, STR("true")) || str_eq(*word, STR("false")))
        return true;
    if (word->len > 0 && (is_digit(first) || first == '+' || first == '-' ||
                          str_eq(*word, STR("inf")) || str_eq(*word, STR("nan"))))
        return true;
    r->at = from;
    return fail_toml(r, "expected a value: text needs quotes", err);
}

static bool skip_toml_value(struct reader *r, unsigned depth, struct error *err);

/* [a, b] or {k = a, l = b}. */
static bool skip_toml_container(struct reader *r, unsigned depth, struct error *err)
{
    char close = peek_toml(r) == '[' ? ']' : '}';
    struct str key;

    if (depth >= DOC_MAX_DEPTH)
        return fail_toml(r, "values are too deep inside each other", err);
    r->at++;
    for (;;) {
        skip_lines(r);
        if (peek_toml(r) == close)
            break;
        if (close == '}') {
            if (!read_toml_key(r, &key, err))
                return false;
            if (peek_toml(r) != '=')
                return fail_toml(r, "expected =", err);
            r->at++;
            skip_toml_blank(r);
        }
        if (!skip_toml_value(r, depth + 1, err))
            return false;
        skip_lines(r);
        if (peek_toml(r) != ',' && peek_toml(r) != close)
            return fail_toml(r, "expected a comma, or the end of the list", err);
        if (peek_toml(r) == ',')
            r->at++;
    }
    r->at++;
    return true;
}

static bool skip_toml_value(struct reader *r, unsigned depth, struct error *err)
{
    struct str text;

    if (++r->nodes > DOC_MAX_NODES)
        return fail_toml(r, "too many values", err);
    if (peek_toml(r) == '"' || peek_toml(r) == '\'')
        return read_toml_string(r, &text, err);
    if (peek_toml(r) == '[' || peek_toml(r) == '{')
        return skip_toml_container(r, depth, err);
    return read_toml_word(r, &text, err);
}

static struct node *read_toml_value(struct reader *r, struct error *err)
{
    char first = peek_toml(r);
    struct node *node = node_new(first == '['   ? NODE_LIST
                                 : first == '{' ? NODE_MAP
                                                : NODE_SCALAR,
                                 r->arena, err);
    size_t from = r->at;
    bool ok;

    if (node == NULL)
        return NULL;
    node->line = r->line;
    node->column = (unsigned)(r->at - r->line_at + 1);
    if (first == '"' || first == '\'') {
        ok = read_toml_string(r, &node->text, err);
    } else if (first == '[' || first == '{') {
        ok = skip_toml_container(r, 0, err);
        node->text = (struct str){r->text.at + from, r->at - from};
    } else {
        ok = read_toml_word(r, &node->text, err);
    }
    return ok ? node : NULL;
}

/* Hang it under its key, which must be new there. */
static bool add_node(const struct reader *r, struct node *table, struct node **last,
                     struct node *node, struct error *err)
{
    const struct node *earlier = NULL;
    size_t count = 0;

    for (const struct node *child = table->first; child != NULL; child = child->next, count++)
        if (str_eq(child->key, node->key))
            earlier = child;
    if (count >= DOC_MAX_KEYS)
        return fail_toml(r, "too many keys in one place", err);
    /* Each [[x]] may have an [x.y] of its own. */
    if (earlier != NULL && node->key.at[0] != '[' &&
        !(node->text.at == NULL && memchr(node->key.at, TOML_DOT, node->key.len) != NULL)) {
        error_set(err, ERROR_INPUT, "%s:%u: the second key '%.*s'", r->name, node->key_line,
                  STR_ARG(node->key));
        error_hint(err, "the first '%.*s' is on line %u: keep one of them", STR_ARG(node->key),
                   earlier->key_line);
        return false;
    }
    node_append(table, last, node);
    return true;
}

static struct node *read_toml_header(struct reader *r, struct error *err)
{
    struct node *table = node_new(NODE_MAP, r->arena, err);
    size_t from = r->at;
    bool list = starts(r, "[[");

    if (table == NULL)
        return NULL;
    table->line = table->key_line = r->line;
    table->column = table->key_column = 1;
    r->at += list ? 2 : 1;
    if (!read_toml_key(r, &table->key, err))
        return NULL;
    if (!starts(r, list ? "]]" : "]")) {
        (void)fail_toml(r, "expected ] after the name of a table", err);
        return NULL;
    }
    r->at += list ? 2 : 1;
    if (list)
        table->key = (struct str){r->text.at + from, r->at - from};
    return end_toml_line(r, err) ? table : NULL;
}

static struct node *read_toml_pair(struct reader *r, struct error *err)
{
    unsigned line = r->line, column = (unsigned)(r->at - r->line_at + 1);
    struct node *node;
    struct str key;

    if (!read_toml_key(r, &key, err))
        return NULL;
    if (peek_toml(r) != '=') {
        (void)fail_toml(r, "expected = after the key", err);
        return NULL;
    }
    r->at++;
    skip_toml_blank(r);
    node = read_toml_value(r, err);
    if (node == NULL)
        return NULL;
    node->key = key;
    node->key_line = line;
    node->key_column = column;
    return end_toml_line(r, err) ? node : NULL;
}

/* Only text: no control characters but those that lay it out. */
static bool check_toml_text(struct reader *r, struct error *err)
{
    while (!at_end(r)) {
        struct str rest = {r->text.at + r->at, r->text.len - r->at};
        size_t bytes = str_character(rest);
        unsigned char c = (unsigned char)rest.at[0];

        if (bytes == 0 || bytes > rest.len || (c < ' ' && strchr("\t\r\n", c) == NULL) ||
            c == '\0' || c == 0x7f || (c == '\r' && !str_starts(rest, STR("\r\n"))))
            return fail_toml(r, "this is not text", err);
        step_to(r, r->at + bytes);
    }
    return true;
}

struct node *toml_read(struct str text, const char *name, struct arena *arena,
                       struct error *err)
{
    struct reader r = {.text = text, .line = 1, .name = name, .arena = arena};
    struct node *root = node_new(NODE_MAP, arena, err), *table = root;
    struct node *last_of_root = NULL, *last = NULL;

    if (root == NULL || !check_toml_text(&r, err))
        return NULL;
    r.line = 1;
    r.at = r.line_at = str_starts(text, STR("\xef\xbb\xbf")) ? 3 : 0;
    for (skip_lines(&r); !at_end(&r); skip_lines(&r)) {
        bool header = peek_toml(&r) == '[';
        struct node *node = header ? read_toml_header(&r, err) : read_toml_pair(&r, err);

        if (node == NULL)
            return NULL;
        if (++r.nodes > DOC_MAX_NODES) {
            (void)fail_toml(&r, "too many values", err);
            return NULL;
        }
        if (header || table == root) {
            if (!add_node(&r, root, &last_of_root, node, err))
                return NULL;
        } else if (!add_node(&r, table, &last, node, err)) {
            return NULL;
        }
        if (header) {
            table = node;
            last = NULL;
        }
    }
    return root;
}

bool toml_is_table(const struct node *node)
{
    return node->kind == NODE_MAP && node->text.at == NULL && node->key.len > 0 &&
           memchr(node->key.at, TOML_DOT, node->key.len) == NULL && node->key.at[0] != '[';
}
