/* aws.h - what the readers of AWS price lists share: for aws_*.c only.
 *
 * The bulk files and the answers of GetProducts have the same content: products, of which
 * machines with accelerators are wanted, and terms at which they are sold.
 */
#ifndef FEED_AWS_H
#define FEED_AWS_H

#include "feed/feed.h"
#include "feed/pull.h"

struct aws_reader {
    const struct feed_reading *feed;
    struct json *json; /* whose lines are reported: the file's. NULL: `line` is */
    uint64_t line;
    bool refused; /* a row that cannot be used ended the reading */
};

/* A product or a price that cannot be used. As feed_bad(). */
bool aws_bad(struct aws_reader *r, struct error *problem, struct error *err) MUST_USE;

/* A short text, kept where it is, so that no file decides how much memory is held. */
#define AWS_NAME_ROOM 32

struct aws_name {
    char at[AWS_NAME_ROOM];
    unsigned char len;
};

bool aws_name_set(struct aws_name *name, struct str text) MUST_USE; /* false: too long */
struct str aws_name(const struct aws_name *name);

/* When a price list was published: "2026-03-01T00:00:00Z". */
bool aws_published(struct json *lines, struct str text, stamp *out, struct error *err) MUST_USE;

/* At which of the terms that we use. */
enum aws_term {
    AWS_ON_DEMAND,
    AWS_RESERVED_1Y,
    AWS_RESERVED_3Y,
    AWS_TERMS,
};

struct aws_prices {
    struct {
        int64_t nano;     /* an hour; PRICE_UNSAID */
        int64_t since;    /* of two like terms the newer one holds */
        unsigned upfront; /* 0 for nothing, 1 for a part, 2 for all of it */
    } of[AWS_TERMS];
    struct currency currency; /* empty while there is no price */
};

struct aws_prices aws_prices_none(void);

/* The object of terms that comes next: {"SKU.CODE": {...}, ...}. */
bool aws_read_terms(struct aws_reader *r, struct json *json, bool reserved,
                    struct aws_prices *prices, struct error *err) MUST_USE;

/* A product as far as it was worth reading. */
struct aws_product {
    bool unwanted;     /* no machine by the hour, of Linux, shared, in a region */
    unsigned followed; /* the rules that it was seen to follow, as bits */
    struct aws_name instance, region;
    double gpus, gpu_memory_gib, vcpus, memory_gib; /* NaN when not given */
    struct error problem;
};

struct aws_machine {
    struct aws_name sku, instance, region;
    struct str accelerator; /* the catalog's; empty when it has none for it */
    double count, gpu_memory_gib, vcpus, memory_gib;
    struct aws_prices prices;
};

/* The product that comes next: {"sku":..., "productFamily":..., "attributes":{...}}. */
bool aws_read_product(struct json *json, struct aws_product *product,
                      struct error *err) MUST_USE;

/* Make a machine of it: false when it is none with accelerators, or (the product's `problem` is
 * set then) when it cannot be used. */
bool aws_product_machine(struct aws_product *product, struct feed_known *known,
                         struct aws_machine *machine) MUST_USE;

/* Give the quote, or count the machine as ignored when it has no price. */
bool aws_give(struct aws_reader *r, const struct aws_machine *machine, stamp at,
              struct error *err) MUST_USE;

#endif
