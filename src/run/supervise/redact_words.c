/* What a secret looks like: see redact_internal.h. */
#include <string.h>

#include "base/characters.h"
#include "run/supervise/redact_internal.h"

/* --- Names --- */

#define NAME_LONGEST 128 /* bytes of a name that are looked at: its end */
#define NAME_WORDS 16

struct words {
    char text[NAME_LONGEST + 1];
    const char *at[NAME_WORDS]; /* in lower case */
    int len;
};

/* "wandbApiKey", "HF_TOKEN", "x-api-key": their words. */
static void split(struct str name, struct words *out)
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

static bool one_of(const char *word, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strcmp(word, *list) == 0)
            return true;
    }
    return false;
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

    if (one_of(last, always))
        return true;
    if (strcmp(last, "key") == 0)
        return before == NULL || one_of(before, keys);
    if (strcmp(last, "token") == 0)
        return before == NULL || !one_of(before, tokens_of_text);
    if (strcmp(last, "pass") == 0 || strcmp(last, "pw") == 0)
        return before == NULL || !one_of(before, passes);
    return strcmp(last, "pwd") == 0 && before != NULL; /* PWD is where one is */
}

bool redact_name(struct str name)
{
    static const char *const endings[] = {"value", "string", "base64", "b64", NULL};
    struct words w;

    split(name, &w);
    if (w.len > 1 && one_of(w.at[w.len - 1], endings))
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

size_t redact_key(struct str text)
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

const struct redact_program *redact_program(struct str word)
{
    for (size_t i = word.len; i > 0; i--) {
        if (word.at[i - 1] == '/') {
            word = (struct str){word.at + i, word.len - i};
            break;
        }
    }
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
    static const char *const words[] = {"secret", "passw", "pwd", "token", "apikey"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_has_nocase(text, str_from(words[i])))
            return true;
    return false;
}

/* Letters with digits, with signs, or in both cases: nobody calls a preset "hunter2" or
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

bool redact_value(struct str value, bool user)
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

bool redact_user_pass(struct str value)
{
    struct str rest = value, user = str_cut(&rest, ':');

    return user.len < value.len && user.len > 0 && rest.len > 0 &&
           !str_starts(rest, STR("//")) && !all_of(rest, "", false) &&
           memchr(user.at, '/', user.len) == NULL && memchr(user.at, '=', user.len) == NULL;
}
