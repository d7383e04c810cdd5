/* bigquery.h - grouped answers of BigQuery to questions about the billing export, for the files
 * of this module only. */
#ifndef BILL_GCP_BIGQUERY_H
#define BILL_GCP_BIGQUERY_H

#include "bill/fields.h"

/* Does the text start an answer of the REST interface, whose rows have no names? */
bool bigquery_is_rest(struct str text);

/* Read up to the first row of such an answer, and give bill->columns its names. False with the
 * error set; no rows at all is fine. */
bool bigquery_rest_open(struct bill *bill, struct error *err) MUST_USE;

/* The next row of it in bill->row: BILL_STEP_LINE, _END or _FAILED. */
enum bill_step bigquery_rest_next(struct bill *bill, struct error *err);

#endif
