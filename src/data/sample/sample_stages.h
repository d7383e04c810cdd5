/* sample_stages.h - one or several fractions of a data set, each as a folder of links. */
#ifndef DATA_SAMPLE_SAMPLE_STAGES_H
#define DATA_SAMPLE_SAMPLE_STAGES_H

#include "data/sample/sample_count.h"
#include "data/task.h"
#include "doc/field.h"
#include "unit/size.h"

struct sample_wish {
    struct str folder, output, labels, label_column;
    double fraction;    /* NAN: `stages` */
    struct strs stages; /* percentages */
    int64_t least, seed;
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
};

struct sample_group_row {
    struct str group;
    int64_t examples, taken; /* taken: in the smallest fraction */
    double share;
};

extern const struct field_set sample_group_fields;

struct sample_work {
    const struct data_task *task;
    const struct sample_wish *wish;

    /* Set by sample_begin(). */
    const char *folder;
    struct tree tree;
    struct sample_set set;
    struct sample_counts counts;
    struct sample_stage *stages;
    size_t count;
    struct rows groups; /* struct sample_group_row, the largest first */
    struct strs whole;  /* files of the set as a whole, that all fractions have: the first */
    int64_t whole_files;
};

/* Read what is asked, divide the set and count what each fraction has. Nothing is written. */
bool sample_begin(struct sample_work *s, struct error *err) MUST_USE;

/* Make the folders. */
bool sample_make(struct sample_work *s, struct error *err) MUST_USE;

#endif
