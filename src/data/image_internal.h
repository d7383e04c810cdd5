/* image_internal.h - what the files of the loadable part `images` share. */
#ifndef DATA_IMAGE_INTERNAL_H
#define DATA_IMAGE_INTERNAL_H

#include "data/image_part.h"

/* One file on its way. */
struct image_job {
    const struct image_wish *wish;
    struct str file;
    struct arena *arena;
    struct buf *out;
    struct image_answer *answer;
    struct error *err;
};

/* Note how it came out. Returns true: it is no failure of the work. */
bool image_end(struct image_job *job, enum image_outcome outcome, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

/* May it take so much memory? If not, that is how it came out. */
bool image_admit(struct image_job *job, uint64_t memory);

bool image_stopped(const struct image_job *job);

/* Of each kind: see struct image_part. */
bool image_jpeg_optimize(struct image_job *job) MUST_USE;
bool image_png_optimize(struct image_job *job) MUST_USE;

#endif
