/* The line at the bottom: what a terminal shows with it is what a terminal with one row less
 * shows without it. */
#include "run/terminal/screen.h"
#include "test.h"
#include "vt.h"

static struct vt with, without; /* a line at the bottom; a row less and no line */
static struct screen screen;
static struct buf out;

/* What `out` gathered reaches the terminal. */
static void flush(void)
{
    struct error err;

    assert_true(buf_ok(&out, &err));
    vt_write(&with, out.at, out.len);
    buf_clear(&out);
}

static void start(int rows, int columns)
{
    buf_free(&out);
    out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    vt_start(&with, rows, columns);
    vt_start(&without, rows - 1, columns);
    screen_start(&screen, rows, columns, &out);
    flush();
}

static void print(const char *at, size_t len)
{
    screen_pass(&screen, (struct str){at, len}, &out);
    flush();
    vt_write(&without, at, len);
}

static void prints(const char *text)
{
    print(text, strlen(text));
}

static bool draw(const char *line)
{
    bool drawn = screen_draw(&screen, str_from(line), &out);

    flush();
    return drawn;
}

static void assert_same(const char *what)
{
    assert_int_equal(with.screen, without.screen);
    for (int row = 0; row < without.rows; row++) {
        char expected[256];

        (void)snprintf(expected, sizeof expected, "%s", vt_row(&without, row));
        if (strcmp(vt_row(&with, row), expected) != 0)
            fail_msg("%s: row %d is '%s' instead of '%s'", what, row, vt_row(&with, row),
                     expected);
    }
    if (with.at.row != without.at.row || with.at.column != without.at.column ||
        with.at.wrap != without.at.wrap)
        fail_msg("%s: cursor at %d,%d (%d) instead of %d,%d (%d)", what, with.at.row,
                 with.at.column, with.at.wrap, without.at.row, without.at.column,
                 without.at.wrap);
}

static void test_text_scrolls_above(void **state)
{
    (void)state;
    start(5, 30);
    for (int i = 0; i < 20; i++) {
        char line[32];

        (void)snprintf(line, sizeof line, "line %d\r\n", i);
        prints(line);
        assert_true(draw("\033[33m$0.42\033[0m of $5"));
        assert_same(line);
        assert_string_equal(vt_row(&with, 4), "$0.42 of $5");
    }
    assert_string_equal(vt_row(&with, 0), "line 17");
    screen_stop(&screen, &out);
    flush();
    assert_string_equal(vt_row(&with, 4), "");
    assert_int_equal(with.bottom, 4);
    assert_same("after the end");
}

static void test_last_row_is_freed_first(void **state)
{
    (void)state;
    start(4, 20);
    vt_start(&with, 4, 20);
    vt_write(&with, "a\r\nb\r\nc\r\n$ ", 11);
    screen_start(&screen, 4, 20, &out);
    flush();
    assert_true(draw("status"));
    assert_string_equal(vt_row(&with, 0), "b");
    assert_string_equal(vt_row(&with, 2), "$");
    assert_int_equal(with.at.row, 2);
    assert_int_equal(with.at.column, 2);
    assert_string_equal(vt_row(&with, 3), "status");
}

static void test_wrap_survives(void **state)
{
    (void)state;
    start(5, 20);
    prints("12345678901234567890"); /* the next character wraps */
    assert_true(draw("a line that is as wide as it may be, and more"));
    assert_same("at the edge");
    prints("x");
    assert_same("after it");
    assert_string_equal(vt_row(&with, 4), "a line that is as wi");
}

static void test_not_inside_anything(void **state)
{
    static const char *const halves[] = {
        "\303",        "\342\226",  "\360\237\230",   "\033",         "\033[",
        "\033[3",      "\033[1;31", "\033]0;a title", "\033]0;t\033", "\033Pq#0;2",
        "\033(",       "\033#",     "\033_apc...",    "\302\2331;3",  "\033[?104",
        "\033[?1049h", "\0337",     "\033[s",         "\033]0;t\r\n",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(halves); i++) {
        start(5, 30);
        prints(halves[i]);
        if (draw("line"))
            fail_msg("drawn inside '%s' (%zu)", halves[i] + 1, i);
        assert_false(screen_may_write(&screen));
    }
}

static void test_again_after(void **state)
{
    static const char *const ends[] = {
        "\303\251",
        "\342\226\210",
        "\033[31m",
        "\033]0;title\007",
        "\033]0;title\033\\",
        "\033Pq#0\033\\",
        "\033(B",
        "\033#8",
        "\033[?1049h\033[?1049l",
        "\0337\0338",
        "\033[s\033[u",
        "\033c",
        "\033[r",
        "\033[!p",
        "\033[2J",
        "\033[31\030",
        "\033]0;t\033[1m",
        "\033[?47h\033[?47l",
        "\033[?1047;25h\033[?1047l",
        "\033[1;99r",
        "\033[2r",
        "\033[99;1H",
        "\033[99d",
        "\033[3;4r\033[r",
        "\033[2e",
        "\303\033[m",
        "\033[?6h\033[?6l",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        start(5, 30);
        prints("one\r\ntwo");
        prints(ends[i]);
        if (!draw("line"))
            fail_msg("not drawn after '%s' (%zu)", ends[i] + 1, i);
        assert_string_equal(vt_row(&with, 4), "line");
        prints("\r\n3\r\n4\r\n5\r\n6\r\n7"); /* the region holds */
        assert_string_equal(vt_row(&with, 4), "line");
        assert_same(ends[i] + 1);
    }
}

static void test_start_of_a_row_is_reported(void **state)
{
    (void)state;
    start(5, 30);
    assert_true(screen.starts_row);
    prints("text\r");
    assert_false(screen.starts_row);
    prints("\n\033[0m\033[?1049h\033[?1049l\033]0;title\007");
    assert_true(screen.starts_row);
    prints("\303\251");
    assert_false(screen.starts_row);
}

static void test_erasing_is_reported(void **state)
{
    (void)state;
    start(5, 30);
    assert_true(screen.erased); /* never drawn yet */
    assert_true(draw("line"));
    assert_false(screen.erased);
    prints("text\033[K");
    assert_false(screen.erased);
    prints("\033[2J");
    assert_true(screen.erased);
}

static void test_small_terminals_have_no_line(void **state)
{
    (void)state;
    start(3, 20);
    assert_true(draw("line"));
    buf_clear(&out);
    screen_start(&screen, 2, 80, &out);
    assert_false(screen_draw(&screen, STR("line"), &out));
    screen_pass(&screen, STR("text\033[r\033[99H\033c"), &out);
    assert_str_equal(buf_text(&out), "text\033[r\033[99H\033c");
    buf_clear(&out);
    screen_start(&screen, 24, 19, &out);
    screen_stop(&screen, &out);
    assert_int_equal(out.len, 0);
    screen_resize(&screen, 2, 10, &out);
    assert_int_equal(out.len, 0);
    screen_resize(&screen, 24, 80, &out);
    assert_true(screen_draw(&screen, STR("line"), &out));
}

static void test_resize(void **state)
{
    (void)state;
    start(6, 30);
    prints("one\r\ntwo\r\n");
    assert_true(draw("old"));
    with.rows = 10; /* blank rows below, and no region, as xterm does it */
    with.bottom = 9;
    screen_resize(&screen, 10, 30, &out);
    flush();
    assert_true(draw("new"));
    assert_string_equal(vt_row(&with, 0), "one");
    assert_string_equal(vt_row(&with, 5), "");
    assert_string_equal(vt_row(&with, 9), "new");
    assert_int_equal(with.at.row, 2);
    assert_int_equal(with.bottom, 8);

    prints("\033[3"); /* inside a sequence: later */
    screen_resize(&screen, 8, 30, &out);
    assert_int_equal(out.len, 0);
    with.rows = 8;
    prints("1mx");
    assert_int_equal(with.bottom, 6);
    assert_string_equal(vt_row(&with, 2), "x");
}

/* The line is taken away while the program's own text, or half of it, is under way. */
static void test_stop_ends_what_is_open(void **state)
{
    (void)state;
    start(5, 30);
    prints("text\033]0;never ended");
    screen_stop(&screen, &out);
    flush();
    vt_write(&with, " more", 5);
    assert_string_equal(vt_row(&with, 0), "text more");
    assert_int_equal(with.bottom, 4);
}

static void test_endless_sequence_is_passed_on(void **state)
{
    static char many[4096];
    size_t passed = 0;

    (void)state;
    start(5, 30);
    memset(many, ';', sizeof many);
    for (int kind = 0; kind < 2; kind++) {
        screen_pass(&screen, kind == 0 ? STR("\033]0") : STR("\030\033[1"), &out);
        buf_clear(&out);
        for (passed = 0; passed < (size_t)4 << 20; passed += sizeof many) {
            screen_pass(&screen, (struct str){many, sizeof many}, &out);
            assert_int_equal(out.len, sizeof many);
            buf_clear(&out);
        }
        assert_true(out.capacity <= (size_t)4 * sizeof many);
        assert_false(draw("line"));
    }
    prints("\030");
    assert_true(draw("line"));
}

/* ---- random programs ---- */

static unsigned long seed;

static int roll(int sides)
{
    seed = seed * 6364136223846793005UL + 1442695040888963407UL;
    return (int)((seed >> 33) % (unsigned long)sides);
}

struct program {
    char text[16384];
    size_t len;
    bool held, region; /* its own region */
    const char *away;  /* the mode that shows the alternate screen */
};

static void say(struct program *program, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void say(struct program *program, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    program->len += (size_t)vsnprintf(program->text + program->len,
                                      sizeof program->text - program->len, fmt, args);
    va_end(args);
}

static void say_text(struct program *program)
{
    static const char *const words[] = {
        "loss 2.31 ",
        "\r\n",
        "\r\n",
        "epoch \303\251t\303\251",
        "\b",
        "\342\226\210",
        "\r  50%|###",
        "\033[31mred\033[0m",
        "\033(B",
        "\033]0;title\007",
        "\033]2;other\033\\",
        "\033Pq...\033\\",
        "\033[?25l",
        "\033[?25h",
        "\n",
        "\377",
        "\302x",
        "a long line that goes over the edge of a terminal which is not wide, and goes on",
    };

    say(program, "%s", words[roll(ARRAY_LEN(words))]);
}

static void say_move(struct program *program)
{
    static const char last[] = "ABCDEFGHfdeJKLMST";
    char c = last[roll(sizeof last - 1)];

    if (c == 'e' && program->region)
        return;
    if (c == 'H' || c == 'f') {
        int row = roll(20);

        say(program, "\033[%d;%d%c", row, roll(50), c);
    } else if (c == 'J')
        say(program, "\033[%dJ", roll(3));
    else if (c == 'K')
        say(program, "\033[K");
    else
        say(program, "\033[%d%c", roll(9), c);
}

static void say_rare(struct program *program, int rows)
{
    static const char *const away[] = {"1049", "47", "1047"};
    int which = roll(9);

    if (which < 2 && !program->held && program->away == NULL) {
        say(program, which == 0 ? "\0337" : "\033[s");
        program->held = true;
    } else if (which < 4 && program->held) {
        say(program, which == 2 ? "\0338" : "\033[u");
        program->held = false;
    } else if (which == 4 && !program->held) {
        const char *mode = program->away != NULL ? program->away : away[roll(3)];

        say(program, "\033[?%s%c", mode, program->away != NULL ? 'l' : 'h');
        program->away = program->away != NULL ? NULL : mode;
    } else if (which == 5) {
        program->region = roll(2) == 0;
        if (program->region) {
            int top = 1 + roll(rows - 3);

            say(program, "\033[%d;%dr", top, rows - 1 + roll(3));
        } else {
            say(program, "\033[r");
        }
    } else if (which == 6) {
        say(program, "%s", roll(2) == 0 ? "\033D" : "\033M");
    } else if (which == 7 && !program->held && program->away == NULL) {
        static const char *const resets[] = {"\033c", "\033[!p", "\033#8"};

        say(program, "%s", resets[roll(3)]);
    }
}

static void run_program(unsigned long number)
{
    struct program program = {.len = 0};
    int rows = 4 + roll(12), columns = 20 + roll(30);
    char name[64];
    size_t done = 0;

    (void)snprintf(name, sizeof name, "program %lu", number);
    while (program.len < 2000) {
        int kind = roll(10);

        if (kind < 5)
            say_text(&program);
        else if (kind < 8)
            say_move(&program);
        else
            say_rare(&program, rows);
    }
    start(rows, columns);
    while (done < program.len) {
        size_t len = 1 + (size_t)roll(roll(4) == 0 ? 300 : 12);

        len = len < program.len - done ? len : program.len - done;
        print(program.text + done, len);
        done += len;
        if (draw("a line at the bottom") && !with.screen)
            assert_string_equal(vt_row(&with, rows - 1), "a line at the bottom");
        if (screen.parser == 0 && screen.utf8_left == 0)
            assert_same(name);
    }
}

static void test_random_programs(void **state)
{
    (void)state;
    for (unsigned long i = 1; i <= 600; i++) {
        seed = i;
        run_program(i);
    }
    buf_free(&out);
}

int group_screen(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_scrolls_above),
        cmocka_unit_test(test_last_row_is_freed_first),
        cmocka_unit_test(test_wrap_survives),
        cmocka_unit_test(test_not_inside_anything),
        cmocka_unit_test(test_again_after),
        cmocka_unit_test(test_start_of_a_row_is_reported),
        cmocka_unit_test(test_erasing_is_reported),
        cmocka_unit_test(test_small_terminals_have_no_line),
        cmocka_unit_test(test_resize),
        cmocka_unit_test(test_stop_ends_what_is_open),
        cmocka_unit_test(test_endless_sequence_is_passed_on),
        cmocka_unit_test(test_random_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
