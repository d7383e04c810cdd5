/* Any bytes are packed text, or plain, or are refused with a text; and what comes out is the
 * same however they come in, and never more than is allowed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "doc/compress.h"

#define MOST ((uint64_t)1 << 20)

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

/* False when it was refused. */
static bool unpack(struct str text, bool at_once, struct buf *out)
{
    struct pieces pieces = {text, 1, at_once};
    struct error err = {0};
    struct unpacker *u =
        unpack_open((struct source){read_piece, &pieces}, "fuzz", MOST, &alloc_system, &err);
    char room[777];
    ptrdiff_t got = u != NULL ? 1 : -1;

    while (got > 0) {
        struct source source = unpack_source(u);

        got = source.read(source.ctx, room, sizeof room, &err);
        if (got > 0)
            buf_add(out, (struct str){room, (size_t)got});
    }
    require(got == 0 || (err.kind == ERROR_INPUT && err.text[0] != '\0'));
    require(out->len <= MOST);
    unpack_close(u);
    return got == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct buf at_once = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct buf cut = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    bool ok = unpack(text, true, &at_once);

    require(unpack(text, false, &cut) == ok);
    if (ok)
        require(str_eq(buf_text(&at_once), buf_text(&cut)));
    buf_free(&at_once);
    buf_free(&cut);
    return 0;
}
