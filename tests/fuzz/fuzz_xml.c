/* Any bytes are a document, whose elements nest and whose texts are within the limit, or are
 * refused with a text; and it is the same whether they come at once or in pieces. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "doc/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

/* Pieces of 1 to 7 bytes, or all at once. */
struct pieces {
    struct str text;
    unsigned state;
    bool at_once;
};

static ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = p->at_once ? room : 1 + p->state % 7;

    (void)err;
    p->state = p->state * 5 + 3;
    len = len < p->text.len ? len : p->text.len;
    len = len < room ? len : room;
    if (len > 0)
        memcpy(to, p->text.at, len);
    p->text.at += len;
    p->text.len -= len;
    return (ptrdiff_t)len;
}

struct heard {
    struct buf events;
    unsigned depth;
    uint64_t line;
};

static bool on_start(void *ctx, struct str name, uint64_t line, struct error *err)
{
    struct heard *h = ctx;

    (void)err;
    require(name.len > 0 && line >= h->line && h->depth < XML_MAX_DEPTH);
    h->depth++;
    h->line = line;
    buf_char(&h->events, '<');
    buf_add(&h->events, name);
    return true;
}

static bool on_text(void *ctx, struct str text, struct error *err)
{
    struct heard *h = ctx;

    (void)err;
    require(h->depth > 0 && text.len > 0 && text.len <= XML_MAX_TEXT);
    buf_add(&h->events, text);
    return true;
}

static bool on_end(void *ctx, struct str name, struct error *err)
{
    struct heard *h = ctx;

    (void)err;
    require(h->depth > 0);
    h->depth--;
    buf_add(&h->events, name);
    buf_char(&h->events, '>');
    return true;
}

static bool hear(struct str text, bool at_once, struct heard *h, struct error *err)
{
    struct pieces pieces = {text, 1, at_once};
    struct xml_handler handler = {on_start, on_text, on_end, h};
    bool ok;

    *h = (struct heard){.events = buf_new(&alloc_system, BUF_MAX_OUTPUT)};
    ok = xml_read((struct source){read_piece, &pieces}, &handler, &alloc_system, err);
    require(!ok || h->depth == 0);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct error a = {0}, b = {0};
    struct heard one, other;
    bool ok = hear(text, true, &one, &a);

    require(hear(text, false, &other, &b) == ok);
    require(str_eq(buf_text(&one.events), buf_text(&other.events)));
    require(strcmp(a.text, b.text) == 0);
    require(ok || (a.kind == ERROR_INPUT && strncmp(a.text, "line ", 5) == 0));
    buf_free(&one.events);
    buf_free(&other.events);
    return 0;
}
