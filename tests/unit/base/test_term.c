#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/term.h"

/* --- what a terminal is ------------------------------------------------------------------- */

struct pty {
    int ours, theirs; /* the two ends; -1 when the system has none */
};

static struct pty open_pty(void)
{
    struct pty pty = {posix_openpt(O_RDWR | O_NOCTTY), -1};
    const char *name;

    if (pty.ours < 0)
        return pty;
    name = grantpt(pty.ours) == 0 && unlockpt(pty.ours) == 0 ? ptsname(pty.ours) : NULL;
    pty.theirs = name != NULL ? open(name, O_RDWR | O_NOCTTY) : -1;
    return pty;
}

static void close_pty(struct pty pty)
{
    assert_int_equal(close(pty.theirs), 0);
    assert_int_equal(close(pty.ours), 0);
}

static int clear_environment(void **state)
{
    (void)state;
    return unsetenv("NO_COLOR") != 0 || unsetenv("COLUMNS") != 0 ||
           setenv("TERM", "xterm", 1) != 0;
}

static void a_file_is_no_terminal(void **state)
{
    FILE *file = tmpfile();
    int ends[2];

    (void)state;
    assert_non_null(file);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(setenv("COLUMNS", "120", 1), 0);
    for (int i = 0; i < 3; i++) {
        int fds[] = {fileno(file), ends[1], -1};
        struct term term = term_probe(fds[i]);

        assert_false(term.tty);
        assert_false(term.color);
        assert_int_equal(term.width, 0);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(close(ends[0]) + close(ends[1]), 0);
}

static void terminal_has_width_and_color(void **state)
{
    static const struct {
        const char *term, *no_color, *columns;
        unsigned short reported; /* by the terminal; 0 when it does not know */
        unsigned width;
        bool color;
    } cases[] = {
        {"xterm", NULL, NULL, 132, 132, true},
        {"xterm", NULL, "60", 132, 132, true}, /* the terminal's width is used */
        {"xterm", NULL, "60", 0, 60, true},
        {"xterm", NULL, NULL, 0, 80, true},
        {"xterm", NULL, "", 0, 80, true},
        {"xterm", NULL, "0", 0, 80, true},
        {"xterm", NULL, "-5", 0, 80, true},
        {"xterm", NULL, "wide", 0, 80, true},
        {"xterm", NULL, "100 columns", 0, 80, true},
        {"xterm", NULL, "9999", 0, 9999, true},
        {"xterm", NULL, "10000", 0, 80, true},
        {"xterm", NULL, "99999999999999999999", 0, 80, true},
        {"xterm", "1", NULL, 80, 80, false},
        {"xterm", "0", NULL, 80, 80, false}, /* any value means no color */
        {"xterm", "", NULL, 80, 80, true},   /* but an empty one */
        {"dumb", NULL, NULL, 80, 80, false},
        {"dumber", NULL, NULL, 80, 80, true},
        {NULL, NULL, NULL, 80, 80, true},
    };
    struct pty pty = open_pty();

    (void)state;
    if (pty.theirs < 0)
        test_skip("no pseudo-terminals here");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct winsize size = {.ws_row = 24, .ws_col = cases[i].reported};
        struct term term;

        (void)clear_environment(NULL);
        if (cases[i].term != NULL)
            assert_int_equal(setenv("TERM", cases[i].term, 1), 0);
        else
            assert_int_equal(unsetenv("TERM"), 0);
        if (cases[i].no_color != NULL)
            assert_int_equal(setenv("NO_COLOR", cases[i].no_color, 1), 0);
        if (cases[i].columns != NULL)
            assert_int_equal(setenv("COLUMNS", cases[i].columns, 1), 0);
        assert_int_equal(ioctl(pty.ours, TIOCSWINSZ, &size), 0);
        term = term_probe(pty.theirs);
        assert_true(term.tty);
        if (term.width != cases[i].width || term.color != cases[i].color)
            fail_msg("case %zu: width %u, color %d", i, term.width, term.color);
    }
    close_pty(pty);
}

static void styles_are_codes_only_with_color(void **state)
{
    static const struct {
        enum term_style style;
        const char *on, *off;
    } cases[] = {
        {STYLE_PLAIN, "", ""},
        {STYLE_BOLD, "\033[1m", "\033[0m"},
        {STYLE_DIM, "\033[2m", "\033[0m"},
        {STYLE_GOOD, "\033[32m", "\033[0m"},
        {STYLE_WARN, "\033[33m", "\033[0m"},
    };
    const struct term color = {.tty = true, .color = true}, plain = {.tty = true};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_string_equal(term_style_on(&color, cases[i].style), cases[i].on);
        assert_string_equal(term_style_off(&color, cases[i].style), cases[i].off);
        assert_string_equal(term_style_on(&plain, cases[i].style), "");
        assert_string_equal(term_style_off(&plain, cases[i].style), "");
    }
}

/* --- width of text ------------------------------------------------------------------------ */

static void the_first_name_of_the_locale_decides(void **state)
{
    (void)state;
    (void)unsetenv("LC_ALL");
    (void)unsetenv("LC_CTYPE");
    (void)unsetenv("LANG");
    assert_false(term_utf8());
    assert_int_equal(setenv("LANG", "en_GB.utf8", 1), 0);
    assert_true(term_utf8());
    assert_int_equal(setenv("LC_CTYPE", "C", 1), 0);
    assert_false(term_utf8());
    assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
    assert_true(term_utf8());
}

static void counts_characters_not_bytes(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
    } cases[] = {
        {"", 0},           {"abc", 3},      {"\u00e9t\u00e9", 3}, {"\u20ac5", 2},
        {"\U0001f600", 1}, {"\x80\x80", 0}, /* the middle of a character that never began */
        {"\xff\xfe", 2},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_int_equal(term_columns(str_from(cases[i].text)), cases[i].columns);
    assert_int_equal(term_columns((struct str){0}), 0);
}

static void cuts_between_characters(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
        const char *cut;
    } cases[] = {
        {"abc", 0, ""},
        {"abc", 2, "ab"},
        {"abc", 3, "abc"},
        {"abc", 9, "abc"},
        {"", 3, ""},
        {"\u00e9t\u00e9", 1, "\u00e9"},
        {"\u00e9t\u00e9", 2, "\u00e9t"},
        {"\u00e9t\u00e9", 3, "\u00e9t\u00e9"},
        {"a\U0001f600b", 1, "a"},
        {"a\U0001f600b", 2, "a\U0001f600"},
        {"\u20ac", 0, ""},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        assert_str_equal(term_cut(str_from(cases[i].text), cases[i].columns), cases[i].cut);
    assert_int_equal(term_cut((struct str){0}, 5).len, 0);
}

/* --- progress ----------------------------------------------------------------------------- */

static instant set_time(void *ctx)
{
    return *(instant *)ctx;
}

struct screen {
    char *text;
    size_t len;
    instant time; /* moved by the test */
    struct clock clock;
    struct term term;
    struct progress progress;
};

static void wraps_paragraphs_and_keeps_blocks(void **state)
{
    struct buf out = buf_new(&alloc_system, 1000);

    (void)state;
    term_wrap_lines(STR("one two three four\n\n  indented is as it is\nfive \033[2J"), 9, &out);
    assert_str_equal(buf_text(&out),
                     "one two\nthree\nfour\n\n  indented is as it is\nfive ?[2J\n");
    buf_clear(&out);
    term_wrap(STR("too-long-for-a-line \303\244\303\244\303\244 b"), 2, 4, 10, &out);
    assert_str_equal(buf_text(&out), "too-long-for-a-line\n  \303\244\303\244\303\244 b");
    buf_free(&out);
}

static void open_screen(struct screen *screen, uint64_t total)
{
    *screen = (struct screen){.term = {.tty = true, .width = 80}, .time = {5000000000}};
    screen->clock = (struct clock){.now = set_time, .ctx = &screen->time};
    screen->progress = (struct progress){.to = open_memstream(&screen->text, &screen->len),
                                         .term = &screen->term,
                                         .clock = &screen->clock,
                                         .label = "reading",
                                         .total = total};
    assert_non_null(screen->progress.to);
    assert_int_equal(fflush(screen->progress.to), 0);
}

static void close_screen(struct screen *screen)
{
    assert_int_equal(fclose(screen->progress.to), 0);
    free(screen->text);
}

static void expect_filtered(const char *text, bool json, const char *expected)
{
    struct buf out = buf_new(&alloc_system, 1000);

    term_filter(str_from(text), json, &out);
    assert_str_equal(buf_text(&out), expected);
    buf_free(&out);
}

static void filters_output_for_a_terminal(void **state)
{
    (void)state;
    expect_filtered("a\tb\nc\n", false, "a\tb\nc\n");
    expect_filtered("\033[1mbold\033[0m \033[33mold\033[0m", false,
                    "\033[1mbold\033[0m \033[33mold\033[0m");
    expect_filtered("x\033]0;title\007y\033[2Jz\r", false, "x?]0;title?y?[2Jz?");
    expect_filtered("evil\342\200\256gpj.exe", false, "evil?gpj.exe");
    expect_filtered("{\"a\":\"\342\200\256\177\363\240\201\201\377\"}\n", true,
                    "{\"a\":\"\\u202e\\u007f\\udb40\\udc41?\"}\n");
    expect_filtered("", false, "");
}

static void draws_progress(void **state)
{
    static const struct {
        uint64_t done, total;
        const char *drawn;
    } cases[] = {
        {0, 200, "\rreading [------------------------------]   0 %\033[K"},
        {1, 200, "\rreading [------------------------------]   0 %\033[K"},
        {100, 200, "\rreading [###############---------------]  50 %\033[K"},
        {199, 200, "\rreading [#############################-]  99 %\033[K"},
        {200, 200, "\rreading [##############################] 100 %\033[K"},
        {300, 200, "\rreading [##############################] 100 %\033[K"},
        {UINT64_MAX, UINT64_MAX, "\rreading [##############################] 100 %\033[K"},
        {1234, 0, "\rreading: 1234\033[K"},
        {UINT64_MAX, 0, "\rreading: 18446744073709551615\033[K"},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct screen screen;

        open_screen(&screen, cases[i].total);
        progress_show(&screen.progress, cases[i].done);
        assert_string_equal(screen.text, cases[i].drawn);
        assert_true(screen.progress.visible);
        close_screen(&screen);
    }
}

static void draws_at_most_ten_times_a_second(void **state)
{
    struct screen screen;
    unsigned drawn = 0;

    (void)state;
    open_screen(&screen, 1000);
    for (uint64_t ms = 0; ms < 1000; ms++) {
        size_t before = screen.len;

        progress_show(&screen.progress, ms);
        if (screen.len > before) {
            assert_int_equal(ms % 100, 0); /* the first at once, then each 100 ms */
            drawn++;
        }
        screen.time.ns += 1000000;
    }
    assert_int_equal(drawn, 10);
    close_screen(&screen);
}

static void removes_the_bar_once(void **state)
{
    struct screen screen;
    size_t after;

    (void)state;
    open_screen(&screen, 0);
    progress_clear(&screen.progress); /* there is nothing to remove */
    assert_int_equal(screen.len, 0);
    progress_show(&screen.progress, 7);
    progress_clear(&screen.progress);
    assert_string_equal(screen.text, "\rreading: 7\033[K\r\033[K");
    after = screen.len;
    progress_clear(&screen.progress);
    assert_int_equal(screen.len, after);
    progress_show(&screen.progress, 8); /* removed, so it is drawn at once */
    assert_string_equal(screen.text + after, "\rreading: 8\033[K");
    close_screen(&screen);
}

static void draws_nothing_in_a_file(void **state)
{
    struct screen screen;

    (void)state;
    open_screen(&screen, 100);
    screen.term.tty = false;
    for (uint64_t done = 0; done <= 100; done++) {
        progress_show(&screen.progress, done);
        screen.time.ns += 1000000000;
    }
    progress_clear(&screen.progress);
    assert_int_equal(fflush(screen.progress.to), 0);
    assert_int_equal(screen.len, 0);
    assert_false(screen.progress.visible);
    close_screen(&screen);
}

int group_term(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_file_is_no_terminal, clear_environment),
        cmocka_unit_test_setup(terminal_has_width_and_color, clear_environment),
        cmocka_unit_test(styles_are_codes_only_with_color),
        cmocka_unit_test(the_first_name_of_the_locale_decides),
        cmocka_unit_test(counts_characters_not_bytes),
        cmocka_unit_test(cuts_between_characters),
        cmocka_unit_test(wraps_paragraphs_and_keeps_blocks),
        cmocka_unit_test(filters_output_for_a_terminal),
        cmocka_unit_test(draws_progress),
        cmocka_unit_test(draws_at_most_ten_times_a_second),
        cmocka_unit_test(removes_the_bar_once),
        cmocka_unit_test(draws_nothing_in_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
