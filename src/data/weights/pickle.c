#include "data/weights/pickle.h"

#include <string.h>

/* Names that plain data needs: what PyTorch itself accepts as such, and what else checkpoints
 * have beside tensors. All are only noted. */
static const struct known_global {
    const char *module;
    const char *const *names;
} known_globals[] = {
    {"torch._utils", (const char *const[]){"_rebuild_tensor_v2", "_rebuild_tensor_v3",
                                           "_rebuild_parameter", NULL}},
    {"torch", (const char *const[]){"DoubleStorage",
                                    "FloatStorage",
                                    "HalfStorage",
                                    "BFloat16Storage",
                                    "LongStorage",
                                    "IntStorage",
                                    "ShortStorage",
                                    "CharStorage",
                                    "ByteStorage",
                                    "BoolStorage",
                                    "ComplexFloatStorage",
                                    "ComplexDoubleStorage",
                                    "Size",
                                    "device",
                                    "float64",
                                    "float32",
                                    "float16",
                                    "bfloat16",
                                    "int64",
                                    "int32",
                                    "int16",
                                    "int8",
                                    "uint64",
                                    "uint32",
                                    "uint16",
                                    "uint8",
                                    "bool",
                                    "complex64",
                                    "complex128",
                                    "float8_e4m3fn",
                                    "float8_e5m2",
                                    "float8_e4m3fnuz",
                                    "float8_e5m2fnuz",
                                    "float8_e8m0fnu",
                                    NULL}},
    {"torch.storage", (const char *const[]){"UntypedStorage", NULL}},
    {"collections", (const char *const[]){"OrderedDict", "defaultdict", "Counter", NULL}},
    {"__builtin__", (const char *const[]){"set", "frozenset", "bytearray", "complex", "int",
                                          "float", "list", "dict", NULL}},
    {"builtins", (const char *const[]){"set", "frozenset", "bytearray", "complex", "int",
                                       "float", "list", "dict", NULL}},
    {"_codecs", (const char *const[]){"encode", NULL}},
    {"numpy", (const char *const[]){"dtype", "ndarray", NULL}},
    {"numpy.core.multiarray", (const char *const[]){"_reconstruct", "scalar", NULL}},
    {"numpy._core.multiarray", (const char *const[]){"_reconstruct", "scalar", NULL}},
    {"argparse", (const char *const[]){"Namespace", NULL}},
};

struct unpickler {
    struct str text;
    size_t at;
    size_t start; /* of the opcode that is read */
    struct arena *arena;
    size_t nodes;
    struct pickle_node **stack, **memo;
    size_t depth, stack_room, memo_count, memo_room;
    size_t *marks;
    size_t mark_count, mark_room;
    struct error *err;
};

static bool fail_pickle(struct unpickler *u, const char *why)
{
    return error_fail(u->err, ERROR_INPUT, "its pickle is damaged: %s at byte %zu", why,
                      u->start);
}

static struct pickle_node *new_pickle_node(enum pickle_kind kind, struct arena *arena,
                                           struct error *err)
{
    struct pickle_node *node = arena_array(arena, struct pickle_node, 1, err);

    if (node != NULL)
        node->kind = kind;
    return node;
}

/* ---- the stack ---- */

static bool push_node(struct unpickler *u, struct pickle_node *node)
{
    struct pickle_node **list;

    if (node == NULL)
        return false;
    list = arena_grow(u->arena, u->stack, u->depth, sizeof(void *), &u->stack_room, u->err);
    if (list == NULL)
        return false;
    u->stack = list;
    u->stack[u->depth++] = node;
    return true;
}

static struct pickle_node *count_new_node(struct unpickler *u, enum pickle_kind kind)
{
    if (u->nodes++ >= PICKLE_NODES) {
        error_set(u->err, ERROR_UNFIT, "a pickle of more than %zu objects", PICKLE_NODES);
        return NULL;
    }
    return new_pickle_node(kind, u->arena, u->err);
}

static struct pickle_node *push_new(struct unpickler *u, enum pickle_kind kind)
{
    struct pickle_node *node = count_new_node(u, kind);

    if (node == NULL)
        return NULL;
    node->raw = (struct str){u->text.at + u->start, u->at - u->start};
    return push_node(u, node) ? node : NULL;
}

/* How many objects may be taken: those above the last mark. */
static size_t above_mark(const struct unpickler *u)
{
    return u->depth - (u->mark_count > 0 ? u->marks[u->mark_count - 1] : 0);
}

static struct pickle_node *pop_node(struct unpickler *u)
{
    if (above_mark(u) == 0) {
        (void)fail_pickle(u, "nothing is there to be used");
        return NULL;
    }
    return u->stack[--u->depth];
}

static struct pickle_node *top_node(struct unpickler *u)
{
    struct pickle_node *node = pop_node(u);

    u->depth += node != NULL;
    return node;
}

static bool push_pickle_mark(struct unpickler *u)
{
    size_t *list =
        arena_grow(u->arena, u->marks, u->mark_count, sizeof *list, &u->mark_room, u->err);

    if (list == NULL)
        return false;
    u->marks = list;
    u->marks[u->mark_count++] = u->depth;
    return true;
}

/* The objects above the last mark, which is taken away with them. */
static bool pop_marked(struct unpickler *u, struct pickle_node ***items, size_t *count)
{
    if (u->mark_count == 0)
        return fail_pickle(u, "no mark is set");
    *count = above_mark(u);
    u->depth -= *count;
    u->mark_count--;
    *items = u->stack + u->depth;
    return true;
}

/* Put objects into another; each is used once more. */
static bool add_items(struct unpickler *u, struct pickle_node *to,
                      struct pickle_node *const *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t room = to->room;
        struct pickle_node **list =
            arena_grow(u->arena, to->items, to->count, sizeof(void *), &room, u->err);

        if (list == NULL)
            return false;
        to->items = list;
        to->room = (uint32_t)room;
        to->items[to->count++] = items[i];
        items[i]->uses++;
    }
    return true;
}

/* ---- arguments ---- */

static bool take_pickled_bytes(struct unpickler *u, uint64_t len, struct str *out)
{
    if (len > u->text.len - u->at)
        return fail_pickle(u, "it ends too early");
    *out = (struct str){u->text.at + u->at, (size_t)len};
    u->at += (size_t)len;
    return true;
}

static bool take_pickled_number(struct unpickler *u, unsigned width, uint64_t *out)
{
    struct str bytes;

    *out = 0;
    if (!take_pickled_bytes(u, width, &bytes))
        return false;
    while (width-- > 0)
        *out = *out << 8 | (unsigned char)bytes.at[width];
    return true;
}

static bool take_pickled_line(struct unpickler *u, struct str *out)
{
    const char *end = memchr(u->text.at + u->at, '\n', u->text.len - u->at);

    if (end == NULL)
        return fail_pickle(u, "it ends too early");
    return take_pickled_bytes(u, (uint64_t)(end - (u->text.at + u->at)), out) && ++u->at > 0;
}

/* ---- opcodes ---- */

static bool read_pickled_int(struct unpickler *u, unsigned width)
{
    struct pickle_node *node;
    uint64_t value;

    if (!take_pickled_number(u, width, &value))
        return false;
    node = push_new(u, PICKLE_INT);
    if (node != NULL)
        node->value = width == 4 ? (int32_t)(uint32_t)value : (int64_t)value;
    return node != NULL;
}

/* A long integer: one of up to 8 bytes is an integer like others. */
static bool read_pickled_long(struct unpickler *u, unsigned width)
{
    struct pickle_node *node;
    struct str bytes;
    uint64_t len, value = 0;

    if (!take_pickled_number(u, width, &len) || !take_pickled_bytes(u, len, &bytes))
        return false;
    node = push_new(u, bytes.len <= 8 ? PICKLE_INT : PICKLE_SCALAR);
    if (node == NULL || bytes.len > 8)
        return node != NULL;
    for (size_t i = 8; i-- > 0;) {
        bool negative = bytes.len > 0 && (unsigned char)bytes.at[bytes.len - 1] > 127;

        value = value << 8 | (i < bytes.len ? (unsigned char)bytes.at[i]
                              : negative    ? 255U
                                            : 0U);
    }
    node->value = (int64_t)value;
    return true;
}

static bool read_pickled_text(struct unpickler *u, unsigned width, enum pickle_kind kind)
{
    struct pickle_node *node;
    struct str text;
    uint64_t len;

    if (!take_pickled_number(u, width, &len) || !take_pickled_bytes(u, len, &text))
        return false;
    node = push_new(u, kind);
    if (node != NULL)
        node->text = text;
    return node != NULL;
}

static bool read_pickled_scalar(struct unpickler *u, unsigned width)
{
    struct str bytes;

    return take_pickled_bytes(u, width, &bytes) && push_new(u, PICKLE_SCALAR) != NULL;
}

static bool is_known_global(struct str module, struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(known_globals); i++)
        if (str_eq(str_from(known_globals[i].module), module))
            return str_is_one_of(name, known_globals[i].names);
    return false;
}

static bool push_global(struct unpickler *u, struct str module, struct str name)
{
    struct pickle_node *node;

    if (!is_known_global(module, name))
        return error_fail(u->err, ERROR_UNFIT, "its pickle needs %.*s.%.*s, which is not run",
                          STR_ARG(module), STR_ARG(name));
    node = push_new(u, PICKLE_GLOBAL);
    if (node == NULL)
        return false;
    node->module = module;
    node->text = name;
    return true;
}

static bool read_global(struct unpickler *u)
{
    struct str module, name;

    return take_pickled_line(u, &module) && take_pickled_line(u, &name) &&
           push_global(u, module, name);
}

static bool read_stack_global(struct unpickler *u)
{
    const struct pickle_node *name = pop_node(u);
    const struct pickle_node *module = name != NULL ? pop_node(u) : NULL;

    if (module == NULL)
        return false;
    if (module->kind != PICKLE_TEXT || name->kind != PICKLE_TEXT)
        return fail_pickle(u, "a name is no text");
    return push_global(u, module->text, name->text);
}

/* A tuple, list or set of what is above the last mark, or of the last `count` objects. */
static bool read_marked(struct unpickler *u, enum pickle_kind kind)
{
    struct pickle_node **items, *node;
    size_t count;

    if (!pop_marked(u, &items, &count))
        return false;
    if (kind == PICKLE_DICT && count % 2 != 0)
        return fail_pickle(u, "a key has no value");
    /* The new node takes the place of the first of them on the stack. */
    node = count_new_node(u, kind);
    return node != NULL && add_items(u, node, items, count) && push_node(u, node);
}

static bool read_small_tuple(struct unpickler *u, size_t count)
{
    struct pickle_node *node;

    if (above_mark(u) < count)
        return fail_pickle(u, "nothing is there to be used");
    u->depth -= count;
    node = count_new_node(u, PICKLE_TUPLE);
    return node != NULL && add_items(u, node, u->stack + u->depth, count) && push_node(u, node);
}

/* Append to a list or set. */
static bool read_appends(struct unpickler *u, bool many, enum pickle_kind kind)
{
    struct pickle_node **items, *to, *one;
    size_t count = 1;

    if (many) {
        if (!pop_marked(u, &items, &count))
            return false;
    } else {
        one = pop_node(u);
        items = &one;
        if (one == NULL)
            return false;
    }
    to = top_node(u);
    if (to == NULL)
        return false;
    if (to->kind != kind)
        return fail_pickle(u, "something is added to what is no list");
    return add_items(u, to, items, count);
}

static bool read_set_items(struct unpickler *u, bool many)
{
    struct pickle_node **items, *to;
    size_t count = 2;

    if (many) {
        if (!pop_marked(u, &items, &count))
            return false;
    } else {
        if (above_mark(u) < 2)
            return fail_pickle(u, "nothing is there to be used");
        u->depth -= 2;
        items = u->stack + u->depth;
    }
    to = top_node(u);
    if (to == NULL)
        return false;
    if (count % 2 != 0)
        return fail_pickle(u, "a key has no value");
    if (to->kind != PICKLE_DICT && to->kind != PICKLE_CALL)
        return fail_pickle(u, "a key is set of what is no dictionary");
    return add_items(u, to, items, count);
}

static bool read_call(struct unpickler *u, enum pickle_kind kind)
{
    struct pickle_node *given = pop_node(u);
    struct pickle_node *callee = given != NULL ? pop_node(u) : NULL;
    struct pickle_node *node;

    if (callee == NULL)
        return false;
    if (callee->kind != PICKLE_GLOBAL || given->kind != PICKLE_TUPLE)
        return fail_pickle(u, "something is called that is no function");
    node = push_new(u, kind);
    if (node == NULL)
        return false;
    node->callee = callee;
    node->given = given;
    callee->uses++;
    given->uses++;
    return true;
}

static bool read_outer(struct unpickler *u)
{
    struct pickle_node *given = pop_node(u);
    struct pickle_node *node = given != NULL ? push_new(u, PICKLE_OUTER) : NULL;

    if (node == NULL)
        return false;
    node->given = given;
    given->uses++;
    return true;
}

static bool read_build(struct unpickler *u)
{
    struct pickle_node *state = pop_node(u);
    struct pickle_node *to = state != NULL ? top_node(u) : NULL;

    if (to == NULL)
        return false;
    if ((to->kind != PICKLE_CALL && to->kind != PICKLE_MAKE) || to->state != NULL)
        return fail_pickle(u, "a state is set of what has none");
    to->state = state;
    state->uses++;
    return true;
}

static bool put_memo(struct unpickler *u, uint64_t number)
{
    struct pickle_node *node = top_node(u);

    if (node == NULL)
        return false;
    if (number >= PICKLE_NODES)
        return fail_pickle(u, "a number is too large");
    while (u->memo_count <= number) {
        struct pickle_node **list =
            arena_grow(u->arena, u->memo, u->memo_count, sizeof(void *), &u->memo_room, u->err);

        if (list == NULL)
            return false;
        u->memo = list;
        u->memo[u->memo_count++] = NULL;
    }
    u->memo[number] = node;
    return true;
}

static bool read_put(struct unpickler *u, unsigned width)
{
    uint64_t number;

    return take_pickled_number(u, width, &number) && put_memo(u, number);
}

static bool read_get(struct unpickler *u, unsigned width)
{
    uint64_t number;

    if (!take_pickled_number(u, width, &number))
        return false;
    if (number >= u->memo_count || u->memo[number] == NULL)
        return fail_pickle(u, "an object is used that is not there");
    return push_node(u, u->memo[number]);
}

static bool read_protocol(struct unpickler *u)
{
    uint64_t version;

    if (!take_pickled_number(u, 1, &version))
        return false;
    return (version >= 2 && version <= 5) ||
           error_fail(u->err, ERROR_UNFIT, "a pickle of protocol %d", (int)version);
}

/* Opcodes that make one object out of what follows them. */
static bool read_pickled_value(struct unpickler *u, unsigned char op, bool *known)
{
    *known = true;
    switch (op) {
    case 'N': /* None */
    case 0x88:
    case 0x89: /* True, False */
        return read_pickled_scalar(u, 0);
    case 'G': /* a float */
        return read_pickled_scalar(u, 8);
    case 'K':
        return read_pickled_int(u, 1);
    case 'M':
        return read_pickled_int(u, 2);
    case 'J':
        return read_pickled_int(u, 4);
    case 0x8a:
        return read_pickled_long(u, 1);
    case 0x8b:
        return read_pickled_long(u, 4);
    case 0x8c:
        return read_pickled_text(u, 1, PICKLE_TEXT);
    case 'X':
        return read_pickled_text(u, 4, PICKLE_TEXT);
    case 0x8d:
        return read_pickled_text(u, 8, PICKLE_TEXT);
    case 'C': /* bytes, and texts of Python 2 */
    case 'U':
        return read_pickled_text(u, 1, PICKLE_SCALAR);
    case 'B':
    case 'T':
        return read_pickled_text(u, 4, PICKLE_SCALAR);
    case 0x8e:
        return read_pickled_text(u, 8, PICKLE_SCALAR);
    case 'c':
        return read_global(u);
    default:
        *known = false;
        return true;
    }
}

/* Opcodes that make objects out of others, or put them into others. */
static bool read_pickled_container(struct unpickler *u, unsigned char op, bool *known)
{
    *known = true;
    switch (op) {
    case '(':
        return push_pickle_mark(u);
    case ']':
        return push_new(u, PICKLE_LIST) != NULL;
    case ')':
        return push_new(u, PICKLE_TUPLE) != NULL;
    case '}':
        return push_new(u, PICKLE_DICT) != NULL;
    case 0x8f:
        return push_new(u, PICKLE_SET) != NULL;
    case 't':
        return read_marked(u, PICKLE_TUPLE);
    case 'l':
        return read_marked(u, PICKLE_LIST);
    case 'd':
        return read_marked(u, PICKLE_DICT);
    case 0x91:
        return read_marked(u, PICKLE_FROZEN_SET);
    case 0x85:
    case 0x86:
    case 0x87:
        return read_small_tuple(u, op - 0x84U);
    case 'a':
        return read_appends(u, false, PICKLE_LIST);
    case 'e':
        return read_appends(u, true, PICKLE_LIST);
    case 0x90:
        return read_appends(u, true, PICKLE_SET);
    case 's':
        return read_set_items(u, false);
    case 'u':
        return read_set_items(u, true);
    default:
        *known = false;
        return true;
    }
}

static bool read_pickled_other(struct unpickler *u, unsigned char op, bool *known)
{
    uint64_t ignored;

    *known = true;
    switch (op) {
    case 0x80:
        return read_protocol(u);
    case 0x95: /* a frame: nothing but a hint for reading */
        return take_pickled_number(u, 8, &ignored);
    case 0x93:
        return read_stack_global(u);
    case 0x94:
        return put_memo(u, u->memo_count);
    case 'q':
        return read_put(u, 1);
    case 'r':
        return read_put(u, 4);
    case 'h':
        return read_get(u, 1);
    case 'j':
        return read_get(u, 4);
    case 'R':
        return read_call(u, PICKLE_CALL);
    case 0x81:
        return read_call(u, PICKLE_MAKE);
    case 'Q':
        return read_outer(u);
    case 'b':
        return read_build(u);
    default:
        *known = false;
        return true;
    }
}

static bool read_opcode(struct unpickler *u, unsigned char op)
{
    bool known;

    if (!read_pickled_value(u, op, &known))
        return false;
    if (!known && !read_pickled_container(u, op, &known))
        return false;
    if (!known && !read_pickled_other(u, op, &known))
        return false;
    return known || error_fail(u->err, ERROR_UNFIT,
                               "its pickle has the opcode 0x%02x, which "
                               "is not known",
                               op);
}

/* No circles, and not too deep: each node is looked at once on its way down. `number` is 1
 * while it is on the way, 2 once it is fine. */
static bool check_depth(struct pickle_node *node, unsigned depth, struct error *err)
{
    struct pickle_node *others[] = {node->callee, node->given, node->state};

    if (node->number == 2)
        return true;
    if (depth > PICKLE_DEPTH || node->number == 1)
        return error_fail(err, ERROR_UNFIT, "a pickle of objects in each other too deeply");
    node->number = 1;
    for (uint32_t i = 0; i < node->count; i++)
        if (!check_depth(node->items[i], depth + 1, err))
            return false;
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (others[i] != NULL && !check_depth(others[i], depth + 1, err))
            return false;
    node->number = 2;
    return true;
}

bool pickle_read(struct str text, struct arena *arena, struct pickle_node **out,
                 struct error *err)
{
    struct unpickler u = {.text = text, .arena = arena, .err = err};

    if (text.len > PICKLE_MOST)
        return error_fail(err, ERROR_UNFIT, "a pickle of more than 64 MiB");
    if (text.len < 2 || (unsigned char)text.at[0] != 0x80)
        return error_fail(err, ERROR_INPUT, "its pickle has no beginning");
    for (;;) {
        unsigned char op;

        u.start = u.at;
        if (u.at == text.len)
            return fail_pickle(&u, "it ends too early");
        op = (unsigned char)text.at[u.at++];
        if (op == '.')
            break;
        if (!read_opcode(&u, op))
            return false;
    }
    if (u.depth != 1 || u.mark_count != 0)
        return fail_pickle(&u, "something is left over");
    *out = u.stack[0];
    (*out)->uses++;
    return check_depth(*out, 0, err);
}

bool pickle_is_global(const struct pickle_node *node, const char *module, const char *name)
{
    return node != NULL && node->kind == PICKLE_GLOBAL &&
           str_eq(node->module, str_from(module)) && str_eq(node->text, str_from(name));
}
