/* data_tables.h - tables as Parquet: request and result of data.tables. */
#ifndef OP_DATA_DATA_TABLES_H
#define OP_DATA_DATA_TABLES_H

#include "data/tables/tables.h"
#include "op/data/data_price.h"

extern const struct op op_data_tables;

struct data_tables_request {
    struct str path, output, delimiter, from, to;
    bool no_header;
    bytes bandwidth;
    int64_t limit;
};

struct data_tables_result {
    struct str path, optimized_path;
    int64_t files, rows;
    bytes size, new_size;
    double compression_ratio; /* before / after; NaN: nothing is there */
    struct data_savings transfer_savings;
    struct rows outcomes; /* struct tables_sum */
    int64_t table_count;
    struct rows tables; /* struct tables_table */
    int64_t unchanged_count;
    struct rows unchanged; /* struct tables_note */
    struct rows problems;  /* struct tree_problem */
};

#endif
