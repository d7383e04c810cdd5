/* comment.h - one comment on a pull request: request and result of comment. */
#ifndef OP_CI_COMMENT_H
#define OP_CI_COMMENT_H

#include "doc/field.h"
#include "net/forge.h"

extern const struct op op_comment;

struct comment_request {
    enum forge_kind forge;
    struct str repo;      /* empty: of the CI job */
    int64_t pull;         /* unknown: of the CI job */
    struct str body, tag; /* body: a file, "-" is standard input */
    enum forge_behavior behavior;
    bool only_if_changed, dry_run;
};

struct comment_result {
    enum forge_kind forge;
    struct str repo;
    int64_t pull;
    struct forge_outcome outcome; /* `action` -1: nothing was sent */
    bool dry_run;
    struct str body; /* of a dry run: what would be sent */
    int64_t left_out;
};

#endif
