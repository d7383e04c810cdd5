/* bill_classify.h - by what a line of a bill is asked for: its dimensions.
 *
 * From the line's columns and tags, the catalog (which GPUs are in an instance) and the rules
 * of an allocation policy.
 */
#ifndef ACCOUNT_CLASSIFY_BILL_CLASSIFY_H
#define ACCOUNT_CLASSIFY_BILL_CLASSIFY_H

#include "account/policy/allocate.h"
#include "bill/bill.h"
#include "bill/dimension.h"
#include "catalog/catalog.h"
#include "ledger/bills/bills.h"

struct bill_classifier;

/* The tables that the catalog must have. */
#define BILL_CLASSIFIER_TABLES \
    (TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES))

/* `policy`: NULL when no rules apply. It and the catalog must outlive the classifier, which
 * lives in the arena but for what bill_classifier_close() frees. NULL with the error set. */
struct bill_classifier *bill_classifier_open(const struct catalog *catalog,
                                             const struct allocation_policy *policy,
                                             struct arena *arena, struct error *err) MUST_USE;
void bill_classifier_close(struct bill_classifier *c); /* NULL is fine */

/* For ledger_import_options: `classifier` is the ctx. Texts live until the next call. */
void bill_classify(void *classifier, const struct bill_line *line, struct dimensions *out);

/* False with the error set when memory ran out meanwhile: what was classified then lacks
 * something. */
bool bill_classifier_ok(const struct bill_classifier *c, struct error *err) MUST_USE;

/* Classify every line of the ledger's bills again: its policy has changed, or its sums were
 * made again. */
bool ledger_reclassify(struct ledger *ledger, const struct catalog *catalog,
                       struct arena *arena, struct error *err) MUST_USE;

#endif
