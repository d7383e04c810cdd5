#include "test.h"

#include <string.h>

#include "base/crc.h"

/* RFC 3720, appendix B.4, and the check value of the CRC catalog. */
static void known_vectors(void **state)
{
    unsigned char bytes[32];

    (void)state;
    assert_int_equal(crc32c(0, "", 0), 0);
    assert_int_equal(crc32c(0, "123456789", 9), 0xe3069283);
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x8a9136aa);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x62a8ab43);
    for (unsigned char i = 0; i < sizeof bytes; i++)
        bytes[i] = i;
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x46dd794e);
    for (unsigned char i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(31 - i);
    assert_int_equal(crc32c(0, bytes, sizeof bytes), 0x113fdb5c);
}

/* Bit by bit, by the definition. */
static uint32_t by_definition(const unsigned char *at, size_t len)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < len; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? UINT32_C(0x82f63b78) : 0);
    }
    return ~crc;
}

static void all_ways_agree_at_any_length_and_place(void **state)
{
    unsigned char bytes[300];
    uint32_t seed = 1;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        seed = seed * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(seed >> 24);
    }
    for (size_t from = 0; from < 9; from++)
        for (size_t len = 0; from + len <= sizeof bytes; len++) {
            uint32_t expected = by_definition(bytes + from, len);

            assert_int_equal(crc32c(0, bytes + from, len), expected);
            assert_int_equal(crc32c_portable(0, bytes + from, len), expected);
        }
}

static void pieces_have_the_checksum_of_all(void **state)
{
    const char *text = "the prices of a machine, in two pieces";
    size_t len = strlen(text);

    (void)state;
    for (size_t cut = 0; cut <= len; cut++) {
        uint32_t at_once = crc32c(0, text, len);

        assert_int_equal(crc32c(crc32c(0, text, cut), text + cut, len - cut), at_once);
        assert_int_equal(crc32c_portable(crc32c_portable(0, text, cut), text + cut, len - cut),
                         at_once);
    }
}

int group_crc(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_vectors),
        cmocka_unit_test(all_ways_agree_at_any_length_and_place),
        cmocka_unit_test(pieces_have_the_checksum_of_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
