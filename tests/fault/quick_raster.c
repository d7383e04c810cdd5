/* A part `raster` that takes no time: a picture is a line of text. Faults in writing the files
 * of a report are the same with it, and drawing with librsvg would take most of their time. */
#include "base/part.h"
#include "render/raster.h"

static bool write_line(enum raster_format format, struct str svg, double scale, struct buf *out,
                       struct error *err)
{
    (void)svg;
    (void)scale;
    buf_add(out, format == RASTER_PNG ? STR("a PNG\n") : STR("a PDF\n"));
    return buf_ok(out, err);
}

static const struct raster_part functions = {write_line};
EXPORTED extern const struct part stint_part;
const struct part stint_part = {"raster", RASTER_PART_VERSION, &functions};
