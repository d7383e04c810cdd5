/* statement_csv.h - statements as a CSV file: a row for each line of each statement, with all
 * digits. */
#ifndef REPORT_STATEMENT_CSV_H
#define REPORT_STATEMENT_CSV_H

#include "account/statement/statement.h"

void statements_write_csv(const struct statement_set *set, struct buf *out);

#endif
