/* Any bytes are a TOML document, whose texts are parts of the input at the places that it says,
 * or are refused with a text; and a job of a tool that keeps its configuration in TOML, or
 * none. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "doc/toml.h"
#include "job/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static bool inside(struct str part, struct str text)
{
    return part.len == 0 || (part.at >= text.at && part.at + part.len <= text.at + text.len);
}

static void check_node(const struct node *node, struct str text, size_t depth)
{
    require(depth <= DOC_MAX_DEPTH);
    require(inside(node->text, text));
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        require(child->key.len > 0 || child->key.at != NULL);
        check_node(child, text, depth + 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};
    struct error err = {0};
    const struct node *root = toml_read(text, "fuzz.toml", &arena, &err);
    struct job job;

    if (root != NULL)
        check_node(root, text, 0);
    else
        require(err.kind != ERROR_NONE && err.text[0] != '\0');
    err = (struct error){0};
    if (!job_read(text, "fuzz.toml", &job, &arena, &err))
        require(err.kind != ERROR_NONE && strncmp(err.text, "fuzz.toml", 9) == 0);
    arena_free(&arena);
    return 0;
}
