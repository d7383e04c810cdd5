/* A graph of pickle.h written, compared and changed.
 *
 * Between two walks through a graph every node has a number other than 0; a walk begins by
 * setting all to 0. */
#include "data/weights/pickle.h"

#include <string.h>

#define FRESH 1 /* the number of a node that no walk has seen */

struct pickler {
    struct buf *out;
    uint32_t memo;
    int protocol;
};

static void clear_numbers(struct pickle_node *node)
{
    struct pickle_node *others[] = {node->callee, node->given, node->state};

    if (node->number == 0)
        return;
    node->number = 0;
    for (uint32_t i = 0; i < node->count; i++)
        clear_numbers(node->items[i]);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (others[i] != NULL)
            clear_numbers(others[i]);
}

/* ---- writing ---- */

static void write_little(struct pickler *p, uint64_t value, unsigned width)
{
    for (; width > 0; width--, value >>= 8)
        buf_char(p->out, (char)(value & 0xff));
}

static void write_pickled_int(struct pickler *p, int64_t value)
{
    if (value >= 0 && value <= UINT8_MAX) {
        buf_char(p->out, 'K');
        write_little(p, (uint64_t)value, 1);
    } else if (value >= 0 && value <= UINT16_MAX) {
        buf_char(p->out, 'M');
        write_little(p, (uint64_t)value, 2);
    } else if (value >= INT32_MIN && value <= INT32_MAX) {
        buf_char(p->out, 'J');
        write_little(p, (uint64_t)value, 4);
    } else {
        buf_adds(p->out, "\x8a\x08"); /* of eight bytes */
        write_little(p, (uint64_t)value, 8);
    }
}

static void write_pickled_text(struct pickler *p, const struct pickle_node *node)
{
    buf_char(p->out, 'X');
    write_little(p, node->text.len, 4);
    buf_add(p->out, node->text);
}

static void write_pickled_scalar(struct pickler *p, const struct pickle_node *node)
{
    char op = node->raw.at[0];
    int needs = op == 'C' || op == 'B' ? 3 : op == '\x8e' ? 4 : 2;

    if (p->protocol < needs)
        p->protocol = needs;
    buf_add(p->out, node->raw);
}

static void write_pickled_global(struct pickler *p, const struct pickle_node *node)
{
    buf_char(p->out, 'c');
    buf_add(p->out, node->module);
    buf_char(p->out, '\n');
    buf_add(p->out, node->text);
    buf_char(p->out, '\n');
}

/* From now on it is known by a number, when it is at another place, too. */
static void write_memo(struct pickler *p, struct pickle_node *node)
{
    uint32_t number = p->memo;

    node->number = FRESH + ++p->memo;
    if (node->uses < 2)
        return;
    buf_char(p->out, number <= UINT8_MAX ? 'q' : 'r');
    write_little(p, number, number <= UINT8_MAX ? 1 : 4);
}

static void write_reference(struct pickler *p, const struct pickle_node *node)
{
    uint32_t number = node->number - FRESH - 1;

    buf_char(p->out, number <= UINT8_MAX ? 'h' : 'j');
    write_little(p, number, number <= UINT8_MAX ? 1 : 4);
}

static void write_node(struct pickler *p, struct pickle_node *node);

static void write_marked(struct pickler *p, const struct pickle_node *node, char end)
{
    buf_char(p->out, '(');
    for (uint32_t i = 0; i < node->count; i++)
        write_node(p, node->items[i]);
    buf_char(p->out, end);
}

static void write_pickled_tuple(struct pickler *p, const struct pickle_node *node)
{
    if (node->count == 0 || node->count > 3) {
        if (node->count == 0)
            buf_char(p->out, ')');
        else
            write_marked(p, node, 't');
        return;
    }
    for (uint32_t i = 0; i < node->count; i++)
        write_node(p, node->items[i]);
    buf_char(p->out, (char)(0x84 + node->count));
}

/* What is made first and filled then. */
static void write_filled(struct pickler *p, struct pickle_node *node, char start, char end)
{
    if (start != '\0')
        buf_char(p->out, start);
    write_memo(p, node);
    if (node->count > 0)
        write_marked(p, node, end);
}

static void write_call(struct pickler *p, struct pickle_node *node)
{
    write_node(p, node->callee);
    write_node(p, node->given);
    buf_char(p->out, node->kind == PICKLE_CALL ? 'R' : '\x81');
    write_filled(p, node, '\0', 'u');
    if (node->state == NULL)
        return;
    write_node(p, node->state);
    buf_char(p->out, 'b');
}

static void write_container(struct pickler *p, struct pickle_node *node)
{
    switch (node->kind) {
    case PICKLE_LIST:
        write_filled(p, node, ']', 'e');
        break;
    case PICKLE_DICT:
        write_filled(p, node, '}', 'u');
        break;
    case PICKLE_SET:
        p->protocol = 4 > p->protocol ? 4 : p->protocol;
        write_filled(p, node, '\x8f', '\x90');
        break;
    case PICKLE_CALL:
    case PICKLE_MAKE:
        write_call(p, node);
        break;
    case PICKLE_FROZEN_SET:
        p->protocol = 4 > p->protocol ? 4 : p->protocol;
        write_marked(p, node, '\x91');
        write_memo(p, node);
        break;
    case PICKLE_TUPLE:
    case PICKLE_SCALAR:
    case PICKLE_INT:
    case PICKLE_TEXT:
    case PICKLE_GLOBAL:
    case PICKLE_OUTER:
        break;
    }
}

static void write_node(struct pickler *p, struct pickle_node *node)
{
    if (node->number != 0 && node->uses > 1) {
        write_reference(p, node);
        return;
    }
    switch (node->kind) {
    case PICKLE_SCALAR:
        write_pickled_scalar(p, node);
        break;
    case PICKLE_INT:
        write_pickled_int(p, node->value);
        break;
    case PICKLE_TEXT:
        write_pickled_text(p, node);
        break;
    case PICKLE_GLOBAL:
        write_pickled_global(p, node);
        break;
    case PICKLE_TUPLE:
        write_pickled_tuple(p, node);
        break;
    case PICKLE_OUTER:
        write_node(p, node->given);
        buf_char(p->out, 'Q');
        break;
    case PICKLE_LIST:
    case PICKLE_SET:
    case PICKLE_FROZEN_SET:
    case PICKLE_DICT:
    case PICKLE_CALL:
    case PICKLE_MAKE:
        write_container(p, node);
        return;
    }
    write_memo(p, node);
}

bool pickle_write(struct pickle_node *root, struct buf *out, struct error *err)
{
    struct pickler p = {.out = out, .protocol = 2};
    size_t start = out->len;

    clear_numbers(root);
    buf_adds(out, "\x80\x02");
    write_node(&p, root);
    buf_char(out, '.');
    if (!buf_ok(out, err))
        return false;
    out->at[start + 1] = (char)p.protocol;
    return true;
}

/* ---- comparing ---- */

struct pickle_pair {
    uint32_t count; /* nodes that were met */
};

static bool are_same(struct pickle_pair *pair, struct pickle_node *a, struct pickle_node *b);

static bool are_both_same(struct pickle_pair *pair, struct pickle_node *a,
                          struct pickle_node *b)
{
    return a == NULL || b == NULL ? a == b : are_same(pair, a, b);
}

static bool has_same_value(const struct pickle_node *a, const struct pickle_node *b)
{
    if (a->kind == PICKLE_INT)
        return a->value == b->value;
    if (a->kind == PICKLE_SCALAR)
        return str_eq(a->raw, b->raw);
    return str_eq(a->text, b->text) && str_eq(a->module, b->module);
}

static bool are_same(struct pickle_pair *pair, struct pickle_node *a, struct pickle_node *b)
{
    if (a->number != 0 || b->number != 0)
        return a->number == b->number;
    a->number = b->number = ++pair->count;
    if (a->kind != b->kind || a->count != b->count || !has_same_value(a, b))
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!are_same(pair, a->items[i], b->items[i]))
            return false;
    return are_both_same(pair, a->callee, b->callee) &&
           are_both_same(pair, a->given, b->given) && are_both_same(pair, a->state, b->state);
}

bool pickle_same(struct pickle_node *a, struct pickle_node *b)
{
    struct pickle_pair pair = {0};

    clear_numbers(a);
    clear_numbers(b);
    return are_same(&pair, a, b);
}

/* ---- changing ---- */

static struct pickle_node *fresh_node(enum pickle_kind kind, struct arena *arena,
                                      struct error *err)
{
    struct pickle_node *node = arena_array(arena, struct pickle_node, 1, err);

    if (node != NULL) {
        node->kind = kind;
        node->number = FRESH;
        node->uses = 1;
    }
    return node;
}

struct pickle_node *pickle_int(int64_t value, struct arena *arena, struct error *err)
{
    struct pickle_node *node = fresh_node(PICKLE_INT, arena, err);

    if (node != NULL)
        node->value = value;
    return node;
}

struct pickle_node *pickle_global(const char *module, const char *name, struct arena *arena,
                                  struct error *err)
{
    struct pickle_node *node = fresh_node(PICKLE_GLOBAL, arena, err);

    if (node != NULL) {
        node->module = str_from(module);
        node->text = str_from(name);
    }
    return node;
}

struct pickle_node *pickle_tuple(struct pickle_node *const *items, uint32_t count,
                                 struct arena *arena, struct error *err)
{
    struct pickle_node *node = fresh_node(PICKLE_TUPLE, arena, err);

    if (node == NULL)
        return NULL;
    node->items = arena_array(arena, struct pickle_node *, count, err);
    if (node->items == NULL)
        return NULL;
    node->count = node->room = count;
    for (uint32_t i = 0; i < count; i++) {
        node->items[i] = items[i];
        items[i]->uses++;
    }
    return node;
}
