/* safetensors.h - the header of a .safetensors file: its tensors, and where they lie.
 *
 * A file is the length of the header (8 bytes), the header (JSON), and the tensors. Everything
 * is checked as the library that the format is from checks it: names are unique, sizes are
 * those of the shapes, and the tensors cover the file's data, each byte once. */
#ifndef DATA_WEIGHTS_SAFETENSORS_H
#define DATA_WEIGHTS_SAFETENSORS_H

#include "base/buf.h"
#include "data/weights/tensor.h"

#define SAFETENSORS_LENGTH 8
#define SAFETENSORS_HEADER_MOST ((uint64_t)100 * 1000 * 1000) /* bytes, by the format */

struct safetensors_note {
    struct str key, value;
};

struct safetensors {
    struct tensor *tensors; /* in the order of the file */
    size_t count;
    struct safetensors_note *notes; /* "__metadata__" */
    size_t note_count;
    bool has_notes;
};

/* Read a header; `data` is the number of bytes behind it. ERROR_INPUT: it is damaged;
 * ERROR_UNFIT: a type of elements that is not known. Names are in the arena. */
bool safetensors_read(struct str header, uint64_t data, struct arena *arena,
                      struct safetensors *out, struct error *err) MUST_USE;

/* Likewise of an open file of `size` bytes. */
bool safetensors_read_file(int fd, uint64_t size, struct arena *arena, struct safetensors *out,
                           struct error *err) MUST_USE;

/* Give the tensors their places in a new file: the widest elements first, so that all are
 * aligned. Writes the length and the header. `file`: the size of all. Types and shapes may have
 * been changed since they were read. */
bool safetensors_write(struct safetensors *file, struct arena *arena, struct buf *out,
                       uint64_t *size, struct error *err) MUST_USE;

#endif
