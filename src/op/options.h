/* options.h - options that many commands have, declared once.
 *
 *     static const struct field request[] = {
 *         OP_PERIOD(export_request, days, "the first day recorded"),
 *         OP_CSV(export_request),
 *     };
 */
#ifndef OP_OPTIONS_H
#define OP_OPTIONS_H

#include "doc/field.h"
#include "unit/moment.h"

struct columns;    /* render/columns.h */
struct op_context; /* op/context.h */

/* A member of a struct days_asked, for offsetof(). */
#define OP_DAYS_PART(days, part) days.part

/* --since, --until and --month: `member` is a struct days_asked, the default for the help. */
#define OP_PERIOD(record, member, default_since) \
    OP_SINCE_UNTIL(record, member, default_since), \
        FIELD_AS("month", TEXT, record, OP_DAYS_PART(member, month), .value = "MONTH", \
                 .help = "month to show instead: 2026-10, or last")

/* Without --month. */
#define OP_SINCE_UNTIL(record, member, default_since) \
    FIELD_AS("since", TEXT, record, OP_DAYS_PART(member, since), .value = "WHEN", \
             .help = \
                 "first day: 30d (the last 30 days) or 2026-11-01 (default: " default_since \
                 ")"), \
        FIELD_AS("until", TEXT, record, OP_DAYS_PART(member, until), .value = "DAY", \
                 .help = "last day: 2026-11-30, or 1d for yesterday")

/* --where: a struct strs of conditions on dimensions. */
#define OP_WHERE(record, member) \
    FIELD_AS("where", TEXTS, record, member, .value = "CONDITION", .whole = true, \
             .help = "filter: gpu=H100, 'team=nlp*'; may be repeated, all must match")

/* --currency */
#define OP_CURRENCY(record, member) \
    FIELD_AS("currency", TEXT, record, member, .value = "CODE", \
             .help = "convert to this currency, at each day's rate")

/* --csv: the member `csv` of the request, and the same of the result. */
#define OP_CSV(record) \
    FIELD(TEXT, record, csv, .value = "FILE", .output = true, \
          .help = "write the rows to FILE as CSV, with all digits")
#define OP_CSV_WRITTEN(record) FIELD(TEXT, record, csv, .help = "file that was written")

/* Write rows to the file that --csv names, if it does. `columns`: NULL is all fields. */
bool op_csv(const struct op_context *ctx, struct str path, const struct columns *columns,
            const struct table_rows *rows, struct error *err) MUST_USE;

#endif
