#include "run/redact.h"

#include <string.h>

#include "run/redact_internal.h"

#define HIDDEN "***"

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == '.';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct scan {
    struct str rest;
    char before; /* the byte before `rest` */
    struct buf *out;
};

static void copy(struct scan *s, size_t len)
{
    if (len == 0)
        return;
    buf_add(s->out, (struct str){s->rest.at, len});
    s->before = s->rest.at[len - 1];
    s->rest.at += len;
    s->rest.len -= len;
}

static void hide(struct scan *s, size_t len)
{
    buf_adds(s->out, HIDDEN);
    s->before = '*';
    s->rest.at += len;
    s->rest.len -= len;
}

/* "://user:password@host": who and with what. */
static bool hide_user(struct scan *s)
{
    size_t i = 3;

    if (!str_starts(s->rest, STR("://")))
        return false;
    while (i < s->rest.len && s->rest.at[i] != '@' && s->rest.at[i] != '/' &&
           s->rest.at[i] != '?' && s->rest.at[i] != '#' && !is_blank(s->rest.at[i]) &&
           s->rest.at[i] != '"' && s->rest.at[i] != '\'')
        i++;
    copy(s, 3);
    i -= 3;
    if (i > 0 && i < s->rest.len && s->rest.at[i] == '@' &&
        !str_eq((struct str){s->rest.at, i}, STR("git")))
        hide(s, i);
    return true;
}

/* Bytes of a value that follows a secret's name: in quotes, or until something ends it. */
static size_t value_length(struct str text, char quote)
{
    size_t i = 0;

    while (i < text.len) {
        char c = text.at[i];

        if (quote != 0 ? c == quote : is_blank(c) || strchr("&;,)}]'\"\n<>|", c) != NULL)
            break;
        i++;
    }
    return i;
}

/* "Bearer " and its like stay. */
static size_t scheme_length(struct str text)
{
    static const char *const schemes[] = {"bearer ", "basic ", "token ", "digest ", "apikey "};

    for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
        size_t len = strlen(schemes[i]);

        if (text.len > len && str_eq_nocase((struct str){text.at, len}, str_from(schemes[i])))
            return len;
    }
    return 0;
}

/* What stands between a name and its value, at `at`: its bytes, 0 when there is no value. */
static size_t separator_length(struct str text, size_t at, bool option)
{
    size_t i = at;
    bool sign;

    if (i < text.len && (text.at[i] == '"' || text.at[i] == '\''))
        i++; /* a name in quotes */
    while (i < text.len && is_blank(text.at[i]))
        i++;
    sign = i < text.len && (text.at[i] == '=' || text.at[i] == ':');
    if (!sign)
        return option && i > at && i < text.len && text.at[i] != '-' ? i - at : 0;
    if (text.at[i] == ':' && i + 2 < text.len && text.at[i + 1] == '/' && text.at[i + 2] == '/')
        return 0;
    i++;
    while (i < text.len && is_blank(text.at[i]))
        i++;
    return i < text.len ? i - at : 0;
}

/* A name here; when it says secret and a value follows, the value is hidden. */
static void pass_name(struct scan *s)
{
    bool option = s->before == '-';
    size_t len = 0, between, value;
    char quote = 0;

    while (len < s->rest.len && is_name_byte(s->rest.at[len]))
        len++;
    between =
        redact_name((struct str){s->rest.at, len}) ? separator_length(s->rest, len, option) : 0;
    copy(s, len + between);
    if (between == 0)
        return;
    copy(s, scheme_length(s->rest));
    if (s->rest.len > 0 && (s->rest.at[0] == '"' || s->rest.at[0] == '\'')) {
        quote = s->rest.at[0];
        copy(s, 1);
        copy(s, scheme_length(s->rest));
    }
    value = value_length(s->rest, quote);
    if (value > 0)
        hide(s, value);
}

void redact_text(struct str text, struct buf *out)
{
    struct scan s = {.rest = text, .before = ' ', .out = out};

    while (s.rest.len > 0) {
        char c = s.rest.at[0];
        bool starts = !is_name_byte(s.before) || s.before == '-' || s.before == '.';
        size_t key = starts ? redact_key(s.rest) : 0;

        if (key > 0)
            hide(&s, key);
        else if (starts && is_name_byte(c) && c != '-' && c != '.')
            pass_name(&s);
        else if (c != ':' || !hide_user(&s))
            copy(&s, 1);
    }
}

/* --- Command lines --- */

/* For a shell: as it is, or in single quotes. */
static void add_quoted(struct str word, bool quotes, struct buf *out)
{
    if (!quotes) {
        buf_add(out, word);
        return;
    }
    buf_char(out, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.at[i] == '\'')
            buf_adds(out, "'\\''");
        else
            buf_char(out, word.at[i]);
    }
    buf_char(out, '\'');
}

static bool needs_quotes(struct str word, bool stars)
{
    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i];

        if (!is_name_byte(c) && strchr("@%+=:,/", c) == NULL && (c != '*' || stars))
            return true;
    }
    return word.len == 0;
}

struct command {
    char option; /* of the program that runs: takes a secret */
    bool glued;
    bool next; /* the next word is one */
};

/* The name of "--name", "--name=value" or "NAME=value"; bytes before its value. */
static struct str option_name(struct str word, size_t *until_value)
{
    size_t dashes = 0, len;

    while (dashes < word.len && dashes < 2 && word.at[dashes] == '-')
        dashes++;
    for (len = dashes; len < word.len && is_name_byte(word.at[len]);)
        len++;
    *until_value = len < word.len && word.at[len] == '=' ? len + 1 : 0;
    return (struct str){word.at + dashes, len - dashes};
}

/* One word, without its secret. */
static void redact_word(struct command *cmd, struct str word, struct buf *out)
{
    bool option = word.len > 1 && word.at[0] == '-', hidden = cmd->next && !option;
    size_t until;
    struct str name = option_name(word, &until);
    bool secret = redact_name(name) && word.len > 0;

    cmd->next = false;
    if (hidden) {
        buf_adds(out, HIDDEN);
    } else if (secret && until > 0 && until < word.len) {
        buf_add(out, (struct str){word.at, until});
        buf_adds(out, HIDDEN);
    } else if (option && cmd->option != 0 && word.at[1] == cmd->option &&
               (word.len == 2 || cmd->glued)) {
        buf_add(out, (struct str){word.at, 2});
        if (word.len > 2)
            buf_adds(out, HIDDEN);
        cmd->next = word.len == 2 && !cmd->glued;
    } else {
        redact_text(word, out);
        cmd->next = option && secret && name.at + name.len == word.at + word.len;
    }
}

void redact_command(const char *const *argv, struct buf *out)
{
    struct command cmd = {.option = 0};
    struct buf room = buf_new(out->alloc, out->max);

    for (size_t i = 0; argv[i] != NULL; i++) {
        struct str word = str_from(argv[i]);
        bool stars = word.len > 0 && memchr(word.at, '*', word.len) != NULL;
        bool glued;
        char program = redact_option(word, &glued);

        if (i > 0)
            buf_char(out, ' ');
        buf_clear(&room);
        redact_word(&cmd, word, &room);
        add_quoted(buf_text(&room), needs_quotes(buf_text(&room), stars), out);
        if (room.failed != ERROR_NONE && out->failed == ERROR_NONE)
            out->failed = room.failed; /* nothing is better than half a command */
        if (program != 0) {
            cmd.option = program;
            cmd.glued = glued;
        }
    }
    buf_free(&room);
}
