/* bill_classify.h - by what a line of a bill is asked for: its dimensions.
 *
 * From the line's columns and tags, the catalog (which GPUs are in an instance) and the
 * ledger's rules of allocation.
 */
#ifndef OP_BILL_BILL_CLASSIFY_H
#define OP_BILL_BILL_CLASSIFY_H

#include "bill/bill.h"
#include "bill/dimension.h"
#include "ledger/bills/bills.h"
#include "op/op.h"

struct bill_classifier;

/* Reads the ledger's rules (NULL: there is none) and the catalog. Lives in the context's arena
 * but for what bill_classifier_close() frees. NULL with the error set. */
struct bill_classifier *bill_classifier_open(struct op_context *ctx, struct ledger *ledger,
                                             struct error *err) MUST_USE;
void bill_classifier_close(struct bill_classifier *c); /* NULL is fine */

/* For ledger_import_options: `classifier` is the ctx. Texts live until the next call. */
void bill_classify(void *classifier, const struct bill_line *line, struct dimensions *out);

/* False with the error set when memory ran out meanwhile: what was classified then lacks
 * something. */
bool bill_classifier_ok(const struct bill_classifier *c, struct error *err) MUST_USE;

#endif
