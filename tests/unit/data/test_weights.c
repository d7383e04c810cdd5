/* Files of tensors: casts, and headers of safetensors that are right or not. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "data/weights/safetensors.h"

static uint16_t cast_one(enum tensor_type from, enum tensor_type to, double value,
                         struct tensor_loss *loss)
{
    float narrow = (float)value;
    uint16_t out;

    *loss = (struct tensor_loss){0};
    tensor_cast(from, to, from == TENSOR_F32 ? (const void *)&narrow : &value, 1, &out, loss);
    return out;
}

/* The value of such a number, by its definition. */
static double value_of(uint16_t bits, int fraction)
{
    int bias = (1 << (14 - fraction)) - 1, exponent = (bits & INT16_MAX) >> fraction;
    double rest = bits & ((1 << fraction) - 1), size;

    if (exponent == 0)
        size = ldexp(rest, 1 - bias - fraction);
    else if (exponent == 2 * bias + 1)
        size = rest > 0 ? (double)NAN : (double)INFINITY;
    else
        size = ldexp(rest + (1 << fraction), exponent - bias - fraction);
    return bits > INT16_MAX ? -size : size;
}

static void every_value_of_the_new_type_stays(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++)
        for (uint32_t bits = 0; bits <= UINT16_MAX; bits++) {
            enum tensor_type to = half ? TENSOR_F16 : TENSOR_BF16;
            double value = value_of((uint16_t)bits, half ? 10 : 7);
            struct tensor_loss loss;
            uint16_t narrow = cast_one(TENSOR_F32, to, value, &loss);
            uint16_t wide = cast_one(TENSOR_F64, to, value, &loss);

            if (isnan(value)) {
                assert_true(isnan(value_of(narrow, half ? 10 : 7)));
                assert_true(isnan(value_of(wide, half ? 10 : 7)));
                continue;
            }
            assert_int_equal(narrow, bits);
            assert_int_equal(wide, bits);
            assert_true(loss.overflowed == 0 && loss.underflowed == 0);
        }
}

/* Between two neighbors: nearer to one or the other, and just between. */
static void values_between_go_to_the_nearest(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++)
        for (uint16_t bits = 0; bits < (half ? 0x7bff : 0x7f7f); bits++) {
            enum tensor_type to = half ? TENSOR_F16 : TENSOR_BF16;
            int fraction = half ? 10 : 7;
            double low = value_of(bits, fraction), high = value_of(bits + 1, fraction);
            double middle = low + (high - low) / 2;
            struct tensor_loss loss;
            int even = bits + (bits & 1);

            assert_int_equal(cast_one(TENSOR_F64, to, middle, &loss), even);
            assert_int_equal(cast_one(TENSOR_F64, to, nextafter(middle, 0), &loss), bits);
            assert_int_equal(cast_one(TENSOR_F64, to, nextafter(middle, INFINITY), &loss),
                             bits + 1);
            assert_int_equal(cast_one(TENSOR_F64, to, -middle, &loss), even | 0x8000);
            assert_int_equal(cast_one(TENSOR_F32, to, middle, &loss), even);
            if (bits == 0) /* floats next to it may be zero themselves */
                continue;
            assert_int_equal(
                cast_one(TENSOR_F32, to, (double)nextafterf((float)middle, 0), &loss), bits);
            assert_int_equal(
                cast_one(TENSOR_F32, to, (double)nextafterf((float)middle, INFINITY), &loss),
                bits + 1);
        }
}

static void what_is_lost_is_counted(void **state)
{
    struct tensor_loss loss;

    (void)state;
    assert_int_equal(cast_one(TENSOR_F32, TENSOR_F16, 65519, &loss), 0x7bff);
    assert_int_equal(loss.overflowed, 0);
    assert_int_equal(cast_one(TENSOR_F32, TENSOR_F16, 65520, &loss), 0x7c00);
    assert_int_equal(loss.overflowed, 1);
    assert_int_equal(cast_one(TENSOR_F32, TENSOR_F16, -INFINITY, &loss), 0xfc00);
    assert_int_equal(loss.overflowed, 0);
    assert_int_equal(cast_one(TENSOR_F32, TENSOR_F16, 1e-8, &loss), 0);
    assert_int_equal(loss.underflowed, 1);
    assert_int_equal(cast_one(TENSOR_F32, TENSOR_BF16, 3.4028234e38, &loss), 0x7f80);
    assert_int_equal(loss.overflowed, 1);
    assert_int_equal(cast_one(TENSOR_F64, TENSOR_BF16, 1e300, &loss), 0x7f80);
    assert_int_equal(loss.overflowed, 1);
    assert_int_equal(cast_one(TENSOR_F64, TENSOR_BF16, 4.9e-324, &loss), 0);
    assert_int_equal(loss.underflowed, 1);
}

/* ---- safetensors ---- */

static bool read_header(const char *text, uint64_t data, struct arena *arena,
                        struct safetensors *out, struct error *err)
{
    *err = (struct error){0};
    return safetensors_read(str_from(text), data, arena, out, err);
}

static void a_header_is_read_and_written(void **state)
{
    struct arena arena = {.alloc = &alloc_system};
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct safetensors file, again;
    struct error err;
    uint64_t size;

    (void)state;
    assert_true(
        read_header("{\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
                    "\"__metadata__\":{\"format\":\"p\\nt\"},"
                    "\"a\\\"\":{\"shape\":[],\"dtype\":\"F32\",\"data_offsets\":[3,7]},"
                    "\"none\":{\"dtype\":\"I64\",\"shape\":[2,0],\"data_offsets\":[3,3]}}"
                    "   ",
                    7, &arena, &file, &err));
    assert_int_equal(file.count, 3);
    assert_true(str_eq(file.tensors[0].name, STR("b")));
    assert_int_equal(file.tensors[2].type, TENSOR_F32);
    assert_int_equal(file.tensors[2].at, 3);
    file.tensors[2].type = TENSOR_BF16;
    assert_true(safetensors_write(&file, &arena, &out, &size, &err));
    assert_int_equal(out.len % 8, 0);
    assert_int_equal(size, out.len + 5);
    assert_true(
        safetensors_read((struct str){out.at + 8, out.len - 8}, 5, &arena, &again, &err));
    assert_true(str_eq(again.notes[0].value, STR("p\nt")));
    for (size_t i = 0; i < again.count; i++) /* the widest elements come first */
        if (str_eq(again.tensors[i].name, STR("a\"")))
            assert_true(again.tensors[i].at == 0 && again.tensors[i].size == 2);
    buf_free(&out);
    arena_free(&arena);
}

#define U8 "{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":"

static void wrong_headers_are_refused(void **state)
{
    static const char *const wrong[] = {
        "",
        " {}",
        "[]",
        "{\"a\":" U8 "[0,2]}",
        "{\"a\":" U8 "[0,2]}}x",
        "{\"a\":" U8 "[0,3]}}",
        "{\"a\":" U8 "[2,0]}}",
        "{\"a\":" U8 "[0,2,2]}}",
        "{\"a\":" U8 "[-1,1]}}",
        "{\"a\":" U8 "[0,1.5]}}",
        "{\"a\":" U8 "[0]}}",
        "{\"a\":" U8 "[3,5]}}",
        "{\"a\":" U8 "[18446744073709551615,1]}}",
        "{\"a\":" U8 "[0,2]},\"a\":" U8 "[2,4]}}",
        "{\"a\":" U8 "[0,2]},\"b\":" U8 "[1,3]}}",
        "{\"a\":" U8 "[0,2]},\"b\":" U8 "[3,5]}}",
        "{\"a\":" U8 "[0,2]},\"b\":" U8 "[0,2]}}",
        "{\"a\":" U8 "[0,2],\"dtype\":\"U8\"},\"b\":" U8 "[2,4]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[4,4611686018427387904],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"F4\",\"shape\":[7],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":8,\"shape\":[4],\"data_offsets\":[0,4]}}",
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[[4]],\"data_offsets\":[0,4]}}",
        "{\"__metadata__\":{\"a\":1},\"a\":" U8 "[0,4]}}",
        "{\"__metadata__\":{},\"__metadata__\":{}}",
        "{\"a\":1}",
    };
    struct arena arena = {.alloc = &alloc_system};
    struct safetensors file;
    struct error err;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        if (read_header(wrong[i], 4, &arena, &file, &err) || err.kind != ERROR_INPUT)
            fail_msg("accepted: %s", wrong[i]);
        assert_true(err.text[0] != '\0');
    }
    assert_false(read_header("{\"a\":{\"dtype\":\"F3\",\"shape\":[4],\"data_offsets\":[0,4]}}",
                             4, &arena, &file, &err));
    assert_int_equal(err.kind, ERROR_UNFIT);
    assert_true(read_header("{}", 0, &arena, &file, &err));
    assert_int_equal(file.count, 0);
    arena_free(&arena);
}

static void failing_memory_is_reported(void **state)
{
    static const char text[] =
        "{\"__metadata__\":{\"format\":\"pt\"},"
        "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    struct failing_alloc failing = {0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct error err;
    bool ok = false;

    (void)state;
    for (size_t allow = 0; !ok; allow++) {
        struct arena arena = {.alloc = &alloc};
        struct safetensors file;

        assert_true(allow < 200);
        failing.allow = allow;
        ok = read_header(text, 4, &arena, &file, &err);
        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int group_weights(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_of_the_new_type_stays),
        cmocka_unit_test(values_between_go_to_the_nearest),
        cmocka_unit_test(what_is_lost_is_counted),
        cmocka_unit_test(a_header_is_read_and_written),
        cmocka_unit_test(wrong_headers_are_refused),
        cmocka_unit_test(failing_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
