/* fields.h - what readers of the clouds' own columns share, for the files of this module only.
 *
 * A reader names its fields in an enum and gives a table of the names that columns have had;
 * then a row is asked for fields, not for columns.
 */
#ifndef BILL_FIELDS_H
#define BILL_FIELDS_H

#include "bill/internal.h"

struct bill_field {
    const char *name; /* in the sense of bill_name_eq() */
    int field;
};

/* A field that is known but has no place in FOCUS and is not worth a word: dates of the export
 * itself, ids of what is named elsewhere. */
#define BILL_FIELD_IGNORED (-1)

/* The names of a reader, and which fields are amounts, BILL_FIELD_IGNORED at their end: two
 * columns of one of these are refused. */
struct bill_fields {
    const struct bill_field *names;
    size_t count;
    const int *amounts;
};

/* The columns from `first` on, by their names: at[field] is the first that has one of its
 * names (BILL_NO_COLUMN is left where there is none); others go to bill_unused(). */
bool bill_fields_find(struct bill *bill, size_t first, const struct bill_fields *fields,
                      size_t *at, struct error *err);

/* All cells of the row are blank: spreadsheets end in such. */
bool bill_row_blank(const struct bill_row *row);

/* The month "202603", "2026-03" or "202603.0": when it begins and ends. */
bool bill_month_parse(struct str text, stamp *start, stamp *end);

/* ServiceCategory of FOCUS, by the words in a service's name; "Other" when none matches. */
struct str bill_category(struct str service);

/* A decimal as plain digits, kept until the next line. */
bool bill_decimal_text(struct bill *bill, struct decimal amount, struct str *out,
                       struct error *err);

/* {"InstanceType":"g2-standard-4"}, for SkuPriceDetails. */
bool bill_instance_type(struct bill *bill, struct str type, struct str *out, struct error *err);

/* A line whose currency is not known: dollars when the file has no `column` for it and the user
 * does not say what it is, which bill_about() then says. */
void bill_currency(struct bill *bill, size_t column, struct bill_line *line);

/* One name for all that say who is paid. */
void bill_provider(struct bill_line *line, struct str name);

#endif
