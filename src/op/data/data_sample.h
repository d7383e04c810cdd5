/* data_sample.h - a part of a data set for the first experiments: request and result of
 * data.sample. */
#ifndef OP_DATA_DATA_SAMPLE_H
#define OP_DATA_DATA_SAMPLE_H

#include "data/sample/sample_stages.h"
#include "unit/money.h"
#include "unit/size.h"

extern const struct op op_data_sample;

struct data_sample_request {
    struct sample_wish wish;
    struct str job;
    int64_t limit;
};

struct data_sample_stage {
    struct sample_stage is;
    usd cost; /* of the job with this data, by the best plan */
    span time;
    struct str offer; /* of that plan */
};

struct data_sample_result {
    struct str folder, job;
    int64_t examples, files, whole_files, group_count;
    bytes size;
    bool rows, dry_run; /* rows: of tables */
    struct rows stages; /* struct data_sample_stage, as asked for */
    struct rows groups; /* struct sample_group_row, the largest first */
    struct strs whole;  /* files of the set as a whole, that all fractions have */
};

#endif
