/* data_sample.h - a part of a data set for the first experiments: request and result of
 * data.sample. */
#ifndef OP_DATA_DATA_SAMPLE_H
#define OP_DATA_DATA_SAMPLE_H

#include "doc/field.h"
#include "unit/money.h"
#include "unit/size.h"

extern const struct op op_data_sample;

struct data_sample_request {
    struct str folder, output, labels, label_column, job;
    double fraction;
    struct strs stages;
    int64_t least, seed, limit;
    bool dry_run;
};

/* A fraction of the set. */
struct sample_stage {
    double fraction; /* that was asked for */
    struct str folder;
    bool made; /* by this call; of the whole set, the set itself */
    int64_t examples, files;
    bytes size;
    double share; /* of the examples */
    usd cost;     /* of the job with this data, by the best plan */
    span time;
    struct str offer; /* of that plan */
};

struct sample_group_row {
    struct str group;
    int64_t examples, taken; /* taken: in the smallest fraction */
    double share;
};

struct data_sample_result {
    struct str folder, job;
    int64_t examples, files, whole_files, group_count;
    bytes size;
    bool rows, dry_run; /* rows: of tables */
    struct rows stages; /* struct sample_stage, as asked for */
    struct rows groups; /* struct sample_group_row, the largest first */
    struct strs whole;  /* files of the set as a whole, that all fractions have */
};

#endif
