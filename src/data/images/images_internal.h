/* images_internal.h - what the files that work on folders of images share. */
#ifndef DATA_IMAGES_IMAGES_INTERNAL_H
#define DATA_IMAGES_IMAGES_INTERNAL_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#include "data/images/images.h"

#define IMAGES_WHY 64

/* A file of the folder, and how it came out. */
struct images_item {
    struct tree_entry *entry;
    int trouble;    /* an errno: it could not be read */
    bool sidecar;   /* by its name */
    bool keep_name; /* another file has the name that it would get */
    bool done;      /* in the other folder, with the members below */
    bool kept;      /* by an earlier run */
    bool image;     /* by what is in it */
    int32_t fate;   /* enum images_fate */
    /* enum image_kind: what the copy is, when it is another kind of image than the original;
     * and what it was after an earlier run, before the original changed. Else IMAGE_NONE. */
    int32_t written, before;
    uint32_t width, height; /* of the original; 0: not known */
    bool look_known;
    uint64_t look; /* of the original, as image_part.h has it */
    uint64_t size; /* in the other folder */
    char why[IMAGES_WHY];
    unsigned char digest[TREE_DIGEST]; /* of the original; only of images */
};

/* Memory that all who work at once share. */
struct images_gate {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    uint64_t all, used;
};

struct images_crew {
    const struct images_work *work;
    const struct image_part *part;
    struct images_item *items;
    size_t count;
    int from, to, aside; /* folders; aside -1: not made yet */
    pthread_mutex_t making;
    struct images_gate gate;
    struct journal *journal;
    atomic_uint_fast64_t read; /* bytes */
    uint64_t total;
};

/* What an earlier run noted: sets items that are done. Opens the journal. */
bool images_open_journal(struct images_crew *crew, struct arena *arena,
                         struct error *err) MUST_USE;
bool images_note_done(struct images_crew *crew, const struct images_item *item,
                      struct error *err) MUST_USE;

/* Do one file, link or empty folder. */
bool images_do(struct images_crew *crew, struct images_item *item, size_t number,
               struct arena *scratch, struct error *err) MUST_USE;

/* Files that a run left which ended in the midst of them. */
#define IMAGES_TEMPORARY IMAGES_JOURNAL ".tmp."
void images_remove_temporary(int folder);

/* Where the copy of a file lies: with the extension of the kind that it is now (IMAGE_NONE: its
 * own). False when that is too long. */
bool images_output_path(struct str path, int32_t written, char out[static PATH_MAX]);

/* List what is alike, by content and by look. */
bool images_find_duplicates(const struct images_crew *crew, struct arena *arena,
                            struct images *out, struct error *err) MUST_USE;
bool images_find_similar(const struct images_crew *crew, struct arena *arena,
                         struct images *out, struct error *err) MUST_USE;

#endif
