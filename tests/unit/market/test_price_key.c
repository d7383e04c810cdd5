/* Keys of price packs in files, and the moments that prices are compared at. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "market/diff.h"
#include "market/price_pack.h"

static void a_pair_is_made_once_and_read_from_its_files(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    char folder[] = "/tmp/stint-key-XXXXXX", path[100], command[100];
    struct str made, public, again, read;
    unsigned char secret[SIGN_KEY];
    struct error err = {0};

    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/team.key", folder);
    assert_true(price_key_create(str_from(path), &arena, &made, &public, &err));
    assert_true(str_eq(made, str_from(path)));
    assert_true(price_key_secret(made, &arena, secret, &err));
    assert_true(price_key_public(secret, &arena, &again, &err));
    assert_true(str_eq(again, public));
    assert_false(price_key_create(str_from(path), &arena, &made, &again, &err));
    assert_int_equal(err.kind, ERROR_USAGE);

    assert_true(price_key_read(public, &arena, &read, &err)); /* the key itself */
    (void)snprintf(path, sizeof path, "%s/team.key.pub", folder);
    assert_true(price_key_read(str_from(path), &arena, &read, &err));
    assert_true(str_eq(read, public));
    assert_false(price_key_secret(str_from(path), &arena, secret, &err));
    assert_non_null(strstr(err.hint, "this is the public one"));
    assert_false(price_key_read(STR("nonsense"), &arena, &read, &err));

    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    arena_free(&arena);
}

static void a_day_is_compared_at_its_end(void **state)
{
    const stamp now = {1794700800 + 3600}; /* 2026-11-15 01:00 */
    struct error err = {0};
    stamp at;

    (void)state;
    assert_true(diff_moment_parse(now, STR("2026-11-13"), &at, &err));
    assert_int_equal(at.s, 1794700800 - 86400 - 1);
    assert_true(diff_moment_parse(now, STR("yesterday"), &at, &err));
    assert_int_equal(at.s, 1794700800 - 1);
    assert_true(diff_moment_parse(now, STR("2026-11-15"), &at, &err));
    assert_int_equal(at.s, now.s); /* it is not over */
    assert_true(diff_moment_parse(now, STR("7d"), &at, &err));
    assert_int_equal(at.s, now.s - 7 * 86400);
    assert_false(diff_moment_parse(now, STR("2026-11-16"), &at, &err));
    assert_false(diff_moment_parse(now, STR("soon"), &at, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

int group_price_key(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_is_made_once_and_read_from_its_files),
        cmocka_unit_test(a_day_is_compared_at_its_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
