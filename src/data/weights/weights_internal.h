/* weights_internal.h - what the files that work on folders of models share. */
#ifndef DATA_WEIGHTS_WEIGHTS_INTERNAL_H
#define DATA_WEIGHTS_WEIGHTS_INTERNAL_H

#include <stdatomic.h>

#include "base/buf.h"
#include "data/remake.h"
#include "data/weights/safetensors.h"
#include "data/weights/torch_file.h"
#include "data/weights/weights.h"

#define WEIGHTS_WHY 200

enum weights_format {
    WEIGHTS_NO_TENSORS,
    WEIGHTS_SAFETENSORS,
    WEIGHTS_TORCH,
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
    /* Its tensors, as they are. Of a PyTorch file those that are one piece with all of their
     * storage that is kept; `number` is that of the storage. */
    struct safetensors file;
    struct torch_file *torch;
    struct torch_plan plan;
    uint64_t *hashes;          /* of the content of each, once it was verified */
    size_t tensors, cast;      /* all that it has; of these get another type */
    uint64_t size;             /* of the new file */
    uint64_t bytes, new_bytes; /* of all its tensors */
    struct tensor_loss loss;
    struct weights_item *twin; /* a file that has its tensors, too; NULL: it is needed */
};

struct weights_crew {
    const struct weights_work *work;
    struct arena *arena;
    struct weights_item *items;
    size_t count;
    struct remake_folder to, aside;
    atomic_uint_fast64_t read; /* bytes */
    uint64_t total;
};

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

/* Files whose tensors are all in others, too: left out or noted. Before anything is written. */
bool weights_find_repeated(struct weights_crew *crew, struct error *err) MUST_USE;

/* Tensors that are in the new folder more than once. */
bool weights_find_groups(const struct weights_crew *crew, struct weights *out,
                         struct error *err) MUST_USE;

/* By its name: does only a training that goes on need it? */
bool weights_is_optimizer_path(struct str path);

/* Such a file, when it is not wanted. */
void weights_leave_out(struct weights_item *item);

/* The type that a tensor of `file` gets. */
enum tensor_type weights_new_type(const struct weights_crew *crew,
                                  const struct weights_item *item, size_t number);

/* PyTorch's files. What is in one, and what is to become of it; its copy, from the first of two
 * open files to the second; the proof of that. */
bool weights_look_torch(const struct weights_crew *crew, struct weights_item *item, int fd,
                        struct error *err) MUST_USE;
bool weights_write_torch(struct weights_crew *crew, struct weights_item *item,
                         const int fds[static 2], struct arena *scratch,
                         struct error *err) MUST_USE;
bool weights_verify_torch(struct weights_crew *crew, struct weights_item *item,
                          const int fds[static 2], struct arena *scratch,
                          struct error *err) MUST_USE;

/* ---- one piece of two files ---- */

/* A tensor: as it was, and as it is in the copy. */
struct weights_pair {
    struct weights_crew *crew;
    struct weights_item *item;
    int fd, to;
    struct tensor was, is;
    unsigned char *in, *out, *there; /* blocks */
    struct tensor_loss loss;
    uint64_t hash;                       /* of the original, once it was verified */
    const struct stored_zip_writer *zip; /* of the copy, when that is an archive */
    uint32_t crc;                        /* of the copy then */
};

/* False without memory. */
bool weights_pair_open(struct weights_pair *pair, struct weights_crew *crew,
                       struct weights_item *item, const int fds[static 2],
                       struct arena *scratch, struct error *err) MUST_USE;

/* Write it, or compare it with what was written. What cannot be read of the original is the
 * item's trouble. */
bool weights_pass(struct weights_pair *pair, bool verify, struct error *err) MUST_USE;

/* The errors of a copy. */
bool weights_fail_to_put(const struct weights_item *item, int why, struct error *err);
bool weights_fail_to_verify(const struct weights_item *item, struct str name,
                            struct error *err);

#endif
