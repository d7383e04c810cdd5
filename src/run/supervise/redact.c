/* Secrets in command lines: what they look like, and hiding them. */
#include "run/supervise/redact.h"

#include <string.h>

#include "base/characters.h"
#include "base/str.h"

/* What the short options of a program mean, each a letter of the text. */
struct redact_program {
    const char *name;
    const char *secret;   /* the next word is a secret: 'p' of sshpass */
    const char *glued;    /* the rest of the word is one: 'p' of mysql */
    const char *harmless; /* no secret, whatever it looks like: 'p' of mkdir */
    bool launches;        /* another program, whose options follow its name */
};

/* --- Names --- */

#define NAME_LONGEST 128 /* bytes of a name that are looked at: its end */
#define NAME_WORDS 16

struct words {
    char text[NAME_LONGEST + 1];
    const char *at[NAME_WORDS]; /* in lower case */
    int len;
};

/* "wandbApiKey", "HF_TOKEN", "x-api-key": their words. */
static void split_secret_name(struct str name, struct words *out)
{
    size_t used = 0;
    bool open = false;

    out->len = 0;
    if (name.len > NAME_LONGEST / 2)
        name = (struct str){name.at + name.len - NAME_LONGEST / 2, NAME_LONGEST / 2};
    for (size_t i = 0; i < name.len; i++) {
        char c = name.at[i];
        bool capital = is_upper(c) && i > 0 && is_lower(name.at[i - 1]);

        if (open && (!is_letter_or_digit(c) || capital)) {
            out->text[used++] = '\0';
            open = false;
        }
        if (!is_letter_or_digit(c))
            continue;
        if (!open && out->len == NAME_WORDS)
            return;
        if (!open)
            out->at[out->len++] = &out->text[used];
        open = true;
        out->text[used++] = is_upper(c) ? (char)(c - 'A' + 'a') : c;
    }
    out->text[used] = '\0';
}

/* Words that say secret wherever they end a name, but for those before them in `unless`. */
static bool says_secret(const char *last, const char *before)
{
    static const char *const always[] = {
        "password",   "passwd",      "passphrase", "passcode",   "secret",    "secrets",
        "apikey",     "accesskey",   "secretkey",  "authkey",    "authtoken", "accesstoken",
        "credential", "credentials", "auth",       "bearer",     "cookie",    "authorization",
        "signature",  "sig",         "sas",        "privatekey", "apitoken",  NULL};
    static const char *const keys[] = {"api",     "access",  "secret",     "private", "auth",
                                       "account", "signing", "encryption", "master",  "license",
                                       "service", "ssh",     "ssl",        "tls",     "deploy",
                                       "shared",  "wandb",   "openai",     "hf",      NULL};
    static const char *const tokens_of_text[] = {
        "pad",   "eos",     "bos",   "unk", "mask", "sep", "cls", "max",   "min",  "num", "per",
        "image", "special", "start", "end", "stop", "new", "n",   "first", "last", NULL};
    static const char *const passes[] = {"num", "n",   "first", "second", "single", "multi",
                                         "by",  "two", "one",   "per",    NULL};

    if (str_is_one_of(str_from(last), always))
        return true;
    if (strcmp(last, "key") == 0)
        return before == NULL || str_is_one_of(str_from(before), keys);
    if (strcmp(last, "token") == 0)
        return before == NULL || !str_is_one_of(str_from(before), tokens_of_text);
    if (strcmp(last, "pass") == 0 || strcmp(last, "pw") == 0)
        return before == NULL || !str_is_one_of(str_from(before), passes);
    return strcmp(last, "pwd") == 0 && before != NULL; /* PWD is where one is */
}

/* Does this name of an option, a variable or a header say that its value is a secret? Words of
 * it are parted by signs or by capitals: "HF_TOKEN", "wandbApiKey"; not "max_tokens". */
static bool redact_name(struct str name)
{
    static const char *const endings[] = {"value", "string", "base64", "b64", NULL};
    struct words w;

    split_secret_name(name, &w);
    if (w.len > 1 && str_is_one_of(str_from(w.at[w.len - 1]), endings))
        w.len--;
    return w.len > 0 && says_secret(w.at[w.len - 1], w.len > 1 ? w.at[w.len - 2] : NULL);
}

/* --- Keys --- */

static bool is_key_byte(char c)
{
    return is_letter_or_digit(c) || c == '_' || c == '-';
}

#define KEY_LONGEST \
    4096 /* so that text made of beginnings of keys costs no more than its length */

static size_t run_of_key(struct str text, size_t from)
{
    size_t i = from;

    while (i < text.len && i - from < KEY_LONGEST && is_key_byte(text.at[i]))
        i++;
    return i - from;
}

/* "eyJhbGci.eyJzdWIi.c2ln": a JSON web token. */
static size_t web_token(struct str text)
{
    size_t len = 0;

    if (!str_starts(text, STR("eyJ")))
        return 0;
    for (int part = 0; part < 3; part++) {
        size_t run = run_of_key(text, len);

        if (run < (part < 2 ? 8 : 1))
            return 0;
        len += run;
        if (part < 2) {
            if (len >= text.len || text.at[len] != '.')
                return 0;
            len++;
        }
    }
    return len;
}

/* "AKIAIOSFODNN7EXAMPLE": capitals and digits only. */
static size_t aws_key(struct str text)
{
    size_t len = 4;

    if (!str_starts(text, STR("AKIA")) && !str_starts(text, STR("ASIA")))
        return 0;
    while (len < text.len && is_letter_or_digit(text.at[len]) && !is_lower(text.at[len]))
        len++;
    return len >= 16 ? len : 0;
}

static int class_of(char c)
{
    return is_lower(c)             ? 1
           : is_upper(c)           ? 2
           : is_letter_or_digit(c) ? 3
           : c == '/' || c == '+'  ? 4
                                   : 0;
}

/* "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": 40 characters of base64, in which capitals, small
 * letters and digits change more often than in any path. */
#define AWS_SECRET 40
#define AWS_SECRET_CHANGES 16

static size_t aws_secret(struct str text)
{
    size_t len = 0, changes = 0;
    bool seen[5] = {false};

    while (len < text.len && len <= AWS_SECRET && class_of(text.at[len]) != 0) {
        seen[class_of(text.at[len])] = true;
        changes += len > 0 && class_of(text.at[len]) != class_of(text.at[len - 1]);
        len++;
    }
    if (len != AWS_SECRET || changes < AWS_SECRET_CHANGES || !seen[1] || !seen[2] ||
        (len < text.len && strchr("=._-", text.at[len]) != NULL))
        return 0;
    return len;
}

/* A key in PEM: all of it. */
static size_t pem_key(struct str text)
{
    struct str head = {text.at, text.len < 64 ? text.len : 64};
    size_t len = 0;

    if (!str_starts(text, STR("-----BEGIN ")) || !str_has_nocase(head, STR("PRIVATE KEY")))
        return 0;
    while (len < text.len &&
           !str_starts((struct str){text.at + len, text.len - len}, STR("-----END ")))
        len++;
    while (len < text.len && text.at[len] != '\n' && text.at[len] != '"' &&
           text.at[len] != '\'')
        len++;
    return len;
}

/* A path that is a key: of Slack, of Discord. */
static size_t hook_path(struct str text)
{
    static const char *const hooks[] = {"hooks.slack.com/services/",
                                        "discord.com/api/webhooks/",
                                        "discordapp.com/api/webhooks/"};

    for (size_t i = 0; i < ARRAY_LEN(hooks); i++) {
        size_t len = strlen(hooks[i]);

        if (!str_starts(text, str_from(hooks[i])))
            continue;
        while (len < text.len && (is_key_byte(text.at[len]) || text.at[len] == '/'))
            len++;
        return len;
    }
    return 0;
}

/* Bytes of the known kind of key that `text` starts with, 0 when it starts with none. */
static size_t redact_key(struct str text)
{
    static const struct {
        const char *head;
        size_t least; /* bytes behind it */
    } kinds[] = {
        {"hf_", 20},     {"sk-", 16},         {"sk_live_", 16}, {"rk_live_", 16},
        {"ghp_", 20},    {"gho_", 20},        {"ghu_", 20},     {"ghs_", 20},
        {"ghr_", 20},    {"github_pat_", 20}, {"glpat-", 16},   {"xoxb-", 10},
        {"xoxp-", 10},   {"xoxa-", 10},       {"xoxr-", 10},    {"xoxs-", 10},
        {"xapp-", 10},   {"AIza", 30},        {"npm_", 20},     {"pypi-", 20},
        {"dop_v1_", 20}, {"rpa_", 20},        {"r8_", 20},      {"nvapi-", 20},
        {"gsk_", 20},    {"secret_", 20},     {"shpat_", 20},   {"dapi", 30},
        {"whsec_", 20},  {"tskey-", 16},
    };
    size_t len = web_token(text);

    if (len == 0)
        len = aws_key(text);
    if (len == 0)
        len = aws_secret(text);
    if (len == 0)
        len = pem_key(text);
    if (len == 0)
        len = hook_path(text);
    for (size_t i = 0; i < ARRAY_LEN(kinds) && len == 0; i++) {
        size_t head = strlen(kinds[i].head);

        if (str_starts(text, str_from(kinds[i].head)) &&
            run_of_key(text, head) >= kinds[i].least)
            len = head + run_of_key(text, head);
    }
    return len;
}

/* --- Programs --- */

static const struct redact_program programs[] = {
    {"sshpass", "p", "p", "", true},
    {"curl", "uUb", "uUb", "", false},
    {"http", "a", "", "", false},
    {"https", "a", "", "", false},
    {"xh", "a", "", "", false},
    {"ab", "AP", "", "p", false},
    {"redis-cli", "a", "", "p", false},
    {"mysql", "", "p", "", false},
    {"mysqldump", "", "p", "", false},
    {"mysqladmin", "", "p", "", false},
    {"mysqlimport", "", "p", "", false},
    {"mariadb", "", "p", "", false},
    {"mariadb-dump", "", "p", "", false},
    {"mongo", "p", "p", "", false},
    {"mongosh", "p", "p", "", false},
    {"mongodump", "p", "p", "", false},
    {"mongorestore", "p", "p", "", false},
    {"sqlcmd", "P", "P", "", false},
    {"bcp", "P", "P", "", false},
    {"ldapsearch", "w", "w", "p", false},
    {"ldapadd", "w", "w", "p", false},
    {"ldapmodify", "w", "w", "p", false},
    {"smbclient", "U", "U", "p", false},
    {"ipmitool", "P", "P", "pU", false},
    {"kinit", "w", "", "", false},
    {"ncftp", "p", "", "u", false},
    {"lftp", "u", "", "p", false},
    {"zip", "P", "", "p", false},
    {"unzip", "P", "", "p", false},
    {"7z", "", "p", "", false},
    {"7za", "", "p", "", false},
    {"7zz", "", "p", "", false},
    {"rar", "", "p", "", false},
    {"unrar", "", "p", "", false},
    /* Ports, paths and publishing; "docker login -p" is a login. */
    {"docker", "", "", "puPU", false},
    {"podman", "", "", "puPU", false},
    {"nerdctl", "", "", "puPU", false},
    {"apptainer", "", "", "pu", false},
    {"singularity", "", "", "pu", false},
    {"kubectl", "", "", "p", false},
    {"git", "", "", "pu", false},
    {"ssh", "", "", "p", true},
    {"scp", "", "", "pP", false},
    {"sftp", "", "", "pP", false},
    {"rsync", "", "", "pu", false},
    {"nc", "", "", "pu", false},
    {"nmap", "", "", "p", false},
    {"psql", "", "", "pPU", false},
    {"pg_dump", "", "", "pPU", false},
    {"pg_restore", "", "", "pPU", false},
    {"pg_basebackup", "", "", "pPU", false},
    {"createdb", "", "", "pU", false},
    {"mkdir", "", "", "p", false},
    {"rmdir", "", "", "p", false},
    {"cp", "", "", "pPu", false},
    {"mv", "", "", "u", false},
    {"install", "", "", "p", false},
    {"tar", "", "", "pPuU", false},
    {"patch", "", "", "pu", false},
    {"ls", "", "", "pu", false},
    {"ps", "", "", "pPuU", false},
    {"pgrep", "", "", "PuU", false},
    {"pkill", "", "", "PuU", false},
    {"xargs", "", "", "pP", true},
    {"sudo", "", "", "puUP", true},
    {"su", "", "", "pP", true},
    {"chrt", "", "", "p", true},
    {"ionice", "", "", "pPu", true},
    {"renice", "", "", "pu", false},
    {"taskset", "", "", "p", true},
    {"strace", "", "", "pPuU", true},
    {"gdb", "", "", "p", true},
    {"perf", "", "", "pu", true},
    {"py-spy", "", "", "p", true},
    {"perl", "", "", "pu", true},
    {"srun", "", "", "pPuU", true},
    {"sbatch", "", "", "pPuU", true},
    {"salloc", "", "", "pPuU", true},
    {"sinfo", "", "", "p", false},
    {"squeue", "", "", "pu", false},
    {"papermill", "", "", "p", false},
    {"make", "", "", "p", false},
    {"python", "", "", "u", true},
    {"python3", "", "", "u", true},
};

static const struct redact_program *redact_program(struct str word)
{
    word = str_after_last(word, '/');
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        if (str_eq(word, str_from(programs[i].name)))
            return &programs[i];
    }
    return NULL;
}

/* --- Values --- */

static bool all_of(struct str text, const char *signs, bool letters)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        bool digit = is_digit(c);

        if (!digit && !(letters && is_lower(c)) && (c == '\0' || strchr(signs, c) == NULL))
            return false;
    }
    return true;
}

/* "config.yaml", "train.py" */
static bool has_extension(struct str text)
{
    size_t len = 0;

    while (len < text.len && is_lower(text.at[text.len - 1 - len]))
        len++;
    return len > 0 && len <= 5 && len + 1 < text.len && text.at[text.len - 1 - len] == '.';
}

static bool names_secret(struct str text)
{
    static const char *const words[] = {"secret", "passw", "pwd", "token", "apikey", NULL};

    return str_has_any(text, words);
}

/* Letters with digits, with signs, or in both cases: no preset is called "hunter2" or
 * "Tr0ub4dor". */
static bool is_mixed(struct str text)
{
    size_t lower = 0, upper = 0, digits = 0, signs = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];

        lower += is_lower(c);
        upper += is_upper(c) && i > 0;
        digits += is_digit(c);
        signs += c != '\0' && strchr("!#$%^&?+~@", c) != NULL;
    }
    if (lower + upper == 0)
        return false;
    return text.len >= 6 && (digits > 0 || signs > 0 || upper > 0);
}

/* Does the value of "-p", of a program that nothing is known of, look like a password? Ports,
 * paths, files and plain names do not. `user`: the command names a user as well, so that any
 * word is one. */
static bool redact_value(struct str value, bool user)
{
    bool number = all_of(value, ".:,-%", false);

    if (value.len == 0 || value.at[0] == '$') /* a variable: its value is elsewhere */
        return false;
    if (number)
        return user && value.len > 5 && all_of(value, "", false);
    if (strchr("/.~", value.at[0]) != NULL || has_extension(value))
        return false;
    if (user)
        return true;
    if (memchr(value.at, '/', value.len) != NULL || memchr(value.at, '=', value.len) != NULL)
        return false;
    if (names_secret(value))
        return true;
    /* "gpt2-medium", "my_profile_2": names; and words */
    if (all_of(value, "-_.:,", true) && !all_of(value, "", true))
        return false;
    return is_mixed(value);
}

/* "me:password", but not "1000:1000". */
static bool redact_user_pass(struct str value)
{
    struct str rest = value, user = str_cut(&rest, ':');

    return user.len < value.len && user.len > 0 && rest.len > 0 &&
           !str_starts(rest, STR("//")) && !all_of(rest, "", false) &&
           memchr(user.at, '/', user.len) == NULL && memchr(user.at, '=', user.len) == NULL;
}

#define HIDDEN "***"

static bool is_name_byte(char c)
{
    return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
}

struct scan {
    struct str rest;
    char before; /* the byte before `rest` */
    struct buf *out;
};

static void copy_scanned_text(struct scan *s, size_t len)
{
    if (len == 0)
        return;
    buf_add(s->out, (struct str){s->rest.at, len});
    s->before = s->rest.at[len - 1];
    s->rest.at += len;
    s->rest.len -= len;
}

static void hide_text(struct scan *s, size_t len)
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
    copy_scanned_text(s, 3);
    i -= 3;
    if (i > 0 && i < s->rest.len && s->rest.at[i] == '@' &&
        !str_eq((struct str){s->rest.at, i}, STR("git")))
        hide_text(s, i);
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

/* What is between a name and its value, at `at`: its bytes, 0 when there is no value. */
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
    copy_scanned_text(s, len + between);
    if (between == 0)
        return;
    copy_scanned_text(s, scheme_length(s->rest));
    if (s->rest.len > 0 && (s->rest.at[0] == '"' || s->rest.at[0] == '\'')) {
        quote = s->rest.at[0];
        copy_scanned_text(s, 1);
        copy_scanned_text(s, scheme_length(s->rest));
    }
    value = value_length(s->rest, quote);
    if (value > 0)
        hide_text(s, value);
}

void redact_text(struct str text, struct buf *out)
{
    struct scan s = {.rest = text, .before = ' ', .out = out};

    while (s.rest.len > 0) {
        char c = s.rest.at[0];
        bool starts = !is_name_byte(s.before) || s.before == '-' || s.before == '.';
        size_t key = starts ? redact_key(s.rest) : 0;

        if (key > 0)
            hide_text(&s, key);
        else if (starts && is_name_byte(c) && c != '-' && c != '.')
            pass_name(&s);
        else if (c != ':' || !hide_user(&s))
            copy_scanned_text(&s, 1);
    }
}

/* --- Command lines --- */

/* For a shell: as it is, or in single quotes. */
static void add_redacted_word(struct str word, bool quotes, struct buf *out)
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
static struct str command_option_name(struct str word, size_t *until_value)
{
    size_t dashes = 0, len;

    while (dashes < word.len && dashes < 2 && word.at[dashes] == '-')
        dashes++;
    for (len = dashes; len < word.len && is_name_byte(word.at[len]);)
        len++;
    *until_value = len < word.len && word.at[len] == '=' ? len + 1 : 0;
    return (struct str){word.at + dashes, len - dashes};
}

static bool is_harmless_letter(const struct command *cmd, char letter)
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
    if (is_harmless_letter(cmd, letter))
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
    struct str name = command_option_name(word, &until);
    bool complete = name.at + name.len == word.at + word.len;

    if (!complete)
        return EXPECT_NOTHING;
    if (!option && (cmd->setting || str_ends(word, STR("authtoken"))))
        return secret ? EXPECT_SECRET : EXPECT_NOTHING;
    if (!option)
        return cmd->wandb && str_eq(word, STR("login")) ? EXPECT_SECRET : EXPECT_NOTHING;
    if (word.len == 2)
        return expect_short(cmd, word.at[1]);
    if (is_user_option(name) && !is_harmless_letter(cmd, 'u'))
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
    struct str name = command_option_name(word, &until);
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
    size_t until = 0;
    struct str name = command_option_name(word, &until);

    if (program != NULL)
        cmd->program = program;
    if (word.len < 2 || word.at[0] != '-')
        return;
    if ((word.len == 2 && (word.at[1] == 'u' || word.at[1] == 'U')) || is_user_option(name))
        cmd->user = cmd->user || !is_harmless_letter(cmd, 'u');
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
        if (ends_word(rest.at[0])) {
            rest = (struct str){rest.at + 1, rest.len - 1};
            continue;
        }
        word = shell_word(rest, &bare);
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
        add_redacted_word(buf_text(&room), needs_quotes(buf_text(&room), stars), out);
        if (room.failed != ERROR_NONE && out->failed == ERROR_NONE)
            out->failed = room.failed; /* nothing is better than half a command */
    }
    buf_free(&room);
}
