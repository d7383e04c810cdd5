#include "test.h"

#include <string.h>

#include "base/buf.h"
#include "base/part.h"
#include "render/raster.h"

#define SVG(inside) \
    STR("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">" inside "</" \
        "svg>")
#define SQUARE "<rect x=\"0\" y=\"0\" width=\"40\" height=\"20\" fill=\"#ff0000\"/>"

static bool part_is_there(void)
{
    struct error err = {0};

    return part_open("raster", RASTER_PART_VERSION, &err) != NULL;
}

static struct buf drawn(enum raster_format format, struct str svg, double scale)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    if (!raster_write(format, svg, scale, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

/* Four bytes of a PNG's header, most significant first. */
static unsigned number_at(const struct buf *png, size_t at)
{
    const unsigned char *b = (const unsigned char *)png->at + at;

    return (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
}

static void png_has_the_size_asked_for(void **state)
{
    struct buf png = drawn(RASTER_PNG, SVG(SQUARE), 2);

    (void)state;
    assert_true(png.len > 24);
    assert_memory_equal(png.at, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(number_at(&png, 16), 80);
    assert_int_equal(number_at(&png, 20), 40);
    buf_free(&png);
}

static void same_picture_same_file(void **state)
{
    (void)state;
    for (int format = RASTER_PNG; format <= RASTER_PDF; format++) {
        struct buf a =
            drawn((enum raster_format)format, SVG(SQUARE "<text y=\"9\">a</text>"), 1);
        struct buf b =
            drawn((enum raster_format)format, SVG(SQUARE "<text y=\"9\">a</text>"), 1);

        assert_int_equal(a.len, b.len);
        assert_memory_equal(a.at, b.at, a.len);
        buf_free(&a);
        buf_free(&b);
    }
}

static void pdf_is_one(void **state)
{
    struct buf pdf = drawn(RASTER_PDF, SVG(SQUARE), 1);

    (void)state;
    assert_memory_equal(pdf.at, "%PDF-", 5);
    buf_free(&pdf);
}

static void assert_refused(struct str svg, double scale, const char *why)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    assert_false(raster_write(RASTER_PNG, svg, scale, &out, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, why));
    assert_int_equal(out.len, 0);
    buf_free(&out);
}

static void what_is_no_picture_is_refused(void **state)
{
    (void)state;
    assert_refused(STR("<svg"), 1, "no SVG document");
    assert_refused(STR(""), 1, "no SVG document");
    assert_refused(SVG(SQUARE), 1e6, "too large");
    assert_refused(SVG(SQUARE), 0, "no size");
    assert_refused(SVG(SQUARE), NAN, "no size");
}

static void output_has_a_limit(void **state)
{
    struct buf out = buf_new(&alloc_system, 20);
    struct error err = {0};

    (void)state;
    assert_false(raster_write(RASTER_PNG, SVG(SQUARE), 1, &out, &err));
    assert_int_not_equal(err.kind, ERROR_NONE);
    buf_free(&out);
}

/* Where librsvg is not installed the part is not built: nothing can be tried. */
static void part_is_missing(void **state)
{
    (void)state;
    test_skip("the raster part is not built: librsvg is not installed");
}

int group_raster(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(png_has_the_size_asked_for),
        cmocka_unit_test(same_picture_same_file),
        cmocka_unit_test(pdf_is_one),
        cmocka_unit_test(what_is_no_picture_is_refused),
        cmocka_unit_test(output_has_a_limit),
    };
    const struct CMUnitTest missing[] = {cmocka_unit_test(part_is_missing)};

    return part_is_there() ? cmocka_run_group_tests(tests, NULL, NULL)
                           : cmocka_run_group_tests(missing, NULL, NULL);
}
