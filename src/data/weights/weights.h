/* weights.h - a folder of a model made smaller in another folder.
 *
 * Every file of the folder is in the other one afterwards, but for what was asked to be left
 * out: files of tensors smaller where that is possible and asked for, indexes and
 * configurations that say how large or of which type they are brought in line, everything else
 * as it is, with the times of the originals. Damaged files of tensors lie in a third folder,
 * aside. The originals are only read. A symbolic link to a file counts as that file.
 *
 * Each tensor is read back from what was written and compared. Both folders appear complete or
 * not at all. */
#ifndef DATA_WEIGHTS_WEIGHTS_H
#define DATA_WEIGHTS_WEIGHTS_H

#include "data/tree.h"
#include "data/weights/tensor.h"
#include "unit/size.h"

/* How a file came out. */
enum weights_fate {
    WEIGHTS_SMALLER,
    WEIGHTS_BEST,        /* copied: nothing in it gets smaller */
    WEIGHTS_UNSUPPORTED, /* copied: tensors that are not read */
    WEIGHTS_CORRUPT,     /* copied aside */
    WEIGHTS_OPTIMIZER,   /* left out */
    WEIGHTS_REPEATED,    /* left out: other files have all its tensors */
    WEIGHTS_UPDATED,     /* says what the tensors of others are now */
    WEIGHTS_OTHER,       /* copied */
    WEIGHTS_FATES,
};

extern const char *const weights_fate_names[WEIGHTS_FATES + 1];

/* All files of one fate. */
struct weights_sum {
    int32_t outcome;
    int64_t files;
    bytes size, new_size;
};

extern const struct field_set weights_sum_fields;

/* What there is to say about a file. */
struct weights_note {
    struct str path;
    int32_t outcome;
    struct str reason;
};

extern const struct field_set weights_note_fields;

/* Tensors with the same content, that are stored several times. */
struct weights_group {
    struct strs tensors; /* FILE: NAME */
    bytes size;          /* of all but one, in the new folder */
};

extern const struct field_set weights_group_fields;

/* Smaller ones are not listed: vectors of ones or zeros are many. */
#define WEIGHTS_GROUP_LEAST ((uint64_t)64 << 10)

struct weights_work {
    const char *from, *to;
    const char *aside;     /* for damaged files; made when there is one */
    enum tensor_type cast; /* TENSOR_F16 or TENSOR_BF16; TENSOR_TYPES: as they are */
    bool drop_optimizer;   /* leave out what only a training that goes on needs */
    bool drop_repeated; /* and files of PyTorch's whose tensors .safetensors files have, too */
    unsigned threads;   /* 0: all cores */
    const struct watch *watch;
};

struct weights {
    struct tree tree; /* of `from`: with its problems */
    struct weights_sum sums[WEIGHTS_FATES];
    int64_t files;         /* of tensors that were read */
    int64_t tensors, cast; /* in them; of these were cast */
    struct tensor_loss loss;
    struct weights_note *notes; /* in the order of paths */
    size_t note_count;
    struct weights_group *groups; /* most bytes first */
    size_t group_count;
};

bool weights_optimize(const struct weights_work *work, struct arena *arena, struct weights *out,
                      struct error *err) MUST_USE;

/* The notes of corrupt files, or those of all others. */
bool weights_notes(const struct weights *weights, bool corrupt, struct arena *arena,
                   struct rows *out, struct error *err) MUST_USE;

#endif
