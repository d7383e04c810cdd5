/* Pictures look as they did: the sample figures, drawn by the part, against small gray pictures
 * of what was looked at (pictures/NAME.pgm). Fonts of the same widths (Nimbus Sans, Liberation
 * Sans, which ./dev installs) draw letters differently, which is accepted; a panel that is
 * missing, or moved by 16 pixels, is not. UPDATE=1 rewrites the pictures; look at them. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/part.h"
#include "render/raster.h"

#define CELL 16           /* pixels of a side of a cell */
#define CELLS_MAX 16384   /* of a picture */
#define CELL_DIFFERS 10.0 /* of 255, between means of 3 x 3 cells */
#define CELLS_DIFFER 12   /* so many: another picture. Another font: 0, a panel moved: 17 */

/* ---- a picture of gray pixels ---- */

struct picture {
    unsigned width, height;
    unsigned char *at;
};

static unsigned number_at(const unsigned char *b)
{
    return (unsigned)b[0] << 24 | (unsigned)b[1] << 16 | (unsigned)b[2] << 8 | b[3];
}

/* The data of all IDAT chunks, decompressed: a filter's byte and the pixels of each line. */
static void inflate_lines(const struct buf *png, unsigned char *lines, size_t room)
{
    const unsigned char *at = (const unsigned char *)png->at + 8;
    const unsigned char *end = (const unsigned char *)png->at + png->len;
    z_stream z = {.next_out = lines, .avail_out = (uInt)room};

    assert_int_equal(inflateInit(&z), Z_OK);
    for (; at + 12 <= end; at += 12 + number_at(at)) {
        if (memcmp(at + 4, "IDAT", 4) != 0)
            continue;
        z.next_in = (Bytef *)(uintptr_t)(at + 8);
        z.avail_in = number_at(at);
        assert_true(inflate(&z, Z_NO_FLUSH) >= Z_OK);
    }
    assert_int_equal(z.avail_out, 0);
    assert_int_equal(inflateEnd(&z), Z_OK);
}

static int paeth(int a, int b, int c)
{
    int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);

    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* A line without its filter (PNG's section 9); `above` is the line before. */
static void unfilter(int kind, unsigned char *line, const unsigned char *above, size_t len,
                     size_t pixel)
{
    for (size_t i = 0; i < len; i++) {
        int a = i >= pixel ? line[i - pixel] : 0, b = above[i];
        int c = i >= pixel ? above[i - pixel] : 0;
        const int add[] = {0, a, b, (a + b) / 2, paeth(a, b, c)};

        line[i] = (unsigned char)(line[i] + add[kind]);
    }
}

/* Colors as gray; what is transparent is white. */
static unsigned char gray_of(const unsigned char *p, size_t pixel)
{
    double gray = 0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2];
    double seen = pixel == 4 ? p[3] / 255.0 : 1;

    return (unsigned char)(gray * seen + 255 * (1 - seen) + 0.5);
}

static struct picture picture_of(const struct buf *png)
{
    const unsigned char *header = (const unsigned char *)png->at + 16;
    struct picture p = {number_at(header), number_at(header + 4), NULL};
    size_t pixel = header[9] == 6 ? 4 : 3, len = (size_t)p.width * pixel;
    unsigned char *lines = test_malloc(((size_t)len + 1) * p.height);
    unsigned char *none = test_calloc(len, 1);

    assert_int_equal(header[8], 8); /* bits */
    assert_true(header[9] == 2 || header[9] == 6);
    p.at = test_malloc((size_t)p.width * p.height);
    inflate_lines(png, lines, (len + 1) * p.height);
    for (size_t y = 0; y < p.height; y++) {
        unsigned char *line = lines + y * (len + 1) + 1;

        assert_true(line[-1] <= 4);
        unfilter(line[-1], line, y > 0 ? line - len - 1 : none, len, pixel);
    }
    for (size_t y = 0; y < p.height; y++)
        for (size_t x = 0; x < p.width; x++)
            p.at[y * p.width + x] = gray_of(lines + y * (len + 1) + 1 + x * pixel, pixel);
    test_free(none);
    test_free(lines);
    return p;
}

/* ---- small ---- */

struct small {
    unsigned width, height;
    unsigned char at[CELLS_MAX];
};

static void shrink(const struct picture *p, struct small *out)
{
    out->width = p->width / CELL;
    out->height = p->height / CELL;
    assert_true(out->width * out->height <= CELLS_MAX);
    for (size_t y = 0; y < out->height; y++)
        for (size_t x = 0; x < out->width; x++) {
            unsigned sum = 0;

            for (size_t i = 0; i < (size_t)CELL * CELL; i++)
                sum += p->at[(y * CELL + i / CELL) * p->width + x * CELL + i % CELL];
            out->at[y * out->width + x] =
                (unsigned char)((sum + CELL * CELL / 2) / (CELL * CELL));
        }
}

/* The mean of a cell and those around it. */
static double around(const struct small *s, size_t x, size_t y)
{
    double sum = 0, count = 0;

    for (size_t j = y > 0 ? y - 1 : 0; j <= y + 1 && j < s->height; j++)
        for (size_t i = x > 0 ? x - 1 : 0; i <= x + 1 && i < s->width; i++, count++)
            sum += s->at[j * s->width + i];
    return sum / count;
}

/* How many cells look different. */
static size_t difference(const struct small *a, const struct small *b)
{
    size_t count = 0;

    if (a->width != b->width || a->height != b->height)
        return CELLS_MAX;
    for (size_t y = 0; y < a->height; y++)
        for (size_t x = 0; x < a->width; x++)
            count += fabs(around(a, x, y) - around(b, x, y)) > CELL_DIFFERS;
    return count;
}

/* ---- kept as text ---- */

static void name_path(const char *folder, const char *name, const char *type, char *out,
                      size_t room)
{
    (void)snprintf(out, room, "%s/tests/unit/render/%s/%s.%s", env_get("STINT_SOURCE_ROOT"),
                   folder, name, type);
}

static void save(const struct small *s, const char *path)
{
    struct buf text = buf_new(&alloc_system, 1 << 20);
    struct error err = {0};

    buf_addf(&text, "P2\n%u %u\n255\n", s->width, s->height);
    for (size_t i = 0; i < (size_t)s->width * s->height; i++)
        buf_addf(&text, "%u%c", s->at[i], (i + 1) % s->width == 0 ? '\n' : ' ');
    assert_true(fs_put(path, buf_text(&text), &err));
    buf_free(&text);
}

static bool is_digit(const struct str *rest)
{
    return rest->len > 0 && rest->at[0] >= '0' && rest->at[0] <= '9';
}

static unsigned next_number(struct str *rest)
{
    unsigned n = 0;

    for (; rest->len > 0 && !is_digit(rest); rest->at++, rest->len--)
        ;
    assert_true(rest->len > 0);
    for (; is_digit(rest); rest->at++, rest->len--)
        n = n * 10 + (unsigned)(rest->at[0] - '0');
    return n;
}

static void load(const char *path, struct arena *arena, struct small *out)
{
    struct error err = {0};
    struct str text;

    if (!fs_read(path, 1 << 20, arena, &text, &err))
        fail_msg("%s", err.text);
    assert_true(str_starts(text, STR("P2\n")));
    (void)str_cut(&text, '\n');
    out->width = next_number(&text);
    out->height = next_number(&text);
    (void)next_number(&text);
    assert_true(out->width > 0 && out->width * out->height <= CELLS_MAX);
    for (size_t i = 0; i < (size_t)out->width * out->height; i++)
        out->at[i] = (unsigned char)next_number(&text);
}

/* ---- tests ---- */

static struct picture draw(struct str svg)
{
    struct buf png = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    struct picture p;

    if (!raster_write(RASTER_PNG, svg, 1, &png, &err))
        fail_msg("%s", err.text);
    p = picture_of(&png);
    buf_free(&png);
    return p;
}

static struct str read_svg(const char *name, struct arena *arena)
{
    struct error err = {0};
    struct str svg;
    char path[1024];

    name_path("figures", name, "svg", path, sizeof path);
    if (!fs_read(path, 1 << 20, arena, &svg, &err))
        fail_msg("%s", err.text);
    return svg;
}

static void figures_look_as_they_did(void **state)
{
    static const char *const names[] = {"areas", "bars",  "columns", "donut",     "facts",
                                        "gauge", "heat",  "lines",   "predicted", "scatter",
                                        "sheet", "spans", "treemap", "waterfall"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct arena arena = test_arena();
        struct picture p = draw(read_svg(names[i], &arena));
        struct small got, expected;
        char path[1024];

        shrink(&p, &got);
        name_path("pictures", names[i], "pgm", path, sizeof path);
        if (env_get("UPDATE") != NULL)
            save(&got, path);
        load(path, &arena, &expected);
        if (difference(&got, &expected) >= CELLS_DIFFER)
            fail_msg("%s: %zu cells differ", names[i], difference(&got, &expected));
        test_free(p.at);
        arena_free(&arena);
    }
}

/* The six panels of the sample of a dashboard. */
static const struct {
    size_t x, y;
} panels[] = {{16, 88}, {524, 88}, {1032, 88}, {16, 466}, {524, 466}, {1032, 466}};
#define PANEL_WIDTH ((size_t)500)
#define PANEL_HEIGHT ((size_t)370)

/* A copy of which one panel is moved to the right by so many pixels; all of its width: gone. */
static struct picture moved(const struct picture *p, size_t panel, size_t by)
{
    struct picture copy = {p->width, p->height, test_malloc((size_t)p->width * p->height)};

    memcpy(copy.at, p->at, (size_t)p->width * p->height);
    for (size_t y = panels[panel].y; y < panels[panel].y + PANEL_HEIGHT; y++) {
        const unsigned char *from = p->at + y * p->width + panels[panel].x;
        unsigned char *to = copy.at + y * p->width + panels[panel].x;

        memset(to, 255, by);
        memcpy(to + by, from, PANEL_WIDTH - by);
    }
    return copy;
}

static void missing_and_moved_panels_are_seen(void **state)
{
    static const size_t by[] = {CELL, 3 * CELL, PANEL_WIDTH};
    struct arena arena = test_arena();
    struct picture p = draw(read_svg("sheet", &arena));
    struct small all, without;

    (void)state;
    shrink(&p, &all);
    for (size_t i = 0; i < ARRAY_LEN(panels) * ARRAY_LEN(by); i++) {
        struct picture copy = moved(&p, i % ARRAY_LEN(panels), by[i / ARRAY_LEN(panels)]);

        shrink(&copy, &without);
        if (difference(&all, &without) < CELLS_DIFFER)
            fail_msg("panel %zu moved by %zu pixels: only %zu cells differ",
                     i % ARRAY_LEN(panels), by[i / ARRAY_LEN(panels)],
                     difference(&all, &without));
        test_free(copy.at);
    }
    test_free(p.at);
    arena_free(&arena);
}

/* Another font of the same widths is no other picture. */
static void other_fonts_are_not(void **state)
{
    struct arena arena = test_arena();
    struct str svg = read_svg("sheet", &arena), usual = STR("Helvetica, Arial"), rest = svg;
    struct buf other = buf_new(&alloc_system, 1 << 20);
    struct small a, b;
    struct picture p = draw(svg), q;
    size_t at;

    (void)state;
    while (rest.len > 0 && !str_starts(rest, usual))
        rest = (struct str){rest.at + 1, rest.len - 1};
    at = svg.len - rest.len;
    assert_true(rest.len > usual.len);
    buf_add(&other, (struct str){svg.at, at});
    buf_adds(&other, "Liberation Sans");
    buf_add(&other, (struct str){rest.at + usual.len, rest.len - usual.len});
    q = draw(buf_text(&other));
    shrink(&p, &a);
    shrink(&q, &b);
    assert_true(difference(&a, &b) < CELLS_DIFFER);
    test_free(p.at);
    test_free(q.at);
    buf_free(&other);
    arena_free(&arena);
}

/* Where librsvg is not installed the part is not built: nothing can be tried. */
static void part_is_missing(void **state)
{
    (void)state;
    test_skip("the raster part is not built: librsvg is not installed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_look_as_they_did),
        cmocka_unit_test(missing_and_moved_panels_are_seen),
        cmocka_unit_test(other_fonts_are_not),
    };
    const struct CMUnitTest missing[] = {cmocka_unit_test(part_is_missing)};
    struct error err = {0};

    return part_open("raster", RASTER_PART_VERSION, &err) != NULL
               ? cmocka_run_group_tests(tests, NULL, NULL)
               : cmocka_run_group_tests(missing, NULL, NULL);
}
