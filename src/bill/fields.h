/* fields.h - what readers of the clouds' own columns share, for the files of this module only.
 *
 * A reader names its fields in an enum and gives a table of the names that columns have had;
 * then a row is asked for fields, not for columns.
 */
#ifndef BILL_FIELDS_H
#define BILL_FIELDS_H

#include <limits.h>

#include "bill/internal.h"

struct bill_field {
    const char *name; /* in the sense of bill_name_eq() */
    unsigned field;
};

/* A field that is known but has no place in FOCUS and is not worth a word: dates of the export
 * itself, ids of what is named elsewhere. */
#define BILL_FIELD_IGNORED UINT_MAX

/* One of these fields must be there, in a file that is no JSON; `name` is what is missed. Ends
 * with BILL_FIELD_IGNORED. */
struct bill_need {
    const char *name;
    unsigned fields[4];
};

/* The fields of a reader. */
struct bill_fields {
    const struct bill_field *names;
    size_t name_count, field_count;
    const unsigned
        *amounts; /* two columns of one of these are refused; ends with ..._IGNORED */
    const struct bill_need *needs;
    size_t need_count;
    /* Does the user say what this column is? BILL_FIELD_IGNORED: not what its name says. May be
     * NULL. */
    bool (*claim)(const struct bill *bill, struct str column, unsigned *field);
    /* Is this column a tag? Then its key, as FOCUS has it. Asked first; may be NULL. */
    bool (*tag)(struct str column, struct buf *key);
};

/* The field of this name; BILL_FIELD_IGNORED, too, for one that is not known. */
unsigned bill_field_of(struct str column, const struct bill_fields *fields);

/* The columns from `first` on, by their names: bill->at[field] is the first that has one of its
 * names (BILL_NO_COLUMN where there is none); others go to bill_unused(). */
bool bill_fields_find(struct bill *bill, size_t first, const struct bill_fields *fields,
                      struct error *err);

/* Fails when a field that is needed is in no column. */
bool bill_fields_check(const struct bill *bill, const struct bill_fields *fields,
                       struct error *err);

bool bill_has(const struct bill *bill, unsigned field);

/* The cell of the row, as bill_cell() and bill_words(); the second where the first is
 * unknown. */
struct str bill_field(const struct bill *bill, unsigned field);
struct str bill_field_words(const struct bill *bill, unsigned field);
struct str bill_field_either(const struct bill *bill, unsigned first, unsigned second);
struct str bill_words_either(const struct bill *bill, unsigned first, unsigned second);

/* Columns of FOCUS that are a field as it is. */
struct bill_copy {
    enum focus_column to;
    unsigned from;
};
void bill_copy_fields(const struct bill *bill, const struct bill_copy *copies, size_t count,
                      struct bill_line *out);

/* The columns that are tags, as members of bill->work (see bill_put()). */
void bill_put_tags(struct bill *bill);

/* All cells of the row are blank: spreadsheets end in such. */
bool bill_row_blank(const struct bill_row *row);

/* ServiceCategory of FOCUS, by the words in a service's name; "Other" when none matches. */
struct str bill_category(struct str service);

/* The same, for the services of its lines: one after another is often the same. */
struct str bill_service_category(struct bill *bill, struct str service);

/* A decimal as plain digits, kept until the next line. */
bool bill_decimal_text(struct bill *bill, struct decimal amount, struct str *out,
                       struct error *err);

/* {"InstanceType":"g2-standard-4"}, for SkuPriceDetails. */
bool bill_instance_type(struct bill *bill, struct str type, struct str *out, struct error *err);

/* A line whose currency is not known: dollars when the file has no `field` for it and the user
 * does not say what it is, which bill_about() then says. */
void bill_currency(struct bill *bill, unsigned field, struct bill_line *line);

/* "Cost ($)" becomes "Cost": the text in the brackets, or nothing. */
struct str bill_unit_in(struct str *name);

/* The currency of "$", "CA$" or "EUR"; none when it is not known. */
struct currency bill_currency_of(struct str unit);

/* One name for all that say who is paid. */
void bill_provider(struct bill_line *line, struct str name);

#endif
