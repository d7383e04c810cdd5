/* fetch.h - asking providers what machines cost, over the network.
 *
 * A provider has one price list or several (a region of AWS, a cloud of the SkyPilot catalog);
 * each list counts completely or not at all, and one that fails leaves the others alone. Pages
 * are asked for one after the other, with a limit on their number and size, and read by the
 * formats of `feed`.
 *
 * Addresses can be set by the environment (STINT_URL_AZURE=http://127.0.0.1:8080), for mirrors,
 * proxies and tests.
 */
#ifndef MARKET_FETCH_H
#define MARKET_FETCH_H

#include "base/message.h"
#include "feed/feed.h"
#include "market/fetch_state.h"
#include "net/http.h"

struct fetch_request {
    struct str provider; /* one of fetch_providers */
    struct strs
        regions; /* patterns, of providers with a list for each region; empty: the usual */
    struct strs clouds; /* patterns, of collections of many providers; empty: all */
    stamp now;
    bool anew; /* read lists even when they have not changed */
};

/* One price list. */
struct fetch_feed {
    const struct feed_format *format;
    struct str provider; /* whose prices: "aws" */
    struct str part;     /* which of its lists: a region; empty when there is one */
    const char *from;    /* its address, without secrets */
};

enum fetch_end {
    FETCH_READ,      /* to its end */
    FETCH_UNCHANGED, /* as it was at the last time: no quotes came, those there are hold */
    FETCH_EMPTY,     /* to its end, and no price was in it: those there are stay */
    FETCH_FAILED,    /* what came of it must be thrown away */
};

struct fetch_outcome {
    enum fetch_end end;
    enum feed_scope
        scope;    /* of a list that was read: what it means when a machine is missing */
    stamp date;   /* of the prices: by the list's own word, else `now` */
    stamp before; /* of a list that has not changed: the date its prices were last given */
    uint64_t size, rows;
    unsigned pages;
    const struct error *problem; /* of a failure, and of an empty list: in a line */
};

/* Receives lists, problems and progress. */
struct fetch_listener {
    /* A list begins: quotes are its own until the end. False, with the error set, ends it
     * all. */
    bool (*begin)(void *ctx, const struct fetch_feed *feed, struct error *err);
    /* It ended; always after a begin. False, with the error set, when it could not be kept:
     * that ends it all, and the list will be asked for again. */
    bool (*end)(void *ctx, const struct fetch_feed *feed, const struct fetch_outcome *outcome,
                struct error *err);
    struct messages messages;
    /* Are there prices of this list since then? Only then can the request allow that the server
     * need not send it again. NULL: yes. */
    bool (*keeps)(void *ctx, const struct fetch_feed *feed, stamp since);
    void *ctx;
};

/* What reads the answers. Google's are read in parts (feed/gcp.h). */
enum fetch_format {
    FORMAT_AWS_OFFERS,
    FORMAT_AWS_SPOT,
    FORMAT_AZURE,
    FORMAT_GCP,
    FORMAT_LAMBDA,
    FORMAT_RUNPOD,
    FORMAT_SKYPILOT,
    FORMAT_VAST,
    FORMAT_COUNT,
};

extern const struct feed_format *const fetch_formats[FORMAT_COUNT]; /* tests have others */

struct fetch_context {
    struct http_client http; /* a session is opened when it has none */
    const struct alloc *alloc;
    const struct catalog *catalog; /* with TABLE_REGIONS */
    struct feed_known *known;
    struct fetch_state *state; /* what was fetched before; changed in memory only */
    const struct feed_format *const *formats; /* FORMAT_COUNT of them */
    const struct feed_sink *sink;
    const struct fetch_listener *listener;
};

/* No text that is reported or stored repeats a key of ours, whatever a server
 * answers.
 *
 * True when the provider was asked, however that went: lists that failed were reported to the
 * listener. False when it could not be asked at all (no such provider or region, no key, no
 * network part) or when all must end (stopped, no memory, the listener's wish): then a list
 * that had begun was reported as failed. */
bool fetch_run(const struct fetch_context *ctx, const struct fetch_request *request,
               struct error *err) MUST_USE;

enum fetch_key {
    FETCH_OPEN,       /* anyone may ask */
    FETCH_KEY_HELPS,  /* with a key there are more prices */
    FETCH_KEY_NEEDED, /* nothing without a key */
};

struct fetch; /* a provider being asked: fetch_internal.h */
struct fetch_list;

struct fetch_provider {
    const char *name;  /* "aws" */
    const char *title; /* "Amazon Web Services" */
    enum fetch_key key;
    int credentials;             /* enum credentials_of, when there is a key */
    const char *variable, *home; /* that sets the address, and the address */
    /* Ask for all its lists; or for the only one, which is at `path`. */
    bool (*ask)(struct fetch *fetch, struct error *err);
    bool (*ask_list)(struct fetch_list *list, struct error *err);
    const char *path;
    enum fetch_format format;
};

extern const struct fetch_provider fetch_providers[];
extern const size_t fetch_provider_count;

/* NULL with an error that suggests one. */
const struct fetch_provider *fetch_provider_named(struct str name, struct error *err) MUST_USE;

#endif
