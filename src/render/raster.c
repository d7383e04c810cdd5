#include "render/raster.h"

#include "base/part.h"

bool raster_write(enum raster_format format, struct str svg, double scale, struct buf *out,
                  struct error *err)
{
    const struct raster_part *part = part_open("raster", RASTER_PART_VERSION, err);

    return part != NULL && part->write(format, svg, scale, out, err);
}
