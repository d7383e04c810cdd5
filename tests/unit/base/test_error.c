#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What error_print() writes; freed by the caller. */
static char *printed(const struct error *err)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);

    assert_non_null(to);
    error_print(err, to);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(strlen(text), len);
    return text;
}

static void has_the_text_of_the_error(void **state)
{
    struct error err = {.hint = "an old hint"};

    (void)state;
    error_set(&err, ERROR_INPUT, "'%s' holds %d offers", "offers.csv", 0);
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "'offers.csv' holds 0 offers");
    assert_string_equal(err.hint, "");
}

static void failing_is_false(void **state)
{
    struct error err = {0};

    (void)state;
    assert_false(error_fail(&err, ERROR_GUARD, "over budget"));
    assert_int_equal(err.kind, ERROR_GUARD);
    assert_string_equal(err.text, "over budget");
    assert_false(error_memory(&err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    assert_string_equal(err.text, "out of memory");
    assert_string_equal(err.hint, "");
}

static void has_the_system_error(void **state)
{
    static const struct {
        int errnum;
        const char *text;
    } cases[] = {
        {ENOENT, "cannot open 'x': No such file or directory"},
        {EACCES, "cannot open 'x': Permission denied"},
        {ENOSPC, "cannot open 'x': No space left on device"},
        {0, "cannot open 'x': Success"},
        {9999, "cannot open 'x': Unknown error 9999"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {.hint = "an old hint"};

        error_system(&err, cases[i].errnum, "cannot open '%s'", "x");
        assert_int_equal(err.kind, ERROR_SYSTEM);
        assert_string_equal(err.text, cases[i].text);
        assert_string_equal(err.hint, "");
    }
}

static void puts_the_place_before_the_text(void **state)
{
    struct error err = {0};

    (void)state;
    error_set(&err, ERROR_INPUT, "no such field");
    error_hint(&err, "try '%s'", "price");
    error_context(&err, "line %d", 12);
    error_context(&err, "%s", "offers.csv");
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_string_equal(err.text, "offers.csv: line 12: no such field");
    assert_string_equal(err.hint, "try 'price'");
}

static void names_the_file(void **state)
{
    static const struct {
        const char *text, *placed;
    } cases[] = {
        {"line 3: no price", "a.csv:3: no price"},
        {"line 3, column 7: no price", "a.csv:3:7: no price"},
        {"line 18446744073709551615, column 18446744073709551615: x",
         "a.csv:18446744073709551615:18446744073709551615: x"},
        {"line 3: line 4: x", "a.csv:3: line 4: x"},
        {"line 3: ", "a.csv:3: "},
        {"no price", "a.csv: no price"},
        {"", "a.csv: "},
        {"line : x", "a.csv: line : x"},
        {"line x: y", "a.csv: line x: y"},
        {"line 3", "a.csv: line 3"},
        {"line 3 is empty", "a.csv: line 3 is empty"},
        {"line 3, column : x", "a.csv: line 3, column : x"},
        {"line 3, column 7", "a.csv: line 3, column 7"},
        {"line 3, row 7: x", "a.csv: line 3, row 7: x"},
        {"Line 3: x", "a.csv: Line 3: x"},
        {"line 111111111111111111111111111: x", "a.csv: line 111111111111111111111111111: x"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct error err = {0};

        error_set(&err, ERROR_INPUT, "%s", cases[i].text);
        error_hint(&err, "look again");
        error_place(&err, "a.csv");
        assert_string_equal(err.text, cases[i].placed);
        assert_string_equal(err.hint, "look again");
        assert_int_equal(err.kind, ERROR_INPUT);
    }
}

static void cuts_what_is_too_long(void **state)
{
    char text[2000];
    struct error err = {0};

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';

    error_set(&err, ERROR_FAILED, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_context(&err, "place");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(strncmp(err.text, "place: xxx", 10), 0);
    error_context(&err, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(strspn(err.text, "x"), sizeof err.text - 1);

    error_system(&err, ENOENT, "%s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    error_system(&err, ENOENT, "%.500s", text);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_string_equal(err.text + 500, ": No such f");

    error_hint(&err, "%s", text);
    assert_int_equal(strlen(err.hint), sizeof err.hint - 1);
}

static void prints_one_line_or_two(void **state)
{
    struct error err = {0};
    char *text;

    (void)state;
    error_set(&err, ERROR_ABSENT, "no GPU named 'h10'");
    text = printed(&err);
    assert_string_equal(text, "stint: no GPU named 'h10'\n");
    free(text);

    error_hint(&err, "did you mean 'h100'?");
    text = printed(&err);
    assert_string_equal(text, "stint: no GPU named 'h10'\n  hint: did you mean 'h100'?\n");
    free(text);
}

static void prints_no_control_bytes(void **state)
{
    struct error err = {0};
    char *text;

    (void)state;
    for (int c = 1; c < 256; c++) {
        bool control = c < ' ' || c >= 0x7f; /* a lone byte above is no UTF-8 */
        char expected[32];

        error_set(&err, ERROR_INPUT, "a%cb", c);
        error_hint(&err, "c%cd", c);
        (void)snprintf(expected, sizeof expected, "stint: a%cb\n  hint: c%cd\n",
                       control ? '?' : c, control ? '?' : c);
        text = printed(&err);
        assert_string_equal(text, expected);
        free(text);
    }
    error_set(&err, ERROR_INPUT, "\033[2J\r\n\u00e9t\u00e9\a");
    text = printed(&err);
    assert_string_equal(text, "stint: ?[2J??\u00e9t\u00e9?\n");
    free(text);
}

static void each_kind_has_its_exit_status(void **state)
{
    static const struct {
        enum error_kind kind;
        int status;
    } cases[] = {
        {ERROR_NONE, 0},  {ERROR_FAILED, 1},    {ERROR_SYSTEM, 1}, {ERROR_MEMORY, 1},
        {ERROR_USAGE, 2}, {ERROR_INPUT, 3},     {ERROR_ABSENT, 4}, {ERROR_GUARD, 5},
        {ERROR_UNFIT, 6}, {ERROR_STOPPED, 130},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(error_exit_status(cases[i].kind), cases[i].status);
}

static void prints_utf8_but_no_control_characters_of_it(void **state)
{
    struct error err = {0};
    char *text;

    (void)state;
    error_set(&err, ERROR_INPUT,
              "caf\xc3\xa9 \xc2\x9b"
              "31m \xe2\x82\xac \xf0\x9f\x98\x80");
    text = printed(&err);
    assert_string_equal(text, "stint: caf\xc3\xa9 ?31m \xe2\x82\xac \xf0\x9f\x98\x80\n");
    free(text);
}

int group_error(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_text_of_the_error),
        cmocka_unit_test(failing_is_false),
        cmocka_unit_test(has_the_system_error),
        cmocka_unit_test(puts_the_place_before_the_text),
        cmocka_unit_test(names_the_file),
        cmocka_unit_test(cuts_what_is_too_long),
        cmocka_unit_test(prints_one_line_or_two),
        cmocka_unit_test(prints_no_control_bytes),
        cmocka_unit_test(prints_utf8_but_no_control_characters_of_it),
        cmocka_unit_test(each_kind_has_its_exit_status),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
