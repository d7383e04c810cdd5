#include "run/supervise/redact.h"

#include <string.h>

#include "base/characters.h"
#include "run/supervise/redact_internal.h"

#define HIDDEN "***"

static bool is_name_byte(char c)
{
    return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
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

/* What the next word may be. */
enum expectation {
    EXPECT_NOTHING,
    EXPECT_SECRET,
    EXPECT_PASSWORD,  /* when it looks like one */
    EXPECT_USER_PASS, /* when it is "user:password" */
};

struct command {
    const struct redact_program *program; /* that runs, of those that are known; NULL */
    enum expectation next;
    bool user;    /* it names a user: the value of -p is a password */
    bool login;   /* "docker login", "az login" */
    bool setting; /* "aws configure set", "git config": a name and its value follow */
    bool wandb;   /* "wandb login KEY" */
    bool option;  /* the word before is an option */
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

static bool is_harmless(const struct command *cmd, char letter)
{
    return cmd->program != NULL && strchr(cmd->program->harmless, letter) != NULL;
}

static bool is_user_option(struct str name)
{
    return str_eq(name, STR("user")) || str_eq(name, STR("username")) ||
           str_eq(name, STR("proxy-user"));
}

/* "-p", "-u": what follows. */
static enum expectation expect_short(const struct command *cmd, char letter)
{
    if (cmd->program != NULL && strchr(cmd->program->secret, letter) != NULL)
        return EXPECT_SECRET;
    if (cmd->login && letter == 'p')
        return EXPECT_SECRET;
    if (is_harmless(cmd, letter))
        return EXPECT_NOTHING;
    if (letter == 'p' || letter == 'P')
        return EXPECT_PASSWORD;
    return letter == 'u' || letter == 'U' ? EXPECT_USER_PASS : EXPECT_NOTHING;
}

/* What the word after this one is. */
static enum expectation expect_after(const struct command *cmd, struct str word, bool secret)
{
    bool option = word.len > 1 && word.at[0] == '-';
    size_t until;
    struct str name = option_name(word, &until);
    bool complete = name.at + name.len == word.at + word.len;

    if (!complete)
        return EXPECT_NOTHING;
    if (!option && (cmd->setting || str_ends(word, STR("authtoken"))))
        return secret ? EXPECT_SECRET : EXPECT_NOTHING;
    if (!option)
        return cmd->wandb && str_eq(word, STR("login")) ? EXPECT_SECRET : EXPECT_NOTHING;
    if (word.len == 2)
        return expect_short(cmd, word.at[1]);
    if (is_user_option(name) && !is_harmless(cmd, 'u'))
        return EXPECT_USER_PASS;
    return secret ? EXPECT_SECRET : EXPECT_NOTHING;
}

static bool is_expected(const struct command *cmd, struct str word)
{
    switch (cmd->next) {
    case EXPECT_SECRET:
        return true;
    case EXPECT_PASSWORD:
        return redact_value(word, cmd->user);
    case EXPECT_USER_PASS:
        return redact_user_pass(word);
    case EXPECT_NOTHING:
        break;
    }
    return false;
}

static void redact_shell(struct str text, struct buf *out);

/* Text as it is, and once more as the words of a shell when it may be that. */
static void redact_any(struct str word, struct buf *out)
{
    struct buf once = buf_new(out->alloc, out->max);

    if (memchr(word.at, ' ', word.len) == NULL) {
        redact_text(word, out);
        return;
    }
    redact_text(word, &once);
    redact_shell(buf_text(&once), out);
    if (once.failed != ERROR_NONE && out->failed == ERROR_NONE)
        out->failed = once.failed;
    buf_free(&once);
}

/* What a word says about those after it. */
static void follow_command(struct command *cmd, struct str word, bool secret)
{
    const struct redact_program *program = redact_program(word);
    bool option = word.len > 1 && word.at[0] == '-';

    cmd->next = expect_after(cmd, word, secret);
    if (program != NULL) {
        cmd->program = program;
        cmd->login = cmd->setting = false;
    } else if (cmd->program != NULL && cmd->program->launches && !option && !cmd->option) {
        cmd->program = NULL; /* what follows are options of this word */
    }
    cmd->option = option;
    cmd->login = cmd->login || str_eq(word, STR("login"));
    cmd->setting = cmd->setting || str_eq(word, STR("set")) || str_eq(word, STR("config"));
    cmd->wandb = cmd->wandb || str_eq(word, STR("wandb"));
}

/* One word, without its secret. */
static void redact_word(struct command *cmd, struct str word, struct buf *out)
{
    bool option = word.len > 1 && word.at[0] == '-';
    size_t until;
    struct str name = option_name(word, &until);
    bool secret = word.len > 0 && redact_name(name), hidden = !option && is_expected(cmd, word);

    if (hidden) {
        buf_adds(out, HIDDEN);
        cmd->next = EXPECT_NOTHING;
        cmd->option = false;
        return;
    }
    if ((secret && until > 0 && until < word.len) ||
        (until > 0 && is_user_option(name) &&
         redact_user_pass((struct str){word.at + until, word.len - until}))) {
        buf_add(out, (struct str){word.at, until});
        buf_adds(out, HIDDEN);
    } else if (option && word.len > 2 && cmd->program != NULL && word.at[1] != '-' &&
               strchr(cmd->program->glued, word.at[1]) != NULL) {
        buf_add(out, (struct str){word.at, 2});
        buf_adds(out, HIDDEN);
    } else {
        redact_any(word, out);
    }
    follow_command(cmd, word, secret);
}

/* Does the word give the name of a user, for a program that takes one? */
static void note_user(struct command *cmd, struct str word)
{
    const struct redact_program *program = redact_program(word);
    size_t until;
    struct str name = option_name(word, &until);

    if (program != NULL)
        cmd->program = program;
    if (word.len < 2 || word.at[0] != '-')
        return;
    if ((word.len == 2 && (word.at[1] == 'u' || word.at[1] == 'U')) || is_user_option(name))
        cmd->user = cmd->user || !is_harmless(cmd, 'u');
}

/* --- A shell's words in one text --- */

static bool ends_word(char c)
{
    return c != '\0' && strchr(" \t\n;|&()`", c) != NULL;
}

/* The next word of `rest`: its bytes with its quotes, and what it is without them. */
static struct str shell_word(struct str rest, struct str *bare)
{
    char quote = rest.at[0] == '\'' || rest.at[0] == '"' ? rest.at[0] : '\0';
    size_t len = quote != '\0' ? 1 : 0;

    while (len < rest.len && (quote != '\0' ? rest.at[len] != quote : !ends_word(rest.at[len])))
        len++;
    if (quote == '\0') {
        *bare = (struct str){rest.at, len};
        return *bare;
    }
    *bare = (struct str){rest.at + 1, len - 1};
    return (struct str){rest.at, len < rest.len ? len + 1 : len};
}

/* The words of it, without the secrets that programs take: names and keys are hidden before. */
static void redact_shell(struct str text, struct buf *out)
{
    struct command cmd = {.program = NULL};
    struct str word, bare;

    for (struct str rest = text; rest.len > 0;) {
        word = ends_word(rest.at[0]) ? (struct str){rest.at, 1} : shell_word(rest, &bare);
        if (!ends_word(rest.at[0]))
            note_user(&cmd, bare);
        rest = (struct str){rest.at + word.len, rest.len - word.len};
    }
    cmd.program = NULL;
    for (struct str rest = text; rest.len > 0;) {
        struct str before = rest;

        if (ends_word(rest.at[0])) {
            if (!is_blank(rest.at[0])) /* another command */
                cmd = (struct command){.user = cmd.user};
            buf_char(out, rest.at[0]);
            rest = (struct str){rest.at + 1, rest.len - 1};
            continue;
        }
        word = shell_word(rest, &bare);
        rest = (struct str){rest.at + word.len, rest.len - word.len};
        buf_add(out, (struct str){before.at, (size_t)(bare.at - before.at)});
        if (memchr(bare.at, ' ', bare.len) != NULL)
            buf_add(out, bare);
        else
            redact_word(&cmd, bare, out);
        buf_add(out, (struct str){bare.at + bare.len,
                                  word.len - bare.len - (size_t)(bare.at - before.at)});
    }
}

void redact_command(const char *const *argv, struct buf *out)
{
    struct command cmd = {.program = NULL};
    struct buf room = buf_new(out->alloc, out->max);

    for (size_t i = 0; argv[i] != NULL; i++)
        note_user(&cmd, str_from(argv[i]));
    cmd.program = NULL;
    for (size_t i = 0; argv[i] != NULL; i++) {
        struct str word = str_from(argv[i]);
        bool stars = word.len > 0 && memchr(word.at, '*', word.len) != NULL;

        if (i > 0)
            buf_char(out, ' ');
        buf_clear(&room);
        redact_word(&cmd, word, &room);
        add_quoted(buf_text(&room), needs_quotes(buf_text(&room), stars), out);
        if (room.failed != ERROR_NONE && out->failed == ERROR_NONE)
            out->failed = room.failed; /* nothing is better than half a command */
    }
    buf_free(&room);
}
