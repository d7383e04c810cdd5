/* field.h - what a record holds, as a table: one mechanism reads and writes them all.
 *
 * A record is a plain struct; a `struct field_set` names its members with type, unit and help.
 * From that table come: options of the command line, keys of YAML and JSON documents, columns
 * of catalog files, the fields of JSON results, and the help and man pages.
 *
 * Unknown is never zero: NaN for numbers, -1 for counts and enumerations, MONEY_UNKNOWN,
 * BYTES_UNKNOWN, SPAN_UNKNOWN, DAY_UNKNOWN, STAMP_UNKNOWN and DECIMAL_UNKNOWN, a currency
 * without letters, a NULL pointer for text. JSON writes it as null.
 *
 * A result is the record of a module, described by fields, with a few members beside it: times,
 * enumerations and currencies are types of fields, so nothing is copied to become text.
 */
#ifndef DOC_FIELD_H
#define DOC_FIELD_H

#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/str.h"

enum field_type {
    FIELD_FLAG,     /* bool */
    FIELD_TEXT,     /* struct str */
    FIELD_TEXTS,    /* struct strs */
    FIELD_CHOICE,   /* struct str, one of `choices` */
    FIELD_ENUM,     /* an enumeration (or an integer for one) with `names`; -1 is unknown */
    FIELD_COUNT,    /* int64_t, or int32_t */
    FIELD_NUMBER,   /* double */
    FIELD_DECIMAL,  /* struct decimal: an exact number; in JSON a text with all its digits */
    FIELD_SHARE,    /* double, 0 to 1; "20%" or "0.2" */
    FIELD_USD,      /* usd */
    FIELD_RATE,     /* usd_per_hour */
    FIELD_PER_GB,   /* usd_per_gb */
    FIELD_PER_KWH,  /* usd_per_kwh */
    FIELD_MONEY,    /* struct money */
    FIELD_CURRENCY, /* struct currency */
    FIELD_BYTES,    /* bytes */
    FIELD_SPAN,     /* span */
    FIELD_DAY,      /* day */
    FIELD_TIME,     /* stamp; in JSON "2026-11-15T10:00:00Z" */
    FIELD_CHARS,    /* char[N] that ends with a 0: ids, short codes; empty is unknown */
    FIELD_LIST,     /* struct rows, of records described by `row` */
    FIELD_TABLE,    /* struct table_rows: as a list, but only the data knows what a record is */
    FIELD_NUMBERS,  /* struct numbers; only of results */
    FIELD_RECORD,   /* a struct inside the struct, described by `row` */
    FIELD_JSON,     /* struct str: JSON as it is; only of results */
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
    const char *name; /* "max_price": a key as written here, --max-price as an option */
    enum field_type type;
    size_t offset;
    size_t width;               /* bytes of the member; 0: those of the type named above */
    const char *help;           /* one line, no full stop */
    const char *value;          /* what help calls the value: "PRICE" */
    const char *fallback;       /* the value when none is given, as text with units */
    const char *const *choices; /* ends with NULL */
    const char *const *others;  /* what others call a choice, and the choice; ends with NULL */
    const char *const *also; /* other names that are understood but not shown; ends with NULL */
    const char *const *names; /* of an enumeration's values; one that is "" is unknown */
    size_t name_count;        /* 0: `names` ends with NULL */
    uint64_t only;  /* of `names` and `choices` the bits of those that may be; 0: all */
    double divisor; /* of a number: it is written divided by this: joules as kWh; 0: as it is */
    const struct field_set *row;
    bool inlined;        /* of a record: its fields are written as if they were the parent's */
    bool empty_unknown;  /* a text without characters is unknown, and a time of zero */
    bool short_midnight; /* of a time: midnight is written as the day alone */
    bool required;       /* a document or a row without it is refused */
    bool operand;        /* on the command line it is given alone, without its name */
    bool key;            /* a row of a table with the same keys is the same fact */
    bool positive;       /* zero is refused: 0 GPUs, a price of nothing */
    bool hours;          /* of a span: a bare number is hours */
    bool seconds;        /* of a span: a bare number is seconds */
    bool per_second;     /* of bytes: a bandwidth, "100MB/s" or "1Gbit/s" */
    bool whole;          /* of texts: a value is one text, commas and all: patterns, commands */
    bool output;         /* of a text: the name of a file that is written */
    /* About the machine that computes: a file, a folder, an address, an environment variable, a
     * program, threads. Never taken from elsewhere; nor is an `output`. */
    bool local;
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
        .width = sizeof(((struct record *)0)->member), __VA_ARGS__ \
    }

/* The names of an enumeration whose array has a size: FIELD(ENUM, offer, market,
 * FIELD_NAMES(market_names)). One that ends with NULL is given as `.names`. */
#define FIELD_NAMES(array) .names = (array), .name_count = ARRAY_LEN(array)

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

/* Only the fields of the set, and without the fallbacks: no members of the record beside them.
 */
void fields_unknown(const struct field_set *set, void *record);

/* Read one value into the record. Empty text is unknown in the plain form, and refused in the
 * spelled one: it is mostly a variable of the shell that was not set. Lists take "a,b,c" (or
 * one text, if the field is `whole`) and add to what is there. Text is referred to, not
 * copied. */
bool field_parse(const struct field *field, enum field_form form, struct str text, void *record,
                 struct arena *arena, struct error *err) MUST_USE;

/* Is there a value? */
bool field_known(const struct field *field, const void *record);

/* The value as a person reads it, with its unit; nothing when unknown. No lists of records. */
void field_write(const struct field *field, const void *record, struct buf *out);

/* Values of one type each: -1 and NaN when unknown. */
int64_t field_count(const struct field *field, const void *record);
double field_number(const struct field *field, const void *record);

/* A count, number, share, amount in dollars, rate, size, duration (seconds) or time (seconds
 * since 1970) as a number; NaN when unknown, and of other types. */
double field_double(const struct field *field, const void *record);

/* The values that may be typed, one after the other: choices, or the names of an enumeration.
 * NULL after the last, and where anything may be. */
const char *field_choice(const struct field *field, size_t at);

/* Name `i` of an enumeration or choice: NULL behind the last, "" when it may not be. Ask from
 * the first on. */
const char *field_name_at(const struct field *field, size_t i);

/* Set a count or an enumeration; false when the member is too narrow. */
bool field_put_integer(const struct field *field, int64_t value, void *record) MUST_USE;

/* A time as JSON has it, without quotes. */
void field_write_time(const struct field *field, stamp at, struct buf *out);

/* The text of a field of texts, choices, names, currencies or characters; NULL when unknown. */
struct str field_text(const struct field *field, const void *record);

/* A field that may be inside a record of the record. */
struct field_place {
    const struct field *field;
    size_t base; /* where the struct that has the field begins in the record */
};

/* Find "forecast.spent": the field `spent` of the record `forecast`. Fields of records that are
 * inlined are found by their own name. */
bool field_reach(const struct field_set *set, struct str path,
                 struct field_place *out) MUST_USE;

/* A field by its name, or by one of its other names where no field has that name; `-` and `_`
 * are the same. It does not look into inlined records. NULL when there is none. */
const struct field *field_find(const struct field_set *set, struct str name);

/* "there is no KIND 'nmae'", with what was probably meant as the hint. */
bool field_unknown(const struct field_set *set, const char *kind, struct str name,
                   struct error *err);

#endif
