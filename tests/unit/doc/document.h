/* document.h - a document as text, for the tests of its readers: {a:'1' b:['x' ~]}. */
#ifndef TESTS_DOC_DOCUMENT_H
#define TESTS_DOC_DOCUMENT_H

#include <string.h>

#include "doc/node.h"
#include "test.h"

typedef struct node *document_reader(struct str text, const char *name, struct arena *arena,
                                     struct error *err);

/* `placed`: every value and key must have a line and column; otherwise none may. */
static inline void draw(const struct node *node, bool placed, struct buf *out)
{
    static const char *const open[] = {"~", "'", "[", "{"}, *const close[] = {"", "'", "]",
                                                                              "}"};

    assert_true(placed ? (node->line > 0 && node->column > 0) || node->kind == NODE_NULL
                       : node->line == 0);
    buf_adds(out, open[node->kind]);
    buf_add(out, node->text);
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        if (node->kind == NODE_MAP) {
            assert_true((child->key_line > 0 && child->key_column > 0) == placed);
            buf_add(out, child->key);
            buf_char(out, ':');
        }
        draw(child, placed, out);
        if (child->next != NULL)
            buf_char(out, ' ');
    }
    buf_adds(out, close[node->kind]);
}

/* Read from a block of just this size, so that ASan sees a read past the end. */
static inline struct node *read_exact(document_reader *read, struct str text, const char *name,
                                      struct arena *arena, struct error *err)
{
    char *exact = malloc(text.len > 0 ? text.len : 1);
    struct node *root;

    assert_non_null(exact);
    if (text.len > 0)
        memcpy(exact, text.at, text.len);
    root = read((struct str){exact, text.len}, name, arena, err);
    free(exact); /* nothing in the document refers to it */
    return root;
}

static inline void check_document(document_reader *read, bool placed, const char *text,
                                  const char *expected)
{
    struct arena arena = test_arena();
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct node *root = read_exact(read, str_from(text), "document", &arena, &err);

    if (root == NULL)
        fail_msg("'%s': %s", text, err.text);
    draw(root, placed, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
    arena_free(&arena);
}

#endif
