/* field.h - what a record holds, as a table: one mechanism reads and writes them all.
 *
 * A record is a plain struct; a `struct field_set` names its members with type, unit and help.
 * From that table come: options of the command line, keys of YAML and JSON documents, columns
 * of catalog files, the fields of JSON results, and the help and man pages.
 *
 * Unknown is never zero: NaN for numbers, -1 for counts, MONEY_UNKNOWN, BYTES_UNKNOWN,
 * SPAN_UNKNOWN and DAY_UNKNOWN, a NULL pointer for text. JSON writes it as null.
 */
#ifndef DOC_FIELD_H
#define DOC_FIELD_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

enum field_type {
    FIELD_FLAG,    /* bool */
    FIELD_TEXT,    /* struct str */
    FIELD_TEXTS,   /* struct strs */
    FIELD_CHOICE,  /* struct str, one of `choices` */
    FIELD_COUNT,   /* int64_t */
    FIELD_NUMBER,  /* double */
    FIELD_SHARE,   /* double, 0 to 1; "20%" or "0.2" */
    FIELD_USD,     /* usd */
    FIELD_RATE,    /* usd_per_hour */
    FIELD_PER_GB,  /* usd_per_gb */
    FIELD_PER_KWH, /* usd_per_kwh */
    FIELD_MONEY,   /* struct money */
    FIELD_BYTES,   /* bytes */
    FIELD_SPAN,    /* span */
    FIELD_DAY,     /* day */
    FIELD_LIST,    /* struct rows, of records described by `row` */
    FIELD_TABLE,   /* struct table_rows: as a list, but only the data knows what a record is */
    FIELD_NUMBERS, /* struct numbers; only of results */
    FIELD_RECORD,  /* a struct inside the struct, described by `row` */
};

struct strs {
    const struct str *at;
    size_t len;
};

/* Does `text` match one of the patterns? No pattern at all matches everything. */
bool strs_match(struct strs globs, struct str text);

struct numbers {
    const double *at;
    size_t len;
};

struct rows {
    const void *at;
    size_t len;
};

struct table_rows {
    const struct field_set *row;
    const void *at;
    size_t len;
};

struct field {
    const char *name; /* "max_price": a key as it stands, --max-price as an option */
    enum field_type type;
    size_t offset;
    const char *help;           /* one line, no full stop */
    const char *value;          /* what help calls the value: "PRICE" */
    const char *fallback;       /* the value when none is given, as text with units */
    const char *const *choices; /* ends with NULL */
    const char *const *others;  /* what others call a choice, and the choice; ends with NULL */
    const char *const *also;    /* other names that are understood but not shown; ends with NULL */
    const struct field_set *row;
    bool required; /* a document or a row without it is refused */
    bool operand;  /* on the command line it stands alone, without its name */
    bool key;      /* a row of a table with the same keys is the same fact */
    bool positive; /* zero is refused: 0 GPUs, a price of nothing */
    bool hours;    /* of a span: a bare number is hours */
    bool seconds;  /* of a span: a bare number is seconds */
    bool whole;    /* of texts: a value is one text, commas and all: patterns, commands */
    bool output;   /* of a text: the name of a file that is written */
    bool sparse; /* JSON leaves it out when it is unknown (a record: when its first field is) */
};

struct field_set {
    const struct field *at;
    size_t len;
    size_t size; /* of the struct */
};

/* A field named after the member: FIELD(TEXT, offer, region, .help = "where"); or otherwise. */
#define FIELD(kind, record, member, ...) FIELD_AS(#member, kind, record, member, __VA_ARGS__)
#define FIELD_AS(label, kind, record, member, ...) \
    { \
        .name = (label), .type = FIELD_##kind, .offset = offsetof(struct record, member), \
        __VA_ARGS__ \
    }

#define FIELD_SET(type, fields) \
    { \
        .at = (fields), .len = ARRAY_LEN(fields), .size = sizeof(type) \
    }

/* How a value is spelled: in a column whose name carries the unit ("2.49" under
 * on_demand_usd_h), or by a person, who must give it ("2.49usd/hr"). */
enum field_form {
    FIELD_PLAIN,
    FIELD_SPELLED,
};

/* Everything unknown, then the fallbacks. False only when memory runs out. */
bool fields_reset(const struct field_set *set, void *record, struct arena *arena,
                  struct error *err) MUST_USE;

/* Read one value into the record. Empty text is unknown in the plain form, and refused in the
 * spelled one: it is mostly a variable of the shell that was not set. Lists take "a,b,c" (or
 * one text, where the field says `whole`) and add to what is there. Text is referred to, not
 * copied. */
bool field_parse(const struct field *field, enum field_form form, struct str text, void *record,
                 struct arena *arena, struct error *err) MUST_USE;

/* Is there a value? */
bool field_known(const struct field *field, const void *record);

/* The value as a person reads it, with its unit; nothing when unknown. No lists of records. */
void field_write(const struct field *field, const void *record, struct buf *out);

/* A field by its name, or by one of its other names where no field has that name; `-` and `_` are
 * the same. NULL when there is none. */
const struct field *field_find(const struct field_set *set, struct str name);

/* "there is no KIND 'nmae'", with what was probably meant as the hint. */
bool field_unknown(const struct field_set *set, const char *kind, struct str name,
                   struct error *err);

#endif
