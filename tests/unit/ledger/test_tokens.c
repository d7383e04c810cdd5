/* Tokens: names, times they end, secrets. */
#include "test.h"

#include <string.h>

#include "ledger/tokens.h"
#include "unit/time.h"

#define NOW INT64_C(1794700800) /* 2026-11-15 */

static void a_name_fits_a_command_line(void **state)
{
    struct error err = {0};

    (void)state;
    assert_true(token_check_name(STR("node-17.lab"), &err));
    assert_false(token_check_name(STR(""), &err));
    assert_false(token_check_name(STR("a b"), &err));
    assert_false(token_check_name(STR("a/b"), &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void it_ends_in_the_future_or_never(void **state)
{
    struct error err = {0};
    stamp at;

    (void)state;
    assert_true(token_expiry_parse((stamp){NOW}, STR("90d"), &at, &err));
    assert_int_equal(at.s, NOW + 90 * SECONDS_PER_DAY);
    assert_true(token_expiry_parse((stamp){NOW}, STR("2026-11-16"), &at, &err));
    assert_int_equal(at.s, NOW + SECONDS_PER_DAY);
    assert_true(token_expiry_parse((stamp){NOW}, STR("never"), &at, &err));
    assert_int_equal(at.s, -1);
    assert_false(token_expiry_parse((stamp){NOW}, STR("2026-11-14"), &at, &err));
    assert_false(token_expiry_parse((stamp){NOW}, STR("soon"), &at, &err));
    assert_string_equal(err.text, "--expires: 'soon' is not a time to come");
}

static void secrets_differ(void **state)
{
    char a[TOKEN_SECRET], b[TOKEN_SECRET];
    struct error err = {0};

    (void)state;
    assert_true(token_secret(a, &err) && token_secret(b, &err));
    assert_int_equal(strlen(a), TOKEN_SECRET - 1);
    assert_int_equal(strncmp(a, "stint_", 6), 0);
    assert_string_not_equal(a, b);
}

int group_tokens(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_fits_a_command_line),
        cmocka_unit_test(it_ends_in_the_future_or_never),
        cmocka_unit_test(secrets_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
