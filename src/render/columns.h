/* columns.h - tables made from records: a list of columns over the fields of a row.
 *
 *     static const struct column columns[] = {
 *         COLUMN("bill", key),
 *         COLUMN("account", account, .shrink = true),
 *         COLUMN("billed", billed, .form = COLUMN_EXACT, .unknown = "?"),
 *         COLUMN("share", share, .optional = true),
 *     };
 *
 * A column names a member by its field, which may be inside a record ("forecast.spent"). Its
 * type decides how it is aligned and shown: money, shares, times and enumerations need no code.
 * The same list makes a table on a terminal (base/table.h) and a CSV file (csv_rows.h).
 */
#ifndef RENDER_COLUMNS_H
#define RENDER_COLUMNS_H

#include "base/table.h"
#include "doc/field.h"

/* How a value is shown where its type has several ways. */
enum column_form {
    COLUMN_USUAL,
    COLUMN_PERCENT, /* a number: as a share is shown, "62 %" */
    COLUMN_USED,    /* the used share of a limit: rounded down, "100 %" when all of it is */
    COLUMN_EXACT,   /* money: all digits, "12.340000000001 USD" */
    /* Money, a share, a number, an estimate in dollars: with its sign, "+$12.34", "-0.3 %";
     * infinite is "new". */
    COLUMN_CHANGE,
    COLUMN_PRICE, /* money: of an hour, "$2.49", "0.0132 EUR" */
    COLUMN_CENTS, /* dollars: "$68,321.32", as amounts of money */
    COLUMN_FINE,  /* dollars below a cent: three digits */
    /* Money, dollars also as a number: three digits, "$12.3", "$58.1 million", "208 EUR"; a
     * length of time without seconds that mean nothing: "33min". */
    COLUMN_ESTIMATE,
    COLUMN_FIGURES, /* a number: three digits, "1.24", "105,000" */
    COLUMN_WHOLE,   /* a number: "3,052" */
    COLUMN_HOURS,   /* a number of hours, or of seconds: "14.2 h", "12.3 ms" */
    COLUMN_LENGTH,
    COLUMN_SECONDS, /* a time: "2026-11-15 10:00:05" */
    COLUMN_AGE,     /* a count of days: "85 d" */
    COLUMN_MOMENT,  /* a text as JSON has times: "2026-11-15 10:00" */
};

enum column_side {
    COLUMN_BY_TYPE, /* numbers to the right */
    COLUMN_LEFT,
    COLUMN_RIGHT,
};

/* Where a table is shown: a record has one list of columns, of which a place shows some. */
enum column_place {
    PLACE_ANY, /* all columns are shown */
    PLACE_TERMINAL,
    PLACE_SCREEN, /* all of a terminal, drawn again and again */
    PLACE_PAGE,
    PLACE_OVERVIEW, /* the first page */
    PLACE_REPORT,
    PLACE_FILE, /* CSV */
    PLACES,
};
enum {
    ON_TERMINAL = 1 << PLACE_TERMINAL,
    ON_SCREEN = 1 << PLACE_SCREEN,
    ON_PAGE = 1 << PLACE_PAGE,
    ON_OVERVIEW = 1 << PLACE_OVERVIEW,
    IN_REPORT = 1 << PLACE_REPORT,
    IN_FILE = 1 << PLACE_FILE,
};

/* What follows the value, or is all there is, in a row where this field has a value: a flag
 * that is set, a text that is known. */
struct column_mark {
    const char *member;
    const char *text;
};

#define COLUMN_MARKS 3

struct column {
    const char *title;
    const char *member; /* the field; NULL: only `cell` knows */
    enum column_form form;
    int decimals; /* of a number or a share */
    enum column_side side;
    const char *unknown;   /* instead of "-" ("?" of prices, days, sizes and lengths of time) */
    const char *yes;       /* of a flag: its text, and nothing when it is not set; or */
    const char *no;        /* this, or the field `otherwise` */
    enum term_style style; /* of its cells; plain: that of the line */
    bool optional;         /* may be left out when the terminal is too narrow */
    bool wide;             /* left out on a phone, as optional ones are */
    bool shrink;           /* may be cut when it still is */
    bool hidden;           /* not shown; for lists that are made at run time */
    unsigned places;       /* where it is shown: ON_PAGE | IN_REPORT; 0: everywhere */
    bool if_any;           /* only shown when a row has a value that is neither unknown nor 0 */
    bool zero_unknown;     /* 0 is shown as if it were unknown */
    /* Other fields of the row that complete the value. */
    const char *times; /* how many of it there are: "8x H100"; .several: one is not counted */
    const char *under[2]; /* where in it: "aws/us-east-1/us-east-1a" */
    const char *from,
        *to;        /* its range: "$1.20 to $3", with `from` "14.2 h (12.6 h to 16.0 h)" */
    const char *of; /* of how many, where that is more: "12 of 104 d" */
    const char *currency;  /* of a decimal or a number that is money */
    const char *others;    /* a count of groups that the row sums up: "others (3)" */
    const char *otherwise; /* what is shown when it is unknown */
    bool several;
    bool spread;      /* a range of one value is none */
    const char *unit; /* after a value that is known: " kg" */
    struct column_mark marks[COLUMN_MARKS];
    int index;       /* for `cell` */
    bool in_total;   /* columns_total() calls `cell`, too */
    const char *csv; /* the name in a CSV file, where it is not the field's */

    /* Write a cell that is out of the ordinary; nothing written counts as unknown. False: the
     * field writes it, as if there were no function. */
    bool (*cell)(const struct column *column, const void *row, struct buf *out);
};

/* COLUMN("cost", forecast.expected, .optional = true); and of what no field has:
 * COLUMN_CELL("why", write_reason, .shrink = true). */
#define COLUMN(label, ...) COLUMN_FROM(label, __VA_ARGS__, )
#define COLUMN_FROM(label, name, ...) \
    { \
        .title = (label), .member = #name, __VA_ARGS__ \
    }
#define COLUMN_CELL(label, ...) COLUMN_CELL_FROM(label, __VA_ARGS__, )
#define COLUMN_CELL_FROM(label, function, ...) \
    { \
        .title = (label), .cell = (function), __VA_ARGS__ \
    }

struct columns {
    const struct column *at;
    size_t len;
    enum term_style (*style)(const void *row); /* of a line; NULL: plain */
    bool (*shown)(const void *row);            /* NULL: all are */
    enum column_place place;
};

/* COLUMNS(list, .style = style_of) */
#define COLUMNS(...) COLUMNS_FROM(__VA_ARGS__, )
#define COLUMNS_FROM(list, ...) \
    (&(const struct columns){.at = (list), .len = ARRAY_LEN(list), __VA_ARGS__})

/* One list for every place: const struct columns NAME[PLACES] = COLUMNS_OF_RECORD(list, style);
 * &NAME[PLACE_PAGE] is what a page shows. */
#define COLUMNS_AT_PLACE(list, style, place) \
    { \
        (list), ARRAY_LEN(list), (style), NULL, (place) \
    }
#define COLUMNS_OF_RECORD(list, style) \
    { \
        COLUMNS_AT_PLACE(list, style, PLACE_ANY), \
            COLUMNS_AT_PLACE(list, style, PLACE_TERMINAL), \
            COLUMNS_AT_PLACE(list, style, PLACE_SCREEN), \
            COLUMNS_AT_PLACE(list, style, PLACE_PAGE), \
            COLUMNS_AT_PLACE(list, style, PLACE_OVERVIEW), \
            COLUMNS_AT_PLACE(list, style, PLACE_REPORT), \
            COLUMNS_AT_PLACE(list, style, PLACE_FILE), \
    }

/* A column for each of `names`, which are fields of the row: what --by named. A text that is
 * unknown is "(none)". Those of `more` come after them. `others`: the field that counts groups
 * without room of their own; may be NULL. Without memory only `more` is left. */
struct columns columns_by(struct strs names, const char *others, const struct columns *more,
                          struct arena *arena);

/* The list of a result: its rows with what describes them. `name` is a FIELD_LIST or
 * FIELD_TABLE of the set. */
struct table_rows field_rows(const struct field_set *set, const char *name, const void *record);

/* Print the rows as a table. */
void columns_print(const struct columns *columns, const struct table_rows *rows,
                   const struct term *term, struct arena *arena, struct buf *out);

/* The same in steps, for what comes after the rows. */
struct column_table {
    struct table table;
    const struct columns *columns;
    struct table_column *titles; /* of the table, one for each column */
};

struct column_table columns_new(const struct columns *columns, const struct field_set *row,
                                struct arena *arena);
void columns_add(struct column_table *t, const struct table_rows *rows);

/* A bold line with `label` in its first cell. Columns whose field the set does not have, those
 * with a `cell` (unless it is `in_total`) and texts that are unknown are empty. */
void columns_total(struct column_table *t, const char *label, const struct field_set *set,
                   const void *record);
void columns_write(struct column_table *t, const struct term *term, struct buf *out);

/* One cell as the tables show it. */
void column_write(const struct column *column, const struct field_set *row, const void *record,
                  struct buf *out);

/* For other writers of tables: is column `c` shown above these rows, are its cells aligned to
 * the right, and its cell in a line with the total, which may be empty. */
bool columns_show(const struct columns *columns, size_t c, const struct table_rows *rows);
bool column_right(const struct column *column, const struct field_set *row);

/* The same of all columns, before the rows are written. */
struct column_layout {
    bool shown[TABLE_MAX_COLUMNS], right[TABLE_MAX_COLUMNS];
    size_t count;
    size_t first; /* the first that is shown heads its row */
};
struct column_layout columns_layout(const struct columns *columns,
                                    const struct table_rows *rows);
void columns_write_total(const struct columns *columns, size_t c, const char *label,
                         const struct field_set *set, const void *record, struct buf *out);

/* Print the rows as CSV: a line of names, a line for each row, values as csv_rows_value().
 * Columns without a field are left out, hidden ones are not. Amounts of money whose name in the
 * file does not say their currency have it in a last column, `currency`, unless the columns
 * have it already. */
void columns_csv(const struct columns *columns, const struct table_rows *rows, struct buf *out);

#endif
