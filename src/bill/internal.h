/* internal.h - what the readers of bills share, for the files of this module only.
 *
 * A format is a `struct bill_reader`. The framework reads CSV, and JSON objects (one after the
 * other, or in one array) as rows of cells; a reader of rows says which columns it knows and
 * makes a line of each row. A reader of other JSON pulls tokens itself. New formats have files
 * of their own and one line in bill.c.
 */
#ifndef BILL_INTERNAL_H
#define BILL_INTERNAL_H

#include "base/buf.h"
#include "base/csv.h"
#include "base/json.h"
#include "bill/bill.h"
#include "unit/money.h"

#define BILL_NO_COLUMN SIZE_MAX

/* What is known of a file before anything of it is used. */
struct bill_head {
    struct str text;           /* the first bytes, up to 64 KiB, without a byte-order mark */
    const struct str *columns; /* of the CSV's first row, or keys of the first JSON object */
    size_t count;
    bool json;
    const char *name; /* of the file; never NULL */
    const struct bill_options *options;
};

struct bill_row {
    const struct str *cells; /* valid until the next row; `count` of them */
    size_t count;            /* may be less than there are columns: the rest is empty */
    uint64_t line;
};

enum bill_step {
    BILL_STEP_FAILED, /* the error is set */
    BILL_STEP_LINE,
    BILL_STEP_AGAIN, /* a line, and the same row has another */
    BILL_STEP_SKIP,  /* the row is no charge */
    BILL_STEP_END,   /* of a token reader: there are no more */
};

struct bill_reader {
    enum bill_format format;
    const char *name;  /* "aws-cur" */
    const char *title; /* "AWS Cost and Usage Report": for the list of what is known */

    /* How much it looks like one, from 0 (it is none) to 100. */
    int (*recognize)(const struct bill_head *head);

    /* What the file calls them, for what is refused; NULL: as FOCUS does. */
    const char *currency_column, *end_column;

    /* Readers of rows. `columns` gets bill->columns from `first` on: once at the start,
     * and again when a later JSON object has keys that none before it had. With first == 0 it
     * also sets up bill->state and bill->about, and refuses what lacks a column it needs
     * (not in JSON, where a null may be left out: bill->json is set then). `flatten` names the
     * members whose objects become columns "member.key", NULL at its end; other objects and
     * lists stay JSON text. */
    bool (*columns)(struct bill *bill, size_t first, struct error *err);
    enum bill_step (*line)(struct bill *bill, struct bill_line *out, struct error *err);
    const char *const *flatten;
    const char *const *flatten_but; /* all objects but these; in place of `flatten` */

    /* Readers of tokens, from bill->json: these two in place of the two above. */
    bool (*open)(struct bill *bill, struct error *err);
    enum bill_step (*next)(struct bill *bill, struct bill_line *out, struct error *err);

    /* Frees what is not in bill->arena; NULL: nothing. bill->state may be NULL still. */
    void (*close)(struct bill *bill);
};

extern const struct bill_reader bill_focus;
extern const struct bill_reader bill_aws_cur, bill_aws_cur2, bill_oci, bill_aws_explorer;
extern const struct bill_reader bill_gcp_csv, bill_gcp_json, bill_azure, bill_bigquery;
extern const struct bill_reader bill_aws_console, bill_aws_bills, bill_table;

/* The first bytes of a source, which can be read again from the start. */
struct bill_input {
    struct source source;
    char *ahead;
    size_t ahead_len, ahead_at;
};

/* A sum by scales, so that adding is one addition; exact. */
#define BILL_SUM_SCALES 32
struct bill_sum {
    wide of[BILL_SUM_SCALES];
    struct decimal rest; /* of other scales */
    bool overflow;
};

void bill_sum_add(struct bill_sum *sum, struct decimal amount);
bool bill_sum_total(const struct bill_sum *sum, struct decimal *out); /* false: does not fit */

/* Texts made for one line, at addresses that stay. */
struct bill_texts {
    struct bill_block *first, *now;
    size_t used; /* of `now` */
};

/* The last text that was read as a time, since rows repeat them. */
struct bill_time {
    char text[40];
    size_t len;
    stamp at;
};

/* JSON whose rows are in lists further in (wrapped.c): the keys that lead to them, and what is
 * said above them that holds for them, too. */
#define BILL_WRAP_LEVELS 4
#define BILL_WRAP_ABOVE 12

struct bill_above {
    char name[48], value[96];
    size_t name_len, value_len, level;
};

struct bill_wrap {
    struct str path[BILL_WRAP_LEVELS];
    size_t levels; /* 0: rows are at the top */
    size_t level;  /* how many of them lead to where the reader is */
    unsigned depths[BILL_WRAP_LEVELS], row_depth;
    struct bill_above above[BILL_WRAP_ABOVE];
    size_t above_count;
};

/* Hashes of the ids of lines, in slots; 0: empty. */
struct bill_ids {
    uint64_t *at;
    size_t slots, count;
    uint64_t left_out; /* one with any of these bits is not looked at */
};

/* A column that is a tag. */
struct bill_tag {
    size_t at;
    struct str key; /* as FOCUS has it: "team", "aws:createdBy" */
};

#define BILL_ODD 512 /* columns without a use that are looked at */

struct bill {
    const struct alloc *alloc;
    struct arena arena; /* lives as long as the bill */
    struct bill_options options;
    struct bill_about about;
    const struct bill_reader *reader;
    struct bill_input input;
    struct csv *csv;   /* one of the two */
    struct json *json; /* for rows, or for the reader's own tokens */

    struct str *columns;
    struct str *keys; /* the same as JSON has them, whatever a reader calls them */
    size_t column_count, column_room, row_count;
    struct str *cells; /* of a JSON row */
    struct bill_row row;
    struct bill_wrap wrap;
    bool again, opened, failed, ended;
    bool semicolons; /* the file has them for commas: numbers may have decimal commas */

    char service[64];   /* of the line before, and its category: bill_service_category() */
    size_t service_len; /* 0: none, or it is longer */
    struct str category;
    char currency_text[4]; /* of the line before, as written; in capitals: */
    struct currency currency;

    struct bill_sum total;
    const char *total_column; /* set by the reader */
    struct bill_ids ids;
    struct bill_texts texts;
    struct buf work;          /* for a reader to build a text in: bill_text() keeps it */
    struct buf unused, meant; /* see bill_unused(), bill_meant() */
    uint16_t odd[BILL_ODD];   /* the first columns that are not used, by their numbers */
    size_t odd_count;
    struct bill_time times[8]; /* for bill_time(): the reader chooses which is for what */
    size_t *at;                /* columns by the reader's fields (fields.h) */
    struct bill_tag *tags;     /* columns that are tags */
    size_t tag_count, tag_room;
    bool tags_differ; /* no two of them have the same key */
    void *state;      /* the reader's own, in the arena */
};

/* -- columns -- */

/* Are they the same but for case and the signs " _-/."? So one table finds
 * lineItem/UnblendedCost and line_item_unblended_cost. */
bool bill_name_eq(struct str a, struct str b);

bool bill_head_has(const struct bill_head *head, const char *name);

/* How many of the names, NULL at the end, are there. */
int bill_head_count(const struct bill_head *head, const char *const *names);

/* This column has no place in FOCUS: adds to about.unused. */
void bill_unused(struct bill *bill, size_t column);

/* No column has this name: adds to about.meant those from `first` on that are not used and may
 * be it but for a slip. */
void bill_meant(struct bill *bill, size_t first, const char *name);

/* Fails for two columns, by their numbers, that have the same amount. */
bool bill_twice(const struct bill *bill, size_t first, size_t second, struct error *err);

/* Fails for lack of the `count` columns named, with the closest of those that are not used. */
bool bill_lacks(const struct bill *bill, const char *const *names, size_t count,
                struct error *err);

/* -- cells -- */

/* The cell of a row without blanks around it; unknown (at == NULL) when the column is absent,
 * the cell is empty or is NULL, null, N/A, None or NaN. For what is no free text. */
struct str bill_cell(const struct bill_row *row, size_t column);

/* The same for free text: only an upper-case NULL, as databases write it, is none. */
struct str bill_words(const struct bill_row *row, size_t column);

/* An amount as people and programs write it. "1,234.56" and "$1,234.56" can only mean one
 * thing and are read; "1,5" and "1.234,56" are refused. `*text`, when it is no plain number,
 * becomes one. Fails with "line 12: BilledCost: ...". */
bool bill_amount(struct bill *bill, const char *column, struct str *text, struct decimal *out,
                 struct error *err);

/* A time: "2026-03-01T00:00:00Z", with blank in place of T, with or without seconds, fraction,
 * zone ("Z", "UTC", "+01:00", "+0100", "+01"), or a date alone; "20260301T000000Z"; "3/1/2026",
 * month first. Without a zone it is taken to be UTC, which about.zoneless then notes. `cache`
 * is one of bill->times. */
bool bill_time(struct bill *bill, struct bill_time *cache, const char *column, struct str text,
               stamp *out, struct error *err);

/* Reads it without a bill; sets the flags, which may be NULL, but never clears them. */
bool bill_time_parse(struct str text, stamp *out, bool *zoneless, bool *month_first);

/* Keep a text until the next line. False when memory runs out. */
bool bill_text(struct bill *bill, struct str text, struct str *out, struct error *err);

/* Keep bill->work, and empty it. */
bool bill_text_work(struct bill *bill, struct str *out, struct error *err);

/* A member of a JSON object of texts that is being written; it opens the object when nothing is
 * there yet. bill_object() ends what is in bill->work and keeps it: unknown without a
 * member. */
void bill_put(struct buf *out, struct str key, struct str value);
bool bill_object(struct bill *bill, struct str *out, struct error *err);

/* Set the error "line 12: COLUMN: 'TEXT' ..."; returns false. */
bool bill_refuse(const struct bill *bill, const char *column, struct str text, const char *why,
                 struct error *err);

/* The columns from a JSON list of objects with a "name" each, of which the opening bracket
 * comes next. False with `*odd` set and no error when it is no such list: the reader says what
 * it is. */
bool bill_json_columns(struct bill *bill, bool *odd, struct error *err);

/* The billing period of what has none: the calendar month, in UTC, of its start. */
void bill_month_of(struct bill_line *line);

/* -- for bill.c alone -- */

/* Why a file is no table of costs, when it nearly is one. False when it is nothing like it. */
bool bill_table_near(const struct bill_head *head); /* there is a cost and a date */
bool bill_table_explains(const struct bill_head *head, struct error *err);

/* Where the rows of a JSON document are, when not at its top: sets bill->wrap. `fits` says
 * whether objects with these keys are rows. False, often without an error, when there are
 * none. */
bool bill_wrap_find(struct bill *bill,
                    bool (*fits)(void *ctx, const struct str *keys, size_t count), void *ctx,
                    struct error *err);

/* Go on to the next row of such a document: its first token. BILL_STEP_LINE, _END, _FAILED. */
enum bill_step bill_wrap_seek(struct bill *bill, struct json_token *token, struct error *err);

/* The next row of a CSV file is the header instead: the lines before it were a title. False at
 * the end; the error is set when it could not be read. */
bool bill_rows_header(struct bill *bill, struct error *err);

/* The input, whatever it is written in, as UTF-8 with commas between its fields. Sets
 * bill->semicolons. */
bool bill_input_open(struct bill *bill, struct source source, struct error *err);
struct str bill_ahead(const struct bill *bill); /* its first bytes */
bool bill_looks_json(struct str text);
struct source bill_input_source(struct bill *bill);
bool bill_texts_room(struct bill *bill, size_t size, char **out, struct error *err);
void bill_texts_free(struct bill *bill);
bool bill_rows_open(struct bill *bill, bool json, struct error *err);
bool bill_rows_keys(struct bill *bill, struct error *err); /* of the first object, ahead */

/* BILL_STEP_LINE: bill->row is the next one; _END or _FAILED. */
enum bill_step bill_rows_next(struct bill *bill, struct error *err);

#endif
