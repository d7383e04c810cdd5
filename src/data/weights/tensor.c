#include "data/weights/tensor.h"

#include <string.h>

const struct tensor_kind tensor_kinds[TENSOR_TYPES] = {
    [TENSOR_F64] = {"F64", "float64", "DoubleStorage", 64},
    [TENSOR_F32] = {"F32", "float32", "FloatStorage", 32},
    [TENSOR_F16] = {"F16", "float16", "HalfStorage", 16},
    [TENSOR_BF16] = {"BF16", "bfloat16", "BFloat16Storage", 16},
    [TENSOR_I64] = {"I64", "int64", "LongStorage", 64},
    [TENSOR_I32] = {"I32", "int32", "IntStorage", 32},
    [TENSOR_I16] = {"I16", "int16", "ShortStorage", 16},
    [TENSOR_I8] = {"I8", "int8", "CharStorage", 8},
    [TENSOR_U64] = {"U64", "uint64", NULL, 64},
    [TENSOR_U32] = {"U32", "uint32", NULL, 32},
    [TENSOR_U16] = {"U16", "uint16", NULL, 16},
    [TENSOR_U8] = {"U8", "uint8", "ByteStorage", 8},
    [TENSOR_BOOL] = {"BOOL", "bool", "BoolStorage", 8},
    [TENSOR_C64] = {"C64", "complex64", "ComplexFloatStorage", 64},
    [TENSOR_C128] = {NULL, "complex128", "ComplexDoubleStorage", 128},
    [TENSOR_F8_E4M3] = {"F8_E4M3", "float8_e4m3fn", NULL, 8},
    [TENSOR_F8_E5M2] = {"F8_E5M2", "float8_e5m2", NULL, 8},
    [TENSOR_F8_E4M3FNUZ] = {"F8_E4M3FNUZ", "float8_e4m3fnuz", NULL, 8},
    [TENSOR_F8_E5M2FNUZ] = {"F8_E5M2FNUZ", "float8_e5m2fnuz", NULL, 8},
    [TENSOR_F8_E8M0] = {"F8_E8M0", "float8_e8m0fnu", NULL, 8},
    [TENSOR_F6_E2M3] = {"F6_E2M3", NULL, NULL, 6},
    [TENSOR_F6_E3M2] = {"F6_E3M2", NULL, NULL, 6},
    [TENSOR_F4] = {"F4", NULL, NULL, 4},
};

static bool is_tensor_name(const char *name, struct str wanted)
{
    return name != NULL && str_eq(str_from(name), wanted);
}

enum tensor_type tensor_type_of(struct str name)
{
    int type = 0;

    while (type < TENSOR_TYPES && !is_tensor_name(tensor_kinds[type].name, name))
        type++;
    return (enum tensor_type)type;
}

enum tensor_type tensor_type_of_torch(struct str name)
{
    int type = 0;

    while (type < TENSOR_TYPES && !is_tensor_name(tensor_kinds[type].torch, name))
        type++;
    return (enum tensor_type)type;
}

enum tensor_type tensor_type_of_storage(struct str name)
{
    int type = 0;

    while (type < TENSOR_TYPES && !is_tensor_name(tensor_kinds[type].storage, name))
        type++;
    return (enum tensor_type)type;
}

bool tensor_size(enum tensor_type type, const uint64_t *shape, uint32_t dimensions,
                 uint64_t *out)
{
    uint64_t bits = tensor_kinds[type].bits;

    for (uint32_t i = 0; i < dimensions; i++)
        if (shape[i] == 0) {
            *out = 0;
            return true;
        }
    for (uint32_t i = 0; i < dimensions; i++)
        if (__builtin_mul_overflow(bits, shape[i], &bits))
            return false;
    *out = bits / 8;
    return bits % 8 == 0;
}

bool tensor_same_shape(const struct tensor *a, const struct tensor *b)
{
    return a->dimensions == b->dimensions &&
           (a->dimensions == 0 ||
            memcmp(a->shape, b->shape, a->dimensions * sizeof *a->shape) == 0);
}

enum tensor_type tensor_cast_type(enum tensor_type from, enum tensor_type wanted)
{
    return wanted != TENSOR_TYPES && (from == TENSOR_F32 || from == TENSOR_F64) ? wanted : from;
}

/* ---- casts: bits of IEEE 754 numbers of 16 bits, whose fraction has `fraction` bits ---- */

enum { BF16_FRACTION = 7, F16_FRACTION = 10 };

/* Of an F64, which may be of any size. */
static uint16_t round_f64(uint64_t bits, int fraction)
{
    uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
    uint16_t infinity = (uint16_t)(0x7fff >> fraction << fraction);
    uint64_t size = bits & INT64_MAX, kept, rest;
    int bias = (1 << (14 - fraction)) - 1, shift = 52 - fraction;
    int exponent = (int)(size >> 52) - 1023 + bias;

    if (size > UINT64_C(0x7ff0000000000000)) /* NaN, made a quiet one */
        return (uint16_t)(sign | infinity | 1 << (fraction - 1) |
                          (uint16_t)(size >> shift & ((1U << fraction) - 1)));
    if (size >> 52 == 0) /* too small for anything but zero */
        return sign;
    size = (size & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (exponent < 1) {
        shift += 1 - exponent;
        exponent = 1;
    }
    if (shift > 53) /* less than half of the least */
        return sign;
    if (exponent > 2 * bias)
        return sign | infinity;
    kept = size >> shift;
    rest = size & ((UINT64_C(1) << shift) - 1);
    if (rest > UINT64_C(1) << (shift - 1) || (rest == UINT64_C(1) << (shift - 1) && kept & 1))
        kept++;
    /* The hidden bit and a carry go into the exponent, also up to infinity. */
    return (uint16_t)(sign | (uint16_t)(((uint64_t)(exponent - 1) << fraction) + kept));
}

static uint64_t f64_of_f32(uint32_t bits)
{
    float value;
    double wide;
    uint64_t out;

    memcpy(&value, &bits, sizeof value);
    wide = (double)value;
    memcpy(&out, &wide, sizeof out);
    return out;
}

static uint16_t bf16_of_f32(uint32_t bits)
{
    if ((bits & INT32_MAX) > 0x7f800000)
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static uint16_t f16_of_f32(uint32_t bits)
{
    uint32_t size = bits & INT32_MAX, sign = bits >> 16 & 0x8000;

    if (size < 0x38800000) /* below the least normal number */
        return round_f64(f64_of_f32(bits), F16_FRACTION);
    if (size > 0x7f800000)
        return (uint16_t)(sign | 0x7e00 | (size >> 13 & 0x3ff));
    if (size >= 0x47800000)
        return (uint16_t)(sign | 0x7c00);
    size -= 0x38000000; /* the difference of the biases */
    return (uint16_t)(sign | (size + 0xfff + (size >> 13 & 1)) >> 13);
}

static void cast_f32(const unsigned char *in, size_t count, unsigned char *out, bool half,
                     struct tensor_loss *loss)
{
    uint16_t infinity = half ? 0x7c00 : 0x7f80;
    uint64_t over = 0, under = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        uint16_t value;

        memcpy(&bits, in + i * sizeof bits, sizeof bits);
        value = half ? f16_of_f32(bits) : bf16_of_f32(bits);
        memcpy(out + i * sizeof value, &value, sizeof value);
        over += (value & INT16_MAX) == infinity && (bits & INT32_MAX) < 0x7f800000;
        under += (value & INT16_MAX) == 0 && (bits & INT32_MAX) != 0;
    }
    loss->overflowed += over;
    loss->underflowed += under;
}

static void cast_f64(const unsigned char *in, size_t count, unsigned char *out, bool half,
                     struct tensor_loss *loss)
{
    uint16_t infinity = half ? 0x7c00 : 0x7f80;

    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        uint16_t value;

        memcpy(&bits, in + i * sizeof bits, sizeof bits);
        value = round_f64(bits, half ? F16_FRACTION : BF16_FRACTION);
        memcpy(out + i * sizeof value, &value, sizeof value);
        loss->overflowed += (value & INT16_MAX) == infinity &&
                            (bits & INT64_MAX) < UINT64_C(0x7ff0000000000000);
        loss->underflowed += (value & INT16_MAX) == 0 && (bits & INT64_MAX) != 0;
    }
}

void tensor_cast(enum tensor_type from, enum tensor_type to, const void *in, size_t count,
                 void *out, struct tensor_loss *loss)
{
    if (from == TENSOR_F32)
        cast_f32(in, count, out, to == TENSOR_F16, loss);
    else
        cast_f64(in, count, out, to == TENSOR_F16, loss);
}
