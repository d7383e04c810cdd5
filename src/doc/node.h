/* node.h - a small document in memory: the content of a YAML or JSON file, with the place of
 * each value.
 *
 * Values are text. Numbers of YAML stay as they are written, and so do whole ones of JSON;
 * others of JSON are plain decimals with all their digits (2.50e1 is 25). None passes through a
 * double.
 * fields_from_node() turns a map into a typed record.
 */
#ifndef DOC_NODE_H
#define DOC_NODE_H

#include "doc/field.h"

#define DOC_MAX_DEPTH 32
#define DOC_MAX_NODES 100000
#define DOC_MAX_KEYS 1000 /* in one map of YAML: each is compared with those before it */

enum node_kind {
    NODE_NULL,
    NODE_SCALAR,
    NODE_LIST,
    NODE_MAP,
};

struct node {
    enum node_kind kind;
    bool repeated;   /* an alias of YAML repeats it */
    struct str key;  /* when the parent is a map */
    struct str text; /* of a scalar */
    struct node *first, *next;
    unsigned line, column; /* of the value, from 1; 0 when the format has none */
    unsigned key_line, key_column;
};

/* A document of one YAML file or one JSON text; `name` is what errors call it. Texts are copied
 * to the arena. Aliases of YAML are replaced by copies of what they repeat, merge keys (<<) by
 * the keys that they merge, within the bounds above. Duplicate keys and a second document are
 * refused. */
struct node *yaml_read(struct str text, const char *name, struct arena *arena,
                       struct error *err) MUST_USE;

/* YAML whose values are all where the nodes say that they are, for changing it in place:
 * anchors and aliases are refused. */
struct node *yaml_read_written_out(struct str text, const char *name, struct arena *arena,
                                   struct error *err) MUST_USE;

struct node *json_read(struct str text, const char *name, struct arena *arena,
                       struct error *err) MUST_USE;

/* JSON as Python writes it: NaN and Infinity, which JSON does not have, are null. */
struct node *json_read_python(struct str text, const char *name, struct arena *arena,
                              struct error *err) MUST_USE;

/* What it is based on: "libyaml 0.2.5". */
const char *yaml_library(void);

/* Used by the readers: a new node, or NULL; append it to a list or map. */
struct node *node_new(enum node_kind kind, struct arena *arena, struct error *err) MUST_USE;
void node_append(struct node *parent, struct node **last, struct node *child);

/* The value under `key`, or NULL. */
const struct node *node_get(const struct node *map, struct str key);

/* Fill the record from a map: every key must be a field, every required field must be there.
 * Fields that are absent or null keep what the record holds. Errors are placed:
 * "config.yaml:3:9: ...". */
bool fields_from_node(const struct field_set *set, const struct node *map, const char *name,
                      void *record, struct arena *arena, struct error *err) MUST_USE;

#endif
