/* Any bytes are an address or are refused with a reason. Of an address, the parts are slices of
 * it and joined give it again; a link stays on the same host. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "net/url.h"

#define TEXT_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void check_parts(struct str text, const struct url *u)
{
    require(u->host.len > 0 && u->port > 0 && u->port <= 65535);
    require(u->place.at == text.at && u->place.len <= text.len);
    require(u->path.len == 0 || u->path.at[0] == '/');
    require(str_ends(u->place, u->path));
    require(memchr(u->place.at, '?', u->place.len) == NULL);
    require(memchr(u->host.at, '@', u->host.len) == NULL);
    require(memchr(text.at, '@', (size_t)(u->host.at - text.at)) == NULL);
    require(u->query.len == 0 || u->query.at == u->place.at + u->place.len + 1);
}

static void check_rebase(struct str link)
{
    const struct str base = STR("http://127.0.0.1:8080/mirror"),
                     home = STR("https://prices.azure.com");
    struct buf out = buf_new(&alloc_system, TEXT_MAX * 2);
    struct error err = {0};
    struct url on, to;

    if (url_rebase(link, base, home, &out, &err) && url_parse(buf_text(&out), &to, &err)) {
        require(url_parse(base, &on, &err));
        require(url_same_host(&on, &to) && !to.tls);
    }
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct error err = {0};
    struct url u;

    if (size > TEXT_MAX)
        return 0;
    if (url_parse(text, &u, &err))
        check_parts(text, &u);
    else
        require(err.kind == ERROR_INPUT && err.text[0] != '\0');
    check_rebase(text);
    return 0;
}
