/* The same bytes, read as text in memory, from a source in odd pieces, and without vectors,
 * must give the same rows and the same error. The first byte chooses the options. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pieces {
    const char *at;
    size_t left, piece;
};

static ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *from = ctx;
    size_t len = from->left < from->piece ? from->left : from->piece;

    (void)err;
    if (len > room)
        len = room;
    if (len > 0)
        memcpy(to, from->at, len);
    from->at += len;
    from->left -= len;
    return (ptrdiff_t)len;
}

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void require_same_row(const struct csv_row *a, const struct csv_row *b)
{
    require(a->count == b->count && a->line == b->line);
    for (size_t i = 0; i < a->count; i++)
        require(str_eq(a->fields[i], b->fields[i]));
}

/* Step through both at once, to the end of one and then of the other. */
static void require_same(struct csv *a, struct csv *b)
{
    struct error a_err = {0}, b_err = {0};
    struct csv_row a_row, b_row;
    bool more = true;

    require(a != NULL && b != NULL);
    while (more) {
        more = csv_next(a, &a_row, &a_err);
        require(more == csv_next(b, &b_row, &b_err));
        if (more)
            require_same_row(&a_row, &b_row);
    }
    require(csv_failed(a) == csv_failed(b));
    require(a_err.kind == b_err.kind && strcmp(a_err.text, b_err.text) == 0);
    csv_close(a);
    csv_close(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct csv_options vector = {.alloc = &alloc_system}, scalar;
    struct error err = {0};
    struct str text;
    struct pieces pieces;

    if (size == 0)
        return 0;
    text = (struct str){(const char *)data + 1, size - 1};
    pieces = (struct pieces){text.at, text.len, 1 + data[0] % 97u};
    vector.comments = (data[0] & 1) != 0;
    vector.max_row = (data[0] & 2) != 0 ? 100 : 0;
    vector.max_fields = (data[0] & 4) != 0 ? 7 : 0;
    scalar = vector;
    scalar.scalar = true;

    require_same(csv_open_text(text, &vector, &err), csv_open_text(text, &scalar, &err));
    require_same(csv_open_text(text, &scalar, &err),
                 csv_open((struct source){read_piece, &pieces}, &vector, &err));
    pieces = (struct pieces){text.at, text.len, SIZE_MAX};
    require_same(csv_open_text(text, &vector, &err),
                 csv_open((struct source){read_piece, &pieces}, &vector, &err));
    return 0;
}
