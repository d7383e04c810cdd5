#include "test.h"

#include <string.h>
#include <wchar.h>

#include "base/buf.h"

static void appends_in_order(void **state)
{
    struct buf buf = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    (void)state;
    buf_adds(&buf, "one");
    buf_char(&buf, ' ');
    buf_add(&buf, STR("two"));
    buf_addf(&buf, " %d%s", 3, "three");
    buf_pad(&buf, '.', 4);
    assert_str_equal(buf_text(&buf), "one two 3three....");
    assert_true(buf_ok(&buf, &err));
    assert_int_equal(err.kind, ERROR_NONE);
    buf_free(&buf);
}

static void appending_nothing_changes_nothing(void **state)
{
    struct buf buf = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err;

    (void)state;
    assert_int_equal(buf_text(&buf).len, 0);
    assert_true(buf_ok(&buf, &err));
    buf_add(&buf, (struct str){0});
    buf_adds(&buf, "");
    buf_adds(&buf, NULL);
    buf_pad(&buf, 'x', 0);
    buf_addf(&buf, "%s", "");
    assert_int_equal(buf_text(&buf).len, 0);
    assert_true(buf_ok(&buf, &err));
    buf_free(&buf);
}

static void keeps_nul_bytes(void **state)
{
    struct buf buf = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    buf_add(&buf, STR("a\0b"));
    buf_char(&buf, '\0');
    assert_int_equal(buf_text(&buf).len, 4);
    assert_memory_equal(buf_text(&buf).at, "a\0b\0", 4);
    buf_free(&buf);
}

static void grows_over_every_boundary(void **state)
{
    (void)state;
    for (size_t before = 0; before<1100; before += before> 240 && before < 270 ? 1 : 37)
        for (size_t more = 1; more < 1100; more += 91) {
            struct buf buf = buf_new(&alloc_system, BUF_MAX_OUTPUT);

            buf_pad(&buf, 'a', before);
            buf_addf(&buf, "%*s", (int)more, "b"); /* its NUL must have room too */
            assert_int_equal(buf_text(&buf).len, before + more);
            if (before > 0)
                assert_int_equal(buf_text(&buf).at[before - 1], 'a');
            assert_int_equal(buf_text(&buf).at[before + more - 1], 'b');
            buf_free(&buf);
        }
}

static void one_byte_at_a_time_makes_the_same_text(void **state)
{
    struct buf buf = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    (void)state;
    for (unsigned i = 0; i < 10000; i++)
        buf_char(&buf, (char)('a' + i % 26));
    assert_int_equal(buf_text(&buf).len, 10000);
    for (unsigned i = 0; i < 10000; i++)
        assert_int_equal(buf_text(&buf).at[i], 'a' + i % 26);
    buf_free(&buf);
}

static void a_word_for_the_shell_is_quoted_where_it_must_be(void **state)
{
    static const char *const words[][2] = {
        {"a-b_c.d/e:f=1%+,@", "a-b_c.d/e:f=1%+,@"},
        {"", "''"},
        {"two words", "'two words'"},
        {"it's", "'it'\\''s'"},
        {"~/x", "'~/x'"},
        {"$(x)", "'$(x)'"},
    };
    struct buf buf = buf_new(&alloc_system, 64);

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(words); i++) {
        buf_clear(&buf);
        buf_add_shell(&buf, str_from(words[i][0]));
        assert_true(str_eq(buf_text(&buf), str_from(words[i][1])));
    }
    buf_free(&buf);
}

static void a_quoted_text_has_its_quotes_twice(void **state)
{
    struct buf buf = buf_new(&alloc_system, 64);

    (void)state;
    buf_add_quoted(&buf, STR("it's"), '\'');
    buf_add_quoted(&buf, STR(""), '"');
    buf_add_quoted(&buf, STR("\"'a\""), '"');
    assert_true(str_eq(buf_text(&buf), STR("'it''s'\"\"\"\"\"'a\"\"\"")));
    buf_free(&buf);
}

static void stops_at_its_maximum(void **state)
{
    struct buf buf = buf_new(&alloc_system, 10);
    struct error err = {0};

    (void)state;
    buf_adds(&buf, "0123456789");
    assert_true(buf_ok(&buf, &err));
    buf_char(&buf, 'x');
    assert_false(buf_ok(&buf, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_string_equal(err.text, "the output is larger than 10 bytes");
    assert_str_equal(buf_text(&buf), "0123456789");
    buf_free(&buf);
}

static void every_way_of_appending_stops_at_the_maximum(void **state)
{
    (void)state;
    for (int way = 0; way < 5; way++) {
        struct buf buf = buf_new(&alloc_system, 3);
        struct error err = {0};

        buf_adds(&buf, "abc");
        switch (way) {
        case 0:
            buf_char(&buf, 'd');
            break;
        case 1:
            buf_add(&buf, STR("d"));
            break;
        case 2:
            buf_adds(&buf, "d");
            break;
        case 3:
            buf_addf(&buf, "%c", 'd');
            break;
        default:
            buf_pad(&buf, 'd', SIZE_MAX);
            break;
        }
        assert_false(buf_ok(&buf, &err));
        assert_string_equal(err.text, "the output is larger than 3 bytes");
        assert_str_equal(buf_text(&buf), "abc");
        buf_free(&buf);
    }
}

static void the_first_failure_sticks(void **state)
{
    struct buf buf = buf_new(&alloc_system, 4);
    struct error err = {0};

    (void)state;
    buf_adds(&buf, "abc");
    buf_adds(&buf, "too long");
    buf_char(&buf, 'd'); /* would fit, but comes after a failure */
    buf_pad(&buf, 'd', 1);
    buf_addf(&buf, "d");
    assert_str_equal(buf_text(&buf), "abc");
    assert_false(buf_ok(&buf, &err));
    buf_free(&buf);
}

static void clearing_forgets_text_and_failure_but_not_memory(void **state)
{
    struct failing_alloc failing = {.allow = 1};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct buf buf = buf_new(&alloc, 100);
    struct error err = {0};

    (void)state;
    buf_adds(&buf, "text");
    buf_pad(&buf, 'x', 101);
    assert_false(buf_ok(&buf, &err));
    buf_clear(&buf);
    assert_true(buf_ok(&buf, &err));
    assert_int_equal(buf_text(&buf).len, 0);
    buf_adds(&buf, "again");
    assert_true(buf_ok(&buf, &err));
    assert_str_equal(buf_text(&buf), "again");
    assert_int_equal(failing.held, 1);
    buf_free(&buf);
    assert_int_equal(failing.held, 0);
}

static void can_be_used_again_after_it_was_freed(void **state)
{
    struct buf buf = buf_new(&alloc_system, 5);
    struct error err = {0};

    (void)state;
    buf_free(&buf); /* of nothing */
    buf_adds(&buf, "too long");
    buf_free(&buf);
    assert_true(buf_ok(&buf, &err));
    buf_adds(&buf, "12345");
    buf_char(&buf, '6');
    assert_str_equal(buf_text(&buf), "12345");
    assert_false(buf_ok(&buf, &err));
    assert_string_equal(err.text, "the output is larger than 5 bytes");
    buf_free(&buf);
}

static void survives_every_failing_allocation(void **state)
{
    (void)state;
    for (size_t allow = 0; allow <= 4; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct buf buf = buf_new(&alloc, BUF_MAX_OUTPUT);
        struct error err = {0};

        for (int i = 0; i < 200; i++)
            buf_addf(&buf, "%08d", i); /* 256, 512, 1024 and 2048 bytes */
        if (allow == 4) {
            assert_true(buf_ok(&buf, &err));
            assert_int_equal(buf_text(&buf).len, 1600);
        } else {
            assert_false(buf_ok(&buf, &err));
            assert_int_equal(err.kind, ERROR_MEMORY);
            assert_string_equal(err.text, "out of memory");
            assert_int_equal(buf_text(&buf).len,
                             allow == 0 ? 0 : ((128U << allow) - 1) / 8 * 8);
        }
        assert_int_equal(failing.held, allow > 0);
        buf_free(&buf);
        assert_int_equal(failing.held, 0);
    }
}

static void more_than_memory_can_hold_is_out_of_memory(void **state)
{
    struct failing_alloc failing = {.allow = 1};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct buf buf = buf_new(&alloc, SIZE_MAX);
    struct error err = {0};

    (void)state;
    buf_adds(&buf, "abc");
    buf_pad(&buf, 'x', SIZE_MAX - 3);
    assert_false(buf_ok(&buf, &err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    assert_str_equal(buf_text(&buf), "abc");
    buf_free(&buf);
}

static void text_that_cannot_be_formatted_is_a_failure(void **state)
{
    struct buf buf = buf_new(&alloc_system, 100);
    struct error err = {0};

    (void)state;
    buf_adds(&buf, "abc");
    buf_addf(&buf, "%lc", (wint_t)0x20ac); /* no such character in the C locale */
    buf_adds(&buf, "def");
    assert_str_equal(buf_text(&buf), "abc");
    assert_false(buf_ok(&buf, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    buf_free(&buf);
}

static void kept_text_outlives_the_buffer(void **state)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct buf buf = buf_new(&alloc_system, 8);
    struct error err = {0};
    struct str kept;

    (void)state;
    buf_adds(&buf, "12.50");
    assert_true(buf_keep(&buf, &arena, &kept, &err));
    assert_str_equal(kept, "12.50");
    assert_null(buf.at);
    buf_adds(&buf, "");
    assert_true(buf_keep(&buf, &arena, &kept, &err));
    assert_str_equal(kept, "");
    buf_adds(&buf, "123456789"); /* half a number is worse than none */
    assert_false(buf_keep(&buf, &arena, &kept, &err));
    assert_int_equal(err.kind, ERROR_FAILED);
    assert_null(kept.at);
    assert_int_equal(kept.len, 0);
    arena_free(&arena);
}

static void output_fails_when_a_part_of_it_had_no_memory(void **state)
{
    struct failing_alloc failing = {0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct buf out = buf_new(&alloc_system, 64), part = buf_new(&alloc, 64);

    (void)state;
    buf_adds(&out, "kept");
    buf_free_part(&part, &out); /* empty */
    assert_int_equal(out.failed, ERROR_NONE);
    buf_adds(&part, "lost");
    buf_add(&out, buf_text(&part));
    buf_free_part(&part, &out);
    assert_int_equal(out.failed, ERROR_MEMORY);
    buf_free(&out);
}

static void stays_within_memory_that_it_is_given(void **state)
{
    char memory[8];
    struct buf b = buf_within(memory, sizeof memory);

    (void)state;
    buf_addf(&b, "%d GPUs", 12);
    assert_int_equal(b.failed, ERROR_NONE);
    assert_true(str_eq(buf_text(&b), STR("12 GPUs")));
    buf_char(&b, '.');
    assert_int_equal(b.failed, ERROR_FAILED);
    assert_int_equal(b.len, 7);
    buf_free(&b);
}

int group_buf(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stays_within_memory_that_it_is_given),
        cmocka_unit_test(appends_in_order),
        cmocka_unit_test(appending_nothing_changes_nothing),
        cmocka_unit_test(keeps_nul_bytes),
        cmocka_unit_test(grows_over_every_boundary),
        cmocka_unit_test(one_byte_at_a_time_makes_the_same_text),
        cmocka_unit_test(a_word_for_the_shell_is_quoted_where_it_must_be),
        cmocka_unit_test(a_quoted_text_has_its_quotes_twice),
        cmocka_unit_test(stops_at_its_maximum),
        cmocka_unit_test(every_way_of_appending_stops_at_the_maximum),
        cmocka_unit_test(the_first_failure_sticks),
        cmocka_unit_test(clearing_forgets_text_and_failure_but_not_memory),
        cmocka_unit_test(can_be_used_again_after_it_was_freed),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(more_than_memory_can_hold_is_out_of_memory),
        cmocka_unit_test(text_that_cannot_be_formatted_is_a_failure),
        cmocka_unit_test(kept_text_outlives_the_buffer),
        cmocka_unit_test(output_fails_when_a_part_of_it_had_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
