/* xml.h - XML as a stream of events, through the loadable part `xml`.
 *
 * For the few answers that come as XML: elements and text, no attributes, no entities but XML's
 * own five, no document type (which is how small texts grow large). Memory does not grow with
 * the input.
 */
#ifndef DOC_XML_H
#define DOC_XML_H

#include <stdint.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/str.h"

#define XML_MAX_DEPTH 64
#define XML_MAX_TEXT ((size_t)64 * 1024)   /* between two tags */
#define XML_MAX_MARKUP ((size_t)64 * 1024) /* one tag or comment, about */
#define XML_MAX_MEMORY ((size_t)4 << 20)   /* different names are remembered: they take it */

/* Who hears of it. Texts are UTF-8 and valid during the call. False, with the error set, ends
 * the reading; that error is not touched. */
struct xml_handler {
    /* The name is without its prefix ("item" for <ec2:item>); `line` counts from 1. */
    bool (*start)(void *ctx, struct str name, uint64_t line, struct error *err);
    /* All text between two tags, once; not called for nothing. Blanks count as text. */
    bool (*text)(void *ctx, struct str text, struct error *err);
    bool (*end)(void *ctx, struct str name, struct error *err);
    void *ctx;
};

/* Read one document to its end. Errors name the place: "line 3, column 7: mismatched tag". The
 * outcome does not depend on how the source cuts the text into pieces. */
bool xml_read(struct source source, const struct xml_handler *handler,
              const struct alloc *alloc, struct error *err) MUST_USE;

/* The functions of the part. */
#define XML_PART_VERSION 1

struct xml_part {
    bool (*read)(struct source source, const struct xml_handler *handler,
                 const struct alloc *alloc, struct error *err);
};

#endif
