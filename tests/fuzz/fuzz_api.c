/* Any bytes as a request to the API: "GET plan?jobs=7B" or "POST plan?fields=x" and a body
 * after the line. It is refused with a reason and a status, or read; what was read has a limit,
 * and names no file of this machine that op_run() would not refuse. Nothing is run. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "op/remote.h"
#include "serve/api.h"

#define INPUT_MAX 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static struct str no_header(const struct http_request *request, const char *name,
                            unsigned *count)
{
    (void)request;
    (void)name;
    if (count != NULL)
        *count = 0;
    return (struct str){0};
}

/* What is encoded is decoded to the same again. */
static void check_encoding(struct str text, struct arena *arena)
{
    struct buf encoded = buf_new(&alloc_system, 4 * INPUT_MAX);
    struct error err = {0};
    struct str plain, again;

    if (percent_decode(text, true, arena, &plain, &err)) {
        percent_encode(plain, &encoded);
        require(percent_decode(buf_text(&encoded), true, arena, &again, &err) &&
                str_eq(plain, again));
    } else {
        require(err.kind == ERROR_INPUT && err.text[0] != '\0');
    }
    buf_free(&encoded);
}

/* Only what may be asked gets so far, and no more rows than allowed are asked for. */
static void check_ask(struct visit *v, const struct api_ask *ask)
{
    const struct field *limit = field_find(ask->op->request, STR("limit"));
    struct op_context ctx = {.arena = &v->arena, .remote = true, .team = STR("nlp")};
    const void *request = ask->request;
    struct error err = {0};

    require(ask->op->remote != OP_LOCAL && v->caller.scope >= api_scope(ask->op));
    if (limit != NULL && limit->type == FIELD_COUNT)
        require(field_count(limit, ask->request) > 0 &&
                field_count(limit, ask->request) <= API_LIMIT);
    if (!op_admit(&ctx, ask->op, &request, &err)) {
        require(err.text[0] != '\0');
        return;
    }
    require(ask->op->team != OP_TEAM_NONE);
    for (size_t i = 0; i < ask->op->request->len; i++) {
        const struct field *f = &ask->op->request->at[i];
        struct str text;

        if (op_is_remote(f) || f->type != FIELD_TEXT)
            continue;
        memcpy(&text, (const unsigned char *)request + f->offset, sizeof text);
        require(text.at == NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct http_part http = {.header = no_header};
    static const struct route get = {.method = "GET"}, post = {.method = "POST"};
    struct str body = {(const char *)data, size}, line = str_cut(&body, '\n');
    struct str target = line, method = str_cut(&target, ' '), query = target;
    struct str name = str_cut(&query, '?');
    struct http_request request = {.method = method, .query = query, .body = body};
    struct server server = {.http = &http};
    struct visit v = {.server = &server,
                      .request = &request,
                      .route = str_eq(method, STR("POST")) ? &post : &get,
                      .caller = {.scope = TOKEN_ADMIN},
                      .arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE},
                      .status = 200};
    struct error err = {0};
    struct api_ask ask;

    if (size > INPUT_MAX || name.len == 0)
        return 0;
    check_encoding(query, &v.arena);
    if (params_read(query, &v.arena, &v.params, &err) && api_ask_read(&v, name, &ask, &err))
        check_ask(&v, &ask);
    else
        require(err.kind != ERROR_NONE && err.text[0] != '\0');
    arena_free(&v.arena);
    return 0;
}
