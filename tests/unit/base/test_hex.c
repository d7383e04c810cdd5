#include "test.h"

#include "base/hex.h"

static void every_byte_comes_back(void **state)
{
    struct buf digits = buf_new(&alloc_system, 4096), back = buf_new(&alloc_system, 4096);
    char bytes[256];

    (void)state;
    for (int i = 0; i < 256; i++)
        bytes[i] = (char)i;
    hex_write((struct str){bytes, sizeof bytes}, &digits);
    assert_int_equal(digits.len, 512);
    assert_memory_equal(digits.at, "000102030405060708090a0b0c0d0e0f10", 34);
    assert_true(hex_read(buf_text(&digits), &back));
    assert_int_equal(back.len, sizeof bytes);
    assert_memory_equal(back.at, bytes, sizeof bytes);
    assert_true(hex_read(STR("aBFf"), &back));
    assert_memory_equal(back.at + 256, "\xab\xff", 2);
    assert_false(hex_read(STR("abc"), &back));
    assert_false(hex_read(STR("ag"), &back));
    assert_int_equal(back.len, 258);
    buf_free(&digits);
    buf_free(&back);
}

/* The examples of RFC 4648, section 10. */
static void base64_is_padded(void **state)
{
    static const char *const pairs[][2] = {
        {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
        struct buf out = buf_new(&alloc_system, 64);

        base64_write(str_from(pairs[i][0]), &out);
        assert_str_equal(buf_text(&out), pairs[i][1]);
        buf_free(&out);
    }
}

int group_hex(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_byte_comes_back),
                                       cmocka_unit_test(base64_is_padded)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
