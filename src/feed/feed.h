/* feed.h - price lists of many shapes, read into quotes.
 *
 * One reader for each shape that providers send; all of them stream, so that memory does not
 * grow with the file, and none knows a file, a clock or the network. A reader that fails has
 * given some quotes already: whoever collects them throws them away.
 */
#ifndef FEED_FEED_H
#define FEED_FEED_H

#include "base/source.h"
#include "doc/files.h"
#include "feed/known.h"
#include "feed/quote.h"

/* Where the quotes go. */
struct feed_sink {
    /* One quote; its texts are valid during the call. False, with the error set, ends the
     * reading. */
    bool (*quote)(void *ctx, const struct quote *quote, struct error *err);
    /* A row that cannot be used, and why ("vms.csv:12: ..."). True: skip it and go on. */
    bool (*bad)(void *ctx, const struct error *problem);
    void *ctx;
};

/* The result of reading a list. */
struct feed_summary {
    uint64_t rows;    /* looked at */
    uint64_t ignored; /* of them not about machines with accelerators: no fault */
    stamp published;  /* as the feed has it; 0 when it has none */
    struct buf next;  /* where the next page is: an address or a token; empty at the end */
};

/* A list that is read. */
struct feed_reading {
    struct source source;
    const char *name;    /* what errors call it: a file's name or an address without secrets */
    struct str provider; /* from the user or the file's name; empty when unknown */
    stamp date;          /* of quotes that have none of their own */
    struct feed_known *known;
    const struct alloc *alloc;
    const struct feed_sink *sink;
    struct feed_summary *summary;
};

/* What it means that a feed, read to its end, does not name a machine. */
enum feed_scope {
    SCOPE_ROWS,     /* nothing: others may exist */
    SCOPE_LOG,      /* it has every change: what it does not name stayed as it was */
    SCOPE_REGIONS,  /* in the regions it names, there are no other machines */
    SCOPE_PROVIDER, /* this provider has no other machines */
};

/* How far a price can be trusted. */
enum confidence {
    CONFIDENCE_OFFICIAL, /* the provider's own list or answer */
    CONFIDENCE_CATALOG,  /* someone's collection of such lists */
    CONFIDENCE_PRIVATE,  /* the user's */
    CONFIDENCE_COUNT,
};

extern const char *const confidence_names[]; /* "official", ...; ends with NULL */

struct feed_format {
    const char *name; /* what --format takes: "aws-offers" */
    const char *feed; /* under which prices are kept: several formats may be of the same feed */
    const char *provider; /* whose it is; NULL when the user or the file's name decides */
    enum confidence confidence;
    enum feed_scope scope;
    /* How it is recognized by its first FEED_HEAD bytes: as JSON with all members of `json`, or
     * of `json_or`; as CSV whose first line has all columns of `csv` (all end with NULL); or by
     * a function. */
    const char *const *json, *const *json_or, *const *csv;
    bool array; /* the JSON must be an array */
    bool (*recognize)(struct str head);
    /* Read it to its end. For feed_read() only, which puts the list's name into errors. */
    bool (*read)(const struct feed_reading *feed, struct error *err);
};

extern const struct feed_format feed_own, feed_skypilot, feed_changes, feed_gpuhunt;
extern const struct feed_format feed_aws_offers, feed_aws_products, feed_aws_spot,
    feed_aws_spot_xml;
extern const struct feed_format feed_azure, feed_gcp, feed_lambda, feed_runpod, feed_vast;
extern const struct feed_format feed_runpod_list, feed_vast_list;
extern const struct feed_format
    *const feed_formats[]; /* ends with NULL; recognized in this order */

#define FEED_HEAD FILES_HEAD

/* The format of this name; NULL with an error that suggests one. */
const struct feed_format *feed_format_named(struct str name, struct error *err) MUST_USE;

/* The format that a text starting like this has; NULL when it is none. */
const struct feed_format *feed_format_of(struct str head);

/* What to do about a list of an unknown format, by how it starts; false with the error set. */
bool feed_format_unknown(const char *name, struct str head, struct error *err);

/* Read a list to its end. Errors of its contents start with its name. */
bool feed_read(const struct feed_format *format, const struct feed_reading *feed,
               struct error *err) MUST_USE;

/* For readers: put the list's name into an error of its contents that does not have it yet.
 * False, for the caller to return. */
bool feed_failed(const struct feed_reading *feed, struct error *err);

/* For readers: count a row that is not about machines with accelerators. Always true. */
bool feed_ignore(const struct feed_reading *feed);

/* Give the sink a quote; one that cannot be kept is a row that cannot be used. */
bool feed_give(const struct feed_reading *feed, uint64_t line, const struct quote *quote,
               struct error *err) MUST_USE;

/* Give the sink a row that cannot be used: "NAME:LINE: text". True when the reader may go on;
 * false with `err` set to the problem when it must not. `problem` has the text; `line` 0
 * leaves it out. */
bool feed_bad(const struct feed_reading *feed, uint64_t line, struct error *problem,
              struct error *err) MUST_USE;

/* The same, with the text as an argument. */
bool feed_refuse(const struct feed_reading *feed, uint64_t line, struct error *err,
                 const char *fmt, ...) PRINTF_LIKE(4, 5) MUST_USE;

#endif
