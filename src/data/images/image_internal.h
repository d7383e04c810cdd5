/* image_internal.h - what the files of the loadable part `images` share. */
#ifndef DATA_IMAGES_IMAGE_INTERNAL_H
#define DATA_IMAGES_IMAGE_INTERNAL_H

#include "data/images/image_part.h"

/* One file on its way. */
struct image_job {
    bool admitted;
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

/* A picture as pixels, and what lies beside it in the file. */
struct image_pixels {
    uint32_t width, height;
    unsigned channels; /* 1: gray; 2: gray and alpha; 3: red, green, blue; 4: and alpha */
    unsigned depth;    /* 8 or 16 bits each, the latter as the machine has them */
    unsigned char *at;
    struct str icc, exif;  /* a color profile; EXIF without "Exif\0\0"; empty: none */
    unsigned h, v;         /* pixels of a sample of color: 2 and 2 is 4:2:0 */
    uint16_t steps[2][64]; /* of a JPEG, for the quality that it had; of zero: none */
};

/* A photograph, not a drawing, a mask or a picture with exact values: only then is it changed.
 */
bool image_is_photo(const struct image_pixels *pixels);

/* Drop an alpha channel that hides nothing. */
void image_drop_alpha(struct image_pixels *pixels);

/* Write it with this quality. False for want of memory or when it is to stop; `out` is empty
 * when it cannot be done, and has failed when it is as large as may be. */
bool image_jpeg_encode(struct image_job *job, const struct image_pixels *pixels, int quality,
                       struct buf *out) MUST_USE;
bool image_webp_encode(struct image_job *job, const struct image_pixels *pixels, int quality,
                       struct buf *out) MUST_USE;

/* The pixels of a JPEG with finer steps than one of `quality` has; NULL in `at` of others. */
bool image_jpeg_finer(struct image_job *job, int quality, struct image_pixels *out) MUST_USE;

/* The pixels of a PNG that may be a photograph; NULL in `at` of others. `lossless` is set to
 * what it would take without loss, about; `rough`: only within a factor of two. */
bool image_png_photo(struct image_job *job, struct image_pixels *out, size_t *lossless,
                     bool *rough) MUST_USE;

/* The same, not roughly, of those pixels as they were read. */
bool image_png_lossless(struct image_job *job, const struct image_pixels *pixels,
                        size_t *lossless) MUST_USE;

/* How a picture looks: rows of gray in any order, at least those that are wanted. Pictures
 * with less than IMAGE_LOOK_SIDE pixels on a side, or with hardly any contrast, look like
 * nothing. */
#define IMAGE_LOOK_SIDE 32
struct image_look {
    uint32_t width, height;
    uint64_t sum[IMAGE_LOOK_SIDE][IMAGE_LOOK_SIDE];
    uint32_t count[IMAGE_LOOK_SIDE][IMAGE_LOOK_SIDE];
};
void image_look_start(struct image_look *look, uint32_t width, uint32_t height);
bool image_look_wants(const struct image_look *look, uint32_t y);
void image_look_row(struct image_look *look, uint32_t y, const unsigned char *gray);
void image_look_end(const struct image_look *look, struct image_answer *answer);

/* The same of pixels, unless it is known. */
bool image_look_at(struct image_job *job, const struct image_pixels *pixels) MUST_USE;

/* The same of a JPEG that is so small that its blocks do not tell. */
bool image_jpeg_look(struct image_job *job) MUST_USE;

/* The size that was asked for: false when it is not smaller. The answer has it. */
bool image_new_size(struct image_job *job);

/* To the size of the answer. */
bool image_resize(struct image_job *job, struct image_pixels *pixels) MUST_USE;

/* Is there a library for it? */
bool image_can_resize(struct error *err) MUST_USE;

/* Resize what is larger than asked for; `*done` stays false when it is not. */
bool image_size_optimize(struct image_job *job, bool *done) MUST_USE;
bool image_jpeg_resize(struct image_job *job, bool *done) MUST_USE;
bool image_png_resize(struct image_job *job, bool *done) MUST_USE;

/* Write a photograph in the format that is asked for. Nothing in `out` when its name is to stay
 * and says another one. */
bool image_photo_encode(struct image_job *job, const struct image_pixels *pixels,
                        struct buf *out, enum image_kind *kind) MUST_USE;

/* With loss, where that is asked for, it is a photograph and it gets smaller so; else `*done`
 * stays false. */
bool image_photo_optimize(struct image_job *job, bool *done) MUST_USE;

/* Of each kind: see struct image_part. */
bool image_jpeg_optimize(struct image_job *job) MUST_USE;
bool image_png_optimize(struct image_job *job) MUST_USE;

#endif
