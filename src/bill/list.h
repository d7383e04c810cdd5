/* list.h - lists and maps in a cell, for the files of this module only.
 *
 * `labels`, `credits` and their like are lists of objects: JSON in the export itself, but in
 * files that passed through Python its own notation, [{'key': 'team', 'value': None}]. Azure
 * leaves out the braces: "team": "nlp","run": "x".
 */
#ifndef BILL_LIST_H
#define BILL_LIST_H

#include "bill/internal.h"

/* What Python prints as JSON: quotes, None, True, tuples, Decimal('1.5'), and the commas that
 * numpy leaves out; what starts with a quote gets braces around it. JSON stays as it is, and so
 * does what is none of these. */
void bill_list_json(struct str text, struct buf *out);

/* The sum of the credits, and what they say about commitments. */
struct bill_credits {
    struct decimal sum;
    bool any;
    bool committed; /* one is of a committed use discount */
    bool spend;     /* and that was for an amount of money, not for machines */
    struct str id, name;
};

/* Texts live until the next line. A list that cannot be read is a failure: it is money. */
bool bill_credits(struct bill *bill, struct str text, struct bill_credits *out,
                  struct error *err) MUST_USE;

/* Lists of {key, value} as one object {"key":"value"}: of keys met twice the first counts. What
 * cannot be read is kept as text under its `name`. Unknown when there are none. */
struct bill_list {
    const char *name;
    struct str text;
};
bool bill_list_tags(struct bill *bill, const struct bill_list *lists, size_t count,
                    struct str *out, struct error *err) MUST_USE;

/* The value of a key in such a list; unknown when it is not there. */
bool bill_list_value(struct bill *bill, struct str text, struct str key, struct str *out,
                     struct error *err) MUST_USE;

#endif
