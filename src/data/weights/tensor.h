/* tensor.h - types of the elements of tensors, as safetensors and PyTorch name them, and what
 * casting them to fewer bits makes of their values. */
#ifndef DATA_WEIGHTS_TENSOR_H
#define DATA_WEIGHTS_TENSOR_H

#include "base/str.h"

enum tensor_type {
    TENSOR_F64,
    TENSOR_F32,
    TENSOR_F16,
    TENSOR_BF16,
    TENSOR_I64,
    TENSOR_I32,
    TENSOR_I16,
    TENSOR_I8,
    TENSOR_U64,
    TENSOR_U32,
    TENSOR_U16,
    TENSOR_U8,
    TENSOR_BOOL,
    TENSOR_C64,
    TENSOR_C128,
    TENSOR_F8_E4M3,
    TENSOR_F8_E5M2,
    TENSOR_F8_E4M3FNUZ,
    TENSOR_F8_E5M2FNUZ,
    TENSOR_F8_E8M0,
    TENSOR_F6_E2M3,
    TENSOR_F6_E3M2,
    TENSOR_F4,
    TENSOR_TYPES,
};

struct tensor_kind {
    const char *name;    /* of safetensors; NULL: it has none */
    const char *torch;   /* of PyTorch, behind "torch."; NULL: none */
    const char *storage; /* PyTorch's class of storages of it; NULL: none of its own */
    unsigned bits;       /* of an element */
};

extern const struct tensor_kind tensor_kinds[TENSOR_TYPES];

/* TENSOR_TYPES: none has this name. */
enum tensor_type tensor_type_of(struct str name);
enum tensor_type tensor_type_of_torch(struct str name);
enum tensor_type tensor_type_of_storage(struct str name);

#define TENSOR_DIMENSIONS 64

/* A tensor in a file. Its elements lie in one piece, in the order of rows. */
struct tensor {
    struct str name;
    enum tensor_type type;
    uint32_t dimensions;
    const uint64_t *shape;
    uint64_t at, size; /* bytes of the file */
    size_t number;     /* of another tensor that it is made of: its user's */
};

/* How many bytes a tensor of this shape has; false when that does not fit, or the last of them
 * would be a part. */
bool tensor_size(enum tensor_type type, const uint64_t *shape, uint32_t dimensions,
                 uint64_t *out) MUST_USE;

bool tensor_same_shape(const struct tensor *a, const struct tensor *b);

/* The type that one of this type becomes when `wanted` (F16 or BF16) is asked for: that for F32
 * and F64, any other stays. TENSOR_TYPES asks for nothing. */
enum tensor_type tensor_cast_type(enum tensor_type from, enum tensor_type wanted);

/* What a cast could not keep at all. NaN stays NaN. */
struct tensor_loss {
    uint64_t overflowed;  /* values that became infinite */
    uint64_t underflowed; /* values that became zero */
};

/* `count` elements of F32 or F64 as F16 or BF16, rounded to the nearest, of two to the even
 * one: once, also those of F64. Neither side needs to be aligned. Adds to the loss. */
void tensor_cast(enum tensor_type from, enum tensor_type to, const void *in, size_t count,
                 void *out, struct tensor_loss *loss);

#endif
