#include "test.h"

#include <string.h>

#include "base/buf.h"
#include "render/timeline.h"

enum { TICKS = 40 };

static uint8_t up[TICKS], what[TICKS];
static float done[TICKS + 1];
static struct timeline_row row = {.what = what, .done = done, .usd = 12.5, .end_h = 9.5};
static struct timeline timeline = {.ticks = TICKS,
                                   .tick_h = 0.25,
                                   .work_h = 8,
                                   .deadline_h = 10,
                                   .up = up,
                                   .rows = &row,
                                   .row_count = 1};

/* Waits, starts, runs on spot for half of the time, then on-demand; done at tick 38. */
static int fill(void **state)
{
    (void)state;
    timeline.title = STR("a zone");
    row.name = STR("up");
    row.late = false;
    for (size_t i = 0; i < TICKS; i++) {
        up[i] = i < 20;
        what[i] = i < 2    ? TIMELINE_WAITING
                  : i < 4  ? TIMELINE_STARTING
                  : i < 20 ? TIMELINE_SPOT
                  : i < 38 ? TIMELINE_ON_DEMAND
                           : TIMELINE_DONE;
        done[i + 1] = i < 4 ? 0 : i < 38 ? (float)(i - 3) / 34 : 1;
    }
    return 0;
}

static void draw(unsigned width, bool color, bool utf8, struct buf *out)
{
    struct term term = {.tty = width > 0, .color = color, .width = width};

    *out = buf_new(&alloc_system, 1 << 20);
    timeline_text(&timeline, &term, utf8, out);
    buf_char(out, '\0');
}

static void test_characters(void **state)
{
    struct buf out;

    (void)state;
    draw(0, false, false, &out);
    assert_string_equal(
        out.at, "a zone\n\n"
                "hours          |0      |2      |4      |6      |8\n"
                "spot there     ====================                    \n"
                "up             ..++################DDDDDDDDDDDDDDDDDD    $12.50\n"
                "  work done            11112222333344444555566667777888  done at 9.5 h\n"
                "\nD on-demand   # spot   + starting   . waiting   1 to 8: work done, in "
                "eighths\n");
    buf_free(&out);
}

static void test_fits_the_terminal(void **state)
{
    (void)state;
    for (unsigned width = 60; width < 100; width += 7) {
        struct buf out;
        struct str rest, line;

        draw(width, false, true, &out);
        rest = (struct str){out.at, out.len - 1};
        for (int i = 0; i < 6; i++) {
            line = str_cut(&rest, '\n');
            assert_true(term_columns(line) <= width);
        }
        assert_non_null(strstr(out.at, "█"));
        assert_null(strstr(out.at, "\033["));
        buf_free(&out);
    }
}

static void test_colors_are_switched_off_again(void **state)
{
    struct buf out;
    size_t on = 0, off = 0;

    (void)state;
    draw(90, true, true, &out);
    for (const char *c = out.at; (c = strstr(c, "\033[")) != NULL; c++) {
        off += strncmp(c, "\033[0m", 4) == 0;
        on += strncmp(c, "\033[0m", 4) != 0;
    }
    assert_true(on > 4);
    assert_int_equal(on, off);
    buf_free(&out);
}

static size_t count(const char *in, const char *what_of)
{
    size_t n = 0;

    for (const char *c = in; (c = strstr(c, what_of)) != NULL; c++)
        n++;
    return n;
}

static void test_svg(void **state)
{
    struct buf out = buf_new(&alloc_system, 1 << 20);

    (void)state;
    timeline.title = STR("zones <a> & \"b\" \x01");
    row.late = true;
    timeline_svg(&timeline, &out);
    buf_char(&out, '\0');
    assert_int_equal(strncmp(out.at, "<svg xmlns=", 11), 0);
    assert_string_equal(out.at + out.len - 8, "</svg>\n");
    assert_non_null(strstr(out.at, "zones &lt;a&gt; &amp; &quot;b&quot; ?"));
    /* One box for each stretch, and one in the legend. */
    assert_int_equal(count(out.at, "<rect class=\"spot\""), 2);
    assert_int_equal(count(out.at, "<rect class=\"on-demand\""), 2);
    assert_int_equal(count(out.at, "<rect class=\"starting\""), 2);
    assert_int_equal(count(out.at, "<rect class=\"there\""), 2);
    assert_non_null(strstr(out.at, ">late</text>"));
    assert_non_null(strstr(out.at, "$12.50"));
    assert_non_null(strstr(out.at, "deadline 10 h"));
    assert_null(strstr(out.at, "nan"));
    buf_free(&out);
}

static void test_nothing_to_draw(void **state)
{
    struct timeline empty = {.title = STR("nothing")};
    struct term term = {0};
    struct buf out = buf_new(&alloc_system, 1 << 20);

    (void)state;
    timeline_text(&empty, &term, false, &out);
    assert_int_equal(out.len, 0);
    timeline_svg(&empty, &out);
    assert_true(out.len > 0);
    buf_free(&out);
}

int group_timeline(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_characters, fill),
        cmocka_unit_test_setup(test_fits_the_terminal, fill),
        cmocka_unit_test_setup(test_colors_are_switched_off_again, fill),
        cmocka_unit_test_setup(test_svg, fill),
        cmocka_unit_test_setup(test_nothing_to_draw, fill),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
