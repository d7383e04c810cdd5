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

/* "user:secret@host" without the secret, up to where the path begins. A password may hold an
 * "@" that nobody encoded: the last one counts. */
static void add_authority(struct str text, struct buf *out)
{
    size_t at = text.len, colon;

    while (at > 0 && text.at[at - 1] != '@')
        at--;
    colon = at > 0 ? find((struct str){text.at, at - 1}, ":") : 0;
    if (at == 0 || colon >= at - 1) {
        buf_add(out, text);
        return;
    }
    buf_add(out, (struct str){text.at, colon});
    buf_adds(out, ":***");
    buf_add(out, (struct str){text.at + at - 1, text.len - at + 1});
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
    char *copy;

    if (rest.at == NULL)
        return str_dup(path, arena, err);
    buf_add(&out, (struct str){path.at, path.len - rest.len});
    /* An "@" after the first "/" is part of a password that was not encoded, or of nothing. */
    {
        size_t query = find(rest, "?"), last = query;

        while (last > 0 && rest.at[last - 1] != '@')
            last--;
        last += find((struct str){rest.at + last, query - last}, "/");
        add_authority((struct str){rest.at, last}, &out);
        buf_add(&out, (struct str){rest.at + last, query - last});
        if (query < rest.len)
            add_parameters((struct str){rest.at + query + 1, rest.len - query - 1}, &out);
    }
    copy = buf_ok(&out, err) ? str_dup(buf_text(&out), arena, err) : NULL;
    buf_free(&out);
    return copy;
}
