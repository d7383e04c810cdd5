#include "test.h"

#include <stdio.h>
#include <string.h>

/* --- comparing ---------------------------------------------------------------------------- */

static void no_text_is_empty_text(void **state)
{
    (void)state;
    assert_int_equal(str_from(NULL).len, 0);
    assert_int_equal(str_from("").len, 0);
    assert_int_equal(str_from("abc").len, 3);
    assert_int_equal(STR("a\0b").len, 3);
    assert_true(str_eq(str_from(NULL), STR("")));
    assert_true(str_eq_nocase(str_from(NULL), STR("")));
    assert_true(str_starts(str_from(NULL), str_from(NULL)));
    assert_true(str_ends(str_from(NULL), str_from(NULL)));
    assert_int_equal(str_cmp(str_from(NULL), STR("")), 0);
}

static void compares_bytes(void **state)
{
    const struct {
        struct str a, b;
        int order; /* of a and b */
        bool same_nocase;
    } cases[] = {
        {STR("abc"), STR("abc"), 0, true},        {STR("abc"), STR("abd"), -1, false},
        {STR("abc"), STR("ab"), 1, false},        {STR(""), STR("a"), -1, false},
        {STR("ABC"), STR("abc"), -1, true},       {STR("Z"), STR("a"), -1, false},
        {STR("\xff"), STR("a"), 1, false},        {STR("a\0b"), STR("a\0c"), -1, false},
        {STR("a\0b"), STR("a\0B"), 1, true},      {STR("@"), STR("`"), -1, false},
        {STR("["), STR("{"), -1, false},          {STR("\xc3\x89"), STR("\xc3\xa9"), -1, false},
        {STR("gpu-10"), STR("gpu-9"), -1, false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int order = str_cmp(cases[i].a, cases[i].b), back = str_cmp(cases[i].b, cases[i].a);

        assert_int_equal((order > 0) - (order < 0), cases[i].order);
        assert_int_equal((back > 0) - (back < 0), -cases[i].order);
        assert_int_equal(str_eq(cases[i].a, cases[i].b), cases[i].order == 0);
        assert_int_equal(str_eq_nocase(cases[i].a, cases[i].b), cases[i].same_nocase);
    }
}

static void finds_heads_and_tails(void **state)
{
    static const struct {
        const char *s, *part;
        bool starts, ends;
    } cases[] = {
        {"offers.csv", "offers", true, false},
        {"offers.csv", ".csv", false, true},
        {"offers.csv", "", true, true},
        {"", "", true, true},
        {"", "a", false, false},
        {"abc", "abc", true, true},
        {"abc", "abcd", false, false},
        {"abc", "ABC", false, false},
        {"aba", "a", true, true},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str s = str_from(cases[i].s), part = str_from(cases[i].part);

        assert_int_equal(str_starts(s, part), cases[i].starts);
        assert_int_equal(str_ends(s, part), cases[i].ends);
    }
}

/* --- taking apart ------------------------------------------------------------------------- */

static void trims_blanks_at_both_ends(void **state)
{
    static const struct {
        const char *text, *trimmed;
    } cases[] = {
        {"abc", "abc"}, {" abc ", "abc"},   {"\t a b \t\r", "a b"}, {"", ""},
        {"   ", ""},    {"\na\n", "\na\n"}, {"\r\r a", "a"},        {"a\r", "a"},
        {" ", ""},      {"\va\f", "\va\f"}, {"\xa0", "\xa0"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_str_equal(str_trim(str_from(cases[i].text)), cases[i].trimmed);
    assert_int_equal(str_trim((struct str){0}).len, 0);
}

static void cuts_at_the_first_separator(void **state)
{
    struct str rest = STR("a,bc,,d");

    (void)state;
    assert_str_equal(str_cut(&rest, ','), "a");
    assert_str_equal(str_cut(&rest, ','), "bc");
    assert_str_equal(str_cut(&rest, ','), "");
    assert_non_null(rest.at);
    assert_str_equal(str_cut(&rest, ','), "d");
    assert_null(rest.at);
    assert_int_equal(rest.len, 0);
    assert_str_equal(str_cut(&rest, ','), "");
    assert_null(rest.at);
    rest = STR("xy");
    assert_true(str_take(&rest, 'x') && !str_take(&rest, 'x') && str_take(&rest, 'y'));
    assert_false(str_take(&rest, 'y'));
}

static void a_separator_at_the_end_leaves_an_empty_rest(void **state)
{
    struct str rest = STR("a/");

    (void)state;
    assert_str_equal(str_cut(&rest, '/'), "a");
    assert_non_null(rest.at); /* there was one: unlike a text without it */
    assert_int_equal(rest.len, 0);
    rest = STR("/a");
    assert_str_equal(str_cut(&rest, '/'), "");
    assert_str_equal(rest, "a");
    rest = STR("a\0b");
    assert_str_equal(str_cut(&rest, '\0'), "a");
    assert_str_equal(rest, "b");
}

static void finds_what_follows_the_last_separator(void **state)
{
    (void)state;
    assert_str_equal(str_after_last(STR("a/b/c.pt"), '/'), "c.pt");
    assert_str_equal(str_after_last(STR("c.pt"), '/'), "c.pt");
    assert_str_equal(str_after_last(STR("a/"), '/'), "");
    assert_int_equal(str_after_last((struct str){0}, '/').len, 0);
}

static void copies_what_fits(void **state)
{
    static const char *const words[] = {"abc", "d", NULL};
    char to[4];

    (void)state;
    str_copy(STR("abc"), to, sizeof to);
    assert_string_equal(to, "abc");
    str_copy(STR("abcd"), to, sizeof to);
    assert_string_equal(to, "abc");
    str_copy((struct str){0}, to, sizeof to);
    assert_string_equal(to, "");
    assert_true(str_is_one_of(STR("d"), words));
    assert_false(str_is_one_of(STR("ab"), words));
    assert_true(str_has_any(STR("xDy"), words));
    assert_false(str_has_any(STR("xyz"), words) || str_has_any(STR(""), words));
}

/* --- globs -------------------------------------------------------------------------------- */

static void matches_shell_patterns(void **state)
{
    static const struct {
        const char *text, *glob;
        bool match;
    } cases[] = {
        {"h100", "h100", true},
        {"h100", "H100", true},
        {"H100-SXM", "h100*", true},
        {"h100", "h10", false},
        {"h100", "h1000", false},
        {"h100", "*", true},
        {"", "*", true},
        {"", "", true},
        {"", "?", false},
        {"", "**", true},
        {"a", "", false},
        {"a", "?", true},
        {"ab", "?", false},
        {"ab", "??", true},
        {"ab", "?*", true},
        {"ab", "*?", true},
        {"ab", "***", true},
        {"ab", "*?*?*", true},
        {"ab", "*?*?*?*", false},
        {"abcabd", "*abd", true},
        {"abcabc", "*abd", false},
        {"aaab", "*ab", true},
        {"aaaa", "a*a*a", true},
        {"aa", "a*a*a", false},
        {"us-east-1", "us-*-1", true},
        {"us-east-2", "us-*-1", false},
        {"us-east-1", "*east*", true},
        {"us-west-1", "*east*", false},
        {"a*b", "a*b", true},
        {"a.b", "a?b", true},
        {"[a]", "[a]", true},
        {"a", "[a]", false},
        {"a\\", "a\\", true},
        {"mississippi", "m*iss*iss*i", true},
        {"mississippi", "m*iss*issip", false},
        {"\xc3\x89", "\xc3\xa9", false},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (str_glob(str_from(cases[i].text), str_from(cases[i].glob)) != cases[i].match)
            fail_msg("'%s' and the pattern '%s'", cases[i].text, cases[i].glob);
}

/* What a pattern means, in the simplest code. */
static bool glob_by_definition(struct str s, struct str glob)
{
    struct str s1 = {s.at + 1, s.len - 1}, glob1 = {glob.at + 1, glob.len - 1};

    if (glob.len == 0)
        return s.len == 0;
    if (glob.at[0] == '*')
        return glob_by_definition(s, glob1) || (s.len > 0 && glob_by_definition(s1, glob));
    return s.len > 0 && (glob.at[0] == '?' || glob.at[0] == s.at[0]) &&
           glob_by_definition(s1, glob1);
}

static void agrees_with_the_definition_of_a_pattern(void **state)
{
    uint32_t random = 7;
    size_t matches = 0;

    (void)state;
    for (int round = 0; round < 50000; round++) {
        char text[9] = "", glob[7] = "";
        struct str s, g;
        bool expected;

        for (size_t i = 0; i < 8; i++) {
            random = random * 1664525 + 1013904223;
            text[i] = "ab\0"[(random >> 16) % 3];
            if (i < 6)
                glob[i] = "ab*?*\0"[(random >> 24) % 6];
        }
        s = str_from(text);
        g = str_from(glob);
        expected = glob_by_definition(s, g);
        matches += expected;
        if (str_glob(s, g) != expected)
            fail_msg("'%s' and the pattern '%s'", text, glob);
    }
    assert_in_range(matches, 1000, 49000);
}

static void a_hostile_pattern_takes_no_time(void **state)
{
    static char text[20000], glob[4001];

    (void)state;
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < sizeof glob - 1; i += 2) {
        glob[i] = '*';
        glob[i + 1] = 'a';
    }
    glob[sizeof glob - 1] = 'b';
    assert_false(str_glob((struct str){text, sizeof text}, (struct str){glob, sizeof glob}));
}

/* --- copies ------------------------------------------------------------------------------- */

static void copies_end_with_a_nul(void **state)
{
    struct arena arena = test_arena();
    struct error err;
    char *copy = str_dup((struct str){"abcdef", 3}, &arena, &err);

    (void)state;
    assert_string_equal(copy, "abc");
    copy = str_dup((struct str){0}, &arena, &err);
    assert_string_equal(copy, "");
    copy = str_dup(STR("a\0b"), &arena, &err);
    assert_memory_equal(copy, "a\0b\0", 4);
    arena_free(&arena);
}

static void a_copy_without_memory_is_an_error(void **state)
{
    struct failing_alloc failing = {.allow = 0};
    struct alloc alloc = {failing_get, failing_put, &failing};
    struct arena arena = {.alloc = &alloc};
    struct error err = {0};

    (void)state;
    assert_null(str_dup(STR("abc"), &arena, &err));
    assert_int_equal(err.kind, ERROR_MEMORY);
    assert_string_equal(err.text, "out of memory");
    arena_free(&arena);
}

static void quotes_at_most_eighty_bytes(void **state)
{
    char text[200], line[400];
    struct str long_text = {text, sizeof text};

    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(snprintf(line, sizeof line, "%.*s", STR_ARG(long_text)), 80);
    long_text.len = 79;
    assert_int_equal(snprintf(line, sizeof line, "%.*s", STR_ARG(long_text)), 79);
    long_text = (struct str){0};
    assert_int_equal(snprintf(line, sizeof line, "<%.*s>", STR_ARG(long_text)), 2);
}

/* --- typing errors ------------------------------------------------------------------------ */

static void counts_edits(void **state)
{
    static const struct {
        const char *a, *b;
        unsigned edits;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"region", "region", 0},
        {"region", "REGION", 0},
        {"regoin", "region", 1},  /* swapped */
        {"reion", "region", 1},   /* dropped */
        {"reggion", "region", 1}, /* added */
        {"rexion", "region", 1},  /* changed */
        {"ab", "ba", 1},
        {"abc", "cab", 2},
        {"ca", "abc", 3}, /* a letter that was moved is not edited again */
        {"kitten", "sitting", 3},
        {"h100", "a100", 1},
        {"abcdef", "badcfe", 3},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str a = str_from(cases[i].a), b = str_from(cases[i].b);

        if (str_distance(a, b, 100) != cases[i].edits ||
            str_distance(b, a, 100) != cases[i].edits)
            fail_msg("'%s' and '%s': %u edits, expected %u", cases[i].a, cases[i].b,
                     str_distance(a, b, 100), cases[i].edits);
    }
}

static void long_words_are_beyond_any_limit(void **state)
{
    char text[65];
    struct str longest = {text, 64}, longer = {text, 65};

    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(str_distance(longest, longest, 3), 0);
    assert_int_equal(str_distance(longest, STR("x"), 3), 63);
    assert_int_equal(str_distance(longer, longer, 3), 4);
    assert_int_equal(str_distance(STR("x"), longer, 9), 10);
    assert_int_equal(str_distance(longer, STR("x"), 0), 1);
}

static struct str suggest(const char *wanted, const char *const *words, size_t count)
{
    struct suggestion s = {.wanted = str_from(wanted)};

    for (size_t i = 0; i < count; i++)
        suggestion_try(&s, str_from(words[i]));
    return s.best;
}

static void suggests_the_intended_word(void **state)
{
    static const char *const words[] = {"price",  "predict", "region", "recommend",
                                        "config", "catalog", "gpu",    "provider"};
    static const struct {
        const char *typed, *meant; /* empty: nothing is near */
    } cases[] = {
        {"prize", "price"},
        {"pirce", "price"},
        {"PRICES", "price"},
        {"regions", "region"},
        {"conf", "config"},
        {"cat", "catalog"},
        {"gpus", "gpu"},
        {"gup", "gpu"},
        {"xyzzy", ""},
        {"provdier", "provider"},
        {"pro", "provider"},
        {"launch", ""},
        {"recomend", "recommend"},
        {"", ""},
        {"pr", ""},
        {"price", "price"},
        {"predicted", "predict"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str best = suggest(cases[i].typed, words, ARRAY_LEN(words));

        if (!str_eq(best, str_from(cases[i].meant)))
            fail_msg("for '%s': '%.*s', expected '%s'", cases[i].typed, STR_ARG(best),
                     cases[i].meant);
    }
}

static void suggests_the_nearest_whatever_the_order(void **state)
{
    static const char *const up[] = {"h200", "h100"}, *const down[] = {"h100", "h200"};

    (void)state;
    assert_str_equal(suggest("h10", up, 2), "h100");
    assert_str_equal(suggest("h10", down, 2), "h100");
    assert_str_equal(suggest("h1o0", up, 2), "h100");
    assert_str_equal(suggest("h1o0", down, 2), "h100");
    assert_str_equal(suggest("h300", up, 2), "h200"); /* of equals, the first */
    assert_str_equal(suggest("h300", down, 2), "h100");
}

static void suggests_nothing_for_a_very_long_word(void **state)
{
    char text[101], near[64];
    const char *const words[] = {"price", text, near};

    (void)state;
    memset(text, 'x', 100);
    text[100] = '\0';
    memset(near, 'x', 63);
    near[63] = '\0';
    assert_str_equal(suggest(text, words, 1), "");
    assert_str_equal(suggest(text, words + 2, 1), "");
    near[0] = 'y'; /* as long as can be compared */
    assert_str_equal(suggest(near, (const char *const[]){text + 37}, 1), text + 37);
}

static void names_what_must_not_reach_a_terminal(void **state)
{
    static const struct {
        const char *text;
        size_t bad;
    } cases[] = {
        {"a", 0},
        {" ", 0},
        {"\t", 1},
        {"\033[2J", 1},
        {"\177", 1},
        {"\302\205", 2},     /* U+0085, a line end */
        {"\302\233", 2},     /* U+009B, which starts sequences as ESC [ does */
        {"\302\240", 0},     /* a blank that is not broken */
        {"\302\255", 2},     /* U+00AD */
        {"\303\274", 0},     /* u with dots */
        {"\330\234", 2},     /* U+061C */
        {"\342\200\213", 3}, /* U+200B */
        {"\342\200\214", 0}, /* joiners: Persian, emoji */
        {"\342\200\215", 0},
        {"\342\200\216", 3},     /* U+200E */
        {"\342\200\217", 3},     /* U+200F */
        {"\342\200\220", 0},     /* a hyphen */
        {"\342\200\250", 3},     /* U+2028 */
        {"\342\200\252", 3},     /* U+202A */
        {"\342\200\256", 3},     /* U+202E */
        {"\342\200\257", 0},     /* a narrow blank */
        {"\342\201\240", 3},     /* U+2060 */
        {"\342\201\246", 3},     /* U+2066 */
        {"\342\201\251", 3},     /* U+2069 */
        {"\342\202\254", 0},     /* the euro */
        {"\357\273\277", 3},     /* U+FEFF */
        {"\360\237\230\200", 0}, /* an emoji */
        {"\363\240\201\201", 4}, /* U+E0041, a tag */
        {"\377", 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(str_unsafe(str_from(cases[i].text)), cases[i].bad);
    assert_int_equal(str_code(STR("\342\200\256"), 3), 0x202e);
    assert_int_equal(str_code(STR("\360\237\230\200"), 4), 0x1f600);
}

static void measures_characters(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } cases[] = {
        {"a", 1},
        {"\xc3\xa9 and more", 2},
        {"\xe2\x82\xac", 3},
        {"\xf0\x9f\x98\x80", 4},
        {"\xf4\x8f\xbf\xbf", 4}, /* the last of all */
        {"\xc3", SIZE_MAX},      /* cut off */
        {"\xf0\x9f\x98", SIZE_MAX},
        {"", SIZE_MAX},
        {"\x80", 0},     /* the middle of one */
        {"\xc0\xaf", 0}, /* longer than need be */
        {"\xe0\x9f\xbf", 0},
        {"\xf0\x8f\xbf\xbf", 0},
        {"\xed\xa0\x80", 0},     /* half of a UTF-16 pair */
        {"\xf4\x90\x80\x80", 0}, /* past U+10FFFF */
        {"\xff", 0},
        {"\xe2(\xa1", 0},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(str_character(str_from(cases[i].text)), cases[i].len);
}

static void finds_a_part_whatever_the_case(void **state)
{
    (void)state;
    assert_true(str_has_nocase(STR("NVLink5 (72-GPU domain)"), STR("nvlink")));
    assert_true(str_has_nocase(STR("NVLink5 (72-GPU domain)"), STR("DOMAIN)")));
    assert_true(str_has_nocase(STR("x"), STR("")));
    assert_true(str_has_nocase(str_from(NULL), STR("")));
    assert_false(str_has_nocase(str_from(NULL), STR("x")));
    assert_false(str_has_nocase(STR("abc"), STR("abcd")));
    assert_false(str_has_nocase(STR("abc"), STR("cb")));
}

int group_str(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_a_part_whatever_the_case),
        cmocka_unit_test(no_text_is_empty_text),
        cmocka_unit_test(compares_bytes),
        cmocka_unit_test(finds_heads_and_tails),
        cmocka_unit_test(trims_blanks_at_both_ends),
        cmocka_unit_test(cuts_at_the_first_separator),
        cmocka_unit_test(a_separator_at_the_end_leaves_an_empty_rest),
        cmocka_unit_test(finds_what_follows_the_last_separator),
        cmocka_unit_test(copies_what_fits),
        cmocka_unit_test(matches_shell_patterns),
        cmocka_unit_test(agrees_with_the_definition_of_a_pattern),
        cmocka_unit_test(a_hostile_pattern_takes_no_time),
        cmocka_unit_test(copies_end_with_a_nul),
        cmocka_unit_test(a_copy_without_memory_is_an_error),
        cmocka_unit_test(quotes_at_most_eighty_bytes),
        cmocka_unit_test(counts_edits),
        cmocka_unit_test(long_words_are_beyond_any_limit),
        cmocka_unit_test(suggests_the_intended_word),
        cmocka_unit_test(suggests_the_nearest_whatever_the_order),
        cmocka_unit_test(suggests_nothing_for_a_very_long_word),
        cmocka_unit_test(measures_characters),
        cmocka_unit_test(names_what_must_not_reach_a_terminal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
