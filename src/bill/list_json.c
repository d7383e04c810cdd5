/* Notations of lists and maps as JSON. */
#include <string.h>

#include "base/characters.h"
#include "bill/list.h"

struct scan {
    struct str rest;
    struct buf *out;
    char before; /* the last sign that was written outside of a text; 0 at the start */
};

static char take(struct scan *s)
{
    char c = s->rest.at[0];

    s->rest.at++;
    s->rest.len--;
    return c;
}

static void put(struct scan *s, char c)
{
    buf_char(s->out, c);
    s->before = c;
}

/* numpy prints [{...} {...}]. */
static void put_start(struct scan *s, char c)
{
    if (s->before == '}' || s->before == ']' || s->before == '"')
        buf_char(s->out, ',');
    put(s, c);
}

/* One escape of Python in JSON's terms; the backslash was taken. */
static void put_escape(struct scan *s)
{
    char c = take(s);

    if (c == '\'') {
        buf_char(s->out, '\'');
    } else if (c == 'x') {
        buf_adds(s->out, "\\u00");
    } else {
        buf_char(s->out, '\\');
        buf_char(s->out, c);
    }
}

/* The rest of a text in single quotes. */
static void single_quoted(struct scan *s)
{
    put_start(s, '"');
    while (s->rest.len > 0) {
        char c = take(s);

        if (c == '\'')
            break;
        if (c == '\\' && s->rest.len > 0)
            put_escape(s);
        else if (c == '"')
            buf_adds(s->out, "\\\"");
        else
            buf_char(s->out, c);
    }
    put(s, '"');
}

/* One in double quotes is JSON's but for \x and \'. */
static void double_quoted(struct scan *s)
{
    put_start(s, '"');
    while (s->rest.len > 0) {
        char c = take(s);

        if (c == '"')
            break;
        if (c == '\\' && s->rest.len > 0)
            put_escape(s);
        else
            buf_char(s->out, c);
    }
    put(s, '"');
}

static bool is_word(char c)
{
    return is_letter(c) || c == '_';
}

/* Decimal('-0.2'): the number without its quotes. False when it is another call. */
static bool wrapped_number(struct scan *s)
{
    struct str rest = s->rest, number;
    struct decimal ignored;
    char quote;

    if (rest.len < 4 || rest.at[0] != '(')
        return false;
    quote = rest.at[1];
    rest = (struct str){rest.at + 2, rest.len - 2};
    if (quote != '\'' && quote != '"')
        return false;
    number = str_cut(&rest, quote);
    if (!decimal_parse(number, &ignored) || rest.len == 0 || rest.at[0] != ')')
        return false;
    buf_add(s->out, number);
    s->before = '0';
    s->rest = (struct str){rest.at + 1, rest.len - 1};
    return true;
}

static void word(struct scan *s)
{
    struct str name = {s->rest.at, 0};

    while (name.len < s->rest.len && is_word(s->rest.at[name.len]))
        name.len++;
    s->rest = (struct str){s->rest.at + name.len, s->rest.len - name.len};
    if (str_eq(name, STR("Decimal")) && wrapped_number(s))
        return;
    if (str_eq(name, STR("None")) || str_eq_nocase(name, STR("nan")))
        name = STR("null");
    else if (str_eq(name, STR("True")))
        name = STR("true");
    else if (str_eq(name, STR("False")))
        name = STR("false");
    buf_add(s->out, name);
    s->before = 'a';
}

/* A number, with the e of its exponent. */
static void number(struct scan *s)
{
    while (s->rest.len > 0 && s->rest.at[0] != '\0' &&
           strchr("0123456789+-.eE", s->rest.at[0]) != NULL)
        put(s, take(s));
}

/* Is it in JSON's own quotes, or does it have none? */
static bool is_json(struct str text)
{
    const char *single = memchr(text.at, '\'', text.len);
    const char *both = memchr(text.at, '"', text.len);

    return both != NULL && (single == NULL || both < single);
}

/* One text, word, number or sign of Python's notation. */
static void step(struct scan *s)
{
    char c = s->rest.at[0];

    if (c == '\'' || c == '"') {
        (void)take(s);
        if (c == '"')
            double_quoted(s);
        else
            single_quoted(s);
    } else if (is_word(c)) {
        word(s);
    } else if (is_digit(c) || c == '-' || c == '+' || c == '.') {
        number(s);
    } else if (c == '{' || c == '[' || c == '(') {
        (void)take(s);
        put_start(s, c == '(' ? '[' : c);
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        buf_char(s->out, take(s));
    } else {
        (void)take(s);
        put(s, c == ')' ? ']' : c);
    }
}

void bill_list_json(struct str text, struct buf *out)
{
    struct scan s = {.rest = text, .out = out};

    if (text.len == 0)
        return;
    if (text.at[0] == '"') {
        buf_char(out, '{');
        buf_add(out, text);
        buf_char(out, '}');
    } else if (is_json(text)) {
        buf_add(out, text);
    } else {
        while (s.rest.len > 0)
            step(&s);
    }
}
