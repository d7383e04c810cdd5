#include "render/svg.h"

#include <math.h>

#include "base/num.h"

#define FARTHEST 1e6 /* what is farther away is not in the picture */

void svg_number(struct buf *out, double value)
{
    double bounded = fmin(fmax(value, -FARTHEST), FARTHEST);
    double rounded = round(bounded * 100) / 100;

    num_write(rounded != 0 ? rounded : 0, out); /* no "-0" */
}

void svg_attribute(struct buf *out, const char *name, double value)
{
    buf_addf(out, " %s=\"", name);
    svg_number(out, value);
    buf_char(out, '"');
}

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

void svg_escape(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.len;) {
        struct str rest = {text.at + i, text.len - i};
        size_t bad = str_unsafe(rest), len = bad > 0 ? bad : str_character(rest);
        const char *entity = entity_of(text.at[i]);

        if (bad > 0)
            buf_char(out, '?');
        else if (entity != NULL)
            buf_adds(out, entity);
        else
            buf_add(out, (struct str){rest.at, len});
        i += len;
    }
}

static void add_class(struct buf *out, const char *class)
{
    if (class != NULL)
        buf_addf(out, " class=\"%s\"", class);
}

void svg_title(struct buf *out, struct str title)
{
    if (title.len == 0)
        return;
    buf_adds(out, "<title>");
    svg_escape(out, title);
    buf_adds(out, "</title>");
}

/* The end of a shape: with its title inside, or empty. */
static void end_shape(struct buf *out, const char *name, struct str title)
{
    if (title.len == 0) {
        buf_adds(out, "/>\n");
        return;
    }
    buf_char(out, '>');
    svg_title(out, title);
    buf_addf(out, "</%s>\n", name);
}

void svg_text(struct buf *out, double x, double y, const char *class, struct str text)
{
    buf_adds(out, "<text");
    svg_attribute(out, "x", x);
    svg_attribute(out, "y", y);
    add_class(out, class);
    buf_char(out, '>');
    svg_escape(out, text);
    buf_adds(out, "</text>\n");
}

void svg_line(struct buf *out, double x1, double y1, double x2, double y2, const char *class)
{
    buf_adds(out, "<line");
    add_class(out, class);
    svg_attribute(out, "x1", x1);
    svg_attribute(out, "y1", y1);
    svg_attribute(out, "x2", x2);
    svg_attribute(out, "y2", y2);
    buf_adds(out, "/>\n");
}

void svg_rect(struct buf *out, double x, double y, double width, double height,
              const char *class, struct str title)
{
    buf_adds(out, "<rect");
    add_class(out, class);
    svg_attribute(out, "x", x);
    svg_attribute(out, "y", y);
    svg_attribute(out, "width", width);
    svg_attribute(out, "height", height);
    end_shape(out, "rect", title);
}

void svg_circle(struct buf *out, double x, double y, double radius, const char *class,
                struct str title)
{
    buf_adds(out, "<circle");
    add_class(out, class);
    svg_attribute(out, "cx", x);
    svg_attribute(out, "cy", y);
    svg_attribute(out, "r", radius);
    end_shape(out, "circle", title);
}

void svg_point(struct buf *out, char command, double x, double y)
{
    buf_char(out, command);
    svg_number(out, x);
    buf_char(out, ' ');
    svg_number(out, y);
}

/* ---- widths ---- */

#define OTHER_WIDTH 556 /* of what is not ASCII; half of a full-width character */
#define FULL_WIDTH 1000
#define FIRST_FULL 0x1100 /* from here on characters may be as wide as high */

/* Of the characters from blank to tilde, in thousandths of the font's size: Helvetica's. */
static const uint16_t widths[] = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

/* Of the character that `rest` starts with; how many bytes it has. */
static double character_width(struct str rest, size_t *len)
{
    unsigned char c = (unsigned char)rest.at[0];
    size_t bad = str_unsafe(rest);

    *len = bad > 0 ? bad : str_character(rest);
    if (bad > 0 || *len > 1)
        return bad == 0 && str_code(rest, *len) >= FIRST_FULL ? FULL_WIDTH : OTHER_WIDTH;
    return widths[c - ' '];
}

double svg_text_width(struct str text, double size)
{
    double width = 0;

    for (size_t i = 0, len; i < text.len; i += len)
        width += character_width((struct str){text.at + i, text.len - i}, &len);
    return width / 1000 * size;
}

void svg_text_cut(struct buf *out, double x, double y, const char *class, struct str text,
                  double size, double most)
{
    double width = svg_text_width(STR("..."), size);
    size_t end = 0;

    if (svg_text_width(text, size) <= most) {
        svg_text(out, x, y, class, text);
        return;
    }
    for (size_t len; end < text.len; end += len) {
        width +=
            character_width((struct str){text.at + end, text.len - end}, &len) / 1000 * size;
        if (width > most)
            break;
    }
    buf_adds(out, "<text");
    svg_attribute(out, "x", x);
    svg_attribute(out, "y", y);
    add_class(out, class);
    buf_char(out, '>');
    svg_title(out, text);
    svg_escape(out, str_trim((struct str){text.at, end}));
    buf_adds(out, "\xe2\x80\xa6</text>\n");
}
