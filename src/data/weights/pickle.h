/* pickle.h - what a Python pickle says, as a graph of plain data. Nothing of it is executed.
 *
 * A pickle is a program that may call any function of Python. This reader knows the opcodes
 * that checkpoints are made of (protocols 2 to 5) and keeps calls as nodes; the functions and
 * classes that may be named are listed in pickle.c, and any other is refused (ERROR_UNFIT, with
 * its name). What is no pickle, or is cut off, is ERROR_INPUT. Memory is bounded by PICKLE_MOST
 * and PICKLE_NODES. */
#ifndef DATA_WEIGHTS_PICKLE_H
#define DATA_WEIGHTS_PICKLE_H

#include "base/buf.h"
#include "base/str.h"

#define PICKLE_MOST ((size_t)64 << 20) /* bytes */
#define PICKLE_NODES ((size_t)4 << 20)
#define PICKLE_DEPTH 100 /* of objects in each other: deeper ones, and circles, are refused */

enum pickle_kind {
    PICKLE_SCALAR, /* None, a truth value, a float, a long integer, bytes: `raw` */
    PICKLE_INT,
    PICKLE_TEXT,
    PICKLE_GLOBAL, /* the function or class `text` of the module `module` */
    PICKLE_TUPLE,
    PICKLE_LIST,
    PICKLE_SET,
    PICKLE_FROZEN_SET,
    PICKLE_DICT,  /* key, value, key, value, ... */
    PICKLE_CALL,  /* of `callee` with `given`; then `items` as of a dictionary, and `state` */
    PICKLE_MAKE,  /* the same of a class, by its __new__ */
    PICKLE_OUTER, /* the object outside of the pickle that `given` names: a storage */
};

struct pickle_node {
    enum pickle_kind kind;
    uint32_t uses;   /* places that it is at; more than one: it is the same object there */
    uint32_t number; /* of walks through the graph: other than 0 between them */
    uint32_t count, room;
    struct str raw; /* its opcode with all that belongs to it */
    struct str text, module;
    int64_t value; /* of an integer */
    struct pickle_node **items;
    struct pickle_node *callee, *given, *state;
};

/* The graph's texts are parts of `text`. */
bool pickle_read(struct str text, struct arena *arena, struct pickle_node **out,
                 struct error *err) MUST_USE;

/* Write it as a pickle of protocol 2 (of a later one where that has what is in it). Numbers
 * nodes anew. */
bool pickle_write(struct pickle_node *root, struct buf *out, struct error *err) MUST_USE;

/* Do both say the same? Also which objects are the same at several places. Numbers nodes
 * anew. */
bool pickle_same(struct pickle_node *a, struct pickle_node *b);

bool pickle_is_global(const struct pickle_node *node, const char *module, const char *name);

/* New nodes, for changing a graph; NULL without memory. */
struct pickle_node *pickle_int(int64_t value, struct arena *arena, struct error *err) MUST_USE;
struct pickle_node *pickle_global(const char *module, const char *name, struct arena *arena,
                                  struct error *err) MUST_USE;
struct pickle_node *pickle_tuple(struct pickle_node *const *items, uint32_t count,
                                 struct arena *arena, struct error *err) MUST_USE;

#endif
