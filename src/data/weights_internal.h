/* weights_internal.h - what the files that work on folders of models share. */
#ifndef DATA_WEIGHTS_INTERNAL_H
#define DATA_WEIGHTS_INTERNAL_H

#include <limits.h>
#include <stdatomic.h>

#include "base/buf.h"
#include "data/safetensors.h"
#include "data/weights.h"

#define WEIGHTS_WHY 200
#define WEIGHTS_BLOCK ((size_t)1 << 20) /* bytes that are read at once */

enum weights_format {
    WEIGHTS_NO_TENSORS,
    WEIGHTS_SAFETENSORS,
};

/* A file of the folder, and how it came out. */
struct weights_item {
    struct tree_entry *entry;
    struct tree_stat stat; /* of what a link leads to */
    int trouble;           /* an errno: it could not be read; -1: it is being written */
    bool copied;           /* also of no file: in the new folder */
    int32_t fate;          /* enum weights_fate */
    char why[WEIGHTS_WHY]; /* what there is to say */
    enum weights_format format;
    struct safetensors file;   /* its tensors, as they are */
    uint64_t *hashes;          /* of the content of each, once it was verified */
    uint64_t size;             /* of the new file */
    uint64_t bytes, new_bytes; /* of all its tensors */
    size_t cast;               /* tensors */
    struct tensor_loss loss;
};

/* A folder that is written under another name until it is complete. */
struct weights_folder {
    const char *name;
    char temporary[PATH_MAX]; /* empty: not made yet */
};

struct weights_crew {
    const struct weights_work *work;
    struct arena *arena;
    struct weights_item *items;
    size_t count;
    struct weights_folder to, aside;
    atomic_uint_fast64_t read; /* bytes */
    uint64_t total;
};

#define WEIGHTS_CHANGING (-1)

/* Open an original, which must be as it was: -1 after setting its trouble. */
int weights_open(const struct weights_crew *crew, struct weights_item *item);

/* What is in it: its tensors, or why not. False is of the machine. */
bool weights_look(const struct weights_crew *crew, struct weights_item *item,
                  struct error *err) MUST_USE;

/* Write it in its folder, and read it back. */
bool weights_put(struct weights_crew *crew, struct weights_item *item, struct arena *scratch,
                 struct error *err) MUST_USE;

/* Write a text in its place instead. */
bool weights_put_text(struct weights_crew *crew, struct weights_item *item, struct str text,
                      struct error *err) MUST_USE;

/* Does it say something about files of tensors, so that it is to be written after them? */
bool weights_is_about(const struct weights_item *item);

/* An index or a configuration, written as it has to be now. */
bool weights_put_about(struct weights_crew *crew, struct weights_item *item,
                       struct error *err) MUST_USE;

/* Tensors that are in the new folder more than once. */
bool weights_find_groups(const struct weights_crew *crew, struct weights *out,
                         struct error *err) MUST_USE;

/* A part of a file, completely: false sets errno, 0 at its end. */
bool weights_read(int fd, uint64_t at, void *to, size_t len) MUST_USE;

#endif
