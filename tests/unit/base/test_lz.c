/* Packed text is restored; other bytes are refused without access outside the buffers. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "base/lz.h"

static struct lz_table table;

static uint32_t dice(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Blocks of the exact size, so that ASan sees every byte beyond. */
static size_t assert_comes_back(const char *data, size_t len)
{
    char *packed = malloc(lz_bound(len)), *back = malloc(len > 0 ? len : 1);
    size_t size;

    assert_non_null(packed);
    assert_non_null(back);
    size = lz_pack(data, len, packed, &table);
    assert_true(size <= lz_bound(len));
    assert_true(lz_unpack(packed, size, back, len));
    assert_memory_equal(back, data, len);
    assert_false(lz_unpack(packed, size, back, len > 0 ? len - 1 : 0) && len > 0);
    free(packed);
    free(back);
    return size;
}

static void all_lengths_are_restored(void **state)
{
    uint32_t seed = 7;

    (void)state;
    for (size_t len = 0; len < 700; len++) {
        char *data = malloc(len + 1);

        assert_non_null(data);
        for (size_t i = 0; i < len; i++)
            data[i] = (char)(dice(&seed) % (1 + len % 7));
        (void)assert_comes_back(data, len);
        for (size_t i = 0; i < len; i++)
            data[i] = (char)dice(&seed);
        (void)assert_comes_back(data, len);
        free(data);
    }
}

static void repeated_text_becomes_small(void **state)
{
    enum { LENGTH = 300000 };
    char *data = malloc(LENGTH);

    (void)state;
    assert_non_null(data);
    memset(data, 'x', LENGTH);
    assert_true(assert_comes_back(data, LENGTH) < 1300);
    for (size_t i = 0; i < LENGTH; i++) /* further apart than a match may be */
        data[i] = (char)(i % 70000 * 2654435761u >> 24);
    (void)assert_comes_back(data, LENGTH);
    free(data);
}

static void other_bytes_are_refused(void **state)
{
    static const unsigned char none[] = {0x1f};
    static const unsigned char before[] = {0x10, 'a', 2, 0, 0x50, 'a', 'b', 'c', 'd', 'e'};
    uint32_t seed = 3;
    char data[400], packed[600], back[400];

    (void)state;
    assert_false(lz_unpack(none, 0, back, 0));
    assert_false(lz_unpack(none, sizeof none, back, sizeof back));
    assert_false(lz_unpack(before, sizeof before, back, 10)); /* from before the start */
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(dice(&seed) % 5);
    for (int n = 0; n < 5000; n++) {
        size_t size = lz_pack(data, sizeof data, packed, &table);
        char *copy = malloc(size);

        assert_non_null(copy);
        packed[dice(&seed) % size] ^= (char)(1 << dice(&seed) % 8);
        size -= dice(&seed) % 3 == 0 ? dice(&seed) % size : 0;
        memcpy(copy, packed, size);
        (void)!lz_unpack(copy, size, back, sizeof back); /* ASan checks the access */
        free(copy);
    }
}

int group_lz(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths_are_restored),
        cmocka_unit_test(repeated_text_becomes_small),
        cmocka_unit_test(other_bytes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
