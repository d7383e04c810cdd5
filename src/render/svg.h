/* svg.h - elements of an SVG document: what figures and timelines are drawn with.
 *
 * Coordinates are rounded to hundredths, so that compilers agree on every byte. Text is
 * escaped, and what must not reach a reader (control characters, bytes that are no UTF-8) is
 * shown as "?". Texts stay texts, which can be selected and searched. */
#ifndef RENDER_SVG_H
#define RENDER_SVG_H

#include "base/buf.h"

void svg_number(struct buf *out, double value);
void svg_attribute(struct buf *out, const char *name, double value);
void svg_escape(struct buf *out, struct str text); /* also fit for HTML, and in double quotes */

/* What a reader sees when pointing at a mark; nothing for an empty text. */
void svg_title(struct buf *out, struct str title);

/* `class` may be NULL. */
void svg_text(struct buf *out, double x, double y, const char *class, struct str text);
void svg_line(struct buf *out, double x1, double y1, double x2, double y2, const char *class);
void svg_rect(struct buf *out, double x, double y, double width, double height,
              const char *class, struct str title);
void svg_circle(struct buf *out, double x, double y, double radius, const char *class,
                struct str title);

/* A path's commands: "M" with a point, "L" with the next. */
void svg_point(struct buf *out, char command, double x, double y);

/* How wide a text is at that size, in the font that is asked for (Helvetica or one of its
 * widths). */
double svg_text_width(struct str text, double size);

/* As much of the text as fits, with an ellipsis where it was cut. */
void svg_text_cut(struct buf *out, double x, double y, const char *class, struct str text,
                  double size, double most);

#endif
