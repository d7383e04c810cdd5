/* conform.h - rows that keep the rules of FOCUS, from rows that may not.
 *
 * Bills break the rules in many small ways: a resource without a type, a unit price that does
 * not come to the cost, a region without a name. Who imports takes them as they are; what we
 * write keeps the rules of 1.2 (and the columns of 1.4). Amounts that were billed are never
 * changed; where a rule and the money disagree, a word gives way. Each kind of change is
 * counted, so that it can be reported.
 */
#ifndef BILL_FOCUS_CONFORM_H
#define BILL_FOCUS_CONFORM_H

#include "base/buf.h"
#include "bill/bill.h"

enum conform_change {
    CONFORM_SKU,   /* a charge without SKU and price id was given one */
    CONFORM_METER, /* one of SKU, price id, meter was filled in from another, or left out */
    CONFORM_UNIT_PRICE,  /* a unit price was missing or did not come to the cost */
    CONFORM_LIST,        /* list and contracted cost of a charge had opposite signs */
    CONFORM_QUANTITY,    /* likewise a quantity or its unit */
    CONFORM_TAX,         /* tax has no unit price, quantity or SKU */
    CONFORM_PURCHASE,    /* a purchase that was used at once is called usage */
    CONFORM_ISSUER,      /* the issuer of the invoice is called as the provider is */
    CONFORM_CATEGORY,    /* a category, or a part of one, that FOCUS does not know */
    CONFORM_WORDS,       /* another word that FOCUS does not know was replaced */
    CONFORM_NAMES,       /* a name or type without its id was left out, or filled in from it */
    CONFORM_COMMITMENT,  /* details of a commitment were filled in or left out */
    CONFORM_DESCRIPTION, /* there was none */
    CONFORM_TAGS,        /* tags that are no flat object of values were made one */
    CONFORM_CHANGES,
};

const char *conform_change_words(enum conform_change change);

struct conform {
    int minor;                         /* of FOCUS: 2 or 4 */
    unsigned touched;                  /* kinds of change to the row, as bits */
    int64_t changed[CONFORM_CHANGES];  /* rows */
    struct buf tags, details, scratch; /* of the row */
    char room[8192];                   /* texts of the row */
    size_t used;
};

struct conform conform_new(int minor, const struct alloc *alloc);
void conform_free(struct conform *conform);

/* The columns of the version that row has: null ones have at == NULL. Texts live until the next
 * call, or are the line's. False when memory runs out. */
bool conform_line(struct conform *conform, const struct bill_line *line,
                  struct str out[FOCUS_COUNT], struct error *err) MUST_USE;

#endif
