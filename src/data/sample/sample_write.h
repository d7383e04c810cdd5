/* sample_write.h - a fraction of a data set as a folder of links, and of parts of tables. */
#ifndef DATA_SAMPLE_SAMPLE_WRITE_H
#define DATA_SAMPLE_SAMPLE_WRITE_H

#include "data/sample/sample.h"

struct sample_write_work {
    const char *from; /* the folder of the set */
    const char *to;   /* the folder to make; one that is there is an error */
    const struct tree *tree;
    const struct sample_set *set;
    double fraction;
    uint64_t seed; /* of rows */
    const struct watch *watch;
};

/* Symbolic links, relative, so that set and sample may be moved together; folders as in the
 * set. The folder is made beside its place and gets its name last: it is there completely or
 * not at all. */
bool sample_write(const struct sample_write_work *work, struct arena *arena,
                  struct error *err) MUST_USE;

#endif
