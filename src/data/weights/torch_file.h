/* torch_file.h - what is in a checkpoint that PyTorch's torch.save() wrote: a zip archive with
 * a pickle (data.pkl) and one file for the memory of each storage that tensors are views of.
 *
 * The pickle is read as data (pickle.h). What torch.load() would refuse is ERROR_INPUT; what is
 * well but not read here (other functions, TorchScript, compressed archives, big-endian) is
 * ERROR_UNFIT. */
#ifndef DATA_WEIGHTS_TORCH_FILE_H
#define DATA_WEIGHTS_TORCH_FILE_H

#include "data/weights/pickle.h"
#include "data/weights/stored_zip.h"
#include "data/weights/tensor.h"

#define TORCH_TENSORS_MOST ((size_t)1 << 20)

struct torch_storage {
    struct str key;
    enum tensor_type type;
    bool untyped; /* its size is in bytes; types are those of the tensors */
    bool fixed;   /* something other than a tensor uses it, or an optimizer: no cast */
    bool kept;    /* something that is kept refers to it */
    const struct stored_entry *entry;
    uint64_t size; /* bytes */
    /* As planned: the part of it that is written, and the type of that. */
    uint64_t first, last;
    enum tensor_type cast;
};

struct torch_tensor {
    struct str name; /* keys on the way to it, with dots between them */
    enum tensor_type type;
    uint32_t dimensions;
    const uint64_t *shape, *strides;
    uint64_t offset; /* elements */
    size_t storage;
    struct pickle_node *node;
    bool contiguous;
    bool optimizer; /* only a training that goes on needs it */
};

/* A reference to a storage. */
struct torch_outer {
    struct pickle_node *node;
    size_t storage;
};

struct torch_file {
    struct stored_zip zip;
    const struct stored_entry *pickle;
    struct str prefix; /* of all names in the archive, with its slash */
    struct pickle_node *root;
    struct torch_storage *storages;
    size_t storage_count;
    struct torch_tensor *tensors;
    size_t tensor_count;
    struct torch_outer *outers;
    size_t outer_count;
};

bool torch_read(int fd, uint64_t size, struct arena *arena, struct torch_file *out,
                struct error *err) MUST_USE;

/* Is all of it the state of an optimizer? */
bool torch_is_optimizer(const struct torch_file *file);

struct torch_wish {
    enum tensor_type cast; /* TENSOR_TYPES: none */
    bool drop_optimizer;
    bool optimizer; /* all of it is of a training that goes on: keeps its types */
};

struct torch_plan {
    bool changed;       /* the file is to be written anew */
    size_t cast;        /* tensors of another type */
    uint64_t trimmed;   /* bytes of storages that no tensor uses */
    struct str dropped; /* keys that are left out: "optimizer, scheduler" */
};

/* Decide how it is written, and change its graph so. Tensors keep saying where they were. */
bool torch_plan(struct torch_file *file, const struct torch_wish *wish, struct arena *arena,
                struct torch_plan *out, struct error *err) MUST_USE;

/* Bytes of the part of a storage that is kept, as they will be. */
uint64_t torch_new_size(const struct torch_storage *storage);

/* First byte and end of what a tensor uses of its storage; false: nothing. */
bool torch_extent(const struct torch_tensor *t, uint64_t *first, uint64_t *end);

#endif
