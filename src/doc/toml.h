/* toml.h - a TOML file as a document, with the place of each value.
 *
 * For finding and changing single values: texts refer to `text`, escapes stay as they are, and
 * what is inside an array or an inline table is not taken apart.
 */
#ifndef DOC_TOML_H
#define DOC_TOML_H

#include "doc/node.h"

/* Joins the parts of a dotted key or header. */
#define TOML_DOT '\x1f'

/* A table is a map without a text; arrays and inline tables are a list or map without children
 * that has its source as the text; the key of "[[x]]" keeps its brackets. */
struct node *toml_read(struct str text, const char *name, struct arena *arena,
                       struct error *err) MUST_USE;

/* Is it a table of its own, with a plain name: "[training]"? */
bool toml_is_table(const struct node *node);

#endif
