/* Any bytes are a document or are refused with a text and a place; a document fills a record or
 * is refused in the same way; and a filled record is written as JSON that another reader
 * accepts. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/doc/every.h"
#include "base/json.h"
#include "doc/json_write.h"
#include "doc/node.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void require_refusal(const struct error *err)
{
    require(err->kind == ERROR_INPUT);
    require(strncmp(err->text, "fuzz.yaml:", 10) == 0 && err->text[10] != '\0');
}

static size_t check_nodes(const struct node *node, unsigned depth)
{
    size_t count = 1;

    require(depth < DOC_MAX_DEPTH);
    require(node->kind == NODE_SCALAR || node->text.len == 0);
    require(node->kind == NODE_LIST || node->kind == NODE_MAP || node->first == NULL);
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        if (node->kind == NODE_MAP)
            require(node_get(node, child->key) == child); /* no key is there twice */
        count += check_nodes(child, depth + 1);
    }
    return count;
}

static void check_json(const struct every *record)
{
    struct json_options options = {.alloc = &alloc_system};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct json_token token = {.kind = JSON_NULL};
    struct error err = {0};
    struct json *json;

    json_write_record(&every_set, record, "fuzz/1", &out);
    require(buf_ok(&out, &err));
    json = json_open_text(buf_text(&out), &options, &err);
    require(json != NULL);
    while (token.kind != JSON_END)
        require(json_next(json, &token, &err));
    json_close(json);
    buf_clear(&out);
    for (size_t i = 0; i < every_set.len; i++)
        field_write(&every_set.at[i], record, &out);
    require(buf_ok(&out, &err));
    buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct error err = {0};
    struct every record;
    const struct node *root = yaml_read(text, "fuzz.yaml", &arena, &err);

    if (root == NULL) {
        require_refusal(&err);
        arena_free(&arena);
        return 0;
    }
    require(err.kind == ERROR_NONE);
    require(check_nodes(root, 0) <= DOC_MAX_NODES);
    require(fields_reset(&every_set, &record, &arena, &err));
    if (fields_from_node(&every_set, root, "fuzz.yaml", &record, &arena, &err))
        check_json(&record);
    else
        require_refusal(&err);
    arena_free(&arena);
    return 0;
}
