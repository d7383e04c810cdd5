/* The reader must find the same tokens, or the same fault, in a text whether it sees all of it
 * at once or in pieces; skipping and leaving must agree with reading. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Pieces of 1 to 7 bytes, in an order that depends on `state` alone. */
struct pieces {
    struct str text;
    unsigned state;
};

static ptrdiff_t read_piece(void *ctx, char *to, size_t room, struct error *err)
{
    struct pieces *p = ctx;
    size_t len = 1 + p->state % 7;

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

static void require(bool fact)
{
    if (!fact)
        abort();
}

/* One step of both: true while there is more. */
static bool step(struct json *a, struct json *b)
{
    struct json_token x = {0}, y = {0};
    struct error err_a = {0}, err_b = {0};
    bool ok = json_next(a, &x, &err_a);

    require(json_next(b, &y, &err_b) == ok);
    if (!ok) {
        require(err_a.kind == ERROR_INPUT && err_b.kind == ERROR_INPUT);
        require(strcmp(err_a.text, err_b.text) == 0);
        require(strncmp(err_a.text, "line ", 5) == 0);
        return false;
    }
    require(x.kind == y.kind && x.depth == y.depth && x.depth <= JSON_MAX_DEPTH);
    require(str_eq(x.text, y.text));
    return x.kind != JSON_END;
}

/* Skip every container at the top: true when all of the text is valid. */
static bool skip_all(struct str text, const struct json_options *options, struct error *err)
{
    struct json *json = json_open_text(text, options, err);
    struct json_token token = {.kind = JSON_NULL};
    bool ok = json != NULL;

    while (ok && token.kind != JSON_END)
        ok = json_next(json, &token, err) && json_skip(json, err);
    json_close(json);
    return ok;
}

/* Leave each container of the top once a value of it was read: true as above. */
static bool leave_all(struct str text, const struct json_options *options, struct error *err)
{
    struct json *json = json_open_text(text, options, err);
    struct json_token token = {.kind = JSON_NULL};
    uint64_t line = 1;
    bool ok = json != NULL;

    while (ok && token.kind != JSON_END) {
        ok = json_next(json, &token, err) && (token.depth < 2 || json_leave(json, 1, err));
        require(json_line(json) >= line);
        line = json_line(json);
    }
    json_close(json);
    return ok;
}

static bool read_all(struct str text, const struct json_options *options, struct error *err)
{
    struct json *json = json_open_text(text, options, err);
    struct json_token token = {.kind = JSON_NULL};
    bool ok = json != NULL;

    while (ok && token.kind != JSON_END)
        ok = json_next(json, &token, err);
    json_close(json);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct json_options options = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct pieces pieces;
    struct error err = {0}, err_skip = {0};
    struct json *a, *b;
    bool ok;

    /* The length chooses the options, so that every byte of a saved input is JSON. */
    options.many = size % 2 == 1;
    options.max_token = size % 3 == 0 ? 16 : 0;
    pieces = (struct pieces){text, (unsigned)size};

    a = json_open_text(text, &options, &err);
    b = json_open((struct source){read_piece, &pieces}, &options, &err);
    require(a != NULL && b != NULL);
    while (step(a, b))
        continue;
    json_close(a);
    json_close(b);

    ok = read_all(text, &options, &err);
    require(skip_all(text, &options, &err_skip) == ok);
    require(ok || strcmp(err.text, err_skip.text) == 0);
    require(leave_all(text, &options, &err_skip) == ok);
    require(ok || strcmp(err.text, err_skip.text) == 0);
    return 0;
}
