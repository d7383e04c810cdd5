#include "test.h"

#include <string.h>

#include "base/characters.h"

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static void every_byte_has_its_kind(void **state)
{
    static const char small[] = "abcdefghijklmnopqrstuvwxyz",
                      large[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    (void)state;
    for (int i = 0; i < 256; i++) {
        char c = (char)i;
        bool digit = is_one_of(c, "0123456789"), lower = is_one_of(c, small),
             upper = is_one_of(c, large);

        assert_int_equal(is_digit(c), digit);
        assert_int_equal(is_lower(c), lower);
        assert_int_equal(is_upper(c), upper);
        assert_int_equal(is_letter(c), lower || upper);
        assert_int_equal(is_letter_or_digit(c), lower || upper || digit);
        assert_int_equal(is_name_start(c), lower || upper || c == '_');
        assert_int_equal(is_name_character(c), lower || upper || digit || c == '_');
        assert_int_equal(is_blank(c), is_one_of(c, " \t"));
        assert_int_equal(to_lower(c), upper ? small[strchr(large, c) - large] : c);
        assert_int_equal(to_upper(c), lower ? large[strchr(small, c) - small] : c);
    }
}

int group_characters(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_byte_has_its_kind)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
