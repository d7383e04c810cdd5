/* forge.h - one comment on a pull request of GitHub or a merge request of GitLab: found again
 * by a marker that readers do not see, and posted, changed, hidden or deleted.
 *
 * The addresses can be set by the environment (STINT_URL_GITHUB, STINT_URL_GITLAB), for servers
 * of one's own and for tests; in a CI job, those of the forge that runs it are used. */
#ifndef NET_FORGE_H
#define NET_FORGE_H

#include "base/buf.h"
#include "net/http.h"

enum forge_kind { FORGE_GITHUB, FORGE_GITLAB };
extern const char *const forge_names[]; /* "github", "gitlab"; ends with NULL */

/* What becomes of earlier comments with the same marker. */
enum forge_behavior {
    FORGE_UPDATE,         /* the newest of them gets the new text */
    FORGE_NEW,            /* they stay */
    FORGE_HIDE_AND_NEW,   /* they are folded up */
    FORGE_DELETE_AND_NEW, /* they are removed */
};
extern const char *const forge_behavior_names[]; /* ends with NULL */

enum forge_action { FORGE_CREATED, FORGE_UPDATED, FORGE_UNCHANGED };
extern const char *const forge_action_names[]; /* ends with NULL */

/* The request that is commented on. */
struct forge_pull {
    enum forge_kind kind;
    struct str base; /* address of the API, without a '/' at its end */
    struct str repo; /* "OWNER/NAME"; of GitLab also "GROUP/SUBGROUP/NAME", or a number */
    int64_t number;
    const char *token;
};

/* Where the forge's API is: set for Stint, else by the CI job, else the public one. */
struct str forge_base(enum forge_kind kind);

/* What a CI job says about itself: the repository, and the request that it runs for. Empty, and
 * 0, when it says nothing. */
struct str forge_own_repo(enum forge_kind kind);
int64_t forge_own_pull(enum forge_kind kind);

/* ERROR_USAGE when the repository's name or the number cannot be right. */
bool forge_pull_check(const struct forge_pull *pull, struct error *err) MUST_USE;

/* The comment as it is sent: the marker of this tag, then the text, cut at a line when it is
 * longer than the forge takes (`left_out`: bytes). A tag is letters, digits, '_', '.' and
 * single '-': ERROR_USAGE otherwise. */
bool forge_body(enum forge_kind kind, struct str tag, struct str text, struct arena *arena,
                struct str *out, size_t *left_out, struct error *err) MUST_USE;

/* A comment that is there. */
struct forge_comment {
    struct str id;   /* digits */
    struct str node; /* of GitHub: its other id, by which it is hidden */
    struct str body, url;
};

/* One page of an answer: its comments that begin with the marker. */
struct forge_page {
    struct forge_comment *at;
    size_t count;
    size_t all; /* comments with any text */
};

/* ERROR_INPUT for what is no such page; `name` is what errors call it. */
bool forge_page_parse(struct str text, const char *name, struct str marker, struct arena *arena,
                      struct forge_page *out, struct error *err) MUST_USE;

struct forge_wish {
    struct str body; /* of forge_body() */
    enum forge_behavior behavior;
    bool only_if_changed; /* nothing is sent when the newest has this very text */
};

struct forge_outcome {
    enum forge_action action;
    struct str id, url;      /* of the comment; the address may be empty */
    int64_t hidden, deleted; /* earlier ones */
    struct str problem;      /* why some of those are left as they were; empty: none is */
};

/* Bring the comment to what is wished. A new one is posted before earlier ones are hidden or
 * deleted, so that a failure between leaves one too many rather than none; and it is posted
 * once, also when the answer is lost: the comments are then read again. */
bool forge_comment(const struct http_client *client, const struct forge_pull *pull,
                   const struct forge_wish *wish, struct arena *arena,
                   struct forge_outcome *out, struct error *err) MUST_USE;

#endif
