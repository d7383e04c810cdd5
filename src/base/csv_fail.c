#include <inttypes.h>

#include "base/csv_internal.h"

enum csv_step csv_fail_long(const struct csv *csv, struct error *err)
{
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": a row is longer than %zu bytes",
              csv->row_line, csv->max_row);
    error_hint(err, "check that this is a CSV file, with each row on a line of its own");
    return CSV_STEP_FAILED;
}

enum csv_step csv_fail_bad(const struct csv *csv, size_t at, struct error *err)
{
    if (at - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    if (csv->text[at] == '\0') {
        error_set(err, ERROR_INPUT, "line %" PRIu64 ": a NUL byte: this is not a text file",
                  csv->line);
        error_hint(err, "save it again as CSV in UTF-8");
    } else {
        error_set(err, ERROR_INPUT, "line %" PRIu64 ": text after a closing quote", csv->line);
        error_hint(err, "write a quote inside a quoted field twice: \"a 3.5\"\" disk\"");
    }
    return CSV_STEP_FAILED;
}

enum csv_step csv_fail_fields(const struct csv *csv, struct error *err)
{
    size_t start = csv_field_start(csv, csv->max_fields);
    size_t end = csv_field_start(csv, csv->max_fields + 1) - 1;

    end -= start < end && csv->text[start] == '"'; /* the quote that closes it may be too far */
    if (end - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": a row has more than %zu fields",
              csv->row_line, csv->max_fields);
    error_hint(err, "check that this is a CSV file, with each row on a line of its own");
    return CSV_STEP_FAILED;
}

enum csv_step csv_fail_open_quote(const struct csv *csv, struct error *err)
{
    uint64_t line = csv->line;

    for (size_t i = csv_field_start(csv, csv->count); i < csv->len; i++)
        line -= csv->text[i] == '\n';
    error_set(err, ERROR_INPUT, "line %" PRIu64 ": a quoted field is never closed", line);
    error_hint(err, "end the field with a quote; write a quote inside it twice");
    return CSV_STEP_FAILED;
}
