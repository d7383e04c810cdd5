/* images.h - a folder of images made smaller in another folder.
 *
 * Every file of the folder is in the other one afterwards: images smaller where that is
 * possible, everything else as it is, with the times of the originals. Damaged images lie in a
 * third folder, aside. The originals are only read.
 *
 * What is done is noted in the other folder (IMAGES_JOURNAL): the next time only what has
 * changed is done again, also when the work was stopped at any moment. */
#ifndef DATA_IMAGES_IMAGES_H
#define DATA_IMAGES_IMAGES_H

#include "data/images/image_part.h"
#include "data/sampled.h"
#include "data/tree.h"
#include "unit/size.h"

#define IMAGES_JOURNAL ".stint-images"
#define IMAGES_FILE_MOST ((uint64_t)256 << 20) /* a larger file is copied as it is */
#define IMAGES_MEMORY ((uint64_t)1 << 30)      /* all that are worked on at once may take */

/* How a file came out. */
enum images_fate {
    IMAGES_SMALLER,
    IMAGES_BEST,    /* copied: nothing smaller was found */
    IMAGES_UNUSUAL, /* copied: a kind that is not written again */
    IMAGES_LARGE,   /* copied: it takes too much memory */
    IMAGES_CORRUPT, /* copied aside */
    IMAGES_SIDECAR, /* copied: belongs to the image of the same name */
    IMAGES_OTHER,   /* copied: no image */
    IMAGES_FATES,
};

extern const char *const images_fate_names[IMAGES_FATES + 1];

/* All files of one fate. */
struct images_sum {
    int32_t outcome;
    int64_t files;
    bytes size, new_size;
};

extern const struct field_set images_sum_fields;

/* An image that was not written again, and why. */
struct images_note {
    struct str path;
    int32_t outcome;
    struct str reason;
};

extern const struct field_set images_note_fields;

/* Images that are alike. */
struct images_group {
    struct strs paths;
    bytes size; /* of all but the largest */
};

extern const struct field_set images_group_fields;

/* Pictures of one bucket (image_bucket.h). */
struct images_bucket {
    int64_t width, height, images;
};

extern const struct field_set images_bucket_fields;

struct images_work {
    const char *from, *to;
    const char *aside;      /* for damaged images; made when there is one */
    struct image_wish wish; /* how images come out; without what it needs of the work */
    struct str settings;    /* the same in words, for the notes: a line */
    unsigned threads;       /* 0: all cores */
    uint64_t memory;        /* 0: IMAGES_MEMORY */
    const struct watch *watch;
};

struct images {
    struct tree tree; /* of `from`: with its problems */
    struct images_sum sums[IMAGES_FATES];
    int64_t images, kept;      /* kept: done by an earlier run */
    int64_t renamed;           /* images with a new extension */
    struct images_note *notes; /* in the order of paths */
    size_t note_count;
    struct images_group *duplicates; /* the same bytes; most bytes first */
    size_t duplicate_count;
    struct images_group *similar; /* they look alike, and are not the same bytes */
    size_t similar_count;
    struct images_bucket *buckets; /* when sizes are asked for; most pictures first */
    size_t bucket_count;
};

bool images_optimize(const struct images_work *work, struct arena *arena, struct images *out,
                     struct error *err) MUST_USE;

/* Is it an image by the end of its name? */
bool images_has_image_name(struct str path);

/* ---- what it would save ---- */

struct images_measure {
    const char *folder;
    struct image_wish wish; /* as of images_work */
    unsigned threads;       /* 0: all cores */
    const struct watch *watch;
};

struct images_measured {
    int64_t images;      /* JPEG and PNG, by the ends of their names */
    uint64_t rest;       /* bytes of everything else, which stays as it is */
    int64_t corrupt;     /* of those that were tried: they are in no size */
    struct sampled size; /* of the folder that images_optimize() would write */
};

/* Make some of the images smaller, in memory: at most 32 of a kind, chosen by their names, so
 * that they are the same each time. The error when the part `images` is not there. */
bool images_measure(const struct images_measure *work, const struct tree *tree,
                    struct arena *arena, struct images_measured *out,
                    struct error *err) MUST_USE;

/* The notes of corrupt images, or those of all others. */
bool images_notes(const struct images *images, bool corrupt, struct arena *arena,
                  struct rows *out, struct error *err) MUST_USE;

#endif
