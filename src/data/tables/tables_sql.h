/* tables_sql.h - what duckdb is asked about one table, and what its answers mean.
 *
 * Every answer is a line that begins with TABLES_ANSWER and is JSON behind it, so that nothing
 * else that a version of the program prints is taken for one. */
#ifndef DATA_TABLES_TABLES_SQL_H
#define DATA_TABLES_TABLES_SQL_H

#include "base/buf.h"
#include "doc/field.h"

#define TABLES_ANSWER "stint:"
#define TABLES_COLUMNS 2000

struct tables_source {
    const char *path, *spill; /* of the file; a folder for what does not fit the memory */
    bool json, no_header;
    struct str delimiter;
};

/* As what a column is written. */
enum tables_form {
    TABLES_TEXT,
    TABLES_BIGINT,
    TABLES_BOOLEAN,
    TABLES_DATE,
    TABLES_TIMESTAMP,
    TABLES_DOUBLE,       /* its text is that of the double */
    TABLES_DOUBLE_WHOLE, /* likewise, but whole numbers have no ".0" */
    TABLES_DECIMAL,      /* all have the same number of decimals */
    TABLES_STRING,       /* of JSON: all are strings */
    TABLES_NESTED,       /* of JSON: lists and objects of one structure */
};

struct tables_column {
    struct str name;
    enum tables_form form;
    int64_t scale;        /* of decimals */
    struct str structure; /* of nested values */
    int64_t may;          /* which types may still fit */
    bool maybe_nested;
};

/* The names of the columns. */
void tables_ask_names(const struct tables_source *source, struct buf *out);

/* What could be the type of each, by a sample of the rows first: what does not fit these is not
 * asked of all. Then whether nested ones can be had. */
#define TABLES_MAY_ANY INT64_MAX
void tables_ask_forms(const struct tables_source *source, const struct tables_column *columns,
                      size_t count, bool sample, struct buf *out);
void tables_ask_nested(const struct tables_source *source, const struct tables_column *columns,
                       size_t count, struct buf *out);

/* Write it to `parquet`; then three answers: sums of the source, of the new file, and the names
 * of the new file. Sums begin with the number of rows. */
void tables_ask_convert(const struct tables_source *source, const struct tables_column *columns,
                        size_t count, const char *parquet, struct buf *out);

/* All strings of an answer, whatever lists they are in. */
bool tables_answer(struct str json, struct arena *arena, struct strs *out,
                   struct error *err) MUST_USE;

/* By the last answer to tables_ask_forms(), three strings a column. False: it is none. */
bool tables_take_forms(struct strs answer, bool json, struct tables_column *columns,
                       size_t count) MUST_USE;
bool tables_take_nested(struct strs answer, struct tables_column *columns,
                        size_t count) MUST_USE;

#endif
