/* Sheets of figures: the document, its colors, titles and legends; which kind is drawn how. */
#include <math.h>
#include <stdio.h>

#include "render/figure_internal.h"

#define MARGIN 24.0
#define ALONE 960.0 /* width of a figure that is alone in its row */
#define BESIDE 480.0
#define GAP 28.0
#define TITLE 20.0 /* heights, to the next line */
#define NOTE 19.0
#define ROW 30.0
#define MOST_ROWS 40
#define GRID_HEIGHT 352.0
#define FOOTER 15.0

/* Colors that the color-blind can distinguish (after Okabe and Ito), darker on white and
 * lighter on black where they would not be seen. Backgrounds are drawn: a picture is shown in
 * places that have none. */
static const char style[] =
    "text { fill: #24292f; font-size: 15px } .page { fill: #ffffff }\n"
    ".sheet { font-size: 24px; font-weight: 600 } .title { font-size: 18px; font-weight: 600 "
    "}\n"
    ".note { fill: #57606a; font-size: 13.5px } .small { font-size: 13.5px }\n"
    ".strong { font-weight: 600 } .large { font-size: 34px; font-weight: 600 }\n"
    ".end { text-anchor: end } .mid { text-anchor: middle }\n"
    ".grid { stroke: #d0d7de } .axis { stroke: #57606a } .range { stroke: #24292f }\n"
    ".limit { stroke: #b3261e; stroke-width: 2; stroke-dasharray: 6 4 }\n"
    ".even { stroke: #57606a; stroke-dasharray: 5 4 } .panel { fill: #f6f8fa }\n"
    ".s0 { fill: #0072b2 } .s1 { fill: #e69f00 } .s2 { fill: #009e73 } .s3 { fill: #d55e00 }\n"
    ".s4 { fill: #cc79a7 } .s5 { fill: #56b4e9 } .s6 { fill: #8a7a00 } .s7 { fill: #6e5494 }\n"
    ".l0 { stroke: #0072b2 } .l1 { stroke: #e69f00 } .l2 { stroke: #009e73 }\n"
    ".l3 { stroke: #d55e00 } .l4 { stroke: #cc79a7 } .l5 { stroke: #56b4e9 }\n"
    ".l6 { stroke: #8a7a00 } .l7 { stroke: #6e5494 } .muted { fill: #b6bec7 }\n"
    ".lmuted { stroke: #8c959f } .line { fill: none; stroke-width: 2.5 }\n"
    ".band { fill-opacity: .18 } .dot { fill-opacity: .75 } .ring { fill: none; stroke-width: "
    "2 }\n"
    ".good { fill: #009e73 } .fair { fill: #e69f00 } .bad { fill: #d55e00 }\n"
    ".unknown { fill: #d0d7de } .on { fill: #ffffff } .under { fill: #24292f }\n"
    ".h0 { fill: #eaf2f8 } .h1 { fill: #c6dcec } .h2 { fill: #8fbcdc } .h3 { fill: #4a90c2 }\n"
    ".h4 { fill: #1f68a0 } .h5 { fill: #0b3c66 }\n"
    ".clear { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round "
    "}\n"
    "@media screen and (prefers-color-scheme: dark) {\n"
    ".clear { stroke: #0d1117 }\n"
    "text { fill: #e6edf3 } .page { fill: #0d1117 } .note { fill: #9aa4af }\n"
    ".grid { stroke: #30363d } .axis { stroke: #9aa4af } .range { stroke: #e6edf3 }\n"
    ".limit { stroke: #ff7b72 } .even { stroke: #9aa4af } .panel { fill: #161b22 }\n"
    ".s0 { fill: #3d9bd6 } .l0 { stroke: #3d9bd6 } .s6 { fill: #c9b400 } .l6 { stroke: #c9b400 "
    "}\n"
    ".s7 { fill: #a58bd0 } .l7 { stroke: #a58bd0 } .muted { fill: #4a525c }\n"
    ".unknown { fill: #30363d } .on { fill: #ffffff } .under { fill: #0d1117 }\n"
    "}\n"
    "@media print { .page { fill: #ffffff } .clear { stroke: #ffffff } }\n";

/* Of two drawings of a figure on a page, the one that fits. */
static const char fit_style[] =
    ".for-desk { display: block } .for-phone { display: none }\n"
    "@media screen and (max-width: 40rem) { .for-desk { display: none } .for-phone { display: "
    "block } }\n";

void figure_css(struct buf *out)
{
    buf_adds(out, style);
    buf_adds(out, fit_style);
}

static void (*const drawings[FIGURE_KINDS])(const struct figure_frame *) = {
    [FIGURE_BARS] = draw_bars,           [FIGURE_WATERFALL] = draw_waterfall,
    [FIGURE_COLUMNS] = draw_columns,     [FIGURE_LINES] = draw_lines,
    [FIGURE_AREAS] = draw_areas,         [FIGURE_SCATTER] = draw_scatter,
    [FIGURE_PREDICTED] = draw_predicted, [FIGURE_DONUT] = draw_donut,
    [FIGURE_GAUGE] = draw_gauge,         [FIGURE_HEAT] = draw_heat,
    [FIGURE_SPANS] = draw_spans,         [FIGURE_TREEMAP] = draw_treemap,
    [FIGURE_FACTS] = draw_facts,
};

/* ---- paragraphs ---- */

/* The next line of a text that is at most so wide, broken at a blank; the rest stays. */
static struct str next_text_line(struct str *rest, double size, double most)
{
    size_t end = 0;
    struct str line;

    for (size_t i = 0; i <= rest->len; i++)
        if (i == rest->len || rest->at[i] == ' ') {
            if (end > 0 && svg_text_width((struct str){rest->at, i}, size) > most)
                break;
            end = i;
        }
    line = (struct str){rest->at, end};
    rest->at += end;
    rest->len -= end;
    *rest = str_trim(*rest);
    return line;
}

static size_t count_text_lines(struct str text, double size, double most)
{
    size_t lines = 0;

    for (text = str_trim(text); text.len > 0; lines++)
        (void)next_text_line(&text, size, most);
    return lines;
}

static double draw_paragraph(struct buf *out, double x, double y, const char *class,
                             struct str text, double size, double most)
{
    text = str_trim(text);
    while (text.len > 0) {
        svg_text_cut(out, x, y, class, next_text_line(&text, size, most), size, most);
        y += size * 1.35;
    }
    return y;
}

/* ---- legends ---- */

static bool has_legend(const struct figure *f)
{
    return f->series_count > 1 && f->kind != FIGURE_SPANS && f->kind != FIGURE_HEAT &&
           f->kind != FIGURE_FACTS && f->kind != FIGURE_GAUGE;
}

/* A square of the series' color; of a dashed line, a piece of it. */
static void draw_key(const struct figure *f, size_t series, double x, double y, struct buf *out)
{
    const char *dashes = line_dashes(f, series);
    char class[16];

    if (dashes[0] == '\0') {
        color_class('s', &f->series[series], series, class);
        svg_rect(out, x, y + 3, 14, 14, class, f->series[series].name);
        return;
    }
    color_class('l', &f->series[series], series, class);
    buf_addf(out, "<path class=\"line %s\"%s d=\"", class, dashes);
    svg_point(out, 'M', x, y + 10);
    svg_point(out, 'L', x + 14, y + 10);
    buf_adds(out, "\">");
    svg_title(out, f->series[series].name);
    buf_adds(out, "</path>\n");
}

/* The lines that it takes, drawn when there is somewhere to draw. */
static size_t lay_legend(const struct figure *f, double x, double y, double width,
                         struct buf *out)
{
    double at = x;
    size_t lines = 1;

    for (size_t i = 0; i < f->series_count; i++) {
        double wide = 22 + svg_text_width(f->series[i].name, FIGURE_SMALL);

        if (at > x && at + wide > x + width) {
            at = x;
            lines++;
        }
        if (out != NULL) {
            double top = y + (double)(lines - 1) * FIGURE_LEGEND;

            draw_key(f, i, at, top, out);
            svg_text_cut(out, at + 20, top + 15, "small", f->series[i].name, FIGURE_SMALL,
                         width - 20);
        }
        at += wide + 16;
    }
    return lines;
}

/* ---- one figure ---- */

static double head_height(const struct figure *f, double width)
{
    double height = 0;

    if (f->title.len > 0)
        height += TITLE + 8;
    height += (double)count_text_lines(f->note, FIGURE_SMALL, width) * NOTE;
    if (has_legend(f))
        height += (double)lay_legend(f, 0, 0, width, NULL) * FIGURE_LEGEND;
    return height + 8;
}

static double body_height(const struct figure *f)
{
    size_t rows = f->series_count > 0 ? f->series[0].len : 0;

    switch (f->kind) {
    case FIGURE_BARS:
    case FIGURE_WATERFALL:
        return ROW * (double)(rows < MOST_ROWS ? rows : MOST_ROWS + 1) + 8;
    case FIGURE_HEAT:
    case FIGURE_SPANS:
        return ROW * (double)(f->series_count < MOST_ROWS ? f->series_count : MOST_ROWS) + 44;
    case FIGURE_DONUT:
    case FIGURE_GAUGE:
    case FIGURE_FACTS:
        return 250;
    case FIGURE_COLUMNS:
    case FIGURE_LINES:
    case FIGURE_AREAS:
    case FIGURE_SCATTER:
    case FIGURE_PREDICTED:
    case FIGURE_TREEMAP:
    case FIGURE_KINDS:
    default:
        return 380;
    }
}

static bool has_points(const struct figure *f)
{
    for (size_t i = 0; i < f->series_count; i++)
        if (f->series[i].len > 0)
            return true;
    return false;
}

static void draw_figure(const struct figure *f, double x, double y, double width, double height,
                        struct buf *out)
{
    struct figure_frame frame = {f, x, y + head_height(f, width), width, 0, out};
    double at = y;

    frame.height = y + height - frame.y;
    if (f->title.len > 0) {
        svg_text_cut(out, x, at + TITLE - 2, "title", f->title, 18.5, width);
        at += TITLE + 8;
    }
    (void)draw_paragraph(out, x, at + 13, "note", f->note, FIGURE_SMALL, width);
    at += (double)count_text_lines(f->note, FIGURE_SMALL, width) * NOTE;
    if (has_legend(f))
        (void)lay_legend(f, x, at, width, out);
    if (has_points(f))
        drawings[f->kind](&frame);
    else
        svg_text(out, x, frame.y + 20, "note", STR("nothing to show"));
}

/* ---- sheets ---- */

static size_t sheet_columns(const struct figure_sheet *s)
{
    return s->columns > 1 ? s->columns : 1;
}

static double width_of_figure(const struct figure_sheet *s)
{
    return sheet_columns(s) > 1 ? BESIDE : ALONE;
}

static double height_of_figure(const struct figure_sheet *s, size_t i)
{
    return sheet_columns(s) > 1
               ? GRID_HEIGHT
               : head_height(&s->figures[i], ALONE) + body_height(&s->figures[i]);
}

static double head_of_sheet(const struct figure_sheet *s, double width)
{
    double height = MARGIN;

    if (s->title.len > 0)
        height += 40;
    if (s->subtitle.len > 0)
        height += (double)count_text_lines(s->subtitle, FIGURE_SMALL, width) * NOTE + 6;
    return height;
}

struct figure_size figure_sheet_size(const struct figure_sheet *s)
{
    size_t columns = sheet_columns(s);
    double wide = (double)columns * width_of_figure(s) + (double)(columns - 1) * GAP;
    double height = head_of_sheet(s, wide);

    for (size_t i = 0; i < s->count; i += columns)
        height += height_of_figure(s, i) + GAP;
    height += (double)count_text_lines(s->footer, FIGURE_SMALL, wide) * NOTE;
    return (struct figure_size){wide + 2 * MARGIN, height + MARGIN};
}

/* `class`: NULL: none. */
static void begin_svg(struct str title, struct figure_size size, const char *class,
                      struct buf *out)
{
    buf_adds(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
    if (class != NULL)
        buf_addf(out, " class=\"%s\"", class);
    svg_attribute(out, "width", size.width);
    svg_attribute(out, "height", size.height);
    buf_adds(out, " viewBox=\"0 0 ");
    svg_number(out, size.width);
    buf_char(out, ' ');
    svg_number(out, size.height);
    buf_adds(out, "\" font-family=\"Helvetica, Arial, Liberation Sans, sans-serif\">\n");
    svg_title(out, title);
    buf_char(out, '\n');
}

static void draw_inline(const struct figure *f, struct figure_size size, const char *class,
                        struct buf *out)
{
    begin_svg(f->title, size, class, out);
    draw_figure(f, 0, 0, size.width, size.height, out);
    buf_adds(out, "</svg>\n");
}

void figure_svg_inline(const struct figure *f, bool beside, struct buf *out)
{
    if (beside) {
        draw_inline(f, (struct figure_size){BESIDE, GRID_HEIGHT}, NULL, out);
        return;
    }
    draw_inline(f, (struct figure_size){ALONE, head_height(f, ALONE) + body_height(f)},
                "for-desk", out);
    draw_inline(f, (struct figure_size){BESIDE, head_height(f, BESIDE) + body_height(f)},
                "for-phone", out);
}

void figure_svg(const struct figure_sheet *s, struct buf *out)
{
    struct figure_size size = figure_sheet_size(s);
    size_t columns = sheet_columns(s);
    double wide = size.width - 2 * MARGIN, y = head_of_sheet(s, wide);
    bool named = s->title.len > 0 || s->count == 0;

    begin_svg(named ? s->title : s->figures[0].title, size, NULL, out);
    buf_addf(out, "<style>\n%s</style>\n", style);
    svg_rect(out, 0, 0, size.width, size.height, "page", STR(""));
    if (s->title.len > 0)
        svg_text_cut(out, MARGIN, MARGIN + 22, "sheet", s->title, 24, wide);
    (void)draw_paragraph(out, MARGIN, MARGIN + (s->title.len > 0 ? 50 : 10), "note",
                         s->subtitle, FIGURE_SMALL, wide);
    for (size_t i = 0; i < s->count; i++) {
        double x = MARGIN + (double)(i % columns) * (width_of_figure(s) + GAP);

        draw_figure(&s->figures[i], x, y, width_of_figure(s), height_of_figure(s, i), out);
        if ((i + 1) % columns == 0 || i + 1 == s->count)
            y += height_of_figure(s, i) + GAP;
    }
    (void)draw_paragraph(out, MARGIN, y + FOOTER - 4, "note", s->footer, FIGURE_SMALL, wide);
    buf_adds(out, "</svg>\n");
}

/* ---- for the kinds ---- */

void color_class(char prefix, const struct figure_series *series, size_t index, char *out)
{
    if (series->muted)
        (void)snprintf(out, 16, "%smuted", prefix == 'l' ? "l" : "");
    else
        (void)snprintf(out, 16, "%c%zu", prefix, index % FIGURE_COLORS);
}

const char *line_dashes(const struct figure *f, size_t series)
{
    static const char *const dashes[] = {"", " stroke-dasharray=\"5 3\"",
                                         " stroke-dasharray=\"2 3\""};
    size_t before = 0;

    if (f->kind != FIGURE_LINES || !f->series[series].muted)
        return dashes[0];
    for (size_t i = 0; i < series; i++)
        before += f->series[i].muted;
    return dashes[before < ARRAY_LEN(dashes) ? before : ARRAY_LEN(dashes) - 1];
}

bool point_has_range(const struct figure_point *p)
{
    return p->high > p->low;
}

struct buf mark_text(const struct figure_frame *frame, const struct figure_series *series,
                     const struct figure_point *p)
{
    const struct figure *f = frame->figure;
    struct buf text = buf_new(frame->out->alloc, BUF_MAX_OUTPUT);

    if (series->name.len > 0 && f->series_count > 1) {
        buf_add(&text, series->name);
        buf_adds(&text, p->label.len > 0 ? ", " : "");
    }
    buf_add(&text, p->label);
    buf_adds(&text, text.len > 0 ? ": " : "");
    figure_value(f->y.unit, p->y, &text);
    if (point_has_range(p)) {
        buf_adds(&text, " (");
        figure_value(f->y.unit, p->low, &text);
        buf_adds(&text, " to ");
        figure_value(f->y.unit, p->high, &text);
        buf_char(&text, ')');
    }
    if (p->note.len > 0) {
        buf_adds(&text, ", ");
        buf_add(&text, p->note);
    }
    return text;
}
