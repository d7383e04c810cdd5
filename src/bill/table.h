/* table.h - rows of Azure's query interface for the reader of tables, for files of this module
 * only. */
#ifndef BILL_TABLE_H
#define BILL_TABLE_H

#include "bill/internal.h"

/* {"properties":{"columns":[{"name":"PreTaxCost"}],"rows":[[19.5]]}}, or the same without
 * properties, as the command line has it. */
bool azure_query_is(struct str text);

/* From bill->json, up to the rows: bill->columns is set. A next page is noted. */
bool azure_query_open(struct bill *bill, struct error *err);

/* BILL_STEP_LINE: bill->row is the next one; _END or _FAILED. */
enum bill_step azure_query_next(struct bill *bill, struct error *err);

#endif
