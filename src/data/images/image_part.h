/* image_part.h - one image file made smaller, in memory, in the loadable part `images`: by
 * libjpeg-turbo, libspng, zlib and libwebp.
 *
 * With a quality, photographs become JPEG or WebP where that is smaller. Everything else keeps
 * its pixels: the coefficients of a JPEG are written again with better codes, the rows of a PNG
 * are compressed again; what was written is read back and compared before it is given out. With
 * a size, larger pictures are resized, by libvips where there is one. */
#ifndef DATA_IMAGES_IMAGE_PART_H
#define DATA_IMAGES_IMAGE_PART_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define IMAGE_PART_VERSION 1

/* What the first bytes of a file say. */
enum image_kind {
    IMAGE_NONE,    /* no image that is known */
    IMAGE_FOREIGN, /* an image of a kind that is left as it is: GIF, TIFF, AVIF, ... */
    IMAGE_JPEG,
    IMAGE_PNG,
    IMAGE_WEBP,
    IMAGE_KINDS,
};

enum image_outcome {
    IMAGE_SMALLER, /* the smaller file was given out */
    IMAGE_BEST,    /* nothing smaller was found */
    IMAGE_UNUSUAL, /* not known how to write it again: 12 bits, animated, ... */
    IMAGE_LARGE,   /* it takes more memory than it may; nothing was allocated for it */
    IMAGE_CORRUPT, /* damaged or cut off, or no image at all */
    IMAGE_OUTCOMES,
};

struct image_wish {
    int quality;    /* of photographs, 1 to 100; 0: no pixel changes */
    bool webp;      /* photographs as WebP, not as JPEG */
    bool keep_kind; /* the file's name is to stay */
    /* The longer side of a larger picture becomes this; or the area of the bucket that it falls
     * into is the square of this (image_bucket.h). 0: no picture is resized. */
    uint32_t max_side, bucket;
    /* May it take so many bytes, of which nothing has been allocated yet? Called once, or not
     * at all, and may wait until others are done. NULL: any number. */
    bool (*admit)(void *ctx, uint64_t memory);
    void *admit_ctx;
    /* Give the file's bytes back, or, when they are `needed` again, read them again: empty when
     * the file is not what it was. False for want of memory. NULL: they stay. */
    bool (*hold)(void *ctx, bool needed, struct str *file, struct error *err);
    void *hold_ctx;
    bool (*stopped)(void); /* should the work end? NULL: never */
};

#define IMAGE_WHY 160

struct image_answer {
    enum image_kind kind, written; /* of the file; of what was given out */
    enum image_outcome outcome;
    uint32_t width, height, new_width, new_height; /* new: 0 when it was not resized */
    bool look_known;
    uint64_t look;       /* the number of bits that differ says how unlike two pictures are */
    char why[IMAGE_WHY]; /* of what is unusual, large or corrupt */
};

struct image_part {
    /* Can pictures be resized here? False with the error that names the library. */
    bool (*can_resize)(struct error *err);
    /* By its first bytes. */
    enum image_kind (*sniff)(struct str file);
    /* Make it smaller. `out` is given the file when that is IMAGE_SMALLER, and nothing
     * otherwise. What is wrong with the file is in the answer: false is for want of memory, and
     * ERROR_STOPPED. `arena` is for scratch. Any number of threads may call it. */
    bool (*optimize)(const struct image_wish *wish, struct str file, struct arena *arena,
                     struct buf *out, struct image_answer *answer, struct error *err);
};

#endif
