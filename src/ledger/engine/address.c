/* Where a ledger is: a file or a server; and its name without the password. */
#include "ledger/ledger.h"

#include <string.h>

#include "base/buf.h"

static const struct str schemes[] = {{"postgres://", 11}, {"postgresql://", 13}};

/* The part after the scheme; empty when there is none. */
static struct str after_scheme(struct str path)
{
    for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
        if (path.len >= schemes[i].len &&
            str_eq_nocase((struct str){path.at, schemes[i].len}, schemes[i]))
            return (struct str){path.at + schemes[i].len, path.len - schemes[i].len};
    return (struct str){0};
}

bool ledger_is_server(const char *path)
{
    return after_scheme(str_from(path)).at != NULL;
}

static size_t find_any_char(struct str s, const char *any)
{
    size_t i = 0;

    while (i < s.len && (s.at[i] == '\0' || strchr(any, s.at[i]) == NULL))
        i++;
    return i;
}

/* The part after the last "@" of the text, or its start. */
static size_t after_at(struct str text)
{
    size_t at = text.len;

    while (at > 0 && text.at[at - 1] != '@')
        at--;
    return at;
}

/* "user:secret@" without the secret; `mark` in its place, NULL: nothing. */
static void add_user(struct str text, const char *mark, struct buf *out)
{
    size_t colon = find_any_char(text, ":");

    buf_add(out, (struct str){text.at, colon});
    if (colon < text.len)
        buf_addf(out, "%s%s@", mark != NULL ? ":" : "", mark != NULL ? mark : "");
}

/* "?sslmode=require&password=secret": a percent sign in a name could hide the word. */
static void add_url_parameters(struct str text, const char *mark, struct buf *out)
{
    for (char between = '?'; text.len > 0;) {
        struct str value = str_cut(&text, '&');
        struct str name = str_cut(&value, '=');
        bool secret =
            str_has_nocase(name, STR("password")) || find_any_char(name, "%") < name.len;

        if (secret && mark == NULL)
            continue;
        buf_char(out, between);
        buf_add(out, name);
        buf_adds(out, "=");
        buf_add(out, secret ? str_from(mark) : value);
        between = '&';
    }
}

/* "postgres:..." without "//", in any case. */
static bool lacks_slashes(struct str path)
{
    struct str scheme = str_cut(&path, ':');

    return str_eq_nocase(scheme, STR("postgres")) || str_eq_nocase(scheme, STR("postgresql"));
}

/* "host=db dbname=costs password=secret", as other programs of PostgreSQL take it. */
static bool is_words(struct str path)
{
    static const char *const names[] = {"host=", "hostaddr=", "port=",     "dbname=",
                                        "user=", "password=", "passfile=", "service="};

    while (path.len > 0) {
        struct str word = str_cut(&path, ' ');

        for (size_t i = 0; i < ARRAY_LEN(names); i++) {
            struct str name = str_from(names[i]);

            if (word.len >= name.len && str_eq_nocase((struct str){word.at, name.len}, name))
                return true;
        }
    }
    return false;
}

bool ledger_address_check(struct str path, struct error *err)
{
    if (after_scheme(path).at != NULL)
        return true;
    if (str_starts(path, STR(" ")) || str_starts(path, STR("\t")) ||
        str_starts(path, STR("\n"))) {
        error_set(err, ERROR_USAGE, "the name of the ledger begins with a blank");
        error_hint(err, "--ledger FILE, or --ledger postgres://USER@HOST/DATABASE");
        return false;
    }
    if (!lacks_slashes(path) && !is_words(path))
        return true;
    error_set(err, ERROR_USAGE, "the ledger is named as a server, but not in the right form");
    error_hint(err, "write --ledger postgres://USER@HOST/DATABASE, with the password in "
                    "PGPASSWORD or ~/.pgpass");
    return false;
}

/* A name in the wrong form may hold a password anywhere: nothing of it is shown. */
static char *without_password(struct str path, const char *mark, struct arena *arena,
                              struct error *err)
{
    struct str rest = after_scheme(path);
    struct buf out = buf_new(arena->alloc, path.len + 64);
    struct error ignored = {0};
    size_t at, query;
    char *copy;

    if (rest.at == NULL)
        return str_dup(ledger_address_check(str_trim(path), &ignored) ? path
                       : mark != NULL                                 ? str_from(mark)
                                                                      : STR(""),
                       arena, err);
    buf_add(&out, (struct str){path.at, path.len - rest.len});
    /* A password may hold an "@", a "/" or a "?" that is not encoded: the last "@" counts. */
    at = after_at((struct str){rest.at, find_any_char(rest, "?")});
    if (at == 0)
        at = after_at(rest);
    add_user((struct str){rest.at, at}, mark, &out);
    rest = (struct str){rest.at + at, rest.len - at};
    query = find_any_char(rest, "?");
    buf_add(&out, (struct str){rest.at, query});
    if (query < rest.len)
        add_url_parameters((struct str){rest.at + query + 1, rest.len - query - 1}, mark, &out);
    copy = buf_ok(&out, err) ? str_dup(buf_text(&out), arena, err) : NULL;
    buf_free(&out);
    return copy;
}

char *ledger_shown(struct str path, struct arena *arena, struct error *err)
{
    return without_password(path, "***", arena, err);
}

char *ledger_public(struct str path, struct arena *arena, struct error *err)
{
    return without_password(path, NULL, arena, err);
}
