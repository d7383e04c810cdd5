#include "net/url.h"

#include <string.h>

#include "base/characters.h"

static bool is_plain(char c) /* what a query need not encode */
{
    return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.' || c == '~';
}

static struct str url_text_after(struct str s, size_t skip)
{
    return (struct str){s.at + skip, s.len - skip};
}

/* The part before the first of `stops`, and its length. */
static size_t text_until(struct str s, const char *stops)
{
    size_t n = 0;

    while (n < s.len && strchr(stops, s.at[n]) == NULL)
        n++;
    return n;
}

static bool take_port(struct str text, unsigned *port)
{
    unsigned n = 0;

    if (text.len == 0 || text.len > 5)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.at[i]))
            return false;
        n = n * 10 + (unsigned)(text.at[i] - '0');
    }
    *port = n;
    return n > 0 && n <= 65535;
}

/* "host", "host:port", "[::1]:port". */
static bool take_authority(struct str text, struct url *out)
{
    size_t n = 0;

    if (text.len > 0 && text.at[0] == '[') {
        n = 1;
        while (n < text.len &&
               (is_digit(text.at[n]) || strchr("abcdefABCDEF:.", text.at[n]) != NULL))
            n++;
        if (n == text.len || text.at[n++] != ']')
            return false;
    } else {
        while (n < text.len && is_plain(text.at[n]) && text.at[n] != '~')
            n++;
    }
    out->host = (struct str){text.at, n};
    text = url_text_after(text, n);
    return n > 0 && (text.len == 0 ||
                     (text.at[0] == ':' && take_port(url_text_after(text, 1), &out->port)));
}

bool url_parse(struct str text, struct url *out, struct error *err)
{
    struct str rest = {text.at, text_until(text, "#")};
    size_t scheme, authority, path;

    *out = (struct url){.tls = str_starts(text, STR("https://"))};
    out->port = out->tls ? 443 : 80;
    if (!out->tls && !str_starts(text, STR("http://")))
        return error_fail(err, ERROR_INPUT, "an address must start with https:// or http://");
    for (size_t i = 0; i < rest.len; i++)
        if (rest.at[i] <= ' ' || rest.at[i] >= 0x7f || rest.at[i] == '\\')
            return error_fail(err, ERROR_INPUT,
                              "an address has a character that must be encoded");
    scheme = out->tls ? sizeof "https://" - 1 : sizeof "http://" - 1;
    authority = text_until(url_text_after(rest, scheme), "/?");
    if (!take_authority((struct str){rest.at + scheme, authority}, out))
        return error_fail(err, ERROR_INPUT, "an address needs a host name, and at most a port");
    path = text_until(url_text_after(rest, scheme + authority), "?");
    out->place = (struct str){rest.at, scheme + authority + path};
    out->path = (struct str){rest.at + scheme + authority, path};
    if (out->place.len < rest.len)
        out->query = url_text_after(rest, out->place.len + 1);
    return true;
}

bool url_same_host(const struct url *a, const struct url *b)
{
    return a->port == b->port && str_eq_nocase(a->host, b->host);
}

bool url_is_loopback(const struct url *url)
{
    unsigned dots = 0;

    if (str_eq_nocase(url->host, STR("localhost")) || str_eq(url->host, STR("[::1]")))
        return true;
    if (!str_starts(url->host, STR("127."))) /* 127.0.0.1.example.org is someone else */
        return false;
    for (size_t i = 0; i < url->host.len; i++)
        if (url->host.at[i] == '.')
            dots++;
        else if (!is_digit(url->host.at[i]))
            return false;
    return dots == 3;
}

void url_encode(struct str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++)
        if (is_plain(text.at[i]))
            buf_char(out, text.at[i]);
        else
            buf_addf(out, "%%%02X", (unsigned char)text.at[i]);
}

bool url_rebase(struct str link, struct str base, struct str home, struct buf *out,
                struct error *err)
{
    struct url on, at, named;

    if (!url_parse(base, &on, err))
        return false;
    buf_add(out, (struct str){on.place.at, on.place.len - on.path.len});
    if (link.len > 0 && link.at[0] == '/' && !str_starts(link, STR("//"))) {
        buf_add(out, link);
        return buf_ok(out, err);
    }
    if (!url_parse(link, &at, err) || !url_parse(home, &named, err))
        return false;
    if (!url_same_host(&at, &on) && !url_same_host(&at, &named))
        return error_fail(err, ERROR_INPUT,
                          "the answer points to another host, '%.*s', which is not followed",
                          STR_ARG(at.host));
    buf_add(out, at.path);
    if (at.query.len > 0) {
        buf_char(out, '?');
        buf_add(out, at.query);
    }
    return buf_ok(out, err);
}
