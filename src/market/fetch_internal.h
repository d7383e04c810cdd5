/* fetch_internal.h - a provider being asked: what the fetch_*.c share. */
#ifndef MARKET_FETCH_INTERNAL_H
#define MARKET_FETCH_INTERNAL_H

#include "base/buf.h"
#include "feed/gcp.h"
#include "market/fetch.h"
#include "net/credentials.h"

#define KIB ((uint64_t)1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

#define MAX_PAGE (64 * MIB)     /* of one page of an API */
#define MAX_BYTES (32 * GIB)    /* of all answers of a provider in one run */
#define MAX_NEXT ((size_t)8192) /* of the address or token of the next page */

struct fetch {
    const struct fetch_context *ctx;
    const struct fetch_request *request;
    const struct fetch_provider *provider;
    struct http_client http;
    struct arena arena; /* until the provider is done with */
    const char *base;   /* its address, without a slash at the end */
    struct credentials keys;
    bool has_keys;
    char bearer[CREDENTIAL_MAX + 8]; /* wiped with the keys */
    uint64_t size;                   /* bytes of answers */
    struct feed_sink sink;           /* what readers are given: it counts, and hides keys */
    struct fetch_list *list;         /* the one being asked for */
    int status;                      /* of the last answer: 0 when there was none */
    bool asked;                      /* for anything of this list */
    unsigned silent;                 /* lists in a row without an answer */
    bool late;                       /* the last one took all the time that one may take */
    bool halt;                       /* all must end */
};

/* A list while it is being asked for. */
struct fetch_list {
    struct fetch *fetch;
    struct fetch_feed feed;
    struct feed_summary summary; /* of the last page */
    struct fetch_outcome outcome;
    stamp since;     /* when it was last read to its end; 0 for never */
    uint64_t priced; /* machines with a price so far */
    bool file;       /* a file that people maintain: as old as the server reports */
    stamp dated;     /* of a list that may be confirmed: quotes must not be older than that */
    char etag[256], modified[64]; /* of the last answer */
    char url[1024];               /* where that came from */
    const char *next;        /* the last page that was asked for by a token; NULL: the first */
    struct gcp_parts *parts; /* Google's pages are added to these; NULL: of others */
    const void *more;        /* whatever `ask` needs besides */
};

/* Ask for one list: `ask` gets the pages. The listener gets its errors; false
 * only when all must end. */
bool fetch_list(struct fetch *fetch, const struct fetch_feed *feed,
                bool (*ask)(struct fetch_list *list, struct error *err), const void *more,
                struct error *err) MUST_USE;

/* Were two lists in a row without an answer, or did one take all the time that the user gives
 * an answer? Then the others are not asked for, which would take as long each; a warning
 * reports it. */
bool fetch_is_silent(const struct fetch *fetch);

/* Get one answer of the list. The caller closes it. */
bool fetch_get(struct fetch *fetch, const struct http_request *request,
               struct http_response *response, struct error *err) MUST_USE;

/* Get a page of the list and read it: the summary describes it. */
bool fetch_page(struct fetch_list *list, const struct http_request *request,
                struct error *err) MUST_USE;

/* As fetch_page(), of a list that is one answer: when it is as it was at the last time, it is
 * not sent again, and the outcome is FETCH_UNCHANGED. */
bool fetch_whole(struct fetch_list *list, struct http_request *request,
                 struct error *err) MUST_USE;

/* The token or address of the next page, which the last one must have had. NULL with the error
 * set when it leads back to the same page, or when there were `most` pages already. */
const char *fetch_next(struct fetch_list *list, unsigned most, struct error *err) MUST_USE;

/* All pages. `last` is the parameter after those of the request: it becomes the token of each
 * next page. */
bool fetch_pages(struct fetch_list *list, struct http_request *request,
                 struct http_parameter *last, unsigned most, struct error *err) MUST_USE;

/* What the readers are given. `source` and `name` must outlive it. */
struct feed_reading fetch_reading(struct fetch_list *list, struct source source,
                                  const char *name);

/* Put "***" in place of our keys, in what may have come from a server. */
void fetch_hide(const struct fetch *fetch, char *text);

/* What may be kept for the next request: the text, or nothing when a key is in it. */
struct str fetch_harmless(const struct fetch *fetch, char *text);

/* Text of the provider's arena; NULL with the error set. */
const char *fetch_text(struct fetch *fetch, struct error *err, const char *fmt, ...)
    PRINTF_LIKE(3, 4) MUST_USE;

void fetch_say(const struct fetch *fetch, enum message_kind kind, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* The regions to ask about: those of the catalog that the request's patterns match, or the
 * usual. */
bool fetch_regions(struct fetch *fetch, const char *const *usual, struct strs *out,
                   struct error *err) MUST_USE;

bool fetch_aws(struct fetch *fetch, struct error *err);
#endif
