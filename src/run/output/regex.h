/* regex.h - the user's regular expressions, through the loadable part `regex` (PCRE2, 8-bit).
 *
 * A pattern may be as bad as its writer: each match has limits on steps, depth and memory, and
 * one that reaches them has simply not matched that line.
 */
#ifndef RUN_OUTPUT_REGEX_H
#define RUN_OUTPUT_REGEX_H

#include "base/arena.h"
#include "base/str.h"

#define REGEX_STEPS 100000 /* PCRE2's match limit: about a millisecond */
#define REGEX_DEPTH 1000
#define REGEX_KIB 256      /* of memory for one match */
#define REGEX_LONGEST 1024 /* bytes of a pattern */

enum regex_result {
    REGEX_NO,
    REGEX_YES,
    REGEX_GAVE_UP, /* a limit was reached */
};

struct regex;

#define REGEX_PART_VERSION 1

/* The functions of the part. */
struct regex_part {
    /* NULL with ERROR_USAGE that shows where it is wrong. It must have a group. */
    struct regex *(*compile)(struct str pattern, const struct alloc *alloc, struct error *err);
    /* The first group of the first match. */
    enum regex_result (*match)(struct regex *regex, struct str text, struct str *group);
    void (*free)(struct regex *regex); /* NULL is fine */
};

#endif
