/* Where a ledger is: a file or a server; and its name without the password. */
#include "ledger/ledger.h"

#include <string.h>

#include "base/buf.h"

static const struct str schemes[] = {{"postgres://", 11}, {"postgresql://", 13}};

/* What stands after the scheme; empty when there is none. */
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

static size_t find(struct str s, const char *any)
{
    size_t i = 0;

    while (i < s.len && (s.at[i] == '\0' || strchr(any, s.at[i]) == NULL))
        i++;
    return i;
}

/* What stands after the last "@" of the text, or its start. */
static size_t after_at(struct str text)
{
    size_t at = text.len;

    while (at > 0 && text.at[at - 1] != '@')
        at--;
    return at;
}

/* "user:secret@" without the secret. */
static void add_user(struct str text, struct buf *out)
{
    size_t colon = find(text, ":");

    buf_add(out, (struct str){text.at, colon});
    if (colon < text.len)
        buf_adds(out, ":***@");
}

/* "?sslmode=require&password=secret": a percent sign in a name could hide the word. */
static void add_parameters(struct str text, struct buf *out)
{
    for (char between = '?'; text.len > 0; between = '&') {
        struct str value = str_cut(&text, '&');
        struct str name = str_cut(&value, '=');
        bool secret = str_has_nocase(name, STR("password")) || find(name, "%") < name.len;

        buf_char(out, between);
        buf_add(out, name);
        buf_adds(out, "=");
        buf_add(out, secret ? STR("***") : value);
    }
}

char *ledger_shown(struct str path, struct arena *arena, struct error *err)
{
    struct str rest = after_scheme(path);
    struct buf out = buf_new(arena->alloc, path.len + 64);
    size_t at, query;
    char *copy;

    if (rest.at == NULL)
        return str_dup(path, arena, err);
    buf_add(&out, (struct str){path.at, path.len - rest.len});
    /* A password may hold an "@", a "/" or a "?" that nobody encoded: the last "@" counts. */
    at = after_at((struct str){rest.at, find(rest, "?")});
    if (at == 0)
        at = after_at(rest);
    add_user((struct str){rest.at, at}, &out);
    rest = (struct str){rest.at + at, rest.len - at};
    query = find(rest, "?");
    buf_add(&out, (struct str){rest.at, query});
    if (query < rest.len)
        add_parameters((struct str){rest.at + query + 1, rest.len - query - 1}, &out);
    copy = buf_ok(&out, err) ? str_dup(buf_text(&out), arena, err) : NULL;
    buf_free(&out);
    return copy;
}
