/* raster.h - SVG documents of ours as PNG and PDF, through the loadable part `raster`
 * (librsvg).
 *
 * Texts are drawn with the fonts of the machine: Helvetica's widths are assumed
 * (fonts-liberation has them). */
#ifndef RENDER_RASTER_H
#define RENDER_RASTER_H

#include "base/buf.h"

enum raster_format {
    RASTER_PNG,
    RASTER_PDF, /* texts stay texts */
};

/* The picture is appended to `out`. `scale` is pixels of the PNG for one of the document; a PDF
 * has the size of the document. ERROR_INPUT when it is no SVG, or too large to be drawn. */
bool raster_write(enum raster_format format, struct str svg, double scale, struct buf *out,
                  struct error *err) MUST_USE;

/* The function of the part. */
#define RASTER_PART_VERSION 1

struct raster_part {
    bool (*write)(enum raster_format format, struct str svg, double scale, struct buf *out,
                  struct error *err);
};

#endif
