/* tables.h - CSV, TSV and JSONL files as Parquet, by the program duckdb, in another folder.
 *
 * A column gets a type only when every value of it, cast to that type and back, is the text
 * that was there; no integers beyond 2^53, which many readers keep as doubles. All else stays
 * text. Rows and their order, names of columns and the texts of all values are compared by
 * duckdb, in the file that was there and in the one that was written. Other files are copied;
 * the originals are only read, and the new folder appears complete or not at all. */
#ifndef DATA_TABLES_TABLES_H
#define DATA_TABLES_TABLES_H

#include "data/tree.h"
#include "unit/size.h"

/* How a file came out. */
enum tables_fate {
    TABLES_PARQUET,
    TABLES_BEST,  /* copied: it would not be smaller */
    TABLES_LEFT,  /* copied: duckdb cannot read it */
    TABLES_OTHER, /* copied: no table */
    TABLES_FATES,
};

extern const char *const tables_fate_names[TABLES_FATES + 1];

struct tables_sum {
    int32_t outcome;
    int64_t files;
    bytes size, new_size;
};

extern const struct field_set tables_sum_fields;

/* A table that was written. */
struct tables_table {
    struct str path, written;
    int64_t rows, columns;
    struct strs text; /* columns that stayed text */
    bytes size, new_size;
};

extern const struct field_set tables_table_fields;

/* One that was not, and why. */
struct tables_note {
    struct str path, reason;
};

extern const struct field_set tables_note_fields;

struct tables_work {
    const char *from, *to;
    struct str only;      /* a file in `from`: `to` is then a file, too. Empty: the folder */
    struct str delimiter; /* of CSV; empty: a comma, a tab for .tsv */
    bool no_header;       /* the first line of CSV and TSV has values */
    const struct watch *watch;
};

struct tables {
    struct tree tree;
    struct tables_sum sums[TABLES_FATES];
    struct tables_table *tables; /* in the order of paths */
    size_t table_count;
    struct tables_note *notes;
    size_t note_count;
};

/* ERROR_ABSENT without duckdb. */
bool tables_convert(const struct tables_work *work, struct arena *arena, struct tables *out,
                    struct error *err) MUST_USE;

#endif
