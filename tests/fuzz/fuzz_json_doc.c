/* Any bytes are a document or are refused with a text; each string of a document is written so
 * that reading gives it back; and any bytes at all are written as a string that can be read. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "doc/json_write.h"
#include "doc/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

/* Written and read again, the text is the same. */
static void check_text(struct str text)
{
    struct arena arena = {.alloc = &alloc_system};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    const struct node *again;

    json_write_text(text, &out);
    require(buf_ok(&out, &err));
    again = json_read(buf_text(&out), "again.json", &arena, &err);
    require(again != NULL && again->kind == NODE_SCALAR && str_eq(again->text, text));
    buf_free(&out);
    arena_free(&arena);
}

static void check_nodes(const struct node *node, unsigned depth)
{
    require(depth < DOC_MAX_DEPTH);
    if (node->kind == NODE_SCALAR)
        check_text(node->text);
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        if (node->kind == NODE_MAP) {
            check_text(child->key);
            require(node_get(node, child->key) == child);
        }
        check_nodes(child, depth + 1);
    }
}

/* The other reader, which takes NUL in strings, accepts what is written of any bytes. */
static void check_bytes(struct str bytes)
{
    struct json_options options = {.alloc = &alloc_system, .max_token = BUF_MAX_OUTPUT};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct json_token token;
    struct error err = {0};
    struct json *json;

    json_write_text(bytes, &out);
    require(buf_ok(&out, &err));
    json = json_open_text(buf_text(&out), &options, &err);
    require(json != NULL && json_next(json, &token, &err) && token.kind == JSON_STRING);
    require(token.text.len >= bytes.len); /* U+FFFD is longer than the byte it replaces */
    require(json_next(json, &token, &err) && token.kind == JSON_END);
    json_close(json);
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct error err = {0};
    const struct node *root = json_read(text, "fuzz.json", &arena, &err);

    check_bytes(text);
    if (root != NULL) {
        require(err.kind == ERROR_NONE);
        check_nodes(root, 0);
    } else {
        require(err.kind == ERROR_INPUT);
        require(strncmp(err.text, "fuzz.json:", 10) == 0 && err.text[10] != '\0');
    }
    arena_free(&arena);
    return 0;
}
